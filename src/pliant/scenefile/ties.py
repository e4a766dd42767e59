"""`[[tie]]`: points of one body tied to points of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import Field

from pliant.scene import Tie

from .body_on_mesh import BodyOnMesh
from .fields import Quantity, Table
from .selections import Selection, select
from .source import Here

#: More points than this are not paired by distance: it takes their cube in time.
MOST_PAIRS = 4000


class TieTable(Table):
    """Points of two bodies that stay beside each other."""

    a: str = Field(description="the name of a body")
    points_a: Selection = Field(description='some of its points, in the rest shape: "x > 0.99"')
    b: str = Field(description="the name of another body")
    points_b: Selection = Field(
        description="some of its points; each is tied to the nearest of a's"
    )
    stiffness: Annotated[float, Quantity(above=0.0, unit="N/m")] | None = Field(
        None,
        description="of each pair [N/m]; by default a pair gives by less than 1e-4 of the size",
    )

    def make(self, bodies: Mapping[str, BodyOnMesh], here: Here) -> Tie:
        """The tie of the library; of the larger selection only the nearest points are tied."""
        from scipy.optimize import linear_sum_assignment
        from scipy.spatial.distance import cdist

        found, places = [], []
        for name, chosen, field in (
            (self.a, self.points_a, "points_a"),
            (self.b, self.points_b, "points_b"),
        ):
            if name not in bodies:
                known = ", ".join(bodies)
                raise (here / field[-1]).error(f"got {name!r}; expected one of {known}")
            on_mesh = bodies[name]
            points = np.flatnonzero(on_mesh.body.points_at(select(chosen, on_mesh, here / field)))
            if len(points) > MOST_PAIRS:
                raise (here / field).error(
                    f"selects {len(points)} points; expected at most {MOST_PAIRS}"
                )
            found.append(points)
            places.append(on_mesh.body.positions[points])
        nearest = linear_sum_assignment(cdist(*places, metric="sqeuclidean"))
        pairs = [points[chosen] for points, chosen in zip(found, nearest, strict=True)]
        with here:
            return Tie(bodies[self.a].body, pairs[0], bodies[self.b].body, pairs[1], self.stiffness)
