"""What a stage says and does when steps fail, are repeated or take long, and when it is reset."""

import math
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.view import Engine
from pliant.view.pace import WINDOW, Effort, Pace
from pliant.view.status import status
from tests.failing import Fuse, culprit
from tests.unit.stage_bodies import DT, TIP, Stubborn, beam, engine_of, hold, tick

# Recording.


def test_a_reset_begins_the_recording_anew_and_says_so():
    takes = []
    engine = engine_of(beam(), gravity=(0, -9.81, 0))
    tick(engine, 0.5)
    engine.record(takes.append)
    tick(engine, 0.5)
    engine.reset()
    assert "recording began anew" in tick(engine, 0.2).message
    assert engine.snapshot.recorded == pytest.approx(0.2)
    engine.cut()
    engine.tick(steps=0)
    (take,) = takes
    assert take.times == pytest.approx(np.arange(13) * DT)
    assert (take.positions[0] == engine.act.scene.bodies[0].mesh.points).all()


def test_record_reset_stop_has_nothing_to_save():
    takes = []
    engine = engine_of(beam())
    engine.record(takes.append)
    tick(engine, 0.2)
    engine.reset()
    engine.cut()
    engine.tick(steps=0)
    assert not takes and "nothing was recorded" in engine.snapshot.message


def test_a_reset_without_recording_says_nothing():
    engine = engine_of(beam())
    engine.reset()
    assert tick(engine, 0.1).message == ""


def test_a_full_recording_that_cannot_be_kept_does_not_stop_the_scene(monkeypatch):
    def refuse(take):
        raise PermissionError(13, "permission denied", "take-1.zarr")

    monkeypatch.setattr("pliant.view.recording.LONGEST_RECORDING", 5.5 * DT)
    engine = engine_of(beam())
    engine.record(refuse)
    after = tick(engine, 0.3)
    assert "permission denied" in after.message and not after.failed
    assert after.recorded is None and after.time == pytest.approx(0.3)


# Failed steps.


def everything(engine):
    body = engine.act.scene.bodies[0]
    return engine.act.scene.time, body.positions, body.velocity, engine.act.grip.where


@pytest.mark.parametrize("error", [pl.SolverError("no"), RuntimeError("bug"), KeyboardInterrupt()])
def test_a_step_that_fails_in_the_hand_leaves_all_as_it_was(error):
    stepper = Stubborn(10, error)
    engine = engine_of(beam(), stepper=stepper)
    hold(engine, TIP, (1.5, 1, 0), seconds=10 * DT)
    before = everything(engine)
    with pytest.raises(type(error)):
        engine.act.step(DT)
    for was, now in zip(before, everything(engine), strict=True):
        assert np.array_equal(was, now)
    stepper._good = 1000
    engine.act.step(DT)
    assert engine.act.scene.time > before[0]


@pytest.mark.parametrize("error", [pl.SolverError("no"), RuntimeError("bug"), KeyboardInterrupt()])
@pytest.mark.parametrize("held", [False, True])
def test_going_on_after_failed_steps_is_as_if_nothing_had_failed(error, held):
    """The second body fails; the first, in the hand or not, had made its step."""
    ends = []
    for fails in (False, True):
        fuse = Fuse()
        scene = pl.Scene([beam(bounces=2), culprit(fuse, 3)], gravity=(0, -2, 0))
        engine = Engine(scene, dt=DT)
        tick(engine, 3 * DT)
        if held:
            hold(engine, TIP, (1.5, 1, 0), seconds=4 * DT)
        for k in range(12):
            fuse.light(*[error] * (k % 3) * fails)
            for _ in range(k % 3 * fails):
                with pytest.raises(type(error)):
                    engine.act.step(DT)
            engine.act.step(DT)
        ends.append(np.concatenate(engine.act.positions))
    assert np.array_equal(*ends)


