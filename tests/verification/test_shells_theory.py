"""Shells against plate theory, curved beams, the elastica and a cylinder's buckling pressure."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

import pliant as pl
from tests.verification.test_rods_theory import elastica, orders

E, NU, THICK = 1e7, 0.3, 0.01
D = E * THICK**3 / 12 / (1 - NU**2)


def square(cells, kind, rows=0):
    """The unit square in the plane z = 0, of so many cells a side and `rows` more around it."""
    line = np.arange(-rows, cells + rows + 1) / cells
    x, y = (a.ravel() for a in np.meshgrid(line, line, indexing="ij"))
    inside = (np.minimum(x, y) > 1e-9) & (np.maximum(x, y) < 1 - 1e-9)
    rng = np.random.default_rng(1)
    flat = np.stack([x, y], axis=1)
    if kind == "regular":
        i, j = (a.ravel() for a in np.indices((len(line) - 1,) * 2))
        at = i * len(line) + j
        a, b, c, d = at, at + len(line), at + len(line) + 1, at + 1
        triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    else:
        flat = flat + 0.25 / cells * rng.uniform(-1, 1, flat.shape) * inside[:, None]
        triangles = Delaunay(flat).simplices
        corners = flat[triangles]
        sides = corners[:, 1:] - corners[:, :1]
        # Delaunay leaves slivers along straight rims.
        triangles = triangles[np.abs(np.linalg.det(sides)) > 1e-6 / cells**2]
    return pl.Mesh(np.insert(flat, 2, 0.0, axis=1), {"tri": triangles})


def plate(cells, kind, rows=0):
    mesh = square(cells, kind, rows)
    shell = pl.Shell(mesh, young=E, poisson=NU, thickness=THICK, density=1000.0)
    x, y, _ = mesh.points.T
    shell.fix((np.minimum(x, y) < 1e-9) | (np.maximum(x, y) > 1 - 1e-9))
    return shell


def deepest(shell, pressure):
    shell.push(traction=(0, 0, -pressure))
    return -pl.Scene([shell]).equilibrium().positions[0][:, 2].min()


def navier():
    """Deflection of the middle of a hinged unit square, in p / D."""
    m, n = np.meshgrid(np.arange(1, 100, 2), np.arange(1, 100, 2))
    signs = np.sin(m * np.pi / 2) * np.sin(n * np.pi / 2)
    return (16 / np.pi**6 * signs / (m * n * (m**2 + n**2) ** 2)).sum()


def test_the_series_is_the_tabulated_one():
    assert navier() == pytest.approx(0.00406, abs=5e-6)  # [timoshenko1959] table 8


@pytest.mark.parametrize("kind", ["regular", "irregular"])
@pytest.mark.parametrize("support", ["hinged", "clamped"])
def test_a_square_plate_bends_as_kirchhoff_says(support, kind):
    """Converging with the square of the cells on any mesh; clamps are where the held row ends."""
    known, rows = {"hinged": (navier(), 0), "clamped": (0.00126532, 1)}[support]
    pressure = 1e-3 * D  # deflections of 1e-4 of the thickness: linear
    found = [deepest(plate(n, kind, rows), pressure) / pressure * D for n in (8, 16, 32)]
    errors = np.array(found) / known - 1
    # Morley's element is soft, 1.2 times at 8 cells where clamped. Hinged, cells in the corners, held
    # at all three points, work against that: no order can be fitted to a difference.
    most = {"hinged": [0.06, 0.015, 0.004], "clamped": [0.25, 0.07, 0.02]}[support]
    assert (np.abs(errors) < most).all()
    if (support, kind) != ("hinged", "irregular"):
        assert (orders(errors) > 1.7).all()


def test_a_plate_rings_at_its_natural_frequency():
    """2 pi^2 sqrt(D / rho h) / a^2 of a hinged square."""
    errors = []
    for cells in (6, 12, 24):
        shell = plate(cells, "regular")
        values, _ = shell.system().modes(shell.mesh.points, 1)
        errors.append(np.sqrt(values[0] / (D / (1000.0 * THICK))) / (2 * np.pi**2) - 1)
    assert (orders(errors) > 1.7).all()
    assert abs(errors[-1]) < 0.005


def strip(length, width, cells, *, poisson=NU, bend=None):
    """A strip along x, one row longer than `length` and clamped there."""
    n, across = cells
    flat = pl.meshes.rectangle((length * (n + 1) / n, width), (n + 1, across))
    x, z = flat.points.T
    x = x - length / n
    points = np.stack([x, 0 * x, z], axis=1) if bend is None else bend(x, z)
    mesh = pl.Mesh(points, flat.cells)
    shell = pl.Shell(mesh, young=E, poisson=poisson, thickness=THICK, density=1000.0)
    shell.fix(shell.row(x < 1e-9 - length / n))
    return shell, x > length - 1e-9, z


def push_end(shell, end, z, force):
    """A force on the end of a strip, spread evenly."""
    width = np.ptp(z)
    rims = np.isin(z[end], [z.min(), z.max()])
    share = np.where(rims, 0.5, 1.0) / (np.sum(~rims) + 1)
    for at, part in zip(np.flatnonzero(end), share, strict=True):
        shell.push(force=part * width * np.asarray(force), on=[at])
    return pl.Scene([shell]).equilibrium().positions[0]


def test_a_narrow_strip_bends_as_a_beam():
    """Its long edges are free and curl up, so it is E h^3/12 that bends, not D: 9 % between them."""
    errors, force = [], 1e-6
    for cells in ((10, 2), (20, 4)):
        shell, end, z = strip(1.0, 0.1, cells)
        x = push_end(shell, end, z, (0, force, 0))
        errors.append(x[end, 1].mean() / (force / (3 * E * THICK**3 / 12)) - 1)
    # The clamp keeps the strip from curling there, for about its width.
    assert np.abs(errors).max() < 0.02 and abs(errors[1]) < 0.015


def test_a_strip_under_a_large_force_follows_the_elastica():
    errors, load = [], 5.0
    for n in (10, 20, 40):
        shell, end, z = strip(1.0, 0.1, (n, 2), poisson=0.0)
        x = push_end(shell, end, z, (0, load * E * THICK**3 / 12, 0))
        errors.append(np.linalg.norm(x[end, :2].mean(axis=0) - elastica(load)))
    assert (orders(errors) > 1.5).all()  # the cells across are not made smaller
    assert errors[-1] < 2e-3


def test_a_curved_strip_bends_as_a_curved_beam():
    """A quarter of a cylinder, clamped at one end, pushed at the other: pi/4 F R^3 / E I."""
    errors, force = [], 1e-6
    for n in (8, 16, 32):
        shell, end, z = strip(
            np.pi / 2, 0.1, (n, 2), poisson=0.0,
            bend=lambda s, z: np.stack([np.cos(s), np.sin(s), z], axis=1),
        )  # fmt: skip
        x = push_end(shell, end, z, (0, -force, 0))
        down = 1.0 - x[end, 1].mean()
        errors.append(down / (np.pi / 4 * force / (E * THICK**3 / 12)) - 1)
    assert (orders(errors) > 1.7).all()
    assert abs(errors[-1]) < 0.01


def tube(cells):
    """A ring of a cylinder of radius 1 around z, a cell or two long, slightly out of round."""
    flat = pl.meshes.rectangle((2 * np.pi, 0.2), (cells, 2))
    s, z = flat.points.T
    seam = s > 2 * np.pi - 1e-9
    into = np.arange(len(s))
    into[seam] = [np.flatnonzero((s < 1e-9) & (z == height))[0] for height in z[seam]]
    kept, triangles = np.unique(into[flat.cells["tri3"]], return_inverse=True)
    points = np.stack([np.cos(s), np.sin(s), z], axis=1)[kept]
    return pl.Mesh(points, {"tri": triangles.reshape(-1, 3)})


@pytest.mark.parametrize("share, collapses", [(0.95, False), (1.05, True)])
def test_a_tube_collapses_above_its_critical_pressure(share, collapses):
    """3 D / R^3 with pressure that stays normal to it; nu = 0, so D is that of a ring."""
    mesh, h = tube(32), 0.02
    shell = pl.Shell(mesh, young=E, poisson=0.0, thickness=h, density=1000.0)
    a = np.arctan2(mesh.points[:, 1], mesh.points[:, 0])
    push = share * 3 * E * h**3 / 12
    round_ = mesh.points * [1 - push / (E * h), 1 - push / (E * h), 1.0]
    shell.place(round_ + 1e-3 * np.cos(2 * a)[:, None] * mesh.points * [1, 1, 0])
    shell.push(pressure=push)
    # A ring of two lobes swings in 4 s unloaded; at 1.05 it grows by e in some 3 s.
    take = pl.Scene([shell]).run(seconds=30.0, dt=0.25, progress=False)

    def oval(x):
        from_axis = x[:, :2] - x[:, :2].mean(axis=0)
        return 2 * np.abs(np.mean(np.linalg.norm(from_axis, axis=1) * np.exp(2j * a)))

    assert oval(take.positions[0]) == pytest.approx(1e-3, rel=0.01)
    found = max(oval(x) for x in take.positions[60:])
    assert found > 0.1 if collapses else found < 3e-4
