"""A limp beam in three bodies: all its points, 27 coordinates of a `Subspace`, and linear modes.

Under its own weight it sags by nearly half of its length. The subspace, with 120 of its cells, follows
the full body; linear modes have no other way down than straight, and the beam grows. On the right
the first two let go level and settle on cue.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

GRAVITY = (0, -9.81, 0)
mesh = pl.meshes.box((4, 1, 1), (16, 4, 4))
full = pl.Body(mesh, pl.StableNeoHookean(young=1.6e6, poisson=0.3), name="all points")
full.fix(mesh.points[:, 0] < 1e-9)
few, modes = pl.Subspace(full, name="27 coordinates"), pl.Modal(full, modes=60, name="linear modes")
print(few.report(GRAVITY))

rests = {body.name: body.rest_shape(GRAVITY) for body in (full, few, modes)}
tip, paths = mesh.points.sum(axis=1).argmax(), {}
for body in (full, few):
    body.damping = pl.Settle(rest_in=1.0, bounces=2)
    take = pl.Scene([body], gravity=GRAVITY, contact=False).run(seconds=1.3, dt=1 / 60)
    paths[body.name] = take.times, take.positions[:, tip, 1]

figure = Figure(figsize=(12, 4.4), layout="constrained")
left, right = figure.subplots(1, 2, width_ratios=(3, 2))
view = Camera.at(azimuth=20.0, elevation=12.0)
drawn = []
for place, (text, x) in enumerate(rests.items()):
    at = x + 4.2 * place * view.right
    length = np.linalg.norm(
        np.diff(x[np.isclose(mesh.points[:, 1:], 0.5).all(axis=1)], axis=0), axis=1
    )
    drawn.append((mesh, at, np.linalg.norm(x - rests["all points"], axis=1)))
    label = f"{text}\n{length.sum():.2f} m along"
    left.text(view.project(at)[:, 0].mean(), 1.6, label, ha="center", fontsize=12)
draw_bodies(left, drawn, camera=view)
frame_picture(left, np.concatenate([at for _, at, _ in drawn] + [[(0, 2.6, 0)]]), camera=view)
for style, (text, path) in zip(("-", "--"), paths.items(), strict=True):
    right.plot(*path, style, label=text)
right.axvline(1.0, color="0.7", lw=1)
right.set(xlabel="s", ylabel="height of the tip [m]")
right.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "beam_bends_far_in_27_numbers.png", dpi=150)
