"""What fails or is interrupted in the middle of a step has not happened."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from soft_bodies import sheet, solid, string, two_blocks
from stages import DAMPINGS, SUPPORTS, beam, on_a_string, stage

import pliant as pl
from pliant.backend import resident
from pliant.solvers import Coarsened, Factored, Gridded
from pliant.take.measure import rest_time
from tests.failing import Clumsy, Fuse, culprit, motion, remembered, same

SOURCE = str(Path(pl.__file__).parent)


# --- what a body is made of, and what solves for it -----------------------------------------


@pytest.mark.parametrize("stepper", [pl.Implicit, pl.LinearisedImplicit, pl.BDF2, pl.QuasiStatic])
@pytest.mark.parametrize(
    "make, solver",
    [(lambda: solid((4, 2, 2)), Factored), (solid, Gridded), (sheet, Coarsened)],
    ids=["factor", "grids", "hierarchy"],
)
def test_what_solvers_keep_is_put_back(make, solver, stepper):
    """Worn preconditioners have their age in the last digits of a step."""
    assert isinstance(make().system().linear, solver)
    gravity = (0, -9.81, 0)
    whole, broken = (
        motion(make(), fails=fails, dt=1 / 60, stepper=stepper(), gravity=gravity, steps=15)
        for fails in (False, True)
    )
    assert np.array_equal(broken, whole)


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("make", [solid, sheet])
def test_grids_under_control(make, bounces):
    whole, broken = (
        motion(make(damping=pl.Settle(0.4, bounces)), fails=fails, dt=1 / 60, gravity=(0, -1, 0))
        for fails in (False, True)
    )
    assert np.array_equal(broken, whole)


def test_a_landing_goes_on_after_steps_that_were_interrupted():
    found = []
    for fails in (False, True):
        fuse, mesh = Fuse(), pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
        body.place(mesh.points + [0, 0.05, 0])
        body.damping = pl.Settle(rest_in=0.3, bounces=1)
        body.push(force=fuse, on=[0])
        scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.3))
        scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
        stages = set()
        for k in range(24):
            if fails and k in (2, 7, 10, 20):  # in the fall, on the ground, in a hop, at rest
                before = body.state
                fuse.light(KeyboardInterrupt())
                with pytest.raises(KeyboardInterrupt):
                    scene.step(1 / 60)
                assert body.state is before
            scene.step(1 / 60)
            stages.add(body.state.control.stage.name)
        assert {"FLIGHT", "SETTLE"} <= stages and body.state.control.made == 1
        found.append(body.positions)
    assert np.array_equal(*found)


def test_muscles_are_put_back():
    for damping in (None, pl.Settle(0.1), pl.Settle(0.1, 2)):
        found = []
        for fails in (False, True):
            body = string()
            body.damping = damping
            found.append(motion(body, fails=fails, dt=1e-3))
        assert np.array_equal(*found)


def test_muscles_that_an_explicit_step_has_looked_ahead_with():
    whole, broken = (
        motion(string(), fails=fails, dt=1e-3, stepper=pl.RungeKutta4()) for fails in (False, True)
    )
    assert np.array_equal(broken, whole)


def test_a_cut_that_was_due_in_a_failed_step_is_made_in_the_next():
    found = []
    for fails in (False, True):
        body = string()
        body.damping = pl.Settle(0.1)
        body.cut(np.arange(len(body.pairs)) == 7, at=0.006)  # the step that fails five times
        found.append(motion(body, fails=fails, dt=1e-3))
        assert len(body.pairs) == len(string().pairs) - 1
    assert np.array_equal(*found)


def test_contact_and_obstacles():
    found = []
    for fails in (False, True):
        body = two_blocks()
        floor = pl.HalfSpace((0, -0.001, 0), (0, 1, 0), friction=0.3)
        found.append(motion(body, fails=fails, dt=2e-3, obstacles=[floor], gravity=(0, -9.8, 0)))
    assert np.array_equal(*found)


def test_rods_of_impact_turn_back():
    found = []
    for fails in (False, True):
        x = np.stack([np.linspace(0, 1, 9), np.zeros(9), np.zeros(9)], axis=1)
        x = np.concatenate([x, x + [0.05, 0.021, 0.0]])
        lines = np.concatenate(
            [np.stack([np.arange(8), np.arange(1, 9)], axis=1) + k for k in (0, 9)]
        )
        rods = pl.ImpactRods(pl.Mesh(x, {"line": lines}), young=1e6, density=1e3, radius=0.01)
        rods.velocity = np.where(x[:, 1:2] > 0.01, [0.0, -1.0, 0.0], 0.0)
        rods.angular_velocity = (0.0, 3.0, 1.0)
        rods.twist((1e-3, 0, 0), on=[2])
        moved = motion(rods, fails=fails, dt=2e-4, stepper=pl.Impact(), steps=30)
        found.append(np.concatenate([moved.ravel(), rods.orientation.ravel()]))
    assert np.array_equal(*found)


@pytest.mark.parametrize("on_device", [False, True])
def test_which_way_a_body_hangs_is_put_back(on_device):
    """Told by the load at the end of a step, and remembered where there is none."""
    with resident(on_device):
        _hangs_as_before()


def _hangs_as_before():
    body, fuse = on_a_string(None), Fuse()
    body.push(volume=lambda t: (1e3 * np.sin(9 * t), -1e4, 0.0))
    scene = pl.Scene([body, culprit(fuse, 3)])
    scene.step(0.01)
    [before] = body.state.hinges
    assert before.shape == (3, 1)
    fuse.light(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        scene.step(0.01)
    assert np.array_equal(body.state.hinges[0], before)
    scene.step(0.01)
    assert not np.array_equal(body.state.hinges[0], before)


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("name", DAMPINGS)
@resident()
def test_arrays_of_a_device_are_put_back(name, support):
    """With the CPU as the device: in a run arrays stay there, after it they are numpy's."""
    errors, ends = [KeyboardInterrupt(), pl.SolverError("on cue")], []
    for fails in (False, True):
        body = beam(3, DAMPINGS[name](), support=support)
        other = Clumsy(dict(zip((0.035, 0.065), errors, strict=True)) if fails else {})
        scene = pl.Scene([body, culprit(other, 3)], gravity=stage(body, support).gravity)
        for k in range(3):  # each ends where steps fail, if they do
            seconds = 1.0 if fails and k < 2 else 0.03
            try:
                scene.run(seconds=seconds, dt=0.01)
            except (KeyboardInterrupt, pl.SolverError):
                assert fails and k < 2
            assert isinstance(body.state.x, np.ndarray)
        ends.append(body.positions)
        assert scene.time == pytest.approx(0.09)
    assert np.array_equal(*ends)


