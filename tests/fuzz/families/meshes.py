"""Mesh files of every suffix that is read: broken bytes, wrong counts, and names that are paths."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import meshio
import numpy as np

import pliant as pl
from pliant.mesh.surface_files import READERS

from .. import mutation, nasty
from ..calling import Caller, unsound
from ..verdict import Verdict, finding
from .mesh_seeds import write_all

#: Names of groups in the seeds; each is replaced by a name that must not become a path.
GROUPS = (b"end", b"all", b"low", b"sides", b"cube")
SCENE = """
[run]
seconds = 0.02
dt = 0.01
[body.{name}]
mesh = {{ file = "{file}", repair = {repair}{fill} }}
{matter}
"""
SOLID = "material = { young = 1e5, poisson = 0.3 }"
SHELL = "shell = { young = 1e6, poisson = 0.3, density = 1000, thickness = 0.01 }"


class Meshes:
    """Mutated mesh files."""

    def __init__(self, home: Path):
        self._seeds = write_all(home)
        self._suffixes = sorted({*meshio.extension_to_filetypes, ".obj", ".stl", ".ply"})

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Break a file and read it, or run a scene with it."""
        seed = rng.choice(self._seeds) if rng.random() < 0.6 else rng.choice(self._seeds[:2])
        for beside in seed.parent.glob(f"{seed.stem}.*"):  # some formats are two files
            shutil.copy(beside, caller.fence.work)
        path = caller.fence.work / seed.name
        data, did = break_file(rng, seed.read_bytes(), caller.fence.precious)
        if rng.random() < 0.04:
            path = path.with_suffix(rng.choice(self._suffixes))
        path.write_bytes(data)
        caller.note(f"{path.name}: {did}")
        kind = rng.random()
        if kind < 0.6 and path.suffix in READERS:
            verdict, how = self._surface(caller, path), "Surface.read"
        elif kind < 0.7:
            verdict, how = self._read(rng, caller, path), "Mesh.read"
        else:
            verdict, how = self._run(rng, caller, path), "run"
        return verdict.about(f"{how} {path.name}: {did}")

    def _read(self, rng: random.Random, caller: Caller, path: Path) -> Verdict:
        dim, repair = rng.choice((None, None, 2, 3)), rng.random() < 0.5
        kept: list[Any] = []
        verdict = caller.call(lambda: pl.Mesh.read(path, dim=dim, repair=repair), kept)
        if not kept or verdict.found:
            return verdict
        mesh = kept[0]
        if not np.isfinite(mesh.points).all():
            return finding("a silent NaN", "mesh points", repr(mesh))
        verdict = caller.call(
            lambda: (mesh.quality(), mesh.boundary_points, mesh.components, mesh.volume)
        )
        if not verdict.found and rng.random() < 0.3:
            out = path.with_name("again.vtu")
            caller.fence.names(out)
            verdict = caller.call(lambda: mesh.write(out))
        return verdict

    def _surface(self, caller: Caller, path: Path) -> Verdict:
        kept: list[Any] = []
        verdict = caller.call(lambda: pl.Surface.read(path), kept)
        if not kept or verdict.found:
            return verdict
        surface, out = kept[0], path.with_name("again.obj")
        if not np.isfinite(surface.points).all():
            return finding("a silent NaN", "surface points", repr(surface)[:200])
        caller.fence.names(out)
        verdict = caller.call(lambda: (surface.report(), surface.welded(), surface.triangles))
        return verdict if verdict.found else caller.call(lambda: surface.write(out))

    def _run(self, rng: random.Random, caller: Caller, path: Path) -> Verdict:
        sheet = path.suffix in (".obj", ".ply", ".stl", ".off")
        scene, out = (
            caller.fence.work / "scene.toml",
            caller.fence.work / rng.choice(("out.zarr", "out.npz")),
        )
        text = SCENE.format(
            name="bar", file=path.name, repair=str(rng.random() < 0.8).lower(),
            fill=", fill = false" if sheet else "", matter=SHELL if sheet else SOLID,
        )  # fmt: skip
        scene.write_text(text)
        caller.fence.names(out)
        verdict = caller.command("run", scene, "-o", out)
        if verdict.kind != "ok" or not out.exists():
            return verdict
        kept: list[Any] = []
        verdict = caller.call(lambda: pl.Take.read(out), kept)
        return unsound(kept[0]) if kept and not verdict.found else verdict


def break_file(rng: random.Random, data: bytes, precious: Path) -> tuple[bytes, str]:
    """Change names, lines or bytes of a file; and what was done."""
    kind = rng.random()
    if kind < 0.3:
        here = [name for name in GROUPS if name in data]
        if here:
            old, new = rng.choice(here), nasty.name(rng, precious)
            return data.replace(
                old, new.encode("utf-8", "replace")
            ), f"{old.decode()} is {new!r:.60}"
    if kind < 0.65 and b"\0" not in data:
        text, did = mutation.change_lines(rng, data.decode("utf-8", "replace"))
        return text.encode("utf-8", "replace"), did
    ways = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        data, how = mutation.change_bytes(rng, data)
        ways.append(how)
    return data, "; ".join(ways)
