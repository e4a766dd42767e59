"""Bodies that are tied together make one step, and keep what each was promised."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene_files
from pliant.solvers import Coarsened, Factored, Gridded, Tied
from pliant.take.measure import rest_time

SOFT = pl.StableNeoHookean(young=2e5, poisson=0.35)


def rope(points=11, *, held=True, damping=None):
    x = np.zeros((points, 3))
    x[:, 1] = -np.linspace(0, 1, points)
    lines = np.stack([np.arange(points - 1), np.arange(1, points)], axis=1)
    body = pl.Springs(
        pl.Mesh(x, {"line": lines}), stiffness=2e4, mass=0.02, name="rope", damping=damping
    )
    if held:
        body.fix([0])
    return body


def block(*, damping=None, at=(0.0, -1.2, -0.1), cells=(4, 2, 2)):
    mesh = pl.meshes.box((0.4, 0.2, 0.2), cells)
    mesh = pl.Mesh(mesh.points + at, mesh.cells)
    return pl.Body(mesh, SOFT, density=500.0, name="block", damping=damping)


def beam_and_cloth(first=None, second=None, *, cells=(12, 4, 4), squares=12):
    """A beam that is held at one end, with a cloth sewn to the lower edge of the other."""
    mesh = pl.meshes.box((2, 0.5, 0.5), cells)
    beam = pl.Body(mesh, SOFT, density=500.0, name="beam", damping=first)
    beam.fix(mesh.points[:, 0] < 1e-9)
    flat = pl.meshes.rectangle((0.5, 0.5), (squares, squares))
    hung = np.stack([np.full(len(flat.points), 2.0), -flat.points[:, 1], flat.points[:, 0]], axis=1)
    cloth = pl.Cloth(
        pl.Mesh(hung, flat.cells),
        stretch=500.0, shear=200.0, bend=0.005, density=0.2, name="cloth", damping=second,
    )  # fmt: skip
    edge = np.flatnonzero((mesh.points[:, 0] > 2 - 1e-9) & (mesh.points[:, 1] < 1e-9))
    seam = [int(np.argmin(np.linalg.norm(hung - mesh.points[i], axis=1))) for i in edge]
    scene = pl.Scene([beam, cloth], gravity=(0, -9.81, 0))
    scene.add(pl.Tie(beam, edge, cloth, seam))
    return scene, (beam, edge), (cloth, seam)


def momentum(bodies):
    p = sum((b.masses[:, None] * b.velocity).sum(axis=0) for b in bodies)
    spin = sum(np.cross(b.positions, b.masses[:, None] * b.velocity).sum(axis=0) for b in bodies)
    return p, spin


@pytest.mark.parametrize("damping", [pl.Settle(0.5), pl.Settle(0.5, 2)], ids=repr)
def test_momentum_of_free_bodies_that_are_tied_is_kept(damping):
    line, solid = rope(held=False, damping=damping), block(damping=damping)
    corner = int(np.argmin(np.linalg.norm(solid.positions - [0, -1, 0], axis=1)))
    # The rope whips at 27 m/s: without contact, whose friction keeps angular momentum less well.
    scene = pl.Scene([line, solid], contact=False)
    scene.add(pl.Tie(line, [10], solid, [corner]))
    rng = np.random.default_rng(0)
    for body in scene.bodies:
        body.velocity = rng.standard_normal(body.positions.shape)
    before = momentum(scene.bodies)
    scene.run(seconds=0.2, dt=1 / 60, progress=False)
    for now, then in zip(momentum(scene.bodies), before, strict=True):
        # Sums of some hundred products in float64, over 12 steps.
        assert np.abs(now - then).max() <= 1e-12 * np.abs(then).max()


def test_linear_momentum_is_kept_without_control():
    line, solid = rope(held=False), block()
    scene = pl.Scene([line, solid])
    scene.add(pl.Tie(line, [10], solid, [0]))
    line.velocity = (1.0, 2.0, 3.0)
    before = momentum(scene.bodies)[0]
    scene.run(seconds=0.2, dt=1 / 60, progress=False)
    assert np.abs(momentum(scene.bodies)[0] - before).max() <= 1e-12 * np.abs(before).max()


def test_every_body_rests_when_its_own_wish_asks():
    scene, *_ = beam_and_cloth(pl.Settle(0.6, 0), pl.Settle(0.9, 0))
    take = scene.run(seconds=1.2, dt=1 / 60, progress=False)
    for body in scene.bodies:
        away = take[body].positions - body.state.rest.x
        distance = np.sqrt((body.masses[:, None] * away**2).sum(axis=(1, 2)))
        # 0.7 % is a quarter of a step of 1/60 s in 0.6 s.
        assert rest_time(take.times, distance, 0.01) == pytest.approx(
            body.damping.rest_in, rel=0.007
        )


def test_each_body_is_solved_by_its_own_solver():
    scene, *_ = beam_and_cloth()
    problem = scene.problem("cpu")
    assert [type(s._linear) for s in problem.systems] == [Gridded, Coarsened]
    [island] = problem.islands
    assert isinstance(island.system._linear, Tied)
    take = scene.run(seconds=0.1, dt=1 / 60, progress=False)
    solver = take[scene.bodies[0]].solver
    # Stiff ties would take as many iterations as there are ties, if nothing knew of them.
    assert solver["linear_iterations"].sum() <= 8 * solver["iterations"].sum()


def test_small_bodies_share_a_factor_and_agree_with_their_own_solvers():
    ends = []
    for many in (False, True):
        scene, *_ = beam_and_cloth(cells=(4, 1, 1), squares=4)
        if many:
            island = scene.problem("cpu").islands[0]
            assert isinstance(island.system._linear, Factored)
            island.system._linear = Tied([s.linear for _, s in island.system.members])
            island.system._pristine = island.system.known()
            scene._islands = (island,)
        take = scene.run(
            seconds=0.2, dt=1 / 60, stepper=pl.Implicit(tolerance=1e-6), progress=False
        )
        ends.append(np.concatenate([take[b].positions[-1] for b in scene.bodies]))
    moved = np.abs(ends[0] - np.concatenate([b.mesh.points for b in scene.bodies])).max()
    # 12 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(ends[0] - ends[1]).max() <= 24e-6 * moved


@pytest.mark.parametrize("shift", [(0, 0, 0), (0.05, 0, 0), (0.03, 0.02, 0.04)])
def test_a_tie_gives_little_under_ten_times_the_weight(shift):
    line, solid = rope(), block(at=(0.0, -1.2, -0.1) + np.array(shift))
    line.fix(np.arange(10))
    solid.fix(solid.mesh.points[:, 0] > solid.mesh.points[:, 0].max() - 1e-9)
    corner = int(np.argmin(np.linalg.norm(solid.positions - [0, -1, 0] - shift, axis=1)))
    scene = pl.Scene([line, solid])
    scene.add(pl.Tie(line, [10], solid, [corner]))
    lighter = min(body.masses.sum() for body in scene.bodies)
    line.push(force=(0, -10 * 9.81 * lighter, 0), on=[10])
    take = scene.equilibrium()
    [island] = scene.problem("cpu").islands
    [energy] = island.system.ties
    x = np.concatenate([take[body].positions[-1] for body in scene.bodies])
    gap = np.einsum("tk,tkd->td", energy.weights, x[energy.stencils])
    size = min(np.linalg.norm(np.ptp(b.mesh.points, axis=0)) for b in scene.bodies)
    assert 1e-6 * size < np.linalg.norm(gap) < 1e-4 * size


def test_an_offset_turns_with_the_solid():
    """Spun about an axis, the tied point goes round with the block."""
    solid, line = block(at=(0.0, 0.0, 0.0)), rope(3, held=False)
    line.place(line.mesh.points * 0.1 + [0.2, 0.3, 0.1])
    scene = pl.Scene([solid, line])
    scene.add(pl.Tie(solid, [0], line, [2]))
    offset = line.positions[2] - solid.positions[0]
    for body in scene.bodies:
        body.velocity = np.cross((0.0, 0.0, 3.0), body.positions)
        body.damping = pl.Settle(0.2)
    scene.run(seconds=0.5, dt=1 / 100, progress=False)
    now = line.positions[2] - solid.positions[0]
    # As long as it was, give and take what spinning stretches, and turned by about 1.5 rad.
    assert np.linalg.norm(now) == pytest.approx(np.linalg.norm(offset), rel=0.02)
    cos = now @ offset / np.linalg.norm(now) / np.linalg.norm(offset)
    assert cos < 0.6


def test_two_runs_are_one():
    whole, *_ = beam_and_cloth(pl.Settle(0.5, 1), None, cells=(6, 2, 2), squares=6)
    whole.run(seconds=0.2, dt=1 / 60, progress=False)
    parts, *_ = beam_and_cloth(pl.Settle(0.5, 1), None, cells=(6, 2, 2), squares=6)
    for _ in range(2):
        parts.run(seconds=0.1, dt=1 / 60, progress=False)
    for a, b in zip(whole.bodies, parts.bodies, strict=True):
        assert np.array_equal(a.positions, b.positions)


def test_a_failed_step_leaves_tied_bodies_as_they_were():
    scene, *_ = beam_and_cloth(pl.Settle(0.5), pl.Settle(0.5), cells=(6, 2, 2), squares=6)
    other, *_ = beam_and_cloth(pl.Settle(0.5), pl.Settle(0.5), cells=(6, 2, 2), squares=6)
    broken = [False]

    def load(time):
        if broken[0]:
            raise KeyboardInterrupt
        return (0.0, 0.0, 0.0)

    for s in (scene, other):
        s.bodies[1].push(force=load, on=[0])
    for k in range(6):
        if k == 3:
            broken[0] = True
            before = [body.state for body in scene.bodies]
            with pytest.raises(KeyboardInterrupt):
                scene.step(1 / 60)
            assert all(b.state is state for b, state in zip(scene.bodies, before, strict=True))
            broken[0] = False
        scene.step(1 / 60)
        other.step(1 / 60)
    for a, b in zip(scene.bodies, other.bodies, strict=True):
        assert np.array_equal(a.positions, b.positions)


def test_wrong_ties_are_refused():
    a, b = block(), rope()
    with pytest.raises(ValueError, match="got 2 points of block and 1 of rope"):
        pl.Tie(a, [0, 1], b, [0])
    with pytest.raises(ValueError, match="twice"):
        pl.Tie(a, [0], a, [1])
    with pytest.raises(ValueError, match="stiffness"):
        pl.Tie(a, [0], b, [0], stiffness=-1.0)
    with pytest.raises(TypeError, match="expected a body"):
        pl.Tie(a, [0], "rope", [0])
    with pytest.raises(ValueError, match="is not in this scene"):
        pl.Scene([a]).add(pl.Tie(a, [0], b, [0]))
    a.damping = pl.Settle(0.5, law="first-mode")
    scene = pl.Scene([a, b])
    scene.add(pl.Tie(a, [0], b, [0]))
    with pytest.raises(ValueError, match='block: got law="first-mode"'):
        scene.run(seconds=0.1, progress=False)


def test_a_scene_file_ties(tmp_path):
    text = """
