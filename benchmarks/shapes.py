"""What shapes cost once they are prepared, in processor time on one thread."""

from __future__ import annotations

import numpy as np

import pliant as pl

from .touch import spent

#: Points of the lattice, of the skins, and triangles of the transfer.
INSIDE, SKINNED, TRIANGLES = 200_000, 20_000, 50_000


def main() -> None:
    """Print the table."""
    print("| what | processor time |\n|---|---|")
    for name, work in {**curves(), **lattices(), **skins(), **transfers()}.items():
        work()
        print(f"| {name} | {1e3 * spent(work, 30):.2f} ms |")


def curves():
    """A circle at 1001 places."""
    circle, t = pl.shape.Nurbs.circle(), np.linspace(0.0, 1.0, 1001)
    return {"NURBS circle, 1001 points": lambda: circle(t)}


def lattices():
    """Points in boxes of control points."""
    x, found = np.random.default_rng(0).random((INSIDE, 3)), {}
    for divisions in ((4, 4, 4), (8, 8, 8)):
        lattice = pl.shape.Lattice(x, divisions)
        name = f"lattice {' x '.join(map(str, divisions))}, {INSIDE:,} points"
        found[name] = lambda own=lattice: own.positions
    return found


def skins():
    """Points on a chain of bones; the corrections are learned from waves."""
    generator, bones = np.random.default_rng(0), 16
    joints = np.column_stack([np.arange(bones), np.zeros((bones, 2))]).astype(float)
    chain = pl.shape.Skeleton(joints, np.arange(bones) - 1)
    x = generator.uniform([0, -0.3, -0.3], [bones, 0.3, 0.3], (SKINNED, 3))
    weights = pl.shape.bone_weights(chain, x)
    linear = pl.shape.LinearSkin(chain, x, weights)
    dual = pl.shape.DualQuaternionSkin(chain, x, weights)
    pose = chain.pose({name: (5.0, 9.0, 13.0) for name in chain.names})
    found = {
        f"linear skin, {SKINNED:,} points": lambda: linear(pose),
        f"dual quaternions, {SKINNED:,} points": lambda: dual(pose),
    }
    for count in (1, 4):
        poses = [
            chain.pose({chain.names[4 + j]: (0, 0, d)})
            for j in range(count)
            for d in (-60, -30, 30, 60)
        ]
        shapes = [linear(p) + 0.01 * np.sin((3 + k) * x) for k, p in enumerate(poses)]
        skin = pl.shape.EigenSkin.fit(linear, poses, shapes, vectors=3)
        name = f"EigenSkin, {SKINNED:,} points, 3 vectors at {count} joint{'s' * (count > 1)}"
        found[name] = lambda own=skin: own(pose)
    return found


def transfers():
    """A wavy strip to one of other cells."""
    source, ends = strip(250, 100)
    target, others = strip(248, TRIANGLES // 2 // 248)
    give = pl.shape.Transfer(source, target, list(zip(ends, others, strict=True)))
    x = pl.shape.bend(source.points, 90)
    return {f"transfer, {len(target.triangles):,} triangles, a frame": lambda: give(x)}


def strip(nx: int, ny: int):
    """A surface of nx x ny quads, and its corners."""
    flat = pl.meshes.rectangle((4.0, 1.0), (nx, ny), kind="quad")
    x, y = flat.points.T
    points = np.column_stack([x, y, 0.2 * np.sin(2 * x) * np.cos(3 * y)])
    corners = [int(np.abs(flat.points - p).sum(axis=1).argmin()) for p in CORNERS]
    return pl.Surface.of(points, flat.cells["quad4"]), corners


CORNERS = np.array([(0, 0), (4, 0), (4, 1), (0, 1)], dtype=float)
