"""Arrays that stay on a device: only sums and maxima come to the host."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import warp as wp

from .buffers import DeviceBuffers
from .device_groups import DeviceGroups
from .devices import parallel, whole_blocks
from .exchange import to_device
from .labels import Labels
from .objective_kernels import objective_kernels
from .recorded import Launches
from .reductions import HostNumbers
from .vector_kernels import vector_kernels

#: Arrays of the host of which the copies are remembered.
COPIES = 4


class DeviceSpace:
    """`Space` of Warp arrays of float64 vectors, one per point, on one device.

    masses [kg], (n,), and free, (n,), for what needs them.
    """

    on_host = False

    def __init__(
        self, masses: np.ndarray, dim: int, *, free: np.ndarray | None = None, device: Any
    ):
        self.count, self.dim = len(masses), dim
        self.device = wp.get_device(device)
        self.vec: Any = wp.types.vector(dim, wp.float64)
        weights: list[Any] = [
            wp.array(w, dtype=wp.float64, device=self.device)
            for w in (masses, 1.0 / masses, masses**2)
        ]
        self.masses, self._inverse, self._squares = weights
        ones = np.ones(self.count, dtype=np.int32)
        mobile = ones if free is None else free.astype(np.int32)
        self._all: Any = wp.array(ones, dtype=wp.int32, device=self.device)
        self.mobile: Any = wp.array(mobile, dtype=wp.int32, device=self.device)
        tiled = parallel(self.device)
        self._run: Any = vector_kernels(dim, tiled)
        self._objective: Any = objective_kernels(dim, tiled)
        self._launch = Launches(self.device)
        self._found = HostNumbers(1, self.device)
        self._several = HostNumbers(3, self.device)
        self._places = [self._several.array[k:] for k in range(3)]
        self._components: Any = wp.zeros(6, dtype=wp.float64, device=self.device)
        self._nothing: Any = wp.zeros((0, self.count), dtype=self.vec, device=self.device)
        self._kept: dict[int, tuple[Any, Any]] = {}
        self._buffers = DeviceBuffers(self.vec, self.count, self.device)
        self.threads = whole_blocks(self.count, self.device)

    def asarray(self, a: Any, *, keep: bool = False) -> Any:
        """`a`, or a copy of a numpy array."""
        if not isinstance(a, np.ndarray):
            return a
        if not keep:
            return to_device(a, self.vec, self.device, copy=True)
        known = self._kept.pop(id(a), None) or (a, self.asarray(a))
        if len(self._kept) >= COPIES:
            del self._kept[next(iter(self._kept))]  # the one not used for longest
        self._kept[id(a)] = known
        return known[1]

    def empty_like(self, a: Any) -> Any:
        """A new vector per point, of anything."""
        return self._buffers.empty()

    def zeros_like(self, a: Any) -> Any:
        """A new array of zeros."""
        return wp.zeros_like(a)

    def copy(self, a: Any) -> Any:
        """A new array like a."""
        return wp.clone(a)

    def zeros(self) -> Any:
        """An array of zeros."""
        return self._buffers.zeros()

    def dot(self, a: Any, b: Any) -> float:
        """The sum of a . b."""
        return self._total(self._run.dot, a, b)

    def weighted(self, a: Any, b: Any) -> float:
        """The sum of m |a - b|^2."""
        return self._total(self._run.weighted, self.masses, a, 1.0, b)

    def weighted_both(self, x: Any, a: Any, b: Any) -> tuple[float, float]:
        """The sums of m |x - a|^2 and of m |x - b|^2, in one launch."""
        return self._three(self._run.both, self.masses, x, a, b)[:2]

    def force_norm(self, force: Any) -> float:
        """The norm of a force over masses, sqrt(sum |f|^2 / m)."""
        return math.sqrt(self._total(self._run.weighted, self._inverse, force, 0.0, force))

    def momentum(self, a: Any) -> float:
        """The norm of m a."""
        return math.sqrt(self._total(self._run.weighted, self._squares, a, 0.0, a))

    def largest(self, a: Any) -> float:
        """The largest entry of |a|; inf if there is one that is not a number."""
        return self._total(self._run.apart, a, 0.0, a)

    def longest(self, a: Any) -> float:
        """The length of the longest vector of a."""
        return self._total(self._run.longest, a)

    def apart(self, a: Any, b: Any) -> float:
        """The largest entry of |a - b|."""
        return self._total(self._run.apart, a, 1.0, b)

    def exceeds(self, a: Any, bounds: Any) -> bool:
        """Whether any entry of |a| is above its bound, or not a number."""
        return self._total(self._run.exceeds, a, bounds) > 0.0

    def norms(self, g: Any, x: Any, origin: Any) -> tuple[float, float, float]:
        """The norm of g, its largest entry, and the largest entry of |x - origin|, in one launch."""
        square, largest, apart = self._three(self._run.norms, g, x, origin)
        return (math.sqrt(square) if square >= 0.0 else math.inf), largest, apart

    def rest_products(self, x: Any, rest: Any, g: Any) -> tuple[float, float, float]:
        """The sums of m |x - rest|^2, of (x - rest) . g and of |g|^2, in one launch."""
        return self._three(self._run.rest_products, self.masses, x, rest, g)

    def moved(self, x: Any, step: float, p: Any) -> Any:
        """A new array x + step p."""
        return self.mixed(1.0, x, step, p)

    def negated(self, a: Any) -> Any:
        """A new array -a."""
        return self.mixed(-1.0, a, 0.0, a)

    def mixed(self, s: float, a: Any, t: float, b: Any) -> Any:
        """A new array s a + t b."""
        out = self._buffers.empty()
        self._launch(self._run.mix, self.count, [s, a, t, b, out])
        return out

    def led(self, x: Any, share: float, to: Any, step: float, v: Any) -> Any:
        """A new array x + share (to - x) + step v."""
        out = self._buffers.empty()
        self._launch(self._run.lead, self.count, [x, share, to, step, v, out])
        return out

    def led_each(self, x: Any, gains: np.ndarray, groups: Labels, to: Any, v: Any) -> Any:
        """The same with a share and a step of its own for each group of points; gains: (groups, 2)."""
        out = self._buffers.empty()
        table: Any = wp.array(gains, dtype=wp.float64, device=self.device)
        given = [x, table, groups.on(str(self.device)), to, v, out]
        self._launch(self._run.lead_each, self.count, given)
        return out

    def extended(self, x: Any, *terms: tuple[float, Any]) -> Any:
        """A new array x + the sum of s a for at most three terms (s, a)."""
        out = self._buffers.empty()
        given = [entry for term in (*terms, *[(0.0, x)] * (3 - len(terms))) for entry in term]
        self._launch(self._run.extend, self.count, [x, *given, out])
        return out

    def inertia(self, weight: float, x: Any, anchor: Any, load: Any) -> float:
        """weight/2 sum m |x - anchor|^2 - load . (x - anchor)."""
        return self._total(self._objective.inertia, weight, self.masses, x, anchor, load)

    def close(
        self, g: Any, weight: float, x: Any, anchor: Any, load: Any, *, pins_too: bool = False
    ) -> Any:
        """g + weight m (x - anchor) - load, in place; zero at pins unless `pins_too`."""
        mobile = self._all if pins_too else self.mobile
        inputs = [weight, self.masses, mobile, x, anchor, load, g]
        self._launch(self._objective.close, self.count, inputs)
        return g

    def product(self, pattern: Any, blocks: Any, low_rank: Any = None) -> Callable[..., Any]:
        """The function (weight, x, anchor, out) that adds weight K (x - anchor) to out."""
        assert low_rank is None, "bodies whose Hessian fills all blocks are solved for on the host"
        rows = pattern.index(self.device)

        def add(weight: float, x: Any, anchor: Any, out: Any) -> Any:
            inputs = [*rows, blocks, weight, x, anchor, out]
            self._launch(self._objective.multiply, self.count, inputs)
            return out

        return add

    def without(self, finds: Any, removes: Any, a: Any) -> Any:
        """a less its components along `removes`, as `finds` finds them; zero at pins; in place."""
        found = self._components
        if finds is None:
            removes = self._nothing
        else:
            rank = finds.shape[0]
            if rank > len(found):
                found = self._components = wp.zeros(rank, dtype=wp.float64, device=self.device)
            found.zero_()
            self._launch(self._objective.components, (rank, self.threads), [finds, a, found])
        self._launch(self._objective.remove, self.count, [self.mobile, found, removes, a])
        return a

    def groups(self, members: Sequence[np.ndarray]) -> DeviceGroups:
        """Points that move together."""
        return DeviceGroups(members, self.masses, self.mobile, self.dim)

    def _total(self, kernel: Any, *inputs: Any) -> float:
        """Launch a kernel over whole blocks, and return the one number that it writes."""
        inputs = (*inputs, self._found.emptied())
        self._launch(kernel, self.threads, inputs)
        found = float(self._found.read()[0])
        return found if math.isfinite(found) else math.inf

    def _three(self, kernel: Any, *inputs: Any) -> tuple[float, float, float]:
        self._several.emptied()
        self._launch(kernel, self.threads, [*inputs, *self._places])
        a, b, c = self._several.read()
        return float(a), float(b), float(c)
