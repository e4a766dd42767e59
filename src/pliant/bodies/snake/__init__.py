"""Snakes: curves that are drawn to the edges of a picture."""

from .snake import Snake

__all__ = ["Snake"]
