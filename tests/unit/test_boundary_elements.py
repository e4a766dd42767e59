"""Boundary elements: what they find at rest and in scenes, and what they refuse."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import pliant as pl
from pliant import Take, scenefile as scene
from pliant.bodies.boundary_elements.statics import SurfaceStatics
from pliant.mesh import MeshError

YOUNG, POISSON = 1e6, 0.3
BOX = pl.meshes.box((1, 1, 2), (2, 2, 4))
NAN = float("nan")


def block(order=1, held=True, **more):
    body = pl.BoundaryElements(BOX, young=YOUNG, poisson=POISSON, order=order, **more)
    if held:
        body.fix(body.mesh.points[:, 2] < 1e-9)
    return body


def ball(level):
    """An icosahedron whose triangles are cut in four so often, with its points on a sphere."""
    g = 0.5 * (1.0 + np.sqrt(5.0))
    a = [[-1, g, 0], [1, g, 0], [-1, -g, 0], [1, -g, 0]]
    points = np.array([*a, *np.roll(a, 1, axis=1), *np.roll(a, 2, axis=1)], dtype=float)
    for _ in range(level):
        edges = ConvexHull(points).simplices[:, [[0, 1], [1, 2], [2, 0]]]
        ends = np.unique(np.sort(edges.reshape(-1, 2)), axis=0)
        points = np.concatenate([points, points[ends].mean(axis=1)])
        points = points / np.linalg.norm(points, axis=1, keepdims=True)
    points = points / np.linalg.norm(points, axis=1, keepdims=True)
    faces = ConvexHull(points).simplices
    a, b, c = np.moveaxis(points[faces], 1, 0)
    inward = np.einsum("ti,ti->t", a, np.cross(b, c)) < 0.0
    faces[inward] = faces[inward, ::-1]
    return pl.Surface.of(points, faces)


# --- statics --------------------------------------------------------------------------------


def squeezed(order, level):
    """How far a ball under pressure shrinks, over p R (1 - 2 nu)/E of its nodes' radius R."""
    body = pl.BoundaryElements(ball(level), young=YOUNG, poisson=POISSON, order=order)
    statics = body.statics()
    nodes = statics.elements.nodes
    p = -1e3 * statics.elements.normals
    u, _ = statics.answer(np.zeros_like(nodes), p, np.zeros(3))
    radius = np.linalg.norm(nodes, axis=1)
    inward = -np.einsum("ni,ni->n", u, nodes) / radius
    exact = 1e3 * radius.mean() * (1.0 - 2.0 * POISSON) / YOUNG
    assert inward.std() < 0.01 * inward.mean()
    answer = body.solve(pressure=1e3)
    np.testing.assert_allclose(answer.tractions, p)
    return inward.mean() / exact


@pytest.mark.parametrize("level, expected", [(1, 0.953), (2, 0.977)])
def test_a_ball_under_pressure(level, expected):
    """The numbers of a script of its own, to their last digit."""
    assert squeezed(0, level) == pytest.approx(expected, abs=6e-4)


def test_linear_triangles_have_a_ball_under_pressure_exactly():
    """Its displacement is linear. What is left is that of quadrature."""
    assert squeezed(1, 1) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("order", [0, 1])
def test_a_rigid_motion_needs_no_traction(order):
    """Translation none at all; rotation none but what elements cannot have."""
    statics = SurfaceStatics(
        block(order)._elements,
        np.zeros(len(block(order)._elements.triangles), dtype=bool),
        young=YOUNG,
        poisson=POISSON,
        device="cpu",
    )
    H, nodes = statics.of.H, statics.elements.nodes
    shift = np.tile([0.3, -0.2, 0.1], len(nodes))
    assert np.abs(H @ shift).max() < 1e-13
    turn = np.cross([0.3, -0.2, 0.1], nodes).ravel()
    assert np.abs(H @ turn).max() < (0.05 if order == 0 else 1e-4) * np.abs(turn).max()


