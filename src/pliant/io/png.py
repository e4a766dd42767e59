"""Takes as pictures: the bodies at several instants, and their distance to rest over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import require_matplotlib
from pliant.mesh import Mesh, Surface
from pliant.take import Take, Topology, Track, at_frame

from .atomic import atomic_write
from .drawing import INK, QUIET, draw_bodies, draw_outline, frame_picture
from .registry import writes
from .shown import rested, up_axis
from .shown_obstacles import ShownObstacle, shown_obstacles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_CURVE_COLOURS = ("#e4572e", "#2f6f9f", "#e0a030", "#4f9d69", "#8e6bbf")


@writes(".png")
def save_png(take: Take, path: Path) -> None:
    """Write the picture of a take."""
    with atomic_write(path) as draft:
        picture(take).savefig(draft, format="png", dpi=150)


def picture(take: Take, *, instants: list[float] | None = None) -> Figure:
    """Draw a take; `instants` [s] chooses the frames, by default a few up to the asked rest."""
    require_matplotlib("pictures")
    from matplotlib.figure import Figure  # not pyplot: it would choose a window system

    frames = _frames(take, instants)
    shares, seen = shares_of(take, frames), framed_points(take, frames)
    width, curves = 2.4 * len(frames) if len(take) > 1 else 5.0, has_curves(take)
    height = 5.2 if curves else 2.6 if len(take) > 1 else 4.0
    figure = Figure(figsize=(max(width, 6.0), height), layout="constrained")
    grid = figure.add_gridspec(2 if curves else 1, len(frames))
    for column, frame in enumerate(frames):
        ax = figure.add_subplot(grid[0, column])
        draw_frame(ax, take, frame, [share[column] for share in shares])
        frame_picture(ax, seen)
        ax.set_title(f"{take.times[frame] - take.times[0]:.2f} s", fontsize=10, color=INK)
    if curves:
        draw_curves(figure.add_subplot(grid[1, :]), take)
    return figure


def draw_frame(ax: Axes, take: Take, frame: int, shares: Sequence[np.ndarray]) -> None:
    """Draw one frame: bodies in the colours of their shares, obstacles, and where bodies will rest."""
    up = up_axis(take)
    each = [at_frame(b.topologies, frame) for b in take.tracks]
    for b, own in zip(take.tracks, each, strict=True):
        if _settles(b) and b.rests is not None:
            draw_outline(ax, *_seen(own, b.rest_beside(frame)[own.in_last], up))
    moving = [
        (*_seen(own, own.positions[frame - own.first], up), share)
        for own, share in zip(each, shares, strict=True)
    ]
    still = [
        (
            s.surface,
            _in_picture(s.points_at(frame), s, up),
            None if s.wall else _in_picture(s.core_at(frame), s, up),
            s.colour,
        )
        for s in shown_obstacles(take)
    ]
    draw_bodies(ax, moving, still=still)


def framed_points(take: Take, frames: Sequence[int]) -> np.ndarray:
    """All that pictures of these frames have to hold, (k, d) [m]."""
    up = up_axis(take)
    return np.concatenate(
        [_seen(b, b.position_frames[f], up)[1] for b in take.tracks for f in frames]
        + [_in_picture(s.framed, s, up) for s in shown_obstacles(take)]
    )


def shares_of(take: Take, frames: Sequence[int]) -> list[list[np.ndarray]]:
    """Of every body the shares that colour it in these frames, (points,) each."""
    return [_shares(b, list(frames), _settles(b)) for b in take.tracks]


def has_curves(take: Take) -> bool:
    """Whether there is something to draw over time: a distance to rest, or energies."""
    tracks = take.tracks
    known = any(map(_settles, tracks)) or all(b.count_energies is not None for b in tracks)
    return len(take) > 1 and known


def draw_curves(ax: Axes, take: Take) -> None:
    """Distance to rest over time with the asked time marked, or energies where none is known."""
    t = take.times - take.times[0]
    settling = [b for b in take.tracks if _settles(b)]
    for b, colour in zip(settling, _CURVE_COLOURS * len(settling), strict=False):
        found = rested(b)
        ax.plot(t, found.distance, color=colour, lw=2, label=b.name)
        rest_in, within = b.asked.get("rest_in"), b.asked.get("within", 0.01)
        if rest_in is not None and not found.changing:
            at, largest = b.since - take.times[0] + rest_in, found.largest
            ax.axvline(at, color=colour, lw=1, ls=(0, (4, 3)))
            ax.plot([at], [within * largest], "o", color=colour, ms=5)
            ax.annotate(
                f" asked: {at:.4g} s", (at, 0.92 * largest), color=colour, fontsize=9, va="top"
            )
    if settling:
        ax.set_ylabel("distance to rest [m]")
    else:
        _draw_energies(ax, take)
    if len(ax.lines) and len(settling) != 1:
        ax.legend(frameon=False, fontsize=9)
    quiet_axes(ax)
    ax.set_xlabel("time [s]")
    ax.set_xlim(0.0, t[-1])


def _draw_energies(ax: Axes, take: Take) -> None:
    t = take.times - take.times[0]
    for name, colour in zip(("kinetic", "elastic", "total"), _CURVE_COLOURS, strict=False):
        energy = sum(b.energies[name] for b in take.tracks)
        ax.plot(t, energy, color=colour, lw=1.8, label=name)
    ax.set_ylabel("energy [J]" if len(take.tracks) == 1 else "energy of all bodies [J]")


def quiet_axes(ax: Axes) -> None:
    """Leave two thin lines and small numbers."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(colors=INK, labelsize=9, length=3, color=QUIET)
    ax.yaxis.label.set_color(INK)
    ax.xaxis.label.set_color(INK)


