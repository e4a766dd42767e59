"""Takes to begin from, written by a tiny scene with two bodies, groups, pins and an obstacle."""

from __future__ import annotations

from pathlib import Path

from pliant.cli import main

from .mesh_seeds import write_tetrahedra

SCENE = """
title = "two bodies"
[run]
seconds = 0.04
dt = 0.01
gravity = [0, -9.81, 0]
[body.bar]
mesh = { file = "tet.msh" }
material = { young = 1e5, poisson = 0.3 }
fix = { group = "end" }
start = { offset = ["0.1*x", "0", "0"] }
settle = { rest_in = 0.5, bounces = 0 }
[body.net]
mesh = { rectangle = { size = [1, 1], cells = [2, 1] }, plane = "xz", move = [0, 3, 0] }
springs = { stiffness = 100, total_mass = 1 }
fix = { points = [0, 2] }
[[obstacle]]
half_space = { point = [0, -5, 0], normal = [0, 1, 0] }
friction = 0.3
"""


#: The same without a file: a mesh file is read by a process of its own, which takes its time.
WITHOUT_FILES = SCENE.replace(
    'file = "tet.msh"', "box = { size = [1, 1, 1], cells = [1, 1, 1] }"
).replace('{ group = "end" }', '"x < 0.01"')


def write_scene(folder: Path, text: str = SCENE) -> Path:
    """A scene and the files that it names."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tetrahedra(folder / "tet.msh")
    path = folder / "scene.toml"
    path.write_text(text)
    return path


def write_takes(folder: Path) -> list[Path]:
    """A take that a run streamed, and the same saved from memory as .zarr and .npz."""
    scene = write_scene(folder)
    made = [folder / "streamed.zarr", folder / "saved.zarr", folder / "saved.npz"]
    command("run", scene, "-o", made[0])
    command("convert", made[0], made[1], made[2])
    return made


def command(*arguments: str | Path) -> None:
    """Run the command line; it must succeed."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        if stop.code:
            raise RuntimeError(f"pliant {arguments} left with {stop.code}") from None
