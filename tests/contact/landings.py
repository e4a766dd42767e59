"""A box above a floor, and what is measured of its landing."""

import math

import numpy as np
from scipy.spatial.transform import Rotation

import pliant as pl
from tests.verification.rest_suite.meshes import filled_duck

G, SIZE = 9.81, 0.2
CUBE = pl.meshes.box((SIZE,) * 3, (2, 2, 2))
DUCK = pl.Mesh(SIZE * filled_duck()[0], {"tet": filled_duck()[1]}, repair=True)


def falling(
    *,
    height=0.5,
    young=1e5,
    rest_in=0.5,
    bounces=None,
    friction=0.0,
    turned=0.0,
    velocity=(0.0, 0.0, 0.0),
    slide=True,
    mesh=CUBE,
):
    """A scene of one body above a floor, `height` metres of air between them."""
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4), density=1000.0, name="box")
    axis = np.array([0.3, 0.2, 1.0])
    turn = Rotation.from_rotvec(turned * axis / np.linalg.norm(axis)).as_matrix()
    x = (mesh.points - mesh.points.mean(axis=0)) @ turn.T
    body.place(x + [0.0, height - x[:, 1].min(), 0.0])
    body.velocity = velocity
    body.damping = pl.Settle(rest_in=rest_in, bounces=bounces, slide=slide)
    scene = pl.Scene([body], gravity=(0, -G, 0), contact=pl.Contact(friction=friction))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
    return scene, body


def box_at(x, height, *, young=1e5, name):
    """A box with a lower edge at x, as high above the floor."""
    body = pl.Body(CUBE, pl.StableNeoHookean(young=young, poisson=0.4), density=1000.0, name=name)
    body.place(CUBE.points + [x, height, 0.0])
    return body


def falling_shape(shape, *, height, young, bounces):
    """A scene of one body of a shape, upright, so high above a floor."""
    soft, how = pl.StableNeoHookean(young=young, poisson=0.4), {"density": 1000.0, "name": shape}
    if shape == "cloth":
        flat = pl.meshes.rectangle((0.3, 0.3), (6, 6))
        mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
        stretch = 1e-3 * young  # one millimetre thick
        body = pl.Cloth(mesh, stretch=stretch, shear=0.3 * stretch, bend=1e-9 * young, density=0.2)
    elif shape == "rod":
        line = np.linspace(0.0, 0.4, 11)[:, None] * [1, 0, 0]
        body = pl.Rod(line, radius=0.01, young=young, poisson=0.4, **how)
    else:
        meshes = {"cube": CUBE, "ball": pl.meshes.sphere(radius=0.5 * SIZE, cells=2), "duck": DUCK}
        body = pl.Body(meshes[shape], soft, **how)
    x = np.array(body.positions)
    body.place(x + [0.0, height - x[:, 1].min(), 0.0])
    body.damping = pl.Settle(rest_in=0.5, bounces=bounces)
    return on_floor([body], friction=0.3), body


def draped(cells, *, rest_in, bounces, friction=0.4, aside=0.0):
    """A scene of a cloth of 1 m that falls 2 cm onto a ball of 0.3 m, and hangs down from it."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells))
    mesh = pl.Mesh(np.insert(flat.points - 0.5, 1, 0.0, axis=1), flat.cells)
    cloth = pl.Cloth(mesh, stretch=1000.0, shear=300.0, bend=1e-3, density=0.2)
    cloth.place(mesh.points + [aside, 0.32, 0.0])
    cloth.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    scene = pl.Scene([cloth], gravity=(0, -G, 0), contact=pl.Contact(friction=friction))
    scene.add(pl.Sphere((0, 0, 0), 0.3))
    return scene, cloth


def on_floor(bodies, friction=0.4):
    """A scene of bodies above a floor."""
    scene = pl.Scene(bodies, gravity=(0, -G, 0), contact=pl.Contact(friction=friction))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
    return scene


def square(*, degrees, speed, bounces, rest_in, friction=0.4):
    """A scene of a square of 4 x 4 cells in the plane that falls 0.3 m, askew, and flies along."""
    mesh = pl.meshes.rectangle((SIZE, SIZE), (4, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name="square")
    turn = Rotation.from_euler("z", degrees, degrees=True).as_matrix()[:2, :2]
    x = (mesh.points - mesh.points.mean(axis=0)) @ turn.T
    body.place(x + [0.0, 0.3 - x[:, 1].min()])
    body.velocity = (speed, 0.0)
    body.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    scene = pl.Scene([body], gravity=(0, -G), contact=pl.Contact(friction=friction))
    scene.add(pl.HalfSpace((0, 0), (0, 1), name="floor"))
    return scene, body


def run(scene, seconds, dt):
    return scene.run(seconds=round(seconds / dt) * dt, dt=dt, progress=False)


def speed_of_fall(height):
    return math.sqrt(2.0 * G * height)


def hop_heights(take, body):
    """The largest clearance from the floor in every flight after the first touch [m]."""
    track = take[body]
    low = track.positions[:, :, 1].min(axis=1)[track.begin :]
    tops = [b for a, b, c in zip(low[:-2], low[1:-1], low[2:], strict=True) if a <= b > c]
    return [top for top in tops if top > 2e-3 * SIZE]


def level_distance(take, body):
    """The distance to the last frame without what nothing holds: sliding, and turning on the spot."""
    track = take[body]
    m, last = track.masses, track.positions[-1]
    out = []
    for x in track.positions[track.begin :]:
        a, b = (y - m @ y / m.sum() for y in (x, last))
        cosine = m @ (a[:, 0] * b[:, 0] + a[:, 2] * b[:, 2])
        sine = m @ (a[:, 0] * b[:, 2] - a[:, 2] * b[:, 0])
        t = math.atan2(sine, cosine)
        a = a @ np.array([[math.cos(t), 0, math.sin(t)], [0, 1, 0], [-math.sin(t), 0, math.cos(t)]])
        a[:, 1], b[:, 1] = a[:, 1] + m @ x[:, 1] / m.sum(), b[:, 1] + m @ last[:, 1] / m.sum()
        out.append(math.sqrt(m @ ((a - b) ** 2).sum(axis=1)))
    return np.array(out)


def rest_of(take, body, *, friction):
    """When a body came to rest [s since its first touch]; without friction sliding does not count."""
    track = take[body]
    if friction:
        return track.rest_time()
    distance = level_distance(take, body)
    k = int(np.flatnonzero(distance > 0.01 * distance.max())[-1])
    return float(track.times[track.begin + k + 1] - track.since)
