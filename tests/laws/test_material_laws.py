"""Laws that every exported material must obey, in two and three dimensions."""

from functools import cache

import numpy as np
import pytest
import warp as wp

from pliant.materials import (
    FibreReinforced,
    NeoHookean,
    StableNeoHookean,
    projected_tangent,
)
from tests.laws.materials import build, each

wp.config.quiet = True
LAM, MU = 1.7, 0.9
dims = pytest.mark.parametrize("dim", [2, 3])


@cache
def kernel(cls, dim, dtype):
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    big = wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype)
    psi, stress, dstress = cls.functions(dim, dtype)
    first = cls.lam_type(dim, dtype)
    tangent, projected = cls.tangent(dim, dtype), projected_tangent(cls, dim, dtype)

    @wp.kernel(module="unique", module_options={"enable_backward": False, "max_unroll": 2})
    def evaluate(
        F: wp.array(dtype=mat),
        dF: wp.array(dtype=mat),
        lam: first,
        mu: dtype,
        W: wp.array(dtype=dtype),
        P: wp.array(dtype=mat),
        dP: wp.array(dtype=mat),
        A: wp.array(dtype=big),
        Aplus: wp.array(dtype=big),
    ):
        i = wp.tid()
        W[i] = psi(F[i], lam, mu)
        P[i] = stress(F[i], lam, mu)
        dP[i] = dstress(F[i], dF[i], lam, mu)
        A[i] = tangent(F[i], lam, mu)
        Aplus[i] = projected(F[i], lam, mu)

    return evaluate, mat, big


def evaluate(cls, F, dF=None, *, lam=LAM, mu=MU, dtype=wp.float64, flat=False):
    """Return psi, P, dP : dF, dP/dF and its projection for a batch of F."""
    F = np.asarray(F, float)
    n, dim = len(F), F.shape[-1]
    run, mat, big = kernel(cls, dim, dtype)
    outputs = [wp.zeros(n, dtype=t) for t in (dtype, mat, mat, big, big)]
    inputs = [wp.array(a, dtype=mat) for a in (F, np.zeros_like(F) if dF is None else dF)]
    (first,), _ = build(cls, dim, flat, lame=(lam, mu)).constants(1, dim)
    first = first if np.ndim(first) == 0 else cls.lam_type(dim, dtype)(*first)
    wp.launch(run, n, inputs=[*inputs, first, mu], outputs=outputs)
    return [o.numpy() for o in outputs]


def deformations(dim, n=24, size=0.35, seed=0):
    """Random F with det F > 0.2, so that every material is finite and smooth around it."""
    rng = np.random.default_rng(seed)
    F = rotations(dim, 20 * n, seed) @ (np.eye(dim) + size * rng.normal(size=(20 * n, dim, dim)))
    return F[np.linalg.det(F) > 0.2][:n]


def rotations(dim, n, seed=0):
    Q, R = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(n, dim, dim)))
    Q = Q * np.sign(np.einsum("nii->ni", R))[:, None, :]
    Q[:, :, 0] *= np.sign(np.linalg.det(Q))[:, None]
    return Q


def relative(a, b):
    assert np.abs(b).max() > 1e-3, "comparing with zero proves nothing"
    return np.abs(a - b).max() / np.abs(b).max()


@each
@dims
def test_stress_and_dstress_match_finite_differences(cls, dim):
    F = deformations(dim)
    dF = np.random.default_rng(5).normal(size=F.shape)
    h = 1e-5  # central differences: truncation h^2 and rounding 1e-16 / h are both near 1e-10
    plus, minus = evaluate(cls, F + h * dF), evaluate(cls, F - h * dF)
    _psi, P, dP, A, _ = evaluate(cls, F, dF)
    assert relative(np.einsum("nij,nij->n", P, dF), (plus[0] - minus[0]) / (2 * h)) < 1e-6
    assert relative(dP, (plus[1] - minus[1]) / (2 * h)) < 1e-6
    assert (
        relative(np.einsum("nrc,nc->nr", A, dF.reshape(len(F), -1)), dP.reshape(len(F), -1)) < 1e-12
    )


