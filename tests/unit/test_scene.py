"""Scenes: runs that continue, several bodies, frames, refusals."""

import re

import numpy as np
import pytest

import pliant as pl
from pliant.take import measure

SNH = pl.StableNeoHookean(young=2e5, poisson=0.3)
DAMPINGS = {
    "settle": lambda: pl.Settle(0.5),
    "settle-0": lambda: pl.Settle(0.5, 0),
    "settle-2": lambda: pl.Settle(0.5, 2),
    "first-mode": lambda: pl.Settle(0.5, law="first-mode"),
    "first-mode-2": lambda: pl.Settle(0.5, 2, law="first-mode"),
    "energy-minimising": lambda: pl.EnergyMinimising(tau=0.1, kappa=0.6),
    "strain-rate": lambda: pl.StrainRate(phi=1e3, psi=1e3),
    "rayleigh": lambda: pl.Rayleigh(mass=2.0, stiffness=0.01),
    "undamped": lambda: None,
}
every_damping = pytest.mark.parametrize("damping", DAMPINGS.values(), ids=list(DAMPINGS))


def beam(damping=None, *, material=SNH, bend=0.1, name="beam"):
    mesh = pl.meshes.rectangle((2, 0.5), (6, 2))
    body = pl.Body(mesh, material, damping=damping, name=name)
    body.fix(mesh.points[:, 0] < 1e-9)
    x = mesh.points.copy()
    x[:, 1] += bend * x[:, 0] ** 2
    body.place(x)
    return body


def refused(call, *words, error=ValueError):
    with pytest.raises(error) as caught:
        call()
    for word in words:
        assert word in str(caught.value), f"{word!r} not in {caught.value!s}"


# --- a run continues ------------------------------------------------------------------------


@every_damping
def test_two_runs_are_one(damping):
    whole = pl.Scene(beam(damping()), gravity=(0, -2)).run(seconds=1.0, dt=1 / 60)
    scene = pl.Scene(beam(damping()), gravity=(0, -2))
    first, second = scene.run(seconds=0.5, dt=1 / 60), scene.run(seconds=0.5, dt=1 / 60)
    joined = np.concatenate([first.positions, second.positions[1:]])
    # The same operations in the same order; 1e-9 of the size is what each step is solved to.
    assert np.abs(joined - whole.positions).max() <= 2e-9
    assert np.array_equal(second.positions[0], first.positions[-1])
    assert second.times[0] == first.times[-1]
    assert second.times[-1] == pytest.approx(1.0, abs=1e-12)


def test_two_explicit_runs_are_one():
    step = pl.SymplecticEuler()
    whole = pl.Scene(beam()).run(seconds=0.2, dt=1e-3, stepper=step)
    scene = pl.Scene(beam())
    scene.run(seconds=0.1, dt=1e-3, stepper=step)
    end = scene.run(seconds=0.1, dt=1e-3, stepper=step).positions[-1]
    assert np.array_equal(end, whole.positions[-1])


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_changing_dt_between_runs_does_not_change_the_rest_time(bounces):
    """The clock of Settle counts seconds, not steps."""
    times, distances = [], []
    body = beam(pl.Settle(1.0, bounces))
    scene = pl.Scene(body)
    for seconds, dt in ((0.25, 1 / 60), (1.0, 1 / 120)):
        take = scene.run(seconds=seconds, dt=dt)
        times.append(take.times[len(times) and 1 :])
        distances.append(take.distance()[len(distances) and 1 :])
    once = pl.Scene(beam(pl.Settle(1.0, bounces))).run(seconds=1.25, dt=1 / 120)
    seen = np.concatenate(times), np.concatenate(distances)
    mixed = measure.when_at_rest(*seen, within=0.01, rest_in=1.0, bounces=bounces)
    # 3 % is the promise for any shape.
    assert mixed == pytest.approx(once.rest_time(), rel=0.03)


