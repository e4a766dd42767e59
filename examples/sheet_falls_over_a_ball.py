"""A tablecloth falls over a ball and folds; its corners swing out within some seconds.

The ball is an obstacle of the scene: the cloth feels it within 6 mm, rubs on it, and no point of it
ends a step inside. Nothing else damps it than the air around it and the step itself.
"""

from pathlib import Path

import numpy as np

import pliant as pl
from pliant.io.rendering import pyvista

RADIUS = 0.3
flat = pl.meshes.rectangle((1.2, 1.2), (20, 20), origin=(-0.6, -0.6))
mesh = pl.Mesh(np.insert(flat.points, 1, RADIUS + 0.02, axis=1), flat.cells)
cloth = pl.Cloth(mesh, stretch=3000.0, shear=200.0, bend=1e-4, density=0.25)
rng = np.random.default_rng(0)
cloth.place(mesh.points + 1e-3 * rng.random(mesh.points.shape))  # no cloth is perfectly even
cloth.push(wind=pl.Wind((0, 0, 0), friction=0.1))
scene = pl.Scene([cloth], gravity=(0, -9.81, 0))
scene.add(pl.Sphere((0, 0, 0), RADIUS, margin=0.006, friction=0.4))
take = scene.run(seconds=1.6, dt=1 / 60)
away = np.linalg.norm(take.positions, axis=2).min() - RADIUS
print(f"nearest to the ball: {1000 * away:.1f} mm; fastest at the end: "
      f"{np.linalg.norm(take.velocities[-1], axis=1).max():.2f} m/s")  # fmt: skip

pv = pyvista()
picture = pv.Plotter(off_screen=True, window_size=(1500, 470), lighting="none")
picture.set_background("#d9e4ec", top="#f7fafb")
faces = np.insert(mesh.cells["tri3"], 0, 3, axis=1)
right, toward = np.array([0.92, 0.0, 0.39]), np.array([-0.36, 0.38, 0.85])  # of the camera
for place, second in enumerate((0.15, 0.35, 1.6)):
    shift = 1.5 * place * right
    sheet = pv.PolyData(take.positions[round(60 * second)] + shift, faces).subdivide(2, "loop")
    picture.add_mesh(sheet, color="#d9694f", smooth_shading=True, specular=0.08, ambient=0.15)
    ball = pv.Sphere(radius=RADIUS, center=shift, theta_resolution=80, phi_resolution=80)
    picture.add_mesh(ball, color="#3d5a80", smooth_shading=True, specular=0.4, ambient=0.2)
middle = 1.44 * right
picture.add_light(pv.Light(position=middle + [-4, 5, 2], focal_point=middle, intensity=0.85))
picture.add_light(pv.Light(position=middle + [4, 2, 6], focal_point=middle, intensity=0.3))
picture.camera_position = [middle + 12 * toward, middle, (0, 1, 0)]
picture.enable_parallel_projection()
picture.camera.parallel_scale = 0.72
picture.enable_anti_aliasing("ssaa")
Path("out").mkdir(exist_ok=True)
picture.screenshot(Path("out") / "sheet_falls_over_a_ball.png")
