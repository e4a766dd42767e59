"""`examples`: poses that a solid prefers."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from pliant.bodies import Body, ExampleBased

from .fields import refuse
from .pose import POSE_SHAPES, Pose
from .tables import table_of


class Example(Pose):
    """A pose, which the body prefers wherever it lies; a bend after a twist depends on `about`."""

    @model_validator(mode="after")
    def _is_a_shape(self) -> Example:
        if not self.shapes:
            refuse(f"{', '.join(POSE_SHAPES[:-1])} or {POSE_SHAPES[-1]}", got="is the rest shape")
        return self


_Examples: Any = table_of(ExampleBased, but=("density", "thickness"))


class ExamplesTable(_Examples):  # type: ignore[misc]
    """The poses, and how much they are preferred."""

    poses: Annotated[list[Example], Field(min_length=1)] = Field(
        description="shapes of the body, each as in start: { twist = { degrees = 90 } }, { surface = "
        '"posed.obj" }'
    )

    def make(self, plain: Body, poses: list[np.ndarray]) -> Body:
        """The body that prefers the poses [m], of the matter of another."""
        return ExampleBased(
            plain.mesh,
            plain.material,  # type: ignore[arg-type]  # it refuses one that flows
            examples=poses,
            **self.arguments(),
            density=plain.density,
            thickness=plain.thickness,
            name=plain.name,
        )
