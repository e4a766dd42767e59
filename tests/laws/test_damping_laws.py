"""Laws of every damping that is exported."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import pliant as pl
from pliant import control as dampings
from pliant.control import Release, decay_rate, longest_dt, solve_law
from pliant.declared import example_of
from pliant.kinds import DAMPINGS
from pliant.problem.context import StepContext
from pliant.step.filtering import filter_points

#: Ways to build a damping that laws may tell apart; others are built of their declared examples.
BUILD = {
    "EnergyMinimising": [
        lambda: pl.EnergyMinimising(tau=0.05),
        lambda: pl.EnergyMinimising(tau=0.05, kappa=0.8),
        lambda: pl.EnergyMinimising(tau=None),
    ],
    "Rayleigh": [
        lambda: pl.Rayleigh(mass=3.0),
        lambda: pl.Rayleigh(stiffness=0.02),
        lambda: pl.Rayleigh(mass=1.0, stiffness=0.01),
    ],
    "StrainRate": [
        lambda: pl.StrainRate(phi=50.0, psi=20.0),
        lambda: pl.StrainRate(phi=0.0, psi=20.0),
    ],
    "SpringDamping": [
        lambda: pl.SpringDamping(1.0),
        lambda: pl.SpringDamping(1.0, projected=False),
        lambda: pl.SpringDamping(1.0, predicted=False),
    ],
    "IterativeSpringDamping": [
        lambda: pl.IterativeSpringDamping(1.0, iterations=3),
        lambda: pl.IterativeSpringDamping(1.0, iterations=3, projected=True),
    ],
    "RelativeDamping": [
        lambda: pl.RelativeDamping(0.2),
        lambda: pl.RelativeDamping(0.2, clusters="cells"),
        lambda: pl.RelativeDamping(0.2, clusters=3, torque=None),
        lambda: pl.RelativeDamping(0.2, clusters="whole", torque="distances"),
        lambda: pl.RelativeDamping(
            0.2, clusters=("whole", "cells"), torque=("distances", "directions")
        ),
        lambda: pl.RelativeDamping(0.2, torque="programme"),
    ],
    "Settle": [
        lambda: pl.Settle(0.4),
        lambda: pl.Settle(0.4, 0),
        lambda: pl.Settle(0.4, 2),
        lambda: pl.Settle(0.4, law="first-mode"),
        lambda: pl.Settle(0.4, 2, law="first-mode"),
    ],
}
EXPORTED = {c.__name__: c for c in DAMPINGS.own().values()}
ALL = [
    make
    for name, cls in EXPORTED.items()
    for make in BUILD.get(name, [lambda cls=cls: example_of(cls)])
]
every = pytest.mark.parametrize("make", ALL, ids=lambda m: repr(m()))


def body(damping=None, *, fixed=True, dim=2):
    mesh = (
        pl.meshes.rectangle((1, 0.5), (4, 2))
        if dim == 2
        else pl.meshes.box((1, 0.5, 0.5), (2, 1, 1))
    )
    if isinstance(damping, pl.ConditionDamping):  # needs a body of conditions
        k = {"volume": 200.0} if dim == 3 else {}
        b = pl.ConstraintBody(mesh, distance=200.0, area=200.0, mass=5.0, damping=damping, **k)
    else:
        b = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.35), damping=damping)
    if fixed:
        b.fix(mesh.points[:, 0] < 1e-9)
    return b


def context(b, x, v, dt=0.01):
    """A step's start as the dissipative dampings see it."""
    system = b.system()
    return StepContext(
        mechanics=system,
        time=0.0,
        dt=dt,
        x_old=x,
        velocity=v,
        x=x,
        drift=v,
        load=np.zeros_like(x),
        complement=system.unrestricted,
        rest=x,
        moving=False,
    )


def drags(damping):
    """Whether it is drag against the world: Rayleigh's mass term, and point damping."""
    return bool(getattr(damping, "mass", 0.0)) or isinstance(damping, pl.PointDamping)


def test_every_exported_damping_is_tested_here():
    """Those that have no row above, too."""
    tested = {type(make()) for make in ALL}
    assert tested == set(EXPORTED.values()) and len(tested) >= 10
    assert set(BUILD) < set(EXPORTED)
    assert {pl.ConditionDamping, pl.PointDamping, pl.Undamped} <= tested


@every
def test_repr_builds_the_same_damping(make):
    built = eval(repr(make()), EXPORTED)
    assert type(built) is type(make()) and vars(built) == vars(make())


