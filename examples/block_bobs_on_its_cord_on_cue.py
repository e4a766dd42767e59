"""A block of rubber is let go on an elastic cord, and bobs as often as it was asked to.

The cord is springs and the block a solid. `pl.Tie` joins them: both make one step together, momentum is
kept, and each has its own wish.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

WISHES = ((0.8, 0, "#1b6ca8"), (1.6, 2, "#c8553d"), (2.4, 4, "#588157"))  # rest_in [s], bounces

x = np.zeros((21, 3))
x[:, 1] = -np.linspace(0, 1, 21)
line = pl.Mesh(x, {"line": np.stack([np.arange(20), np.arange(1, 21)], axis=1)})
box = pl.meshes.box((0.3, 0.3, 0.3), (3, 3, 3), origin=(-0.15, -1.3, -0.15))
top = int(np.argmin(np.linalg.norm(box.points - [0.05, -1.0, 0.05], axis=1)))

takes = []
for rest_in, bounces, _ in WISHES:
    cord = pl.Springs(line, stiffness=6e3, mass=0.005, name="cord")
    block = pl.Body(box, pl.StableNeoHookean(young=1e5, poisson=0.4), density=300.0, name="block")
    cord.fix([0])
    scene = pl.Scene([cord, block], gravity=(0, -9.81, 0))
    scene.add(pl.Tie(cord, [20], block, [top]))
    for body in scene.bodies:
        body.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    takes.append((scene.run(seconds=3.0, dt=1 / 120), cord, block))

figure = Figure(figsize=(12, 3.4), layout="constrained")
strip, curves = figure.subplots(1, 2, width_ratios=(1.6, 1))
front = np.flatnonzero(box.points[:, 2] > 0.15 - 1e-9)
rim = front[[0, 3, 15, 12, 0]]  # the corners of the side that is seen
for (take, cord, block), (rest_in, bounces, colour) in zip(takes, WISHES, strict=True):
    height = take[block].positions[:, top, 1]
    curves.plot(take.times, height, color=colour, label=f"{rest_in:g} s, {bounces} bounces")
    curves.plot(rest_in, height[-1], "o", color=colour)
    print(f"asked {rest_in:g} s: the block rests after {take[block].rest_time():.2f} s")
    for frame in range(0, len(take), 24) if bounces == 2 else ():
        aside = [2.2 * take.times[frame], 0]
        strip.plot(*(take[cord].positions[frame, :, :2] + aside).T, color=colour, linewidth=0.8)
        strip.fill(*(take[block].positions[frame, rim, :2] + aside).T, color=colour, alpha=0.85)
strip.set(aspect="equal", yticks=[], xticks=2.2 * np.arange(4.0), xticklabels=range(4))
strip.set(xlabel="time [s]", title="asked: 1.6 s, 2 bounces")
curves.set(xlabel="time [s]", ylabel="height of the knot [m]")
curves.legend(frameon=False)
curves.spines[["top", "right"]].set_visible(False)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "block_bobs_on_its_cord_on_cue.png", dpi=110)
