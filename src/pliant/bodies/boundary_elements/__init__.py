"""Solids that are known by their surface: boundary elements."""

from .answer import SurfaceAnswer as SurfaceAnswer
from .boundary_elements import BoundaryElements as BoundaryElements
