"""IMPACT's rods against the theory of waves, of impact and of tops."""

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl

YOUNG, DENSITY, RADIUS = 2e11, 7800.0, 0.005
SOUND = np.sqrt(YOUNG / DENSITY)
AREA = np.pi * RADIUS**2


def line(lengths, per_metre, *, gap=1e-4, dim=2, **how):
    """Rods one behind the other along x, `gap` between their ends."""
    points, pairs, start, count = [], [], 0.0, 0
    for length in lengths:
        cells = round(per_metre * length)
        x = np.zeros((cells + 1, dim))
        x[:, 0] = start + np.linspace(0, length, cells + 1)
        points.append(x)
        pairs.append(count + np.stack([np.arange(cells), np.arange(1, cells + 1)], axis=1))
        start, count = start + length + 2 * RADIUS + gap, count + cells + 1
    mesh = pl.Mesh(np.concatenate(points), {"line": np.concatenate(pairs)})
    given = {"young": YOUNG, "density": DENSITY, "radius": RADIUS} | how
    return pl.ImpactRods(mesh, **given)


def run(rods, seconds, dt):
    return pl.Scene(rods).run(seconds=seconds, dt=dt, stepper=pl.Impact(), progress=False)


def order(errors):
    """The last fitted order of errors on meshes each twice as fine."""
    return np.log2(errors[-2] / errors[-1])


def test_a_pulse_arrives_with_the_speed_of_sound():
    """The end is pushed; half of the plateau arrives at x/c, as d'Alembert has it."""
    late = []
    for n in (50, 200):
        rod = line([1.0], n)
        force = 100.0
        rod.push(force=(force, 0.0), on=[0])
        dt = 0.5 / n / SOUND
        take = run(rod, 0.95 / SOUND, dt)
        stress = -rod.stresses(take.positions) * AREA / force
        middles = (np.arange(n) + 0.5) / n
        errors = []
        for x in (0.2, 0.4, 0.6, 0.8):
            e = int(x * n)
            arrival = take.times[np.argmax(stress[:, e] > 0.5)]
            errors.append(arrival * SOUND - middles[e])
            after = take.times > (middles[e] + 0.1) / SOUND
            if x < 0.5:  # Gibbs' waves behind the jump swing about the plateau
                assert stress[after, e].mean() == pytest.approx(1.0, abs=0.05)
        # Speed from the first to the last position: dispersion delays the half by n^(-2/3).
        late.append((errors[-1] - errors[0]) / 0.6)
    assert abs(late[0]) < 0.02 and abs(late[1]) < 0.005


def test_a_fixed_rod_rings_at_a_quarter_wave_to_second_order():
    """f = c/4L; on a mesh sin(w dt/2) = (c dt/l) sin(k l/2), k = pi/2L."""
    errors, share = [], 0.5
    for n in (5, 10, 20):
        rod = line([1.0], n)
        rod.fix([0])
        u = np.sin(0.5 * np.pi * rod.mesh.points[:, 0])
        rod.place(rod.mesh.points + 1e-5 * u[:, None] * [1, 0])
        dt = share / n / SOUND
        take = run(rod, 4.2 / SOUND, dt)
        q = (take.positions[..., 0] - rod.mesh.points[:, 0]) @ (rod.masses * u)
        k = np.flatnonzero(q[:-1] * q[1:] < 0)
        zeros = take.times[k] + q[k] / (q[k] - q[k + 1]) * dt
        frequency = 0.5 / (zeros[1] - zeros[0])
        discrete = np.arcsin(share * np.sin(0.25 * np.pi / n)) / (np.pi * dt)
        # Zeros between steps by straight lines: (w dt)^2/8 of a step, a few 1e-5 of the period.
        assert frequency == pytest.approx(discrete, rel=2e-5)
        errors.append(abs(frequency / (0.25 * SOUND) - 1))
    assert errors[-1] < 2.5e-4
    assert all(1.95 < np.log2(a / b) < 2.05 for a, b in pairwise(errors))


def collide(first, second, per_metre, speed=5.0):
    """Take of a rod that hits another at rest, their masks, and the force between them."""
    rods = line([first, second], per_metre)
    part = rods.mesh.components
    rods.velocity = np.where(part[:, None] == 0, [speed, 0.0], 0.0)
    dt = 0.5 / per_metre / SOUND
    take = run(rods, 1e-4 / speed + (2 * first + 2.5) / SOUND, dt)
    momentum = [take.velocities[..., 0] @ (rods.masses * (part == p)) for p in (0, 1)]
    means = [p[-1] / rods.masses[part == k].sum() / speed for k, p in enumerate(momentum)]
    total = np.einsum("p,tpd->td", rods.masses, take.velocities)
    force = np.diff(momentum[1]) / dt / (0.5 * AREA * DENSITY * SOUND * speed)
    pushing = np.flatnonzero(force > 0.5)
    contact = (pushing[-1] - pushing[0] + 1) * dt * SOUND / (2 * first)
    return means, contact, force, total, take


