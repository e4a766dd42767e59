"""Elastons from points alone: what lies between samples, and bodies made of it."""

import numpy as np
import pytest

import pliant as pl
from pliant.bodies.elastons.samples import joined
from pliant.energies.assembly import Assembly
from tests.unit.test_elastons import MATTER, line, turn


def lattice(*sides):
    """Points (n, 3) of a lattice, from a length [m] and a count for each direction."""
    axes = [np.linspace(0.0, length, count) for length, count in sides]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(sides))
    return np.pad(points, ((0, 0), (0, 3 - len(sides))))


def shaken(points, most, seed=0):
    """Points moved along the sides they lie on, by `most` [m]."""
    low, high = points.min(axis=0), points.max(axis=0)
    free = (points > low + 1e-9) & (points < high - 1e-9)
    return points + most * free * np.random.default_rng(seed).uniform(-1, 1, points.shape)


def apart(inside, low, high, distance, seed=0):
    """Samples inside a shape, none nearer to another than a distance (Poisson discs)."""
    kept = np.zeros((0, 3))
    for place in np.random.default_rng(seed).uniform(low, high, (4000, 3)):
        if inside(place) and not (((kept - place) ** 2).sum(axis=1) < distance**2).any():
            kept = np.vstack([kept, place])
    return kept


def in_torus(x):
    return (np.hypot(x[0], x[1]) - 1.0) ** 2 + x[2] ** 2 < 0.09


def ball(n):
    i = np.arange(n) + 0.5
    height, angle = 1.0 - 2.0 * i / n, np.pi * (1 + 5**0.5) * i
    r = np.sqrt(1.0 - height**2)
    return np.stack([r * np.cos(angle), r * np.sin(angle), height], axis=1)


SLOW = pytest.mark.slow
ANGLE = np.linspace(0.0, 6 * np.pi, 61)
COIL = np.stack([0.1 * np.cos(ANGLE), -0.4 * ANGLE / ANGLE[-1], 0.1 * np.sin(ANGLE)], axis=1)
TORUS = apart(in_torus, (-1.3, -1.3, -0.3), (1.3, 1.3, 0.3), 0.3)
L_SHAPE = lattice((1.0, 6), (1.0, 6), (0.2, 2))
L_SHAPE = L_SHAPE[(L_SHAPE[:, 0] < 0.41) | (L_SHAPE[:, 1] < 0.41)]


@pytest.mark.parametrize("scale", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize(
    "points, kind, size",
    [
        (lattice((1.0, 9)), "line2", 1.0),
        (shaken(lattice((1.0, 9)), 0.03), "line2", 1.0),
        (COIL, "line2", np.linalg.norm(np.diff(COIL, axis=0), axis=1).sum()),
        (lattice((1.0, 9), (0.4, 5)), "tri3", 0.4),
        (shaken(lattice((1.0, 9), (0.4, 5)), 0.03), "tri3", 0.4),
        (lattice((1.0, 9), (0.2, 3), (0.1, 2)), "tet4", 0.02),
        (shaken(lattice((1.0, 7), (0.4, 4), (0.4, 4)), 0.04), "tet4", 0.16),
    ],
    ids=["line", "uneven line", "coil", "sheet", "uneven sheet", "bar", "uneven block"],
)
def test_what_lies_between_samples_is_the_body(points, kind, size, scale):
    mesh = joined(scale * points @ turn(1.0).T, None, None)
    assert list(mesh.cells) == [kind] and len(mesh) == len(points)
    assert mesh.volume == pytest.approx(size * scale**mesh.cell_dim, rel=1e-9)


def test_surfaces_are_closed_and_of_one_side():
    mesh = joined(ball(200), None, None)
    assert len(mesh.cells["tri3"]) == 2 * 200 - 4 and len(mesh.boundary_points) == 0
    X = mesh.points[mesh.cells["tri3"]]
    outward = np.einsum("ci,ci->c", np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]), X[:, 0])
    assert (outward > 0).all() or (outward < 0).all()


def test_surfaces_may_have_sharp_edges():
    points = lattice((1.0, 6), (1.0, 6), (1.0, 6))
    skin = points[((points < 1e-9) | (points > 1.0 - 1e-9)).any(axis=1)]
    mesh = joined(skin, 2, None)
    assert mesh.volume == pytest.approx(6.0) and len(mesh.boundary_points) == 0


