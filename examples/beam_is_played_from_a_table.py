"""A beam that is pushed at random for forty seconds, and then played from what was recorded.

Three pushes come in states that no entry began in. Left: the tip as it is simulated, as it is played,
and as the nearest entry alone has it. Right: how errors fall with the number of entries.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

DT, AT = 1 / 60, (0.0, 0.35, 0.8)  # of a frame, and of pushes [s]
mesh = pl.meshes.box((4, 1, 1), (16, 4, 4))
tip = mesh.points[:, 0] > 4.0 - 1e-9
push = pl.Excite(on=tip, force=(0, -120, 0), seconds=0.2)
full = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.3))
full.fix(mesh.points[:, 0] < 1e-9)
body = pl.Subspace(full, damping=pl.Rayleigh(mass=1.5))
table = pl.Responses.record(pl.Scene(body), [push], seconds=40)
report = table.report()
print(report)

body.push(force=lambda t: push.vector * any(a < t - DT / 2 < a + 0.2 for a in AT), on=tip)
take = pl.Scene(body).run(seconds=1.6, dt=DT)
entries, corner = table.entries, int(mesh.points.sum(axis=1).argmax())
row = table.columns[3 * corner + 1]
player, played, nearest = table.player(points=[corner]), [], []
for k, t in enumerate(take.times):
    height = player.positions(float(t))[0, 1]
    if any(abs(t - a) < 0.5 * DT for a in AT):
        state, begin = player.state, k
        near = entries.after[entries.nearest(0, state)]
        player.excite(0)
    played.append(height - table.rest[corner, 1])
    nearest.append(row @ near[min(k - begin, len(near) - 1), : entries.rank])
truth = take.positions[:, corner, 1] - table.rest[corner, 1]
error = np.sqrt(np.mean((np.array(played) - truth) ** 2) / np.mean(truth**2))
print(f"{100 * error:.2f} % of the motion away from the simulation")

figure = Figure(figsize=(12, 4), layout="constrained")
left, right = figure.subplots(1, 2, width_ratios=(3, 2))
left.plot(take.times, nearest, ":", label="nearest entry alone", color="C1")
left.plot(take.times, truth, label="simulated", color="C0")
left.plot(take.times, played, "k--", label="played", lw=1)
left.set(xlabel="s", ylabel="way of the tip [m]")
left.legend()
counts, near, both, _ = zip(*report.counts, strict=True)
right.semilogy([str(n) for n in counts], near, "C1o:", label="nearest entry alone")
right.semilogy([str(n) for n in counts], both, "ko--", label="played")
right.set(xlabel="entries", ylabel="error over the motion", ylim=(1e-3, 2))
right.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "beam_is_played_from_a_table.png", dpi=150)
