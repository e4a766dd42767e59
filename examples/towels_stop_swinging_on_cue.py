"""Three towels on a line are lifted and let go; each stops swinging when it was asked to.

`swing=False` brings to rest what would otherwise swing on, as everything does that hangs by a point or a
line: a hinge leaves a rigid motion, and damping leaves that alone unless it is asked not to.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

WISHES = ((0.8, 0, "#1b6ca8"), (1.6, 2, "#c8553d"), (2.4, 4, "#588157"))  # rest_in [s], bounces

flat = pl.meshes.rectangle((0.6, 1), (6, 10))
mesh = pl.Mesh(np.insert(flat.points - [0, 1], 2, 0.0, axis=1), flat.cells)  # hangs down from y = 0
_, y, _ = mesh.points.T
lifted = np.stack([mesh.points[:, 0], 0.5 * y, -np.sqrt(0.75) * y], axis=1)  # by 60 degrees
towels = []
for rest_in, bounces, _ in WISHES:
    towel = pl.Cloth(mesh, stretch=3000.0, shear=600.0, bend=2e-3, density=0.4)
    towel.fix(y > -1e-9)
    towel.place(lifted)
    towel.damping = pl.Settle(rest_in=rest_in, bounces=bounces, swing=False)
    towels.append(towel)
take = pl.Scene(towels, gravity=(0, -9.81, 0)).run(seconds=3.0, dt=1 / 120)

figure = Figure(figsize=(12, 3), layout="constrained")
views = figure.subplots(1, 4, width_ratios=(1, 1, 1, 1.6))
column = np.flatnonzero(mesh.points[:, 0] < 1e-9)
hem = column[np.argmin(y[column])]
for ax, towel, (rest_in, bounces, colour) in zip(views, towels, WISHES, strict=False):
    track = take[towel]
    frames = np.flatnonzero(take.times <= rest_in)[::6]
    for frame in frames:
        side = track.positions[frame, column]
        ax.plot(side[:, 2], side[:, 1], color=colour, alpha=0.15 + 0.85 * frame / frames[-1])
    ax.set(xlim=(-0.65, 0.95), ylim=(-1.15, 0.1), aspect="equal", xticks=[], yticks=[])
    ax.set_title(f"{rest_in:g} s, {bounces} swings", color=colour)
    views[3].plot(take.times, track.positions[:, hem, 2], color=colour)
    views[3].plot(rest_in, 0.0, "o", color=colour)
    print(f"asked {rest_in:g} s: at rest after {track.rest_time():.2f} s")
views[3].set(xlabel="time [s]", ylabel="hem, aside [m]")
views[3].spines[["top", "right"]].set_visible(False)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "towels_stop_swinging_on_cue.png", dpi=150)
