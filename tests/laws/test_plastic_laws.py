"""Laws of materials that flow, for every isotropic material in two and three dimensions."""

from functools import cache

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.kinds import MATERIALS
from pliant.materials import plastic_functions, plastic_tangent

wp.config.quiet = True
CLASSES = [c for c in MATERIALS.own().values() if c.isotropic and c.rotation_invariant]
# Kernels of all pairs take minutes on a cold cache: two materials at once, the others as slow tests.
QUICK = (pl.Hencky, pl.StableNeoHookean)
each = pytest.mark.parametrize(
    "cls",
    [c if c in QUICK else pytest.param(c, marks=pytest.mark.slow) for c in CLASSES],
    ids=lambda c: c.__name__,
)
dims = pytest.mark.parametrize("dim", [2, 3])
LAM, MU, SIGMA, HARDENING = 1.7, 0.9, 0.15, 0.3


@cache
def kernel(cls, dim):
    mat, big = (wp.types.matrix((n, n), wp.float64) for n in (dim, dim * dim))
    f = plastic_functions(cls, dim, wp.float64)
    psi, stress, flowed = f.psi, f.stress, f.flowed
    plain, projected = (plastic_tangent(cls, dim, wp.float64, p) for p in (False, True))

    @wp.kernel(module="unique", module_options={"enable_backward": False, "max_unroll": 2})
    def evaluate(
        F: wp.array(dtype=mat),
        k: wp.types.vector(6, wp.float64),
        W: wp.array(dtype=wp.float64),
        P: wp.array(dtype=mat),
        A: wp.array(dtype=big),
        Aplus: wp.array(dtype=big),
        D: wp.array(dtype=mat),
        beyond: wp.array(dtype=wp.vec2d),
    ):
        i = wp.tid()
        W[i] = psi(F[i], k[0], k[1], k[2], k[3], k[4], k[5])
        P[i] = stress(F[i], k[0], k[1], k[2], k[3], k[4], k[5])
        A[i] = plain(F[i], k[0], k[1], k[2], k[3], k[4], k[5])
        Aplus[i] = projected(F[i], k[0], k[1], k[2], k[3], k[4], k[5])
        d, across, g = flowed(F[i], k[0], k[1], k[2], k[3], k[4], k[5])
        D[i] = d
        beyond[i] = wp.vec2d(across, g)

    return evaluate, mat, big


def evaluate(cls, F, *, sigma=SIGMA, hardening=HARDENING, left=np.inf, across=1.07):
    """psi, P, A, A+, D, and the stretch across with the flow, for a batch of F."""
    F = np.asarray(F, float)
    n, dim = len(F), F.shape[-1]
    run, mat, big = kernel(cls, dim)
    outputs = [wp.zeros(n, dtype=t) for t in (wp.float64, mat, big, big, mat, wp.vec2d)]
    k = wp.types.vector(6, wp.float64)(across, LAM, MU, sigma, hardening, left)
    wp.launch(run, n, inputs=[wp.array(F, dtype=mat), k], outputs=outputs)
    return [o.numpy() for o in outputs]


def deformations(dim, n=24, size=0.25, seed=0):
    """Random F with det F > 0.3."""
    rng = np.random.default_rng(seed)
    F = rotations(dim, 20 * n, seed) @ (np.eye(dim) + size * rng.normal(size=(20 * n, dim, dim)))
    return F[np.linalg.det(F) > 0.3][:n]


def rotations(dim, n, seed=0):
    Q, R = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(n, dim, dim)))
    Q = Q * np.sign(np.einsum("nii->ni", R))[:, None, :]
    Q[:, :, 0] *= np.sign(np.linalg.det(Q))[:, None]
    return Q


def elastic_part(F, D, beyond):
    """Fe after the flow, in space."""
    Fe = np.zeros((len(F), 3, 3))
    dim = F.shape[-1]
    Fe[:, :dim, :dim] = F @ D
    if dim == 2:
        Fe[:, 2, 2] = beyond[:, 0]
    return Fe


def relative(a, b):
    assert np.abs(b).max() > 1e-3, "comparing with zero proves nothing"
    return np.abs(a - b).max() / np.abs(b).max()


