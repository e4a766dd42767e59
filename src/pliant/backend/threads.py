"""Threads: one records launches at a time, while no other computes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import get_ident
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: How long a thread sleeps before it looks again whether another has ended its recording [s].
PAUSE = 2e-4


class Computing:
    """`@computing` marks what launches kernels or makes their arrays.

    Warp's recorder on the CPU hears the launches of all threads. So a thread records only if no other
    computes, and others wait until it has ended, some milliseconds later.

    There is no lock that an interrupt could leave taken. Who computes says so first and then looks for
    who records; who records says so first and then looks for who computes. At least one of two sees
    the other. What an interrupted thread has left is forgotten when it no longer computes.
    """

    def __init__(self) -> None:
        self._inside: set[int] = set()  # threads that compute
        self._recorder: int | None = None

    def __call__(self, function: Callable[P, T]) -> Callable[P, T]:
        """Mark a function."""

        @wraps(function)
        def marked(*args: P.args, **kwargs: P.kwargs) -> T:
            me = get_ident()
            if me in self._inside:  # of another function
                return function(*args, **kwargs)
            try:
                self._enter(me)
                return function(*args, **kwargs)
            finally:
                self._inside.discard(me)

        return marked

    @contextmanager
    def recording(self) -> Iterator[bool]:
        """Whether this thread may record; if so, until the end of the block no other computes."""
        me = get_ident()
        within = me in self._inside  # of a function
        try:
            if not within:
                self._enter(me)
            try:  # both ends, even if one is interrupted
                yield self._may_record(me)
            finally:
                if self._recorder == me:
                    self._recorder = None
        finally:
            if not within:
                self._inside.discard(me)

    def _may_record(self, me: int) -> bool:
        if self._records(self._recorder):
            return False
        self._recorder = me
        if self._inside == {me}:
            return True
        self._recorder = None
        return False

    def _enter(self, me: int) -> None:
        if self._recorder == me:  # of a recording that was interrupted
            self._recorder = None
        self._inside.add(me)
        while self._records(self._recorder):
            self._inside.discard(me)
            time.sleep(PAUSE)
            self._inside.add(me)

    def _records(self, thread: int | None) -> bool:
        return thread is not None and thread in self._inside


#: The only one: Warp has one recorder.
computing = Computing()
