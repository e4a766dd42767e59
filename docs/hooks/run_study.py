"""Run a study and keep its report: `run_study.py NAME FOLDER`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from kept import note

from pliant.cli.study import study

if __name__ == "__main__":
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as room:
        study(name, Path(room))
        kept = Path(room) / "kept"
        kept.mkdir()
        shutil.copy(Path(room) / f"{name}.html", kept / f"{name}.html")
        note(kept, [])
        shutil.rmtree(folder, ignore_errors=True)
        kept.rename(folder)
