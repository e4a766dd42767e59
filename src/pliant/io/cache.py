"""Motion that another program made, to go on from one of its frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import USD_SUFFIXES, usd_samples, usd_surface
from pliant.errors import check_positive, described, is_finite, shown
from pliant.given import floats_or_nan, path_of
from pliant.mesh import Mesh, Surface
from pliant.resources import require_file
from pliant.take import Take

from .cached_shapes import shaped
from .point_cache import MDD, PC2, read_point_cache

#: Points that move by less than this share of the size stand still: files have single precision.
STANDS = 1e-5


@dataclass(frozen=True, eq=False, repr=False)
class Cache:
    """Points of a mesh or of curves over time, as a point cache or a USD file has them.

    frames: the numbers that the file gives them, time codes in USD, from 0 in PC2 and MDD; times [s]
    since the first; positions [m], (frames, points, 3). surface: the faces between the points, if the
    file has them.

        cache = pl.Cache.read("shot.usd")
        cloth = pl.Shell(cache.mesh(), young=1e6, thickness=0.002)
        cloth.fix(cache.still())
        cloth.damping = pl.Settle(rest_in=1.0)
        cache.start(cloth, frame=40)
        take = pl.Scene(cloth).run(seconds=1.5, dt=1 / 24)
        cache.continued(take, frame=40).save("out.usdc")
    """

    frames: np.ndarray
    times: np.ndarray
    positions: np.ndarray
    surface: Surface | None
    name: str = "cache"

    def __post_init__(self) -> None:
        frames, times, x = map(floats_or_nan, (self.frames, self.times, self.positions))
        each = (*frames.ravel()[:1], *times.ravel()[:1], *x.ravel()[:1])
        whole = x.ndim == 3 and x.shape[2] == 3 and frames.shape == times.shape == x.shape[:1]
        if not (whole and len(each) == 3 and all(np.isfinite(a).all() for a in (frames, times, x))):
            raise ValueError(
                f"Cache: got frames {described(self.frames)}, times {described(self.times)} and "
                f"positions {described(self.positions)}; expected finite numbers, (f,), (f,) and "
                "(f, points, 3)"
            )
        if not (self.surface is None or isinstance(self.surface, Surface)) or not isinstance(
            self.name, str
        ):
            raise TypeError(f"Cache: got {described(self.surface)}; expected a pl.Surface, or None")
        for name, array in (("frames", frames), ("times", times), ("positions", x)):
            object.__setattr__(self, name, array)  # the class is frozen, and this is its making

    def __repr__(self) -> str:
        first, last = self.frames[[0, -1]]
        return (
            f"<Cache {self.name!r}: frames {first:g} to {last:g}, {self.positions.shape[1]} points>"
        )

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        fps: float | None = None,
        prim: str | None = None,
        surface: Surface | None = None,
    ) -> Cache:
        """Read .usd, .usda, .usdc, .usdz, .pc2 or .mdd.

        fps: frames a second of a .pc2, which does not have it; 24 if left out. prim: of a USD file, by
        default its only mesh. surface: the faces, of caches that have points only.
        """
        path = path_of("Cache.read", path)
        suffix = path.suffix.lower()
        require_file(path, "cache")
        check_positive("Cache.read", "fps", 24.0 if fps is None else fps, "1/s")
        if surface is not None and not isinstance(surface, Surface):
            raise TypeError(
                f"Cache.read: got {described(surface)}; expected surface=pl.Surface.read(...)"
            )
        if suffix in USD_SUFFIXES:
            frames, rate, x = usd_samples(path, prim)
            times = (frames - frames[0]) / rate
            faces = surface or _faces(path, prim)
        elif suffix in (PC2, MDD):
            times, x = read_point_cache(path, 24.0 if fps is None else float(fps))
            frames, faces = np.arange(float(len(x))), surface
        else:
            raise ValueError(
                f"Cache.read: got {path.name}; expected .usd, .usda, .usdc, .usdz, .pc2 or .mdd. "
                "Alembic cannot be read: export USD, or a point cache, instead"
            )
        if len(x) < 2 or not (np.diff(times) > 0.0).all():
            raise ValueError(
                f"{path}: got {len(x)} frames; expected two or more, one after another"
            )
        if not np.isfinite(x).all():
            raise ValueError(f"{path}: some positions are not finite")
        if faces is not None and len(faces.points) != x.shape[1]:
            raise ValueError(
                f"{path}: got {x.shape[1]} points, and a surface of {len(faces.points)}; expected the "
                "same points in the same order"
            )
        return cls(frames, times, x, faces, path.stem)

    def number(self, frame: Any) -> int:
        """Which of the frames has a number, from 0."""
        if is_finite(frame):
            near = int(np.argmin(np.abs(self.frames - frame)))
            if abs(self.frames[near] - frame) < 1e-6:
                return near
        first, last = self.frames[[0, -1]]
        raise ValueError(
            f"{self.name}: got frame={shown(frame)}; expected one that it has, {first:g} to {last:g}"
        )

    def faces(self, frame: float | None = None) -> Surface:
        """Its surface where it is in a frame, by default the first."""
        if self.surface is None:
            raise ValueError(
                f"{self.name}: the file has points only; expected its faces, as in "
                'pl.Cache.read("shot.pc2", surface=pl.Surface.read("shot.obj"))'
            )
        x = self.positions[0 if frame is None else self.number(frame)]
        own = self.surface
        return Surface(x, own.sizes, own.corners, own.uv)

    def mesh(self, frame: float | None = None) -> Mesh:
        """The triangles of its surface in a frame, by default the first, for a shell or cloth."""
        faces = self.faces(frame)
        return Mesh(faces.points, {"tri": faces.corners[faces.triangles]})

    def still(self, until: float | None = None) -> np.ndarray:
        """Mask of the points that stand still up to a frame, by default in all: what holds it."""
        last = len(self.frames) - 1 if until is None else self.number(until)
        x = self.positions[: last + 1]
        size = float(np.linalg.norm(np.ptp(self.positions[0], axis=0)))
        way = np.linalg.norm(x - x[:1], axis=2).max(axis=0)
        return np.asarray(way <= STANDS * size)

    def start(self, body: Deformable, *, frame: float) -> None:
        """Place a body where it is in a frame, as fast as it moves there.

        The points of the body, or of the surface that it shows, or its nodes, are those of the cache in
        their order. What is inside of a solid, and the directors of a rod, follow. Velocities are
        differences of this frame and the two before, which later frames do not change.
        """
        if not isinstance(body, Deformable):
            raise TypeError(
                f"start: got {type(body).__name__}; expected a body, e.g. pl.Shell(...)"
            )
        last = self.number(frame)
        first = max(0, last - 2)
        x = [shaped(body, self.positions[k]) for k in range(first, last + 1)]
        t = self.times[first : last + 1]
        body.place(x[-1])
        body.velocity = _speed(np.stack(x), t)

    def continued(self, take: Take, *, frame: float, body: Any = None) -> Take:
        """The frames before one, and then those of a take that has started from it.

        What the body of the take does not follow of the cache in that frame, as folds finer than the
        cells of a solid, fades out.
        """
        from .continued import continued

        return continued(self, take, self.number(frame), body)


def _faces(path: Path, prim: str | None) -> Surface | None:
    """The faces of a prim that is a mesh."""
    try:
        return usd_surface(path, prim)[0]
    except ValueError:  # curves
        return None


def _speed(x: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The velocity at the last of up to three times, by the parabola through them."""
    if len(t) == 1:
        return np.zeros_like(x[0])
    slope = (x[-1] - x[-2]) / (t[-1] - t[-2])
    if len(t) == 2:
        return np.asarray(slope)
    before = (x[-2] - x[-3]) / (t[-2] - t[-3])
    return np.asarray(slope + (slope - before) * (t[-1] - t[-2]) / (t[-1] - t[-3]))
