"""A body of springs between points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import Flag, Numbers, Quantity, accept, accept_each
from pliant.energies import PlasticSprings, SpringEnergy, TermFlow, accept_pairs, braced, chosen
from pliant.errors import Advice, is_finite, shown
from pliant.given import is_due, over_time
from pliant.mesh import Mesh, connected
from pliant.problem import Flow, History

from ..body_kind import LINEAR_CELLS
from ..deformable import Deformable
from ..matter import Mass, YieldStrain

Pairs = Annotated[
    Any,
    Numbers(
        "the two points of each spring, by their numbers in the mesh from 0; its edges if left out. "
        "Such a body stays as it is where meshes are refined",
        each=Quantity(at_least=0, whole=True),
        counts=(2,),
        like="[[0, 1], [1, 2]]",
        rows=True,
        example=((0, 1), (1, 2)),
    ),
]


def _above_zero(about: str, unit: str, example: float) -> Quantity:
    return Quantity(about, unit, above=0.0, per="spring", example=example)


class Springs(Deformable):
    """Points held together by springs, on the edges of a mesh or between given pairs.

    stiffness [N/m] and rest length [m], one for all or one per spring; rest lengths are those of the
    mesh by default, and may be a function of time or (times, values): a muscle. mass [kg]: of each
    point, or one per point. stiffening: force k d (1 + stiffening (d/L)^2) at a change of length d.
    pulls_only: a string instead of a spring. yield_strain: springs that were strained by more stay
    longer or shorter, and flow on under forces that grow by a hundredth of their stiffness.

        springs = pl.Springs(pl.meshes.box((1, 1, 1), (4, 4, 4)), stiffness=500.0, mass=0.01)

    Springs resist stretching only. A square of four springs shears freely, and so do the edges of
    quads and hexes: join all points of a cell with pairs=pl.Springs.braced(mesh). So too for cells of
    second order, whose edges join corners and leave out their middles. A straight chain,
    and a net in space, bend freely: they rest on cue where something keeps them taut, such as
    gravity, or rest=0.95 * lengths between pins. What is slack has no rest shape, and `Settle`
    refuses it as unstable. Nor for accurate solids: what springs do depends on the edges that the
    mesh happens to have. Use `pl.Body` there. Source: [amayazordan].
    """

    word, cells, of_conditions = "springs", LINEAR_CELLS, True

    def __init__(
        self,
        mesh: Mesh,
        *,
        stiffness: Annotated[
            Any, _above_zero("force per change of length of each spring", "N/m", 500.0)
        ],
        rest: Annotated[
            Any, _above_zero("rest length of all springs; those of the mesh if left out", "m", 0.5)
        ] = None,
        pairs: Pairs = None,
        mass: Mass = 1.0,
        stiffening: Annotated[
            float,
            Quantity(
                "force k d (1 + stiffening (d/L)^2) at a change of length d", "-", at_least=0.0
            ),
        ] = 0.0,
        pulls_only: Annotated[bool, Flag("strings instead of springs")] = False,
        yield_strain: YieldStrain = None,
        damping: Damping | None = None,
        name: str = "springs",
    ):
        self._require_mesh(mesh)
        self._pairs = accept_pairs(mesh, pairs)
        _refuse_loose(mesh, self._pairs)
        shape = (len(self._pairs),)
        (self._stiffness,) = accept_each(self, len(self._pairs), stiffness=stiffness)
        ends = mesh.points[self._pairs]
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        self._muscle = callable(rest) or isinstance(rest, tuple)
        self._rest = over_time(lengths if rest is None else rest, shape, what="rest")
        (self._rest_now,) = accept_each(self, len(self._pairs), rest=self._rest(0.0))
        self._stiffening, self._pulls_only = accept(
            self, stiffening=stiffening, pulls_only=pulls_only
        )
        self._yield_strain: float | None
        (self._yield_strain,) = accept(self, yield_strain=yield_strain)
        if self._yield_strain is not None and self._stiffening:
            raise ValueError(
                f"Springs: got yield_strain={shown(yield_strain)} and stiffening={shown(stiffening)}; "
                "expected one of them: springs that flow are linear until they do"
            )
        (masses,) = accept_each(self, len(mesh), mass=mass)
        super().__init__(mesh, masses, damping=damping, name=name)

    @property
    def pairs(self) -> np.ndarray:
        """The two points of each spring that is whole, (springs, 2)."""
        return np.asarray(self._pairs[self._whole])

    @staticmethod
    def braced(mesh: Mesh) -> np.ndarray:
        """All pairs of points that share a cell of a mesh, edges and diagonals, (springs, 2)."""
        return braced(mesh)

    @property
    def components(self) -> np.ndarray:
        """Label of the part each point is in: springs connect."""
        return connected(self.pairs[:, 0], self.pairs[:, 1], len(self))

    def cut(self, which: Any, *, at: float | None = None) -> None:
        """Remove springs, now or at a time of the scene [s].

        which: a mask over `pairs`, or numbers there, as they are now.
        """
        gone = np.flatnonzero(self._whole)[chosen(which, int(self._whole.sum()))]
        if at is not None:
            if not is_finite(at):
                raise ValueError(
                    f"cut: got at={shown(at)}; expected a time of the scene [s], or None"
                )
            later = (*self._bonds.later, (float(at), gone))
            self._state = replace(self._state, history=replace(self._bonds, later=later))
        else:
            self._take(self._bonds.without(gone))

    def apply_events(self, time: float) -> None:
        """Cut what was to be cut by now."""
        super().apply_events(time)
        bonds = self._bonds.at(time)
        if bonds is not self._bonds:
            self._take(bonds)

    def _take(self, bonds: Bonds) -> None:
        self._state, self._system = replace(self._state, history=bonds), None
        self._changed()

    def _begin_history(self, before: History | None) -> Bonds:
        """What was cut stays cut."""
        if isinstance(before, Bonds):
            return replace(before, flow=None)
        return Bonds(np.ones(len(self._pairs), bool))

    @property
    def _bonds(self) -> Bonds:
        history = self._state.history
        assert isinstance(history, Bonds)  # `reset` sees to it
        return history

    @property
    def _whole(self) -> np.ndarray:
        """Mask of the springs that are whole."""
        return self._bonds.whole

    def lengths(self) -> np.ndarray:
        """The present lengths of the springs [m], (springs,)."""
        ends = self.positions[self.pairs]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))

    def prepare(self, time: float) -> np.ndarray | None:
        """Take the rest lengths of a time, and return them if they change."""
        super().prepare(time)
        if not self._muscle:
            return None
        rest = np.broadcast_to(self._rest(time), self._rest_now.shape)
        if not np.array_equal(rest, self._rest_now):
            (self._rest_now,) = accept_each(self, len(rest), rest=rest)
        if self._system is not None:
            energy = self._system[1].assembly.energies[0]
            assert isinstance(energy, SpringEnergy)
            energy.set_rest(self._rest_now[self._whole])
        return self._rest_now

    @property
    def time_dependent(self) -> bool:
        """Whether it is a muscle."""
        return self._muscle

    def energies(self, *, device: str) -> Sequence[SpringEnergy]:
        """The springs that are whole."""
        whole = self._whole
        given: dict[str, Any] = {
            "stiffness": self._stiffness[whole],
            "rest": self._rest_now[whole],
            "pulls_only": self._pulls_only,
            "device": device,
        }
        where = (self.mesh.points, self._pairs[whole])
        if self._yield_strain is None:
            return [SpringEnergy(*where, stiffening=self._stiffening, **given)]
        return [PlasticSprings(*where, yield_strain=self._yield_strain, **given)]

    @property
    def flowing_terms(self) -> int:
        """The number of springs, with those that were cut, if they flow."""
        return 0 if self._yield_strain is None else len(self._pairs)

    @property
    def plastic(self) -> np.ndarray:
        """The plastic strain of each spring, (springs,), with those that were cut; without flow none."""
        found = np.zeros(self.flowing_terms)
        if self._bonds.flow is not None:
            found[self._whole] = self._bonds.flow.each[0].plastic
        return found

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        low, high = float(self._stiffness.min()), float(self._stiffness.max())
        return {
            "springs": int(self._whole.sum()),
            "stiffness": [low, high],
            "stiffening": self._stiffening,
            "pulls_only": self._pulls_only,
            **({} if self._yield_strain is None else {"yield_strain": self._yield_strain}),
        }


@dataclass(frozen=True, eq=False)
class Bonds(History):
    """Which springs are whole, (springs,), and which will be cut when: pairs of time [s] and numbers.

    flow: what has flowed in those that are whole.
    """

    whole: np.ndarray
    later: tuple[tuple[float, np.ndarray], ...] = ()
    flow: Flow | None = None

    def with_flow(self, flow: Flow) -> Bonds:
        """After another flow."""
        return replace(self, flow=flow)

    def without(self, gone: np.ndarray) -> Bonds:
        """After a cut."""
        left = self.whole.copy()
        left[gone] = False
        if not left.any():
            raise ValueError("cut: no spring would be left; expected some of them")
        flow = self.flow
        if flow is not None:
            (own,) = flow.each
            assert isinstance(own, TermFlow)  # `PlasticSprings` sees to it
            flow = replace(flow, each=(own.only(left[self.whole]),))
        return replace(self, whole=left, flow=flow)

    def at(self, time: float) -> Bonds:
        """After what was to be cut by a time."""
        now = [gone for at, gone in self.later if is_due(at, time)]
        if not now:
            return self
        later = tuple(cut for cut in self.later if not is_due(cut[0], time))
        return replace(self.without(np.concatenate(now)), later=later)


def _refuse_loose(mesh: Mesh, pairs: np.ndarray) -> None:
    """Points without a spring would fly off by themselves, as after a cut, but unasked."""
    loose = np.setdiff1d(np.arange(len(mesh)), pairs)
    if len(loose):
        raise ValueError(
            Advice(
                f"Springs: no spring joins points {loose[:10].tolist()} ({len(loose)} in all); "
                "expected one or more at every point. All points of a cell, middles too, are joined by ",
                "pairs=pl.Springs.braced(mesh)",
                "braced = true",
            )
        )
