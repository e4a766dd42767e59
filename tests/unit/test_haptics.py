"""The haptic loop: what the hand feels, how the loop ends, and what is refused."""

import os
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import pliant as pl
from pliant.cli.app import app
from pliant.control import Release, decay_rate
from pliant.haptics import DeviceError, Loop, Simulated, poking
from pliant.haptics.modelling import motion_after
from pliant.haptics.ticking import Job, ticked
from pliant.haptics.watch import SHOWN
from tests.unit.silent_device import Holding, Locked, Silent

MESH = pl.meshes.box((4, 1, 1), (6, 2, 2))
TIP = np.array([10.0 / 3.0, 1.0, 0.5])  # a point of the upper side
DT = 1e-3


def beam():
    body = pl.Body(MESH, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.fix(MESH.points[:, 0] < 1e-9)
    return body


def modal(damping=None):
    return pl.Modal(beam(), modes=30, damping=damping or pl.Settle(0.5))


def soft(damping=None):
    body = pl.Subspace(beam(), modes=6, size=15)
    body.damping = damping or pl.Settle(0.5)
    return body


def stone(damping=None):
    body = pl.BoundaryElements(MESH, young=1e6, poisson=0.3, damping=damping or pl.Settle(0.5, 1))
    body.fix(body.mesh.points[:, 0] < 1e-9)
    return body


def liquid():
    body = pl.LongElements(MESH, spacing=0.5, young=1e6)
    body.fix(body.mesh.points[:, 0] < 1e-9)
    return body


MODELS = {
    "modal": modal,
    "modal that rings": lambda: modal(pl.Rayleigh(mass=0.5)),
    "subspace": soft,
    "subspace that swings": lambda: soft(pl.Rayleigh(mass=0.5, stiffness=1e-3)),
    "subspace that bounces": lambda: soft(pl.Settle(0.5, 2)),
    "boundary elements": stone,
    "probe on long elements": lambda: pl.Probe(liquid(), radius=0.6),
    "probe": lambda: pl.Probe(beam(), radius=0.6),
}


class Scripted:
    """A device that gives what it is told, at once, and remembers forces."""

    def __init__(self, hands, then=None):
        self.hands, self.then, self.forces, self.count = hands, then, [], 0

    def read(self):
        self.count += 1
        if self.count > len(self.hands):
            return self.then()
        return self.hands[self.count - 1]

    def write(self, force):
        self.forces.append(np.array(force))


def model_of(body, coupling=2000.0):
    return Loop(body, device=Simulated(TIP), coupling=coupling, radius=0.6)._model


def pressed(steps, depth=0.05):
    """Down and up again, [m]."""
    t = np.linspace(0.0, 2.0 * np.pi, steps)
    return TIP + np.stack([0 * t, depth * np.cos(t) - 0.2 * depth, 0 * t], axis=1)


@pytest.mark.parametrize("name", MODELS)
def test_a_hand_is_pushed_back_and_given_no_work(name):
    model = model_of(MODELS[name]())
    hands = pressed(1000)
    forces = np.array([model.step(hand) for hand in hands])
    assert forces[:, 1].max() > 1.0 and (forces[:, 1] >= 0.0).all()
    assert not forces[:200].any() and not forces[-150:].any()  # above the surface
    sums = np.cumsum((forces[1:] * np.diff(hands, axis=0)).sum(axis=1))
    assert sums.max() <= 1e-12 and sums.min() < -1e-3


@pytest.mark.parametrize("coupling", [1.0, 1e3, 1e9])
def test_any_stiffness_of_the_coupling_is_stable(coupling):
    """A hand that stays: the spring of the coupling and the body in series."""
    model = model_of(modal(), coupling)
    hand = TIP - [0.0, 0.03, 0.0]
    for _ in range(3000):
        force = model.step(hand)
    again = model.step(hand)
    assert again[1] > 0.0 and again[1] == pytest.approx(force[1], rel=1e-6)
    touched = model._patch
    static = float(touched.row @ (touched.row / model.coordinates.eigenvalues))
    assert again[1] == pytest.approx(0.03 / (1.0 / coupling + static), rel=1e-6)


def test_a_loop_feels_what_a_probe_does():
    """A static body and a stiff hand: a patch that goes down by as much as the hand."""
    model = model_of(stone(pl.Settle(0.5)), 1e12)
    for _ in range(2000):
        force = model.step(TIP - [0.0, 0.01, 0.0])
    C = pl.Probe(stone(), radius=0.6).compliance
    near = np.flatnonzero(np.linalg.norm(C.nodes - TIP, axis=1) <= 0.6)
    near = near[C.normals[near] @ C.normals[np.linalg.norm(C.nodes - TIP, axis=1).argmin()] > 0.0]
    normal = C.normals[near].mean(axis=0)
    normal /= np.linalg.norm(normal)
    soft = np.einsum("i,kilj,j->", normal, C.block(near), normal) / len(near) ** 2
    assert np.linalg.norm(force) == pytest.approx(0.01 * normal[1] / soft, rel=1e-6)


def wandering(seed, steps=2500):
    """Comes from above, then in and out of the body and about it, by up to a third of a metre."""
    random, t = np.random.default_rng(seed), np.arange(steps) * DT
    path = np.zeros((steps, 3))
    for _ in range(6):
        wide, often, phase = random.uniform([0.0, 0.3, 0.0], [0.15, 5.0, 6.28])
        path += np.outer(np.sin(2 * np.pi * often * t + phase), wide * random.normal(size=3) * 0.6)
    return TIP + np.outer(1.0 - np.minimum(t / 0.3, 1.0), [0, 1, 0]) + path


@pytest.mark.parametrize("coupling", [2e3, 1e9])
@pytest.mark.parametrize("name", MODELS)
def test_a_hand_that_wanders_is_given_no_work(name, coupling):
    """Through edges and from contact to contact: it enters where it was outside before."""
    model, hands = model_of(MODELS[name](), coupling), wandering(1)
    forces = np.array([model.step(hand) for hand in hands])
    assert np.isfinite(forces).all() and model.left[1] > 1
    sums = np.cumsum((forces[1:] * np.diff(hands, axis=0)).sum(axis=1))
    assert sums.max() <= 1e-9 and sums.min() < -1.0


def test_what_is_let_go_at_rest_rests_on_cue():
    """From the tick in which the hand is gone; without bounces however it was let go."""
    for body in (modal(), soft(), stone(pl.Settle(0.5))):
        model = model_of(body)
        for _ in range(2000):
            model.step(TIP - [0.0, 0.03, 0.0])
        away = []
        for _ in range(700):
            model.step(TIP + [0.0, 5.0, 0.0])
            away.append(np.linalg.norm(model.positions - model.points))
        rests = 1 + int(np.flatnonzero(np.array(away) > 0.01 * away[0]).max())
        assert rests * DT == pytest.approx(0.5, abs=2.5e-3)  # 0.5 %, and a tick


@pytest.mark.parametrize("lift", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("make", [modal, soft])
def test_what_is_let_go_on_its_way_rests_on_cue(make, bounces, lift):
    """The other process answers some ticks later; a hand that is slow holds the body back."""
    law = pl.Settle(0.5, bounces)
    model = model_of(make(law))
    found, away, left = None, [], None
    for i in range(2700):
        up = 0.03 * min(1.0, i * DT / 0.5) if i < 1000 else 0.03 * max(1 - (i * DT - 1) / lift, -1)
        model.step(TIP - [0.0, up, 0.0])
        away.append(np.linalg.norm(model.coordinates.q))
        if model.left[1] and left is None:
            left, found = i, motion_after(law, model.left[0], DT)
        if left is not None and i == left + 8:
            model.move_by(found)
        if left is not None and i >= left + 600:
            break
    away = np.array(away[left:])
    rests = 1 + int(np.flatnonzero(away > 0.01 * away.max()).max())
    # 0.5 % and a tick; with bounces the envelope rests then, and what swings up to a quarter of a
    # swing, 0.0625 s, before.
    assert rests * DT == pytest.approx(0.5, abs=4e-3 if not bounces else 0.066)
    assert rests * DT < 0.504


# --- large deformation ----------------------------------------------------------------------

FAR = pl.meshes.box((4, 1, 1), (8, 2, 2))
WEIGHT = (0.0, -9.81, 0.0)


def limp(damping):
    """A beam that sags by a third of its length."""
    body = pl.Body(FAR, pl.StableNeoHookean(young=2e6, poisson=0.3))
    body.fix(FAR.points[:, 0] < 1e-9)
    return pl.Subspace(body, modes=6, size=18, damping=damping)


def limp_model(damping, *, at_rest=True):
    body = limp(damping)
    if at_rest:
        body.place(body.rest_shape(WEIGHT))
    model = Loop(body, device=Simulated(TIP), coupling=1e5, radius=0.5, gravity=WEIGHT)._model
    outside = np.unique(body.skin.nodes)
    tip = int(np.flatnonzero((FAR.points[outside] == [3.5, 1.0, 0.5]).all(axis=1))[0])
    rest = body.rest_shape(WEIGHT)[outside]
    return model, rest[tip], model.normals[tip]


def way_of(model):
    return np.linalg.norm(model.coordinates.q - model.coordinates.goal)


def test_a_press_on_what_sags_is_balanced_by_its_own_forces():
    """Half a metre deep: the force that it feels is one under which the body rests as it is."""
    model, place, normal = limp_model(pl.Settle(0.5))
    assert normal[0] > 0.3  # its surface has turned
    for _ in range(3000):
        force = model.step(place - 0.5 * normal)
    body = limp(pl.Settle(0.5))
    inner, row = body.system().inner, model._patch.row
    goal = model.coordinates.goal.reshape(-1, 3)
    push = inner.assembly.gradient(goal).ravel() - np.linalg.norm(force) * row
    found = inner.equilibrium(goal, lambda q: push.reshape(-1, 3))[0].ravel()
    assert way_of(model) > 0.2 * np.sqrt(body.masses.sum())  # m
    np.testing.assert_allclose(model.coordinates.q, found, atol=1e-6 * way_of(model))


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_what_is_let_go_far_away_rests_on_cue(bounces):
    """Pressed in by half a metre of a beam of four, and the hand is gone at once."""
    law = pl.Settle(0.5, bounces)
    model, place, normal = limp_model(law)
    for i in range(2000):
        model.step(place - 0.5 * min(1.0, i * DT) * normal)
    away, decay = [way_of(model)], 0.0
    for i in range(700):
        model.step(place + 9.0 * normal)
        now = model.coordinates.departure()
        release = Release(now.uu, now.up, now.pp)
        if i == 8:
            left = model.left[0]
            assert not 0.99 < left.share < 1.01  # a linear body would be elsewhere
            model.move_by(motion_after(law, left, DT))
            at_first = Release(left.uu, left.up, left.pp)
            decay = decay_rate(0.5, bounces, 0.01 * left.share, at_first)
        # With bounces the envelope rests then, in which the body is linear.
        swings = bounces and i > 100
        away.append(release.envelope(decay, 2 * np.pi * 2 / 0.5) if swings else way_of(model))
    rests = 1 + int(np.flatnonzero(np.array(away) > 0.01 * max(away)).max())
    assert rests * DT == pytest.approx(0.5, abs=3.5e-3)  # 0.5 %, and a tick


@pytest.mark.parametrize("bounces", [None, 0])
def test_what_begins_far_away_rests_on_cue(bounces):
    """Level, above the sag: its clock begins with the loop."""
    model, place, _ = limp_model(pl.Settle(0.5, bounces), at_rest=False)
    away = [way_of(model)]
    for _ in range(700):
        model.step(place + [0.0, 9.0, 0.0])
        away.append(way_of(model))
    assert away[0] > 0.5 * np.linalg.norm(model.coordinates.goal)
    rests = 1 + int(np.flatnonzero(np.array(away) > 0.01 * away[0]).max())
    assert rests * DT == pytest.approx(0.5, abs=3.5e-3)  # 0.5 %, and a tick


@pytest.mark.parametrize("damping", [None, pl.Rayleigh(mass=2.0, stiffness=2e-3)], ids=repr)
def test_without_settle_it_moves_as_in_a_scene(damping):
    """Let go level: backward Euler in both."""
    model, place, _ = limp_model(damping, at_rest=False)
    for _ in range(250):
        model.step(place + [0.0, 9.0, 0.0])
    body = limp(damping)
    pl.Scene(body, gravity=WEIGHT).run(seconds=0.25, dt=DT, progress=False)
    way = np.abs(body.positions - FAR.points).max()
    assert way > 0.2
    outside = np.unique(body.skin.nodes)
    # Of the scene K is that at the start of a step, in the loop it is a mean over it: first order in dt.
    near = 1e-6 if damping is None else 2e-4
    np.testing.assert_allclose(model.positions, body.positions[outside], atol=near * way)


def test_weight_acts_in_the_loop():
    body = modal()
    there = body.rest_shape((0, -1, 0))
    loop = Loop(body, device=Simulated(TIP + [0, 9, 0]), gravity=(0, -1, 0), radius=0.5)
    for _ in range(3000):
        loop._model.step(TIP + [0.0, 9.0, 0.0])
    surface = np.unique(body.skin.nodes)
    np.testing.assert_allclose(loop.positions, there[surface], atol=1e-6)


@pytest.mark.parametrize("make", [modal, stone])
def test_a_body_that_sags_is_met_where_it_is(make):
    body = make()
    gravity = (0, -2, 0)
    body.place(body.rest_shape(gravity))
    t, hands = poking(body, depth=0.02, seconds=1.0)
    model = Loop(body, device=Simulated(TIP), gravity=gravity, radius=0.6)._model
    assert np.linalg.norm(model.positions - model.points, axis=1).max() > 0.05
    forces = np.array([model.step(hand) for hand in hands])
    assert not forces[t < 0.24].any() and forces[(t > 0.3) & (t < 0.7)].any(axis=1).all()


# --- the end --------------------------------------------------------------------------------


def run(device, seconds=0.1):
    model = model_of(modal())
    shared = np.zeros(SHOWN + len(model.coordinates.q))
    return ticked(Job(model, device, 1000.0, seconds), shared), shared


def test_the_last_force_is_zero():
    device = Scripted([TIP - [0.0, 0.05, 0.0]] * 200)
    ticks, shared = run(device)
    assert len(ticks.late) == 100 and not ticks.trouble
    assert device.forces[-2][1] > 0.0 and not device.forces[-1].any()
    np.testing.assert_array_equal(shared[SHOWN:], ticks.coordinates.q)


@pytest.mark.parametrize(
    "then, said",
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: np.full(3, np.nan), "expected three finite numbers"),
        (lambda: np.zeros(2), "expected three finite numbers"),
        (lambda: (_ for _ in ()).throw(KeyboardInterrupt()), "KeyboardInterrupt"),
    ],
)
def test_the_last_force_is_zero_when_a_device_fails(then, said):
    device = Scripted([TIP - [0.0, 0.05, 0.0]] * 20, then)
    ticks, _ = run(device)
    assert said in ticks.trouble and len(ticks.late) == 19  # the first place was read before
    assert device.forces[-2][1] > 0.0 and not device.forces[-1].any()


