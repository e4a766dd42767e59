"""Strain-rate damping, and the parameters that damp one wavelength critically."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pliant.declared import Quantity, accept
from pliant.energies import ShiftedStrain, green, mixed_strain
from pliant.errors import Advice, check_positive, shown
from pliant.materials import Material, Plastic
from pliant.problem import Damping, Dissipation, NotApplicable, StepContext, Trial, Vibration

from .per_body import PerBody

#: Why a coefficient below 0 is refused.
FEEDS = "a negative viscosity feeds energy into the body"
Convention = Literal["equations", "table"]


class StrainRate(Damping):
    """A viscous stress proportional to the rate of Green strain.

        sigma = phi tr(dG/dt) I + 2 psi dG/dt

    phi, psi [Pa s]: one number, or one per cell. Keeps momentum and rigid motion; its effect on the
    time to rest depends on material, size and shape. Source: [young2007] (4.5)-(4.9).
    """

    resident = True

    def __init__(
        self,
        *,
        phi: Annotated[
            ArrayLike,
            Quantity(
                "viscosity of volume change",
                "Pa s",
                at_least=0.0,
                per="cell",
                says="phi >= 0 [Pa s]",
                why=FEEDS,
                example=50.0,
            ),
        ] = 0.0,
        psi: Annotated[
            ArrayLike,
            Quantity(
                "viscosity of shape change",
                "Pa s",
                at_least=0.0,
                per="cell",
                says="psi >= 0 [Pa s]",
                why=FEEDS,
                example=20.0,
            ),
        ] = 0.0,
    ):
        found = accept(self, phi=phi, psi=psi)
        self.phi, self.psi = (v if np.ndim(v) else float(v) for v in found)

    @classmethod
    def critical(
        cls,
        wavelength: float,
        material: Material | Plastic,
        *,
        density: float = 1000.0,
        convention: Convention = "equations",
    ) -> StrainRate:
        """The parameters that damp waves of one length critically, shear and compression alike.

            psi = 2 sqrt(rho mu)/k,   phi = 2 sqrt(rho (lam + 2 mu))/k - 2 psi,   k = 2 pi/wavelength

        density [kg/m^3] is that of the body (1000 is also Body's default). Source: [young2007] (4.25),
        (4.28). Of a material with a constant per cell both are per cell, too. `convention="table"`
        divides both by sqrt(2): the values printed in Table 4.2, which follow from the strain (4.12)
        without its factor 1/2; with the strain this damping uses they are 0.71 of critical. Refused
        where poisson < 1/3 (4.38): phi would be negative.
        """
        check_positive("StrainRate.critical", "wavelength", wavelength, "m")
        check_positive("StrainRate.critical", "density", density, "kg/m^3")
        if not (isinstance(convention, str) and convention in ("equations", "table")):
            raise ValueError(f'got convention={shown(convention)}; expected "equations" or "table"')
        if isinstance(material, Plastic):
            material = material.material
        if not isinstance(material, Material):
            raise TypeError(
                f"StrainRate.critical: got material={shown(material)}; expected e.g. body.material"
            )
        wavelength, density = float(wavelength), float(density)
        lam, mu = np.asarray(material.lam), np.asarray(material.mu)
        scale = np.sqrt(0.5) if convention == "table" else 1.0
        k = 2.0 * np.pi / wavelength
        psi = 2.0 * np.sqrt(density * mu) / k
        if np.any(lam < 2.0 * mu * (1.0 - 1e-12)):
            raise ValueError(
                f"StrainRate.critical: got poisson={np.min(material.poisson):.4g}; shear and "
                "compression waves of one length can both be critically damped only where "
                "poisson >= 1/3: below it phi would be negative. For shear alone use "
                f"StrainRate(phi=0, psi={scale * np.max(psi):.6g})"
            )
        phi = 2.0 * np.sqrt(density * (lam + 2.0 * mu)) / k - 2.0 * psi
        return cls(phi=np.maximum(scale * phi, 0.0), psi=scale * psi)

    @classmethod
    def trials(cls) -> list[Trial]:
        """One trial, with viscosities in the proportion of the moduli."""

        def make(body: Any, mode: Vibration) -> StrainRate:
            solids = body.system().solids
            if not solids:
                raise NotApplicable("a body without strain")
            material = solids[0].material
            scale = 2.0 * mode.viscous / mode.omega**2
            phi, psi = (scale * float(np.mean(modulus)) for modulus in (material.lam, material.mu))
            return cls(phi=phi, psi=psi)

        return [Trial("StrainRate", make, "2 sigma of the slowest mode")]

    def dissipation(self, context: StepContext) -> Dissipation:
        """(span/2) |dG/dt|^2 with the viscosities as moduli, dG/dt by the step's difference formula."""
        body, d = context.mechanics, context.difference
        if not body.solids:
            raise ValueError(
                Advice(
                    "StrainRate: the body has no strain, only energies of points; expected a solid, ",
                    "pl.Body, or pl.Rayleigh or pl.Settle as damping",
                    'made of material, or the damping "Rayleigh" or settle',
                )
            )
        viscous = _viscous(
            body, *(np.asarray(v, dtype=float).tobytes() for v in (self.phi, self.psi))
        )
        for energy in viscous:
            energy.weigh(1.0 / d.span)
            energy.aim(
                d.before(mixed_strain, lambda x, e=energy: e.strains(body.assembly.array(x)))
            )
        return Dissipation(energies=viscous)


def _make_viscous(body: Any, phi: bytes, psi: bytes) -> list[ShiftedStrain]:
    made = []
    for solid in body.solids:
        lam, mu = (np.frombuffer(values) for values in (phi, psi))
        for values in (lam, mu):
            if len(values) not in (1, len(solid.stencils)):
                raise ValueError(
                    f"StrainRate: got {len(values)} viscosities for {len(solid.stencils)} cells; "
                    "expected one number, or one per cell"
                )
        made.append(ShiftedStrain(solid, green, lam=lam, mu=mu))
    return made


#: The viscous energies of a body. They are aimed and weighed before every use.
_viscous = PerBody(_make_viscous)
