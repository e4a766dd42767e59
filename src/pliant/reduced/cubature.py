"""Few cells that stand for all: their forces, weighed, are those of the whole body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Array = np.ndarray

#: Cells are looked for among so many, picked at random, of larger bodies.
CANDIDATES = 4000
#: The search ends when the forces are off by less than this share.
ENOUGH = 2e-3
#: So many cells are tried at a time.
AT_ONCE = 6
#: Energies are differenced over displacements of this share of the body's size.
SMALL = 1e-4


@dataclass(frozen=True, eq=False)
class Cubature:
    """Cells by number, the factor of each, and the share of the forces that they miss in training."""

    cells: Array
    factors: Array
    missed: float


def find_cubature(
    energies: Callable[[Array], Array],
    poses: Sequence[Array],
    columns: Array,
    size: float,
    most: int,
) -> Cubature:
    """At most so many cells whose weighed forces on coordinates are those of all cells, in every pose.

    energies: the energy [J] of every cell at displacements [m], (n d,). poses: such displacements.
    columns (n d, r): of the coordinates. size [m]: of the body. Greedy, with weights that are not
    negative by least squares. Source: [an2008] 4.
    """
    count = len(energies(poses[0]))
    some = np.arange(count)
    if count > CANDIDATES:
        some = np.sort(np.random.default_rng(0).choice(count, CANDIDATES, replace=False))
    parts, wholes = [], []
    for pose in poses:
        forces = np.zeros((columns.shape[1], count))
        for k, column in enumerate(columns.T):
            step = SMALL * size / np.abs(column).max()
            forces[k] = (energies(pose + step * column) - energies(pose - step * column)) / (
                2 * step
            )
        whole = forces.sum(axis=1)
        parts.append(forces[:, some] / np.linalg.norm(whole))
        wholes.append(whole / np.linalg.norm(whole))
    return _chosen(np.concatenate(parts), np.concatenate(wholes), some, most)


def _chosen(parts: Array, whole: Array, names: Array, most: int) -> Cubature:
    from scipy.optimize import nnls

    chosen, factors = np.zeros(0, dtype=int), np.zeros(0)
    norms, left, total = np.linalg.norm(parts, axis=0), whole, np.linalg.norm(whole)
    felt = np.flatnonzero(norms > 0.0)  # cells between pins have no forces on coordinates
    for _ in range(most):  # cells that get no weight make room for others
        score = np.full(len(norms), -np.inf)
        score[felt] = parts[:, felt].T @ left / norms[felt]
        score[chosen] = -np.inf
        more = np.argsort(-score)[: min(AT_ONCE, most - len(chosen))]
        chosen = np.concatenate([chosen, more])
        factors, _ = nnls(parts[:, chosen], whole)
        chosen, factors = chosen[factors > 0.0], factors[factors > 0.0]
        left = whole - parts[:, chosen] @ factors
        if np.linalg.norm(left) < ENOUGH * total or len(chosen) >= most:
            break
    return Cubature(names[chosen], factors, float(np.linalg.norm(left) / total))
