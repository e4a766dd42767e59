"""Scene files of all kinds of bodies: what they build, what they refuse, and that tools take them."""

import numpy as np
import pytest
from typer.testing import CliRunner

import pliant as pl
from pliant import scenefile as scene
from pliant.cli.app import app
from pliant.lab import Case
from pliant.step import XPBD
from pliant.view.engine import Engine

SHEET = 'mesh = { rectangle = { size = [1, 0.5], cells = [4, 2] }, plane = "xz" }'
LINE = "mesh = { line = { a = [0, 0, 0], b = [1, 0, 0], cells = 8 } }"
BALL = "mesh = { sphere = { radius = 0.5, cells = 2 } }"
CLOTH = "cloth = { stretch = 400, shear = 60, bend = 1e-4, density = 0.25 }"
ROD = "rod = { young = 1e8, poisson = 0.3, density = 1200, radius = 0.01 }"
KINDS = {
    "springs": (pl.Springs, f"{LINE}\nsprings = {{ stiffness = 500, total_mass = 0.2 }}"),
    "cloth": (pl.Cloth, f"{SHEET}\n{CLOTH}"),
    "shell": (pl.Shell, f"{SHEET}\nshell = {{ young = 1e8, thickness = 0.01 }}"),
    "rod": (pl.Rod, f"{LINE}\n{ROD}"),
    "preserving": (
        pl.ConstraintBody, f"{BALL}\npreserving = {{ distance = 1, volume = 3, total_mass = 2 }}",
    ),
    "elastons": (pl.Elastons, f"{LINE}\nelastons = {{ young = 1e8, thickness = 0.02 }}"),
    "form": (
        pl.FormSurface, f"{SHEET}\nform = {{ metric = 400, curvature = 1e-3, density = 0.25 }}",
    ),
    "impact_rods": (
        pl.ImpactRods, f"{LINE}\nimpact_rods = {{ young = 1e6, density = 1000, radius = 0.01 }}",
    ),
}  # fmt: skip


def file(*lines, run="seconds = 0.1\ngravity = [0, -9.81, 0]", folder=""):
    body = "\n".join(lines)
    return scene.parse(f"[run]\n{run}\n[body.it]\n{body}\n", name="it.toml", folder=folder)


def body_of(*lines, **given):
    return file(*lines, **given).build().bodies["it"]


