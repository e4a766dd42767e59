"""`tear`: how a sheet or a solid comes apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from pliant.declared import parameters_of
from pliant.materials import Tear

from .fitting import BODY_WORDS
from .selections import Selection
from .tables import table_of

_Tear: Any = table_of(Tear)

#: The fields of what can tear.
TEARABLE = (
    "material",
    *(
        word
        for word, of in BODY_WORDS.items()
        if any(p.name == "tear" for p in parameters_of(of[0]))
    ),
)


class TearTable(_Tear):  # type: ignore[misc]
    """Where its stress is beyond strength it comes apart, by its fracture energy."""

    on: Selection | None = Field(
        None,
        description="points between which it tears, in the rest shape [m], such as those of a line of "
        "edges; all if left out",
    )

    def make(self, *given: Any, on: np.ndarray | None = None, **more: Any) -> Tear:
        """The object of the library; on: a mask of points."""
        return Tear(**self.arguments() | {"on": on})
