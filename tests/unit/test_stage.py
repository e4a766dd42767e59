"""The engine of the stage: wishes, sliders, pauses, failures and its pace."""

import threading
import time

import numpy as np
import pytest

import pliant as pl
from pliant.view.mailbox import Mailbox
from pliant.view.pace import Pace
from pliant.view.panel import status
from tests.unit.stage_bodies import DT, PROMISE, TIP, Stubborn, beam, engine_of, hold, tick

# Sliders.


def test_a_new_wish_acts_at_once():
    engine = engine_of(beam(rest_in=3.0))
    hold(engine, TIP, (1.7, 1.0, 0.25))
    engine.let_go()
    tick(engine, 0.5)
    engine.settle(pl.Settle(0.4))
    after = tick(engine, 0.8)
    assert after.rested == pytest.approx(0.4, rel=PROMISE) and after.asked == 0.4


def test_a_wish_made_while_held_counts_from_the_release():
    engine = engine_of(beam(rest_in=3.0))
    hold(engine, TIP, (1.7, 1.0, 0.25))
    engine.settle(pl.Settle(0.4, bounces=0))
    assert tick(engine, 0.5).held is not None
    engine.let_go()
    assert tick(engine, 0.8).rested == pytest.approx(0.4, rel=PROMISE)


def test_bounces_are_bounces():
    engine = engine_of(beam(rest_in=1.2, bounces=3))
    hold(engine, TIP, (2.0, 0.8, 0.25))
    engine.let_go()
    shares = tick(engine, 1.2).curve[1]
    turns = np.flatnonzero((shares[1:-1] > shares[:-2]) & (shares[1:-1] >= shares[2:]))
    assert len(turns) in (5, 6)  # three full oscillations cross the rest shape six times


def test_an_impossible_wish_is_refused_in_words_and_the_old_one_stays():
    engine = engine_of(beam(rest_in=0.5))
    engine.settle(pl.Settle(0.05, bounces=8))
    engine.tick()
    assert "8 bounces" in engine.snapshot.message and not engine.snapshot.paused
    assert engine.act.scene.bodies[0].damping.rest_in == 0.5


def test_stiffness_keeps_the_motion_and_scales_the_sag():
    body = beam(young=1e7)
    engine = engine_of(body, gravity=(0, -9.81, 0))
    tick(engine, 1.0)
    sag = body.positions[:, 1] - body.mesh.points[:, 1]
    x, v = body.positions, body.velocity
    engine.stiffen(4.0)
    engine.tick(steps=0)
    assert (body.positions == x).all() and (body.velocity == v).all()
    assert body.material.young == 4e7
    tick(engine, 1.0)
    softer = body.positions[:, 1] - body.mesh.points[:, 1]
    # A small sag is proportional to 1/young; 5 % are left for its nonlinear part.
    assert softer.min() == pytest.approx(sag.min() / 4, rel=0.05)
    engine.stiffen(1.0)  # of the given stiffness, not of the last
    engine.tick()
    assert body.material.young == 1e7


def test_gravity_moves_the_rest_shape():
    body = beam()
    engine = engine_of(body)
    engine.gravity((0, -5.0, 0))
    after = tick(engine, 1.0)
    assert after.positions[0][:, 1].min() < -0.01
    assert after.rested == pytest.approx(0.5, rel=PROMISE)


@pytest.mark.parametrize("wish", ["stiffen", "speed"])
def test_nonsense_is_refused(wish):
    engine = engine_of(beam())
    getattr(engine, wish)(-1.0)
    engine.tick()
    assert "expected" in engine.snapshot.message


def test_of_many_values_of_a_slider_the_last_counts():
    box, seen = Mailbox(), []
    for value in range(5):
        box.post(lambda v=value: seen.append(v), key="slider")
    box.post(lambda: seen.append("button"))
    for errand in box.take():
        errand()
    assert seen == [4, "button"]


# Pause, step, reset.


def test_pause_step_and_reset():
    body = beam()
    body.place(body.mesh.points * [1, 1, 1.1])
    start = body.positions
    engine = engine_of(body)
    tick(engine, 0.2)
    engine.pause()
    assert tick(engine, 0.2).time == pytest.approx(0.2)
    engine.step()
    engine.tick(steps=0)
    assert engine.snapshot.time == pytest.approx(0.2 + DT) and engine.snapshot.paused
    engine.reset()
    engine.tick(steps=0)
    assert engine.snapshot.time == 0.0 and not engine.snapshot.paused
    assert (body.positions == start).all()


@pytest.mark.parametrize("error", [pl.SolverError("no way on"), RuntimeError("a bug")])
def test_a_failed_step_pauses_says_why_and_reset_goes_on(error):
    stepper = Stubborn(3, error)
    engine = engine_of(beam(), stepper=stepper)
    failed = tick(engine, 0.2)
    assert failed.failed and failed.paused and str(error) in failed.message
    assert failed.time == pytest.approx(3 * DT)  # the last frame that was whole
    assert "Press Reset" in status(failed)
    engine.pause(False)
    assert tick(engine, 0.1).failed  # there is no going on from here
    stepper._good = 1000
    engine.reset()
    assert not tick(engine, 0.1).failed


# Time.


def test_pace_keeps_time_and_gives_up_what_was_lost():
    pace = Pace(0.1, 0.0, scale=2.0)  # a step is due every 50 ms
    pace.stepped(0.0, 0.01)
    assert pace.wait(0.01) == pytest.approx(0.04)
    pace.stepped(0.05, 1.0)  # a hiccup
    assert pace.wait(1.0) == 0.0
    pace.stepped(1.0, 1.01)
    assert pace.wait(1.01) == pytest.approx(0.04)  # from here on, without a burst


def test_slower_than_real_time_is_said_by_its_factor():
    class Slow(pl.Implicit):
        def step(self, *given):
            time.sleep(2.5 * DT)
            return super().step(*given)

    engine = engine_of(beam(), stepper=Slow())
    engine.start()
    try:
        until = time.monotonic() + 20
        while engine.snapshot.slowness == 1.0 and time.monotonic() < until:
            time.sleep(0.02)
        seen = engine.snapshot
        assert seen.slowness > 2.4  # at least what sleeping alone makes it
        assert f"{seen.slowness:.1f} × slower than real time" in status(seen)
    finally:
        engine.stop()


def test_the_thread_ends():
    engine = engine_of(beam())
    engine.start()
    engine.stop()
    assert not any(t.name == "pliant-stage" for t in threading.enumerate())
