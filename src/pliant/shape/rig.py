"""Skeletons from files, with their motion and what hangs on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import check_positive, described
from pliant.given import floats_or_nan, path_of
from pliant.mesh import Surface, closest, nearest
from pliant.take import Take

from .motion import SkeletonMotion
from .skeleton import Array, Skeleton, rotations_of
from .skinning import LinearSkin
from .takes import as_take

#: Points whose mean is nearer to their joint than this share of the farthest lie around it, not along.
ASIDE = 0.1


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

    def weights_at(self, points: Any) -> Array:
        """Weights (n, b) of points (n, 3) [m], those of the surface where it is nearest.

        For a body inside of the surface, as in
        pl.shape.LinearSkin(rig.skeleton, body.mesh.points, rig.weights_at(body.mesh.points)).
        """
        skin, surface = self.skin, self.surface
        x = floats_or_nan(points)
        if x.ndim != 2 or x.shape[1] != 3 or not len(x) or not np.isfinite(x).all():
            raise ValueError(
                f"Rig.weights_at: got points {described(points)}; expected finite places [m] of shape "
                "(n, 3)"
            )
        assert surface is not None
        corners = surface.corners[surface.triangles]
        facet, _ = nearest(surface.points[corners], x)
        share = closest(surface.points[corners[facet]], x)
        found = share[:, 0, None] * skin.weights[corners[facet, 0]].toarray()
        for k in (1, 2):
            found += share[:, k, None] * skin.weights[corners[facet, k]].toarray()
        return np.asarray(found)

    def take(self, *, fps: float | None = None, name: str = "rig") -> Take:
        """A take of the skin as the bones move it, to be saved, shown, and given to `transfer`.

        fps: frames a second; by default the frames are the keys of the motion. Time 0 is the first key.
        """
        skin, motion, surface = self.skin, self.motion, self.surface
        if motion is None or surface is None:
            raise ValueError(
                "the rig does not move; expected a file with an animation, or "
                "pl.shape.as_take(rig.surface, times, lambda k: rig.skin(poses[k]))"
            )
        keys = motion.times
        if fps is not None:
            check_positive("Rig.take", "fps", fps, "1/s")
            count = int(np.floor(motion.seconds * fps * (1.0 + 1e-9))) + 1
            keys = keys[0] + np.arange(count) / fps
        return as_take(
            surface, keys - keys[0], lambda k: skin(motion.at(float(keys[k]))), name=name
        )


@dataclass(frozen=True)
class RawRig:
    """What readers find, in the units of the file.

    bind (b, 4, 4): where bones were when the skin was bound to them, columns being axes. poses (f, b, 3,
    4): maps from there to the world. points (n, 3): the skin there. above (4, 4): where what holds all
    bones is in the world; rest (b, 4, 4): where bones are if nothing moves them. Both are left out where
    bind is in the world anyway.
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
    above: Array | None = None
    rest: Array | None = None

    def in_world(self) -> RawRig:
        """The same with bind in the world.

        Some files bind in the space of what holds the bones, some in the world: whichever brings bones
        nearer to their rest is meant.
        """
        if self.above is None or self.rest is None:
            return self
        moved = self.above @ self.bind
        if np.abs(moved - self.rest).sum() >= np.abs(self.bind - self.rest).sum():
            return self
        place = self.above[:3]
        back = np.linalg.inv(self.above)
        return replace(
            self,
            bind=moved,
            poses=None if self.poses is None else self.poses @ back,
            points=None if self.points is None else self.points @ place[:, :3].T + place[:, 3],
        )


#: Suffixes of files that have rigs.
SUFFIXES = (".usd", ".usda", ".usdc", ".usdz", ".gltf", ".glb", ".bvh")


def read_rig(path: str | Path, *, scale: float = 1.0) -> Rig:
    """The skeleton, motion and skin of a UsdSkel, glTF or BVH file.

    scale: metres in a unit of the file: 0.01 for a BVH in centimetres. USD says its own unit, and scale
    comes on top. Axes are those of the file: in glTF y is up, in USD from Blender z. Of several
    skeletons and animations in a file the first is read.
    """
    file = path_of("read_rig", path)
    check_positive("read_rig", "scale", scale, "m")
    if not file.is_file():
        raise FileNotFoundError(f"there is no rig {str(file)!r}")
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"cannot read a rig from {file.name!r}; expected .usd .usda .usdc .usdz, .gltf .glb or .bvh"
        )
    if suffix == ".bvh":
        from .bvh import read_bvh as read
    elif suffix in (".gltf", ".glb"):
        from .gltf import read_gltf as read
    else:
        from .usd_skel import read_usd as read
    return _rig(read(file).in_world(), float(scale))


def _rig(raw: RawRig, scale: float) -> Rig:
    order = sorted_bones(raw.parents)
    place = np.argsort(order)
    parents = [-1 if raw.parents[i] < 0 else int(place[raw.parents[i]]) for i in order]
    bind = raw.bind[order]
    skeleton = Skeleton(
        scale * bind[:, :3, 3],
        parents,
        names=_different([raw.names[i] for i in order]),
        tails=None if raw.tails is None else scale * raw.tails[order],
        axes=rotations_of(bind[:, :3]),
    )
    surface, weights = _skin(raw, order, scale)
    if raw.tails is None and surface is not None and weights is not None:
        skeleton.tails = _reach(skeleton, surface.points, weights)
    motion = None
    if raw.poses is not None and raw.times is not None and len(raw.times):
        poses = raw.poses[:, order].copy()
        poses[..., 3] *= scale
        motion = SkeletonMotion(skeleton, raw.times, poses)
    return Rig(skeleton, motion, surface, weights)


def _skin(raw: RawRig, order: list[int], scale: float) -> tuple[Surface | None, Array | None]:
    """The surface and its weights, if there are any."""
    if raw.points is None or raw.weights is None or raw.faces is None:
        return None, None
    weights = raw.weights[:, order]
    total = weights.sum(axis=1, keepdims=True)
    bare = np.flatnonzero(total[:, 0] <= 0.0)
    if len(bare):
        raise ValueError(
            f"point {bare[0]} of the skin follows no bone; expected weights that sum to 1 at every point"
        )
    return Surface.of(scale * raw.points, raw.faces), weights / total


def _reach(skeleton: Skeleton, points: Array, weights: Array) -> Array:
    """Tails (b, 3) [m]: bones on which none hang end where the points end that follow them most."""
    tails, leading = skeleton.tails.copy(), weights.argmax(axis=1)
    for i in np.setdiff1d(np.arange(len(skeleton)), skeleton.parents):
        arms = points[leading == i] - skeleton.joints[i]
        if not len(arms):
            continue
        middle = arms.mean(axis=0)
        length = float(np.linalg.norm(middle))
        if length > ASIDE * np.linalg.norm(arms, axis=1).max():
            tails[i] = skeleton.joints[i] + (arms @ middle).max() / length**2 * middle
    return np.asarray(tails)


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
