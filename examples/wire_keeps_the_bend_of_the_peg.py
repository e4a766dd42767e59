"""Wires that were wound round a peg and are let go: each keeps what was bent beyond its yield strain.

Three wires of 1 mm on a peg of 40 mm: the first springs back to a line, the second by a third of the
bend, the last by next to nothing. All are asked to rest after a second.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import pliant as pl

PEG, RADIUS = 0.02, 0.5e-3
WIRES = {"yields at 5 %": 0.05, "yields at 0.8 %": 0.008, "yields at 0.1 %": 0.001}


def wound(rod):
    """Its points on a circle of the radius of the peg, but for the straight part that is held."""
    x = rod.mesh.points
    along = np.maximum(x[:, 0] - 0.01, 0.0)
    angle, out = along / PEG, PEG - x[:, 1]
    y = x.copy()
    y[:, 0] = np.minimum(x[:, 0], 0.01) + out * np.sin(angle)
    y[:, 1] = PEG - out * np.cos(angle)
    return y


figure = Figure(figsize=(10, 4), layout="constrained")
for k, (name, strain) in enumerate(WIRES.items()):
    points = np.linspace([0, 0, 0], [0.09, 0, 0], 46)
    wire = pl.Rod(points, young=1e9, radius=RADIUS, density=8000.0, yield_strain=strain, name=name)
    wire.fix(wire.node([0, 1]))
    wire.place(wound(wire))
    wire.damping = pl.Settle(rest_in=1.0)
    take = pl.Scene(wire, contact=False).run(seconds=1.2, dt=1 / 60)
    kept = wire.plastic.max() / (RADIUS / PEG)
    print(f"{name}: rested after {take.rest_time():.2f} s, {100 * kept:.0f} % of the bend is kept")
    ax = figure.add_subplot(1, 3, k + 1, aspect="equal")
    for frame in (0, 6, 15, 30, 72):
        x, y, _ = wire.along(take.positions[frame]).T
        shade = 0.8 * (1 - frame / 72)
        ax.plot(x, y, color=(shade, shade, 0.9), linewidth=2.5, label=f"{take.times[frame]:.1f} s")
    ax.add_patch(Circle((0.01, PEG), 0.95 * PEG, color="#ddd"))
    ax.set(title=name, xlim=(-0.015, 0.095), ylim=(-0.012, 0.085))
    ax.set_axis_off()
ax.legend(frameon=False)
Path("out").mkdir(exist_ok=True)
figure.savefig("out/wire_keeps_the_bend_of_the_peg.png", dpi=120)
