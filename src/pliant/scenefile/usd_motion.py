"""Paths of points from the animation of a prim in a USD file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.given import interpolated


def usd_path(file: Path, prim: str, start: np.ndarray) -> Callable[[float], np.ndarray]:
    """Where the points that start there [m], (k, d), are led by a prim at a time [s].

    Animated points: each of ours moves as the nearest of them does, with the prim's transform.
    Otherwise the transform alone leads ours, rigidly or not. Time 0 is the start of the stage, its
    metres per unit count; its up axis does not: axes are the scene's.
    """
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        raise ValueError("USD animations need usd-core: pip install 'pliant[usd]'") from None
    try:
        stage = Usd.Stage.Open(str(file))
    except Exception as error:  # pxr.Tf.ErrorException, whose text has several lines
        raise ValueError(
            f"{file.name} cannot be read as USD: {str(error).splitlines()[-1]}"
        ) from None
    found = stage.GetPrimAtPath(prim) if prim.startswith("/") else None
    if not found:
        names = [str(p.GetPath()) for p in stage.Traverse() if p.IsA(UsdGeom.Xformable)][:8]
        raise ValueError(f"got {prim!r}; {file.name} has {', '.join(names) or 'no such prims'}")
    unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    rate = float(stage.GetTimeCodesPerSecond())
    points = UsdGeom.PointBased(found).GetPointsAttr() if found.IsA(UsdGeom.PointBased) else None
    codes = _codes(found, points, UsdGeom)
    if not codes:
        raise ValueError(f"{prim} of {file.name} does not move; expected time samples of its points "
                         "or of its transform")  # fmt: skip
    first = float(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else codes[0]
    times = (np.array(codes) - first) / rate
    matrices = [_matrix(found, code, UsdGeom, unit) for code in codes]
    x = np.zeros((len(start), 3))
    x[:, : start.shape[1]] = start
    if points is not None and points.GetNumTimeSamples():
        keys = _led_by_points(x, [unit * np.array(points.Get(c)) for c in codes], matrices)
    else:
        keys = _led_by_transform(x, matrices)
    return partial(interpolated, times, keys[:, :, : start.shape[1]])


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
