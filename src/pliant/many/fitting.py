"""`pl.fit`: the parameters of a scene whose bodies rest, or move, where others were seen to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.problem import Stepper

from .found import Fit, judged
from .methods import GaussNewton, Method
from .ranges import accept_ranges
from .search import Search
from .targets import targets_of
from .trial import Make


def fit(
    make: Make,
    target: Any,
    *,
    vary: Mapping[str, tuple[float, float]],
    start: Mapping[str, float] | None = None,
    method: Method | None = None,
    at_rest: bool = False,
    dt: float = 1 / 60,
    stepper: Stepper | None = None,
    client: Any = None,
) -> Fit:
    """Find the values of parameters for which bodies are nearest to where a target has them.

        min over theta of sum |x(theta) - x_target|^2

    make(**values) returns the scene, or a list of scenes for several loads; target: for each scene
    positions (n, d) [m], a mesh, a take, `pl.PointTracks`, or the name of a file of these. A take is a
    motion, run with `dt` and `stepper`; at_rest: where it ended is where bodies rest. vary: ranges
    (low, high) by name; those whose ends differ by a factor of 10 are searched by the logarithm. start:
    values, by default in the middle. method: pl.GaussNewton(), LBFGS(), CMAES() or Annealing(). client:
    of dask.distributed, on which independent trials run.
    """
    ranges = accept_ranges(vary)
    given = target if isinstance(target, list) else [target]
    question = Search(
        make, ranges, [targets_of(one, at_rest=at_rest) for one in given], dt, stepper, client
    )
    t = question.begin(start or {})
    found = np.clip((method or GaussNewton()).find(question, t), 0.0, 1.0)
    return judged(question, found)
