"""A worm of springs crawls by changing the rest lengths of its muscles.

Waves run from its head to its tail: where one passes, the worm is short and thick and grips the
ground; in between it is long and thin and slides on. There is no contact yet, so gripping is done
by hand, as in clay animation: feet below the thick parts are set down, fixed, and let go again.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.drawing import draw_bodies, frame_picture

LENGTH, WAVES, PERIOD = 6.0, 2, 1.0  # [m], along the worm, [s]
mesh = pl.meshes.rectangle(size=(LENGTH, 0.5), cells=(36, 3))
ends = mesh.points[mesh.edges]
sides, middles = np.abs(ends[:, 1] - ends[:, 0]), ends.mean(axis=1)


def thickness(points, t):
    """How thick the worm is at points of its rest shape: -1 to 1."""
    return np.sin(2 * np.pi * (WAVES * points[:, 0] / LENGTH + t / PERIOD))


def muscles(t):
    """Rest lengths: shorter along the worm and longer across where it is thick."""
    strain = 0.3 * thickness(middles, t)[:, None] * [-1, 1]
    return np.linalg.norm(sides * (1 + strain), axis=1)


worm = pl.Springs(mesh, stiffness=200.0, rest=muscles, mass=0.01, damping=pl.Settle(0.1))
soles = mesh.points[:, 1] < 1e-9
scene, frames, grips = pl.Scene([worm]), [], []
for k in range(105):
    grip = soles & (thickness(mesh.points, k / 30) > 0.75)
    worm.release()
    worm.fix(grip)
    worm.place(np.where(grip[:, None] & [False, True], 0.0, worm.positions))
    frames.append(worm.positions)
    grips.append(grip)
    scene.run(seconds=1 / 30, dt=1 / 60, progress=False)

way = (frames[-1] - frames[0]).mean(axis=0)[0]
print(f"crawled {way:+.2f} m in {len(frames) / 30:.1f} s; rest lengths changed by up to 30 %")

figure = Figure(figsize=(10, 5.6), layout="constrained")
ax = figure.add_subplot()
shown = [(k, frames[k] - [0, k / 17]) for k in range(0, 105, 17)]
draw_bodies(ax, [(mesh, x, 0.5 + 0.5 * thickness(mesh.points, k / 30)) for k, x in shown])
for k, x in shown:
    ax.plot(*x[grips[k]].T, "^", color="#22303c", markersize=5)
    ax.text(-0.6, 0.1 - k / 17, f"{k / 30:.1f} s", ha="right", fontsize=12)
frame_picture(ax, np.concatenate([x for _, x in shown] + [np.array([(-1.4, 0.0)])]))
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "worm_crawls_by_its_muscles.png", dpi=150)
