"""What simulates a body, in the schema that OpenUSD's proposal 111 describes so far.

The schema is a draft and no release of USD registers it, so that its names are written as they are.
`PROPOSAL` says which revision: the document of 5d89c0ed, and from 63c74d79 what arrays of masses and
thicknesses are of. A file says it too, and one of another revision is read as far as names agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pxr import Sdf, Usd, UsdGeom, UsdShade, Vt

from pliant.mesh import Mesh
from pliant.take import Take, Track

from .usd_materials import constants, facts_of

#: The revision of the proposal that is written.
PROPOSAL = "OpenUSD-proposals/111@63c74d79"
BODY = "PhysicsDeformableBodyAPI"
VOLUME, SURFACE = "PhysicsVolumeDeformableSimAPI", "PhysicsSurfaceDeformableSimAPI"
_MATERIAL = {s: s.replace("SimAPI", "MaterialAPI") for s in (VOLUME, SURFACE)}
#: Cells of more corners as simplices.
_SPLIT = {
    "tet4": ((0, 1, 2, 3),),
    "hex8": tuple((0, a, b, 6) for a, b in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1))),
    "tri3": ((0, 1, 2),),
    "quad4": ((0, 1, 2), (0, 2, 3)),
}
_KINDS = Sdf.ValueTypeNames
SIMULATION = "simulation"


def _simplices(track: Track, mesh: Mesh) -> np.ndarray:
    """The tetrahedra (k, 4) or triangles (k, 3) that a body is made of."""
    kinds = [kind for kind, cells in mesh.cells.items() if len(cells)]
    if mesh.dim != 3 or mesh.cell_dim == 1 or not set(kinds) <= _SPLIT.keys():
        raise ValueError(
            f"--deformable: {track.name!r} is of {', '.join(kinds)} in {mesh.dim}D; expected linear "
            "tetrahedra, hexahedra, triangles or quads in space. Leave the option out to write what "
            "is drawn"
        )
    parts = [mesh.cells[kind][:, list(corners)] for kind in kinds for corners in _SPLIT[kind]]
    return np.concatenate(parts).astype(np.int32)


def add_simulation(stage: Usd.Stage, root: Any, take: Take, number: int) -> None:
    """Make a prim a deformable body: its cells at the start, their rest shape, masses and matter.

    The start is the first frame. Pins become attachments to where they are then.
    """
    track = take.tracks[number]
    own = track.topologies[0]
    cells = _simplices(track, own.mesh)
    api, path = (VOLUME if cells.shape[1] == 4 else SURFACE), root.AppendChild(SIMULATION)
    apply_api(stage.GetPrimAtPath(root), BODY, "PhysicsBodyAPI")
    prim = _geometry(stage, path, cells)
    x, v = np.asarray(own.positions[0]), np.asarray(own.velocities[0])
    prim.CreatePointsAttr(_vectors(x))
    prim.CreateVelocitiesAttr(_vectors(v))
    prim.CreateExtentAttr(_vectors(np.stack([x.min(axis=0), x.max(axis=0)])))
    prim.CreatePurposeAttr(UsdGeom.Tokens.guide)  # what is drawn is beside it
    apply_api(prim.GetPrim(), api)
    _set(prim, "physics:restShapePoints", _KINDS.Point3fArray, _vectors(own.mesh.points))
    _set(prim, "physics:masses", _KINDS.FloatArray, _numbers(own.masses))
    _set_token(prim, "physics:masses:elementType", "point")
    facts = constants(facts_of(take, number))
    if api is SURFACE:
        _set_token(prim, "physics:restBendAnglesDefault", "restShape")
    if api is SURFACE and facts.get("thickness", 0.0) > 0.0:
        thickness = _numbers(np.array([facts["thickness"]]))
        _set(prim, "physics:thicknesses", _KINDS.FloatArray, thickness)
        _set_token(prim, "physics:thicknesses:elementType", "constant")
    _bind_matter(stage, root, prim, api, facts)
    if own.pinned.any():
        _attach(stage, root, path, np.flatnonzero(own.pinned), x)


def apply_api(prim: Usd.Prim, *names: str) -> None:
    """Say that a prim has an API schema, also one that this USD does not know."""
    for name in names:
        prim.AddAppliedSchema(name)


def _geometry(stage: Usd.Stage, path: Any, cells: np.ndarray) -> Any:
    """The prim of the simplices that a body is made of."""
    if cells.shape[1] == 4:
        tets = UsdGeom.TetMesh.Define(stage, path)
        tets.CreateTetVertexIndicesAttr(Vt.Vec4iArray.FromNumpy(cells))
        return tets
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(cells), 3))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(cells.ravel()))
    return mesh


def _bind_matter(stage: Usd.Stage, root: Any, prim: Any, api: str, facts: dict[str, float]) -> None:
    """Bind the constants of a material for physics."""
    material = UsdShade.Material.Define(stage, root.AppendChild("matter"))
    apply_api(material.GetPrim(), "PhysicsMaterialAPI", _MATERIAL[api])
    per_volume = {"density": "density"} if api is VOLUME else {}
    names = per_volume | {"young": "youngsModulus", "poisson": "poissonsRatio"}
    for ours, theirs in names.items():
        if ours in facts:
            _set(material, f"physics:{theirs}", _KINDS.Float, facts[ours])
    binding = UsdShade.MaterialBindingAPI.Apply(prim.GetPrim())
    binding.Bind(material, materialPurpose="physics")


def _attach(stage: Usd.Stage, root: Any, body: Any, pins: np.ndarray, x: np.ndarray) -> None:
    """Attach pinned points to where they are, in the frame of the body's prim."""
    prim = stage.DefinePrim(root.AppendChild("pins"), "PhysicsAttachment")
    prim.CreateRelationship("physics:src0").SetTargets([body])
    prim.CreateRelationship("physics:src1").SetTargets([root])
    for name, value in (("physics:type0", "point"), ("physics:type1", "xform")):
        prim.CreateAttribute(name, _KINDS.Token, False, Sdf.VariabilityUniform).Set(value)
    indices = Vt.IntArray.FromNumpy(pins.astype(np.int32))
    prim.CreateAttribute("physics:indices0", _KINDS.IntArray, False).Set(indices)
    prim.CreateAttribute("physics:coords1", _KINDS.Vector3fArray, False).Set(_vectors(x[pins]))


def _set(prim: Any, name: str, kind: Any, value: Any) -> None:
    prim.GetPrim().CreateAttribute(name, kind, False).Set(value)


def _set_token(prim: Any, name: str, value: str) -> None:
    made = prim.GetPrim().CreateAttribute(name, _KINDS.Token, False, Sdf.VariabilityUniform)
    made.Set(value)


def _vectors(x: np.ndarray) -> Any:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(x, dtype=np.float32))


def _numbers(x: np.ndarray) -> Any:
    return Vt.FloatArray.FromNumpy(np.ascontiguousarray(x, dtype=np.float32))
