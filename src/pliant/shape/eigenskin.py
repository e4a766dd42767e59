"""What a skin on bones misses, learned from shapes that are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from pliant.errors import described, is_whole, shown
from pliant.given import floats_or_nan, one_each
from pliant.mesh import in_space

from .skeleton import Array, Skeleton
from .skinning import LinearSkin

#: A bone that turns by less than this against its parent [rad] does not turn.
STILL = 1e-6


@dataclass(frozen=True, eq=False)
class JointShapes:
    """What one joint adds: columns (n d, r), and their amounts as a function of its turn.

    bone: it turns against its parent. axes (3, k): in which its turns lie. centres (p, k): turns of
    training [rad]. cubes (p, r), line (k + 1, r): f(y) = sum_i cubes_i |y - y_i|^3 + line (1, y).
    """

    bone: int
    columns: Array
    axes: Array
    centres: Array
    cubes: Array
    line: Array

    def amounts(self, turn: Array) -> Array:
        """Of the columns for a rotation vector (3,)."""
        y = turn @ self.axes
        radii = np.sqrt(((self.centres - y) ** 2).sum(axis=1))
        return np.asarray(radii**3 @ self.cubes + self.line[0] + y @ self.line[1:])


class EigenSkin:
    """A skin on bones, corrected by what it missed of known shapes, joint by joint.

        x = skin(X + sum over joints sum_k f_k(turn of the joint) U_k)

    What skinning misses in each training pose is brought back to the rest pose, where its principal
    shapes U_k are found for every joint (SVD), and interpolated over the rotation of the joint against
    its parent (radial cubes over its rotation vector). `fit` makes one; calling it with a pose gives
    positions. `basis` has all U_k, for `pl.Subspace(body, basis=...)`.

        skin = pl.shape.EigenSkin.fit(linear_skin, poses, shapes, vectors=5)
        skin(skeleton.pose({"lower": (0, 0, 45)}))

    Source: [kry2002].
    """

    def __init__(self, skin: LinearSkin, joints: list[JointShapes]):
        self.skin, self._joints = skin, joints
        #: Of all joints side by side: one product is quicker than several.
        self._columns = np.concatenate([joint.columns for joint in joints], axis=1)

    @classmethod
    def fit(cls, skin: LinearSkin, poses: Any, shapes: Any, *, vectors: int = 5) -> EigenSkin:
        """From poses (k, b, 3, 4), in each of which one joint turns, and shapes (k, n, d) [m].

        The pose of rest counts as one more, which is missed by nothing. vectors: at most so many for
        each joint.
        """
        if not isinstance(skin, LinearSkin):
            raise TypeError(
                f"EigenSkin.fit: got skin of type {type(skin).__name__}; expected "
                "pl.shape.LinearSkin(skeleton, points, weights)"
            )
        if not (is_whole(vectors) and vectors >= 1):
            raise ValueError(
                f"EigenSkin.fit: got vectors={shown(vectors)}; expected a whole number from 1"
            )
        accepted = [skin.skeleton.accept(pose, "EigenSkin.fit") for pose in poses]
        known = floats_or_nan(shapes)
        expected = (len(accepted), *skin.points.shape)
        if known.shape != expected or not len(accepted) or not np.isfinite(known).all():
            raise ValueError(
                f"EigenSkin.fit: got shapes {described(shapes)}; expected one for each pose, finite, of "
                f"shape {expected} [m]"
            )
        turns = [_turns(skin, pose) for pose in accepted]
        groups: dict[int, list[int]] = {}
        for i, each in enumerate(turns):
            moved = np.flatnonzero(np.linalg.norm(each, axis=1) > STILL)
            if len(moved) > 1:
                names = " and ".join(skin.skeleton.names[b] for b in moved)
                raise ValueError(
                    f"EigenSkin.fit: pose {i} turns {names}; expected poses that turn one joint each: "
                    "their corrections add up"
                )
            if len(moved):
                groups.setdefault(int(moved[0]), []).append(i)
        if not groups:
            raise ValueError("EigenSkin.fit: no pose turns a joint; expected poses that do")
        joints = []
        for bone, members in sorted(groups.items()):
            if not skin.weights[:, [bone]].sum() > 0.0:
                raise ValueError(
                    f"EigenSkin.fit: no point follows bone {skin.skeleton.names[bone]!r}; expected "
                    "weights of it: pl.shape.bone_weights(skeleton, points)"
                )
            missed = np.stack([_missed(skin, accepted[i], known[i]).ravel() for i in members])
            vector = np.stack([turns[i][bone] for i in members])
            joints.append(_learned(bone, vector, missed, int(vectors)))
        return cls(skin, joints)

    def __len__(self) -> int:
        return len(self.skin)

    @property
    def skeleton(self) -> Skeleton:
        """Of the skin."""
        return self.skin.skeleton

    def __repr__(self) -> str:
        count = sum(j.columns.shape[1] for j in self._joints)
        return f"<EigenSkin of {len(self)} points, {count} vectors at {len(self._joints)} joints>"

    @property
    def basis(self) -> Array:
        """All U_k, unit vectors of displacements at rest, (k, n, d)."""
        return np.asarray(self._columns.T.reshape(-1, *self.skin.points.shape))

    def offsets(self, pose: Any) -> Array:
        """What it adds in the rest pose [m], (n, d)."""
        return self._added(self.skin.skeleton.accept(pose, "EigenSkin"))

    def _added(self, pose: Array) -> Array:
        turns = _turns(self.skin, pose)
        amounts = np.concatenate([joint.amounts(turns[joint.bone]) for joint in self._joints])
        return np.asarray((self._columns @ amounts).reshape(self.skin.points.shape))

    def __call__(self, pose: Any, offsets: Any = None) -> Array:
        """Positions [m] in a pose, (n, d); offsets [m], (n, d): displacements at rest beside its own."""
        accepted = self.skin.skeleton.accept(pose, "EigenSkin")
        own = self._added(accepted)
        if offsets is not None:
            own += one_each(offsets, self.skin.points.shape, what="offsets")
        return self.skin.moved(accepted, own)

    def maps(self, pose: Array) -> Array:
        """The linear part of what each point follows, (n, 3, 3)."""
        return self.skin.maps(pose)


def _turns(skin: LinearSkin, pose: Array) -> Array:
    """Rotation vectors of bones against their parents [rad], (b, 3); of roots zero."""
    found = Rotation.from_matrix(skin.skeleton.relative(pose)).as_rotvec()
    found[skin.skeleton.parents < 0] = 0.0
    return np.asarray(found)


def _missed(skin: LinearSkin, pose: Array, shape: Array) -> Array:
    """What a skin misses of a shape, brought back to the rest pose [m], (n, d)."""
    away = in_space(shape - skin(pose))
    back = np.linalg.solve(skin.maps(pose), away[..., None])[..., 0]
    return np.asarray(back[:, : skin.points.shape[1]])


def _learned(bone: int, turns: Array, missed: Array, vectors: int) -> JointShapes:
    """Principal shapes of what is missed, and cubes that interpolate their amounts over turns."""
    _, sizes, axes = np.linalg.svd(turns, full_matrices=False)
    axes = axes[sizes > 1e-6 * sizes[0]].T
    y = np.concatenate([np.zeros((1, axes.shape[1])), turns @ axes])
    y, first = np.unique(np.round(y, 12), axis=0, return_index=True)
    if len(y) < axes.shape[1] + 2:
        raise ValueError(
            f"EigenSkin.fit: joint {bone} has {len(turns)} poses that turn about {axes.shape[1]} axes; "
            f"expected {axes.shape[1] + 1} different ones or more"
        )
    C = np.concatenate([np.zeros((1, missed.shape[1])), missed])[first]
    _, sizes, rows = np.linalg.svd(C, full_matrices=False)
    largest = sizes[0] if sizes[0] > 0.0 else 1.0
    rows = rows[: min(vectors, max(int((sizes > 1e-13 * largest).sum()), 1))]
    amounts = C @ rows.T
    p, k = y.shape
    radii = np.linalg.norm(y[:, None] - y, axis=2)
    line = np.column_stack([np.ones(p), y])
    matrix = np.block([[radii**3, line], [line.T, np.zeros((k + 1, k + 1))]])
    right = np.concatenate([amounts, np.zeros((k + 1, amounts.shape[1]))])
    found = np.linalg.solve(matrix, right)
    return JointShapes(bone, np.ascontiguousarray(rows.T), axes, y, found[:p], found[p:])
