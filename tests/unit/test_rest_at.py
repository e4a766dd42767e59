"""Bodies that hang as drawn: `rest_at` finds the rest shape."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from tests.unit.every_body import BOX, in_space
from tests.unit.scene_texts import build

DOWN = (0.0, -9.81, 0.0)
SHEET = pl.meshes.rectangle((1, 1), (6, 6))
CURTAIN = pl.Mesh(np.insert(SHEET.points, 2, 0.0, axis=1), SHEET.cells)
TURN = np.linspace(0, 20, 100)
CURL = 0.01 * np.stack([np.cos(TURN), -TURN, np.sin(TURN)], axis=1)
FOLDS = CURTAIN.points + 0.05 * np.sin(9 * CURTAIN.points[:, :1]) * [0, 0, 1]


def held(body, where):
    body.fix(where)
    return body


def solid(mesh=BOX, material=None):
    material = material or pl.StableNeoHookean(young=1e5, poisson=0.4)
    return held(pl.Body(mesh, material), mesh.points[:, 0] < 1e-9)


def cloth():
    made = pl.Cloth(CURTAIN, stretch=200.0, shear=50.0, bend=1e-4, density=0.25)
    return held(made, CURTAIN.points[:, 1] > 1 - 1e-9)


def shell():
    mesh = in_space(SHEET)
    made = pl.Shell(mesh, young=1e6, thickness=0.01, density=1000.0)
    return held(made, made.row(mesh.points[:, 0] < 1e-9))


def hair():
    made = pl.Rod(CURL, radius=4e-5, young=4e9, poisson=0.35, density=1300.0)
    return held(made, made.node(0))


def springs(**more):
    return held(pl.Springs(BOX, stiffness=50.0, mass=0.01, **more), BOX.points[:, 0] < 1e-9)


BODIES = {"solid": solid, "cloth": cloth, "shell": shell, "rod": hair, "springs": springs}


def drift(body, dt=1 / 60, gravity=DOWN, stepper=None, frames=100):
    """The farthest way of a point in 100 frames, over the size of the body."""
    start = body.positions
    alone = pl.Scene([body], gravity=gravity, contact=False)
    take = alone.run(seconds=frames * dt, dt=dt, progress=False, stepper=stepper)
    return np.abs(take.positions - start).max() / np.linalg.norm(np.ptp(start, axis=0))


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_hangs_as_drawn_at_any_step_and_damping(kind):
    body = BODIES[kind]()
    assert drift(body, frames=10) > 1e-3  # what this is for
    body.reset()
    body.rest_at(gravity=DOWN)
    for dt, damping in (
        (1 / 240, None),
        (1 / 60, pl.Settle(rest_in=0.5, bounces=2)),
        (1 / 24, pl.Settle(rest_in=0.5)),
    ):
        body.reset()
        body.damping = damping
        assert drift(body, dt) < 1e-8  # asked are 1e-4


@pytest.mark.parametrize(
    "material",
    [
        pl.Linear(young=1e5, poisson=0.3),
        pl.Corotated(young=1e5, poisson=0.4),
        pl.NeoHookean(young=1e5, poisson=0.4),
        pl.Hencky(young=1e5, poisson=0.4),
        pl.FibreReinforced(young=1e5, poisson=0.4, fibre=1e5, direction=(1, 1, 0)),
    ],
    ids=lambda m: type(m).__name__,
)
def test_of_any_material_the_mesh_becomes_the_rest_shape(material):
    body = solid(material=material)
    body.rest_at(gravity=DOWN)
    assert np.abs(body.mesh.points - BOX.points).max() > 0.01
    assert np.abs(body.rest_shape(DOWN) - BOX.points).max() < 1e-7
    unloaded = pl.Scene([body]).equilibrium().positions[0]
    assert np.abs(unloaded - body.mesh.points).max() < 1e-6


@pytest.mark.parametrize("kind", ["hex", "quad"])
def test_of_any_cells(kind):
    if kind == "hex":
        body, down = solid(pl.meshes.box((1, 0.4, 0.4), (3, 2, 2), kind="hex")), DOWN
    else:
        body, down = solid(pl.meshes.rectangle((1, 0.3), (6, 2), kind="quad")), DOWN[:2]
    body.rest_at(gravity=down)
    assert drift(body, gravity=down) < 1e-8


def test_bars_change_their_lengths():
    points = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
    lines = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 4], [1, 5], [1, 4], [2, 5]]
    truss = pl.Body(
        pl.Mesh(points, {"line": lines}), pl.StVenantKirchhoff(young=1e7, poisson=0.3), section=1e-3
    )
    truss.fix([0, 3])
    truss.rest_at(gravity=DOWN[:2])
    assert drift(truss, gravity=DOWN[:2]) < 1e-8


def test_a_pose_that_is_not_the_mesh_and_loads_beside_gravity():
    body = solid(pl.meshes.box((1, 0.2, 0.2), (8, 2, 2)), pl.NeoHookean(young=2e6, poisson=0.4))
    x = body.mesh.points
    bent = np.stack([x[:, 0], x[:, 1] + 0.2 * x[:, 0] ** 2, x[:, 2]], axis=1)
    body.push(force=(0, 0, 3.0), on=[50])
    body.push(pressure=500.0)
    body.velocity = (1, 0, 0)
    body.rest_at(bent, gravity=DOWN)
    assert np.array_equal(body.positions, bent) and not body.velocity.any()
    assert drift(body) < 1e-8
    body.reset()
    assert np.array_equal(body.positions, bent)


@pytest.mark.parametrize("pose", [FOLDS, None], ids=["folds", "flat"])
def test_cloth_is_drawn_with_folds(pose):
    body = cloth()
    body.rest_at(pose, gravity=DOWN)
    assert drift(body) < 1e-8


def test_what_hangs_as_it_is_stays_so():
    body = cloth()
    hung = body.rest_shape(DOWN)
    body.rest_at(hung, gravity=DOWN)
    assert drift(body) < 1e-8


@pytest.mark.parametrize("stiffening, pulls_only", [(0.0, False), (3.0, False), (0.0, True)])
def test_springs_change_their_rest_lengths(stiffening, pulls_only):
    net = pl.meshes.rectangle((1, 1), (4, 4))
    body = pl.Springs(
        net,
        stiffness=200.0,
        mass=0.02,
        pairs=pl.Springs.braced(net),
        stiffening=stiffening,
        pulls_only=pulls_only,
    )
    body.fix(net.points[:, 1] > 1 - 1e-9)
    if pulls_only:
        with pytest.raises(pl.UnstableError, match="rest_at"):  # diagonals would have to push
            body.rest_at(gravity=DOWN[:2])
        return
    body.rest_at(gravity=DOWN[:2])
    assert drift(body, gravity=DOWN[:2]) < 1e-8
    assert (body.lengths() > 0).all()


@pytest.mark.parametrize("kind", ["cloth", "springs"])
def test_xpbd_moves_what_was_changed(kind):
    """To its own tolerance: without, it falls by a hundred times as much."""
    body = BODIES[kind]()
    body.rest_at(gravity=DOWN)
    way = drift(body, 1 / 240, stepper=pl.XPBD(tolerance=1e-6, iterations=5000))
    assert way < 1e-4


def test_strands_cost_less_than_three_implicit_steps():
    moving = pl.Scene([hair()], gravity=DOWN, contact=False)
    moving.step(1 / 60)
    spent = {"rest_at": np.inf, "step": np.inf}
    for _ in range(3):  # interleaved, in processor time
        start = time.process_time()
        moving.step(1 / 60)
        spent["step"] = min(spent["step"], time.process_time() - start)
        body = hair()
        body.system()
        start = time.process_time()
        body.rest_at(gravity=DOWN)
        spent["rest_at"] = min(spent["rest_at"], time.process_time() - start)
    assert spent["rest_at"] < 3 * spent["step"]


def test_a_free_body_takes_the_shape_of_the_pose():
    body = pl.Body(BOX, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.rest_at(BOX.points * [1.3, 1.0, 1.0])
    assert drift(body, gravity=None) < 1e-12
    with pytest.raises(pl.UnstableError, match="body: rest_at: the body is not supported"):
        body.rest_at(gravity=DOWN)


def _straw():
    up = np.linspace(0, 1, 20)[:, None] * [0, 1, 0]
    made = pl.Rod(up, radius=2e-3, young=4e8, density=1300.0)
    return held(made, made.node(0))


def _straight_chain():
    x = np.linspace(0, 1, 10)[:, None] * [1, 0, 0]
    lines = np.stack([np.arange(9), np.arange(1, 10)], axis=1)
    return held(pl.Springs(pl.Mesh(x, {"line": lines}), stiffness=100.0, mass=0.01), [0, 9])


def _limp():
    return solid(material=pl.StableNeoHookean(young=300.0, poisson=0.4))


def _flowing():
    return solid(material=pl.Plastic(pl.Hencky(young=1e6, poisson=0.4), yield_stress=1e5))


def _shown():
    soft = pl.StableNeoHookean(young=1e5, poisson=0.3)
    return pl.ExampleBased(BOX, soft, examples=[BOX.points * 1.1])


REFUSED = [
    (_straw, pl.UnstableError, "rest_at: the equilibrium is unstable"),
    (_straight_chain, pl.UnstableError, "nothing in the pose can bear its loads"),
    (_limp, pl.SolverError, "rest_at: .* stiffer"),
    (_flowing, ValueError, "flows; expected an elastic one"),
    (lambda: springs(rest=lambda t: 0.2 + 0.1 * t), ValueError, "muscle"),
    (lambda: pl.Modal(solid(), modes=6), ValueError, "got Modal; expected a solid"),
    (_shown, ValueError, "got ExampleBased"),
]


@pytest.mark.parametrize("make, error, said", REFUSED)
def test_what_cannot_hang_is_refused_and_left_as_it_was(make, error, said):
    body = make()
    before, mesh = body.positions, body.mesh
    with pytest.raises(error, match=said):
        body.rest_at(gravity=DOWN)
    assert np.array_equal(body.positions, before) and body.mesh is mesh
    body.reset()
    assert np.array_equal(body.positions, mesh.points)


def test_a_body_is_cut_before_it_hangs_as_drawn():
    body = cloth()
    body.rest_at(gravity=DOWN)
    with pytest.raises(ValueError, match="cut: got a body whose rest shape"):
        body.cut(pl.HalfSpace((0.51, 0, 0), (1, 0, 0)))
    block = solid()  # whose mesh is its rest shape
    block.rest_at(gravity=DOWN)
    block.cut(pl.HalfSpace((0.5, 0, 0), (1, 0, 0)))


def test_a_worn_surface_lies_where_it_lay():
    body = solid()
    surface = pl.Surface.of(BOX.points[:3] + [0.1, 0.05, 0.05], [[0, 1, 2]])
    body.wear(surface)
    body.rest_at(gravity=DOWN)
    assert np.allclose(body.skin.positions(body.positions), surface.points, atol=1e-12)


def test_scene_files_hang_as_drawn():
    lines = ('fix = "x < 0.01"', "start = { bend = { degrees = -10 }, as_drawn = true }")
    setup = build(*lines, run="seconds = 0.5\ngravity = [0, -9.81, 0]")
    take = setup.run(progress=False)
    assert np.abs(take.positions - take.positions[0]).max() < 1e-6
    with pytest.raises(scene.SceneError, match="start.as_drawn: .* not supported"):
        build(lines[1], run="gravity = [0, -9.81, 0]")
    with pytest.raises(scene.SceneError, match="as_drawn: stands beside at_rest"):
        build("start = { at_rest = true, as_drawn = true }")
