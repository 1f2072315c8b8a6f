"""How fast the metrics are beside their peers: BLEU, the bootstrap of AUC, minimum detection cost and DET curve.

    python tests/benchmarks/bench_metrics.py [bleu] [auc] [detection]

Prints the best of several runs in seconds and the ratio to the peer. sacreBLEU is no dependency:
it is installed into `.bench/metrics/` on first use and timed there. Peak memory is that of this process, so the
detection part says what it took only if it runs alone; without arguments each part runs in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".bench" / "metrics"
SACREBLEU = "sacrebleu==2.6.0"
sys.path.insert(0, str(ROOT))

_TIME_SACREBLEU = """
import functools, gc, json, sys, time
from sacrebleu.metrics import BLEU

def forget():
    # Its tokenisers remember texts, so that a second run would not tokenise.
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()

data = json.load(open(sys.argv[1], encoding="utf-8"))
streams = [list(stream) for stream in zip(*data["references"])]
for tokeniser in data["tokenisers"]:
    metric, best = BLEU(tokenize=tokeniser, force=True), float("inf")
    for _ in range(3):
        forget()
        start = time.perf_counter()
        score = metric.corpus_score(data["hypotheses"], streams).score
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"tokeniser": tokeniser, "seconds": best, "score": score / 100}))
"""


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Seconds of the fastest of several runs."""
    fastest = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - start)
    return fastest


def report(what: str, ours: float, peer: str, theirs: float, promise: str) -> None:
    """One line of the table."""
    print(f"{what:<36}{ours:7.3f} s   {peer:<26}{theirs:7.3f} s  {theirs / ours:6.1f} x faster  ({promise})")


def bench_bleu() -> None:
    """1,000 hypotheses of about 100 words against 4 references each."""
    from metrics.bleu import bleu

    hypotheses, references = _texts(np.random.default_rng(0))
    data = PEERS / "texts.json"
    python = _peer_python()
    tokenisers = ["none", "13a", "intl"]
    contents = {"hypotheses": hypotheses, "references": references, "tokenisers": tokenisers}
    data.write_text(json.dumps(contents), encoding="utf-8")
    lines = subprocess.run(
        [str(python), "-c", _TIME_SACREBLEU, str(data)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    for line in lines:
        peer = json.loads(line)
        metric = bleu.with_(tokeniser=peer["tokeniser"])

        seconds = best_of(3, partial(_score_afresh, metric, hypotheses, references))
        difference = abs(metric(hypotheses, references) - peer["score"])
        if difference > 1e-12:
            raise SystemExit(f"BLEU differs from {SACREBLEU} by {difference} with tokeniser {peer['tokeniser']}")
        report(f"BLEU, tokeniser {peer['tokeniser']}", seconds, SACREBLEU, peer["seconds"], "promised: 3 x or more")


def _score_afresh(metric: Any, hypotheses: list[str], references: list[list[str]]) -> None:
    from metrics.bleu import _cached_statistics

    _cached_statistics.cache_clear()
    metric(hypotheses, references)


def _texts(generator: np.random.Generator) -> tuple[list[str], list[list[str]]]:
    """Words by Zipf's law, some with punctuation."""
    words = np.array([f"w{number}" for number in range(20_000)], dtype=object)
    chance = 1 / np.arange(1, len(words) + 1)

    def text() -> str:
        drawn = generator.choice(words, size=100, p=chance / chance.sum())
        drawn[::12] += ","
        return " ".join(drawn) + "."

    return [text() for _ in range(1000)], [[text() for _ in range(4)] for _ in range(1000)]


def _peer_python() -> Path:
    """The interpreter of the peers' own environment, made on first use."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        print(f"making {PEERS.relative_to(ROOT)} with {SACREBLEU}")
        venv.create(PEERS, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--quiet", SACREBLEU], check=True)
    return python


def bench_auc() -> None:
    """1,000 resamples of 10,000 problems."""
    from sklearn.metrics import roc_auc_score

    from metrics.uncertainty import bootstrap
    from metrics.verification import auc

    generator = np.random.default_rng(0)
    same = generator.random(10_000) < 0.5
    answer = np.clip(generator.normal(0.5 + 0.1 * same, 0.2), 0, 1)
    drawn = np.random.default_rng(0).integers(0, len(same), size=(1000, len(same)))
    for name, scores in (("distinct scores", answer), ("two decimals", np.round(answer, 2))):
        ours = best_of(5, partial(bootstrap, auc, (same, scores), resamples=1000))
        start = time.perf_counter()
        for rows in drawn:
            roc_auc_score(same[rows], scores[rows])
        loop = time.perf_counter() - start
        report(f"AUC bootstrap, {name}", ours, "loop over roc_auc_score", loop, "promised: 20 x or more")


def bench_detection() -> None:
    """10 million scored pairs, one in ten a target."""
    from metrics.det import det_curve
    from metrics.detection import eer, min_c_det

    generator = np.random.default_rng(0)
    target = generator.random(10_000_000) < 0.1
    score = generator.standard_normal(len(target))
    score[target] += 1.5
    before = _peak_gigabytes()
    parts: dict[str, Callable[..., Any]] = {"minimum C_det": min_c_det, "DET curve": det_curve, "equal error rate": eer}
    seconds = {name: best_of(3, partial(part, target, score)) for name, part in parts.items()}
    peak = _peak_gigabytes()
    ordering = best_of(3, lambda: np.argsort(score))
    for name, ours in seconds.items():
        promise = f"{ours / ordering:.2f} of its time; promised: 3 or less"
        report(f"{name}, 10 million pairs", ours, "np.argsort of the scores", ordering, promise)
    sorting = best_of(3, lambda: np.sort(score))
    print(f"for comparison, np.sort of the scores, which loses who is who: {sorting:.3f} s")
    print(f"peak memory {peak:.2f} GB, of which the pairs and Python {before:.2f} GB (promised: under 1 GB)")


def _peak_gigabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


PARTS = {"bleu": bench_bleu, "auc": bench_auc, "detection": bench_detection}


def main(arguments: list[str]) -> None:
    unknown = sorted(set(arguments) - set(PARTS))
    if unknown:
        raise SystemExit(f"no part named {unknown[0]!r}; known: {', '.join(PARTS)}")
    if len(arguments) == 1:
        PARTS[arguments[0]]()
        return
    for part in arguments or PARTS:
        subprocess.run([sys.executable, __file__, part], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
