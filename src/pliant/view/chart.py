"""The curves of distance to rest, with the asked moment marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .look import BODY_COLOURS
from .snapshot import StageSnapshot

if TYPE_CHECKING:
    import viser

#: The picture is as wide as so many times the asked time.
CURVE_WIDTH = 1.5
POINTS = 240
MARK = "#5a6270"
#: The curves of so many bodies are drawn: more would hide each other.
MOST_CURVES = len(BODY_COLOURS)
HEIGHT = 150


class Chart:
    """A uPlot in the panel: share of the largest distance over seconds since the last change.

    A line for each body, in its colour; the asked moment is that of the body in focus.
    """

    def __init__(self, server: viser.ViserServer, bodies: int):
        self._asked = 1.0
        self._lines = min(bodies, MOST_CURVES)
        self._drawn: object = None
        lines = [_line(_hex(colour), 2.0) for colour in BODY_COLOURS[: self._lines]]
        self._plot = server.gui.add_uplot(
            self._data([]),
            ({}, *lines, _line(MARK, 1.0, dash=(4.0, 4.0))),
            scales=self._scales(),
            axes=(
                {"label": "seconds since its clock started", "labelSize": 18, "size": 30},
                {"label": "distance [%]", "labelSize": 18, "size": 36},
            ),
            legend={"show": False},
            cursor={"show": False},
            height=HEIGHT,
        )

    def show(self, snapshot: StageSnapshot) -> None:
        """Draw the curves as far as they are known."""
        curves = [body.curve for body in snapshot.bodies[: self._lines]]
        state = (snapshot.asked, *((len(t), t[-1] if len(t) else None) for t, _ in curves))
        if state == self._drawn:
            return
        self._drawn = state
        if snapshot.asked is not None and snapshot.asked != self._asked:
            self._asked = snapshot.asked
            self._plot.scales = self._scales()
        self._plot.data = self._data(curves)

    def _data(self, curves: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, ...]:
        # uPlot wants one list of times for all lines; the mark stands on two equal ones.
        grid = np.linspace(0.0, CURVE_WIDTH * self._asked, POINTS)
        grid = np.sort(np.concatenate([grid, [self._asked, self._asked]]))
        lines = np.full((self._lines, len(grid)), np.nan)
        for line, (times, shares) in zip(lines, curves, strict=False):
            if len(times):
                known = grid <= times[-1]
                line[known] = 100.0 * np.interp(grid[known], times, shares)
        mark = np.full(len(grid), np.nan)
        at = int(np.searchsorted(grid, self._asked))
        mark[at : at + 2] = (0.0, 110.0)
        return (grid, *lines, mark)

    def _scales(self) -> Any:
        return {
            "x": {"time": False, "range": (0.0, CURVE_WIDTH * self._asked)},
            "y": {"range": (0.0, 110.0)},
        }


def _line(colour: str, width: float, dash: tuple[float, ...] | None = None) -> Any:
    line = {"stroke": colour, "width": width, "points": {"show": False}}
    return line if dash is None else line | {"dash": dash}


def _hex(colour: tuple[int, int, int]) -> str:
    return "#" + bytes(colour).hex()
