"""Inertia in strain space: all deformation bounces in unison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import warp as wp

from pliant.energies import bounce_target, mixed_strain, strain_norm, strain_of_stress
from pliant.problem import Inertia, Quadratic, StepContext

from .deflection_penalty import DeflectionPenalty
from .laws import Laws
from .past import predicted, resampled
from .relaxed_start import relaxed_start
from .strain_energies import strain_energies, strains_at, strains_before, strains_seen
from .unison import Unison
from .unison_shapes import Snaps, shapes_home

#: A stress at rest that answers to less strain than this is rounding, or tolerance of solvers.
UNLOADED = 1e-7


@dataclass(frozen=True)
class StrainInertia:
    """Replaces the mass of deformation by the body's own stiffness.

    With mass as inertia every mode has its own frequency, and overtones ring on. With the stiffness
    at rest as inertia every mode has the eigenvalue 1, so one law fits all of them and no
    eigenvalue is needed. Written in displacements that fails for large rotations; written in strain
    s it follows them:

        (1/W) [ sum_cells H(s - s_hat + s_load) - p . x + 1/2 |x - x_hat|^2_Kg ]
        s_hat = (1 + kappa) s_n - kappa s_(n-1) + W s_beyond,   x_hat = x + kappa dt drift

    H is Hooke's energy of the Biot strain (of the small strain for Linear), and the `strain_inertia`
    of every other energy that is `Strained`: forms, conditions, springs. s_beyond is what the stress
    of a solid's material has beyond Hooke's law, at the strain predicted for the end of the step: it
    keeps any material in time. s_load has the stress at rest, so that the stiffness which loads
    bring to a solid counts as inertia too, and turns with it; p is the force of that stress at x_hat.
    Kg is what the Hessian at rest has beyond H from energies that are no solids. Bodies that are no
    solids may be thin, and have a `DeflectionPenalty` as well.
    Forces stay physical, so the shape at rest is untouched. Derivation: `docs/theory.md`.

    The strains of the last two steps and at rest, one array per energy; the rest shape; Kg as blocks, or
    None; s_load of every solid, or none; the time step that the strains are apart [s], None
    before the first step; the rest shape of the last step but one, if the body turns; how often the
    body had flowed when they were measured: strains are those of the elastic part. unison: of a solid
    that bounces and turns far. snaps: it jumps on its way home, and is held as thin bodies are.
    relaxed [m]: how far the start was relaxed, in the norm of masses.
    """

    now: Sequence[Any]
    before: Sequence[Any]
    rest: Sequence[Any]
    rest_at: Any
    beyond: Any
    loaded: Sequence[Any]
    dt: float | None
    penalty: DeflectionPenalty
    rest_past: Any = None
    flow: int = 0
    unison: Unison | None = None
    snaps: bool = False
    relaxed: float = 0.0

    @classmethod
    def at(cls, context: StepContext, laws: Laws, *, leads: bool = False) -> StrainInertia:
        """For a body that is let go in this step; leads: whether its distances are to follow the law."""
        rest = strains_at(context, context.rest)
        start = relaxed_start(context) if laws.slowest.theta else None
        begins = context if start is None else replace(context, x=start)
        now = strains_at(begins, begins.x)
        before = strains_before(begins, laws, now, rest)
        penalty = DeflectionPenalty()
        new = cls(now, before, rest, None, None, (), None, penalty, flow=context.flow)
        if start is not None:
            new = replace(new, relaxed=math.sqrt(context.squared(start, context.x)))
        new = new._at_rest(context, rest)
        # The rest shape of what spins or swings under a load moves on with every step.
        leads = leads and not (new.loaded and context.complement.rank)
        return new._in_unison(begins, laws) if leads else new

    def placed(self, context: StepContext) -> StrainInertia:
        """On the device that the body is on now."""
        device = context.mechanics.device
        unison = None if self.unison is None else self.unison.on(context)
        if all(a.device == device for a in self.now):
            return self if unison is self.unison else replace(self, unison=unison)
        new = self._at_rest(context, strains_at(context, context.rest))
        known = (
            self.now,
            self.before,
            self.rest,
        )  # at rest: in the last step, to be carried on from
        now, before, rest = ([_moved(a, device) for a in of] for of in known)
        return replace(new, now=now, before=before, rest=rest, unison=unison)

    def inertia(self, context: StepContext, laws: Laws) -> tuple[Inertia, StrainInertia]:
        """The inertia of this step, and what is known within it."""
        turns = context.complement.rank > 0 and self.beyond is not None
        swings = context.moving or turns
        new = self if context.flow == self.flow else self._measured(context)
        if swings:
            rest = strains_at(context, context.rest)
            if context.turning:
                new = new._carried(rest)
            new = new._at_rest(context, rest)
        ratio = new._ratio(context)
        if ratio is not None and ratio != 1.0:
            new = replace(new, before=new._before(context, laws, ratio))
        if new.unison is None or swings:
            return replace(new, unison=None)._inertia(context, laws, swings)
        new = replace(new, unison=new.unison.planned(laws.each, ratio))
        return new._inertia(context, laws, swings)

    def _ratio(self, context: StepContext) -> float | None:
        """How many times as long the last step was as this one; None if this is the first."""
        return None if self.dt is None else self.dt / context.dt

    def finished(self, context: StepContext, x_new: Any) -> StrainInertia:
        """After a step that ended at x_new."""
        now, past = strains_seen(context, x_new), context.rest_before
        unison = None if self.unison is None else self.unison.finished()
        new = {"before": self.now, "now": now, "dt": context.dt, "rest_past": past}
        return replace(self, **new, unison=unison, relaxed=0.0)

    @property
    def way(self) -> float:
        """How far the body may go in this step beside its law, in the norm of masses."""
        return self.relaxed + (0.0 if self.unison is None else self.unison.way)

    def turns(self, context: StepContext) -> bool:
        """Whether the rest shape turns with the body, in this step or in the last one."""
        return context.turning or self.rest_past is not None

    def plainer(self, context: StepContext, inertia: Inertia) -> Inertia:
        """The same without the stiffness of loads."""
        energies = strain_energies(context.mechanics)
        for energy, extra in zip(energies, self.loaded, strict=False):
            energy.aim(mixed_strain(1.0, energy.target, 1.0, extra))
        return replace(inertia, quadratics=(), push=None, extrapolation=0.0)

    def _in_unison(self, context: StepContext, laws: Laws) -> StrainInertia:
        """With the shapes through which the body goes home, or with the knowledge that it snaps."""
        energies = strain_energies(context.mechanics)

        def force(x: Any) -> Any:
            for energy in energies:
                energy.weigh(1.0)
            return self._push(context, x)

        loads = force if self.loaded else None
        try:
            return replace(self, unison=shapes_home(context, laws, self.now, self.rest, loads))
        except Snaps:
            return replace(self, snaps=True)

    def _at_rest(self, context: StepContext, strains: Sequence[Any]) -> StrainInertia:
        """With what is known of the rest shape, whose strains these are."""
        body = context.mechanics
        solids, other = body.solids, [e for e in body.assembly.energies if e not in body.solids]
        loaded = [strain_of_stress(*pair) for pair in zip(solids, strains, strict=False)]
        if all(strain_norm(extra) <= UNLOADED for extra in loaded):
            loaded = []
        energies, beyond = strain_energies(body)[len(solids) :], None
        if other:
            whole = body.largest_entry(body.blocks(context.rest, project=False))
            for energy, rest in zip(energies, strains[len(solids) :], strict=True):
                energy.weigh(-1.0)
                energy.aim(rest)
            beyond = body.blocks(context.rest, project=False, only=(*other, *energies))
            # Columns that fill the Hessian are left out: those of both kinds of energies are the same.
            # Without loads the two Hessians are the same matrix, up to rounding and solver tolerance.
            if body.largest_entry(beyond) <= 1e-6 * whole:
                beyond = None
        known = {"rest": strains, "rest_at": context.rest, "beyond": beyond, "loaded": loaded}
        return replace(self, **known)

    def _measured(self, context: StepContext) -> StrainInertia:
        """With the strains of the elastic part, which the body has kept after it has flowed."""
        now, before = strains_at(context, context.x_old), self.before
        if self.dt is not None:
            v = context.vectors
            before = strains_at(context, v.moved(context.x_old, -self.dt, context.velocity))
        new = replace(self, now=now, before=before, flow=context.flow)
        return new._at_rest(context, strains_at(context, context.rest))

    def _push(self, context: StepContext, anchor: Any) -> Any:
        """The force that the stress at rest has at the anchor, with the weights of the energies [N]."""
        body = context.mechanics
        pairs = zip(strain_energies(body), self.loaded, strict=False)
        return body.assembly.gradient_of([energy.stress_of(s) for energy, s in pairs], anchor)

    def _carried(self, rest: Sequence[Any]) -> StrainInertia:
        """With strains that have moved on with those at rest: the body departs from them as before."""
        changes = [mixed_strain(1.0, a, -1.0, b) for a, b in zip(rest, self.rest, strict=True)]
        now, before = (
            [mixed_strain(1.0, s, 1.0, c) for s, c in zip(strains, changes, strict=True)]
            for strains in (self.now, self.before)
        )
        return replace(self, now=now, before=before)

    def _beyond(self, context: StepContext, laws: Laws, W: float) -> Any:
        """What the Hessian at rest has beyond that of strain, with each part's share of 1/W."""
        if laws.alike or not context.vectors.on_host:
            return self.beyond
        shares = laws.of_points([W / law.W for law in laws.each])
        return context.mechanics.assembly.pattern.weighed(self.beyond, shares)

    def _turned(self, context: StepContext, k: float, anchor: Any) -> Any:
        """The anchor moved on as the rest shape moves, less what of that is in the drift already."""
        v = context.vectors
        was = context.rest_before if context.turning else context.rest
        moved = v.moved(v.moved(anchor, 1.0, context.rest), -1.0, was)
        if self.rest_past is None:
            return moved
        past = context.mechanics.align(v.asarray(self.rest_past), context.x)
        return v.moved(v.moved(moved, -k, was), k, past)

    def _before(self, context: StepContext, laws: Laws, k: float) -> list[Any]:
        """The strains one step ago, where the last step was k times as long as this one."""
        shares = [resampled(law, k) for law in laws.each]
        now, then = (laws.of_cells([share[i] for share in shares]) for i in (0, 1))
        rest = laws.of_cells([1.0 - sum(share) for share in shares])
        each = zip(now, then, rest, self.now, self.before, self.rest, strict=True)
        return [mixed_strain(1.0, mixed_strain(a, x, b, y), c, z) for a, b, c, x, y, z in each]

    def _inertia(
        self, context: StepContext, laws: Laws, swings: bool
    ) -> tuple[Inertia, StrainInertia]:
        law = laws.slowest
        k, W = law.kappa, law.W
        ratio = self._ratio(context)
        energies = strain_energies(context.mechanics)
        solids = context.mechanics.solids
        kappas = laws.of_cells([one.kappa for one in laws.each])
        Ws = laws.of_cells([one.W for one in laws.each])
        weights = laws.of_cells([1.0 / one.W for one in laws.each])
        on = laws.of_cells([1.0 + one.kappa for one in laws.each])
        back = laws.of_cells([-one.kappa for one in laws.each])
        anchor = laws.anchor(context, self.dt) if k else context.x
        if self.turns(context):
            anchor = self._turned(context, k, anchor)
        led = self.now if self.unison is None else self.unison.led(laws, self.now, ratio)
        for i, (energy, now, before) in enumerate(zip(energies, led, self.before, strict=True)):
            if i < len(solids):
                loaded = self.loaded[i] if self.loaded else None
                strains = now, before, self.rest[i], loaded, energy.look()
                bounce_target(solids[i], kappas[i], Ws[i], *strains)
            else:  # without a material its stress is that of Hooke
                energy.aim(mixed_strain(on[i], now, back[i], before))
            energy.weigh(weights[i])
        push = self._push(context, anchor) if self.loaded else None
        if self.unison is not None and self.loaded:
            push = self.unison.balanced(push, context, laws, ratio, partial(self._push, context))
        quadratics = []
        if self.beyond is not None:
            # Of what is no solid this is the whole stiffness, at an equilibrium that is stable.
            at_rest = Quadratic(
                self._beyond(context, laws, W),
                anchor,
                1.0 / W,
                definite=not energies,
                at=self.rest_at,
            )
            quadratics.append(at_rest)
        # What is carried has another shape next to it from step to step.
        steady = not swings and (self.dt is None or context.x is context.x_old)
        inertia = Inertia(
            0.0,
            anchor,
            energies,
            quadratics,
            push,
            extrapolation=0.0 if swings or (steady and self.dt is None) else 1.0,
            predicted=predicted(context, law, self.dt) if steady else None,
            stiffness=1.0 + 1.0 / W,
            matters=min(1.0, math.hypot(2.0 * law.decay, law.theta)) if k else 1.0,
        )
        if solids and not self.snaps:
            return inertia, self
        penalty, held = self.penalty.of(context, laws, inertia, swings or self.snaps, self.beyond)
        return held, replace(self, penalty=penalty)


def _moved(array: Any, device: Any) -> Any:
    return wp.array(array.numpy(), dtype=array.dtype, device=device)
