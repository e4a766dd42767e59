"""Secondary motion: bodies that jiggle after bones, and rest on cue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.bodies import Deformable
from pliant.errors import check_positive, is_finite, shown
from pliant.given import check_dt
from pliant.mesh import in_space
from pliant.scene import Scene

from .eigenskin import EigenSkin
from .motion import SkeletonMotion
from .skeleton import Array, Skeleton
from .skinning import LinearSkin

#: Bones that move by less than this share of their place between two steps stand still.
STILL = 1e-12


def on_bones(skeleton: Skeleton, points: Any, radius: float, *, gap: float = 0.0) -> Array:
    """The bone within whose `radius` [m] each point (n, d) is, the nearest; -1 if there is none, (n,).

    gap [m]: what is nearer than that to a joint between two bones is on none, so that it can bend. A
    bone around which there is no point is refused.
    """
    check_positive("on_bones", "radius", radius, "m")
    if not (is_finite(gap) and gap >= 0.0):
        raise ValueError(f"on_bones: got gap={shown(gap)}; expected a length from 0 [m]")
    x = in_space(np.asarray(points, dtype=float))
    away = skeleton.distances(x)
    nearest = away.argmin(axis=1)
    found = np.where(away.min(axis=1) <= radius, nearest, -1)
    between = skeleton.joints[skeleton.parents >= 0]
    if gap and len(between):
        found[cKDTree(between).query(x)[0] < gap] = -1
    for i in np.flatnonzero((skeleton.joints != skeleton.tails).any(axis=1)):
        if not (found == i).any():
            raise ValueError(
                f"on_bones: no point is within radius={radius:g} m of bone {skeleton.names[i]!r} and "
                f"nearest to it; the nearest is {away[:, i].min():.3g} m away. Expected a larger "
                "radius, finer cells, or bones inside of the body"
            )
    return np.asarray(found)


def drive(
    body: Deformable,
    skeleton: Skeleton,
    motion: SkeletonMotion,
    *,
    radius: float,
    gap: float = 0.0,
    skin: LinearSkin | EigenSkin | None = None,
) -> Array:
    """Let bones lead what is within `radius` [m] of them; the rest of the body jiggles after it.

    What is within `gap` [m] of a joint between two bones is free, so that it can bend. The points of
    each bone are driven pins: they move as it does, rigidly. Returns their mask (n,). Under `pl.Settle`
    the clock starts when the bones stand still. The body begins in the first pose of the motion, placed
    by `skin` if it is given.

        pl.shape.drive(body, skeleton, motion, radius=0.05)
        body.damping = pl.Settle(rest_in=0.5, bounces=2)
    """
    _require("drive", body, motion, skeleton)
    x = body.mesh.points
    bone = on_bones(skeleton, x, radius, gap=gap)
    led = np.flatnonzero(bone >= 0)
    own, arms = bone[led], in_space(x[led])

    def path(time: float) -> Array:
        maps = motion.at(time)[own]
        return np.asarray(
            (np.einsum("nij,nj->ni", maps[..., :3], arms) + maps[..., 3])[:, : body.dim]
        )

    start = x.copy() if skin is None else skin(motion.at(0.0))
    start[led] = path(0.0)
    body.place(start)
    body.move(led, path)
    return np.asarray(bone >= 0)


def carry(
    body: Deformable,
    skin: LinearSkin | EigenSkin,
    motion: SkeletonMotion,
    *,
    dt: float = 1.0 / 60.0,
) -> None:
    """Let a body at rest feel what the skin's motion does to it, as seen by each point: - m R^T a.

    For bodies in few coordinates, whose pins cannot move apart: the body stays in the rest pose, with
    the points of its bones fixed, and is pushed by the force of inertia of where the skin would take
    each of its points. What it answers is a displacement at rest, which the skin carries along:

        soft = pl.Subspace(body, basis=skin.basis)
        pl.shape.carry(soft, skin, motion)
        take = pl.Scene([soft]).run(seconds=2)
        x = skin(motion.at(t), take.positions[frame] - mesh.points)

    R: the rotation of each point, a [m/s^2]: its acceleration, the mean around each moment over dt [s]:
    give the step of the run, so that nothing of a sudden stop is left out. No force is left when the
    bones stand still, so that it rests where the skin is, on cue.
    """
    _require("carry", body, motion, skin.skeleton)
    if len(skin) != len(body):
        raise ValueError(
            f"carry: the skin has {len(skin)} points and the body {len(body)}; expected a skin of "
            "body.mesh.points"
        )
    force = _inertia(body, skin, motion, check_dt("carry", dt))
    body.push(force=force, on=np.arange(len(body)))


def _inertia(
    body: Deformable, skin: LinearSkin | EigenSkin, motion: SkeletonMotion, dt: float
) -> Callable[[float], Array]:
    m = body.masses[:, None]

    def force(time: float) -> Array:
        before, now, after = (motion.at(time + k * dt) for k in (-1, 0, 1))
        # Times are rounded: what moves by less than that stands still.
        if max(np.abs(before - now).max(), np.abs(after - now).max()) < STILL * np.abs(now).max():
            return np.zeros((len(body), body.dim))
        a = in_space(skin(before) - 2.0 * skin(now) + skin(after)) / dt**2
        own = np.einsum("nji,nj->ni", skin.maps(now), a)
        return np.asarray(-m * own[:, : body.dim])

    return force


def rest_shapes(
    body: Deformable,
    skin: LinearSkin,
    poses: Any,
    *,
    radius: float,
    gap: float = 0.0,
    gravity: Any = None,
) -> Array:
    """Where a body is at rest in poses (k, b, 3, 4), its bones being held: (k, n, d) [m].

    What is within `radius` [m] of a bone moves with it. For `EigenSkin.fit`. The body is left as it was.
    """
    skeleton = skin.skeleton
    still = SkeletonMotion(skeleton, [0.0], [skeleton.rest])
    _require("rest_shapes", body, still, skeleton)
    bone = on_bones(skeleton, body.mesh.points, radius, gap=gap)
    held, known = bone >= 0, body.pins
    if known.mask.any():
        raise ValueError(
            f"rest_shapes: {body.name} has pins already; expected a body that only the bones hold"
        )
    before, found = body.state, []
    try:
        for pose in poses:
            maps = skeleton.accept(pose, "rest_shapes")
            x, own = skin(maps), maps[bone[held]]
            arms = in_space(body.mesh.points[held])
            moved = np.einsum("nij,nj->ni", own[..., :3], arms) + own[..., 3]
            x[held] = moved[:, : body.dim]
            body.place(x)
            body.fix(held)
            found.append(Scene([body], gravity=gravity).equilibrium().positions[0])
    finally:
        body.release()
        body.take_up(before)
    return np.array(found)


def _require(who: str, body: Any, motion: Any, skeleton: Any) -> None:
    if not isinstance(body, Deformable):
        raise TypeError(f"{who}: got {shown(body)}; expected a body, such as pl.Body")
    if not isinstance(motion, SkeletonMotion) or not isinstance(skeleton, Skeleton):
        raise TypeError(
            f"{who}: got {type(skeleton).__name__} and {type(motion).__name__}; expected a "
            "pl.shape.Skeleton and a pl.shape.SkeletonMotion of it"
        )
    if motion.skeleton is not skeleton and len(motion.skeleton) != len(skeleton):
        raise ValueError(f"{who}: the motion is of another skeleton; expected one of {skeleton!r}")
