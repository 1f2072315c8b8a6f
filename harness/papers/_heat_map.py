"""Weights of kernels by author and norm, drawn as a heat map: Figure 2 of Nasir, Görnitz & Brefeld 2014."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

_ACROSS = 5


def draw_mixtures(
    authors: Sequence[str],
    norms: Sequence[float],
    kernels: Sequence[str],
    thetas: Mapping[tuple[str, float], Sequence[float]],
) -> Iterator[str]:
    """Figure 2 as SVG: a panel an author, a row a p, a column a kernel; white is 0, dark is 1."""
    side, gap, left = 46, 56, 48
    width, height = len(kernels) * side + left + 12, len(norms) * side // 2 + gap
    rows = -(-len(authors) // _ACROSS)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_ACROSS * width} {rows * height + 12}" '
        'font-family="sans-serif" font-size="11" role="img" aria-label="Kernel weights by author and p">\n'
    )
    for number, author in enumerate(authors):
        across, down = number % _ACROSS * width + left, number // _ACROSS * height + 20
        yield f'<text x="{across}" y="{down - 6}" font-weight="bold">{escape(author)}</text>\n'
        for row, norm in enumerate(norms):
            top = down + row * side // 2
            yield f'<text x="{across - 4}" y="{top + 15}" text-anchor="end">{norm:g}</text>\n'
            for column, value in enumerate(thetas[author, norm]):
                yield _tile(across + column * side, top, side, value, f"{author}, p = {norm:g}, {kernels[column]}")
        for column, kernel in enumerate(kernels):
            x, y = across + column * side + side // 2, down + len(norms) * side // 2 + 14
            yield f'<text x="{x}" y="{y}" text-anchor="middle">{_short(kernel)}</text>\n'
    yield "</svg>\n"


def _tile(x: int, y: int, side: int, value: float, what: str) -> str:
    shade = round(255 * (1 - min(max(value, 0.0), 1.0)))
    ink = "#fff" if value > 0.5 else "#000"
    return (
        f'<g><title>{escape(what)}: {value:.3f}</title><rect x="{x}" y="{y}" width="{side}" height="{side // 2}" '
        f'fill="rgb({shade},{shade},{min(255, shade + 60)})" stroke="#ccc"/>'
        f'<text x="{x + side // 2}" y="{y + 15}" text-anchor="middle" fill="{ink}">{value:.2f}</text></g>\n'
    )


def _short(kernel: str) -> str:
    return {"function_words": "func", "suffixes": "suf"}.get(kernel, kernel)
