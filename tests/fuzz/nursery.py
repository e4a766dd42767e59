"""A process that has loaded pliant and forks itself for every command: a start costs no seconds.

`python -m tests.fuzz.nursery` reads a line of JSON {"arguments", "folder", "mishap"},
prints the number of
the child that runs `pliant ARGUMENTS` in the folder, and when that has ended {"code", "said"}.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, or minus the signal, and what it said on standard error."""

    code: int
    said: str


class Nursery:
    """Starts commands from a process that is ready for them."""

    def __enter__(self) -> Nursery:
        import pliant

        paths = os.pathsep.join([str(Path(pliant.__file__).parents[1]), str(ROOT)])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.nursery"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, cwd=ROOT,
            env=os.environ | {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200"},
            text=True,
        )  # fmt: skip
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)

    def start(self, folder: Path, *arguments: str | Path, mishap: Sequence[Any] = ()) -> int:
        """Start a command; returns the number of its process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        asked = {
            "arguments": [str(a) for a in arguments],
            "folder": str(folder),
            "mishap": list(mishap),
        }
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def wait(self) -> Ended:
        """Wait for the command that was started last."""
        assert self._process.stdout is not None
        return Ended(**json.loads(self._process.stdout.readline()))

    def run(
        self, folder: Path, *arguments: str | Path, mishap: Sequence[Any] = (),
        kill_after: float | None = None
    ) -> Ended:  # fmt: skip
        """Run a command to its end, or kill it after so many seconds."""
        child = self.start(folder, *arguments, mishap=mishap)
        if kill_after is not None:
            time.sleep(kill_after)
            with contextlib.suppress(ProcessLookupError):  # it was quicker
                os.kill(child, signal.SIGKILL)
        return self.wait()


def child(asked: dict[str, Any], said: int) -> None:
    """What a fork does: run the command line, and end without a word to its parent's own ends."""
    from pliant.cli import main

    from .mishaps import prepare

    code = 99
    try:
        os.dup2(said, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.chdir(asked["folder"])
        if asked["mishap"]:
            prepare(*asked["mishap"])
        main(asked["arguments"])
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 98
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def serve() -> None:
    """Fork for every line until there are no more."""
    import pliant.cli.app
    import pliant.io
    import pliant.scene
    import pliant.scenefile  # noqa: F401

    for line in sys.stdin:
        reading, writing = os.pipe()  # not a file: a limit on the size of files would cut it
        number = os.fork()
        if number == 0:
            child(json.loads(line), writing)
        os.close(writing)
        print(number, flush=True)
        with os.fdopen(reading, errors="replace") as said:
            told = said.read()
        _, status = os.waitpid(number, 0)
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), "said": told}), flush=True)


if __name__ == "__main__":
    serve()
