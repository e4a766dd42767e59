"""Every exported material, made of the examples that its parameters declare."""

import numpy as np
import pytest

from pliant.declared import parameters_of
from pliant.kinds import MATERIALS

CLASSES = list(MATERIALS.own().values())
each = pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
#: Examples are of matter of 1e5 Pa, laws are asked of matter of some Pa.
SCALE = 4e-5


def more(cls, dim, flat=False, scale=SCALE):
    """What a material needs beside two constants, in so many dimensions; flat: in a plane of these."""
    found = {}
    for p in parameters_of(cls):
        if p.in_files and p.name not in ("young", "poisson"):
            example = np.asarray(p.note.example, dtype=float)
            if flat and example.ndim:
                example = example * [1, 1, 0]
            found[p.name] = scale * example if p.note.unit == "Pa" else example
    return {name: value[:dim] if value.ndim else float(value) for name, value in found.items()}


def build(cls, dim=3, flat=False, **constants):
    return cls(**constants, **more(cls, dim, flat))