def test_a_stage_that_failed_and_was_reset_plays_the_same_again():
    fuse = Fuse()
    scene = pl.Scene([beam(bounces=2), culprit(fuse, 3)], gravity=(0, -2, 0))
    engine = Engine(scene, dt=DT)
    first = tick(engine, 10 * DT).positions
    fuse.light(pl.SolverError("no"))
    assert tick(engine, DT).failed
    engine.reset()
    again = tick(engine, 10 * DT).positions
    assert all(map(np.array_equal, again, first))


def test_a_bug_in_the_hand_stops_the_scene_and_it_can_be_let_go_and_reset():
    stepper = Stubborn(10, TypeError("a bug"))
    engine = engine_of(beam(), stepper=stepper)
    hold(engine, TIP, (1.5, 1, 0), seconds=15 * DT)
    assert engine.snapshot.failed and engine.snapshot.held is not None
    assert "something went wrong in pliant: TypeError: a bug" in engine.snapshot.message
    engine.let_go()
    engine.tick()
    assert engine.snapshot.held is None and engine.snapshot.failed
    stepper._good = 1000
    engine.reset()
    after = tick(engine, 0.1)
    assert not after.failed and after.time == pytest.approx(0.1)


def test_a_step_without_a_solution_is_named_in_words():
    engine = engine_of(beam(), stepper=Stubborn(3, pl.SolverError("no way on")))
    failed = tick(engine, 0.1)
    assert failed.message == "this step could not be solved: beam: no way on."
    said = status(failed)
    assert "stopped" in said and "Press Reset" in said and "real time" not in said


class Retrying(pl.Implicit):
    """Says of some steps that they had to be repeated."""

    retries = 0

    def step(self, *given):
        state, report = super().step(*given)
        report.retries = self.retries
        return state, report


def test_steps_that_were_repeated_are_counted_and_said():
    stepper = Retrying()
    engine = engine_of(beam(), stepper=stepper)
    assert "tried again" not in status(tick(engine, 0.1))
    stepper.retries = 2
    engine.tick()
    assert engine.snapshot.retries == 2
    assert "a step had to be tried again, 2 times in the last second" in status(engine.snapshot)


def test_the_solver_tells_how_often_it_began_anew(monkeypatch):
    from pliant.solvers.newton import Newton, Report

    real, failures = Newton.minimise, [2]

    def unwilling(self, *given, **options):
        x, report = real(self, *given, **options)
        if failures[0]:
            failures[0] -= 1
            return x, Report(report.iterations, 0, report.residual, "iteration limit")
        return x, report

    body = beam(rest_in=0.5)
    body.place(body.mesh.points * [1, 1, 1.05])
    scene = pl.Scene([body])
    scene.step(DT)
    monkeypatch.setattr(Newton, "minimise", unwilling)
    (report,) = scene.step(DT)
    assert report.retries == 2
    (report,) = scene.step(DT)
    assert report.retries == 0


def test_a_hand_that_cannot_go_on_says_that_the_clock_stands():
    engine = engine_of(beam())
    held = hold(engine, TIP, (1.5, 1, 0), seconds=0.2)
    pace = engine._pace = Pace(DT, 0.0)
    for k in range(90):
        pace.stepped(k * DT, (k + 1) * DT, solved=k < 10, effort=Effort(int(k >= 10)))
    stuck = replace(held, rate=pace.rate, slowness=pace.slowness, retries=pace.retries)
    assert stuck.rate == 0.0 and math.isinf(stuck.slowness)
    said = status(stuck)
    assert "the clock stands still" in said and "real time" not in said
    assert "tried again" in said and "the hand pulls more gently" in said


def test_failing_steps_of_a_hand_do_not_count_as_time():
    stepper = Stubborn(10**6, pl.SolverError("no way on"))
    engine = engine_of(beam(), stepper=stepper)
    hold(engine, TIP, (1.5, 1, 0), seconds=0.1)
    before = engine._pace._simulated
    stepper._good = 0
    engine.tick(steps=2)
    assert engine.snapshot.held is not None and engine._pace._simulated == before
    assert engine.snapshot.retries == 2


# Pace.


