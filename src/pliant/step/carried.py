"""Resistance to a body that is carried rigidly, or to each of its points."""

from __future__ import annotations

import numpy as np

from pliant.problem import Loads, State, System

#: Newton steps. The potential is convex and of third degree: few are needed.
ROUNDS = 30


def carried_resistance(
    system: System, state: State, loads: Loads, load: np.ndarray, dt: float
) -> np.ndarray:
    """The resistance [N], (n, d), to the rigid velocity u that a body will have after dt.

        u = Q q,    q = Q^T (M v + dt load + dt resistance(u)),    Q^T M Q = 1

    Implicit, since light bodies take the velocity of the air within a step.
    """
    complement = system.complement(state.x).flat(system.free)
    still: np.ndarray = np.zeros_like(state.x)
    if not (loads.resisting and complement.rank):
        return still
    free = system.free
    Q, MQ = complement.basis.T, complement.weighted
    shape = state.x[free].shape

    def velocity(q: np.ndarray) -> np.ndarray:
        u: np.ndarray = still.copy()
        u[free] = (Q @ q).reshape(shape)
        return u

    q = MQ @ state.v[free].ravel()
    goal = q + dt * Q.T @ load[free].ravel()
    for _ in range(ROUNDS):
        u = velocity(q)
        resistance = loads.resistance(state.x, u)
        left = goal - q + dt * Q.T @ resistance[free].ravel()
        if np.abs(left).max() <= 1e-12 * np.abs(goal).max():
            break
        blocks = sum(r.slope(state.x, u, loads.time)[free] for r in loads.resisting)
        columns = Q.reshape(*shape, -1)
        slope = np.einsum("niq,nij,njr->qr", columns, blocks, columns)
        q = q + np.linalg.solve(np.eye(len(q)) + dt * slope, left)
    return loads.resistance(state.x, velocity(q))


def lone_resistance(
    system: System, state: State, loads: Loads, load: np.ndarray, dt: float
) -> np.ndarray:
    """The resistance [N], (n, d), at the velocity that each point would have after dt on its own.

    Linearised at the velocities of the state. For steps that hold forces fixed.
    """
    m, x, v = system.masses[:, None], state.x, state.v
    if not loads.resisting:
        return np.zeros_like(x)
    C = sum(r.slope(x, v, loads.time) for r in loads.resisting)
    matrices = m[:, :, None] * np.eye(system.dim) + dt * C
    force = load + loads.resistance(x, v)
    out: np.ndarray = m * np.linalg.solve(matrices, force[..., None])[..., 0] - load
    return out
