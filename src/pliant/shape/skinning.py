"""Points that follow bones."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp
from scipy.spatial.transform import Rotation

from pliant.backend import start
from pliant.errors import check_positive, described, is_whole, shown
from pliant.given import floats_or_nan, one_each
from pliant.mesh import in_space

from .skeleton import Array, Skeleton, rotations_of
from .skin_kernels import Affine, DualQuaternion, dual_quaternion_kernel, linear_kernel

#: Rows of weights may miss a sum of 1 by this: files have them in single precision.
SUM = 1e-5


class LinearSkin:
    """Points that go where a mean of bones takes them.

        x = sum_b w_b (R_b X + t_b)

    skeleton. points [m]: X, (n, 3), or (n, 2) in the plane z = 0. weights: how much each point follows
    each bone, (n, b), rows that sum to 1: see `bone_weights`. Calling it with a pose gives positions.

        skin = pl.shape.LinearSkin(skeleton, mesh.points, pl.shape.bone_weights(skeleton, mesh.points))
        skin(skeleton.pose({"lower": (0, 0, 45)}))

    What bends or twists far gets thin: `DualQuaternionSkin` does not.
    """

    def __init__(self, skeleton: Skeleton, points: Any, weights: Any):
        self.skeleton = skeleton
        given = floats_or_nan(points)
        if given.ndim != 2 or given.shape[1] not in (2, 3) or not np.isfinite(given).all():
            raise ValueError(
                f"{type(self).__name__}: got points {described(points)}; expected finite places [m] of "
                "shape (n, 3) or (n, 2)"
            )
        self.points = given
        self.weights = accept_weights(type(self).__name__, weights, len(given), len(skeleton))
        self._rest = np.ascontiguousarray(in_space(given))
        start()
        w = self.weights
        self._starts, self._bones = (a.astype(np.int32) for a in (w.indptr, w.indices))

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} points on {len(self.skeleton)} bones>"

    def __call__(self, pose: Any, offsets: Any = None) -> Array:
        """Positions [m] in a pose, (n, d); offsets [m], (n, d): displacements at rest that go along."""
        pose = self.skeleton.accept(pose, type(self).__name__)
        u = None if offsets is None else one_each(offsets, self.points.shape, what="offsets")
        return self.moved(pose, u)

    def moved(self, pose: Array, offsets: Array | None) -> Array:
        """The same for a pose and offsets that are sound."""
        maps = _shared(np.ascontiguousarray(pose), Affine)
        return self._launched(linear_kernel(), self.weights.data, maps, offsets)

    def _launched(self, kernel: Any, weights: Array, maps: Any, offsets: Array | None) -> Array:
        """Positions [m] of all points, (n, d), by a kernel."""
        x: Any = wp.empty(len(self), dtype=wp.vec3d, device="cpu")
        rows = (_shared(a, wp.int32) for a in (self._starts, self._bones))
        known = (_shared(weights, wp.float64), maps, _shared(self._placed(offsets), wp.vec3d))
        wp.launch(kernel, len(self), inputs=[*rows, *known, x], device="cpu")
        found = x.numpy()
        return np.asarray(found if self.points.shape[1] == 3 else found[:, :2])

    def _placed(self, offsets: Array | None) -> Array:
        """X + u, (n, 3)."""
        if offsets is None:
            return self._rest
        return self._rest + in_space(offsets)

    def maps(self, pose: Array) -> Array:
        """The linear part of what each point follows, (n, 3, 3)."""
        return np.asarray((self.weights @ pose[..., :3].reshape(-1, 9)).reshape(-1, 3, 3))


class DualQuaternionSkin(LinearSkin):
    """Points that go where a mean of screws takes them, which is a rigid motion: nothing gets thin.

        q = sum_b w_b q_b / |sum_b w_b q_b|     of unit dual quaternions

    As `LinearSkin`; only the rotations and shifts of bones count. Joints bulge a little instead.
    Source: [kavan2008].
    """

    def __init__(self, skeleton: Skeleton, points: Any, weights: Any):
        super().__init__(skeleton, points, weights)
        pairs = (self.weights != 0).astype(float)
        self._meet = (pairs.T @ pairs).toarray() > 0.0
        pivots = np.zeros(len(self.points), dtype=np.int64)
        w = self.weights
        dense_rows = np.repeat(np.arange(len(self.points)), np.diff(w.indptr))
        order = np.lexsort((w.data, dense_rows))
        pivots[dense_rows[order]] = w.indices[order]  # the last of a row is its heaviest bone
        self._pivots, self._rows = pivots, dense_rows

    def moved(self, pose: Array, offsets: Array | None) -> Array:
        """Positions [m] in a pose, (n, d), for displacements at rest [m], (n, d), or none."""
        weights, screws = self._signed(pose)
        bones = _shared(screws, DualQuaternion)
        return self._launched(dual_quaternion_kernel(), weights, bones, offsets)

    def maps(self, pose: Array) -> Array:
        """The rotation of each point, (n, 3, 3)."""
        return np.asarray(Rotation.from_quat(self._blended(pose)[:, :4]).as_matrix())

    def _blended(self, pose: Array) -> Array:
        """The dual quaternion of each point, (n, 8), as of `dual_quaternions` but for its length."""
        data, screws = self._signed(pose)
        w = self.weights
        return np.asarray(sp.csr_array((data, w.indices, w.indptr), shape=w.shape) @ screws)

    def _signed(self, pose: Array) -> tuple[Array, Array]:
        """The numbers of `weights` and the dual quaternions (b, 8), of q and -q those that agree."""
        both = dual_quaternions(pose)
        # Of q and -q that nearer to the parent's.
        for i, parent in enumerate(self.skeleton.parents):
            if parent >= 0 and both[i, :4] @ both[parent, :4] < 0.0:
                both[i] *= -1.0
        apart = (both[:, :4] @ both[:, :4].T < 0.0) & self._meet
        w = self.weights
        if not apart.any():
            return w.data, both
        # Then each point compares its bones with its heaviest.
        opposed = apart[self._pivots[self._rows], w.indices]
        return np.where(opposed, -w.data, w.data), both


def dual_quaternions(pose: Array) -> Array:
    """Unit dual quaternions of rigid motions (b, 3, 4): q, and t q/2, each as (x, y, z, w), (b, 8)."""
    q = Rotation.from_matrix(rotations_of(pose)).as_quat()
    t, v, w = pose[..., 3], q[:, :3], q[:, 3:]
    dual = np.column_stack([w * t + np.cross(t, v), -(t * v).sum(axis=1)])
    return np.column_stack([q, 0.5 * dual])


def bone_weights(
    skeleton: Skeleton, points: Any, *, power: float = 4.0, most: int = 4
) -> sp.csr_array:
    """How much each point (n, d) follows each bone: inversely to its distance, (n, b).

        w_b = d_b^-power / sum over the `most` nearest bones

    power: 2 blends softly, 8 hardly. In proportion to the distance, points would follow what is far
    away. A bone that no point follows is refused: it lies elsewhere, or in another unit.
    """
    x = floats_or_nan(points)
    if x.ndim != 2 or x.shape[1] not in (2, 3) or not len(x) or not np.isfinite(x).all():
        raise ValueError(
            f"bone_weights: got points {described(points)}; expected finite places [m] of shape (n, 3)"
        )
    check_positive("bone_weights", "power", power, "-")
    if not (is_whole(most) and most >= 1):
        raise ValueError(f"bone_weights: got most={shown(most)}; expected a whole number from 1")
    away = skeleton.distances(in_space(x))
    size = float(np.linalg.norm(np.ptp(x, axis=0))) or 1.0
    if away.min() > size:
        raise ValueError(
            f"bone_weights: the skeleton is {away.min():.3g} m away from the points, which extend over "
            f"{size:.3g} m; expected both in the same place and unit"
        )
    count = min(int(most), len(skeleton))
    near = np.argpartition(away, count - 1, axis=1)[:, :count]
    near.sort(axis=1)
    distance = np.take_along_axis(away, near, axis=1)
    w = (np.maximum(distance, 1e-6 * size) / size) ** -float(power)
    w /= w.sum(axis=1, keepdims=True)
    empty = np.setdiff1d(np.arange(len(skeleton)), near[w > 0.01])
    if len(empty):
        i = int(empty[0])
        raise ValueError(
            f"bone_weights: no point follows bone {skeleton.names[i]!r}; the nearest is "
            f"{away[:, i].min():.3g} m away from it. Expected bones inside of what they move, in metres"
        )
    starts = np.arange(len(x) + 1) * count
    return sp.csr_array((w.ravel(), near.ravel(), starts), shape=away.shape)


def accept_weights(who: str, weights: Any, points: int, bones: int) -> sp.csr_array:
    """Weights (n, b) as a sparse matrix whose rows sum to 1."""
    given = weights.toarray() if sp.issparse(weights) else floats_or_nan(weights)
    if given.shape != (points, bones) or not np.isfinite(given).all():
        raise ValueError(
            f"{who}: got weights {described(given)}; expected finite numbers of shape ({points}, "
            f"{bones}), as pl.shape.bone_weights(skeleton, points) returns"
        )
    wrong = np.flatnonzero((given < 0.0).any(axis=1) | (np.abs(given.sum(axis=1) - 1.0) > SUM))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(
            f"{who}: got weights of point {i} that sum to {given[i].sum():.4g}, the least "
            f"{given[i].min():.4g}; expected weights from 0 that sum to 1: "
            "weights / weights.sum(axis=1, keepdims=True)"
        )
    return sp.csr_array(given / given.sum(axis=1, keepdims=True))


def _shared(a: Array, dtype: Any) -> Any:
    """An array of Warp in the memory of one of numpy."""
    return wp.array(a, dtype=dtype, device="cpu", copy=False)