def told(*lines, **given):
    with pytest.raises(scene.SceneError) as error:
        file(*lines, **given).build()
    return str(error.value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_builds_refines_and_moves(kind):
    expected, text = KINDS[kind]
    # Springs and cloth have no rest shape while they are slack: they swing freely here.
    parsed = file(text, 'fix = "x < xmin + 0.01"', "start = { noise = 1e-5 }")
    assert parsed.body["it"].kind == kind
    setup = parsed.build()
    body = setup.bodies["it"]
    assert type(body) is expected and body.name == "it"
    assert body.pinned.any() and not body.pinned.all()
    track = setup.run(progress=False).tracks[0]
    moved = np.abs(track.positions[-1] - track.positions[0]).max()
    # Free fall over 0.1 s, in 6 steps of first order, is 5.7 cm; the end of a rigid bar that turns
    # about its other end falls half as far again.
    assert 1e-4 < moved < 0.057 * 1.5
    assert np.array_equal(track.positions[-1][track.pinned], track.positions[0][track.pinned])
    finer = parsed.build(refine=1).bodies["it"]
    assert len(finer) > len(body)
    # Straight cells: mass is that of the same shape, to rounding.
    assert finer.masses.sum() == pytest.approx(body.masses.sum(), rel=1e-9)


def test_arguments_arrive():
    springs = body_of(
        'mesh = { box = { cells = [1, 1, 1], kind = "hex" } }',
        "springs = { stiffness = 7, mass = 0.5, rest_stretch = 0.9, braced = true, stiffening = 2, "
        "pulls_only = true }",
    )
    assert len(springs.pairs) == 28  # of eight corners every pair
    assert springs.masses == pytest.approx(np.full(8, 0.5))
    assert springs.facts() == {
        "springs": 28, "stiffness": [7.0, 7.0], "stiffening": 2.0, "pulls_only": True,
    }  # fmt: skip
    cloth = body_of(SHEET, CLOTH.replace("0.25", "0.25, rest_stretch = [1, 1.1]"))
    assert cloth.facts()["rest_stretch"] == [1.0, 1.1]
    assert cloth.masses.sum() == pytest.approx(0.25 * 0.5)
    flat = body_of(
        LINE, ROD.replace("radius = 0.01", "width = 0.02, height = 0.01, up = [0, 0, 1]")
    )
    assert flat.facts()["width"] == 0.02 and flat.facts()["height"] == 0.01
    assert flat.directors[0, 1] == pytest.approx([0, 0, 1])
    shell = body_of(SHEET, "shell = { young = 1e8, poisson = 0.2, thickness = 0.01 }")
    assert shell.facts()["poisson"] == 0.2 and shell.masses.sum() == pytest.approx(5.0)


def test_muscles_change_their_length_over_time():
    lines = "springs = { stiffness = 500, mass = 0.01, rest_stretch = [1, 0.5], times = [0, 0.1] }"
    setup = file(LINE, lines, "damping = { model = 'ConditionDamping', rate = 0.1 }",
                 run="seconds = 0.5").build()  # fmt: skip
    setup.run(progress=False)
    # Damping has 0.4 s for what remains; a slow chain is within a tenth of its wish by then.
    assert setup.bodies["it"].lengths().sum() == pytest.approx(0.5, rel=0.1)


def test_planes_have_normals_along_the_third_axis():
    for plane, third in (("xy", 2), ("xz", 1), ("yz", 0)):
        mesh = body_of(SHEET.replace('"xz"', f'"{plane}"'), CLOTH).mesh
        corners = mesh.points[mesh.cells["tri3"]]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert (normals[:, third] > 0).all()
        assert np.ptp(mesh.points, axis=0)[third] == 0.0
    moved = body_of(SHEET.replace('"xz"', '"xz", scale = 2, move = [0, 1, 0]'), CLOTH).mesh.points
    assert moved.min(axis=0) == pytest.approx([0, 1, 0])
    assert moved.max(axis=0) == pytest.approx([2, 1, 1])


def test_strands_are_lines_curves_and_rings():
    coil = "mesh = { curve = { at = ['cos(t)', 0.5, 'sin(t)'], t = [0, 6.283185307179586], "
    ring = body_of(f"{coil}cells = 12, closed = true }} }}", ROD)
    assert ring.nodes == 12 and len(ring.elements) == 12
    assert np.linalg.norm(ring.centreline[:, [0, 2]], axis=1) == pytest.approx(np.ones(12))
    assert "ends where it began; expected closed = true" in told(f"{coil}cells = 12 }} }}", ROD)
    arc = body_of(f"{coil.replace('6.283185307179586', '3')}cells = 12 }} }}", ROD)
    assert arc.nodes == 13 and len(arc.elements) == 12
    corner = body_of("mesh = { curve = { points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] } }", ROD)
    assert corner.centreline == pytest.approx(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]]))


def test_lines_that_meet_are_joined():
    arms = ("[0, 0.5, 0]", "[0.3, 0.9, 0]", "[-0.3, 0.9, 0]")
    lines = ", ".join(f"{{ a = [0, 0, 0], b = {arm}, cells = 4 }}" for arm in arms)
    tree = body_of(
        f"mesh = {{ lines = [{lines}] }}",
        ROD,
        'fix = "x < -0.2"',
        "start = { noise = 0.001 }",
        "push = [{ force = [0, 4, 0], on = { points = [0] } }]",
    )
    assert tree.nodes == 13 and len(tree) == 3 * 13 + 1
    moved = np.linalg.norm(tree.positions - tree.mesh.points, axis=1)
    assert ((moved > 0) == ~tree.pinned).all()
    force = tree.loads_at(tree.positions, 0.0, np.zeros(3))
    assert force.sum(axis=0) == pytest.approx([0, 4, 0]) and (force[:, 1] > 0).sum() == 3


@pytest.mark.parametrize(("kind", "each"), [("rod", 3), ("elastons", 4)])
def test_selections_of_nodes_clamp_lead_and_push_all_their_points(kind, each):
    _, text = KINDS[kind]
    body = body_of(
        text,
        'fix = "x < 0.01"',
        "push = [{ force = [0, 2, 0], on = { points = [4] } }, "
        '{ total_force = [0, 0, 3], on = "x > 0.8" }]',
        "drive = [{ where = { points = [8] }, keyframes = { times = [0, 1], "
        "offsets = [[0, 0, 0], [0, 1, 0]] } }]",
    )
    assert np.flatnonzero(body.pinned).tolist() == [*range(each), *range(8 * each, 9 * each)]
    loads = body.loads_at(body.positions, 0.0, np.zeros(3)).reshape(9, each, 3)
    # 2 N on node 4 and 3 N over nodes 7 and 8, and no moment: each point has its share.
    assert loads.sum(axis=1)[[4, 7, 8]] == pytest.approx(
        np.array([[0, 2, 0], [0, 0, 1.5], [0, 0, 1.5]])
    )
    assert np.ptp(loads, axis=1) == pytest.approx(np.zeros((9, 3)))
    led = body.pin_positions(0.5).reshape(9, each, 3)[8].mean(axis=0)
    assert led == pytest.approx([1.0, 0.5, 0.0], abs=1e-12)