@pytest.mark.parametrize("order, least", [(0, 0.018), (1, 0.0192)])
def test_a_block_that_is_pulled(order, least):
    """Between a free bar and what finite elements find on fine meshes, 0.01967 m."""
    body = block(order)
    x, triangles = body.mesh.points, body.mesh.cells["tri3"]
    top = (x[triangles][:, :, 2] > 2.0 - 1e-9).all(axis=1)
    p = np.where(top[:, None], [0.0, 0.0, 1e4], 0.0)
    answer = body.solve(tractions=p)
    assert least < answer.displacements[x[:, 2] > 2.0 - 1e-9, 2].mean() < 0.01967
    held = (x[triangles][:, :, 2] < 1e-9).all(axis=1)
    # What holds it balances what pulls, within the elements' error.
    assert answer.forces[held].sum(axis=0)[2] == pytest.approx(-1e4, rel=0.015)
    assert np.abs(answer.forces.sum(axis=0)[:2]).max() < 1e-6
    assert not answer.displacements[body.pinned].any()


def test_displacements_of_what_is_held_are_prescribed():
    body = block()
    shift = np.array([0.1, 0.0, -0.2])
    answer = body.solve(displacements=shift)
    np.testing.assert_allclose(answer.displacements - shift, 0.0, atol=1e-12)
    assert np.abs(answer.forces).max() < 1e-4  # [N]; a shift needs none


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.5])
def test_weight_is_borne_without_points_inside(poisson):
    """Against finite elements; where matter keeps its volume, against its weight alone."""
    body = pl.BoundaryElements(BOX, young=YOUNG, poisson=poisson)
    body.fix(body.mesh.points[:, 2] < 1e-9)
    answer = body.solve(gravity=(0, 0, -9.81))
    top = body.mesh.points[:, 2] > 2.0 - 1e-9
    assert answer.forces.sum(axis=0)[2] == pytest.approx(2.0 * 1000.0 * 9.81, rel=0.02)
    if poisson < 0.5:
        full = pl.Body(pl.meshes.box((1, 1, 2), (4, 4, 8)), pl.Linear(young=YOUNG, poisson=poisson))
        full.fix(full.mesh.points[:, 2] < 1e-9)
        sag = (full.rest_shape((0, 0, -9.81)) - full.mesh.points)[full.mesh.points[:, 2] > 1.99, 2]
        assert answer.displacements[top, 2].mean() == pytest.approx(sag.mean(), rel=0.03)
    np.testing.assert_allclose(
        body.rest_shape((0, 0, -9.81)), body.mesh.points + answer.displacements, atol=1e-12
    )


# --- touch ----------------------------------------------------------------------------------


def refactored(body, nodes, way):
    """Displacements of nodes and forces on those that are touched, by a matrix made anew."""
    statics = body.statics()
    areas = statics.elements.node_areas(~statics.held)
    n = len(areas)
    touched = np.zeros(n, dtype=bool)
    touched[nodes] = True
    free = np.repeat(~statics.known & ~touched, 3)
    hands, held = np.repeat(touched, 3), np.repeat(statics.known, 3)
    columns = np.where(free[None], statics.of.H, 0.0)
    scaled = -statics.of.free / np.where(statics.known, 1.0, areas).repeat(3)[None] * 1e-6
    columns[:, hands] = scaled[:, hands]
    columns[:, held] = -YOUNG * statics.of.held[:, held]
    u = np.zeros((n, 3))
    u[nodes] = way
    found = np.linalg.solve(columns, -statics.of.H @ u.ravel())
    u.ravel()[free] = found[free]
    return u, 1e-6 * found[hands].reshape(-1, 3)


@pytest.mark.parametrize("order", [0, 1])
def test_a_touch_equals_factoring_anew(order):
    body = block(order)
    own = body.compliance(symmetric=False)
    touch = pl.Probe(own, radius=0.6)
    way = np.array([0.0, 0.0, -0.05])
    touch.press(at=(0.5, 0.5, 2.0), by=way)
    u, forces = refactored(body, touch.nodes, way)
    assert len(touch.nodes) > 4 and (forces[:, 2] < 0.0).all()
    np.testing.assert_allclose(touch.forces, forces, atol=1e-10 * np.abs(forces).max())
    found = touch.positions - own.surface.points
    expected = u if order else body.compliance().shown(u)
    np.testing.assert_allclose(found, expected, atol=1e-10 * np.abs(u).max())


