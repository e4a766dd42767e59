"""A net hangs by its upper edge and is cut, thread by thread, while it hangs.

Every spring is a thread; weak ones across the meshes keep them from closing up. The knife runs from
the left; what it has passed hangs by the threads that are left, and is still in the time that was
asked for. Colours show how far threads are stretched.
"""

from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.drawing import colours, frame_picture

mesh = pl.meshes.rectangle(size=(3, 2), cells=(18, 12), kind="tri")
ends = mesh.points[mesh.edges]
straight = (np.abs(ends[:, 1] - ends[:, 0]) < 1e-9).any(axis=1)
stiffness = np.where(straight, 80.0, 20.0)
net = pl.Springs(mesh, stiffness=stiffness, mass=0.01, damping=pl.Settle(0.8, bounces=0))
net.fix(mesh.points[:, 1] > 2 - 1e-9)
scene = pl.Scene([net], gravity=(0, -9.81))

pictures = []


def keep(words):
    """Remember the threads that are whole, where they are now."""
    drawn = np.linalg.norm(np.diff(mesh.points[net.pairs], axis=1)[:, 0], axis=1)
    pictures.append((words, net.positions[net.pairs], net.lengths() / drawn - 1))


scene.run(seconds=0.8, dt=1 / 60, progress=False)
keep("hangs")
for k in range(14):
    scene.run(seconds=1 / 30, dt=1 / 60, progress=False)
    x, y = np.moveaxis(mesh.points[net.pairs], 2, 0)
    net.cut((x.mean(axis=1) < k / 6 + 0.1) & (y.min(axis=1) < 1.1) & (y.max(axis=1) > 1.1))
    if k == 7:
        keep("half way")
keep("the last cut")
take = scene.run(seconds=1.2, dt=1 / 60, progress=False)
keep("at rest")

print(f"{len(net.pairs)} threads of {len(mesh.edges)} are whole")
print(f"asked to rest 0.8 s after the last cut, rested in {take.rest_time():.2f} s")

figure = Figure(figsize=(12, 4.4), layout="constrained")
for ax, (words, threads, stretch) in zip(figure.subplots(1, 4), pictures, strict=True):
    lines = LineCollection(threads, colors=colours()(stretch / 0.25), linewidths=0.9)
    ax.add_collection(lines)
    frame_picture(ax, np.array([(-0.2, -2.3), (3.5, 2.1)]))
    ax.set_title(words, fontsize=13)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "net_is_cut_while_it_hangs.png", dpi=150)
