"""Solids that move in their modes."""

from .modal import Modal as Modal
