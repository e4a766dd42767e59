"""Solids of a material: finite elements in two and three dimensions, and bars."""

from .body import Body as Body, Density as Density, Thickness as Thickness
