"""How figures look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LAB_INK, GRID, FIXED = "#22262b", "#d9dde2", "#c23b22"
CURVE_COLOURS = ("#1f5fa8", "#d9822b", "#3a8f5c")
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": LAB_INK,
    "axes.labelcolor": LAB_INK,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "svg.hashsalt": "pliant",  # the same input gives the same file
}


def panels(count: int, height: float = 2.9, **shared: Any) -> tuple[Figure, list[Axes]]:
    """A row of axes as wide as the page's text; made without pyplot, which would keep them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.4, height), layout="constrained")
    return figure, list(figure.subplots(1, count, squeeze=False, **shared)[0])
