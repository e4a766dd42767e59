"""Hands on the stage: what is grabbed follows, and rests on cue when it is let go."""

import numpy as np
import pytest

import pliant as pl
from pliant.view import Engine
from pliant.view.grip import GRIP_REACH, patch
from tests.unit.stage_bodies import DT, PROMISE, TIP, Stubborn, beam, engine_of, hold, plate, tick

# The hand.


@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("rest_in", [0.3, 0.8])
def test_rests_in_the_asked_time_after_it_was_let_go(rest_in, bounces):
    engine = engine_of(beam(rest_in=rest_in, bounces=bounces), gravity=(0, -9.81, 0))
    tick(engine, 0.2)
    held = hold(engine, TIP, (1.7, 1.1, 0.6))
    assert held.rested is None and not len(held.curve[0])  # in the hand no clock runs
    engine.let_go()
    after = tick(engine, 1.5 * rest_in)
    assert after.rested == pytest.approx(rest_in, rel=PROMISE)
    assert after.asked == rest_in and after.message == ""


@pytest.mark.parametrize("young", [1e3, 1e5, 1e9])
def test_the_held_point_goes_where_it_is_pulled_at_any_stiffness(young):
    engine = engine_of(beam(young=young))
    to = np.array([1.8, 0.9, 0.5])
    held = hold(engine, TIP, to)
    assert held.held == pytest.approx(to, abs=1e-3)
    grip = engine.act.grip
    moved = engine.act.positions[0][grip.points] - grip.body.mesh.points[grip.points]
    assert moved == pytest.approx(np.tile(to - TIP, (len(moved), 1)), abs=1e-3)


def test_a_hand_that_tears_is_slowed_down_and_its_reach_ends():
    engine = engine_of(beam(material=pl.NeoHookean))  # infinite energy for a cell inside out
    engine.act.scene.contact = False  # it would be let go where it has to pass itself
    size = np.linalg.norm([2, 0.5, 0.5])
    held = hold(engine, TIP, (-50.0, 0.5, 0.25), seconds=0.5)
    assert np.linalg.norm(held.held - TIP) <= GRIP_REACH * size * (1 + 1e-9)
    assert not held.failed and np.isfinite(held.positions[0]).all()
    engine.let_go()
    assert not tick(engine, 1.0).failed


@pytest.mark.slow
def test_what_is_thrown_hops_and_rests_on_cue():
    mesh = pl.meshes.box(size=(0.2, 0.2, 0.2), cells=(1, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
    body.damping = pl.Settle(0.5, bounces=1)
    floor = pl.HalfSpace((0, 0, 0), (0, 1, 0))
    body.place(mesh.points + [0, 0.1, 0])
    scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.3))
    scene.add(floor)
    engine = Engine(scene, dt=DT)
    engine.grab(0, (0.2, 0.3, 0.2))
    for k in range(1, 16):  # a quarter of a metre up in a quarter of a second
        engine.pull((0.2 + 0.5 * k * DT, 0.3 + k * DT, 0.2))
        engine.tick()
    engine.let_go()
    engine.tick()
    assert body.velocity.mean(axis=0)[1] > 0.3 and "in flight" in engine.snapshot.landing
    seen = set()
    for _ in range(72):
        engine.tick()
        seen.add(engine.snapshot.landing.split(";")[0].rstrip())
    after = engine.snapshot
    assert "hop 1 of 1" in seen and after.landing.endswith("since it touched")
    assert after.rested == pytest.approx(0.5, rel=0.06)
    times, shares = after.curve  # since the first touch, through the hop and to rest
    assert times[0] == 0.0 and times[-1] > 0.5 and shares.max() == 1.0 and shares[-1] < 0.01


