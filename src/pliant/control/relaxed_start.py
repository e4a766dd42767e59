"""Starts that stiff parts of a body could not take by themselves: these are relaxed first."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from pliant.energies import ShiftedStrain, SolidEnergy, biot, cauchy
from pliant.problem import Inertia, StepContext
from pliant.solvers import Newton

from .per_body import PerBody

log = logging.getLogger("pliant")

#: From this ratio of the largest and the smallest modulus of a body on a start is looked at: what a
#: prescribed shape does to parts that are a thousand times as stiff as others still bounces on cue.
CONTRAST = 1e3
#: And from this ratio of the first Lame constant and the shear modulus on: Poisson's ratio 0.496.
PRESSED = 120.0
#: What is soft is held so many times more firmly than it resists.
FIRM = 30.0
#: And stays in place so many times more firmly than it is drawn home.
IN_PLACE = 3000.0
#: A start that would move by more than this share of its way home is taken as it is: all of it is stiff.
FAR = 0.1
#: A start that loses less than this share of its energy is taken as it is.
LOSS = 0.5


def relaxed_start(context: StepContext) -> Any:
    """The shape near the start in which stiff parts are as they would be; None if there are none.

        minimise   PE(x) - f . x + FIRM H_soft(s(x) - s_0) + IN_PLACE q/2 |x - x_0|_M^2

    x_0, s_0: the start and its strains. H_soft: Hooke's energy of the strain, with the smallest shear
    modulus of the body in all cells and as small a first constant; q: how stiff the way home would be
    with these. What is soft stays, what is stiff, or cannot be pressed, goes to its own rest within it.
    A shape that is told by numbers bends a bone as much as the flesh around it. The energy then is
    nearly all in the bone, and the body would bounce as that does.
    """
    body = context.mechanics
    energies = _holds(body)
    if not energies:
        return None
    y, at_rest = body.assembly.array(context.x), body.assembly.array(context.rest)
    for energy in energies:
        energy.weigh(1.0)
        energy.aim(energy.strains(at_rest))
    away, work, _ = context.vectors.rest_products(
        context.x, context.rest, body.assembly.gradient_of(energies, context.x)
    )
    for energy in energies:
        energy.weigh(FIRM)
        energy.aim(energy.strains(y))
    place = IN_PLACE * max(work, 0.0) / away
    inertia = Inertia(place, context.x, energies, stiffness=1.0 + FIRM)
    objective = body.objective(inertia, context.load, context.complement)
    x, report = body.minimise(Newton(relative=1e-4), objective, context.x)
    if not report.converged:
        return None
    rest = body.assembly.value(context.rest)
    before, after = (body.assembly.value(z) - rest for z in (context.x, x))
    if not after < (1.0 - LOSS) * before:
        return None
    way = context.squared(x, context.x)
    if way > FAR**2 * away:
        return None
    moved = math.sqrt(way / float(body.masses.sum()))
    log.warning(
        "t = %g s: the start strains stiff or incompressible parts, which hold %.0f %% of its energy; "
        "they are relaxed first, which moves points by %.2g m on average",
        context.time,
        100.0 * (1.0 - after / before),
        moved,
    )
    return x


def _soft(solid: SolidEnergy) -> tuple[float, float, float]:
    """The smallest shear modulus of a solid, the largest, and the largest ratio of its constants."""
    lam, mu = (np.abs(values.numpy()) for values in solid.moduli)
    return float(mu.min()), float(mu.max()), float((lam / mu).max())


def _make_holds(body: Any) -> list[ShiftedStrain]:
    """What holds the soft parts of a body; nothing if all of it is about equally stiff."""
    found = [_soft(solid) for solid in body.solids]
    if not found or min(row[0] for row in found) <= 0.0:
        return []
    least = min(row[0] for row in found)
    if max(row[1] for row in found) < CONTRAST * least and max(r[2] for r in found) < PRESSED:
        return []
    made = []
    for solid in body.solids:
        measure = biot if solid.material.rotation_invariant else cauchy
        count = len(solid.stencils)
        moduli = np.full(count, least)
        made.append(ShiftedStrain(solid, measure, lam=moduli, mu=moduli))
    return made


#: The energies that hold what is soft at the start.
_holds = PerBody(_make_holds)
