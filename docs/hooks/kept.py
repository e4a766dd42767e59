"""What examples and studies leave is kept under a name, with the hash of every file that it came from.

A run notes which files of the library it has loaded, so that a change elsewhere does not run it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = Path(os.environ.get("PLIANT_DOCS_KEPT", ROOT / "build" / "docs"))
NOTE = "made_of.json"
#: What scripts of pages and pictures are made of, besides Python.
_DATA = (".js", ".css", ".html", ".toml")


def note(folder: Path, also: Iterable[Path]) -> None:
    """Write down what this process has loaded of the repository, and other files that it used."""
    loaded = {Path(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
    data = {p for p in (ROOT / "src").rglob("*.*") if p.suffix in _DATA}
    own = [p for p in {*loaded, *data, *also} if p.is_relative_to(ROOT) and p.suffix != ".pyc"]
    found = {
        p.relative_to(ROOT).as_posix(): _hash(p) for p in sorted(own) if ".venv" not in p.parts
    }
    (folder / NOTE).write_text(json.dumps(found, indent=0), encoding="utf-8")


def is_current(folder: Path) -> bool:
    """Whether a folder was made of the files as they are now."""
    try:
        found = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return all(
        (ROOT / name).is_file() and _hash(ROOT / name) == value for name, value in found.items()
    )


_known: dict[Path, tuple[int, str]] = {}


def _hash(path: Path) -> str:
    """Of a file; asked for often, so that it is kept until the file changes."""
    changed = path.stat().st_mtime_ns
    if path not in _known or _known[path][0] != changed:
        _known[path] = (changed, hashlib.sha256(path.read_bytes()).hexdigest()[:16])
    return _known[path][1]
