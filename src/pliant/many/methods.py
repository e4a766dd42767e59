"""Ways to find parameters: by derivatives, or by trying many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import numpy as np

from pliant.declared import Declared, Quantity, accept
from pliant.errors import optional

Evaluations = Annotated[
    int, Quantity("of all targets, at most", "-", at_least=1.0, whole=True, example=200)
]
Seed = Annotated[int, Quantity("of what is drawn", "-", at_least=0.0, whole=True)]


class Question(Protocol):
    """A fit as its methods see it: scaled parameters t, each from 0 to 1, and what is missed r(t)."""

    def missed(self, t: np.ndarray) -> np.ndarray:
        """r at t."""

    def slopes(self, t: np.ndarray) -> np.ndarray:
        """dr/dt at t, (residuals, parameters)."""

    def missed_at(self, points: Sequence[np.ndarray]) -> list[np.ndarray]:
        """r at several t, at once where there are workers."""


class Method(Declared):
    """A way to find the parameters that miss least, |r(t)|^2, from a start."""

    def find(self, question: Question, start: np.ndarray) -> np.ndarray:
        """The best t that was found."""
        raise NotImplementedError


class GaussNewton(Method):
    """Gauss-Newton in a trust region, with bounds: few evaluations where r depends smoothly on t.

    Derivatives come with equilibria at no more solves; those of motions are differences of runs.
    """

    def __init__(
        self,
        *,
        most: Annotated[
            int, Quantity("of its steps, at most", "-", at_least=1.0, whole=True, example=50)
        ] = 100,
    ):
        (self.most,) = accept(self, most=most)

    def find(self, question: Question, start: np.ndarray) -> np.ndarray:
        """The nearest least squares."""
        from scipy.optimize import least_squares

        found = least_squares(
            question.missed,
            start,
            jac=question.slopes,
            bounds=(0.0, 1.0),
            xtol=1e-12,
            ftol=1e-12,
            gtol=1e-15,
            max_nfev=int(self.most),
        )
        return np.asarray(found.x)


class LBFGS(Method):
    """L-BFGS with bounds, by the gradient of |r|^2: for many parameters and many residuals."""

    def __init__(
        self,
        *,
        most: Annotated[
            int, Quantity("of its steps, at most", "-", at_least=1.0, whole=True, example=100)
        ] = 200,
    ):
        (self.most,) = accept(self, most=most)

    def find(self, question: Question, start: np.ndarray) -> np.ndarray:
        """The nearest least squares."""
        from scipy.optimize import minimize

        scale = max(float(np.sum(question.missed(start) ** 2)), 1e-300)

        def both(t: np.ndarray) -> tuple[float, np.ndarray]:
            r = question.missed(t)
            return float(r @ r) / scale, 2.0 * (question.slopes(t).T @ r) / scale

        found = minimize(
            both,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, 1.0)] * len(start),
            options={"maxiter": int(self.most), "ftol": 1e-16, "gtol": 1e-12},
        )
        return np.asarray(found.x)


class CMAES(Method):
    """CMA-ES, an evolution strategy (package `cma`): for rough starts; workers share trials."""

    def __init__(self, *, evaluations: Evaluations = 300, seed: Seed = 1):
        self.evaluations, self.seed = accept(self, evaluations=evaluations, seed=seed)

    def find(self, question: Question, start: np.ndarray) -> np.ndarray:
        """The best of all trials."""
        cma: Any = optional("cma", "fits by CMA-ES", "fit")
        pad = len(start) == 1  # it needs two unknowns at least
        begin = np.append(start, 0.5) if pad else start
        options = {
            "bounds": [0.0, 1.0],
            "seed": int(self.seed) + 1,  # 0 would be the clock's
            "maxfevals": int(self.evaluations),
            "verbose": -9,
            "tolfun": 0.0,
            "tolfunhist": 0.0,
        }
        search = cma.CMAEvolutionStrategy(begin, 0.25, options)
        while not search.stop():
            trials = search.ask()
            told = question.missed_at([np.asarray(t[: len(start)]) for t in trials])
            search.tell(trials, [float(r @ r) for r in told])
        return np.asarray(np.clip(search.result.xbest[: len(start)], 0.0, 1.0))


class Annealing(Method):
    """Simulated annealing (scipy's dual_annealing), as the first fits of such models did."""

    def __init__(self, *, evaluations: Evaluations = 300, seed: Seed = 1):
        self.evaluations, self.seed = accept(self, evaluations=evaluations, seed=seed)

    def find(self, question: Question, start: np.ndarray) -> np.ndarray:
        """The best of all trials."""
        from scipy.optimize import dual_annealing

        found = dual_annealing(
            lambda t: float(np.sum(question.missed(t) ** 2)),
            [(0.0, 1.0)] * len(start),
            x0=start,
            maxfun=int(self.evaluations),
            no_local_search=True,
            rng=int(self.seed),
        )
        return np.asarray(found.x)
