"""The stage of a take in USD. Imported when one is written: `pxr` is an optional package."""

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Sdf, Tf, Usd, UsdGeom, Vt

from pliant import __version__
from pliant.mesh import Surface
from pliant.take import Take, Track, progress_bar

from .facets import Facets
from .shading import Shading
from .shown import up_axis
from .shown_obstacles import ShownObstacle, shown_obstacles
from .surfaces import Floats, frame_rate, points_at, unique_names, velocities_at

_BYTES_AT_ONCE = 64e6  # bytes of samples in memory before they go to the file
_LINE_WIDTH = 1 / 200  # of lines, as a share of the body's size


def write_stage(take: Take, path: Path, name: str) -> None:
    """Write a take to a file; name: that of the prim around its bodies."""
    stage = Usd.Stage.CreateNew(str(path))
    root = UsdGeom.Xform.Define(stage, "/" + Tf.MakeValidIdentifier(name))
    stage.SetDefaultPrim(root.GetPrim())
    _describe(stage, take)
    around = shown_obstacles(take)
    given = [track.name for track in take.tracks] + [obstacle.name for obstacle in around]
    names = unique_names([Tf.MakeValidIdentifier(name) for name in given])
    paths = [root.GetPath().AppendChild(name) for name in names]
    prims = [_prim(stage, p, track) for p, track in zip(paths, take.tracks, strict=False)]
    moving = []
    for p, obstacle in zip(paths[len(prims) :], around, strict=True):
        prim = _Obstacle(stage, p, obstacle)
        if obstacle.moves and len(take) > 1:
            moving.append(prim)
        else:
            prim.write(0, Usd.TimeCode.Default())
    waiting = 0.0
    with progress_bar(len(take), f"{name}{path.suffix}") as advance:
        for frame in range(len(take)):
            time = Usd.TimeCode(frame) if len(take) > 1 else Usd.TimeCode.Default()
            waiting += sum(prim.write(frame, time) for prim in (*prims, *moving))
            # A crate file takes samples as they come; text would be written anew every time.
            if waiting > _BYTES_AT_ONCE and path.suffix.lower() != ".usda":
                stage.Save()
                waiting = 0.0
            advance()
    stage.Save()


class _Mesh:
    """The prim of one body."""

    def __init__(self, stage: Usd.Stage, path: Any, track: Track):
        self._track, surface = track, track.skin.surface
        self._mesh = mesh = _faces(stage, path, surface, two_sided=track.mesh.cell_dim == 2)
        if surface.uv is not None:
            uv = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
                "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.faceVarying
            )
            uv.Set(Vt.Vec2fArray.FromNumpy(surface.uv.astype(np.float32)))
        self._shading = Shading(track)
        self._normals = _normals(mesh, self._shading.index)
        _name(mesh, track)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        points, velocities = points_at(self._track, frame), velocities_at(self._track, frame)
        written = _move(self._mesh, points, velocities, time)
        return written + _set(self._normals, self._shading.normals(frame), time)


class _UsdLines:
    """The prim of one body of lines, each a curve of its own: as a mesh they would be invisible."""

    def __init__(self, stage: Usd.Stage, path: Any, track: Track, ends: np.ndarray):
        self._track, self._order = track, ends.ravel()
        self._curves = curves = UsdGeom.BasisCurves.Define(stage, path)
        curves.CreateTypeAttr(UsdGeom.Tokens.linear)
        curves.CreateCurveVertexCountsAttr(Vt.IntArray(len(ends), 2))
        curves.CreateWidthsAttr([_LINE_WIDTH * track.mesh.size])
        curves.SetWidthsInterpolation(UsdGeom.Tokens.constant)
        _name(curves, track)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        points, velocities = points_at(self._track, frame), velocities_at(self._track, frame)
        return _move(self._curves, points[self._order], velocities[self._order], time)


