"""`reduce`: a solid that moves in its modes."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pliant.bodies import Body, Modal, Subspace
from pliant.declared import parameters_of

from .tables import annotation_of, table_of

_Reduced: Any = table_of(Subspace, but=("modes",))
_MODES: Any = annotation_of(next(p for p in parameters_of(Modal) if p.name == "modes"))


class ReduceTable(_Reduced):  # type: ignore[misc]
    """How many modes a solid moves in; with size or cells, in large deformation."""

    modes: _MODES | None = Field(
        None, description="lowest modes that it moves in (60; 8 beside size or cells) [-]"
    )

    def make(self, plain: Body) -> Modal:
        """The body in its modes, with the pins, loads, start and damping of another."""
        given = self.arguments()
        if self.modes is None:
            del given["modes"]
        if self.model_fields_set & {"size", "cells"}:
            return Subspace(plain, **given)
        return Modal(plain, **{name: given[name] for name in ("modes",) if name in given})
