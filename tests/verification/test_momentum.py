"""Damping leaves alone what it must: free fall, spin, momentum, a carried clamp, the shape at rest."""

import numpy as np
import pytest

import pliant as pl

CONTROLLED = {
    "settle": lambda: pl.Settle(0.5),
    "settle-0": lambda: pl.Settle(0.5, 0),
    "settle-2": lambda: pl.Settle(0.5, 2),
    "first-mode": lambda: pl.Settle(0.5, law="first-mode"),
    "first-mode-0": lambda: pl.Settle(0.5, 0, law="first-mode"),
    "first-mode-2": lambda: pl.Settle(0.5, 2, law="first-mode"),
    "energy-minimising": lambda: pl.EnergyMinimising(tau=0.05),
    "energy-minimising-kappa": lambda: pl.EnergyMinimising(tau=0.05, kappa=0.7),
}
QUICK_PLANE_ONLY = {"settle-0", "first-mode", "first-mode-0", "energy-minimising"}
every_controlled = pytest.mark.parametrize("damping", CONTROLLED.values(), ids=list(CONTROLLED))
dims = pytest.mark.parametrize("dim", [2, 3])


def brick(dim, *, young=1e5, damping=None):
    mesh = (
        pl.meshes.rectangle((1, 0.4), (4, 2))
        if dim == 2
        else pl.meshes.box((1, 0.4, 0.3), (3, 1, 1))
    )
    return pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.35), damping=damping)


def lift(x):
    return np.pad(x, ((0, 0), (0, 3 - x.shape[1])))


def momenta(masses, x, v):
    """Linear momentum, and angular momentum about the origin."""
    p = masses[:, None] * lift(v)
    return p.sum(axis=0), np.cross(lift(x), p).sum(axis=0)


def spun(x, spin, velocity=(0.0, 0.0, 0.0)):
    """Velocities of a rigid motion: `spin` [rad/s] about the mean point, plus `velocity`."""
    r = lift(x) - lift(x).mean(axis=0)
    return (np.cross(spin, r) + velocity)[:, : x.shape[1]]


