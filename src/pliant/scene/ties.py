"""Points of one body tied to points of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.energies import SpringEnergy, TieEnergy
from pliant.errors import check_positive, shown
from pliant.given import select

#: A tie stretches by this share of the smaller body's size under so many times the lighter one's weight.
GIVES, WEIGHTS, G = 1e-4, 10.0, 9.81
#: Offsets below this share of a body's size count as zero.
SAME_PLACE_SHARE = 1e-9


class Tie:
    """Points of a body that stay where they are beside points of another.

    points_a, points_b: masks or indices, as many of both, tied in their order. They keep the offset
    that they have when the tie is made; it turns with the body. stiffness [N/m]: of each pair; by
    default so stiff that under ten times the weight of the lighter body a pair gives by less than
    1e-4 of the size of the smaller one. Momentum and angular momentum of both together are kept.

        scene.add(pl.Tie(rope, [20], block, [3]))

    An offset turns with a solid on either side; between two bodies that are sheets or lines it may
    turn freely, and its length is kept. Tied bodies are stepped together, on the CPU.
    """

    def __init__(
        self,
        body_a: Deformable,
        points_a: Any,
        body_b: Deformable,
        points_b: Any,
        stiffness: float | None = None,
    ):
        for body in (body_a, body_b):
            if not isinstance(body, Deformable):
                raise TypeError(
                    f"Tie: got {type(body).__name__}; expected a body, e.g. pl.Body(...)"
                )
        if body_a is body_b:
            raise ValueError(f"Tie: got {body_a.name!r} twice; expected two bodies")
        if body_a.dim != body_b.dim:
            raise ValueError("Tie: got a 2D and a 3D body; expected two of the same dimension")
        self.bodies = (body_a, body_b)
        self.points = (
            select(points_a, len(body_a), "Tie(points_a=...)"),
            select(points_b, len(body_b), "Tie(points_b=...)"),
        )
        counts = [len(points) for points in self.points]
        if counts[0] != counts[1] or not counts[0]:
            raise ValueError(
                f"Tie: got {counts[0]} points of {body_a.name} and {counts[1]} of {body_b.name}; "
                "expected as many of both, one or more"
            )
        if stiffness is not None:
            check_positive("Tie", "stiffness", stiffness, "N/m")
        self._given = None if stiffness is None else float(stiffness)
        self._where = (body_a.positions, body_b.positions)

    def __repr__(self) -> str:
        a, b = self.bodies
        return f"<Tie of {len(self.points[0])} points of {a.name!r} and {b.name!r}>"

    @property
    def stiffness(self) -> float:
        """Of each pair [N/m]."""
        if self._given is not None:
            return self._given
        lighter = min(float(body.masses.sum()) for body in self.bodies)
        return WEIGHTS * G * lighter / (GIVES * self._size)

    @property
    def _size(self) -> float:
        return min(b.mesh.size for b in self.bodies)

    def facts(self) -> dict[str, Any]:
        """What it ties, for takes."""
        return {
            "bodies": [body.name for body in self.bodies],
            "points": [points.tolist() for points in self.points],
            "stiffness": self.stiffness,
        }

    def energies(self, firsts: tuple[int, int], points: np.ndarray) -> list[Any]:
        """The tie as energies of an island's points; firsts: the number of each body's first point."""
        rows, weights, springs = [], [], []
        for i, j in zip(*self.points, strict=True):
            found = self._combined(int(i), int(j))
            if found is None:
                springs.append((i, j))
                continue
            side, corners, w = found
            other = (j, i)[side]
            rows.append([*(firsts[side] + corners), firsts[1 - side] + other])
            weights.append([*(-w), 1.0])
        made: list[Any] = []
        if rows:
            width = max(map(len, rows))
            stencils = np.array([[*row, *[row[0]] * (width - len(row))] for row in rows])
            shares = np.array([[*w, *[0.0] * (width - len(w))] for w in weights])
            k = np.full(len(rows), self.stiffness)
            made.append(TieEnergy(points, stencils, shares, stiffness=k))
        if springs:
            pairs = np.array(springs)
            x, y = (where[p] for where, p in zip(self._where, pairs.T, strict=True))
            made.append(
                SpringEnergy(
                    points,
                    pairs + np.array(firsts),
                    stiffness=np.full(len(pairs), self.stiffness),
                    rest=np.linalg.norm(y - x, axis=1),
                )
            )
        return made

    def _combined(self, i: int, j: int) -> tuple[int, np.ndarray, np.ndarray] | None:
        """The points of one side as weighted sums over points of the other: which side, points, weights.

        None if neither side has cells that span the space.
        """
        (x, y), near = self._where, SAME_PLACE_SHARE * self._size
        if np.linalg.norm(y[j] - x[i]) <= near:
            return 0, np.array([i]), np.ones(1)
        for side, own, goal in ((0, i, y[j]), (1, j, x[i])):
            for cells in self.bodies[side].mesh.cells.values():
                for corners in cells[(cells == own).any(axis=1)]:
                    at = self._where[side][corners]
                    system = np.vstack([np.ones(len(corners)), at.T])
                    shares = np.linalg.lstsq(system, np.array([1.0, *goal]), rcond=1e-9)[0]
                    if np.linalg.norm(system @ shares - [1.0, *goal]) <= near:
                        return side, corners, shares
        return None


def check_tie(given: Any, bodies: list[Deformable]) -> None:
    """Refuse a tie of bodies that are not in the scene."""
    for body in given.bodies:
        if not any(body is known for known in bodies):
            raise ValueError(
                f"add: got {shown(given)}; {body.name!r} is not in this scene: pl.Scene([..., body])"
            )


def held_by_ties(bodies: Sequence[Deformable], ties: Sequence[Tie]) -> list[bool]:
    """Which bodies of a scene can move with their ties only: all that they do is deformation of the whole.

    The pins of what is tied together are not on a line, or its swing is to come to rest. A body whose
    own pins leave it no rigid motion is not among them.
    """
    group = list(range(len(bodies)))
    at = {id(body): i for i, body in enumerate(bodies)}
    for tie in ties:
        a, b = (group[at[id(body)]] for body in tie.bodies)
        group = [a if known == b else known for known in group]
    found = []
    for i, body in enumerate(bodies):
        mine = [other for k, other in enumerate(bodies) if group[k] == group[i]]
        pins = np.concatenate([other.positions[other.pinned] for other in mine])
        still = not any(other.damping.swing for other in mine) and len(pins) > 0
        held = len(mine) > 1 and (still or _span(pins) >= body.dim - 1)
        found.append(held and _span(body.positions[body.pinned]) < body.dim - 1)
    return found


def _span(pins: np.ndarray) -> int:
    """In how many directions pins lie apart."""
    if len(pins) < 2:
        return 0
    lengths = np.linalg.svd(pins - pins.mean(axis=0), compute_uv=False)
    return int((lengths > 1e-9 * max(lengths[0], 1e-300)).sum())
