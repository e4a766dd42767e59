"""`make cluster-demo`: a scheduler and two workers of their own, a sweep, and a worker that is killed.

What several machines do, on one: the same three commands, each on a machine of its own, are a cluster.
All listen on the loopback.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = "127.0.0.1"
SCENE = """
[run]
seconds = 3.0
fps = 30
gravity = [0, -9.81, 0]

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [12, 3, 3] } }
material = { young = 2e6, poisson = 0.35 }
fix = "x < 0.01"
settle = { rest_in = 1.0 }
"""
VALUES = ["body.settle.rest_in=0.5,1,1.4", "body.material.young=1e6,2e6,4e6,8e6"]
#: Frames of a whole take, and of one in whose middle its worker is killed.
FRAMES, HALF = 91, 20
DASK = [sys.executable, "-m", "dask"]


def main(out: Path) -> int:
    """Run it in a folder; returns what `pliant sweep` leaves with."""
    (out / "beam.toml").write_text(SCENE, encoding="utf-8")
    with socket.create_server((HERE, 0)) as free:
        address = f"tcp://{HERE}:{free.getsockname()[1]}"
    port = address.rpartition(":")[2]
    closed = ["--no-dashboard", "--dashboard-address", f"{HERE}:0", "--host", HERE]
    work = [*DASK, "worker", address, "--nthreads", "1", "--no-nanny", *closed]
    started = [quiet([*DASK, "scheduler", "--port", port, *closed])]
    try:
        started += [quiet(work), quiet(work)]
        print(f"scheduler {address}, workers {[p.pid for p in started[1:]]}", flush=True)
        values = [word for value in VALUES for word in ("--set", value)]
        call = ["sweep", "beam.toml", *values, "--scheduler", address, "--fresh"]
        sweep = subprocess.Popen([sys.executable, "-m", "pliant", *call], cwd=out)
        takes = out / "beam.sweep" / "takes"
        while sweep.poll() is None and min(under_way(takes), default=0) < HALF:
            time.sleep(0.01)
        victim = started[1]
        victim.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        print(f"killed worker {victim.pid} in the middle of a variant", flush=True)
        code = sweep.wait()
        print((out / "beam.sweep" / "results.csv").read_text(encoding="utf-8"))
        told = [json.loads(path.read_text(encoding="utf-8")) for path in takes.glob("*.json")]
        whole = [one for one in told if one["state"] == "done" and one["frames"] == FRAMES]
        resumed = [one["name"] for one in told if one["how"] == "resumed"]
        print(f"went on at the last frame of a killed worker: {', '.join(resumed) or 'none'}")
        print(f"{len(whole)} of 12 variants are there, each with {FRAMES} frames", end="")
        print(": nothing is lost" if len(whole) == 12 else "")
        return code or len(whole) != 12
    finally:
        for process in started:
            process.kill()
            process.wait()


def under_way(takes: Path) -> list[int]:
    """The frames of takes that are half, if both workers write one."""
    half = [path for path in takes.glob("*.zarr") if not path.with_suffix(".json").exists()]
    return [len(list((path / "times").glob("[0-9]*"))) for path in half] if len(half) == 2 else []


def quiet(call: list[str]) -> subprocess.Popen[bytes]:
    """A process whose words nobody needs."""
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(call, stdout=nowhere, stderr=nowhere)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="pliant-cluster-") as folder:
        sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder)))
