"""A clamp carries a bent beam away, and damping does not hold the beam back.

The foot of the beam travels to the right at eight metres a second while the beam unbends in the
half second it was given. Once straight it rides along at rest: damping acts on deformation only.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.drawing import draw_bodies, frame_picture

mesh = pl.meshes.rectangle(size=(0.4, 2), cells=(3, 15))
beam = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name="beam")
foot = np.flatnonzero(mesh.points[:, 1] < 1e-9)
start, speed = mesh.points[foot], np.array([8.0, 0.0])
beam.move(foot, lambda t: start + speed * t)
beam.place(mesh.points + 0.3 * mesh.points[:, 1:] ** 2 * [-1, 0])
beam.velocity = speed

beam.damping = pl.Settle(rest_in=0.5)
take = pl.Scene([beam]).run(seconds=1.5, dt=1 / 60)

# Seen from the foot, so that only the bend is left.
bend = np.linalg.norm(take.positions - speed * take.times[:, None, None] - mesh.points, axis=2)
print(f"asked for 1 % of the bend after 0.5 s, found {bend[30].max() / bend[0].max():.2%}")
print(f"while it is carried on, {bend[-1].max() / bend[0].max():.1e} of the bend is left")

figure = Figure(figsize=(12, 3.6), layout="constrained")
ax = figure.add_subplot()
frames = range(0, 49, 6)
draw_bodies(ax, [(mesh, take.positions[k], bend[k] / bend[0].max()) for k in frames])
for k in frames:
    ax.text(0.2 + 8 * take.times[k], -0.25, f"{take.times[k]:.1f} s", ha="center", fontsize=12)
frame_picture(ax, np.concatenate([take.positions[list(frames)].reshape(-1, 2), [(0, -0.35)]]))
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "clamp_is_carried.png", dpi=150)
