"""Bones, and how they hang together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import described, is_whole, shown
from pliant.given import floats_or_nan, rotation

Array = np.ndarray


class Skeleton:
    """Bones at rest: each begins at its joint, and follows its parent.

    joints [m]: where bones begin, (b, 3). parents (b,): the number of each bone's parent, which comes
    before it, or -1. names: by default "bone0" and so on. tails [m], (b, 3): where bones end; if left
    out at the mean of the joints of its children, and of the last bones half as far again. axes (b, 3,
    3): rotations whose columns are the own axes of each bone; by default those of the world.

    A pose is the affine map [R | t] of every bone from rest, (b, 3, 4):

        skeleton = pl.shape.Skeleton([[0, 0, 0], [1, 0, 0]], [-1, 0], names=["upper", "lower"])
        pose = skeleton.pose({"lower": (0, 0, 45)})

    `read` takes it from UsdSkel (.usd .usda .usdc .usdz), from the skin of a glTF file (.gltf .glb) and
    from .bvh; `pl.shape.read_rig` also has the motion and the skin.
    """

    def __init__(
        self,
        joints: Any,
        parents: Sequence[int] | Array,
        *,
        names: Sequence[str] | None = None,
        tails: Any = None,
        axes: Any = None,
    ):
        self.joints = _places("joints", joints, None)
        count = len(self.joints)
        self.parents = _accept_parents(parents, count)
        given = [f"bone{i}" for i in range(count)] if names is None else list(names)
        if len(given) != count or len(set(given)) < count:
            raise ValueError(
                f"Skeleton: got names {shown(given)}; expected {count} different ones, one for each bone"
            )
        self.names = tuple(str(name) for name in given)
        self.tails = self._tails() if tails is None else _places("tails", tails, count)
        turned = np.tile(np.eye(3), (count, 1, 1)) if axes is None else floats_or_nan(axes)
        if turned.shape != (count, 3, 3) or not np.allclose(
            np.swapaxes(turned, 1, 2) @ turned, np.eye(3), atol=1e-4
        ):
            raise ValueError(
                f"Skeleton: got axes {described(axes)}; expected rotations, ({count}, 3, 3)"
            )
        self.axes = turned

    def __len__(self) -> int:
        return len(self.joints)

    def __repr__(self) -> str:
        return f"<Skeleton of {len(self)} bones>"

    @classmethod
    def read(cls, path: str | Path, *, scale: float = 1.0) -> Skeleton:
        """That of a USD, glTF or BVH file; scale: metres in a unit of the file, beside its own."""
        from .rig import read_rig

        return read_rig(path, scale=scale).skeleton

    def bone(self, name: str) -> int:
        """The number of a bone."""
        if name not in self.names:
            raise ValueError(f"got bone {shown(name)}; expected one of {', '.join(self.names)}")
        return self.names.index(name)

    @property
    def rest(self) -> Array:
        """The pose of rest: every bone stays, (b, 3, 4)."""
        return np.tile(np.eye(3, 4), (len(self), 1, 1))

    def pose(
        self,
        turns: Mapping[str, Sequence[float]] | Array,
        *,
        shift: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> Array:
        """The pose (b, 3, 4) in which bones are turned about their joints, with all that hangs on them.

        turns: angles [degrees] about a bone's x, then y, then z axis, by name; or rotations (b, 3, 3) in
        the own axes of bones. shift [m]: of bones without a parent.
        """
        own = self._turns(turns)
        move = floats_or_nan(shift)
        if move.shape != (3,) or not np.isfinite(move).all():
            raise ValueError(f"Skeleton.pose: got shift={described(shift)}; expected 3 numbers [m]")
        found = np.zeros((len(self), 3, 4))
        world = self.axes @ own @ np.swapaxes(self.axes, 1, 2)
        for i, (parent, joint) in enumerate(zip(self.parents, self.joints, strict=True)):
            before = found[parent] if parent >= 0 else np.column_stack([np.eye(3), move])
            found[i, :, :3] = before[:, :3] @ world[i]
            found[i, :, 3] = before[:, :3] @ joint + before[:, 3] - found[i, :, :3] @ joint
        return np.asarray(found)

    def accept(self, pose: Any, who: str = "pose") -> Array:
        """A pose as an array; refused if it is none of this skeleton."""
        found = floats_or_nan(pose)
        if found.shape != (len(self), 3, 4) or not np.isfinite(found).all():
            raise ValueError(
                f"{who}: got a pose {described(pose)}; expected finite maps of shape ({len(self)}, 3, "
                "4), as skeleton.pose({...}) and motion.at(t) return"
            )
        return found

    def relative(self, pose: Array) -> Array:
        """The rotation of each bone against its parent, in the axes of the world at rest, (b, 3, 3)."""
        turn = rotations_of(pose)
        found = turn.copy()
        below = self.parents >= 0
        found[below] = np.swapaxes(turn[self.parents[below]], 1, 2) @ turn[below]
        return np.asarray(found)

    def distances(self, points: Array) -> Array:
        """From points (n, 3) to the line of each bone [m], (n, b)."""
        along = self.tails - self.joints
        square = np.maximum((along**2).sum(axis=1), 1e-300)
        arms = points[:, None] - self.joints
        share = np.clip(np.einsum("nbd,bd->nb", arms, along) / square, 0.0, 1.0)
        return np.asarray(np.linalg.norm(arms - share[..., None] * along, axis=2))

    def _turns(self, turns: Any) -> Array:
        if isinstance(turns, Mapping):
            own = np.tile(np.eye(3), (len(self), 1, 1))
            for name, degrees in turns.items():
                angles = floats_or_nan(degrees)
                if angles.shape != (3,) or not np.isfinite(angles).all():
                    raise ValueError(
                        f"Skeleton.pose: got {described(degrees)} for {shown(name)}; expected three "
                        "angles [degrees], about x, y and z"
                    )
                own[self.bone(name)] = rotation(tuple(angles), 3)
            return own
        own = floats_or_nan(turns)
        if own.shape != (len(self), 3, 3) or not np.isfinite(own).all():
            raise ValueError(
                f"Skeleton.pose: got turns {described(turns)}; expected angles by name, as in "
                f"{{{self.names[-1]!r}: (0, 0, 45)}}, or rotations of shape ({len(self)}, 3, 3)"
            )
        return own

    def _tails(self) -> Array:
        found = self.joints.copy()
        for i in range(len(self.joints)):
            children = np.flatnonzero(self.parents == i)
            if len(children):
                found[i] = self.joints[children].mean(axis=0)
            elif self.parents[i] >= 0:
                found[i] += 0.5 * (self.joints[i] - self.joints[self.parents[i]])
        return np.asarray(found)


def rotations_of(pose: Array) -> Array:
    """The rotations nearest to the linear parts of maps (..., 3, 4), (..., 3, 3)."""
    u, _, vt = np.linalg.svd(pose[..., :3])
    sign = np.ones((*u.shape[:-2], 3))
    sign[..., 2] = np.sign(np.linalg.det(u @ vt))
    return np.asarray((u * sign[..., None, :]) @ vt)


def _places(what: str, given: Any, count: int | None) -> Array:
    found = floats_or_nan(given)
    right = found.ndim == 2 and found.shape[1:] == (3,) and len(found)
    if not right or len(found) != (count or len(found)) or not np.isfinite(found).all():
        number = "b" if count is None else count
        raise ValueError(
            f"Skeleton: got {what} {described(given)}; expected finite places [m] of shape ({number}, 3)"
        )
    return found


def _accept_parents(parents: Any, count: int) -> Array:
    listed = list(parents) if isinstance(parents, (Sequence, np.ndarray)) else []
    if len(listed) != count or not all(is_whole(p) for p in listed):
        raise ValueError(
            f"Skeleton: got parents {described(parents)}; expected {count} numbers of bones, -1 of one "
            "without a parent"
        )
    late = [i for i, p in enumerate(listed) if not -1 <= p < i]
    if late:
        raise ValueError(
            f"Skeleton: the parent of bone {late[0]} is {listed[late[0]]}; expected one that comes "
            "before it, or -1: sort bones from the root"
        )
    return np.array(listed, dtype=np.int64)
