"""The flesh of an arm jiggles after its bones, and rests when it was asked to.

Two bones swing up within half a second. The skin shows what the bones say; the flesh is pushed by how
its points are accelerated, moves in twenty modes, and is at rest 0.6 s after the bones stand still.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl

SECONDS, REST_IN, DT = 0.5, 0.6, 1 / 120
spine = pl.shape.BSpline([[0, 0, 0], [0.5, 0, 0], [1, 0, 0], [1.5, 0, 0], [2, 0, 0]])
mesh = pl.meshes.tube(spine, lambda s: 0.2 + 0.1 * np.sin(2 * np.pi * s) ** 2, (24, 3))
bones = pl.shape.Skeleton(
    [[0, 0, 0], [1, 0, 0]], [-1, 0], names=["upper", "lower"], tails=[[1, 0, 0], [2, 0, 0]]
)
weights = pl.shape.bone_weights(bones, mesh.points)
skin = pl.shape.DualQuaternionSkin(bones, mesh.points, weights)
times = np.linspace(0, SECONDS, 31)
share = (times / SECONDS) ** 2 * (3 - 2 * times / SECONDS)
poses = [bones.pose({"upper": (0, 0, 40 * s), "lower": (0, 0, 70 * s)}) for s in share]
motion = pl.shape.SkeletonMotion(bones, times, poses)

body = pl.Body(mesh, pl.StableNeoHookean(young=1.5e5, poisson=0.4), name="flesh")
body.fix(pl.shape.on_bones(bones, mesh.points, 0.08, gap=0.15) >= 0)
soft = pl.Modal(body, modes=20)
pl.shape.carry(soft, skin, motion, dt=DT)
soft.damping = pl.Settle(rest_in=REST_IN, bounces=2)
take = pl.Scene([soft]).run(seconds=SECONDS + 0.8, dt=DT)
offsets = take.positions - mesh.points
print(f"rested {take.rest_time():.3f} s after the bones stood still, asked for {REST_IN} s")

figure = Figure(figsize=(11, 4), layout="constrained")
left, right = figure.subplots(1, 2)
edges = np.concatenate([mesh.boundary["tri3"][:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
for k, colour in zip(
    (0, 36, 64, len(take) - 1), ("#b9cfdd", "#f0b49e", "#e4572e", "#2e6f95"), strict=True
):
    x = skin(motion.at(take.times[k]), offsets[k])
    left.plot(*x[edges][..., :2].transpose(2, 1, 0), color=colour, linewidth=0.4)
    bone = np.stack([bones.joints, bones.tails])
    pose = motion.at(take.times[k])
    ends = np.einsum("bij,ebj->ebi", pose[..., :3], bone) + pose[..., 3]
    left.plot(ends[..., 0], ends[..., 1], color="#333333", linewidth=2)
left.set(aspect="equal", title="skin and flesh, and the bones")
right.plot(take.times, 1e3 * np.linalg.norm(offsets, axis=2).max(axis=1), color="#e4572e")
right.axvline(SECONDS, color="#999999", linestyle=":")
right.axvline(SECONDS + REST_IN, color="#333333", linestyle="--")
right.set(
    xlabel="time [s]", ylabel="beside the skin, at most [mm]", title="bones stand still; at rest"
)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "arm_jiggles_after_its_bones.png", dpi=120)
