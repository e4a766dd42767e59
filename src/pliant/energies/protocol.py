"""The Energy protocol: the seam between models of matter and everything that minimises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from pliant.solvers import Multigrid, PairBlocks

    from .condition import ConditionEnergy


@runtime_checkable
class Energy(Protocol):
    """A sum of terms, each a function of the positions of a few points.

        W(x) = sum_t W_t(x[stencils[t]])

    A body is a list of these, and a time step minimises their sum: whatever satisfies this protocol
    works with every damping, load, contact and solver.

    Shapes and types. `x`, `dx` [m] and `g` [N]: Warp arrays of vec(dim), one per point of the body,
    on the device of the energy and in its precision. `blocks` [N/m]: Warp array of mat(dim, dim),
    one per non-zero block of a sparsity pattern that is fixed per topology. `slots`: Warp int32
    array (terms, k, k) that says where block (a, b) of a term goes; a negative slot drops the
    block, so a caller may store one triangle only. The `add_*` methods add: the caller zeroes.

    An energy declares what else it can do by a base class: `Griddable`, `Coupling`, `Flowing`, `Lagged`,
    `NaturalShape`, `OfConditions`, `Pairing`, `Searching`, `Strained`. The linear solver is chosen by
    these, never by which or how many energies there are.

    What stays fixed during a step is told by whoever owns the energy, before it (`aim`). An energy
    that keeps something from one call to the next which changes its sums, if only in the last digit,
    is `Searching`, so that a step that fails can be undone and a run can be taken up.

    Not for forces without a potential (friction, drag): those are dissipation.
    """

    @property
    def stencils(self) -> np.ndarray:
        """Which points each term couples: int32, shape (terms, k)."""

    def value(self, x: Any) -> float:
        """Return W(x) [J], summed in float64; +inf where x is not admissible."""

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx, that is minus the force, to g."""

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 to blocks; with `project`, a positive semi-definite stand-in for it.

        The stand-in equals the Hessian of every term that is positive semi-definite already.
        """

    @property
    def limits_steps(self) -> bool:
        """Whether `step_limit` is ever less than inf."""

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return the largest fraction of dx that a line search may take; inf when unlimited."""


class Griddable(ABC):
    """Declares that a regular grid laid over the cells can hold the stiffness of this energy.

    A body is solved by multigrid if energies that declare this have all its free points in their
    stencils. All other energies are then terms of the matrix of the points, and the grids are told
    of those terms when they are made, except of `Coupling` ones.
    """

    stencils: np.ndarray
    """The points of each cell: int32, shape (cells, k)."""

    @abstractmethod
    def add_coarse_stiffness(self, x: Any, holders: Any, multigrid: Multigrid) -> None:
        """Add the stiffness at x [N/m] to `multigrid.cells`; holders: the grid cell of each cell."""


class Strained(ABC):
    """Declares that this energy is quadratic in a strain, or in other measures s of the shape.

    `Settle` takes `strain_inertia()` as the inertia of the body when it bounces.
    """

    @abstractmethod
    def strain_inertia(self) -> Any:
        """The same energy about measures that move: with `strains(x)`, `aim(s)` and `weigh(factor)`."""


class NaturalShape(ABC):
    """Declares that the measures at which its terms have no force, the natural ones, can be set.

    So are found the natural lengths, angles and curvatures with which a body hangs as it is drawn.
    """

    @abstractmethod
    def measured(self, x: Any) -> np.ndarray:
        """What terms measure at x, (terms, measures)."""

    @property
    @abstractmethod
    def natural(self) -> np.ndarray:
        """What they measure where they have no force, (terms, measures)."""

    @abstractmethod
    def set_natural(self, values: np.ndarray) -> None:
        """Have no force where terms measure this from now on, (terms, measures)."""


class Flowed(ABC):
    """What has flowed so far in the matter of one energy: a frozen dataclass of arrays."""

    @property
    @abstractmethod
    def plastic(self) -> np.ndarray:
        """The equivalent plastic strain of each term, (terms,)."""


F = TypeVar("F", bound=Flowed)


class Flowing(ABC, Generic[F]):
    """Declares that its matter flows, and keeps a part of the shape that it is given.

    What has flowed so far is a value that is never changed. A state has it (`Flow`), and an energy is
    told of it before a step. Within a step the energy is the least that can be had by flowing on.
    """

    @property
    def tears(self) -> bool:
        """Whether its flow is that of faces that come apart, and some are open."""
        return False

    @abstractmethod
    def virgin(self) -> F:
        """Nothing has flowed."""

    @abstractmethod
    def take_flow(self, flow: F) -> None:
        """Deform from what has flowed so far."""

    @abstractmethod
    def after_flow(self, x: Any) -> F:
        """What will have flowed when the body has come to x; the same object if nothing flows."""

    @abstractmethod
    def annealed(self, x: Any) -> F:
        """What will have flowed if the body at x has no stress, and has forgotten its flow."""

    def arrest(self, arrested: bool) -> None:
        """Whether to flow no more, in the search for a rest shape: of what would flow without end."""

    @abstractmethod
    def unpacked_flow(self, arrays: Mapping[str, np.ndarray]) -> F:
        """What has flowed, from the arrays of its fields."""


class OfConditions(ABC):
    """Declares that this energy is a sum of k/2 C^2 over conditions C.

    `XPBD` moves bodies of such energies only, and `ConditionDamping` damps the conditions.
    """

    @abstractmethod
    def as_conditions(self) -> ConditionEnergy:
        """The same energy as one of conditions; raises ValueError if its values do not allow it."""


class Lagged(ABC):
    """Declares that something follows positions between minimisations, and is held during one.

    So it is where points that are inside of something are pushed out: depths and directions jump where
    another point comes in, and forces have a potential only while these are held.
    """

    @abstractmethod
    def hold(self, x: Any) -> None:
        """Hold it as it is at x from now on; None: let it follow again."""


class Coupling(ABC):
    """Declares that the Hessian may couple points beyond the stencils.

        H = what `add_hessian` gives - U U^T

    So it is where terms share a few numbers that are eliminated by minimisation, or where pairs of
    points come and go. With project=True the difference must be semi-definite too.
    """

    #: Whether U has columns at all positions, so that only a factor serves.
    always_couples = True

    def couples(self, x: Any) -> bool:
        """Whether U may have columns at x."""
        return self.always_couples

    @abstractmethod
    def low_rank(self, x: Any) -> np.ndarray:
        """U at x, (points dim, r)."""


class Pairing(ABC):
    """Declares that pairs of points come and go which no stencil lists.

        H = what `add_hessian` gives + what `pair_blocks` returns

    So it is where surfaces touch. `stencils` are single points, and `add_hessian` adds the blocks of the
    diagonal, which every preconditioner knows. All others are few; they are added to matrices that are
    factorised, and are multiplied beside the others where a matrix stays on a device. The sum is
    semi-definite if it is projected.
    """

    @abstractmethod
    def pair_blocks(self, x: Any, project: bool) -> Sequence[PairBlocks]:
        """The blocks off the diagonal at x [N/m]; none if nothing touches."""


class Searching(ABC):
    """Declares that sums depend on what was found in earlier calls, if only in the last digit.

    So it is where pairs are searched now and then: sums over other pairs, of which more are out of
    reach, round differently.
    """

    @abstractmethod
    def memory(self) -> Any:
        """All that `remember` needs: a frozen dataclass of arrays and numbers."""

    @abstractmethod
    def remember(self, memory: Any) -> None:
        """Sum as if nothing had been searched since `memory`."""
