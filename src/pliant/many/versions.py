"""Versions that every machine of a sweep must share: others would compute other bits."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from .engine import JobEngine


def versions() -> dict[str, str]:
    """What results depend on, in this process."""
    from pliant import __version__

    packages = {name: metadata.version(name) for name in ("warp-lang", "numpy", "scipy")}
    return {"pliant": __version__, **packages}


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Which versions differ, in words; empty if none does."""
    return ", ".join(
        f"{name} {there.get(name, 'missing')} (here {version})"
        for name, version in here.items()
        if there.get(name) != version
    )


def host() -> str:
    """The name of this machine."""
    return platform.node()


def told() -> tuple[str, dict[str, str]]:
    """What a worker says of itself: its host and its versions."""
    return host(), versions()


def require_same_versions(engine: JobEngine) -> None:
    """Refuse workers of other versions."""
    for address, said in engine.everywhere(told).items():
        if not isinstance(said, OSError):  # else it is lost meanwhile
            require_same(address, said)


def require_same(address: str, said: Any) -> None:
    """Refuse a worker that has other versions, or an error in place of what it says of itself."""
    if isinstance(said, Exception):
        raise ValueError(
            f"{address}: {type(said).__name__}: {said}; expected pliant {versions()['pliant']} there"
        )
    name, there = said
    wrong = differences(there, versions())
    if wrong:
        raise ValueError(f"{name} has {wrong}; expected the same versions everywhere")
