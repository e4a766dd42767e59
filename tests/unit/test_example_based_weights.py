"""The weights of the nearest blend, within their bounds."""

import numpy as np
import pytest
from scipy.optimize import minimize

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


def by_another_method(gram, b, lo, hi):
    """The least value of w.G.w/2 - b.w that scipy's SLSQP finds; weights without strain stay zero."""
    found = minimize(
        lambda w: 0.5 * w @ gram @ w - b @ w,
        np.full(len(b), 0.2),
        jac=lambda w: gram @ w - b,
        bounds=[(lo, hi) if g > 0.0 else (0.0, 0.0) for g in np.diagonal(gram)],
        constraints=[
            {"type": "ineq", "fun": lambda w: 1.0 - w.sum() - lo},
            {"type": "ineq", "fun": lambda w: hi - 1.0 + w.sum()},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return found.fun


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-0.2, 1.5)])
def test_examples_that_say_the_same_share_weights_within_their_bounds(bounds):
    """Opposites, blends of others and examples that do not touch a region: G is singular."""
    rng = np.random.default_rng(1)
    for trial in range(60):
        count = int(rng.integers(2, 6))
        strains = rng.standard_normal((count, int(rng.integers(1, count + 1))))
        strains[-1] = -strains[0]
        if trial % 3 == 0 and count > 2:
            strains[1] = 0.0
        gram, b = strains @ strains.T, strains @ rng.standard_normal(strains.shape[1])
        w, _ = NearestBlend(gram, bounds, least=np.full(count, 1e-12)).find(b)
        every = np.append(w, 1.0 - w.sum())
        assert every.min() >= bounds[0] - 1e-9 and every.max() <= bounds[1] + 1e-9
        # Where G is zero weights are given 1e-9 of the cost of others.
        excess = 0.5 * w @ gram @ w - b @ w - by_another_method(gram, b, *bounds)
        assert excess <= 1e-8 * np.abs(b).max()
