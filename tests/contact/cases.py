"""Scenes of contact whose answers are known."""

from __future__ import annotations

import numpy as np

import pliant as pl
from tests.contact.in_scenes import box, floor


def shaken(body, seed, size=1e-6):
    """The body with noise [m] from a seed; None: without."""
    if seed is not None:
        noise = np.random.default_rng(seed).standard_normal(body.positions.shape)
        body.place(body.positions + size * noise)
    return body


def turn(angle):
    """The matrix that turns rows about y: x goes towards z by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def solid(
    mesh, points, young, seed=None, *, poisson=0.3, density=1000.0, kind=pl.StableNeoHookean, **how
):
    """A body of a mesh that is placed elsewhere."""
    material = kind(young=young, poisson=poisson)
    body = pl.Body(pl.Mesh(points, mesh.cells), material, density=density, **how)
    return shaken(body, seed)


def scene_of(bodies, *obstacles, gravity=(0, 0, -9.81), **how):
    scene = pl.Scene(bodies, gravity=gravity, contact=pl.Contact(**how))
    scene.add(*obstacles)
    return scene


#: Length and thickness of the ladder [m].
LADDER = 0.5, 0.02


def ladder(friction, degrees, seed=None, young=1e7):
    """A plank that leans against a wall, at an angle over the floor."""
    length, thick = LADDER
    mesh = pl.meshes.box((length, 0.05, thick), (10, 1, 1))
    up = (mesh.points - [0, 0, thick]) @ turn(np.radians(180.0 - degrees))
    up -= [up[:, 0].min() - 2e-4, 0, up[:, 2].min() - 2e-4]
    body = solid(mesh, up, young, seed, name="ladder")
    wall = pl.HalfSpace((0, 0, 0), (1, 0, 0), name="wall")
    return scene_of([body], floor(), wall, friction=friction)


def holding_friction(degrees):
    """The least friction [-] with which the ladder stays.

    tan a (mu + t/(2 L) (1 + mu^2)) = (1 - mu^2)/2: it touches with its lower side, over which its
    middle is half its thickness t high.
    """
    length, thick = LADDER
    tan, slim = np.tan(np.radians(degrees)), thick / (2 * length)
    return max(np.roots([0.5 + tan * slim, tan, tan * slim - 0.5]))


def tower(count, seed=None, young=1e7):
    """Boxes of 3^3 cells on each other, a little askew.

    Ten of them with E = 1e6 Pa buckle under their own weight: a column of 1.4 m does.
    """
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (3, 3, 3))
    boxes = []
    for k in range(count):
        at = 0.004 * (k % 3), 0.003 * (k % 2), 0.0002 + 0.2002 * k  # noise must not reach the floor
        body = box(*at, mesh=mesh, young=young, name=f"{k}")
        boxes.append(shaken(body, None if seed is None else 100 * seed + k))
    for body in boxes:
        body.damping = pl.Rayleigh(mass=5.0)  # or it sways for seconds
    return scene_of(boxes, floor(), friction=0.3)


def arch(friction, seed=None, stones=25, thick=0.2, young=1e9):
    """Stones of a half circle of radius 1 m, between two that are held."""
    mesh, ends = pl.meshes.box((1, 0.3, 1), (1, 1, 1)), np.linspace(0.0, np.pi, stones + 1)
    bodies = []
    for k in range(stones):
        a, slit = mesh.points, 1.5e-4
        angle = (ends[k] + slit) * (1 - a[:, 0]) + (ends[k + 1] - slit) * a[:, 0]
        radius = 1.0 + thick * (a[:, 2] - 0.5)
        points = np.stack([-radius * np.cos(angle), a[:, 1], radius * np.sin(angle)], axis=1)
        stone = solid(
            mesh,
            points,
            young,
            None if seed is None else 100 * seed + k,
            name=f"{k}",
            density=2000.0,
        )
        bodies.append(stone)
    return scene_of(bodies, floor(), friction=friction)


def cards(friction, seed=None, young=1e9, degrees=65.0):
    """Two pairs of cards that lean on each other, a card over them, and a pair on top.

    Ends are cut: feet are level and heads upright. Corners that meet corners would slip off each other.
    """
    long, thick, gap, a = 0.2, 0.004, 2e-4, np.radians(degrees)
    unit = pl.meshes.box((1, 0.12, 1), (3, 2, 1))
    s, t = unit.points[:, [0]], unit.points[:, [2]] - 1.0
    foot = -t * np.array([thick / np.sin(a), 0, 0]) - [long * np.cos(a) + gap / 2, 0, -gap]
    head = t * np.array([0, 0, thick / np.cos(a)]) + [-gap / 2, 0, long * np.sin(a) + gap]
    left = (1 - s) * foot + s * head + unit.points * [0, 1, 0]
    high, points = left[:, 2].max(), []
    pair = [left, left * [-1, 1, 1]]
    for shift in (-0.1, 0.1):
        points += [side + [shift, 0, 0] for side in pair]
    roof = pl.meshes.box((0.4, 0.12, thick), (4, 2, 1))
    points.append(roof.points - [0.2, 0, -high - gap])
    points += [side + [0, 0, high + gap + thick] for side in pair]
    mirrored = pl.Mesh(left * [-1, 1, 1], {"tet4": unit.cells["tet4"][:, [1, 0, 2, 3]]})
    meshes = [unit, mirrored, unit, mirrored, roof, unit, mirrored]
    bodies = [
        solid(m, x, young, None if seed is None else 100 * seed + k, name=f"card {k}")
        for k, (m, x) in enumerate(zip(meshes, points, strict=True))
    ]
    return scene_of(bodies, floor(), friction=friction)


def rollers(seed=None, cells=(12, 9, 9), young=1e5):
    """A soft cylinder that is drawn through between two rollers, which leave half of its width.

    Of a matter that no force turns inside out, as in [li2020].
    """
    unit = pl.meshes.box((0.5, 2, 2), cells)
    x, square = unit.points[:, :1], unit.points[:, 1:] - 1.0
    far = np.linalg.norm(square, axis=1, keepdims=True)
    disc = 0.1 * square * np.abs(square).max(axis=1, keepdims=True) / np.maximum(far, 1e-12)
    points = np.concatenate([x - 0.52, disc], axis=1)
    body = solid(unit, points, young, seed, kind=pl.NeoHookean, name="cylinder")
    front = (points[:, 0] > -0.021) & (np.abs(points[:, 2]) < 0.03) & (np.abs(points[:, 1]) < 0.09)
    start = body.positions[front]
    body.move(front, (np.array([0.0, 2.4]), np.stack([start, start + [1.2, 0, 0]])))
    sides = [
        pl.Capsule(
            (0.1, -0.5, s * 0.15), (0.1, 0.5, s * 0.15), 0.1, name=f"roller {s}", friction=0.1
        )
        for s in (-1, 1)
    ]
    return scene_of([body], *sides, gravity=None)


def mat(seed=None, cells=(24, 12), turns=3.0, seconds=3.0):
    """A mat whose ends are turned against each other and come a little nearer."""
    flat = pl.meshes.rectangle((0.5, 0.2), cells)
    points = np.insert(flat.points - [0.25, 0.1], 2, 0.0, axis=1)
    cloth = pl.Cloth(
        pl.Mesh(points, flat.cells), stretch=1000.0, shear=200.0, bend=1e-4, density=0.3, name="mat"
    )
    shaken(cloth, seed)
    for sign in (-1, 1):
        end = np.flatnonzero(sign * points[:, 0] > 0.2499)
        cloth.move(end, _turning(points[end], sign * np.pi * turns / seconds, 0.03 / seconds))
    return scene_of([cloth], gravity=None)


def _turning(points, speed, inward):
    """A path that turns about x [rad/s] and goes towards the middle [m/s]."""

    def path(t):
        c, s = np.cos(speed * t), np.sin(speed * t)
        x, y, z = points.T
        return np.stack([x - np.sign(x) * inward * t, c * y - s * z, s * y + c * z], axis=1)

    return path


def sheet(n, size, height, **how):
    """A level cloth around the origin."""
    flat = pl.meshes.rectangle((size, size), (n, n))
    points = np.column_stack([flat.points - size / 2, np.full(len(flat), height)])
    mesh = pl.Mesh(points, flat.cells)
    return pl.Cloth(mesh, stretch=1000.0, shear=200.0, bend=1e-5, density=0.2, **how)


class Hertz:
    """The part that touches of a ball of radius R [m] that is pressed on a floor by d [m].

        F = 4/3 E* sqrt(R) d^1.5,    a^2 = R d,    E* = E/(1 - nu^2)

    It is held where it was cut, at about `far` a, at the places that a point load of F on a
    half-space puts there: Boussinesq's displacements [johnson1985] 3.2.
    """

    def __init__(self, d=0.01, radius=1.0, young=1e6, poisson=0.3, fine=6, far=8.0):
        self.d, self.radius, self.young, self.poisson = d, radius, young, poisson
        self.a = np.sqrt(radius * d)
        self.force = 4.0 / 3.0 * young / (1 - poisson**2) * np.sqrt(radius) * d**1.5
        line, h = [k * self.a / fine for k in range(int(1.5 * fine) + 1)], self.a / fine
        while line[-1] < far * self.a:
            h *= 1.35
            line.append(line[-1] + h)
        half = np.array(line)
        n = len(half) - 1
        unit = pl.meshes.box((2 * n, 2 * n, n), (2 * n, 2 * n, n), kind="hex")
        i = np.round(unit.points).astype(int)
        both = np.concatenate([-half[::-1], half[1:]])
        x, y, z = both[i[:, 0]], both[i[:, 1]], half[i[:, 2]]
        x, y, z = _rounded(x, y, z, half[-1])
        r2 = x**2 + y**2
        self.points = np.stack([x, y, z + r2 / (radius + np.sqrt(radius**2 - r2))], axis=1)
        edge = (i[:, 0] % (2 * n) == 0) | (i[:, 1] % (2 * n) == 0) | (i[:, 2] == n)
        self.cut, self.mesh = edge, pl.Mesh(self.points, unit.cells)

    def scene(self, gap):
        material = pl.StableNeoHookean(young=self.young, poisson=self.poisson)
        body = pl.Body(self.mesh, material, density=1.0, name="ball")
        body.place(self.points + [0, 0, gap])
        body.move(
            self.cut, (np.array([0.0, 1.0]), np.stack([body.positions[self.cut], self._held(gap)]))
        )
        return scene_of([body], floor(), gravity=None, friction=0.0, gap=gap)

    def _held(self, gap):
        """Where the cut ends: lower by d, and less by what the far field of the push gives."""
        p, nu = self.points[self.cut], self.poisson
        z, flat = p[:, 2], np.linalg.norm(p[:, :2], axis=1)
        rho = np.sqrt(flat**2 + z**2)
        scale = self.force * (1 + nu) / (2 * np.pi * self.young)
        up = scale * (z**2 / rho**3 + 2 * (1 - nu) / rho)
        out = scale * flat * (z / rho**3 - (1 - 2 * nu) / (rho * (rho + z)))
        aside = p[:, :2] / np.maximum(flat, 1e-12)[:, None] * out[:, None]
        return p + np.column_stack([aside, up - self.d + gap / 2])


def _rounded(x, y, z, far):
    """A box of half-width `far` as a half ball, by the same share of the way out of every point."""
    most = np.maximum(np.maximum(np.abs(x), np.abs(y)), z)
    length = np.sqrt(x**2 + y**2 + z**2)
    share = np.where(length > 0, most / np.maximum(length, 1e-12), 1.0)
    fade = np.clip((most - 0.2 * far) / (0.8 * far), 0.0, 1.0)
    scale = 1.0 + fade * (share - 1.0)
    return x * scale, y * scale, z * scale