# --- runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [pl.SolverError("on cue"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("damping", [None, pl.Settle(0.3), pl.Settle(0.3, 2)], ids=repr)
def test_a_run_that_failed_is_taken_up(damping, error):
    dt, body = 1 / 60, solid(damping=damping)
    whole = pl.Scene([body, culprit(Fuse(), 3)]).run(seconds=0.4, dt=dt)[body].positions
    body = solid(damping=damping)
    scene = pl.Scene([body, culprit(Clumsy({0.2: error}), 3)])
    with pytest.raises(type(error)) as caught:
        scene.run(seconds=0.4, dt=dt)
    first = caught.value.take[body]
    assert np.array_equal(first.positions, whole[: len(first.positions)])
    assert first.times[-1] == scene.time and 0.2 - dt < scene.time <= 0.2 + 1e-9
    assert np.array_equal(body.positions, first.positions[-1])
    left = len(whole) - len(first.positions)
    second = scene.run(seconds=left * dt, dt=dt)[body].positions
    assert np.array_equal(second, whole[len(first.positions) - 1 :])


@pytest.mark.parametrize("error", [pl.SolverError("on cue"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("make", [solid, sheet, string, two_blocks])
def test_what_comes_between_two_bodies_has_not_happened(monkeypatch, make, error):
    """The first body has made its step, the second has not, or has failed in it."""
    dt, real, calls, failing = 1 / 100, pl.Implicit.step, [], []

    def between(stepper, problem, *given):
        calls.append(problem.name)
        if len(calls) in failing:
            assert problem.name == "second" and calls[-2] == "first"
            raise error
        return real(stepper, problem, *given)

    monkeypatch.setattr(pl.Implicit, "step", between)
    ends = []
    for numbers in ((), (2, 12, 14, 16, 20)):
        calls.clear()
        failing[:] = numbers
        bodies = [make(), solid((6, 2, 2), pl.Settle(0.3, 2))]
        bodies[0].name, bodies[1].name = "first", "second"
        scene = pl.Scene(bodies, gravity=(0, -1, 0))
        left = 15
        while left:
            before = [remembered(body) for body in bodies], scene.time
            try:
                take = scene.run(seconds=left * dt, dt=dt)
            except type(error) as caught:
                take = caught.take
                left -= len(take) - 1
                now = [remembered(body) for body in bodies], scene.time
                assert len(take) > 1 or same(now, before)
            else:
                left = 0
        ends.append([scene.time, *(body.positions for body in bodies)])
    assert same(*ends)


@pytest.mark.parametrize("failures", [1, 5, 20])
def test_failures_of_another_do_not_turn_the_clock(failures):
    body, fuse = solid((6, 2, 2), pl.Settle(0.5)), Fuse()
    scene, dt = pl.Scene([body, culprit(fuse, 3)]), 1 / 60
    times, shapes = [0.0], [body.positions]
    while scene.time < 0.7:
        if len(times) == 10:
            fuse.light(*[pl.SolverError("on cue") for _ in range(failures)])
            for _ in range(failures):
                with pytest.raises(pl.SolverError, match="on cue"):
                    scene.step(dt)
        scene.step(dt)
        times.append(scene.time)
        shapes.append(body.positions)
    away = np.linalg.norm((np.array(shapes) - body.state.rest.x).reshape(len(times), -1), axis=1)
    # 0.7 % is a miss of one twentieth of a step of 1/60 s in 0.5 s; one step would be 3 %.
    assert rest_time(np.array(times), away, 0.01) == pytest.approx(0.5, rel=0.007)


def test_a_stepper_that_is_refused_leaves_the_clock_of_the_one_before():
    body = solid((6, 2, 2), pl.Settle(0.3, 2))
    scene = pl.Scene(body)
    scene.run(seconds=0.1, dt=1 / 60)
    before = remembered(body)
    with pytest.raises(ValueError, match="Settle"):
        scene.run(seconds=0.1, dt=1 / 60, stepper=pl.BDF2())
    assert same(remembered(body), before)


def test_a_run_that_cannot_begin_changes_nothing(tmp_path):
    body = solid((6, 2, 2), pl.Settle(0.3))
    scene = pl.Scene(body)
    scene.run(seconds=0.1, dt=1 / 60)
    before = remembered(body)

    class Full:
        def begin(self, *of):
            raise OSError("no space left on device")

        frame = step = take = begin

    with pytest.raises(OSError):
        scene.run(seconds=0.1, stepper=pl.QuasiStatic(), into=Full())
    assert same(remembered(body), before)


@pytest.mark.parametrize("make", [solid, sheet, string])
def test_an_equilibrium_changes_nothing(make):
    ends = []
    for asks in (False, True):
        body = make()
        body.damping = pl.Settle(0.4, 2)
        scene = pl.Scene(body, gravity=(0, -0.5, 0))
        for _ in range(10):
            scene.step(1 / 60)
            if asks:
                before = remembered(body)
                assert len(scene.equilibrium()) == 1
                assert same(remembered(body), before)
        ends.append(body.positions)
    assert np.array_equal(*ends)


def test_an_equilibrium_leaves_what_is_to_be_cut():
    body = string()
    body.cut([3], at=0.0)
    scene = pl.Scene(body)
    count = len(body.pairs)
    assert len(scene.equilibrium()) == 1
    assert len(body.pairs) == count
    scene.step(1e-3)
    assert len(body.pairs) == count - 1


# --- interrupts anywhere --------------------------------------------------------------------


class Interrupted:
    """A context in which the n-th line of pliant that is reached raises KeyboardInterrupt.

    Not within `_put_back`: a second interrupt is another matter.
    """

    def __init__(self, number):
        self.number, self.seen = number, 0

    def __enter__(self):
        sys.settrace(self._call)
        return self

    def __exit__(self, *of):
        sys.settrace(None)

    def _call(self, frame, event, arg):
        code = frame.f_code
        if not code.co_filename.startswith(SOURCE) or code.co_name == "_put_back":
            return None
        return self._line

    def _line(self, frame, event, arg):
        if event == "line":
            self.seen += 1
            if self.seen == self.number:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self._line


ANYWHERE = {
    "settle": lambda: solid((4, 2, 2), pl.Settle(0.3)),
    "bounces": lambda: solid((8, 3, 3), pl.Settle(0.3, 2)),
    "grids": lambda: solid((8, 4, 4)),
    "hierarchy": sheet,
    "muscle": string,
    "contact": two_blocks,
    "filter": lambda: solid((4, 2, 2), pl.RelativeDamping(0.2, clusters="cells")),
}


@pytest.mark.parametrize("name", ANYWHERE)
def test_an_interrupt_anywhere_in_a_step_has_not_happened(name):
    steps, dt, rng = 6, 1 / 60, np.random.default_rng(0)
    body = ANYWHERE[name]()
    scene = pl.Scene([body, culprit(Fuse(), 3)], gravity=(0, -2, 0))
    lengths = []
    for _ in range(steps):
        with Interrupted(-1) as counted:
            scene.step(dt)
        lengths.append(counted.seen)
    whole, body = body.positions, ANYWHERE[name]()
    scene = pl.Scene([body, culprit(Fuse(), 3)], gravity=(0, -2, 0))
    hits = 0
    for k in range(steps):
        for number in rng.integers(1, lengths[k], 4):
            before = remembered(body)
            with suppress(KeyboardInterrupt), Interrupted(int(number)) as interrupted:
                scene.step(dt)
            hits += interrupted.seen == number
            if scene.time > (k + 0.5) * dt:
                break  # the step was whole before, or shorter: what is made once was there
            assert same(remembered(body), before)
        else:
            scene.step(dt)
    assert hits >= 3 * steps
    assert np.array_equal(body.positions, whole)
