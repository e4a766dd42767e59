"""Several bodies on the stage: each has its wish, its curve and its line; and what was before."""

import time
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene_files
from pliant.solvers import time_budget
from pliant.view import Engine
from pliant.view.ground import ground_level
from pliant.view.look import NEAR_STAGE, obstacles_near
from pliant.view.played import played
from pliant.view.replay import Replay
from pliant.view.status import status
from pliant.view.tape import TAPE, Tape
from tests.unit.stage_bodies import DT, PROMISE, beam, engine_of, hold, tick
from tests.unit.test_stage_changes import cut_bar

TWO = """
[body.near]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 1.0, bounces = 2 }
[body.far]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] }, move = [0, 0, 2] }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 0.8 }
"""


@pytest.fixture
def two():
    file = scene_files.parse(TWO)
    return file, Engine(file.build().scene, dt=DT)


def block(**wish):
    mesh = pl.meshes.box(size=(1, 1, 1), cells=(2, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.damping = pl.Settle(0.5, **wish)
    return body


# A wish for each.


def test_a_wish_is_that_of_one_body_and_the_clock_of_the_other_runs_on(two):
    file, engine = two
    near, far = engine.act.scene.bodies
    engine.gravity((0, -1.0, 0))
    tick(engine, 0.4)
    engine.settle(pl.Settle(0.3), 1)
    after = tick(engine, 0.8)
    assert (near.damping.rest_in, near.damping.bounces, far.damping.rest_in) == (1.0, 2, 0.3)
    assert after.bodies[0].asked == 1.0 and after.bodies[0].curve[0][-1] == pytest.approx(1.2)
    assert after.bodies[1].rested == pytest.approx(0.3, rel=PROMISE)
    saved = played(file, engine.act).body
    assert (saved["near"].settle.rest_in, saved["far"].settle.rest_in) == (1.0, 0.3)


def test_each_body_has_a_line_and_the_one_that_is_grabbed_is_in_focus(two):
    _, engine = two
    held = hold(engine, (2.0, 0.5, 2.25), (2.0, 0.9, 2.25), body=1)
    assert held.focus == 1 and held.asked is None
    said = status(held)
    assert "far: in your hand" in said and "near: at rest" in said
    engine.let_go()
    engine.choose(0)
    after = tick(engine, 1.0)
    assert after.focus == 0 and after.bodies[1].rested == pytest.approx(0.8, rel=PROMISE)
    assert "far: <" in status(after) and "at rest after 0.8" in status(after)


@pytest.mark.parametrize("number", [-1, 2, 0.5, None])
def test_a_body_that_is_none_is_not_chosen(two, number):
    _, engine = two
    engine.choose(number)
    engine.tick()
    assert "expected the number of a body" in engine.snapshot.message


# What is cut.


def test_a_piece_that_falls_has_a_curve_and_is_not_said_to_be_at_rest():
    engine = Engine(cut_bar(), dt=DT)
    after = tick(engine, 0.4)
    assert len(engine.act.scene.bodies[0].parts) == 2
    assert len(after.curve[0]) > 10 and "since it was let go" in status(after)
    later = tick(engine, 0.6)
    assert later.rested is not None and later.body.speed > 1.0
    assert "while it moves on" in status(later)


# Throwing.


def test_a_flick_gives_a_free_body_the_velocity_of_the_pointer():
    engine = engine_of(block())
    engine.grab(0, (1, 1, 1))
    for k in range(7):  # the hand lags behind: without a flick it would give half of that
        engine.pull((1 + 3.0 * k * DT, 1 + 1.5 * k * DT, 1))
        engine.tick()
    engine.let_go()
    engine.tick()
    thrown = engine.act.scene.bodies[0].velocity.mean(axis=0)
    assert thrown == pytest.approx([3.0, 1.5, 0.0], abs=1e-3)


def test_a_hand_that_stands_still_throws_nothing():
    engine = engine_of(block())
    hold(engine, (1, 1, 1), (1.5, 1, 1), seconds=1.0)
    engine.let_go()
    engine.tick()
    assert np.abs(engine.act.scene.bodies[0].velocity).max() < 0.05


# The past.


def test_a_tape_has_the_last_seconds_and_begins_anew_with_the_scene():
    engine, tape = engine_of(beam()), Tape()
    seen = engine.snapshot
    for k in range(round(1.5 * TAPE / DT)):
        tape.add(replace(seen, time=k * DT))
    assert tape.seconds == pytest.approx(TAPE, abs=0.05)
    assert tape.at(2.0).time == pytest.approx(1.5 * TAPE - 2.0, abs=0.06)
    assert tape.at(1e9).time == pytest.approx(0.5 * TAPE, abs=0.06)
    tape.add(replace(seen, time=0.0))
    assert tape.seconds == 0.0 and tape.at(3.0).time == 0.0


def test_a_large_scene_has_a_shorter_tape(monkeypatch):
    engine = engine_of(beam())
    room = 10.5 * engine.snapshot.positions[0].nbytes
    monkeypatch.setattr("pliant.view.tape.ROOM_ON_TAPE", room)
    tape = Tape()
    for k in range(60):
        tape.add(replace(engine.snapshot, time=k / 30))
    assert tape.seconds == pytest.approx(9 / 30)


def test_looking_back_pauses_the_scene_and_it_goes_on_afterwards():
    engine = engine_of(beam(), gravity=(0, -1, 0))
    replay = Replay(engine)
    for _ in range(30):  # a picture for each step
        engine.tick()
    then = engine.snapshot.time
    replay.scrub(0.25)
    tick(engine, 0.5)
    assert engine.snapshot.time == then and engine.snapshot.paused
    assert replay.moment().time == pytest.approx(then - 0.25, abs=0.04)
    assert "replay" in status(engine.snapshot, ago=replay.ago)
    replay.play()
    until = time.monotonic() + 20
    while replay.moment() is not None and time.monotonic() < until:
        time.sleep(0.02)
    assert replay.ago == 0.0
    assert tick(engine, 0.1).time == pytest.approx(then + 0.1)


# A budget of time.


def test_a_spent_budget_ends_searches_early_and_the_step_is_kept():
    body = beam(rest_in=0.5, bounces=2)
    noise = 0.2 * np.random.default_rng(1).standard_normal(body.mesh.points.shape)
    body.place(body.mesh.points + noise * ~body.pinned[:, None])  # many Newton steps from rest
    engine = engine_of(body)
    effort = engine.act.step(DT, budget=0.0)
    assert effort.cuts >= 1 and engine.act.scene.time == DT
    assert np.isfinite(body.positions).all()
    engine.act.reset()
    assert engine.act.step(DT).cuts == 0  # and without one none is


def test_rest_shapes_are_found_whatever_the_budget():
    def sag(seconds):
        body = beam(young=2e4)
        engine = engine_of(body, gravity=(0, -3.0, 0))
        with time_budget(seconds):
            engine.tick()
        return body.state.rest.x

    assert sag(0.0) == pytest.approx(sag(1e6), abs=1e-6)


def test_steps_that_ended_early_are_said():
    seen = tick(engine_of(beam()), 0.1)
    assert "ended early" not in status(seen)
    assert "3 steps of the last second took too long" in status(replace(seen, cuts=3))


@pytest.mark.slow
def test_soft_columns_under_strong_gravity_do_not_stall_the_stage():
    """The slider of stiffness at its end: without a budget steps take up to 0.19 s, now 0.07 s."""
    mesh = pl.meshes.cylinder(0.12, 2.0, cells=(2, 14))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e7, poisson=0.4))
    long = int(np.ptp(mesh.points, axis=0).argmax())
    body.fix(mesh.points[:, long] < mesh.points[:, long].min() + 0.01)
    body.damping = pl.Settle(2.5, 4)
    down = -20.0 * np.eye(3)[long]
    engine = engine_of(body, gravity=down)
    tick(engine, 0.2)
    engine.stiffen(0.1)
    engine.tick()
    for _ in range(30):
        began = time.thread_time()
        engine.act.step(DT, budget=0.05)
        assert time.thread_time() - began < 0.13


