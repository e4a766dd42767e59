"""Shapes of 100 to 600 cells: bars, L-shapes, tubes, perforated plates, balls, a filled surface.

Every shape lies along x from x = 0 and is about one metre long, so that `starts` and `scenes` can
hold its left end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import pliant as pl

Draw = Callable[[np.random.Generator], pl.Mesh]


def bar(rng: np.random.Generator) -> pl.Mesh:
    """A straight bar of random slenderness, in the plane or in space."""
    slender = rng.uniform(2.0, 6.0)
    if rng.random() < 0.4:
        kind = str(rng.choice(["tri", "quad"]))
        return pl.meshes.rectangle((1.0, 1.0 / slender), (int(3 * slender) + 8, 4), kind=kind)
    kind = str(rng.choice(["tet", "hex"]))
    across = 2 if kind == "tet" else 3
    cells = (int(2.5 * slender) + 2, across, across)
    return pl.meshes.box((1.0, 1.0 / slender, rng.uniform(0.7, 1.5) / slender), cells, kind=kind)


def tapered(rng: np.random.Generator) -> pl.Mesh:
    """A bar that becomes thinner or thicker towards its free end."""
    mesh = bar(rng)
    end = rng.uniform(0.4, 1.5)
    x = mesh.points.copy()
    middle = x[:, 1:].mean(axis=0)
    x[:, 1:] = middle + (x[:, 1:] - middle) * (1.0 + (end - 1.0) * x[:, :1])
    return pl.Mesh(x, dict(mesh.cells))


def l_shape(rng: np.random.Generator) -> pl.Mesh:
    """An arm along x with another one upwards at its end."""
    n, thick = int(rng.integers(8, 12)), int(rng.integers(2, 4))
    if rng.random() < 0.5:
        block = pl.meshes.rectangle((1.0, 1.0), (n, n), kind=str(rng.choice(["tri", "quad"])))
    else:
        kind = str(rng.choice(["tet", "hex"]))
        n = 7 if kind == "tet" else n
        across = 2 if kind == "hex" else 1
        block = pl.meshes.box((1.0, 1.0, thick / n), (n, n, across), kind=kind)
    edge = thick / n
    return kept(block, lambda c: (c[:, 1] < edge) | (c[:, 0] > 1.0 - edge))


def tube(rng: np.random.Generator) -> pl.Mesh:
    """A hollow cylinder along x; in the plane a ring."""
    wall = rng.uniform(0.15, 0.4)  # of its radius
    if rng.random() < 0.3:
        ring = pl.meshes.annulus(0.5 * (1.0 - wall), 0.5, (int(rng.integers(40, 70)), 3))
        return pl.Mesh(ring.points + [0.5, 0.5], dict(ring.cells))
    along, around, across = int(rng.integers(8, 13)), 12, 2
    radius = rng.uniform(0.12, 0.3)
    a, t, r = np.meshgrid(
        np.linspace(0.0, 1.0, along + 1),
        2.0 * np.pi * np.arange(around) / around,
        radius * np.linspace(1.0 - wall, 1.0, across + 1),
        indexing="ij",
    )
    points = np.stack([a, r * np.cos(t), r * np.sin(t)], axis=-1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(along + 1, around, across + 1)
    i, j, k = np.meshgrid(*(np.arange(n) for n in (along, around, across)), indexing="ij")
    round_it = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = [number[i + x, (j + s) % around, k + t] for x in (0, 1) for s, t in round_it]
    return pl.Mesh(points, {"hex": np.stack(corners, axis=-1).reshape(-1, 8)}, repair=True)


def perforated(rng: np.random.Generator) -> pl.Mesh:
    """A plate with holes."""
    holes = rng.uniform([0.25, 0.12], [0.85, 0.4], (int(rng.integers(2, 5)), 2))
    size = rng.uniform(0.05, 0.09)

    def solid(c: np.ndarray) -> np.ndarray:
        apart = np.abs(c[:, None, :2] - holes).max(axis=2)
        out: np.ndarray = apart.min(axis=1) > size
        return out

    if rng.random() < 0.5:
        return kept(pl.meshes.rectangle((1.0, 0.5), (18, 9), kind="tri"), solid)
    return kept(pl.meshes.box((1.0, 0.5, 0.1), (16, 8, 1), kind="hex"), solid)


def ball(rng: np.random.Generator) -> pl.Mesh:
    """A ball, made of a cube; in the plane a disk."""
    if rng.random() < 0.3:
        disk = pl.meshes.disk(0.5, int(rng.integers(5, 8)))
        return pl.Mesh(disk.points + 0.5, dict(disk.cells))
    cube = pl.meshes.box((2.0, 2.0, 2.0), (4, 4, 4))
    x = cube.points - 1.0
    far, length = np.abs(x).max(axis=1), np.linalg.norm(x, axis=1)
    x = x * (far / np.where(length > 0.0, length, 1.0))[:, None]
    return pl.Mesh(0.5 * (x + 1.0), dict(cube.cells))


def duck(rng: np.random.Generator) -> pl.Mesh:
    """A surface that fTetWild filled once: examples/scenes/rubber_duck.obj."""
    x, tets = filled_duck()
    return pl.Mesh(x[:, rng.permutation(3)], {"tet": tets}, repair=True)


@cache
def filled_duck() -> tuple[np.ndarray, np.ndarray]:
    """Its points, one unit long, and tetrahedra."""
    with np.load(Path(__file__).with_name("duck.npz")) as file:
        x, tets = file["points"].astype(float), file["tets"].astype(int)
    return (x - x.min(axis=0)) / np.ptp(x[:, 0]), tets


#: How often each is drawn.
SHAPES: dict[str, tuple[float, Draw]] = {
    "bar": (0.25, bar),
    "tapered": (0.15, tapered),
    "L": (0.15, l_shape),
    "tube": (0.12, tube),
    "perforated": (0.13, perforated),
    "ball": (0.1, ball),
    "duck": (0.1, duck),
}


def random_mesh(rng: np.random.Generator, dim: int | None = None) -> tuple[str, pl.Mesh]:
    """A shape and its name; `dim` asks for one in the plane or in space."""
    names = list(SHAPES)
    while True:
        name = str(rng.choice(names, p=[SHAPES[n][0] for n in names]))
        mesh = SHAPES[name][1](rng)
        if dim in (None, mesh.dim):
            left = mesh.points[:, 0].min()
            return name, pl.Mesh(mesh.points - left * np.eye(mesh.dim)[0], dict(mesh.cells))


def kept(mesh: pl.Mesh, solid: Callable[[np.ndarray], np.ndarray]) -> pl.Mesh:
    """The cells whose centres are solid."""
    cells = {}
    for kind, nodes in mesh.cells.items():
        cells[kind] = nodes[solid(mesh.points[nodes].mean(axis=1))]
    used = np.unique(np.concatenate([c.ravel() for c in cells.values()]))
    number = np.zeros(len(mesh), dtype=int)
    number[used] = np.arange(len(used))
    return pl.Mesh(mesh.points[used], {k: number[c] for k, c in cells.items()})


def joined(a: pl.Mesh, b: pl.Mesh, shift: np.ndarray) -> pl.Mesh:
    """Two meshes as one with separate parts."""
    cells: dict[str, list[np.ndarray]] = {}
    for mesh, first in ((a, 0), (b, len(a))):
        for kind, nodes in mesh.cells.items():
            cells.setdefault(kind, []).append(nodes + first)
    points = np.concatenate([a.points, b.points + shift])
    return pl.Mesh(points, {k: np.concatenate(c) for k, c in cells.items()})