@every_damping
def test_body_that_is_at_rest_stays(damping):
    body = beam(damping(), bend=0.0)
    take = pl.Scene(body).run(seconds=0.2, dt=1 / 60)
    assert np.abs(take.positions - body.mesh.points).max() <= 1e-12
    if take.rest is not None:
        assert take.rest_time() == 0.0


# --- several bodies -------------------------------------------------------------------------


def test_bodies_of_one_scene_move_as_they_would_alone():
    def bodies():
        return [
            beam(pl.Settle(0.4), name="a"),
            beam(pl.Settle(0.6, 2), material=pl.Corotated(young=1e5, poisson=0.2), name="b"),
            beam(pl.StrainRate(phi=1e3, psi=1e3), material=pl.Linear(young=3e5, poisson=0.3)),
            beam(None, material=pl.NeoHookean(young=1e6, poisson=0.4), bend=0.02),
        ]

    together = bodies()
    take = pl.Scene(together, gravity=(0, -1)).run(seconds=0.4, dt=1 / 60)
    for body, alone in zip(together, bodies(), strict=True):
        single = pl.Scene(alone, gravity=(0, -1)).run(seconds=0.4, dt=1 / 60)
        # No contact, so no coupling at all: the same operations in the same order.
        assert np.array_equal(take[body].positions, single.positions)
        assert np.array_equal(take[body].energies["total"], single.energies["total"])
    refused(lambda: take.positions, "4 bodies", "take[body]")
    with pytest.raises(KeyError, match="not in this take"):
        take[beam()]


# --- frames ---------------------------------------------------------------------------------


def test_frames_are_steps_unless_fps_is_given():
    every = pl.Scene(beam(pl.Settle(0.5))).run(seconds=0.5, dt=1 / 60)
    some = pl.Scene(beam(pl.Settle(0.5))).run(seconds=0.5, dt=1 / 60, fps=20)
    assert len(every) == 31 and len(every.solver) == 30
    assert len(some) == 11 and len(some.solver) == 30
    assert np.array_equal(some.positions, every.positions[::3])
    assert some.times == pytest.approx(np.arange(11) / 20, abs=1e-12)


def test_frame_zero_is_the_start_and_the_body_ends_where_the_take_does():
    body = beam(pl.Settle(0.5))
    start = body.positions
    take = pl.Scene(body).run(seconds=0.25, dt=1 / 60)
    assert np.array_equal(take.positions[0], start)
    assert np.array_equal(take.positions[-1], body.positions)
    assert np.array_equal(take.velocities[-1], body.velocity)
    assert take.times[0] == 0.0


def test_take_records_energies_and_what_the_solver_did():
    body = beam(None, bend=0.05)
    take = pl.Scene(body, gravity=(0, -1)).run(seconds=0.5, dt=1 / 60)
    e = take.energies
    assert e["total"] == pytest.approx(e["kinetic"] + e["elastic"] + e["external"])
    # Backward Euler loses energy and never makes any.
    assert (np.diff(e["total"]) <= 1e-9 * np.abs(e["total"]).max()).all()
    assert e["kinetic"][0] == 0.0 and e["kinetic"].max() > 0.0
    assert set(take.solver["reason"]) <= {"converged", "rounding"}
    assert (take.solver["iterations"] >= 1).all()
    assert take.solver["time"] == pytest.approx(take.times[1:])


def test_failed_step_keeps_the_take_so_far():
    body = beam(None)
    tip = np.flatnonzero(body.mesh.points[:, 0] > 2 - 1e-9)
    body = pl.Body(body.mesh, pl.NeoHookean(young=2e5, poisson=0.3))
    body.fix(body.mesh.points[:, 0] < 1e-9)
    far = body.mesh.points[tip] - [4.0, 0.0]  # through the clamp: cells must turn inside out
    body.move(tip, lambda t: body.mesh.points[tip] if t < 0.05 else far)
    with pytest.raises(pl.SolverError, match="body: .*step to t = ") as caught:
        pl.Scene(body).run(seconds=0.2, dt=1 / 60)
    assert len(caught.value.take) >= 2
    assert np.isfinite(caught.value.take.positions).all()


