"""Motions orthogonal to a few given ones."""

from __future__ import annotations

import numpy as np


class Complement:
    """The displacements p with R^T M p = 0, for a few motions R and lumped masses M.

    `project` maps any displacement into it, `project_force` is its transpose and acts on gradients:
    P = I - Q Q^T M with Q an M-orthonormal basis of R, which R may be already. With no motions both
    are the identity.
    """

    def __init__(self, motions: np.ndarray, masses: np.ndarray, *, orthonormal: bool = False):
        self.rank = motions.shape[1]
        if self.rank and not orthonormal:
            root = np.sqrt(masses)[:, None]  # one mass per unknown
            motions = np.linalg.qr(motions * root)[0] / root
        self.basis = motions
        self.weighted = masses[:, None] * motions  # M Q

    def project(self, displacement: np.ndarray) -> np.ndarray:
        """Remove what moves along R."""
        if not self.rank:
            return displacement
        return displacement - self.basis @ (self.weighted.T @ displacement)

    def project_force(self, force: np.ndarray) -> np.ndarray:
        """Remove the net effect on R: internal forces so projected change no momentum."""
        if not self.rank:
            return force
        with np.errstate(invalid="ignore", over="ignore"):  # of a search that then fails in words
            return force - self.weighted @ (self.basis.T @ force)
