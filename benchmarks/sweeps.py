"""What a sweep adds to its runs, what a sweep of nothing left takes, and how workers share the rest."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pliant as pl
from pliant import scenefile
from pliant.io import TakeFolder
from pliant.many.local import LocalWorkers

SCENE = """
[run]
seconds = {seconds}
fps = 30
gravity = [0, -9.81, 0]

[body.beam]
mesh = {{ box = {{ size = [4, 1, 1], cells = [12, 3, 3] }} }}
material = {{ young = 2e6, poisson = 0.35 }}
fix = "x < 0.01"
settle = {{ rest_in = 0.5 }}
"""
FIELD = "body.material.young"
SMALL, LONG = 0.1, 4.0  # seconds of a variant
COUNT, SHARED = 100, 24  # variants


def main() -> None:
    """Print all three."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path.cwd()
        os.chdir(folder)
        try:
            alone()
            shared()
        finally:
            os.chdir(here)


def alone() -> None:
    """In one process, by processor time: its share does not depend on who else is at work."""
    Path("small.toml").write_text(SCENE.format(seconds=SMALL), encoding="utf-8")
    values = [1e6 * 1.01**k for k in range(COUNT)]
    plain = taken(lambda: [run(k, value) for k, value in enumerate(values)])
    sweep = pl.Sweep("small.toml", {FIELD: values})
    whole = taken(lambda: list(sweep.run(workers=0, progress=False)))
    left = taken(lambda: list(pl.Sweep("small.sweep").run(progress=False)))
    print(f"a variant of a sweep: {(whole - plain) / COUNT:.3f} s more than its run of {SMALL} s")
    print(f"a sweep of {COUNT} with nothing left: {left:.2f} s")


def run(number: int, young: float) -> None:
    """A run of the scene by itself, into a folder."""
    file = scenefile.read("small.toml", overrides=[f"{FIELD}={young}"])
    store = TakeFolder(Path(f"{number}.zarr"), {})
    file.build(progress=False).run_into(store, resume=False)


def shared() -> None:
    """On worker processes, by the clock: only an idle machine tells."""
    Path("long.toml").write_text(SCENE.format(seconds=LONG), encoding="utf-8")
    values = {FIELD: [1e6 * 1.01**k for k in range(SHARED)]}
    first = 0.0
    for count in sorted({1, 2, os.cpu_count() or 1}):
        with LocalWorkers(count) as client:
            client.wait_for_workers(count, timeout=300)
            for name in ("warm", "timed"):  # kernels are loaded once in each process
                sweep = pl.Sweep("long.toml", values, folder=f"{name}-{count}.sweep")
                began = time.perf_counter()
                list(sweep.run(client, progress=False))
                seconds = time.perf_counter() - began
        first = first or seconds
        print(f"{SHARED} variants on {count} workers: {seconds:.1f} s, {first / seconds:.2f} times")


def taken(call: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began
