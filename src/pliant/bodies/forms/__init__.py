"""Curves, surfaces and solids that keep their metric and curvature."""

from pliant.bodies.forms.curve import FormCurve
from pliant.bodies.forms.solid import FormSolid
from pliant.bodies.forms.surface import FormSurface

__all__ = ["FormCurve", "FormSolid", "FormSurface"]
