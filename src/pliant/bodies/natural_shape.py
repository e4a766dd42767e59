"""Inverse statics: the natural lengths, angles and curvatures with which a body hangs as drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from pliant.backend import computing
from pliant.energies import NaturalShape, SpringEnergy
from pliant.errors import Advice, UnstableError
from pliant.problem import System

Array = np.ndarray

#: Corrections until residual forces would move no point by more than `STILL` of the size of the body;
#: what stiff thin things reach in the precision of their forces is `FAIR`.
CORRECTIONS, STILL, FAIR = 20, 1e-11, 1e-6
#: How far points move to differentiate measures, as a share of the size.
PROBED = 1e-6
#: Strings resist where they are a bit longer than their natural length only.
TAUT = 1e-9


@computing
def bear(system: System, x: Array, load: Array) -> None:
    """Set natural measures s0 for which the body at x [m] bears a load [N], (n, d).

        find the least (s0 - s(x)) C (s0 - s(x))   with   J^T C (s(x) - s0) = load,   J = ds/dx
        (J^T C J) u = load,   s0 = s(x) - J u

    That is one factor, and a correction or two where the law is not quadratic. Shapes that are in
    balance as they are stay so. Source: [twigg2011], [hsu2022], for masses, springs and strands.
    """
    energies = [e for e in system.assembly.energies if isinstance(e, NaturalShape)]
    y = system.assembly.array(x)
    given = [e.natural.copy() for e in energies]
    drawn = [e.measured(y) for e in energies]
    factor = _Factor(system, energies, x, drawn)
    last: UnstableError | None = None
    # First as if the drawn shape were the rest shape. Where that would buckle, as little as is needed.
    for begin in (drawn, given):
        _set(energies, begin)
        try:
            _correct(system, energies, factor, x, load)
            system.require_stable(x, locked=system.locks(x, load))
            return
        except UnstableError as error:
            last = last or error
    assert last is not None
    raise last


class _Factor:
    """Solves (J^T C J) u = f over the free points of a body at x."""

    def __init__(
        self, system: System, energies: Sequence[NaturalShape], x: Array, drawn: Sequence[Array]
    ):
        strings = [isinstance(e, SpringEnergy) for e in energies]
        _set(energies, [(1.0 - TAUT * own) * s for s, own in zip(drawn, strings, strict=True)])
        K = system.stiffness(x, project=True).tocsc()
        if system.rank:  # rigid motions cost nothing, and forces do not move along them
            K = K + sp.identity(K.shape[0], format="csc") * (1e-12 * K.diagonal().mean())
        self._free, self._shape = system.free, x.shape
        try:
            self._lu = splu(K, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        except RuntimeError:  # exactly singular
            self._lu = None

    def solve(self, force: Array) -> Array:
        """u [m], (n, d), zero at pins."""
        u = np.zeros(self._shape)
        if self._lu is None:
            raise _nothing_bears()
        u[self._free] = self._lu.solve(force[self._free].ravel()).reshape(-1, self._shape[1])
        if not np.isfinite(u).all():
            raise _nothing_bears()
        return u


def _correct(
    system: System, energies: Sequence[NaturalShape], factor: _Factor, x: Array, load: Array
) -> None:
    """Move natural measures until they balance the load at x; refuses what cannot."""
    left = np.inf
    along = system.complement(x) if system.locks(x, load) else system.unrestricted
    for _ in range(CORRECTIONS):
        residual = system.force(x, load, along) * system.free[:, None]
        u = factor.solve(-residual) if residual.any() else np.zeros_like(x)
        far = float(np.abs(u).max())
        if far <= STILL * system.size or (far > 0.5 * left and left <= FAIR * system.size):
            return
        left = far
        h = PROBED * system.size / far
        ahead = [e.measured(system.assembly.array(x + h * u)) for e in energies]
        behind = [e.measured(system.assembly.array(x - h * u)) for e in energies]
        changes = [(a - b) / (2.0 * h) for a, b in zip(ahead, behind, strict=True)]
        _set(energies, [e.natural - s for e, s in zip(energies, changes, strict=True)])
    if left > FAIR * system.size:
        raise _nothing_bears()


def _set(energies: Sequence[NaturalShape], values: Sequence[Array]) -> None:
    for energy, value in zip(energies, values, strict=True):
        energy.set_natural(value)


def _nothing_bears() -> UnstableError:
    return UnstableError(
        Advice(
            "no rest shape hangs like this: nothing in the pose can bear its loads, as in a chain that "
            "is drawn straight across, or in a body beside its hinge. ",
            "Draw it as it sags, give it resistance to bending, or hold more of it with body.fix(...)",
            "Draw it as it sags, give it resistance to bending, or hold more of it with fix = ...",
        )
    )
