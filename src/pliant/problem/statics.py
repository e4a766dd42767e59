"""Equilibria of a body, whether they are stable, and its modes about them."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.backend import Spaces
from pliant.energies import SolidEnergy, contrast, softened
from pliant.errors import Advice, SolverError, UnstableError
from pliant.materials import StableNeoHookean
from pliant.solvers import (
    LIMIT,
    Complement,
    KeptPreconditioner,
    LinearSolver,
    Newton,
    Report,
    has_positive_pivots,
    is_stable,
    lowest_modes,
)

from .inertia import Inertia
from .parts import Parts
from .rigid import Part, rigid_motions

log = logging.getLogger("pliant")

#: Rounds in which a load that follows the surface and the shape may converge to each other; and rounds
#: without halving their difference after which they will not: a flag that flutters has no rest shape.
MOST_ROUNDS, STEPS_WITHOUT_PROGRESS = 300, 50
#: Up to this many unknowns the signs of pivots tell whether a body is stable, if nothing else can.
PIVOTED = 30_000
#: Of a body with cells that are so many times as stiff as others, a search that has not ended after a
#: few iterations begins anew, with stiff cells that are softened to these ratios one after the other.
STIFF, FEW, RATIOS = 1e3, 25, (1e2, 1e4, 1e6, 1e8)
#: How exactly equilibria of softened bodies are found, as `Newton.relative`.
ROUGHLY = 1e-3
#: Forces [N] as a function of positions.
Force = Callable[[Any], Any]


class Statics:
    """Statics of a body: equilibria, stability, modes. `System` inherits from it."""

    dim: int
    size: float
    masses: np.ndarray
    free: np.ndarray
    spaces: Spaces
    rigid: Parts
    parts: list[Part]
    has_free_part: bool  # whether a part of it is held by no pin
    damps_swing: bool  # whether a part on a hinge is to come to rest, and not to swing on
    infinite_when_inverted: (
        bool  # whether its material has no finite energy for cells that are inside out
    )
    solids: Sequence[SolidEnergy]
    unrestricted: Complement
    #: In float32, as on CUDA, rounding would look like instability to a stricter test.
    stable_rtol = 1e-6
    _newton = Newton()

    @property
    def rank(self) -> int:
        """The number of rigid motions that the pins leave."""
        return self.rigid.rank

    def locks(self, x: np.ndarray, load: np.ndarray) -> bool:
        """Whether statics must hold the rigid motions fixed. Refuses a load that nothing balances.

        The loads on a free part must balance. A part on a hinge may turn until it hangs.
        """
        scale = np.abs(load).sum()
        if scale == 0.0:
            return True
        hinged = False
        for part in self.parts:
            net = part.motions(x).T @ load.ravel()
            if part.translates:
                lengths = np.full(part.rank, 1.0)
                lengths[self.dim :] = self.size
                if (np.abs(net) > 1e-9 * scale * lengths).any():
                    raise UnstableError(
                        Advice(
                            "the body is not supported and a net load acts on it: it falls or spins, "
                            "and has no equilibrium. ",
                            "Hold it with body.fix(...), or remove gravity and loads",
                            'Hold it with fix = "x < 0.01", or remove gravity and loads',
                        )
                    )
            else:
                hinged = hinged or part.rank > 0
        return not hinged

    def equilibrium(self, x: Any, loads: Force, *, locked: bool = True) -> tuple[Any, Report]:
        """The equilibrium that quasi-static descent from x reaches.

        loads: the forces [N] as a function of positions; a pressure that turns with the surface, and
        what energies hold (`Lagged`), are iterated until they and the shape agree. Arrays of the device
        stay there. `locked` holds the rigid motions that the pins leave open, and with them balances
        any net load by uniform acceleration: the shape of a body in free flight.
        """
        total, v = Report(0, 0, 0.0, ""), self.spaces.of(x)
        load, step, last = loads(x), 1.0, None
        nearest, since = np.inf, 0
        for _ in range(MOST_ROUNDS):
            complement = self.complement(x) if locked else self.unrestricted
            found, report = self._balanced(x, load, complement)
            total.add(report)
            if not report.converged:
                bears = "" if not self.flows else "It may flow without end: it needs hardening. "
                raise SolverError(
                    Advice(
                        f"no equilibrium found: {report.reason} after {report.iterations} iterations, "
                        f"largest residual force {report.residual:.3g} N. {bears}"
                        "Check pins and loads, or start nearer to the answer with ",
                        "body.place(...)",
                        "start = { ... }",
                    )
                )
            before, x = x, found
            turned = loads(x)
            same = turned is load or v.apart(turned, load) == 0.0
            if same and not self.lags:
                return x, total
            apart = v.apart(x, before) / (1.0 if same else step)
            if apart <= self._newton.tolerance * self.size:
                return x, total
            nearest, since = (apart, 0) if apart < 0.5 * nearest else (nearest, since + 1)
            if since > STEPS_WITHOUT_PROGRESS:
                break
            # Aitken's relaxation: shorter steps where load and shape oscillate between two,
            # longer ones where they converge slowly. Of contacts, where they are held is relaxed.
            gap = v.moved(x, -1.0, before) if same else v.moved(turned, -1.0, load)
            if last is not None:
                change = v.moved(gap, -1.0, last)
                step = min(max(-step * v.dot(last, change) / v.dot(change, change), 0.05), 5.0)
            last = gap
            if same:
                x = v.moved(before, step, gap)
            else:
                load = v.moved(load, step, gap)
        raise SolverError(
            Advice(
                "no equilibrium found: the shape did not agree with a load that turns with the "
                "surface, or with what its parts touch. ",
                "Raise the load in stages, with body.place(...) at the answer of the last, or "
                "lower it",
                "Raise the load over time, with times = [...], or lower it",
            )
        )

    def _balanced(self, x: Any, load: Any, complement: Any) -> tuple[Any, Report]:
        """Where forces balance a load: Newton's search from x, by stages if cells are very stiff.

        A straight step stretches what it turns, so where strains must stay small the steps of a search
        are short. Softened cells turn in a few; what is left then is to straighten them.
        """

        def search(newton: Newton, y: Any) -> tuple[Any, Report]:
            return self.minimise(newton, self.objective(Inertia(0.0, y), load, complement), y)

        if self.contrast < STIFF:
            return search(self._newton, x)
        found, total = search(replace(self._newton, iterations=FEW), x)
        if total.reason != LIMIT:
            return found, total
        y = x
        for ratio in RATIOS:
            if ratio >= self.contrast:
                break
            with softened(self.solids, ratio):
                y, report = search(replace(self._newton, relative=ROUGHLY), y)
            total.add(report)
        found, report = search(self._newton, y)
        total.add(report)
        return found, total

    @cached_property
    def contrast(self) -> float:
        """How many times as stiff as its softest cells the stiffest are."""
        return contrast(self.solids)

    def require_stable(self, x: Any, *, locked: bool = True) -> None:
        """Refuse an equilibrium that the slightest push would leave."""
        complement = self.complement(x) if locked else self.unrestricted
        y = self.to_device(x)
        v, push = self.spaces.of(y), self.to_device(self._push, keep=True)
        stable = is_stable(
            self.objective(Inertia(0.0, y), v.zeros_like(y), complement),
            y,
            self.linear,
            rtol=self.stable_rtol,
            push=v.copy(push),
        )
        if not stable and not (complement.rank == 0 and self._stable_by_pivots(y)):
            turns = "or turn, " if self.damps_swing else ""
            raise UnstableError(
                Advice(
                    "the equilibrium is unstable: a small push would make the body buckle or fall, "
                    f"{turns}so it has no time to rest. ",
                    "Place the body off the symmetric position, support it with body.fix(...), or "
                    "make it stiffer",
                    "Start it off the symmetric position with start = { ... }, support it with "
                    "fix = ..., or make it stiffer",
                )
            )

    def _stable_by_pivots(self, y: Any) -> bool:
        """Whether a body of few unknowns is stable where conjugate gradients could not tell."""
        small = self.spaces.of(y).on_host and self.free.sum() * self.dim <= PIVOTED
        return small and has_positive_pivots(self.stiffness(np.asarray(y)))

    @property
    def survives_inversion(self) -> bool:
        """Whether the material rights cells that were turned inside out."""
        return all(isinstance(s.material, StableNeoHookean) for s in self.solids)

    def require_upright(self, x: np.ndarray) -> None:
        """Refuse an equilibrium with inverted cells if the material has spurious ones.

        StableNeoHookean inverts only cells that are too flat for their load: that gives a warning.
        """
        bad = self.inverted(x)
        if not len(bad):
            return
        if self.survives_inversion:
            log.warning(
                "the body rests with %d cells inside out (first %s): they are too flat for the "
                "load they carry; mesh.quality() names the worst",
                len(bad),
                bad[:10],
            )
            return
        raise SolverError(
            Advice(
                f"the body rests with {len(bad)} cells inside out (first {bad[:10]}), a false "
                f"equilibrium that {type(self.solids[0].material).__name__} allows. ",
                "Use pl.StableNeoHookean(...), or start with body.place(...) nearer to the rest shape",
                'Use model = "StableNeoHookean", or a start = { ... } nearer to the rest shape',
            )
        )

    def modes(self, x: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The lowest eigenvalues [1/s^2] and modes (count, n, d) of deformation at x."""
        self.require_stable(x)
        values, vectors = lowest_modes(
            self.stiffness(x),
            np.repeat(self.masses[self.free], self.dim),
            count=count,
            complement=self.complement(x).flat(self.free),
            linear=self.kept_factor(x),
        )
        modes = np.zeros((count, *x.shape))
        modes[:, self.free] = vectors.T.reshape(count, -1, self.dim)
        return values, modes

    def kept_factor(self, x: np.ndarray) -> KeptPreconditioner:
        """A preconditioner for matrices over the free points, to be made when it is needed."""
        free = x[self.free]
        return KeptPreconditioner(free, lambda: rigid_motions(free))

    @cached_property
    def _push(self) -> np.ndarray:
        """An arbitrary load, always the same array, so that it can stay on the device."""
        return np.random.default_rng(0).standard_normal((len(self.masses), self.dim))

    @property
    @abstractmethod
    def flows(self) -> bool:
        """Whether matter of it flows beyond yield."""

    @property
    @abstractmethod
    def lags(self) -> bool:
        """Whether an energy holds something during a minimisation."""

    @property
    @abstractmethod
    def linear(self) -> LinearSolver:
        """The solver of Newton's systems."""

    @abstractmethod
    def complement(self, x: Any) -> Any:
        """The deformations at x."""

    @abstractmethod
    def stiffness(self, x: np.ndarray, project: bool = False) -> Any:
        """The Hessian of the energies over the free points."""

    @abstractmethod
    def objective(self, inertia: Inertia, load: Any, complement: Any) -> Any:
        """What is minimised."""

    @abstractmethod
    def minimise(self, newton: Newton, objective: Any, x: Any) -> tuple[Any, Report]:
        """Newton's search from x."""

    @abstractmethod
    def to_device(self, x: Any, *, keep: bool = False) -> Any:
        """Positions as the objective takes them."""

    @abstractmethod
    def inverted(self, x: Any) -> np.ndarray:
        """The cells that are inside out at x."""
