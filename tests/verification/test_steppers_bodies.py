"""Every stepper on bodies: driven pins, loads in time, dampings, momentum, refusals."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.backend import resident

from .test_momentum import brick, momenta, spun

ORDERS = {
    pl.ExplicitEuler: 1,
    pl.SymplecticEuler: 1,
    pl.AverageVelocity: 1,
    pl.RungeKutta4: 4,
    pl.LinearisedImplicit: 1,
    lambda: pl.Implicit(tolerance=0): 1,
    lambda: pl.Newmark(tolerance=0): 2,
    lambda: pl.BDF2(tolerance=0): 2,
}
NAMES = [type(make()).__name__ for make in ORDERS]
every = pytest.mark.parametrize("make", ORDERS, ids=NAMES)
DAMPINGS = {"Rayleigh": (2, pl.Rayleigh(mass=1.0, stiffness=0.005))}
DAMPINGS["StrainRate"] = (3, pl.StrainRate(phi=20.0, psi=20.0))


def shaken(damping):
    """A soft block on a clamp that moves, pressed and pulled by forces that change in time."""
    dim, loss = DAMPINGS[damping]
    mesh = (
        pl.meshes.rectangle((1, 0.5), (2, 1))
        if dim == 2
        else pl.meshes.box((1, 0.5, 0.5), (1, 1, 1))
    )
    block = pl.Body(mesh, pl.StableNeoHookean(young=4e3, poisson=0.3), damping=loss)
    clamp, tip = np.flatnonzero(mesh.points[:, 0] < 1e-9), mesh.points[:, 0] > 1 - 1e-9
    start, way = mesh.points[clamp], np.eye(3)[:2, :dim]
    block.move(
        clamp,
        lambda t: start + 0.05 * np.sin(9 * t) ** 3 * way[0] + 0.1 * (1 - np.cos(6 * t)) * way[1],
    )
    block.push(force=lambda t: 2 * np.sin(10 * t) * way[0] - 5 * t * way[1], on=tip)
    block.push(pressure=lambda t: 200 * np.sin(10 * t), on=tip)
    return pl.Scene(block, gravity=(0, -5, 0)[:dim])


def end(damping, stepper, steps, seconds=0.2):
    scene = shaken(damping)
    return scene.run(seconds=seconds, dt=seconds / steps, stepper=stepper).positions[-1]


@cache
def truth(damping):
    return end(damping, pl.RungeKutta4(), 800)


@every
@pytest.mark.parametrize("damping", DAMPINGS)
def test_order_on_a_body_with_driven_pins_and_loads_that_follow(make, damping):
    steps = (50, 100, 200)
    errors = [np.abs(end(damping, make(), n) - truth(damping)).max() for n in steps]
    order = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    # The fastest motion has omega dt up to 0.1, which is how far the next term bends the line.
    assert order == pytest.approx(ORDERS[make], abs=0.12)
    assert np.abs(truth(damping) - shaken(damping).bodies[0].positions).max() > 0.05


@every
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("viscous", [False, True], ids=["undamped", "strain-rate"])
def test_momentum_of_a_free_tumbling_body(make, dim, viscous):
    drifts = []
    for steps in (25, 50, 100):
        block = brick(dim, young=2e4, damping=pl.StrainRate(phi=30, psi=30) if viscous else None)
        stretch = np.eye(dim) + 0.1 * np.random.default_rng(1).uniform(-1, 1, (dim, dim))
        block.place(block.mesh.points @ stretch.T + 0.5)
        spin = (1.0, 2.0, 6.0) if dim == 3 else (0.0, 0.0, 6.0)
        block.velocity = spun(block.positions, spin, (0.3, -0.2, 0.1))
        before = momenta(block.masses, block.positions, block.velocity)
        pl.Scene(block).run(seconds=0.1, dt=0.1 / steps, stepper=make())
        after = momenta(block.masses, block.positions, block.velocity)
        linear, angular = (
            np.abs(b - a).max() / np.abs(a).max() for a, b in zip(before, after, strict=True)
        )
        # Explicit ones to rounding, the others to what their solvers leave in 100 steps.
        assert linear <= (1e-13 if hasattr(make(), "longest_dt") else 1e-7)
        drifts.append(angular)
    name = type(make()).__name__
    if name == "SymplecticEuler":  # exactly; the viscous force is a difference
        assert max(drifts) <= (1e-9 if viscous else 1e-13)
        return
    assert drifts[-1] <= {1: 1e-2, 2: 1e-3, 4: 1e-8}[ORDERS[make]]
    # It drifts with the order of the step, or faster.
    assert np.log2(drifts[0] / drifts[-1]) / 2 >= ORDERS[make] - 0.3


@every
@pytest.mark.parametrize("dim", [2, 3])
def test_free_fall_is_that_of_the_formula(make, dim):
    block = brick(dim)
    g, n, dt = 9.81, 20, 0.005
    start = block.positions
    pl.Scene(block, gravity=(0.0, -g, 0.0)[:dim]).run(seconds=n * dt, dt=dt, stepper=make())
    steps = {"ExplicitEuler": n * (n - 1) / 2, "SymplecticEuler": n * (n + 1) / 2}
    steps |= {"LinearisedImplicit": n * (n + 1) / 2, "Implicit": n * (n + 1) / 2}
    # BDF2 begins with backward Euler, g dt^2/2 too far, of which (4 e_n - e_(n-1))/3 makes 3/4.
    steps |= {"BDF2": n**2 / 2 + 3 / 4}
    fall = g * dt**2 * steps.get(type(make()).__name__, n**2 / 2)
    assert start[:, 1] - block.positions[:, 1] == pytest.approx(np.full(len(block), fall), abs=1e-9)
    # The shape is as it was, to what CG leaves of the fall.
    assert np.ptp(block.positions - start, axis=0).max() <= 1e-9


@every
def test_fixed_points_stay_and_driven_ones_are_on_their_path(make):
    block = brick(2)
    X = block.mesh.points
    held, led = np.flatnonzero(X[:, 0] < 1e-9), np.flatnonzero(X[:, 0] > 1 - 1e-9)
    block.velocity = (0.3, 0.1)
    block.fix(held)
    block.move(led, lambda t: X[led] + [0.0, 0.2 * t])
    take = pl.Scene(block).run(seconds=0.02, dt=1e-3, stepper=make())
    assert np.array_equal(take.positions[-1][held], X[held])
    assert np.abs(take.positions[-1][led] - X[led] - [0.0, 0.2 * 0.02]).max() <= 1e-15
    assert take.velocities[-1][held] == pytest.approx(0.0, abs=1e-12)
    assert take.velocities[-1][led, 1] == pytest.approx(0.2, abs=1e-9)


@every
def test_two_runs_are_one(make):
    whole = end("Rayleigh", make(), 40)
    scene = shaken("Rayleigh")
    for _ in range(2):
        last = scene.run(seconds=0.1, dt=0.005, stepper=make())
    # The same operations in the same order, and the time rounds once more.
    assert np.abs(last.positions[-1] - whole).max() <= 1e-9


def test_bdf2_begins_again_after_another_dt_or_another_stepper():
    """Each beginning is one step of backward Euler: the order stays."""
    ends = []
    for n in (1, 2, 4):
        scene = shaken("StrainRate")
        for steps, dt in ((20, 0.002), (40, 0.001), (20, 0.002), (20, 0.002)):
            scene.run(seconds=steps * dt, dt=dt / n, stepper=pl.BDF2(tolerance=0))
        scene.step(0.02 / n / 20, stepper=pl.Implicit(tolerance=0))
        for _ in range(20 * n - 1):
            scene.step(0.001 / n, stepper=pl.BDF2(tolerance=0))
        ends.append(scene.bodies[0].positions)
    first, second = (np.abs(a - b).max() for a, b in pairwise(ends))
    assert first < 1e-4
    assert np.log2(first / second) == pytest.approx(2.0, abs=0.3)


def test_linearised_step_is_the_full_one_for_linear_material_and_one_solve_for_any():
    mesh = pl.meshes.rectangle((2, 0.5), (6, 2))
    bodies = {}
    for material in (
        pl.Linear(young=1e5, poisson=0.3),
        pl.StableNeoHookean(young=1e5, poisson=0.3),
    ):
        for stepper in (pl.LinearisedImplicit(1e-11), pl.Implicit(tolerance=0)):
            beam = pl.Body(mesh, material, damping=pl.Rayleigh(stiffness=0.002))
            beam.fix(mesh.points[:, 0] < 1e-9)
            take = pl.Scene(beam, gravity=(0, -9.81)).run(seconds=0.5, dt=0.01, stepper=stepper)
            bodies[type(material), type(stepper)] = take
    linear, full = (bodies[pl.Linear, s] for s in (pl.LinearisedImplicit, pl.Implicit))
    assert np.abs(linear.positions - full.positions).max() <= 1e-8
    linear, full = (bodies[pl.StableNeoHookean, s] for s in (pl.LinearisedImplicit, pl.Implicit))
    assert set(linear.solver["iterations"]) == {1} and set(linear.solver["reason"]) == {
        "linearised"
    }
    assert (linear.solver["linear_iterations"] >= 1).all()
    apart = np.abs(linear.positions - full.positions).max()
    assert 1e-5 < apart < 0.02 * np.abs(full.positions - mesh.points).max()


@pytest.mark.parametrize(
    "stepper", [pl.LinearisedImplicit(), pl.Newmark(), pl.BDF2(), pl.RungeKutta4()]
)
def test_on_a_device_the_answer_is_the_same(stepper):
    """What CUDA does, on the CPU: objectives on the device, the step begun on the host."""
    ends = []
    for on_device in (False, True):
        with resident(on_device):
            ends.append(end("Rayleigh", stepper, 20, seconds=0.05))
    # Both solve to 1e-6 of each step's motion or better, 0.05 m in all.
    assert np.abs(ends[0] - ends[1]).max() <= 1e-6


# --- refusals -------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("damping", [pl.Settle(0.5), pl.EnergyMinimising()], ids=["Settle", "tau"])
def test_control_is_left_to_the_implicit_step(make, damping):
    stepper = make()
    if isinstance(stepper, pl.Implicit):
        return
    block = brick(2, damping=damping)
    start = block.positions
    with pytest.raises(ValueError, match="choice of the inertia.*without stepper=") as caught:
        pl.Scene(block).run(seconds=0.1, dt=0.01, stepper=stepper)
    assert type(damping).__name__ in str(caught.value) and type(stepper).__name__ in str(
        caught.value
    )
    assert np.array_equal(block.positions, start)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: pl.Newmark(0.0), ("beta=0.0", "SymplecticEuler")),
        (lambda: pl.Newmark(float("nan")), ("beta=nan", "0 < beta")),
        (lambda: pl.Newmark(0.25, 0.4), ("gamma=0.4", "0.5 <= gamma")),
        (lambda: pl.Newmark(tolerance=2.0), ("Newmark", "tolerance=2.0")),
        (lambda: pl.BDF2(-1.0), ("BDF2", "tolerance=-1.0")),
        (lambda: pl.LinearisedImplicit(0.0), ("LinearisedImplicit", "tolerance=0.0")),
    ],
)
def test_wrong_steppers_are_refused(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_longest_dt_of_a_body_itself_is_told_what_to_give():
    with pytest.raises(TypeError, match=r"got Body; expected body.system\(\)"):
        pl.RungeKutta4().longest_dt(brick(2))


@pytest.mark.parametrize("name", ["SymplecticEuler", "RungeKutta4"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(
    "loss",
    [None, pl.StrainRate(phi=500.0, psi=100.0), pl.Rayleigh(mass=3.0, stiffness=2e-3)],
    ids=["undamped", "strain-rate", "rayleigh"],
)
def test_longest_dt_of_a_body_is_where_it_blows_up(name, dim, loss):
    """Between 0.98 and 1.02 of it noise of a micrometre begins to grow to millimetres and more."""
    stepper = getattr(pl, name)()

    def shaken_off(dt):
        block = brick(dim, young=1e5, damping=loss)
        X = block.mesh.points
        block.fix(X[:, 0] < 1e-9)
        noise = 1e-6 * np.random.default_rng(0).standard_normal(X.shape)
        block.place(X + noise * (X[:, :1] > 0))
        try:
            pl.Scene(block).run(seconds=300 * dt, dt=dt, stepper=stepper)
        except pl.SolverError as error:
            assert "blew up" in str(error)
            return np.inf
        return np.abs(block.positions - X).max()

    limit = stepper.longest_dt(brick_clamped(dim).system(), loss)
    assert shaken_off(0.98 * limit) < 1e-5
    assert shaken_off(1.02 * limit) > 1e-3


@pytest.mark.parametrize("make", [pl.ExplicitEuler, pl.AverageVelocity])
def test_longest_dt_looks_at_the_least_damped_mode(make):
    """Volume is damped twenty times as much as shape: shear limits steps that gain energy."""
    loss, block = pl.StrainRate(phi=2000.0, psi=100.0), brick_clamped(2)
    block.damping = loss
    limit, X = make().longest_dt(block.system(), loss), block.mesh.points
    block.place(X + 1e-6 * np.random.default_rng(0).standard_normal(X.shape) * (X[:, :1] > 0))
    run = {"seconds": 1000 * limit, "dt": limit, "stepper": make(), "progress": False}
    take = pl.Scene(block).run(**run)
    u = np.abs(take.positions - X).max(axis=(1, 2))
    assert limit > 0.0 and u[-200:].max() <= u[:200].max()
    assert make().longest_dt(block.system(), pl.StrainRate(phi=2000.0, psi=0.0)) == 0.0


def brick_clamped(dim):
    block = brick(dim, young=1e5)
    block.fix(block.mesh.points[:, 0] < 1e-9)
    return block