@every
def test_dissipation_is_never_negative(make):
    """The dissipative force works against every motion, at random bent shapes and velocities."""
    damping = make()
    if damping.controlled:
        pytest.skip("acts through inertia; its loss of energy is tested below")
    b, rng = body(damping), np.random.default_rng(0)
    system, X = b.system(), b.mesh.points
    works = []
    for _ in range(20):
        x = X + 0.1 * rng.uniform(-1, 1, X.shape)
        v = np.where(b.pinned[:, None], 0.0, rng.standard_normal(X.shape))
        dt = 10.0 ** rng.uniform(-4, -1)
        now = context(b, x, v, dt)
        if isinstance(damping, dampings.VelocityFilter):
            force = damping.forces(replace(filter_points(system), x=x), v, dt)
            force[b.pinned] = 0.0
            works.append(float((force * v).sum()))
            assert works[-1] <= 1e-9 * np.abs(force).max()
            continue
        loss = damping.dissipation(now)
        force = -loss.drag * b.masses[:, None] * v
        assembly, y = system.assembly, x + dt * v
        for e in loss.energies:
            force -= assembly.gradient(y, [e]) - assembly.gradient(y)
        for q in loss.quadratics:
            K = q.weight * assembly.pattern.matrix(q.blocks)
            force -= (K @ (y - q.anchor).ravel()).reshape(x.shape)
        work = float((force * v).sum())
        assert work <= 1e-9 * np.abs(force).max()
        works.append(work)
    if not isinstance(damping, dampings.Undamped):
        assert min(works) < -1.0


@every
@pytest.mark.parametrize("dim", [2, 3])
def test_no_damping_makes_energy(make, dim):
    """From a bent start without velocity the distance to rest ends smaller, energy never grows
    beyond its start (bounces trade kinetic for elastic energy, but the sum has a ceiling)."""
    b = body(make(), dim=dim)
    X = b.mesh.points
    bend = np.zeros_like(X)
    bend[:, 1] = 0.1 * X[:, 0] ** 2
    b.place(X + bend)
    take = pl.Scene(b).run(seconds=0.6, dt=1 / 60)
    elastic = take.energies["elastic"]
    assert elastic[0] > 0
    # Controlled inertia is not physical mass, so only the potential is an energy for all of them.
    assert elastic.max() <= elastic[0] * (1 + 1e-9)
    if not make().controlled:
        total = take.energies["total"]
        assert (np.diff(total) <= 1e-9 * total[0]).all()


@every
@pytest.mark.parametrize("dim", [2, 3])
def test_momentum_of_a_free_body_is_kept_by_all_but_drag(make, dim):
    """Linear momentum by everything without drag; angular momentum by controlled dampings."""
    damping = make()
    if drags(damping):
        pytest.skip("drag against the world, and says so")
    b, rng = body(damping, fixed=False, dim=dim), np.random.default_rng(2)
    X = b.mesh.points
    b.place(X + 0.02 * rng.uniform(-1, 1, X.shape))
    b.velocity = rng.standard_normal(X.shape)
    before = b.masses @ b.velocity
    pl.Scene(b).run(seconds=0.2, dt=1 / 60)
    # The minimiser leaves a residual force of its tolerance, 1e-9 of the size times stiffness and
    # step; controlled steps project it out and are exact.
    bound = 1e-10 if damping.controlled else 1e-6
    assert np.abs(b.masses @ b.velocity - before).max() <= bound * np.abs(before).max()


@every
def test_rigid_drift_is_not_damped(make):
    """A body that flies without spin keeps flying (drag against the world excepted)."""
    damping = make()
    if drags(damping):
        pytest.skip("drag")
    b = body(damping, fixed=False)
    b.velocity = (1.0, -0.5)
    take = pl.Scene(b).run(seconds=0.5, dt=1 / 60)
    assert np.abs(take.positions[-1] - b.mesh.points - [0.5, -0.25]).max() <= 1e-9


# --- the law of Settle ----------------------------------------------------------------------