[run]
seconds = 0.1
gravity = [0, -9.81, 0]
[body.line]
mesh = { line = { a = [0, 0, 0], b = [0, -1, 0], cells = 10 } }
springs = { stiffness = 2e4, total_mass = 0.2 }
fix = { points = [0] }
[body.block]
mesh = { box = { size = [0.4, 0.2, 0.2], cells = [4, 2, 2] }, move = [0, -1.2, -0.1] }
material = { young = 2e5, poisson = 0.3 }
settle = { rest_in = 0.5 }
[[tie]]
a = "line"
points_a = "y < -0.99"
b = "block"
points_b = "y > -1.01"
"""
    path = tmp_path / "hung.toml"
    path.write_text(text)
    setup = scene_files.read(path).build(progress=False)
    [tie] = setup.scene.ties
    line, solid = tie.bodies
    gap = np.linalg.norm(line.positions[tie.points[0]] - solid.positions[tie.points[1]])
    assert len(tie.points[0]) == 1 and gap < 1e-12  # the nearest of the upper side
    take = setup.run(progress=False)
    assert len(take) == 7 and take.about["ties"][0]["bodies"] == ["line", "block"]
    path.write_text(text.replace('a = "line"', 'a = "lion"'))
    with pytest.raises(ValueError, match="got 'lion'; expected one of line, block"):
        scene_files.read(path).build(progress=False)


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_unlike_bodies_that_are_tied_rest_together(bounces):
    """A cloth on the free end of a beam: its way is half a metre, its own deformation millimetres."""
    mesh = pl.meshes.box((0.6, 0.1, 0.1), (12, 2, 2))
    beam = pl.Body(mesh, pl.StableNeoHookean(young=3e5, poisson=0.3), density=1000.0)
    beam.fix(mesh.points[:, 0] < 1e-9)
    flat = pl.meshes.rectangle((0.2, 0.1), (8, 4))
    x = np.insert(flat.points, 2, 0.0, axis=1) + [0.6, 0.0, 0.05]
    cloth = pl.Cloth(
        pl.Mesh(x, flat.cells), stretch=400.0, shear=200.0, bend=1e-4, density=0.2, name="cloth"
    )
    beam.damping = cloth.damping = pl.Settle(0.6, bounces)
    scene = pl.Scene([beam, cloth], gravity=(0, 0, -9.81))
    end = np.flatnonzero((mesh.points[:, 0] > 0.6 - 1e-9) & (abs(mesh.points[:, 2] - 0.05) < 1e-9))
    scene.add(pl.Tie(beam, end, cloth, np.flatnonzero(x[:, 0] < 0.6 + 1e-9)[::2]))
    take = scene.run(seconds=0.9, dt=1 / 60, progress=False)
    assert take["cloth"].asked["tied"] and "tied" not in take[beam].asked
    for body in (beam, cloth):
        assert take[body].rest_time() == pytest.approx(0.6, rel=0.05)  # measured 0.577 to 0.600
