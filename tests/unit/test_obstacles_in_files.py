"""Obstacles in takes: kept by every file that is read back, drawn and exported as what stands still."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant.boundary import obstacle_of
from pliant.io import folder
from pliant.io.html import page
from pliant.io.png import picture
from pliant.io.shown_obstacles import SOLID_COLOUR, floor_of, obstacles_near, shown_obstacles
from tests.unit.test_cloth import cloth, sheet
from tests.unit.test_exports_glb import Glb
from tests.unit.test_html import facts

BALL, FLOOR = pl.Sphere((0.5, -0.3, 0.5), 0.25, friction=0.3), pl.HalfSpace((0, -0.6, 0), (0, 2, 0))
POLE = pl.Capsule((1.2, -0.5, 0.5), (1.2, 0.1, 0.5), 0.1, margin=0.01)
IN_SPACE = [BALL, FLOOR, POLE, pl.HalfSpace((0, 0, -1), (0.3, 0, 1))]
IN_PLANE = [
    pl.Sphere((0.5, -0.4), 0.2),
    pl.HalfSpace((0, -0.8), (0.1, 1)),
    pl.Capsule((1.2, 0), (1.5, 0.5), 0.1),
]
each = pytest.mark.parametrize("obstacle", [*IN_SPACE, *IN_PLANE], ids=repr)


def falling(name="cloth"):
    body = cloth(sheet(cells=(6, 6)), name=name)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(BALL, FLOOR, POLE)
    return scene


@pytest.fixture(scope="module")
def take():
    return falling().run(seconds=0.3, dt=1 / 60, progress=False)


@pytest.fixture(scope="module")
def plane():
    mesh = pl.meshes.rectangle((1, 0.4), (5, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4, poisson=0.4), density=1000.0)
    scene = pl.Scene([body], gravity=(0, -9.81))
    scene.add(*IN_PLANE)
    return scene.run(seconds=0.1, dt=1 / 60, progress=False)


@each
def test_facts_are_enough_to_make_one_again(obstacle):
    again = obstacle_of(json.loads(json.dumps(obstacle.facts())))
    assert type(again) is type(obstacle) and again.dim == obstacle.dim
    assert (again.margin, again.friction) == (obstacle.margin, obstacle.friction)
    x = np.random.default_rng(0).uniform(-1, 1, (20, obstacle.dim))
    np.testing.assert_allclose(again.nearest(x)[0], obstacle.nearest(x)[0], atol=1e-15)


def test_what_is_no_obstacle_is_refused():
    with pytest.raises(
        ValueError, match="kind 'torus'; expected sphere, half_space, capsule or mesh"
    ):
        obstacle_of({"kind": "torus", "radius": 1.0})


@each
def test_the_surface_is_that_of_the_obstacle(obstacle):
    middle, size = np.array([0.5, 0.2, 0.1 * (obstacle.dim == 3)]), 2.0
    surface = obstacle.surface(middle, size)
    gap = obstacle.nearest(surface.points[:, : obstacle.dim])[0]
    p = surface.points[surface.corners[surface.triangles]]
    normals = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    assert np.linalg.norm(normals, axis=1).min() > 1e-6  # no triangle has closed
    if obstacle.dim == 2:
        assert not surface.points[:, 2].any() and (normals[:, 2] > 0.0).all()
        assert gap.max() < 1e-12 and np.isclose(gap, 0.0).sum() >= 2
        return
    np.testing.assert_allclose(gap, 0.0, atol=1e-12)
    outward = obstacle.nearest(p.mean(axis=1))[1]
    assert ((normals * outward).sum(axis=1) > 0.0).all()
    report = surface.report()
    if isinstance(obstacle, pl.HalfSpace):
        u = surface.points.mean(axis=0) - middle
        assert np.linalg.norm(np.cross(u, obstacle.normal)) < 1e-12  # below the middle
    else:
        r, line = obstacle.radius, np.linalg.norm(obstacle.b - obstacle.a)
        exact = np.pi * r**2 * (4 / 3 * r + line)
        assert report.closed and 0.98 * exact < report.volume < exact


@pytest.mark.parametrize("suffix", [".zarr", ".npz"])
def test_takes_that_are_read_know_them(take, tmp_path, suffix):
    expected = [o.facts() for o in (BALL, FLOOR, POLE)]
    assert [o.facts() for o in take.obstacles] == expected
    read = pl.Take.read(take.save(tmp_path / f"a{suffix}"))
    other = pl.Take.read(read.save(tmp_path / ("b.npz" if suffix == ".zarr" else "b.zarr")))
    for found in (read, other):
        assert found.about["obstacles"] == expected
    assert pl.Take([*take.tracks], dt=take.dt).obstacles == ()  # of another program, or none


def test_a_run_goes_on_among_the_same_obstacles_only(tmp_path):
    path = tmp_path / "a.zarr"
    falling().run(seconds=0.1, into=path, progress=False)
    bare = falling()
    bare.obstacles = bare.obstacles[:2]
    with pytest.raises(ValueError, match="is of another scene"):
        folder.TakeFolder(path).resume(bare)
    scene, store = falling(), folder.TakeFolder(path)
    done = store.resume(scene)
    again = scene.run(seconds=0.1 - done + 1 / 60, into=store, progress=False)
    assert len(again) == 8 and len(again.obstacles) == 3


def test_names_differ_from_those_of_bodies():
    named = falling("sphere").run(seconds=1 / 60, progress=False)
    assert [s.name for s in shown_obstacles(named)] == ["sphere_2", "half_space", "capsule"]


def test_the_floor_is_the_highest_level_wall(take, plane):
    found = shown_obstacles(take)
    assert [s.wall for s in found] == [False, True, False]
    assert floor_of(found, 1) == pytest.approx(-0.6) and floor_of(found, 2) is None
    assert floor_of(shown_obstacles(plane), 1) is None
    box = np.zeros(3), np.ones(3)
    ceiling, deep = pl.HalfSpace((0, 1, 0), (0, -1, 0)), pl.HalfSpace((0, -30, 0), (0, 1, 0))
    assert floor_of(obstacles_near([ceiling, deep, IN_SPACE[3]], *box), 1) is None


def greys(pixels):
    """Which pixels have the colour of obstacles, lit or not: hardly any hue, not white, not ink."""
    pixels = np.asarray(pixels, dtype=int)
    low, high = pixels.min(axis=-1), pixels.max(axis=-1)
    grey = (high - low < 30) & (low > 110) & (high < 215)
    around = [np.roll(grey, by, axis) for axis in (0, 1) for by in (1, -1)]
    return grey & np.logical_and.reduce(around)  # no mixtures along edges


def painted(take, instant):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = picture(take, instants=[instant])
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    height = figure.bbox.height / 2
    return np.asarray(canvas.buffer_rgba())[: int(height), :, :3]


def test_pictures_have_them(plane):
    """Cloth over a ball: the ball is seen below it, and nowhere through it."""
    body = cloth(sheet(cells=(6, 6)))
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.Sphere((0.5, -0.3, 0.5), 0.29))
    take = scene.run(seconds=0.2, dt=1 / 60, progress=False)
    pixels = painted(take, 0.2)
    grey = greys(pixels)
    blue = pixels[..., 2].astype(int) - pixels[..., 0] > 60
    rows = np.flatnonzero(blue.any(axis=1))
    assert grey.sum() > 500
    # The upper half of the cloth is above the ball: no spot of it shows there.
    assert grey[rows[0] : rows[0] + len(rows) // 2].sum() == 0
    assert greys(painted(plane, 0.0)).sum() > 500


def test_films_have_them(take, plane):
    pytest.importorskip("vtkmodules")
    from pliant.io.film import render

    for shown in (take, plane):
        without = pl.Take(shown.tracks, dt=shown.dt, about={"gravity": shown.about["gravity"]})
        seen = [greys(render(t, 0, (240, 160))).sum() for t in (shown, without)]
        assert seen[0] > seen[1] + 500


def test_pages_have_them(take, plane):
    (said,) = facts(page(take))
    assert [o["name"] for o in said["obstacles"]] == ["sphere", "half_space", "capsule"]
    assert said["floor"] == pytest.approx(-0.6)
    assert len(said["obstacles"][0]["framed"]) > 500  # in the picture; of the floor its middle
    assert len(said["obstacles"][1]["framed"]) <= 1
    (said,) = facts(page(plane))
    assert all(o["flat"] for o in said["obstacles"]) and said["floor"] is None


def test_glb_has_them(take, tmp_path):
    file = Glb(take.save(tmp_path / "a.glb"))
    nodes, meshes = file.json["nodes"], file.json["meshes"]
    assert [n["name"] for n in nodes] == ["cloth", "sphere", "half_space", "capsule"]
    assert file.json["scenes"][0]["nodes"] == [0, 1, 2, 3]
    assert {c["target"]["node"] for c in file.json["animations"][0]["channels"]} == {0}
    for node, obstacle in zip(nodes[1:], (BALL, FLOOR, POLE), strict=True):
        (primitive,) = meshes[node["mesh"]]["primitives"]
        assert "targets" not in primitive
        x, n = (file.array(primitive["attributes"][k]) for k in ("POSITION", "NORMAL"))
        gap, outward = obstacle.nearest(x.astype(float))
        np.testing.assert_allclose(gap, 0.0, atol=1e-6)  # float32
        assert (n * outward).sum(axis=1).min() > 0.99
        material = file.json["materials"][primitive["material"]]
        assert material["doubleSided"] == (obstacle is not FLOOR)
    colour = file.json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"]
    coded = [1.055 * c ** (1 / 2.4) - 0.055 for c in colour[:3]]
    assert [round(255 * c) for c in coded] == [int(SOLID_COLOUR[i : i + 2], 16) for i in (1, 3, 5)]


def test_usd_has_them(take, tmp_path):
    Usd = pytest.importorskip("pxr.Usd")
    from pxr import UsdGeom

    stage = Usd.Stage.Open(str(take.save(tmp_path / "a.usdc")))
    meshes = [UsdGeom.Mesh(p) for p in stage.GetDefaultPrim().GetChildren()]
    assert [m.GetPrim().GetName() for m in meshes] == ["cloth", "sphere", "half_space", "capsule"]
    for mesh, obstacle in zip(meshes[1:], (BALL, FLOOR, POLE), strict=True):
        points = mesh.GetPointsAttr()
        assert points.GetNumTimeSamples() == 0
        x = np.array(points.Get(), dtype=float)
        np.testing.assert_allclose(obstacle.nearest(x)[0], 0.0, atol=1e-6)
        sizes = np.array(mesh.GetFaceVertexCountsAttr().Get())
        normals = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals").ComputeFlattened()
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get())
        assert len(normals) == len(corners) == sizes.sum()
        outward = obstacle.nearest(x[corners])[1]
        assert (np.array(normals) * outward).sum(axis=1).min() > 0.99


def test_obj_has_them_once(take, tmp_path):
    take.save(tmp_path / "a.obj")
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names[:3] == ["a-capsule.obj", "a-half_space.obj", "a-sphere.obj"]
    assert len(names) == 3 + len(take)
    surface = pl.Surface.read(tmp_path / "a-sphere.obj")
    np.testing.assert_allclose(BALL.nearest(surface.points)[0], 0.0, atol=1e-6)


def test_the_stage_has_them_in_view():
    pytest.importorskip("viser")
    from unittest.mock import MagicMock

    from pliant.view.look import Look

    server = MagicMock()
    Look(server, falling())
    made = {c.args[0]: c for c in server.scene.add_mesh_simple.call_args_list}
    for i, obstacle in enumerate((BALL, FLOOR, POLE)):
        drawn = made[f"/obstacle {i}"]
        np.testing.assert_allclose(obstacle.nearest(drawn.args[1])[0], 0.0, atol=1e-12)
        assert drawn.kwargs["side"] == ("front" if obstacle is FLOOR else "double")
    (grid,) = server.scene.add_grid.call_args_list
    assert grid.kwargs["position"][1] == pytest.approx(-0.6, abs=0.01)
    # The camera looks at what is below the sheet, too, not at the sheet alone.
    assert server.initial_camera.look_at[1] < -0.1
