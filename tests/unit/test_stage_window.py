"""What a stage records, saves, shows and serves."""

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
from pliant import scenefile as scene_files
from pliant.io import Facets
from pliant.take import measure
from pliant.view import Engine
from pliant.view.played import played
from tests.unit.stage_bodies import DT, PROMISE, TIP, beam, engine_of, hold, plate, tick

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


REDUCED = """
[body.stiff]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
reduce = { modes = 6 }
settle = { rest_in = 0.4 }
[body.limp]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
reduce = { modes = 4, size = 9 }
settle = { rest_in = 0.5, bounces = 2 }
[body.full]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
[contact]
bodies = false
"""


def test_reduced_bodies_of_a_scene_file_rest_on_cue_and_keep_their_stiffness(tmp_path):
    """The slider of stiffness is that of full solids, on the stage and in the file that is saved."""
    file = scene_files.parse(REDUCED)
    scene, takes = file.build().scene, []
    engine = Engine(scene, dt=DT)
    engine.record(takes.append)
    tick(engine, 0.1)
    engine.gravity((0, -1.0, 0))
    engine.stiffen(2.0)
    tick(engine, 0.8)
    engine.cut()
    engine.tick(steps=0)
    for track, asked in zip(takes[0].tracks[:2], (0.4, 0.5), strict=True):
        assert track.rest_time() == pytest.approx(asked, rel=0.02)
    path = takes[0].save(tmp_path / "take.zarr")
    kept = [(path / f"body{i}" / "reduced").exists() for i in range(3)]
    assert kept == [True, True, False]  # q and U of reduced bodies, no positions
    assert not (path / "body0" / "positions").exists()
    saved = played(file, engine.act).body
    assert [body.material.young for body in saved.values()] == [1e6, 1e6, 2e6]


def test_a_scene_played_without_changes_is_the_same():
    file = scene_files.parse(SCENE)
    assert played(file, Engine(file.build().scene).act).scene_text == file.scene_text


# Looks and the server.


def test_sharp_edges_are_doubled_and_smooth_ones_not():
    box = pl.Body(pl.meshes.box(size=(1, 1, 1), cells=(2, 2, 2)), pl.Linear(young=1, poisson=0))
    facets = Facets.of(box.skin.surface)
    points, faces = facets.vertices, facets.triangles
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
    with Stage(file.build().scene, port=0, folder=tmp_path, file=file, waits=False) as stage:
        stage._record(".zarr")
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


def test_ctrl_c_ends_the_command(tmp_path, start):
    pytest.importorskip("viser")
    (tmp_path / "beam.toml").write_text(SCENE)
    command = [sys.executable, "-m", "pliant", "play", "beam.toml", "--no-browser", "--port", "0"]
    source = str(Path(pl.__file__).parents[1])
    run = start(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": source, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert run.stdout.readline().startswith("http://127.0.0.1:")
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
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
