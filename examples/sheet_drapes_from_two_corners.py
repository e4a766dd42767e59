"""A sheet held at two corners falls from level and swings, and drapes as the corners come together.

Cloth of 0.2 kg/m^2 that hardly stretches: one step per frame, 60 frames a second, and nothing but
the step's own damping. Colour is the depth.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

flat = pl.meshes.rectangle((1, 1), (16, 16))
mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)  # level: y is up
cloth = pl.Cloth(mesh, stretch=5000.0, shear=500.0, bend=2e-4, density=0.2)
x, _, z = mesh.points.T
corners = mesh.points[held := (z < 1e-9) & ((x < 1e-9) | (x > 1 - 1e-9))]
nearer = 0.7 * (corners - [0.5, 0, 0]) + [0.5, 0, 0]
rng = np.random.default_rng(0)  # no cloth is so even that it cannot tell which way to fold
cloth.place(mesh.points + 1e-4 * rng.standard_normal(mesh.points.shape))
cloth.move(held, ([0.0, 0.8], np.stack([corners, nearer])))
take = pl.Scene([cloth], gravity=(0, -9.81, 0)).run(seconds=1.5, dt=1 / 60)
print(f"longest thread: {cloth.stretches().max() - 1:.2%} over its length")

triangles = mesh.cells["tri3"]
sides = np.concatenate([triangles, triangles[:, ::-1]])  # a sheet is seen from both
figure = Figure(figsize=(12, 3.6), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=18.0, elevation=24.0)
shown = []
for place, frame in enumerate((0, 12, 24, 36, 83)):
    at = take.positions[frame] + 1.3 * place * view.right  # side by side as the camera sees it
    drawn = pl.Surface(at, np.full(len(sides), 3), sides.ravel())
    shown.append((drawn, at, np.clip(-take.positions[frame, :, 1], 0.0, 1.0)))
    across, _ = view.project(at).mean(axis=0)
    ax.text(across, -1.2, f"{take.times[frame]:.1f} s", ha="center", fontsize=13)
draw_bodies(ax, shown, camera=view)
frame_picture(ax, np.concatenate([at for _, at, _ in shown] + [[(0, -1.3, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "sheet_drapes_from_two_corners.png", dpi=150)
