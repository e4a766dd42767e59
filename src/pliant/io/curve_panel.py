"""The distance to rest as a panel beside a film: drawn once, with a line that moves."""

from __future__ import annotations

import numpy as np

from pliant.take import Take

from .drawing import INK
from .png import draw_curves
from .shown import Shown


class CurvePanel:
    """A curve of a take, `size` (width, height) pixels; `at(frame)` has the line at that frame."""

    def __init__(self, take: Take, size: tuple[int, int]):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.colors import to_rgb
        from matplotlib.figure import Figure

        dpi = 100.0 * size[1] / 720.0  # the same picture in every size
        figure = Figure(figsize=(size[0] / dpi, size[1] / dpi), dpi=dpi, facecolor="white")
        ax = figure.add_axes((0.19, 0.14, 0.74, 0.68))
        draw_curves(ax, take)
        words = [Shown.of(track).words for track in take.tracks] if len(take.tracks) == 1 else []
        figure.text(
            0.19,
            0.93,
            "\n".join(words).replace(", measured", ",\nmeasured"),
            color=INK,
            fontsize=11,
            va="top",
        )
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        self._picture = np.asarray(canvas.buffer_rgba())[..., :3].copy()
        times = take.times - take.times[0]
        self._x = ax.transData.transform(np.stack([times, 0.0 * times], axis=1))[:, 0]
        low, high = ax.transAxes.transform([(0.0, 0.0), (0.0, 1.0)])[:, 1]
        self._rows = slice(round(size[1] - high), round(size[1] - low))
        self._ink = np.rint(255.0 * np.array(to_rgb(INK))).astype(np.uint8)
        self._half = max(1, round(dpi / 100.0))

    def at(self, frame: int) -> np.ndarray:
        """The panel with its line at a frame, (height, width, 3) bytes."""
        picture: np.ndarray = self._picture.copy()
        x = round(float(self._x[frame]))
        picture[self._rows, x - self._half : x + self._half] = self._ink
        return picture
