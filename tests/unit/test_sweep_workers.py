"""Sweeps on worker processes: lost workers, lost schedulers, other machines. Two workers at most."""

import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import cloudpickle
import meshio
import numpy as np
import psutil
import pytest

import pliant as pl
from pliant.many import SceneMaker
from pliant.many.engine import Workers, workers_of
from pliant.many.folder import NAME
from pliant.many.job import run_job
from pliant.many.local import LOOPBACK, LocalWorkers
from pliant.resources import cache_folder
from tests.unit.test_sweep import REST, SCENE, YOUNG, ran

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import this file


@pytest.fixture(scope="module")
def local():
    with LocalWorkers(2) as client:
        client.wait_for_workers(2, timeout=120)
        yield client


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SCENE)
    return tmp_path


def pids(client):
    return sorted(client.run(os.getpid).values())


def test_importing_pliant_does_not_import_dask():
    code = (
        "import sys, pliant, pliant.many; sys.exit(any(m in sys.modules for m in ('dask', 'cma')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_they_listen_on_the_loopback_only_and_have_no_dashboard(local):
    heard = [
        c.laddr
        for pid in (os.getpid(), *pids(local))
        for c in psutil.Process(pid).net_connections()
        if c.status == psutil.CONN_LISTEN
    ]
    assert len(heard) >= 6 and {address.ip for address in heard} == {LOOPBACK}
    assert not any("bokeh" in m for m in local.run(lambda: list(sys.modules)).popitem()[1])
    for address in heard:
        with socket.create_connection((address.ip, address.port), timeout=10) as asked:
            asked.settimeout(1.0)
            asked.sendall(b"GET /status HTTP/1.0\r\n\r\n")
            try:
                said = asked.recv(100)
            except TimeoutError:  # a port of dask's own protocol, which waits for more
                continue
            assert not said.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3")), said


#: What every process of a sweep tells of its sockets.
TOLD = """
import os, sys

def told(event, given):
    if event in ("socket.bind", "socket.connect", "socket.sendto", "socket.getaddrinfo"):
        where = given[:2] if event == "socket.getaddrinfo" else given[-1]
        with open(os.environ["SOCKETS_TOLD"], "a") as file:
            print(event, where[0], file=file)

sys.addaudithook(told)
"""


def test_a_sweep_never_opens_and_never_asks_for_anything_else(folder):
    """All sockets of all processes from first to last, as Python's audit events tell them."""
    (folder / "hook").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(TOLD)
    paths = [str(folder / "hook"), str(Path(pl.__file__).parents[1])]
    env = os.environ | {"SOCKETS_TOLD": str(folder / "told"), "PYTHONPATH": os.pathsep.join(paths)}
    call = ["sweep", "bar.toml", "--set", f"{REST}=0.2,0.3", "--workers", "1"]
    done = subprocess.run([sys.executable, "-m", "pliant", *call], env=env, timeout=300)
    assert done.returncode == 0
    told = {tuple(line.split()) for line in (folder / "told").read_text().splitlines()}
    assert {event for event, _ in told} >= {"socket.bind", "socket.connect"}
    assert {where for _, where in told} == {LOOPBACK}


def test_they_find_what_one_process_finds_to_the_last_bit(folder, local):
    values = {REST: [0.2, 0.3], YOUNG: [1e5, 2e5]}
    here = {r.variant.name: r for r in ran(pl.Sweep("bar.toml", values, folder="here.sweep"))}
    there = list(pl.Sweep("bar.toml", values).run(local, progress=False))
    assert len(there) == 4
    for result in there:
        other = here[result.variant.name]
        assert result.outcome.measured == other.outcome.measured
        np.testing.assert_array_equal(result.take.positions, other.take.positions)


def test_a_killed_worker_loses_nothing_and_comes_back(folder, local):
    text = SCENE.replace("seconds = 0.4", "seconds = 4").replace("fps = 10", "")
    (folder / "bar.toml").write_text(text)
    whole = {r.variant.name: r for r in ran(pl.Sweep("bar.toml", {REST: [2, 3]}, folder="a.sweep"))}
    sweep = pl.Sweep("bar.toml", {REST: [2, 3]})
    victims = pids(local)
    run = sweep.run(local, progress=False)
    first = sweep.folder.take(sweep.variants[0])

    def kill():
        while not (first / "times" / "20").exists():
            time.sleep(0.005)
        os.kill(victims[0], signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    found = list(run)
    states = [r.outcome.state.value for r in found]
    assert states == ["done", "done"], [r.outcome.trouble for r in found]
    for result in found:
        np.testing.assert_array_equal(
            result.take.positions, whole[result.variant.name].take.positions
        )
        assert result.outcome.measured == whole[result.variant.name].outcome.measured
    local.wait_for_workers(2, timeout=120)
    assert victims[0] not in pids(local)


def test_takes_come_back_packed_from_who_does_not_see_the_folder(folder, local, monkeypatch):
    """As on another machine: the folder is none there, and files that the scene names come along."""
    mesh = pl.meshes.rectangle((2, 1), (4, 2))
    meshio.Mesh(mesh.points, {"triangle": mesh.cells["tri3"]}).write(folder / "bar.vtu")
    text = SCENE.replace(
        "{ rectangle = { size = [2, 1], cells = [4, 2] } }", '{ file = "bar.vtu" }'
    )
    (folder / "bar.toml").write_text(text)
    (whole,) = ran(pl.Sweep("bar.toml", {REST: [0.2]}, folder="here.sweep"))
    sweep = pl.Sweep("bar.toml", {REST: [0.2]})
    local.run(look_for, "no such file")
    try:
        (found,) = sweep.run(local, progress=False)
    finally:
        local.run(look_for, NAME)
    assert found.outcome.state.value == "done"
    np.testing.assert_array_equal(found.take.positions, whole.take.positions)
    assert (
        not cache_folder("sweeps").joinpath(sweep.folder.token).exists()
    )  # what was sent is not kept


def look_for(name):
    """On a worker: know the folder of a sweep by a file of this name."""
    from pliant.many import places

    places.NAME = name


def test_what_workers_cannot_do_is_told(folder, local, monkeypatch):
    sweep = pl.Sweep("bar.toml", {"body.fix": ["x < 0.01", "x > 99"]})
    with pytest.raises(ValueError, match="no variant was run: fix=x_99"):
        list(sweep.run(local, progress=False))
    monkeypatch.setattr("pliant.many.engine.PATIENCE", 1.0)
    with pytest.raises(ConnectionError, match="no scheduler answers there"):
        free = socket.create_server((LOOPBACK, 0))
        port = free.getsockname()[1]
        free.close()
        list(pl.Sweep("bar.toml", {REST: [0.2]}).run(scheduler=f"tcp://{LOOPBACK}:{port}"))


def test_who_asks_no_more_ends_the_run(folder, local):
    """A cancelled run stops at its next step, and goes on when it is asked for again."""
    text = SCENE.replace("seconds = 0.4", "seconds = 60").replace("fps = 10", "")
    (folder / "bar.toml").write_text(text)
    sweep = pl.Sweep("bar.toml", {REST: [30]})
    (variant,) = sweep.variants
    sweep.folder.save(sweep._file)
    job = sweep._job(variant)
    future = local.submit(run_job, job, pure=False)
    take = sweep.folder.take(variant)
    wait_until(lambda: (take / "times" / "20").exists())
    local.cancel([future], force=True)
    wait_until(lambda: not (take / ".writer").exists())
    assert 20 < len(list((take / "times").glob("[0-9]*"))) < 3000


def wait_until(true, seconds=120.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
def test_a_lost_scheduler_is_told_and_nothing_is_lost(folder, start):
    """Scheduler and worker as commands of dask."""
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(
            [str(Path(pl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        )
    }
    free = socket.create_server((LOOPBACK, 0))
    address = f"tcp://{LOOPBACK}:{free.getsockname()[1]}"
    free.close()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    port = address.rpartition(":")[2]
    dask = [sys.executable, "-m", "dask"]
    scheduler = start(
        [
            *dask,
            "scheduler",
            "--host",
            LOOPBACK,
            "--port",
            port,
            "--no-dashboard",
            "--dashboard-address",
            f"{LOOPBACK}:0",
        ],
        **quiet,
    )
    start(
        [
            *dask,
            "worker",
            address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--host",
            LOOPBACK,
            "--death-timeout",
            "60",
        ],
        **quiet,
    )
    wait_until(lambda: answers(int(port)))
    text = SCENE.replace("seconds = 0.4", "seconds = 4").replace("fps = 10", "")
    (folder / "bar.toml").write_text(text)
    sweep = pl.Sweep("bar.toml", {REST: [1, 2, 3]})
    run = sweep.run(scheduler=address, progress=False)
    assert next(run).outcome.state.value == "done"
    scheduler.kill()
    with pytest.raises(ConnectionError, match="the scheduler was lost"):
        list(run)
    wait_until(lambda: not list((folder / "bar.sweep" / "takes").glob("*/.writer")))
    again = {r.variant.name: r.outcome.how for r in ran(pl.Sweep("bar.sweep"))}
    assert again["rest_in=1"] == "kept" and len(again) == 3


def answers(port):
    try:
        socket.create_connection((LOOPBACK, port), timeout=1.0).close()
    except OSError:
        return False
    return True


def test_engines_give_errors_as_values_and_do_the_rest(local):
    with workers_of(None, workers=0) as here:
        for engine in (here, Workers(local)):
            found = dict(engine.each(math.log, {"a": 1.0, "b": 0.0}))
            assert found["a"] == 0.0 and isinstance(found["b"], ValueError)


def test_a_result_that_its_worker_took_with_it_is_waited_for():
    """Between the word that it is there and the question for it the worker was killed."""

    class Result:
        def __init__(self):
            self.states = ["lost", "pending", "finished"]

        @property
        def status(self):
            return self.states.pop(0) if len(self.states) > 1 else self.states[0]

        def add_done_callback(self, call):
            call(self)

        def result(self, timeout):
            return 7

        def release(self):
            self.states = ["released"]

    class Client:
        status = "running"

        def submit(self, *given, **how):
            return Result()

    assert list(Workers(Client()).each(math.sqrt, {"a": 49.0})) == [("a", 7)]
    Result.status = "cancelled"
    with pytest.raises(ConnectionError, match="the scheduler was lost"):
        list(Workers(Client()).each(math.sqrt, {"a": 49.0}))


def test_workers_that_are_lost_while_they_are_asked_are_no_mistake(folder, monkeypatch):
    """The first question goes to all workers there are; one may be killed meanwhile."""
    from pliant.many.engine import ThisProcess

    lost = {"tcp://127.0.0.1:9": OSError("it is gone")}
    original = ThisProcess.everywhere
    monkeypatch.setattr(
        ThisProcess, "everywhere", lambda self, call, *given: original(self, call, *given) | lost
    )
    (found,) = ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    assert found.outcome.state.value == "done"


def test_fits_run_on_workers(local):
    """A scene that is made by a function of the user, sent as it is."""
    text = SCENE.replace("[run]", "[run]\ngravity = [0, -9.81]").replace(
        "young = 1e5", "young = 1e6"
    )
    maker = SceneMaker(text, "")
    field = "body.material.young"
    target = maker(**{field: 4e5}).equilibrium()
    how = {"vary": {field: (1e5, 1e7)}, "method": pl.CMAES(evaluations=16)}
    assert pl.fit(maker, target, client=local, **how).values == pl.fit(maker, target, **how).values


def test_workers_of_this_machine_are_waited_for_as_long_as_they_live(monkeypatch):
    """They import for longer than a remote one may take, where the machine is busy."""
    monkeypatch.setattr("pliant.many.engine.PATIENCE", 0.05)
    with workers_of(None, workers=1) as engine:
        (found,) = engine.everywhere(os.getpid).values()
    assert found != os.getpid()


def test_workers_record_the_parts_of_a_table_and_find_the_same_bits(local):
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    quick = pl.Modal(body, modes=4, damping=pl.Settle(0.2, 0))
    push = pl.Excite(on=mesh.points[:, 0] > 1.99, force=(0, -300, 0), seconds=0.1)

    def table(**how):
        scene = pl.Scene(quick)
        how = {"seconds": 3.0, "dt": 1 / 30, "parts": 2, "progress": False} | how
        return pl.Responses.record(scene, [push], **how)

    here, there = table(workers=0), table(client=local)
    for name in ("kinds", "before", "after", "free", "metric"):
        assert np.array_equal(getattr(here.entries, name), getattr(there.entries, name)), name
    assert np.array_equal(here.columns, there.columns)


def test_what_goes_wrong_in_a_part_is_told_here(local):
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    # Only in the step that ends at 0.217 s: what is looked at before the run is 0.201 and 0.221 s.
    body.push(force=lambda t: (0, np.nan if 0.21 < t < 0.22 else 0.0, 0), on=[40])
    push = pl.Excite(on=[44], impulse=(0, 1, 0))
    with pytest.raises(ValueError, match=r"body: force at t = 0.21.* not finite"):
        pl.Responses.record(
            pl.Scene(pl.Modal(body, modes=4)), [push], seconds=4.0, each=0.2, parts=2, client=local
        )
