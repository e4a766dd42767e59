"""Where bodies may begin."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.energies import ObstacleEnergy, push_of, size_of
from pliant.errors import Advice, warn_user
from pliant.problem import BodyProblem, System

#: A start within the margin of an obstacle gives no warning if it is so by less than this share of the
#: margin, or if other forces balance more than this share of the push, as for a body that rests on it.
SLIGHT, BALANCED = 0.1, 0.5
#: What is deeper in an obstacle than this share of the size of a body does not only touch it.
INSIDE = 1e-7


def check_start(body: Deformable, system: System, obstacles: Sequence[Obstacle]) -> None:
    """Refuse a start inside of an obstacle, or in which energies are not finite."""
    x = np.asarray(body.state.x)
    for obstacle in obstacles:
        if obstacle.needs_contact or obstacle.moves:
            continue  # it may be around a body, or elsewhere by now
        inside = np.flatnonzero((obstacle.nearest(x)[0] < -INSIDE * system.size) & system.free)
        if len(inside):
            raise ValueError(
                Advice(
                    f"{body.name}: {len(inside)} points are inside {obstacle!r} (first {inside[:10]}); "
                    "expected a start outside of it: ",
                    "body.place(...)",
                    "start = { ... }",
                )
            )
    if body.in_modes or math.isfinite(system.assembly.value(x)):
        return
    if all(s.material.finite_when_inverted for s in system.solids):
        raise ValueError(
            f"{body.name}: its energy is not a finite number where it starts; expected stiffnesses and "
            "lengths that floats can hold: see repr(body)"
        )
    y = system.assembly.array(x)
    worst = [np.flatnonzero(~np.isfinite(s.strain_energies(y)))[:10] for s in system.solids]
    raise ValueError(
        Advice(
            f"{body.name}: the start shape turns cells {worst} inside out, where "
            f"{type(system.solids[0].material).__name__} has no finite energy. Use ",
            "pl.StableNeoHookean(...), or place the body without inverted cells",
            'model = "StableNeoHookean", or another start = { ... }',
        )
    )


def inside_out(body: Deformable, system: System) -> bool:
    """Whether a body has cells inside out where it starts; of other models than solids, simplices."""
    if body.in_modes:
        return False  # it does not touch itself
    if len(system.inverted(body.state.x)):
        return True
    simplex = body.mesh.cells.get({2: "tri3", 3: "tet4"}[body.dim])
    if simplex is None or body.mesh.cell_dim < body.dim:
        return False
    sides = body.state.x[simplex[:, 1:]] - body.state.x[simplex[:, :1]]
    return bool((np.linalg.det(sides) < 0.0).any())


def warn_if_thrown(body: Deformable, problem: BodyProblem, load: np.ndarray) -> None:
    """Warn if a body begins so near to an obstacle that pushes points that it will be thrown off.

    load: the forces on its points at the start [N], (n, d).
    """
    x, size, system = body.state.x, size_of(body.mesh.points), problem.system
    own = [e for e in system.assembly.energies if not isinstance(e, ObstacleEnergy)]
    load = load - system.assembly.gradient_of(own, x)
    for obstacle in problem.obstacles:
        margin, omega2 = push_of(obstacle, size)
        away, normal = obstacle.nearest(x)
        near = system.free & (away < (1.0 - SLIGHT) * margin)
        if not near.any():
            continue
        push = (system.masses * omega2 * (margin - away))[near]
        left = push + np.einsum("ni,ni->n", load, normal)[near]
        if left.sum() < BALANCED * push.sum():
            continue
        least = float(away[near].min())
        warn_user(
            f"{body.name}: {int(near.sum())} points begin within the margin of {obstacle!r}, "
            f"{least:.3g} m from it where {margin:.3g} m is the margin, and are thrown off. Begin "
            "further away with body.place(...), or give a smaller margin, as in "
            f"pl.{type(obstacle).__name__}(..., margin={0.5 * least:.2g})",
        )
