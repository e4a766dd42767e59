"""Bodies that touch by penalties: bounces without gain, sheets that hold, bars across bars."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact import PenaltyContact

QUIET = {"progress": False}


OMEGA = 500.0  # how fast points swing in the margin of an obstacle [rad/s]


class OfMyOwn:
    """A stepper that pliant does not know: for it obstacles push points by springs."""

    def step(self, *given):
        return pl.SymplecticEuler().step(*given)


def test_a_mass_bounces_off_a_floor_as_off_a_spring():
    """Without weight: in the margin for pi/omega, sinking by v/omega, and back with -v."""
    v, margin = 1.5, 0.005
    mesh = pl.Mesh([[0, 0.02], [1, 0.02]], {"line": [[0, 1]]})
    for dt in (2e-4, 1e-4):
        body = pl.Springs(mesh, stiffness=100.0, mass=0.3)
        body.velocity = (0.0, -v)
        scene = pl.Scene(body)
        scene.add(pl.HalfSpace((0, 0), (0, 2.0), margin=margin))
        take = scene.run(seconds=0.04, dt=dt, stepper=OfMyOwn(), **QUIET)
        y = take.positions[:, 0, 1] - margin
        inside = np.flatnonzero(y < 0)
        contact = (inside[-1] - inside[0] + 1) * dt
        assert contact == pytest.approx(np.pi / OMEGA, abs=2 * dt)
        assert y.min() == pytest.approx(-v / OMEGA, rel=0.01)
        # Where in a step the margin is met and left makes an error of up to omega dt = 0.1.
        assert take.velocities[-1, 0, 1] == pytest.approx(v, rel=0.03)


def test_a_mass_bounces_off_the_barrier_and_is_slower_then():
    """The push of the barrier has no end, so no step resolves it: shorter ones lose less."""
    mesh, speeds = pl.Mesh([[0, 0.02], [1, 0.02]], {"line": [[0, 1]]}), []
    for dt in (4e-4, 1e-4):
        body = pl.Springs(mesh, stiffness=100.0, mass=0.3)
        body.velocity = (0.0, -1.5)
        scene = pl.Scene(body)
        scene.add(pl.HalfSpace((0, 0), (0, 2.0), margin=0.005))
        take = scene.run(seconds=0.05, dt=dt, stepper=pl.SymplecticEuler(), **QUIET)
        assert take.positions[..., 1].min() > 0.0
        assert take.energies["total"].max() == take.energies["total"][0]
        speeds.append(take.velocities[-1, 0, 1])
    assert 0.3 < speeds[0] < speeds[1] - 0.05 < 1.5


def pointed(at, dim, kind, turn=0.0, offset=0.0):
    """A block that is held altogether, and a simplex above it, thrown down with its apex first.

    at: where the apex is, on the surface of a block of sides 1 and height 0.5. All of it is turned and
    moved. Returns the scene, the point that is the apex, and the way up.
    """
    if dim == 3:
        block = pl.meshes.box((1, 0.5, 1), (4, 2, 4), kind=kind)
        tip = 0.2 * np.array([[0, 0, 0], [1, 1.5, -1], [-1, 1.5, -1], [0, 1.5, 1.0]])
    else:
        block = pl.meshes.rectangle((1, 0.5), (4, 2), kind=kind)
        tip = 0.2 * np.array([[0, 0], [1, 1.5], [-1, 1.5]])
    tip = tip + np.insert(at, 1, 0.52)
    points, n = np.concatenate([block.points, tip]), len(block)
    cell = n + np.arange(dim + 1)
    if np.linalg.det(tip[1:] - tip[0]) < 0.0:
        cell[[1, 2]] = cell[[2, 1]]
    simplex, cells = {2: "tri3", 3: "tet4"}[dim], dict(block.cells)
    cells[simplex] = np.concatenate([cells.get(simplex, np.zeros((0, dim + 1), int)), [cell]])
    R = np.eye(dim)
    R[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    body = pl.Body(
        pl.Mesh(points @ R.T + offset, cells), pl.StableNeoHookean(young=1e6, poisson=0.3)
    )
    body.fix(np.arange(n))
    body.touch(PenaltyContact(thickness=0.01, stiffness=1e5))
    body.velocity = np.where(np.arange(len(points))[:, None] >= n, -4.0 * R[:, 1], 0.0)
    return pl.Scene(body), n, R[:, 1]


def deepest(at, dim=3, kind="tet", **place):
    """How deep the apex goes below the surface of the block [m]."""
    scene, apex, up = pointed(at, dim, kind, **place)
    start = scene.bodies[0].positions[apex] @ up
    take = scene.run(seconds=0.03, dt=1e-4, stepper=pl.SymplecticEuler(), **QUIET)
    return start - (take.positions[:, apex] @ up).min() - 0.02


#: Where the apex comes down: on corners, edges and faces that cells share, and in the middle of one.
ALIGNED = [
    (0.5, 0.5),
    (0.5, 0.375),
    (0.375, 0.5),
    (0.375, 0.375),
    (0.25, 0.5),
    (0.5, 0.25),
    (0.4, 0.6),
]


@pytest.mark.parametrize("kind", ["tet", "hex"])
@pytest.mark.parametrize("at", ALIGNED)
def test_an_apex_sinks_as_deep_wherever_it_meets_the_cells(at, kind):
    usual = deepest((0.43, 0.37), kind=kind)
    assert 0.005 < usual < 0.02
    assert deepest(at, kind=kind) == pytest.approx(usual, rel=0.05)


@pytest.mark.parametrize("turn, offset", [(0.3, 0.0), (0.0, 17.3), (1.1, -123.7)])
def test_rounding_loses_no_apex(turn, offset):
    """Faces that are not quite where they should be, since coordinates are far from the origin."""
    usual = deepest((0.43, 0.37))
    for at in ALIGNED[:3]:
        assert deepest(at, turn=turn, offset=offset) == pytest.approx(usual, rel=0.05)


@pytest.mark.parametrize("kind", ["tri", "quad"])
@pytest.mark.parametrize("at", [(0.5,), (0.25,), (0.375,), (0.125,)])
def test_an_apex_in_the_plane(at, kind):
    usual = deepest((0.43,), dim=2, kind=kind)
    assert 0.5 * usual < deepest(at, dim=2, kind=kind) < 1.1 * usual


def ball():
    """A soft ball 15 cm above a floor with a margin of 3 cm, and its scene."""
    mesh = pl.meshes.sphere(radius=0.1, cells=3)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), density=1000.0)
    body.place(mesh.points + [0, 0.15, 0])
    scene = pl.Scene(body, gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, -0.13, 0), (0, 1, 0), margin=0.03))
    return body, scene


def test_a_ball_on_a_floor_bounces_without_gaining_energy():
    """Two bounces; what is measured at the ends of steps swings, the less the shorter they are."""
    swings = []
    for share in (0.4, 0.2):
        body, scene = ball()
        fastest = 2 / pl.SymplecticEuler().longest_dt(body.system())
        dt = share * 2 / np.sqrt(fastest**2 + OMEGA**2)
        steps = round(0.8 / dt)
        scale = 9.81 * 0.15 * body.masses.sum()
        take = scene.run(seconds=steps * dt, dt=dt, stepper=OfMyOwn(), **QUIET)
        total = take.energies["total"]
        swings.append(np.ptp(total) / scale)
        assert abs(total[-1] - total[0]) < 0.01 * scale
        height = take.positions[..., 1] @ body.masses / body.masses.sum()
        turns = np.flatnonzero((np.diff(height)[:-1] < 0) & (np.diff(height)[1:] > 0))
        assert len(turns) == 2 and height[turns[0] :].max() < 0.1501
        assert take.positions[..., 1].min() > -0.13
        side = take.velocities[-1][:, [0, 2]].T @ body.masses / body.masses.sum()
        assert np.abs(side).max() < 0.02  # a mesh is not quite round
    assert swings[1] < 0.6 * swings[0] and swings[1] < 0.03


def test_implicit_steps_land_and_lose_energy_only():
    body, scene = ball()
    take = scene.run(seconds=1.5, dt=1 / 120, **QUIET)
    total = take.energies["total"]
    assert np.diff(total).max() < 1e-4 * np.ptp(total)  # steps are solved to a thousandth
    pushed, weight = take.contacts[-1].forces[:, 1].sum(), 9.81 * body.masses.sum()
    assert pushed == pytest.approx(weight, rel=0.05)  # the floor carries it, still rocking a little


def blocks(dim, speed):
    """A block flies into another of its kind, turned by a little so that no faces are level."""
    block = pl.meshes.rectangle((1, 1), (3, 3)) if dim == 2 else pl.meshes.box((1, 1, 1), (2, 2, 2))
    ((kind, cells),) = block.cells.items()
    first = block.points - 0.5
    points = np.concatenate([first, first * 0.8 + np.array([1.0, 0.05, 0.03])[:dim]])
    mesh = pl.Mesh(points, {kind: np.concatenate([cells, cells + len(block)])})
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.3), density=100.0)
    body.touch(PenaltyContact(thickness=0.04, stiffness=2000.0))
    v = np.zeros_like(points)
    v[: len(block), 0] = speed
    body.velocity = v
    return body, len(block)


@pytest.mark.parametrize("dim", [2, 3])
def test_blocks_collide_and_keep_what_they_should(dim):
    body, n = blocks(dim, 1.0)
    take = pl.Scene(body).run(seconds=0.5, dt=5e-4, stepper=pl.SymplecticEuler(), **QUIET)
    m, v, x = body.masses, take.velocities, take.positions
    momentum = np.einsum("p,tpd->td", m, v)
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * np.abs(momentum).max()
    moments = np.einsum("p,tpi,tpj->tij", m, x, v)
    spin = moments - np.swapaxes(moments, 1, 2)
    # Of the size m x v of what came in.
    assert np.abs(spin - spin[0]).max() < 1e-10 * m.sum()
    energy = take.energies["total"]
    assert np.abs(energy / energy[0] - 1).max() < 0.05
    assert abs(energy[-1] / energy[0] - 1) < 0.01
    before, after = (v[k][:, 0] for k in (0, -1))
    means = [a @ np.where(np.arange(len(m)) < n, m, 0) / m[:n].sum() for a in (before, after)]
    second = after[n:] @ m[n:] / m[n:].sum()
    assert means[0] == pytest.approx(1.0) and means[1] < 0.5 and second > 0.8
    assert x[-1, n:, 0].min() > x[-1, :n, 0].max() - 0.05  # apart again


def test_what_sinks_past_the_middle_of_a_plate_comes_back():
    """The nearest surface is then the far one, and would push it through."""
    plate, cube = pl.meshes.box((1, 0.2, 1), (2, 1, 2)), pl.meshes.box((0.4, 0.4, 0.4), (3, 3, 3))
    n, cells = len(plate), plate.cells["tet4"]
    points = np.concatenate([plate.points, cube.points + [0.31, 0.205, 0.27]])
    mesh = pl.Mesh(points, {"tet": np.concatenate([cells, cube.cells["tet4"] + n])})
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), density=100.0)
    body.fix(np.arange(n))
    body.touch(PenaltyContact(thickness=0.005, stiffness=50.0))
    body.velocity = np.where(np.arange(len(points))[:, None] >= n, [0.0, -1.6, 0.0], 0.0)
    take = pl.Scene(body).run(seconds=0.4, dt=1e-3, stepper=pl.SymplecticEuler(), **QUIET)
    soles = take.positions[:, n:, 1].min(axis=1)
    speed = take.velocities[-1][n:, 1] @ body.masses[n:] / body.masses[n:].sum()
    assert 0.0 < soles.min() < 0.08 and soles[-1] > 0.2
    assert speed == pytest.approx(1.6, rel=0.01)  # as it came; pushes inside have no potential


def test_a_sheet_catches_a_ball():
    """One body of springs: a ball of tetrahedra falls on a sheet of triangles and is thrown back."""
    solid, sheet = pl.meshes.sphere(radius=0.15, cells=2), pl.meshes.rectangle((1, 1), (10, 10))
    n = len(sheet)
    flat = np.insert(sheet.points - 0.5, 1, 0.0, axis=1)
    points = np.concatenate([flat, solid.points + [0.03, 0.25, 0.02]])
    cells = {"tri": sheet.cells["tri3"], "tet": solid.cells["tet4"] + n}
    mesh = pl.Mesh(points, cells)
    soft, light = (mesh.edges < n).all(axis=1), np.arange(len(mesh)) < n
    body = pl.Springs(
        mesh, stiffness=np.where(soft, 400.0, 3000.0), mass=np.where(light, 0.004, 0.02)
    )
    body.fix(light & (np.abs(points[:, [0, 2]]).max(axis=1) > 0.5 - 1e-9))
    body.touch(PenaltyContact(thickness=0.03, stiffness=3000.0))
    take = pl.Scene(body, gravity=(0, -9.81, 0)).run(
        seconds=0.9, dt=3e-4, stepper=pl.SymplecticEuler(), **QUIET
    )
    y = take.positions[..., 1]
    middle = y[:, n:].mean(axis=1)
    lowest = int(middle.argmin())
    assert middle[lowest] < -0.05 and middle[lowest:].max() > 0.0
    assert (y[:, n:].min(axis=1) - y[:, :n].min(axis=1)).min() > 0.0  # never below the sheet
    total, scale = take.energies["total"], 9.81 * 0.3 * body.masses[n:].sum()
    assert np.ptp(total) < 0.02 * scale


@pytest.mark.parametrize("edges", [True, False])
def test_bars_across_bars_need_their_edges(edges):
    """A thin bar falls across another, far from every corner: only edges meet."""
    bar = pl.meshes.box((2, 0.1, 0.1), (1, 1, 1))
    lower = bar.points - [1, 0.05, 0.05]
    turn = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    tilt = np.array(
        [[1.0, 0, 0], [0, np.sqrt(0.5), -np.sqrt(0.5)], [0, np.sqrt(0.5), np.sqrt(0.5)]]
    )
    upper = (lower @ tilt.T) @ turn.T + [0.1, 0.25, 0.1]
    cells = bar.cells["tet4"]
    mesh = pl.Mesh(
        np.concatenate([lower @ tilt.T, upper]), {"tet": np.concatenate([cells, cells + len(bar)])}
    )
    body = pl.Body(mesh, pl.Corotated(young=1e6, poisson=0.3), density=200.0)
    body.fix(np.arange(len(mesh)) < len(bar))
    body.touch(PenaltyContact(thickness=0.03, stiffness=2e4, edges=edges))
    longest = pl.SymplecticEuler().longest_dt(body.system())
    dt = 0.3 / np.ceil(0.3 / (0.3 * longest))
    take = pl.Scene(body, gravity=(0, -9.81, 0)).run(
        seconds=0.3, dt=dt, stepper=pl.SymplecticEuler(), **QUIET
    )
    lowest = take.positions[:, len(bar) :, 1].mean(axis=1).min()
    assert (lowest > 0.1) == edges
