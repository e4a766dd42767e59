"""A step that fails, or is interrupted, leaves every body bit for bit as it was."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.control import VelocityFilter
from tests.failing import motion
from tests.laws.test_body_laws import ALL as BODIES
from tests.laws.test_damping_laws import ALL as DAMPINGS, body

STEPPERS = {
    "Implicit": pl.Implicit,
    "QuasiStatic": pl.QuasiStatic,
    "LinearisedImplicit": pl.LinearisedImplicit,
    "Newmark": pl.Newmark,
    "BDF2": pl.BDF2,
    "ExplicitEuler": pl.ExplicitEuler,
    "SymplecticEuler": pl.SymplecticEuler,
    "AverageVelocity": pl.AverageVelocity,
    "RungeKutta4": pl.RungeKutta4,
    "Impact": pl.Impact,
    "XPBD": pl.XPBD,
}
#: Short enough for explicit steps of the bodies of the law tests.
DT = 5e-4


def pushed(made):
    """Bent, and in motion where it is free."""
    x, rng = made.mesh.points, np.random.default_rng(1)
    ends = x[made.mesh.edges]
    size = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min())
    shape = x + 0.01 * size * rng.standard_normal(x.shape)
    made.place(np.where(made.pinned[:, None], x, shape))
    made.velocity = np.where(made.pinned[:, None], 0.0, 0.1 * size * rng.standard_normal(x.shape))
    return made


def suits(damping, stepper):
    """Whether a body may have both: others are refused, as tests of the steppers see to."""
    if damping.controlled:
        return stepper in ("Implicit", "QuasiStatic")
    of_points = isinstance(damping, (VelocityFilter, pl.ConditionDamping))
    drag = isinstance(damping, pl.Rayleigh) and not damping.stiffness
    return stepper != "XPBD" or of_points or drag or repr(damping) == "Undamped()"


def preserving(damping):
    mesh = pl.meshes.rectangle((1, 0.5), (4, 2))
    made = pl.ConstraintBody(mesh, distance=200.0, area=200.0, mass=5.0, damping=damping)
    made.fix(mesh.points[:, 0] < 1e-9)
    return made


PAIRS = [(make, stepper) for make in DAMPINGS for stepper in STEPPERS if suits(make(), stepper)]


@pytest.mark.parametrize(
    "make, stepper", PAIRS, ids=lambda m: m if isinstance(m, str) else repr(m())
)
def test_every_damping_with_every_stepper(make, stepper):
    built = preserving if stepper == "XPBD" else body
    whole, broken = (
        motion(pushed(built(make())), fails=fails, dt=DT, stepper=STEPPERS[stepper]())
        for fails in (False, True)
    )
    assert np.abs(np.diff(whole, axis=0)).max() > 0.0
    assert np.array_equal(broken, whole)


@pytest.mark.parametrize("damping", [None, pl.Settle(0.05), pl.Settle(0.05, 2)], ids=repr)
@pytest.mark.parametrize("name", BODIES)
def test_every_body(name, damping):
    def held():
        made = BODIES[name]()
        if "nake" not in name:  # these a picture holds
            first = np.argsort(made.mesh.points[:, 0], kind="stable")
            made.fix(first[: max(3, len(first) // 4)])
        made.damping = damping
        return pushed(made)

    try:
        whole = motion(held(), fails=False, dt=1e-3)
    except (pl.SolverError, ValueError) as error:
        pytest.skip(f"has no rest shape: {error}")
    assert np.array_equal(motion(held(), fails=True, dt=1e-3), whole)
