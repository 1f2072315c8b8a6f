"""`bakeoff det`: DET curves of link detection systems in one figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def det(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="System files or run folders.")],
    truth: Annotated[Path, typer.Option("--truth", help="The key file.")],
    out: Annotated[Path, typer.Option("--out", help="The figure: .svg or .png.")] = Path("det.svg"),
    by_topic: Annotated[bool, typer.Option("--by-topic", help="Weigh topics alike, not pairs.")] = False,
) -> None:
    """Draw the DET curves of several systems, with their points of least cost marked."""
    from harness.det import draw_det

    for name, minimum in draw_det(runs, truth, out, by_topic=by_topic).items():
        typer.echo(
            f"{name}: least normalised cost {minimum.norm_cost:.4f} at P_miss {minimum.p_miss:.4f}, "
            f"P_fa {minimum.p_fa:.4f}, score above {minimum.threshold:g}"
        )
    typer.echo(f"written: {out}")
