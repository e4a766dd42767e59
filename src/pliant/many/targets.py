"""What a fit is to meet: positions of bodies at rest, or of bodies that move."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import check_positive, described, shown
from pliant.given import floats, floats_or_nan, path_of
from pliant.io import MDD, PC2, read_point_cache
from pliant.mesh import Mesh
from pliant.resources import require_file
from pliant.take import Take, Track

#: Numbers of points beyond this are mistakes.
MOST_POINTS = 1e12


@dataclass(frozen=True)
class PointTracks:
    """Where some points of a body were seen: `pl.PointTracks.read("points.csv")`.

    points: their numbers in the body's mesh, (k,). times [s], (frames,), since the run began; None for
    a body at rest. positions [m]: (frames, k, d), NaN where a point was not seen; at rest (k, d).
    """

    points: np.ndarray
    positions: np.ndarray
    times: np.ndarray | None = None

    def __post_init__(self) -> None:
        points, x = floats_or_nan(self.points), floats_or_nan(self.positions)
        if points.ndim != 1 or not len(points) or not (np.mod(points, 1.0) == 0.0).all():
            raise ValueError(
                f"PointTracks: got points {described(self.points)}; expected numbers of points"
            )
        if points.min() < 0.0 or points.max() > MOST_POINTS:
            raise ValueError(
                f"PointTracks: got points {described(self.points)}; expected numbers from 0"
            )
        times = None if self.times is None else floats_or_nan(self.times)
        if times is not None and (
            times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) <= 0.0).any()
        ):
            raise ValueError(
                f"PointTracks: got times {described(self.times)}; expected seconds that grow"
            )
        shape = (len(points),) if times is None else (len(times), len(points))
        if x.shape[:-1] != shape or x.shape[-1] not in (2, 3) or np.isinf(x).any():
            raise ValueError(
                f"PointTracks: got positions {described(self.positions)}; expected shape "
                f"{(*shape, 'd')} [m], NaN where a point was not seen"
            )
        object.__setattr__(self, "points", points.astype(np.int64))
        object.__setattr__(self, "positions", x)
        object.__setattr__(self, "times", times)

    @classmethod
    def read(cls, path: str | Path, *, fps: float | None = None) -> PointTracks:
        """Read tracks from a CSV file, or from a point cache of another program, .pc2 or .mdd.

        CSV: the columns point, x, y and, in space, z; of a motion time [s] or frame as well. fps: frames
        per second, of .pc2 files and of the column frame.
        """
        path = path_of("PointTracks.read", path)
        if fps is not None:
            check_positive("PointTracks.read", "fps", fps, "1/s")
        require_file(path, "point tracks")
        if fps is not None and path.suffix.lower() == MDD:
            raise ValueError(f"{path}: got fps={fps:g}; a .mdd file has times")
        if path.suffix.lower() in (PC2, MDD):
            times, x = read_point_cache(path, fps)
            return cls(np.arange(x.shape[1]), x, times)
        return cls(*_of_table(path, fps))


def _of_table(path: Path, fps: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Points, positions and times of a CSV file."""
    columns, table = _columns(path)
    clock = next((name for name in ("time", "frame") if name in columns), None)
    if clock == "frame" and fps is None:
        raise ValueError(
            f"{path}: it counts frames; expected fps, e.g. "
            f'pl.PointTracks.read("{path.name}", fps=24), or a column time'
        )
    if clock != "frame" and fps is not None:
        raise ValueError(
            f"{path}: got fps={fps:g}; it has times, or none; expected fps of a column frame"
        )
    axes = [axis for axis in "xyz" if axis in columns]
    try:
        point = np.array([int(row["point"]) for row in table])
        time = np.array([float(row[clock]) for row in table]) if clock else None
        x = np.array([[float(row[axis]) for axis in axes] for row in table])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}; expected numbers in every column") from None
    points, which = np.unique(point, return_inverse=True)
    if time is None:
        if len(points) < len(point):
            raise ValueError(
                f"{path}: a point is there twice; expected a column time, or each once"
            )
        return points, x[np.argsort(which)], None
    if clock == "frame" and fps is not None:
        time = (time - time.min()) / fps
    times, when = np.unique(time, return_inverse=True)
    seen = np.full((len(times), len(points), len(axes)), np.nan)
    seen[when, which] = x
    return points, seen, times


