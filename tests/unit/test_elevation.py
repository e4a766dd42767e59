"""Quadratic meshes: middles shared, boundaries right, curves followed, files read back."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements import by_name, nodal_volumes
from pliant.mesh.kinds import KINDS

MESHES = {
    "rectangle tri6": lambda: pl.meshes.rectangle((2, 1), (4, 2), kind="tri6"),
    "rectangle quad9": lambda: pl.meshes.rectangle((2, 1), (4, 2), kind="quad9"),
    "trapezoid": lambda: pl.meshes.trapezoid(4, 2, kind="tri6"),
    "annulus": lambda: pl.meshes.annulus(1, 2, (16, 3), kind="tri6"),
    "disk": lambda: pl.meshes.disk(1, 3, kind="tri6"),
    "box tet10": lambda: pl.meshes.box((2, 1, 1), (2, 1, 1), kind="tet10"),
    "box hex20": lambda: pl.meshes.box((2, 1, 1), (2, 1, 1), kind="hex20"),
    "cylinder": lambda: pl.meshes.cylinder(1, 2, (2, 2), kind="tet10"),
    "sphere": lambda: pl.meshes.sphere(1, 2, kind="tet10"),
}
each = pytest.mark.parametrize("make", MESHES.values(), ids=list(MESHES))


def volume(mesh):
    """By quadrature, with curved sides."""
    ((kind, cells),) = mesh.cells.items()
    return nodal_volumes(mesh.points, cells, by_name(kind)).sum()


@each
def test_middles_are_shared_and_used_once(make):
    mesh = make()
    ((kind, cells),) = mesh.cells.items()
    entry = KINDS[kind]
    corners = np.unique(cells[:, : entry.corners])
    extra = len(cells) if kind == "quad9" else 0
    assert len(mesh) == len(corners) + len(mesh.edges) + extra
    assert np.array_equal(np.unique(cells), np.arange(len(mesh)))
    assert np.array_equal(corners, np.arange(len(corners)))  # the linear mesh's points come first
    apart = np.linalg.norm(mesh.points[:, None] - mesh.points, axis=2)
    assert apart[~np.eye(len(mesh), dtype=bool)].min() > 0.05


@each
def test_boundary_is_closed_and_points_outward(make):
    mesh = make()
    ((facet, nodes),) = mesh.boundary.items()
    assert facet == KINDS[next(iter(mesh.cells))].facet
    # The divergence theorem with a pressure on the quadratic facets: integral x . n dA = d V.
    from pliant.energies.loads import Pressure

    f = -Pressure([nodes], lambda t: 1.0).forces(mesh.points, 0.0)
    assert np.abs(f.sum(axis=0)).max() <= 1e-13
    assert (f * mesh.points).sum() == pytest.approx(mesh.dim * volume(mesh), rel=1e-12)


@pytest.mark.parametrize(
    "name, exact, within",
    [("annulus", 3 * np.pi, 2e-4), ("disk", np.pi, 2e-4), ("sphere", 4 / 3 * np.pi, 8e-3)],
)
def test_curved_sides_follow_the_circle(name, exact, within):
    """Parabolic sides miss the area of a circle by a fourth power of their length."""
    mesh = MESHES[name]()
    assert volume(mesh) == pytest.approx(exact, rel=within)
    r = np.linalg.norm(mesh.points[mesh.boundary_points], axis=1)
    assert np.abs(r - np.rint(r)).max() <= 1e-12


def test_groups_take_the_middles_between_their_points():
    flat = pl.meshes.rectangle((1, 1), (2, 2), kind="quad")
    left = flat.points[:, 0] < 1e-9
    mesh = pl.meshes.quadratic(pl.Mesh(flat.points, flat.cells, groups={"left": left}))
    assert np.array_equal(mesh.groups["left"], np.flatnonzero(mesh.points[:, 0] < 1e-9))
    assert len(mesh.groups["left"]) == 5


def test_mixed_meshes_share_middles_between_triangles_and_quads():
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0]]
    mesh = pl.meshes.quadratic(pl.Mesh(points, {"quad": [[0, 1, 2, 3]], "tri": [[1, 4, 2]]}))
    shared = np.intersect1d(mesh.cells["quad9"], mesh.cells["tri6"])
    assert len(shared) == 3 and len(mesh) == 5 + 6 + 1
    assert len(mesh.boundary["line3"]) == 5


def test_quadratic_meshes_are_refused():
    mesh = pl.meshes.rectangle((1, 1), (1, 1), kind="tri6")
    with pytest.raises(pl.MeshError, match="tri6 cells, which are quadratic already"):
        pl.meshes.quadratic(mesh)
    with pytest.raises(ValueError, match=r"kind is 'hex'; expected one of tri, .*quad9"):
        pl.meshes.rectangle((1, 1), (1, 1), kind="hex")
    with pytest.raises(ValueError, match=r"kind is 'hex20'; expected one of tet, tet10, tet4"):
        pl.meshes.sphere(kind="hex20")


@each
@pytest.mark.parametrize("suffix", [".vtu", ".msh", ".xdmf"])
def test_files_bring_the_cells_back(make, suffix, tmp_path):
    """Also through formats that number the middles of edges in another order (gmsh)."""
    mesh = make()
    path = tmp_path / f"mesh{suffix}"
    mesh.write(path)
    back = pl.Mesh.read(path)
    assert list(back.cells) == list(mesh.cells)
    ((kind, cells),) = mesh.cells.items()
    assert np.array_equal(back.cells[kind], cells)
    assert np.allclose(back.points, mesh.points, atol=1e-12)
