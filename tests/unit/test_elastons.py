"""Bodies of elastons: interface, laws and errors."""

import numpy as np
import pytest

import pliant as pl
from pliant.bodies.elastons.moving_least_squares import PAIRS
from pliant.energies.assembly import Assembly

MATTER = {"young": 1e6, "poisson": 0.3, "density": 1000.0}


def line(cells=6, length=1.0):
    points = np.linspace(0.0, length, cells + 1)[:, None] * [1.0, 0.0, 0.0]
    return pl.Mesh(points, {"line": [(i, i + 1) for i in range(cells)]})


def sheet(size=(1.0, 0.4), cells=(4, 2), shift=0.0):
    flat = pl.meshes.rectangle(size, cells)
    points = np.insert(flat.points, 2, 0.0, axis=1)
    inside = ((points[:, :2] > 1e-9) & (points[:, :2] < np.array(size) - 1e-9)).all(axis=1)
    points[inside, :2] += shift * np.random.default_rng(0).uniform(-1, 1, (inside.sum(), 2))
    return pl.Mesh(points, flat.cells)


def box(size=(0.6, 0.4, 0.4), cells=(3, 2, 2), kind="tet", shift=0.0):
    mesh = pl.meshes.box(size, cells, kind=kind)
    points = mesh.points.copy()
    inside = ((points > 1e-9) & (points < np.array(size) - 1e-9)).all(axis=1)
    points[inside] += shift * np.random.default_rng(0).uniform(-1, 1, (inside.sum(), 3))
    return pl.Mesh(points, mesh.cells)


def rod(**how):
    return pl.Elastons(line(), thickness=(0.04, 0.02), **(MATTER | how))


def shell(**how):
    return pl.Elastons(sheet(), thickness=0.02, **(MATTER | how))


def solid(**how):
    return pl.Elastons(box(cells=(3, 2, 1)), **(MATTER | how))


KINDS = {"rod": rod, "shell": shell, "solid": solid}
each = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


def held(body, mesh_points):
    body.fix(body.points_of(mesh_points[:, 0] < 1e-9))
    return body


def turn(angle, axis=(0.3, -0.5, 0.8)):
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(angle * np.array(axis) / np.linalg.norm(axis)).as_matrix()


def assembly_of(body):
    return Assembly(len(body), 3, body.energies(device="cpu"))


@each
def test_rest_and_rigid_motion_cost_nothing_and_nothing_else_is_free(make):
    body = make()
    assembly, X = assembly_of(body), body.mesh.points
    moved = X @ turn(2.0).T + [3.0, 1.0, -2.0]
    values = np.linalg.eigvalsh(
        assembly.pattern.matrix(assembly.blocks(X, project=False)).toarray()
    )
    assert np.abs(values[:6]).max() < 1e-12 * values[-1] and values[6] > 1e-9 * values[-1]
    # Beside a stretch by one percent; places of 3 m are rounded to 4e-16, thin things have operators
    # of 1e3 / m: strains of some 1e-12 at most, ten digits below.
    stretched = 1.01 * X
    for still in (X, moved):
        assert (
            np.abs(assembly.gradient(still)).max()
            < 1e-10 * np.abs(assembly.gradient(stretched)).max()
        )
        assert assembly.value(still) < 1e-20 * assembly.value(stretched)


