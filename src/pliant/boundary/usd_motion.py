"""Surfaces and motion from prims in a USD file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.given import interpolated
from pliant.mesh import Surface

USD_SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")


def usd_path(file: Path, prim: str, start: np.ndarray) -> Callable[[float], np.ndarray]:
    """Where the points that start there [m], (k, d), are led by a prim at a time [s]: see `usd_keys`."""
    return partial(interpolated, *usd_keys(file, prim, start))


def usd_keys(file: Path, prim: str, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times [s], (t,), and where points that start there [m], (k, d), are led by a prim, (t, k, d).

    Animated points: each of ours moves as the nearest of them does, with the prim's transform.
    Otherwise the transform alone leads ours, rigidly or not. Time 0 is the start of the stage, its
    metres per unit count; its up axis does not: axes are the scene's.
    """
    stage, found, geom = _opened(file, prim)
    points = geom.PointBased(found).GetPointsAttr() if found.IsA(geom.PointBased) else None
    codes = _codes(found, points, geom)
    if not codes:
        raise ValueError(f"{prim} of {file.name} does not move; expected time samples of its points "
                         "or of its transform")  # fmt: skip
    unit, times = float(geom.GetStageMetersPerUnit(stage)), _times(stage, codes)
    matrices = [_matrix(found, code, geom, unit) for code in codes]
    x = np.zeros((len(start), 3))
    x[:, : start.shape[1]] = start
    if points is not None and points.GetNumTimeSamples():
        keys = _led_by_points(x, [unit * np.array(points.Get(c)) for c in codes], matrices)
    else:
        keys = _led_by_transform(x, matrices)
    return times, keys[:, :, : start.shape[1]]


