"""Starts that overlap: pulled apart, or refused by name; and meshes that are not what they should be."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.winding import goes_around, winding
from tests.contact.in_scenes import BOX, box, crossings, on_floor, stacked
from tests.contact.test_contact_in_scenes import table

SMALL = pl.meshes.box((0.05, 0.05, 0.05), (1, 1, 1))
SHEET = np.array([[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0, 0.1, 0], [0.1, 0.1, 0], [0.2, 0.1, 0]])
TRIANGLES = np.array([[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]])


def cloth(points, **how):
    mesh = pl.Mesh(points, {"tri": TRIANGLES})
    return pl.Cloth(mesh, stretch=500.0, shear=100.0, bend=1e-4, density=0.3, **how)


def pair(*at, **how):
    return pl.Scene([box(0, 0, 0, name="a"), box(*at, name="b", **how)], contact=pl.Contact())


def test_two_boxes_part_along_their_least_overlap_and_share_the_way():
    scene = pair(0.05, 0.02, 0.15)
    with pytest.raises(ValueError, match=r"'a' and 'b' intersect .* scene.separate\(\)"):
        scene.step(1 / 60)
    moved = scene.separate()
    # 5 cm of overlap and a gap of 0.2 mm, to what seven halvings of it leave, less than 0.4 mm.
    for name, sign in (("a", -1), ("b", 1)):
        np.testing.assert_allclose(moved[name], [0, 0, sign * 0.0251], atol=2e-4)
    scene.step(1 / 60)
    assert not scene.separate()  # nothing overlaps any more


def test_what_pins_hold_stays_and_two_of_them_are_refused():
    scene = pair(0.05, 0.02, 0.15)
    scene.bodies[0].fix([0])
    assert set(scene.separate()) == {"b"}
    scene = pair(0.05, 0.02, 0.15)
    for body in scene.bodies:
        body.fix([0])
    with pytest.raises(ValueError, match="'a' and 'b' overlap, and pins hold both"):
        scene.separate()


@pytest.mark.slow
def test_a_crowd_in_a_floor_and_obstacles_are_left():
    rng = np.random.default_rng(0)
    crowd = [box(*rng.uniform(-0.1, 0.4, 3), name=f"{k}") for k in range(4)]
    scene = on_floor(*crowd, obstacles=[pl.Sphere((0.2, 0.2, 0.1), 0.1), table()])
    scene.separate()
    take = scene.run(seconds=0.05, dt=1 / 60, progress=False)
    assert not crossings(scene, take)


def test_a_body_in_a_bowl_parts_from_its_side_and_not_over_its_rim():
    """A plane between them would need 0.5 m; out of the bottom it is 1 cm."""
    block = pl.meshes.box((1, 1, 0.6), (5, 5, 3))
    middle = block.points[block.cells["tet4"]].mean(axis=1)
    hole = (np.abs(middle[:, :2] - 0.5).max(axis=1) < 0.3) & (middle[:, 2] > 0.2)
    bowl = pl.Mesh(block.points, {"tet": block.cells["tet4"][~hole]}, repair=True)
    scene = pl.Scene(
        [box(0, 0, 0, mesh=bowl, name="bowl"), box(0.4, 0.4, 0.19, name="it")], contact=pl.Contact()
    )
    scene.bodies[0].fix([0])
    (moved,) = scene.separate().values()
    assert np.linalg.norm(moved) < 0.03


@pytest.mark.parametrize("company", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_what_two_obstacles_push_against_each_other_leaves_between_them(company):
    """Rollers leave a slit of 14 cm: a box in it goes up, since below it is the floor."""
    bodies = [box(-0.1, -0.1, 0, name="it")]
    bodies += [box(-0.1, -0.1, 0.15, name="other")] if company else []
    rollers = [pl.Capsule((x, -0.5, 0.1), (x, 0.5, 0.1), 0.1, name=f"{x}") for x in (-0.17, 0.17)]
    scene = pl.Scene(bodies, gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(pl.HalfSpace((0, 0, -0.05), (0, 0, 1), name="floor"), *rollers)
    moved = scene.separate()
    assert set(moved) == {body.name for body in bodies}
    if not company:  # from the height of the floor of the box to the tops of the rollers, and a gap
        np.testing.assert_allclose(moved["it"], [0, 0, 0.2002], atol=1e-6)
    scene.step(1 / 60)


def test_what_has_no_room_between_two_walls_is_told():
    scene = pl.Scene([box(-0.1, 0, 0, name="it")], contact=pl.Contact())
    for x in (-0.05, 0.05):
        scene.add(pl.HalfSpace((x, 0, 0), (-x, 0, 0), name=f"wall {x}"))
    with pytest.raises(pl.SolverError, match="'it' and 'wall -0.05'; 'it' and 'wall 0.05'"):
        scene.separate()


def test_tangled_sheets_are_refused():
    across = SHEET @ np.array([[0, 0, 1.0], [0, 1, 0], [1, 0, 0]]) + [0.1, 0.02, -0.1]
    scene = pl.Scene([cloth(SHEET, name="a"), cloth(SHEET, name="b")], contact=pl.Contact())
    scene.bodies[1].place(across)
    with pytest.raises(ValueError, match="'a' and 'b' are tangled, and 'a' is a sheet"):
        scene.separate()
    assert pl.Scene([box()]).separate() == {}


@pytest.mark.parametrize("make", [lambda: box(0.1, 0.08, 0.06, mesh=SMALL, name="in"), None])
def test_what_is_inside_of_a_body_is_told(make):
    inner = make() if make else cloth(0.5 * SHEET + [0.05, 0.05, 0.1], name="in")
    scene = pl.Scene([box(0, 0, 0, name="out"), inner], contact=pl.Contact())
    with pytest.raises(ValueError, match="'out' and 'in' intersect"):
        scene.step(1 / 60)
    if make:
        scene.separate()
        scene.step(1 / 60)


@pytest.mark.slow
def test_what_is_in_a_cavity_or_a_room_is_not_inside():
    m = pl.meshes.box((0.6, 0.6, 0.6), (3, 3, 3))
    middle = np.abs(m.points[m.cells["tet4"]].mean(axis=1) - 0.3).max(axis=1) < 0.1
    hollow = pl.Mesh(m.points, {"tet": m.cells["tet4"][~middle]})
    ball = box(0.27, 0.27, 0.26, mesh=SMALL, name="ball")
    room = pl.meshes.box((1, 1, 1), (1, 1, 1))
    walls = pl.MeshObstacle(pl.Surface.of(room.points - [0.2, 0.2, 0.1], room.boundary["tri3"]))
    shell = box(0, 0, 0, mesh=hollow, name="hollow")
    scene = pl.Scene([shell, ball], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(walls)
    take = scene.run(seconds=0.3, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert np.all(stacked(scene, "x")[:, 2] > -0.1)  # the floor of the room
    assert np.all(np.abs(ball.positions - shell.positions.mean(axis=0)) < 0.11)  # in the cavity


@pytest.mark.parametrize("dim", [2, 3])
def test_winding_is_one_inside_and_zero_outside_and_open_surfaces_have_none(dim):
    mesh = pl.meshes.rectangle((1, 1), (2, 2)) if dim == 2 else pl.meshes.box((1, 1, 1), (2, 2, 2))
    facets = mesh.points[next(iter(mesh.boundary.values()))]
    points = np.random.default_rng(0).uniform(-0.5, 1.5, (200, dim))
    inside = ((points > 0) & (points < 1)).all(axis=1)
    np.testing.assert_allclose(np.abs(winding(points, facets)), inside, atol=1e-12)
    np.testing.assert_array_equal(goes_around(points, facets), inside)
    assert not goes_around(points, facets[:-1]).any()


def test_meshes_that_are_not_sound_are_refused_or_hold():
    body = box(0, 0, 0.1)
    with pytest.raises(ValueError, match="not finite"):
        body.place(np.full_like(body.positions, np.nan))
    with pytest.raises(pl.MeshError, match="degenerate"):
        pl.Mesh(SHEET, {"tri": np.concatenate([TRIANGLES, [[0, 1, 2]]])})
    with pytest.raises(pl.MeshError, match="position of another point"):
        pl.Mesh(np.concatenate([SHEET, SHEET[2:3]]), {"tri": [*TRIANGLES.tolist(), [2, 6, 5]]})
    faces = BOX.boundary["tri3"]
    with pytest.warns(RuntimeWarning, match="no area"):
        pl.MeshObstacle(pl.Surface.of(BOX.points, np.concatenate([faces, [[0, 1, 1]]])))


@pytest.mark.slow
def test_a_surface_that_is_open_doubled_and_not_a_manifold_stops_bodies():
    """A plate twice in the same place, and a fin on it, as an obstacle; and a fin on a net."""
    plate = 3.0 * SHEET - [0.2, 0.1, 0]
    fin = plate[[1, 4]] + [0, 0, 0.05]
    faces = np.concatenate([TRIANGLES, TRIANGLES + 6, [[1, 4, 13], [1, 13, 12]]])
    soup = pl.MeshObstacle(pl.Surface.of(np.concatenate([plate, plate, fin]), faces), name="soup")
    points = np.concatenate([SHEET, SHEET[[1, 4]] + [0, 0, 0.08]]) + [0.02, 0.01, 0.1]
    triangles = np.concatenate([TRIANGLES, [[1, 4, 7], [1, 7, 6]]])
    net = pl.Springs(pl.Mesh(points, {"tri": triangles}), stiffness=100.0, mass=0.01, name="net")
    ball = box(0.05, 0.02, 0.25, mesh=SMALL, name="ball")
    scene = pl.Scene([net, ball], gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(soup, pl.HalfSpace((0, 0, -0.3), (0, 0, 1), name="floor"))
    take = scene.run(seconds=0.25, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert net.positions[:, 2].min() > 0.0 or net.positions[:, 2].max() < 0.1