def test_equal_rods_exchange_their_velocities():
    """Saint-Venant: both are pressed with rho c v/2 for 2L/c, then the first stands still."""
    left = []
    for n in (20, 80):
        (first, second), contact, force, total, take = collide(1.0, 1.0, n)
        assert contact == pytest.approx(1.0, abs=1.0 / n)  # a step of l/2c, and one to begin
        assert force[force > 0.5].mean() == pytest.approx(1.0, abs=1.5 / n)
        np.testing.assert_allclose(total, np.broadcast_to(total[0], total.shape), atol=1e-13)
        energy = take.energies["total"]
        # Symplectic Euler's energy swings with w dt of the waves that the mesh carries; half a
        # per cent here, and no trend.
        assert energy[-1] == pytest.approx(energy[0], rel=0.02)
        left.append(first)
        assert second == pytest.approx(1.0 - first, abs=1e-12)
    # What is left are waves behind the jump that the mesh disperses.
    assert 0 < left[1] < 0.7 * left[0] and left[1] < 0.006


@pytest.mark.parametrize("ratio", [2, 4])
def test_a_short_rod_stops_dead_on_a_long_one(ratio):
    """Unequal rods: contact for 2L_1/c, coefficient of restitution L_1/L_2."""
    errors = []
    for n in (20, 40, 80):
        (first, second), contact, *_ = collide(2.0 / ratio, 2.0, n)
        errors.append([second - first - 1 / ratio, abs(first), contact - 1])
    errors = np.array(errors)
    assert errors[-1, 0] < 0.02 and errors[-1, 1] < 0.015 and errors[-1, 2] < 0.05
    # A jump on a mesh converges with l^(2/3) or so; the contact spring adds l.
    assert (np.diff(errors[:, :2], axis=0) < 0).all()
    assert 0.4 < order(errors[:, 0]) < 1.3


@pytest.mark.parametrize("collision", [0.5, 1.0, 3.0])
def test_collisions_shorten_the_step_as_theory_says(collision):
    """Two pressed rods: the fastest mode sits at the contact and decays by exp(-kappa) an element.

    Its end masses are halves, so sinh kappa = 2 k l/EA and w^2 = (2 + 2 cosh kappa) (c/l)^2.
    """
    n, squeeze = 20, 1e-3
    limit = 2 / np.sqrt(2 + 2 * np.cosh(np.arcsinh(2 * collision))) / n / SOUND
    overlap = squeeze / (collision * n + 0.5)
    long = 1 - squeeze + 0.5 * overlap
    found = {}
    for share in (0.99, 1.01):
        rods = line([1.0, 1.0], n, gap=0.0, collision=collision)
        x = rods.mesh.points.copy()
        x[: n + 1, 0] = np.linspace(0, long, n + 1)
        x[n + 1 :, 0] = long - overlap + 2 * RADIUS + x[: n + 1, 0]
        noise = 1e-9 * np.random.default_rng(0).standard_normal(len(x))
        noise[[0, -1]] = 0.0
        rods.place(x + noise[:, None] * [1, 0])
        rods.fix([0, len(x) - 1])
        take = run(rods, 400 * share * limit, share * limit)
        found[share] = np.abs(take.positions - x).max() / 1e-9
    assert found[0.99] < 30 and found[1.01] > 1e3
    # The bound by circles is on the short side, and not by much.
    assert 0.85 * limit < pl.Impact().longest_dt(rods.system()) <= limit


def test_without_collisions_the_longest_step_is_the_passage_of_sound():
    rod = line([1.0], 40, collision=0.0)
    longest = pl.Impact().longest_dt(rod.system())
    assert longest * 40 * SOUND == pytest.approx(1.0, abs=1e-3)  # Lanczos stops at a thousandth
    rod.fix([0])
    rod.place(rod.mesh.points * [1.0001, 1])
    assert np.abs(run(rod, 500 * 0.995 * longest, 0.995 * longest).velocities).max() < 10.0
    rod.reset()
    rod.place(rod.mesh.points * [1.0001, 1])
    with np.errstate(all="ignore"), pytest.raises(pl.SolverError, match="below"):
        run(rod, 3000 * 1.02 * longest, 1.02 * longest)


