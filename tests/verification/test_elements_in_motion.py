"""Every element in time: natural frequencies, damped modes, rest on cue, free flight, exports."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import eigsh

import pliant as pl
from pliant.elements import by_name, consistent_mass
from pliant.solvers import Factored, Gridded

from .elastic_fields import KINDS, QUADRATIC, grid

kinds = pytest.mark.parametrize("kind", KINDS)
LENGTH, YOUNG, DENSITY = 10.0, 1e6, 1000.0


# --- natural frequencies --------------------------------------------------------------------


def euler_bernoulli(height, count):
    """Angular frequencies of a clamped beam of LENGTH [rad/s]: cos(s) cosh(s) = -1."""
    roots = [
        brentq(lambda s: np.cos(s) + 1 / np.cosh(s), np.pi * k, np.pi * (k + 1))
        for k in range(count)
    ]
    return np.array(roots) ** 2 * np.sqrt(YOUNG * height**2 / 12 / DENSITY) / LENGTH**2


def timoshenko_frequencies(height, count):
    """Those of Timoshenko's beam, nu = 0: the zeros of a 4 x 4 determinant of its solutions.

    E I f'' + k G A (w' - f) + rho I w^2 f = 0,   k G A (w'' - f') + rho A w^2 w = 0,   k = 5/6
    """
    inertia, area, stiff = height**3 / 12, height, 5 / 6 * YOUNG / 2 * height

    def determinant(omega):
        # States (w, f, E I f', k G A (w' - f)); clamped at 0, free at the end.
        A = np.zeros((4, 4))
        A[0, 1], A[0, 3] = 1.0, 1.0 / stiff
        A[1, 2] = 1.0 / (YOUNG * inertia)
        A[2, 1], A[2, 3] = -DENSITY * inertia * omega**2, -1.0
        A[3, 0] = -DENSITY * area * omega**2
        values, vectors = np.linalg.eig(LENGTH * A)
        carried = (vectors * np.exp(values)) @ np.linalg.inv(vectors)
        return np.linalg.det(carried[2:, 2:]).real

    found, step = [], euler_bernoulli(height, 1)[0] / 50
    low = step
    while len(found) < count:
        if determinant(low) * determinant(low + step) < 0:
            found.append(brentq(determinant, low, low + step))
        low += step
    return np.array(found)


def beam(kind, cells, height=1.0):
    dim = by_name(kind).dim
    mesh = grid(kind, cells[:dim], size=(LENGTH, height, height)[:dim])
    body = pl.Body(mesh, pl.Linear(young=YOUNG, poisson=0.0), density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    return mesh, body


def bending(mesh, body, count):
    """The first frequencies [rad/s] whose modes move across the beam in y."""
    values, modes = body.system().modes(mesh.points, 4 * count)
    across = [np.abs(m[:, 1]).max() > 0.7 * np.abs(m).max() for m in modes]
    return np.sqrt(values[across][:count])


@pytest.mark.parametrize("kind", ["tri6", "quad9"])
def test_natural_frequencies_of_a_beam(kind):
    mesh, body = beam(kind, (20, 2))
    found = bending(mesh, body, 3)
    slender, thick = euler_bernoulli(1.0, 3), timoshenko_frequencies(1.0, 3)
    assert (thick < slender).all()
    # A beam ten times as long as high: Timoshenko's theory is good to some tenths of a percent.
    assert found == pytest.approx(thick, rel=6e-3)
    assert found[0] == pytest.approx(slender[0], rel=0.02)


@pytest.mark.parametrize("kind", ["tet10", "hex20"])
def test_natural_frequencies_of_a_square_bar(kind):
    """The same numbers in space; the mode across z has the frequency of that across y."""
    mesh, body = beam(kind, (10, 1, 1))
    values = body.system().modes(mesh.points, 2)[0]
    assert np.sqrt(values) == pytest.approx([timoshenko_frequencies(1.0, 1)[0]] * 2, rel=0.01)


@pytest.mark.parametrize("kind", ["quad4", "tri6", "quad9", "hex20"])
def test_consistent_and_lumped_masses_have_the_same_limit(kind):
    """Lumping changes the first frequency by less and less: second order or better."""
    apart = []
    for n in (1, 2):
        mesh, body = beam(kind, (10 * n, n, n))
        ((_, cells),) = mesh.cells.items()
        M = consistent_mass(mesh.points, cells, by_name(kind), density=DENSITY)
        i, j = np.broadcast_arrays(cells[:, :, None], cells[:, None, :])
        whole = coo_matrix((M.ravel(), (i.ravel(), j.ravel())), shape=(len(mesh),) * 2).tocsr()
        free = ~body.pinned
        mass = whole[free][:, free].toarray()
        system = body.system()
        K = system.stiffness(mesh.points).tocsc()
        big = coo_matrix(np.kron(mass, np.eye(mesh.dim))).tocsc()
        consistent = np.sqrt(eigsh(K, 1, big, sigma=0.0)[0][0])
        lumped = np.sqrt(system.modes(mesh.points, 1)[0][0])
        apart.append(abs(lumped / consistent - 1.0))
    assert apart[0] <= 0.02 and apart[1] <= 0.3 * apart[0]


# --- M, C, K ---------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha, beta", [(1.5, 0.0), (0.0, 0.02), (0.8, 0.015)])
def test_damped_mode_decays_as_its_damping_ratio_says(alpha, beta):
    """C = alpha M + beta K: a mode decays as exp(-zeta w t), zeta = (alpha/w + beta w)/2.

    Backward Euler adds damping of first order in dt, so two step sizes are extrapolated to zero.
    The decay per step is read off the recurrence that the amplitudes of one mode obey exactly.
    """
    rates = []
    for dt in (0.004, 0.002, 0.001):
        mesh, body = beam("quad9", (10, 1))
        values, modes = body.system().modes(mesh.points, 1)
        omega, mode = np.sqrt(values[0]), modes[0]
        body.place(mesh.points + 0.01 * mode / np.abs(mode).max())
        body.damping = pl.Rayleigh(mass=alpha, stiffness=beta)
        stepper = pl.Implicit(tolerance=0)
        take = pl.Scene(body).run(seconds=150 * dt, dt=dt, stepper=stepper)
        a = np.einsum("fnd,nd,n->f", take.positions - mesh.points, mode, body.masses)
        now, before, after = a[2:-1], a[1:-2], a[3:]
        _, c = np.linalg.lstsq(np.stack([now, before], axis=1), after, rcond=None)[0]
        rates.append(-np.log(-c) / (2 * dt))
    exact = alpha / 2 + beta * omega**2 / 2
    errors = np.array(rates) - exact
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)  # first order
    assert 2 * rates[2] - rates[1] == pytest.approx(exact, rel=0.01)


# --- rest on cue, free flight, exports -------------------------------------------------------


def small_beam(kind, **options):
    dim = by_name(kind).dim
    linear = by_name(kind).degree == 1
    mesh = grid(kind, ((8, 2, 2) if linear else (4, 1, 1))[:dim], size=(4.0, 1.0, 1.0)[:dim])
    return mesh, pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), **options)


@kinds
@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_rest_time_is_kept_on_every_element(kind, bounces):
    mesh, body = small_beam(kind)
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene(body, gravity=-9.81 * np.eye(mesh.dim)[1])
    rest = scene.equilibrium().positions[0]
    mode = body.system().modes(rest, 1)[1][0]
    body.place(rest + 0.02 * mode / np.abs(mode).max())
    body.damping = pl.Settle(1.0, bounces)
    take = scene.run(seconds=1.2, dt=1 / 60)
    d = take.tracks[0].distance()
    if bounces:
        law = body.damping.gains(1 / 60)
        steps = np.arange(len(d))
        assert np.abs(d / d[0] - np.abs(law.amplitude(steps))).max() <= 0.03
    else:
        assert take.tracks[0].rest_time() == pytest.approx(1.0, rel=0.03)


@kinds
def test_free_bodies_fall_and_spin_undeformed_by_damping(kind):
    mesh, body = small_beam(kind, damping=pl.Settle(0.5))
    g = -9.81 * np.eye(mesh.dim)[1]
    body.velocity = np.arange(1.0, mesh.dim + 1)
    take = pl.Scene(body, gravity=g).run(seconds=0.5, dt=1 / 60)
    # All points fall alike: gravity and inertia have the same lumped masses.
    moved = take.positions[-1] - mesh.points
    assert np.abs(moved - moved[0]).max() <= 1e-9
    assert moved[0, 1] == pytest.approx(2.0 * 0.5 - 9.81 / 2 * 0.5 * (0.5 + 1 / 60), rel=1e-9)


@kinds
def test_bodies_of_every_element_are_exported_and_read_back(kind, tmp_path):
    mesh, body = small_beam(kind)
    body.velocity = np.ones(mesh.dim)
    take = pl.Scene(body).run(seconds=1 / 30, dt=1 / 60)
    skin = take.tracks[0].skin
    assert len(skin.surface.points) < len(mesh) or by_name(kind).degree == 1
    moved = skin.positions(take.positions)[..., : mesh.dim]
    assert np.allclose(moved[-1] - moved[0], 1 / 30)
    for suffix in (".npz", ".obj", ".vtu", ".glb"):
        take.save(tmp_path / f"take{suffix}")
    again = pl.Take.read(tmp_path / "take.npz")
    assert np.array_equal(again.positions, take.positions)
    assert list(again.tracks[0].mesh.cells) == [kind]


@pytest.mark.parametrize("kind", QUADRATIC)
def test_multigrid_serves_quadratic_elements(kind):
    """Some ten CG iterations where a body is too large for the factor; no fall-back is needed."""
    dim = by_name(kind).dim
    mesh = grid(kind, ((32, 8) if dim == 2 else (12, 3, 3)), size=(4.0, 1.0, 1.0)[:dim])
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), damping=pl.Settle(1.0))
    body.fix(mesh.points[:, 0] < 1e-9)
    bend = np.zeros_like(mesh.points)
    bend[:, 1] = 0.02 * mesh.points[:, 0] ** 2
    body.place(mesh.points + bend)
    take = pl.Scene(body).run(seconds=0.25, dt=1 / 60)
    assert isinstance(body.system().linear, Gridded)
    assert not isinstance(body.system().linear, Factored)
    solver = take.solver
    assert solver["linear_iterations"].sum() <= 20 * solver["iterations"].sum()


@pytest.mark.parametrize("kind", ["tet10", "hex20"])
def test_quadratic_bodies_carry_a_finer_surface(kind):
    """Worn surfaces hang on the corners of cells: affine motions carry them exactly."""
    mesh, body = small_beam(kind)
    fine = pl.meshes.box((4, 1, 1), (12, 3, 3))
    surface = pl.Body(fine, pl.StableNeoHookean(young=1e6, poisson=0.3)).skin.surface
    body.wear(surface)
    A = np.eye(3) + 0.2 * np.random.default_rng(3).uniform(-1, 1, (3, 3))
    assert np.allclose(body.skin.positions(mesh.points @ A.T), surface.points @ A.T, atol=1e-12)


def test_triangles_and_quads_of_second_order_in_one_body():
    """A strip, half of it quad9 and half tri6: they share the middles of their common edges."""
    half = pl.meshes.rectangle((2, 1), (4, 2), kind="quad")
    quads = half.cells["quad4"]
    left = half.points[quads].mean(axis=1)[:, 0] < 1
    cut = np.concatenate([quads[~left][:, [0, 1, 2]], quads[~left][:, [0, 2, 3]]])
    mesh = pl.meshes.quadratic(pl.Mesh(half.points, {"quad": quads[left], "tri": cut}))
    body = pl.Body(mesh, pl.Linear(young=1e6, poisson=0.0))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.push(traction=(2e3, 0), on=mesh.points[:, 0] > 2 - 1e-9)
    u = pl.Scene(body).equilibrium().positions[0] - mesh.points
    assert np.abs(u - 2e-3 * mesh.points * [1, 0]).max() <= 1e-9
