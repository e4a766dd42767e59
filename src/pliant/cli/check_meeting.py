"""What a scene does not keep apart: bodies from each other, and obstacles between points."""

from __future__ import annotations

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Capsule
from pliant.scenefile import Setup


def remarks_on_meeting(body: Deformable, setup: Setup) -> list[str]:
    """Warnings for one body: others that it may meet, obstacles that fit between its points."""
    scene, touches = setup.scene, setup.scene.has_contact(setup.stepper)
    found = [] if touches and scene.contact is not False else _bodies(body, setup)
    return found if touches else [*found, *_obstacles(body, setup)]


def _bodies(body: Deformable, setup: Setup) -> list[str]:
    """Bodies that come after this one in the scene, so that each pair is named once."""
    bodies = setup.scene.bodies
    mine = _reach(body, setup)
    met = [
        other.name
        for other in bodies[bodies.index(body) + 1 :]
        if _overlap(mine, _reach(other, setup))
    ]
    if not met:
        return []
    return [f"it may meet {', '.join(met)}: bodies do not touch each other and pass through"]


def _reach(body: Deformable, setup: Setup) -> tuple[np.ndarray, np.ndarray]:
    """The box of where a body may come: from its start, by its velocity and by free fall."""
    x, t = body.positions, setup.seconds
    ends = [x, body.mesh.points] if body.pinned.any() else [x]
    if not body.pinned.all():
        ends.append(x + t * body.velocity)
    if not body.pinned.any():
        ends.append(ends[-1] + 0.5 * t * t * setup.scene.gravity)
    points = np.concatenate(ends)
    return points.min(axis=0), points.max(axis=0)


def _overlap(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> bool:
    return bool((a[0] <= b[1]).all() and (b[0] <= a[1]).all())


def _obstacles(body: Deformable, setup: Setup) -> list[str]:
    edges = body.mesh.points[body.mesh.edges]
    longest = float(np.linalg.norm(np.diff(edges, axis=1)[:, 0], axis=1).max(initial=0.0))
    return [
        f"{obstacle!r} is thinner than its cells (edges up to {longest:.3g} m): only points are kept "
        f"out, and cells can pass over it; cells of {obstacle.radius:.2g} m would do"
        for obstacle in setup.scene.obstacles
        if isinstance(obstacle, Capsule) and 2.0 * obstacle.radius < longest
    ]