@pytest.mark.parametrize("kind", ["tet", "hex"])
def test_affine_maps_are_exact(kind):
    """A uniform strain costs V/2 e : C : e, and holds its inside in place (the patch test)."""
    mesh = box(kind=kind, shift=0.02 if kind == "tet" else 0.0)
    body = pl.Elastons(mesh, **MATTER)
    edge = ((mesh.points < 1e-9) | (mesh.points > np.array([0.6, 0.4, 0.4]) - 1e-9)).any(axis=1)
    F = np.eye(3) + 0.01 * np.random.default_rng(1).uniform(-1, 1, (3, 3))
    E = 0.5 * (F.T @ F - np.eye(3))
    lam, mu = 1e6 * 0.3 / (1.3 * 0.4), 1e6 / 2.6
    exact = 0.6 * 0.4 * 0.4 * (lam / 2 * np.trace(E) ** 2 + mu * (E * E).sum())
    assembly, x = assembly_of(body), body.mesh.points @ F.T
    assert assembly.value(x) == pytest.approx(exact, rel=1e-9)
    inner = np.setdiff1d(np.arange(len(body)), body.points_of(edge))
    assert len(inner) >= 8
    g = assembly.gradient(x)
    # Gauss's theorem holds to rounding of sums over some 300 elastons.
    assert np.abs(g[inner]).max() < 1e-11 * np.abs(g).max()


@each
def test_the_strain_of_the_lecture_is_the_derivative_of_this_one(make):
    """Cauchy's, e_ij = (u,i . X,j + X,i . u,j) / 2, and the beta^k of it."""
    (energy,) = make().energies(device="cpu")
    X = make().mesh.points
    u = np.random.default_rng(0).uniform(-1, 1, X.shape)
    assembly, small = Assembly(len(X), 3, [energy]), 1e-7
    up, down = (energy.measures(assembly.array(X + s * small * u)) for s in (1, -1))
    found = (up - down) / (2 * small)
    d = np.einsum("tai,tid->tad", energy.operators, u[energy.stencils])
    rest = np.einsum("tai,tid->tad", energy.operators, X[energy.stencils])
    # At rest x,i are unit vectors and x,ij is zero, so that beta^k is (u,ik . X,j + X,i . u,jk) / 2.
    np.testing.assert_allclose(
        rest[:, :3] @ rest[:, :3].transpose(0, 2, 1), [np.eye(3)] * len(d), atol=1e-9
    )
    np.testing.assert_allclose(rest[:, 3:], 0.0, atol=1e-7)
    first, X1 = d[:, :3], rest[:, :3]
    for m, (i, j) in enumerate(PAIRS):
        linear = 0.5 * np.einsum("td,td->t", first[:, i], X1[:, j])
        linear += 0.5 * np.einsum("td,td->t", X1[:, i], first[:, j])
        np.testing.assert_allclose(found[:, m], linear, atol=1e-6 * np.abs(found).max())
        for k in range(3):
            ik, jk = (3 + PAIRS.index((min(a, k), max(a, k))) for a in (i, j))
            linear = 0.5 * np.einsum("td,td->t", d[:, ik], X1[:, j])
            linear += 0.5 * np.einsum("td,td->t", X1[:, i], d[:, jk])
            got = found[:, 6 * (k + 1) + m]
            np.testing.assert_allclose(got, linear, atol=1e-6 * np.abs(found).max())


@each
def test_mass_inertia_and_nodes(make):
    body = make()
    volume = {"rod": 0.04 * 0.02, "shell": 0.4 * 0.02, "solid": 0.6 * 0.4 * 0.4}
    name = next(n for n, m in KINDS.items() if m is make)
    assert body.masses.sum() == pytest.approx(1000.0 * volume[name], rel=1e-12)
    assert body.facts()["nodes"] == len(body) // 4
    np.testing.assert_allclose(body.nodes, body.mesh.points.reshape(-1, 4, 3).mean(axis=1))
    X = body.mesh.points - body.masses @ body.mesh.points / body.masses.sum()
    span = {"rod": (1, 0.04, 0.02), "shell": (1, 0.4, 0.02), "solid": (0.6, 0.4, 0.4)}[name]
    moments = np.einsum("n,ni,nj->ij", body.masses, X, X) / body.masses.sum()
    # Ends are lumped in whole nodes, so that lengths have more than their moment; across it is exact.
    across = {"rod": [1, 2], "shell": [2], "solid": []}[name]
    np.testing.assert_allclose(
        np.diag(moments)[across], (np.array(span) ** 2 / 12)[across], rtol=1e-9
    )
    assert len(np.unique(body.components)) == 1


