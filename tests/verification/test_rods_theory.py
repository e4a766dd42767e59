"""Rods against beam theory, the elastica, a ring's buckling load and the equations of a coil."""

from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import pliant as pl
from pliant.energies.assembly import Assembly

E, NU = 1e7, 0.3
G = E / (2 * (1 + NU))


def beam(elements, *, width=0.02, height=0.01, length=1.0, **how):
    line = np.linspace([0.0, 0.0, 0.0], [length, 0.0, 0.0], elements + 1)
    rod = pl.Rod(line, young=E, poisson=NU, density=1000.0, width=width, height=height, **how)
    rod.fix(rod.node(0))
    return rod


def rest_under(rod, force=None, gravity=None):
    """The centreline at rest, with a force on the last node."""
    if force is not None:
        rod.push(force=np.asarray(force) / 3, on=rod.node(-1))
    return rod.along(pl.Scene([rod], gravity=gravity).equilibrium().positions[0])


def orders(errors):
    errors = np.abs(errors)
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("along", [1, 2])
def test_a_cantilever_bends_as_timoshenko_says(along):
    """F L^3 / 3 E I + F L / k G A, along either side of the section."""
    width, height, F = 0.02, 0.01, 1e-4
    bent = height if along == 1 else width  # d_3 is y: the height
    I = width * height * bent**2 / 12
    errors = []
    for n in (4, 8, 16):
        rod = beam(n)
        k = rod.section.shear(NU)
        deep = F / (3 * E * I) + F / (k * G * width * height)
        errors.append(rest_under(rod, -F * np.eye(3)[along])[-1, along] / -deep - 1)
    assert (orders(errors) > 1.95).all()
    # One point per element sees the mean of its moment: it misses 1/(4 n^2).
    assert errors[-1] == pytest.approx(-1 / (4 * 16**2), rel=0.05)


@pytest.mark.parametrize("section", [{"width": 0.02, "height": 0.01}, {"radius": 0.01}])
def test_a_torque_twists_as_saint_venant_says(section):
    line = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 6)
    rod = pl.Rod(line, young=E, poisson=NU, density=1000.0, **section)
    rod.fix(rod.node(0))
    arms = rod.mesh.points[rod.node(-1)] - line[-1]
    pushes = np.cross([1.0, 0.0, 0.0], arms)
    torque = 1e-4
    pushes *= torque / np.cross(arms, pushes).sum(axis=0)[0]
    for point, push in zip(rod.node(-1), pushes, strict=True):
        rod.push(force=push, on=[point])
    rod.place(pl.Scene([rod]).equilibrium().positions[0])
    (_, d2y, d2z), (_, d3y, d3z) = rod.directors[-1]
    angle = torque / (G * rod.section.torsion)
    # d_2 is -z and d_3 is y; sections deform a little under forces at their corners.
    assert (d2y - -d3z) / 2 == pytest.approx(angle, rel=1e-3)
    assert d2z == pytest.approx(-1.0, abs=1e-3) and d3y == pytest.approx(1.0, abs=1e-3)


def test_torsion_constants_are_those_of_the_tables():
    """[timoshenko1970] section 109: 0.1406 of a square, 0.229 and 0.333 of long rectangles."""
    for ratio, k in ((1.0, 0.1406), (2.0, 0.229), (10.0, 0.312), (1e4, 0.3333)):
        rod = beam(1, width=0.01 * ratio, height=0.01)
        assert rod.section.torsion == pytest.approx(k * ratio * 1e-8, rel=2e-3)


def elastica(load):
    """The tip of an inextensible cantilever under load = F L^2 / E I across it, in lengths."""

    def start(p):
        return np.arcsin(1 / (np.sqrt(2) * p))

    def miss(p):
        return ellipk(p**2) - ellipkinc(start(p), p**2) - np.sqrt(load)

    p = brentq(miss, np.sqrt(0.5) + 1e-12, 1 - 1e-12)
    down = 1 - 2 / np.sqrt(load) * (ellipe(p**2) - ellipeinc(start(p), p**2))
    return np.array([2 * p * np.cos(start(p)) / np.sqrt(load), down])


