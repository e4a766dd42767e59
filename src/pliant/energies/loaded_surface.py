"""A loaded surface: its facets and their quadrature, as kernels take them on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import (
    Exchange,
    Launches,
    compilation,
    device_of,
    on_device,
    spread,
    start,
    vector_length,
)
from pliant.elements import facet_element

from .facet_kernels import facet_kernels
from .terms import packed


class LoadedSurface:
    """Facets of several kinds, on the device on which the body's positions x live.

    facets: (m, 2) or (m, 3) edges in 2D, with a thickness [m]; (m, 3), (m, 4), (m, 6) or (m, 8) faces
    in 3D; outward oriented. Forces are of the kind of positions: numpy arrays or those of the device.
    """

    def __init__(self, facets: Sequence[np.ndarray], x: Any, *, thickness: float):
        start()
        device, dim = device_of(x), vector_length(x)
        self._run, self._launch = facet_kernels(dim), Launches(device)
        self.exchange = Exchange(len(x), dim, device=device, dtype=wp.float64)
        self._kinds = [_packed(self._run.Facets, f, dim, thickness, device) for f in facets]
        points = np.concatenate([f.ravel() for f in facets])  # one per point of a facet
        self._points: Any = wp.array(points, dtype=wp.int32, device=device)
        pair = wp.types.vector(2, wp.float64)
        self.normals: Any = wp.zeros(len(points), dtype=self.exchange.vec, device=device)
        self.law: Any = wp.zeros(len(points), dtype=pair, device=device)
        self._oriented = False
        self._even: tuple[type, np.ndarray, Any] = type(None), np.zeros(0), None
        compilation.expect()

    def press(self, x: Any, pressure: float) -> Any:
        """The forces [N] of a pressure [Pa] at positions x, (n, d)."""
        y, f = self.exchange.array(x), self.exchange.vectors(x)
        for kind, count in self._kinds:
            self._launch(self._run.press, count, [y, kind, pressure, f.array])
        return f.taken()

    def orient(self, x: Any, half: tuple[float, float]) -> None:
        """Compute `normals` and `law` at x: a unit normal and rho C A/2 of each point of a facet.

        half: rho C/2 across and along the surface [kg/m^3].
        """
        if self._oriented and self.exchange.holds(x):
            return
        y, first, self._oriented = self.exchange.placed(x), 0, False
        for kind, count in self._kinds:
            inputs = [y, kind, self.law.dtype(*half), first, self.normals, self.law]
            self._launch(self._run.orient, count, inputs)
            first += kind.points.size
        self._oriented = True

    def spread(self, u: np.ndarray, x: Any) -> Any:
        """Velocities of the air, one for all points or one for each, as an array of the kind of x."""
        if u.ndim > 1:
            return spread(u, x)
        kind, before, found = self._even
        if kind is not type(x) or not np.array_equal(before, u):
            found = spread(u, x)
            self._even = type(x), u.copy(), found
        return found

    def blow(self, u: Any, one_sided: bool) -> Any:
        """The forces [N] of air that passes points at u [m/s], on the surface as it was oriented."""
        f = self.exchange.vectors(u)
        inputs = [
            self._points,
            self.normals,
            self.law,
            self.exchange.array(u),
            int(one_sided),
            f.array,
        ]
        self._launch(self._run.blow, len(self._points), inputs)
        return f.taken()


def _packed(struct: Any, facets: np.ndarray, dim: int, thickness: float, device: Any) -> Any:
    """The facets of one kind as a struct of kernels, and how many there are."""
    element = facet_element(dim, facets.shape[1])
    rule = element.rule if element.is_simplex else element.mass_rule
    slopes = np.zeros((len(rule.weights), facets.shape[1], 2))
    slopes[:, :, : dim - 1] = element.gradients(rule.points)
    values = {
        "points": facets,
        "slopes": slopes,
        "shape": element.shape(rule.points),
        "weights": rule.weights,
        "shares": _shares(dim, facets.shape[1]),
        "thickness": thickness,
    }
    return packed(struct, on_device(struct, values, device)), len(facets)


def _shares(dim: int, nodes: int) -> np.ndarray:
    """The share of a facet's area that each of its points has, all above zero.

    For quadratic facets in proportion to the integrals of N^2, as their masses are: those of N are
    negative at corners, where air would then push the body on.
    """
    element = facet_element(dim, nodes)
    N, weights = element.shape(element.mass_rule.points), element.mass_rule.weights
    share = weights @ (N if element.degree == 1 else N**2)
    return np.asarray(share / share.sum())