def _prim(stage: Usd.Stage, path: Any, track: Track) -> _Mesh | _UsdLines:
    ends = track.skin.surface.lines
    return _Mesh(stage, path, track) if ends is None else _UsdLines(stage, path, track, ends)


class _Obstacle:
    """The prim of one obstacle."""

    def __init__(self, stage: Usd.Stage, path: Any, obstacle: ShownObstacle):
        self._obstacle, self._facets = obstacle, Facets.of(obstacle.surface)
        surface = obstacle.surface
        self._mesh = mesh = _faces(stage, path, surface, two_sided=obstacle.two_sided)
        mesh.CreateDisplayColorAttr([obstacle.rgb])
        index = np.zeros(len(surface.corners), dtype=np.int32)
        index[surface.triangles] = self._facets.triangles
        self._normals = _normals(mesh, index)
        mesh.GetPrim().SetDisplayName(obstacle.name)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        x = self._obstacle.points_at(frame)
        points = x.astype(np.float32)
        extent = np.stack([points.min(axis=0), points.max(axis=0)])
        normals = self._facets.normals(x).astype(np.float32)
        samples = [(self._mesh.CreatePointsAttr(), points), (self._mesh.CreateExtentAttr(), extent)]
        return sum(_set(a, v, time) for a, v in (*samples, (self._normals, normals)))


def _faces(stage: Usd.Stage, path: Any, surface: Surface, *, two_sided: bool) -> Any:
    """A mesh prim with the faces of a surface, and no points yet."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(surface.sizes.astype(np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(surface.corners.astype(np.int32)))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(two_sided)
    return mesh


def _normals(mesh: Any, index: np.ndarray) -> Any:
    """The normals of a mesh prim; index: that of each corner of a face."""
    # The primvar and not the attribute `normals`, because only primvars share values by index.
    normals = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
        "normals", Sdf.ValueTypeNames.Normal3fArray, UsdGeom.Tokens.faceVarying
    )
    normals.SetIndices(Vt.IntArray.FromNumpy(index.astype(np.int32)))
    return normals


def _name(prim: Any, track: Track) -> None:
    """Give a prim the name of a body, and what was asked of it."""
    prim.GetPrim().SetDisplayName(track.name)
    for key, wish in track.asked.items():
        if wish is None:  # which USD does not have
            continue
        many, kinds = isinstance(wish, list), Sdf.ValueTypeNames
        attribute = prim.GetPrim().CreateAttribute(  # Blender shows these as properties
            f"userProperties:{key}", kinds.DoubleArray if many else kinds.Double
        )
        attribute.Set(wish if many else float(wish))


def _move(prim: Any, points: Floats, velocities: Floats, time: Usd.TimeCode) -> int:
    """Write where a prim is in one frame; returns the bytes."""
    extent = np.stack([points.min(axis=0), points.max(axis=0)])
    samples: list[tuple[Any, Floats]] = [
        (prim.CreatePointsAttr(), points),
        (prim.CreateExtentAttr(), extent),
        (prim.CreateVelocitiesAttr(), velocities),
    ]
    return sum(_set(attribute, values, time) for attribute, values in samples)


def _set(attribute: Any, values: Floats, time: Usd.TimeCode) -> int:
    attribute.Set(Vt.Vec3fArray.FromNumpy(values), time)
    return values.nbytes


def _describe(stage: Usd.Stage, take: Take) -> None:
    """Say what one unit of time and space is, and who wrote the file."""
    rate = frame_rate(take)
    UsdGeom.SetStageUpAxis(stage, "XYZ"[up_axis(take)])
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(take) - 1)
    asked = [t.asked["rest_in"] for t in take.tracks if t.asked.get("rest_in") is not None]
    about = {"version": __version__, "dt": take.dt} | ({"rest_in": max(asked)} if asked else {})
    stage.GetRootLayer().customLayerData = {"pliant": about, "creator": f"pliant {__version__}"}
