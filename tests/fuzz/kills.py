"""Runs, resumed runs and exports that are killed at random moments, and what must be left of them."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pliant.take import Take

from .nursery import Nursery

SCENE = """
[run]
seconds = 0.3
dt = 0.005
gravity = [0, -9.81]
[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { young = 1e5, poisson = 0.3 }
fix = "x < 0.01"
settle = { rest_in = 0.4, bounces = 0 }
[body.net]
mesh = { rectangle = { size = [1, 1], cells = [2, 2] }, move = [0, 3] }
springs = { stiffness = 300, total_mass = 1 }
fix = { points = [0, 1] }
"""
FRAMES = 61
#: Formats of one file, which must be old or new and never torn.
FILES = (".npz", ".glb", ".html", ".pc2", ".mdd", ".usdc", ".vtkhdf")


@dataclass
class Frames:
    """What can be read of a take."""

    times: np.ndarray
    positions: list[np.ndarray]

    @classmethod
    def of(cls, path: Path) -> Frames:
        """All complete frames; none if the run did not come so far."""
        if not (path / "times" / "0").exists():
            return cls(np.zeros(0), [])
        take = Take.read(path)
        return cls(take.times, [track.positions for track in take.tracks])

    def check(self) -> None:
        """Times grow, and every number is finite."""
        assert (np.diff(self.times) > 0.0).all(), self.times
        assert all(np.isfinite(x).all() for x in self.positions)

    def check_holds(self, before: Frames) -> None:
        """Every frame that could be read before can be read now, and is the same."""
        count = len(before.times)
        assert len(self.times) >= count, f"{count} frames before, {len(self.times)} now"
        np.testing.assert_array_equal(self.times[:count], before.times)
        for now, then in zip(self.positions, before.positions, strict=False):
            np.testing.assert_array_equal(now[:count], then)

    def check_same(self, whole: Frames) -> None:
        """The same bits as a run that was not interrupted."""
        np.testing.assert_array_equal(self.times, whole.times)
        for here, there in zip(self.positions, whole.positions, strict=True):
            np.testing.assert_array_equal(here, there)


def moment(rng: random.Random, longest: float, changes: int) -> dict[str, object]:
    """When to kill: after a time, or at a change of a file, often of the checkpoint."""
    kind = rng.random()
    if kind < 0.4:
        return {"kill_after": rng.uniform(0.0, longest)}
    if kind < 0.6:
        return {"mishap": ("kill", rng.randrange(1, 12), "checkpoint")}
    return {"mishap": ("kill", rng.randrange(1, changes))}


def write_scene(folder: Path) -> Path:
    """The scene that is killed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scene.toml").write_text(SCENE)
    return folder / "scene.toml"


def streamed_and_resumed(
    nursery: Nursery, folder: Path, rng: random.Random, *, kills: int, whole: Frames
) -> int:
    """A run that is killed and resumed again and again, then ended; returns how often it was hit.

    whole: the frames of the same run without kills.
    """
    scene, take = write_scene(folder), folder / "take.zarr"
    known, hit = Frames(np.zeros(0), []), 0
    for attempt in range(kills):
        if "--overwrite" in wish(take):
            assert len(known.times) <= 1  # the start alone, which is no work to lose
            known = Frames(np.zeros(0), [])
        ended = nursery.run(folder, "run", scene, "-o", take, *wish(take), **moment(rng, 1.5, 1200))  # type: ignore[arg-type]
        assert ended.code in (0, -9), f"attempt {attempt}: {ended}"
        assert "Traceback" not in ended.said
        hit += ended.code == -9
        now = Frames.of(take)
        now.check()
        now.check_holds(known)
        known = now
        if ended.code == 0:
            break
    ended = nursery.run(folder, "run", scene, "-o", take, *wish(take))
    assert ended.code == 0, ended
    last = Frames.of(take)
    last.check()
    last.check_holds(known)
    last.check_same(whole)
    return hit


def wish(take: Path) -> list[str]:
    """How to go on: before the first checkpoint there is at most the start, which is made again."""
    if (take / "checkpoint.npz").exists():
        return ["--resume"]
    return ["--overwrite"] if take.exists() else []


def exported(nursery: Nursery, folder: Path, rng: random.Random, old: Path, new: Path) -> bool:
    """An export over an older one that is killed, and left old or new; whether it was hit."""
    suffix = rng.choice(FILES)
    made = {}
    for name, take in (
        ("old", old),
        ("new", new),
    ):  # some formats hold their name, so it is the same
        assert nursery.run(folder, "convert", take, Path(name) / f"out{suffix}").code == 0
        made[name] = contents(folder / name)
    shutil.rmtree(folder / "now", ignore_errors=True)
    shutil.copytree(folder / "old", folder / "now")
    ended = nursery.run(folder, "convert", new, Path("now") / f"out{suffix}", **moment(rng, 0.6, 8))  # type: ignore[arg-type]
    assert ended.code in (0, -9), ended
    now = contents(folder / "now")
    assert made["old"].keys() <= now.keys()
    for name, content in now.items():
        assert content in (made["old"][name], made["new"][name]), f"{name} is torn"
    shutil.rmtree(folder / "old")
    shutil.rmtree(folder / "new")
    return ended.code == -9


def exported_folder(nursery: Nursery, folder: Path, count: int, old: Path, new: Path) -> bool:
    """A take written over another and killed at the `count`-th change; whether it was hit.

    The take is the old or the new one. A folder cannot take the place of another in one move: if
    there is none for a moment, both are beside it.
    """
    out = folder / "out.zarr"
    for left in folder.glob("*.zarr"):
        shutil.rmtree(left)
    for left in folder.glob(".*.zarr"):
        shutil.rmtree(left)
    assert nursery.run(folder, "convert", old, out).code == 0
    ended = nursery.run(folder, "convert", new, out, mishap=("kill", count))
    assert ended.code in (0, -9), ended
    frames = {len(Take.read(old)), len(Take.read(new))}
    if out.exists():
        assert len(Take.read(out)) in frames
    else:
        assert {len(Take.read(beside)) for beside in folder.glob(".*.zarr")} == frames
    return ended.code == -9


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without drafts that a kill left behind."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")}
