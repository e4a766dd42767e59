"""Damping of conditions: its force and derivatives, an oscillator's decay, momentum, refusals."""

import numpy as np
import pytest

import pliant as pl
from pliant.step.motion import viscous_force
from tests.laws.stencils import stencils_of
from tests.laws.test_condition_laws import each
from tests.laws.test_spring_laws import dense, differences

STEPPERS = {
    "ExplicitEuler": (pl.ExplicitEuler(), 1),
    "SymplecticEuler": (pl.SymplecticEuler(), 1),
    "RungeKutta4": (pl.RungeKutta4(), 4),
    "LinearisedImplicit": (pl.LinearisedImplicit(1e-12), 1),
    "Implicit": (pl.Implicit(tolerance=0.0), 1),
    "XPBD": (pl.XPBD(tolerance=1e-10), 1),
    "Newmark": (pl.Newmark(tolerance=0.0), 2),
    "BDF2": (pl.BDF2(tolerance=0.0), 2),
}
K, L, MASSES, RATE = 4.0, 1.0, np.array([1.0, 3.0]), 0.2
OMEGA = np.sqrt(K / (MASSES.prod() / MASSES.sum()))
ZETA = RATE * OMEGA / 2  # 0.23


def decay(stepper, steps, seconds=2.0):
    """Two free points on a spring that are pulled apart and thrown; the length of the spring."""
    mesh = pl.Mesh([(0.0, 0.0), (L, 0.0)], {"line": [(0, 1)]})
    body = pl.Springs(mesh, stiffness=K, mass=MASSES, damping=pl.ConditionDamping(rate=RATE))
    body.place([(0.0, 0.0), (1.1 * L, 0.0)])
    body.velocity = (0.3, -0.1)
    before = MASSES @ body.velocity
    scene = pl.Scene([body])
    take = scene.run(seconds=seconds, dt=seconds / steps, stepper=stepper, progress=False)
    # Implicit steps end at 1e-9 of the size: 1e-9 K/(m dt) a step at most, in fact far less.
    assert np.abs(MASSES @ body.velocity - before).max() <= 1e-9 * np.abs(before).max()
    return take.times, np.linalg.norm(take.positions[:, 1] - take.positions[:, 0], axis=1)


@pytest.mark.parametrize("name", STEPPERS)
def test_a_spring_decays_as_the_damped_oscillator(name):
    """x'' + 2 zeta omega x' + omega^2 x = 0 with zeta = rate omega/2, by every stepper's order."""
    stepper, order = STEPPERS[name]
    steps = (25, 50, 100) if order == 4 else (100, 200, 400)
    errors = []
    for n in steps:
        t, length = decay(stepper, n)
        turn, fall = OMEGA * np.sqrt(1 - ZETA**2), ZETA * OMEGA
        exact = np.exp(-fall * t) * (np.cos(turn * t) + fall / turn * np.sin(turn * t))
        errors.append(np.abs((length / L - 1.0) / 0.1 - exact).max())
    found = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    # omega dt is 0.05 to 0.01, and 0.2 to 0.05 for the fourth order: how far the line bends. BDF2
    # begins with a step of backward Euler.
    assert found == pytest.approx(order, abs=0.15 if order == 4 else 0.08)
    assert errors[-1] < {1: 1e-2, 2: 1e-4, 4: 1e-6}[order]


@each
def test_derivatives_with_an_aim_match_finite_differences(condition, dim):
    """The potential of a step: k_d/(2 span) (C - C_old)^2, with C_old that of another shape."""
    energy, assembly, rest, x = stencils_of(condition, dim)
    other = rest + 0.1 * np.random.default_rng(7).uniform(-1, 1, rest.shape)
    energy.aim(energy.conditions(assembly.array(other)))
    assert assembly.value(other) <= 1e-26 and np.abs(assembly.gradient(other)).max() <= 1e-12
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # As for conditions themselves: centred differences at 1e-6.
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    projected = np.linalg.eigvalsh(dense(assembly, x, project=True))
    assert projected.min() >= -1e-12 * projected.max() and projected.max() > 0.1


def bodies():
    flat = pl.meshes.rectangle((1, 1), (3, 3))
    sheet = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    box = pl.meshes.box((1, 0.5, 0.5), (2, 1, 1))
    return {
        "springs": pl.Springs(box, stiffness=50.0, mass=0.1),
        "cloth": pl.Cloth(sheet, stretch=100.0, shear=30.0, bend=0.1, density=0.3),
        "preserving": pl.ConstraintBody(box, distance=10.0, area=5.0, volume=20.0, mass=0.1),
    }


