"""Skeletons from files, with their motion and what hangs on them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import check_positive
from pliant.given import path_of
from pliant.mesh import Surface

from .motion import SkeletonMotion
from .skeleton import Array, Skeleton, rotations_of
from .skinning import LinearSkin

#: How much linear parts of maps may miss being rotations, in files of single precision.
RIGID = 1e-4


@dataclass(frozen=True)
class Rig:
    """What a file has of a character: its skeleton, and if there are any its motion and its skin.

    surface: in the pose of rest. weights (m, b): how much its points follow bones, rows that sum to 1.
    """

    skeleton: Skeleton
    motion: SkeletonMotion | None = None
    surface: Surface | None = None
    weights: Array | None = None

    @property
    def skin(self) -> LinearSkin:
        """The points of the surface, which follow the bones."""
        if self.surface is None:
            raise ValueError(
                "the rig has no skin; expected a file with one, or "
                "pl.shape.LinearSkin(skeleton, points, pl.shape.bone_weights(skeleton, points))"
            )
        return LinearSkin(self.skeleton, self.surface.points, self.weights)


@dataclass(frozen=True)
class RawRig:
    """What readers find, in the units of the file.

    bind (b, 4, 4): where bones are at rest, columns being axes. poses (f, b, 3, 4): maps from rest.
    """

    names: list[str]
    parents: list[int]
    bind: Array
    tails: Array | None = None
    times: Array | None = None
    poses: Array | None = None
    points: Array | None = None
    faces: list[Any] | None = None
    weights: Array | None = None


def read_rig(path: str | Path, *, scale: float = 1.0) -> Rig:
    """The skeleton, motion and skin of a UsdSkel, glTF or BVH file.

    scale: metres in a unit of the file: 0.01 for a BVH in centimetres. USD says its own unit, and scale
    comes on top. Of several skeletons in a file the first is read.
    """
    file = path_of("read_rig", path)
    check_positive("read_rig", "scale", scale, "m")
    if not file.is_file():
        raise FileNotFoundError(f"there is no rig {str(file)!r}")
    suffix = file.suffix.lower()
    if suffix == ".bvh":
        from .bvh import read_bvh as read
    elif suffix in (".gltf", ".glb"):
        from .gltf import read_gltf as read
    elif suffix in (".usd", ".usda", ".usdc", ".usdz"):
        from .usd_skel import read_usd as read
    else:
        raise ValueError(
            f"cannot read a rig from {file.name!r}; expected .usd .usda .usdc .usdz, .gltf .glb or .bvh"
        )
    return _rig(read(file), float(scale))


def _rig(raw: RawRig, scale: float) -> Rig:
    order = sorted_bones(raw.parents)
    place = np.argsort(order)
    parents = [-1 if raw.parents[i] < 0 else int(place[raw.parents[i]]) for i in order]
    bind = raw.bind[order]
    tails = None if raw.tails is None else scale * raw.tails[order]
    skeleton = Skeleton(
        scale * bind[:, :3, 3],
        parents,
        names=_different([raw.names[i] for i in order]),
        tails=tails,
        axes=rotations_of(bind[:, :3]),
    )
    motion = None
    if raw.poses is not None and raw.times is not None and len(raw.times):
        poses = raw.poses[:, order].copy()
        poses[..., 3] *= scale
        motion = SkeletonMotion(skeleton, raw.times, poses)
    if raw.points is None or raw.weights is None or raw.faces is None:
        return Rig(skeleton, motion)
    weights = raw.weights[:, order]
    total = weights.sum(axis=1, keepdims=True)
    bare = np.flatnonzero(total[:, 0] <= 0.0)
    if len(bare):
        raise ValueError(
            f"point {bare[0]} of the skin follows no bone; expected weights that sum to 1 at every point"
        )
    surface = Surface.of(scale * raw.points, raw.faces)
    return Rig(skeleton, motion, surface, weights / total)


def sorted_bones(parents: list[int]) -> list[int]:
    """Numbers of bones with parents before their children; refused if bones hang in a circle."""
    order: list[int] = []
    left = list(range(len(parents)))
    known = {-1}
    while left:
        count = len(order)
        for i in left:
            if parents[i] in known:
                order.append(i)
                known.add(i)
        if len(order) == count:
            raise ValueError(
                f"bone {left[0]} hangs on itself by its parents; expected bones that hang on a root"
            )
        left = [i for i in left if i not in known]
    return order


def _different(names: list[str]) -> list[str]:
    """Names with numbers behind those that come again."""
    found: list[str] = []
    for name in names:
        given, k = name, 1
        while given in found:
            given, k = f"{name}.{k}", k + 1
        found.append(given)
    return found
