"""The elastic energy of a solid body: material x element."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from pliant.backend import Launches, compilation, on_device, start
from pliant.elements import Element, by_name, shape_gradients
from pliant.materials import Material

from .cell_kernels import cell_arrays, deformation_kernel, upright_kernel
from .cell_partition import CellPartition, summed
from .coarse import add_coarse_stiffness
from .inversion import LONGEST_STEP, inversion_kernel
from .protocol import Griddable
from .solid_kernels import gradient_kernel, hessian_kernel, value_kernel
from .solid_law import SolidLaw, law_constants
from .terms import packed

if TYPE_CHECKING:
    from pliant.solvers import Multigrid


class SolidEnergy(Griddable):
    """The elastic energy stored in the cells of a mesh.

        W(x) = sum_cells sum_q w_q psi(F_q),   F_q = sum_a x_a (dN_a/dX)^T

    Source: [sifakis2012]; [young2007] (3.13), (3.17) for triangles. Units: W [J], gradient [N],
    Hessian [N/m]; points [m]; thickness [m], for 2D bodies only (plane strain).

    factors, (cells,): of each cell, where few stand for all (cubature). Satisfies `Energy`, with one
    term per cell. Kernels compile on first use and are cached on disk.
    Not for cells of mixed kinds: make one SolidEnergy for each kind.
    """

    def __init__(
        self,
        points: np.ndarray,
        cells: np.ndarray,
        kind: str | Element,
        material: Material,
        *,
        thickness: float = 1.0,
        factors: np.ndarray | None = None,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ) -> None:
        start()
        if dtype not in (wp.float32, wp.float64):
            raise ValueError(f"got dtype={dtype}; expected dtype=wp.float64 or dtype=wp.float32")
        self.element = by_name(kind)
        self.material, self.device, self.dtype = material, device, dtype
        self._thickness, self._factors = thickness, factors
        self.stencils = np.ascontiguousarray(cells, dtype=np.int32)
        grads, weights = self._at_rest(points)
        #: What kernels of it are made for.
        self.law = self._law_of(material)
        lam, mu = material.per_cell(len(weights))
        first, _ = material.constants(len(weights), self.element.dim)
        self.shares = CellPartition(points, self.stencils, device=device)
        self.launches = Launches(device)
        #: (dim, nodes per cell, quadrature points per cell, dtype), which select the kernels.
        self.shape = (self.element.dim, self.element.n_nodes, weights.shape[1], dtype)

        self.cells = self._packed_cells(grads, weights)
        #: (lam, mu) per cell on the device [Pa]: Hooke's law, of a reinforced one without fibres.
        self.moduli: tuple[Any, Any] = (
            wp.array(lam, dtype=dtype, device=device),
            wp.array(mu, dtype=dtype, device=device),
        )
        kind_of_first = material.lam_type(self.element.dim, dtype)
        isotropic = kind_of_first is dtype
        own = self.moduli[0] if isotropic else wp.array(first, kind_of_first, device=device)
        #: The struct that the functions of its law take.
        self.known = self._known({"lam": own, "mu": self.moduli[1]})
        self._energies: Any = wp.zeros(len(weights), dtype=wp.float64, device=device)
        self._limit = wp.zeros(1, dtype=wp.float64, device=device)
        self._found: Any = wp.zeros(1, dtype=wp.int32, device=device)
        compilation.expect()

    def over(self, points: np.ndarray) -> SolidEnergy:
        """The same cells with other points at rest [m], (n, d)."""
        twin = copy(self)
        twin.cells = self._packed_cells(*self._at_rest(points))
        return twin

    def _at_rest(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients of shape functions [1/m], and weights [m^3], of cells with these points at rest."""
        grads, weights = shape_gradients(
            points, self.stencils, self.element, thickness=self._thickness
        )
        return grads, weights if self._factors is None else self._factors[:, None] * weights

    def _packed_cells(self, grads: np.ndarray, weights: np.ndarray) -> Any:
        cell_struct = cell_arrays(self.element.dim, self.dtype)
        arrays = {"nodes": self.stencils, "grads": grads, "weights": weights}
        return packed(cell_struct, on_device(cell_struct, arrays, self.device))

    def value(self, x: Any) -> float:
        """Return W(x) [J]; +inf where the material is infinite."""
        self._launch_value(x)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        kernel = gradient_kernel(self.law, *self.shape)
        self.shares.launch(kernel, x, self.cells, self.known, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks at slots (cells, k, k); `project` clamps dP/dF to PSD."""
        clamp = project and not self.material.constant_hessian
        kernel = hessian_kernel(self.law, *self.shape, clamp)
        self.shares.launch(kernel, x, self.cells, self.known, int(clamp), slots, blocks)

    def add_coarse_stiffness(self, x: Any, holders: Any, multigrid: Multigrid) -> None:
        """Add the stiffness at x [N/m] to the cells of the first grid."""
        add_coarse_stiffness(self, x, holders, multigrid)

    @property
    def limits_steps(self) -> bool:
        """Whether crushing a cell flat is fatal, and can be foreseen."""
        return not self.material.finite_when_inverted and self.element.is_simplex

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return 0.9 of the step at which the first cell is crushed flat, where that is fatal.

        inf for materials that are finite when inverted, and for cells in which F varies: there the
        infinite energy itself turns a line search back. 0 if a cell is inverted already.
        """
        if not self.limits_steps:
            return float("inf")
        dim, nodes, _quads, dtype = self.shape
        self._limit.fill_(LONGEST_STEP)
        kernel = inversion_kernel(dim, nodes, dtype)
        inputs = [x, dx, self.cells, self._limit]
        wp.launch(kernel, len(self.stencils), inputs=inputs, device=self.device)
        first = float(self._limit.numpy()[0])
        return 0.9 * first if first < LONGEST_STEP else float("inf")

    def strain_energies(self, x: Any) -> np.ndarray:
        """Return the energy of each cell [J], shape (cells,)."""
        self._launch_value(x)
        return np.asarray(self._energies.numpy().copy())

    def any_inverted(self, x: Any) -> bool:
        """Return whether det F <= 0 anywhere, without bringing F to the host."""
        dim, nodes, _quads, dtype = self.shape
        self._found.zero_()
        kernel = upright_kernel(dim, nodes, dtype)
        self.launches(kernel, self.cells.weights.shape, [x, self.cells, self._found])
        return bool(self._found.numpy()[0])

    def deformation_gradients(self, x: Any) -> np.ndarray:
        """Return F at each quadrature point, shape (cells, q, d, d)."""
        dim, nodes, _quads, dtype = self.shape
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        out = wp.zeros(self.cells.weights.shape, dtype=mat, device=self.device)
        kernel = deformation_kernel(dim, nodes, dtype)
        self.shares.launch(kernel, x, self.cells, out)
        return np.asarray(out.numpy())

    def _law_of(self, material: Material) -> SolidLaw:
        return SolidLaw(type(material))

    def _known(self, values: dict[str, Any]) -> Any:
        """The struct of the law, with these values."""
        return packed(law_constants(self.law, self.element.dim, self.dtype), values)

    def _launch_value(self, x: Any) -> None:
        kernel = value_kernel(self.law, *self.shape)
        self.shares.launch(kernel, x, self.cells, self.known, self._energies)
