"""Surfaces that a mesh carries: exact for affine motion, bounded outside, with their normals."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.mesh import generators as meshes
from pliant.mesh.embedding import embed
from pliant.mesh.kinds import KINDS
from pliant.mesh.locating import containing, nearest
from pliant.mesh.skin import Skin

ROUNDING = 1e-12  # [m], of shapes about a metre across


def quadratic(mesh, kind):
    """The same cells with a node in the middle of each edge (and of each quad)."""
    linear = KINDS[next(iter(mesh.cells))]
    cells = mesh.cells[linear.name]
    edge = {tuple(e): len(mesh) + i for i, e in enumerate(mesh.edges.tolist())}
    points = [mesh.points, mesh.points[mesh.edges].mean(axis=1)]
    middles = [[edge[tuple(sorted((c[a], c[b])))] for a, b in linear.edges] for c in cells.tolist()]
    nodes = [cells, np.array(middles)]
    if kind == "quad9":
        nodes.append(len(mesh) + len(edge) + np.arange(len(cells))[:, None])
        points.append(mesh.points[cells].mean(axis=1))
    return pl.Mesh(np.concatenate(points), {kind: np.concatenate(nodes, axis=1)})


def mixed():
    """A hex and, apart from it, tetrahedra: rows of eight nodes and rows of four."""
    hexes, tets = meshes.box(cells=(1, 1, 1), kind="hex"), meshes.box(cells=(1, 1, 1))
    points = np.concatenate([hexes.points, tets.points + [3.0, 0, 0]])
    return pl.Mesh(points, {"hex": hexes.cells["hex8"], "tet": tets.cells["tet4"] + len(hexes)})


MESHES = {
    "tet4": lambda: meshes.sphere(1.0, 3),
    "hex8": lambda: meshes.box(size=(1, 1, 1), cells=(3, 2, 2), kind="hex"),
    "tri3": lambda: meshes.disk(1.0, 4),
    "quad4": lambda: meshes.rectangle(cells=(4, 3), kind="quad"),
    "tet10": lambda: quadratic(meshes.sphere(1.0, 2), "tet10"),
    "hex20": lambda: quadratic(meshes.box(size=(1, 1, 1), cells=(2, 2, 2), kind="hex"), "hex20"),
    "tri6": lambda: quadratic(meshes.disk(1.0, 3), "tri6"),
    "quad9": lambda: quadratic(meshes.rectangle(cells=(4, 3), kind="quad"), "quad9"),
    "mixed": mixed,
}


def cloud(mesh, count=600, beyond=0.02, seed=0):
    """Triangles between random points in the box around a mesh and a little beyond it."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    points = np.zeros((count, 3))
    rng = np.random.default_rng(seed)
    points[:, : mesh.dim] = rng.uniform(low - beyond, high + beyond, (count, mesh.dim))
    normals = rng.normal(size=(count, 3)) if mesh.dim == 3 else np.tile([0.0, 0, 1], (count, 1))
    return pl.Surface(points, np.full(count // 3, 3), np.arange(count), normals=normals)


@pytest.mark.filterwarnings("ignore:.*outside the mesh by more than a cell")  # corners of the box
@pytest.mark.parametrize("name", MESHES)
def test_affine_motion_is_exact(name):
    mesh = MESHES[name]()
    surface = cloud(mesh)
    skin = Skin.on(mesh, surface)
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1.0, atol=ROUNDING)
    np.testing.assert_allclose(skin.positions(mesh.points), surface.points, atol=ROUNDING)
    d = mesh.dim
    affine = np.eye(3)
    affine[:d, :d] = np.random.default_rng(1).normal(size=(d, d))
    shift = np.array([0.3, -2.0, 0.0])
    x = mesh.points @ affine[:d, :d].T + shift[:d]
    moved = skin.positions(np.stack([mesh.points, x]))[1]
    np.testing.assert_allclose(moved, surface.points @ affine.T + shift, atol=10 * ROUNDING)
    expected = surface.normals @ np.linalg.inv(affine)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    normals = skin.normals(np.stack([x, x]), mesh.points)
    # Small cells and a stretched map each cost some digits.
    np.testing.assert_allclose(normals[1], expected, atol=1e-9)


@pytest.mark.parametrize("name", MESHES)
def test_weights_inside_are_shares(name):
    mesh = MESHES[name]()
    rng = np.random.default_rng(2)
    kind, cells = next(iter(mesh.cells.items()))
    shares = rng.dirichlet(np.ones(KINDS[kind].corners), len(cells))
    inside = np.einsum("ec,ecd->ed", shares, mesh.points[cells[:, : KINDS[kind].corners]])
    _, weights = embed(mesh, inside)
    assert weights.min() >= -1e-9 and weights.max() <= 1 + 1e-9


def test_rotation_turns_points_and_normals():
    mesh = meshes.sphere(1.0, 2)
    fine = Skin.bare(meshes.sphere(1.0, 6)).surface
    normals = fine.points[fine.corners] / np.linalg.norm(fine.points[fine.corners], axis=1)[:, None]
    skin = Skin.on(mesh, pl.Surface(fine.points, fine.sizes, fine.corners, normals=normals))
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    x = mesh.points @ turn.T
    np.testing.assert_allclose(skin.positions(x), fine.points @ turn.T, atol=ROUNDING)
    np.testing.assert_allclose(skin.normals(x, mesh.points), normals @ turn.T, atol=ROUNDING)


def test_hexes_carry_without_gaps():
    """Where two cells meet, both say the same: a bent bar of hexes stays in one piece."""
    mesh = meshes.box(size=(2, 1, 1), cells=(4, 2, 2), kind="hex")
    rng = np.random.default_rng(4)
    on_face = np.column_stack([np.full(200, 0.5), rng.random((200, 2))])
    x = mesh.points + 0.1 * rng.normal(size=mesh.points.shape)
    places = []
    for nudge in (-1e-9, 1e-9):
        nodes, weights = embed(mesh, on_face + [nudge, 0, 0])
        places.append(np.einsum("mc,mcd->md", weights, x[nodes]))
    np.testing.assert_allclose(*places, atol=1e-7)  # nudged by 1e-9, stretched by a few


@pytest.mark.parametrize("name", ["tet4", "hex8", "tri3", "quad4"])
def test_outside_points_that_are_near_stay_near(name):
    """Around a body whose points are moved at random, the carried ring has no jump."""
    mesh = {
        "tet4": lambda: meshes.sphere(1.0, 2),
        "hex8": lambda: meshes.box(size=(1, 1, 1), cells=(2, 2, 2), kind="hex"),
        "tri3": lambda: meshes.disk(1.0, 2),
        "quad4": lambda: meshes.rectangle(size=(1, 1), cells=(2, 2), kind="quad"),
    }[name]()
    turn = np.linspace(0, 2 * np.pi, 20_001)
    ring = np.zeros((len(turn), mesh.dim))
    ring[:, 0], ring[:, 1] = np.cos(turn), np.sin(turn)
    middle = (mesh.points.min(axis=0) + mesh.points.max(axis=0)) / 2
    ring = middle + 1.1 * np.linalg.norm((mesh.points - middle)[:, :2], axis=1).max() * ring
    nodes, weights = embed(mesh, ring)
    x = mesh.points + 0.15 * np.random.default_rng(7).normal(size=mesh.points.shape)
    moved = np.einsum("mc,mcd->md", weights, x[nodes])
    steps = np.linalg.norm(np.diff(moved, axis=0), axis=1)
    # The ring's own steps are 0.0003; extrapolating cell by cell would jump by 0.06 to 0.14.
    assert steps.max() < 0.002


def brute_nearest(triangles, points):
    """Distances by dense sampling of the triangles, from above."""
    n = 40
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    keep = (i + j) <= n
    share = np.stack([i[keep], j[keep], n - i[keep] - j[keep]], axis=1) / n
    samples = np.einsum("sv,tvd->tsd", share, triangles)
    distance = np.linalg.norm(samples[None] - points[:, None, None], axis=3)
    return distance.min(axis=(1, 2))


def test_search_is_exact_on_pieces_of_all_sizes():
    """Sizes over four decades, so that the nearest centre is often not that of the right piece."""
    rng = np.random.default_rng(5)
    size = 10.0 ** rng.uniform(-4, 0, 120)
    triangles = rng.random((120, 1, 3)) + size[:, None, None] * rng.normal(size=(120, 3, 3))
    points = rng.uniform(-1, 2, (60, 3))
    found, least = nearest(triangles, points)
    sampled = brute_nearest(triangles, points)
    assert (least <= sampled + 1e-12).all() and (found >= 0).all()
    np.testing.assert_allclose(least, sampled, atol=0.12)  # a sample's spacing on the largest

    tets = rng.random((200, 1, 3)) + 10.0 ** rng.uniform(-3, 0, (200, 1, 1)) * rng.normal(
        size=(200, 4, 3)
    )
    inside = np.einsum("tv,tvd->td", rng.dirichlet(np.ones(4), 200), tets)
    assert (containing(tets, inside) >= 0).all()
    assert (containing(tets, inside + 100.0) < 0).all()


def test_graded_mesh_puts_every_point_in_its_cell():
    """Cells a thousand times thinner at one end."""
    box = meshes.box(size=(1, 1, 1), cells=(12, 3, 3))
    x = box.points.copy()
    x[:, 0] = 1e-3 ** (1 - x[:, 0]) - 1e-3
    mesh = pl.Mesh(x, box.cells)
    shares = np.random.default_rng(6).dirichlet(np.ones(4), len(mesh.cells["tet4"]))
    inside = np.einsum("ec,ecd->ed", shares, mesh.points[mesh.cells["tet4"]])
    _, weights = embed(mesh, inside)
    assert weights.min() >= -1e-9


def test_flat_cells_do_not_magnify():
    """A sliver under the outer face would move a point near it by a thousand times its own motion."""
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.3, -1], [0.3, 0.3, 1e-3]]
    mesh = pl.Mesh(points, {"tet": [[0, 2, 1, 3], [0, 1, 2, 4]]})
    _, weights = embed(mesh, np.array([[0.3, 0.3, 0.1]]))
    assert np.abs(weights).max() < 2


