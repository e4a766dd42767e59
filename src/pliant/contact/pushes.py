"""Pairs that push each other, and their forces and energies."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True, eq=False)
class Touching:
    """Pairs that push each other: a row for each in all arrays.

    forces [N]: the pushes; energies [J]: of the barrier; first, second: the bodies of both sides, planes
    behind bodies; numbers: those of contacts, by which bristles are known.
    """

    stencils: np.ndarray
    kinds: np.ndarray
    forces: np.ndarray
    energies: np.ndarray
    weights: np.ndarray
    normals: np.ndarray
    first: np.ndarray
    second: np.ndarray
    numbers: np.ndarray

    def chosen(self, mask: np.ndarray) -> Touching:
        """Some of them."""
        return Touching(*(getattr(self, f.name)[mask] for f in fields(self)))


def friction_forces(
    u: np.ndarray, normals: np.ndarray, strengths: np.ndarray, eps: np.ndarray
) -> np.ndarray:
    """The forces [N], (k, dim), of bristles that are bent by u [m]; strengths: mu N [N]."""
    u = u - np.einsum("ij,ij->i", u, normals)[:, None] * normals
    y = np.linalg.norm(u, axis=1)
    slope = np.where(y < eps, (2.0 - y / eps) / eps, 1.0 / np.maximum(y, 1e-300))
    out: np.ndarray = -(strengths * slope)[:, None] * u
    return out


def barrier_energies(forces: np.ndarray, gaps: np.ndarray, laws: np.ndarray) -> np.ndarray:
    """The energies [J] of pairs that push each other, from their forces: b/b' is known."""
    y = (gaps - laws[:, 0]) / laws[:, 1]
    out: np.ndarray = forces * laws[:, 1] * (1 - y) * np.log(y) / (2 * np.log(y) - (1 - y) / y)
    return out
