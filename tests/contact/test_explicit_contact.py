"""Explicit steppers and `pl.LinearisedImplicit` where bodies touch."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import BOX, box, crossings, energy, floor, momentum, on_floor
from tests.resuming import assert_same, stopped_and_resumed

SOFT = 1e5
#: Steppers with the damping that they need.
DAMPED = pl.Rayleigh(mass=1.0, stiffness=1e-2)
EXPLICIT = [
    (pl.SymplecticEuler(), None),
    (pl.RungeKutta4(), None),
    (pl.ExplicitEuler(), DAMPED),
    (pl.AverageVelocity(), DAMPED),
]


def slow(*given):
    return pytest.param(*given, marks=pytest.mark.slow)


def obstacle(word):
    """A plane, a ball or the edge of a table, below z = 0."""
    if word == "plane":
        return floor()
    if word == "ball":
        return pl.Sphere((0, 0, -0.3), 0.3)
    return pl.Capsule((-1, 0.02, -0.05), (1, -0.02, -0.05), 0.05)


def hit(word, stepper, dt, damping, *, shadow=False):
    """A box at 3 m/s that hits an obstacle; its energy after every step, over that at the start.

    shadow: that of symplectic Euler, E - dt/2 v . grad U, which its steps keep where forces are linear.
    """
    body = box(-0.1, -0.1, 0.02, young=SOFT, velocity=(0, 0, -3.0), damping=damping)
    scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(obstacle(word))
    steps, found = int(np.ceil(0.1 / dt)), []

    def look(*_):
        pull = (
            body.system().assembly.gradient(body.positions) - body.masses[:, None] * scene.gravity
        )
        less = 0.5 * dt * float((body.velocity * pull).sum()) if shadow else 0.0
        found.append(energy(scene) - less)

    look()
    take = scene.run(seconds=steps * dt, dt=dt, stepper=stepper, progress=look)
    assert sum(map(len, take.contacts)) > 0
    assert scene.obstacles[0].nearest(take.positions.reshape(-1, 3))[0].min() > 0.0
    assert not crossings(scene, take)
    return np.array(found) / found[0]


@pytest.mark.parametrize("stepper, damping", EXPLICIT, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "word, share",
    [("plane", 0.5)] + [slow(word, share) for word in ("ball", "edge") for share in (0.2, 0.5)],
)
def test_what_hits_something_gains_no_energy_and_stays_outside(word, share, stepper, damping):
    """Before there was a barrier the energy rose to 1.05 and 1.6 times that of the start."""
    system = box(young=SOFT).system()
    dt = share * min(s.longest_dt(system, damping) for s in (stepper, pl.SymplecticEuler()))
    assert hit(word, stepper, dt, damping).max() <= 1.0 + 1e-12


@pytest.mark.parametrize("word", ["plane", "ball", "edge"])
def test_just_below_the_longest_step_only_what_the_step_keeps_counts(word):
    """There the energy of vibrations goes up and down by its own size."""
    stepper = pl.SymplecticEuler()
    dt = 0.9 * stepper.longest_dt(box(young=SOFT).system())
    assert hit(word, stepper, dt, None, shadow=True).max() <= 1.0 + 1e-12


def test_a_step_of_runge_and_kutta_may_be_longer_than_one_of_euler():
    """It is made in two where something touches. As for `pl.SymplecticEuler` its energy wavers there."""
    longest = [
        s.longest_dt(box(young=SOFT).system()) for s in (pl.SymplecticEuler(), pl.RungeKutta4())
    ]
    dt = 0.95 * longest[1]
    assert dt > 1.2 * longest[0]
    found = hit("edge", pl.RungeKutta4(), dt, None)
    assert found.max() < 1.02 and found[-1] < 1.0


@pytest.mark.parametrize("dt", [slow(1e-3), 1 / 60])
def test_one_linear_solve_becomes_a_search_where_something_is_met(dt):
    for word in ("plane", "edge"):
        assert hit(word, pl.LinearisedImplicit(), dt, None).max() <= 1.0 + 1e-12


def test_bodies_bounce_off_each_other_and_keep_their_momentum():
    low = box(young=SOFT, velocity=(0, 0, 1.0), name="low")
    high = box(0.03, 0.05, 0.25, young=SOFT, velocity=(0, 0.1, -2.0), name="high")
    scene = pl.Scene([low, high])
    before = momentum(scene)
    start = energy(scene)
    take = scene.run(seconds=0.15, dt=3e-3, stepper=pl.SymplecticEuler(), progress=False)
    assert not crossings(scene, take) and energy(scene) <= start
    assert high.velocity[:, 2].mean() > 0.0 > low.velocity[:, 2].mean()
    np.testing.assert_allclose(momentum(scene), before, atol=1e-10)


def test_flight_is_the_steppers_own():
    """Far from everything a step is the formula's, to the last bit."""
    takes = []
    for contact in (None, pl.Contact()):
        body = box(0, 0, 1.0, young=SOFT)
        body.place(body.positions * [1.1, 1.0, 1.0])
        scene = pl.Scene([body], gravity=(0, 0, -9.81), contact=contact)
        if contact is not None:
            scene.add(floor())
        takes.append(scene.run(seconds=0.02, dt=1e-3, stepper=pl.RungeKutta4(), progress=False))
    np.testing.assert_array_equal(takes[0].positions, takes[1].positions)


