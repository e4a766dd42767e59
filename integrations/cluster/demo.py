"""`make cluster-demo`: a scheduler and two workers of their own, a sweep, and a worker that is killed.

What several machines do, on one: the same three commands, each on a machine of its own, are a cluster.
All listen on the loopback.
"""

from __future__ import annotations

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
seconds = 1.5
fps = 30
gravity = [0, -9.81, 0]

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [12, 3, 3] } }
material = { young = 2e6, poisson = 0.35 }
fix = "x < 0.01"
settle = { rest_in = 1.0 }
"""
VALUES = ["body.settle.rest_in=0.5,1,1.4", "body.material.young=1e6,2e6,4e6,8e6"]
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
        while sweep.poll() is None and len(list(takes.glob("*.json"))) < 3:
            time.sleep(0.1)
        victim = started[1]
        victim.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        print(
            f"killed worker {victim.pid} after {len(list(takes.glob('*.json')))} variants",
            flush=True,
        )
        code = sweep.wait()
        print((out / "beam.sweep" / "results.csv").read_text(encoding="utf-8"))
        found = len(list(takes.glob("*.json")))
        print(f"{found} of 12 variants are there" + ("" if code else ": nothing is lost"))
        return code
    finally:
        for process in started:
            process.kill()
            process.wait()


def quiet(call: list[str]) -> subprocess.Popen[bytes]:
    """A process whose words nobody needs."""
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(call, stdout=nowhere, stderr=nowhere)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="pliant-cluster-") as folder:
        sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder)))
