"""How deep points are inside another part, and which way out: from edges through its surface."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import PenaltyContact, nearest_on_triangles, points_in_cells
from pliant.contact.depth import PenetrationDepth
from pliant.contact.surfaces import edges_of, filled_cells, outer_facets


class Two:
    """A part that stays and one that is moved into it, with the depths of the points of the second."""

    def __init__(self, first, second):
        ((kind, cells),), ((_, others),) = first.cells.items(), second.cells.items()
        points = np.concatenate([first.points, second.points])
        self.mesh = pl.Mesh(points, {kind: np.concatenate([cells, others + len(first)])})
        cells, part, dim = filled_cells(self.mesh), self.mesh.components, self.mesh.dim
        facets = outer_facets(self.mesh)[:, :dim]
        self.n, self.own = len(first), part[0]
        self.cells = cells[part[cells[:, 0]] == self.own]
        self.facets = facets[part[facets[:, 0]] == self.own]
        self.find = PenetrationDepth(edges_of(cells), facets, part[facets[:, 0]], 2)

    def at(self, shift):
        """Points inside, their depths, and positions, with the second part moved so far."""
        x = self.mesh.points.copy()
        x[self.n :] += shift
        moved = np.arange(self.n, len(x))
        points = moved[np.unique(points_in_cells(x, moved, self.cells)[0])]
        return points, self.find(x, points * 2 + self.own), x

    def nearest(self, x):
        """Distances and directions to the nearest surface, in space."""
        apart, away = nearest_on_triangles(x, self.mesh.points, self.facets)
        return apart, -away


def moved(mesh, by):
    return pl.Mesh(mesh.points + by, dict(mesh.cells))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("at", [0.37, 0.5])  # and where cells of the block meet
def test_a_point_in_a_wide_block_is_as_deep_as_it_is(dim, at):
    """All layers of a grid: the surface is level, so all ways through it say the same."""
    block = pl.meshes.rectangle((4, 2), (2, 1)) if dim == 2 else pl.meshes.box((4, 2, 4), (2, 1, 2))
    grid = pl.meshes.rectangle((1, 1), (3, 3)) if dim == 2 else pl.meshes.box((1, 1, 1), (3, 3, 3))
    place = np.array([4 * at, 3.0, 4 * at])[:dim]
    pair = Two(block, moved(grid, place))
    for sunk in (1e-9, 0.1, 0.5, 0.99):
        points, found, x = pair.at(np.array([0, -1.0 - sunk, 0])[:dim])
        assert found.found.all() and len(points) >= 4 ** (dim - 1)
        # Shares of edges 1/3 long are rounded at coordinates of 2.
        np.testing.assert_allclose(found.depth, 2.0 - x[points, 1], atol=1e-14)
        np.testing.assert_allclose(found.direction @ np.eye(dim)[1], 1.0, atol=1e-14)


def test_a_cube_in_a_larger_one_is_pushed_one_way():
    """It overlaps by a tenth, near a side: the nearest surface sends the points near it sideways."""
    pair = Two(
        pl.meshes.box((1, 1, 1), (4, 4, 4)),
        moved(pl.meshes.box((0.3, 0.3, 0.3), (3, 3, 3)), [0.02, 1.0, 0.3]),
    )
    points, found, x = pair.at([0.0, -0.1, 0.0])
    assert len(points) == 32 and found.found.all()  # two layers, the upper one on the surface
    degree = np.cos(np.radians(1.0))
    assert found.direction[:, 1].min() > degree
    deep = x[points, 1] < 0.95
    nearest = pair.nearest(x[points[deep]])[1]
    assert (nearest[:, 1] < degree).sum() == 4 and (nearest[:, 0] < -degree).sum() == 4


def test_what_goes_through_a_plate_is_pushed_back_to_where_it_came_from():
    """Depth grows by what it sinks in each step, where the nearest surface turns about half way."""
    plate = pl.meshes.box((1, 0.3, 1), (3, 1, 3))
    pair = Two(plate, moved(pl.meshes.box((0.4, 0.4, 0.4), (4, 4, 4)), [0.31, 0.3, 0.27]))
    step, last, turns = 0.005, None, []
    for sunk in step * np.arange(1, 60):
        points, found, x = pair.at([0.0, -sunk, 0.0])
        depth, nearest = np.zeros(len(x)), np.zeros(x.shape)
        depth[points], nearest[points] = found.depth, pair.nearest(x[points])[1]
        assert found.found.all() and found.direction[:, 1].min() > 1.0 - 1e-12
        if last is not None:
            # By the step, of points that are inside by then; rounding of coordinates near 1.
            assert np.abs(depth - last[0]).max() < step + 1e-14
            turns.append(np.einsum("ij,ij->i", nearest, last[1]).min())
        last = depth, nearest
    assert min(turns) < -0.99


def test_what_has_come_out_on_the_far_side_is_pushed_out_there():
    """Layers of a grid in a plate: the lower ones go down, the upper ones up."""
    cube = pl.meshes.box((0.5, 0.5, 0.5), (4, 8, 4))
    pair = Two(pl.meshes.box((1, 0.25, 1), (3, 1, 3)), moved(cube, [0.25, 0.3, 0.25]))
    points, found, x = pair.at([0.0, -0.415, 0.0])
    for height, depth, way in ((0.01, 0.01, -1), (0.0725, 0.0725, -1), (0.135, 0.115, 1)):
        layer = np.abs(x[points, 1] - height) < 1e-9
        assert layer.sum() == 25
        np.testing.assert_allclose(found.depth[layer], depth, atol=1e-14)
        np.testing.assert_allclose(found.direction[layer, 1], way, atol=1e-14)


def test_opposite_ways_out_push_nowhere():
    plate = pl.meshes.rectangle((1, 1), (1, 1))
    needle = np.array([[0.5, 0.5], [0.6, 1.3], [0.4, 1.3], [0.4, -0.3], [0.6, -0.3]])
    pair = Two(plate, pl.Mesh(needle, {"tri": [[0, 1, 2], [0, 3, 4]]}))
    points, found, _ = pair.at([0.0, 0.0])
    assert len(points) == 1 and found.depth == pytest.approx(0.5, rel=1e-14)
    assert np.array_equal(found.direction, [[0.0, 0.0]])


def test_depths_in_a_round_body_jump_by_less_than_an_eighth_of_an_edge():
    """Where a point comes in its neighbours lose a way out. By 0.016 of a depth of 0.19."""
    ball = pl.meshes.sphere(radius=0.5, cells=4)
    pair = Two(ball, moved(pl.meshes.sphere(radius=0.2, cells=3), [0.05, 0.7, 0.03]))
    last, most, deepest = None, 0.0, 0.0
    for sunk in np.linspace(0.01, 0.2, 96):
        points, found, x = pair.at([0.0, -sunk, 0.0])
        depth = np.zeros(len(x))
        depth[points] = found.depth
        assert found.found.all() and (found.depth > 0.0).all()
        # Outwards, within half a right angle.
        out = x[points] / np.linalg.norm(x[points], axis=1, keepdims=True)
        assert np.einsum("ij,ij->i", found.direction, out).min() > np.sqrt(0.5)
        if last is not None:
            most = max(most, float(np.abs(depth - last).max()))
        last, deepest = depth, max(deepest, float(depth.max()))
    edges = edges_of(pair.facets)
    lengths = np.linalg.norm(np.diff(ball.points[edges], axis=1)[:, 0], axis=1)
    assert deepest > 0.15 and most < 0.125 * lengths.mean()


def test_depths_by_hand():
    """A point with two ways out, another with one, and one that only has these as neighbours."""
    block = pl.meshes.rectangle((2, 2), (1, 1))
    tip = np.array([[1.6, 1.4], [1.4, 2.6], [2.8, 1.2], [1.2, 1.0], [1.0, 1.5]])
    cells = {"tri": np.array([[0, 2, 1], [0, 1, 4], [0, 4, 3]])}
    pair = Two(block, pl.Mesh(tip, cells))
    points, found, _ = pair.at([0.0, 0.0])
    assert (points - pair.n).tolist() == [0, 3, 4]
    up, right = np.array([1.5, 2.0]) - tip[0], np.array([2.0, 1.4 - 0.2 / 3]) - tip[0]
    w = 1.0 / np.array([up @ up, right @ right])
    depth = (w[0] * up[1] + w[1] * right[0]) / w.sum()
    r = np.array([w[1], w[0]]) / np.hypot(*w)
    assert found.depth[0] == pytest.approx(depth, rel=1e-13)
    np.testing.assert_allclose(found.direction[0], r, atol=1e-13)
    way = np.array([1.0 + 0.4 * 0.5 / 1.1, 2.0]) - tip[4]
    assert found.depth[2] == pytest.approx(way[1], rel=1e-13)
    ways, known = tip[[0, 4]] - tip[3], found.depth[[0, 2]]
    w = 1.0 / np.einsum("ij,ij->i", ways, ways)
    each = np.einsum("ij,ij->i", ways, found.direction[[0, 2]]) + known
    assert found.depth[1] == pytest.approx(w @ each / w.sum(), rel=1e-13)


def test_what_is_wholly_inside_is_not_pushed():
    """No edge leads out, and the source has no answer."""
    small = moved(pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1)), [0.4, 0.7, 0.4])
    pair = Two(pl.meshes.box((1, 1, 1), (2, 2, 2)), small)
    points, found, x = pair.at([0.0, 0.0, 0.0])
    assert len(points) == 8 and not found.found.any()
    (energy,) = PenaltyContact(thickness=0.01, stiffness=1.0).energies(pair.mesh)
    assert energy.value(wp.array(x, dtype=wp.vec3d, device="cpu")) == 0.0


@pytest.mark.parametrize("dim", [2, 3])
def test_pushes_are_depth_times_direction_and_keep_momentum(dim):
    """Two crumpled grids deep in each other; points of the second have the push of the formula."""
    block = pl.meshes.rectangle((1, 1), (4, 4)) if dim == 2 else pl.meshes.box((1, 1, 1), (3, 3, 3))
    pair = Two(block, moved(block, np.array([0.37, 1.1, 0.29])[:dim]))
    x = pair.mesh.points + 0.04 * np.random.default_rng(2).uniform(-1, 1, pair.mesh.points.shape)
    x[pair.n :, 1] -= 0.6
    h, k = 0.01, 700.0
    (energy,) = PenaltyContact(thickness=h, stiffness=k).energies(pair.mesh)
    places = wp.array(x, dtype=wp.types.vector(dim, wp.float64), device="cpu")
    g = wp.zeros_like(places)
    energy.add_gradient(places, g)
    f, scale = -g.numpy(), np.abs(g.numpy()).sum()
    assert scale > 100.0
    # A few hundred additions.
    assert np.abs(f.sum(axis=0)).max() < 1e-14 * scale
    torque = np.einsum("ni,nj->ij", x, f)
    assert np.abs(torque - torque.T).max() < 1e-14 * scale
    contacts = energy.contacts(places)
    stencils, weights = contacts.stencils.numpy(), contacts.weights.numpy()
    moving = np.arange(pair.n, len(x))
    points = moving[np.unique(points_in_cells(x, moving, pair.cells)[0])]
    found = pair.find(x, points * 2 + pair.own)
    inner = np.setdiff1d(moving, outer_facets(pair.mesh))
    assert len(np.intersect1d(points, inner)) > 0 and found.found.all()
    for p, depth, direction in zip(points, found.depth, found.direction, strict=True):
        (c,) = np.flatnonzero((stencils[:, 0] == p) & (contacts.offsets.numpy() < 0.0))
        push = k * (h + depth) * direction
        at = contacts.normals.numpy()[c] * k * (h - contacts.offsets.numpy()[c])
        np.testing.assert_allclose(at, push, rtol=1e-12)
        # Taken up by the cell around it, in the same place.
        np.testing.assert_allclose(weights[c] @ x[stencils[c]], 0.0, atol=1e-14)
