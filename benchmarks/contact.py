"""The cost of contact: a cloth on a sphere, and a box on a box.

    python -m benchmarks.contact [device]

Finding pairs, gradient, Hessian and collision detection, and whole steps, in ms of processor time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

import pliant as pl
from pliant.contact import BarrierContact, ContactBody, ContactSurface

GAP = 1e-3


def cloth_on_sphere() -> tuple[list[ContactBody], np.ndarray]:
    """A cloth of 100 x 100 points over a sphere of 5120 triangles, 0.7 mm apart, and a way down."""
    rng, radius = np.random.default_rng(0), 0.3
    line = np.linspace(-0.5, 0.5, 100)
    x = np.array([(a, b, 0.0) for b in line for a in line])
    at = np.arange(9900).reshape(99, 100)[:, :-1].ravel()
    cells = np.concatenate(
        [np.stack([at, at + 1, at + 101], axis=1), np.stack([at, at + 101, at + 100], axis=1)]
    )
    r = np.hypot(x[:, 0], x[:, 1])
    top = np.sqrt(np.maximum((radius + 6e-4) ** 2 - r**2, 0.0))
    rim = np.sqrt((radius + 6e-4) ** 2 - 0.29**2)
    x[:, 2] = np.where(r < 0.29, top, rim - 3.0 * (r - 0.29))
    ball, faces = icosphere(4, radius - 1e-4)
    move = np.zeros((len(x) + len(ball), 3))
    move[: len(x), 2] = -2e-3
    move[: len(x)] += 1e-4 * rng.standard_normal(x.shape)
    cloth = ContactBody(x, triangles=cells, gap=GAP, young=1e5)
    return [cloth, ContactBody(ball, triangles=faces, gap=GAP, young=1e5)], move


def box_on_box() -> tuple[list[ContactBody], np.ndarray]:
    """Two boxes of 6000 tetrahedra, one on the other, and a way down of the upper one."""
    rng = np.random.default_rng(0)
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (10, 10, 10))
    bodies = []
    for at in ((0.0, 0.0, 0.0), (0.013, 0.009, 0.2006)):
        moved = pl.Mesh(mesh.points + np.array(at), mesh.cells)
        bodies.append(ContactBody.of(moved, gap=GAP, young=1e5))
    move = 1e-4 * rng.standard_normal((2 * len(mesh), 3))
    move[len(mesh) :, 2] -= 2e-3
    return bodies, move


def icosphere(times: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """An icosahedron whose triangles are cut into four so many times."""
    t = (1.0 + 5.0**0.5) / 2.0
    signs = [(a, b) for a in (-1.0, 1.0) for b in (-t, t)]
    x = np.array([np.roll((0.0, *s), k) for k in range(3) for s in signs])
    near = np.linalg.norm(x[:, None] - x, axis=2) < 2.1
    faces = np.array(
        [
            (i, j, k) if np.linalg.det(x[[i, j, k]]) > 0 else (i, k, j)
            for i in range(12)
            for j in range(i + 1, 12)
            for k in range(j + 1, 12)
            if near[i, j] and near[j, k] and near[i, k]
        ]
    )
    for _ in range(times):
        sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        edges, at = np.unique(sides, axis=0, return_inverse=True)
        ab, bc, ca = (len(x) + at.reshape(-1, 3)).T
        x = np.concatenate([x, x[edges].mean(axis=1)])
        a, b, c = faces.T
        parts = ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))
        faces = np.concatenate([np.stack(p, axis=1) for p in parts])
    return radius * x / np.linalg.norm(x, axis=1)[:, None], faces


def least(work: Callable[[], Any], device: str, times: int = 7) -> float:
    """The least time [ms]: of the processors on the CPU, where others may work, else of the clock."""
    clock = time.process_time if device == "cpu" else time.perf_counter
    work()
    found = []
    for _ in range(times):
        wp.synchronize()
        begin = clock()
        work()
        wp.synchronize()
        found.append(clock() - begin)
    return 1e3 * min(found)


def measure(
    bodies: list[ContactBody], move: np.ndarray, device: str, margin: float | None = None
) -> dict[str, float]:
    """Times [ms] and numbers of pairs."""
    surface = ContactSurface(bodies)
    contact = BarrierContact(surface, device=device, margin=margin)
    vec = wp.types.vector(3, wp.float64)
    x, dx = (wp.array(a, dtype=vec, device=device) for a in (surface.rest, move))
    near = sum(len(p) for p in contact.near(x))
    own, others = contact._own, contact._others
    g = wp.zeros_like(x)
    count = surface.count
    slots = wp.array(np.arange(count).reshape(-1, 1, 1), dtype=wp.int32, device=device)
    blocks = wp.zeros(count, dtype=wp.types.matrix((3, 3), wp.float64), device=device)
    out = {"listed, own": len(own.pairs), "listed, others": len(others.pairs), "near": near}
    out["within reach"] = sum(int((p.touch(x).forces > 0).sum()) for p in contact.near(x))
    out["find own"] = least(lambda: own._find(x, x), device)
    out["find others"] = least(lambda: others._find(x, x), device)
    out["pick"] = least(lambda: (own._pick(x), others._pick(x)), device)
    out["value"] = least(lambda: contact.value(x), device)
    out["gradient"] = least(lambda: contact.add_gradient(x, g), device)
    out["Hessian"] = least(
        lambda: (contact.add_hessian(x, blocks, slots, True), contact.pair_blocks(x, True)), device
    )
    out["step limit"] = least(lambda: contact.step_limit(x, dx), device)
    out["share"] = contact.step_limit(x, dx)

    def afresh() -> None:
        for c in (own, others):
            c._searched = None
        contact.step_limit(x, dx)

    out["find on the way and step limit"] = least(afresh, device)
    return out


def falling_cloth() -> pl.Scene:
    """A cloth of 100 x 100 points that falls on a ball."""
    flat = pl.meshes.rectangle((1, 1), (99, 99))
    points = np.column_stack([flat.points - 0.5, np.full(len(flat), 0.305)])
    mesh = pl.Mesh(points, flat.cells)
    cloth = pl.Cloth(mesh, stretch=1000.0, shear=200.0, bend=1e-5, density=0.2)
    scene = pl.Scene(cloth, gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(pl.Sphere((0.02, 0.01, 0), 0.3))
    return scene


def stacked_boxes(aside: float) -> pl.Scene:
    """Two boxes of 6000 tetrahedra on a floor, the upper one moved aside [m]."""
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (10, 10, 10))
    soft = pl.StableNeoHookean(young=1e5, poisson=0.3)
    low, high = (pl.Body(mesh, soft, density=1000.0, name=name) for name in ("low", "high"))
    low.place(mesh.points + [0, 0, 0.0002])
    high.place(mesh.points + [aside, 0.7 * aside, 0.2004])
    scene = pl.Scene([low, high], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1)))
    return scene


def step_times(scene: pl.Scene, steps: int) -> tuple[float, list[int]]:
    """Processor time of a step of 1/60 s [ms], and Newton iterations of each; the first is left out."""
    scene.step(1 / 60)
    begin = time.process_time()
    iterations = [scene.step(1 / 60)[0].iterations for _ in range(steps)]
    return 1e3 * (time.process_time() - begin) / steps, iterations


if __name__ == "__main__":
    on = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    for scene in (cloth_on_sphere, box_on_box):
        print(scene.__doc__)
        for name, value in measure(*scene(), on).items():
            print(f"  {name:32s} {value:10.4g}")
    for name, whole, steps in (
        ("cloth on a ball", falling_cloth(), 3),
        ("two boxes", stacked_boxes(0.013), 6),
        ("two boxes, points on points", stacked_boxes(0.0), 6),
    ):
        spent, iterations = step_times(whole, steps)
        print(f"{name}: {spent:.0f} ms a step, Newton iterations {iterations}")
