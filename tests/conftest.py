"""What holds for all tests: what they start ends with them, what they write is in their own folder.

Beside every test: pytest then puts the repository on the path, for `from tests.moving import`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.leftovers import MARK, end_processes, files


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Caches and temporary files are the session's own; no process and no other file outlives it."""
    base, mark, before = tmp_path_factory.getbasetemp(), uuid.uuid4().hex, files()
    temporary = base / "temporary"
    temporary.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, mark)
        patch.setenv("PLIANT_CACHE", str(base / "kept meshes"))  # each surface is filled once
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", str(temporary))
        yield
    running, written = end_processes(mark), sorted(map(str, files() - before))
    assert not running, (
        f"tests have left these running; start them with the fixture start: {running}"
    )
    if written:  # no failure: a file may be somebody else's, who works here meanwhile
        warnings.warn(
            f"these files came meanwhile; tests write to tmp_path: {written}", stacklevel=1
        )


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen]]:
    """`subprocess.Popen` for programs that end with the test, however it ends, and heed Ctrl-C.

    They do so also where it is ignored around here, as in what a shell runs in the background.
    """
    started: list[subprocess.Popen] = []

    def begin(command: list[Any], **how: Any) -> subprocess.Popen:
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            started.append(subprocess.Popen(command, start_new_session=True, **how))
        finally:
            if ignored:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        return started[-1]

    yield begin
    for child in started:
        _end(child)


def _end(child: subprocess.Popen) -> None:
    """Kill a program and what it has started, and close the pipes to it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all of them are gone
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None and not pipe.closed:
            pipe.close()
