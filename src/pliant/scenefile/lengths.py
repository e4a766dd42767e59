"""Lengths, places, sizes and counts of cells, as meshes are written with them."""

from __future__ import annotations

from typing import Annotated

from .fields import COUNT, Numbers, Quantity

METRES = Quantity(above=0.0, unit="m")
Length = Annotated[float, METRES]
Point2 = Annotated[tuple[float, ...], Numbers(each=Quantity(unit="m"), counts=(2,), like="[0, 0]")]
Point3 = Annotated[
    tuple[float, ...], Numbers(each=Quantity(unit="m"), counts=(3,), like="[0, 0, 0]")
]
Size2 = Annotated[tuple[float, ...], Numbers(each=METRES, counts=(2,), like="[4, 1]")]
Size3 = Annotated[tuple[float, ...], Numbers(each=METRES, counts=(3,), like="[4, 1, 1]")]
Cells2 = Annotated[tuple[int, ...], Numbers(each=COUNT, counts=(2,), like="[16, 4]")]
Cells3 = Annotated[tuple[int, ...], Numbers(each=COUNT, counts=(3,), like="[16, 4, 4]")]
Turn = Annotated[
    tuple[float, ...],
    Numbers(each=Quantity(unit="degrees"), counts=(1, 3), like="[0, 90, 0]", lone=True),
]
Factor = Annotated[float, Quantity(above=0.0)]
