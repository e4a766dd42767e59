"""The table of kinds agrees with itself and with meshio."""

import itertools

import meshio
import numpy as np
import pytest

from pliant.mesh import Mesh, MeshError
from pliant.mesh.kinds import ALIASES, CELL_KINDS, KINDS, canonical
from pliant.mesh.measures import measure

REFERENCE = {
    "line": [[0, 0, 0], [1, 0, 0]],
    "tri": [[0, 0], [1, 0], [0, 1]],
    "quad": [[0, 0], [1, 0], [1, 1], [0, 1]],
    "tet": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "hex": [
        *([0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]),
        *([0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]),
    ],
}
MEASURE = {"line": 1, "tri": 1 / 2, "quad": 1, "tet": 1 / 6, "hex": 1}


def reference_points(kind):
    """Nodes of the reference cell: corners, edge middles, and the centre of quad9."""
    entry = KINDS[kind]
    corners = np.array(REFERENCE[entry.shape], dtype=float)
    nodes = list(corners)
    if entry.nodes > entry.corners:
        nodes += [corners[list(edge)].mean(axis=0) for edge in entry.edges]
    if len(nodes) < entry.nodes:
        nodes.append(corners.mean(axis=0))
    return np.array(nodes)


@pytest.mark.parametrize("kind", CELL_KINDS)
def test_reference_cell_has_its_measure_and_mirror_negates_it(kind):
    x, entry = reference_points(kind), KINDS[kind]
    cell = np.arange(entry.nodes)[None]
    assert len(x) == entry.nodes == meshio._mesh.num_nodes_per_cell[entry.meshio]
    assert entry.dim == meshio._mesh.topological_dimension[entry.meshio]
    size = MEASURE[entry.shape]
    assert measure(x, kind, cell) == pytest.approx(size)
    mirror = np.array(entry.mirror)
    assert sorted(mirror) == list(range(entry.nodes))
    assert (mirror[mirror] == np.arange(entry.nodes)).all()
    if entry.dim == x.shape[1]:
        assert measure(x, kind, mirror[None]) == pytest.approx(-size)
        # The mirrored cell is still a valid cell: its middles lie on its edges.
        mirrored = x[mirror]
        for i, (a, b) in enumerate(entry.edges if entry.nodes > entry.corners else ()):
            np.testing.assert_allclose(mirrored[entry.corners + i], (mirrored[a] + mirrored[b]) / 2)


@pytest.mark.parametrize("kind", [k for k in CELL_KINDS if KINDS[k].dim > 1])
def test_facets_point_outward_and_carry_the_right_middles(kind):
    x, entry = reference_points(kind), KINDS[kind]
    facet = KINDS[entry.facet]
    centre = x[: entry.corners].mean(axis=0)
    for nodes in entry.facets:
        assert len(nodes) == facet.nodes
        y = x[list(nodes)]
        if entry.dim == 2:
            dx, dy = y[1] - y[0]
            normal = np.array([dy, -dx])
        else:
            normal = np.cross(y[1] - y[0], y[2] - y[0])
        assert normal @ (y[: facet.corners].mean(axis=0) - centre) > 0
        for i, (a, b) in enumerate(facet.edges if facet.nodes > facet.corners else ()):
            np.testing.assert_allclose(y[facet.corners + i], (y[a] + y[b]) / 2)


@pytest.mark.parametrize("kind", [k for k in CELL_KINDS if KINDS[k].dim > 1])
def test_one_cell_is_all_boundary(kind):
    x, entry = reference_points(kind), KINDS[kind]
    mesh = Mesh(x, {kind: [range(entry.nodes)]})
    assert {k: len(v) for k, v in mesh.boundary.items()} == {entry.facet: len(entry.facets)}
    on_facets = entry.nodes - (kind == "quad9")  # only its centre is inside
    assert len(mesh.boundary_points) == on_facets
    assert len(mesh.edges) == len(entry.edges)
    assert mesh.quality().volume == pytest.approx(MEASURE[entry.shape])


@pytest.mark.parametrize("kind", CELL_KINDS)
@pytest.mark.parametrize("suffix", [".vtu", ".msh", ".vtk"])
def test_every_kind_keeps_its_node_order_in_files(tmp_path, kind, suffix):
    mesh = Mesh(reference_points(kind), {kind: [range(KINDS[kind].nodes)]})
    mesh.write(tmp_path / f"mesh{suffix}")
    again = Mesh.read(tmp_path / f"mesh{suffix}", dim=mesh.dim)
    assert list(again.cells) == [kind]
    np.testing.assert_array_equal(again.points[again.cells[kind]], mesh.points[mesh.cells[kind]])


def test_aliases_mean_the_linear_kinds():
    assert ALIASES == {
        "line": "line2",
        "tri": "tri3",
        "quad": "quad4",
        "tet": "tet4",
        "hex": "hex8",
    }
    for alias, kind in ALIASES.items():
        mesh = Mesh(reference_points(kind), {alias: [range(KINDS[kind].nodes)]})
        assert list(mesh.cells) == [kind]


def test_unknown_and_doubled_kinds_are_refused():
    with pytest.raises(ValueError, match=r"'wedge'.*tri = tri3"):
        canonical("wedge")
    points = np.eye(3)
    with pytest.raises(MeshError, match="unknown kind of cell 'quad8'"):
        Mesh(points, {"quad8": [range(8)]})
    with pytest.raises(MeshError, match="tri3 cells are given twice"):
        Mesh(points, {"tri": [[0, 1, 2]], "tri3": [[0, 1, 2]]})


def test_hex_volume_is_exact_for_bilinear_faces():
    # Against 2-point Gauss quadrature of det J, exact for a trilinear map.
    rng = np.random.default_rng(1)
    x = reference_points("hex8") + 0.15 * rng.standard_normal((8, 3))
    signs = 2 * reference_points("hex8") - 1
    volume = 0.0
    for gauss in itertools.product((-1, 1), repeat=3):
        p = np.array(gauss) / np.sqrt(3)
        f = 1 + signs * p
        gradient = np.stack([signs[:, i] * f[:, i - 2] * f[:, i - 1] / 8 for i in range(3)], axis=1)
        volume += np.linalg.det(x.T @ gradient)
    assert measure(x, "hex8", np.arange(8)[None]) == pytest.approx(volume, rel=1e-12)
