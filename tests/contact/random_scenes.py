"""Random scenes of things that meet, among obstacles that may move: nothing crosses, or an error tells.

python -m tests.contact.random_scenes 0 50        # seeds from 0 to 49, one line each
python -m tests.contact.random_scenes 0 50 reduce
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.boundary import Obstacle
from pliant.contact import crossing_bodies
from pliant.errors import SolverError
from tests.contact.in_scenes import floor, island, stacked

FLAT = pl.meshes.rectangle((0.4, 0.4), (5, 5))


@dataclass
class Ended:
    """How a run ended: steps made, bodies that crossed something, and the error if there was one."""

    steps: int
    crossed: set[int]
    said: str


def scene_of(seed: int, *, reduce: bool = False) -> tuple[pl.Scene, float]:
    """A scene and its time step [s]; reduce: boxes and balls move in few coordinates."""
    rng = np.random.default_rng(seed)
    bodies = [_body(rng, k) for k in range(rng.integers(1, 4))]
    if reduce:
        bodies = [_reduced(body, k + seed) for k, body in enumerate(bodies)]
    wish = rng.random() < 0.4
    for body in bodies:
        if wish:
            bounces = rng.choice(np.array([None, 0, 1, 2], dtype=object))
            body.damping = pl.Settle(rest_in=float(rng.uniform(0.2, 0.6)), bounces=bounces)
        elif rng.random() < 0.3:
            body.damping = pl.Rayleigh(mass=float(rng.uniform(0.0, 5.0)))
    friction = float(rng.choice([0.0, 0.3, 0.8]))
    scene = pl.Scene(bodies, gravity=(0, 0, -9.81), contact=pl.Contact(friction=friction))
    scene.add(floor(), *(_obstacle(rng, k) for k in range(rng.integers(0, 3))))
    return scene, float(rng.choice([1 / 24, 1 / 60, 1 / 240]))


def _body(rng: np.random.Generator, k: int) -> pl.Body:
    turn = Rotation.random(random_state=int(rng.integers(2**31))).as_matrix()
    at = np.array([rng.uniform(-0.15, 0.15), rng.uniform(-0.15, 0.15), 0.3 + 0.45 * k])
    young, name = 10.0 ** rng.uniform(4, 8), f"body {k}"
    kind = rng.choice(["box", "ball", "cloth", "rod"])
    if kind == "cloth":
        points = np.insert(FLAT.points - 0.2, 2, 0.0, axis=1)
        mesh, more = pl.Mesh(points, FLAT.cells), {"stretch": 500.0, "shear": 100.0, "bend": 1e-4}
        body = pl.Cloth(mesh, density=0.3, name=name, **more)
    elif kind == "rod":
        curve = np.linspace([-0.2, 0, 0], [0.2, 0, 0], 9)
        how = {"young": young, "poisson": 0.3, "density": 1000.0, "name": name}
        body = pl.Rod(curve, radius=0.01, **how)
    else:
        ball = kind == "ball"
        mesh = pl.meshes.sphere(0.1, 1) if ball else pl.meshes.box((0.2,) * 3, (2, 2, 2))
        matter = pl.StableNeoHookean(young=young, poisson=0.4)
        body = pl.Body(mesh, matter, density=1000.0, name=name)
    x = body.positions
    body.place((x - x.mean(axis=0)) @ turn.T + at)
    body.velocity = rng.uniform(-3, 3, 3)
    return body


def _reduced(body: pl.Body, k: int) -> pl.Body:
    if not isinstance(body, pl.Body):
        return body
    return pl.Modal(body, modes=12) if k % 2 else pl.Subspace(body, modes=6, size=12)


def _obstacle(rng: np.random.Generator, k: int) -> Obstacle:
    at = np.array([*rng.uniform(-0.4, 0.4, 2), rng.uniform(-0.1, 0.15)])
    path, name = None, f"obstacle {k}"
    if rng.random() < 0.6:
        way = rng.uniform(-1.0, 1.0, 3) * 10.0 ** rng.uniform(-1, 0.7)
        path = pl.Keyframes([0.0, 0.5], offsets=[(0, 0, 0), way], turns=[(0, 0, 0), (0, 90, 0)])
    kind = rng.choice(["sphere", "capsule", "mesh"])
    if kind == "sphere":
        return pl.Sphere(at, rng.uniform(0.02, 0.12), path=path, name=name)
    if kind == "capsule":
        end = at + rng.uniform(-0.4, 0.4, 3)
        return pl.Capsule(at, end, rng.uniform(0.02, 0.08), path=path, name=name)
    block = pl.meshes.box((0.3, 0.2, 0.1), (1, 1, 1))
    surface = pl.Surface.of(block.points + at - [0.15, 0.1, 0.1], block.boundary["tri3"])
    return pl.MeshObstacle(surface, path=path, name=name)


def run(seed: int, steps: int = 16, *, reduce: bool = False) -> Ended:
    """Run a scene until it ends, or an error that is meant for users ends it."""
    scene, dt = scene_of(seed, reduce=reduce)
    said, made, crossed = "", 0, set()
    for _ in range(steps):
        try:
            scene.step(dt)
        except (SolverError, ValueError) as error:
            said = f"{type(error).__name__}: {error}"
            break
        made += 1
        x, contact = stacked(scene, "x"), island(scene).contact
        assert np.isfinite(x).all()
        contact.aim_at(scene.time)
        crossed |= set(crossing_bodies(contact, island(scene).assembly.array(x)))
    return Ended(made, crossed, said)


def main() -> None:
    first, last = (int(a) for a in sys.argv[1:3])
    for seed in range(first, last):
        began = time.monotonic()
        ended = run(seed, reduce="reduce" in sys.argv)
        cost = time.monotonic() - began
        crossed = f"CROSSED {ended.crossed}" if ended.crossed else ""
        print(f"{seed}: {ended.steps} steps, {cost:.0f} s {crossed} {ended.said}", flush=True)


if __name__ == "__main__":
    main()
