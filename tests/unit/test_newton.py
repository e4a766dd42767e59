"""Newton's method: where it goes, how fast, and why it stops."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.integrate import trapezoid

from pliant.backend import HostSpace
from pliant.solvers import (
    Factored,
    KeptPreconditioner,
    Newton,
)
from pliant.solvers.linear import FactorMemory
from tests.unit.solved import bsr, nothing


@dataclass
class Tunnel:
    """A tiny nonconvex objective over points in the plane: sum of (|x|^2 - 1)^2/4 + tilt . x.

    Each point falls into a ring-shaped valley and slides down the tilt to (-1, 0), about.
    """

    free: np.ndarray
    tilt: float = 0.05
    size: float = 1.0
    stiffness: float = 1.0
    barrier: float = np.inf

    def __post_init__(self):
        self.vectors = HostSpace()
        self.complement = nothing(2 * int(self.free.sum()))

    def value(self, x):
        if (np.abs(x) > self.barrier).any():
            return np.inf
        return float((((x**2).sum(axis=1) - 1) ** 2 / 4).sum() + self.tilt * x[:, 0].sum())

    def gradient(self, x):
        g = ((x**2).sum(axis=1) - 1)[:, None] * x
        g[:, 0] += self.tilt
        return g

    def residual(self, x):
        g = np.where(self.free[:, None], self.gradient(x), 0.0)
        return np.full_like(g, np.nan) if (np.abs(x) > self.barrier).any() else g

    def matrix(self, x, project):
        h = ((x**2).sum(axis=1) - 1)[:, None, None] * np.eye(2) + 2 * x[:, :, None] * x[:, None]
        if project:
            values, vectors = np.linalg.eigh(h)
            h = np.einsum("pik,pk,pjk->pij", vectors, np.maximum(values, 1e-6), vectors)
        return bsr(scipy.linalg.block_diag(*h[self.free]))

    def frames(self, x):
        return None

    def step_limit(self, x, dx):
        return np.inf


def factored(p):
    return Factored(KeptPreconditioner(p, lambda: np.ones((p.size, 1))))


def lowest(tilt):
    """The global minimum of one point, on the negative axis: s^3 - s - tilt... solved by roots."""
    roots = np.roots([1, 0, -1, tilt])
    return float(np.real(roots[np.argmin(np.real(roots))]))


def test_newton_leaves_maxima_and_saddles_behind():
    free = np.array([True, True, True, False])
    objective = Tunnel(free)
    # Near the maximum at the origin, near the saddle at (1, 0), outside, and one that is held.
    start = np.array([[0.01, 0.02], [0.98, 0.03], [3.0, -2.0], [5.0, 5.0]])
    x, report = Newton().minimise(objective, start, factored(start[:3]))
    assert report.converged and report.iterations < 100
    assert np.array_equal(x[3], start[3])
    # 1e-9 is the stopping tolerance; the softest curvature is 0.05, quadratic convergence helps.
    assert np.abs(x[:3] - [lowest(0.05), 0.0]).max() <= 1e-8
    assert np.abs(objective.gradient(x)[:3]).max() <= 1e-9


def test_newton_converges_quadratically_near_the_answer():
    objective = Tunnel(np.array([True]))
    start = np.array([[lowest(0.05) + 1e-3, 1e-3]])
    _, report = Newton().minimise(objective, start, factored(start))
    assert report.reason == "converged" and report.iterations <= 4  # 1e-3, 1e-6, 1e-12


@dataclass
class Overstiff(Tunnel):
    """Its positive definite stand-in is eight times as stiff as the valley at least."""

    def matrix(self, x, project):
        if not project:
            return super().matrix(x, project)
        return bsr(16.0 * np.eye(2 * int(self.free.sum())))


def test_steps_of_a_matrix_that_is_too_stiff_are_made_longer():
    objective = Overstiff(np.array([True]))
    start = np.array([[1e-4, 2e-4]])
    x, report = Newton(relative=1e-6, rugged=True).minimise(objective, start, factored(start))
    # As they are, steps would grow by 1/16 each: 140 from 2e-4 to 1. Four times longer: 40, and a few.
    assert report.converged and report.iterations <= 50
    assert abs(x[0, 0] - lowest(0.05)) < 1e-4


@dataclass
class Sticking(Tunnel):
    """Of one point, along x: the force jumps from -320 to 15 within 1e-3, as where friction sticks."""

    def value(self, x):
        s = np.linspace(0.0, x[0, 0], 100_001)
        return float(trapezoid(self.slope(s), s) + 0.5 * x[0, 1] ** 2)

    def slope(self, s):
        left, right = 320.0 * (s - 1.0), 15.0 + 148.0 * s
        share = 0.5 + 0.5 * np.tanh(s / 1e-3)
        return left * (1.0 - share) + right * share

    def gradient(self, x):
        return np.array([[self.slope(x[0, 0]), x[0, 1]]])

    def matrix(self, x, project):
        s, h = x[0, 0], 1e-7
        return bsr(np.diag([(self.slope(s + h) - self.slope(s - h)) / (2 * h), 1.0]))


def test_newton_does_not_go_in_circles():
    """From -0.1 to 1 the gradient halves and the value rises; back it falls; and so on."""
    objective, start = Sticking(np.array([True])), np.array([[-0.1, 0.0]])
    there = np.array([[1.0, 0.0]])
    assert objective.slope(1.0) < 0.5 * -objective.slope(-0.1)
    assert objective.value(there) > 2.0 * objective.value(start)
    x, report = Newton().minimise(objective, start, factored(start))
    assert report.converged and report.iterations > 25
    assert abs(objective.slope(x[0, 0])) < 1e-3  # 1e-9 of stiffness 1.7e5, with room


def test_newton_says_why_it_stopped():
    linear = factored(np.zeros((1, 2)))
    objective = Tunnel(np.array([True]), barrier=2.0)
    _, report = Newton().minimise(objective, np.array([[3.0, 0.0]]), linear)
    assert not report.converged and "start" in report.reason
    _, report = Newton(iterations=2).minimise(objective, np.array([[0.3, 1.5]]), linear)
    assert not report.converged and report.reason == "iteration limit" and report.iterations == 2
    answer = np.array([[lowest(0.05), 0.0]])
    x, report = Newton().minimise(objective, answer, linear)
    assert report.converged and np.abs(x - answer).max() <= 1e-9


def test_newton_stops_at_a_share_of_its_own_motion():
    """The looser the share, the fewer iterations; the answer is off by no more than asked."""
    answer, start = np.array([[lowest(1.0), 0.0]]), np.array([[-1.7, 0.3]])
    spent = []
    for share in (1e-2, 1e-4, 1e-7):
        x, report = Newton(relative=share).minimise(
            Tunnel(np.array([True]), tilt=1.0), start, factored(start)
        )
        assert report.reason == "converged"
        # A factor of 2: the motion is judged by the last matrix, which is not the one at the answer.
        assert np.abs(x - answer).max() <= 2 * share * np.abs(x - start).max()
        spent.append(report.iterations)
    assert spent[0] < spent[2]


def test_a_search_that_would_begin_astray_begins_at_its_origin():
    objective, origin = Tunnel(np.array([True])), np.array([[-1.2, 0.1]])
    starts = {"astray": [[4.0, 3.0]], "ahead": [[-1.03, 0.0]], "there": origin}
    found = {}
    for name, start in starts.items():
        x, report = Newton(relative=1e-3).minimise(
            objective, np.array(start), factored(origin), origin=origin
        )
        assert report.converged and abs(x[0, 0] - lowest(objective.tilt)) < 1e-3
        found[name] = (*x.ravel(), report.iterations)
    assert found["astray"] == found["there"] != found["ahead"]
    assert found["ahead"][-1] < found["there"][-1]


def test_a_factor_that_was_taken_up_need_not_have_been_asked_for_anything():
    """The first search after a run is taken up may end where it begins."""
    before = FactorMemory(scale=3.0)
    solver = Factored(KeptPreconditioner(np.zeros((2, 3)), lambda: np.ones((6, 1))))
    solver.remember(before)
    solver.learn(None)
    after = solver.memory()
    assert (after.scale, after.source, after.last) == (3.0, None, None)
