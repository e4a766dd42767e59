"""How much memory it takes to convert takes that are larger than memory.

`python -m benchmarks.streams [--frames 10000] [--folder FOLDER] [--sheet] [.usdc .pc2 ...]` writes a
take of 50,000 points, a beam or a sheet, and so many frames. It converts the take to each format in a
process of its own, and prints the peak of the memory that the process had: all of it, what is its own,
without the pages of libraries, and all of it with the encoder of films, which is another process.
A few frames come again and again on disk as hard links, so that the take itself is small. What is
written is as large as it would be, and is removed after each format. USD writes equal frames once, so
with `--distinct` all positions differ (1.2 MB of disk for each).
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.io.chunks import Chunked
from pliant.mesh.skin import Skin
from pliant.take import ENERGIES, SOLVER, Take, Track

#: 50,375 points.
CELLS = (64, 30, 24)
#: Frames that differ; a power of two, so that the last is followed by the first without a jump.
DISTINCT = 16
SUFFIXES = (".usdc", ".glb", ".pc2", ".mdd", ".vtkhdf", ".html", ".mp4", ".gif", ".npz", ".png")


def beam(cells: tuple[int, int, int] = CELLS) -> pl.Mesh:
    """A beam along x, of which 8,354 points are seen."""
    return pl.meshes.box((4, 1, 1), cells)


def sheet() -> pl.Mesh:
    """A level sheet of 50,176 points, all of which are seen."""
    flat = pl.meshes.rectangle((4, 1), (447, 111))
    return pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)


def write_take(folder: Path, frames: int, mesh: pl.Mesh, *, distinct: bool = False) -> Path:
    """A take of a body that sways, in which every 16th frame is the same file unless `distinct`."""
    x, count = mesh.points, len(mesh)
    turn = 2 * np.pi * np.arange(DISTINCT)[:, None] / DISTINCT
    up = np.array([0.0, 1.0, 0.0])
    sway = 0.05 * x[:, 0] ** 2
    times = np.arange(DISTINCT) / 60.0
    track = Track(
        name="beam",
        mesh=mesh,
        times=times,
        positions=x + (np.cos(turn) * sway)[..., None] * up,
        velocities=-(np.sin(turn) * sway)[..., None] * up * 2 * np.pi * 60.0 / DISTINCT,
        count_energies=lambda: np.zeros(DISTINCT, ENERGIES),
        solver=np.zeros(0, SOLVER),
        rests=[x] * DISTINCT,
        masses=np.ones(count),
        components=mesh.components,
        pinned=x[:, 0] < 1e-9,
        asked={"rest_in": 0.5, "bounces": None, "within": 0.01},
        skin=Skin.bare(mesh),
    )
    path = folder / f"long-{frames}.zarr"
    Take([track], dt=1.0 / 60.0).save(path)
    for name in ("positions", "velocities", "energies", "resting"):
        array = Chunked.open(path / "body0" / name)
        for k in range(DISTINCT, frames):
            if distinct and name == "positions":
                array.put(k, (1.0 + 1e-6 * k) * array.row(k % DISTINCT)[None])
            else:
                os.link(array._file(k % DISTINCT), array._file(k))
        array.resize(frames)
    clock = Chunked.open(path / "times")
    for k in range(DISTINCT, frames):
        clock.put(k, np.array([k / 60.0]))
    clock.resize(frames)
    return path


@dataclass(frozen=True)
class Conversion:
    """What `pliant convert` took: peaks of memory [bytes], times [s], and the bytes that it wrote."""

    peak: int
    own: int  # without the pages of libraries
    together: int  # with the processes that it started
    seconds: float
    processor: float  # with the processes that it started
    written: int

    def row(self) -> str:
        """Its part of the table, in MB."""
        sizes = [f"{n / 1e6:.0f}" for n in (self.peak, self.own, self.together)]
        times = [f"{self.seconds:.0f}", f"{self.processor:.0f}"]
        return " | ".join([*sizes, *times, f"{self.written / 1e6:.0f}"])


def convert(take: Path, suffix: str) -> Conversion:
    """Convert a take to a format in a process of its own, and watch it."""
    out = take.parent / "out"
    out.mkdir()
    try:
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            [sys.executable, "-m", "pliant", "convert", take, out / f"take{suffix}"],
            stdout=subprocess.DEVNULL,
        )
        peak = own = together = 0
        while process.poll() is None:
            total, private, now = _memory(process.pid)
            peak, own, together = max(peak, total), max(own, private), max(together, now)
            time.sleep(0.02)
        if process.returncode:
            raise RuntimeError(f"pliant convert to {suffix} ended with {process.returncode}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        written = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
        seconds = time.monotonic() - began
        return Conversion(peak, own, together, seconds, processor, written)
    finally:
        shutil.rmtree(out)


def _memory(process: int) -> tuple[int, int, int]:
    """The most memory that a process had so far, what is its own now, and what it and those that it
    started have now [bytes]."""
    found = _status(process)
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    now = sum(_status(int(each)).get("VmRSS:", 0) for each in (process, *started))
    return found.get("VmHWM:", 0), found.get("RssAnon:", 0), now


def _status(process: int) -> dict[str, int]:
    """The sizes that Linux tells of a process [bytes]; none if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except FileNotFoundError:
        return {}
    return {line.split()[0]: 1024 * int(line.split()[1]) for line in lines if line.endswith("kB")}


def main() -> None:
    """Convert takes of the lengths that are asked for, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suffixes", nargs="*", default=SUFFIXES)
    parser.add_argument("--frames", type=int, nargs="+", default=[10_000])
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("--sheet", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path())
    given = parser.parse_args()
    print("| format | frames | peak of memory [MB] | its own | with ffmpeg", end="")
    print(" | time [s] | processor time [s] | written [MB] |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for frames in given.frames:
        mesh = sheet() if given.sheet else beam()
        take = write_take(given.folder, frames, mesh, distinct=given.distinct)
        try:
            for suffix in given.suffixes:
                row = convert(take, suffix).row()
                print(f"| {suffix} | {frames} | {row} |", flush=True)
        finally:
            shutil.rmtree(take)


if __name__ == "__main__":
    main()