def spun(rods, velocity, seconds, dt):
    """The node 0 after a while, and the scene's body."""
    rods.reset()
    rods.angular_velocity = velocity
    scene = pl.Scene(rods)
    for _ in range(round(seconds / dt)):
        scene.step(dt, stepper=pl.Impact())
    return rods


def test_a_free_top_precesses_at_its_rate():
    """The axis of a symmetric top goes round L at |L|/I_1, and the top about its axis by the rest."""
    top = line([1.0], 1, dim=3, radius=0.2)
    thin, wide = top.inertia[0, 0, 0], top.inertia[0, 1, 1]
    mass = DENSITY * np.pi * 0.2**2
    assert (thin, wide) == pytest.approx((mass * 0.2**2 / 4, mass / 24), rel=1e-12)
    w, seconds, errors = np.array([3.0, 1.0, 0.0]), 2.0, []
    for dt in (0.02, 0.01, 0.005):
        node = spun(top, w, seconds, dt)
        L = node.spin[0]
        np.testing.assert_allclose(L, [3.0 * thin, wide, 0.0], rtol=1e-13)
        angles = seconds * np.linalg.norm(L) / wide, seconds * 3.0 * (wide - thin) / wide
        exact = _turn(L, angles[0]) @ _turn(np.array([1.0, 0, 0]), angles[1])
        errors.append(np.abs(node.orientation[0] - exact).max())
    assert errors[-1] < 5e-6
    assert all(1.9 < np.log2(a / b) < 2.1 for a, b in pairwise(errors))


def _turn(axis, angle):
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()


def cross():
    """Three rods of different lengths that meet at node 0 at right angles: an asymmetric node."""
    points = np.concatenate([np.zeros((1, 3)), np.diag([1.0, 1.5, 2.2])])
    mesh = pl.Mesh(points, {"line": [[0, 1], [0, 2], [0, 3]]})
    return pl.ImpactRods(mesh, young=YOUNG, density=DENSITY, radius=0.05)


def test_a_racket_tumbles_and_keeps_its_energy():
    """About the middle axis it turns over; angular momentum stays to the last digit, energy to dt^2."""
    rods = cross()
    moments = np.linalg.eigvalsh(rods.inertia[0])
    assert np.diff(moments).min() > 0.1 * moments[0]
    axes = np.linalg.eigh(rods.inertia[0])[1]
    start = 5.0 * axes[:, 1] + 1e-3 * axes[:, 0]
    rods.angular_velocity = start
    begin, free, drifts = rods.state.history, np.ones(len(rods), dtype=bool), []
    for dt in (0.02, 0.01):
        node, along, energies = begin, [], []
        for k in range(round(40.0 / dt)):
            node = node.stepped(0.0, dt, free)
            if k % 3 == 0:
                along.append(node.velocity[0] @ (node.orientation[0] @ axes[:, 1]))
                energies.append(node.energy[0])
        assert min(along) < -4.5 and max(along) > 4.5
        assert (np.diff(np.sign(along)) != 0).sum() >= 3
        assert np.array_equal(node.momentum, begin.momentum)
        np.testing.assert_allclose(np.linalg.det(node.orientation), 1.0, atol=1e-12)
        drifts.append(np.abs(np.array(energies) / begin.energy[0] - 1).max())
        half = len(energies) // 2  # no trend: as far off in the first half as in the second
        assert np.ptp(energies[half:]) < 1.2 * np.ptp(energies[:half])
    assert drifts[1] < 2e-3 and 3.3 < drifts[0] / drifts[1] < 4.7


def test_a_torque_turns_as_newton_says():
    """About a principal axis: w = torque t / I, the angle torque t^2/2I to first order in dt."""
    rods = cross()
    axis = np.linalg.eigh(rods.inertia[0])[1][:, 2]
    inertia = np.linalg.eigvalsh(rods.inertia[0])[2]
    rods.twist(7.0 * axis, on=[0])
    scene = pl.Scene(rods)
    for _ in range(200):
        scene.step(0.01, stepper=pl.Impact())
    np.testing.assert_allclose(rods.angular_velocity[0], 7.0 * 2.0 / inertia * axis, rtol=1e-10)
    angle = np.arccos(0.5 * (np.trace(rods.orientation[0]) - 1.0))
    assert angle == pytest.approx(7.0 * 2.0 * 2.01 / (2 * inertia), rel=1e-9)  # sum of k dt
    assert not rods.angular_velocity[1:].any()
