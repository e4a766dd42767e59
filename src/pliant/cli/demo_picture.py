"""The demo's picture: strips of the same instants, and the curves beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from pliant.io import INK, QUIET, Camera, draw_bodies, draw_outline, frame_picture, quiet_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from .demo import Result

DEMO_COLOURS = ("#e4572e", "#dd9a1f", "#2f78ad")
CAMERA = Camera.at(azimuth=18.0, elevation=15.0)
#: Where the eye finds the difference: the fast wishes are over before the slow one has begun.
INSTANTS = (0.0, 0.25, 0.5, 1.0, 2.0)  # [s]
BOUNCE_INSTANTS = (0.0, 0.33, 0.67, 1.0, 2.0)


def demo_picture(durations: list[Result], motions: list[Result]) -> Figure:
    """Two bands: one motion in three durations, and one duration with three motions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.5, 8.8), facecolor="white")
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.0, 1.12), squeeze=False).ravel()
    _band(
        top,
        durations,
        INSTANTS,
        title="Asked to rest in 0.5, 1 and 2 s",
        labels=[f"rest in {r.rest_in:g} s" for r in durations],
        curves=_distances,
    )
    _band(
        bottom,
        motions,
        BOUNCE_INSTANTS,
        title="Asked to rest in 2 s after 0, 1 and 3 bounces",
        labels=[f"{r.bounces} bounce" + "s" * (r.bounces != 1) for r in motions],
        curves=_amplitudes,
    )
    return figure


def _band(
    figure: SubFigure,
    results: list[Result],
    instants: tuple[float, ...],
    *,
    title: str,
    labels: list[str],
    curves: Callable[[Axes, list[Result]], None],
) -> None:
    figure.text(0.012, 0.955, title, fontsize=15, color=INK, weight="bold", va="center")
    strips = figure.add_gridspec(
        len(results), len(instants), left=0.1, right=0.7, top=0.86, bottom=0.02, wspace=0.02,
        hspace=0.0,
    )  # fmt: skip
    seen = np.concatenate([r.take.positions[_frames(r, instants)] for r in results])
    for row, result in enumerate(results):
        for column, frame in enumerate(_frames(result, instants)):
            ax = figure.add_subplot(strips[row, column])
            _beam(ax, result, frame, seen)
            if row == 0:
                ax.set_title(f"{instants[column]:g} s", fontsize=11, color=INK, pad=2)
            if column == 0:
                low = CAMERA.project(result.take.positions[0]).min(axis=0)
                ax.annotate(
                    labels[row], (low[0], low[1] + 0.5), xytext=(-12, 0),
                    textcoords="offset points",
                    color=DEMO_COLOURS[row], fontsize=12, weight="bold", ha="right", va="center",
                )  # fmt: skip
    place = figure.add_gridspec(1, 1, left=0.755, right=0.985, top=0.86, bottom=0.13)
    curves(figure.add_subplot(place[0, 0]), results)


def _beam(ax: Axes, result: Result, frame: int, seen: np.ndarray) -> None:
    take = result.take
    (body,) = take.bodies
    x, rest = take.positions[frame], take[body].rest
    assert rest is not None  # every run of the demo is damped by Settle
    away = np.linalg.norm(x - rest, axis=1)
    farthest = np.linalg.norm(take.positions[0] - rest, axis=1).max()
    draw_outline(ax, body.mesh, rest, camera=CAMERA, linewidths=0.6)
    draw_bodies(ax, [(body.mesh, x, away / farthest)], camera=CAMERA, mesh_lines=0.25)
    frame_picture(ax, seen, camera=CAMERA)


def _distances(ax: Axes, results: list[Result]) -> None:
    """A logarithmic scale: only there can the eye see where a decay passes one per cent."""
    for r, colour in zip(results, DEMO_COLOURS, strict=True):
        ax.semilogy(r.take.times, r.distance, color=colour, lw=2.2)
        ax.plot([r.rest_in] * 2, [1e-9, 0.01], color=colour, lw=1, ls=(0, (3, 3)))
        ax.plot(r.rest_in, 0.01, "o", color=colour, ms=7, mec="white", mew=1.2, zorder=3)
    ax.axhline(0.01, color=QUIET, lw=0.8, zorder=0)
    ax.text(1.12, 0.0105, "at rest: 1 %", color=INK, fontsize=9, va="bottom")
    ax.set(
        xlim=(0, 2.5),
        ylim=(1e-3, 1.3),
        xlabel="time [s]",
        xticks=[0, 0.5, 1, 2],
        xticklabels=["0", "0.5", "1", "2"],
    )
    ax.set_title("distance to rest", fontsize=11, color=INK, loc="left")
    ax.set_yticks([1, 0.1, 0.01, 0.001], ["1", "0.1", "0.01", "0.001"])
    ax.minorticks_off()
    quiet_axes(ax)


def _amplitudes(ax: Axes, results: list[Result]) -> None:
    ax.axhline(0.0, color=QUIET, lw=0.8, zorder=0)
    ax.axvline(2.0, color=QUIET, lw=1, ls=(0, (3, 3)), zorder=0)
    ax.text(2.03, 0.97, "asked", color=INK, fontsize=9, va="top")
    for r, colour in zip(results, DEMO_COLOURS, strict=True):
        ax.plot(r.take.times, r.amplitude, color=colour, lw=2.2)
    ax.set(
        xlim=(0, 2.5), xlabel="time [s]", xticks=[0, 0.5, 1, 2], xticklabels=["0", "0.5", "1", "2"]
    )
    ax.set_title("share of the bend that is left", fontsize=11, color=INK, loc="left")
    quiet_axes(ax)


def _frames(result: Result, instants: tuple[float, ...]) -> list[int]:
    return [int(np.abs(result.take.times - t).argmin()) for t in instants]
