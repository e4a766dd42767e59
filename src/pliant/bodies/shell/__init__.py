"""Thin shells: a surface with a thickness."""

from pliant.bodies.shell.shell import Shell

__all__ = ["Shell"]
