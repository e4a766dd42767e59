"""Other wishes from a time on: keys of `Settle`."""

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