SLOPES = [
    slow(pl.SymplecticEuler(), 2e-3),
    slow(pl.RungeKutta4(), 2e-3),
    (pl.LinearisedImplicit(), 1 / 60),
]
on_slopes = pytest.mark.parametrize("stepper, dt", SLOPES, ids=lambda v: type(v).__name__)


def on_slope(degrees, stepper, dt, seconds, damping):
    """Where the middle of a box is that lies on a slope with mu = 0.3, at all times."""
    turn, body = np.radians(degrees), box(0, 0, 1.9e-4, damping=damping, young=SOFT)
    gravity = 9.81 * np.array([np.sin(turn), 0, -np.cos(turn)])
    scene = on_floor(body, gravity=gravity, friction=0.3)
    steps = int(seconds / dt)
    take = scene.run(seconds=steps * dt, dt=dt, stepper=stepper, progress=False)
    return take.times, take.positions[..., 0].mean(axis=1)


@on_slopes
def test_friction_holds_on_a_slope(stepper, dt):
    """mu = 0.3 holds below 16.7 degrees. Drag takes what rocks on its bristles, and nothing creeps."""
    _, way = on_slope(10.0, stepper, dt, 0.5, pl.Rayleigh(mass=40.0, stiffness=2e-3))
    assert 0.0 < way[-1] - way[0] < 3e-3  # it has sagged, and bent its bristles
    assert np.ptp(way[-len(way) // 4 :]) < 5e-6


@on_slopes
def test_what_slides_has_the_acceleration_of_coulomb(stepper, dt):
    times, way = on_slope(30.0, stepper, dt, 0.4, pl.Rayleigh(stiffness=2e-3))
    late, turn = times > 0.1, np.radians(30.0)
    found = 2.0 * np.polyfit(times[late], way[late], 2)[0]
    # To what it rocks about its middle.
    assert found == pytest.approx(9.81 * (np.sin(turn) - 0.3 * np.cos(turn)), rel=0.02)


def test_each_body_has_its_own_damping():
    """One falls through honey, the other does not, and both lie down."""
    bodies = [
        box(0.3 * k, 0, 0.01, young=SOFT, damping=pl.Rayleigh(mass=30.0 * k, stiffness=5e-3))
        for k in range(2)
    ]
    for k, body in enumerate(bodies):
        body.name, body.velocity = f"box {k}", (0, 0.5, 0)
    scene = on_floor(*bodies, friction=0.0)
    scene.run(seconds=0.1, dt=2e-3, stepper=pl.SymplecticEuler(), progress=False)
    speeds = [body.velocity[:, 1].mean() for body in bodies]
    assert speeds == pytest.approx([0.5, 0.5 * (1.0 - 0.06) ** 50], rel=1e-6)


@pytest.mark.slow
def test_an_obstacle_that_moves_pushes_bodies_of_explicit_steps():
    body = box(0, 0, 0.001, young=SOFT, damping=pl.Rayleigh(stiffness=3e-3))
    scene = pl.Scene([body], gravity=(0, 0, -9.81))
    lift = pl.HalfSpace((0, 0, 0), (0, 0, 1), path=lambda t: (0, 0, 1.5 * t**2), name="lift")
    scene.add(lift)
    take = scene.run(seconds=0.4, dt=2e-3, stepper=pl.SymplecticEuler(), progress=False)
    heights = take.positions[..., 2].min(axis=1) - 1.5 * take.times**2
    assert heights.min() > 0.0 and heights[100:].max() < 1e-3
    pushes = [c.between("body", "lift").forces.sum(axis=0)[2] for c in take.contacts[100:]]
    assert np.mean(pushes) == pytest.approx(body.masses.sum() * (9.81 + 3.0), rel=0.02)


def test_driven_pins_push_what_is_in_their_way():
    mover, other = box(0, 0, 0.3, young=SOFT, name="mover"), box(0.22, 0.01, 0.3, young=SOFT)
    held = BOX.points[:, 0] < 0.01
    mover.move(held, lambda t: BOX.points[held] + [0.5 * t, 0, 0.3])
    scene = pl.Scene([mover, other], contact=pl.Contact())
    take = scene.run(seconds=0.3, dt=3e-3, stepper=pl.SymplecticEuler(), progress=False)
    assert not crossings(scene, take)
    assert other.velocity[:, 0].mean() > 0.3
    np.testing.assert_allclose(mover.positions[held][:, 0], 0.15, atol=1e-12)


@pytest.mark.parametrize("stepper", [pl.RungeKutta4, pl.LinearisedImplicit])
def test_a_run_that_is_taken_up_in_mid_contact_is_the_same(stepper, tmp_path):
    def make():
        low, high = box(0, 0, 3e-4, name="low"), box(0.03, 0.04, 0.2007, name="high")
        return on_floor(low, high, gravity=(-2.0, 0, -9.5), friction=0.25)

    how = {"steps": 30, "dt": 5e-4, "stepper": stepper}
    whole = make().run(seconds=30 * 5e-4, dt=5e-4, stepper=stepper(), progress=False)
    assert len(whole.contacts[-1]) > 0
    assert_same(stopped_and_resumed(make, tmp_path / "a.zarr", at=27, late=2, **how), whole)


def test_nodes_of_rods_of_impact_turn_while_they_touch():
    def rods(height):
        points = np.zeros((6, 3))
        points[:, 0] = np.linspace(0, 0.5, 6)
        pairs = np.stack([np.arange(5), np.arange(1, 6)], axis=1)
        body = pl.ImpactRods(
            pl.Mesh(points, {"line": pairs}), young=1e7, density=1000.0, radius=0.01
        )
        body.place(points + [0, 0, height])
        body.velocity, body.angular_velocity = (0, 0, -1.0), (1.0, 2.0, 3.0)
        scene = pl.Scene(body)
        scene.add(floor())
        return body, scene.run(seconds=0.02, dt=2e-4, stepper=pl.Impact(), progress=False)

    (hits, take), (flies, _) = rods(0.015), rods(1.0)
    assert take.positions[..., 2].min() > 0.01  # its radius
    assert hits.velocity[:, 2].min() > -1e-9 and flies.velocity[:, 2].max() < -0.9
    np.testing.assert_array_equal(hits.orientation, flies.orientation)


def test_a_step_that_is_too_long_says_so_where_bodies_touch():
    scene = on_floor(box(0, 0, 1e-4, young=SOFT))
    with pytest.raises(pl.SolverError, match=r"blew up.*needs a smaller dt"):
        scene.run(seconds=2.0, dt=0.05, stepper=pl.SymplecticEuler(), progress=False)
