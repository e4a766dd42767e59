"""Obstacles of a take, in Blender and in the browser."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.io.html import save_html
from tests.clients.test_blender_imports import from_blender
from tests.clients.test_page import STAGE, shot, until
from tests.moving import moving_take
from tests.unit.test_obstacles_in_files import greys

SCRIPT = Path(__file__).parent / "blender" / "imported.py"
OBSTACLES = {
    "sphere": pl.Sphere((0.5, -1.0, 0.5), 0.8),
    "half_space": pl.HalfSpace((0, -2, 0), (0.2, 1, 0)),
    "capsule": pl.Capsule((3, -1, 0), (3, 1, 1), 0.3),
}


def take_among(*names, frames=4):
    take = moving_take(frames=frames, bodies=1)
    take.about["obstacles"] = [OBSTACLES[name].facts() for name in names]
    return take


@pytest.mark.parametrize("suffix", [".usdc", ".glb"])
def test_blender_has_them_where_they_are(blender, tmp_path, suffix):
    take = take_among(*OBSTACLES)
    path = take.save(tmp_path / f"a{suffix}")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=len(take), fps=30)["objects"]
    assert set(OBSTACLES) < set(found) and len(found) == 4
    for name, obstacle in OBSTACLES.items():
        thing = found[name]
        points = from_blender(thing["points"])
        assert len(points) == len(take) and np.ptp(points, axis=0).max() == 0.0  # they stand still
        gap, outward = obstacle.nearest(points[0])
        np.testing.assert_allclose(gap, 0.0, atol=1e-6)  # float32
        normals = from_blender(thing["normals"][0])
        assert (normals * outward[thing["corners"]]).sum(axis=1).min() > 0.99


@pytest.mark.parametrize("name", ["sphere", "half_space"])
def test_a_page_shows_them(page, tmp_path, name):
    page.set_viewport_size({"width": 600, "height": 460})
    seen = []
    for i, take in enumerate((take_among(name), take_among())):
        path = save_html(take, tmp_path / f"{i}.html")
        page.goto(path.as_uri() + "#frame=1")
        until(page, "Boolean(window.pliant)")
        pixels = shot(page)[STAGE]
        # The slope is nearly as light as the sky: compare pictures.
        seen.append(greys(pixels) if name == "sphere" else pixels)
    assert page.errors == []
    if name == "sphere":
        assert seen[0].sum() > seen[1].sum() + 500
    else:
        assert (np.abs(seen[0] - seen[1]).max(axis=2) > 4).sum() > 10000
