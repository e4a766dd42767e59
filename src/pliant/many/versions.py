"""Versions that every machine of a sweep must share: others would compute other bits."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib import metadata


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
