"""Points in cells and edges through facets, against all pairs in rational numbers."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact import points_in_cells
from pliant.contact.orientation import orientations
from pliant.contact.piercing import crossings
from pliant.contact.surfaces import edges_of, filled_cells, outer_facets

from .fractions_of import exact, first_meeting, in_simplex, minus, solved


def turned(x, seed):
    """Rotated and far from the origin, so that what was level is so only up to rounding."""
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.standard_normal((x.shape[1],) * 2))
    return x @ q.T + rng.uniform(-40, 40, x.shape[1])


def scene(kind, dim, seed):
    """Points and cells: loose in space, on a small lattice of whole numbers, or that one turned."""
    rng = np.random.default_rng(seed)
    count = 40 * (dim + 1)
    if kind == "random":
        x = rng.uniform(0, 2, (count + 40, dim))
    else:
        x = rng.integers(0, 4, (count + 40, dim)).astype(float)
        x[count:] = rng.integers(0, 13, (40, dim)) / 4  # on faces, edges and corners, and between
    x = turned(x, seed) if kind == "turned" else x
    return x, np.arange(count).reshape(-1, dim + 1)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", ["random", "lattice", "turned"])
def test_no_point_in_a_cell_is_missed_and_none_invented(kind, dim):
    total = 0
    for seed in range(3):
        x, cells = scene(kind, dim, seed)
        points, xs = np.arange(0, len(x), 2), exact(x)
        # Boxes that do not meet hold nothing; the others are decided in rational numbers.
        low, high = x[cells].min(axis=1), x[cells].max(axis=1)
        expected = [
            (i, int(j))
            for i, p in enumerate(points)
            for j in np.flatnonzero(((low <= x[p]) & (x[p] <= high)).all(axis=1))
            if p not in cells[j] and in_simplex(xs[p], [xs[c] for c in cells[j]])
        ]
        assert list(zip(*points_in_cells(x, points, cells), strict=True)) == expected
        total += len(expected)
    assert total > 50


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", ["random", "lattice", "turned"])
def test_edges_meet_facets_where_rational_numbers_say(kind, dim):
    """Edges in the plane of a facet count if they begin on it."""
    met, level = 0, 0
    for seed in range(3):
        x, _ = scene(kind, dim, 10 + seed)
        rng = np.random.default_rng(seed)
        pairs = rng.integers(0, len(x), (400, dim + 2))
        pairs = pairs[[len(set(row)) == dim + 2 for row in pairs.tolist()]]
        p, q, facets = x[pairs[:, 0]], x[pairs[:, 1]], x[pairs[:, 2:]]
        found = crossings(p, q, facets)
        for a, b, f, t in zip(exact(p), exact(q), map(exact, facets), found, strict=True):
            way = solved([minus(a, b), *(minus(c, f[0]) for c in f[1:])], minus(a, f[0]))
            share = first_meeting(a, b, f)
            if way is None and share is not None and share > 0:
                share = None
            level += way is None and share is not None
            met += share is not None
            assert (share is None) == np.isinf(t)
            if share is not None:
                # Shares of thin triangles lose digits; where they do not, to rounding.
                assert t == pytest.approx(float(share), abs=1e-10)
    assert met > 30
    if kind == "lattice":
        assert level > 0


SHAPES = {
    2: lambda: pl.meshes.rectangle((2, 2), (2, 2)),
    3: lambda: pl.meshes.box((2, 2, 2), (2, 2, 2)),
}


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("is_turned", [False, True])
def test_every_way_out_of_a_block_is_found_at_its_first_facet(dim, is_turned):
    """From all lattice points in a block to all around it, along faces and through corners too."""
    block = SHAPES[dim]()
    steps = np.stack(np.meshgrid(*[np.arange(-1, 4.0)] * dim, indexing="ij"), axis=-1)
    x = np.concatenate([block.points, steps.reshape(-1, dim)])
    inside = ((x >= 0) & (x <= 2)).all(axis=1)[len(block) :]
    if is_turned:
        x = turned(x, 4)
        found = points_in_cells(x, np.arange(len(block), len(x)), filled_cells(block))[0]
        inside = np.isin(np.arange(len(inside)), found)  # rounding moves some of the surface out
    facets = outer_facets(block)[:, :dim]
    starts, ends = (len(block) + np.flatnonzero(mask) for mask in (inside, ~inside))
    pairs = np.stack(np.meshgrid(starts, ends), axis=-1).reshape(-1, 2)
    pairs = pairs[np.random.default_rng(0).permutation(len(pairs))[:60]]
    xs = exact(x)
    for a, b in pairs:
        each = len(facets)
        shares = crossings(np.tile(x[a], (each, 1)), np.tile(x[b], (each, 1)), x[facets])
        exactly = [first_meeting(xs[a], xs[b], [xs[c] for c in f]) for f in facets]
        first = min(t for t in exactly if t is not None)
        assert shares.min() == pytest.approx(
            float(first), abs=1e-13
        )  # rounding of coordinates of 40


def test_signs_are_exact_for_tiny_huge_and_mixed_numbers():
    rng = np.random.default_rng(5)
    flat = rng.integers(-9, 10, (50, 3, 3)).astype(float)
    shares = rng.integers(-3, 4, (50, 2)).astype(float)
    fourth = flat[:, 0] + shares[:, :1] * (flat[:, 1] - flat[:, 0])
    fourth = fourth + shares[:, 1:] * (flat[:, 2] - flat[:, 0])
    level = np.concatenate([flat, fourth[:, None]], axis=1)
    for scale in (1.0, 2.0**-340, 2.0**300):
        assert (orientations(level * scale) == 0.0).all()
        off = level * scale
        off[:, 3] = np.nextafter(off[:, 3], np.inf)
        for corners, found in zip(off, orientations(off), strict=True):
            c = exact(corners)
            e = [minus(row, c[0]) for row in c[1:]]
            sign = sum(
                e[0][i] * (e[1][j] * e[2][k] - e[1][k] * e[2][j])
                for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            )
            assert np.sign(found) == (sign > 0) - (sign < 0)


@pytest.mark.parametrize("kind", ["tri", "quad", "tet", "hex"])
def test_facets_of_a_block_close_it_and_face_outwards(kind):
    """Their vectors of area sum to zero, and by Gauss's theorem they enclose the volume."""
    dim = 2 if kind in ("tri", "quad") else 3
    block = (
        pl.meshes.rectangle((2, 1), (3, 2), kind=kind)
        if dim == 2
        else pl.meshes.box((2, 1, 1), (3, 2, 2), kind=kind)
    )
    cells = filled_cells(block)
    facets = block.points[outer_facets(block)]
    u, v = facets[:, 1] - facets[:, 0], facets[:, 2] - facets[:, 0]
    area = np.stack([u[:, 1], -u[:, 0]], axis=1) if dim == 2 else 0.5 * np.cross(u, v)
    middle = facets[:, :dim].mean(axis=1)
    assert np.abs(area.sum(axis=0)).max() < 1e-14
    assert (middle * area).sum() / dim == pytest.approx(2.0, rel=1e-14)
    assert len(edges_of(cells)) > len(block)


