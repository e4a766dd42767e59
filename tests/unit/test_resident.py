"""Steps that stay on the device, with the CPU as the device: what they do must not depend on it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import numpy as np
import pytest
import warp as wp
from stages import DAMPINGS, SUPPORTS, beam, on_a_string, rigid_motions, stage
from travel import Watched

import pliant as pl
from pliant.backend import Command, DeviceSpace, HostSpace, Launches, devices, to_host
from pliant.backend.vector_kernels import vector_kernels
from pliant.problem import system
from pliant.problem.inertia import Inertia
from pliant.solvers import Factored, galerkin, hierarchy
from tests.contact.in_scenes import island
from tests.contact.test_contact_on_a_device import boxes, draped
from tests.verification.test_settle_on_every_model import MODELS, bent_start


@pytest.fixture
def resident(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """Switch between the two ways."""
    ways = ExitStack()

    def switch(on: bool) -> None:
        ways.enter_context(devices.resident(on))

    # On the CPU Warp takes numpy arrays for its own; on CUDA it would not.
    launch, launch_again = wp.launch, Command.launch

    def foreign(inputs) -> bool:
        return any(isinstance(a, np.ndarray) and a.ndim for a in inputs)

    def strict(kernel, dim, inputs=(), **settings):
        assert not foreign(inputs), kernel.key
        return launch(kernel, dim, inputs=inputs, **settings)

    def strict_again(self, inputs):
        assert not foreign(inputs), self
        launch_again(self, inputs)

    monkeypatch.setattr(wp, "launch", strict)
    monkeypatch.setattr(Command, "launch", strict_again)
    with ways:
        yield switch


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", DAMPINGS)
def test_every_damping_moves_as_on_the_host(name, dim, support, resident):
    takes = []
    for on in (False, True):
        resident(on)
        scene = stage(beam(dim, DAMPINGS[name](), support=support), support)
        takes.append(scene.run(seconds=0.3, dt=1 / 60, stepper=pl.Implicit(tolerance=1e-6)))
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 18 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 36e-6 * moved
    assert np.abs(takes[0].velocities - takes[1].velocities).max() <= 36e-6 * moved * 60


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", DAMPINGS)
def test_no_array_travels_between_frames(name, dim, support, resident, monkeypatch):
    resident(True)
    scene = stage(beam(dim, DAMPINGS[name](), support=support), support)
    stepper = Watched(monkeypatch)
    scene.run(seconds=0.4, dt=1 / 60, fps=10, stepper=stepper)
    assert stepper.watched == 24 - stepper.start


@pytest.mark.parametrize("make", [pl.Implicit, pl.LinearisedImplicit])
@pytest.mark.parametrize("name", ["Body", "Cloth"])
def test_a_floor_far_below_brings_nothing_back(name, make, resident, monkeypatch):
    resident(True)
    body = MODELS[name]()
    bent_start(body, 5e-3)
    scene = pl.Scene(body, gravity=(0, 0, -1.0))
    scene.add(pl.HalfSpace((0, 0, -9.0), (0, 0, 1)))
    stepper = Watched(monkeypatch, make())
    scene.run(seconds=0.2, dt=1 / 60, fps=10, stepper=stepper)
    assert stepper.watched == 12 - stepper.start


def test_a_body_on_its_way_to_rest_stays_far_from_a_floor(resident, monkeypatch):
    """Contact would be computed on the CPU; without it an obstacle pushes points on the device."""
    resident(True)
    body = beam(3, pl.Settle(0.4), support="held")
    bent_start(body, 5e-3)
    scene = pl.Scene(body, gravity=(0, 0, -1.0))
    scene.add(pl.HalfSpace((0, 0, -9.0), (0, 0, 1)))
    stepper = Watched(monkeypatch)
    scene.run(seconds=0.2, dt=1 / 60, fps=10, stepper=stepper)
    assert stepper.watched == 12 - stepper.start


#: Loads that follow the surface, of bodies in two and three dimensions; edges and faces, both sides.
FOLLOWING = {
    "wind": lambda dim: {"wind": pl.Wind((9.0, 20.0, 4.0)[:dim], friction=0.5)},
    "gusts": lambda dim: {"wind": lambda t: (9.0 * np.sin(9.0 * t), -20.0, 4.0)[:dim]},
    "pressure": lambda dim: {"pressure": 4e3},
}


@pytest.mark.parametrize("name", ["none", "settle", "bounces", "rayleigh"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("load", FOLLOWING)
def test_loads_that_follow_the_surface_stay(load, dim, name, resident, monkeypatch):
    """The motion is that of the host, and no array travels."""

    def pushed(on, stepper, push=True):
        resident(on)
        body = beam(dim, DAMPINGS[name](), support="held")
        if push:
            body.push(**FOLLOWING[load](dim))
        return stage(body, "held").run(seconds=0.3, dt=1 / 60, fps=10, stepper=stepper).positions

    exact = pl.Implicit(tolerance=1e-6)
    here, there, alone = (
        pushed(*how) for how in ((False, exact), (True, exact), (False, exact, False))
    )
    assert np.abs(here - alone).max() > 1e-3 * np.abs(alone - alone[0]).max()  # it does something
    # 18 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(here - there).max() <= 36e-6 * np.abs(here - here[0]).max()
    stepper = Watched(monkeypatch)
    pushed(True, stepper)
    assert stepper.watched == 18 - stepper.start


@pytest.mark.parametrize("make", [pl.Implicit, pl.LinearisedImplicit])
def test_a_floor_stops_a_sheet_as_on_the_host(make, resident):
    takes = []
    for on in (False, True):
        resident(on)
        mesh = pl.meshes.rectangle((1, 1), (6, 6))
        mesh = pl.Mesh(np.insert(mesh.points, 2, 0.02, axis=1), mesh.cells)
        sheet = pl.Cloth(mesh, stretch=500.0, shear=200.0, bend=1e-2, density=0.2)
        scene = pl.Scene(sheet, gravity=(0, 0, -9.81))
        scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1)))
        takes.append(scene.run(seconds=0.2, dt=1 / 60, stepper=make(tolerance=1e-6)).positions)
    assert takes[0][-1, :, 2].max() < 0.02
    # 12 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0] - takes[1]).max() <= 24e-6 * 0.02


@pytest.mark.parametrize("bounces", [None, 2])
def test_a_block_on_a_string_moves_as_on_the_host(bounces, resident):
    takes = []
    for on in (False, True):
        resident(on)
        scene = pl.Scene(on_a_string(bounces), gravity=(0, -9.81, 0), contact=False)
        takes.append(scene.run(seconds=0.5, dt=1 / 60, stepper=pl.Implicit(tolerance=1e-6)))
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 30 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 60e-6 * moved


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", [2, 3])
def test_rigid_motion_agrees(dim, support, resident):
    resident(True)
    for name, (host, device, scale) in rigid_motions(dim, support, "cpu").items():
        assert np.abs(host - device).max() <= 1e-13 * scale, name


@pytest.mark.parametrize("material", [pl.NeoHookean, pl.Corotated, pl.Linear])
def test_other_materials(material, resident):
    ends = []
    for on in (False, True):
        resident(on)
        body = beam(2, pl.Settle(0.3), material=material)
        take = pl.Scene(body).run(seconds=0.3, dt=1 / 60, stepper=pl.Implicit(tolerance=1e-6))
        ends.append(take.positions)
    assert np.abs(ends[0] - ends[1]).max() <= 1e-5


def test_state_is_numpy_after_a_run_and_a_second_run_continues(resident):
    resident(True)
    whole = pl.Scene(beam(2, pl.Settle(0.3))).run(seconds=0.2, dt=1 / 60)
    body = beam(2, pl.Settle(0.3))
    scene = pl.Scene(body)
    scene.run(seconds=0.1, dt=1 / 60)
    assert isinstance(body.state.x, np.ndarray) and isinstance(body.velocity, np.ndarray)
    scene.run(seconds=0.1, dt=1 / 60)
    moved = np.abs(whole.positions[-1] - whole.positions[0]).max()
    assert np.abs(body.positions - whole.positions[-1]).max() <= 2e-3 * moved  # tolerance 1e-3


@pytest.mark.parametrize("name", ["settle", "bounces", "strain-rate"])
def test_a_run_can_go_on_on_the_other_device(name, resident):
    ends = []
    for ways in ((False, False), (True, False), (False, True)):
        scene = stage(beam(3, DAMPINGS[name](), support="hinged"), "hinged")
        for on in ways:
            resident(on)
            scene.bodies[0]._system = None
            exact = pl.Implicit(tolerance=1e-6)
            take = scene.run(seconds=0.1, dt=1 / 60, stepper=exact)
        ends.append(take.positions[-1])
    # 12 steps, each within 1e-6 of its motion, by two solvers.
    moved = np.abs(ends[0] - take.positions[0]).max()
    assert max(np.abs(end - ends[0]).max() for end in ends) <= 24e-6 * moved


def test_a_load_that_changes_restarts_the_schedule(resident):
    """Dead loads that change in time are followed on the device as on the host."""
    ends = []
    for on in (False, True):
        resident(on)
        body = beam(2, pl.Settle(0.3))
        body.push(force=lambda t: (0.0, -2e3 if t < 0.2 else 0.0), on=body.mesh.points[:, 0] > 3.9)
        take = pl.Scene(body).run(seconds=0.6, dt=1 / 60, stepper=pl.Implicit(tolerance=1e-6))
        ends.append(take.positions)
    assert np.abs(ends[0] - ends[1]).max() <= 1e-4 * np.abs(ends[0][0] - ends[0][-1]).max()


def test_a_column_that_buckles_finds_its_new_rest_shape(resident):
    """Its straight rest shape becomes unstable: it is pushed off it, on the host, and goes on."""
    ends = []
    for on in (False, True):
        resident(on)
        mesh = pl.meshes.rectangle((0.5, 5), (2, 20), kind="quad")
        body = pl.Body(mesh, pl.Corotated(young=1e6, poisson=0.0), damping=pl.Settle(0.4))
        body.fix(mesh.points[:, 1] < 1e-9)
        body.push(volume=lambda t: (0.0, -500.0 if t < 0.05 else -4000.0))
        take = pl.Scene(body).run(seconds=1.2, dt=1 / 30, stepper=pl.Implicit(tolerance=1e-6))
        ends.append(np.abs(take.positions[-1] - mesh.points).max(axis=0))
    assert ends[0][0] > 0.5
    # To the left or to the right, which rounding decides; at rest within 1e-3 of the way.
    assert np.abs(ends[0] - ends[1]).max() <= 2e-3 * ends[0].max()


@pytest.mark.parametrize("damping", ["none", "settle", "bounces", "rayleigh"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_moves_as_on_the_host(name, damping, resident):
    takes = []
    for on in (False, True):
        resident(on)
        body = MODELS[name]()
        bent_start(body, 5e-3)
        body.damping = DAMPINGS[damping]()
        exact = pl.Implicit(tolerance=1e-6)
        if body.static and damping == "rayleigh":
            with pytest.raises(ValueError, match="no motion of their own"):
                pl.Scene(body).run(seconds=0.1, stepper=exact)
            continue
        takes.append(pl.Scene(body).run(seconds=8 / 60, dt=1 / 60, stepper=exact).positions)
    if not takes:
        return
    moved = np.abs(takes[0] - takes[0][0]).max()
    # 8 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0] - takes[1]).max() <= 16e-6 * moved


@pytest.mark.parametrize("name", ["Cloth", "Springs", "Shell"])
def test_hierarchies_are_stored_as_on_cuda(name, resident, monkeypatch):
    """By slices, in float32: each step is solved to the same tolerance."""
    makes = galerkin.Galerkin, hierarchy.Storage

    def single(*given, dtype, **settings):
        return makes[0](*given, dtype=wp.float32, **settings)

    monkeypatch.setattr(hierarchy, "Storage", lambda *given, **_: makes[1](*given, sliced=True))
    takes = []
    for on in (False, True):
        resident(on)
        monkeypatch.setattr(system, "Galerkin", single if on else makes[0])
        body = MODELS[name]()
        bent_start(body, 5e-3)
        exact = pl.Implicit(tolerance=1e-6)
        takes.append(pl.Scene(body).run(seconds=8 / 60, dt=1 / 60, stepper=exact).positions)
    assert body.system().linear._galerkin.dtype is wp.float32
    moved = np.abs(takes[0] - takes[0][0]).max()
    # 8 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0] - takes[1]).max() <= 16e-6 * moved


@pytest.mark.parametrize("damping", ["none", "settle", "bounces", "rayleigh"])
@pytest.mark.parametrize("name", ["Cloth", "Springs", "Shell", "FormSolid"])
def test_no_array_of_other_models_travels_between_frames(name, damping, resident, monkeypatch):
    """The hierarchy that is made from each matrix is on the device, too."""
    resident(True)
    body = MODELS[name]()
    bent_start(body, 5e-3)
    body.damping = DAMPINGS[damping]()
    stepper = Watched(monkeypatch)
    pl.Scene(body).run(seconds=0.3, dt=1 / 60, fps=10, stepper=stepper)
    assert stepper.watched == 18 - stepper.start


@pytest.mark.parametrize("make", [boxes, draped])
def test_no_array_travels_in_contact(make, resident, monkeypatch):
    resident(True)
    scene = pl.Scene(make(), gravity=(0, 0, -9.81), contact=pl.Contact(friction=0.4, record=False))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1)))
    stepper = Watched(monkeypatch)
    stepper.start = 16  # bodies step alone until they meet, and then the island is prepared
    take = scene.run(seconds=20 / 60, dt=1 / 60, fps=3, stepper=stepper)
    assert stepper.watched >= 5
    body = scene.bodies[-1]
    end = take[body].positions[-1]
    assert island(scene).touches(np.concatenate([b.positions for b in scene.bodies]))
    assert np.abs(end - take[body].positions[0]).max() > 0.0


def test_what_couples_all_points_is_solved_for_on_the_host(resident):
    resident(True)
    assert MODELS["Cloth"]().system().resident
    assert not MODELS["ExampleBased"]().system().resident


def test_what_the_hierarchy_cannot_solve_is_factorised_on_the_host(resident):
    resident(True)
    body = MODELS["Cloth"]()
    system = body.system()
    x = body.mesh.points + 1e-3 * np.random.default_rng(0).standard_normal(body.mesh.points.shape)
    load = np.ones_like(x)
    y = system.to_device(np.where(system.pinned[:, None], body.mesh.points, x))
    objective = system.objective(Inertia(1e3, y), load, system.unrestricted)
    g, found = objective.residual(y), []
    for linear in (system.linear, Factored(system.kept_factor(body.mesh.points))):
        linear.assemble(objective, y, project=True)
        p, report = linear.solve(g, rtol=1e-10)
        assert report.converged and isinstance(p, wp.array)
        found.append(p.numpy())
    assert np.abs(found[0] - found[1]).max() <= 1e-7 * np.abs(found[0]).max()
    assert np.abs(linear.steepest(g).numpy()).max() > 0.0 and linear.estimate(objective, g) > 0.0


def test_vectors_agree():
    rng = np.random.default_rng(0)
    m, a, b = rng.uniform(1, 2, 37), rng.standard_normal((37, 3)), rng.standard_normal((37, 3))
    host, device = HostSpace(m), DeviceSpace(m, 3, device="cpu")
    x, y = device.asarray(a), device.asarray(b)
    for name, arguments in {
        "dot": 2, "weighted": 2, "apart": 2, "largest": 1, "force_norm": 1, "momentum": 1,
    }.items():  # fmt: skip
        expected = getattr(host, name)(*(a, b)[:arguments])
        assert getattr(device, name)(*(x, y)[:arguments]) == pytest.approx(expected, rel=1e-13)
    assert device.mixed(2.0, x, -3.0, y).numpy() == pytest.approx(2.0 * a - 3.0 * b)
    assert device.moved(x, 0.5, y).numpy() == pytest.approx(a + 0.5 * b)
    assert np.array_equal(device.negated(x).numpy(), -a)
    for v, p, q in ((host, a, b), (device, x, y)):
        assert v.weighted_both(p, q, p) == pytest.approx((host.weighted(a, b), 0.0), rel=1e-13)
        led = to_host(v.led(p, 0.3, q, 2.0, q))
        assert led == pytest.approx(a + 0.3 * (b - a) + 2.0 * b)
        assert np.array_equal(to_host(v.led(p, 0.3, p, 0.0, q)), a)  # pins stay exactly
        ahead = to_host(v.extended(p, (0.5, q), (-2.0, p)))
        assert ahead == pytest.approx(a + 0.5 * b - 2.0 * a)


def test_a_command_lets_go_of_arrays_that_pass_through_it():
    v, launch = DeviceSpace(np.ones(5), 2, device="cpu"), Launches("cpu")
    x = v.asarray(np.ones((5, 2)))
    for _ in range(3):
        y = wp.empty_like(x)
        launch(vector_kernels(2, False).mix, 5, [1.0, x, 1.0, x, y])
        watched = weakref.ref(y)
        del y
    assert watched() is None
    assert v.mixed(2.0, x, 1.0, x).numpy() == pytest.approx(3.0)


@pytest.mark.parametrize("name", ["Springs", "Cloth", "ConstraintBody"])
def test_sweeps_of_bodies_whose_arrays_stay_on_a_device(name, resident):
    """The sweeps begin and end on the host."""
    ends = []
    for on in (False, True):
        resident(on)
        body = MODELS[name]()
        bent_start(body, 5e-3)
        stepper = pl.XPBD(20, tolerance=None)
        ends.append(pl.Scene(body).run(seconds=0.05, dt=1 / 100, stepper=stepper).positions)
    assert np.abs(ends[0] - ends[1]).max() <= 1e-12


def follow(body):
    """Free, controlled and pressed."""
    body.release()
    body.damping = pl.Settle(1.0)
    body.push(pressure=10.0)


def test_a_run_says_which_bodies_will_not_stay_on_the_device(resident, monkeypatch, caplog):
    resident(True)
    monkeypatch.setattr("pliant.scene.scene.parallel", lambda device: True)
    told = {}
    for name, change in {
        "stays": lambda body: None,
        "blown": lambda body: body.push(wind=(1.0, 0.0)),
        "pressed": lambda body: body.push(pressure=10.0),
        "wind": lambda body: body.push(wind=lambda x, t: 0.1 * x),
        "follows": lambda body: follow(body),
        "driven": lambda body: body.move([0], lambda t: body.mesh.points[:1]),
        "damped": lambda body: setattr(body, "damping", pl.PointDamping(gamma=0.1)),
    }.items():
        body = beam(2, None)
        body.name = name
        change(body)
        caplog.clear()
        pl.Scene(body).run(seconds=0.02, dt=0.01, progress=False)
        told[name] = [m for m in map(str, caplog.messages) if "host" in m]
    caplog.clear()
    blown = beam(2, None)
    blown.push(wind=(1.0, 0.0))
    stepper = pl.LinearisedImplicit()
    pl.Scene(blown).run(seconds=0.02, dt=0.01, stepper=stepper, progress=False)
    assert "linearised" in caplog.text
    assert told == {
        "stays": [],
        "blown": [],
        "pressed": [],
        "wind": ["wind meets wind that is a function of places: its steps begin on the host"],
        "follows": [
            "follows can move freely under loads that follow its surface: its steps begin on the host"
        ],
        "driven": ["driven has pins that are driven: its steps begin on the host"],
        "damped": [
            "damped has PointDamping(gamma=0.1), which works on the host: its steps begin on the host"
        ],
    }
