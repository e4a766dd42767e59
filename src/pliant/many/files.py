"""Files that a scene names, sent to workers that do not see the folder of the sweep: once to each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

from pliant.io import atomic_write

from .places import home_of


class SentFiles(WorkerPlugin):
    """A plugin of workers: what is set up on each, also on those that join later.

    files: contents by their names in the folder of the sweep, which begin with a hash of the content.
    """

    def __init__(self, folder: str, token: str, files: Mapping[str, bytes]):
        self._folder, self._token, self._files = folder, token, dict(files)

    def setup(self, worker: Any = None) -> None:
        """Write the files where the worker has its runs of this sweep."""
        home = home_of(self._folder, self._token)
        for name, content in self._files.items():
            path = home / name
            if not path.is_file() or path.stat().st_size != len(content):
                path.parent.mkdir(parents=True, exist_ok=True)
                with atomic_write(path) as draft:  # workers of one machine may all do so at once
                    draft.write_bytes(content)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a sweep by their names in it."""
    found = sorted(p for p in (folder / "files").glob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}
