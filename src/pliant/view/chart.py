"""The curve of distance to rest, with the asked moment marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .snapshot import StageSnapshot

if TYPE_CHECKING:
    import viser

#: The picture is as wide as so many times the asked time.
CURVE_WIDTH = 1.5
POINTS = 240
CURVE, MARK = "#ee844d", "#5a6270"


class Chart:
    """A uPlot in the panel: share of the largest distance over seconds since the last change."""

    def __init__(self, server: viser.ViserServer):
        self._asked = 1.0
        self._drawn: object = None
        self._plot = server.gui.add_uplot(
            self._data(np.zeros(0), np.zeros(0)),
            ({}, _line(CURVE, 2.0), _line(MARK, 1.0, dash=(4.0, 4.0))),
            scales=self._scales(),
            axes=(
                {"label": "seconds since its clock started", "labelSize": 18, "size": 30},
                {"label": "distance [%]", "labelSize": 18, "size": 36},
            ),
            legend={"show": False},
            cursor={"show": False},
            height=170,
        )

    def show(self, snapshot: StageSnapshot) -> None:
        """Draw the curve as far as it is known."""
        times, shares = snapshot.curve
        state = (snapshot.asked, len(times), times[-1] if len(times) else None)
        if state == self._drawn:
            return
        self._drawn = state
        if snapshot.asked is not None and snapshot.asked != self._asked:
            self._asked = snapshot.asked
            self._plot.scales = self._scales()
        self._plot.data = self._data(times, shares)

    def _data(self, times: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, ...]:
        # uPlot wants one list of times for both lines; the mark stands on two equal ones.
        grid = np.linspace(0.0, CURVE_WIDTH * self._asked, POINTS)
        grid = np.sort(np.concatenate([grid, [self._asked, self._asked]]))
        curve = np.full(len(grid), np.nan)
        if len(times):
            known = grid <= times[-1]
            curve[known] = 100.0 * np.interp(grid[known], times, shares)
        mark = np.full(len(grid), np.nan)
        at = int(np.searchsorted(grid, self._asked))
        mark[at : at + 2] = (0.0, 110.0)
        return grid, curve, mark

    def _scales(self) -> Any:
        return {
            "x": {"time": False, "range": (0.0, CURVE_WIDTH * self._asked)},
            "y": {"range": (0.0, 110.0)},
        }


def _line(colour: str, width: float, dash: tuple[float, ...] | None = None) -> Any:
    line = {"stroke": colour, "width": width, "points": {"show": False}}
    return line if dash is None else line | {"dash": dash}
