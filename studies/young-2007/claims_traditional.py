"""What section 4.2 of the thesis claims about the traditional method and its parameters."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from .claims import damping_ratios
from .critical import TABLE_4_2, StrainConvention, critical
from .examples import annulus, trapezoid
from .traditional import Traditional, stress_as_printed


def traditional_claims() -> list[Claim]:
    """Sections 4.2.1 and 4.2.2, Table 4.2."""
    ratios, densities = [], []
    for example in (trapezoid(), annulus()):
        mesh = example.mesh
        densities.append(example.masses.sum() / mesh.areas.sum())
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
            "The table follows from the strain (4.12), which lacks the ½ (largest relative "
            f"difference {power(np.abs(ratios).max())}). The equations, and the strain (3.2) of "
            "the method, give values √2 times larger: the table's damping is 0.71 of critical.",
            Verdict.FAILS,
        ),
        Claim(
            "Table 4.2",
            "The ρ of Table 4.1 can be put into (4.25).",
            "Table 4.1 has the mass of a vertex, (4.25) needs mass per area: on average "
            f"{densities[0]:.2f} and {densities[1]:.2f} in place of 1 and 0.1. That is another "
            f"factor of {np.sqrt(densities[0]):.2f} and {np.sqrt(10.0 * densities[1]):.2f} in φ "
            "and ψ.",
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
            "φ vanishes at λ = 2μ and would be negative below, which we refuse.",
            holds_if(abs(critical(1.0, 2.0, 1.0, 1.0)[0]) < 1e-12),
        ),
        Claim(
            "4.2, (3.12), (3.15)",
            "The stress of (3.15) put into (3.12) gives the elastic force.",
            "(3.15) with Green strain is the second Piola-Kirchhoff stress, (3.12) wants Cauchy's. "
            f"Taken literally the force at the start of Example 1 differs by {100 * error:.0f} % "
            "from minus the gradient of (3.17), and does not turn with the body. Here the stress "
            "is converted first.",
            Verdict.FAILS,
        ),
        Claim(
            "4.2.1",
            "Parameters for the wavelength of the object damp its most visible mode critically.",
            f"With Λ = 4 the modes of Example 1 have {ratio['Example 1'].min():.0f} to "
            f"{ratio['Example 1'].max():.0f} % of critical damping, with Λ = 16 those of Example 2 "
            f"from {ratio['Example 2'].min():.0f} to {ratio['Example 2'].max():.0f} %, the slowest "
            "the least.",
            Verdict.FAILS,
        ),
    ]
