"""The frames of one body, and what is measured of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.errors import SMALLEST, check_positive, is_finite, is_whole, shown
from pliant.given import one_each
from pliant.mesh import Mesh, Skin
from pliant.problem import STILL

from . import measure as measuring
from .frames import Frames
from .measure import Measure
from .places import RANGES, Place, places_of
from .targets import Targets
from .topology import Topology, flowing_cells
from .wishes import reached

#: The first four are in all takes.
ENERGY_NAMES = (
    *("kinetic", "elastic", "external", "total"),
    *("contact", "obstacle_work", "hop_work"),
)
ENERGIES = np.dtype([(k, float) for k in ENERGY_NAMES])
SOLVER = np.dtype(
    [
        ("time", float),
        ("iterations", int),
        ("linear_iterations", int),
        ("residual", float),
        ("reason", "U32"),
    ]
)


class WholeArray:
    """Frames as an ordinary array; frames on disk are read when they are first asked for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, track: Track | None, owner: type | None = None) -> np.ndarray:
        if track is None:
            raise AttributeError("a track has no default frames")  # or dataclasses take it for one
        whole = np.asarray(getattr(track, self._name))
        setattr(track, self._name, whole)
        return whole

    def __set__(self, track: Track, frames: Frames) -> None:
        setattr(track, self._name, frames)


