"""The least change of operators that gives their sums the values they should have."""

import numpy as np
import pytest

from pliant.bodies.least_change import least_change


@pytest.mark.parametrize("bound", [False, True], ids=["any columns", "columns along planes"])
def test_it_is_that_of_dense_least_squares(bound):
    rng = np.random.default_rng(0)
    terms, k, b, r, n = 7, 4, 2, 3, 6
    stencils = np.array([rng.permutation(n)[:k] for _ in range(terms)])
    asked = np.where(stencils == 5, -1, stencils)  # of the last point nothing is asked
    sizes, left = rng.uniform(0.5, 2.0, terms), rng.standard_normal((n, b, r))
    left[5] = 0.0
    own = np.broadcast_to(np.eye(b), (terms, k, b, b)).copy()
    own[2, 1] = 0.0  # one point of a term that may not be used
    known = rng.standard_normal((terms, k, b, 1)) * own.any(axis=3)[..., None]
    known /= np.linalg.norm(known.reshape(terms, -1), axis=1)[:, None, None, None]
    normal = rng.standard_normal((terms, r))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    along = np.eye(r) - normal[:, :, None] * normal[:, None, :]

    found = least_change(
        asked, sizes, left, own=own, known=known, positions=rng.uniform(0, 1, (n, 3)),
        along=along if bound else None,
    )  # fmt: skip

    rows = np.zeros((n, b, r, terms, k, b, r))
    for t in range(terms):
        flat = known[t].reshape(-1, 1)
        free = np.diag(np.diagonal(own[t], axis1=1, axis2=2).ravel()) - flat @ flat.T
        free = np.kron(free, along[t] if bound else np.eye(r)).reshape(k, b, r, k, b, r)
        for i in range(k):
            if asked[t, i] >= 0:
                rows[asked[t, i], :, :, t] += sizes[t] * free[i]
    exact = np.linalg.lstsq(rows.reshape(n * b * r, -1), left.ravel(), rcond=1e-10)[0]
    np.testing.assert_allclose(found.ravel(), exact, atol=1e-9)
    assert np.abs(found).max() > 0.1