def test_two_rods_in_one_mesh_are_two_parts():
    one = line()
    both = np.concatenate([one.points, one.points + [0.0, 1.0, 0.0]])
    cells = np.concatenate([one.cells["line2"], one.cells["line2"] + len(one)])
    body = pl.Elastons(pl.Mesh(both, {"line": cells}), thickness=0.02, **MATTER)
    assert len(np.unique(body.components)) == 2


@pytest.mark.parametrize("bounces", [None, 0, 2])
@each
def test_it_rests_on_cue(make, bounces):
    """From where a load had it, by a millimetre: a thin thing that is stretched too rings twice."""
    body = held(make(), make().nodes)
    body.push(force=(0.0, 0.0, 1e-5), on=np.arange(len(body)))
    u = pl.Scene([body]).equilibrium().positions[0] - body.mesh.points
    body.place(body.mesh.points + 1e-3 / np.abs(u).max() * u)
    body.unpush()
    body.damping = pl.Settle(0.8, bounces)
    take = pl.Scene([body]).run(seconds=1.0, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_a_rod_bounces_in_time_far_from_rest():
    """Let go level, it sinks by a tenth of its length; its inertia is in strain, not in places."""
    body = held(rod(young=3e8), line().points)
    body.damping = pl.Settle(0.8, 2)
    take = pl.Scene([body], gravity=(0.0, 0.0, -9.81)).run(seconds=1.0, dt=1 / 60, progress=False)
    assert body.nodes[:, 2].min() < -0.1
    assert take.ring().rest_time(0.01) == pytest.approx(0.8, rel=0.03)


@each
def test_a_thrown_one_keeps_its_momentum(make):
    body = make(damping=pl.Settle(0.5, 1))
    X = body.mesh.points
    body.velocity = [0.3, 0.1, -0.2] + np.cross([1.0, 2.0, -1.0], X - X.mean(axis=0))
    body.place(X * [1.02, 0.99, 1.0])
    take = pl.Scene([body]).run(seconds=0.3, dt=1 / 60, progress=False)
    p = np.einsum("n,fni->fi", body.masses, take.velocities)
    np.testing.assert_allclose(p, np.broadcast_to(p[0], p.shape), atol=1e-9 * np.abs(p).max())


@pytest.mark.parametrize(
    "stepper", [pl.LinearisedImplicit(), pl.BDF2(), pl.Newmark()], ids=lambda s: type(s).__name__
)
def test_other_steppers_move_it_alike(stepper):
    def after(stepper):
        body = held(rod(), line().points)
        scene = pl.Scene([body], gravity=(0.0, 0.0, -9.81))
        scene.run(seconds=0.1, dt=1 / 1000, stepper=stepper, progress=False)
        return body.nodes

    # It falls by g t^2/2 = 49 mm; steps of first order miss by g t dt/2 = 0.5 mm, twice for its waves.
    usual = after(pl.Implicit())
    assert usual[:, 2].min() < -0.03
    assert np.abs(after(stepper) - usual).max() < 1e-3


def test_explicit_steps_are_stable_up_to_their_limit():
    body = held(solid(), solid().nodes)
    stepper = pl.SymplecticEuler()
    dt = 0.9 * stepper.longest_dt(body.system(), body.damping)
    body.place(body.mesh.points * [1.01, 1.0, 1.0])
    pl.Scene([body]).run(seconds=300 * dt, dt=dt, stepper=stepper, progress=False)
    assert np.abs(body.positions - body.mesh.points).max() < 0.02


@each
def test_it_is_drawn_as_what_it_is(make):
    body = make()
    surface, at = body.skin.surface, body.skin.positions(body.mesh.points)
    np.testing.assert_allclose(at, surface.points, atol=1e-12)
    # The skin is closed and faces outward: what it encloses is the body.
    corners = at[surface.corners[surface.triangles]]
    enclosed = (
        np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    )
    assert enclosed == pytest.approx(body.masses.sum() / 1000.0, rel=1e-9)
    F = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.3, 0.0, 1.0]])
    np.testing.assert_allclose(body.skin.positions(body.mesh.points @ F.T), at @ F.T, atol=1e-12)