def test_the_elastica_is_the_tabulated_one():
    """[bisshopp1945]: at F L^2 / E I = 1 and 10."""
    np.testing.assert_allclose(elastica(1.0), [1 - 0.0564, 0.3017], atol=2e-4)
    np.testing.assert_allclose(elastica(10.0), [1 - 0.5550, 0.8106], atol=2e-4)


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_a_cantilever_under_a_large_force_follows_the_elastica(load):
    height, errors = 0.005, []
    for n in (10, 20, 40):
        rod = beam(n, height=height)
        tip = rest_under(rod, [0, load * E * 0.02 * height**3 / 12, 0])[-1]
        errors.append(np.linalg.norm(tip[:2] - elastica(load)))
    # Stretch and shear, which the elastica has not, are load h^2/12 (1 + 2.6/k) = 8e-5 of a length.
    assert (orders(errors) > 1.8).all()
    assert errors[-1] < 1e-3


def test_a_pull_stretches_by_youngs_modulus_and_thins_by_poissons():
    rod = beam(8)
    F = 1e-4 * E * 2e-4
    x = rest_under(rod, [F, 0, 0])
    rod.place(pl.Scene([rod]).equilibrium().positions[0])
    # Away from the held section, which cannot shrink. Green's strain is e + e^2/2: 1e-4 of 1e-4.
    assert (x[8, 0] - x[4, 0]) / 0.5 - 1 == pytest.approx(1e-4, rel=1e-3)
    thinner = np.linalg.norm(rod.directors[6], axis=1) - 1
    assert thinner == pytest.approx(-NU * 1e-4, rel=0.01)


def test_a_quarter_of_a_ring_bends_as_a_curved_beam():
    """Clamped at one end, pushed at the other along the tangent there: pi/4 F R^3 / E I."""
    I, F, errors = 0.02 * 0.01**3 / 12, 1e-6, []
    for n in (6, 12, 24):
        a = np.linspace(0.0, np.pi / 2, n + 1)
        arc = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
        rod = pl.Rod(arc, young=E, poisson=NU, density=1.0, width=0.01, height=0.02, up=(0, 0, 1))
        rod.fix(rod.node(0))
        down = 1.0 - rest_under(rod, [0, -F, 0])[-1, 1]
        errors.append(down / (np.pi / 4 * F / (E * I)) - 1)
    assert (orders(errors) > 1.9).all()
    assert abs(errors[-1]) < 2e-3  # stretch and shear add (h/R)^2 = 1e-4


def in_plane_stiffness(rod, x, pressure):
    """Second derivative, in the plane z = 0, of the rod's energy and pressure times enclosed area."""
    assembly = Assembly(len(rod), 3, rod.energies(device="cpu"))
    K = assembly.pattern.matrix(assembly.blocks(x, project=False)).toarray()
    n = rod.nodes
    ahead = np.roll(np.eye(n), 1, axis=1)
    area = np.einsum("ij,cd->icjd", (ahead - ahead.T) / 2, [[0.0, 1.0], [-1.0, 0.0]])
    to_nodes = np.kron(np.eye(n), np.full((1, 3), 1 / 3))
    full = np.zeros((3 * n, 3, 3 * n, 3))
    full[:, :2, :, :2] = np.einsum("ia,icjd,jb->acbd", to_nodes, area, to_nodes)
    plane = np.tile([True, True, False], 3 * n)
    A = pressure * full.reshape(9 * n, 9 * n)
    g = assembly.gradient(x).ravel() + A @ x.ravel()
    return (K + A)[np.ix_(plane, plane)], g[plane]


def lowest(rod, pressure):
    """Lowest eigenvalue in the plane, beyond rigid motion, of the compressed circle."""
    x = rod.mesh.points.copy()
    for _ in range(4):
        K, g = in_plane_stiffness(rod, x, pressure)
        x[:, :2] -= (np.linalg.pinv(K, rcond=1e-9) @ g).reshape(-1, 2)
    assert np.abs(g).max() < 1e-6 * pressure
    K, _ = in_plane_stiffness(rod, x, pressure)
    values = np.linalg.eigvalsh(K)
    return values[np.argsort(np.abs(values))][3:].min()


def test_a_ring_buckles_under_hydrostatic_pressure():
    """Pressure stays normal to the ring, which gives way to two lobes at 3 E I / R^3 [N/m].

    Dead loads towards the centre would need 4 E I / R^3, loads that keep pointing to it 4.5.
    """
    width, height, found = 0.01, 0.1, []
    critical = 3 * E * height * width**3 / 12
    for n in (16, 32):
        a = 2 * np.pi * np.arange(n) / n
        ring = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
        rod = pl.Rod(
            ring, young=E, poisson=NU, density=1.0,
            width=width, height=height, up=(0, 0, 1), closed=True,
        )  # fmt: skip
        found.append(brentq(partial(lowest, rod), 0.8 * critical, 1.4 * critical, rtol=1e-4))
    errors = np.array(found) / critical - 1
    assert 1.8 < orders(errors)[0] < 2.3
    assert 0 < errors[1] < 0.05  # 16 elements for each of two waves