@each
@dims
@pytest.mark.parametrize("left", [np.inf, 0.1], ids=["endless", "at the end of flow"])
def test_stress_and_tangent_match_finite_differences(cls, dim, left):
    F = deformations(dim)
    dF = np.random.default_rng(5).normal(size=F.shape)
    h = 1e-6  # truncation h^2 and rounding 1e-16 / h are both below 1e-9
    plus, minus = (evaluate(cls, F + s * h * dF, left=left) for s in (1, -1))
    _, P, A, _, _, beyond = evaluate(cls, F, left=left)
    g = beyond[:, 1]
    assert (g > 0.05).mean() > 0.5, "most of them flow"
    if np.isfinite(left):
        # Where flow ends between the two the energy has a kink in its slope.
        assert np.isclose(g, left, rtol=0, atol=1e-12).mean() > 0.2 and (g <= left + 1e-12).all()
    smooth = np.ones(len(F), bool)
    for other in (plus, minus):  # none begins or ends to flow within the difference
        there = other[5][:, 1]
        smooth &= ((there > 0) == (g > 0)) & ((there < left - 1e-9) == (g < left - 1e-9))
    assert smooth.sum() > 0.9 * len(F)
    assert (
        relative(np.einsum("nij,nij->n", P, dF)[smooth], ((plus[0] - minus[0]) / (2 * h))[smooth])
        < 1e-7
    )
    dP = np.einsum("nrc,nc->nr", A, dF.reshape(len(F), -1))
    numbers = ((plus[1] - minus[1]) / (2 * h)).reshape(len(F), -1)
    assert relative(dP[smooth], numbers[smooth]) < 1e-6
    assert relative(A, A.transpose(0, 2, 1)) < 1e-10


@each
@dims
def test_projection_is_the_positive_part(cls, dim):
    F = np.concatenate([deformations(dim, 60, 0.45), 0.8 * rotations(dim, 5)])
    A, Aplus = evaluate(cls, F)[2:4]
    w, Q = np.linalg.eigh(0.5 * (A + A.transpose(0, 2, 1)))
    size = np.abs(w).max(axis=1)
    assert (np.linalg.eigvalsh(Aplus)[:, 0] > -1e-10 * size).all()
    assert (w[:, 0] < -0.01 * size).any(), "nothing needed projecting"
    if dim == 2:  # where nothing flows, a part of the projection in space stands in
        already = w[:, 0] > 1e-3 * size
        assert already.sum() > 1
        assert np.abs(Aplus - A)[already].max() <= 1e-12 * size.max()
    else:
        expected = np.einsum("nij,nj,nkj->nik", Q, np.maximum(w, 0), Q)
        assert (np.abs(Aplus - expected).max(axis=(1, 2)) < 1e-9 * size).all()


@each
@dims
def test_rigid_invariance_and_isotropy(cls, dim):
    F = deformations(dim)
    Q = rotations(dim, len(F), seed=3)
    psi, P, *_ = evaluate(cls, F)
    turned = evaluate(cls, Q @ F)
    assert relative(turned[0], psi) < 1e-11 and relative(turned[1], Q @ P) < 1e-11
    assert relative(evaluate(cls, F @ Q)[0], psi) < 1e-11
    rigid = evaluate(cls, Q, across=1.0)
    assert np.abs(rigid[0]).max() < 1e-14 and np.abs(rigid[1]).max() < 1e-13
    assert not rigid[5][:, 1].any()


@each
@dims
def test_flow_ends_at_yield_and_keeps_volume(cls, dim):
    """After flow von Mises' norm of the Kirchhoff stress is the yield stress."""
    F = deformations(dim)
    _, _, _, _, D, beyond = evaluate(cls, F)
    g = beyond[:, 1]
    Fe = elastic_part(F, D, beyond)
    whole = elastic_part(F, np.broadcast_to(np.eye(dim), F.shape), np.full((len(F), 2), 1.07))
    assert relative(np.linalg.det(Fe), np.linalg.det(whole)) < 1e-13
    t = kirchhoff(cls, Fe)
    dev = t - np.einsum("nii->n", t)[:, None, None] * np.eye(3) / 3
    mises = np.sqrt(1.5 * np.einsum("nij,nij->n", dev, dev))
    assert relative(mises[g > 0], (SIGMA + HARDENING * g)[g > 0]) < 1e-11
    assert (mises[g == 0] <= SIGMA * (1 + 1e-9)).all()


