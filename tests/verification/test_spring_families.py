"""Springs on every kind of mesh rest on cue, wherever they have a rest shape that is stable."""

import numpy as np
import pytest

import pliant as pl


def lengths(mesh, pairs):
    ends = mesh.points[pairs]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)


def taut(mesh, held, shape):
    """Springs that are five per cent too short for their places, between pins."""
    springs = pl.Springs(mesh, stiffness=2000.0, mass=0.05, rest=0.95 * lengths(mesh, mesh.edges))
    springs.fix(held)
    springs.place(mesh.points + 0.01 * shape[:, None] * np.eye(springs.dim)[-1])
    return springs


def clamped(mesh, pairs=None):
    """A bar held on the left and bent by a hundredth of its length."""
    springs = pl.Springs(mesh, stiffness=2000.0, mass=0.05, pairs=pairs)
    x = mesh.points[:, 0]
    springs.fix(x < 1e-9)
    springs.place(mesh.points + 0.0025 * x[:, None] ** 2 * np.eye(springs.dim)[1])
    return springs


def line():
    x = 0.1 * np.arange(11)
    links = np.stack([np.arange(10), np.arange(1, 11)], axis=1)
    mesh = pl.Mesh(np.stack([x, 0 * x], axis=1), {"line": links})
    return taut(mesh, [0, 10], np.sin(np.pi * x))


def sheet(kind):
    """A net in space, taut in its frame."""
    flat = pl.meshes.rectangle((1, 1), (6, 6), kind=kind)
    mesh = pl.Mesh(np.pad(flat.points, ((0, 0), (0, 1))), flat.cells)
    frame = ((flat.points < 1e-9) | (flat.points > 1 - 1e-9)).any(axis=1)
    return taut(mesh, frame, np.sin(np.pi * flat.points).prod(axis=1))


def bar(dim, kind):
    if dim == 2:
        mesh = pl.meshes.rectangle((4, 1), (8, 2), kind=kind)
    else:
        mesh = pl.meshes.box((4, 1, 1), (8, 2, 2), kind=kind)
    return clamped(mesh, pl.Springs.braced(mesh) if kind in ("quad", "hex") else None)


FAMILIES = {
    "line": line,
    "tri": lambda: bar(2, "tri"),
    "quad": lambda: bar(2, "quad"),
    "tet": lambda: bar(3, "tet"),
    "hex": lambda: bar(3, "hex"),
    "tri in space": lambda: sheet("tri"),
    "quad in space": lambda: sheet("quad"),
}


@pytest.mark.parametrize("dt", [1 / 30, 1 / 60, 1 / 120])
@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("family", FAMILIES)
def test_springs_rest_on_cue(family, bounces, dt):
    springs = FAMILIES[family]()
    springs.damping = pl.Settle(0.8, bounces)
    take = pl.Scene([springs]).run(seconds=1.0, dt=dt, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


@pytest.mark.parametrize("law", [{"stiffening": 3.0}, {"pulls_only": True}])
def test_other_laws_rest_on_cue_where_springs_are_taut(law):
    mesh = sheet("tri").mesh
    springs = pl.Springs(
        mesh, stiffness=2000.0, mass=0.05, rest=0.95 * lengths(mesh, mesh.edges), **law
    )
    springs.fix(((mesh.points[:, :2] < 1e-9) | (mesh.points[:, :2] > 1 - 1e-9)).any(axis=1))
    springs.place(sheet("tri").positions)
    springs.damping = pl.Settle(0.5)
    assert pl.Scene([springs]).run(seconds=0.7).rest_time() == pytest.approx(0.5, rel=0.03)


@pytest.mark.filterwarnings("error")  # what nothing holds is no overflow
@pytest.mark.parametrize("kind, dim", [("quad", 2), ("hex", 3)])
def test_edges_of_quads_and_hexes_alone_shear_freely(kind, dim):
    springs = clamped(bar(dim, kind).mesh)
    springs.damping = pl.Settle(0.5)
    with pytest.raises(pl.UnstableError, match="unstable"):
        pl.Scene([springs]).run(seconds=0.1)


def test_slack_strings_have_no_rest_shape():
    springs = pl.Springs(bar(2, "tri").mesh, stiffness=2000.0, pulls_only=True)
    springs.fix(springs.mesh.points[:, 0] < 1e-9)
    springs.damping = pl.Settle(0.5)
    springs.place(bar(2, "tri").positions)
    with pytest.raises(pl.UnstableError, match="unstable"):
        pl.Scene([springs]).run(seconds=0.1)


def test_braces_join_all_points_of_a_cell_once():
    quads, hexes = (pl.Springs.braced(bar(d, k).mesh) for d, k in ((2, "quad"), (3, "hex")))
    # 8 x 2 squares: 9*2 + 8*3 edges and two diagonals each.
    assert len(quads) == 42 + 32
    # 32 cubes: 9*9 points, edges 8*9 + 2*9*3*2, two diagonals in each of 9*4 + 2*8*2*3 faces and
    # four through each cube.
    assert len(hexes) == (72 + 108) + 2 * (36 + 96) + 4 * 32
    assert len(np.unique(hexes, axis=0)) == len(hexes) and (hexes[:, 0] < hexes[:, 1]).all()
    triangles = bar(2, "tri").mesh
    np.testing.assert_array_equal(pl.Springs.braced(triangles), np.sort(triangles.edges, axis=1))
