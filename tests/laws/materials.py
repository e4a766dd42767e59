"""Every exported material."""

import inspect

import numpy as np
import pytest

import pliant.materials as materials
from pliant.materials import (
    FibreReinforced,
    Material,
)

CLASSES = [
    c
    for c in (getattr(materials, name) for name in materials.__all__)
    if inspect.isclass(c) and issubclass(c, Material) and c is not Material
]
each = pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
#: What a material needs beside two constants, by dimension; a new one is added here.
MORE = {
    FibreReinforced: lambda dim: {"fibre": FIBRE, "direction": np.array([0.6, 0.8, 0.3])[:dim]},
}
FIBRE = 4.0


def build(cls, dim=3, **constants):
    return cls(**constants, **MORE.get(cls, lambda dim: {})(dim))
