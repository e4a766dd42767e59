"""Dampings and fibres in scene files."""

import pytest

import pliant as pl
from pliant import scenefile as scene_files

SCENE = """
[run]
seconds = 0.1
dt = 0.01
[body.bar]
mesh = { box = { size = [1, 1, 1], cells = [2, 1, 1] } }
material = { young = 1e5 }
"""


def built(line, material=None):
    text = SCENE + line
    if material:
        text = text.replace("material = { young = 1e5 }", f"material = {material}")
    return scene_files.parse(text).build().scene.bodies[0]


@pytest.mark.parametrize(
    "line, expected",
    [
        ('{ model = "PointDamping", gamma = 2 }', pl.PointDamping(2.0)),
        ('{ model = "SpringDamping", gamma = 3 }', pl.SpringDamping(3.0)),
        (
            '{ model = "SpringDamping", gamma = 3, iterations = 4 }',
            pl.IterativeSpringDamping(3.0, iterations=4, projected=True),
        ),
        ('{ model = "RelativeDamping" }', pl.RelativeDamping(0.1)),
        (
            '{ model = "RelativeDamping", gamma = 0.5, clusters = ["whole", "cells"], '
            'torque = ["distances", "left"] }',
            pl.RelativeDamping(0.5, clusters=("whole", "cells"), torque=("distances", None)),
        ),
        ('{ model = "RelativeDamping", clusters = 4 }', pl.RelativeDamping(0.1, clusters=4)),
    ],
)
def test_dampings_of_velocities_are_read(line, expected):
    body = built(f"damping = {line}")
    assert repr(body.damping) == repr(expected)
    pl.Scene(body).run(seconds=0.02, dt=0.01)


@pytest.mark.parametrize(
    "line, words",
    [
        ('{ model = "RelativeDamping", gamma = 1.5 }', "0 <= gamma <= 1"),
        ('{ model = "RelativeDamping", torque = "magic" }', "torque"),
        ('{ model = "PointDamping", gamma = -1 }', "gamma >= 0"),
        ('{ model = "SpringDamping", gamma = 1, iterations = 0 }', "whole number"),
    ],
)
def test_bad_settings_name_the_field(line, words):
    with pytest.raises(ValueError, match=words):
        built(f"damping = {line}")


def test_fibres():
    body = built(
        "", '{ model = "FibreReinforced", young = 1e5, fibre = 1e6, direction = [1, 0, 0] }'
    )
    assert isinstance(body.material, pl.FibreReinforced)
    with pytest.raises(ValueError, match="direction"):
        built("", '{ model = "FibreReinforced", young = 1e5, fibre = 1e6 }')
    with pytest.raises(ValueError, match="fibre"):
        built("", '{ model = "Linear", young = 1e5, fibre = 1e6 }')