every = pytest.mark.parametrize("name", ["springs", "cloth", "preserving"])


def bent(name):
    body = bodies()[name]
    rng = np.random.default_rng(3)
    x = body.positions + 0.05 * rng.uniform(-1, 1, body.positions.shape)
    return body, x, rng.standard_normal(x.shape)


def force(body, x, v, rate=0.5):
    return viscous_force(body.system(), pl.ConditionDamping(rate), x, v, 1e-5)


@every
def test_the_force_is_that_of_the_lecture(name):
    """-k_d dC/dx dC/dt, dC/dt a difference along v and dC/dx the gradient of C itself."""
    body, x, v = bent(name)
    system = body.system()
    expected, h = np.zeros_like(x), 1e-6
    for energy in system.assembly.energies:
        conditions = energy.as_conditions()
        ahead, behind = (
            conditions.conditions(system.assembly.array(x + s * h * v)) for s in (1.0, -1.0)
        )
        twin = conditions.twin()
        twin.aim(conditions.conditions(system.assembly.array(x)) - 1.0)
        twin.change(stiffness=0.5 * conditions.stiffness * (ahead - behind) / (2 * h))
        expected -= system.assembly.gradient(x, [twin]) - system.assembly.gradient(x)
    found = force(body, x, v)
    # Both are differences: over 1e-5 s of motion of 1 m/s, and of 1e-6.
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    assert np.abs(expected).max() > 0.1


@every
def test_forces_have_no_sum_and_no_torque_and_no_part_in_rigid_motion(name):
    body, x, v = bent(name)
    found = force(body, x, v)
    scale = np.abs(found).max() * len(x)
    assert np.abs(found.sum(axis=0)).max() <= 1e-12 * scale
    # The force is a difference over 1e-5 m: what of it turns is of the order of its square.
    assert np.abs(np.cross(x, found).sum(axis=0)).max() <= 1e-8 * scale
    rigid = force(body, x, np.cross([1.0, -2.0, 0.5], x) + 0.3)
    assert np.abs(rigid).max() <= 1e-6 * np.abs(found).max()
    assert float((found * v).sum()) < 0.0


@every
def test_spin_is_left_alone(name):
    """Angular momentum with symplectic Euler, and no more loss than undamped with the implicit step."""
    kept = {}
    for rate in (0.0, 0.01):
        for stepper in (pl.SymplecticEuler(), pl.Implicit(tolerance=0.0)):
            body = bodies()[name]
            body.damping = pl.ConditionDamping(rate)
            body.velocity = np.cross([0.0, 1.0, 2.0], body.positions)
            m = body.masses[:, None]
            before = np.cross(body.positions, m * body.velocity).sum(axis=0)
            pl.Scene([body]).run(seconds=0.1, dt=1e-3, stepper=stepper, progress=False)
            after = np.cross(body.positions, m * body.velocity).sum(axis=0)
            drift = np.abs(after - before).max() / np.abs(before).max()
            kept[rate, type(stepper).__name__] = drift
    # Its viscous force is a difference, as that of pl.StrainRate.
    assert kept[0.01, "SymplecticEuler"] <= 1e-8
    undamped, damped = kept[0.0, "Implicit"], kept[0.01, "Implicit"]
    assert damped <= 1.05 * undamped + 1e-9


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: pl.ConditionDamping(rate=-1.0), ("rate=-1.0", "0 or more")),
        (lambda: pl.ConditionDamping(rate=float("nan")), ("rate=nan",)),
        (
            lambda: moved(pl.Body(pl.meshes.rectangle(), pl.Linear(young=1e4, poisson=0.3))),
            ("SolidEnergy", "pl.Cloth", "pl.StrainRate"),
        ),
        (
            lambda: moved(pl.Springs(pl.meshes.rectangle(), stiffness=1.0, stiffening=1.0)),
            ("stiffening=1", "linear springs", "pl.Rayleigh"),
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(ValueError, match="ConditionDamping") as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def moved(body):
    body.damping = pl.ConditionDamping(rate=0.1)
    pl.Scene([body]).run(seconds=0.1, progress=False)
