"""Pictures of a take, without a screen: lit bodies on a ground, and where they will rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pliant.errors import optional
from pliant.take import Take

from .camera import FRONT, Camera
from .colours import ColourBy, body_colour, rgb as _rgb
from .drawing import INK, SHADES
from .extent import ANGLE, Extent
from .facets import Facets
from .shown import Shown, up_axis
from .shown_obstacles import ShownObstacle, floor_of, shown_obstacles
from .silhouette import Silhouette
from .window import Shape, Window, require_vtk

_SKY, _GROUND_COLOUR, _SHADE, _LINE = "#fbfcfd", "#e6ebef", "#c9d1d8", "#a3b0bb"
_SUN = np.array([0.42, -1.0, -0.57])  # where its light goes, y up
_FROM_THE_FRONT = Camera.at(azimuth=0.0, elevation=0.0)


class Renderer:
    """Draws frames of one take with a camera that holds all of them: `with Renderer(take) as r`.

    size: pixels, (width, height). camera: from where 3D bodies are seen, with y up (z where gravity
    pulls along z); plane bodies are seen from the front. title: stands above. extent: what the picture
    holds, if that is more than this take. colour: what the colours say.
    """

    def __init__(
        self,
        take: Take,
        *,
        size: tuple[int, int],
        camera: Camera | None = None,
        title: str = "",
        extent: Extent | None = None,
        colour: ColourBy = ColourBy.rest,
    ):
        require_vtk()
        self._colour = colour
        self._bodies = [Shown.of(track) for track in take.tracks]
        self._flat = all(b.plane for b in self._bodies)
        self._upright = up_axis(take) == 1
        self._times = take.times - take.times[0]
        self._camera = _FROM_THE_FRONT if self._flat else (camera or FRONT)
        self._obstacles = shown_obstacles(take)
        if extent is None:
            extent = _extent(self._bodies, self._obstacles, self._camera, size, self._upright)
        self._low = extent.low
        self._size = float(np.linalg.norm(extent.high - extent.low)) or 1.0
        self._window = Window(size, _rgb(_GROUND_COLOUR), _rgb(_SKY))
        focus, self._eye = self._aim(extent)
        if not self._flat:
            self._add_lights(focus)
            self._add_ground(extent)
        self._updates = [self._add_obstacle(obstacle) for obstacle in self._obstacles]
        self._updates += [self._add_body(b, i) for i, b in enumerate(self._bodies)]
        scale = size[1] / 720.0
        letters = 2 * max(4, round(11 * scale))
        self._clock = self._window.write((22 * scale, 18 * scale), letters, _rgb(INK))
        if title:
            above = size[1] - 14 * scale - 1.2 * letters
            self._window.write((22 * scale, above), letters, _rgb(INK)).SetInput(title)

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *failure: object) -> None:
        self._window.close()

    def frame(self, index: int) -> np.ndarray:
        """One frame as (height, width, 3) bytes."""
        for update in self._updates:
            update(index)
        self._clock.SetInput(f"{self._times[index]:.2f} s")
        return self._window.picture()

    def _turned(self, x: np.ndarray) -> np.ndarray:
        return _upright(x, self._upright)

    def _aim(self, extent: Extent) -> tuple[np.ndarray, np.ndarray]:
        """Put the eye where all points fill the picture. Returns where it looks, and where it is."""
        eye, sides = self._camera, extent.sides
        x, y = (0.5 * (a - b) for a, b in sides)
        far = max(0.5 * (a + b) / s for (a, b), s in zip(sides, extent.slope, strict=True)) or 1.0
        middle = 0.5 * (extent.near + extent.far)
        focus = x * eye.right + y * eye.up + middle * eye.toward
        away = 10.0 * self._size if self._flat else far - middle
        self._window.aim(eye, focus, away, **({"height": far} if self._flat else {"angle": ANGLE}))
        return np.asarray(focus), np.asarray(focus + away * eye.toward)

    def _add_lights(self, middle: np.ndarray) -> None:
        for direction, strength in ((_SUN, 0.6), (np.array([-1.0, -0.1, -0.2]), 0.22)):
            self._window.light(strength, middle - 10 * self._size * direction, middle)
        self._window.light(0.28)

    def _add_ground(self, extent: Extent) -> None:
        """A grid that fades into the background, on the floor or a little below the lowest point."""
        middle = 0.5 * (extent.low + extent.high)
        still = [s for s in self._obstacles if not s.moves]  # the ground does not rise
        floor = floor_of(still, 1 if self._upright else 2)
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
        grid = Shape(points, np.arange(len(points)).reshape(-1, len(along)))
        away = np.linalg.norm(points[:, [0, 2]] - middle[[0, 2]], axis=1) / reach
        fade = 150.0 * np.clip(1.0 - away, 0.0, 1.0) ** 1.5
        colour = np.tile(255.0 * _rgb(_LINE), (len(points), 1))
        grid.colour(np.column_stack([np.rint(colour), fade]).astype(np.uint8))
        self._window.add(grid, width=1.6)

    def _add_body(self, body: Shown, number: int) -> Any:
        """Add what is seen of a body. Returns a function that moves it to a frame."""
        facets, x = body.facets, self._turned(body.positions[0])
        surface = Shape(x[facets.vertices], facets.triangles)
        surface.move(x[facets.vertices], facets.normals(x))
        plain = np.rint(255.0 * _rgb(body_colour(number))).astype(np.uint8)
        surface.colour(np.tile(plain, (len(facets.vertices), 1)))
        look = self._window.add(surface)
        if not self._flat:
            _light_up(look, specular=0.12, power=18.0)
        outline = _Outline(body, self._lines(body.positions[0], facets.creases, INK, 1.6, 0.2))
        shadow = None if self._flat else self._shadow(x, facets)
        rim = self._rim(body) if body.ghosts is not None and self._colour is ColourBy.rest else None

        def update(frame: int) -> None:
            x = self._turned(body.positions[frame])
            surface.move(x[facets.vertices], facets.normals(x))
            outline.turn_to(frame)
            outline.lines.move(x)
            if body.shares is not None and self._colour is ColourBy.rest:
                surface.colour(_shades(body.shares[frame][facets.vertices]))
            if shadow is not None:
                shadow.move(self._on_floor(x[facets.vertices]))
            if rim is not None:
                rim(frame)

        return update

    def _rim(self, body: Shown) -> Any:
        """Add the outline of a rest shape. Returns a function that draws that of a frame."""
        ghosts, drawn = body.ghosts, (-1, -1)
        assert ghosts is not None
        rims = [Silhouette(body.facets, creases) for _, creases in body.outlines]
        eye = self._camera.toward if self._flat else self._eye
        lines = Shape(np.zeros((2, 3)), np.array([[0, 1]]))
        self._window.add(lines, _rgb(INK), width=1.8, opacity=0.45, nearer=-8.0)

        def update(frame: int) -> None:
            nonlocal drawn
            number = sum(first <= frame for first, _ in body.outlines) - 1
            wanted = (number, min(frame, len(ghosts) - 1))
            if wanted == drawn:
                return
            drawn = wanted
            pieces = rims[number].lines(self._turned(ghosts[wanted[1]]), eye, afar=self._flat)
            lines.connect(np.arange(2 * len(pieces)).reshape(-1, 2))
            lines.move(pieces.reshape(-1, 3))

        return update

    def _add_obstacle(self, obstacle: ShownObstacle) -> Any:
        """Add what is seen of an obstacle. Returns a function that moves it to a frame."""
        facets, x = Facets.of(obstacle.surface), self._turned(obstacle.surface.points)
        surface = Shape(x[facets.vertices], facets.triangles)
        surface.move(x[facets.vertices], facets.normals(x))
        look = self._window.add(surface, _rgb(obstacle.colour))
        look.SetBackfaceCulling(not obstacle.two_sided)
        rim = shadow = None
        if not (self._flat or obstacle.wall):
            _light_up(look, specular=0.05, power=100.0)
        if self._flat:
            rim = self._lines(obstacle.surface.points, facets.creases, INK, 1.6, 0.2)
        elif not obstacle.wall and np.ptp(x, axis=0).max() < 4.0 * self._size:  # a hill shades all
            shadow = self._shadow(x, facets)

        def update(frame: int) -> None:
            if not obstacle.moves:
                return
            x = self._turned(obstacle.points_at(frame))
            surface.move(x[facets.vertices], facets.normals(x))
            if rim is not None:
                rim.move(x)
            if shadow is not None:
                shadow.move(self._on_floor(x[facets.vertices]))

        return update

    def _lines(
        self, x: np.ndarray, pairs: np.ndarray, colour: str, width: float, opacity: float
    ) -> Shape:
        lines = Shape(self._turned(x), pairs)
        if len(pairs):
            self._window.add(lines, _rgb(colour), width=width, opacity=opacity, nearer=-8.0)
        return lines

    def _shadow(self, x: np.ndarray, facets: Facets) -> Shape:
        """The surface, flattened along the light: opaque, so that its folds do not add up."""
        shadow = Shape(self._on_floor(x[facets.vertices]), facets.triangles)
        self._window.add(shadow, _rgb(_SHADE))
        return shadow

    def _on_floor(self, x: np.ndarray) -> np.ndarray:
        above = self._floor + 0.002 * self._size  # or the grid shows through in dots
        down = np.maximum(x[:, 1:2] - above, 0.0) / -_SUN[1]
        lying: np.ndarray = x + down * _SUN
        lying[:, 1] = above  # what is below the floor, too
        return lying


class _Outline:
    """Lines along the sharp edges of a body, of which there are more when it is cut."""

    def __init__(self, body: Shown, lines: Shape):
        self._outlines, self.lines = body.outlines, lines

    def turn_to(self, frame: int) -> None:
        """Draw the edges of a frame."""
        if len(self._outlines) > 1:
            self.lines.connect([pairs for first, pairs in self._outlines if first <= frame][-1])


def extent_of(take: Take, size: tuple[int, int], camera: Camera | None = None) -> Extent:
    """How far all points that must be in the pictures of a take reach."""
    bodies = [Shown.of(track) for track in take.tracks]
    eye = _FROM_THE_FRONT if all(b.plane for b in bodies) else (camera or FRONT)
    return _extent(bodies, shown_obstacles(take), eye, size, up_axis(take) == 1)


def _extent(
    bodies: Sequence[Shown],
    obstacles: Sequence[ShownObstacle],
    eye: Camera,
    size: tuple[int, int],
    upright: bool,
) -> Extent:
    def clouds() -> Iterator[np.ndarray]:
        for body in bodies:
            for shapes in (body.positions, body.ghosts or ()):
                yield from (_upright(x, upright) for x in shapes)
        yield from (_upright(s.framed, upright) for s in obstacles if len(s.framed))

    return Extent.of(clouds(), eye, size, flat=all(b.plane for b in bodies))


def _upright(x: np.ndarray, upright: bool) -> np.ndarray:
    """Points with y up, which z was if not `upright`."""
    return x if upright else np.stack([x[..., 0], x[..., 2], -x[..., 1]], axis=-1)


def pyvista() -> Any:
    """pyvista, ready to draw without a screen."""
    require_vtk()
    return optional("pyvista", "pictures of pyvista", "view")


def _light_up(look: Any, *, specular: float, power: float) -> None:
    """Let light fall on a surface, and shade it smoothly."""
    look.SetLighting(True)
    look.SetInterpolationToGouraud()
    look.SetAmbient(0.42)
    look.SetDiffuse(0.78)
    look.SetSpecular(specular)
    look.SetSpecularPower(power)


def _shades(share: np.ndarray) -> np.ndarray:
    """The colours of distances to rest from 0 to 1, (n, 3) bytes."""
    stops = np.array([_rgb(colour) for colour in SHADES])
    at = np.linspace(0.0, 1.0, len(stops))
    rgb = np.stack([np.interp(share, at, channel) for channel in stops.T], axis=1)
    return np.rint(255.0 * rgb).astype(np.uint8)


def _round_length(length: float) -> float:
    """1, 2 or 5 times a power of ten, near a length."""
    power = 10.0 ** np.floor(np.log10(length))
    lead = length / power
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k / lead))))
