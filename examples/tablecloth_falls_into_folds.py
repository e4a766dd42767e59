"""A round cloth lies on a round table, and what hangs over falls into folds.

The cloth keeps its two fundamental forms: `metric` holds its lengths, so that its rim is too long
for a smooth skirt, and `curvature` says how wide the folds are.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

grid = pl.meshes.rectangle((2 * np.pi, 0.4), (64, 8), kind="quad", origin=(0, 0.4))
turn, r = grid.points.T  # rolled to the ring that is not on the table, level: y is up
ring = np.stack([r * np.cos(turn), 0 * r, r * np.sin(turn)], axis=1)
mesh = pl.Mesh(ring, grid.cells, repair=True)  # joined where it meets itself
held = np.hypot(*mesh.points[:, [0, 2]].T) < 0.46  # two rows: they leave the table level
noise = 2e-3 * np.random.default_rng(0).standard_normal(mesh.points.shape)
table = pl.meshes.disk(0.4)
top = np.insert(table.points, 1, 0.0, axis=1)

quads = np.asarray(mesh.cells["quad4"])
sides = np.concatenate([quads, quads[:, ::-1]])  # a cloth is seen from both
triangles = np.asarray(table.cells["tri3"])[:, ::-1]
figure = Figure(figsize=(12, 4.4), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=25.0, elevation=24.0)
shown = []
for place, curvature in enumerate((1e-3, 2e-2)):
    cloth = pl.FormSurface(mesh, metric=2000.0, curvature=curvature, density=0.3)
    cloth.place(mesh.points + noise * ~held[:, None])
    cloth.fix(held)
    cloth.damping = pl.Rayleigh(mass=4.0)  # the air
    take = pl.Scene([cloth], gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 30)
    x, aside = take.positions[-1], 1.5 * place * view.right
    depth = np.clip(-x[:, 1], 0.0, 0.5)
    surface = pl.Surface(x + aside, np.full(len(sides), 4), sides.ravel())
    board = pl.Surface(top + aside, np.full(len(triangles), 3), triangles.ravel())
    shown += [(surface, x + aside, depth), (board, top + aside, np.zeros(len(top)))]
    middle, _ = view.project(x + aside).mean(axis=0)
    ax.text(middle, -0.7, f"curvature = {curvature:g} N m", ha="center", fontsize=13)
    print(f"{curvature:g} N m: hangs down by {-x[:, 1].min():.2f} m")
draw_bodies(ax, shown, camera=view)
frame_picture(ax, np.concatenate([at for _, at, _ in shown] + [[(0, -0.65, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "tablecloth_falls_into_folds.png", dpi=120)
