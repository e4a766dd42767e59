"""Motions orthogonal to a few given ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.backend import HostSpace, Space

#: Flat arrays of unknowns, none of them pinned.
FLAT = HostSpace()


class Complement:
    """The displacements p with Q^T M p = 0, for a few M-orthonormal motions Q and masses M.

    `project` maps any displacement into it, `project_force` is its transpose and acts on gradients:
    P = I - Q Q^T M. Both remove what is at pins, too, and may use the array that they are given for
    the answer. basis, weighted: Q and M Q as arrays of the space, (rank, points), zero at pins; None
    if there are no motions.
    """

    def __init__(self, space: Space, basis: Any = None, weighted: Any = None):
        self.space, self.rank = space, 0 if basis is None else basis.shape[0]
        self.basis, self.weighted = basis, weighted

    @classmethod
    def of(cls, motions: np.ndarray, masses: np.ndarray) -> Complement:
        """The complement of motions given as columns over flat unknowns, (n, rank), with masses (n,)."""
        if not motions.shape[1]:
            return cls(FLAT)
        root = np.sqrt(masses)[:, None]
        basis = (np.linalg.qr(motions * root)[0] / root).T
        return cls(FLAT, basis, masses * basis)

    def project(self, displacement: Any) -> Any:
        """Remove what moves along Q."""
        return self.space.without(self.weighted, self.basis, displacement)

    def project_force(self, force: Any) -> Any:
        """Remove the net effect on Q: internal forces so projected change no momentum."""
        return self.space.without(self.basis, self.weighted, force)

    def within(self, space: Space) -> Complement:
        """The same for arrays of another space of the same points."""
        if space is self.space:
            return self
        if not self.rank:
            return Complement(space)
        return Complement(space, space.taken(self.basis), space.taken(self.weighted))

    def flat(self, free: np.ndarray) -> Complement:
        """The same for flat arrays of the unknowns of free points, on the host."""
        if not self.rank:
            return Complement(FLAT)
        arrays = (FLAT.taken(a)[:, free] for a in (self.basis, self.weighted))
        return Complement(FLAT, *(a.reshape(self.rank, -1) for a in arrays))
