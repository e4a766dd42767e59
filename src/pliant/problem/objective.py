"""What one time step minimises."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.energies import Coupling
from pliant.solvers import Complement, PairBlocks, updated

from .inertia import Inertia, Quadratic

if TYPE_CHECKING:
    from .system import System


class StepObjective:
    """inertia + energies - load . x, over the free points, with rigid motions projected out.

    Arrays of the inertia, the load and the complement may live in any space. `matrix`, `frames`, `free`
    and `complement` are for solvers that factorise, on the host.
    """

    def __init__(self, system: System, inertia: Inertia, load: Any, complement: Complement):
        self._system, self._inertia = system, inertia
        self.vectors = space = system.spaces.home
        self.size, self.free = system.size, system.free
        self.weight, self.stiffness = inertia.weight, inertia.stiffness
        self._anchor, self._load = space.asarray(inertia.anchor), space.asarray(load, keep=True)
        self._push, self._pull = None, self._load
        if inertia.push is not None:
            self._push = space.asarray(inertia.push)
            self._pull = space.moved(self._load, 1.0, self._push)
        self._complement = complement.within(space)
        self._products = [self._product(q) for q in inertia.quadratics]

    def value(self, x: Any) -> float:
        """The objective [J]."""
        v, inertia = self.vectors, self._inertia
        total = self._system.assembly.value(x, inertia.energies)
        total += v.inertia(inertia.weight, x, self._anchor, self._load)
        if self._push is not None:  # of the way from the anchor, which is short: less rounding
            total -= v.dot(self._push, v.moved(x, -1.0, self._anchor))
        for q, anchor, add in self._products:
            image = add(q.weight, x, anchor, v.zeros_like(x))
            total += 0.5 * v.dot(v.moved(x, -1.0, anchor), image)
        for m in inertia.motions:
            total += 0.5 * m.weight * float((m.amounts(x) ** 2).sum())
        return total

    def gradient(self, x: Any) -> Any:
        """Its gradient [N]."""
        g = self._system.assembly.gradient(x, self._inertia.energies)
        return self._closed(g, x, pins_too=True)

    def residual(self, x: Any) -> Any:
        """The part of the gradient that moves free points and no rigid motion [N]."""
        g = self._system.assembly.gradient(x, self._inertia.energies)
        g = self._closed(g, x, pins_too=False)
        return self._complement.project_force(g) if self._complement.rank else g

    def admitted_force(self, g: Any) -> Any:
        """A force without what acts on pins and on the rigid motions that are not searched."""
        return self._complement.project_force(self.vectors.asarray(g))

    def admitted(self, dx: Any) -> Any:
        """The part of a displacement that moves free points and no rigid motion."""
        return self._complement.project(dx)

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest admissible fraction of dx."""
        return self._system.assembly.step_limit(x, dx)

    # --- its Hessian as blocks of the device ------------------------------------------------

    def blocks(self, x: Any, project: bool) -> Any:
        """Its Hessian over all points as blocks on the device, the identity at pins [N/m]."""
        system = self._system
        y = system.assembly.placed(x)
        return system.hessian.fill(y, system.assembly.energies, self._inertia, project)

    def pairs(self, x: Any, project: bool) -> list[PairBlocks]:
        """Blocks of its Hessian for pairs that come and go, none at pins [N/m]."""
        system = self._system
        also = self._inertia.energies
        found = system.assembly.pair_blocks(x, project=project, also=also)
        for blocks in found:
            system.hessian.drop_pins(blocks)
        return found

    def places(self, x: Any) -> list[tuple[Any, float]]:
        """Positions and factors with which Hessians of the energies sum to the Hessian of this."""
        return self._inertia.places(x)

    def turns(self, x: Any) -> Any:
        """The rotation of the neighbourhood of every point."""
        return self._system.turned(self._system.assembly.array(x))

    def motions(self) -> tuple[Any, Any] | None:
        """The rigid motions that are not searched, and their momenta."""
        if not self._complement.rank:
            return None
        array = self._system.assembly.array
        return array(self._complement.basis), array(self._complement.weighted)

    def shift(self, share: float) -> None:
        """Add a share of its diagonal to the Hessian."""
        self._system.hessian.shift(share)

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled by the largest entry of the Hessian."""
        return self.vectors.mixed(-1.0 / self._system.hessian.largest(), g, 0.0, g)

    # --- its Hessian as a matrix of the host ------------------------------------------------

    def matrix(self, x: Any, project: bool) -> Any:
        """Its Hessian over the free points [N/m]."""
        system, inertia, host = self._system, self._inertia, self._system.spaces.host
        x = host.asarray(x)
        blocks = self.cell_blocks(x, project)
        found = [system.assembly.low_rank(x, inertia.energies)]
        for q in inertia.quadratics:
            if q.definite or not project:
                blocks += q.weight * host.asarray(q.blocks)
                found.append(q.weighted_low_rank())
        if inertia.weight:
            diagonal = inertia.weight * system.masses
            identity = np.eye(x.shape[1])
            blocks[system.assembly.pattern.diagonal] += diagonal[:, None, None] * identity
        pairs = system.assembly.pair_blocks(x, project=project, also=inertia.energies)
        sparse = system.with_pairs(system.restriction.matrix(blocks), pairs)
        added = [m.columns() for m in inertia.motions if m.weight > 0.0]
        found += [m.columns() for m in inertia.motions if m.weight <= 0.0]
        return updated(sparse, self._columns(found), self._columns(added))

    def cell_blocks(self, x: np.ndarray, project: bool) -> np.ndarray:
        """The Hessian of all energies but what pairs add off the diagonal, as blocks [N/m]."""
        assembly = self._system.assembly
        return np.asarray(assembly.blocks(x, project=project, also=self._inertia.energies))

    def _columns(self, found: Sequence[np.ndarray | None]) -> np.ndarray | None:
        """All columns over the free unknowns."""
        some = [u for u in found if u is not None]
        return self._system.restriction.rows(np.concatenate(some, axis=1)) if some else None

    def frames(self, x: Any) -> np.ndarray:
        """The rotation of the neighbourhood of each free point."""
        if not self._system.solids:  # only solids have deformation gradients, and so rotations
            d = self._system.dim
            return np.broadcast_to(np.eye(d), (int(self.free.sum()), d, d))
        return np.asarray(self.turns(x).numpy()[self.free])

    @cached_property
    def complement(self) -> Complement:
        """The directions that are searched, over the unknowns of the free points."""
        return self._complement.flat(self.free)

    def couples_all(self, x: Any) -> bool:
        """Whether its Hessian at x may have a low-rank part besides its blocks."""
        if self._inertia.motions or any(q.low_rank is not None for q in self._inertia.quadratics):
            return True
        energies = (*self._system.assembly.energies, *self._inertia.energies)
        coupling = [e for e in energies if isinstance(e, Coupling)]
        return any(e.couples(self._system.assembly.array(x)) for e in coupling)

    def _closed(self, g: Any, x: Any, *, pins_too: bool) -> Any:
        """The gradient g of the energies, with inertia and loads."""
        inertia = self._inertia
        for q, anchor, add in self._products:
            add(q.weight, x, anchor, g)
        for m in inertia.motions:
            g += m.weight * np.einsum("r,rnd->nd", m.amounts(x), m.weighted)
        close = self.vectors.close
        return close(g, inertia.weight, x, self._anchor, self._pull, pins_too=pins_too)

    def _product(self, q: Quadratic) -> tuple[Quadratic, Any, Any]:
        pattern, space = self._system.assembly.pattern, self.vectors
        blocks = q.blocks if space.on_host else self._system.hessian.to_device(q.blocks)
        return q, space.asarray(q.anchor), space.product(pattern, blocks, q.low_rank)
