"""How a skeleton moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from pliant.errors import described
from pliant.given import floats_or_nan

from .skeleton import Array, Skeleton, rotations_of


class SkeletonMotion:
    """Poses of a skeleton over time; between them each bone turns about its joint at an even rate.

    times [s], (f,), growing. poses (f, b, 3, 4): as of `skeleton.pose`. `at(t)` is the pose at a time,
    held before the first and after the last.

        motion = pl.shape.SkeletonMotion(skeleton, times, [skeleton.pose(...) for t in times])
        motion.at(0.3)
    """

    def __init__(self, skeleton: Skeleton, times: Any, poses: Any):
        self.skeleton, self.times = skeleton, floats_or_nan(times)
        if (
            not (self.times.ndim == 1 and self.times.size and np.isfinite(self.times).all())
            or not (np.diff(self.times) > 0.0).all()
        ):
            raise ValueError(
                f"SkeletonMotion: got times {described(times)}; expected seconds that grow, (f,)"
            )
        if len(poses) != len(self.times):
            raise ValueError(
                f"SkeletonMotion: got {len(poses)} poses for {len(self.times)} times; expected one for "
                "each"
            )
        self.poses = np.stack([skeleton.accept(pose, "SkeletonMotion") for pose in poses])
        # In the frame of the parent: what is left of the linear part beside the rotation, where its
        # joint is, and the rotation.
        turns = rotations_of(self.poses)
        parents = skeleton.parents
        places = (
            np.einsum("fbij,bj->fbi", self.poses[..., :3], skeleton.joints) + self.poses[..., 3]
        )
        self._stretch = np.swapaxes(turns, 2, 3) @ self.poses[..., :3]
        self._own, self._places = turns.copy(), places.copy()
        below = np.flatnonzero(parents >= 0)
        up = self.poses[:, parents[below]]
        back = np.linalg.inv(up[..., :3])
        self._own[:, below] = np.swapaxes(turns[:, parents[below]], 2, 3) @ turns[:, below]
        self._places[:, below] = np.einsum("fbij,fbj->fbi", back, places[:, below] - up[..., 3])
        self._slerps = [
            Slerp(self.times, Rotation.from_matrix(self._own[:, i]))
            if len(self.times) > 1
            else None
            for i in range(len(skeleton))
        ]

    @property
    def seconds(self) -> float:
        """From the first time to the last [s]."""
        return float(self.times[-1] - self.times[0])

    def __repr__(self) -> str:
        return f"<SkeletonMotion of {len(self.skeleton)} bones, {self.seconds:.3g} s>"

    def at(self, time: float) -> Array:
        """The pose at a time [s], (b, 3, 4)."""
        times = self.times
        t = float(np.clip(time, times[0], times[-1]))
        k = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, max(len(times) - 2, 0)))
        if t == times[k] or len(times) == 1:
            return np.array(self.poses[k])
        share = (t - times[k]) / (times[k + 1] - times[k])
        if share == 1.0:
            return np.array(self.poses[k + 1])
        places = (1.0 - share) * self._places[k] + share * self._places[k + 1]
        stretch = (1.0 - share) * self._stretch[k] + share * self._stretch[k + 1]
        found, turns = np.zeros_like(self.poses[0]), np.zeros_like(self._own[0])
        for i, (parent, slerp) in enumerate(zip(self.skeleton.parents, self._slerps, strict=True)):
            assert slerp is not None
            turns[i], place = slerp(t).as_matrix(), places[i]
            if parent >= 0:
                turns[i] = turns[parent] @ turns[i]
                place = found[parent, :, :3] @ place + found[parent, :, 3]
            found[i, :, :3] = turns[i] @ stretch[i]
            found[i, :, 3] = place - found[i, :, :3] @ self.skeleton.joints[i]
        return np.asarray(found)
