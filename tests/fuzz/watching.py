"""The watcher of a worker: it ends a case that takes too long or too much memory."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Container
from pathlib import Path
from types import TracebackType
from typing import Any

from .calling import DID
from .case import Case
from .judging import HOME, name_place
from .memory import cpu_of, memory_of
from .verdict import Verdict, finding

ROOT = Path(__file__).parents[2]
#: Processor time of one case [s] and memory that it may add [bytes].
SECONDS, BYTES = 10.0, 2 * 2**30
#: A case that uses no processor for so long [s] waits for something that never comes.
IDLE = 8.0
#: Cases after which a worker is replaced, so that nothing piles up in it.
PER_WORKER = 3000
#: Where the steps of a simulation are computed, and how many times as long those may take.
STEPS, HARD = ("solvers/", "step/", "problem/", "energies/", "backend/"), 8
#: Printed before a stack by Python.
NEWEST = "most recent call first"


class Worker:
    """A worker process, started when it is needed and again when it died."""

    def __init__(
        self, *, seconds: float = SECONDS, idle: float = IDLE, memory: int = BYTES
    ) -> None:
        self._seconds, self._idle, self._memory = seconds, idle, memory
        shm = Path("/dev/shm")
        self._root = Path(
            tempfile.mkdtemp(prefix="pliant-fuzz-", dir=shm if shm.is_dir() else None)
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._done = 0
        self._pending = b""

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()
        shutil.rmtree(self._root, ignore_errors=True)

    def run(self, case: Case, known: Container[str] = ()) -> tuple[Verdict, dict[str, float]]:
        """The verdict on a case, and what it cost.

        A limit that was passed is confirmed by a second run, since the first may have compiled
        kernels; not if its group is known already. A step that is hard to solve is no hang, if it
        ends: the second run has more time for those.
        """
        verdict, cost = self._try(case, self._seconds)
        limits = ("a hang", "too much memory")
        if verdict.what in limits and f"{case.family}: {verdict.group}" not in known:
            hard = verdict.place.startswith(STEPS)
            again, cost = self._try(case, HARD * self._seconds if hard else self._seconds)
            verdict = again if again.found else Verdict("ok", said="slow", did=verdict.did)
        return verdict, cost

    def _try(self, case: Case, seconds: float) -> tuple[Verdict, dict[str, float]]:
        if self._process is None or self._done >= PER_WORKER:
            self._end()
            self._start()
        assert self._process is not None
        os.write(self._commands, f"{case.seed} {case}\n".encode())
        self._done += 1
        begun = self._answer(20 * SECONDS)
        if isinstance(begun, Verdict):
            return begun, {}
        told = self._answer(seconds)
        if isinstance(told, Verdict):
            return told, {}
        cost = {"cpu": told.pop("cpu"), "memory": told.pop("memory")}
        verdict = Verdict(**told)
        if cost["memory"] > self._memory and not verdict.found:
            verdict = finding("too much memory", "", f"{cost['memory'] / 2**30:.1f} GB")
        return verdict, cost

    def _answer(self, seconds: float) -> dict[str, Any] | Verdict:
        """The next line of the worker, or why there is none; it has so much processor time."""
        assert self._process is not None
        pid = self._process.pid
        began_cpu = busy_cpu = cpu_of(pid)
        began_memory, busy = memory_of(pid), time.monotonic()
        while True:
            if b"\n" in self._pending:
                line, _, self._pending = self._pending.partition(b"\n")
                told: dict[str, Any] = json.loads(line)
                return told
            if select.select([self._replies], [], [], 0.05)[0]:
                got = os.read(self._replies, 65536)
                if not got:
                    return self._died()
                self._pending += got
                continue
            cpu, memory, now = cpu_of(pid), memory_of(pid), time.monotonic()
            if cpu - busy_cpu > 0.05:
                busy_cpu, busy = cpu, now
            if memory - began_memory > self._memory:
                return self._stop(
                    "too much memory", f"{(memory - began_memory) / 2**30:.1f} GB more"
                )
            if cpu - began_cpu > seconds:
                return self._stop("a hang", f"{cpu - began_cpu:.0f} s of processor time")
            if now - busy > self._idle:
                return self._stop("a hang", f"no processor time for {self._idle:.0f} s: it waits")

    def _stop(self, what: str, said: str) -> Verdict:
        """End the worker; before, it prints where it is."""
        assert self._process is not None
        self._process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
        log = self._log.read_text(errors="replace")
        self._end()
        inside = re.search(r'(File "[^"]+", line \d+ in \S+)', log.rpartition(NEWEST)[2])
        said = f"{said}; {inside[1] if inside else 'no stack'}"
        return finding(what, _place(log), said).about(_did(log))

    def _died(self) -> Verdict:
        assert self._process is not None
        code = self._process.wait()
        log = self._log.read_text(errors="replace")
        self._end()
        died = finding(f"the worker died with code {code}", _place(log), log[-1500:])
        return died.about(_did(log))

    def _start(self) -> None:
        commands, self._commands = os.pipe()
        self._replies, replies = os.pipe()
        self._log = self._root / "worker.log"
        paths = os.pathsep.join([str(HOME.parent), str(ROOT)])
        environment = os.environ | {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.worker", str(commands), str(replies),
                 str(self._root / "root")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT, env=environment,
                pass_fds=(commands, replies), start_new_session=True,
            )  # fmt: skip
        os.close(commands)
        os.close(replies)
        self._done, self._pending = 0, b""
        if not os.read(self._replies, 4096):
            raise RuntimeError(f"the worker did not start: {self._log.read_text()[-2000:]}")

    def _end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):  # all of its group has ended
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            os.close(self._commands)
            os.close(self._replies)
            self._process = None
            for name in ("root/1", "root/tmp", "seeds"):  # the cache of filled meshes stays
                shutil.rmtree(self._root / name, ignore_errors=True)


def _did(log: str) -> str:
    """What the last case noted."""
    return log.rpartition(DID)[2].partition("\n")[0] if DID in log else ""


def _place(log: str) -> str:
    """The innermost place in pliant of the stack that a worker printed; its newest line comes first."""
    for file, function in re.findall(
        r'File "([^"]+)", line \d+ in (\S+)', log.rpartition(NEWEST)[2]
    ):
        if Path(file).is_relative_to(HOME):
            return name_place(file, function)
    return ""
