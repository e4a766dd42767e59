"""Other wishes from a time on: keys of `Settle`."""

import copy

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from tests.failing import Fuse
from tests.resuming import stopped_and_resumed
from tests.unit.scene_texts import text


def bar():
    body = pl.Body(
        pl.meshes.rectangle((4.0, 0.6), (16, 2)), pl.StableNeoHookean(young=1e6, poisson=0.35)
    )
    x = body.mesh.points
    body.fix(x[:, 0] < 1e-9)
    body.place(x + 0.08 * x[:, :1] ** 2 * [0, 1])
    return body


def run(first, key, at, *, dt=1 / 120, seconds=2.0):
    body = bar()
    body.damping = first
    body.change_damping(key, at=at)
    return pl.Scene(body).run(seconds=seconds, dt=dt, progress=False).tracks[0]


KEYS = [
    (pl.Settle(2.0, 2), pl.Settle(1.0, 2)),
    (pl.Settle(2.0, 0), pl.Settle(0.5, 0)),
    (pl.Settle(1.0, 2), pl.Settle(0.5, 0)),
    (pl.Settle(1.0), pl.Settle(1.0, 2)),
    (pl.Settle(0.5, 1), pl.Settle(1.5)),
]


@pytest.mark.parametrize("first, key", KEYS)
def test_a_key_is_kept_from_its_time_on(first, key):
    track = run(first, key, at=0.3)
    assert track.since == pytest.approx(0.3, abs=1e-9)
    assert track.rest_time() == pytest.approx(key.rest_in, rel=0.01)  # as promised of any start
    assert track.asked["rest_in"] == key.rest_in


@pytest.mark.parametrize("dt", (1 / 240, 1 / 60, 1 / 24))
def test_a_key_between_two_steps_acts_with_the_second(dt):
    track = run(pl.Settle(2.0, 2), pl.Settle(0.5, 0), at=0.29, dt=dt)
    assert 0.29 <= track.since < 0.29 + dt
    assert track.since / dt == pytest.approx(round(track.since / dt), abs=1e-6)
    assert track.rest_time() == pytest.approx(0.5, rel=0.01)


@pytest.mark.parametrize("into", (None, "bar.zarr"))
def test_a_take_that_ends_before_a_key_tells_the_wish_before(into, tmp_path):
    body = bar()
    body.damping = pl.Settle(0.5, 0)
    body.change_damping(pl.Settle(0.4, 1), at=0.3)
    body.change_damping(None, at=1.0)
    body.change_damping(pl.Settle(2.0, 2), at=3.0)
    path = None if into is None else tmp_path / into
    for seconds, rest_in, since in ((0.2, 0.5, 0.0), (0.8, 0.4, 0.3)):
        body.reset()
        body.place(bar().positions)
        scene = pl.Scene(copy.deepcopy(body))
        track = scene.run(seconds=seconds, dt=0.02, progress=False, into=path).tracks[0]
        assert track.asked["rest_in"] == rest_in and "before" not in track.asked
        assert track.since == pytest.approx(since)
    assert track.rest_time() == pytest.approx(0.4, rel=0.06)
    track = pl.Scene(body).run(seconds=1.2, dt=0.02, progress=False, into=path).tracks[0]
    assert track.asked == {}  # it ends without a wish


def test_impossible_keys_are_refused_before_anything_moves():
    body = bar()
    body.change_damping(pl.Settle(0.1, 5), at=0.2)
    scene = pl.Scene(body)
    with pytest.raises(pl.ImpossibleWishError, match="5 bounces in rest_in=0.1 s"):
        scene.run(seconds=1.0, dt=1 / 24, progress=False)
    assert scene.time == 0.0
    body = bar()
    body.change_damping(pl.Settle(np.ones(5)), at=0.2)
    scene = pl.Scene(body)
    with pytest.raises(ValueError, match=f"5 numbers; expected {len(body)}"):
        scene.run(seconds=1.0, dt=1 / 60, progress=False)
    assert scene.time == 0.0


def test_a_body_in_its_modes_has_keys_that_it_can_have():
    mesh = pl.meshes.box((2, 0.4, 0.4), (8, 2, 2))
    full = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.3))
    full.fix(mesh.points[:, 0] < 1e-9)
    quick = pl.Modal(full, modes=6, damping=pl.Settle(1.0))
    quick.change_damping(pl.StrainRate(phi=1e3, psi=1e3), at=0.2)
    scene = pl.Scene(quick)
    with pytest.raises(ValueError, match="got the damping pl.StrainRate"):
        scene.run(seconds=1.0, dt=1 / 60, progress=False)
    assert scene.time == 0.0


@pytest.mark.parametrize("into", (None, "bar.zarr"))
def test_wishes_for_each_point_follow_a_cut(into, tmp_path):
    """Those of now, and those of a key that comes after it."""
    body = bar()
    wishes = np.linspace(0.4, 0.8, len(body))
    body.damping = pl.Settle(wishes, 0)
    body.cut(pl.HalfSpace((3.1, 0), (1, 0.2)), at=0.1)
    body.change_damping(pl.Settle(2 * wishes, 0), at=0.3)
    path = None if into is None else tmp_path / into
    scene = pl.Scene(body, contact=False)
    track = scene.run(seconds=2.5, dt=0.02, progress=False, into=path).tracks[0]
    assert len(track.mesh.points) > len(wishes)
    places = track.places()
    assert places and all(0.8 <= place.asked <= 1.6 for place in places)
    assert np.isfinite([place.rested for place in places]).all()


