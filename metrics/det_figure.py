"""The DET plot as NIST draws it: normal-deviate axes with ticks in per cent, several systems in one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from metrics.det import DetCurve, normal_deviate
from metrics.metric import MetricError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PER_CENT = (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 40, 60, 80, 90)
_SUFFIXES = (".svg", ".png")


def det_figure(
    curves: Mapping[str, DetCurve],
    *,
    title: str = "",
    c_miss: float = 1.0,
    c_fa: float = 0.1,
    p_target: float = 0.02,
) -> Figure:
    """A figure of the curves by system name; a circle marks the point of least cost where it lies on the plot."""
    if not curves:
        raise MetricError("a DET plot needs one curve or more")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 6.0), layout="constrained")
    axes = figure.add_subplot()
    _draw_axes(axes)
    for name, curve in curves.items():
        lowest = curve.minimum(c_miss=c_miss, c_fa=c_fa, p_target=p_target)
        across, up = curve.corners().deviates()
        # The number comes first, since a label that starts with "_" is left out of the legend.
        label = f"{lowest.norm_cost:.4f}  {name}".replace("$", r"\$")
        (line,) = axes.plot(across, up, label=label, linewidth=1.2)
        place = normal_deviate([lowest.p_fa, lowest.p_miss])
        axes.plot(*place[:, None], marker="o", fillstyle="none", color=line.get_color(), linestyle="none")
    axes.legend(loc="upper right", fontsize="small", title="minimum cost, system", title_fontsize="small")
    axes.set_title(title)
    return figure


def _draw_axes(axes: Axes) -> None:
    """Both axes alike, from 0.01 % to 90 %, with the line of chance."""
    ticks = normal_deviate([value / 100 for value in _PER_CENT])
    labels = [f"{value:g}" for value in _PER_CENT]
    axes.set_xticks(ticks, labels, fontsize="small")
    axes.set_yticks(ticks, labels, fontsize="small")
    axes.set_xlim(ticks[0], ticks[-1])
    axes.set_ylim(ticks[0], ticks[-1])
    axes.set_aspect("equal")
    axes.grid(linewidth=0.4, color="0.85")
    # Chance misses what it does not falsely accept: deviates of P and 1 - P add up to 0.
    axes.plot([ticks[0], -ticks[0]], [-ticks[0], ticks[0]], color="0.6", linestyle=":")
    axes.set_xlabel("false alarm probability (%)")
    axes.set_ylabel("miss probability (%)")


def save_det_figure(
    curves: Mapping[str, DetCurve],
    path: str | Path,
    *,
    title: str = "",
    c_miss: float = 1.0,
    c_fa: float = 0.1,
    p_target: float = 0.02,
) -> None:
    """Write the plot to a `.svg` or `.png` file; the same curves give the same bytes."""
    path = Path(path)
    if path.suffix not in _SUFFIXES:
        raise MetricError(f"{path}: a DET plot is written as {' or '.join(_SUFFIXES)}; change the file's ending")
    from matplotlib import rc_context

    figure = det_figure(curves, title=title, c_miss=c_miss, c_fa=c_fa, p_target=p_target)
    with rc_context({"svg.hashsalt": "det"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