@pytest.mark.parametrize("order", [0, 1])
def test_its_compliance_is_symmetric_and_positive(order):
    own = block(order).compliance()
    free = ~own.held
    C = own.matrix[free][:, :, free].reshape(3 * free.sum(), -1)
    np.testing.assert_array_equal(C, C.T)
    assert np.linalg.eigvalsh(C)[0] > 0.0
    raw = block(order).compliance(symmetric=False).matrix
    assert 0.01 < np.linalg.norm(raw - raw.transpose(2, 3, 0, 1)) / np.linalg.norm(raw) < 0.1


def test_it_feels_like_finite_elements():
    """Of the same pad on a fine mesh of each, within what coarse pads differ by."""
    fine = pl.meshes.box((1, 1, 2), (6, 6, 12))
    stone = pl.BoundaryElements(pl.meshes.box((1, 1, 2), (4, 4, 8)), young=YOUNG, poisson=POISSON)
    stone.fix(stone.mesh.points[:, 2] < 1e-9)
    full = pl.Body(fine, pl.Linear(young=YOUNG, poisson=POISSON))
    full.fix(fine.points[:, 2] < 1e-9)
    felt = [
        pl.Probe(body, radius=0.4).press(at=(0.5, 0.5, 2.0), by=(0, 0, -0.05))[2]
        for body in (stone, full)
    ]
    assert felt[0] == pytest.approx(felt[1], rel=0.1)


@pytest.mark.parametrize("order", [0, 1])
def test_no_closed_path_gains_work(order):
    touch = pl.Probe(block(order), radius=0.6)
    t = np.linspace(0.0, 2.0 * np.pi, 201)
    path = np.stack([0.02 * np.cos(t), 0.01 * np.sin(t), -0.02 + 0.03 * np.sin(t + 1)], axis=1)
    forces = np.array([touch.press(at=(0.5, 0.5, 2.0), by=way) for way in path])
    steps = (0.5 * (forces[1:] + forces[:-1]) * np.diff(path, axis=0)).sum(axis=1)
    # The trapezoidal rule leaves 1e-4 of the way on 200 steps; with 6 % of asymmetry it would be more.
    assert abs(steps.sum()) < 1e-3 * np.abs(steps).sum()


# --- in scenes ------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 12])
@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_what_is_let_go_rests_on_cue(bounces, dt):
    body = block(damping=pl.Settle(1.0, bounces))
    touch = pl.Probe(body, radius=0.6)
    touch.press(at=(0.5, 0.5, 2.0), by=(0.02, 0, -0.05))
    held = touch.positions
    touch.let_go()
    np.testing.assert_allclose(body.positions, held, atol=1e-12)
    take = pl.Scene(body).run(seconds=1.2, dt=dt)
    # The first frame within 1 % is late by a step at most; the law itself is exact.
    if bounces:
        assert take.ring().rest_time(0.01) == pytest.approx(1.0, rel=0.005 if dt < 0.05 else 0.02)
    else:
        assert take.rest_time() == pytest.approx(1.0, rel=0.005)


def test_it_sags_on_cue_and_without_damping_at_once():
    gravity = (0, 0, -9.81)
    body = block()
    there = body.rest_shape(gravity)
    take = pl.Scene(body, gravity=gravity).run(seconds=0.1, dt=1 / 60)
    np.testing.assert_allclose(take.positions[1], there, atol=1e-12)
    body = block(damping=pl.Settle(0.5))
    take = pl.Scene(body, gravity=gravity).run(seconds=0.6, dt=1 / 60)
    assert take.rest_time() == pytest.approx(0.5, rel=0.005)
    np.testing.assert_allclose(
        take.positions[-1], there, atol=0.01 * np.abs(there - BOX.size).max()
    )


def test_pushes_act_as_tractions_do():
    body = block()
    top = body.mesh.points[:, 2] > 2.0 - 1e-9
    body.push(traction=(0, 0, 1e4), on=top)
    whole = np.zeros((len(body.mesh.cells["tri3"]), 3))
    whole[top[body.mesh.cells["tri3"]].all(axis=1)] = [0, 0, 1e4]
    there = body.solve(tractions=whole).displacements[top, 2].mean()
    pushed = (body.rest_shape() - body.mesh.points)[top, 2].mean()
    assert pushed == pytest.approx(there, rel=0.03)  # forces on points, and the symmetric part


