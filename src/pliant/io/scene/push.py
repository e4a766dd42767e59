"""`push = [{ traction = ..., on = ... }]`: loads, constant or over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import CoreSchema, core_schema

from pliant.errors import is_finite

from .drive import Times
from .fields import Table, refuse
from .meshes import of_dim
from .selections import Selection, select
from .source import Here

if TYPE_CHECKING:
    from pliant.body import Body

KINDS = ("force", "total_force", "traction", "pressure", "volume")


class Over:
    """The annotation of a load: one value, or a list with one for each of `times`."""

    def __init__(self, unit: str, *, vector: bool):
        self.unit, self.vector = unit, vector

    def check(self, given: Any) -> Any:
        """Numbers as tuples."""
        if self._single(given):
            return tuple(float(v) for v in given) if self.vector else float(given)
        if isinstance(given, Sequence) and given and all(self._single(v) for v in given):
            return tuple(tuple(map(float, v)) if self.vector else float(v) for v in given)
        one = "2 or 3 numbers" if self.vector else "a number"
        refuse(f"{one} [{self.unit}], or a list of them with times = [...]")

    def _single(self, given: Any) -> bool:
        if not self.vector:
            return is_finite(given) and not isinstance(given, bool)
        row = isinstance(given, Sequence) and not isinstance(given, str) and len(given) in (2, 3)
        return row and all(is_finite(v) and not isinstance(v, bool) for v in given)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        one: dict[str, Any] = {"type": "number"}
        if self.vector:
            one = {"type": "array", "items": one, "minItems": 2, "maxItems": 3}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


class Push(Table):
    """One load: exactly one of force, total_force, traction, pressure and volume."""

    force: Annotated[Any, Over("N", vector=True)] = Field(
        None, description="force on each of the points `on` [N]"
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
    on: Selection | None = Field(
        None,
        description="which points, in the rest shape [m]; a traction or pressure acts on the "
        "facets between them, on the whole boundary if left out",
    )
    times: Times | None = Field(
        None,
        description="moments of the values [s]; in between they are interpolated, then held",
    )

    @model_validator(mode="after")
    def _one_load(self) -> Push:
        given = [k for k in KINDS if getattr(self, k) is not None]
        if len(given) != 1:
            got = f"has {' and '.join(given)}" if given else "has no load"
            refuse(f"exactly one of {', '.join(KINDS)}", got=got)
        (kind,) = given
        if kind in ("force", "total_force") and self.on is None:
            refuse(f'the points that {kind} acts on, e.g. on = "x > 3.99"', field="on",
                   got="is missing")  # fmt: skip
        if kind == "volume" and self.on is not None:
            refuse("it left out: a volume force acts on the whole body", field="on")
        value = getattr(self, kind)
        listed = isinstance(value, tuple) and (kind == "pressure" or isinstance(value[0], tuple))
        if listed and self.times is None:
            refuse(f"times = [...] [s], one for each {kind}", field="times", got="is missing")
        if self.times is not None and not (listed and len(value) == len(self.times)):
            got = f"has {len(value)} values" if listed else "has one value"
            refuse(f"{len(self.times)}, one for each time", field=kind, got=got)
        return self

    def act(self, body: Body, here: Here) -> None:
        """Push the body."""
        (kind,) = (k for k in KINDS if getattr(self, k) is not None)
        on = None if self.on is None else select(self.on, body, here / "on")
        if on is not None and kind in ("traction", "pressure"):
            _need_faces(body, on, kind, here / "on")
        with here / kind:
            value = self._values(kind, body.dim)
            if kind == "total_force":
                assert on is not None
                kind, value = "force", value / on.sum()
            load: Any = value if self.times is None else (np.array(self.times), value)
            body.push(**{kind: load, "on": on})

    def _values(self, kind: str, dim: int) -> np.ndarray:
        value = getattr(self, kind)
        if kind == "pressure":
            return np.array(value)
        if self.times is None:
            return of_dim(value, dim, kind)
        return np.array([of_dim(v, dim, kind) for v in value])


def _need_faces(body: Body, on: np.ndarray, kind: str, here: Here) -> None:
    if not any(on[facets].all(axis=1).any() for facets in body.mesh.boundary.values()):
        raise here.error(
            f"selects {on.sum()} points but no face of the boundary between them; a {kind} needs "
            "whole faces: expected a wider selection"
        )
