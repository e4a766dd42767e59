"""Warp, started once and quietly."""

from __future__ import annotations

import functools
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import warp as wp

from pliant.errors import shown

from .compiling import compilation

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

log = logging.getLogger("pliant")
NO_DRIVER = "Could not find or load the NVIDIA CUDA driver"


class _Bridge:
    """Warp's messages as log lines of pliant; what was compiled is worth a line."""

    def debug(self, message: str) -> None:
        log.debug(message)

    def info(self, message: str) -> None:
        log.log(logging.INFO if compilation.hear(message) else logging.DEBUG, message)

    def warning(self, message: str, category: type | None = None, stacklevel: int = 1) -> None:
        log.warning(message)

    def error(self, message: str) -> None:
        log.error(message)


@functools.cache
def start() -> None:
    """Initialise Warp; without a GPU its native code says so on stderr whatever the log level."""
    wp.set_logger(_Bridge())
    wp.config.log_level = wp.LOG_INFO
    try:
        saved = os.dup(2)
    except OSError:  # no stderr to keep clean
        wp.init()
        return
    with tempfile.TemporaryFile() as caught:
        os.dup2(caught.fileno(), 2)
        try:
            wp.init()
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        caught.seek(0)
        for line in caught.read().decode(errors="replace").splitlines():
            if NO_DRIVER not in line:
                print(line, file=sys.stderr)


def check_device(device: str) -> None:
    """Refuse a device that this machine does not have."""
    start()
    names = ["cpu", *(["cuda"] if wp.is_cuda_available() else [])]
    names += [f"cuda:{i}" for i in range(wp.get_cuda_device_count())]
    if not (isinstance(device, str) and device in names):
        why = "" if len(names) > 1 else " (no CUDA device was found)"
        raise ValueError(
            f'got device={shown(device)}; expected one of {names}{why}, e.g. device="cpu"'
        )


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@functools.lru_cache(maxsize=1)
def _pools(modules: int) -> ThreadpoolController:
    """The thread pools of this process; looked for again only when modules were loaded since."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """A context for a computation: BLAS uses one thread, and what was compiled is told at the end.

    The dense pieces inside a sparse factor are small: on them BLAS threads wait for each other, and
    for every other process on the machine (measured: solves take twice as long on two busy cores).
    """
    with _pools(len(sys.modules)).limit(limits=1, user_api="blas"):
        try:
            yield
        finally:
            compilation.over()