def test_a_rod_is_bent_about_its_clamp_without_stretch():
    rod = body_of(LINE, ROD, 'fix = "x < 0.01"', "start = { bend = { degrees = 90 } }")
    line = rod.centreline
    assert line[0] == pytest.approx([0, 0, 0], abs=1e-12)
    assert line[-1] == pytest.approx([2 / np.pi, 2 / np.pi, 0], abs=1e-12)
    # Directors turn with the curve: at the end the section, which was across x, is across y.
    assert np.abs(rod.directors[-1] @ [0, 1, 0]).max() < 1e-9


def test_wind_blows_as_numbers_over_time_and_as_expressions():
    def pushed(wind, t):
        body = body_of(SHEET, CLOTH, f"push = [{{ {wind} }}]")
        return body.loads_at(body.positions, t, np.zeros(3)).sum(axis=0)

    # density/2 C A u^2 on half a square metre, lying: only what blows across pushes it.
    assert pushed("wind = [3, 2, 0]", 0.0) == pytest.approx([0, 1.2 / 2 * 1.2 * 0.5 * 4, 0])
    more = "density = 2, drag = 1, friction = 0"
    assert pushed(f"wind = [0, 2, 0], {more}", 0.0) == pytest.approx([0, 2.0, 0])
    rising = f"wind = [[0, 0, 0], [0, 2, 0]], times = [0, 1], {more}"
    assert pushed(rising, 0.5) == pytest.approx([0, 0.5, 0])
    assert pushed(f'wind = ["0", "2*t", 0], {more}', 0.5) == pytest.approx([0, 0.5, 0])
    uneven = pushed(f'wind = ["0", "4*x", 0], {more}', 0.0)
    # The integral of (4 x)^2 over 1 m x 0.5 m is 2.67; cells of h = 0.25 m sample x^2 to h^2/2.
    assert uneven[1] == pytest.approx(16 / 3 * 0.5, rel=0.04)


def test_obstacles_hold_a_sheet_and_are_drawn():
    text = f"""
[run]
seconds = 0.3
gravity = [0, -9.81, 0]
[body.it]
{SHEET.replace('"xz"', '"xz", move = [-0.5, 0.02, -0.25]')}
{CLOTH}
fix = "abs(x) > 0.49"
settle = {{ rest_in = 0.2, bounces = 0 }}
[[obstacle]]
sphere = {{ centre = [0, -0.2, 0], radius = 0.2 }}
margin = 0.01
[[obstacle]]
capsule = {{ a = [0, -1, 0], b = [1, -1, 0], radius = 0.1 }}
[[obstacle]]
half_space = {{ point = [0, -2, 0], normal = [0, 2, 0] }}
friction = 0.3
"""
    setup = scene.parse(text).build()
    assert [type(o) for o in setup.scene.obstacles] == [pl.Sphere, pl.Capsule, pl.HalfSpace]
    assert setup.scene.obstacles[0].margin == 0.01 and setup.scene.obstacles[2].friction == 0.3
    take = setup.run(progress=False)
    away = np.linalg.norm(take.positions - [0, -0.2, 0], axis=2).min()
    assert away >= 0.2
    assert scene.parse(text, overrides=["obstacle.0.margin=0.02"]).obstacle[0].margin == 0.02
    assert [repr(o) for o in take.obstacles] == [repr(o) for o in setup.scene.obstacles]


def test_conditions_are_damped_on_obstacles_too():
    damping = "damping = { model = 'ConditionDamping', rate = 0.05 }"
    ball = "[[obstacle]]\nsphere = { centre = [0.5, -0.2, 0], radius = 0.17 }"
    setup = file(KINDS["springs"][1], 'fix = "x < 0.01 or x > 0.99"', damping, ball).build()
    setup.run(progress=False)
    away = np.linalg.norm(setup.bodies["it"].positions - [0.5, -0.2, 0], axis=1).min()
    assert 0.17 <= away < 0.18  # it lies on the ball