def rotation(angle, dim):
    Q = np.eye(dim)
    Q[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return Q


# --- free fall ------------------------------------------------------------------------------


@dims
@every_controlled
def test_free_fall_of_an_undeformed_body_is_the_undamped_one(damping, dim):
    gravity, velocity = (0.3, -9.81, 0.2)[:dim], (1.0, 2.0, -0.5)[:dim]
    ends = []
    for choice in (None, damping()):
        body = brick(dim, damping=choice)
        body.velocity = velocity
        ends.append(pl.Scene(body, gravity=gravity).run(seconds=0.5, dt=1 / 60).positions)
    # The same symplectic recurrence; positions of 2 m round at 1e-15 in each of 30 steps. The bound
    # is the issue's.
    assert np.abs(ends[0] - ends[1]).max() <= 1e-10
    assert np.abs(ends[1][-1] - ends[1][0]).max() > 0.4


@dims
@every_controlled
def test_centre_of_a_deformed_body_falls_as_the_undamped_one(damping, dim):
    paths = []
    for choice in (None, damping()):
        body = brick(dim, damping=choice)
        X = body.mesh.points
        body.place(X * np.array([1.2, 0.9, 1.0])[:dim] + 0.1 * X[:, :1] ** 2)
        body.velocity = (1.0, 2.0, 0.0)[:dim]
        take = pl.Scene(body, gravity=(0.0, -9.81, 0.0)[:dim]).run(seconds=0.5, dt=1 / 60)
        paths.append(np.einsum("p,fpd->fd", body.masses, take.positions) / body.masses.sum())
    assert np.abs(paths[0] - paths[1]).max() <= 1e-10


# --- momentum -------------------------------------------------------------------------------


#: The quick run takes one damping of each kind in each dimension; the others differ in gains only.
QUICK = {
    2: {"settle", "settle-0", "settle-2", "first-mode-0"},
    3: {"settle", "settle-2", "first-mode-2", "energy-minimising-kappa"},
}
TUMBLE = [
    pytest.param(
        make,
        dim,
        id=f"{name}-{dim}",
        marks=[] if name in QUICK[dim] else [pytest.mark.slow],
    )
    for dim in (2, 3)
    for name, make in CONTROLLED.items()
]


@pytest.mark.parametrize("damping, dim", TUMBLE)
def test_momentum_of_a_free_deforming_tumbling_body_is_kept_over_500_steps(damping, dim):
    rng = np.random.default_rng(1)
    body = brick(dim, damping=damping())
    X = body.mesh.points
    bent = X @ (np.eye(dim) + 0.1 * rng.uniform(-1, 1, (dim, dim))).T + 5.0
    body.place(bent + 0.02 * rng.uniform(-1, 1, X.shape))
    # Off every principal axis in 3D, with noise that squeezes and shears at once.
    spin = (1.0, 2.0, 6.0) if dim == 3 else (0.0, 0.0, 6.0)
    body.velocity = spun(body.positions, spin, (0.3, -0.2, 0.1)) + 0.5 * rng.uniform(-1, 1, X.shape)
    before = momenta(body.masses, body.positions, body.velocity)
    take = pl.Scene(body).run(seconds=500 / 120, dt=1 / 120)
    assert len(take) == 501
    for x, v in zip(take.positions[::25], take.velocities[::25], strict=True):
        for now, then in zip(momenta(body.masses, x, v), before, strict=True):
            # 500 steps of rounding 1e-15 relative to m |x| |v|, a few times the momentum itself.
            assert np.abs(now - then).max() <= 1e-10 * np.abs(then).max()


def test_momentum_of_each_component_is_kept():
    """Two bricks in one mesh, one spinning, one flying: nothing passes between them."""
    one, two = pl.meshes.rectangle((1, 0.4), (4, 2)), pl.meshes.rectangle(
        (1, 0.4), (3, 2), origin=(3, 1)
    )  # fmt: skip
    n = len(one)
    mesh = pl.Mesh(
        np.concatenate([one.points, two.points]),
        {"tri": np.concatenate([one.cells["tri3"], two.cells["tri3"] + n])},
    )
    for damping in (pl.Settle(0.5), pl.Settle(0.5, 2), pl.EnergyMinimising(tau=0.05)):
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=damping)
        x = mesh.points * [1.1, 0.95]
        body.place(x)
        v = np.concatenate([spun(x[:n], (0, 0, 5.0)), spun(x[n:], (0, 0, -2.0), (0.5, 0.1, 0))])
        body.velocity = v
        take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
        for part in (slice(0, n), slice(n, None)):
            m = body.masses[part]
            before = momenta(m, x[part], v[part])
            after = momenta(m, take.positions[-1][part], take.velocities[-1][part])
            scale = m.sum() * 5.0  # the first brick's linear momentum is zero
            for now, then in zip(after, before, strict=True):
                assert np.abs(now - then).max() <= 1e-10 * scale
        # Each came to rest in its own rotating frame.
        if take.rest is not None:
            assert take.distance()[-1] <= 1e-2 * take.distance()[0]


def test_components_move_as_they_would_alone():
    """With a law that is the same for both (tau), one mesh of two parts equals two bodies."""
    one = pl.meshes.rectangle((1, 0.4), (4, 2))
    two = pl.meshes.rectangle((1, 0.4), (3, 2), origin=(3, 1))
    joint = pl.Mesh(
        np.concatenate([one.points, two.points]),
        {"tri": np.concatenate([one.cells["tri3"], two.cells["tri3"] + len(one)])},
    )
    material, runs = pl.StableNeoHookean(young=1e5, poisson=0.3), []
    for meshes in ([joint], [one, two]):
        bodies = []
        for mesh in meshes:
            body = pl.Body(mesh, material, damping=pl.EnergyMinimising(tau=0.05, kappa=0.5))
            body.place(mesh.points * [1.1, 0.9])
            body.velocity = np.where(mesh.points[:, :1] > 2, [[0.5, 0.1]], [[0.0, 0.0]])
            bodies.append(body)
        scene, exact = pl.Scene(bodies, gravity=(0, -1)), pl.Implicit(tolerance=0)
        take = scene.run(seconds=0.5, dt=1 / 60, stepper=exact)
        runs.append(np.concatenate([take[b].positions for b in bodies], axis=1))
    # Newton stops at 1e-9 of the size, 3 m, in each of 30 steps; steps do not add up coherently.
    assert np.abs(runs[0] - runs[1]).max() <= 1e-8


# --- spin -----------------------------------------------------------------------------------


