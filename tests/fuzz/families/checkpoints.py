"""Checkpoints: a run goes on from a broken one, or is refused; either way no frame is lost."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from pliant.take import Take

from ..calling import Caller, unsound
from ..verdict import Verdict, finding
from .archives import break_archive
from .folders import break_folder
from .take_seeds import WITHOUT_FILES, command, write_scene

LONGER = "0.07"
#: Changes of the scene that the checkpoint is not of.
OTHERS = (
    ("young = 1e5", "young = 2e5"), ("rest_in = 0.5", "rest_in = 0.6"), ("cells = [2, 1]",
    "cells = [3, 1]"), ("dt = 0.01", "dt = 0.02"),
    ("[body.net]", "[body.web]"), ("point = [0, -5, 0]", "point = [0, -6, 0]"), ("seconds = 0.04",
    'seconds = 0.04\nstepper = "Newmark"'),
    ("stiffness = 100", "stiffness = 101"), ("-9.81", "-1.6"),
)  # fmt: skip


class Checkpoints:
    """Mutated checkpoints, resumed."""

    def __init__(self, home: Path):
        self._scene = write_scene(home, WITHOUT_FILES)
        self._seed = home / "take.zarr"
        command("run", self._scene, "-o", self._seed)

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Break what a run left and go on with it."""
        work = caller.fence.work
        write_scene(work, WITHOUT_FILES)
        shutil.copytree(self._seed, work / "take.zarr")
        take, did = work / "take.zarr", ""
        (checkpoint,) = take.glob("checkpoint*")
        kind = rng.random()
        if kind < 0.75:
            did = break_archive(rng, checkpoint)
        elif kind < 0.92:
            did, _ = break_folder(rng, take, caller.fence.precious)
        else:
            old, new = rng.choice(OTHERS)
            (work / "scene.toml").write_text(WITHOUT_FILES.replace(old, new))
            did = f"{new} instead of {old}"
        caller.note(did)
        caller.fence.closes(take)
        before = self._frames(caller, take)
        caller.fence.names(take)
        verdict = caller.command(
            "run", work / "scene.toml", "-o", take, "--resume", "--seconds", LONGER
        )
        if not verdict.found:
            verdict = self._lost(caller, take, before, verdict)
        return verdict.about(f"resume: {did}")

    @staticmethod
    def _frames(caller: Caller, take: Path) -> Take | None:
        """What can be read of it; None if nothing can, for which another family looks."""
        kept: list[Any] = []
        verdict = caller.call(lambda: Take.read(take), kept)
        return kept[0] if kept and not verdict.found and not unsound(kept[0]).found else None

    @staticmethod
    def _lost(caller: Caller, path: Path, before: Take | None, verdict: Verdict) -> Verdict:
        """Whether frames that could be read cannot be any more, or are others now."""
        if before is None and verdict.kind == "refused":
            return verdict
        kept: list[Any] = []
        said = caller.call(lambda: Take.read(path), kept)
        if not kept:
            return finding(
                "lost frames", "resume", f"the take cannot be read any more: {said.said}"
            )
        after = kept[0]
        if unsound(after).found:
            return unsound(after)
        if before is None:
            return verdict
        if len(after) < len(before):
            return finding("lost frames", "resume", f"{len(before)} frames, then {len(after)}")
        for old, new in zip(before.tracks, after.tracks, strict=False):
            span = np.ptp(old.positions) + 1.0
            if not np.allclose(old.positions, new.positions[: len(old.times)], atol=1e-6 * span):
                return finding("other frames", "resume", f"{old!r} has other positions than before")
        return verdict
