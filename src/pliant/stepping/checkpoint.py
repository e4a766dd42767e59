"""What a body remembers between two steps, as arrays and numbers that a file can hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rest import Rest
from .state import State
from .system import System

_ARRAYS = ("x", "v", "drift", "correction", "trend")


def pack(state: State, system: System) -> dict[str, Any]:
    """All that a run needs to go on as if it had not been interrupted."""
    packed: dict[str, Any] = {
        name: system.lower(array) for name in _ARRAYS if (array := getattr(state, name)) is not None
    }
    if state.rest is not None:
        packed["rest"] = state.rest.x
    if state.turning is not None:
        packed["turning"] = state.turning.packed()
    packed["dt"] = state.dt
    packed["memory"] = _plain(state.memory)
    return packed


def unpack(packed: dict[str, Any], state: State, system: System) -> None:
    """Put a body back to where it was packed."""
    state.forget()
    for name in _ARRAYS:
        setattr(state, name, packed.get(name))
    state.dt = packed["dt"]
    if "rest" in packed:
        state.rest = Rest.known(system, packed["rest"])
    if state.turning is not None and "turning" in packed:
        state.turning = state.turning.unpacked(packed["turning"])
    state.memory.update(packed["memory"])


def _plain(memory: dict[str, Any]) -> dict[str, Any]:
    """Numbers and arrays as they are, objects by what they pack; other objects can be made again."""
    kept: dict[str, Any] = {}
    for name, value in memory.items():
        if isinstance(value, dict):
            kept[name] = _plain(value)
        elif isinstance(value, (bool, int, float, str, np.ndarray)):
            kept[name] = value
        elif hasattr(value, "packed"):
            kept[f"{name} packed"] = value.packed()
    return kept
