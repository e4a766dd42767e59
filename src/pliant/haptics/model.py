"""A body as the haptic loop has it: few coordinates, and one patch that the hand touches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .coordinates import Coordinates, Departure, Motion, Press

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Patch:
    """Points that a hand touches, as one: their mean displacement along their mean normal.

    place [m], (3,): the point of the surface at rest, under its load, that the hand touches first. row,
    (r,): the displacement of unit coordinates. height [m]: of the place of the hand 0, at q = 0.
    """

    place: Array
    normal: Array
    row: Array
    height: float


@dataclass(eq=False)
class TouchModel:
    """Coordinates that move by themselves, and a hand that touches them through a spring.

        f = coupling deep,   deep = row.(q+ - goal) - normal.(hand - place)

    While the hand stays in contact it keeps its patch, and slides on it without friction. points [m],
    (n, 3), with their columns, (n, 3, r), and normals at rest under the load: of the surface. coupling
    [N/m]; radius [m]: of patches. left: how the body moved when the hand left it last, and how often
    it has.
    """

    points: Array
    normals: Array
    held: Array
    columns: Array
    coordinates: Coordinates
    radius: float
    coupling: float
    left: tuple[Departure, int] = (Departure(), 0)
    _patch: Patch | None = None
    _hand: Array | None = None
    _known: dict[int, Patch | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        goal = self.coordinates.goal
        self._rest = self.points + np.tensordot(self.columns, goal, axes=1)
        self._tree: Any = None

    def move_by(self, motion: Motion) -> None:
        """Move by another law from now on."""
        self.coordinates.move_by(motion)

    def step(self, hand: Array) -> Array:
        """Move on by one step, with the hand at a place [m], (3,); the force on the hand [N], (3,)."""
        patch, before = self._patch or self._patch_at(hand), self._hand
        self._hand = hand
        if patch is not None and self._meets(patch, hand, before):
            height = patch.height + float(patch.normal @ hand)
            f = self.coordinates.step(Press(patch.row, height, self.coupling))
            if f > 0.0:
                self._patch = patch
                return f * patch.normal
        else:
            self.coordinates.step(None)
        if self._patch is not None:
            self._patch, self.left = None, (self.coordinates.departure(), self.left[1] + 1)
        return np.zeros(3)

    @property
    def touched(self) -> bool:
        """Whether the hand is in contact."""
        return self._patch is not None

    @property
    def positions(self) -> Array:
        """The surface now [m], (n, 3)."""
        return self.points + np.tensordot(self.columns, self.coordinates.q, axes=1)

    def _meets(self, patch: Patch, hand: Array, before: Array | None) -> bool:
        """Whether the hand is in contact with the patch, or may come into contact in this step.

        It enters where it was above the patch before, so that the spring between them begins without
        energy; one that comes from the side, or from within, has not entered.
        """
        if self._patch is patch:
            return True
        if before is not None:
            height = patch.height + float(patch.normal @ before)
            if float(patch.row @ self.coordinates.q) > height:
                return False
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
        place = self._rest[nearest]
        height = float(row @ self.coordinates.goal) - float(normal @ place)
        return Patch(place, normal, row, height)
