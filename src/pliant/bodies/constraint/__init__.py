"""Bodies that keep distances, areas and volumes."""

from .constraint_body import ConstraintBody

__all__ = ["ConstraintBody"]
