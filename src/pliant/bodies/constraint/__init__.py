"""Bodies that keep distances, areas and volumes."""

from pliant.bodies.constraint.constraint_body import ConstraintBody

__all__ = ["ConstraintBody"]
