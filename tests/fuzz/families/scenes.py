"""Scene files: read, built, checked, and a share of them run for a few steps."""

from __future__ import annotations

import math
import random
import shutil
from pathlib import Path
from typing import Any

from pliant import scenefile as scene_files
from pliant.take import Take

from .. import mutation, nasty, toml
from ..calling import Caller, unsound
from ..verdict import Verdict
from . import schema
from .mesh_seeds import write_cube, write_tetrahedra
from .scene_seeds import COUNTS, seeds

#: Counts between these would be a long simulation, not a broken file.
CHEAP, ABSURD = 7, 10**9
#: Formats that a run also writes.
FORMATS = (".npz", ".obj", ".pc2", ".mdd", ".vtu", ".usda", ".glb", ".html", ".vtkhdf")
#: Steps that a case may take.
STEPS = 4


class Scenes:
    """Mutated scene files."""

    def __init__(self, home: Path):
        home.mkdir(parents=True, exist_ok=True)
        self._files = [write_cube(home / "cube.obj"), write_tetrahedra(home / "tet.msh")]
        self._seeds = seeds()

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Write a scene and use it as a user would."""
        for file in self._files:
            shutil.copy(file, caller.fence.work)
        path = caller.fence.work / "scene.toml"
        data, did, tree = make_scene(rng, self._seeds)
        path.write_bytes(data)
        caller.note("; ".join(did))
        kind = rng.random()
        settings = [] if rng.random() < 0.85 else [_setting(rng)]
        if kind < 0.6:
            verdict = caller.call(lambda: scene_files.read(path, settings).build(progress=False))
            how = "read and build"
        elif kind < 0.82:
            sets = [part for s in settings for part in ("--set", s)]
            verdict, how = caller.command("check", path, *sets), "check"
        else:
            verdict, how = self._run(rng, caller, path, tree), "run"
        return verdict.about(f"{how} {settings or ''}: {'; '.join(did)}")

    def _run(self, rng: random.Random, caller: Caller, path: Path, tree: Any) -> Verdict:
        out = caller.fence.work / "out.zarr"
        also = caller.fence.work / f"film{rng.choice(FORMATS)}"
        outputs = [out, also] if rng.random() < 0.6 else [out]
        caller.fence.names(*outputs)
        given = [word for target in outputs for word in ("-o", str(target))]
        verdict = caller.command("run", path, *given, *_short(rng, tree))
        if verdict.kind == "ok" and out.exists():
            kept: list[Any] = []
            verdict = caller.call(lambda: Take.read(out), kept)
            if kept and not verdict.found:
                verdict = unsound(kept[0])
        return verdict


def _short(rng: random.Random, tree: Any) -> list[str]:
    """Options that make a run short; a step that a user may ask for often stays."""
    run = tree.get("run") if isinstance(tree, dict) else None
    run = run if isinstance(run, dict) else {}
    dt = run.get("dt")
    usual = isinstance(dt, (int, float)) and math.isfinite(float_of(dt)) and dt > 1e-6
    if usual and rng.random() < 0.7:
        return ["--seconds", repr(STEPS * float_of(dt))]
    fps = ["--set", "run.fps=100"] if "fps" in run else []
    return ["--seconds", repr(STEPS * 0.01), "--dt", "1/100", *fps]


def make_scene(rng: random.Random, known: list[dict[str, Any]]) -> tuple[bytes, list[str], Any]:
    """A scene file, what was changed in it, and its data as far as they are known."""
    tree: Any = rng.choice(known)
    if rng.random() < 0.35:  # most of these are allowed, and get further than the reader
        tree, did = mutation.scale_numbers(rng, tree, (*COUNTS, "seconds", "dt", "fps", "points"))
        return toml.dumps(_affordable(tree)).encode(), did, tree
    if rng.random() < 0.15:
        tree = {
            "run": tree.get("run", {}),
            "body": {"a": schema.instance(rng, schema.at(("body", "a")) or {})},
        }
    tree, did = mutation.change_tree(rng, tree, lambda path, old: _fresh(rng, path))
    tree = _affordable(tree)
    text = toml.dumps(tree)
    kind = rng.random()
    if kind < 0.12:
        changed, how = mutation.change_bytes(rng, text.encode("utf-8", "surrogatepass"))
        return changed, [*did, how], tree
    if kind < 0.2:
        text, how = mutation.change_lines(rng, text)
        did = [*did, how]
    elif kind < 0.23:
        ways = (("[", "]"), ("{ a = ", "}"))
        text += f"deep = {nasty.deep_text(rng, *rng.choice(ways))}\n"
        did = [*did, "deep nesting"]
    return text.encode("utf-8", "surrogatepass"), did, tree


def _fresh(rng: random.Random, path: tuple[Any, ...]) -> Any:
    found = schema.at(path)
    return nasty.value(rng) if found is None else schema.instance(rng, found)


def _affordable(tree: Any, counting: bool = False) -> Any:
    """The tree without counts that are neither small nor absurd, and without the finest fillings."""
    if isinstance(tree, dict):
        return {
            k: 0.5
            if k == "edge_length" and _is_number(v) and 0 < v < 0.3
            else _affordable(v, k in COUNTS)
            for k, v in tree.items()
        }
    if isinstance(tree, list):
        return [_affordable(v, counting) for v in tree]
    return 3 if counting and _is_number(tree) and CHEAP < tree < ABSURD else tree


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _setting(rng: random.Random) -> str:
    """An argument of `--set`."""
    fields = ("run.dt", "run.fps", "run.seconds", "run.gravity", "run.device",
    "body.settle.rest_in",
              "body.density", "body.settle", "body", "run", "title", "obstacle",
              "body.mesh.move")  # fmt: skip
    name = rng.choice(fields) if rng.random() < 0.8 else nasty.text(rng)
    value = nasty.value(rng, 1)
    return f"{name}={toml.value(value) if rng.random() < 0.7 else nasty.text(rng)}"


def float_of(value: Any) -> float:
    """A number as float; beyond its range it is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