def test_holes_stay_open():
    """Of a torus the hole has no cells; of an L the corner, which is no hole, has half a cube."""
    mesh = joined(TORUS, None, None)
    middle = mesh.points[mesh.cells["tet4"]].mean(axis=1)
    assert np.hypot(middle[:, 0], middle[:, 1]).min() > 0.6 and mesh.components.max() == 0
    assert joined(L_SHAPE, None, 0.17).volume == pytest.approx(0.64 * 0.2 + 0.5 * 0.2**3)
    two = np.concatenate([L_SHAPE, L_SHAPE + [0.0, 0.0, 0.5]])
    assert joined(two, None, None).components.max() == 0  # 0.3 m is little more than 0.2 m
    assert joined(two, 3, 0.13).components.max() == 1


@pytest.mark.parametrize(
    "points", [TORUS, shaken(L_SHAPE, 0.05)], ids=["a torus of Poisson discs", "an uneven L"]
)
@pytest.mark.parametrize("poisson", [0.0, 0.49])
def test_uniform_strain_is_exact_wherever_samples_lie(points, poisson):
    """The patch test, and rigid motion, on samples that nobody put in order."""
    body = pl.Elastons(points, **(MATTER | {"poisson": poisson}))
    mesh, X = joined(points, None, None), body.mesh.points
    assembly = Assembly(len(body), 3, body.energies(device="cpu"))
    F = np.eye(3) + 0.01 * np.random.default_rng(1).uniform(-1, 1, (3, 3))
    E = 0.5 * (F.T @ F - np.eye(3))
    lam, mu = 1e6 * poisson / ((1 + poisson) * (1 - 2 * poisson)), 1e6 / (2 + 2 * poisson)
    exact = mesh.volume * (lam / 2 * np.trace(E) ** 2 + mu * (E * E).sum())
    assert assembly.value(X @ F.T) == pytest.approx(exact, rel=1e-9)
    g = np.abs(assembly.gradient(X @ F.T))
    inner = np.setdiff1d(np.arange(len(mesh)), mesh.boundary_points)
    if len(inner):
        assert g[body.points_of(inner)].max() < 1e-11 * g.max()
    # Places of 3 m are rounded to 4e-16, beside strains of 0.01.
    assert assembly.value(X @ turn(2.0).T + [3.0, 1.0, -2.0]) < 1e-20 * exact


@pytest.mark.parametrize("across", [1, 2], ids=["shell", "rod"])
def test_thin_ones_are_strained_uniformly_too(across):
    """Along themselves, and thinner by poisson across: nothing pushes but their rims and ends."""
    points = lattice((1.0, 9), (0.4, 5)) if across == 1 else lattice((1.0, 9))
    samples, nu = shaken(points, 0.04), MATTER["poisson"]
    body = pl.Elastons(samples, thickness=0.05, **MATTER)
    along = np.array([[1.2, 0.3, 0.0], [-0.1, 0.9, 0.0], [0.0, 0.0, 0.0]])
    if across == 2:  # a rod that is sheared must bend
        along[1], along[:, 1] = 0.0, 0.0
    F = np.eye(3) + 0.01 * along
    E = 0.5 * (F.T @ F - np.eye(3))
    thin = -nu / (1 - nu) * (E[0, 0] + E[1, 1]) if across == 1 else -nu * E[0, 0]
    F[range(3 - across, 3), range(3 - across, 3)] = np.sqrt(1.0 + 2.0 * thin)
    X = body.mesh.points
    g = Assembly(len(body), 3, body.energies(device="cpu")).gradient(X @ (turn(0.7) @ F).T)
    rim = ((samples < 1e-9) | (samples > samples.max(axis=0) - 1e-9))[:, : 3 - across].any(axis=1)
    inner = body.points_of(~rim)
    # Operators of thin things are of 1 / thickness, beside which strains are rounded.
    assert len(inner) >= 4 * 7 and np.abs(g[inner]).max() < 1e-9 * np.abs(g).max()


def test_points_and_their_mesh_are_one_body():
    mesh = line()
    one = pl.Elastons(mesh, thickness=0.02, **MATTER)
    other = pl.Elastons(mesh.points.tolist(), thickness=0.02, **MATTER)
    np.testing.assert_array_equal(one.mesh.points, other.mesh.points)
    a, b = (
        Assembly(len(e), 3, e.energies(device="cpu")).gradient(1.01 * e.mesh.points)
        for e in (one, other)
    )
    np.testing.assert_allclose(a, b, atol=1e-9 * np.abs(a).max())


