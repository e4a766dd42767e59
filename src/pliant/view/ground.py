"""The ground that is drawn: where one acts, or under what is glued to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.io import ShownObstacle, floor_of
from pliant.mesh import in_space
from pliant.scene import Scene

if TYPE_CHECKING:
    import viser

CELL, SECTION = (222, 224, 228), (200, 203, 210)
#: Pins of a body that stands on the ground are all so near its lowest point, in its sizes.
FOOT = 0.15
#: And they span this share of its size, along the ground, in two directions.
SPREAD = 0.03
#: A ground that does not act is hidden when a body is below it by this share of the scene's size.
BELOW = 0.02
#: The grid is drawn above the floor by this share of the scene's size: both would flicker.
ABOVE_FLOOR = 1e-3


@dataclass(frozen=True)
class GroundLevel:
    """A height [m], and whether a floor acts there; else something is glued to it."""

    height: float
    acts: bool


def ground_level(scene: Scene, obstacles: Sequence[ShownObstacle]) -> GroundLevel | None:
    """Where the ground of a scene is; None where nothing holds or stops what falls."""
    if scene.dim == 2:
        return None
    floor = floor_of([o for o in obstacles if not o.moves], 1)
    if floor is not None:
        return GroundLevel(floor, True)
    feet = []
    for body in scene.bodies:
        x, size = in_space(body.positions), body.mesh.size
        low, held = x[:, 1].min(), x[body.pinned]
        if len(held) < 3 or held[:, 1].max() > low + FOOT * size:
            continue
        across = held[:, (0, 2)] - held[:, (0, 2)].mean(axis=0)
        if np.linalg.svd(across, compute_uv=False)[-1] > SPREAD * size:
            feet.append(float(held[:, 1].min()))
    return GroundLevel(min(feet), False) if feet else None


class Ground:
    """The ground on a viser server, as a grid that shadows fall on."""

    def __init__(
        self, server: viser.ViserServer, level: GroundLevel | None, middle: np.ndarray, size: float
    ):
        self.level, self._size = level, size
        self._grid: Any = None
        if level is None:
            return
        cell = 10.0 ** np.floor(np.log10(0.25 * size))
        height = level.height + (ABOVE_FLOOR * size if level.acts else 0.0)
        self._grid = server.scene.add_grid(
            "/ground",
            plane="xz",
            infinite_grid=True,
            cell_size=float(cell),
            section_size=float(5 * cell),
            cell_color=CELL,
            section_color=SECTION,
            fade_distance=6.0 * size,
            shadow_opacity=0.35,
            position=(middle[0], height, middle[2]),
        )

    @property
    def shown(self) -> bool:
        """Whether there is one to be seen."""
        return self._grid is not None and bool(self._grid.visible)

    @property
    def height(self) -> float | None:
        """How high it is [m]; None if it is not shown."""
        return self.level.height if self.level is not None and self.shown else None

    def show(self, positions: Sequence[np.ndarray]) -> None:
        """Hide a ground that does not act as soon as a body, at positions (n, d) [m], is below it."""
        if self.level is None or self.level.acts:
            return
        lowest = min(float(x[:, 1].min()) for x in positions)
        visible = not lowest < self.level.height - BELOW * self._size
        if visible != self._grid.visible:
            self._grid.visible = visible
