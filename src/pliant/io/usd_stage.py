"""The stage of a take in USD. Imported when one is written: `pxr` is an optional package."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Sdf, Tf, Usd, UsdGeom, Vt

from pliant import __version__
from pliant.mesh import Surface
from pliant.take import Take, Topology, Track, at_frame, progress_bar

from .facets import Facets
from .shading import Shading
from .shown import up_axis
from .shown_obstacles import ShownObstacle, shown_obstacles
from .surfaces import Floats, frame_rate, unique_names
from .usd_deformable import PROPOSAL, add_simulation
from .usd_materials import add_look, facts_of, tell_matter

_BYTES_AT_ONCE = 64e6  # bytes of samples in memory before they go to the file
_LINE_WIDTH = 1 / 200  # of lines, as a share of the body's size


def write_stage(take: Take, path: Path, name: str, *, deformable: bool = False) -> None:
    """Write a take to a file; name: that of the prim around its bodies. deformable: see `save_usd`."""
    stage = Usd.Stage.CreateNew(str(path))
    root = UsdGeom.Xform.Define(stage, "/" + Tf.MakeValidIdentifier(name))
    stage.SetDefaultPrim(root.GetPrim())
    _describe(stage, take, deformable)
    around = shown_obstacles(take)
    given = [track.name for track in take.tracks] + [obstacle.name for obstacle in around]
    names = unique_names([Tf.MakeValidIdentifier(name) for name in given])
    paths = [root.GetPath().AppendChild(name) for name in names]
    if deformable:
        inside = [_inside(stage, p, take, i) for i, p in enumerate(paths[: len(take.tracks)])]
        paths[: len(take.tracks)] = inside
    prims = [_prim(stage, p, track) for p, track in zip(paths, take.tracks, strict=False)]
    for i, drawn in enumerate(prims):
        tell_matter(add_look(stage, drawn.prim, i), facts_of(take, i))
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


def _inside(stage: Usd.Stage, path: Any, take: Take, number: int) -> Any:
    """Make a body a prim with its cells in it. Returns the path of what is drawn, beside these."""
    UsdGeom.Xform.Define(stage, path)
    add_simulation(stage, path, take, number)
    return path.AppendChild("surface")


class _Mesh:
    """The prim of one body. Where it is cut its faces are written anew, for the frames from there on."""

    def __init__(self, stage: Usd.Stage, path: Any, track: Track):
        self._topologies, self._now = track.topologies, -1
        self._mesh = self.prim = _new_mesh(stage, path, two_sided=track.mesh.cell_dim == 2)
        self._shading: Shading
        primvars = UsdGeom.PrimvarsAPI(self._mesh)
        self._uv = None
        if track.skin.surface.uv is not None:
            kind = Sdf.ValueTypeNames.TexCoord2fArray
            self._uv = primvars.CreatePrimvar("st", kind, UsdGeom.Tokens.faceVarying)
        self._normals = _normals(self._mesh)
        _name(self._mesh, track)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        own, number = _topology(self._topologies, frame)
        if number != self._now:
            self._turn_to(
                own, number, time if len(self._topologies) > 1 else Usd.TimeCode.Default()
            )
        x, v = own.positions[frame - own.first], own.velocities[frame - own.first]
        points, velocities = (own.skin.positions(y).astype(np.float32) for y in (x, v))
        written = _move(self._mesh, points, velocities, time)
        return written + _set(self._normals, self._shading.normals(x), time)

    def _turn_to(self, own: Topology, number: int, time: Usd.TimeCode) -> None:
        """Write the faces of a topology, from a time on."""
        surface, self._now = own.skin.surface, number
        self._shading = Shading(own.skin, own.mesh)
        _set_faces(self._mesh, surface, time)
        if self._uv is not None and surface.uv is not None:
            self._uv.Set(Vt.Vec2fArray.FromNumpy(surface.uv.astype(np.float32)), time)
        self._normals.SetIndices(Vt.IntArray.FromNumpy(self._shading.index.astype(np.int32)), time)


class _UsdLines:
    """The prim of one body of lines, each a curve of its own: as a mesh they would be invisible."""

    def __init__(self, stage: Usd.Stage, path: Any, track: Track):
        self._topologies, self._now = track.topologies, -1
        self._order: np.ndarray
        self._curves = self.prim = curves = UsdGeom.BasisCurves.Define(stage, path)
        curves.CreateTypeAttr(UsdGeom.Tokens.linear)
        curves.CreateWidthsAttr([_LINE_WIDTH * track.mesh.size])
        curves.SetWidthsInterpolation(UsdGeom.Tokens.constant)
        _name(curves, track)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        own, number = _topology(self._topologies, frame)
        if number != self._now:
            self._now, ends = number, own.skin.surface.lines
            assert ends is not None
            self._order = ends.ravel()
            since = time if len(self._topologies) > 1 else Usd.TimeCode.Default()
            self._curves.CreateCurveVertexCountsAttr().Set(Vt.IntArray(len(ends), 2), since)
        both = (own.positions[frame - own.first], own.velocities[frame - own.first])
        points, velocities = (own.skin.positions(y).astype(np.float32)[self._order] for y in both)
        return _move(self._curves, points, velocities, time)


def _topology(topologies: Sequence[Topology], frame: int) -> tuple[Topology, int]:
    """The one that a frame has, and its number."""
    own = at_frame(topologies, frame)
    return own, topologies.index(own)


def _prim(stage: Usd.Stage, path: Any, track: Track) -> _Mesh | _UsdLines:
    lines = track.skin.surface.lines is not None
    return _UsdLines(stage, path, track) if lines else _Mesh(stage, path, track)


class _Obstacle:
    """The prim of one obstacle."""

    def __init__(self, stage: Usd.Stage, path: Any, obstacle: ShownObstacle):
        self._obstacle, self._facets = obstacle, Facets.of(obstacle.surface)
        surface = obstacle.surface
        self._mesh = mesh = _new_mesh(stage, path, two_sided=obstacle.two_sided)
        _set_faces(mesh, surface, Usd.TimeCode.Default())
        mesh.CreateDisplayColorAttr([obstacle.rgb])
        index = np.zeros(len(surface.corners), dtype=np.int32)
        index[surface.triangles] = self._facets.triangles
        self._normals = _normals(mesh)
        self._normals.SetIndices(Vt.IntArray.FromNumpy(index))
        mesh.GetPrim().SetDisplayName(obstacle.name)

    def write(self, frame: int, time: Usd.TimeCode) -> int:
        """Write one frame; returns its bytes."""
        x = self._obstacle.points_at(frame)
        points = x.astype(np.float32)
        extent = np.stack([points.min(axis=0), points.max(axis=0)])
        normals = self._facets.normals(x).astype(np.float32)
        samples = [(self._mesh.CreatePointsAttr(), points), (self._mesh.CreateExtentAttr(), extent)]
        return sum(_set(a, v, time) for a, v in (*samples, (self._normals, normals)))


def _new_mesh(stage: Usd.Stage, path: Any, *, two_sided: bool) -> Any:
    """A mesh prim without faces."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(two_sided)
    return mesh