def test_surface_elsewhere_is_refused_with_both_boxes():
    mesh = meshes.sphere(1.0, 3)
    fine = Skin.bare(meshes.sphere(1.0, 6)).surface
    in_millimetres = pl.Surface(1000 * fine.points, fine.sizes, fine.corners)
    with pytest.raises(pl.MeshError, match=r"in \(-1000, .*the mesh in \(-0.98.* to \(0.98"):
        Skin.on(mesh, in_millimetres)
    small = pl.Surface(0.001 * fine.points, fine.sizes, fine.corners)
    with pytest.warns(UserWarning, match=r"983 times smaller than the mesh.*in metres"):
        Skin.on(mesh, small)
    stray = np.vstack([fine.points, [[5.0, 0, 0]]])
    with pytest.warns(
        UserWarning, match=r"1 of \d+ points .* outside the mesh by more than a cell"
    ):
        Skin.on(mesh, pl.Surface(stray, fine.sizes, fine.corners))


def test_what_cannot_carry_is_refused():
    flat = meshes.rectangle(cells=(2, 2))
    with pytest.raises(pl.MeshError, match=r"reaches z = 0.5 m and the mesh is 2D"):
        Skin.on(flat, pl.Surface.of([[0, 0, 0], [1, 0, 0.5], [0, 1, 0]], [[0, 1, 2]]))
    cloth = pl.Mesh(np.column_stack([flat.points, flat.points[:, 0]]), flat.cells)
    with pytest.raises(pl.MeshError, match=r"cells tri3 in 3D"):
        Skin.on(cloth, pl.Surface.of(np.eye(3), [[0, 1, 2]]))


