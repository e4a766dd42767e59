"""Contact whose arrays stay on a device, with the CPU as the device: it must not depend on it."""

import numpy as np
import pytest

import pliant as pl
from pliant.backend import devices
from pliant.problem.island_levels import joined_interpolations, laid_out
from pliant.solvers import interpolations
from tests.contact.in_scenes import floor, island


def sheet(at, cells=8, size=0.4):
    mesh = pl.meshes.rectangle((size, size), (cells, cells))
    points = np.insert(mesh.points, 2, 0.0, axis=1) + at
    cloth = {"stretch": 500.0, "shear": 200.0, "bend": 1e-3, "density": 0.2}
    return pl.Cloth(pl.Mesh(points, mesh.cells), name="cloth", **cloth)


def box(at, cells=3, name="box", **how):
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (cells,) * 3)
    matter = pl.StableNeoHookean(young=1e5, poisson=0.3)
    return pl.Body(pl.Mesh(mesh.points + at, mesh.cells), matter, density=1000.0, name=name, **how)


def boxes():
    # Not edge over edge: there a step has several minima.
    damping = pl.Rayleigh(stiffness=1e-3)
    return [box((0, 0, 0.005)), box((0.03, 0.013, 0.21), name="upper", damping=damping)]


def viscous():
    return [box((0, 0, 0.005), damping=pl.StrainRate(phi=20.0, psi=20.0))]


def draped():
    held = box((0, 0, 0.1))
    held.fix(held.mesh.points[:, 2] < 0.1 + 1e-9)
    return [held, sheet((-0.1, -0.1, 0.31))]


def flat():
    mesh = pl.meshes.rectangle((0.2, 0.2), (4, 4))
    matter = pl.StableNeoHookean(young=1e5, poisson=0.3)
    places = ((0.0, 0.005), (0.05, 0.215))
    return [pl.Body(pl.Mesh(mesh.points + at, mesh.cells), matter) for at in places]


def moved(make, *, on, stepper=None):
    bodies = make()
    up = np.eye(bodies[0].dim)[-1]
    scene = pl.Scene(bodies, gravity=-9.81 * up, contact=pl.Contact(friction=0.4))
    scene.add(pl.HalfSpace(0 * up, up) if len(up) == 2 else floor())
    with devices.resident(on):
        take = scene.run(seconds=8 / 60, dt=1 / 60, stepper=stepper or pl.Implicit(tolerance=1e-6))
        assert island(scene).resident is on
    return [take[body].positions for body in bodies]


@pytest.mark.parametrize("make", [boxes, viscous, draped, flat])
def test_bodies_in_contact_move_as_on_the_host(make):
    for here, there in zip(moved(make, on=False), moved(make, on=True), strict=True):
        way = np.abs(here - here[0]).max()
        assert way > 1e-3
        # 8 steps, each within 1e-6 of its motion, by two solvers.
        assert np.abs(here - there).max() <= 16e-6 * way


def test_what_keeps_contact_on_the_host_is_said_before_the_run(monkeypatch, caplog):
    monkeypatch.setattr("pliant.scene.scene.parallel", lambda device: True)
    body = box((0, 0, 0.01), damping=pl.Settle(0.5))
    scene = pl.Scene(body, gravity=(0, 0, -9.81), contact=pl.Contact())
    with devices.resident():
        scene.run(seconds=0.01, dt=0.01, progress=False)
        assert not island(scene).resident
    assert "box has contact, and box has Settle(rest_in=0.5" in caplog.text
    caplog.clear()
    with devices.resident():
        free = pl.Scene(box((0, 0, 0.01)), gravity=(0, 0, -9.81), contact=pl.Contact())
        free.run(seconds=0.01, dt=0.01, progress=False)
    assert "host" not in caplog.text and "CPU" not in caplog.text


def test_bodies_share_no_cell_of_a_grid_and_no_node_of_a_lattice():
    mesh, other = pl.meshes.box((1, 1, 1), (4, 4, 4)), pl.meshes.box((3, 1, 1), (6, 2, 2))
    points = np.concatenate([mesh.points, other.points])
    n = len(mesh.points)
    laid = laid_out(points, [slice(0, n), slice(n, None)])
    assert laid[n:, 0].min() >= laid[:n, 0].max() + 1.0
    parts = []
    for each in (mesh, other):
        free = np.ones(len(each.points), dtype=bool)
        parts.append(interpolations(each.points, list(each.cells.values()), free))
    ways = joined_interpolations(parts, [n, len(other.points)])
    assert len(ways) == max(map(len, parts))
    carried = ways[0]
    for way in ways[1:]:
        carried = carried @ way
    assert np.allclose(carried.sum(axis=1), 1.0)  # constants are carried
    mine, theirs = (set(carried[rows].indices) for rows in (slice(0, n), slice(n, None)))
    assert mine and theirs and not mine & theirs


def held(**how):
    body = box((0, 0, 0.005), **how)
    body.fix(body.mesh.points[:, 2] > 0.2)
    return body


def driven():
    body = held()
    body.move([0], lambda t: body.mesh.points[:1])
    return body


@pytest.mark.parametrize(
    "make, floors, contact, stays",
    [
        (lambda: [held()], 0, False, True),  # as before: a body alone has none
        (lambda: [held()], 1, True, True),
        (boxes, 0, True, True),
        (lambda: [held(damping=pl.Settle(0.5))], 1, False, True),  # far from it, it stays
        (lambda: [held(damping=pl.Settle(0.5)), box((1, 0, 0.005), name="b")], 0, False, True),
        (lambda: [box((0, 0, 0.005), damping=pl.Settle(0.5))], 1, True, False),  # it lands
        (lambda: [driven()], 1, True, False),
        (lambda: [driven()], 0, False, True),
    ],
)
def test_what_has_contact_on_a_device_without_a_word(make, floors, contact, stays, monkeypatch):
    """With the CPU as CUDA: nothing of it was measured on a GPU."""
    monkeypatch.setattr("pliant.scene.scene_contact.parallel", lambda device: True)
    scene = pl.Scene(make(), gravity=(0, 0, -9.81))
    scene.add(*[floor()] * floors)
    with devices.resident():
        problem = scene.problem("cpu")
    assert (problem.meeting is not None) is contact
    assert all(system.resident is stays for system in problem.systems)
    pushed = floors > 0 and not contact
    assert all(bool(body.obstacles) is pushed for body in scene.bodies)


def test_other_steppers_have_contact_on_the_cpu_if_there_is_an_obstacle(monkeypatch):
    monkeypatch.setattr("pliant.scene.scene_contact.parallel", lambda device: True)
    for floors in (0, 1):
        scene = pl.Scene([held()], gravity=(0, 0, -9.81))
        scene.add(*[floor()] * floors)
        with devices.resident():
            problem = scene.problem("cpu", pl.SymplecticEuler())
        assert (problem.meeting is not None) is (floors > 0)
        assert problem.systems[0].resident is (floors == 0)