# The ground.


def level_of(scene):
    x = np.concatenate([body.positions for body in scene.bodies])
    low, high = x.min(axis=0), x.max(axis=0)
    return ground_level(scene, obstacles_near(scene.obstacles, low, high, near=NEAR_STAGE))


def test_ground_is_drawn_where_it_acts_and_under_what_is_glued_to_it():
    assert level_of(pl.Scene([beam()])) is None  # a board that is held at one end, at a wall
    scene = pl.Scene([beam()])
    scene.add(pl.HalfSpace((0, -0.4, 0), (0, 1, 0)))
    floor = level_of(scene)
    assert floor.acts and floor.height == pytest.approx(-0.4)
    stands = block()
    stands.fix(stands.mesh.points[:, 1] < 1e-9)
    glued = level_of(pl.Scene([stands]))
    assert not glued.acts and glued.height == pytest.approx(0.0)
    falls = block()
    assert level_of(pl.Scene([falls], gravity=(0, -9.81, 0))) is None


def test_what_stands_still_is_not_sent_again():
    pytest.importorskip("viser")
    from pliant.view.look import Look
    from pliant.view.server import open_server

    engine = engine_of(beam())
    server = open_server("127.0.0.1", 0)
    try:
        look = Look(server, engine.act.scene)
        sent = look.bodies[0].vertices.copy()
        here = engine.snapshot.positions[0]
        look.show(replace(engine.snapshot, positions=(here + 1e-6,)), 0.0)
        assert np.array_equal(look.bodies[0].vertices, sent)
        look.show(replace(engine.snapshot, positions=(here + 1e-3,)), 0.0)
        assert not np.array_equal(look.bodies[0].vertices, sent)
    finally:
        server.stop()


@pytest.mark.slow
def test_a_pose_of_6k_tetrahedra_costs_less_than_two_cores_have_at_30_hertz():
    pytest.importorskip("viser")
    from benchmarks.cantilever import SIZES
    from benchmarks.stage import measured

    seen = measured(pl.meshes.box((4, 1, 1), SIZES["6k"]), seconds=3.0)
    assert seen.work < 1e3 / 30.0  # ms of processor time, which other programs hardly change
