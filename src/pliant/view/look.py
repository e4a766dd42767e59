"""What is seen of a scene: bodies, pins, the hand, the ground, light and camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.io import Facets, ShownObstacle, obstacles_near
from pliant.mesh import Mesh, Skin, in_space
from pliant.scene import Scene
from pliant.take import motions_at

from .camera import place_camera
from .ground import Ground, ground_level
from .snapshot import StageSnapshot
from .threads import Threads
from .touch_marks import TouchMarks

if TYPE_CHECKING:
    import viser

BODY_COLOURS = ((224, 104, 48), (46, 110, 170), (92, 140, 62), (160, 78, 134), (196, 146, 36))
PIN = (60, 64, 72)
HAND = (250, 214, 60)
#: The radius of a line, as a share of the scene's size.
THREAD = 0.003
#: Obstacles are in view as far as they are within so many sizes of the bodies, which will fall.
NEAR_STAGE = 0.8
#: What moves less than this share of the scene's size is not drawn anew: a hundredth of a pixel.
UNSEEN = 1e-5


class Look:
    """The scene on a viser server; `show` moves what is there and makes nothing new."""

    def __init__(self, server: viser.ViserServer, scene: Scene):
        self._scene = scene
        self._drawn: list[Callable[[np.ndarray], np.ndarray]] = []  # vertices of positions
        self._meshes = [body.mesh for body in scene.bodies]  # that are drawn
        at = [in_space(body.positions) for body in scene.bodies]
        around = np.concatenate([*at, *(in_space(b.mesh.points) for b in scene.bodies)])
        self.size = float(np.linalg.norm(np.ptp(around, axis=0)))
        self.bodies: list[viser.MeshHandle] = []
        self._lines: list[viser.MeshHandle | None] = []
        self._pins: list[Any] = []
        self._server = server
        server.scene.set_up_direction("+y")
        self._light()
        for i, body in enumerate(scene.bodies):
            vertices, faces = self._shape(body.mesh, body.skin)
            self._drawn.append(vertices)
            solid = body.mesh.cell_dim == 3
            self.bodies.append(
                server.scene.add_mesh_simple(
                    f"/body {i}",
                    vertices(body.positions),
                    faces,
                    color=BODY_COLOURS[i % len(BODY_COLOURS)],
                    side="front" if solid else "double",
                )
            )
            flat = body.dim == 2 and body.mesh.cell_dim == 2
            self._lines.append(self._cells(i, faces) if flat else None)
            pins = in_space(body.positions[body.pinned])
            self._pins.append(
                server.scene.add_point_cloud(
                    f"/pins {i}",
                    pins.astype(np.float32),
                    PIN,
                    point_size=0.006 * self.size,
                    point_shape="circle",
                    precision="float32",
                )
            )
        self._hand = server.scene.add_icosphere(
            "/hand", 0.018 * self.size, HAND, visible=False, cast_shadow=False
        )
        low, high = around.min(axis=0), around.max(axis=0)
        moving = iter(motions_at(scene.obstacles, scene.time))
        #: Of each obstacle where it is now, as the only frame; None if it stands still.
        self._motions = [[next(moving)] if o.moves else None for o in scene.obstacles]
        self._obstacles = obstacles_near(
            scene.obstacles, low, high, near=NEAR_STAGE, motions=self._motions
        )
        self._still = [self._obstacle(i, obstacle) for i, obstacle in enumerate(self._obstacles)]
        self._touches = TouchMarks(server, self.size)
        around = np.concatenate([around, *(obstacle.framed for obstacle in self._obstacles)])
        middle = 0.5 * (around.min(axis=0) + around.max(axis=0))
        self.ground = Ground(server, ground_level(scene, self._obstacles), middle, self.size)
        self.around = around  # what is to be seen, (n, 3) [m]
        place_camera(server, around, plane=scene.dim == 2, size=self.size)

    def _shape(
        self, mesh: Mesh, skin: Skin
    ) -> tuple[Callable[[np.ndarray], np.ndarray], np.ndarray]:
        """The vertices that are drawn, as a function of positions, and the triangles between."""
        if mesh.cell_dim == 1:
            lines = np.concatenate([nodes[:, :2] for nodes in mesh.cells.values()])
            threads = Threads(lines, THREAD * self.size)
            return threads.vertices, threads.faces
        facets = Facets.of(skin.surface)
        return lambda x: skin.positions(x)[facets.vertices], facets.triangles

    def _change(self, index: int, mesh: Mesh, skin: Skin) -> None:
        """Draw another mesh of a body, which was cut or has torn."""
        self._meshes[index] = mesh
        self._drawn[index], faces = self._shape(mesh, skin)
        for handle in (self.bodies[index], self._lines[index]):
            if handle is not None:
                handle.faces = faces.astype(np.uint32)

    def _obstacle(self, index: int, obstacle: ShownObstacle) -> tuple[viser.MeshHandle, Facets]:
        facets = Facets.of(obstacle.surface)
        r, g, b = bytes.fromhex(obstacle.colour[1:])
        handle = self._server.scene.add_mesh_simple(
            f"/obstacle {index}",
            obstacle.surface.points[facets.vertices],
            facets.triangles,
            color=(r, g, b),
            side="double" if obstacle.two_sided else "front",
            cast_shadow=not obstacle.wall,
        )
        return handle, facets

    def _move_obstacles(self, motions: Sequence[np.ndarray]) -> None:
        """Move obstacles to where they are now."""
        coming = iter(motions)
        for motion, obstacle, (handle, facets) in zip(
            self._motions, self._obstacles, self._still, strict=True
        ):
            if motion is not None:
                motion[0] = next(coming)
                handle.vertices = obstacle.points_at(0)[facets.vertices].astype(np.float32)

    def _cells(self, index: int, faces: np.ndarray) -> viser.MeshHandle:
        """The cells of a plane body as lines: without light and shade nothing else shows a strain."""
        return self._server.scene.add_mesh_simple(
            f"/cells {index}",
            self.bodies[index].vertices,
            faces,
            color=(150, 60, 20),
            wireframe=True,
            opacity=0.5,
            cast_shadow=False,
            receive_shadow=False,
            position=(0.0, 0.0, 1e-3 * self.size),
        )

    def _light(self) -> None:
        """A lamp over the left shoulder and a bright room; viser's own lamps wash colours out."""
        scene = self._server.scene
        scene.configure_default_lights(enabled=False)
        scene.configure_environment_map("studio", environment_intensity=0.25)
        scene.add_light_directional(
            "/lamp", intensity=0.8, cast_shadow=True, position=(-1.0, 2.5, 1.5)
        )

    def _moves(self, drawn: np.ndarray, before: np.ndarray) -> bool:
        """Whether new vertices are to be sent: browsers draw only when something has changed."""
        if drawn.shape != before.shape:
            return True
        return float(np.abs(drawn - before).max(initial=0.0)) > UNSEEN * self.size

    def show(self, snapshot: StageSnapshot, now: float) -> None:
        """Move everything to where it is at this moment of the wall clock [s].

        Between two steps that are far apart on the wall (slow motion) the picture is blended.
        """
        share, step = 1.0, snapshot.dt / snapshot.scale
        if step > 1 / 40 and not snapshot.paused:
            share = float(np.clip((now - snapshot.made) / step, 0.0, 1.0))
        for i, (mesh, skin) in enumerate(snapshot.shapes):
            if mesh is not self._meshes[i]:
                self._change(i, mesh, skin)
            vertices, x = self._drawn[i], snapshot.positions[i]
            if share < 1.0:
                x = snapshot.before[i] + share * (x - snapshot.before[i])
            drawn = vertices(x).astype(np.float32)
            if np.isfinite(drawn).all() and self._moves(drawn, self.bodies[i].vertices):
                self.bodies[i].vertices = drawn
                lines = self._lines[i]
                if lines is not None:
                    lines.vertices = drawn
            pins = in_space(snapshot.pins[i]).astype(np.float32)
            if pins.shape != self._pins[i].points.shape or (pins != self._pins[i].points).any():
                self._pins[i].points = pins
        self._move_obstacles(snapshot.motions)
        self.ground.show(snapshot.positions)
        self._touches.show(snapshot.contacts)
        self._hand.visible = snapshot.held is not None
        if snapshot.held is not None:
            self._hand.position = tuple(in_space(snapshot.held[None])[0])