@dataclass(repr=False, kw_only=True)
class Track:
    """The frames of one body.

    positions, velocities: (frames, n, d). Those of a take on disk are read when they are asked for;
    `position_frames` and `velocity_frames` read one frame at a time. solver: one record per step with
    time, iterations, linear_iterations, residual [N] and reason. rests: the equilibrium that the damping
    aimed for in each frame, if it has one; `rest` is the last of them. masses [kg] and pins are those
    of the run, `asked` is the last wish: rest_in [s], bounces, within, swing=False if it was to
    rest as well, and tied=True if its ties hold it, so that all of its motion counts; of what has
    landed also the hops that it made, and promised=False if it touched a body without `Settle`; of a
    key `since`, its time [s]. `body` is None if the take was read. times [s], (frames,), grow from
    frame to frame.
    changed [s], (frames,): when pins, loads or matter had changed last; None in old takes.
    plastic, (frames, cells): the equivalent plastic strain of cells that can flow, or of other terms;
    None for bodies that do not flow. If a cut changes the mesh, `mesh` and all that is of its points
    or cells are those of the end, in all frames: what is cut later is sewn until then. `topologies` has
    every mesh with its own frames.
    """

    name: str
    mesh: Mesh
    times: np.ndarray
    positions: WholeArray = WholeArray()
    velocities: WholeArray = WholeArray()
    count_energies: Callable[[], np.ndarray] | None  # when asked for; None: they were not recorded
    solver: np.ndarray
    rests: Sequence[np.ndarray] | None
    masses: np.ndarray
    pinned: np.ndarray
    components: np.ndarray  # label of the connected part each point is in at the end, (n,)
    asked: dict[str, Any]
    skin: Skin  # what is drawn and exported
    body: Deformable | None = None
    changed: np.ndarray | None = None
    plastic: np.ndarray | None = None
    several: Sequence[Topology] = ()  # if its mesh changes
    _positions: Frames = field(init=False, compare=False)
    _velocities: Frames = field(init=False, compare=False)

    def __post_init__(self) -> None:
        require_growing(self.times, self.name)
        self.asked = reached(self.asked, float(self.times[-1]))

    def __repr__(self) -> str:
        return f"<Track {self.name!r}: {len(self.times)} frames of {len(self.mesh)} points>"

    @property
    def position_frames(self) -> Frames:
        """Positions [m] frame by frame, each (n, d); those on disk are read one at a time."""
        return self._positions

    @property
    def velocity_frames(self) -> Frames:
        """Velocities [m/s] frame by frame, each (n, d); those on disk are read one at a time."""
        return self._velocities

    @property
    def topologies(self) -> Sequence[Topology]:
        """Every mesh that the body had in its frames, with these: several if it was cut."""
        if self.several:
            return self.several
        return (
            Topology(
                first=0,
                mesh=self.mesh,
                skin=self.skin,
                masses=self.masses,
                pinned=self.pinned,
                components=self.components,
                positions=self.position_frames,
                velocities=self.velocity_frames,
                rests=self.rests,
                plastic=self.plastic,
            ),
        )

    def load(self) -> None:
        """Read into memory what is still on disk."""
        self.several = tuple(each.loaded() for each in self.several)
        _ = self.positions, self.velocities
        self.rests = None if self.rests is None else list(self.rests)

    @cached_property
    def energies(self) -> np.ndarray:
        """One record per frame with kinetic, elastic, external, contact and total [J].

        contact: of the barrier that keeps it off others, of which it has half. obstacle_work: what
        obstacles that move have done on it so far; hop_work: what its hops have. No part of the total.
        """
        if self.count_energies is None:
            raise ValueError(
                f"the energies of {self.name!r} were not recorded, because nothing that was to be "
                "written shows them; run the scene again to a .zarr or .npz file"
            )
        return self.count_energies()

    @property
    def rest(self) -> np.ndarray | None:
        """The shape that the damping aimed for at the end, (n, d)."""
        return None if self.rests is None else self.rests[-1]

    @property
    def size(self) -> float:
        """The diagonal of the box around the mesh [m]."""
        return self.mesh.size

    @property
    def align(self) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """Moves one shape rigidly, as far as the pins allow, next to another."""
        return self._targets.parts.align

    def rest_beside(self, frame: int) -> np.ndarray:
        """The rest shape of a frame, moved rigidly next to the body as far as the pins allow, (n, d)."""
        if self.rests is None:
            raise ValueError(f"rest_beside: {self.name!r} has no rest shape; expected pl.Settle")
        align = self._targets.parts_of(frame).align
        return np.asarray(align(self.rests[frame], self.position_frames[frame]))

    @property
    def since(self) -> float:
        """When the clock started [s]: the last change of pins, loads or matter, or the first frame.

        Changes after which the rest shape goes no farther than `within` of the largest distance, as
        under a load that creeps, leave the clock alone.
        """
        return self._targets.since

    @property
    def lands(self) -> bool:
        """Whether the body flew and has touched something: its clock started then."""
        return self._targets.lands

    @property
    def changing(self) -> bool:
        """Whether pins, loads or matter change until the end, so that no time to rest is promised."""
        return self._targets.changing

    @property
    def begin(self) -> int:
        """The frame in which the clock started."""
        return self._targets.begin

    @property
    def labels(self) -> np.ndarray:
        """The part that each point is in, numbered from 0, (n,)."""
        return self._targets.labels

    @cached_property
    def _targets(self) -> Targets:
        return Targets(self)

    @property
    def flowing_cells(self) -> dict[str, np.ndarray]:
        """The cells that `plastic` is of, by kind; none if nothing flows, or if it is of no cells."""
        if self.plastic is None:
            return {}
        return flowing_cells(self.mesh, self.plastic.shape[1])

    @property
    def flowed(self) -> bool:
        """Whether cells have flowed in the take."""
        return bool(self.flowing_cells) and self.plastic is not None and bool(self.plastic.any())

    def plastic_shares(self, frame: int) -> np.ndarray:
        """The plastic strain about each point, as a share of the largest in the take, (n,)."""
        cells = self.flowing_cells
        if self.plastic is None or not self.flowed:
            return np.zeros(len(self.mesh))
        total, count = np.zeros(len(self.mesh)), np.zeros(len(self.mesh))
        values = np.split(self.plastic[frame], np.cumsum([len(c) for c in cells.values()])[:-1])
        for nodes, value in zip(cells.values(), values, strict=True):
            np.add.at(total, nodes, value[:, None])
            np.add.at(count, nodes, 1.0)
        return np.asarray(total / np.maximum(count, 1.0) / self.plastic.max())

    def displacements(self, rest: np.ndarray | None = None) -> np.ndarray:
        """Frames relative to the rest shape in the body's own axes, (frames, n, d).

        Rigid motion is removed, and a body that turns is turned back to where it rested first. The
        rest shape is the last one; that of each frame before the clock started, for what swings on
        a hinge, and while pins or loads go on changing.
        """
        return np.stack(list(self.displacement_frames(rest)))

    def displacement_frames(self, rest: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """The displacements of all frames one by one, each (n, d): one frame is in memory at a time."""
        if rest is not None:
            rest = one_each(rest, self.mesh.points.shape, what="rest")
        for frame in range(len(self.times)):
            yield self._targets.displacement(frame, rest)

    def displacement(self, frame: int, rest: np.ndarray | None = None) -> np.ndarray:
        """The displacements of one frame, (n, d): see `displacements`."""
        if not (is_whole(frame) and 0 <= frame < len(self.times)):
            last = len(self.times) - 1
            raise ValueError(
                f"displacement: got frame={shown(frame)}; expected a whole number from 0 to {last}"
            )
        if rest is not None:
            rest = one_each(rest, self.mesh.points.shape, what="rest")
        return self._targets.displacement(int(frame), rest)

    def distance(self, rest: np.ndarray | None = None, *, measure: Measure = "rms") -> np.ndarray:
        """Distance of the whole body to rest in every frame [m], (frames,).

        Root mean square by mass; with measure="farthest" that of the farthest point.
        """
        measuring.check_measure(measure)
        whole = np.zeros(len(self.mesh), dtype=int)
        rows = [
            measuring.distances(u, self.masses, whole, measure)[0]
            for u in self.displacement_frames(rest)
        ]
        return np.array(rows)

    def distances(self, rest: np.ndarray | None = None, *, measure: Measure = "rms") -> np.ndarray:
        """Distance of each connected part to rest in every frame [m], (frames, parts)."""
        measuring.check_measure(measure)
        labels = self.labels
        frames = self.displacement_frames(rest)
        return np.stack([measuring.distances(u, self.masses, labels, measure) for u in frames])

    def amplitude(self, rest: np.ndarray | None = None) -> np.ndarray:
        """The share of the start shape in every frame, 1 at the start, (frames,)."""
        products = []
        start: np.ndarray | None = None
        for u in self.displacement_frames(rest):
            start = self.masses[:, None] * u if start is None else start
            products.append(np.vdot(u, start))
        if not products[0]:
            raise ValueError(
                "amplitude: the take starts at rest, and has no start shape; expected a motion: "
                "body.place(...) before the run"
            )
        return np.asarray(np.array(products) / products[0])

    def rest_time(
        self,
        within: float | None = None,
        rest: np.ndarray | None = None,
        *,
        measure: Measure = "rms",
    ) -> float:
        """When the body came to rest, all its parts [s since the clock started]; inf if it did not.

        At rest: the distance to the rest shape, rms by mass and without rigid motion that nothing
        holds, stays below `within` of its largest value since the last change of pins, loads or
        positions; with bounces its fitted envelope does. measure="farthest" takes the farthest point
        in place of the rms.
        """
        return float(self.rest_times(within, rest, measure=measure).max())

    def rest_times(
        self,
        within: float | None = None,
        rest: np.ndarray | None = None,
        *,
        measure: Measure = "rms",
    ) -> np.ndarray:
        """When each connected part came to rest [s], (parts,); 0 for one that rested all the time."""
        share = within if within is not None else self.asked.get("within", 0.01)
        if not (is_finite(share) and SMALLEST <= share < 1.0):
            raise ValueError(
                f"rest_time: got within={shown(share)}; expected a share between 0 and 1, e.g. 0.01"
            )
        found = self.distances(rest, measure=measure)
        return measuring.rest_times_of(self, found, float(share))

    def places(self, ranges: int = RANGES) -> list[Place]:
        """How places came to rest, each by its own deformation, the first to rest first.

        Of a body with a wish for each point, `pl.Settle(rest_in=array)`; of others there are none. A
        place is what is connected of the points in one of so many ranges of their wishes.
        """
        return places_of(self, ranges)

    def ring(self, *, period: float | None = None) -> measuring.Ring:
        """The damped oscillation that fits the distance to rest; of several parts that of the last.

        `period` [s] starts the search; by default the one that was asked for. Its `rest_time` is when
        the envelope reaches a share of the largest distance, which is what `Settle` promises with
        bounces.
        """
        expected = period
        if expected is None:
            if not self.asked.get("bounces"):
                raise ValueError("ring: no bounces were asked for; expected ring(period=...)")
            expected = self.asked["rest_in"] / self.asked["bounces"]
        check_positive("ring", "period", expected, "s")
        expected = float(expected)
        within, begin = self.asked.get("within", 0.01), self.begin
        d = self.distances()[begin:]
        moved = np.flatnonzero(d.max(axis=0) > STILL * self.size)
        if len(d) < 4 or not len(moved):
            raise ValueError(
                "ring: the take has fewer than 4 frames or is at rest, so that nothing bounces; "
                "expected a motion: body.place(...) before the run"
            )
        times, until = self.times[begin:], self.asked.get("rest_in", np.inf)
        rings = [
            measuring.ring_of(times, d[:, part], expected, until=until, within=within)
            for part in moved
        ]
        return max(rings, key=lambda ring: ring.rest_time(within))


def require_growing(times: np.ndarray, name: str) -> None:
    """Refuse frames that are not in the order of their times: no format can play them."""
    times = np.asarray(times, dtype=float)
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise ValueError(
            f"take of {name}: got times of shape {times.shape} that are not all numbers; expected the "
            "time of each frame [s], e.g. np.arange(frames) * dt; run the scene again"
        )
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if len(back):
        k = int(back[0])
        raise ValueError(
            f"take of {name}: frame {k + 1} at {times[k + 1]:.6g} s comes after frame {k} at "
            f"{times[k]:.6g} s; expected times that grow; record or run the scene again"
        )
