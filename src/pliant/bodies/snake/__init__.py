"""Snakes: curves that are drawn to the edges of a picture."""

from pliant.bodies.snake.snake import Snake

__all__ = ["Snake"]
