"""The weights of the nearest blend, within their bounds."""

import numpy as np
import pytest

from pliant.energies.example_weights import NearestBlend


@pytest.mark.parametrize("bounds", [None, (0.0, 1.0), (-0.2, 1.5)])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_weights_are_the_minimum_that_bounds_allow(count, bounds):
    rng, held = np.random.default_rng(count), 0
    lo, hi = bounds or (-np.inf, np.inf)
    for _ in range(40):
        A = rng.standard_normal((count, count + 2))
        gram, b = A @ A.T, 3.0 * rng.standard_normal(count)
        w, free = NearestBlend(gram, bounds, least=np.zeros(count)).find(b)
        every = np.append(w, 1.0 - w.sum())
        assert every.min() >= lo - 1e-12 and every.max() <= hi + 1e-12
        held += free.shape[1] < count
        slope = gram @ w - b
        np.testing.assert_allclose(free.T @ slope, 0.0, atol=1e-10)
        np.testing.assert_allclose(free.T @ gram @ free, np.eye(free.shape[1]), atol=1e-10)
        # The slope points inward everywhere: no allowed weights are better, to first order.
        for _ in range(200):
            other = rng.dirichlet(np.ones(count + 1)) * rng.choice(
                [1.0, 1.0, hi if bounds else 9.0]
            )
            if bounds and (max(*other[1:], 1 - other[1:].sum()) > hi or other[1:].sum() > 1 - lo):
                continue
            assert slope @ (other[1:] - w) >= -1e-9
    assert held > 10 if bounds else held == 0