def kirchhoff(cls, Fe):
    """The Kirchhoff stress of the material alone."""
    P = evaluate(cls, Fe, sigma=1e9)[1]
    return P @ Fe.transpose(0, 2, 1)


@each
@dims
def test_pressure_causes_no_flow(cls, dim):
    """Swollen and squeezed evenly, to 0.6 of the size and to 1.5 of it."""
    for s in (0.6, 0.9, 1.1, 1.5):
        F = s * rotations(dim, 4)
        _, P, _, _, D, beyond = evaluate(cls, F, across=s, sigma=1e-3)
        assert np.abs(P).max() > 1e-2
        assert not beyond[:, 1].any()
        assert np.array_equal(D, np.broadcast_to(np.eye(dim), D.shape))


@each
@dims
def test_cells_that_are_inside_out_do_not_flow(cls, dim):
    F = deformations(dim) @ np.diag([-1.0] + [1.0] * (dim - 1))
    psi, *_, beyond = evaluate(cls, F)
    assert not beyond[:, 1].any()
    assert np.isfinite(psi).all() == cls.finite_when_inverted


@dims
def test_material_is_its_own_below_yield(dim):
    F = deformations(dim, size=0.1)
    soft = evaluate(pl.StableNeoHookean, F, sigma=0.05)
    firm = evaluate(pl.StableNeoHookean, F, sigma=1e9)
    assert (soft[0] < firm[0] - 1e-6).any() and (soft[0] <= firm[0] + 1e-12).all()
    assert not firm[5][:, 1].any()


@pytest.mark.parametrize(
    "material, says",
    [
        (pl.Linear(young=1e6, poisson=0.3), "isotropic material that turns"),
        (
            pl.FibreReinforced(young=1e6, poisson=0.3, fibre=1e6, direction=(1, 0, 0)),
            "isotropic material that turns",
        ),
    ],
)
def test_materials_that_cannot_flow_are_refused(material, says):
    with pytest.raises(ValueError, match=says):
        pl.Plastic(material, yield_stress=2e4)


def test_plastic_says_what_it_is():
    clay = pl.Plastic(pl.Hencky(young=1e6, poisson=0.4), yield_stress=2e4, hardening=1e4, most=0.5)
    assert repr(clay) == (
        "Plastic(Hencky(young=1000000.0, poisson=0.4), "
        "yield_stress=20000.0, hardening=10000.0, most=0.5)"
    )
    assert clay.scaled(2.0).yield_stress == 4e4 and clay.scaled(2.0).material.young == 2e6
    for wrong in (
        {"yield_stress": 0.0},
        {"yield_stress": 2e4, "hardening": -1.0},
        {"yield_stress": 2e4, "most": 0.0},
    ):
        with pytest.raises(ValueError, match="Plastic: got"):
            pl.Plastic(pl.Hencky(young=1e6, poisson=0.4), **wrong)
    with pytest.raises(TypeError, match="expected a material"):
        pl.Plastic("clay", yield_stress=1.0)


@pytest.mark.parametrize("size", [1e-3, 0.02, 0.2, 1.0])
def test_what_is_within_yield_by_its_bound_is(size):
    """The bound is no less than von Mises' norm, and near it where elastic strains are small."""
    F = deformations(3, size=size)
    bound = pl.Hencky.von_mises_bound(wp.float64)

    @wp.kernel(module="unique")
    def evaluate(F: wp.array(dtype=wp.mat33d), found: wp.array(dtype=wp.float64)):
        i = wp.tid()
        found[i] = bound(F[i], wp.float64(MU))

    found = wp.zeros(len(F), dtype=wp.float64)
    wp.launch(evaluate, len(F), inputs=[wp.array(F, dtype=wp.mat33d)], outputs=[found])
    e = np.log(np.linalg.svd(F, compute_uv=False))
    e -= e.mean(axis=1, keepdims=True)
    share = found.numpy() / (np.sqrt(1.5) * 2.0 * MU * np.linalg.norm(e, axis=1))
    assert share.min() >= 1.0
    assert size > 0.01 or share.max() < 1.02
