"""What chapters 1 and 2 of the thesis claim in formulas."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from . import modes
from .claims import eigenvalues
from .examples import trapezoid


def theory_claims() -> list[Claim]:
    """Chapters 1 and 2: the formulas."""
    random = np.random.default_rng(17)
    D, v = random.normal(size=(6, 9)), random.normal(size=6)
    A, M = (b @ b.T + np.eye(len(b)) for b in (random.normal(size=(n, n)) for n in (9, 6)))
    pair = [
        f(D, A, M, v, 0.1) for f in (modes.damping_by_minimisation, modes.damping_by_backward_euler)
    ]
    euler_error = np.abs(pair[0] - pair[1]).max()

    mode_error = max(
        np.abs(
            modes.minimised_amplitudes(k, 2.0, 0.7, dt, 30, tau=tau)
            - modes.printed_amplitudes(k, 2.0, 0.7, dt, 30, tau=tau)
        ).max()
        for k in (1.0, 5.0, 20.0)
        for dt in (0.1, 0.01, 1e-3)
        for tau in (None, 0.5, 3.0)
    )
    k = np.pi / 2.0 * np.arange(1, 6)
    rates = modes.bar_rates(k, 2.0, 0.7, 2.0, tau=0.3, dt=1e-4, elements=64, seconds=0.05)
    bar_error = np.abs(rates / (0.3 * 2.0 / 0.7 * k**2) - 1.0).max()

    slow, fast = (root.real for root in modes.oscillator_roots(6.0))
    speeds = np.sqrt(eigenvalues(trapezoid())[[0, -1]])
    along, across = (diffusion_speeds(angle) for angle in (0.0, 0.25 * np.pi))
    return [
        Claim(
            "(1.6), (1.7)",
            "Kinetic energy plus a regularisation, minimised over stress, is a backward Euler step "
            "of damping.",
            f"Random D, A, M: the two velocities differ by {power(euler_error)}.",
            holds_if(euler_error < 1e-12),
        ),
        Claim(
            "(2.19), (2.25)",
            "Decay of one mode per step, for the plain and the modified energy.",
            f"Minimised numerically, three step sizes, three wave numbers: equal to "
            f"{power(mode_error)}. The exponentials (2.21) and (2.27) are their limits for small "
            "steps, with errors of order Δt² and Δt.",
            holds_if(mode_error < 1e-14),
        ),
        Claim(
            "(2.47)",
            "Strain diffuses: mode <i>i</i> decays as exp(−τE<i>i</i>²t/ρ).",
            f"Modes 1 to 5 of a finite-element bar: rates within {100 * bar_error:.2f} %, if "
            "<i>i</i> is read as the wavenumber and not as the number of the mode.",
            holds_if(bar_error < 0.01),
        ),
        Claim(
            "2.1.2",
            "τ can be treated as the theoretical t<sub>slow</sub> of an over-damped oscillator.",
            "Exactly so: the roots multiply to k/m, so the method's rate τk/m is the fast root "
            f"when τ is the time of the slow one (c = 6: {-fast:.4f} and {-1.0 / slow:.4f}).",
            holds_if(abs(-fast + 1.0 / slow) < 1e-12),
        ),
        Claim(
            "2.2.1",
            "All modes are critically damped.",
            "No mode oscillates, but that is not critical damping: the motion is of first order, "
            "and mode <i>i</i> decays at the rate τλ<sub>i</sub>, critically damped at "
            f"√λ<sub>i</sub>. In Example 1 with τ = 1 that is {speeds[0]:.2f} to {speeds[1]:.2f} "
            "times as fast. What is true is that the minimum treats every mode for itself.",
            Verdict.PARTLY,
        ),
        Claim(
            "(2.48), (2.49)",
            "The two-dimensional diffusion equations.",
            f"The ½ of the shear strain is missing. As printed the fastest decay is {along[1]:.0f} "
            f"along an axis and {across[1]:.0f} at 45° (λ = 3, μ = 1): not isotropic. With λ + μ "
            "in the mixed term and μ in the last it is 5 in every direction.",
            Verdict.MISPRINT,
        ),
    ]


def diffusion_speeds(angle: float, lam: float = 3.0, mu: float = 1.0) -> np.ndarray:
    """Eigenvalues of the symbol of (2.48), (2.49) as printed, for a wave in direction `angle`."""
    x, y = np.cos(angle), np.sin(angle)
    mixed = (lam + 2.0 * mu) * x * y
    diagonal = [(lam + 2.0 * mu) * a * a + 2.0 * mu * b * b for a, b in ((x, y), (y, x))]
    return np.linalg.eigvalsh([[diagonal[0], mixed], [mixed, diagonal[1]]])
