"""Derivatives of equilibria by parameters, from one more solve with the stiffness that is there.

At an equilibrium the forces balance, g(x, theta) = dW/dx - f = 0, so that

    dx/dtheta = -K^-1 dg/dtheta,     K = dg/dx.

dg/dtheta is a difference of forces of bodies that are made again with another theta, at the same x:
exact for what is linear in theta, and else to 1e-10; no equilibrium is solved for it. Where K is not
that of points (bodies in reduced coordinates, bodies that are tied or touch) equilibria are differenced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from pliant.backend import one_thread
from pliant.bodies import Deformable
from pliant.scene import Scene
from pliant.solvers import LowRankUpdate
from pliant.step import Implicit

Values = Mapping[str, float]
Maker = Callable[[Values], Scene]
Ranges = Mapping[str, tuple[float, float]]
#: Differences of fourth order: shares of a step and their weights; and the step, as a share of a value.
_SHARES, _WEIGHTS = (-2.0, -1.0, 1.0, 2.0), (1 / 12, -8 / 12, 8 / 12, -1 / 12)
_ONWARD, _WEIGHTS_ONWARD = (0.0, 1.0, 2.0, 3.0, 4.0), (-25 / 12, 4.0, -3.0, 4 / 3, -1 / 4)
STEP, STEP_OF_EQUILIBRIA = 2e-5, 2e-4
#: K lacks what loads that follow the body add: it is mended until K u has its forces up to this share.
EXACT, MOST_MENDED = 1e-9, 40


@dataclass(frozen=True)
class Equilibrium:
    """Where the bodies of a scene rest [m], (n, d) each, and how that changes with each parameter.

    slopes: for each body (parameters, n, d). solved: how many equilibria it took.
    """

    positions: list[np.ndarray]
    slopes: list[np.ndarray]
    solved: int


def equilibrium(make: Maker, values: Values) -> list[np.ndarray]:
    """Where the bodies of a scene rest [m], (n, d) each."""
    return [track.positions[0] for track in make(values).equilibrium().tracks]


def equilibrium_with_slopes(
    make: Maker,
    values: Values,
    rest: Sequence[np.ndarray] | None = None,
    ranges: Ranges | None = None,
) -> Equilibrium:
    """Where the bodies of a scene rest (`rest` if it is known), and the derivatives by all values.

    ranges: what values may be; one at an end is varied inwards only.
    """
    scene, ranges = make(values), ranges or {}
    known = rest is not None
    found = [np.array(x) for x in (rest if rest is not None else equilibrium(make, values))]
    slopes: list[np.ndarray] | None = None
    if _apart(scene, found):
        with one_thread():
            slopes = _by_stiffness(make, values, scene, found, ranges)
    if slopes is not None:
        return Equilibrium(found, slopes, 0 if known else 1)
    solved = int(not known)
    columns = []
    for name in values:
        shares, _ = _stencil(values[name], STEP_OF_EQUILIBRIA, ranges.get(name))
        columns.append(_differenced(lambda v: equilibrium(make, v), values, name, ranges))
        solved += len(shares)
    by_body = [np.stack([column[i] for column in columns]) for i in range(len(found))]
    return Equilibrium(found, by_body, solved)


def _apart(scene: Scene, found: Sequence[np.ndarray]) -> bool:
    """Whether each body is at rest by itself, with an energy of its points."""
    if scene.ties or any(b.in_modes or b.static or b.system().lags for b in scene.bodies):
        return False
    scene.problem("cpu", Implicit())  # without it the scene does not know yet who meets whom
    contacts, _ = scene.touching(found)
    touching = contacts is not None and len(contacts.points) > 0
    return not touching and not any(
        b.system().touches_obstacle(x) for b, x in zip(scene.bodies, found, strict=True)
    )


def _by_stiffness(
    make: Maker, values: Values, scene: Scene, found: list[np.ndarray], ranges: Ranges
) -> list[np.ndarray] | None:
    """The derivatives by the stiffness of each body; None where it cannot be had."""
    pairs = zip(scene.bodies, found, strict=True)
    try:
        balances = [_Balance(body, scene.gravity, x) for body, x in pairs]
        for i, balance in enumerate(balances):
            found[i] = balance.polished()
    except RuntimeError:  # the stiffness is singular
        return None
    slopes: list[np.ndarray] = [np.zeros((len(values), *x.shape)) for x in found]

    def forces(there: Values) -> list[np.ndarray]:
        other = make(there)
        return [
            np.concatenate(
                [_forces(b, other.gravity, x)[mine.free].ravel(), b.pin_positions(0.0).ravel()]
            )
            for b, mine, x in zip(other.bodies, balances, found, strict=True)
        ]

    for k, name in enumerate(values):
        for i, change in enumerate(_differenced(forces, values, name, ranges, STEP)):
            count = balances[i].unknowns
            slope = balances[i].moved_by(-change[:count])
            if slope is None:
                return None
            slopes[i][k] = slope
            pins = change[count:].reshape(found[i].shape)
            slopes[i][k][balances[i].pinned] = pins[balances[i].pinned]
    return slopes


def _differenced(
    call: Callable[[Values], list[np.ndarray]],
    values: Values,
    name: str,
    ranges: Ranges,
    step: float = STEP_OF_EQUILIBRIA,
) -> list[np.ndarray]:
    """The derivative of arrays by one value, by differences of fourth order."""
    total: list[np.ndarray] = []
    for way, weight in zip(*_stencil(values[name], step, ranges.get(name)), strict=True):
        there = call({**values, name: values[name] + way})
        parts = [weight * array for array in there]
        total = parts if not total else [a + b for a, b in zip(total, parts, strict=True)]
    return total


def _stencil(
    value: float, step: float, ends: tuple[float, float] | None
) -> tuple[list[float], list[float]]:
    """Where to evaluate for a derivative, as ways from a value, and weights; within its range."""
    low, high = ends or (-np.inf, np.inf)
    length = step * (abs(value) or (high - low if ends else 1.0))
    shares: Sequence[float] = _SHARES
    weights: Sequence[float] = _WEIGHTS
    if value - 2.0 * length < low or value + 2.0 * length > high:
        shares, weights = _ONWARD, _WEIGHTS_ONWARD
        length = length if high - value > value - low else -length
    return [share * length for share in shares], [weight / length for weight in weights]


def _forces(body: Deformable, gravity: Any, x: np.ndarray) -> np.ndarray:
    """What does not balance at x with the body's pins where they should be [N], (n, d)."""
    y = np.where(body.pinned[:, None], body.pin_positions(0.0), x)
    return np.asarray(body.system().assembly.gradient(y) - body.loads_at(y, 0.0, gravity))


