"""The tables of materials, with how they flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field, create_model, model_validator

from pliant.declared import parameters_of
from pliant.materials import Plastic

from .fields import refuse
from .tables import ClassTable, annotation_of, field_of, table_of

#: What is said of flow, beside the parameters of a material.
FLOW = [p for p in parameters_of(Plastic) if p.in_files]
_YIELD = "yield_stress"


class FlowBase(ClassTable):
    """A material that may flow."""

    @model_validator(mode="after")
    def _yields(self) -> FlowBase:
        if getattr(self, _YIELD) is None:
            for p in FLOW:
                if p.name in self.model_fields_set and p.name != _YIELD:
                    refuse(f"it beside {_YIELD} [Pa]", field=p.name, got="is given alone")
        return self

    def make(self, *given: Any, **more: Any) -> Any:
        """The material, which flows if a yield stress is given."""
        material = super().make(*given, **more)
        if getattr(self, _YIELD) is None:
            return material
        return Plastic(material, **{p.name: p.note.from_file(getattr(self, p.name)) for p in FLOW})


def _flow_fields() -> dict[str, Any]:
    """The fields of flow; without a yield stress there is none."""
    found = {}
    for p in FLOW:
        kind, about = annotation_of(p), field_of(p)
        if p.name == _YIELD:
            kind = kind | None
            about = Field(None, description=f"{p.note.description}; left out: it does not flow")
        found[p.name] = (kind, about)
    return found


if TYPE_CHECKING:
    FlowTable = FlowBase
else:
    FlowTable = create_model(
        "FlowTable", __base__=FlowBase, __doc__=FlowBase.__doc__, **_flow_fields()
    )


def material_table(cls: Any, model: str, usual: bool) -> type[ClassTable]:
    """The table of a material; of one that can flow with yield_stress, hardening and most."""
    flows = cls.isotropic and cls.rotation_invariant
    return table_of(cls, model=model, usual=usual, base=FlowTable if flows else ClassTable)


def refuse_flow(field: str) -> None:
    """Refuse a field of flow beside a material that cannot flow."""
    if field in {p.name for p in FLOW}:
        refuse(
            'it beside an isotropic material that turns with the body, such as model = "Hencky"',
            field=field,
            got="is given",
        )
