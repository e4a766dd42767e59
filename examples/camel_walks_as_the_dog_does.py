"""A camel walks as the dog does, though it has other points, longer legs and no skeleton."""

from pathlib import Path

import numpy as np
import pyvista as pv

import pliant as pl

LEGS = {(-0.6, 0.2): 0.0, (0.5, 0.2): 0.25, (-0.6, -0.2): 0.5, (0.5, -0.2): 0.75}  # and when


def animal(leg, neck, brick):
    """Skeleton, surface, and points that another animal has too [m]."""
    y, nape = leg + 0.12, (0.6 + 0.6 * neck, leg + 0.12 + neck, 0)
    parts = [(-1, (-0.6, y, 0), (0, y, 0), 0.24), (0, (0, y, 0), (0.6, y, 0), 0.26)]
    parts += [(1, (0.6, y, 0), nape, 0.13), (2, nape, (nape[0] + 0.4, nape[1] - 0.1, 0), 0.12)]
    for x, z in LEGS:
        parts += [(int(x > 0), (x, leg, z), (x, leg / 2, z), 0.11)]
        parts += [(len(parts) - 1, (x, leg / 2, z), (x, 0, z), 0.08)]
    parents, joints, tails, radii = (np.array(row) for row in zip(*parts, strict=True))
    bones = pl.shape.Skeleton(joints, parents, tails=tails)
    count = np.ceil(np.array([3.2, 2.8, 1.0]) / brick)
    grid = pl.meshes.box(brick * count, count, kind="hex", origin=(-1.4, -0.2, -0.5))
    cells = grid.cells["hex8"]
    cells = cells[(bones.distances(grid.points[cells].mean(axis=1)) < radii).any(axis=1)]
    mesh = pl.Mesh(grid.points, {"hex": cells}, repair=True)
    bare = pl.Surface.of(mesh.points, mesh.boundary["quad4"]).welded()
    x, after = bare.points, bare.corners[bare.following]
    for _ in range(6):  # the bricks become smooth
        sums = [np.bincount(bare.corners, x[after, k]) for k in range(3)]
        x = (x + np.stack(sums, axis=1) / np.bincount(bare.corners)[:, None]) / 2
    found = [np.linalg.norm(x - p, axis=1).argmin() for p in [*tails[3:], (-9, y, 0)]]
    return bones, pl.Surface(x, bare.sizes, bare.corners), found


def step(t):
    """The pose of the walk at t, one cycle a second."""
    angles = 2 * np.pi * (t - np.array([*LEGS.values()]))
    thighs = {f"bone{4 + 2 * i}": (0, 0, 22 * np.sin(a)) for i, a in enumerate(angles)}
    shanks = {f"bone{5 + 2 * i}": (0, 0, -12 - 12 * np.cos(a)) for i, a in enumerate(angles)}
    return bones.pose(thighs | shanks)


bones, dog, on_dog = animal(0.8, 0.5, 0.06)
_, camel, on_camel = animal(1.1, 0.8, 0.05)
skin = pl.shape.LinearSkin(bones, dog.points, pl.shape.bone_weights(bones, dog.points))
walk = pl.shape.as_take(dog, np.arange(24) / 24, lambda k: skin(step(k / 24)), name="dog")
take = pl.shape.transfer(walk, camel, list(zip(on_dog, on_camel, strict=True)))
plotter = pv.Plotter(off_screen=True, shape=(2, 3), window_size=(1500, 900), border=False)
for i, found in enumerate([walk, walk, walk, take, take, take]):
    plotter.subplot(i // 3, i % 3)
    shown = found.tracks[0].skin
    x, faces = shown.positions(found.positions[6 * (i % 3)]), shown.surface.corners.reshape(-1, 4)
    drawn = pv.PolyData.from_regular_faces(x, faces)
    plotter.add_mesh(drawn, color="#8fb7cf" if found is walk else "#e4572e", show_edges=True)
    plotter.camera_position = [(0.3, 1, 5.5), (0.1, 0.9, 0), (0, 1, 0)]
Path("out").mkdir(exist_ok=True)
plotter.screenshot(Path("out") / "camel_walks_as_the_dog_does.png")
