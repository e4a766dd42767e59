"""Every kind of body touches floors and other bodies; of rods and elastons what is around nodes."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import box, crossings, island, on_floor, pushes, stacked
from tests.verification.test_settle_on_every_model import MATTER, block, chain, sheet

SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3)
FLAT = pl.meshes.rectangle((1, 0.4), (5, 2))


def twisted(mesh):
    """A pose of a block that is twisted along x."""
    turn, (y, z) = 0.5 * mesh.points[:, 0], mesh.points[:, 1:].T - 0.2
    c, s = np.cos(turn), np.sin(turn)
    return np.stack([mesh.points[:, 0], c * y - s * z, s * y + c * z], axis=1)


def bowed(mesh):
    x = mesh.points
    return np.stack([x[:, 0], x[:, 1] + 0.1 * x[:, 0] ** 2], axis=1)


def springs(mesh):
    return pl.Springs(mesh, stiffness=500.0, mass=0.05, pairs=pl.Springs.braced(mesh))


MODELS = {
    "solid": lambda: pl.Body(block(), SOFT),
    "flat solid": lambda: pl.Body(FLAT, SOFT, thickness=0.1),
    "bars": lambda: pl.Body(
        pl.Mesh(block().points, {"line": block().edges}), SOFT, section=1e-3, density=200.0
    ),
    "springs": lambda: springs(block()),
    "flat springs": lambda: springs(FLAT),
    "cloth": lambda: pl.Cloth(sheet(), stretch=500.0, shear=200.0, bend=0.05, density=0.2),
    "constraints": lambda: pl.ConstraintBody(block(), distance=300.0, volume=300.0, mass=0.1),
    "flat constraints": lambda: pl.ConstraintBody(FLAT, distance=300.0, area=300.0, mass=0.1),
    "shell": lambda: pl.Shell(sheet(), thickness=0.05, **MATTER),
    "round rod": lambda: pl.Rod(chain().points, radius=0.05, **MATTER),
    "flat rod": lambda: pl.Rod(chain().points, width=0.1, height=0.04, **MATTER),
    "elaston rod": lambda: pl.Elastons(chain(), thickness=0.05, **MATTER),
    "elaston shell": lambda: pl.Elastons(sheet(4), thickness=0.05, **MATTER),
    "elaston solid": lambda: pl.Elastons(block(), **MATTER),
    "form curve": lambda: pl.FormCurve(chain(), metric=1e3, curvature=1.0, density=0.2),
    "flat form curve": lambda: pl.FormCurve(chain(dim=2), metric=1e3, curvature=1.0, density=0.2),
    "form surface": lambda: pl.FormSurface(
        sheet(kind="quad"), metric=1e3, curvature=1.0, density=0.2
    ),
    "form solid": lambda: pl.FormSolid(
        pl.meshes.box((1, 0.4, 0.4), (4, 2, 2), kind="hex"), metric=1e4, density=200.0
    ),
    "examples": lambda: pl.ExampleBased(block(), SOFT, examples=[twisted(block())]),
    "flat examples": lambda: pl.ExampleBased(FLAT, SOFT, examples=[bowed(FLAT)], thickness=0.1),
    "rods of IMPACT": lambda: pl.ImpactRods(chain(dim=2), radius=0.05, young=1e5, density=200.0),
}


def support(dim):
    """A soft block on the floor, under the middle."""
    mesh = pl.meshes.box((0.6, 0.6, 0.3), (3, 3, 2))
    if dim == 2:
        mesh = pl.meshes.rectangle((0.6, 0.3), (4, 2))
    how = {"thickness": 0.1} if dim == 2 else {}
    body = pl.Body(mesh, SOFT, density=300.0, name="under", **how)
    body.place(_centred(mesh.points))
    return body


def _centred(points):
    return points - [*points.mean(axis=0)[:-1], points[:, -1].min()]


@pytest.mark.slow
@pytest.mark.parametrize("on", ["floor", "body"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_falls_on_a_floor_and_on_a_body(name, on):
    body = MODELS[name]()
    body.name, up = "it", np.eye(body.dim)[-1]
    height = 0.15 if on == "floor" else 0.45
    body.place(_centred(body.mesh.points) + height * up + 0.03 * np.eye(body.dim)[0])
    bodies = [body] if on == "floor" else [body, support(body.dim)]
    scene = pl.Scene(bodies, gravity=-9.81 * up, contact=pl.Contact())
    scene.add(pl.HalfSpace(0 * up, up, name="floor"))
    take = scene.run(seconds=0.6, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    contact = island(scene).contact
    y = contact.placed(island(scene).assembly.array(stacked(scene, "x"))).numpy()
    surface = contact.surface
    above = y[surface.points, -1] - surface.radius[surface.points]
    own = surface.body[surface.points] == 0
    assert above.min() > 0.0  # not by much, if it fell on the floor; else it is on the block
    assert above[own].min() < (0.01 if on == "floor" else 0.35)


def line(n, height, along=0, length=0.4):
    points = np.zeros((n, 3))
    points[:, along], points[:, 2] = np.linspace(-length / 2, length / 2, n), height
    return points


def test_a_round_rod_rests_on_its_radius_and_its_weight_arrives():
    rod = pl.Rod(line(9, 0.0101), radius=0.01, young=1e6, density=1000.0)
    scene = on_floor(rod)
    scene.run(seconds=0.3, dt=1 / 60, progress=False)
    gap = island(scene).contact.surface.gap.min()
    assert np.all(rod.centreline[:, 2] > 0.01) and np.all(rod.centreline[:, 2] < 0.01 + gap)
    assert pushes(scene)[0, 1] == pytest.approx(9.81 * rod.masses.sum(), rel=1e-3)


def test_a_rod_lies_across_another():
    low = pl.Rod(line(9, 0.011), radius=0.01, young=1e6, density=1000.0, name="low")
    high = pl.Rod(line(9, 0.0335, along=1), radius=0.01, young=1e6, density=1000.0, name="high")
    scene = on_floor(low, high)
    take = scene.run(seconds=0.4, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    middle = high.centreline[4, 2] - low.centreline[4, 2]
    assert 0.02 < middle < 0.0205  # both radii, and at most the gap


def test_a_start_within_the_radius_of_a_rod_is_refused():
    rod = pl.Rod(line(5, 0.005), radius=0.01, young=1e6, name="rod")
    with pytest.raises(ValueError, match="'rod' and 'floor' intersect"):
        on_floor(rod).step(1 / 60)


def test_a_fine_rod_whose_nodes_are_nearer_than_it_is_thick_starts_as_it_is():
    """Elements of a fifth of the radius: neighbours overlap at rest, and must not be thrown apart."""
    rod = pl.Rod(line(41, 0.3, length=0.08), radius=0.01, young=1e6, density=1000.0)
    scene = pl.Scene([rod], contact=pl.Contact())
    scene.step(1 / 60)
    # Elements that are neighbours but one come as near as the distance they have at rest: the barrier
    # between them is zero there, and nothing moves but by rounding.
    assert np.abs(rod.positions - rod.mesh.points).max() < 1e-12


def test_a_rod_that_branches_falls_as_one():
    turn = np.array([0.0, 2.1, 4.2])
    ends = 0.2 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    arms = [end * t for end in ends for t in (0.25, 0.5, 0.75, 1.0)]
    points = np.array([np.zeros(3), *arms]) + [0, 0, 0.03]
    lines = [(0 if k == 0 else 4 * a + k, 4 * a + k + 1) for a in range(3) for k in range(4)]
    rod = pl.Rod(pl.Mesh(points, {"line": np.array(lines)}), width=0.02, height=0.01, young=1e6)
    scene = on_floor(rod)
    take = scene.run(seconds=0.3, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert np.all(rod.centreline[:, 2] > 0.01) and np.all(rod.centreline[:, 2] < 0.0105)


def test_the_sides_of_a_flat_rod_and_of_elastons_touch():
    flat = pl.Rod(line(7, 0.0), width=0.03, height=0.01, young=1e6, density=1000.0, up=(0, 0, 1))
    slab = pl.Elastons(
        line(7, 0.0), thickness=(0.03, 0.01), up=(0, 0, 1), young=1e6, density=1000.0
    )
    for body in (flat, slab):
        body.place(body.mesh.points + [0, 0, 0.0053])
        scene = on_floor(body)
        scene.run(seconds=0.2, dt=1 / 60, progress=False)
        gap = island(scene).contact.surface.gap.min()
        middle = body.centreline if body is flat else body.nodes
        assert np.all(middle[:, 2] > 0.005) and np.all(middle[:, 2] < 0.005 + 1.1 * gap)
        assert pushes(scene)[0, 1] == pytest.approx(9.81 * body.masses.sum(), rel=1e-3)


def test_bodies_with_and_without_surfaces_of_their_own_touch_each_other():
    rod = pl.Rod(line(13, 0.212), radius=0.01, young=1e5, density=1000.0, name="rod")
    scene = on_floor(rod, box(-0.1, -0.1, 0.0, name="box"))
    take = scene.run(seconds=0.4, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert 0.205 < rod.centreline[6, 2] < 0.2115 and rod.centreline[0, 2] < rod.centreline[6, 2]
