"""Rotations, principal frames and eigenvalues of 3 x 3 matrices, against numpy."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import warp as wp

from pliant.materials.principal import principal_frame, symmetric_eigen
from pliant.materials.rotation import nearest_rotation

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