@each
def test_it_wears_a_surface(make):
    """Which goes where the map goes: exactly for maps of the second degree along the body."""
    body, rng = make(), np.random.default_rng(0)
    low, high = body.nodes.min(axis=0), body.nodes.max(axis=0)
    points = low + rng.uniform(0, 1, (9, 3)) * (high - low) + 0.005 * rng.uniform(-1, 1, (9, 3))
    body.wear(pl.Surface.of(points, [(0, 1, 2), (3, 4, 5), (6, 7, 8)]))

    def bent(X, at):  # by x^2, of which a node knows its own tangent
        x0 = at[:, 0]
        return X + (0.3 * (2 * X[:, 0] - x0) * x0)[:, None] * [0.0, 0.5, 1.0]

    at = np.repeat(body.nodes, 4, axis=0)
    np.testing.assert_allclose(
        body.skin.positions(bent(body.mesh.points, at)), bent(points, points), atol=1e-10
    )
    with pytest.raises(pl.MeshError, match="beyond the reach"):
        body.wear(pl.Surface.of(points + 5.0, [(0, 1, 2)]))


def test_takes_are_saved(tmp_path):
    body = held(rod(), line().points)
    take = pl.Scene([body], gravity=(0.0, -9.81, 0.0)).run(seconds=0.1, progress=False)
    saved = pl.Take.read(take.save(tmp_path / "rod.npz"))
    np.testing.assert_array_equal(saved.positions, take.positions)
    assert saved.about["bodies"][0]["elastons"] == 12
    assert take.save(tmp_path / "rod.glb").stat().st_size > 2000


MIXED = pl.Mesh(
    [(0.0, 0, 0), (1.0, 0, 0), (0.0, 1, 0), (2.0, 0, 0)], {"tri": [(0, 1, 2)], "line": [(1, 3)]}
)


@pytest.mark.parametrize(
    "mesh, how, words",
    [
        (line(), {"thickness": None}, "one number or two above 0"),
        (line(), {"thickness": (0.1, 0.1, 0.1)}, "one number or two"),
        (sheet(), {"thickness": 0.0}, r"thickness=0.0; expected one number above 0 \[m\]"),
        (box(), {"thickness": 0.1}, "for a solid; expected None"),
        (line(), {"thickness": 0.1, "young": -1.0}, "young=-1.0"),
        (line(), {"thickness": 0.1, "poisson": 0.5}, "less than 0.5"),
        (line(), {"thickness": 0.1, "density": float("nan")}, "density=nan"),
        (line(), {"thickness": 0.1, "support": 0.6}, r"1 neighbours .*try support=0.9"),
        (line(), {"thickness": 0.1, "up": (1, 0, 0)}, "runs along"),
        (line(), {"thickness": 0.1, "up": "z"}, "expected a direction"),
        (sheet(), {"thickness": 0.1, "up": (0, 0, 1)}, "only rods"),
        (box(), {"support": 0.4}, "neighbours"),
        (pl.meshes.rectangle(), {"thickness": 0.1}, r"np\.insert"),
        (pl.meshes.box(kind="tet10"), {}, "expected cells of line2"),
        (MIXED, {"thickness": 0.1}, "one dimension"),
    ],
)
def test_bad_elastons_are_refused(mesh, how, words):
    with pytest.raises(ValueError, match=words):
        pl.Elastons(mesh, **(MATTER | how))


def test_loads_on_facets_are_refused():
    with pytest.raises(ValueError, match=r"on=body\.points_of"):
        rod().push(pressure=1.0)
