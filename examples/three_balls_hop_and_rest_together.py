"""Three balls fall from different heights, hop once, twice and three times, and lie still together.

`rest_in` of what flies counts from its first touch, and its `bounces` are hops. So each ball asks for
the time that is left when it touches.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import pliant as pl

REST_AT, HEIGHTS = 1.0, (0.9, 0.5, 0.3)  # [s], [m]
mesh = pl.meshes.sphere(radius=0.08, cells=2)
balls = []
for hops, height in enumerate(HEIGHTS, start=1):
    ball = pl.Body(
        mesh, pl.StableNeoHookean(young=5e5, poisson=0.4), density=1000.0, name=f"{hops}"
    )
    ball.place(mesh.points + [0.3 * hops, height - mesh.points[:, 1].min(), 0.0])
    ball.damping = pl.Settle(rest_in=REST_AT - np.sqrt(2 * height / 9.81), bounces=hops)
    balls.append(ball)

scene = pl.Scene(balls, gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.3))
scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
take = scene.run(seconds=1.3, dt=1 / 60)

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
for ball in balls:
    track = take[ball]
    rests = track.since + track.rest_time()
    print(f"asked for hops: {ball.name}, at rest at {REST_AT} s; measured {rests:.3f} s")
    axes.plot(
        take.times, track.positions[:, :, 1].min(axis=1), label=f"hops asked for: {ball.name}"
    )
axes.axvline(REST_AT, color="0.6", linestyle="--")
axes.set(xlabel="time [s]", ylabel="clearance [m]")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/three_balls_hop_and_rest_together.png", dpi=120)