def _columns(path: Path) -> tuple[set[str], list[dict[str, Any]]]:
    """The names of columns, and the rows by them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    columns = {name.strip().lower() for name in (rows[0] if rows else {}) if name}
    if not {"point", "x", "y"} <= columns:
        raise ValueError(
            f"{path}: got the columns {sorted(columns)}; expected point, x, y, z, and time of a run"
        )
    return columns, [{k.strip().lower(): v for k, v in row.items() if k} for row in rows]


@dataclass(frozen=True)
class Target:
    """One body of one scene, and where points of it should be; times is None for a body at rest."""

    body: int
    points: np.ndarray
    positions: np.ndarray
    times: np.ndarray | None

    @property
    def size(self) -> float:
        """A length that everything is compared with [m]."""
        return float(np.linalg.norm(np.nanmax(self._flat, axis=0) - np.nanmin(self._flat, axis=0)))

    @property
    def _flat(self) -> np.ndarray:
        return self.positions.reshape(-1, self.positions.shape[-1])

    @property
    def seconds(self) -> float:
        """How long a run must be [s]; 0 for a body at rest."""
        return 0.0 if self.times is None else float(self.times[-1])

    def missed_at_rest(self, positions: Sequence[np.ndarray]) -> np.ndarray:
        """How far points are from where they should be [m], flat."""
        return self._seen(positions[self.body][self.points] - self.positions)

    def missed_in(self, take: Take) -> np.ndarray:
        """The same of all times, between frames by straight lines; where a run ended early it stays."""
        track, clock = take.tracks[self.body], take.times - take.times[0]
        assert self.times is not None
        after = np.clip(np.searchsorted(clock, self.times), 1, len(clock) - 1)
        share = np.clip(
            (self.times - clock[after - 1]) / (clock[after] - clock[after - 1]), 0.0, 1.0
        )
        x = track.positions[:, self.points]
        between = x[after - 1] + share[:, None, None] * (x[after] - x[after - 1])
        return self._seen(between - self.positions)

    def slopes_at_rest(self, slopes: np.ndarray) -> np.ndarray:
        """Derivatives of `missed_at_rest`, (flat, parameters), from those of positions."""
        return np.stack([self._seen(slope[self.points]) for slope in slopes], axis=1)

    def _seen(self, difference: np.ndarray) -> np.ndarray:
        return np.asarray(difference[np.isfinite(self.positions)])


def targets_of(given: Any, *, at_rest: bool = False) -> list[Target]:
    """What users give for one scene, for its only body or in the order of its bodies.

    A take or track is a motion, unless it has one frame or only its last is asked for (`at_rest`).
    """
    if isinstance(given, Take):
        return [_of_track(track, i, at_rest) for i, track in enumerate(given.tracks)]
    if isinstance(given, Track):
        return [_of_track(given, 0, at_rest)]
    if isinstance(given, PointTracks):
        return [Target(0, np.asarray(given.points), given.positions, given.times)]
    if isinstance(given, (str, Path)):
        return targets_of(read_target(given), at_rest=at_rest)
    x = given.points if isinstance(given, Mesh) else floats(given)
    if x.ndim != 2 or not len(x):
        raise ValueError(
            f"fit: got a target {shown(given)}; expected positions (n, d), a mesh, a take or PointTracks"
        )
    return [Target(0, np.arange(len(x)), x, None)]


def read_target(path: str | Path, *, fps: float | None = None) -> Any:
    """A take (.zarr, .npz), point tracks (.csv, .pc2, .mdd), or a mesh (any other file of points).

    fps: of tracks that count frames.
    """
    path = path_of("fit", path)
    suffix = path.suffix.lower()
    if suffix in (".csv", PC2, MDD):
        return PointTracks.read(path, fps=fps)
    if fps is not None:
        raise ValueError(f"{path}: got fps={fps:g}; expected it of .csv and .pc2 files only")
    if suffix in (".zarr", ".npz"):
        return Take.read(path)
    try:
        return Mesh.read(path)
    except ValueError as error:
        raise ValueError(
            f"{error}. Takes are .zarr and .npz, tracks .csv, {PC2} and {MDD}"
        ) from None


def _of_track(track: Track, body: int, at_rest: bool) -> Target:
    every = np.arange(len(track.mesh))
    if at_rest or len(track.times) == 1:
        return Target(body, every, np.array(track.position_frames[-1]), None)
    # The start is given, not found.
    return Target(body, every, track.positions[1:], track.times[1:] - track.times[0])