def test_equilibrium_is_a_take_of_one_frame_and_moves_nothing():
    body = beam(pl.Settle(0.5))
    start = body.positions
    take = pl.Scene(body, gravity=(0, -2)).equilibrium()
    assert take.positions.shape == (1, len(body), 2) and take.times[0] == 0.0
    assert np.array_equal(body.positions, start)
    g = body.system().assembly.gradient(take.positions[0])
    miss = (g - body.loads_at(start, 0.0, np.array([0, -2.0])))[~body.pinned]
    # Newton stops at moves of 1e-9 of the size, 2 m, against a stiffness of about 2e5 N/m.
    assert np.abs(miss).max() <= 1e-3
    assert take.solver["reason"][0] in ("converged", "rounding")


# --- refusals -------------------------------------------------------------------------------


def test_wrong_scenes_are_refused():
    refused(lambda: pl.Scene([]), "no bodies", "pl.Scene([body])")
    body = beam()
    refused(lambda: pl.Scene([body, body]), "twice")
    refused(lambda: pl.Scene([3]), "int", "pl.Body(", error=TypeError)
    solid = pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), SNH)
    refused(lambda: pl.Scene([beam(), solid]), "2D and 3D")


@pytest.mark.parametrize("gravity", [-9.81, (0, 0, -9.81), (0, np.nan), (1,)])
def test_wrong_gravity_is_refused(gravity):
    refused(lambda: pl.Scene(beam(), gravity=gravity), "gravity", "2 numbers", "(0, -9.81)")


def test_gravity_may_be_written_with_three_numbers_in_the_plane():
    assert np.array_equal(pl.Scene(beam(), gravity=(0, -9.81, 0)).gravity, [0, -9.81])


@pytest.mark.parametrize(
    "options, words",
    [
        ({"seconds": 0.0}, ("seconds=0", "seconds > 0")),
        ({"seconds": -1.0}, ("seconds=-1", "seconds > 0")),
        ({"seconds": np.nan}, ("seconds=nan",)),
        ({"seconds": 1.0, "dt": 0.0}, ("dt=0", "dt > 0")),
        ({"seconds": 1.0, "dt": 1 / 60, "fps": 25}, ("fps=25", "dt=0.02")),
        ({"seconds": 1.0, "dt": 1 / 60, "fps": 0}, ("fps=0",)),
        ({"seconds": 1.0, "dt": 1 / 60, "fps": -24}, ("fps=-24",)),
    ],
)
def test_wrong_runs_are_refused(options, words):
    refused(lambda: pl.Scene(beam()).run(**options), *words)


