"""Nearly incompressible cells lock when they are linear, and not when they are quadratic.

Cook's membrane, clamped at the left and pushed up at the right, in plane strain with a Poisson's
ratio of 0.499, on the same 17 x 17 points. Dashed: where a fine mesh of quad9 puts the
outline; coral: how far the points have moved.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.drawing import INK, draw_bodies, draw_outline, frame_picture

SLANT = [[0, 1, 2], [0, 2, 3]]  # one diagonal for all: mirrored ones would hardly lock


def cook(kind, cells, poisson):
    """The mesh, where its points come to rest, and how far the middle of the free end rose."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells), kind="quad")
    x, y = flat.points.T
    points = np.stack([48 * x, 44 * x + y * (44 - 28 * x)], axis=1)
    quads = flat.cells["quad4"]
    cells = (
        {"quad": quads} if "quad" in kind else {"tri": np.concatenate([quads[:, s] for s in SLANT])}
    )
    mesh = pl.Mesh(points, cells)
    mesh = pl.meshes.quadratic(mesh) if kind in ("tri6", "quad9") else mesh
    body = pl.Body(mesh, pl.Linear(young=1.0, poisson=poisson))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.push(traction=(0, 1 / 16), on=mesh.points[:, 0] > 48 - 1e-9)
    rest = pl.Scene(body).equilibrium().positions[0]
    end = np.linalg.norm(mesh.points - [48, 52], axis=1).argmin()
    return mesh, rest, (rest - mesh.points)[end, 1]


kinds = {"tri3": 16, "quad4": 16, "tri6": 8, "quad9": 8}
fine_mesh, fine_rest, fine = cook("quad9", 32, 0.499)
figure = Figure(figsize=(12, 3.6), layout="constrained")
for ax, (kind, cells) in zip(figure.subplots(1, 4), kinds.items(), strict=True):
    mesh, rest, rise = cook(kind, cells, 0.499)
    compressible = cook(kind, cells, 0.3)[2] / cook("quad9", 32, 0.3)[2]
    print(f"{kind}: {rise / fine:.0%} of the deflection at 0.499, {compressible:.0%} at 0.3")
    share = np.clip(np.linalg.norm(rest - mesh.points, axis=1) / fine, 0, 1)
    draw_bodies(ax, [(mesh, rest, share)])
    draw_outline(ax, fine_mesh, fine_rest, colors=INK, zorder=3)
    frame_picture(ax, np.concatenate([fine_rest, fine_mesh.points]))
    ax.set_title(f"{kind}: {rise / fine:.0%}", fontsize=14)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "quadratic_cells_do_not_lock.png", dpi=150)
