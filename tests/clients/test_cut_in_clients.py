"""Blender and a browser show bodies that are cut: whole before, in pieces after."""

from pathlib import Path

import numpy as np
import pytest
from test_blender_imports import TOLERANCE, from_blender
from test_page import opened as opened, shot, shown_frames

import pliant as pl

SCRIPT = Path(__file__).parent / "blender" / "imported.py"
DT = 1 / 30


@pytest.fixture(scope="module")
def take():
    """A bar that is cut twice, between frames 2 and 3 and between frames 4 and 5."""
    mesh = pl.meshes.box((1.0, 0.2, 0.2), (5, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=3e5, poisson=0.3), name="bar")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.cut(pl.HalfSpace((0.7, 0, 0), (1, 0.2, 0)), at=2 * DT)
    body.cut(pl.HalfSpace((0.3, 0, 0), (1, 0, 0)), at=4 * DT)
    scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=False)
    return scene.run(seconds=7 * DT, dt=DT, progress=False)


@pytest.mark.parametrize("suffix", [".usdc", ".usda"])
def test_blender_has_the_mesh_of_each_frame_of_usd(blender, take, tmp_path, suffix):
    found = blender(
        SCRIPT, paths=[take.save(tmp_path / f"a{suffix}")], surfaces=None, frames=len(take), fps=30
    )["objects"]["bar"]
    (track,) = take.tracks
    assert [own.first for own in track.topologies] == [0, 3, 5]
    for own in track.topologies:
        surface = own.skin.surface
        for frame, x in enumerate(own.positions, own.first):
            points = from_blender(found["points"][frame])
            faces = [len(face) for face in found["faces"][frame]]
            assert faces == surface.sizes.tolist(), frame
            corners = np.concatenate(found["faces"][frame])
            expected = own.skin.positions(x)[surface.corners]
            assert np.abs(points[corners] - expected).max() <= TOLERANCE


@pytest.mark.parametrize("suffix", [".glb", ".pc2"])
def test_blender_has_one_mesh_that_is_sewn(blender, take, tmp_path, suffix):
    path = take.save(tmp_path / f"a{suffix}")
    surfaces = [tmp_path / "a_sewn.obj"] if suffix == ".pc2" else None
    found = blender(SCRIPT, paths=[path], surfaces=surfaces, frames=len(take), fps=30)["objects"]
    (thing,), (track,) = found.values(), take.tracks
    assert len(thing["points"]) == len(take) and track.topologies[-1].first == 5
    for frame, x in enumerate(track.positions):
        points = from_blender(thing["points"][frame])
        expected = track.skin.positions(x)
        # Corners of one place have several normals in glTF, and so several points.
        away = np.linalg.norm(points[:, None] - expected[None], axis=2)
        assert max(away.min(axis=0).max(), away.min(axis=1).max()) <= TOLERANCE, frame
        faces = [len(face) for face in thing["faces"][frame]]
        assert len(faces) == len(track.skin.surface.sizes)


def test_the_page_draws_no_seam_before_the_cut(opened, take):
    page = opened(take)
    (track,) = take.tracks
    expected = track.skin.positions(track.positions)
    np.testing.assert_allclose(shown_frames(page), expected, atol=1e-5 * track.size)
    drawn, shots = [], []
    for frame in [*range(len(take)), 0]:  # back, too
        page.evaluate(f"pliant.seek({frame})")
        drawn.append(page.evaluate("pliant.edges()"))
        shots.append(shot(page))
    assert drawn[0] == drawn[2] < drawn[3] == drawn[4] < drawn[5] == drawn[7]
    assert drawn[8] == drawn[0] and np.array_equal(shots[8], shots[0])
