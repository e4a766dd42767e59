"""Curves, surfaces and solids that keep their metric and curvature."""

from .curve import FormCurve
from .solid import FormSolid
from .surface import FormSurface

__all__ = ["FormCurve", "FormSolid", "FormSurface"]