@pytest.mark.parametrize("bounces", [1, 2, 5, 9])
@pytest.mark.parametrize("within", [0.01, 0.1])
def test_impossible_wish_names_the_longest_dt_and_that_dt_works(bounces, within):
    body = beam(pl.Settle(1.0, bounces, within))
    start = body.positions
    with pytest.raises(pl.ImpossibleWishError) as caught:
        pl.Scene(body).run(seconds=1.0, dt=0.4)
    message = str(caught.value)
    assert f"{bounces} bounces" in message and "rest_in=1" in message and "dt=0.4" in message
    assert np.array_equal(body.positions, start)  # refused before anything moves
    longest = float(re.search(r"scene\.run\(dt=([0-9.e-]+)\)", message).group(1))
    assert longest == pytest.approx(body.damping.longest_dt, rel=1e-3)
    take = pl.Scene(body).run(seconds=0.5, dt=longest)
    assert np.isfinite(take.positions).all()
    with pytest.raises(pl.ImpossibleWishError):
        pl.Scene(body).run(seconds=0.5, dt=longest * 1.01)


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_rest_time_shorter_than_a_step_is_refused(bounces):
    body = beam(pl.Settle(0.01, bounces))
    refused(
        lambda: pl.Scene(body).run(seconds=1.0, dt=0.2),
        "rest_in=0.01",
        "dt=0.2",
        "scene.run(dt=",
        error=pl.ImpossibleWishError,
    )


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: pl.Settle(-1.0), ("rest_in=-1", "rest_in=1")),
        (lambda: pl.Settle("soon"), ("'soon'", "seconds > 0")),
        (lambda: pl.Settle(1.0, -1), ("bounces=-1", "None, 0, 1")),
        (lambda: pl.Settle(1.0, 1.5), ("bounces=1.5", "None, 0, 1")),
        (lambda: pl.Settle(1.0, within=2.0), ("within=2", "between 0 and 1")),
        (lambda: pl.Settle(1.0, law="fast"), ("'fast'", "every-shape", "first-mode")),
        (lambda: pl.EnergyMinimising(tau=0.0), ("tau=0", "tau > 0")),
        (lambda: pl.EnergyMinimising(kappa=-1), ("kappa=-1", "0 <= kappa")),
        (lambda: pl.StrainRate(phi=-1.0, psi=0.0), ("phi=-1", "phi >= 0")),
        (lambda: pl.Rayleigh(mass=np.nan), ("mass=nan", "mass >= 0")),
    ],
)
def test_wrong_dampings_are_refused(call, words):
    refused(call, *words)


def test_controlled_damping_with_an_explicit_step_is_refused():
    refused(
        lambda: pl.Scene(beam(pl.Settle(0.5))).run(seconds=0.1, stepper=pl.SymplecticEuler()),
        "Settle",
        "SymplecticEuler",
        "without stepper=",
    )


def test_explicit_step_that_blows_up_says_so():
    scene = pl.Scene(beam())
    with pytest.raises(pl.SolverError, match=r"blew up.*smaller dt"), np.errstate(all="ignore"):
        scene.run(seconds=30.0, dt=0.05, stepper=pl.SymplecticEuler())


def test_a_stepper_and_a_step_are_what_they_should_be():
    scene = pl.Scene([beam()])
    for act, name in (
        (lambda s: scene.run(seconds=0.1, stepper=s, progress=False), "run"),
        (lambda s: scene.step(0.1, stepper=s), "step"),
    ):
        with pytest.raises(TypeError, match=rf"{name}: got stepper='XPBD'; expected a stepper"):
            act("XPBD")
        with pytest.raises(TypeError, match=rf"{name}: got the class XPBD; expected XPBD\(\)"):
            act(pl.XPBD)
    for dt in (float("nan"), -0.1, 0.0, "1/60"):
        with pytest.raises(ValueError, match="step: got dt=.*; expected dt > 0 in seconds"):
            scene.step(dt)
    assert scene.time == 0.0


def test_a_refusal_names_the_body():
    """Of two bodies the one that a stepper or a damping is not for."""
    soft, stiff = beam(name="soft"), beam(name="stiff", damping=pl.ConditionDamping(rate=0.1))
    with pytest.raises(ValueError, match="^stiff: ConditionDamping: got a body with"):
        pl.Scene([soft, stiff]).run(seconds=0.1, progress=False)
    with pytest.raises(ValueError, match="^soft: XPBD: got a body with SolidEnergy"):
        pl.Scene([soft]).run(seconds=0.1, stepper=pl.XPBD(), progress=False)


@pytest.mark.parametrize("tell", [int, len, lambda done: None], ids=["int", "len", "one number"])
def test_a_progress_function_that_takes_no_two_numbers_is_named(tell):
    with pytest.raises(TypeError, match="a function of two whole numbers"):
        pl.Scene([beam()]).run(seconds=0.1, dt=0.05, progress=tell)


def test_what_a_progress_function_itself_raises_reaches_the_caller():
    def tell(done, steps):
        return done + "no number"

    with pytest.raises(TypeError, match="unsupported operand"):
        pl.Scene([beam()]).run(seconds=0.1, dt=0.05, progress=tell)
