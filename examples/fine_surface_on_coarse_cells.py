"""A few hundred tetrahedra carry a surface of twelve thousand faces.

A rippled ring is filled with tetrahedra much larger than its ripples. The tetrahedra move; the ring
is what is seen: each of its points, and its normals, follow the cell they are in. It is held at the
top, let go, and hangs still after half a second.
"""

from pathlib import Path

import numpy as np
import pyvista as pv

import pliant as pl

AROUND, ACROSS = 240, 50


def ring() -> pl.Surface:
    """A torus [m] whose tube is twisted and rippled, of quads."""
    u, v = np.meshgrid(
        2 * np.pi * np.arange(AROUND) / AROUND,
        2 * np.pi * np.arange(ACROSS) / ACROSS,
        indexing="ij",
    )
    tube = 0.35 + 0.03 * np.cos(6 * v + 8 * u)
    x, y = ((1 + tube * np.cos(v)) * turn(u) for turn in (np.cos, np.sin))
    number = np.arange(AROUND * ACROSS).reshape(AROUND, ACROSS)
    right, up = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    faces = np.stack([number, right, np.roll(right, -1, axis=1), up], axis=-1)
    return pl.Surface.of(
        np.stack([x, y, tube * np.sin(v)], -1).reshape(-1, 3), faces.reshape(-1, 4)
    )


surface = ring()
mesh = pl.meshes.tetrahedralise(surface, edge_length=0.35, within=0.06)
print(mesh.quality())
body = pl.Body(mesh, pl.StableNeoHookean(young=1.5e5, poisson=0.4), name="ring")
body.fix(mesh.points[:, 1] > 1.0)
body.wear(surface)
body.damping = pl.Settle(rest_in=0.5)
take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.6, dt=1 / 60)
print(f"asked to rest in 0.5 s, rested in {take.rest_time():.3f} s")

plotter = pv.Plotter(off_screen=True, shape=(1, 3), window_size=(1500, 640), border=False)
bare = pl.Body(mesh, body.material).skin
for column, (skin, frame) in enumerate([(bare, 0), (body.skin, 0), (body.skin, -1)]):
    plotter.subplot(0, column)
    faces = np.split(skin.surface.corners, np.cumsum(skin.surface.sizes)[:-1])
    shape = pv.PolyData.from_irregular_faces(skin.positions(take.positions[frame]), faces)
    colour = "#8fb7cf" if skin is bare else "#e4572e"
    plotter.add_mesh(shape, color=colour, show_edges=skin is bare, smooth_shading=skin is not bare)
    plotter.camera_position = [(0, -0.2, 7.2), (0, -0.2, 0), (0, 1, 0)]
Path("out").mkdir(exist_ok=True)
plotter.screenshot(Path("out") / "fine_surface_on_coarse_cells.png")
