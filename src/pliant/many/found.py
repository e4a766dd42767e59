"""What a fit has found: values, how sure they are, and what cannot be told from the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from .search import Search

#: Combinations of parameters that move points this little, beside the one that moves them most, or whose
#: value is uncertain by more than a factor of e, cannot be told.
UNTOLD = 1e-3
#: Parameters that have less than this share in such a combination are not named.
_SHARE = 0.1
#: A value this near to an end of its range, as a share of it, was stopped there.
AT_END = 1e-6
#: A search that a step of Gauss-Newton would move on by more than its interval, and by more than this
#: share of the range, ended early.
EARLY = 1e-4
_FEW = "how sure these are cannot be told: the target has {} numbers for {} parameters"
_END = "{} is at an end of its range: what fits best may lie beyond"
_EARLY = "the search for {} ended early: it expects more evaluations, or pl.GaussNewton()"
#: The intervals hold the value so often, if the target errs at random.
SURE = 0.95


@dataclass(frozen=True)
class Fit:
    """What `pl.fit` found.

    values: by name; intervals: (low, high) that hold them in 95 of 100 cases, if the target errs at
    random and independently from point to point. missed [m]: root mean square distance of the points.
    solved: equilibria or runs that it took; failed: those that had no solution. sensitivities: singular
    values of the motion of all points by relative changes [m]. untold: in words what cannot be told from
    this target, and what a search did not get to.
    """

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    missed: float
    size: float
    solved: int
    failed: int
    sensitivities: np.ndarray
    untold: tuple[str, ...]

    @property
    def uncertainty(self) -> dict[str, float]:
        """Half the length of each interval."""
        return {name: 0.5 * (high - low) for name, (low, high) in self.intervals.items()}

    def report(self) -> str:
        """All of it in words."""
        wide = max(map(len, [*self.values, "missed"]))
        lines = []
        for name, value in self.values.items():
            low, high = self.intervals[name]
            lines.append(f"{name:>{wide}}  {value:.4g}  ({low:.4g} to {high:.4g})")
        share = self.missed / self.size if self.size > 0.0 else 0.0
        lines.append(f"{'missed':>{wide}}  {self.missed:.3g} m rms, {share:.2g} of the size")
        failed = f", {self.failed} of them without a solution" if self.failed else ""
        lines.append(f"{'solved':>{wide}}  {self.solved} equilibria or runs{failed}")
        return "\n".join([*lines, *(f"{'note':>{wide}}  {said}" for said in self.untold)])


def judged(search: Search, t: np.ndarray) -> Fit:
    """What the answer t of a search is worth, by the derivatives there: cov = s^2 (J^T J)^-1."""
    r = search.missed(t)
    J = search.slopes(t)
    ranges, values = list(search.ranges.values()), search.values(t)
    few, freedom = len(r) <= len(t), max(len(r) - len(t), 1)
    noise = float(np.sqrt(r @ r / freedom))
    relative = np.array([_relative(x.slope(u), x.value(u)) for x, u in zip(ranges, t, strict=True)])
    missing = max(len(t) - len(r), 0)  # rows of zeros, so that V has all directions
    padded, left = np.pad(J / relative, ((0, missing), (0, 0))), np.pad(r, (0, missing))
    U, s, V = np.linalg.svd(padded, full_matrices=False)
    told = (s > UNTOLD * max(s[0], 1e-300)) & (noise < s)
    spread = np.sqrt(((V[told].T * (noise / s[told])) ** 2).sum(axis=1)) / relative
    reach = float(stats.t.ppf(0.5 + 0.5 * SURE, freedom)) * spread
    # A search that ended well has no step of Gauss-Newton left.
    step = -(V[told].T / s[told]) @ (left @ U[:, told]) / relative
    ended = np.array([not AT_END < u < 1.0 - AT_END for u in t])
    early = (np.abs(step) > np.maximum(reach, EARLY)) & ~ended & (not few)
    step = np.where(early, step, 0.0)
    untold = (np.abs(V[~told]) > _SHARE).any(axis=0)
    free, stopped = untold | few, ended & ~untold
    low = np.where(free, 0.0, t - reach + np.minimum(step, 0.0))
    high = np.where(free, 1.0, t + reach + np.maximum(step, 0.0))
    notes = [_words(dict(zip(values, v, strict=True))) for v in V[~told]]
    notes += [_FEW.format(len(r), len(t))] if few else []
    notes += [_END.format(name) for name, at in zip(values, stopped, strict=True) if at]
    notes += [_EARLY.format(name) for name, on in zip(values, early, strict=True) if on]
    return Fit(
        values,
        {
            name: (x.value(float(a)), x.value(float(b)))
            for name, x, a, b in zip(values, ranges, low, high, strict=True)
        },
        float(np.sqrt(np.mean(r**2)) * np.sqrt(search.targets[0][0].positions.shape[-1])),
        search.size,
        search.solved,
        search.failed,
        s,
        tuple(notes),
    )


def _relative(slope: float, value: float) -> float:
    """How the logarithm of a value changes with t; of values near zero the share of the range."""
    return slope / max(abs(value), 1e-3 * abs(slope))


def _words(direction: Mapping[str, float]) -> str:
    """A combination of parameters that the target does not tell."""
    shares = {name: v for name, v in direction.items() if abs(v) > _SHARE}
    names = ", ".join(shares)
    if len(shares) == 1:
        return f"{names} cannot be told: it hardly moves the points of the target"
    sizes = np.array(list(shares.values()))
    if np.ptp(sizes) < 0.05 * abs(sizes[0]):
        return f"only the ratios of {names} can be told: all of them times a factor move nothing"
    told = " ".join(f"{name}^{v / sizes[0]:.2g}" for name, v in shares.items())
    return f"{names} cannot be told apart: changed together, as {told}, they hardly move the points"
