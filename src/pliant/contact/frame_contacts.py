"""What touches in one frame: where, and with which forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .barrier import BarrierContact
from .bristles import Bristles
from .closest import EDGE_EDGE
from .friction import BristleFriction
from .pushes import Touching


@dataclass(frozen=True, eq=False)
class FrameContacts:
    """All contacts of one frame, k of them.

    points [m], (k, d): on the surface of one of two. normals (k, d): from the second to the first.
    forces [N], (k, d): on the first, push and friction. pairs (k, 2): the numbers of both in `names`,
    the names of bodies and, behind them, of obstacles.
    """

    points: np.ndarray
    normals: np.ndarray
    forces: np.ndarray
    pairs: np.ndarray
    names: tuple[str, ...]

    @classmethod
    def none(cls, dim: int, names: tuple[str, ...]) -> FrameContacts:
        """Nothing touches."""
        points, normals, forces = (np.zeros((0, dim)) for _ in range(3))
        return cls(points, normals, forces, np.zeros((0, 2), dtype=np.int64), names)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<FrameContacts: {len(self)}>"

    @property
    def normal_forces(self) -> np.ndarray:
        """The pushes along the normals [N], (k,)."""
        return np.asarray(np.einsum("ij,ij->i", self.forces, self.normals))

    @property
    def friction_forces(self) -> np.ndarray:
        """The forces across the normals [N], (k, d)."""
        return np.asarray(self.forces - self.normal_forces[:, None] * self.normals)

    def between(self, first: str, second: str) -> FrameContacts:
        """Those of two names, with normals towards the first and forces on it."""
        a, b = self._numbers(first), self._numbers(second)
        i, j = self.pairs.T
        same, other = np.isin(i, a) & np.isin(j, b), np.isin(i, b) & np.isin(j, a)
        turned = other & ~same
        sign = np.where(turned, -1.0, 1.0)[:, None]
        pairs = np.where(turned[:, None], self.pairs[:, ::-1], self.pairs)
        chosen = same | other
        normals, forces = (sign * self.normals)[chosen], (sign * self.forces)[chosen]
        return FrameContacts(self.points[chosen], normals, forces, pairs[chosen], self.names)

    def _numbers(self, name: str) -> list[int]:
        found = [i for i, own in enumerate(self.names) if own == name]
        if not found:
            raise KeyError(f"{name!r} is not among {list(self.names)}")
        return found


def contacts_at(
    friction: BristleFriction, found: Touching, x: Any, bristles: Bristles
) -> FrameContacts:
    """What touches at x, where these pairs push each other. Pairs of one contact are one.

    Friction is what bristles that are bent so far hold against.
    """
    contact = friction.contact
    y = contact.placed(x).numpy()
    stencils, weights = found.stencils, found.weights
    across = friction.strained(found, bristles)
    ends = np.where((found.kinds == EDGE_EDGE)[:, None], [1, 1, 0, 0], [1, 0, 0, 0])
    at = np.einsum("pa,pad->pd", ends * weights, y[np.maximum(stencils, 0)])
    keys, first, one = np.unique(found.numbers, return_index=True, return_inverse=True)
    push = found.forces[:, None] * found.normals

    def summed(values: np.ndarray) -> np.ndarray:
        columns = [np.bincount(one, column, len(keys)) for column in values.T]
        return np.stack(columns, axis=1).astype(float)  # of no contacts they are whole numbers

    total = np.maximum(np.bincount(one, found.forces, len(keys)), 1e-300)[:, None]
    normals = summed(push)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    sides = np.stack([found.first, found.second], axis=1)[first]
    points, forces = summed(found.forces[:, None] * at) / total, summed(push + across)
    # Obstacles are second.
    turned = sides[:, 0] >= sum(not body.given for body in contact.surface.bodies)
    sides[turned] = sides[turned, ::-1]
    sign = np.where(turned, -1.0, 1.0)[:, None]
    return FrameContacts(points, sign * normals, sign * forces, sides, contact.surface.names)


def contact_energies(contact: BarrierContact, found: Touching) -> np.ndarray:
    """The energy of the barrier [J] of each body whose points are unknown; pairs of two share it."""
    count = sum(not body.given for body in contact.surface.bodies)
    known = [side < count for side in (found.first, found.second)]
    share = found.energies / (known[0].astype(float) + known[1])
    out = np.zeros(count)
    for side, mask in zip((found.first, found.second), known, strict=True):
        out += np.bincount(side[mask], share[mask], count)
    return out
