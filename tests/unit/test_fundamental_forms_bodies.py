"""Bodies by fundamental forms: what they take, what they refuse, and where they work."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies.assembly import Assembly
from pliant.energies.jet import JetEnergy
from pliant.forms.curve import Binormal
from tests.laws.test_form_laws import turn
from tests.laws.test_spring_laws import dense, differences
from tests.verification.test_fundamental_forms import chain, sheet, straight

CURVE = {"metric": 100.0, "curvature": 0.1, "density": 0.1}
SHEET = {"metric": 100.0, "curvature": 0.1, "density": 0.2}
SOLID = {"metric": 1e4, "density": 1e3}


def bodies():
    t = np.linspace(0, 5, 12)
    helix = np.stack([np.cos(t), np.sin(t), 0.2 * t], axis=1)
    ring = np.stack([np.cos(2 * np.pi * t / 6), np.sin(2 * np.pi * t / 6)], axis=1)
    ball = pl.meshes.sphere(1.0, 3)
    skin = np.unique(ball.boundary["tri3"], return_inverse=True)
    return {
        "line": pl.FormCurve(chain(straight(6, 3)), **CURVE),
        "helix": pl.FormCurve(chain(helix), torsion=0.1, **CURVE),
        "ring": pl.FormCurve(chain(ring[:-2], closed=True), **CURVE),
        "quads": pl.FormSurface(sheet((1, 1), (4, 4)), **SHEET),
        "triangles": pl.FormSurface(sheet((1, 1), (4, 4), "tri"), **SHEET),
        "balloon": pl.FormSurface(
            pl.Mesh(ball.points[skin[0]], {"tri": skin[1].reshape(-1, 3)}), **SHEET
        ),
        "plane": pl.FormSolid(pl.meshes.rectangle((1, 1), (3, 3), kind="quad"), **SOLID),
        "solid": pl.FormSolid(pl.meshes.box((1, 1, 1), (2, 2, 2)), **SOLID),
    }


each = pytest.mark.parametrize("name", list(bodies()))


@each
def test_laws_hold_for_the_whole_body(name):
    body = bodies()[name]
    rest, n, dim = body.mesh.points, len(body), body.dim
    assembly = Assembly(n, dim, body.energies(device="cpu"))
    Q = turn(dim)
    stiffness = np.abs(dense(assembly, rest, project=False)).max()
    # Rest costs nothing, wherever it lies: squares of rounding.
    for still in (rest, rest @ Q.T + 2.0):
        assert assembly.value(still) <= 1e-20 * stiffness
        assert np.abs(assembly.gradient(still)).max() <= 1e-10 * stiffness
    x = rest + 0.01 * np.random.default_rng(0).standard_normal(rest.shape)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    assert np.abs(g).max() > 1e-6 * stiffness
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    assert assembly.value(x @ Q.T + 2.0) == pytest.approx(assembly.value(x), rel=1e-8)
    values = np.linalg.eigvalsh(dense(assembly, x, project=True))
    assert values.min() >= -1e-11 * values.max()


@each
@pytest.mark.parametrize("stepper", [pl.Implicit(), pl.SymplecticEuler(), pl.Newmark()])
def test_inner_forces_leave_the_fall_alone_with_every_stepper(name, stepper):
    body = bodies()[name]
    g = -np.eye(body.dim)[1]
    body.place(body.mesh.points * np.linspace(1.01, 0.99, body.dim))
    dt = min(1e-3, 0.3 * pl.SymplecticEuler().longest_dt(body.system(), body.damping))
    pl.Scene([body], gravity=g).run(seconds=10 * dt, dt=dt, stepper=stepper, progress=False)
    momentum = body.masses @ body.velocity
    assert np.abs(body.velocity - 10 * dt * g).max() > 1e-6  # it moves in itself, too
    np.testing.assert_allclose(
        momentum, 10 * dt * g * body.masses.sum(), atol=1e-9 * body.masses.sum()
    )


@each
def test_explicit_steps_have_a_longest(name):
    body = bodies()[name]
    dt = pl.SymplecticEuler().longest_dt(body.system(), body.damping)
    assert 1e-6 < dt < 1.0


def test_masses():
    assert pl.FormCurve(chain(straight(5)), **CURVE).masses.sum() == pytest.approx(0.1)
    assert pl.FormSurface(sheet((2, 1), (6, 4)), **SHEET).masses.sum() == pytest.approx(0.4)
    solid = pl.FormSolid(pl.meshes.box((2, 1, 1), (2, 1, 1)), **SOLID)
    assert solid.masses.sum() == pytest.approx(2000.0)
    assert solid.facts()["mass"] == pytest.approx(2000.0)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_weights_by_component_lie_along_the_axes(axis):
    """Stretched along its first direction by 10 %, a sheet costs w_11/2 E^2, E = (1.1^2 - 1)/2."""
    flat = pl.meshes.rectangle((2, 1), (4, 3), kind="quad")
    mesh = pl.Mesh(np.insert(flat.points, axis, 0.0, axis=1), flat.cells)
    how = SHEET | {"metric": [[50.0, 7.0], [7.0, 3.0]], "curvature": 0.0}
    body = pl.FormSurface(mesh, **how)
    E = (1.1**2 - 1) / 2
    assembly = Assembly(len(mesh), 3, body.energies(device="cpu"))
    first, second = [a for a in range(3) if a != axis]
    for stretched, weight in ((first, 50.0), (second, 3.0)):
        x = mesh.points.copy()
        x[:, stretched] *= 1.1
        assert assembly.value(x) == pytest.approx(2.0 * weight / 2 * E**2, rel=1e-10)
    sheared = mesh.points.copy()
    sheared[:, first] += 0.2 * mesh.points[:, second]  # E_12 = 0.1, E_22 = 0.02
    exact = 2.0 * (2 * 7.0 / 2 * 0.1**2 + 3.0 / 2 * 0.02**2)
    assert assembly.value(sheared) == pytest.approx(exact, rel=1e-10)


def test_weights_may_change_along_a_curve():
    """A strip that is twice as stiff, and twice as bendable, from its middle on."""
    x = straight(8)
    stiff = np.where(x[:, 0] > 0.49, 200.0, 100.0)
    body = pl.FormCurve(chain(x), metric=stiff, curvature=1e-3 * stiff, density=0.1)
    length, bend = body.energies(device="cpu")
    E = (1.1**2 - 1) / 2
    lines = np.array([100.0] * 3 + [150.0] + [200.0] * 4)  # a line is as stiff as its ends, in mean
    assert Assembly(9, 2, [length]).value(1.1 * x) == pytest.approx((lines / 8).sum() / 2 * E**2)
    kinked = x + np.clip(x[:, :1] - 0.75, 0, None) * [0, 0.01]  # at one point, where it is stiff
    half = x + np.clip(x[:, :1] - 0.25, 0, None) * [0, 0.01]
    assembly = Assembly(9, 2, [bend])
    assert assembly.value(kinked) == pytest.approx(2 * assembly.value(half), rel=1e-9)
    assert body.facts()["metric"] == [100.0, 200.0]


def test_a_straight_curve_bends_alike_in_all_directions():
    x = straight(4, 3)
    energy = pl.FormCurve(chain(x), **CURVE).energies(device="cpu")[1]
    assert isinstance(energy, JetEnergy) and energy.form is Binormal
    assembly = Assembly(5, 3, [energy])
    found = [
        assembly.value(x + 0.1 * x[:, :1] ** 2 * [0, np.cos(a), np.sin(a)]) for a in (0.0, 0.7, 2.0)
    ]
    np.testing.assert_allclose(found, found[0], rtol=1e-12)


def test_beside_other_bodies_in_a_scene():
    wire = pl.FormCurve(chain(straight(6, 3)), **CURVE)
    mesh = sheet((1, 1), (3, 3), "tri")
    cloth = pl.Cloth(mesh, stretch=100.0, shear=100.0, bend=0.01, density=0.2)
    take = pl.Scene([wire, cloth], gravity=(0, 0, -1)).run(seconds=0.1, progress=False)
    assert take[wire].positions.shape == (7, 7, 3)
    assert take.tracks[0].skin.positions(take[wire].positions[0]).shape == (7, 3)


MISTAKES = [
    (
        lambda: pl.FormCurve(chain(straight(4)), **CURVE | {"metric": -1.0}),
        "metric=-1.0; expected more than 0",
    ),
    (lambda: pl.FormCurve(chain(straight(4)), **CURVE | {"curvature": -0.1}), "curvature=-0.1"),
    (lambda: pl.FormCurve(chain(straight(4)), **CURVE | {"density": 0.0}), "density=0.0"),
    (lambda: pl.FormCurve(chain(straight(4)), **CURVE | {"metric": [1, 2]}), "5, one per point"),
    (lambda: pl.FormCurve(chain(straight(4)), torsion=1.0, **CURVE), "torsion in 2D"),
    (lambda: pl.FormCurve(chain(straight(4, 3)), torsion=1.0, **CURVE), "straight between points"),
    (lambda: pl.FormCurve(chain(straight(1)), **CURVE), "at least three points"),
    (lambda: pl.FormCurve(chain(straight(2, 3)), torsion=1.0, **CURVE), "at least four points"),
    (lambda: pl.FormCurve(sheet((1, 1), (3, 3)), **CURVE), "expected lines"),
    (lambda: pl.FormCurve("wire", **CURVE), "expected pl.Mesh"),
    (
        lambda: pl.FormCurve(
            pl.Mesh([[0, 0], [1, 0], [0, 1], [-1, 0]], {"line": [[0, 1], [0, 2], [0, 3]]}), **CURVE
        ),
        "3 lines meet at point 0",
    ),
    (lambda: pl.FormSurface(sheet((1, 1), (1, 4)), **SHEET), "on its rim"),
    (lambda: pl.FormSurface(pl.meshes.rectangle(), **SHEET), "in 3D"),
    (
        lambda: pl.FormSurface(sheet((1, 1), (4, 4)), **SHEET | {"metric": -5.0}),
        "got -5.0; .*0 or more",
    ),
    (lambda: pl.FormSurface(sheet((1, 1), (4, 4)), **SHEET | {"metric": 0.0}), "more than 0"),
    (
        lambda: pl.FormSurface(sheet((1, 1), (4, 4)), **SHEET | {"curvature": [[1, 2], [3, 4]]}),
        "symmetric",
    ),
    (
        lambda: pl.FormSurface(
            sheet((1, 1), (4, 4)), **SHEET | {"metric": np.diag([1.0, -1.0, 1.0])}
        ),
        "eigenvalue -1",
    ),
    (lambda: pl.FormSurface(sheet((1, 1), (4, 4)), **SHEET | {"metric": "stiff"}), "got 'stiff'"),
    (lambda: pl.FormSolid(sheet((1, 1), (4, 4)), **SOLID), "pl.FormSurface"),
    (lambda: pl.FormSolid(pl.meshes.box(), **SOLID | {"metric": np.eye(5)}), r"shape \(5, 5\)"),
    (lambda: pl.FormSolid(pl.meshes.box(), **SOLID | {"density": np.nan}), "density=nan"),
]


@pytest.mark.parametrize("make, words", MISTAKES)
def test_mistakes_are_told_in_one_line(make, words):
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        make()
    assert "\n" not in str(caught.value)
