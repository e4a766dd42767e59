"""What section 4.2 of the thesis claims about the traditional method and its parameters."""

from __future__ import annotations

import numpy as np

from .claims import Claim, Verdict, damping_ratios, holds_if
from .critical import TABLE_4_2, StrainConvention, critical
from .examples import annulus, trapezoid
from .traditional import Traditional, stress_as_printed


def traditional_claims() -> list[Claim]:
    """Sections 4.2.1 and 4.2.2, Table 4.2."""
    ratios, areas = [], []
    for example in (trapezoid(), annulus()):
        mesh = example.mesh
        areas.append(mesh.areas.sum() / (len(mesh.points) * example.masses[0]))
        for wavelength, *printed in TABLE_4_2[example.name]:
            given = (wavelength, mesh.lam, mesh.mu, example.masses[0])
            ratios.append(np.array(printed) / critical(*given, StrainConvention.WITHOUT_HALF) - 1.0)
    example = trapezoid()
    literal = Traditional(example, 0.0, 0.0, 0.01, placed=stress_as_printed)
    force = -example.mesh.gradient(example.start)
    error = np.linalg.norm(literal.elastic_force(example.start) - force) / np.linalg.norm(force)
    ratio = {
        e.name: 100.0 * damping_ratios(e, *TABLE_4_2[e.name][2][1:]) for e in (example, annulus())
    }
    return [
        Claim(
            "(4.25), (4.28), Table 4.2",
            "The table's parameters damp their wavelength critically.",
            f"The table follows from the strain (4.12), which lacks the ½ (to {np.abs(ratios).max():.0e}"
            "); the equations, and the strain (3.2) of the method, give values √2 times larger. The "
            "table's damping is 0.71 of critical.",
            Verdict.FAILS,
        ),
        Claim(
            "Table 4.2",
            "ρ of Table 4.1 is the ρ of (4.25).",
            "Table 4.1 gives the mass of a vertex, (4.25) needs mass per area: on average "
            f"{1.0 / areas[0]:.2f} and {1.0 / areas[1]:.2f} in place of 1 and 0.1, for another factor "
            f"{np.sqrt(1.0 / areas[0]):.2f} and {np.sqrt(10.0 / areas[1]):.2f}.",
            Verdict.FAILS,
        ),
        Claim(
            "(4.11)",
            "The damped equation of motion.",
            "The damping terms have the wrong sign: as printed every wave grows. (4.19) is right.",
            Verdict.MISPRINT,
        ),
        Claim(
            "(4.38)",
            "Both waves can be critically damped only where ν ≥ 1/3.",
            f"φ vanishes at λ = 2μ ({critical(1.0, 2.0, 1.0, 1.0)[0]:.0e}) and is refused below.",
            holds_if(abs(critical(1.0, 2.0, 1.0, 1.0)[0]) < 1e-12),
        ),
        Claim(
            "4.2, (3.12), (3.15)",
            "The stress of (3.15) put into (3.12) gives the elastic force.",
            "(3.15) with Green strain is the second Piola-Kirchhoff stress, (3.12) wants Cauchy's. "
            f"Taken literally the force at the start of Example 1 is off by {100 * error:.0f} % of the "
            "gradient of (3.17), and does not turn with the body. Here the stress is converted first.",
            Verdict.FAILS,
        ),
        Claim(
            "4.2.1",
            "Parameters for the wavelength of the object damp its most visible mode critically.",
            f"Wavelengths of a clamped body are longer than the body. With Λ = 4 the modes of Example 1 "
            f"have {ratio['Example 1'].min():.0f} to {ratio['Example 1'].max():.0f} % of critical "
            f"damping, with Λ = 16 those of Example 2 {ratio['Example 2'].min():.0f} to "
            f"{ratio['Example 2'].max():.0f} %, the slowest the least.",
            Verdict.FAILS,
        ),
    ]