@pytest.mark.parametrize(
    "dt", [1 / 24, pytest.param(1 / 60, marks=SLOW), pytest.param(1 / 240, marks=SLOW)]
)
def test_a_torus_of_samples_hangs_and_rests_on_cue(dt, tmp_path):
    body = pl.Elastons(TORUS, **(MATTER | {"young": 1e7}))
    body.fix(body.points_of(TORUS[:, 1] > 1.0))
    body.damping = pl.Settle(rest_in=0.5)
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.75, dt=dt, progress=False)
    assert take.rest_time() == pytest.approx(0.5, rel=0.03)
    if dt == 1 / 24:
        surface = take.tracks[0].skin.surface
        assert len(surface.points) == len(TORUS)
        assert take.save(tmp_path / "torus.glb").stat().st_size > 5000
        saved = pl.Take.read(take.save(tmp_path / "torus.npz"))
        np.testing.assert_array_equal(saved.positions, take.positions)
        assert take.save(tmp_path / "torus.png").stat().st_size > 5000


def test_volume_says_how_much_there_is():
    whole = 2 * np.pi**2 * 0.09
    found, given = pl.Elastons(TORUS, **MATTER), pl.Elastons(TORUS, volume=whole, **MATTER)
    assert given.masses.sum() == pytest.approx(1000.0 * whole)
    more = given.masses.sum() / found.masses.sum()
    x = 1.01 * found.mesh.points
    values = [Assembly(len(b), 3, b.energies(device="cpu")).value(x) for b in (found, given)]
    assert values[1] == pytest.approx(more * values[0]) and more > 1.1
    each = np.random.default_rng(0).uniform(0.5, 1.5, len(TORUS))
    body = pl.Elastons(TORUS, volume=each, **MATTER)
    np.testing.assert_allclose(body.masses[::4], 250.0 * each)


def arms(*ends):
    along = np.linspace(0.2, 1.0, 5)[:, None]
    return np.concatenate([np.zeros((1, 3)), *(along * end for end in np.array(ends, dtype=float))])


@pytest.mark.parametrize(
    "ends",
    [
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(1, 0, 0), (-1, 0, 0), (0, 1, 0)],
        [(1, 0, 1), (-1, 0, 1), (0, 0.7, 0.7)],
    ],
    ids=["corner", "T", "tripod"],
)
@pytest.mark.parametrize("up", [None, (0.1, 0.2, 1.0)])
def test_rods_may_branch(ends, up):
    points = arms(*ends)
    body = pl.Elastons(points, thickness=0.05, up=up, dimension=1, **MATTER)
    assert np.isfinite(body.skin.surface.points).all()
    body.fix(body.points_of([5]))
    x = pl.Scene([body], gravity=(0, 0, -0.01)).equilibrium().positions[0]
    assert np.isfinite(x).all() and np.abs(x - body.mesh.points).max() > 1e-6


BLOCK = lattice((0.6, 4), (0.4, 3), (0.4, 3))
FLAT = lattice((1.0, 9), (0.4, 5))


@pytest.mark.parametrize(
    "points, how, words",
    [
        (BLOCK[:, :2], {}, r"expected points in 3D, as in np\.insert"),
        (BLOCK[:1], {}, "got 1 sample"),
        (np.concatenate([BLOCK, BLOCK[:1]]), {}, "samples 0 and 36.*np.unique"),
        (np.concatenate([BLOCK, [[5, 5, 5]]]), {}, "1 of 37 samples with too few neighbours.*36"),
        (FLAT, {"dimension": 3}, "45 of 45 samples with too few neighbours for a volume"),
        (lattice((1.0, 9)), {"dimension": 2, "thickness": 0.1}, "too few .* for a surface"),
        (FLAT, {}, "expected one number above 0.*for a shell"),
        (BLOCK, {"thickness": 0.1}, "for a solid.*dimension=2"),
        (BLOCK, {"dimension": 4}, "expected 1, 2, 3 or None"),
        (BLOCK, {"dimension": "3"}, "expected 1, 2, 3 or None"),
        (BLOCK, {"spacing": -1.0}, "spacing=-1.0; expected more than 0"),
        (BLOCK, {"volume": 0.0}, "volume=0.0"),
        (BLOCK, {"volume": [1.0, 2.0]}, "of each of its 36 samples"),
        (BLOCK * np.nan, {}, "not finite"),
        ("a coil", {}, "not numbers"),
        (None, {}, "expected"),
        (line(), {"dimension": 1, "thickness": 0.1}, "in place of the mesh"),
    ],
)
def test_what_is_no_body_is_refused(points, how, words):
    with pytest.raises(ValueError, match=words):
        pl.Elastons(points, **(MATTER | how))
