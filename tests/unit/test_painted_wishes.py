"""A wish for each point: what is refused, what files say, and what takes keep."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.io import rested
from tests.unit.every_body import BODIES

SCENE = """
[body.tail]
mesh = {{ box = {{ size = [2, 0.4, 0.4], cells = [8, 2, 2] }} }}
material = {{ young = 1e6, poisson = 0.4 }}
density = 1000
fix = "x < 0.01"
start = {{ bend = {{ degrees = 40 }} }}
settle = {{ rest_in = {rest_in}, bounces = 0 }}

[run]
seconds = 0.5
dt = 0.02
"""


def bar():
    body = pl.Body(
        pl.meshes.box((2, 0.4, 0.4), (8, 2, 2)), pl.StableNeoHookean(young=1e6, poisson=0.4)
    )
    body.fix(body.mesh.points[:, 0] < 1e-9)
    body.place(body.mesh.points + 0.1 * body.mesh.points[:, :1] ** 2 * [0, 0, 1])
    return body


def wishes(body, first=0.5, last=1.0):
    return np.linspace(first, last, len(body))


@pytest.mark.parametrize("wrong", ([], [1, -1], [1, np.nan], [[1, 2]], ["a"], [0.0], [np.inf]))
def test_wishes_that_are_no_seconds_are_refused(wrong):
    with pytest.raises(ValueError, match="expected seconds > 0, one number for each point"):
        pl.Settle(rest_in=wrong)


def test_the_law_of_the_first_mode_has_no_places():
    with pytest.raises(ValueError, match='expected law="every-shape"'):
        pl.Settle(rest_in=[1.0, 2.0], law="first-mode")


def test_a_body_with_other_points_is_refused_before_anything_moves():
    body = bar()
    before = body.positions
    body.damping = pl.Settle(rest_in=[1.0, 2.0])
    with pytest.raises(ValueError, match=f"with 2 numbers; expected {len(body)}, one for each"):
        pl.Scene(body).run(seconds=0.1, dt=0.02, progress=False)
    assert np.array_equal(body.positions, before)


@pytest.mark.parametrize(
    "kind", ("ExampleBased", "ImpactRods", "Snake", "LongElements", "Modal", "Subspace")
)
def test_bodies_whose_strains_have_no_places_are_refused(kind):
    body = BODIES[kind]()
    body.damping = pl.Settle(rest_in=np.linspace(0.5, 1.0, len(body.mesh)))
    with pytest.raises(ValueError, match="expected one number for all, or a solid, cloth, shell"):
        pl.Scene(body).run(seconds=0.1, dt=0.02, progress=False)


def test_the_shortest_wish_decides_on_the_longest_step():
    body = bar()
    body.damping = pl.Settle(rest_in=wishes(body, 0.05, 1.0), bounces=2)
    assert body.damping.longest_dt == pl.Settle(rest_in=0.05, bounces=2).longest_dt
    with pytest.raises(pl.ImpossibleWishError, match="2 bounces in rest_in=0.05 s"):
        pl.Scene(body).run(seconds=0.1, dt=0.02, progress=False)


def test_a_run_in_two_parts_is_the_run_in_one():
    """The state between is that of the laws of all places, to the last bit."""
    once, twice = bar(), bar()
    for body in (once, twice):
        body.damping = pl.Settle(rest_in=wishes(body), bounces=2)
    pl.Scene(once).run(seconds=0.4, dt=0.02, progress=False)
    scene = pl.Scene(twice)
    scene.run(seconds=0.2, dt=0.02, progress=False)
    scene.run(seconds=0.2, dt=0.02, progress=False)
    assert np.array_equal(once.positions, twice.positions)


def test_what_lands_rests_at_the_last_of_its_times():
    cube = pl.Body(pl.meshes.box((1, 1, 1), (2, 2, 2)), pl.StableNeoHookean(young=1e6, poisson=0.3))
    cube.place(cube.mesh.points + [0.0, 0.0, 0.6])
    cube.damping = pl.Settle(rest_in=wishes(cube, 0.3, 0.6))
    falls = pl.Scene(cube, gravity=(0, 0, -9.81))
    falls.add(pl.HalfSpace((0, 0, float(cube.mesh.points[:, 2].min())), (0, 0, 1), name="floor"))
    track = falls.run(seconds=1.4, dt=1 / 100, progress=False).tracks[0]
    assert track.lands
    assert track.rest_time() == pytest.approx(0.6, rel=0.05)  # or one frame


def test_takes_keep_the_wishes(tmp_path):
    body = bar()
    each = wishes(body)
    body.damping = pl.Settle(rest_in=each, bounces=0)
    take = pl.Scene(body).run(seconds=1.4, dt=0.02, progress=False)
    take.save(tmp_path / "bar.zarr")
    read = pl.Take.read(tmp_path / "bar.zarr").tracks[0]
    assert read.asked["painted"] == each.tolist() and read.asked["rest_in"] == each.max()
    ours, theirs = take.tracks[0].places(), read.places()
    assert [p.rested for p in theirs] == [p.rested for p in ours] and len(ours) >= 4
    plain = bar()
    plain.damping = pl.Settle(rest_in=1.0)
    plainly = pl.Scene(plain).run(seconds=0.1, dt=0.02, progress=False).tracks[0]
    assert plainly.places() == [] and "painted" not in plainly.asked


def loaded(tmp_path, rest_in):
    return built(SCENE.format(rest_in=rest_in), tmp_path)


def built(text, folder):
    (folder / "tail.toml").write_text(text)
    return scene.read(folder / "tail.toml").build()


def test_a_file_gives_seconds_by_an_expression(tmp_path):
    setup = loaded(tmp_path, '"0.5 + 0.25*(x - xmin)"')
    [body] = setup.bodies.values()
    x = body.mesh.points[:, 0]
    assert body.damping.painted.seconds == pytest.approx(0.5 + 0.25 * (x - x.min()), rel=1e-14)
    assert body.damping.rest_in == 1.0 and body.damping.first_rest == 0.5


@pytest.mark.parametrize(
    "rest_in, told",
    [
        ('"x"', r'rest_in = "x" is 0 at 9 of 81 points; expected seconds > 0 at each'),
        ('"x < 1"', "a condition; expected seconds > 0"),
        ('"0.5*("', "expected an expression"),
        ("{ tail = 1 }", "got group 'tail'; the mesh has none at all"),
        ("{ tail = -1 }", r"rest_in.tail: is -1; expected seconds > 0"),
        ("{}", "expected seconds > 0, an expression"),
        ("-1", r"expected rest_in > 0 \[s\]"),
        ('"0.01 + 0*x"', "shorter than one step"),
    ],
)
def test_mistakes_in_files_are_told_with_their_place(tmp_path, rest_in, told):
    with pytest.raises(ValueError, match=told) as error:
        loaded(tmp_path, rest_in)
    assert "tail.toml:8" in str(error.value)


def test_a_file_gives_seconds_by_groups(tmp_path):
    mesh = pl.meshes.box((2, 0.4, 0.4), (8, 2, 2))
    far = np.flatnonzero(mesh.points[:, 0] > 1.0)
    pl.Mesh(mesh.points, mesh.cells, groups={"tip": far}).write(tmp_path / "bar.vtu")
    text = SCENE.format(rest_in="{ tip = 2, elsewhere = 0.5 }")
    box = "box = { size = [2, 0.4, 0.4], cells = [8, 2, 2] }"
    [body] = built(text.replace(box, 'file = "bar.vtu"'), tmp_path).bodies.values()
    seconds = body.damping.painted.seconds
    assert set(seconds) == {0.5, 2.0}
    assert np.array_equal(np.flatnonzero(seconds == 2.0), far)
    missing = text.replace(box, 'file = "bar.vtu"').replace(", elsewhere = 0.5", "")
    with pytest.raises(ValueError, match="expected elsewhere = seconds"):
        built(missing, tmp_path)


def test_a_wish_for_each_point_can_be_told(tmp_path):
    damping = pl.Settle(rest_in=[0.5, 2.0], bounces=1)
    assert "0.5 to 2 s over 2 points" in repr(damping)
    assert json.loads(json.dumps(damping.wish()))["painted"] == [0.5, 2.0]


def test_what_is_cut_keeps_the_wishes_of_its_places():
    body = bar()
    x = body.mesh.points[:, 0]
    body.damping = pl.Settle(rest_in=0.5 + 0.25 * x, bounces=0)
    body.place(body.mesh.points)
    body.cut(pl.HalfSpace((1.03, 0, 0), (1, 0, 0)))
    assert len(body) > len(x) and len(body.parts) == 2
    at = body.mesh.points[:, 0]
    assert body.damping.painted.seconds == pytest.approx(
        0.5 + 0.25 * at, abs=1e-3
    )  # the blade's width
    for part in body.parts:
        expected = 0.5 + 0.25 * part.mesh.points[:, 0]
        assert part.damping.painted.seconds == pytest.approx(expected, abs=1e-3)
    pl.Scene(body).run(seconds=0.1, dt=0.02, progress=False)


def test_what_lands_is_told_to_rest_as_a_whole():
    """Its places rest with the last of them, so it says nothing of each."""
    mesh = pl.meshes.box((1, 1, 1), (3, 3, 3))
    cube = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    cube.place(mesh.points + [0, 0.1, 0])
    cube.damping = pl.Settle(rest_in=0.3 + 0.3 * mesh.points[:, 1], bounces=0)
    scene = pl.Scene(cube, gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
    [track] = scene.run(seconds=1.0, dt=1 / 60, progress=False).tracks
    words = rested(track).words.replace("\u00a0", " ")
    assert "0.3 to 0.6 s" in words and "first touch" in words and "places" not in words
    assert track.rest_time() == pytest.approx(0.6, rel=0.06)
