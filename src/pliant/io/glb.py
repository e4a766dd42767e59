"""Takes as binary glTF 2.0: one morph target per frame."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant import __version__
from pliant.mesh import Surface
from pliant.take import Take, Track, progress_bar

from .atomic import atomic_write
from .facets import Facets
from .glb_file import INDICES, VERTICES, GlbFile
from .registry import writes
from .shading import Shading
from .shown import up_axis
from .shown_obstacles import ShownObstacle, shown_obstacles
from .surfaces import points_at, refuse_wild, seconds, unique_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


#: Without a material, clients draw metal, which is black in an empty room.
_PLAIN_MATERIAL = {
    "name": "pliant",
    "doubleSided": True,  # plane bodies have two sides
    "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.7},
}
#: Position and normal of a vertex.
_VERTEX_BYTES = 2 * 3 * 4
#: The mode of a primitive whose indices are pairs.
_LINE_MODE = 1
#: In glTF y is up; a scene whose gravity pulls along z is turned about x, as a quaternion x, y, z, w.
_Z_TO_Y = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]


@writes(".glb", energies=False)
def save_glb(take: Take, path: Path) -> None:
    """Write a node per body whose mesh is frame 0, with a morph target for every later frame.

    The animation raises the weights one after the other, so that each frame is exact at its time and
    a straight blend lies between two. A body of lines is a primitive of lines. Obstacles are nodes after
    those of the bodies, and have targets if they move. Metres; up is against gravity, y without one.
    Every target holds all vertices, and weights grow with the square of the number of frames: long takes
    open faster as .usdc.
    """
    refuse_wild(take)
    names = unique_names([track.name for track in take.tracks])
    # The arrays come first in time and last in the file: the JSON before them has their bounds.
    with atomic_write(path) as part, tempfile.TemporaryFile(dir=path.parent) as arrays:
        file = GlbFile(arrays)
        with progress_bar(len(take) * len(names), path.name) as advance:
            meshes = [
                _mesh(file, track, name, advance)
                for name, track in zip(names, take.tracks, strict=True)
            ]
        turn = {"rotation": _Z_TO_Y} if up_axis(take) == 2 else {}
        nodes = [
            {"name": name, "mesh": i, "extras": track.asked} | turn
            for i, (name, track) in enumerate(zip(names, take.tracks, strict=True))
        ]
        materials: list[dict[str, Any]] = [_PLAIN_MATERIAL]
        animated = list(range(len(nodes)))
        for obstacle in shown_obstacles(take):
            frames = len(take) if obstacle.moves else 1
            animated += [len(nodes)] if frames > 1 else []
            nodes.append({"name": obstacle.name, "mesh": len(meshes)} | turn)
            meshes.append(_obstacle_mesh(file, obstacle, len(materials), frames))
            materials.append(_obstacle_material(obstacle))
        content: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"pliant {__version__}"},
            "scene": 0,
            "scenes": [{"name": path.stem, "nodes": list(range(len(nodes)))}],
            "nodes": nodes,
            "meshes": meshes,
            "materials": materials,
        }
        if len(take) > 1:
            content["animations"] = [_animation(file, take, path.stem, animated)]
        file.write(part, content)


def vertices(surface: Surface, shading: Shading) -> tuple[np.ndarray, np.ndarray]:
    """One corner for every vertex that glTF needs, and the vertex of every corner.

    glTF has texture coordinates and normals per vertex, so a point on a seam or a crease becomes
    several; vertices are in the order of their points.
    """
    keys = [surface.corners, shading.index] + ([] if surface.uv is None else [*surface.uv.T])
    rows = np.column_stack(keys)
    _, corner, vertex = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return corner, vertex.reshape(-1)


def _mesh(file: GlbFile, track: Track, name: str, advance: Callable[[], None]) -> dict[str, Any]:
    """The arrays of one body in all frames."""
    surface = track.skin.surface
    shading = Shading(track.skin, track.mesh)
    corner, vertex = vertices(surface, shading)
    drawn = surface.triangles if surface.lines is None else surface.triangles[:, :2]
    indices = file.add(vertex[drawn].astype(np.uint32).ravel(), INDICES)
    base: dict[str, np.ndarray] = {}
    targets = []
    file.require_room(len(track.times) * len(corner) * _VERTEX_BYTES)  # before all that is written
    for frame in range(len(track.times)):
        shape = {
            "POSITION": points_at(track, frame)[surface.corners[corner]],
            "NORMAL": shading.normals(track.position_frames[frame])[shading.index[corner]],
        }
        if frame == 0:
            base = shape
            attributes = _attributes(file, shape)
        else:
            targets.append(_attributes(file, {k: shape[k] - base[k] for k in shape}))
        advance()
    if surface.uv is not None:
        # The origin of textures is at the top in glTF, at the bottom everywhere else.
        uv = (surface.uv[corner] * [1.0, -1.0] + [0.0, 1.0]).astype(np.float32)
        attributes["TEXCOORD_0"] = file.add(uv, VERTICES)
    primitive: dict[str, Any] = {"attributes": attributes, "indices": indices, "material": 0}
    if surface.lines is not None:
        primitive["mode"] = _LINE_MODE
    return _with_targets({"name": name, "primitives": [primitive]}, targets)


def _obstacle_mesh(
    file: GlbFile, obstacle: ShownObstacle, material: int, frames: int
) -> dict[str, Any]:
    facets = Facets.of(obstacle.surface)
    indices = file.add(facets.triangles.astype(np.uint32).ravel(), INDICES)
    base: dict[str, np.ndarray] = {}
    targets: list[dict[str, int]] = []
    for frame in range(frames):
        x = obstacle.points_at(frame)
        shape = {"POSITION": x[facets.vertices], "NORMAL": facets.normals(x)}
        shape = {k: a.astype(np.float32) for k, a in shape.items()}
        if frame == 0:
            base, attributes = shape, _attributes(file, shape)
        else:
            targets.append(_attributes(file, {k: shape[k] - base[k] for k in shape}))
    primitive = {"attributes": attributes, "indices": indices, "material": material}
    return _with_targets({"name": obstacle.name, "primitives": [primitive]}, targets)


def _with_targets(mesh: dict[str, Any], targets: list[dict[str, int]]) -> dict[str, Any]:
    """A mesh of one primitive with a morph target for every frame but the first."""
    if targets:
        mesh["primitives"][0]["targets"] = targets
        mesh["weights"] = [0.0] * len(targets)
        mesh["extras"] = {"targetNames": [f"frame {i + 1}" for i in range(len(targets))]}
    return mesh


def _obstacle_material(obstacle: ShownObstacle) -> dict[str, Any]:
    return {
        "name": obstacle.name,
        "doubleSided": obstacle.two_sided,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*obstacle.rgb, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        },
    }


def _attributes(file: GlbFile, shape: dict[str, np.ndarray]) -> dict[str, int]:
    return {k: file.add(a, VERTICES, bounds=k == "POSITION") for k, a in shape.items()}


def _weights(frames: int) -> Iterator[np.ndarray]:
    """The weights of all targets in each frame, (frames - 1,)."""
    for frame in range(frames):
        shown = np.zeros(frames - 1, dtype=np.float32)
        shown[frame - 1 : frame] = 1.0  # nothing in frame 0
        yield shown


def _animation(file: GlbFile, take: Take, name: str, nodes: Sequence[int]) -> dict[str, Any]:
    """Weights that show frame f alone at its time; frame 0 is the mesh without any."""
    times = file.add(seconds(take).astype(np.float32), bounds=True)
    weights = file.add_pieces(_weights(len(take)), len(take) * (len(take) - 1))
    return {
        "name": name,
        "samplers": [{"input": times, "output": weights, "interpolation": "LINEAR"}],
        "channels": [{"sampler": 0, "target": {"node": i, "path": "weights"}} for i in nodes],
    }