@pytest.mark.parametrize("damping, dim", TUMBLE)
def test_stiff_free_body_keeps_its_spin_and_its_length(damping, dim):
    spin, seconds, young, length, density = 10.0, 2.0, 1e7, 1.0, 1000.0
    mesh = (
        pl.meshes.rectangle((length, 0.2), (6, 2))
        if dim == 2
        else pl.meshes.box((length, 0.2, 0.2), (6, 2, 2))  # even: symmetric, so it does not tumble
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3), density=density)
    body.damping = damping()
    body.velocity = spun(mesh.points, (0, 0, spin))
    take = pl.Scene(body).run(seconds=seconds, dt=1 / 120)
    left, right = mesh.points[:, 0] < 1e-9, mesh.points[:, 0] > length - 1e-9
    arm = take.positions[:, right].mean(axis=1) - take.positions[:, left].mean(axis=1)
    angle = np.unwrap(np.arctan2(arm[:, 1], arm[:, 0]))
    # The bound. The stretch below costs 0.15 % of the spin, dt another 0.1 %.
    assert angle[-1] - angle[0] == pytest.approx(spin * seconds, rel=0.01)
    assert (angle[-1] - angle[-25]) * 120 / 24 == pytest.approx(spin, rel=0.01)
    # A bar spun about its middle stretches by rho w^2 L^3 / (12 E); plane strain stiffens E by
    # 1/(1 - nu^2). A slender bar's formula on a 5:1 brick, coarse: 10 % of 0.08 %.
    stiff = young / (1 - 0.3**2) if dim == 2 else young
    stretch = np.linalg.norm(arm[-1, :2]) - length
    assert stretch == pytest.approx(density * spin**2 * length**3 / (12 * stiff), rel=0.1)


# --- driven and hinged bodies ---------------------------------------------------------------


def clamped(dim, damping):
    mesh = (
        pl.meshes.rectangle((2, 0.5), (6, 2))
        if dim == 2
        else pl.meshes.box((2, 0.5, 0.5), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=damping)
    return body, np.flatnonzero(mesh.points[:, 0] < 1e-9)


@dims
@every_controlled
def test_carried_clamp_leaves_the_shape_at_rest(damping, dim):
    speed = np.array([0.5, 1.0, -0.3])[:dim]
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start + t * speed)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        # The bound, of a body of size 2; measured 1e-15.
        assert np.abs(x - t * speed - body.mesh.points).max() <= 2e-6
    assert np.abs(take.positions[-1] - body.mesh.points).max() > 0.9


@pytest.mark.parametrize("damping, dim", TUMBLE)
def test_turned_clamp_leaves_the_shape_at_rest(damping, dim):
    """No loads and no spin of its own: a clamp that turns carries the body with it."""
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start @ rotation(0.7 * t, dim).T)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        assert np.abs(x - body.mesh.points @ rotation(0.7 * t, dim).T).max() <= 2e-6