@each
@dims
def test_rest_has_no_energy_and_no_stress(cls, dim):
    psi, P, *_ = evaluate(cls, np.eye(dim)[None])
    assert abs(psi[0]) < 1e-15
    assert np.abs(P).max() < 1e-15


@each
@dims
def test_energy_is_positive_around_rest(cls, dim):
    psi, *_ = evaluate(
        cls, np.eye(dim) + 0.05 * np.random.default_rng(1).normal(size=(50, dim, dim))
    )
    assert psi.min() > 0


@each
@dims
def test_rigid_invariance_is_as_claimed(cls, dim):
    F = deformations(dim)
    Q = rotations(dim, len(F), seed=3)
    psi, P, *_ = evaluate(cls, F)
    turned, turned_P, *_ = evaluate(cls, Q @ F)
    if cls.rotation_invariant:
        assert relative(turned, psi) < 1e-12
        assert relative(turned_P, Q @ P) < 1e-12
        # Isotropy: turning the material before the deformation changes nothing either.
        before = relative(evaluate(cls, F @ Q)[0], psi)
        assert before < 1e-12 if cls.isotropic else before > 1e-2
        rigid = evaluate(cls, Q)
        assert np.abs(rigid[0]).max() < 1e-14 and np.abs(rigid[1]).max() < 1e-13
    else:
        assert relative(turned, psi) > 1e-2


@each
@dims
@pytest.mark.parametrize("lam, mu", [(1.7, 0.9), (40.0, 0.5), (-0.2, 1.0)])
def test_small_strain_limit_is_hooke(cls, dim, lam, mu):
    I = np.eye(dim)
    e = np.random.default_rng(2).normal(size=(8, dim, dim))
    A = evaluate(cls, I[None], lam=lam, mu=mu)[3][0]
    sym = 0.5 * (e + e.transpose(0, 2, 1))
    hooke = 2 * mu * sym + lam * np.einsum("nii->n", sym)[:, None, None] * I
    if cls is FibreReinforced:
        fibres = build(cls, dim, lame=(lam, mu))
        a = fibres.direction
        hooke += fibres.fibre * np.einsum("nij,i,j->n", sym, a, a)[:, None, None] * np.outer(a, a)
    assert relative((e.reshape(8, -1) @ A).reshape(e.shape), hooke) < 1e-12
    # The energy itself, at a strain whose square is small against the tolerance.
    s = 1e-6
    psi = evaluate(cls, I + s * sym, lam=lam, mu=mu)[0]
    assert relative(psi / s**2, 0.5 * np.einsum("nij,nij->n", hooke, sym)) < 1e-4


@each
def test_two_dimensions_are_plane_strain(cls):
    F = deformations(2)
    F3 = np.zeros((len(F), 3, 3))
    F3[:, :2, :2], F3[:, 2, 2] = F, 1.0
    flat, solid = evaluate(cls, F), evaluate(cls, F3, flat=True)
    assert relative(solid[0], flat[0]) < 1e-12
    assert relative(solid[1][:, :2, :2], flat[1]) < 1e-12
    inplane = [0, 1, 3, 4]
    assert relative(solid[3][:, inplane][:, :, inplane], flat[3]) < 1e-11


@each
@dims
def test_tangent_is_symmetric(cls, dim):
    A = evaluate(cls, deformations(dim))[3]
    assert relative(A, A.transpose(0, 2, 1)) < 1e-12


