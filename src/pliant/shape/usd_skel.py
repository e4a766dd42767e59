"""Skeletons, motion and skins in USD files, by UsdSkel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pliant.boundary import open_usd
from pliant.errors import optional

from .rig import RawRig

Array = np.ndarray


def read_usd(file: Path) -> RawRig:
    """The rig of the first skeleton of a stage, in metres."""
    optional("pxr", "skeletons in USD files", "usd", "usd-core")
    from pxr import Usd, UsdGeom, UsdSkel

    stage = open_usd(file)
    roots = [prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    cache = UsdSkel.Cache()
    found = None
    for prim in roots:
        root = UsdSkel.Root(prim)
        cache.Populate(root, Usd.PrimDefaultPredicate)
        inside = [p for p in Usd.PrimRange(prim) if p.IsA(UsdSkel.Skeleton)]
        bindings = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
        first = [(b.GetSkeleton(), b.GetSkinningTargets()) for b in bindings]
        first += [(UsdSkel.Skeleton(p), []) for p in inside]
        if first:
            skeleton, targets = first[0]
            found = skeleton, cache.GetSkelQuery(skeleton), targets
            break
    if found is None or not found[1]:
        raise ValueError(
            f"{file.name} has no skeleton; expected a SkelRoot with a Skeleton below it"
        )
    skeleton, query, targets = found
    unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    names = [str(name) for name in query.GetJointOrder()]
    parents = [int(p) for p in query.GetTopology().GetParentIndices()]
    bind = _in_metres(_columns(query.GetJointWorldBindTransforms()), unit)
    above = _in_metres(_columns([_world(skeleton, Usd.TimeCode.EarliestTime(), UsdGeom)]), unit)[0]
    raw: dict[str, Any] = {
        "names": [n.rpartition("/")[2] for n in names],
        "parents": parents,
        "bind": bind,
        "above": above,
        "rest": above @ _rest(query, bind, unit),
    }
    motion = _motion(stage, skeleton, query, unit, UsdGeom)
    return RawRig(**raw, **motion, **_skin(targets, names, unit, UsdGeom))


def _columns(matrices: Any) -> Array:
    """USD's matrices, whose rows are axes, as maps of columns, (b, 4, 4)."""
    return np.array([np.array(m).T for m in matrices], dtype=float).reshape(-1, 4, 4)


def _in_metres(maps: Array, unit: float) -> Array:
    """Maps (..., 3 or 4, 4) whose shifts were in units of the file."""
    maps[..., :3, 3] *= unit
    return maps


def _world(skeleton: Any, code: Any, geom: Any) -> Any:
    """USD's matrix that takes what belongs to a skeleton to the world."""
    return geom.Xformable(skeleton.GetPrim()).ComputeLocalToWorldTransform(code)


def _rest(query: Any, bind: Array, unit: float) -> Array:
    """Where bones are in the space of the skeleton if nothing moves them, (b, 4, 4)."""
    if not query.HasRestPose():
        return bind
    return _in_metres(_columns(query.ComputeJointSkelTransforms(0.0, atRest=True)), unit)


def _motion(stage: Any, skeleton: Any, query: Any, unit: float, geom: Any) -> dict[str, Any]:
    """Times [s] and maps from bind to the world, if joints or what holds them are animated."""
    animation = query.GetAnimQuery()
    samples = set(animation.GetJointTransformTimeSamples()) if animation else set()
    prim = skeleton.GetPrim()
    while prim:
        if prim.IsA(geom.Xformable):
            samples |= set(geom.Xformable(prim).GetTimeSamples())
        prim = prim.GetParent()
    if not samples:
        return {}
    codes = sorted(samples)
    poses = np.stack(
        [
            _columns([_world(skeleton, code, geom)])
            @ _columns(query.ComputeSkinningTransforms(code))
            for code in codes
        ]
    )
    first = float(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else codes[0]
    times = (np.array(codes) - first) / float(stage.GetTimeCodesPerSecond())
    return {"times": times, "poses": _in_metres(poses, unit)[:, :, :3]}


def _skin(targets: list[Any], names: list[str], unit: float, geom: Any) -> dict[str, Any]:
    """All meshes that the skeleton moves, as one."""
    points, faces, weights, count = [], [], [], 0
    for target in targets:
        if not target.GetPrim().IsA(geom.Mesh):
            continue
        mesh = geom.Mesh(target.GetPrim())
        own = np.array(mesh.GetPointsAttr().Get() or (), dtype=float).reshape(-1, 3)
        if not len(own):
            continue
        bind = np.array(target.GetGeomBindTransform())
        own = own @ bind[:3, :3] + bind[3, :3]
        index, weight = (np.array(v) for v in target.ComputeVaryingJointInfluences(len(own))[-2:])
        order = target.GetJointOrder()  # None: that of the skeleton
        own_names = names if order is None else [str(name) for name in order]
        number = np.array([names.index(name) for name in own_names])
        whole = np.zeros((len(own), len(names)))
        rows = np.repeat(np.arange(len(own)), target.GetNumInfluencesPerComponent())
        np.add.at(whole, (rows, number[index]), weight)
        sizes = np.array(mesh.GetFaceVertexCountsAttr().Get() or (), dtype=np.int64)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get() or (), dtype=np.int64) + count
        faces += np.split(corners, np.cumsum(sizes)[:-1]) if len(sizes) else []
        points.append(unit * own)
        weights.append(whole)
        count += len(own)
    if not points or not faces:
        return {}
    return {"points": np.concatenate(points), "faces": faces, "weights": np.concatenate(weights)}
