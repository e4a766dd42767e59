"""Where a machine has the takes of a sweep, and takes in one piece that travel between machines."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path

from pliant.resources import cache_folder

from .folder import NAME


def home_of(folder: str, token: str) -> Path:
    """The folder of a sweep if this machine sees it and may write there, else one of its own."""
    there = Path(folder)
    with suppress(OSError, UnicodeDecodeError):
        if token in (there / NAME).read_text(encoding="utf-8") and os.access(there, os.W_OK):
            return there
    return cache_folder("sweeps") / token


def forget(folder: str, token: str) -> None:
    """Remove what a machine that does not see the folder has kept of a sweep."""
    home = home_of(folder, token)
    if home != Path(folder):
        shutil.rmtree(home, ignore_errors=True)


def packed(take: Path) -> bytes | None:
    """A take in one piece; None if there is none."""
    if not take.is_dir():
        return None
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(p for p in take.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(take).as_posix())
    return file.getvalue()


def unpack(content: bytes, take: Path) -> None:
    """Put a take that came in one piece into its place."""
    draft = take.with_name(f".{take.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(draft)
    shutil.rmtree(take, ignore_errors=True)
    draft.rename(take)
