"""The explicit step of IMPACT: rods that are stressed, collide and turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.contact import RodCollisions
from pliant.control import Damping
from pliant.problem import BodyProblem, History, IslandHistory, IslandSystem, Loads, State, System
from pliant.solvers import Report

from .impact_turning import Turning
from .symplectic import SymplecticEuler


class Impact(SymplecticEuler):
    """The step of IMPACT's rod code: `pl.SymplecticEuler` for places, and nodes that turn.

        v <- v + dt (stress, collisions and loads)/m,   x <- x + dt v
        L <- L + dt torque,   and each node turns by Euler's equations   I dw/dt = torque - w x (I w)

    For `pl.ImpactRods`, whose nodes turn; other bodies of the scene step as with
    `pl.SymplecticEuler`. What rods of one body do to each other is up to their own collisions;
    obstacles and other bodies are met as with `pl.SymplecticEuler`. Rods take no bending and no
    torsion from nodes that turn, as in the source, so places and turns go their own ways. Momentum
    is kept to rounding, also in collisions, and angular momentum of every node without a torque to
    the last digit. Stable up to a dt of l/c for rods of elements of length l in which sound travels
    at c; collisions take some of that away, and `longest_dt` counts them. Source:
    [deformablesurvey] "IMPACT: An FEM Implementation".

        take = scene.run(seconds=1e-3, dt=0.5 * l / c, stepper=pl.Impact())
    """

    def longest_dt(self, system: System, damping: Damping | None = None) -> float:
        """The longest stable step [s] about the rest shape, with every node in one collision.

        As of all explicit steppers, and not longer than Gershgorin's circles allow with collisions:
        dt = 2 min_i sqrt(m_i / (sum_j |K_ij| + 2 k_i)), k_i the stiffest collision of node i.
        """
        longest = super().longest_dt(system, damping)
        hits = [e.stiffest() for e in system.assembly.energies if isinstance(e, RodCollisions)]
        if not hits:
            return longest
        K = system.assembly.blocks(system.undeformed, project=False)
        rows = np.bincount(
            system.assembly.pattern.rows, np.linalg.norm(K, ord=2, axis=(1, 2)), len(system.masses)
        )
        rows += 2.0 * np.max(hits, axis=0)
        fastest = np.sqrt((rows / system.masses)[system.free].max())
        return min(longest, 2.0 / float(fastest))

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        new, report = super().step(problem, state, loads, dt)
        if new.history is not None:
            turned = _turned(new.history, problem.system, loads.time - dt, dt)
            new = replace(new, history=turned)
        return new, report


def _turned(history: History, system: System, time: float, dt: float) -> History:
    """What happened to a body, or several, with nodes that turn as they are dt after a time [s]."""
    if isinstance(history, Turning):
        return history.stepped(time, dt, system.free)
    if isinstance(history, IslandHistory) and isinstance(system, IslandSystem):
        pairs = zip(history.members, system.members, strict=True)
        return IslandHistory(
            tuple(own and _turned(own, member, time, dt) for own, (_, member) in pairs)
        )
    return history
