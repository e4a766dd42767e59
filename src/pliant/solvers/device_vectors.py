# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""`Vectors` that stay on a device: only sums and maxima come to the host."""

import math
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from .recorded import Launches
from .reductions import BLOCK, OPTIONS, Mailbox, adder, topper


class DeviceVectors:
    """Arrays of float64 vectors, one per point, on one device.

    masses: of the points, for mass-weighted sums.
    """

    def __init__(self, masses: np.ndarray, dim: int, *, device: Any):
        self.count, self.dim = len(masses), dim
        self.device = wp.get_device(device)
        self.vec = wp.types.vector(dim, wp.float64)
        self.masses = wp.array(masses, dtype=wp.float64, device=self.device)
        self._run = vector_kernels(dim, self.device.is_cuda)
        self._launch = Launches(self.device, block=BLOCK)
        self._found = Mailbox(1, self.device)
        self._several = Mailbox(3, self.device)
        self._places = [self._several.array[k:] for k in range(3)]
        block = BLOCK if self.device.is_cuda else 1
        self.threads = -(-self.count // block) * block

    def array(self, host: np.ndarray) -> wp.array:
        """A copy of a numpy array on the device."""
        return wp.array(np.ascontiguousarray(host), dtype=self.vec, device=self.device)

    def like(self, a: Any) -> wp.array:
        """A new array of anything."""
        return wp.empty_like(a)

    def zeros(self) -> wp.array:
        """An array of zeros."""
        return wp.zeros(self.count, dtype=self.vec, device=self.device)

    def dot(self, a: Any, b: Any) -> float:
        """The sum of a . b."""
        return self.total(self._run.dot, a, b)

    def weighted(self, a: Any, b: Any) -> float:
        """The sum of m |a - b|^2."""
        return self.total(self._run.weighted, self.masses, a, b)

    def strength(self, force: Any) -> float:
        """The sum of |f|^2 / m."""
        return self.total(self._run.strength, self.masses, force)

    def momentum(self, a: Any) -> float:
        """The norm of m a."""
        return math.sqrt(self.total(self._run.momentum, self.masses, a))

    def largest(self, a: Any) -> float:
        """The largest entry of |a|; inf if there is one that is not a number."""
        return self.total(self._run.largest, a)

    def apart(self, a: Any, b: Any) -> float:
        """The largest entry of |a - b|."""
        return self.total(self._run.apart, a, b)

    def exceeds(self, a: Any, bounds: Any) -> bool:
        """Whether any entry of |a| is above its bound, or not a number."""
        return self.total(self._run.exceeds, a, bounds) > 0.0

    def survey(self, g: Any, x: Any, origin: Any) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and how far x is from its origin, in one look."""
        square, largest, apart = self._three(self._run.survey, g, x, origin)
        return (math.sqrt(square) if square >= 0.0 else math.inf), largest, apart

    def outlook(self, x: Any, rest: Any, g: Any) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2, in one look."""
        return self._three(self._run.outlook, self.masses, x, rest, g)

    def moved(self, x: Any, step: float, p: Any) -> wp.array:
        """A new array x + step p."""
        return self.mixed(1.0, x, step, p)

    def negated(self, a: Any) -> wp.array:
        """A new array -a."""
        return self.mixed(-1.0, a, 0.0, a)

    def mixed(self, s: float, a: Any, t: float, b: Any) -> wp.array:
        """A new array s a + t b."""
        out = wp.empty_like(a)
        self._launch(self._run.mix, self.count, [s, a, t, b, out])
        return out

    def total(self, kernel: Any, *inputs: Any) -> float:
        """What a kernel over whole blocks leaves in the one number that is its last argument."""
        inputs = (*inputs, self._found.emptied())
        self._launch(kernel, self.threads, inputs)
        found = float(self._found.read()[0])
        return found if math.isfinite(found) else math.inf

    def _three(self, kernel: Any, *inputs: Any) -> tuple[float, float, float]:
        self._several.emptied()
        self._launch(kernel, self.threads, [*inputs, *self._places])
        a, b, c = self._several.read()
        return float(a), float(b), float(c)


@cache
def vector_kernels(dim: int, cuda: bool) -> Any:
    """Return the kernels, as attributes. Reductions are launched over whole blocks."""
    vec = wp.types.vector(dim, wp.float64)
    zero = wp.constant(wp.float64(0.0))
    add, top = adder(cuda), topper(cuda)

    @wp.func
    def size(a: vec):
        most = zero
        for k in range(dim):
            if not (wp.abs(a[k]) <= most):  # not a number counts as the largest
                most = wp.abs(a[k])
        return most

    @wp.kernel(module="unique", module_options=OPTIONS)
    def dot(a: wp.array(dtype=vec), b: wp.array(dtype=vec), total: wp.array(dtype=wp.float64)):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = wp.dot(a[i], b[i])
        add(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def weighted(
        masses: wp.array(dtype=wp.float64),
        a: wp.array(dtype=vec),
        b: wp.array(dtype=vec),
        total: wp.array(dtype=wp.float64),
    ):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            u = a[i] - b[i]
            part = masses[i] * wp.dot(u, u)
        add(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def strength(
        masses: wp.array(dtype=wp.float64),
        force: wp.array(dtype=vec),
        total: wp.array(dtype=wp.float64),
    ):
        i = wp.tid()
        part = zero
        if i < force.shape[0]:
            part = wp.dot(force[i], force[i]) / masses[i]
        add(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def momentum(
        masses: wp.array(dtype=wp.float64),
        a: wp.array(dtype=vec),
        total: wp.array(dtype=wp.float64),
    ):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = masses[i] * masses[i] * wp.dot(a[i], a[i])
        add(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def largest(a: wp.array(dtype=vec), total: wp.array(dtype=wp.float64)):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = size(a[i])
        top(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def apart(a: wp.array(dtype=vec), b: wp.array(dtype=vec), total: wp.array(dtype=wp.float64)):
        i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = size(a[i] - b[i])
        top(total, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def exceeds(
        a: wp.array(dtype=vec), bounds: wp.array(dtype=vec), total: wp.array(dtype=wp.float64)
    ):
        i = wp.tid()
        above = zero
        if i < a.shape[0]:
            for k in range(dim):
                if not (wp.abs(a[i][k]) <= bounds[i][k]):
                    above = wp.float64(1.0)
        top(total, above)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def survey(
        g: wp.array(dtype=vec),
        x: wp.array(dtype=vec),
        origin: wp.array(dtype=vec),
        total: wp.array(dtype=wp.float64),
        most: wp.array(dtype=wp.float64),
        far: wp.array(dtype=wp.float64),
    ):
        i = wp.tid()
        square, entry, way = zero, zero, zero
        if i < g.shape[0]:
            square = wp.dot(g[i], g[i])
            entry = size(g[i])
            way = size(x[i] - origin[i])
        add(total, square)
        top(most, entry)
        top(far, way)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def outlook(
        masses: wp.array(dtype=wp.float64),
        x: wp.array(dtype=vec),
        rest: wp.array(dtype=vec),
        g: wp.array(dtype=vec),
        away: wp.array(dtype=wp.float64),
        work: wp.array(dtype=wp.float64),
        total: wp.array(dtype=wp.float64),
    ):
        i = wp.tid()
        part, along, square = zero, zero, zero
        if i < x.shape[0]:
            u = x[i] - rest[i]
            part = masses[i] * wp.dot(u, u)
            along = wp.dot(u, g[i])
            square = wp.dot(g[i], g[i])
        add(away, part)
        add(work, along)
        add(total, square)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def mix(
        s: wp.float64,
        a: wp.array(dtype=vec),
        t: wp.float64,
        b: wp.array(dtype=vec),
        out: wp.array(dtype=vec),
    ):
        i = wp.tid()
        out[i] = s * a[i] + t * b[i]

    return SimpleNamespace(
        dot=dot,
        weighted=weighted,
        strength=strength,
        momentum=momentum,
        largest=largest,
        apart=apart,
        exceeds=exceeds,
        survey=survey,
        outlook=outlook,
        mix=mix,
    )