def test_hexahedra_that_are_cut_along_different_diagonals():
    """The face between two of them is no surface, though their facets on it differ."""
    box = pl.meshes.box((2, 1, 1), (2, 1, 1), kind="hex")
    cells = box.cells["hex8"].copy()
    cells[1] = cells[1][[3, 0, 1, 2, 7, 4, 5, 6]]  # turned by a quarter
    block = pl.Mesh(box.points, {"hex": cells})
    u, v = (np.diff(block.points[outer_facets(block)][:, [0, k]], axis=1)[:, 0] for k in (1, 2))
    assert np.linalg.norm(np.cross(u, v), axis=1).sum() / 2 == pytest.approx(10.0, rel=1e-14)


def test_edges_across_edges_are_missed():
    """ "Can miss some collisions": two tetrahedra go through each other, and no point is inside."""
    one = np.array([[-1.0, 0, 0], [1, 0, 0], [0, 0.1, -1], [0, -0.1, -1]])
    other = one[:, [1, 0, 2]] * [1, 1, -1] - [0, 0, 0.05]  # ridges across each other
    x, cells = np.concatenate([one, other]), np.arange(8).reshape(2, 4)
    assert len(points_in_cells(x, np.arange(8), cells)[0]) == 0
    facets = outer_facets(pl.Mesh(one, {"tet": [[0, 1, 3, 2]]}))
    sides = np.repeat(edges_of(cells[1:]), len(facets), axis=0)
    shares = crossings(x[sides[:, 0]], x[sides[:, 1]], x[np.tile(facets, (6, 1))])
    assert np.isfinite(shares).any()
