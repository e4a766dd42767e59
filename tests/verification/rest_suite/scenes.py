"""A random scene from a seed: bodies with wishes, pins, loads and starts, and a time step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import splu

import pliant as pl
from tests.laws.materials import more

from .meshes import joined, random_mesh
from .starts import Start, random_start, smooth_field

STEPS = (1 / 240, 1 / 120, 1 / 60, 1 / 48, 1 / 30, 1 / 24, 1 / 15, 1 / 10)
HOLDS = {
    "held": 0.4,
    "both ends": 0.1,
    "hinged": 0.12,
    "free": 0.13,
    "spinning": 0.1,
    "tumbling": 0.05,
    "parts": 0.1,
}
MATERIALS = {
    pl.StableNeoHookean: 0.45,
    pl.Corotated: 0.15,
    pl.NeoHookean: 0.15,
    pl.StVenantKirchhoff: 0.1,
    pl.FibreReinforced: 0.05,
    pl.Linear: 0.1,
}
DENSITY = 1000.0  # [kg/m^3]
SAG = 0.2  # of the length, at most


@dataclass(frozen=True)
class Released:
    """One body and how it was drawn. spin [rad/s]; length [m]; about: all of it in words."""

    body: pl.Body
    wish: pl.Settle
    hold: str
    start: Start
    moving: bool  # it starts with a velocity of deformation
    spin: float
    length: float
    held: np.ndarray  # the points that are held
    about: str

    def aligned(self, shape: np.ndarray) -> np.ndarray:
        """A shape moved rigidly, as far as the pins allow, next to the start [m], (n, d)."""
        out: np.ndarray = self.body.system().align(shape, self.body.positions)
        return out


@dataclass(frozen=True)
class RandomScene:
    """A scene that can be run. seed: (number of the suite, number of the scene)."""

    seed: tuple[int, int]
    scene: pl.Scene
    released: list[Released]
    dt: float

    @property
    def gravity(self) -> np.ndarray:
        """[m/s^2], (d,)."""
        return self.scene.gravity

    @property
    def seconds(self) -> float:
        """Longer than any wish, so that what is late is seen to be."""
        return 1.25 * max(r.wish.rest_in for r in self.released) + 2.0 * self.dt

    def run(self) -> pl.Take:
        """Release everything and watch."""
        return self.scene.run(seconds=self.seconds, dt=self.dt, progress=False)

    def __str__(self) -> str:
        pull = " gravity" if self.gravity.any() else ""
        said = "; ".join(r.about for r in self.released)
        return f"{self.seed[0]}:{self.seed[1]} dt=1/{1 / self.dt:.0f}{pull} | {said}"


def random_scene(suite: int, number: int) -> RandomScene:
    """The scene of a seed: the same on every machine."""
    rng = np.random.default_rng([suite, number])
    count = int(rng.choice([1, 2, 3], p=[0.86, 0.11, 0.03]))
    dt = float(rng.choice(STEPS))
    pull = 9.81 if rng.random() < 0.35 else 0.0
    dim = None if count == 1 else int(rng.choice([2, 3]))
    released: list[Released] = []
    for k in range(count):
        one = random_body(rng, dt, pull, dim, name=f"body {k}")
        dim = one.body.dim
        released.append(one)
    gravity = np.array([0.0, -pull, 0.0])[:dim]
    scene = pl.Scene([r.body for r in released], gravity=gravity, contact=False)
    return RandomScene((suite, number), scene, released, dt)


def random_body(
    rng: np.random.Generator, dt: float, pull: float, dim: int | None, *, name: str
) -> Released:
    """A body with everything about it drawn."""
    hold = str(rng.choice(list(HOLDS), p=list(HOLDS.values())))
    if hold == "tumbling" and dim == 2:
        hold = "spinning"
    shape, mesh = random_mesh(rng, 3 if hold == "tumbling" else dim)
    first = len(mesh)
    if hold == "parts":
        other, more_mesh = random_mesh(rng, mesh.dim)
        mesh = joined(mesh, more_mesh, np.array([0.0, 3.0, 0.0])[: mesh.dim])
        shape = f"{shape} and {other}"
    length = float(10.0 ** rng.uniform(-1.0, 1.0))
    material, words = random_material(rng, mesh, pull, length, hold)
    held = pins(rng, hold, mesh.points, first)
    if pull and hold in ("held", "both ends", "parts"):
        material, firmer = stiffened(material, mesh, held, pull, length)
        words += f" (x {firmer:.2g})" if firmer > 1.0 else ""
    gentle = isinstance(material, pl.Linear)
    start = sound_start(rng, mesh, gentle=gentle, held=held)
    body = pl.Body(
        pl.Mesh(length * mesh.points, dict(mesh.cells)), material, density=DENSITY, name=name
    )
    if len(held):
        body.fix(held)
    wish = random_wish(rng, dt, hold, pull)
    body.damping = wish
    body.place(length * start.x)
    moving = bool(rng.random() < 0.2)
    velocity, spin = random_velocity(rng, body, hold, start.x, wish, moving)
    body.velocity = velocity
    lag = " moving" if moving else ""
    turn = f" {spin:.2g} rad/s" if spin else ""
    swing = "" if wish.swing else " swing=False"
    about = (
        f"{shape} {mesh.dim}D {length:.2g} m, {words}, {hold}{turn}, {start.name} {start.size:.2g}"
        f"{lag}, rest_in={wish.rest_in:.3g} bounces={wish.bounces}{swing}"
    )
    return Released(body, wish, hold, start, moving, spin, length, held, about)


def random_wish(rng: np.random.Generator, dt: float, hold: str, pull: float) -> pl.Settle:
    """Bounces None, 0, or 1 to 5, in so many steps that a scene takes a second or two."""
    bounces = None
    kind = rng.random()
    if kind > 0.3:
        bounces = 0 if kind < 0.6 else int(rng.integers(1, 6))
    if bounces:
        steps = bounces * float(np.exp(rng.uniform(np.log(12.0), np.log(36.0))))
    else:
        steps = float(np.exp(rng.uniform(np.log(6.0), np.log(120.0))))
    swing = not (hold == "hinged" and pull and rng.random() < 0.5)
    return pl.Settle(float(f"{steps * dt:.3g}"), bounces, swing=swing)


def random_material(
    rng: np.random.Generator, mesh: pl.Mesh, pull: float, length: float, hold: str
) -> tuple[pl.Material, str]:
    """A material, often of two stiffnesses, and its name; under gravity stiff enough to sag little.

    `Linear`, which takes a rotation for a strain, is given to what is held fast only.
    """
    parts = hold == "parts"
    kind = list(MATERIALS)[int(rng.choice(len(MATERIALS), p=list(MATERIALS.values())))]
    if kind is pl.Linear and hold not in ("held", "both ends"):
        kind = pl.StableNeoHookean
    nearly = rng.random() < 0.15
    poisson = float(rng.choice([0.49, 0.495, 0.499])) if nearly else float(rng.uniform(0.0, 0.48))
    young = float(10.0 ** rng.uniform(4.0, 8.0))
    if pull:
        slender = 1.0 / max(np.ptp(mesh.points[:, 1]), 0.1)
        sag = float(np.exp(rng.uniform(np.log(0.005), np.log(0.2))))
        young = 1.5 * DENSITY * pull * length * slender**2 / sag
    words = f"{kind.__name__} E={young:.2g} nu={poisson:.3g}"
    E: np.ndarray | float = young
    if parts or rng.random() < 0.2:
        factor = float(10.0 ** rng.uniform(0.3, 1.7))
        (nodes,) = mesh.cells.values() if len(mesh.cells) == 1 else (None,)
        if nodes is not None:
            middle = mesh.points[nodes].mean(axis=1)
            here = middle[:, 1] > 1.5 if parts else middle[:, 0] < rng.uniform(0.3, 0.7)
            E = np.where(here, factor * young, young)
            words += f" and {factor:.2g} x"
    given = more(kind, mesh.dim, scale=young / 1e5)
    return kind(young=E, poisson=poisson, **given), words


def stiffened(
    material: pl.Material, mesh: pl.Mesh, held: np.ndarray, pull: float, length: float
) -> tuple[pl.Material, float]:
    """The material, so stiff that no point sags by more than a fifth of the length, and the factor.

    A limp body is a rope and not what is tried here; sags are those of linear theory.
    """
    body = pl.Body(pl.Mesh(length * mesh.points, dict(mesh.cells)), material, density=DENSITY)
    part = np.isin(body.components, body.components[held])
    body.fix(held if part.all() else np.concatenate([held, np.flatnonzero(~part)]))
    system = body.system()
    load = -pull * body.masses[system.free]
    down = np.zeros((len(load), mesh.dim))
    down[:, 1] = load
    K = system.stiffness(body.mesh.points, project=True).tocsc()
    moved = splu(K).solve(down.ravel()).reshape(down.shape)
    sag = float(np.linalg.norm(moved, axis=1).max() / length)
    factor = max(1.0, sag / SAG)
    return material.scaled(factor), factor


def pins(rng: np.random.Generator, hold: str, x: np.ndarray, first: int) -> np.ndarray:
    """The points that are held; of several parts the first is, and the second half of the time."""
    x0 = x[:first, 0] if hold == "parts" else x[:, 0]
    left = np.flatnonzero(x0 <= x0.min() + 0.12 * np.ptp(x0))
    if hold in ("held", "parts"):
        if hold == "parts" and rng.random() < 0.3:
            second = first + np.flatnonzero(x[first:, 0] <= x[first:, 0].min() + 0.1)
            return np.concatenate([left, second])
        return left
    if hold == "both ends":
        right = np.flatnonzero(x[:, 0] >= x[:, 0].max() - 0.12)
        return np.concatenate([left, right])
    if hold == "hinged":
        lowest = np.flatnonzero(x[:, 0] <= x[:, 0].min() + 1e-9)
        corner = lowest[np.argmax(x[lowest, 1])]
        if x.shape[1] == 2 or rng.random() < 0.3:
            return np.array([corner])
        line = np.abs(x[:, :2] - x[corner, :2]).max(axis=1) < 1e-9
        return np.flatnonzero(line)
    return np.zeros(0, dtype=int)


def sound_start(
    rng: np.random.Generator, mesh: pl.Mesh, *, gentle: bool, held: np.ndarray
) -> Start:
    """A start whose cells are not turned or squeezed to less than a third of their size."""
    while True:
        start = random_start(rng, mesh.points, gentle=gentle)
        if least_volume(mesh, start.x) > 0.35:
            return start


def least_volume(mesh: pl.Mesh, x: np.ndarray) -> float:
    """The smallest ratio of a cell's volume to the one it has at rest, at its corners."""
    least = np.inf
    for kind, nodes in mesh.cells.items():
        now, home = (corner_volumes(kind, p[nodes]) for p in (x, mesh.points))
        least = min(least, float((now / home).min()))
    return least