def test_xpbd_moves_cloth_and_refuses_solids():
    run = 'seconds = 0.05\nstepper = "XPBD"\niterations = 300\nsubsteps = 2\nrelaxation = 1.2'
    setup = file(SHEET, CLOTH, 'fix = "x < 0.01"', run=f"{run}\ngravity = [0, -9.81, 0]").build()
    stepper = setup.stepper
    assert isinstance(stepper, XPBD)
    assert (stepper.iterations, stepper.substeps, stepper.relaxation) == (300, 2, 1.2)
    assert np.isfinite(setup.run(progress=False).positions).all()
    assert told(LINE, ROD, run=run) == (
        "it.toml:3: run.stepper: got XPBD, which moves springs, cloth and preserving only, and it is "
        'a Rod; expected "Implicit"'
    )


def test_surface_files_are_sheets_with_their_uv(tmp_path):
    square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    (tmp_path / "square.obj").write_text(square + "f 1/1 2/2 3/3 4/4\n")
    (tmp_path / "bent.obj").write_text(square.replace("v 1 1 0", "v 1 1 1") + "f 1 2 3 4\n")
    mesh = 'mesh = { file = "square.obj" }'
    cloth = body_of(mesh, CLOTH, "fix = { surface = [0, 3] }", folder=tmp_path)
    assert len(cloth) == 4 and len(cloth.mesh.cells["tri3"]) == 2
    assert cloth.skin.surface.uv is not None
    assert cloth.mesh.points[cloth.pinned][:, 0] == pytest.approx([0, 0])
    bent = body_of(mesh, CLOTH, 'start = { surface = "bent.obj" }', folder=tmp_path)
    assert bent.positions[2] == pytest.approx([1, 1, 1])
    springs = "springs = { stiffness = 1, mass = 1 }"
    assert body_of(mesh, springs, folder=tmp_path).dim == 2
    unfilled = mesh.replace(" }", ", fill = false }")
    assert body_of(unfilled, springs, folder=tmp_path).dim == 3
    assert told(mesh.replace(" }", ", edge_length = 1 }"), CLOTH, folder=tmp_path).startswith(
        "it.toml:5: body.it.mesh.edge_length: got 1; expected it where a surface is filled"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_check_reports_every_kind(kind, tmp_path):
    path = tmp_path / "it.toml"
    # Held at both ends, so that springs and cloth are taut under their weight.
    fix = 'fix = "x < xmin + 0.01 or x > xmax - 0.01"'
    path.write_text(file(KINDS[kind][1], fix, "start = { noise = 1e-4 }").scene_text)
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 0, result.output
    assert KINDS[kind][0].__name__ in result.output and "ready" in result.output
    assert ("2 of 9 nodes" in result.output) == (kind in ("rod", "elastons"))


def test_the_laboratory_refines_linear_cells_only(tmp_path):
    path = tmp_path / "it.toml"
    quadratic = BALL.replace("cells = 2", "cells = 1, kind = 'tet10'")
    for text, refines in (
        (KINDS["rod"][1], True),
        (KINDS["cloth"][1], True),
        (f"{quadratic}\nmaterial = {{ young = 1e5 }}", False),
    ):
        path.write_text(file(text, 'fix = "x < xmin + 0.3"').scene_text)
        case = Case.of(str(path))
        assert case.refines is refines
        if refines:
            assert len(case.make(1).bodies[0]) > len(case.make(0).bodies[0])


@pytest.mark.parametrize("kind", ["springs", "cloth", "rod", "elastons"])
def test_the_stage_holds_and_lets_go_of_every_kind(kind):
    setup = file(KINDS[kind][1], 'fix = "x < 0.01 or x > 0.99"').build()
    engine = Engine(setup.scene, dt=setup.dt, stepper=setup.stepper)
    engine.grab(0, (0.5, 0.0, 0.0))
    engine.pull((0.5, 0.1, 0.0))
    for _ in range(4):
        engine.tick()
    body = setup.bodies["it"]
    pulled = body.positions[:, 1].max()
    engine.let_go()
    engine.tick()
    assert pulled > 0.02 and np.isfinite(body.positions).all()
    assert not engine.snapshot.message


def test_threads_are_as_long_as_their_lines():
    from pliant.view.threads import Threads

    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
    threads = Threads(np.array([[0, 1], [1, 2]]), 0.1)
    drawn = threads.vertices(x).reshape(2, 2, 3, 3)
    assert drawn.mean(axis=2) == pytest.approx(x[[[0, 1], [1, 2]]])
    assert np.linalg.norm(drawn - drawn.mean(axis=2, keepdims=True), axis=-1) == pytest.approx(0.1)
    assert threads.faces.max() == 11
