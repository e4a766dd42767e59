"""The energies of strain that a body has as inertia, and its strains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.energies import ShiftedStrain, SolidEnergy, Strained, biot, cauchy, mixed_strain
from pliant.problem import StepContext

from .laws import Laws
from .per_body import PerBody

#: Rates of strain are measured over this share of a step, on both sides.
SMALL = 0.1


def solid_strain(solid: SolidEnergy) -> ShiftedStrain:
    """Hooke's energy of the strain of a solid."""
    lam, mu = solid.material.constants(len(solid.stencils), solid.element.dim)
    measure = biot if solid.material.rotation_invariant else cauchy
    return ShiftedStrain(solid, measure, lam=lam, mu=mu)


def _of_all(body: Any) -> list[Any]:
    """Hooke's energies of the strains of solids, and the twins of other energies that have one."""
    others = [e.strain_inertia() for e in body.assembly.energies if isinstance(e, Strained)]
    return [*map(solid_strain, body.solids), *others]


#: The energies of the inertia of a body. They are aimed and weighed before every use.
strain_energies = PerBody(_of_all)


def strains_at(context: StepContext, x: Any) -> list[Any]:
    """The strains at x, one array per energy."""
    y = context.mechanics.assembly.array(x)
    return [energy.strains(y) for energy in strain_energies(context.mechanics)]


def strains_seen(context: StepContext, x: Any) -> list[Any]:
    """The strains at x, where the last gradient of a step was most likely computed."""
    body, energies = context.mechanics, strain_energies(context.mechanics)
    at, also = body.assembly.last
    if at is not x or also is not energies:
        return strains_at(context, x)
    solids, y = len(body.solids), body.assembly.array(x)
    return [e.seen() if i < solids else e.strains(y) for i, e in enumerate(energies)]


def strains_before(
    context: StepContext, laws: Laws, now: Sequence[Any], rest: Sequence[Any]
) -> list[Any]:
    """The strains one step before a body is let go, if it had followed the law before."""
    pairs = [law.before() for law in laws.each]
    keep = laws.of_cells([pair[0] for pair in pairs])
    lose = laws.of_cells([1.0 - pair[0] for pair in pairs])
    rates = laws.of_cells([0.5 * pair[1] / SMALL for pair in pairs])
    back = laws.of_cells([-0.5 * pair[1] / SMALL for pair in pairs])
    ahead, behind = (strains_at(context, context.extrapolated(h)) for h in (SMALL, -SMALL))
    out = []
    for i, (x, y, on, off) in enumerate(zip(now, rest, ahead, behind, strict=True)):
        moved = mixed_strain(rates[i], on, back[i], off)
        out.append(mixed_strain(1.0, mixed_strain(keep[i], x, lose[i], y), 1.0, moved))
    return out
