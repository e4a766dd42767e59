"""Counts what travels between the host and a device during steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import friction, pair_sums
from pliant.energies import shifted, solid, terms
from pliant.solvers import Galerkin, Multigrid


class Watched(pl.Implicit):
    """Refuses arrays of the body's size that travel in steps of a stepper, but for the first few.

    On the CPU as device nothing travels, but the same calls are made. Two that are not counted: the
    inverse of the last grid, which is small for large bodies, and sums over cells, which only the
    CPU takes on the host.
    """

    start = 3

    def __init__(self, monkeypatch: pytest.MonkeyPatch, stepper: Any = None):
        super().__init__()
        self._stepper = stepper or pl.Implicit()
        self._steps, self._limit, self._silent = 0, 0, False
        self.watched = 0
        for module in (solid, shifted, terms, pair_sums, friction):
            monkeypatch.setattr(module, "summed", self._unwatched(module.summed))
        for grids in (Multigrid, Galerkin):
            monkeypatch.setattr(grids, "_invert", self._unwatched(grids._invert))
        lower, assign, make = wp.array.numpy, wp.array.assign, wp.array.__init__

        def numpy(array: Any) -> np.ndarray:
            found = lower(array)
            self._count(found, "to the host")
            return found

        def assign_(array: Any, source: Any) -> None:
            self._count(source, "assigned")
            assign(array, source)

        def init(array: Any, data: Any = None, *args: Any, **kwargs: Any) -> None:
            self._count(data, "to the device")
            make(array, data, *args, **kwargs)

        monkeypatch.setattr(wp.array, "numpy", numpy)
        monkeypatch.setattr(wp.array, "assign", assign_)
        monkeypatch.setattr(wp.array, "__init__", init)

    def step(self, problem: Any, state: Any, *others: Any) -> Any:
        """Step, and watch."""
        self._steps += 1
        watching = self._steps > self.start
        with self._watching(problem.system.masses.size if watching else 0):
            self.watched += watching
            assert not (watching and isinstance(state.x, np.ndarray)), "brought back after a step"
            return self._stepper.step(problem, state, *others)

    def _count(self, data: Any, way: str) -> None:
        large = isinstance(data, (np.ndarray, list, tuple)) and np.size(data) >= self._limit
        assert not (self._limit and large and not self._silent), f"{np.shape(data)} {way}"

    @contextmanager
    def _watching(self, limit: int) -> Iterator[None]:
        self._limit = limit
        try:
            yield
        finally:
            self._limit = 0

    def _unwatched(self, function: Callable) -> Callable:
        def silent(*arguments: Any) -> Any:
            before, self._silent = self._silent, True
            try:
                return function(*arguments)
            finally:
                self._silent = before

        return silent
