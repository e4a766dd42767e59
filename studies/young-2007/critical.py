"""Strain-rate damping that is critical for both kinds of wave at one wavelength.

    psi = 2 sqrt(rho mu / s) / k                                                           (4.25)
    phi = 2 sqrt(rho (lam + 2 mu) / s) / k - 2 psi,        k = 2 pi / wavelength           (4.28)

Source: [young2007] (4.20) to (4.28), limits (4.33), (4.38)
s is 1 for the usual strain (with its 1/2) and 2 for the strain of (4.12), which lacks it: there
elastic and damping stress both double, and the critical pair is smaller by sqrt(2). The equations
of the thesis belong to s = 1, the numbers of its Table 4.2 to s = 2; its method uses (3.2), s = 1.
"""

from __future__ import annotations

from enum import Enum

import pliant as pl


class StrainConvention(Enum):
    """Which strain the damping stress is written in; the value is the library's name for it."""

    USUAL = "equations"  # (u_ij + u_ji)/2, as in (3.2) and in the library
    WITHOUT_HALF = "table"  # u_ij + u_ji, as in (4.12): reproduces Table 4.2


def critical(
    wavelength: float,
    lam: float,
    mu: float,
    density: float,
    convention: StrainConvention = StrainConvention.USUAL,
) -> tuple[float, float]:
    """Damping parameters (phi, psi) [Pa s] of `pl.StrainRate.critical`.

    The mass per area of a plane body takes the place of the density; the thesis puts its vertex
    masses here.
    """
    damping = pl.StrainRate.critical(
        wavelength, pl.Linear(lame=(lam, mu)), density=density, convention=convention.value
    )
    return damping.phi, damping.psi


# Table 4.2 as printed: (wavelength, phi, psi) for the two examples.
TABLE_4_2 = {
    "Example 1": ((1.0, 0.053134, 0.22508), (2.0, 0.10627, 0.45016), (4.0, 0.21254, 0.90032)),
    "Example 2": ((1.0, 0.022622, 0.050329), (8.0, 0.18098, 0.40263), (16.0, 0.36196, 0.80527)),
}