def test_the_rate_is_simulated_time_over_wall_time():
    pace = Pace(0.01, 0.0)
    for k in range(300):  # every second try fails
        pace.stepped(0.01 * k, 0.01 * (k + 1), solved=k % 2 == 0)
    assert pace.rate == pytest.approx(0.5, rel=0.02)  # one step more or less in a second
    assert pace.slowness == pytest.approx(2.0, rel=0.02)


def test_the_rate_of_steps_longer_than_the_window():
    pace = Pace(0.01, 0.0)
    for k in range(4):
        pace.stepped(3.0 * k, 3.0 * (k + 1))
    assert pace.rate == pytest.approx(0.01 / 3.0) and pace.slowness == pytest.approx(300.0)


def test_nothing_is_said_of_the_pace_before_it_is_known():
    pace = Pace(0.01, 0.0)
    pace.stepped(0.0, 20.0)  # kernels are compiled
    assert pace.rate is None and pace.slowness == 1.0
    end = 20.0
    while end < 20.0 + WINDOW + 0.02:
        pace.stepped(end, end + 0.01)
        end += 0.01
    assert pace.rate == pytest.approx(1.0) and pace.slowness == 1.0
    pace.resume(100.0)
    assert pace.rate is None
    seen = replace(tick(engine_of(beam()), 0.1), rate=None, slowness=1.0)
    assert "real time" not in status(seen)
    assert "real time" in status(replace(seen, rate=1.0))


def test_in_slow_motion_the_pace_is_that_of_the_slow_motion():
    pace = Pace(0.01, 0.0, scale=0.05)
    for k in range(30):
        pace.stepped(0.2 * k, 0.2 * k + 0.001)
    assert pace.rate == pytest.approx(0.05) and pace.slowness == 1.0


def test_a_step_that_takes_long_is_named_while_it_does():
    seen = tick(engine_of(beam()), 0.1)
    assert "this step has taken" not in status(seen, seen.made + 0.5)
    assert "this step has taken 7 s so far" in status(seen, seen.made + 7.0)
    slow = replace(seen, scale=0.001)  # the next one is due in 17 s
    assert "this step has taken" not in status(slow, seen.made + 7.0)
    assert "this step has taken" not in status(replace(seen, paused=True), seen.made + 7.0)


# Senseless wishes.


@pytest.mark.parametrize(
    "point", [(np.nan, 0, 0), (0, np.inf, 0), (0, 3e200, 0), (1,), "here", None, [[1, 2, 3]]]
)
def test_a_place_that_is_none_is_refused_and_the_scene_goes_on(point):
    engine = engine_of(beam())
    engine.grab(0, point)
    refused = tick(engine, 0.1)
    assert "grab: got" in refused.message and refused.held is None and not refused.failed
    engine.grab(0, TIP)
    engine.pull(point)
    refused = tick(engine, 0.1)
    assert "pull: got" in refused.message and refused.held == pytest.approx(TIP)
    assert not refused.failed and refused.time == pytest.approx(0.2)


def test_a_body_without_pins_is_not_pulled_to_where_numbers_end():
    mesh = pl.meshes.box(size=(1, 1, 1), cells=(2, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.damping = pl.Settle(0.5)
    engine = engine_of(body)
    held = hold(engine, (1, 1, 1), (1e300, -1e300, 0), seconds=0.2)
    assert np.isfinite(held.positions[0]).all() and not held.failed
    engine.reset()
    assert np.array_equal(tick(engine, 0.0).positions[0], mesh.points)


def test_strong_gravity_has_a_slider():
    pytest.importorskip("viser")
    from pliant.view import Stage

    with Stage(pl.Scene([beam()], gravity=(0, -25.556, 0)), port=0) as stage:
        assert stage.panel.world.gravity.value == 25.56


@pytest.mark.parametrize("steps", [-1, 1.5, 1e300, 10**6, "two"])
def test_a_tick_has_a_sensible_number_of_steps(steps):
    with pytest.raises(ValueError, match="expected a whole number up to"):
        engine_of(beam()).tick(steps)
