"""A hundred variants while every ten seconds a worker is killed: they find what undisturbed ones do."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.many.local import LocalWorkers

SCENE = """
[run]
seconds = 1.0
dt = "1/60"
gravity = [0, -9.81, 0]

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [8, 2, 2] } }
material = { young = 2e6, poisson = 0.35 }
fix = "x < 0.01"
settle = { rest_in = 0.5, bounces = 1 }
"""
VALUES = {
    "body.settle.rest_in": [0.3, 0.4, 0.5, 0.6, 0.8],
    "body.material.young": [1e6 * 1.2**k for k in range(20)],
}
#: How often a worker is killed [s].
EVERY = 10.0


def take_of(result):
    take = result.take
    return [take.positions, take.velocities, take.solver["residual"], take.energies["total"]]


@pytest.mark.slow
def test_killed_workers_change_no_bit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beam.toml").write_text(SCENE)
    kills, over = [], threading.Event()
    with LocalWorkers(2) as client:
        client.wait_for_workers(2, timeout=300)

        def kill():
            while not over.wait(EVERY):
                pids = sorted(client.run(os.getpid).values())
                if pids:
                    kills.append(pids[len(kills) % len(pids)])
                    os.kill(kills[-1], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            disturbed = list(pl.Sweep("beam.toml", VALUES).run(client, progress=False))
        finally:
            over.set()
            killer.join()
        client.wait_for_workers(2, timeout=300)
        calm = pl.Sweep("beam.toml", VALUES, folder="calm.sweep")
        expected = {r.variant.name: r for r in calm.run(client, progress=False)}
    how = Counter(r.outcome.how for r in disturbed)
    print(f"{len(kills)} workers killed, variants {dict(how)}")
    assert len(kills) >= 2 and len(disturbed) == 100
    assert how["run"] + how["resumed"] + how["kept"] == 100
    assert how["resumed"] + how["kept"] <= len(kills)  # at most one variant repeated per kill
    for result in disturbed:
        other = expected[result.variant.name]
        assert result.outcome.measured == other.outcome.measured
        for a, b in zip(take_of(result), take_of(other), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.slow
def test_the_demonstration_of_a_cluster_loses_nothing(tmp_path):
    """What `make cluster-demo` runs."""
    demo = Path(__file__).parents[2] / "integrations" / "cluster" / "demo.py"
    done = subprocess.run([sys.executable, demo, tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "in the middle of a variant" in done.stdout
    assert "went on at the last frame of a killed worker: rest_in=" in done.stdout
    assert "12 of 12 variants are there, each with 91 frames: nothing is lost" in done.stdout