class _Balance:
    """The forces of one body about an equilibrium, and what moves it."""

    def __init__(self, body: Deformable, gravity: Any, x: np.ndarray):
        body.prepare(0.0)
        self._body, self._gravity, self._x = body, gravity, x
        self._system = body.system()
        self.free, self.pinned = self._system.free, self._system.pinned
        self.unknowns = int(self.free.sum()) * x.shape[1]
        self._solve = _inverse(self._system, x)

    def polished(self) -> np.ndarray:
        """The equilibrium with forces that balance to rounding."""
        left = np.inf
        for _ in range(5):
            g = self._at(self._x)
            if not np.linalg.norm(g) < 0.5 * left:
                break
            left, before = float(np.linalg.norm(g)), self._x
            self._x = self._whole(-self._solve(g)) + self._x
            if not np.linalg.norm(self._at(self._x)) < left:
                self._x = before
                break
        return self._x

    def moved_by(self, force: np.ndarray) -> np.ndarray | None:
        """Where small forces [N] on the free points move it [m], (n, d); None if that is not found."""
        target = float(np.linalg.norm(force))
        if target == 0.0:
            return np.zeros_like(self._x)
        u = self._solve(force)
        if self._body.loads_constant:
            return self._whole(u)
        for _ in range(MOST_MENDED):
            missing = self._balanced(force - self._stiffness_times(u))
            if np.linalg.norm(missing) <= EXACT * target:
                return self._whole(u)
            u = u + self._solve(missing)
        # Rounding of forces bounds what differences can show.
        return self._whole(u) if np.linalg.norm(missing) <= 1e-6 * target else None

    def _balanced(self, force: np.ndarray) -> np.ndarray:
        """A force without what moves the body rigidly, where nothing holds it."""
        if not self._system.rank:
            return force
        complement = self._system.complement(self._x).flat(self.free)
        return np.asarray(complement.project_force(force.copy()))

    def _stiffness_times(self, u: np.ndarray) -> np.ndarray:
        """K u by differences of forces, with what loads that follow the body add to it."""
        step = 1e-4 * self._system.size / float(np.abs(u).max())
        way = step * self._whole(u)
        parts = [
            w / step * self._at(self._x + s * way) for s, w in zip(_SHARES, _WEIGHTS, strict=True)
        ]
        return np.asarray(np.sum(parts, axis=0))

    def _at(self, x: np.ndarray) -> np.ndarray:
        return self._balanced(_forces(self._body, self._gravity, x)[self.free].ravel())

    def _whole(self, u: np.ndarray) -> np.ndarray:
        x = np.zeros_like(self._x)
        x[self.free] = u.reshape(-1, x.shape[1])
        return x


def _inverse(system: Any, x: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Solves with the stiffness at x, along deformations where rigid motions are free."""
    K = system.stiffness(x)
    sparse = K.sparse if isinstance(K, LowRankUpdate) else K
    if system.rank:
        weighted = system.complement(x).flat(system.free).weighted
        border = sp.csc_matrix(np.asarray(weighted).T * abs(sparse.diagonal()).max())
        whole = sp.bmat([[sparse, border], [border.T, None]], format="csc")
        lu, count = sla.splu(whole), sparse.shape[0]

        def apply(force: np.ndarray) -> np.ndarray:
            padded = np.concatenate([force, np.zeros(whole.shape[0] - count)])
            return np.asarray(lu.solve(padded)[:count])
    else:
        factor = sla.splu(sp.csc_matrix(sparse))

        def apply(force: np.ndarray) -> np.ndarray:
            return np.asarray(factor.solve(force))

    return K.inverse(apply) if isinstance(K, LowRankUpdate) else apply
