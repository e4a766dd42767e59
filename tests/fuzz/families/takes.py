"""Takes, as folders and as archives: read, used, and written in other formats."""

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
from .take_seeds import write_takes

#: Formats that are quick to write, and the slow ones, tried now and then.
QUICK = (".npz", ".zarr", ".obj", ".pc2", ".mdd", ".vtu", ".glb", ".html", ".usda", ".vtkhdf")
SLOW = (".png", ".gif")


class Takes:
    """Mutated takes."""

    def __init__(self, home: Path):
        self._seeds = write_takes(home)
        self._known = Take.read(self._seeds[0])

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Break a take and use it."""
        seed = rng.choice(self._seeds)
        path, only_less = caller.fence.work / f"take{seed.suffix}", False
        if seed.is_dir():
            shutil.copytree(seed, path)
            did, only_less = break_folder(rng, path, caller.fence.precious)
        else:
            shutil.copy(seed, path)
            did = break_archive(rng, path)
        caller.note(f"{seed.name}: {did}")
        caller.fence.closes(path)
        if rng.random() < 0.55:
            return self._read(rng, caller, path, only_less).about(f"read {seed.name}: {did}")
        suffix = rng.choice(QUICK if rng.random() < 0.98 else SLOW)
        return self._convert(caller, path, suffix, only_less).about(
            f"convert {seed.name} to {suffix}: {did}"
        )

    def _read(self, rng: random.Random, caller: Caller, path: Path, only_less: bool) -> Verdict:
        kept: list[Any] = []
        verdict = caller.call(lambda: Take.read(path), kept)
        if not kept or verdict.found:
            return verdict
        verdict = unsound(kept[0])
        if not verdict.found and only_less:
            verdict = self._differs(kept[0])
        return verdict if verdict.found else caller.call(lambda: use(kept[0]))

    def _convert(self, caller: Caller, path: Path, suffix: str, only_less: bool) -> Verdict:
        out = caller.fence.work / f"out{suffix}"
        caller.fence.names(out)
        verdict = caller.command("convert", path, out)
        if verdict.kind != "ok":
            return verdict
        kept: list[Any] = []
        again = caller.call(lambda: Take.read(path), kept)
        if not kept:
            return finding("convert takes what cannot be read", "the command line", again.said)
        verdict = unsound(kept[0])
        return self._differs(kept[0]) if not verdict.found and only_less else verdict

    def _differs(self, take: Take) -> Verdict:
        """A take that lost a file is refused, or has fewer frames; its numbers are the old ones."""
        for found, known in zip(take.tracks, self._known.tracks, strict=True):
            count = len(found.times)
            pairs = {
                "positions": (found.positions, known.positions[:count]),
                "velocities": (found.velocities, known.velocities[:count]),
                "energies": (found.energies["total"], known.energies["total"][:count]),
                "masses": (found.masses, known.masses), "pinned": (found.pinned, known.pinned),
                "points": (found.mesh.points, known.mesh.points),
                "components": (found.components, known.components),
            }  # fmt: skip
            for name, (now, before) in pairs.items():
                if np.shape(now) != np.shape(before) or not np.allclose(now, before, atol=1e-9):
                    return finding("silently another take", f"take {name}", repr(found))
        return unsound(take)


def use(take: Take) -> None:
    """What people do with a take."""
    repr(take), take.obstacles
    for track in take.tracks:
        repr(track), track.size, track.energies
        if track.rests is not None:
            track.distance(), track.rest_time(), track.amplitude()
