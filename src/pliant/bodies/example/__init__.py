"""Solids that prefer shapes they were shown."""

from .example_based import ExampleBased

__all__ = ["ExampleBased"]
