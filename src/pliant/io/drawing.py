"""Bodies drawn with matplotlib: cells in 2D; lit, depth-sorted boundary faces in 3D.

Projection and lighting are done here rather than by mplot3d, which sorts whole collections and
so cannot draw two bodies behind each other, and wraps every picture in axes and margins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.mesh import KINDS, Mesh, Skin, Surface

from .camera import FRONT, Camera
from .facets import Facets
from .silhouette import Silhouette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

#: Of faces: corners in the picture (k, corners, 2), depths (k,), colours and those of lines (k, 3).
Drawn = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
INK, QUIET, REST_COLOUR = "#22303c", "#8a97a3", "#3b82b5"
#: From rest to the farthest at the start.
SHADES = [REST_COLOUR, "#5fa8b8", "#e8d8a8", "#f2a65a", "#e4572e"]
#: Light from the upper left and in front: shares of the camera's right, up and toward.
_LIGHT = np.array([-0.45, 0.75, 0.55]) / np.linalg.norm([-0.45, 0.75, 0.55])


def colours() -> Colormap:
    """Blue at rest, over sand, to coral far from it."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("rest", SHADES)


def draw_bodies(
    ax: Axes,
    bodies: Sequence[tuple[Mesh | Surface, np.ndarray, np.ndarray]],
    *,
    camera: Camera = FRONT,
    mesh_lines: float = 0.35,
    still: Sequence[tuple[Surface, np.ndarray, np.ndarray | None, str]] = (),
) -> None:
    """Draw bodies into one picture, each (shape, positions (n, d) [m], shares in 0..1 (n,)).

    The shares choose the colour: 0 at rest, 1 farthest from it. mesh_lines [pt]. still: what bodies
    cannot enter, each (surface, positions, core (n, 3) [m], colour). It is as deep in the picture as
    its core, by which convex things cover what is behind them and nothing else; without one it is a wall
    that all bodies are in front of.
    """
    from matplotlib.collections import PolyCollection

    drawn = [face for thing in still for face in _still_faces(*thing, camera)]
    drawn += [face for body in bodies for face in _body_faces(*body, camera)]
    corners = [ring for flat, *_ in drawn for ring in flat]
    depths, faces, lines = (np.concatenate(part) for part in list(zip(*drawn, strict=True))[1:])
    order = np.argsort(depths, kind="stable")
    ax.add_collection(
        PolyCollection(
            [corners[i] for i in order],
            facecolors=faces[order],
            edgecolors=lines[order],  # also closes hairlines between neighbours
            linewidths=mesh_lines,
            joinstyle="round",
            snap=False,  # snapping to pixels tears neighbouring faces apart
        )
    )


def _still_faces(
    surface: Surface, x: np.ndarray, core: np.ndarray | None, colour: str, camera: Camera
) -> Iterator[Drawn]:
    """The faces of something that bodies cannot enter."""
    from matplotlib.colors import to_rgb

    for nodes in _faces(surface):
        rgb = np.tile(to_rgb(colour), (len(nodes), 1))
        depth = np.full(len(nodes), -np.inf)
        if x.shape[1] == 3:
            normals = _normals(x, nodes)
            seen = normals @ camera.toward > 0.0
            if core is not None:
                rgb, depth = _lit(rgb, normals, camera), (core @ camera.toward)[nodes].mean(1)
            nodes, depth, rgb = nodes[seen], depth[seen], rgb[seen]
        yield camera.project(x)[nodes], depth, rgb, rgb


def _body_faces(
    shape: Mesh | Surface, x: np.ndarray, share: np.ndarray, camera: Camera
) -> Iterator[Drawn]:
    """The faces of a body."""
    flat, palette = camera.project(x), colours()
    both_sides = x.shape[1] == 3 and _is_open(_faces(shape))
    for nodes in _faces(shape):
        rgb = palette(share[nodes].mean(axis=1))[:, :3]
        depth = np.zeros(len(nodes))
        if x.shape[1] == 3:
            normals, depth = _normals(x, nodes), (x @ camera.toward)[nodes].mean(axis=1)
            if both_sides:  # a sheet has no inside to hide
                normals = normals * np.where(normals @ camera.toward < 0.0, -1.0, 1.0)[:, None]
            seen = (normals @ camera.toward > 0.0) | ~normals.any(axis=1)  # lines face everyone
            rgb = _lit(rgb, normals, camera)[seen]
            nodes, depth = nodes[seen], depth[seen]
        yield flat[nodes], depth, rgb, 0.88 * rgb


