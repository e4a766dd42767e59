"""A flag of light cloth hangs from its pole until the wind takes it, and flutters.

0.12 kg/m^2 in gusts of 9 m/s that travel along it: air would bring such cloth to its own speed within
a hundredth of a second, and steps of a sixtieth are stable all the same, since drag is solved for.
"""

from pathlib import Path

import numpy as np

import pliant as pl
from pliant.io.rendering import pyvista

flat = pl.meshes.rectangle((1.5, 0.9), (20, 12))
mesh = pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)
flag = pl.Cloth(mesh, stretch=3000.0, shear=300.0, bend=1e-4, density=0.12)
flag.fix(mesh.points[:, 0] < 1e-9)
rng = np.random.default_rng(0)
flag.place(mesh.points + 1e-3 * rng.standard_normal(mesh.points.shape) * (mesh.points[:, :1] > 0))


def gusts(x, t):
    """The wind [m/s] at places x: it rises after a while, veers, and has eddies half a metre long."""
    speed, along = 9.0 * np.clip(2.0 * (t - 0.4), 0.0, 1.0), x[:, 0] - 5.4 * t
    eddy = 0.25 * np.sin(7.0 * along) + 0.15 * np.sin(12.6 * along + 6.3 * x[:, 1])
    return speed * np.stack([1.0 + 0 * eddy, 0.3 * eddy, 0.15 * np.sin(2.0 * t) + eddy], axis=1)


flag.push(wind=pl.Wind(gusts, friction=0.02))
take = pl.Scene([flag], gravity=(0, -9.81, 0)).run(seconds=2.5, dt=1 / 60)
print(f"longest thread: {flag.stretches().max() - 1:.2%} over its length")

pv = pyvista()
picture = pv.Plotter(off_screen=True, window_size=(1500, 470), lighting="none")
picture.set_background("#d9e4ec", top="#f7fafb")
bands = ["#1f4e5f", "#f4ede0", "#e07a3f"]
faces = np.insert(mesh.cells["tri3"], 0, 3, axis=1)
right, toward = np.array([0.89, 0.0, 0.45]), np.array([-0.44, 0.2, 0.88])  # of the camera
for place, second in enumerate((0.4, 0.8, 1.2, 2.3)):
    shift = 1.75 * place * right
    cloth = pv.PolyData(take.positions[round(60 * second)] + shift, faces)
    cloth["height"] = mesh.points[:, 1]
    picture.add_mesh(
        cloth.subdivide(3, "loop"), scalars="height", cmap=bands, n_colors=3,
        show_scalar_bar=False, smooth_shading=True, specular=0.1, ambient=0.22,
    )  # fmt: skip
    foot, top = shift + [-0.02, -1.6, 0], shift + [-0.02, 1.1, 0]
    pole = pv.Tube(pointa=foot, pointb=top, radius=0.02, n_sides=40)
    picture.add_mesh(pole, color="#8a8f94", smooth_shading=True, specular=0.5, ambient=0.3)
middle = 3.3 * right + [0.0, 0.12, 0.0]
picture.add_light(pv.Light(position=middle + [-6, 5, 6], focal_point=middle, intensity=0.85))
picture.add_light(pv.Light(position=middle + [5, 1, 5], focal_point=middle, intensity=0.25))
picture.camera_position = [middle + 12 * toward, middle, (0, 1, 0)]
picture.enable_parallel_projection()
picture.camera.parallel_scale = 1.08
picture.enable_anti_aliasing("ssaa")
Path("out").mkdir(exist_ok=True)
picture.screenshot(Path("out") / "flag_flutters_in_the_wind.png")
