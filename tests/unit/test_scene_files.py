"""Scene files: what their fields build."""

import inspect

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.scenefile.meshes import GENERATORS, MeshTable
from tests.unit.scene_texts import body_of, build, text


def test_a_scene_file_is_the_same_as_the_calls():
    setup = build(
        "density = 900",
        'fix = "x < 0.01"',
        'start = { offset = ["0", "0.05*x**2", 0] }',
        "settle = { rest_in = 0.3, bounces = 1 }",
        run='seconds = 0.1\ndt = "1/50"\ngravity = [0, -9.81, 0]',
    )
    mesh = pl.meshes.box(size=(4, 1, 1), cells=(8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), density=900.0)
    body.fix(mesh.points[:, 0] < 0.01)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(rest_in=0.3, bounces=1)
    asked = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 50)
    take = setup.run()
    assert np.array_equal(take.positions, asked.positions)
    assert setup.names == ["beam"] and take.tracks[0].name == "beam"
    assert (setup.seconds, setup.dt, setup.fps, setup.device) == (0.1, 1 / 50, None, "cpu")
    assert setup.steps == 5


@pytest.mark.parametrize(
    ("run", "dt"),
    [("", 1 / 60), ("fps = 60", 1 / 60), ("fps = 24", 1 / 72), ("fps = 240", 1 / 240),
     ("fps = 24\ndt = 0.0416666666666666667", 1 / 24), ("dt = 0.01", 0.01)],
)  # fmt: skip
def test_the_time_step_divides_a_frame(run, dt):
    assert scene.parse(text(run=run)).run.step == pytest.approx(dt, rel=1e-12)


def test_every_generator_is_there_with_its_own_arguments_and_defaults():
    assert set(GENERATORS) == {
        n
        for n in pl.meshes.__all__
        # Those that make another mesh of a mesh or of a surface are no generators, and files have
        # control points where Python has a curve.
        if not {"surface", "mesh", "curve"}
        & set(inspect.signature(getattr(pl.meshes, n)).parameters)
    }
    for name in GENERATORS:
        made = body_of(mesh=f"{{ {name} = {{}} }}").mesh
        expected = getattr(pl.meshes, name)()
        assert np.array_equal(made.points, expected.points)
        fields = MeshTable.model_fields[name].annotation.__args__[0].model_fields
        assert list(fields) == list(inspect.signature(getattr(pl.meshes, name)).parameters)


def test_meshes_are_scaled_turned_and_moved_in_this_order():
    made = body_of(
        mesh="{ box = { size = [1, 2, 3], cells = [1, 1, 1] }, scale = 2, turn = [0, 0, 90], "
        "move = [10, 0, 0] }"
    ).mesh.points
    assert np.ptp(made, axis=0) == pytest.approx([4, 2, 6])  # x and y have changed places
    assert made.min(axis=0) == pytest.approx([6, 0, 0])  # y went to -x, then all moved by 10
    flat = body_of(mesh="{ rectangle = { size = [2, 1] }, turn = 90, move = [1, 0, 0] }").mesh
    assert flat.points.min(axis=0) == pytest.approx([0, 0])
    assert flat.points.max(axis=0) == pytest.approx([1, 2])


def test_turns_are_about_x_then_y_then_z():
    made = body_of(mesh="{ box = { cells = [1, 1, 1] }, turn = [90, 90, 0] }").mesh.points
    start = pl.meshes.box(cells=(1, 1, 1)).points
    about_x = start @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    about_y = about_x @ np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    assert made == pytest.approx(about_y)


@pytest.mark.parametrize(
    ("fix", "mask"),
    [
        ('"x < 0.01"', lambda x: x[:, 0] < 0.01),
        ('"x > xmax - 0.6"', lambda x: x[:, 0] > 3.4),
        ("{ box = [[0, 0, 0], [1, 0.5, 1]] }", lambda x: (x <= [1, 0.5, 1]).all(axis=1)),
        (
            "{ sphere = { centre = [4, 1, 1], radius = 0.6 } }",
            lambda x: np.linalg.norm(x - [4, 1, 1], axis=1) <= 0.6,
        ),
        ("{ points = [0, 3] }", lambda x: np.isin(np.arange(len(x)), [0, 3])),
        ('["x < 0.01", { points = [80] }]', lambda x: (x[:, 0] < 0.01) | (np.arange(81) == 80)),
    ],
)
def test_selections(fix, mask):
    body = body_of(f"fix = {fix}")
    assert np.array_equal(body.pinned, mask(body.mesh.points))


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("stretch = [1.5, 1, 1]", lambda x: x * [1.5, 1, 1]),  # about the fixed end
        ("stretch = [1.5, 1, 1], about = [4, 0, 0]", lambda x: x * [1.5, 1, 1] - [2, 0, 0]),
        ('offset = ["sin(x)", 0.1, "y*z"]',
         lambda x: x + np.stack([np.sin(x[:, 0]), 0.1 + 0 * x[:, 0], x[:, 1] * x[:, 2]], axis=1)),
    ],
)  # fmt: skip
def test_start_shapes(start, expected):
    body = body_of('fix = "x < 0.01"', f"start = {{ {start} }}")
    assert body.positions == pytest.approx(expected(body.mesh.points))


def test_a_bend_keeps_the_middle_line_and_the_clamp():
    body = body_of('fix = "x < 0.01"', "start = { bend = { degrees = 90 } }")
    x, start = body.mesh.points, body.positions
    clamp = body.pinned
    assert start[clamp] == pytest.approx(x[clamp])
    middle = np.flatnonzero((x[:, 1] == 0.5) & (x[:, 2] == 0.5))
    middle = middle[np.argsort(x[middle, 0])]
    radius = 4 / (np.pi / 2)
    assert start[middle[-1]] == pytest.approx([radius, 0.5 + radius, 0.5])