#: For each corner of a cell, the corners that its edges lead to, right-handed.
CORNERS = {
    "tri3": [(0, 1, 2)],
    "tet4": [(0, 1, 2, 3)],
    "quad4": [(k, (k + 1) % 4, (k + 3) % 4) for k in range(4)],
    "hex8": [(k, (k + 1) % 4, (k + 3) % 4, k + 4) for k in range(4)]
    + [(k + 4, (k + 3) % 4 + 4, (k + 1) % 4 + 4, k) for k in range(4)],
}


def corner_volumes(kind: str, p: np.ndarray) -> np.ndarray:
    """The determinants of the edges at the corners of cells, p: (cells, nodes, d)."""
    return np.stack(
        [np.linalg.det(p[:, list(ends[1:])] - p[:, ends[:1]]) for ends in CORNERS[kind]]
    )


def random_velocity(
    rng: np.random.Generator,
    body: pl.Body,
    hold: str,
    start: np.ndarray,
    wish: pl.Settle,
    moving: bool,
) -> tuple[np.ndarray, float]:
    """Velocities [m/s] and the spin [rad/s]: a share of the body's lowest frequency."""
    x, m = body.positions, body.masses
    v, spin = np.zeros_like(x), 0.0
    size = float(np.ptp(x[:, 0]))
    if moving:
        v += rng.uniform(0.1, 0.6) * size / wish.rest_in * smooth_field(rng, start)
        v[body.pinned] = 0.0
    if hold in ("spinning", "tumbling"):
        lowest = body.system().modes(body.mesh.points, 1)[0][0]
        share = float(np.exp(rng.uniform(np.log(0.003), np.log(0.1))))
        spin = min(share * float(np.sqrt(lowest)), 8.0)
        r = x - m @ x / m.sum()
        axis = np.array([0.0, 0.0, 1.0])
        if hold == "tumbling":
            axis = rng.standard_normal(3)
            axis /= np.linalg.norm(axis)
        full = np.pad(r, ((0, 0), (0, 3 - body.dim)))
        v += np.cross(spin * axis, full)[:, : body.dim]
    if hold in ("free", "spinning", "tumbling"):
        v += rng.standard_normal(body.dim)
    return v, spin