@pytest.mark.parametrize("bounces", [None, 0, 1, 2, 5])
@pytest.mark.parametrize("n", [24, 60, 240, 61.7])
@pytest.mark.parametrize("within", [0.001, 0.01, 0.2])
def test_law_places_the_roots_that_the_wish_asks_for(bounces, n, within):
    rest_in, dt = 1.0, 1.0 / n
    if dt > longest_dt(rest_in, bounces, within):
        with pytest.raises(pl.ImpossibleWishError):
            solve_law(rest_in, dt, bounces, within)
        return
    law = solve_law(rest_in, dt, bounces, within)
    roots = np.roots([1 + law.W, -(1 + law.kappa), law.kappa])
    theta = 2 * np.pi * (bounces or 0) / n
    if bounces is None:
        assert sorted(np.abs(roots)) == pytest.approx([0.0, law.r], abs=1e-12)
    else:
        # Double roots are known to the square root of rounding.
        assert np.abs(roots) == pytest.approx([law.r] * 2, rel=1e-6)
        assert np.abs(np.angle(roots)) == pytest.approx([theta] * 2, abs=1e-6)
    # The recurrence of the mode itself, released from rest, with the law's own step before it.
    steps = int(np.ceil(n)) + 1
    a = [law.before()[0], 1.0]
    for _ in range(steps):
        a.append(((1 + law.kappa) * a[-1] - law.kappa * a[-2]) / (1 + law.W))
    a = np.array(a[1:])
    assert a == pytest.approx(law.amplitude(np.arange(len(a))), abs=1e-9)
    assert (np.abs(a) <= law.envelope(np.arange(len(a))) + 1e-12).all()
    assert float(law.envelope(np.array(n))) == pytest.approx(within, rel=1e-9)


@pytest.mark.parametrize("bounces", [0, 1, 3])
@pytest.mark.parametrize("velocity", [-9.0, 0.0, 4.0])
def test_the_recurrence_is_one_curve_at_every_step(bounces, velocity):
    """Released with any velocity it samples the solution of u'' + 2 s u' + (s^2 + omega^2) u = 0."""
    s, omega = decay_rate(1.0, bounces, 0.01), 2 * np.pi * bounces
    for n in (24, 100, 240):
        law = solve_law(1.0, 1 / n, bounces, 0.01)
        keep, share = law.before()
        a = [keep + share * velocity / n, 1.0]
        for _ in range(n):
            a.append(((1 + law.kappa) * a[-1] - law.kappa * a[-2]) / (1 + law.W))
        flow = expm(np.array([[0.0, 1.0], [-(s**2) - omega**2, -2 * s]]) / n)
        u = [np.array([1.0, velocity])]
        for _ in range(n):
            u.append(flow @ u[-1])
        # A double root loses a few digits to rounding.
        assert np.abs(np.array(a[1:]) - np.array(u)[:, 0]).max() < 1e-11


@pytest.mark.parametrize("bounces", [0, 1, 3])
@pytest.mark.parametrize("release", [(1, 3, 9), (1, -3, 9), (0, 0, 1), (1, -30, 900), (1, 0, 100)])
def test_a_velocity_at_release_is_in_time_too(bounces, release):
    """The distance, or its envelope, falls to `within` of its largest value at the asked time."""
    release, omega = Release(*release), 2 * np.pi * bounces
    s = decay_rate(2.0, bounces, 0.01, release) * 2.0  # per rest_in
    again = Release(release.uu, release.uv * 2.0, release.vv * 4.0)  # velocities per rest_in
    t = np.linspace(0.0, 4.0, 40_001)
    d = again.distances(s, omega, t)
    left = again.envelope(s, omega) * np.exp(-s) if bounces else d[t >= 1.0].max()
    assert left == pytest.approx(
        0.01 * d.max(), rel=1e-4
    )  # the largest of 400 samples is looked for


def test_amplitude_of_a_critical_law_never_overshoots():
    law = solve_law(1.0, 1 / 60, 0, 0.01)
    a = law.amplitude(np.arange(200))
    assert (a > 0).all() and (np.diff(a) < 0).all()


@pytest.mark.parametrize("bounces", [1, 3, 7])
def test_longest_dt_is_where_the_law_ceases(bounces):
    """2 cos(theta) = r is the edge, found here from r and the envelope after n steps."""
    within = 0.01

    def miss(n):
        theta = 2 * np.pi * bounces / n
        r = 2 * np.cos(theta)
        return np.log(np.hypot(1, np.log(r) / theta)) + n * np.log(r) - np.log(within)

    law = solve_law(1.0, longest_dt(1.0, bounces, within) * (1 - 1e-5), bounces, within)
    assert law.W > 0 and law.kappa > 0
    edge = brentq(miss, 4.0001 * bounces, 5.9999 * bounces)  # cos(theta) in (0, 1/2)
    assert longest_dt(1.0, bounces, within) <= 1.0 / edge * (1 + 1e-5)
