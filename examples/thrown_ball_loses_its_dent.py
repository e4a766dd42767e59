"""A thrown ball loses its dent in flight, and flies on as if nothing damped it.

The ball is thrown squashed and spinning, and asked to be round again after 0.8 seconds. Its path is
that of an undamped ball: only deformation is brought to rest.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import FRONT
from pliant.io.drawing import draw_bodies, frame_picture

mesh = pl.meshes.sphere(radius=0.5, cells=4)


def throw(damping):
    """The flight of the ball with this damping."""
    ball = pl.Body(mesh, pl.StableNeoHookean(young=2e5, poisson=0.4), damping=damping, name="ball")
    ball.place(mesh.points * [0.6, 1.25, 1.25])
    x, y, _ = ball.positions.T
    ball.velocity = np.stack([7.0 + 3.0 * y, 5.5 - 3.0 * x, np.zeros_like(x)], axis=1)
    take = pl.Scene([ball], gravity=(0, -9.81, 0)).run(seconds=1.0, dt=1 / 60)
    return take, np.tensordot(take.positions, ball.masses, axes=(1, 0)) / ball.masses.sum()


take, path = throw(pl.Settle(rest_in=0.8, bounces=0))
_, undamped = throw(None)
print(f"asked to be round in 0.80 s, was so after {take.rest_time():.2f} s")
print(f"both centres of mass on one path: {np.allclose(path, undamped, atol=1e-6)}")

figure = Figure(figsize=(12, 4.6), layout="constrained")
ax = figure.add_subplot()
dent = np.linalg.norm(take["ball"].displacements(), axis=2)
frames = range(0, 61, 12)
draw_bodies(ax, [(mesh, take.positions[k], dent[k] / dent[0].max()) for k in frames])
for k, (across, up) in zip(frames, FRONT.project(path[list(frames)]), strict=True):
    ax.text(across, up - 0.85, f"{take.times[k]:.1f} s", ha="center", fontsize=12)
frame_picture(ax, np.concatenate([take.positions[list(frames)].reshape(-1, 3), [(0, -0.85, 0)]]))
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "thrown_ball_loses_its_dent.png", dpi=150)
