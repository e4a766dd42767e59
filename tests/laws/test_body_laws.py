"""Laws that every public body must obey as a whole, whatever energies it is the sum of."""

import inspect

import numpy as np
import pytest

import pliant as pl
from pliant.bodies import Deformable
from tests.unit.every_body import BODIES, chain, disc, ring


def helix():
    turn = np.linspace(0.0, 4.0, 9)
    points = np.stack([np.cos(turn), np.sin(turn), 0.3 * turn], axis=1)
    mesh = pl.Mesh(points, {"line": np.stack([np.arange(8), np.arange(1, 9)], axis=1)})
    return pl.FormCurve(mesh, metric=1e3, curvature=10.0, torsion=10.0, density=0.1)


MORE = {
    "a helix": helix,
    "a wire of the plane": lambda: pl.FormCurve(chain(2), metric=1e3, curvature=10.0, density=0.1),
    "a snake under pressure": lambda: pl.Snake(ring(), disc(), pressure=0.2, rigidity=5.0),
    "an open snake": lambda: pl.Snake(ring()[:12], disc(), closed=False),
}
ALL = BODIES | MORE
HELD = [name for name in ALL if "nake" in name]  # by a picture: at home nowhere else

# Their energy is not one of points; files of their own have their laws.
OF_POINTS = [name for name in ALL if name not in ("LongElements", "BoundaryElements")]

each = pytest.mark.parametrize("body", OF_POINTS)
moving = pytest.mark.parametrize("body", [name for name in OF_POINTS if name not in HELD])


def bent(made, seed=0):
    """The energies of a body, a shape a few per cent of its cells away from rest, and a length."""
    rng, system, x = np.random.default_rng(seed), made.system(), made.mesh.points
    ends = x[made.mesh.edges]
    size = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min())
    return system, x + 0.03 * size * rng.standard_normal(x.shape), size, rng


def test_every_public_body_is_here():
    public = {
        name
        for name in pl.__all__
        if inspect.isclass(cls := getattr(pl, name)) and issubclass(cls, Deformable)
    }
    assert public == set(BODIES)


@each
def test_forces_are_the_slopes_of_the_energy(body):
    system, x, size, rng = bent(ALL[body]())
    g, h = system.assembly.gradient(x), 1e-5 * size
    for _ in range(4):
        v = rng.standard_normal(x.shape)
        slope = (system.value(x + h * v) - system.value(x - h * v)) / (2 * h)
        # Truncation is 1e-10 of the third derivatives, rounding 1e-16 W/h.
        scale = np.linalg.norm(g) * np.linalg.norm(v) + abs(system.value(x)) / size
        assert slope == pytest.approx(np.vdot(g, v), abs=1e-6 * scale)


@each
def test_stiffness_is_the_slope_of_the_forces(body):
    system, x, size, rng = bent(ALL[body]())
    K, gradient, h = system.stiffness(x), system.assembly.gradient, 1e-5 * size
    for _ in range(4):
        v = rng.standard_normal(x.shape)
        slope = (gradient(x + h * v) - gradient(x - h * v)).ravel() / (2 * h)
        assert np.linalg.norm(K @ v.ravel() - slope) <= 1e-6 * np.linalg.norm(slope)


@each
def test_the_stand_in_of_the_stiffness_is_not_negative(body):
    system, x, _, _ = bent(ALL[body]())
    full = system.stiffness(x, project=True).toarray()
    values = np.linalg.eigvalsh(full)
    np.testing.assert_allclose(full, full.T, atol=1e-12 * values[-1])
    assert values[0] >= -1e-10 * values[-1]


@moving
def test_at_rest_there_is_no_energy_and_no_force(body):
    made = ALL[body]()
    system, x, size, _ = bent(made)
    stiff = np.abs(system.stiffness(made.mesh.points).diagonal()).max()
    rest = system.assembly.gradient(made.mesh.points)
    assert np.abs(rest).max() <= 1e-9 * stiff * size
    assert abs(system.value(made.mesh.points)) <= 1e-9 * system.value(x)


@moving
def test_moved_rigidly_it_costs_what_it_did(body):
    system, x, _, rng = bent(ALL[body]())
    turn = np.linalg.qr(rng.standard_normal((x.shape[1],) * 2))[0]
    turn[:, 0] *= np.linalg.det(turn)
    assert system.value(x @ turn.T + 1.0) == pytest.approx(system.value(x), rel=1e-8)
