"""A tuning fork moves in 40 modes: it rings for ever without damping, and rests on cue with `Settle`.

It is free, and both prongs are pinched and let go. No step is too long: the path is the same.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

# Two prongs and a stem, cut from a block of hexahedra [m].
block = pl.meshes.box((0.10, 0.02, 0.005), (40, 8, 2), kind="hex")
x, y, _ = block.points[block.cells["hex8"]].mean(axis=1).T
slot = (x > 0.03) & (np.abs(y - 0.01) < 0.005)
beside = (x < 0.02) & (np.abs(y - 0.01) > 0.0025)
kept = block.cells["hex8"][~(slot | beside)]
used, cells = np.unique(kept, return_inverse=True)
mesh = pl.Mesh(block.points[used], {"hex": cells.reshape(kept.shape)})

steel = pl.Linear(young=2e11, poisson=0.29)
fork = pl.Modal(pl.Body(mesh, steel, density=7850.0, name="fork"), modes=40)
tones, shapes = fork.frequencies, fork.system().modes(mesh.points, 3)[1]

side = np.where(mesh.points[:, 1] > 0.01, 1.0, -1.0)
pinched = 0.1 * side * np.maximum(mesh.points[:, 0] - 0.025, 0.0) ** 2
tip, period, curves = mesh.points.sum(axis=1).argmax(), 1.0 / tones[1], {}
wish = pl.Settle(rest_in=8 * period, bounces=6)
for text, damping in (("no damping", None), ("at rest after 8 periods, 6 bounces", wish)):
    fork.reset()
    fork.place(mesh.points + pinched[:, None] * [0.0, 1.0, 0.0])
    fork.damping = damping
    take = pl.Scene(fork).run(seconds=10 * period, dt=period / 40)
    curves[text] = 1e3 * take.times, 1e3 * (take.positions[:, tip, 1] - mesh.points[tip, 1])

figure = Figure(figsize=(12, 4.2), layout="constrained")
left, right = figure.subplots(1, 2, width_ratios=(3, 2))
view = Camera.at(azimuth=25.0, elevation=40.0)
drawn = []
for k, (shape, tone) in enumerate(zip(shapes, tones, strict=False)):
    way = 0.008 * shape / np.linalg.norm(shape, axis=1).max()
    at = mesh.points + way - 0.035 * k * view.up
    drawn.append((mesh, at, np.linalg.norm(way, axis=1) / 0.008))
    left.text(*(view.project(at).max(axis=0) + [0.004, -0.012]), f"{tone:.0f} Hz", fontsize=13)
draw_bodies(left, drawn, camera=view)
frame_picture(left, np.concatenate([at for _, at, _ in drawn]), camera=view)
for text, curve in curves.items():
    right.plot(*curve, label=text)
right.set(xlabel="ms", ylabel="tip of a prong, across [mm]", ylim=(-0.6, 0.8))
right.legend(loc="upper right")
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "fork_rings_in_its_modes.png", dpi=150)
