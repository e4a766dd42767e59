"""A steel rod of 1 m at 5 m/s hits one of 2 m that stands still, and stops dead.

Colour is the stress: where and when. Waves run into both rods, turn round at their free ends and
come back as tension; the rods part when the wave in the short one is home, 2L/c after they met. The
long rod leaves with half of the speed and goes on ringing. Dashed: Saint-Venant's answer.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

LENGTHS, SPEED, RADIUS, CELLS = (1.0, 2.0), 5.0, 0.01, 200  # elements per metre

points, pairs, start = [], [], 0
for length, left in zip(LENGTHS, (0.0, 1.0 + 2 * RADIUS + 1e-6), strict=True):
    x = left + np.linspace(0, length, round(CELLS * length) + 1)
    points.append(np.stack([x, np.zeros_like(x)], axis=1))
    pairs.append(start + np.stack([np.arange(len(x) - 1), np.arange(1, len(x))], axis=1))
    start += len(x)
mesh = pl.Mesh(np.concatenate(points), {"line": np.concatenate(pairs)})
rods = pl.ImpactRods(mesh, young=2e11, density=7800.0, radius=RADIUS)
short = mesh.components == mesh.components[0]
rods.velocity = np.where(short[:, None], [SPEED, 0.0], 0.0)
dt = 0.9 * pl.Impact().longest_dt(rods.system())
take = pl.Scene(rods).run(seconds=6.0 / rods.sound, dt=dt, stepper=pl.Impact())

stress = 1e-6 * rods.stresses(take.positions)  # MPa
middles = mesh.points[rods.rods].mean(axis=1)[:, 0]
time = 1e3 * take.times
means = [take.velocities[:, p, 0] @ rods.masses[p] / rods.masses[p].sum() for p in (short, ~short)]
print(f"sound travels at {rods.sound:.0f} m/s; the rods touch for {2e3 / rods.sound:.3f} ms")
print(f"velocities after: {means[0][-1]:.3f} and {means[1][-1]:.3f} m/s, of 0 and 2.5")

figure = Figure(figsize=(11, 4.6), layout="constrained")
waves, speeds = figure.subplots(1, 2, sharey=True, width_ratios=(2.2, 1))
limit = 0.55e-6 * 7800.0 * rods.sound * SPEED
for rod in (middles < 1.0, middles > 1.0):
    colours = waves.pcolormesh(
        middles[rod], time, stress[:, rod], cmap="RdBu_r", vmin=-limit, vmax=limit, rasterized=True
    )
waves.set(
    xlabel="along the rods [m]", ylabel="time [ms]", title="stress: blue is pressed, red pulled"
)
figure.colorbar(colours, ax=waves, label="MPa")
parting = 2e3 / rods.sound
for mean, after, colour in zip(means, (0.0, 2.5), ("tab:orange", "tab:green"), strict=True):
    speeds.plot(mean, time, color=colour, label=f"{LENGTHS[after > 0]:.0f} m rod")
    speeds.plot([mean[0], after, after], [0.0, parting, time[-1]], "--", color="black", lw=0.9)
speeds.set(xlabel="mean velocity [m/s]", title="momentum changes hands")
speeds.legend(frameon=False)
speeds.text(5.0, parting + 0.01, "they part, 2L/c", ha="right", color="grey")
for ax in (waves, speeds):
    ax.axhline(parting, color="grey", lw=0.8)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "short_rod_stops_dead_on_a_long_one.png", dpi=150)