def _frames(take: Take, instants: list[float] | None) -> list[int]:
    t = take.times - take.times[0]
    if instants is None:
        asked = [b.asked["rest_in"] for b in take.tracks if "rest_in" in b.asked]
        end = min(max(asked), t[-1]) if asked else t[-1]
        instants = [0.0, 0.15 * end, 0.3 * end, 0.5 * end, end]
    return list(dict.fromkeys(int(np.abs(t - s).argmin()) for s in instants))


def _shares(track: Track, chosen: list[int], settles: bool) -> list[np.ndarray]:
    """The colour of every point, (points,) in each frame: its distance to rest as a share of the
    farthest at the start, or the plastic strain of what has flowed as a share of the largest.
    """
    if track.flowed:
        share = [track.plastic_shares(f) for f in chosen]
    elif not settles:
        share = [np.zeros(len(track.mesh)) for _ in chosen]
    else:
        first, *u = (np.linalg.norm(track.displacement(f), axis=1) for f in (0, *chosen))
        share = [np.clip(each / max(first.max(), 1e-300), 0.0, 1.0) for each in u]
    topologies = track.topologies
    return [_of_seen(at_frame(topologies, f), each) for f, each in zip(chosen, share, strict=True)]


def _of_seen(own: Topology, share: np.ndarray) -> np.ndarray:
    """Shares of the points that are drawn, from those of the points of the last mesh."""
    share = share[own.in_last]
    if own.mesh.dim == 2:
        return share
    return np.asarray(np.einsum("mc,mc->m", own.skin.weights, share[own.skin.nodes]))


def _seen(of: Topology | Track, x: np.ndarray, up: int) -> tuple[Mesh | Surface, np.ndarray]:
    """The surface to draw and its points with y up: the skin, or the cells of a plane body."""
    if of.mesh.dim == 2:
        return of.mesh, x
    return of.skin.surface, _upright(of.skin.positions(x), up)


def _in_picture(x: np.ndarray, obstacle: ShownObstacle, up: int) -> np.ndarray:
    return x[:, :2] if obstacle.flat else _upright(x, up)


def _upright(x: np.ndarray, up: int) -> np.ndarray:
    return x if up == 1 else x[:, [0, 2, 1]] * [1.0, 1.0, -1.0]


def _settles(frames: Track) -> bool:
    """Whether the distance to rest says something: not of what is driven until the end."""
    return len(frames.times) > 1 and frames.rest is not None and not frames.changing
