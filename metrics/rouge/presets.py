"""The options that evaluation campaigns ran ROUGE-1.5.5 with, and the metrics that they name."""

from __future__ import annotations

from typing import Any, Literal

from metrics.metric import Metric, MetricParameterError
from metrics.rouge.declarations import rouge_l, rouge_n, rouge_s, rouge_su, rouge_w
from metrics.rouge.options import Options, parse_options
from metrics.rouge.scoring import Measure

_DUC = "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a"

PRESETS = {
    # DUC 2002 was judged by hand; ROUGE is computed for it with the options of 2004 and its own limit.
    "duc2002": f"{_DUC} -l 200",
    "duc2004_task1": f"{_DUC} -b 75",
    "duc2004_task2": f"{_DUC} -b 665",
    "multiling2011": "-a -x -2 4 -u -c 95 -r 1000 -n 2 -f A -p 0.5 -t 0",
    "sumrepo": "-n 4 -x -m -l 100 -p 0.5 -c 95 -r 1000 -f A -t 0 -a",
}
"""Option strings of ROUGE-1.5.5 by campaign."""


def preset(name: str, *, score: Literal["recall", "precision", "f"] = "recall") -> tuple[Metric, ...]:
    """The metrics of a campaign, in the order in which ROUGE-1.5.5 prints them."""
    common = {**settings_of(name), "score": score}
    return tuple(_metric(measure, common) for _, measure in _options(name).measures)


def settings_of(name: str) -> dict[str, Any]:
    """What a campaign did to every text and how it combined references, whatever it measured."""
    options = _options(name)
    text = {name: getattr(options.settings, name) for name in ("stem", "stop", "words", "bytes")}
    return {**text, "combine": options.combine, "alpha": options.alpha}


def _options(name: str) -> Options:
    if name not in PRESETS:
        raise MetricParameterError(f"no ROUGE preset named {name!r}; known: {', '.join(PRESETS)}")
    options = parse_options([*PRESETS[name].split(), "config.xml"])
    if options is None:
        raise MetricParameterError(f"the ROUGE preset {name!r} asks for help only")
    return options


def _metric(measure: Measure, common: dict[str, Any]) -> Metric:
    if measure.kind == "N":
        return rouge_n.with_(n=measure.n, **common)
    if measure.kind == "L":
        return rouge_l.with_(**common)
    if measure.kind == "W":
        return rouge_w.with_(weight=measure.weight, **common)
    return (rouge_s if measure.kind == "S" else rouge_su).with_(gap=measure.gap, **common)