def test_its_pins_are_driven_as_one():
    turned = block(damping=pl.Settle(0.3))
    home = turned.mesh.points[turned.pinned]
    turned.release()
    at = turned.mesh.points[:, 2] < 1e-9

    def path(t):
        c, s = np.cos(t), np.sin(t)
        return home @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]).T

    turned.move(at, path)
    take = pl.Scene(turned, gravity=(0, 0, -9.81)).run(seconds=0.5, dt=1 / 60)
    np.testing.assert_allclose(take.positions[-1][at], path(0.5), atol=1e-9)
    c, s = np.cos(0.5), np.sin(0.5)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    # It follows with a lag; what it is bent by is the weight of a body that leans.
    lean = block().solve(gravity=np.array([0, 0, -9.81]) @ turn).displacements
    bent = take.positions[-1] @ turn - turned.mesh.points
    assert np.abs(bent - lean).max() < 0.35 * np.abs(lean).max()


@pytest.mark.parametrize("suffix", ["npz", "zarr"])
def test_its_takes_are_read_again(tmp_path, suffix):
    body = block(order=0, damping=pl.Settle(0.2))
    take = pl.Scene(body, gravity=(0, 0, -9.81)).run(seconds=0.25, dt=1 / 60)
    take.save(tmp_path / f"a.{suffix}")
    read = Take.read(tmp_path / f"a.{suffix}")
    np.testing.assert_array_equal(read.positions, take.positions)
    np.testing.assert_array_equal(read.energies, take.energies)
    assert np.ptp(take.positions[:, :, 2], axis=0).max() > 0.0


FILE = """
[run]
seconds = 0.1
gravity = [0, 0, -9.81]

[body.stone]
mesh = { box = { size = [1, 1, 2], cells = [2, 2, 4] } }
boundary_elements = { young = 1e6, poisson = 0.3 }
fix = "z < 0.01"
settle = { rest_in = 0.5 }
"""


def test_a_scene_file_makes_one():
    (made,) = scene.parse(FILE).build().scene.bodies
    assert isinstance(made, pl.BoundaryElements) and made.order == 1
    assert made.pinned.sum() == 9 and len(made) == len(block())
    with pytest.raises(scene.SceneError, match="poisson: got 0.7; expected -1 < poisson <= 0.5"):
        scene.parse(FILE.replace("0.3", "0.7"))
    with pytest.raises(ValueError, match="stone: nothing holds it, and it is a static model"):
        scene.parse(FILE.replace('fix = "z < 0.01"', "")).build().scene.run(seconds=0.1)


@pytest.mark.parametrize("kind", ["boundary_elements", "long_elements"])
def test_a_surface_file_makes_one_that_shows_its_surface(tmp_path, kind):
    pl.Surface.of(GOOD.points, GOOD.corners.reshape(-1, 3)).write(tmp_path / "ball.obj")
    matter = {"boundary_elements": "young = 1e6", "long_elements": "spacing = 0.5, young = 1e6"}
    text = FILE.replace("box = { size = [1, 1, 2], cells = [2, 2, 4] }", 'file = "ball.obj"')
    text = text.replace("boundary_elements = { young = 1e6, poisson = 0.3 }", "KIND = { IT }")
    text = text.replace("KIND", kind).replace("IT", matter[kind])
    (tmp_path / "a.toml").write_text(text.replace("z < 0.01", "z < -0.4"))
    (made,) = scene.read(tmp_path / "a.toml").build().scene.bodies
    np.testing.assert_allclose(made.skin.positions(made.positions), GOOD.points, atol=1e-6)


def test_a_surface_of_too_many_points_is_told_of(monkeypatch):
    monkeypatch.setattr(pl.bodies.boundary_elements.boundary_elements, "MANY", 10)
    with pytest.warns(RuntimeWarning, match="a surface of 12 points take 31.1 kB and minutes"):
        pl.BoundaryElements(GOOD, young=YOUNG).statics()


# --- bad input ------------------------------------------------------------------------------

GOOD = ball(0)


