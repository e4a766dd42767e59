"""A coil, a sheet and a bar hang side by side: one material, one class, three kinds of samples.

`pl.Elastons` takes the points of a curve, a surface or a volume and does the same with each. They
are let go from the dashed shapes and rest after 1 s, as asked; colour is how far each point has
come.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import INK, draw_bodies, draw_outline, frame_picture

RUBBER = {"young": 4e6, "poisson": 0.4, "density": 1000.0}

angle = np.linspace(0.0, 3 * 2 * np.pi, 61)
coil = np.stack([0.1 * np.cos(angle), -0.4 * angle / angle[-1], 0.1 * np.sin(angle)], axis=1)
curve = pl.Mesh(coil, {"line": [(i, i + 1) for i in range(len(coil) - 1)]})
flat = pl.meshes.rectangle((0.8, 0.3), (8, 3))
surface = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1) - [0, 0, 0.15], flat.cells)
block = pl.meshes.box((0.8, 0.12, 0.12), (8, 1, 1), kind="hex")
volume = pl.Mesh(block.points - [0, 0.06, 0.06], block.cells)

rod = pl.Elastons(curve, thickness=0.04, up=(0, 1, 0), name="rod", **RUBBER)
shell = pl.Elastons(surface, thickness=0.025, name="shell", **RUBBER)
solid = pl.Elastons(volume, name="solid", **RUBBER)
rod.fix(rod.points_of([0, 1, 2]))
shell.fix(shell.points_of(surface.points[:, 0] < 1e-9))
solid.fix(solid.points_of(volume.points[:, 0] < 1e-9))
bodies = [rod, shell, solid]
for body in bodies:
    body.damping = pl.Settle(rest_in=1.0)
take = pl.Scene(bodies, gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 60)

figure = Figure(figsize=(11, 4.6), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=20.0, elevation=14.0)
shown = []
for body, place in zip(bodies, (0.0, 0.4, 1.4), strict=True):
    skin, track = body.skin, take[body]
    aside = place * view.right  # side by side as the camera sees it
    start, end = (skin.positions(track.positions[frame]) + aside for frame in (0, -1))
    far = np.linalg.norm(end - start, axis=1)
    shown.append((skin.surface, end, far / 0.6))
    draw_outline(ax, skin.surface, start, camera=view)
    facts = body.facts()
    words = f"{body.name}: {facts['nodes']} nodes, {facts['elastons']} elastons"
    ax.text(view.project(start)[:, 0].mean(), -0.87, words, color=INK, ha="center", fontsize=11)
    print(f"{words}; rested after {track.rest_time():.2f} s")
draw_bodies(ax, shown, camera=view)
frame_picture(
    ax, np.concatenate([x for _, x, _ in shown] + [[(-0.35, -0.9, 0), (0, 0.08, 0)]]), camera=view
)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "rod_shell_and_solid_hang_by_one_rule.png", dpi=150)
