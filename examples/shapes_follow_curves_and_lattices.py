"""A tube follows a knot, a ribbon a curve; a pillar is tapered, twisted, bent, and in a lattice."""

from pathlib import Path

import numpy as np
import pyvista as pv

import pliant as pl

t = np.linspace(0, 2 * np.pi, 121)
knot = [np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)]
rise = pl.shape.BSpline([[0, 0, 0], [2, 0, 0.5], [2, 2, 1], [0, 2, 1.5], [0, 0, 2], [2, 0, 2.5]])
pillar = pl.meshes.box((4, 1, 1), (32, 8, 8), kind="hex")
end = (0, 0.5, 0.5)
lattice = pl.shape.Lattice(pillar, divisions=(5, 3, 3))
lattice.points[2] = (lattice.points[2] - (2, 0.5, 0.5)) * (1, 2, 2) + (2, 0.5, 0.5)
lattice.points[4, :, 2] += (0.8, 0.4, 0)
twisted = pl.shape.twist(pillar.points, 180, about=end)
shapes = {
    "tube around a knot": pl.meshes.tube(np.stack(knot, axis=1), 0.3, (1, 3), kind="quad"),
    "ribbon": pl.meshes.ribbon(rise, 0.6, (80, 6), kind="quad"),
    "tube that gets thin": pl.meshes.tube(rise, lambda s: 0.35 - 0.3 * s, (60, 3), kind="quad"),
    "tapered": pl.Mesh(pl.shape.taper(pillar.points, 0.3, about=end), pillar.cells),
    "twisted and bent": pl.Mesh(pl.shape.bend(twisted, 120, about=end), pillar.cells),
    "in a lattice": pl.Mesh(lattice.positions, pillar.cells),
}
plotter = pv.Plotter(off_screen=True, shape=(2, 3), window_size=(1500, 900), border=False)
for i, (name, mesh) in enumerate(shapes.items()):
    plotter.subplot(i // 3, i % 3)
    quads = (mesh.boundary if mesh.cell_dim == 3 else mesh.cells)["quad4"]
    colour = "#8fb7cf" if i < 3 else "#e4572e"
    plotter.add_mesh(pv.PolyData.from_regular_faces(mesh.points, quads), color=colour,
                     show_edges=True)  # fmt: skip
    plotter.add_text(name, font_size=11, color="#333333")
    plotter.view_vector((0.4, 0.5, 1), (0, 1, 0))
    plotter.camera.zoom(1.15)
    print(f"{name}: {len(mesh.points)} points")
Path("out").mkdir(exist_ok=True)
plotter.screenshot(Path("out") / "shapes_follow_curves_and_lattices.png")
