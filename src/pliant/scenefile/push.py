"""`push = [{ traction = ..., on = ... }]`: loads, constant or over time."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from pliant.bodies import Thin
from pliant.boundary import Wind
from pliant.declared import parameters_of

from .body_on_mesh import BodyOnMesh
from .drive import Times
from .fields import Table, refuse
from .meshes import of_dim
from .push_values import Over
from .selections import Selection, select
from .source import Here
from .tables import field_of
from .wind import Air, blowing, is_expression

LOAD_FIELDS = ("force", "total_force", "traction", "pressure", "volume", "wind")
AIR = {p.name: p for p in parameters_of(Wind)}


class Push(Table):
    """One load: exactly one of force, total_force, traction, pressure, volume and wind."""

    force: Annotated[Any, Over("N", vector=True)] = Field(
        None, description="force on each of the points `on` [N]; of rods, on each node"
    )
    total_force: Annotated[Any, Over("N", vector=True)] = Field(
        None, description="force [N] that the points `on` share equally"
    )
    traction: Annotated[Any, Over("Pa", vector=True)] = Field(
        None, description="force per area [Pa] of fixed direction on the boundary"
    )
    pressure: Annotated[Any, Over("Pa", vector=False)] = Field(
        None, description="pressure [Pa] on the boundary, inward; negative inflates"
    )
    volume: Annotated[Any, Over("N/m^3", vector=True)] = Field(
        None, description="force per volume [N/m^3] on the whole body"
    )
    wind: Annotated[Any, Air()] = Field(
        None,
        description="velocity of the air [m/s], 0 for air that stands still; also expressions of x, "
        "y, z [m] and t [s] per axis",
    )
    density: Annotated[float, AIR["density"].note] = field_of(AIR["density"])
    drag: Annotated[float, AIR["drag"].note] = field_of(AIR["drag"])
    friction: Annotated[float, AIR["friction"].note] = field_of(AIR["friction"])
    on: Selection | None = Field(
        None,
        description="which points, in the rest shape [m]; traction, pressure and wind act on the "
        "facets between them, on the whole boundary if left out",
    )
    times: Times | None = Field(
        None, description="moments of the values [s]; in between they are interpolated, then held"
    )

    @model_validator(mode="after")
    def _one_load(self) -> Push:
        kind = self.only(LOAD_FIELDS, nothing="has no load")
        if kind in ("force", "total_force") and self.on is None:
            refuse(f'the points that {kind} acts on, e.g. on = "x > 3.99"', field="on",
                   got="is missing")  # fmt: skip
        if kind == "volume" and self.on is not None:
            refuse("it left out: a volume force acts on the whole body", field="on")
        for name in AIR:
            if kind != "wind" and name in self.model_fields_set:
                refuse("it beside wind = [...] only", field=name)
        value = getattr(self, kind)
        if kind == "wind" and is_expression(value) and self.times is not None:
            refuse("it left out: expressions know t", field="times")
        listed = isinstance(value, tuple) and (kind == "pressure" or isinstance(value[0], tuple))
        if listed and self.times is None:
            refuse(f"times = [...] [s], one for each {kind}", field="times", got="is missing")
        if self.times is not None and not (listed and len(value) == len(self.times)):
            got = f"has {len(value)} values" if listed else "has one value"
            refuse(f"{len(self.times)}, one for each time", field=kind, got=got)
        return self

    def act(self, on_mesh: BodyOnMesh, here: Here) -> None:
        """Push the body."""
        body = on_mesh.body
        kind = self.only(LOAD_FIELDS, nothing="has no load")
        on = None if self.on is None else select(self.on, on_mesh, here / "on")
        each = body.points_per_node
        if on is not None and kind in ("traction", "pressure", "wind") and each == 1:
            _need_faces(on_mesh, on, kind, here / "on")
        with here / kind:
            value = self._values(kind, body.dim)
            if kind == "volume":
                _need_volume(on_mesh)
            if on is not None and kind in ("force", "total_force"):
                # What acts on a node is shared by its points.
                value = value / (each if kind == "force" else each * on.sum())
                kind = "force"
            load: Any = value if self.times is None else (np.array(self.times), value)
            if kind == "wind":
                load = self._wind(load)
            where = body.bearers_at if kind == "force" else body.points_at
            body.push(**{kind: load, "on": None if on is None else where(on)})

    def _values(self, kind: str, dim: int) -> Any:
        value = getattr(self, kind)
        if kind == "pressure":
            return np.array(value)
        if kind == "wind" and is_expression(value):
            return blowing(value, dim)
        if self.times is None:
            return of_dim(value, dim, kind)
        return np.array([of_dim(v, dim, kind) for v in value])

    def _wind(self, velocity: Any) -> Any:
        return Wind(velocity, **{name: getattr(self, name) for name in AIR})


def _need_faces(on_mesh: BodyOnMesh, on: np.ndarray, kind: str, here: Here) -> None:
    mesh = on_mesh.mesh
    faces = mesh.boundary if mesh.cell_dim == mesh.dim else mesh.cells
    if not any(on[facets].all(axis=1).any() for facets in faces.values()):
        raise here.error(
            f"selects {on.sum()} points but no face of the boundary between them; a {kind} needs "
            "whole faces: expected a wider selection"
        )


def _need_volume(on_mesh: BodyOnMesh) -> None:

    if on_mesh.mesh.cell_dim < on_mesh.mesh.dim and not isinstance(on_mesh.body, Thin):
        raise ValueError("its cells have no volume; expected a force on points, or gravity")