def test_a_free_body_follows_and_flies_on_when_let_go():
    mesh = pl.meshes.box(size=(1, 1, 1), cells=(3, 3, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.damping = pl.Settle(0.5)
    engine = engine_of(body)
    engine.grab(0, (1, 1, 1))
    for k in range(1, 31):  # a metre in half a second
        engine.pull((1 + 2 * k * DT, 1, 1))
        engine.tick()
    assert engine.snapshot.positions[0].mean(axis=0)[0] > 1.2
    engine.let_go()
    engine.tick()
    thrown = body.velocity.mean(axis=0)
    assert thrown == pytest.approx([2.0, 0.0, 0.0], abs=0.3)  # the hand follows with some lag
    tick(engine, 0.5)
    assert body.velocity.mean(axis=0) == pytest.approx(thrown, abs=1e-6)  # damping is none of it


def test_plane_bodies_are_pulled_in_their_plane():
    engine = engine_of(plate(rest_in=0.4))
    held = hold(engine, (2.0, 0.5, 0.0), (1.8, 1.0, 7.0))
    assert held.held == pytest.approx([1.8, 1.0], abs=1e-3)
    engine.let_go()
    assert tick(engine, 0.8).rested == pytest.approx(0.4, rel=PROMISE)


def test_a_fixed_point_is_not_grabbed():
    engine = engine_of(beam())
    engine.grab(0, (0.0, 0.25, 0.25))
    engine.tick()
    assert engine.act.grip is None and "fixed" in engine.snapshot.message


def test_one_hand_at_a_time():
    engine = engine_of(beam())
    engine.grab(0, TIP, who=1)
    engine.grab(0, TIP, who=2)
    engine.pull((0, 3, 0), who=2)
    engine.let_go(who=2)
    assert tick(engine, 0.1).held == pytest.approx(TIP)
    engine.let_go(who=1)
    assert tick(engine, 0.1).held is None


@pytest.mark.parametrize("kind", ["tet", "hex"])
def test_a_patch_is_connected_free_and_small(kind):
    body = beam(kind=kind)
    for centre in np.flatnonzero(~body.pinned):
        points = patch(body, centre)
        assert centre in points and not body.pinned[points].any()
        assert len(points) <= (~body.pinned).sum() / 4


def test_pins_of_the_scene_survive_a_grab():
    body = beam()
    before = body.pinned
    engine = engine_of(body)
    held = hold(engine, (0.3, 0.5, 0.25), (0.4, 0.7, 0.3))
    assert len(held.pins[0]) == before.sum() < body.pinned.sum()
    engine.let_go()
    engine.tick()
    assert (body.pinned == before).all() and isinstance(body.damping, pl.Settle)


def test_what_cannot_be_solved_in_the_hand_is_let_go():
    stepper = Stubborn(10, pl.SolverError("no way on"))
    engine = engine_of(beam(), stepper=stepper)
    hold(engine, TIP, (1.5, 1, 0), seconds=10 * DT)
    engine.tick()
    assert engine.snapshot.held is not None  # at first it is pulled with more care
    for _ in range(20):
        if engine.act.grip is not None:
            engine.tick()
    assert engine.act.grip is None and not engine.snapshot.failed
    assert engine.snapshot.message.startswith("let go")


def test_long_elements_move_on_the_stage_and_are_not_grabbed():
    made = pl.LongElements(pl.meshes.sphere(0.5), spacing=0.1, young=1e5, damping=pl.Settle(0.3))
    made.fix(made.mesh.points[:, 1] < -0.4)
    engine = engine_of(made, gravity=(0, -9.81, 0))
    tick(engine, 0.4)
    top = made.mesh.points[:, 1].argmax()
    assert made.positions[top, 1] < made.mesh.points[top, 1] - 1e-3
    engine.grab(0, (0.0, 0.5, 0.0))
    engine.tick()
    assert engine.act.grip is None and "moves in its elements" in engine.snapshot.message


def test_a_body_in_its_modes_moves_on_the_stage_and_is_not_grabbed():
    made = pl.Modal(beam(young=1e8), modes=10, damping=pl.Settle(0.5))
    engine = engine_of(made, gravity=(0, -9.81, 0))
    tick(engine, 0.6)
    assert made.positions[-1, 1] < made.mesh.points[-1, 1] - 1e-4
    engine.grab(0, TIP)
    engine.tick()
    assert engine.act.grip is None and "moves in its modes" in engine.snapshot.message
