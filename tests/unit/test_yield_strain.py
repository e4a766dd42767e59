"""Springs, rods and cloth that stay as they were strained beyond yield."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.conditions import Distance
from pliant.energies import PlasticConditions, PlasticJets, PlasticSprings
from pliant.energies.flowing_kernels import HARDENING
from pliant.forms import RodStrains
from tests.resuming import assert_same, stopped_and_resumed

wp.config.quiet = True


# --- energies ------------------------------------------------------------------------------


def vectors(x):
    return wp.array(np.ascontiguousarray(x), dtype=wp.types.vector(x.shape[1], wp.float64))


def gradient(energy, x):
    g = vectors(np.zeros_like(x))
    energy.add_gradient(vectors(x), g)
    return g.numpy()


def hessian(energy, x, project):
    n, dim = x.shape
    s = energy.stencils
    slots = wp.array(s[:, :, None] * n + s[:, None, :], dtype=wp.int32)
    blocks = wp.zeros(n * n, dtype=wp.types.matrix((dim, dim), wp.float64))
    energy.add_hessian(vectors(x), blocks, slots, project)
    return blocks.numpy().reshape(n, n, dim, dim).transpose(0, 2, 1, 3).reshape(n * dim, n * dim)


def springs():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, 3))
    pairs = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]])
    rest = np.linalg.norm(x[pairs[:, 1]] - x[pairs[:, 0]], axis=1)
    k = rng.uniform(1, 3, 6)
    return x, PlasticSprings(x, pairs, stiffness=k, rest=rest, yield_strain=0.1)


def conditions():
    x, made = springs()
    pairs = made.stencils
    rest = made.parameters if hasattr(made, "parameters") else made._lengths[:, None]
    limit = np.full(6, 0.1)
    return x, PlasticConditions(
        Distance, x, pairs, stiffness=np.full(6, 2.0), parameters=rest, limit=limit, unit=limit * 10
    )


def jets():
    rod = pl.Rod(np.linspace([0, 0, 0], [1, 0, 0], 4), young=10.0, radius=0.2, yield_strain=0.05)
    (energy,) = rod.energies(device="cpu")
    assert isinstance(energy, PlasticJets) and energy.form is RodStrains
    return rod.mesh.points, energy


@pytest.mark.parametrize("make", [springs, conditions, jets])
def test_derivatives_match_finite_differences(make):
    X, energy = make()
    rng = np.random.default_rng(1)
    x = X + 0.12 * rng.normal(size=X.shape) * np.ptp(X)
    flow = energy.after_flow(vectors(x))
    flowed = flow.plastic > 0
    assert flowed.any(), "nothing flows"
    h, dx = 1e-6, rng.normal(size=X.shape)
    values = [energy.value(vectors(x + s * h * dx)) for s in (1, -1)]
    slope = (values[0] - values[1]) / (2 * h)
    assert np.vdot(gradient(energy, x), dx) == pytest.approx(slope, rel=1e-6)
    numbers = (gradient(energy, x + h * dx) - gradient(energy, x - h * dx)).ravel() / (2 * h)
    H = hessian(energy, x, False)
    assert np.abs(H @ dx.ravel() - numbers).max() < 1e-6 * np.abs(numbers).max()
    assert np.abs(H - H.T).max() < 1e-12 * np.abs(H).max()
    w = np.linalg.eigvalsh(hessian(energy, x, True))
    assert w[0] > -1e-10 * w[-1]


@pytest.mark.parametrize("make", [springs, conditions, jets])
def test_flow_keeps_the_force_and_comes_once(make):
    """The force at the end of a step is that of what is elastic after it."""
    X, energy = make()
    x = X + 0.1 * np.random.default_rng(2).normal(size=X.shape) * np.ptp(X)
    before = gradient(energy, x)
    flow = energy.after_flow(vectors(x))
    assert flow.plastic.max() > 0.01
    energy.take_flow(flow)
    assert np.abs(gradient(energy, x) - before).max() < 1e-12 * np.abs(before).max()
    assert energy.after_flow(vectors(x)) is flow
    energy.take_flow(energy.annealed(vectors(x)))
    assert np.abs(gradient(energy, x)).max() < 1e-12 * np.abs(before).max()
    energy.take_flow(energy.virgin())
    assert np.abs(gradient(energy, X)).max() < 1e-13 * np.abs(before).max()


# --- springs -------------------------------------------------------------------------------


def pair(**settings):
    mesh = pl.Mesh(np.array([[0.0, 0, 0], [1.0, 0, 0]]), {"line": np.array([[0, 1]])})
    body = pl.Springs(mesh, stiffness=100.0, mass=0.1, **settings)
    body.fix([0])
    return body


def test_a_spring_pulled_beyond_yield_stays_longer():
    body = pair(yield_strain=0.1)
    body.push(force=lambda t: (11.0 if t < 0.5 else 0.0, 0.0, 0.0), on=[1])
    scene = pl.Scene([body], contact=False)
    # Beyond 10 N, at 0.1 m, the force grows by a hundredth of the stiffness.
    scene.step(0.25, stepper=pl.QuasiStatic())
    assert body.positions[1, 0] == pytest.approx(1.1 + 1.0 / (100.0 * HARDENING), rel=1e-9)
    assert body.plastic[0] == pytest.approx(1.0 - HARDENING, rel=1e-9)
    scene.step(0.5, stepper=pl.QuasiStatic())
    assert body.positions[1, 0] == pytest.approx(1.0 + 1.0 - HARDENING, rel=1e-9)


def test_it_rests_on_cue_at_its_new_length():
    body = pair(yield_strain=0.1)
    body.damping = pl.Settle(rest_in=0.5)
    body.place([[0, 0, 0], [1.5, 0, 0]])
    take = pl.Scene([body], contact=False).run(seconds=0.9, dt=1 / 60, progress=False)
    rest = 1.0 + 0.4 * (1 - HARDENING)
    assert take.positions[-1, 1, 0] == pytest.approx(rest, abs=1e-4)  # 3e-4 of the way is left
    assert take.rest_time() == pytest.approx(0.5, rel=0.01)
    assert take.plastic.shape == (len(take), 1)
    body.anneal()
    assert not body.plastic.any()
    body.reset()
    assert body.rest_shape()[1, 0] == pytest.approx(1.0)


def test_cut_springs_leave_the_flow_of_the_others():
    mesh = pl.Mesh(np.eye(3), {"line": np.array([[0, 1], [1, 2], [2, 0]])})
    body = pl.Springs(mesh, stiffness=100.0, mass=0.1, yield_strain=0.05)
    body.place(1.3 * mesh.points)
    scene = pl.Scene([body], contact=False)
    scene.step(1e-3)
    before = body.plastic
    assert (before > 0.1).all()
    body.cut([1])
    scene.step(1e-3)
    assert body.plastic[1] == 0.0 and np.array_equal(body.plastic[[0, 2]] > 0.1, [True, True])


# --- wire and paper ------------------------------------------------------------------------


def wire(**settings):
    points = np.linspace([0, 0, 0], [0.3, 0, 0], 31)
    rod = pl.Rod(points, young=1e9, radius=1e-3, density=2000.0, **settings)
    rod.fix(rod.node([0, 1]))
    return rod


def test_wire_bends_elastically_to_yield_and_stays_bent_beyond():
    """A moment at the end; kappa = M/(E I) to strain = kappa r, and springback by M/(E I) after."""
    I, r = np.pi / 4 * 1e-12, 1e-3
    rod = wire(yield_strain=0.001)
    assert np.array_equal(rod.plastic, np.zeros(30))
    yields = 1e9 * I * 0.001 / r
    last = rod.node(-1)
    # A couple: forces along x on the points of the last node, by their place across.
    arms = rod.mesh.points[last, 1] - rod.mesh.points[last, 1].mean()
    couple = -1.005 * yields * arms / (arms**2).sum()

    def along(size):
        return lambda t: size * (t < 0.5) * np.cross(rod.directors[-1, 1], [0.0, 0.0, 1.0])

    for point, size in zip(last, couple, strict=True):
        rod.push(force=along(size), on=[point])
    scene = pl.Scene([rod], contact=False)
    for _ in range(12):  # the couple turns with the end
        scene.step(0.01, stepper=pl.QuasiStatic())
    bent = curvature(rod)
    assert bent == pytest.approx(0.001 / r * (1 + 0.005 / HARDENING), rel=0.02)
    scene.step(0.5, stepper=pl.QuasiStatic())
    assert curvature(rod) == pytest.approx(bent - 1.005 * 0.001 / r, rel=0.05)
    assert rod.plastic.max() == pytest.approx(0.001 * 0.005 * (1 - HARDENING) / HARDENING, rel=0.1)


def curvature(rod):
    """The mean curvature of the free part [1/m], from the angle between its ends."""
    t = np.diff(rod.centreline, axis=0)
    t /= np.linalg.norm(t, axis=1)[:, None]
    return np.arccos(t[2] @ t[-1]) / (0.01 * (len(t) - 3))


def rolled(rod, radius=0.06):
    x, X = rod.positions, rod.mesh.points
    angle = X[:, 0] / radius
    x[:, 0] = (radius - X[:, 1]) * np.sin(angle)
    x[:, 1] = radius - (radius - X[:, 1]) * np.cos(angle)
    return x


def test_wire_that_was_rolled_up_rests_on_cue_with_the_bend_it_keeps():
    rod = wire(yield_strain=0.005, damping=pl.Settle(rest_in=0.5))
    rod.place(rolled(rod))
    take = pl.Scene([rod], contact=False).run(seconds=0.9, dt=1 / 60, progress=False)
    assert take.rest_time() == pytest.approx(0.5, rel=0.04)  # a frame; rods say so of such rolls
    # Rolled to strain r/R = 1/60, of which the yield strain springs back.
    kept = 1 / 0.06 - (0.005 + HARDENING * (1 / 60 - 0.005)) / 1e-3
    assert curvature(rod) == pytest.approx(kept, rel=0.02)
    elastic = wire(damping=pl.Settle(rest_in=0.5))
    elastic.place(rolled(elastic))
    pl.Scene([elastic], contact=False).run(seconds=0.9, dt=1 / 60, progress=False)
    assert abs(curvature(elastic)) < 0.5


def paper(**settings):
    sheet = pl.meshes.rectangle((0.2, 0.1), (8, 4))
    mesh = pl.Mesh(np.insert(sheet.points, 1, 0.0, axis=1), sheet.cells)
    return pl.Cloth(mesh, stretch=3e5, shear=1e5, bend=2.5e-4, density=0.08, **settings)


def folded(cloth, degrees=100.0):
    x, a = cloth.positions, np.radians(degrees)
    right = x[:, 0] > 0.1 + 1e-9
    d = x[right, 0] - 0.1
    x[right, 0], x[right, 1] = 0.1 + d * np.cos(a), d * np.sin(a)
    return x


@pytest.mark.parametrize("yields", [True, False])
def test_paper_stays_creased_and_cloth_does_not(yields):
    cloth = paper(yield_strain=0.002 if yields else None, damping=pl.Settle(rest_in=0.5))
    cloth.fix(cloth.mesh.points[:, 0] < 0.03)
    cloth.place(folded(cloth))
    take = pl.Scene([cloth], contact=False).run(seconds=0.9, dt=1 / 60, progress=False)
    end = cloth.positions[cloth.mesh.points[:, 0] > 0.2 - 1e-9]
    height = np.abs(end[:, 1]).mean()
    if yields:
        assert take.rest_time() == pytest.approx(0.5, rel=0.02)
        assert height > 0.05
        assert np.degrees(np.abs(cloth.creases()).max()) > 45.0
    else:
        assert height < 1e-3 and not cloth.creases().any()


@pytest.mark.parametrize("kind", ["springs", "rod", "cloth"])
def test_a_run_taken_up_is_the_same_to_the_last_bit(tmp_path, kind):
    def make():
        if kind == "springs":
            body = pair(yield_strain=0.1)
            body.place([[0, 0, 0], [1.4, 0.1, 0]])
        elif kind == "rod":
            body = wire(yield_strain=0.005)
            body.place(rolled(body))
        else:
            body = paper(yield_strain=0.002)
            body.fix(body.mesh.points[:, 0] < 0.03)
            body.place(folded(body))
        return pl.Scene([body], gravity=(0, -9.81, 0), contact=False)

    found = stopped_and_resumed(make, tmp_path / "a.zarr", steps=12, dt=1 / 60, at=8)
    assert_same(found, make().run(seconds=12 / 60, dt=1 / 60, progress=False))


def test_what_cannot_flow_says_so():
    with pytest.raises(ValueError, match="springs that flow are linear"):
        pair(yield_strain=0.1, stiffening=2.0)
    with pytest.raises(ValueError, match=r"elastic springs.*yield_strain=None"):
        pl.Scene([pair(yield_strain=0.1)], contact=False).run(
            seconds=0.1, dt=0.01, stepper=pl.XPBD(), progress=False
        )
    with pytest.raises(ValueError, match="yield_strain"):
        wire(yield_strain=0.0)
