"""Processes of this machine that work: a scheduler in this process, and workers that are kept alive.

All of them listen on the loopback only: a scheduler runs whatever it is sent.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pliant
from pliant.errors import optional

LOOPBACK = "127.0.0.1"
#: A worker that ends within this time [s] of its start, so often in a row, cannot work here.
TOO_SOON, TOO_OFTEN = 5.0, 3
#: dask blames tasks that only waited when their worker was lost (distributed #5234).
LOSSES = 10
_SETTINGS = {
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.allowed-failures": LOSSES,
    "distributed.comm.timeouts.connect": "30s",
}


def require_dask(what: str = "sweeps") -> Any:
    """The package `distributed`; refuses what needs it where it is not installed."""
    return optional("distributed", what, "sweep")


@contextmanager
def quiet_dask() -> Iterator[None]:
    """Leave out what dask logs: what matters of it is told by errors."""
    logs = logging.getLogger("distributed")
    level = logs.level
    logs.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logs.setLevel(level)


class LocalWorkers:
    """Worker processes of this machine, and a client of them: `with LocalWorkers(4) as client`.

    A worker that is killed is started again. They end with this process, however it ends.
    """

    def __init__(self, count: int, *, gpus: int = 0):
        self._count, self._gpus = count, gpus
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._begun: dict[int, float] = {}
        self._short = 0
        self._closing = threading.Event()

    def __enter__(self) -> Any:
        distributed = require_dask()
        import dask

        self._quiet = ExitStack()
        self._quiet.enter_context(quiet_dask())
        self._folder = tempfile.TemporaryDirectory(prefix="pliant-workers-")
        with dask.config.set(_SETTINGS):
            scheduler = {
                "cls": distributed.Scheduler,
                "options": {
                    "host": LOOPBACK,
                    "port": 0,
                    "protocol": "tcp",
                    "dashboard": False,
                    "dashboard_address": f"{LOOPBACK}:0",
                },
            }
            self._cluster = distributed.SpecCluster(
                workers={}, scheduler=scheduler, silence_logs=logging.CRITICAL
            )
        try:
            for number in range(self._count):
                self._start(number)
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
            self._client = distributed.Client(self._cluster)
        except BaseException:
            self._end()
            raise
        return self._client

    def __exit__(self, *failure: object) -> None:
        self._closing.set()
        self._watcher.join()
        self._client.close()
        self._end()

    def _start(self, number: int) -> None:
        paths = [str(Path(pliant.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        where = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        folder = self._folder.name
        call = ["-m", "pliant.many.worker", self._cluster.scheduler_address, f"{number}"]
        with (Path(folder) / f"{number}.log").open("wb") as log:
            self._processes[number] = subprocess.Popen(
                [sys.executable, *call, str(self._gpus)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env={**os.environ, **one, **where, "DASK_TEMPORARY_DIRECTORY": folder},
            )
        self._begun[number] = time.monotonic()

    def _watch(self) -> None:
        """Start workers again that have ended."""
        while not self._closing.wait(0.1):
            for number, process in list(self._processes.items()):
                if process.poll() is None:
                    continue
                short = time.monotonic() - self._begun[number] < TOO_SOON
                self._short = self._short + 1 if short else 0
                if self._short >= TOO_OFTEN * self._count:
                    del self._processes[number]
                    continue
                _close_pipe(process)
                self._start(number)

    @property
    def alive(self) -> bool:
        """Whether there are workers, or will be."""
        return bool(self._processes)

    @property
    def last_words(self) -> str:
        """The last line that a worker has said."""
        said = [p.read_text(errors="replace") for p in Path(self._folder.name).glob("*.log")]
        lines = [line for text in said for line in text.splitlines() if line.strip()]
        return lines[-1] if lines else ""

    def _end(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            try:
                process.wait(10.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _close_pipe(process)
        self._cluster.close()
        self._folder.cleanup()
        self._quiet.close()


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
