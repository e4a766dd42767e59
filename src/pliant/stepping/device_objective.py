"""What one time step minimises, with all its arrays on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.damping.inertia import Inertia, Quadratic
from pliant.energies.assembly import Assembly
from pliant.energies.frames import turned_points
from pliant.solvers import Complement
from pliant.solvers.device_vectors import DeviceVectors
from pliant.solvers.recorded import Launches

from .device_kernels import objective_kernels
from .device_parts import DeviceComplement, DeviceParts
from .hessian import Hessian


class DeviceBody:
    """What all objectives of one body share on its device."""

    def __init__(
        self,
        assembly: Assembly,
        solids: Any,
        hessian: Hessian,
        vectors: DeviceVectors,
        parts: DeviceParts,
        size: float,
    ):
        self.assembly, self.solids, self.hessian = assembly, solids, hessian
        self.vectors, self.parts, self.size = vectors, parts, size
        self.run = objective_kernels(vectors.dim, vectors.device.is_cuda)
        index = (assembly.pattern.starts, assembly.pattern.columns)
        self.rows: list[Any] = [wp.array(i, dtype=wp.int32, device=vectors.device) for i in index]
        self.launch = Launches(vectors.device)
        self._lifted: dict[int, tuple[Any, Any]] = {}

    def lift(self, a: Any, *, keep: bool = False) -> Any:
        """An array on the device; `keep` remembers it while the same numpy array comes again."""
        if not isinstance(a, np.ndarray):
            return a
        if not keep:
            return self.vectors.array(a)
        known = self._lifted.pop(id(a), None) or (a, self.vectors.array(a))
        if len(self._lifted) >= 4:
            del self._lifted[next(iter(self._lifted))]  # the one not used for longest
        self._lifted[id(a)] = known
        return known[1]


class DeviceObjective:
    """`StepObjective` for arrays on a device; host arrays in the inertia and the load are lifted."""

    def __init__(self, body: DeviceBody, inertia: Inertia, load: Any, complement: Any):
        self._body, self._inertia, self.vectors = body, inertia, body.vectors
        self.size, self.weight, self.stiffness = body.size, inertia.weight, inertia.stiffness
        self._anchor = body.lift(inertia.anchor)
        self._load = body.lift(load, keep=True)
        self._quadratics = [self._lifted(q) for q in inertia.quadratics]
        if isinstance(complement, Complement):
            complement = body.parts.lifted(complement, body.hessian.free)
        self._complement: DeviceComplement = complement
        self._energies = (*body.assembly.energies, *inertia.energies)

    def value(self, x: Any) -> float:
        """The objective [J]."""
        v, total = self.vectors, sum(e.value(x) for e in self._energies)
        inputs = [self.weight, v.masses, x, self._anchor, self._load]
        total += v.total(self._body.run.inertia_value, *inputs)
        for q, blocks, anchor in self._quadratics:
            image = self._image(q, blocks, anchor, x, v.zeros())
            total += 0.5 * v.dot(v.moved(x, -1.0, anchor), image)
        return total

    def residual(self, x: Any) -> Any:
        """The part of the gradient that moves free points and no rigid motion [N]."""
        g = self.vectors.zeros()
        for energy in self._energies:
            energy.add_gradient(x, g)
        for q, blocks, anchor in self._quadratics:
            self._image(q, blocks, anchor, x, g)
        mobile = self._body.hessian.mobile
        inputs = [self.weight, self.vectors.masses, mobile, x, self._anchor, self._load, g]
        self._launch(self._body.run.close_gradient, inputs)
        return self._complement.project_force(g) if self._complement.rank else g

    def admitted_force(self, g: Any) -> Any:
        """A force without what acts on pins and on the rigid motions that are not searched."""
        return self._complement.project_force(self._body.lift(g))

    def admitted(self, dx: Any) -> Any:
        """The part of a displacement that moves free points and no rigid motion."""
        return self._complement.project(dx)

    def blocks(self, x: Any, project: bool) -> Any:
        """Its Hessian over all points as blocks, the identity at pins [N/m]."""
        energies = self._body.assembly.energies
        return self._body.hessian.fill(x, energies, self._inertia, project)

    def shift(self, share: float) -> None:
        """Add a share of its diagonal to the Hessian."""
        self._body.hessian.shift(share)

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled by the largest entry of the diagonal of the Hessian."""
        return self.vectors.mixed(-1.0 / self._body.hessian.largest(), g, 0.0, g)

    def places(self, x: Any) -> list[tuple[Any, float]]:
        """Where, and with which factors, the Hessians of the energies make up its own."""
        return self._inertia.places(x)

    def turns(self, x: Any) -> Any:
        """The rotation of the neighbourhood of every point."""
        return turned_points(self._body.solids, x, self.vectors.count)

    def motions(self) -> tuple[Any, Any] | None:
        """The rigid motions that are not searched, and their momenta."""
        if not self._complement.rank:
            return None
        return self._complement.basis, self._complement.weighted

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest admissible fraction of dx."""
        energies = self._body.assembly.energies
        return min((e.step_limit(x, dx) for e in energies), default=float("inf"))

    def _image(self, q: Quadratic, blocks: Any, anchor: Any, x: Any, out: Any) -> Any:
        inputs = [*self._body.rows, blocks, q.weight, x, anchor, out]
        self._launch(self._body.run.multiply, inputs)
        return out

    def _lifted(self, q: Quadratic) -> tuple[Quadratic, Any, Any]:
        return q, self._body.hessian.lift(q.blocks), self._body.lift(q.anchor)

    def _launch(self, kernel: Any, inputs: list[Any]) -> None:
        self._body.launch(kernel, self.vectors.count, inputs)