def body():
    return pl.Body(meshes.box(cells=(4, 1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.4))


def test_wear_and_take_off():
    b = body()
    own = b.skin.surface
    fine = cloud(b.mesh, 30, beyond=-0.01)
    b.wear(fine)
    assert b.skin.surface is fine
    skin = b.skin
    b.wear(None)
    assert (
        len(b.skin.surface.points) == len(own.points)
        and b.skin.normals(b.positions, b.positions) is None
    )
    b.wear(skin)
    assert b.skin is skin
    with pytest.raises(TypeError, match=r"wear: got str; .*pl.Surface.read"):
        b.wear("fine.obj")
    with pytest.raises(pl.MeshError, match=r"wear: the skin follows point"):
        pl.Body(meshes.box(cells=(1, 1, 1)), b.material).wear(
            Skin(fine, skin.nodes + 6, skin.weights)
        )
    with pytest.raises(pl.MeshError, match=r"expected one row per point"):
        b.wear(Skin(fine, skin.nodes[1:], skin.weights))


def test_normals_of_a_bare_skin_turn_with_its_faces():
    """Its points follow one point each, which tells no rotation: the faces around them do."""
    mesh = meshes.box(cells=(2, 2, 2))
    bare, rng = Skin.bare(mesh), np.random.default_rng(3)
    s = bare.surface
    normals = rng.normal(size=(len(s.corners), 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    skin = Skin(pl.Surface(s.points, s.sizes, s.corners, normals=normals), bare.nodes, bare.weights)
    turn = Rotation.from_rotvec([0.3, 1.1, -0.4]).as_matrix()
    x = mesh.points @ turn.T + [1.0, 2.0, 3.0]
    found = skin.normals(np.stack([x, mesh.points]), mesh.points)
    np.testing.assert_allclose(found[0], normals @ turn.T, atol=ROUNDING)
    np.testing.assert_allclose(found[1], normals, atol=ROUNDING)
    # A flat sheet that is sheared in its plane and rolled up: normals stay across it.
    sheet = meshes.rectangle((1.0, 1.0), (30, 2), kind="quad")
    flat = np.column_stack([sheet.points[:, 0], np.zeros(len(sheet)), sheet.points[:, 1]])
    bare = Skin.bare(pl.Mesh(flat, sheet.cells))
    up = np.tile([0.0, 1.0, 0.0], (len(bare.surface.corners), 1))
    skin = Skin(pl.Surface(flat, bare.surface.sizes, bare.surface.corners, normals=up), *worn(bare))
    rolled = pl.shape.bend(
        flat @ np.array([[1, 0, 0.5], [0, 1, 0], [0, 0, 2]]), 180, about=(0, 0, 0)
    )
    centre = np.array([0.0, 1.0 / np.pi])
    wanted = (centre - rolled[:, :2])[bare.surface.corners]
    wanted *= np.sign(wanted[0, 1]) / np.linalg.norm(wanted, axis=1)[:, None]
    found = skin.normals(rolled, flat)
    away = np.abs(found[:, :2] - wanted).max(axis=1)
    inner = (flat[bare.surface.corners, 0] > 0.01) & (flat[bare.surface.corners, 0] < 0.99)
    assert away[inner].max() < 1e-3  # second order in the angle of a cell, 6 degrees
    assert away.max() < 0.06  # half of that angle, at the ends


def worn(skin):
    return skin.nodes, skin.weights


def test_a_take_keeps_the_skin(tmp_path):
    b = body()
    k = len(cloud(b.mesh, 30).corners)
    fine = cloud(b.mesh, 30, beyond=-0.01)
    b.wear(pl.Surface(fine.points, fine.sizes, fine.corners, np.ones((k, 2)), fine.normals))
    b.fix(b.mesh.points[:, 0] < 1e-9)
    b.damping = pl.Settle(rest_in=0.5)
    take = pl.Scene([b], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 30)
    take.save(tmp_path / "a.npz")
    again, track = pl.Take.read(tmp_path / "a.npz").tracks[0], take.tracks[0]
    np.testing.assert_array_equal(
        again.skin.positions(again.positions), track.skin.positions(track.positions)
    )
    np.testing.assert_array_equal(
        again.skin.normals(again.positions[-1], again.mesh.points),
        track.skin.normals(track.positions[-1], track.mesh.points),
    )
    assert (again.skin.surface.uv == 1).all()
