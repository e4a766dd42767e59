"""Bodies from USD files that describe them in the schema of OpenUSD's proposal 111.

The schema is a draft: see `usd_deformable`. Volumes of tetrahedra become `pl.Body`, surfaces of
triangles `pl.Shell`. Read are the cells at the start, their rest shape and velocities, masses, matter,
thickness, and pins: attachments of points to a place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pliant.bodies import Body, Deformable, Shell
from pliant.errors import optional
from pliant.materials import StableNeoHookean
from pliant.mesh import Mesh

#: The proposal's default of every density that is not said, and our stiffness where none is [Pa].
DENSITY, YOUNG, POISSON = 1000.0, 1e6, 0.3


def read_bodies(path: str | Path) -> list[Deformable]:
    """Read the deformable bodies of a .usd, .usda or .usdc file, in metres, in the order of the file."""
    optional("pxr", "USD files", "usd", "usd-core")
    from pxr import Tf, Usd, UsdGeom

    from .usd_deformable import SURFACE, VOLUME

    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        raise ValueError(f"{path} cannot be read as USD: {error.args[0].commentary}") from None
    scale = UsdGeom.GetStageMetersPerUnit(stage)
    found: list[Deformable] = []
    known: dict[Any, Deformable] = {}
    for prim in stage.Traverse():
        applied = _schemas(prim)
        if applied & {VOLUME, SURFACE}:
            body = _body(prim, scale, volume=VOLUME in applied)
            known[prim.GetPath()] = body
            found.append(body)
    for prim in stage.Traverse():
        if prim.GetTypeName() == "PhysicsAttachment":
            _pin(prim, known)
    if not found:
        raise ValueError(
            f"{path} has no deformable body; expected prims with {VOLUME} or {SURFACE}, as "
            "`pliant convert take.zarr bodies.usda --deformable` writes them"
        )
    return found


def _body(prim: Any, scale: float, *, volume: bool) -> Deformable:
    from pxr import Usd, UsdGeom

    time = Usd.TimeCode.EarliestTime()
    place = np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(prim))
    shape = UsdGeom.PointBased(prim)
    x = _placed(_required(prim, shape.GetPointsAttr().Get(time)), place) * scale
    if volume:
        cells = np.array(_required(prim, UsdGeom.TetMesh(prim).GetTetVertexIndicesAttr().Get(time)))
    else:
        mesh = UsdGeom.Mesh(prim)
        if set(mesh.GetFaceVertexCountsAttr().Get(time) or ()) != {3}:
            raise ValueError(f"{prim.GetPath()}: expected triangles; the schema has no other faces")
        cells = np.array(mesh.GetFaceVertexIndicesAttr().Get(time)).reshape(-1, 3)
    rest = _array(prim, "physics:restShapePoints")
    own = _array(prim, "physics:rest" + ("Tet" if volume else "Tri") + "VertexIndices")
    if rest is None:
        rest_points = x
    elif own is None or np.array_equal(own, cells):
        rest_points = _placed(rest, place) * scale
    else:
        raise ValueError(
            f"{prim.GetPath()} has a rest shape of other cells; expected that of its own cells"
        )
    if len(rest_points) != len(x):
        raise ValueError(f"{prim.GetPath()}: {len(rest_points)} rest points of {len(x)} points")
    made = Mesh(rest_points, {"tet" if volume else "tri": cells})
    body = _made(prim, made, scale, volume=volume)
    body.place(x)
    velocities = shape.GetVelocitiesAttr().Get(time)
    if velocities is not None and len(velocities) == len(x):
        body.velocity = np.array(velocities, dtype=float) @ place[:3, :3] * scale
    return body


def _made(prim: Any, mesh: Mesh, scale: float, *, volume: bool) -> Deformable:
    """A body of the matter that is bound to a prim."""
    matter = _matter(prim)
    owner = prim.GetParent() if not _schemas(prim) & {"PhysicsDeformableBodyAPI"} else prim
    name = str(owner.GetDisplayName() or owner.GetName())
    # A stress counts force per area, and so changes with the unit of length; masses are in kg.
    young = _positive(matter.get("youngsModulus"), YOUNG * scale) / scale
    poisson = matter.get("poissonsRatio", POISSON)
    own_density = _number(owner, "physics:density") or matter.get("density")
    density = _positive(own_density, DENSITY * scale**3) / scale**3
    masses = _masses(prim, len(mesh))
    if volume:
        body: Deformable = Body(
            mesh, StableNeoHookean(young=young, poisson=poisson), density=density, name=name
        )
    else:
        thickness = _array(prim, "physics:thicknesses")
        if thickness is None or not len(thickness):
            raise ValueError(
                f"{prim.GetPath()} has no physics:thicknesses; expected one [{scale:g} m]"
            )
        body = Shell(
            mesh,
            young=young,
            poisson=poisson,
            density=density,
            thickness=float(np.mean(thickness)) * scale,
            name=name,
        )
    total = _number(owner, "physics:mass")
    if masses is not None:
        body.masses = masses
    elif total:
        body.masses = body.masses * (total / body.masses.sum())
    return body


def _masses(prim: Any, points: int) -> np.ndarray | None:
    """The mass of each point [kg]; None if it is said otherwise."""
    given, of = _array(prim, "physics:masses"), prim.GetAttribute("physics:masses:elementType")
    kind = of.Get() if of and of.HasAuthoredValue() else "point"
    return None if given is None or kind != "point" or len(given) != points else given.astype(float)


def _matter(prim: Any) -> dict[str, float]:
    """The numbers of the material that is bound for physics."""
    from pxr import UsdShade

    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
    found = {}
    for name in ("youngsModulus", "poissonsRatio", "density"):
        value = _number(material.GetPrim(), f"physics:{name}") if material else None
        if value is not None:
            found[name] = value
    return found


def _pin(prim: Any, known: dict[Any, Deformable]) -> None:
    """Fix the points that are attached to a place."""
    source = prim.GetRelationship("physics:src0").GetTargets()
    enabled = prim.GetAttribute("physics:attachmentEnabled")
    kinds = [prim.GetAttribute(f"physics:type{i}").Get() for i in (0, 1)]
    if not source or source[0] not in known or kinds != ["point", "xform"]:
        return
    if enabled and enabled.HasAuthoredValue() and not enabled.Get():
        return
    indices = _array(prim, "physics:indices0")
    if indices is not None and len(indices):
        known[source[0]].fix(indices.astype(int))


def _schemas(prim: Any) -> set[str]:
    """The API schemas of a prim, also those that this USD does not know."""
    listed = prim.GetMetadata("apiSchemas")
    unknown = listed.GetAddedOrExplicitItems() if listed else ()
    return {*prim.GetAppliedSchemas(), *unknown}


def _array(prim: Any, name: str) -> np.ndarray | None:
    attribute = prim.GetAttribute(name)
    value = attribute.Get() if attribute and attribute.HasAuthoredValue() else None
    return None if value is None or not len(value) else np.array(value)


def _number(prim: Any, name: str) -> float | None:
    """An attribute that says a finite number: the proposal's -inf leaves it to the simulator."""
    attribute = prim.GetAttribute(name)
    value = attribute.Get() if attribute and attribute.HasAuthoredValue() else None
    return float(value) if value is not None and np.isfinite(value) else None


def _positive(value: float | None, usual: float) -> float:
    return value if value is not None and value > 0.0 else usual


def _placed(points: Any, place: np.ndarray) -> np.ndarray:
    """Points in the coordinates of the stage."""
    return np.asarray(np.array(points, dtype=float) @ place[:3, :3] + place[3, :3])


def _required(prim: Any, values: Any) -> Any:
    if values is None or not len(values):
        raise ValueError(f"{prim.GetPath()} has no points or no cells; expected both")
    return values
