"""The points of a rod: three around each node, and four where it branches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .section import Section
from .strands import Strand, joints


@dataclass(frozen=True)
class RodNodes:
    """Where the points of the nodes are, and which sums of them are directors.

    Node i has the points 3 i, 3 i + 1 and 3 i + 2: their mean is the centreline, and their
    differences are d_2 and d_3 of the section. Strands that meet at a joint have directors each of
    their own there, which turn together: for that a joint has a fourth point ahead, after all others,
    and any direction is a sum of differences.
    """

    points: np.ndarray  # (points, 3) at rest [m]
    of: np.ndarray  # (nodes, w), w of 3 or 4; the fourth of a node that has three is its first
    counts: np.ndarray  # (nodes,) how many points a node has
    directors: list[np.ndarray]  # of each strand (nodes of it, 2, w): weights of d_2, d_3 [1/m]
    triad: np.ndarray  # (3, 4) weights of three unit vectors at a joint [1/m]

    @classmethod
    def around(
        cls, x: np.ndarray, strands: list[Strand], frames: list[np.ndarray], section: Section
    ) -> RodNodes:
        """The nodes of a curve x (n, 3) [m] with directors `frames` along its strands."""
        count, meet = len(x), joints(strands, len(x))
        own = np.zeros((count, 2, 3))
        for (nodes, _), d in zip(reversed(strands), reversed(frames), strict=True):
            own[nodes] = d
        of = 3 * np.arange(count)[:, None] + np.arange(3)
        points = (x[:, None] + np.einsum("ic,ncd->nid", section.corners, own)).reshape(-1, 3)
        counts = np.full(count, 3)
        ahead, arm = np.cross(own[:, 0], own[:, 1]), np.sqrt(2.0) * max(section.radii)
        triad = np.zeros((3, 4))
        triad[:2, :3], triad[2] = section.directors, np.array([-1, -1, -1, 3]) / (3 * arm)
        if not len(meet):
            plain = [np.tile(section.directors, (len(d), 1, 1)) for d in frames]
            return cls(points, of, counts, plain, triad)
        counts[meet] = 4
        of = np.concatenate([of, of[:, :1]], axis=1)
        of[meet, 3] = 3 * count + np.arange(len(meet))
        axes = np.concatenate([own, ahead[:, None]], axis=1)
        turned = [
            np.einsum("ncd,nkd->nck", d, axes[nodes]) @ triad
            for (nodes, _), d in zip(strands, frames, strict=True)
        ]
        fourth = x[meet] + arm * ahead[meet]
        return cls(np.concatenate([points, fourth]), of, counts, turned, triad)

    def copied(self, which: np.ndarray, strands: list[Strand]) -> RodNodes:
        """Copies of some nodes of three points, on strands of their own."""
        points, of = self.points[self.of[which]].reshape(-1, 3), 3 * np.arange(len(which))[:, None]
        plain = [np.tile(self.triad[:2, :3], (len(nodes), 1, 1)) for nodes, _ in strands]
        return RodNodes(points, of + np.arange(3), np.full(len(which), 3), plain, self.triad)

    @property
    def centre(self) -> np.ndarray:
        """Weights of the points of a node whose sum is the centreline, (w,)."""
        return np.array([1 / 3, 1 / 3, 1 / 3, 0.0])[: self.of.shape[1]]

    @property
    def owners(self) -> np.ndarray:
        """The node that each point belongs to, (points,)."""
        out = np.zeros(len(self.points), dtype=int)
        out[self.of] = np.arange(len(self.of))[:, None]
        return out

    def chosen(self, which: np.ndarray) -> np.ndarray:
        """The points of some nodes."""
        there = np.arange(self.of.shape[1]) < self.counts[which, None]
        return np.asarray(self.of[which][there])
