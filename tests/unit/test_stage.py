"""The stage without a browser: the engine that owns the bodies, and the server it stands behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import measure
from pliant.io import scene as scene_files
from pliant.view import Engine
from pliant.view.creases import creased
from pliant.view.grip import REACH, patch
from pliant.view.mailbox import Mailbox
from pliant.view.pace import Pace
from pliant.view.panel import status
from pliant.view.played import played

DT = 1 / 60
#: What `Settle` promises.
PROMISE = 0.03


def beam(*, rest_in=0.5, bounces=None, young=1e6, material=pl.StableNeoHookean, kind="tet"):
    mesh = pl.meshes.box(size=(2, 0.5, 0.5), cells=(8, 2, 2), kind=kind)
    body = pl.Body(mesh, material(young=young, poisson=0.4), name="beam")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(rest_in, bounces)
    return body


def plate(**wish):
    mesh = pl.meshes.rectangle(size=(2, 0.5), cells=(12, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(**wish)
    return body


def engine_of(body, gravity=None, **options):
    return Engine(pl.Scene([body], gravity=gravity), dt=DT, **options)


def tick(engine, seconds):
    engine.tick(steps=round(seconds / DT))
    return engine.snapshot


def hold(engine, at, to, seconds=0.5, body=0):
    """Grab, pull and hold still."""
    engine.grab(body, at)
    engine.pull(to)
    return tick(engine, seconds)


TIP = (2.0, 0.5, 0.25)


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
    size = np.linalg.norm([2, 0.5, 0.5])
    held = hold(engine, TIP, (-50.0, 0.5, 0.25), seconds=0.5)
    assert np.linalg.norm(held.held - TIP) <= REACH * size * (1 + 1e-9)
    assert not held.failed and np.isfinite(held.positions[0]).all()
    engine.let_go()
    assert not tick(engine, 1.0).failed


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


class Stubborn:
    """A stepper that fails after some steps."""

    def __init__(self, good, error):
        self._good, self._error, self._real = good, error, pl.Implicit()

    def step(self, *given):
        self._good -= 1
        if self._good < 0:
            raise self._error
        return self._real.step(*given)


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


# Recording and saving.


def test_a_recording_is_a_take_with_a_rest_shape_in_every_frame(tmp_path):
    body, takes = beam(rest_in=0.4), []
    engine = engine_of(body)
    tick(engine, 0.1)
    engine.record(takes.append)
    tick(engine, 0.1)
    hold(engine, TIP, (1.7, 1.0, 0.25), seconds=0.3)
    engine.let_go()
    tick(engine, 0.6)
    engine.cut()
    engine.tick(steps=0)
    (take,) = takes
    assert len(take) == 61 and len(take.distance()) == 61
    released = 1 + round(0.4 / DT)
    found = take.distance()[released - 1 :]
    assert measure.rest_time(np.arange(len(found)) * DT, found, 0.01) == pytest.approx(
        0.4, rel=PROMISE
    )
    path = take.save(tmp_path / "take.zarr")
    again = pl.Take.read(path)
    assert again.positions == pytest.approx(take.positions, abs=1e-6)


def test_nothing_recorded_is_said():
    engine = engine_of(beam())
    engine.cut()
    engine.tick()
    assert "nothing was recorded" in engine.snapshot.message


SCENE = """
[run]
gravity = [0, -9.81, 0]
[body.beam]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 } # rubber
fix = "x < 1e-6"
settle = { rest_in = 1.0, bounces = 2 }
"""


def test_a_played_scene_is_saved_with_its_sliders(tmp_path):
    file = scene_files.parse(SCENE)
    engine = Engine(file.build().scene, dt=DT)
    engine.settle(pl.Settle(0.6))
    engine.stiffen(2.0)
    engine.gravity((0, -1.0, 0))
    engine.tick()
    path = played(file, engine.act).save(tmp_path / "played.toml")
    body = scene_files.read(path).body["beam"]
    assert (body.settle.rest_in, body.settle.bounces, body.material.young) == (0.6, None, 2e6)
    assert list(scene_files.read(path).run.gravity) == [0, -1.0, 0]
    assert "# rubber" in path.read_text()  # comments stay


def test_a_scene_played_without_changes_is_the_same():
    file = scene_files.parse(SCENE)
    assert played(file, Engine(file.build().scene).act).scene_text == file.scene_text


# Looks and the server.


def test_sharp_edges_are_doubled_and_smooth_ones_not():
    box = pl.Body(pl.meshes.box(size=(1, 1, 1), cells=(2, 2, 2)), pl.Linear(young=1, poisson=0))
    points, faces = creased(box.skin.surface)
    assert len(points) == 6 * 9  # each of the six faces has its own nine vertices
    surface = box.skin.surface
    assert (points[faces] == surface.corners[surface.triangles]).all()


def test_slow_motion_is_blended_between_two_steps():
    pytest.importorskip("viser")
    from pliant.view.look import Look
    from pliant.view.server import open_server

    body = plate(rest_in=0.5)
    engine = engine_of(body)
    here = engine.snapshot.positions[0]
    seen = replace(engine.snapshot, before=(here,), positions=(here + [0.0, 1.0],), scale=0.1)
    server = open_server("127.0.0.1", 0)
    try:
        look = Look(server, engine.act.scene)
        drawn = look.bodies[0].vertices.copy()
        look.show(seen, seen.made + 0.25 * DT / 0.1)
        way = look.bodies[0].vertices - drawn
        assert way == pytest.approx(np.tile([0, 0.25, 0], (len(way), 1)), abs=1e-6)  # float32
        look.show(seen, seen.made + 9.0)
        assert (look.bodies[0].vertices - drawn)[:, 1] == pytest.approx(1.0, abs=1e-6)
    finally:
        server.stop()


def test_the_stage_listens_on_this_machine_only():
    pytest.importorskip("viser")
    from pliant.view import Stage

    with Stage(pl.Scene([beam()]), port=0) as stage:
        assert stage.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(stage.url, timeout=10) as page:
            assert b"<html" in page.read(4000).lower()
        # 127.0.0.2 is this machine too, but another address: a server on 0.0.0.0 would answer.
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", stage.port), timeout=2)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", stage.port), timeout=2)
    assert not any(t.name.startswith("pliant-") for t in threading.enumerate())


def test_recordings_and_scenes_go_to_the_folder(tmp_path):
    pytest.importorskip("viser")
    from pliant.view import Stage

    def wait_for(condition):
        until = time.monotonic() + 30
        while not condition() and time.monotonic() < until:
            time.sleep(0.02)
        assert condition()

    file = scene_files.parse(SCENE)
    with Stage(file.build().scene, port=0, folder=tmp_path, file=file) as stage:
        stage._record()
        wait_for(lambda: (stage.engine.snapshot.recorded or 0.0) > 0.1)
        stage.engine.cut()
        wait_for(lambda: "take-1.zarr" in stage.engine.snapshot.message)
        stage._save()
    assert len(pl.Take.read(tmp_path / "take-1.zarr")) > 6
    assert scene_files.read(tmp_path / "scene-1.toml").body["beam"].settle.bounces == 2


def test_no_page_can_open_a_tunnel_to_the_outside():
    pytest.importorskip("viser")
    from pliant.view.server import open_server

    server = open_server("127.0.0.1", 0)
    try:
        assert server.request_share_url() is None
    finally:
        server.stop()


def test_an_address_of_another_machine_is_refused():
    pytest.importorskip("viser")
    from pliant.view import Stage

    with pytest.raises(ValueError, match="expected an address of this machine"):
        Stage(pl.Scene([beam()]), host="192.0.2.1", port=0)  # kept free for documentation


def test_ctrl_c_ends_the_command(tmp_path):
    pytest.importorskip("viser")
    (tmp_path / "beam.toml").write_text(SCENE)
    command = [sys.executable, "-m", "pliant", "play", "beam.toml", "--no-browser", "--port", "0"]
    source = str(Path(pl.__file__).parents[1])
    run = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": source, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert run.stdout.readline().startswith("http://127.0.0.1:")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert (run.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize("stepper", [pl.SymplecticEuler(), pl.QuasiStatic()])
def test_steppers_without_a_wish_are_refused(stepper):
    with pytest.raises(ValueError, match="expected Implicit"):
        Engine(pl.Scene([beam()]), stepper=stepper)


@pytest.mark.parametrize("dt", [0.0, -1.0, float("nan"), None])
def test_a_stage_needs_a_time_step(dt):
    with pytest.raises(ValueError, match="dt > 0"):
        Engine(pl.Scene([beam()]), dt=dt)


def test_an_impossible_wish_is_refused_before_the_curtain_rises():
    with pytest.raises(pl.ImpossibleWishError, match="longest admissible"):
        Engine(pl.Scene([beam(rest_in=0.1, bounces=8)]), dt=DT)