@pytest.fixture
def found_there(monkeypatch):
    """Modules of tests are found in the process of a loop."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))


@pytest.mark.usefixtures("found_there")
def test_a_device_that_stops_answering_ends_the_loop_with_zero_force(tmp_path):
    loop = Loop(modal(), device=Silent(str(tmp_path / "forces")), radius=0.6)
    with pytest.raises(DeviceError, match="stopped answering; the force was set to zero"):
        loop.run(seconds=20.0)
    forces = [float(line) for line in (tmp_path / "forces").read_text().splitlines()]
    assert forces[-2] > 0.0 and forces[-1] == 0.0


@pytest.mark.usefixtures("found_there")
@pytest.mark.parametrize("device", [Locked, Holding])
def test_a_device_that_does_not_take_a_force_either_ends_the_loop_and_is_told(tmp_path, device):
    """Soon, whatever time it was to run; what cannot be written is not said to be."""
    loop = Loop(modal(), device=device(str(tmp_path / "forces")), radius=0.6)
    began = time.monotonic()
    with pytest.raises(
        DeviceError, match="did not take a force of zero; switch it off: it has stopped"
    ):
        loop.run(seconds=600.0)
    assert time.monotonic() - began < 60.0


def test_a_device_that_refuses_the_last_force_is_told():
    device = Scripted([TIP - [0.0, 0.05, 0.0]] * 200)
    device.write = lambda force: None if force.any() else 1 / 0
    ticks, _ = run(device)
    assert len(ticks.late) == 100 and "ZeroDivisionError" in ticks.refused


def test_a_run_in_a_process_of_its_own():
    loop = Loop(modal(), device=Simulated(poking(modal(), depth=0.05, seconds=1.0)), radius=0.6)
    drawn = []
    report = loop.run(seconds=1.0, draw=drawn.append)
    assert len(report.late) == 1000 and report.forces.any() and report.work <= 1e-12
    assert loop._answered == 1.0  # how it was let go was told, and answered
    assert drawn and drawn[-1].shape == loop.positions.shape
    assert "1000 ticks at 1000 Hz" in str(report)


SOLID = "material = { young = 1e6, poisson = 0.3 }\nreduce"


@pytest.mark.parametrize(
    "kind",
    [
        f"{SOLID} = {{ modes = 10 }}",
        f"{SOLID} = {{ modes = 4, size = 9 }}",
        "long_elements = { spacing = 0.5, young = 1e6 }",
    ],
    ids=["modal", "subspace", "long elements"],
)
def test_the_command_prints_the_table(tmp_path, kind):
    file = tmp_path / "a.toml"
    file.write_text(
        "[body.beam]\nmesh = { box = { size = [4, 1, 1], cells = [6, 2, 2] } }\n"
        f'{kind}\nfix = "x < 0.01"\n'
    )
    done = CliRunner().invoke(app, ["feel", str(file), "--seconds", "0.2"])
    assert done.exit_code == 0 and "200 ticks at 1000 Hz" in done.output


# --- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"hz": 0.0}, "got hz=0.0"),
        ({"hz": 1e9}, "got hz=1000000000.0"),
        ({"coupling": -1.0}, "got coupling=-1.0"),
        ({"radius": float("nan")}, "got radius=nan"),
    ],
)
def test_bad_numbers_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Loop(modal(), device=Simulated(TIP), **wrong)


def test_what_cannot_be_felt_is_refused():
    device = Simulated(TIP)
    with pytest.raises(TypeError, match="got body of type Mesh"):
        Loop(MESH, device=device)
    with pytest.raises(ValueError, match="got Body, whose step takes too long for a hand"):
        Loop(beam(), device=device)
    free = pl.Modal(pl.Body(MESH, beam().material), modes=5)
    with pytest.raises(ValueError, match="expected a body that is held"):
        Loop(free, device=device)
    flat = pl.Body(pl.meshes.rectangle((2, 1), (4, 2)), beam().material)
    flat.fix(flat.mesh.points[:, 0] < 1e-9)
    with pytest.raises(ValueError, match="body: got .* in 2D.*; expected a solid in 3D"):
        Loop(pl.Modal(flat, modes=5), device=device)
    with pytest.raises(ValueError, match="body: got .* in 2D.*; expected a solid in 3D"):
        poking(flat, depth=0.1, seconds=1.0)
    with pytest.raises(DeviceError, match="cannot be sent to the process of the loop"):
        Loop(modal(), device=Simulated(lambda t: TIP)).run(seconds=0.1)
    with pytest.raises(ValueError, match="got seconds=-1"):
        Loop(modal(), device=device).run(seconds=-1)
    with pytest.raises(ValueError, match="Simulated"):
        Simulated((0.0, float("nan"), 0.0))
