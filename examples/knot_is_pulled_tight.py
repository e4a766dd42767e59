"""A knot in a soft rope is pulled tight: the rope touches itself, and friction holds it.

The rope is a rod in the shape of a trefoil that was cut open. Its ends are drawn apart, and the knot
gathers. Its thickness counts, and it never passes through itself.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

SCALE, RADIUS, NODES, PULL, SECONDS = 0.03, 0.009, 90, 0.35, 0.6  # [m], [m], -, [m], [s]
t, w = np.linspace(np.pi, 3 * np.pi, 400), np.linspace(-1, 1, 400)
knot = [np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), 0.9 * w - 1.3 * np.sin(3 * t)]
fine = SCALE * np.stack(knot, axis=1)
along = (fine[1] - fine[0]) / np.linalg.norm(fine[1] - fine[0])
tail = 5 * SCALE * np.linspace(1, 0, 100, endpoint=False)[:, None] * along
fine = np.concatenate([fine[0] - tail, fine, fine[-1] + tail[::-1]])
length = np.append(0.0, np.linalg.norm(np.diff(fine, axis=0), axis=1).cumsum())
even = np.linspace(0.0, length[-1], NODES)
curve = np.stack([np.interp(even, length, x) for x in fine.T], axis=1)

rope = pl.Rod(curve, radius=RADIUS, young=1e6, poisson=0.3, density=500.0, name="rope")
rope.damping = pl.Rayleigh(mass=8.0)
for node, sign in ((0, -1), (NODES - 1, 1)):
    start = rope.positions[rope.node(node)]
    there = start + sign * PULL * along
    rope.move(rope.node(node), (np.array([0.0, SECONDS]), np.stack([start, there])))
scene = pl.Scene([rope], contact=pl.Contact(friction=0.3))
take = scene.run(seconds=SECONDS, dt=1 / 60)

figure, view = (
    Figure(figsize=(8, 6), layout="constrained"),
    Camera.at(azimuth=-50.0, elevation=10.0),
)
for k, frame in enumerate((0, len(take) // 2, len(take) - 1)):
    at, ax = rope.skin.positions(take.positions[frame]), figure.add_subplot(3, 1, k + 1)
    draw_bodies(ax, [(rope.skin.surface, at, np.zeros(len(at)))], camera=view)
    frame_picture(ax, at, camera=view)
    ax.set_title(f"{take.times[frame]:.2f} s", fontsize=10)
touching = take.contacts[-1]
most = touching.normal_forces.max()
print(f"the rope touches itself at {len(touching)} places, with {most:.1f} N at most")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/knot_is_pulled_tight.png", dpi=120)
