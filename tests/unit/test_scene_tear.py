"""Scene files with what tears."""

import numpy as np
import pytest

from pliant import scenefile

SHEET = """
[run]
seconds = 0.1
[body.sheet]
mesh = { rectangle = { size = [0.1, 0.04], cells = [5, 2] }, plane = "xz" }
cloth = { stretch = 1e4, shear = 5e3, bend = 1e-4, density = 1 }
tear = { strength = 1e5, energy = 500, thickness = 1e-3, on = "abs(x - 0.06) < 1e-6" }
fix = "x < 1e-6"
"""
SOLID = """
[run]
seconds = 0.1
[body.block]
mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }
material = { model = "Corotated", young = 1e6, poisson = 0.3 }
tear = { strength = 1e5, energy = 500 }
fix = "x < 1e-6"
"""


def built(text, tmp_path):
    (tmp_path / "scene.toml").write_text(text)
    built = scenefile.read(tmp_path / "scene.toml").build()
    (body,) = built.bodies.values()
    return body


def test_cloth_tears_along_a_line(tmp_path):
    body = built(SHEET, tmp_path)
    assert (body.tear.strength, body.tear.energy, body.tear.thickness) == (1e5, 500.0, 1e-3)
    np.testing.assert_array_equal(body.tear.on, np.abs(body.mesh.points[:, 0] - 0.06) < 1e-6)


def test_a_solid_tears_anywhere(tmp_path):
    body = built(SOLID, tmp_path)
    assert body.tear.on is None and body.tear.strength == 1e5


@pytest.mark.parametrize(
    "change, said",
    [
        (("strength = 1e5", "strength = -1"), "strength"),
        ((" energy = 500,", ""), "energy: is missing; expected fracture energy"),
        (("abs(x - 0.06) < 1e-6", "x > 7"), '"x > 7" selects no point'),
        (("abs(x - 0.06) < 1e-6", "x > 0.0999"), "tear.*no face between two cells"),
        ((", thickness = 1e-3", ", width = 2"), "width"),
        (("cloth = {", "springs = { stiffness = 9, mass = 1 } #"), "cloth, shell|material"),
    ],
)
def test_mistakes_are_told(change, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        built(SHEET.replace(*change), tmp_path)


def test_what_moves_in_modes_cannot_tear(tmp_path):
    with pytest.raises(ValueError, match="without examples and reduce"):
        built(SOLID + "reduce = { modes = 3 }\n", tmp_path)
