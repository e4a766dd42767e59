"""Inertia in strain space: all deformation bounces in unison."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import warp as wp

from pliant.energies.shifted import ShiftedStrain, mixed_strain
from pliant.energies.stiffening import bounce_target
from pliant.energies.strain_measures import biot, cauchy

from .hold import Hold
from .inertia import Inertia, Quadratic
from .law import Law
from .moment import Moment


class Unison:
    """Replaces the mass of deformation by the body's own stiffness.

    With mass as inertia every mode has its own frequency, and overtones ring on. With the stiffness
    at rest as inertia every mode has the eigenvalue 1, so one law fits all of them and no
    eigenvalue is needed. Written in displacements that fails for large rotations; written in strain
    s it follows them:

        (1/W) [ sum_cells H(s - s_hat) + 1/2 |x - x_hat|^2_Kg ]
        s_hat = (1 + kappa) s_n - kappa s_(n-1) + W s_beyond,   x_hat = x + kappa dt drift

    H is Hooke's energy of the Biot strain (of the small strain for Linear), and the `ghost` of every
    other energy of strain that has one: forms, conditions, springs. Kg is what the Hessian at rest
    has beyond H, the stiffness that loads bring; s_beyond is the strain that answers to the stress of
    a solid's material beyond its tangent, at the strain predicted for the end of the step, which
    keeps a stiffening material in time. Bodies that are no solids may be thin, and have a `Hold`
    as well.
    Forces stay physical, so the shape at rest is untouched. Derivation: `docs/theory.md`.

    Never changed from outside: `inertia` and `finished` give the one that comes next. They share
    ghosts, which are aimed before every use.
    """

    def __init__(self, moment: Moment, packed: dict[str, Any] | None = None):
        body = self._body = moment.mechanics
        self._ghosts: list[Any] = []
        self._hold = Hold(*(packed or {}).get("hold", ()))
        for solid in body.solids:
            lam, mu = solid.material.constants(len(solid.stencils), body.dim)
            measure = biot if solid.material.rotation_invariant else cauchy
            self._ghosts.append(ShiftedStrain(solid, measure, lam=lam, mu=mu))
        others: list[Any] = [e for e in body.assembly.energies if hasattr(e, "ghost")]
        self._ghosts += [energy.ghost() for energy in others]
        if packed is None:
            self._now = self._strains(moment, moment.x)
            self._before = self._strains(moment, moment.onward(-1.0))
            self._dt = moment.dt
        else:
            like = self._strains(moment, moment.x)
            self._now = [_lifted(packed[f"now{i}"], s) for i, s in enumerate(like)]
            self._before = [_lifted(packed[f"before{i}"], s) for i, s in enumerate(like)]
            self._dt = packed["dt"]
        self._settle_at(moment)

    def packed(self) -> dict[str, Any]:
        """The strains of the last two steps and the hold, for a file."""
        now = {f"now{i}": s.numpy() for i, s in enumerate(self._now)}
        before = {f"before{i}": s.numpy() for i, s in enumerate(self._before)}
        hold = np.array([self._hold.rate, self._hold.farthest, self._hold.turned])
        return now | before | {"dt": self._dt, "hold": hold}

    def suits(self, moment: Moment) -> bool:
        """Whether it was made for this body on this device."""
        return self._body is moment.mechanics

    def inertia(self, moment: Moment, law: Law) -> tuple[Unison, Inertia]:
        """The unison within this step, and its inertia."""
        new = copy(self)
        return new, new._inertia(moment, law)

    def finished(self, moment: Moment, x_new: Any) -> Unison:
        """The unison after a step."""
        new = copy(self)
        new._before, new._now = self._now, self._strains(moment, x_new)
        return new

    def _inertia(self, moment: Moment, law: Law) -> Inertia:
        turns = moment.complement.rank > 0 and self._beyond is not None
        swings = moment.moving or turns
        if swings:
            self._settle_at(moment)
        if moment.dt != self._dt:  # the run goes on with other steps: keep the rate of strain
            share = moment.dt / self._dt
            self._before = [
                mixed_strain(1.0 - share, now, share, before)
                for now, before in zip(self._now, self._before, strict=True)
            ]
            self._dt = moment.dt
        k, W = law.kappa, law.W
        solids = moment.mechanics.solids
        for i, (ghost, now, before) in enumerate(
            zip(self._ghosts, self._now, self._before, strict=True)
        ):
            if i < len(solids):
                ghost.aim(bounce_target(solids[i], k, W, now, before, self._rest[i]))
            else:  # without a material its stress is that of Hooke
                ghost.aim(mixed_strain(1.0 + k, now, -k, before))
            ghost.weigh(1.0 / W)
        anchor = moment.onward(k)
        quadratics = []
        if self._beyond is not None:
            # Of what is no solid this is the whole stiffness, at an equilibrium that is stable.
            whole = not self._ghosts
            at_rest = Quadratic(self._beyond, anchor, 1.0 / W, definite=whole, at=self._rest_at)
            quadratics.append(at_rest)
        stiffer = 1.0 + 1.0 / W
        if solids:
            return Inertia(0.0, anchor, self._ghosts, quadratics, stiffness=stiffer)
        self._hold, held, there = self._hold.of(moment, law, anchor, swings)
        onward = 0.0 if swings else 1.0
        return Inertia(held, there, self._ghosts, quadratics, onward=onward, stiffness=stiffer)

    def _strains(self, moment: Moment, x: Any) -> list[Any]:
        y = moment.mechanics.assembly.array(x)
        return [ghost.strains(y) for ghost in self._ghosts]

    def _settle_at(self, moment: Moment) -> None:
        """Measure the body at its equilibrium."""
        body = moment.mechanics
        self._rest_at, self._rest = moment.rest, self._strains(moment, moment.rest)
        whole = body.largest_entry(body.blocks(moment.rest, project=False))
        for ghost, rest in zip(self._ghosts, self._rest, strict=True):
            ghost.weigh(-1.0)
            ghost.aim(rest)
        beyond = body.blocks(moment.rest, project=False, also=self._ghosts)
        # Columns that fill the Hessian are left out: those of energies and ghosts are the same.
        # Without loads the two Hessians are the same matrix, up to rounding and solver tolerance.
        self._beyond = None if body.largest_entry(beyond) <= 1e-7 * whole else beyond


def _lifted(values: np.ndarray, like: wp.array) -> wp.array:
    return wp.array(values, dtype=like.dtype, device=like.device)
