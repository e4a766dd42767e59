"""Takes of what nothing has stepped: a surface that is moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant import __version__
from pliant.errors import described
from pliant.given import floats_or_nan
from pliant.mesh import Mesh, Skin, Surface
from pliant.take import SOLVER, LazyFrames, Take, Track

from .triangles import Array, Triangles


def as_take(
    surface: Surface | Mesh,
    times: Any,
    positions: Any,
    *,
    name: str = "shape",
    about: dict[str, Any] | None = None,
) -> Take:
    """A take of a surface that is moved: it can be saved, shown, and given to `transfer`.

    times [s], (frames,), growing. positions [m]: (frames, m, 3), or a function of the number of a frame
    that returns (m, 3); it is then called whenever the frame is asked for. Velocities are differences.

        take = pl.shape.as_take(surface, times, [skin(motion.at(t)) for t in times])
    """
    whole = Triangles.of("surface", surface)
    shown_surface, times = whole.surface, floats_or_nan(times)
    count, points = times.size, len(whole.surface.points)
    if times.ndim != 1 or not count or not np.isfinite(times).all():
        raise ValueError(
            f"as_take: got times {described(times)}; expected seconds that grow, (frames,)"
        )
    first = np.zeros(len(whole.points), dtype=np.int64)
    used = whole.number >= 0
    first[whole.number[used][::-1]] = np.flatnonzero(used)[::-1]

    def frame(k: int) -> Array:
        return _accepted(positions(k) if callable(positions) else positions[k], points, k)[first]

    if not callable(positions) and np.shape(positions)[:1] != (count,):
        raise ValueError(
            f"as_take: got positions {described(positions)} for {count} times; expected shape "
            f"({count}, {points}, 3)"
        )
    mesh = Mesh(whole.points, {"tri": whole.corners})
    nodes = np.maximum(whole.number, 0)[:, None]
    shape = (count, *mesh.points.shape)
    track = Track(
        name=name,
        mesh=mesh,
        times=times,
        positions=LazyFrames(shape, frame),
        velocities=LazyFrames(shape, lambda k: _speeds(frame, times, k)),
        count_energies=None,
        solver=np.zeros(0, SOLVER),
        rests=None,
        masses=_areas(whole),
        pinned=np.zeros(len(mesh), dtype=bool),
        components=mesh.components,
        asked={},
        skin=Skin(shown_surface, nodes, np.ones((points, 1))),
    )
    dt = float(np.diff(times).min()) if count > 1 else 1.0
    return Take([track], dt=dt, about={"pliant": __version__, **(about or {})})


def _areas(whole: Triangles) -> Array:
    """A third of the triangles around each place, as masses of 1 kg/m^2."""
    found = np.bincount(whole.corners.ravel(), np.repeat(whole.areas / 3.0, 3), len(whole.points))
    return np.asarray(np.where(found > 0.0, found, found[found > 0.0].min()))


def _accepted(given: Any, points: int, frame: int) -> Array:
    x = floats_or_nan(given)
    if x.shape != (points, 3) or not np.isfinite(x).all():
        raise ValueError(
            f"as_take: got positions {described(given)} in frame {frame}; expected finite numbers of "
            f"shape ({points}, 3) [m]"
        )
    return x


def _speeds(frame: Callable[[int], Array], times: Array, k: int) -> Array:
    """Differences over the frames beside frame k [m/s]."""
    low, high = max(k - 1, 0), min(k + 1, len(times) - 1)
    if low == high:
        return 0.0 * frame(k)
    return np.asarray((frame(high) - frame(low)) / (times[high] - times[low]))