@pytest.mark.parametrize("first, key", KEYS[:4])
def test_a_key_changes_neither_place_nor_velocity(first, key):
    """The velocity changes in a step by what forces do: half as much in half of the time."""
    changes = []
    for dt in (1 / 120, 1 / 480):
        x = run(first, key, at=0.3, dt=dt, seconds=0.5).positions[:, -1, 1]
        v = np.diff(x) / dt
        k = round(0.3 / dt)
        changes.append(abs(v[k] - v[k - 1]))
    assert (
        changes[1] < 0.4 * changes[0] or changes[1] < 0.05
    )  # a jump would stay; the tip has 2 m/s


def test_a_run_in_two_parts_is_the_run_in_one():
    once, twice = bar(), bar()
    for body in (once, twice):
        body.damping = pl.Settle(1.0, 2)
        body.change_damping(pl.Settle(0.5, 0), at=0.3)
    pl.Scene(once).run(seconds=0.6, dt=0.02, progress=False)
    parts = pl.Scene(twice)
    for seconds in (0.3, 0.3):
        parts.run(seconds=seconds, dt=0.02, progress=False)
    assert np.array_equal(once.positions, twice.positions)


def test_a_run_that_was_stopped_after_a_key_goes_on_as_if_it_had_not_been(tmp_path):
    def made():
        body = bar()
        body.damping = pl.Settle(1.0, 2)
        body.change_damping(pl.Settle(0.5, 0), at=0.2)
        return pl.Scene(body)

    path = tmp_path / "bar.zarr"
    take = stopped_and_resumed(made, path, steps=30, dt=0.02, at=17)
    [track] = take.tracks
    assert track.asked["rest_in"] == 0.5 and track.since == pytest.approx(0.2, abs=1e-9)


def test_a_step_that_fails_takes_its_key_back():
    body = bar()
    body.damping = first = pl.Settle(1.0)
    body.change_damping(pl.Settle(0.5), at=0.0)
    fuse = Fuse()
    body.push(force=lambda time: fuse(time)[:2], on=[1])
    scene = pl.Scene(body)
    fuse.light(RuntimeError("burnt"))
    with pytest.raises(RuntimeError, match="burnt"):
        scene.run(seconds=0.1, dt=0.02, progress=False)
    assert body.damping is first
    scene.run(seconds=0.02, dt=0.02, progress=False)
    assert body.damping is not first


@pytest.mark.parametrize("wrong", (np.nan, "soon", None))
def test_times_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="expected a time of the scene"):
        bar().change_damping(pl.Settle(1.0), at=wrong)


def test_what_is_no_damping_is_refused():
    with pytest.raises(TypeError, match=r"expected e.g. pl.Settle\(rest_in=1.0\) or None"):
        bar().change_damping(0.5, at=1.0)


def test_files_have_keys():
    told = text(
        'fix = "x < 0.01"',
        "density = 1000",
        "settle = { rest_in = 2, bounces = 2 }",
        "then = [{ at = 0.5, settle = { rest_in = 1 } }, { at = 1, damping = { model = 'none' } }]",
    )
    [body] = scene.parse(told, name="a.toml").build().bodies.values()
    assert body.damping.rest_in == 2.0
    body.apply_events(0.5)
    assert body.damping.rest_in == 1.0 and body.damping.bounces is None
    body.apply_events(1.0)
    assert isinstance(body.damping, pl.Undamped)


@pytest.mark.parametrize(
    "key, said",
    [
        ("{ at = 1 }", "has no damping"),
        ("{ settle = { rest_in = 1 } }", "at: is missing"),
        ("{ at = -1, settle = { rest_in = 1 } }", "at >= 0"),
        ("{ at = 1, settle = { rest_in = 0 } }", "rest_in > 0"),
    ],
)
def test_mistakes_in_keys_are_told(key, said):
    told = text('fix = "x < 0.01"', "density = 1000", f"then = [{key}]")
    with pytest.raises(scene.SceneError, match=said):
        scene.parse(told, name="a.toml").build()


def test_files_have_keys_of_bodies_in_their_modes():
    told = text(
        'fix = "x < 0.01"',
        "settle = { rest_in = 2, bounces = 2 }",
        "reduce = { modes = 4 }",
        "then = [{ at = 0.5, settle = { rest_in = 1 } }]",
    )
    [body] = scene.parse(told, name="a.toml").build().bodies.values()
    assert isinstance(body, pl.Modal)
    body.apply_events(0.5)
    assert body.damping.rest_in == 1.0


def test_a_damping_given_to_a_body_in_its_modes_has_no_keys():
    mesh = pl.meshes.box((2, 0.4, 0.4), (8, 2, 2))
    full = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.3), damping=pl.Settle(1.0))
    full.fix(mesh.points[:, 0] < 1e-9)
    full.change_damping(pl.Settle(0.5), at=0.2)
    assert len(pl.Modal(full, modes=4).keyed_dampings) == 2
    assert len(pl.Modal(full, modes=4, damping=pl.Settle(2.0)).keyed_dampings) == 1


@pytest.mark.parametrize("bounces", [0, 2])
def test_a_key_to_a_wish_for_each_point_counts_the_velocity(bounces):
    """Each place rests in its own time from the key on, though all of it is on its way."""
    mesh = pl.meshes.rectangle((4, 0.6), (24, 3))
    x = mesh.points[:, 0]
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
    body.fix(x < 1e-9)
    body.place(mesh.points + 0.08 * x[:, None] ** 2 * [0.0, 1.0])
    body.damping = pl.Settle(1.0, 1)
    body.change_damping(pl.Settle(0.5 * 4 ** (x / 4), bounces), at=0.4)
    take = pl.Scene([body], contact=False).run(seconds=3.0, dt=1 / 60, progress=False)
    found = [place.rested / place.asked for place in take[body].places()]
    assert found == pytest.approx([1.0] * len(found), abs=0.05)