def usd_matrices(file: Path, prim: str, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Times [s], (t,), and the motion of a prim since the first as matrices, (t, dim + 1, dim + 1)."""
    times, keys = usd_keys(file, prim, np.concatenate([np.zeros((1, dim)), np.eye(dim)]))
    matrices = np.zeros((len(times), dim + 1, dim + 1))
    matrices[:, :dim, :dim] = np.swapaxes(keys[:, 1:] - keys[:, :1], 1, 2)
    matrices[:, :dim, dim], matrices[:, dim, dim] = keys[:, 0], 1.0
    return times, matrices


def usd_surface(file: Path, prim: str | None) -> tuple[Surface, Any]:
    """The surface of a mesh prim, by default of the only one, and (times, positions) if it moves."""
    stage, found, geom = _opened(file, prim)
    if not found.IsA(geom.Mesh):
        raise ValueError(f"{found.GetPath()} of {file.name} is no mesh; expected the path of one")
    mesh, points = geom.Mesh(found), geom.Mesh(found).GetPointsAttr()
    codes = _codes(found, points, geom)
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get() or (), dtype=np.int64)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get() or (), dtype=np.int64)
    first = [codes[0] if codes else 0.0]
    if not len(counts) or points.Get(first[0]) is None:
        raise ValueError(f"{found.GetPath()} of {file.name} has no faces; expected a mesh")
    world = _world(stage, found, geom, codes or first)
    faces = np.split(corners, np.cumsum(counts)[:-1])
    surface = Surface.of(world[0], faces)
    return surface, (_times(stage, codes), np.stack(world)) if len(codes) > 1 else None


def usd_samples(file: Path, prim: str | None) -> tuple[np.ndarray, float, np.ndarray]:
    """Time codes, their number in a second, and points in the world (codes, points, 3) [m].

    Of a mesh, curves or points; by default of the only mesh. Refuses points that do not move.
    """
    stage, found, geom = _opened(file, prim)
    if not found.IsA(geom.PointBased):
        raise ValueError(
            f"{found.GetPath()} of {file.name} has no points; expected a mesh or curves"
        )
    codes = _codes(found, geom.PointBased(found).GetPointsAttr(), geom)
    if len(codes) < 2:
        raise ValueError(f"{found.GetPath()} of {file.name} does not move; expected time samples")
    world = _world(stage, found, geom, codes)
    if len({len(x) for x in world}) > 1:
        raise ValueError(
            f"{found.GetPath()} of {file.name}: its number of points changes over time; expected the "
            "same in every frame"
        )
    return np.array(codes), float(stage.GetTimeCodesPerSecond()), np.stack(world)


def _world(stage: Any, prim: Any, geom: Any, codes: list[float]) -> list[np.ndarray]:
    """Where the points of a prim are in the world at time codes [m], (points, 3) each."""
    points, unit = geom.PointBased(prim).GetPointsAttr(), float(geom.GetStageMetersPerUnit(stage))
    matrices = [_matrix(prim, code, geom, unit) for code in codes]
    each = [unit * np.array(points.Get(code), dtype=float) for code in codes]
    return [x @ m[:3, :3] + m[3, :3] for x, m in zip(each, matrices, strict=True)]


def open_usd(file: Path) -> Any:
    """The stage of a file; `pxr` must be installed."""
    from pxr import Usd

    try:
        return Usd.Stage.Open(str(file))
    except Exception as error:  # pxr.Tf.ErrorException, whose text has several lines
        raise ValueError(
            f"{file.name} cannot be read as USD: {str(error).splitlines()[-1]}"
        ) from None


def _opened(file: Path, prim: str | None) -> tuple[Any, Any, Any]:
    """The stage, the prim of a path, by default the only mesh, and `UsdGeom`."""
    try:
        from pxr import UsdGeom
    except ImportError:
        raise ValueError("USD animations need usd-core: pip install 'pliant[usd]'") from None
    stage = open_usd(file)
    if prim is None:
        meshes = [p for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
        if len(meshes) != 1:
            known = ", ".join(str(p.GetPath()) for p in meshes[:8])
            raise ValueError(f"{file.name} has {known or 'no mesh'}; expected prim = one of them")
        return stage, meshes[0], UsdGeom
    found = stage.GetPrimAtPath(prim) if prim.startswith("/") else None
    if not found:
        names = [str(p.GetPath()) for p in stage.Traverse() if p.IsA(UsdGeom.Xformable)][:8]
        raise ValueError(f"got {prim!r}; {file.name} has {', '.join(names) or 'no such prims'}")
    return stage, found, UsdGeom


def _times(stage: Any, codes: list[float]) -> np.ndarray:
    """Time codes as seconds since the stage starts."""
    rate = float(stage.GetTimeCodesPerSecond())
    first = float(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else codes[0]
    return (np.array(codes) - first) / rate


def _codes(prim: Any, points: Any, geom: Any) -> list[float]:
    """The time codes at which the prim, or one it hangs below, is keyed."""
    codes = set(points.GetTimeSamples()) if points is not None else set()
    while prim and prim.IsA(geom.Xformable):
        codes |= set(geom.Xformable(prim).GetTimeSamples())
        prim = prim.GetParent()
    return sorted(codes)


def _matrix(prim: Any, code: float, geom: Any, unit: float) -> np.ndarray:
    """The transform to the world at a time code; rows are axes, as USD has it, in metres."""
    matrix = np.array(geom.Xformable(prim).ComputeLocalToWorldTransform(code))
    matrix[3, :3] *= unit
    return matrix


def _led_by_points(
    x: np.ndarray, samples: list[np.ndarray], matrices: list[np.ndarray]
) -> np.ndarray:
    if len({len(s) for s in samples}) > 1:
        raise ValueError("its number of points changes over time; expected the same in every frame")
    world = [s @ m[:3, :3] + m[3, :3] for s, m in zip(samples, matrices, strict=True)]
    _, nearest = cKDTree(world[0]).query(x)
    return np.stack([x + w[nearest] - world[0][nearest] for w in world])


def _led_by_transform(x: np.ndarray, matrices: list[np.ndarray]) -> np.ndarray:
    back = np.linalg.inv(matrices[0])
    whole = [back @ m for m in matrices]
    return np.stack([x @ m[:3, :3] + m[3, :3] for m in whole])
