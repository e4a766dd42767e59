"""Energies of a body: what a time step sums and minimises."""

from pliant.energies.protocol import Energy
from pliant.energies.solid import SolidEnergy

__all__ = ["Energy", "SolidEnergy"]