def test_a_twist_turns_the_far_end():
    body = body_of('fix = "x < 0.01"', "start = { twist = { degrees = 90 } }")
    x, start = body.mesh.points, body.positions
    end = x[:, 0] == 4
    turned = np.stack([x[:, 0], 0.5 - (x[:, 2] - 0.5), 0.5 + (x[:, 1] - 0.5)], axis=1)
    assert start[end] == pytest.approx(turned[end])
    assert start[body.pinned] == pytest.approx(x[body.pinned])


def test_spin_and_velocity_make_the_momentum_they_say():
    body = body_of("start = { velocity = [1, 2, 3], spin = [0, 0, 360] }")
    m, v, x = body.masses, body.velocity, body.positions
    assert m @ v / m.sum() == pytest.approx([1, 2, 3])
    arm = x - m @ x / m.sum()
    assert v - [1, 2, 3] == pytest.approx(np.cross([0, 0, 2 * np.pi], arm))
    flat = body_of("start = { spin = 360 }", mesh="{ rectangle = { size = [2, 1] } }")
    corner = np.flatnonzero((flat.mesh.points == [2, 1]).all(axis=1))
    assert flat.velocity[corner] == pytest.approx(np.array([[-0.5, 1]]) * 2 * np.pi)


def test_a_body_can_begin_at_rest():
    lines = ('fix = "x < 0.01"', "start = { at_rest = true }", "settle = { rest_in = 0.5 }")
    setup = build(*lines, run="gravity = [0, -9.81, 0]\nseconds = 0.1")
    sag = setup.bodies["beam"].positions - setup.bodies["beam"].mesh.points
    assert sag[:, 1].min() < -0.01
    take = setup.run()
    assert np.abs(take.positions - take.positions[0]).max() < 1e-6 * np.abs(sag).max()
    with pytest.raises(scene.SceneError, match="start.at_rest: it finds no rest: .* unstable"):
        build(*lines, run="gravity = [-100, 0, 0]")  # a column that buckles under its weight


def test_keyframes_lead_points():
    keys = "{ times = [1, 2], offsets = [[0, 0, 0], [1, 0, 0]], turns = [[0, 0, 0], [90, 0, 0]] }"
    body = body_of(f'drive = [{{ where = "x > 3.99", keyframes = {keys} }}]')
    end = body.pinned
    x = body.mesh.points[end]
    assert body.pin_positions(0.5)[end] == pytest.approx(x)
    assert body.pin_positions(3.0)[end] == pytest.approx(
        np.stack([x[:, 0] + 1, 0.5 - (x[:, 2] - 0.5), 0.5 + (x[:, 1] - 0.5)], axis=1)
    )
    half = body.pin_positions(1.5)[end]
    assert half[:, 0] == pytest.approx(4.5)
    assert np.linalg.norm(half[:, 1:] - 0.5, axis=1) == pytest.approx(
        np.linalg.norm(x[:, 1:] - 0.5, axis=1)  # turned, not cut through the middle
    )
    smooth = keys.replace("{ times", '{ ease = "smooth", times')
    soft = body_of(f'drive = [{{ where = "x > 3.99", keyframes = {smooth} }}]')
    assert soft.pin_positions(1.25)[end][0, 0] == pytest.approx(4 + 3 / 16 - 2 / 64)


def test_loads_over_time():
    body = body_of('push = [{ traction = [[0, 0, 0], [0, 8, 0]], times = [0, 2], on = "x > 3.9" }]')
    loads = [body.loads_at(body.positions, t, np.zeros(3)).sum(axis=0) for t in (0.0, 1.0, 9.0)]
    assert loads == pytest.approx(np.array([[0, 0, 0], [0, 4, 0], [0, 8, 0]]))  # an area of 1 m^2
    total = body_of('push = [{ total_force = [0, 5, 0], on = "x > 3.9" }]')
    assert total.loads_at(total.positions, 0, np.zeros(3)).sum(axis=0) == pytest.approx([0, 5, 0])
    each = body_of("push = [{ force = [0, 5, 0], on = { points = [0, 1] } }, { pressure = 3 }]")
    assert each.loads_at(each.positions, 0, np.zeros(3)).sum(axis=0) == pytest.approx([0, 10, 0])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('damping = { model = "Rayleigh", mass = 1, stiffness = 0.1 }', "Rayleigh(mass=1.0, sti"),
        ('damping = { model = "StrainRate", phi = 1, psi = 2 }', "StrainRate(phi=1.0, psi=2.0)"),
        ('damping = { model = "EnergyMinimising", tau = 2 }', "EnergyMinimising(tau=2.0, kap"),
        ('damping = { model = "none" }', "Undamped()"),
        ("", "Undamped()"),
        ('settle = { rest_in = 2, law = "first-mode" }', "Settle(rest_in=2.0, bounces=None"),
    ],
)  # fmt: skip
def test_dampings(line, expected):
    assert repr(body_of(line).damping).startswith(expected)


@pytest.mark.parametrize("name", ["Linear", "Corotated", "NeoHookean", "StVenantKirchhoff"])
def test_materials(name):
    made = scene.parse(text(), overrides=[f"body.material.model={name}"]).build()
    assert type(made.bodies["beam"].material) is getattr(pl, name)


def test_a_plane_scene_takes_gravity_of_two_or_three_numbers():
    for gravity in ("[0, -9.81]", "[0, -9.81, 0]"):
        setup = build(mesh="{ trapezoid = {} }", run=f"gravity = {gravity}")
        assert setup.scene.gravity == pytest.approx([0, -9.81])
