"""A wire that was wound as a spiral, pulled straight, and let go: it winds itself up again.

A curve of the plane that keeps its metric and its curvature. Held by its first two points, asked to
rest after 1.5 s without a bounce.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

turn = np.linspace(0, 2.5 * 2 * np.pi, 101)[::-1]
spiral = (0.15 + 0.03 * turn)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
pairs = np.stack([np.arange(100), np.arange(1, 101)], axis=1)
wire = pl.FormCurve(
    pl.Mesh(spiral, {"line": pairs}), metric=2e4, curvature=0.5, density=0.2, name="wire"
)
wire.fix([0, 1])
lengths = np.linalg.norm(np.diff(spiral, axis=0), axis=1)
way = (spiral[1] - spiral[0]) / lengths[0]
straight = spiral[0] + np.r_[0.0, np.cumsum(lengths)][:, None] * way
wire.place(straight)
wire.damping = pl.Settle(rest_in=1.5, bounces=0)
take = pl.Scene(wire).run(seconds=1.8, dt=1 / 60)
print(f"asked to rest after 1.5 s, rested after {take.rest_time():.3f} s")

figure = Figure(figsize=(6, 6.5), layout="constrained")
ax = figure.add_subplot(aspect="equal")
frames = [0, 6, 12, 18, 24, 36, 48, 66, 90]
for frame in frames:
    x, y = take.positions[frame].T
    shade = 0.85 * (1 - frame / frames[-1])
    ax.plot(x, y, color=(shade, shade, 0.9), linewidth=2.2, label=f"{take.times[frame]:.2f} s")
ax.plot(*spiral[:2].T, "s", color="#c23b22")
ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(-0.6, 1.0))
ax.set_axis_off()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/wire_springs_back_into_its_spiral.png", dpi=120)