@each
@dims
@pytest.mark.parametrize("dtype, tol", [(wp.float64, 1e-13), (wp.float32, 1e-4)])
def test_tangent_is_its_columns(cls, dim, dtype, tol):
    """Also where a material writes it in closed form; tol is rounding at stretches down to 0.3."""
    F = deformations(dim)
    A = evaluate(cls, F, dtype=dtype)[3]
    for c in range(dim * dim):
        dF = np.zeros_like(F)
        dF[:, c // dim, c % dim] = 1.0
        column = evaluate(cls, F, dF, dtype=dtype)[2].reshape(len(F), -1)
        assert np.abs(A[:, :, c] - column).max() <= tol * np.abs(A).max()


@each
@dims
@pytest.mark.parametrize("dtype, tol", [(wp.float64, 1e-10), (wp.float32, 1e-4)])
def test_projection_is_the_positive_part(cls, dim, dtype, tol):
    """Against numpy's eigenvalues; tol is the projection's slack plus the rounding of dtype."""
    F = np.concatenate(
        [
            deformations(dim, 40, 0.5),
            np.eye(dim)[None],
            0.7 * rotations(dim, 5),
            1.2 * np.eye(dim)[None],
        ]
    )
    if cls.finite_when_inverted:
        inverted = F[:20] @ np.diag([-1.0] + [1.0] * (dim - 1))
        F = np.concatenate([F, inverted])
    A, Aplus = (a.astype(float) for a in evaluate(cls, F, dtype=dtype)[3:])
    w, Q = np.linalg.eigh(0.5 * (A + A.transpose(0, 2, 1)))
    expected = np.einsum("nij,nj,nkj->nik", Q, np.maximum(w, 0), Q)
    size = np.abs(w).max(axis=1)
    if cls.isotropic:
        assert np.all(np.abs(Aplus - expected).max(axis=(1, 2)) < tol * size)
    else:  # a sum of positive parts: semi-definite, and nowhere softer than the material
        assert np.all(np.linalg.eigvalsh(Aplus - A)[:, 0] > -tol * size)
    assert np.all(np.linalg.eigvalsh(Aplus)[:, 0] > -tol * size)
    already = w[:, 0] > 1e-3 * size
    assert np.array_equal(Aplus[already], A[already])
    if not cls.constant_hessian:
        assert (w[:, 0] < -0.01 * size).any(), "nothing needed projecting"


@each
@dims
def test_projection_survives_collapse(cls, dim):
    """Flat, needle-like and vanished cells: finite and positive semi-definite."""
    if not cls.finite_when_inverted:
        pytest.skip("infinite there")
    line = np.zeros((dim, dim))
    line[0, 0] = 1.0
    mirror = np.diag([1.0] * (dim - 1) + [-1.0])
    F = np.array([np.zeros((dim, dim)), line, mirror, np.eye(dim) - line, 1e-9 * np.eye(dim)])
    psi, P, _dP, _A, Aplus = evaluate(cls, F)
    assert np.isfinite(psi).all() and np.isfinite(P).all() and np.isfinite(Aplus).all()
    w = np.linalg.eigvalsh(Aplus)
    assert np.all(w[:, 0] >= -1e-10 * np.abs(w).max(axis=1))


@dims
def test_neo_hookean_is_infinite_when_inverted(dim):
    F = np.array([np.diag([-1.0] + [1.0] * (dim - 1)), np.zeros((dim, dim))])
    assert np.all(np.isposinf(evaluate(NeoHookean, F)[0]))
    assert np.all(np.isfinite(evaluate(StableNeoHookean, F)[0]))


@each
@dims
def test_float32_energy_is_meaningful_near_rest(cls, dim):
    """A strain of 1e-4 in a turned body, where naive invariants give rounding noise."""
    if not cls.rotation_invariant:
        pytest.skip("not invariant")
    F = rotations(dim, 30) @ (
        np.eye(dim) + 1e-4 * np.random.default_rng(4).normal(size=(30, dim, dim))
    )
    F = F.astype(np.float32).astype(float)
    single, double = evaluate(cls, F, dtype=wp.float32)[0], evaluate(cls, F)[0]
    # E is rounded to 1e-7 on 1e-4, a relative 1e-3 in the energy and a few times that at worst.
    assert np.all(np.abs(single - double) < 1e-2 * double.max())
