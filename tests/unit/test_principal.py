"""Rotations, principal frames and eigenvalues of 3 x 3 matrices, against numpy."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import warp as wp

from pliant.materials.principal import principal_frame, symmetric_eigen
from pliant.materials.rotation import lever_type, nearest_rotation, rotation_and_lever

dtypes = pytest.mark.parametrize("dtype, tol", [(wp.float64, 1e-13), (wp.float32, 2e-5)])


@cache
def kernel(dim: int, dtype: Any) -> Any:
    mat, vec = wp.types.matrix((dim, dim), dtype), wp.types.vector(dim, dtype)
    frame, rotation = principal_frame(dim, dtype), nearest_rotation(dim, dtype)
    eigen = symmetric_eigen(dim, dtype)

    @wp.kernel(module="unique", module_options={"enable_backward": False, "max_unroll": 2})
    def evaluate(
        F: wp.array(dtype=mat),  # type: ignore[valid-type]
        R: wp.array(dtype=mat),  # type: ignore[valid-type]
        U: wp.array(dtype=mat),  # type: ignore[valid-type]
        s: wp.array(dtype=vec),  # type: ignore[valid-type]
        V: wp.array(dtype=mat),  # type: ignore[valid-type]
        w: wp.array(dtype=vec),  # type: ignore[valid-type]
        Q: wp.array(dtype=mat),  # type: ignore[valid-type]
    ):
        i = wp.tid()
        R[i] = rotation(F[i])
        left, stretches, right = frame(F[i])
        U[i] = left
        s[i] = stretches
        V[i] = right
        values, rows = eigen(F[i] + wp.transpose(F[i]))
        w[i] = values
        Q[i] = rows

    return evaluate, mat, vec


def evaluate(F: np.ndarray, dtype: Any) -> list[np.ndarray]:
    n, dim = len(F), F.shape[1]
    run, mat, vec = kernel(dim, dtype)
    outputs: list[Any] = [wp.zeros(n, dtype=t) for t in (mat, mat, vec, mat, vec, mat)]
    wp.launch(run, n, inputs=[wp.array(F, dtype=mat)], outputs=outputs)
    return [o.numpy().astype(float) for o in outputs]


def deformations(dim: int) -> np.ndarray:
    """Random ones, mirrored ones, almost rigid ones, and such with equal stretches."""
    rng, I = np.random.default_rng(0), np.eye(dim)
    wild = rng.normal(size=(200, dim, dim))
    calm = I + 0.1 * rng.normal(size=(200, dim, dim))
    turns, _ = np.linalg.qr(wild)
    turns[:, :, 0] *= np.linalg.det(turns)[:, None]
    pair = turns[::-1] @ np.diag([2.0] * (dim - 1) + [0.5]) @ turns.transpose(0, 2, 1)
    rigid = turns @ (I + 1e-9 * wild)
    return np.concatenate([wild, calm, turns, pair, rigid, 1e-6 * calm, 1e6 * wild])


@pytest.mark.parametrize("dim", [2, 3])
@dtypes
def test_rotation_and_frame(dim: int, dtype: Any, tol: float) -> None:
    F = deformations(dim)
    R, U, s, V, _, _ = evaluate(F, dtype)
    size = np.abs(F).max(axis=(1, 2))
    left, stretches, right = np.linalg.svd(F)
    flip = np.linalg.det(left @ right)
    sums = stretches[:, -2] + flip * stretches[:, -1]
    # Where two signed stretches nearly cancel the rotation is hardly defined: errors grow as 1/sum.
    clear = sums > 0.05 * size
    assert clear.mean() > 0.8
    left[:, :, -1] *= flip[:, None]
    assert np.abs(R - left @ right)[clear].max() <= 30 * tol
    for Q in (R, U, V):
        assert np.abs(Q.transpose(0, 2, 1) @ Q - np.eye(dim)).max() <= 10 * tol
        assert np.linalg.det(Q).min() > 0.0
    again = np.einsum("nij,nj,nkj->nik", U, s, V)
    assert np.all(np.abs(again - F).max(axis=(1, 2))[clear] <= 30 * tol * size[clear])
    assert np.all((s < -tol * size[:, None]).sum(axis=1) <= 1)


@pytest.mark.parametrize("dim", [2, 3])
@dtypes
def test_symmetric_eigenvalues(dim: int, dtype: Any, tol: float) -> None:
    F = np.concatenate([deformations(dim), np.zeros((1, dim, dim))])
    *_, w, Q = evaluate(F, dtype)
    A = F + F.transpose(0, 2, 1)
    size = np.abs(A).max(axis=(1, 2)) + 1e-300
    again = np.einsum("nki,nk,nkj->nij", Q, w, Q)
    assert np.all(np.abs(again - A).max(axis=(1, 2)) <= 10 * tol * size)
    assert np.all(np.abs(np.sort(w) - np.linalg.eigvalsh(A)).max(axis=1) <= 10 * tol * size)


@dtypes
def test_rotations_of_small_and_of_large_strains_are_as_exact(dtype: Any, tol: float) -> None:
    """The root is a series up to a spread of stretches of some 5 %, and an iteration beyond."""
    rng = np.random.default_rng(1)
    turns, _ = np.linalg.qr(rng.normal(size=(600, 3, 3)))
    turns *= np.linalg.det(turns)[:, None, None]
    S = rng.normal(size=(600, 3, 3)) * np.geomspace(1e-4, 0.2, 600)[:, None, None]
    R, *_ = evaluate(turns @ (np.eye(3) + S + S.transpose(0, 2, 1)), dtype)
    left, _, right = np.linalg.svd(turns @ (np.eye(3) + S + S.transpose(0, 2, 1)))
    clear = np.linalg.det(left @ right) > 0.0
    assert clear.mean() > 0.95
    # A few roundings, and no trace of where the series ends.
    assert np.abs(R - left @ right)[clear].max() <= 0.3 * tol


@pytest.mark.parametrize("dim", [2, 3])
def test_lever_is_how_a_rotation_turns(dim: int) -> None:
    """R^T dR = [w]x with w_m = L_mn (R [e_n]x : dF), against differences of rotations."""
    mat, lever = wp.types.matrix((dim, dim), wp.float64), lever_type(dim, wp.float64)
    both, axes = rotation_and_lever(dim, wp.float64), 1 if dim == 2 else 3

    @wp.kernel(module="unique", module_options={"enable_backward": False})
    def levers(
        F: wp.array(dtype=mat),  # type: ignore[valid-type]
        R: wp.array(dtype=mat),  # type: ignore[valid-type]
        L: wp.array(dtype=lever),  # type: ignore[valid-type]
    ):
        i = wp.tid()
        rotation, own = both(F[i])
        R[i] = rotation
        L[i] = own

    def found(F: np.ndarray) -> list[np.ndarray]:
        outputs: list[Any] = [wp.zeros(len(F), dtype=t) for t in (mat, lever)]
        wp.launch(levers, len(F), inputs=[wp.array(F, dtype=mat)], outputs=outputs)
        return [o.numpy() for o in outputs]

    rng, h = np.random.default_rng(2), 1e-5
    F = np.eye(dim) + np.geomspace(0.01, 0.3, 50)[:, None, None] * rng.normal(size=(50, dim, dim))
    F, dF = F[np.linalg.det(F) > 0.1], rng.normal(size=(dim, dim))
    (R, L), (on, _), (back, _) = (found(y) for y in (F, F + h * dF, F - h * dF))
    spin = R.transpose(0, 2, 1) @ (on - back) / (2.0 * h)
    if dim == 2:
        cross, w = np.array([[[0.0, -1.0], [1.0, 0.0]]]), spin[:, 1:, 0]
    else:
        cross = np.cross(np.eye(3)[:, None], np.eye(3)[None]).transpose(0, 2, 1)
        w = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
    force = np.einsum("nij,mjk,ik->nm", R, cross, dF)
    assert cross.shape[0] == axes
    # Central differences: h^2 and 1e-16/h are both near 1e-10, times the third derivative.
    assert np.abs(np.einsum("nmk,nk->nm", L, force) - w).max() <= 1e-7
