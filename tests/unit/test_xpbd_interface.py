"""pl.XPBD: what it takes, what it refuses, what it reports."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.backend import start
from pliant.energies.assembly import Assembly
from pliant.step.xpbd_sweeps import Sweeps, Visits, colours

start()


def springs(**how):
    body = pl.Springs(
        pl.meshes.box((1, 1, 1), (2, 1, 1)), **({"stiffness": 200.0, "mass": 0.1} | how)
    )
    body.fix(body.mesh.points[:, 0] < 1e-9)
    return body


def run(body, stepper=None, seconds=0.1, **how):
    scene = pl.Scene([body], gravity=(0, -9.81, 0)[: body.dim])
    return scene.run(
        seconds=seconds, dt=1 / 60, stepper=stepper or pl.XPBD(), progress=False, **how
    )


def test_colours_share_no_point_and_are_few():
    mesh = pl.meshes.box((1, 1, 1), (3, 3, 3))
    for stencils in (np.asarray(mesh.cells["tet4"]), mesh.edges):
        found = colours(stencils, len(mesh))
        for c in range(found.max() + 1):
            points = stencils[found == c].ravel()
            assert len(points) and len(np.unique(points)) == len(points)
        busiest = np.bincount(stencils.ravel()).max()
        # Greedy needs no more than the neighbours of one stencil, and mostly about the busiest point.
        assert busiest <= found.max() + 1 <= 2 * busiest


def test_one_launch_per_colour_is_one_launch_for_all(monkeypatch):
    """What CUDA does, on the CPU."""
    whole = run(springs()).positions

    def by_colour(self, *given):
        made(self, *given)
        ends = np.cumsum(np.bincount(colours(self.energy.stencils, given[1]))).tolist()
        self.ranges = list(zip([0, *ends[:-1]], ends, strict=True))

    made = Visits.__init__
    monkeypatch.setattr(Visits, "__init__", by_colour)
    assert np.array_equal(run(springs()).positions, whole)


@pytest.mark.gpu
@pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device")
def test_sweeps_on_a_gpu_are_those_of_the_cpu():
    here, there = (run(springs(), pl.XPBD(40, tolerance=None), device=d) for d in ("cpu", "cuda"))
    # The same visits in the same order; only fused products round otherwise.
    assert np.abs(here.positions - there.positions).max() <= 1e-12


def test_springs_are_distances():
    body = springs()
    (energy,) = body.energies(device="cpu")
    x = body.mesh.points + 0.1 * np.random.default_rng(0).uniform(-1, 1, body.mesh.points.shape)
    one, two = (Assembly(len(x), 3, [e]) for e in (energy, energy.as_conditions()))
    assert one.value(x) == pytest.approx(two.value(x), rel=1e-12)
    np.testing.assert_allclose(one.gradient(x), two.gradient(x), atol=1e-11)
    energy.set_rest(1.2 * body.lengths())
    assert one.value(x) == pytest.approx(two.value(x), rel=1e-12)
    np.testing.assert_allclose(one.gradient(x), two.gradient(x), atol=1e-11)


def test_muscles_cuts_and_other_bodies():
    """Rest lengths that change, springs that are cut within a run, and a neighbour."""

    def take(stepper):
        lengths = springs().lengths()
        body = springs(rest=lambda t: lengths * (1.0 + 0.3 * np.sin(20.0 * t)))
        body.cut([3, 7], at=0.06)
        other = pl.Cloth(
            pl.Mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], {"tri": [(0, 1, 2)]}),
            stretch=100.0,
            shear=10.0,
            bend=0.0,
            density=0.5,
        )
        other.fix([0])
        scene = pl.Scene([body, other], gravity=(0, -9.81, 0))
        return scene.run(seconds=0.2, dt=1 / 60, stepper=stepper, progress=False)

    one, two = take(pl.XPBD(5000, tolerance=1e-10)), take(pl.Implicit(tolerance=0.0))
    for a, b in zip(one.tracks, two.tracks, strict=True):
        # Steps are solved to 1e-10 of their motion and to 1e-9 of the size.
        assert np.abs(a.positions - b.positions).max() <= 1e-8


def test_two_runs_are_one():
    whole, body = run(springs(), seconds=0.2), springs()
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    for _ in range(2):
        scene.run(seconds=0.1, dt=1 / 60, stepper=pl.XPBD(), progress=False)
    assert np.abs(body.positions - whole.positions[-1]).max() <= 1e-14


def test_the_take_says_what_was_done():
    take = run(springs(), pl.XPBD(300, tolerance=1e-6))
    assert set(take.solver["reason"]) <= {"converged", "rounding"}
    assert (take.solver["iterations"] >= 15).all() and (take.solver["residual"] < 1e-2).all()
    assert take.about["run"]["tolerance"] == 1e-6
    counted = run(springs(), pl.XPBD(7, substeps=3, tolerance=None))
    assert set(counted.solver["reason"]) == {"iterations"}
    assert set(counted.solver["iterations"]) == {21}
    # The residual is the force that is out of balance, by the energies themselves.
    rough = run(springs(stiffness=1e5), pl.XPBD(7, tolerance=None))
    solved = run(springs(stiffness=1e5), pl.XPBD(20000, tolerance=1e-8))
    assert rough.solver["residual"][0] > 1e3 * solved.solver["residual"][0]


def test_a_body_without_strain_costs_three_looks():
    body = springs()
    body.release()
    body.velocity = (1.0, 0.0, 0.0)
    take = run(body)
    assert take.solver["iterations"].max() <= 15
    assert np.abs(np.ptp(take.positions[-1] - body.mesh.points, axis=0)).max() <= 1e-12


def test_too_few_sweeps_are_an_error_that_names_the_ways_out():
    body = springs(stiffness=1e6)
    start = body.positions
    with pytest.raises(pl.SolverError, match="not solved in 20 sweeps") as caught:
        run(body, pl.XPBD(20))
    for word in ("springs:", "iterations", "substeps", "tolerance=None", "pl.Implicit()"):
        assert word in str(caught.value)
    assert np.array_equal(body.positions, start) and len(caught.value.take) == 1
    run(body, pl.XPBD(20, tolerance=None))


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda: pl.Body(pl.meshes.rectangle(), pl.Linear(young=1e4, poisson=0.3)),
            ("SolidEnergy", "pl.Cloth", "without stepper="),
        ),
        (lambda: springs(stiffening=2.0), ("stiffening=2", "without stepper=")),
        (lambda: springs(pulls_only=True), ("pulls_only=True", "without stepper=")),
        (lambda: springs(damping=pl.Settle(0.5)), ("Settle", "XPBD", "ConditionDamping")),
        (lambda: springs(damping=pl.EnergyMinimising()), ("EnergyMinimising", "XPBD")),
        (lambda: springs(damping=pl.Rayleigh(stiffness=0.01)), ("Rayleigh", "ConditionDamping")),
        (lambda: springs(damping=pl.StrainRate(phi=1.0, psi=1.0)), ("StrainRate",)),
    ],
)
def test_what_is_no_condition_is_refused_before_anything_moves(make, words):
    body = make()
    start = body.positions
    with pytest.raises(ValueError) as caught:
        run(body)
    for word in words:
        assert word in str(caught.value)
    assert np.array_equal(body.positions, start)


@pytest.mark.parametrize(
    "how, word",
    [
        ({"iterations": 0}, "iterations=0"),
        ({"iterations": 1.5}, "iterations=1.5"),
        ({"substeps": True}, "substeps=True"),
        ({"tolerance": 0.0}, "tolerance=0.0"),
        ({"tolerance": float("nan")}, "tolerance=nan"),
        ({"relaxation": 2.0}, "relaxation=2.0"),
        ({"relaxation": "1.9"}, "relaxation='1.9'"),
    ],
)
def test_wrong_settings_are_refused(how, word):
    with pytest.raises(ValueError, match="XPBD") as caught:
        pl.XPBD(**how)
    assert word in str(caught.value)


def test_dampings_of_velocities_act_after_it():
    body = springs(damping=pl.PointDamping(5.0))
    slow = run(body, seconds=0.3).energies["kinetic"].max()
    assert slow < 0.9 * run(springs(), seconds=0.3).energies["kinetic"].max()


def test_bodies_are_let_go_with_their_systems():
    stepper, body = pl.XPBD(), springs()
    run(body, stepper)
    assert isinstance(next(iter(stepper._sweeps.values())), Sweeps)
    body.cut([0])
    body.system()
    assert len(stepper._sweeps) == 0
