"""Thin shells: a surface with a thickness."""

from .shell import Shell

__all__ = ["Shell"]