@pytest.mark.parametrize(
    "surface, said",
    [
        (pl.Surface.of(GOOD.points, GOOD.corners.reshape(-1, 3)[1:]), "not closed: 3 open edges"),
        (pl.Surface.of(GOOD.points, GOOD.corners.reshape(-1, 3)[:, ::-1]), "point inward"),
        (
            pl.Surface.of(
                GOOD.points, np.vstack([GOOD.corners[:3][::-1], GOOD.corners.reshape(-1, 3)[1:]])
            ),
            "3 whose faces disagree on which side is out",
        ),
        (
            pl.Surface.of(np.vstack([GOOD.points, [[9, 9, 9]]]), GOOD.corners.reshape(-1, 3)),
            "unused",
        ),
        (
            pl.Surface.of(
                np.vstack([GOOD.points, GOOD.points + 5]),
                np.vstack([GOOD.corners.reshape(-1, 3), 12 + GOOD.corners.reshape(-1, 3)]),
            ),
            "bounds 2 bodies that do not touch",
        ),
        (pl.meshes.rectangle((1, 1), (2, 2)), "expected triangles, quads or solid cells in space"),
    ],
)
def test_surfaces_that_bound_no_solid_are_refused(surface, said):
    with pytest.raises(MeshError, match=said):
        pl.BoundaryElements(surface, young=YOUNG)


def test_a_cavity_is_a_shell_that_points_inward():
    faces = GOOD.corners.reshape(-1, 3)
    hollow = pl.Surface.of(
        np.vstack([GOOD.points, 0.5 * GOOD.points]), np.vstack([faces, 12 + faces[:, ::-1]])
    )
    body = pl.BoundaryElements(hollow, young=YOUNG, poisson=POISSON)
    shrunk = np.linalg.norm(body.mesh.points + body.solve(pressure=1e3).displacements, axis=1)
    assert (shrunk[:12] < 1.0).all() and np.ptp(shrunk[:12]) < 1e-5


@pytest.mark.parametrize(
    "given, said",
    [
        ({"young": 0.0}, "got young=0.0"),
        ({"poisson": 0.6}, "got poisson=0.6; expected more than -1 and up to 0.5"),
        ({"poisson": NAN}, "got poisson=nan"),
        ({"order": 2}, "got order=2"),
        ({"density": -1.0}, "got density=-1.0"),
        ({"device": "moon"}, "moon"),
    ],
)
def test_bad_parameters_are_refused(given, said):
    with pytest.raises(ValueError, match=said):
        pl.BoundaryElements(GOOD, **{"young": YOUNG} | given)


def test_bad_questions_are_refused():
    loose = block(held=False)
    with pytest.raises(ValueError, match="loads do not balance, and nothing holds it"):
        loose.solve(tractions=(0, 0, 1.0))
    with pytest.raises(ValueError, match="loads do not balance"):
        loose.solve(gravity=(0, 0, -9.81))
    with pytest.raises(
        ValueError, match=r"got tractions=nan; expected finite numbers of shape \(3,\)"
    ):
        loose.solve(tractions=NAN)
    with pytest.raises(ValueError, match="nothing holds it, and it is a static model"):
        pl.Probe(loose, radius=0.1)
    with pytest.raises(ValueError, match="nothing holds it"):
        pl.Scene(loose).run(seconds=0.1)
    with pytest.raises(ValueError, match="no triangle has all its points in the selection"):
        loose.fix([0])
    loose.move([0], lambda t: np.zeros((1, 3)))
    with pytest.raises(ValueError, match="point 0 is held or driven, but no triangle around it"):
        loose.solve(pressure=1.0)


def test_what_it_cannot_be_beside_is_refused():
    with pytest.raises(ValueError, match="boundary elements have no motion of their own"):
        pl.Scene(block(damping=pl.Rayleigh(mass=1.0))).run(seconds=0.1)
    with pytest.raises(ValueError, match="a body of boundary elements touches nothing yet"):
        scene_of_it = pl.Scene(block())
        scene_of_it.add(pl.HalfSpace((0, 0, -1), (0, 0, 1)))
        scene_of_it.run(seconds=0.1)
    with pytest.raises(ValueError, match="got wind"):
        block().push(wind=(1, 0, 0))
