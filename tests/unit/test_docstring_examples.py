"""The examples in the docstrings of bodies run as they stand, and make bodies that move."""

import inspect
import re
import textwrap

import numpy as np
import pytest

import pliant as pl
from pliant.bodies import Deformable

BODIES = [
    name
    for name in pl.__all__
    if inspect.isclass(cls := getattr(pl, name)) and issubclass(cls, Deformable)
]


def example(name):
    """The lines of a docstring that are code: indented, and about `pl`."""
    blocks = re.findall(r"(?:^ {4}.*\n)+", inspect.getdoc(getattr(pl, name)) + "\n", re.MULTILINE)
    (code,) = [block for block in blocks if "pl." in block]
    return textwrap.dedent(code)


def given():
    """What examples take for granted: a solid, its material and a pose, a curve and a picture."""
    mesh = pl.meshes.box((1, 0.4, 0.4), (3, 2, 2))
    row, column = np.mgrid[:100, :120]
    return {
        "pl": pl,
        "np": np,
        "mesh": mesh,
        "points": np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 11),
        "material": pl.StableNeoHookean(young=1e5, poisson=0.3),
        "twisted": mesh.points + 0.1 * mesh.points[:, :1] * np.roll(mesh.points, 1, axis=1),
        "picture": (np.hypot(row - 50, column - 60) < 30).astype(float),
    }


@pytest.mark.parametrize("name", BODIES)
def test_the_example_of_a_body_runs(name):
    names = given()
    exec(example(name), names)
    made = [thing for thing in names.values() if type(thing) is getattr(pl, name)]
    assert made, "the example makes no such body"
    take = pl.Scene(made[0]).run(seconds=1 / 30, dt=1 / 60)
    assert np.isfinite(take.positions).all()