def _set_faces(mesh: Any, surface: Surface, time: Usd.TimeCode) -> None:
    """Give a mesh prim the faces of a surface, from a time on."""
    sizes, corners = (a.astype(np.int32) for a in (surface.sizes, surface.corners))
    mesh.CreateFaceVertexCountsAttr().Set(Vt.IntArray.FromNumpy(sizes), time)
    mesh.CreateFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(corners), time)


def _normals(mesh: Any) -> Any:
    """The normals of a mesh prim, which have indices: that of each corner of a face."""
    # The primvar and not the attribute `normals`, because only primvars share values by index.
    kind = Sdf.ValueTypeNames.Normal3fArray
    return UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("normals", kind, UsdGeom.Tokens.faceVarying)


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


def _describe(stage: Usd.Stage, take: Take, deformable: bool) -> None:
    """Say what one unit of time and space is, and who wrote the file."""
    rate = frame_rate(take)
    UsdGeom.SetStageUpAxis(stage, "XYZ"[up_axis(take)])
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(take) - 1)
    asked = [t.asked["rest_in"] for t in take.tracks if t.asked.get("rest_in") is not None]
    about: dict[str, Any] = {"version": __version__, "dt": take.dt} | (
        {"rest_in": max(asked)} if asked else {}
    )
    if deformable:
        about |= {"deformable_schema": PROPOSAL}
    stage.GetRootLayer().customLayerData = {"pliant": about, "creator": f"pliant {__version__}"}
