"""A body as the haptic loop has it: few coordinates, and one patch that the hand touches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray


@dataclass(eq=False)
class Patch:
    """Points that a hand touches, as one: their mean displacement along their mean normal.

    place [m], (3,): the point of the surface at rest, under its load, that the hand touches first. row,
    (r,): the displacement of unit coordinates; soft and quick, (r,): what a unit of force takes from
    coordinates and their rates in a step; compliance [m/N]: row . soft.
    """

    place: Array
    normal: Array
    row: Array
    soft: Array
    quick: Array
    compliance: float


@dataclass(eq=False)
class TouchModel:
    """Coordinates that move by themselves, and a hand that touches them through a spring.

        q+ = goal + a (q - goal) + b p,   p+ = c (q - goal) + d p,   goal = load/lambda
        f = -k gap/(1 + k row.C row),   gap = normal.(hand - place) - row.(q+ - goal)
        C = (1 - a)/lambda

    The force is found implicitly, from where the body is at the end of the step under it, so that a
    stiff hand does not tremble. While the hand stays in contact it keeps its patch, and slides on
    it without friction. points [m], (n, 3), with their normals and columns, (n, 3, r): of the surface.
    motion: a, b, c, d, the exact motion over a step, numbers or (r,). coupling k [N/m]; radius [m]: of
    patches. let_go: u.u, u.p and p.p of the departure u when the hand left last, and how often it has.
    """

    points: Array
    normals: Array
    held: Array
    columns: Array
    eigenvalues: Array
    motion: tuple[Any, Any, Any, Any]
    load: Array
    q: Array
    p: Array
    radius: float
    coupling: float
    let_go: tuple[float, float, float, int] = (0.0, 0.0, 0.0, 0)
    _patch: Patch | None = None
    _known: dict[int, Patch | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._goal = self.load / self.eigenvalues
        self._rest = self.points + np.tensordot(self.columns, self._goal, axes=1)
        self._tree: Any = None
        self.move_by(self.motion)

    def move_by(self, motion: tuple[Any, Any, Any, Any]) -> None:
        """Move by another law from now on."""
        self.motion = motion
        self._a, self._b, self._c, self._d = motion
        self._patch = None
        self._known.clear()

    def step(self, hand: Array) -> Array:
        """Move on by one step, with the hand at a place [m], (3,); the force on the hand [N], (3,)."""
        u, p = self.q - self._goal, self.p
        q = self._goal + self._a * u + self._b * p
        p = self._c * u + self._d * p
        patch = self._patch or self._patch_at(hand)
        force = np.zeros(3)
        if patch is not None:
            gap = float(patch.normal @ (hand - patch.place)) - float(patch.row @ (q - self._goal))
            if gap < 0.0 and self._near(hand, patch):
                f = -self.coupling * gap / (1.0 + self.coupling * patch.compliance)
                q = q - f * patch.soft
                p = p - f * patch.quick
                force = f * patch.normal
            else:
                patch = None
        if self._patch is not None and patch is None:
            self._left(q, p)
        self.q, self.p, self._patch = q, p, patch
        return force

    def _left(self, q: Array, p: Array) -> None:
        """Note how the body moves now that the hand has left it."""
        u = q - self._goal
        self.let_go = (float(u @ u), float(u @ p), float(p @ p), self.let_go[3] + 1)

    @property
    def touched(self) -> bool:
        """Whether the hand is in contact."""
        return self._patch is not None

    @property
    def positions(self) -> Array:
        """The surface now [m], (n, 3)."""
        return self.points + np.tensordot(self.columns, self.q, axes=1)

    def _near(self, hand: Array, patch: Patch) -> bool:
        """Whether the hand is above or below the patch: one that came from the side has not entered."""
        if self._patch is patch:
            return True
        away = hand - patch.place
        across = away - (away @ patch.normal) * patch.normal
        return bool(
            np.linalg.norm(across) <= 2.0 * self.radius and np.linalg.norm(away) <= self._deep
        )

    @property
    def _deep(self) -> float:
        """A hand that is farther below a patch than this was never above it [m]."""
        return 4.0 * self.radius

    def _patch_at(self, hand: Array) -> Patch | None:
        """The patch around the point that is nearest to the hand at rest."""
        if self._tree is None:
            from scipy.spatial import cKDTree

            self._tree = cKDTree(self._rest)
        nearest = int(self._tree.query(hand)[1])
        if nearest not in self._known:
            self._known[nearest] = self._made_patch(nearest)
        return self._known[nearest]

    def _made_patch(self, nearest: int) -> Patch | None:
        near = np.array(self._tree.query_ball_point(self._rest[nearest], self.radius))
        near = near[(self.normals[near] @ self.normals[nearest] > 0.0) & ~self.held[near]]
        if not len(near):
            return None
        normal = self.normals[near].mean(axis=0)
        normal /= np.linalg.norm(normal)
        row = np.tensordot(normal, self.columns[near].mean(axis=0), axes=1)
        soft = (1.0 - self._a) * row / self.eigenvalues
        quick = -self._c * row / self.eigenvalues
        return Patch(self._rest[nearest], normal, row, soft, quick, float(row @ soft))
