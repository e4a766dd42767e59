"""Run examples in one process and keep what they leave: `run_examples.py EXAMPLE FOLDER ...`.

Each folder gets the picture, what was printed and, where there is a `take`, a page that plays it and a
small film with a picture to stand in its place.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

from kept import note
from PIL import Image

import pliant as pl
from pliant import scenefile as scene
from pliant.io.film import render, save_film
from pliant.io.png import picture

SIZE = (384, 240)  # pixels of a film
FPS, LONGEST = 24.0, 4.0  # frames per second, and seconds


def keep(example: Path, folder: Path) -> None:
    """Run one example and move what it left into the folder, whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as room:
        os.chdir(room)
        with open("printed.txt", "w", encoding="utf-8") as said, contextlib.redirect_stdout(said):
            left = run_scene(example) if example.suffix == ".toml" else run_script(example)
        kept = Path(room) / "kept"
        kept.mkdir()
        shutil.move("printed.txt", kept / "printed.txt")
        shutil.move(Path("out") / f"{example.stem}.png", kept / "picture.png")
        if left is not None:
            left.save(kept / "player.html")
            film(left, kept)
        note(kept, [example, *example.parent.glob("*.obj")])
        os.chdir(folder.parent)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            kept.rename(folder)
        except OSError:
            if not folder.exists():  # another build may have been faster
                raise


def film(take: pl.Take, folder: Path) -> None:
    """Film a take for a small place; long ones faster, so that each is seen to its end."""
    seconds = float(take.times[-1] - take.times[0])
    if len(take) < 3 or seconds <= 0.0:
        return
    slow = min(1.0, LONGEST / seconds)
    few = take.resampled(FPS * slow)
    save_film(few, folder / "film.mp4", size=SIZE, slow=slow)
    shown = Image.fromarray(render(few, len(few) // 3, (2 * SIZE[0], 2 * SIZE[1])))
    shown.resize(SIZE).save(folder / "film.jpg", quality=82)


def run_script(example: Path) -> pl.Take | None:
    """Run a script, which leaves a picture in out/, and return its take if it has one."""
    return runpy.run_path(str(example), run_name="__main__").get("take")


def run_scene(example: Path) -> pl.Take:
    """Run a scene file and draw it."""
    take = scene.read(example).build().run(progress=False)
    span = take.times[-1] - take.times[0]
    asked = max((track.asked.get("rest_in", 0.0) for track in take.tracks), default=0.0)
    # What is led or pushed on the way goes on after the first wish: look at all of it.
    evenly = [0.25 * span * k for k in range(5)] if asked < 0.6 * span else None
    Path("out").mkdir()
    picture(take, instants=evenly).savefig(Path("out") / f"{example.stem}.png", dpi=150)
    return take


if __name__ == "__main__":
    given = [Path(a).resolve() for a in sys.argv[1:]]
    for example, folder in zip(given[::2], given[1::2], strict=True):
        folder.parent.mkdir(parents=True, exist_ok=True)
        keep(example, folder)
