"""A coil, a disc and a bar hang side by side: one material, one class, points and no cells.

`pl.Elastons` takes samples of a curve, a surface or a volume and does the same with each: here the
turns of a coil, the seeds of a sunflower and a shaken lattice. They are let go from the dashed
shapes and rest after 1 s, as asked; colour is how far each point has come.
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
seed = np.arange(90) + 0.5
far, turn = 0.3 * np.sqrt(seed / len(seed)), np.pi * (1 + 5**0.5) * seed
disc = np.stack([0.3 + far * np.cos(turn), 0.0 * seed, far * np.sin(turn)], axis=1)
lattice = np.mgrid[0:9, -1:2, -1:2].reshape(3, -1).T * [0.1, 0.06, 0.06]
bar = lattice + np.random.default_rng(0).uniform(-0.006, 0.006, lattice.shape)

rod = pl.Elastons(coil, thickness=0.04, up=(0, 1, 0), name="rod", **RUBBER)
shell = pl.Elastons(disc, thickness=0.02, name="shell", **RUBBER)
solid = pl.Elastons(bar, name="solid", **RUBBER)
rod.fix(rod.points_of([0, 1, 2]))
shell.fix(shell.points_of(disc[:, 0] < 0.06))
solid.fix(solid.points_of(bar[:, 0] < 0.01))
bodies = [rod, shell, solid]
for body in bodies:
    body.damping = pl.Settle(rest_in=1.0)
take = pl.Scene(bodies, gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 30)

figure = Figure(figsize=(11, 4.6), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=20.0, elevation=14.0)
shown = []
for body, place in zip(bodies, (0.0, 0.45, 1.4), strict=True):
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