def draw_outline(
    ax: Axes, shape: Mesh | Surface, x: np.ndarray, *, camera: Camera = FRONT, **line: Any
) -> None:
    """Draw the outline of a body as the camera sees it: where it will rest."""
    from matplotlib.collections import LineCollection

    style: dict[str, Any] = {
        "colors": QUIET,
        "linewidths": 0.7,
        "linestyles": (0, (2, 2)),
        "zorder": 0,
    } | line
    pieces = _outline(shape, x, camera)
    flat = camera.project(pieces.reshape(-1, x.shape[1])).reshape(-1, 2, 2)
    ax.add_collection(LineCollection(list(flat), **style))


def frame_picture(ax: Axes, positions: np.ndarray, *, camera: Camera = FRONT) -> None:
    """Fit the picture to all positions (..., d) that it has to hold, without axes."""
    flat = camera.project(positions.reshape(-1, positions.shape[-1]))
    low, high = flat.min(axis=0), flat.max(axis=0)
    margin = 0.04 * (high - low).max()
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    ax.axis("off")


def _faces(shape: Mesh | Surface) -> list[np.ndarray]:
    """Corners of what is seen: faces of a surface; of a mesh the boundary in 3D, cells in 2D."""
    if isinstance(shape, Surface):
        starts = np.cumsum(shape.sizes) - shape.sizes
        return [
            shape.corners[starts[shape.sizes == k][:, None] + np.arange(k)]
            for k in np.unique(shape.sizes)
        ]
    cells = shape.boundary if shape.cell_dim == 3 else shape.cells
    faces = [n[:, : KINDS[k].corners] for k, n in cells.items() if KINDS[k].dim == 2]
    return faces or [n[:, [0, 1, 1]] for n in shape.cells.values()]  # lines: triangles that closed


def _is_open(faces: list[np.ndarray]) -> bool:
    """Whether an edge has a face on one side only."""
    rings = [np.stack([n, np.roll(n, -1, axis=1)], axis=2).reshape(-1, 2) for n in faces]
    edges = np.sort(np.concatenate(rings), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    return bool((counts == 1).any())


def _normals(x: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    # The cross product of diagonals serves triangles (where they are edges) and bent quads alike.
    normals = np.cross(x[nodes[:, -2]] - x[nodes[:, 0]], x[nodes[:, -1]] - x[nodes[:, 1]])
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300))


def _lit(rgb: np.ndarray, normals: np.ndarray, camera: Camera) -> np.ndarray:
    light = _LIGHT @ np.stack([camera.right, camera.up, camera.toward])
    # Half-Lambert: no face is black, and the three sides of a box stay apart.
    brightness = 0.72 + 0.44 * (0.5 + 0.5 * normals @ light) ** 2
    return np.asarray(np.clip(rgb * brightness[:, None], 0.0, 1.0))


def _outline(shape: Mesh | Surface, x: np.ndarray, camera: Camera) -> np.ndarray:
    """What outlines the shape at x in the picture, (k, 2, d): its rim in 2D, its silhouette in 3D."""
    if isinstance(shape, Mesh) and shape.dim == 2:
        rims = shape.boundary if shape.cell_dim == 2 else shape.cells
        return np.asarray(x[np.concatenate([n[:, :2] for n in rims.values()])])
    if isinstance(shape, Mesh):
        skin = Skin.bare(shape)
        shape, x = skin.surface, x[skin.nodes[:, 0]]
    facets = Facets.of(replace(shape, points=x))
    return Silhouette(facets).lines(x, camera.toward, afar=True)
