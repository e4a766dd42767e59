"""Where results that took long are kept for the next time."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

log = logging.getLogger("pliant")


def cache_folder(what: str) -> Path:
    """The folder for results of a sort: PLIANT_CACHE, or one in the user's folder for caches."""
    own = os.environ.get("PLIANT_CACHE")
    if own:
        return Path(own)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", home / ".cache"))
    return base / "pliant" / what


def find_kept(file: Path) -> dict[str, np.ndarray] | None:
    """The arrays of a file that `keep` wrote; None if there is none, or none that can be read."""
    try:
        with np.load(file) as kept:
            return {name: kept[name] for name in kept.files}
    except FileNotFoundError:
        return None
    except Exception as error:  # whatever a torn or foreign file raises: it is made again
        log.warning("%s cannot be used and is made again: %s", file, error)
        return None


def keep(file: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays into a file of a cache, whole or not at all."""
    aside = file.with_name(f"{file.stem}.{os.getpid()}.tmp.npz")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(aside, **arrays)  # type: ignore[arg-type]
        os.replace(aside, file)
    except OSError as error:  # a full or read-only disk costs time, not the run
        log.warning("what was computed could not be kept in %s: %s", file.parent, error)