@dims
@every_controlled
def test_body_that_already_moves_with_its_clamp_does_not_deform(damping, dim):
    """The deformation velocity is measured against the clamp from the first step on."""
    speed = np.array([0.5, 1.0, -0.3])[:dim]
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start + t * speed)
    body.velocity = speed
    take = pl.Scene(body).run(seconds=0.5, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        assert np.abs(x - t * speed - body.mesh.points).max() <= 2e-6


@pytest.mark.parametrize("damping", [CONTROLLED["settle"], CONTROLLED["energy-minimising"]])
@dims
def test_hinged_body_swings_like_a_rigid_pendulum(damping, dim):
    """One pin in 2D, a line of pins in 3D: the swing is rigid motion, which damping leaves alone."""
    mesh = (
        pl.meshes.rectangle((1, 0.2), (5, 2))
        if dim == 2
        else pl.meshes.box((1, 0.2, 0.3), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.3), damping=damping())
    corner = (mesh.points[:, 0] < 1e-9) & (mesh.points[:, 1] < 1e-9)
    body.fix(corner)
    m, r = body.masses, mesh.points[:, :2]
    arm = m @ r / m.sum()
    tilt = 0.1  # small: the period of amplitude 0.1 is 0.06 % longer than the limit's
    down = np.arctan2(arm[1], arm[0]) + np.pi / 2  # turn by this to hang straight down
    body.place(mesh.points @ rotation(-down + tilt, dim).T)
    g = 9.81
    inertia = m @ (r**2).sum(axis=1)
    period = 2 * np.pi * np.sqrt(inertia / (m.sum() * g * np.linalg.norm(arm)))
    take = pl.Scene(body, gravity=(0, -g, 0)[:dim]).run(seconds=2.2 * period, dt=1 / 120)
    centre = np.einsum("p,fpd->fd", m, take.positions) / m.sum()
    swing = np.arctan2(centre[:, 0], -centre[:, 1])
    assert swing[0] == pytest.approx(tilt, rel=1e-6)
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    crossing = take.times[up] + np.diff(take.times)[up] * swing[up] / (swing[up] - swing[up + 1])
    # Stiff to 1e-3, amplitude 0.06 %, symplectic steps of 1/120 in a period of 1.6 s: 1e-4.
    assert np.diff(crossing)[0] == pytest.approx(period, rel=3e-3)
    # Undamped: the second swing is as wide as the first, to the 1 % that stretching takes part in.
    half = len(swing) // 2
    assert np.abs(swing[half:]).max() == pytest.approx(np.abs(swing[:half]).max(), rel=0.01)
    assert np.abs(take.positions[:, corner] - take.positions[0, corner]).max() == 0.0


def test_hinge_goes_where_the_body_is_placed():
    """The hinge axis is that of the pins as placed, not as meshed."""
    swung = []
    quarter = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # about x: the axis z becomes -y
    mesh = pl.meshes.box((1, 0.4, 0.4), (3, 1, 1))
    for Q in (np.eye(3), quarter):
        for damping in (pl.EnergyMinimising(tau=0.05), pl.Settle(0.5)):
            body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), damping=damping)
            body.fix((mesh.points[:, 0] < 1e-9) & (mesh.points[:, 1] < 1e-9))
            body.place(mesh.points @ Q.T)
            take = pl.Scene(body, gravity=Q @ [0, -1.0, 0]).run(seconds=0.5, dt=1 / 60)
            swung.append(take.positions[-1] @ Q)
    assert np.abs(swung[0] - mesh.points).max() > 0.05
    # The same problem in turned axes: equal to solver tolerance, 1e-9 of the size a step.
    assert np.abs(swung[2] - swung[0]).max() <= 1e-7
    assert np.abs(swung[3] - swung[1]).max() <= 1e-7


# --- the shape at rest ----------------------------------------------------------------------

AT_REST = CONTROLLED | {
    "energy-minimising": lambda: pl.EnergyMinimising(tau=0.5),
    "energy-minimising-kappa": lambda: pl.EnergyMinimising(tau=1.0, kappa=0.6),
    "unmodified": lambda: pl.EnergyMinimising(tau=None),
    "strain-rate": lambda: pl.StrainRate(phi=2e4, psi=2e4),
    "rayleigh": lambda: pl.Rayleigh(mass=8, stiffness=0.1),
    "undamped": lambda: None,
}
#: Those whose rest time grows with the softness of the body take steps of a second: backward
#: Euler's own damping does the work, and the rest shape does not depend on dt.
LONG_STEPS = {"unmodified", "strain-rate", "undamped"}


@pytest.mark.parametrize(
    "name, dim",
    [
        pytest.param(
            name,
            dim,
            marks=[pytest.mark.slow] if dim == 3 and name in QUICK_PLANE_ONLY | LONG_STEPS else [],
        )
        for dim in (2, 3)
        for name in AT_REST
    ],
)
def test_shape_at_rest_is_the_equilibrium(name, dim):
    mesh = (
        pl.meshes.rectangle((2, 0.5), (6, 2))
        if dim == 2
        else pl.meshes.box((2, 0.5, 0.5), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e5, poisson=0.3), damping=AT_REST[name]())
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene(body, gravity=(0, -2.0, 0)[:dim])
    rest = scene.equilibrium().positions[0]
    dt = 1.0 if name in LONG_STEPS else 1 / 30
    for _ in range(20):
        take = scene.run(seconds=40 * dt, dt=dt)
        if np.abs(take.velocities[-1]).max() * max(dt, 0.5) <= 1e-9:
            break
    assert np.abs(rest - mesh.points).max() > 0.1
    # The bound. The loop above ends when half a second moves nothing by 1e-9.
    assert np.abs(take.positions[-1] - rest).max() <= 1e-6 * 2.0
