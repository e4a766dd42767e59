"""Every model moves with every stepper, and in one scene beside all others."""

import numpy as np
import pytest

import pliant as pl
from tests.verification.test_settle_on_every_model import MODELS as ALL, bent_start

#: Bodies in their modes have steps of their own, and refuse steppers.
IN_MODES = ("Modal", "Subspace", "BoundaryElements", "LongElements")
MODELS = {name: make for name, make in ALL.items() if name not in IN_MODES}

STEPPERS = {
    "ExplicitEuler": pl.ExplicitEuler,
    "SymplecticEuler": pl.SymplecticEuler,
    "AverageVelocity": pl.AverageVelocity,
    "Implicit": lambda: pl.Implicit(tolerance=1e-6),
    "LinearisedImplicit": lambda: pl.LinearisedImplicit(tolerance=1e-8),
    "Newmark": pl.Newmark,
    "BDF2": pl.BDF2,
}
#: Bodies of conditions, which XPBD takes.
OF_CONDITIONS = ("Springs", "ConstraintBody", "Cloth")


def let_go(name):
    body = MODELS[name]()
    bent_start(body, 1e-3)
    return body


@pytest.fixture(scope="module", params=MODELS)
def exact(request):
    """A model, a short time, and where Runge and Kutta's fourth order takes it."""
    body = let_go(request.param)
    dt = 0.1 * pl.SymplecticEuler().longest_dt(body.system())
    start = body.positions
    pl.Scene(body).run(seconds=6 * dt, dt=dt / 2, stepper=pl.RungeKutta4())
    return request.param, dt, start, body.positions


def test_all_steppers_go_the_same_way(exact):
    """Six steps of a tenth of the longest stable one, and twelve of half of that: first-order steps
    miss by half as much, within 0.75 for what is of second order in them."""
    name, dt, start, end = exact
    way = np.linalg.norm(end - start)
    assert way > 0
    for stepper, make in STEPPERS.items():
        misses = []
        for step in (dt, dt / 2):
            body = let_go(name)
            pl.Scene(body).run(seconds=6 * dt, dt=step, stepper=make())
            misses.append(np.linalg.norm(body.positions - end) / way)
        assert misses[0] < 0.5, (stepper, misses)
        assert misses[1] < max(0.75 * misses[0], 1e-3), (stepper, misses)


@pytest.mark.parametrize("name", MODELS)
def test_quasi_static_motion_is_at_rest_at_once(name):
    body = let_go(name)
    rest = body.rest_shape()
    pl.Scene(body).run(seconds=0.02, dt=0.01, stepper=pl.QuasiStatic())
    away = np.abs(body.positions - rest).max()
    assert away <= 1e-5 * np.linalg.norm(np.ptp(body.mesh.points, axis=0))


@pytest.mark.parametrize("name", MODELS)
def test_xpbd_takes_conditions_and_refuses_the_others(name):
    body = let_go(name)
    if name not in OF_CONDITIONS:
        with pytest.raises(ValueError, match="XPBD"):
            pl.Scene(body).run(seconds=0.02, dt=0.01, stepper=pl.XPBD())
        return
    implicit = let_go(name)
    for b, stepper in ((body, pl.XPBD(20000, tolerance=1e-4)), (implicit, pl.Implicit(0))):
        pl.Scene(b).run(seconds=0.01, dt=0.002, stepper=stepper)
    way = np.abs(implicit.positions - let_go(name).positions).max()
    assert np.abs(body.positions - implicit.positions).max() <= 1e-3 * way


@pytest.mark.parametrize("dim", [2, 3])
def test_all_models_in_one_scene_move_as_alone(dim, tmp_path):
    names = [name for name in MODELS if MODELS[name]().dim == dim]
    together = [let_go(name) for name in names]
    for body, name in zip(together, names, strict=True):
        body.name, body.damping = name, pl.Settle(0.3)
    take = pl.Scene(together, contact=False).run(seconds=0.05, dt=1 / 60)
    assert len(take.tracks) == len(names) >= 2
    for body, name in zip(together, names, strict=True):
        alone = let_go(name)
        alone.damping = pl.Settle(0.3)
        pl.Scene(alone, contact=False).run(seconds=0.05, dt=1 / 60)
        assert np.abs(alone.positions - body.positions).max() <= 1e-12 * max(
            1.0, np.abs(body.positions).max()
        )
    read = pl.Take.read(take.save(tmp_path / "all.npz"))
    assert [t.name for t in read.tracks] == names
