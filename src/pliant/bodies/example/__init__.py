"""Solids that prefer shapes they were shown."""

from pliant.bodies.example.example_based import ExampleBased

__all__ = ["ExampleBased"]