def test_a_beam_rings_at_its_natural_frequencies():
    """(1.8751/L)^2 and (4.6941/L)^2 times sqrt(E I / rho A) [1/s]."""
    errors = []
    for n in (8, 16, 32):
        rod = beam(n, width=0.02, height=0.002)
        values, _ = rod.system().modes(rod.mesh.points, 4)
        known = np.array([1.87510407, 4.69409113]) ** 2 * np.sqrt(E / 1000.0) * 0.002 / np.sqrt(12)
        own = np.sqrt(values)
        errors.append([np.abs(own / w - 1).min() for w in known])
    assert (orders(np.array(errors)) > 1.8).all()
    assert np.max(errors[-1]) < 5e-3


COIL = {"radius": 0.02, "rise": 0.006, "turns": 3.0, "thick": 1e-3, "young": 6e7, "density": 1200.0}


def coil(t):
    a, c = COIL["radius"], COIL["rise"]
    return np.stack([a * np.cos(t), -c * t, a * np.sin(t)], axis=-1)


def coil_frame(t):
    """Normal, binormal and tangent of the coil, as columns."""
    a, c = COIL["radius"], COIL["rise"]
    tangent = np.array([-a * np.sin(t), -c, a * np.cos(t)]) / np.hypot(a, c)
    normal = np.array([-np.cos(t), 0.0, -np.sin(t)])
    return np.stack([normal, np.cross(tangent, normal), tangent], axis=1)


def hanging_coil():
    """The tip of the coil under its weight, by Kirchhoff's equations of an unstretchable rod.

    Unknown over arc length: position, unit quaternion of the frame, moment. The force is the weight
    of what hangs below.
    """
    a, c, r = COIL["radius"], COIL["rise"], COIL["thick"]
    w = np.hypot(a, c)
    long = 2 * np.pi * COIL["turns"] * w
    I = np.pi * r**4 / 4
    B = COIL["young"] * I * np.array([1.0, 1.0, 1 / (1 + NU)])  # E I, E I, G J
    turn = Rotation.from_matrix(coil_frame(0.0).T @ coil_frame(1e-4)).as_rotvec() / (1e-4 * w)
    weight = COIL["density"] * np.pi * r**2 * 9.81

    def slopes(s, y):
        q, m = y[3:7], y[7:]
        R = Rotation.from_quat(q.T).as_matrix()
        u = np.einsum("nij,in->jn", R, m) / B[:, None] + turn[:, None]
        pull = np.zeros_like(m)
        pull[1] = -weight * (long - s)
        x, y_, z, o = q
        spin = 0.5 * np.array([
            o * u[0] + y_ * u[2] - z * u[1],
            o * u[1] + z * u[0] - x * u[2],
            o * u[2] + x * u[1] - y_ * u[0],
            -x * u[0] - y_ * u[1] - z * u[2],
        ])  # fmt: skip
        tangent = R[:, :, 2].T
        return np.concatenate([tangent, spin, -np.cross(tangent, pull, axis=0)])

    s = np.linspace(0.0, long, 300)
    q = Rotation.from_matrix([coil_frame(t) for t in s / w]).as_quat()
    q *= np.cumprod(np.r_[1.0, np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)])[:, None]
    guess = np.concatenate([coil(s / w).T, q.T, np.zeros((3, len(s)))])
    first = guess[:7, 0].copy()
    ends = lambda a, b: np.concatenate([a[:7] - first, b[7:]])  # noqa: E731
    found = solve_bvp(slopes, ends, s, guess, tol=1e-6, max_nodes=20_000)
    assert found.success
    return found.y[:3, -1]


def test_a_curl_of_hair_hangs_as_kirchhoffs_equations_say():
    known, errors = hanging_coil(), []
    drop = np.linalg.norm(known - coil(2 * np.pi * COIL["turns"]))
    assert drop > 0.02  # a fifth of its height: nothing linear about it
    for n in (30, 60, 120):
        curve = coil(np.linspace(0.0, 2 * np.pi * COIL["turns"], n + 1))
        rod = pl.Rod(
            curve, radius=COIL["thick"], young=COIL["young"], poisson=NU, density=COIL["density"]
        )
        rod.fix(rod.node(0))
        errors.append(np.linalg.norm(rest_under(rod, gravity=(0, -9.81, 0))[-1] - known) / drop)
    assert (orders(errors) > 1.8).all()
    assert errors[-1] < 5e-3
