"""Pictures of a take by VTK, without a screen: lit bodies on a ground, and where they will rest.

On Linux without a display this draws through EGL (Debian and Ubuntu: `apt install libegl1 libgl1`);
a GPU is not needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import optional, require_matplotlib
from pliant.take import Take

from .camera import FRONT, Camera
from .drawing import INK, colours
from .extent import ANGLE, Extent
from .facets import Facets
from .shown import Shown, up_axis
from .shown_obstacles import ShownObstacle, floor_of, shown_obstacles

_FILM_COLOURS = ("#6fa3c4", "#dd9a1f", "#4f9d69", "#8e6bbf", "#c25b8f")
_SKY, _GROUND_COLOUR, _SHADE, _LINE = "#fbfcfd", "#e6ebef", "#c9d1d8", "#a3b0bb"
_SUN = np.array([0.42, -1.0, -0.57])  # where its light goes, y up
_FROM_THE_FRONT = Camera.at(azimuth=0.0, elevation=0.0)


class Renderer:
    """Draws frames of one take with a camera that holds all of them: `with Renderer(take) as r`.

    size: pixels, (width, height). camera: from where 3D bodies are seen, with y up (z where gravity
    pulls along z); plane bodies are seen from the front.
    """

    def __init__(self, take: Take, *, size: tuple[int, int], camera: Camera | None = None):
        self._pv = pyvista()
        require_matplotlib("films", "view")
        from matplotlib import get_data_path

        self._bodies = [Shown.of(track) for track in take.tracks]
        self._flat = all(b.plane for b in self._bodies)
        self._upright = up_axis(take) == 1
        self._times = take.times - take.times[0]
        self._camera = _FROM_THE_FRONT if self._flat else (camera or FRONT)
        self._palette = colours()
        self._obstacles = shown_obstacles(take)
        extent = Extent.of(self._clouds(), self._camera, size, flat=self._flat)
        self._low = extent.low
        self._size = float(np.linalg.norm(extent.high - extent.low)) or 1.0
        self._plotter = self._pv.Plotter(off_screen=True, window_size=list(size), lighting="none")
        self._plotter.set_background(_GROUND_COLOUR, top=_SKY)
        self._plotter.enable_anti_aliasing("ssaa")  # EGL in software has no other
        self._aim(extent)
        if not self._flat:
            self._add_lights()
            self._add_ground(extent)
        for obstacle in self._obstacles:
            self._add_obstacle(obstacle)
        self._updates = [self._add_body(b, i) for i, b in enumerate(self._bodies)]
        self._plotter.show(auto_close=False)  # opens the hidden window
        scale = size[1] / 720.0
        self._clock = self._plotter.add_text(
            "0.00 s",
            position=(22 * scale, 18 * scale),
            font_size=max(4, round(11 * scale)),
            color=INK,
            font_file=str(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"),
        )

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *failure: object) -> None:
        self._plotter.close()

    def frame(self, index: int) -> np.ndarray:
        """One frame as (height, width, 3) bytes."""
        for update in self._updates:
            update(index)
        self._clock.input = f"{self._times[index]:.2f} s"
        self._plotter.render()
        return np.array(self._plotter.image)[..., :3]

    def _turned(self, x: np.ndarray) -> np.ndarray:
        return x if self._upright else np.stack([x[..., 0], x[..., 2], -x[..., 1]], axis=-1)

    def _clouds(self) -> Iterator[np.ndarray]:
        """All points that must be in the picture, in arrays (k, 3)."""
        for body in self._bodies:
            for shapes in (body.positions, body.ghosts or ()):
                yield from map(self._turned, shapes)
        yield from (self._turned(s.framed) for s in self._obstacles if len(s.framed))

    def _aim(self, extent: Extent) -> None:
        """Put the eye where all points just fill the picture."""
        eye, camera, sides = self._camera, self._plotter.camera, extent.sides
        x, y = (0.5 * (a - b) for a, b in sides)
        far = max(0.5 * (a + b) / s for (a, b), s in zip(sides, extent.slope, strict=True)) or 1.0
        middle = 0.5 * (extent.near + extent.far)
        focus = x * eye.right + y * eye.up + middle * eye.toward
        camera.focal_point, camera.up = focus, eye.up
        if self._flat:
            camera.position = focus + 10.0 * self._size * eye.toward
            camera.parallel_projection, camera.parallel_scale = True, far
        else:
            camera.position, camera.view_angle = focus + (far - middle) * eye.toward, ANGLE
        self._plotter.renderer.ResetCameraClippingRange()

    def _add_lights(self) -> None:
        light, middle = self._pv.Light, np.asarray(self._plotter.camera.focal_point)
        for direction, strength in ((_SUN, 0.6), (np.array([-1.0, -0.1, -0.2]), 0.22)):
            self._plotter.add_light(
                light(
                    position=middle - 10 * self._size * direction,
                    focal_point=middle,
                    intensity=strength,
                )
            )
        self._plotter.add_light(light(light_type="headlight", intensity=0.28))

    def _add_ground(self, extent: Extent) -> None:
        """A grid that fades into the background, on the floor or a little below the lowest point."""
        middle = 0.5 * (extent.low + extent.high)
        floor = floor_of(self._obstacles, 1 if self._upright else 2)
        below = self._low[1] - 0.015 * self._size
        self._floor = below if floor is None else floor + 0.001 * self._size
        reach, spacing = 1.8 * self._size, _round_length(self._size / 12)
        count = int(reach / spacing)
        along = np.linspace(-reach, reach, 41)
        offsets = spacing * np.arange(-count, count + 1)
        a, b = (g.ravel() for g in np.meshgrid(offsets, along, indexing="ij"))
        height = np.full(len(a), self._floor)
        points = np.concatenate(
            [np.stack([a, height, b], axis=1), np.stack([b, height, a], axis=1)]
        ) + [middle[0], 0.0, middle[2]]
        lines = np.arange(len(points)).reshape(-1, len(along))
        grid = self._pv.PolyData(
            points, lines=np.insert(lines, 0, len(along), axis=1).ravel().astype(np.int64)
        )
        away = np.linalg.norm(points[:, [0, 2]] - middle[[0, 2]], axis=1) / reach
        fade = 255.0 * np.clip(1.0 - away, 0.0, 1.0) ** 1.5
        grid["rgba"] = np.column_stack([_rgb(_LINE, len(points)), fade]).astype(np.uint8)
        self._plotter.add_mesh(grid, scalars="rgba", rgba=True, lighting=False, line_width=1.8)

    def _add_body(self, body: Shown, number: int) -> Any:
        """Add what is seen of a body. Returns a function that moves it to a frame."""
        facets, pv = body.facets, self._pv
        faces = np.insert(facets.triangles, 0, 3, axis=1).ravel()
        surface = pv.PolyData(self._turned(body.positions[0])[facets.vertices], faces)
        surface["rgb"] = _rgb(_FILM_COLOURS[number % len(_FILM_COLOURS)], len(facets.vertices))
        normals = facets.normals(self._turned(body.positions[0]))
        surface.point_data.active_normals = normals
        actor = self._plotter.add_mesh(
            surface, scalars="rgb", rgb=True, lighting=not self._flat,
            ambient=1.0 if self._flat else 0.42, diffuse=0.0 if self._flat else 0.78,
            specular=0.12, specular_power=18,
        )  # fmt: skip
        actor.prop.interpolation = "Gouraud"
        outline = self._lines(body.positions[0], facets.creases, INK, 1.8, 0.35)
        shadow = self._shadow(surface) if not self._flat else None
        ghost = None
        if body.ghosts is not None:
            pairs = facets.creases if len(facets.creases) else facets.edges
            ghost = self._lines(
                body.ghosts[0], pairs, INK, 2.4, 0.55 if len(facets.creases) else 0.12
            )

        def update(frame: int) -> None:
            x = self._turned(body.positions[frame])
            surface.points = x[facets.vertices]
            surface.point_data.active_normals = facets.normals(x)
            outline.points = x
            if body.shares is not None:
                rgb = self._palette(body.shares[frame][facets.vertices])[:, :3]
                surface["rgb"] = np.rint(255.0 * rgb).astype(np.uint8)
            if shadow is not None:
                shadow.points = self._on_floor(x[facets.vertices])
            if ghost is not None and body.ghosts is not None and len(body.ghosts) > 1:
                ghost.points = self._turned(body.ghosts[frame])

        return update

    def _add_obstacle(self, obstacle: ShownObstacle) -> None:
        facets, x = Facets.of(obstacle.surface), self._turned(obstacle.surface.points)
        faces = np.insert(facets.triangles, 0, 3, axis=1).ravel()
        surface = self._pv.PolyData(x[facets.vertices], faces)
        surface.point_data.active_normals = facets.normals(x)
        lit = not (self._flat or obstacle.wall)
        actor = self._plotter.add_mesh(
            surface, color=obstacle.colour, lighting=lit, specular=0.05,
            ambient=0.42 if lit else 1.0, diffuse=0.78 if lit else 0.0,
            culling=None if obstacle.two_sided else "back",
        )  # fmt: skip
        actor.prop.interpolation = "Gouraud"
        if self._flat:
            self._lines(obstacle.surface.points, facets.creases, INK, 1.8, 0.35)
        elif not obstacle.wall and np.ptp(x, axis=0).max() < 4.0 * self._size:  # a hill shades all
            self._shadow(surface)

    def _lines(
        self, x: np.ndarray, pairs: np.ndarray, colour: str, width: float, opacity: float
    ) -> Any:
        lines = self._pv.PolyData(self._turned(x))
        if len(pairs):
            lines.lines = np.insert(pairs, 0, 2, axis=1).ravel()
            lines.verts = np.empty(0, dtype=np.int64)
            self._plotter.add_mesh(
                lines, color=colour, line_width=width, opacity=opacity, lighting=False
            )
        return lines

    def _shadow(self, surface: Any) -> Any:
        """The surface, flattened along the light: opaque, so that its folds do not add up."""
        shadow = self._pv.PolyData(self._on_floor(np.asarray(surface.points)), surface.faces)
        self._plotter.add_mesh(shadow, color=_SHADE, lighting=False)
        return shadow

    def _on_floor(self, x: np.ndarray) -> np.ndarray:
        above = self._floor + 0.002 * self._size  # or the grid shows through in dots
        down = np.maximum(x[:, 1:2] - above, 0.0) / -_SUN[1]
        lying: np.ndarray = x + down * _SUN
        lying[:, 1] = above  # what is below the floor, too
        return lying


def pyvista() -> Any:
    """pyvista, ready to draw without a screen."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        # Else VTK tries an X server first, and complains.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    return optional("pyvista", "films", "view")


def _rgb(colour: str, count: int) -> np.ndarray:
    from matplotlib.colors import to_rgb

    return np.tile(np.rint(255.0 * np.array(to_rgb(colour))).astype(np.uint8), (count, 1))


def _round_length(length: float) -> float:
    """1, 2 or 5 times a power of ten, near a length."""
    power = 10.0 ** np.floor(np.log10(length))
    lead = length / power
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k / lead))))
