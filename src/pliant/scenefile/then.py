"""`then = [{ at = 1.0, settle = { ... } }]`: other dampings of a body from a time on."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from pliant.declared import Quantity

from .body_on_mesh import BodyOnMesh
from .fields import Table
from .models import DAMPING_FIELD
from .source import Here
from .wishes import SettleTable


class Then(Table):
    """One key: a time, and exactly one of settle and damping from then on."""

    at: Annotated[float, Quantity(unit="s", at_least=0.0)] = Field(description="from when on [s]")
    settle: SettleTable | None = Field(  # type: ignore[valid-type]
        None, description="when it rests [s after this key] and how often it bounces"
    )
    damping: Annotated[Any, DAMPING_FIELD] | None = Field(
        None, description="another damping instead of settle"
    )

    @model_validator(mode="after")
    def _one_damping(self) -> Then:
        self.only(("settle", "damping"), nothing="has no damping")
        return self

    def make(self, on_mesh: BodyOnMesh, here: Here) -> None:
        """Plan the change of the damping of a body."""
        word = self.only(("settle", "damping"), nothing="has no damping")
        with here / word:
            table: Any = getattr(self, word)
            damping = table.wish(on_mesh) if word == "settle" else table.make()
            damping.check_body(on_mesh.body)
            on_mesh.body.change_damping(damping, at=self.at)
