"""Parameters that bodies of matter have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pliant.declared import InPython, Numbers, Quantity
from pliant.materials import Tear

Young = Annotated[
    float,
    Quantity("Young's modulus: rubber 1e6, paper 3e9, steel 2e11", "Pa", above=0.0, example=1e6),
]
RATIO = Quantity("Poisson's ratio", "-", above=-1.0, example=0.25)
Poisson = Annotated[float, replace(RATIO, at_most=0.5, says="more than -1 and up to 0.5")]
Density = Annotated[float, Quantity("", "kg/m^3", above=0.0, example=1000.0)]
Mass = Annotated[
    Any,
    Quantity(
        "of each point; on finer meshes more in all", "kg", above=0.0, per="point", example=0.01
    ),
]
YieldStrain = Annotated[
    float | None,
    Quantity(
        "strain beyond which it stays bent: steel 0.002, paper 0.01; left out: it does not",
        "-",
        above=0.0,
        example=0.01,
    ),
]
TearBy = Annotated[
    Tear | None,
    InPython("the field `tear` of the body says how it tears; left out: it does not", ""),
]
Up = Annotated[
    Any,
    Numbers(
        "where the height points to at the first node; y, or what is across",
        "-",
        counts=(3,),
        like="[0, 0, 1]",
        example=(0.0, 0.0, 1.0),
    ),
]


def length(about: str, example: float | None = 0.01) -> Quantity:
    """The declaration of a length."""
    return Quantity(about, "m", above=0.0, example=example)
