"""`examples`: poses that a solid prefers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field, model_validator

from .fields import Numbers, Quantity, Table, refuse
from .pose import SHAPES, Pose

if TYPE_CHECKING:
    from pliant.body import Body


class Example(Pose):
    """A pose, which the body prefers wherever it lies; a bend after a twist depends on `about`."""

    @model_validator(mode="after")
    def _is_a_shape(self) -> Example:
        if not self.shapes:
            refuse(f"{', '.join(SHAPES[:-1])} or {SHAPES[-1]}", got="is the rest shape")
        return self


class ExamplesTable(Table):
    """The poses, and how much they are preferred."""

    poses: Annotated[list[Example], Field(min_length=1)] = Field(
        description="shapes of the body, each as in start: { twist = { degrees = 90 } }, { surface = "
        '"posed.obj" }'
    )
    strength: Annotated[float, Quantity(above=0.0)] = Field(
        10.0, description="stiffness off the examples, in units of young [-]"
    )
    bounds: (
        Annotated[tuple[float, ...], Numbers(each=Quantity(), counts=(2,), like="[0, 1]")] | None
    ) = Field(None, description="of the weight of every example [-]: [0, 1] keeps between them")

    def make(self, plain: Body, poses: list[np.ndarray]) -> Body:
        """The body that prefers the poses [m], of the matter of another."""
        from pliant.bodies.example_based import ExampleBased

        return ExampleBased(
            plain.mesh,
            plain.material,
            examples=poses,
            strength=self.strength,
            bounds=None if self.bounds is None else (self.bounds[0], self.bounds[1]),
            density=plain.density,
            thickness=plain.thickness,
            name=plain.name,
        )
