"""A sheet hangs by its four corners, and position-based dynamics sweeps over it, often and less often.

The cloth is the same in every picture. Few sweeps a step leave it slack, as if it were rubber; more of
them come ever nearer to one answer, the implicit step's. With a tolerance the stepper sweeps until it
is there, and says how often that was. Colour is how far threads are stretched, up to 10 %.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

STEPPERS = {
    "5 sweeps": pl.XPBD(5, tolerance=None),
    "20 sweeps": pl.XPBD(20, tolerance=None),
    "100 sweeps": pl.XPBD(100, tolerance=None),
    "solved to 0.1 %": pl.XPBD(3000, tolerance=1e-3),
    "pl.Implicit": pl.Implicit(),
}
flat = pl.meshes.rectangle((1, 1), (10, 10))
mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)  # level: y is up
corners = (np.abs(mesh.points[:, [0, 2]] - 0.5) > 0.5 - 1e-9).all(axis=1)
noise = 1e-4 * np.random.default_rng(0).standard_normal(mesh.points.shape) * ~corners[:, None]

figure = Figure(figsize=(12, 2.4), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=20.0, elevation=14.0)
shown = []
for place, (name, stepper) in enumerate(STEPPERS.items()):
    cloth = pl.Cloth(mesh, stretch=1000.0, shear=100.0, bend=1e-3, density=0.2)
    cloth.place(mesh.points + noise)  # no cloth is so even that it cannot tell which way to fold
    cloth.fix(corners)
    cloth.damping = pl.Rayleigh(mass=8.0)
    take = pl.Scene([cloth], gravity=(0, -9.81, 0)).run(seconds=0.5, dt=1 / 60, stepper=stepper)
    sweeps = take.solver["iterations"].mean()
    stretch = np.zeros(len(mesh))
    np.maximum.at(stretch, mesh.cells["tri3"], cloth.stretches().max(axis=1)[:, None] - 1.0)
    depth = -1e3 * cloth.positions[:, 1].min()
    print(f"{name}: {sweeps:.0f} a step, lowest point {depth:.1f} mm down")
    at = cloth.positions + 1.25 * place * view.right
    shown.append((mesh, at, np.clip(stretch / 0.1, 0.0, 1.0)))
    across = view.project(at).mean(axis=0)[0]
    label = f"{name}\nthreads +{100 * stretch.max():.1f} %"
    ax.text(across, -0.48, label, ha="center", va="top", fontsize=13)
draw_bodies(ax, shown, camera=view)
frame_picture(ax, np.concatenate([x for _, x, _ in shown] + [[(0, -0.75, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "sheet_sags_less_with_every_sweep.png", dpi=150)
