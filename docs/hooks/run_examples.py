"""Run examples in one process and keep what they leave: `run_examples.py EXAMPLE FOLDER ...`.

Each folder gets the picture, what was printed and, where the example has a `take`, a page that plays it.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path


def keep(example: Path, folder: Path) -> None:
    """Run one example and move what it left into the folder, whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as room:
        os.chdir(room)
        with open("printed.txt", "w", encoding="utf-8") as said, contextlib.redirect_stdout(said):
            left = runpy.run_path(str(example), run_name="__main__")
        kept = Path(room) / "kept"
        kept.mkdir()
        shutil.move("printed.txt", kept / "printed.txt")
        shutil.move(Path("out") / f"{example.stem}.png", kept / "picture.png")
        if "take" in left:
            left["take"].save(kept / "player.html")
        os.chdir(folder.parent)
        try:
            kept.rename(folder)
        except OSError:
            if not folder.exists():  # another build may have been faster
                raise


if __name__ == "__main__":
    given = [Path(a).resolve() for a in sys.argv[1:]]
    for example, folder in zip(given[::2], given[1::2], strict=True):
        keep(example, folder)
