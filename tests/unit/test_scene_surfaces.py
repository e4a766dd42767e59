"""Scene files that start in a surface and select by its vertices, as an artist's program has them."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.mesh.skin import Skin

TEXT = """\
[run]
seconds = 0.1
dt = 0.02
[body.bar]
mesh = { box = { size = [400, 100, 100], cells = [8, 2, 2] }, scale = 0.01, move = [1, 0, 0] }
material = { young = 5e6 }
surface = "rest.obj"
start = { surface = "start.obj", velocity = [0, 1, 0] }
"""


def stretched(p):
    return p * [1.5, 1.0, 1.0] + [0, 20, 0]


@pytest.fixture
def folder(tmp_path):
    """A scene in centimetres, as its surfaces are."""
    rest = Skin.bare(pl.meshes.box(size=(400, 100, 100), cells=(20, 5, 5))).surface
    rest.write(tmp_path / "rest.obj")
    pl.Surface(stretched(rest.points), rest.sizes, rest.corners).write(tmp_path / "start.obj")
    (tmp_path / "bar.toml").write_text(TEXT)
    return tmp_path


def body_of(folder, *lines):
    text = TEXT + "\n".join(lines)
    return scene.parse(text, folder=folder, name="bar.toml").build().bodies["bar"]


def test_a_body_starts_where_its_surface_is(folder):
    body = body_of(folder)
    plain = (body.mesh.points - [1, 0, 0]) * 100
    # The file has nine digits; the motion is affine, so nothing else is lost.
    assert body.positions == pytest.approx(0.01 * stretched(plain) + [1, 0, 0], abs=1e-7)
    assert body.velocity == pytest.approx(np.tile([0, 1, 0], (len(body), 1)))
    take = scene.read(folder / "bar.toml").build().run()
    track = take.tracks[0]
    shown = track.skin.positions(track.positions[0])
    there = pl.Surface.read(folder / "start.obj").points
    assert shown == pytest.approx(0.01 * there + [1, 0, 0], abs=1e-7)


def test_a_body_that_wears_nothing_starts_where_its_boundary_is(folder):
    text = TEXT.replace('surface = "rest.obj"\n', "").replace("start.obj", "own.obj")
    without = scene.parse(text.replace('surface = "own.obj", ', ""), folder=folder).build()
    own = without.bodies["bar"].skin.surface
    there = (own.points - [1, 0, 0]) * 100 @ np.diag([1, 1, 2.0])
    pl.Surface(there, own.sizes, own.corners).write(folder / "own.obj")
    body = scene.parse(text, folder=folder).build().bodies["bar"]
    assert body.positions == pytest.approx(body.mesh.points * [1, 1, 2], abs=1e-7)


def test_vertices_are_fixed_led_and_pushed(folder):
    points = pl.Surface.read(folder / "rest.obj").points
    left, right = (np.flatnonzero(points[:, 0] == x).tolist() for x in (0, 400))
    body = body_of(
        folder,
        f"fix = {{ surface = {left} }}",
        f"drive = [{{ where = [{{ surface = {right} }}], keyframes = {{ times = [0, 1], "
        "offsets = [[0, 0, 0], [0, 0, 1]] } }]",
        f"push = [{{ total_force = [0, 9, 0], on = {{ surface = {right} }} }}]",
    )
    x = body.mesh.points[:, 0]
    assert np.array_equal(body.pinned, (x < 1.01) | (x > 4.99))
    gone = body.pin_positions(1.0) - body.pin_positions(0.0)
    assert np.array_equal(gone[:, 2] > 0.5, x > 4.99)
    load = body.loads_at(body.positions, 0.0, np.zeros(3))
    assert load.sum(axis=0) == pytest.approx([0, 9, 0])
    assert np.array_equal(load[:, 1] > 0, x > 4.99)


def test_another_surface_is_refused_and_a_spike_told(folder, caplog):
    start = pl.Surface.read(folder / "start.obj")
    count = len(start.points)
    points = np.vstack([start.points, [[0, 0, 0]]])
    pl.Surface(points, start.sizes, start.corners).write(folder / "start.obj")
    with pytest.raises(scene.SceneError) as error:
        body_of(folder)
    assert str(error.value) == (
        f"bar.toml:8: body.bar.start.surface: got {count + 1} points; the surface that is put there "
        f"has {count}: expected the same surface with its points elsewhere, in the same order"
    )
    spiked = start.points.copy()
    spiked[7] += [0, 0, 200]
    pl.Surface(spiked, start.sizes, start.corners).write(folder / "start.obj")
    body_of(folder)
    said = f"bar.toml:8: body.bar.start.surface: 1 of {count} points of the surface are missed"
    assert said in caplog.text


def test_the_start_surface_moves_with_the_scene_file(folder):
    file = scene.read(folder / "bar.toml")
    assert ("body", "bar", "start", "surface") in file.files()
    saved = file.save(folder / "deep" / "b.toml")
    assert 'surface = "../start.obj"' in saved.read_text()
    again = scene.read(saved).build().bodies["bar"]
    assert np.array_equal(again.positions, file.build().bodies["bar"].positions)


def test_a_build_tells_what_it_does(folder, monkeypatch):
    pytest.importorskip("pytetwild")
    monkeypatch.setenv("PLIANT_CACHE", str(folder / "cache"))
    told = []
    text = TEXT.replace(
        "box = { size = [400, 100, 100], cells = [8, 2, 2] }",
        'file = "rest.obj", edge_length = 0.9',
    )
    for _ in range(2):
        scene.parse(text, folder=Path(folder)).build(tell=told.append)
    faces = len(pl.Surface.read(folder / "rest.obj").sizes)
    putting = "putting bar where start.obj is"
    # The second time the mesh is there.
    assert told == [f"filling {faces} faces with tetrahedra", putting, putting]
