"""What has flowed is history: kept with a step that is accepted, and only then."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from tests.failing import motion, remembered, same
from tests.resuming import assert_same, stopped_and_resumed

wp.config.quiet = True
CLAY = {"yield_stress": 2e4, "hardening": 1e5}


def beam(dim=3, damping=None, bend=0.08, **clay):
    if dim == 3:
        mesh = pl.meshes.box((2, 0.4, 0.4), (6, 2, 2), kind="hex")
    else:
        mesh = pl.meshes.rectangle((2, 0.4), (8, 2), kind="quad")
    material = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), **CLAY | clay)
    body = pl.Body(mesh, material, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + bend * mesh.points[:, :1] ** 2 * np.eye(dim)[1])
    return body


def scene(*bodies, dim=3):
    return pl.Scene(bodies, gravity=(0, -9.81, 0)[:dim], contact=False)


@pytest.mark.parametrize("damping", [None, pl.Settle(0.4, 0), pl.Settle(0.4, 2)], ids=repr)
def test_steps_that_fail_leave_no_flow(damping):
    whole, broken = (
        motion(beam(damping=damping), fails=fails, dt=1 / 60, gravity=(0, -9.81, 0), steps=12)
        for fails in (False, True)
    )
    assert np.array_equal(broken, whole)


@pytest.mark.parametrize("stepper", [pl.Implicit, pl.BDF2, pl.QuasiStatic, pl.LinearisedImplicit])
def test_an_interrupted_step_leaves_the_flow_that_was(stepper):
    body = beam()
    wrong = [False]

    def load(time):
        if wrong[0]:
            raise KeyboardInterrupt
        return (0.0, -20.0 * time, 0.0)

    body.push(force=load, on=body.mesh.points[:, 0] > 1.9)
    world = scene(body)
    for _ in range(8):
        world.step(1 / 30, stepper=stepper())
    before, strain = remembered(body), body.plastic
    wrong[0] = True
    with pytest.raises(KeyboardInterrupt):
        world.step(1 / 30, stepper=stepper())
    assert same(remembered(body), before)
    assert strain.max() > 0.01 and np.array_equal(body.plastic, strain)
    wrong[0] = False
    world.step(1 / 30, stepper=stepper())
    assert body.plastic.sum() > strain.sum()


@pytest.mark.parametrize(
    "dim, damping", [(3, None), (2, pl.Settle(0.3, 0)), (3, pl.Settle(0.3, 1))]
)
def test_a_run_taken_up_is_the_same_to_the_last_bit(tmp_path, dim, damping):
    def make():
        return scene(beam(dim, damping), dim=dim)

    found = stopped_and_resumed(make, tmp_path / "a.zarr", steps=24, dt=1 / 60, at=13)
    world = make()
    whole = world.run(seconds=24 / 60, dt=1 / 60, progress=False)
    assert_same(found, whole)
    assert world.bodies[0].state.history.flow.count > 3


def test_a_second_run_goes_on_where_the_first_ended():
    once, twice = beam(), beam()
    scene(once).run(seconds=0.4, dt=1 / 60, progress=False)
    world = scene(twice)
    for _ in range(2):
        world.run(seconds=0.2, dt=1 / 60, progress=False)
    assert np.array_equal(once.positions, twice.positions)
    assert np.array_equal(once.plastic, twice.plastic) and once.plastic.max() > 0.02


def test_reset_forgets_what_has_flowed():
    body, world = beam(), None
    first = [body.positions]
    for _ in range(2):
        body.reset()
        body.place(first[0])
        world = scene(body)
        assert not body.plastic.any()
        world.run(seconds=0.2, dt=1 / 60, progress=False)
        first.append(body.positions)
    assert body.plastic.max() > 0.02
    assert np.array_equal(first[1], first[2])


def test_what_is_asked_between_steps_changes_nothing():
    plain, asked = beam(), beam()
    for body in (plain, asked):
        world = scene(body)
        for _ in range(6):
            world.step(1 / 60)
            if body is asked:
                world.equilibrium()
                body.rest_shape(gravity=(0, 0, 0))
                body.system().elastic_rate  # noqa: B018
    assert np.array_equal(plain.positions, asked.positions)


@pytest.mark.parametrize("dim", [2, 3])
def test_annealed_it_rests_in_its_present_shape(dim):
    body = beam(dim, pl.Settle(0.3))
    world = scene(body, dim=dim)
    world.run(seconds=0.6, dt=1 / 60, progress=False)
    x = body.positions
    assert body.plastic.max() > 0.02
    body.anneal()
    assert not body.plastic.any()
    assert np.abs(body.rest_shape() - x).max() < 1e-9
    # And is as stiff as a body of a mesh of that shape.
    fresh = pl.Body(pl.Mesh(x, body.mesh.cells), body.material)
    fresh.fix(body.pinned)
    K, wanted = (b.system().stiffness(x).toarray() for b in (body, fresh))
    assert np.abs(K - wanted).max() < 1e-9 * np.abs(wanted).max()
    body.reset()
    assert np.abs(body.rest_shape() - body.mesh.points).max() < 1e-9


def test_annealing_is_for_bodies_that_flow():
    body = pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), pl.Hencky(young=1e6, poisson=0.3))
    assert body.plastic.shape == (0,)
    with pytest.raises(ValueError, match=r"anneal is for bodies that flow.*pl\.Plastic"):
        body.anneal()


def test_two_bodies_that_touch_flow_each_by_itself():
    mesh = pl.meshes.box((0.4, 0.4, 0.4), (3, 3, 3), kind="hex")
    lead = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=3e3, hardening=2e4)
    below = pl.Body(mesh, lead, name="below")
    below.fix(mesh.points[:, 1] < 1e-9)
    above = pl.Body(
        pl.Mesh(mesh.points + [0.05, 0.42, 0], mesh.cells), lead, density=6000.0, name="above"
    )
    above.velocity = (0.0, -1.0, 0.0)
    world = pl.Scene([below, above], gravity=(0, -9.81, 0))
    world.run(seconds=0.3, dt=1 / 60, progress=False)
    assert below.plastic.max() > 0.01 and above.plastic.max() > 0.01
    assert above.positions[:, 1].min() > 0.1  # it lies on what is left of the other


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda b: pl.Modal(b, modes=4), "modes know one rest shape"),
        (lambda b: pl.Subspace(b, modes=4, size=8), "modes know one rest shape"),
        (
            lambda b: pl.ExampleBased(
                pl.meshes.box((1, 1, 1), (1, 1, 1)),
                b.material,
                examples=[1.1 * pl.meshes.box((1, 1, 1), (1, 1, 1)).points],
            ),
            r"elastic material for pl\.ExampleBased",
        ),
        (
            lambda b: pl.Body(
                pl.Mesh(np.eye(3), {"line": np.array([[0, 1], [1, 2]])}), b.material, section=1e-4
            ),
            r"elastic material for bars.*pl\.Rod\(\.\.\., yield_strain",
        ),
    ],
    ids=["modal", "subspace", "examples", "bars"],
)
def test_bodies_that_cannot_flow_say_so(make, says):
    with pytest.raises(ValueError, match=says):
        make(beam())
