"""Boundary conditions: what acts on a body from outside.

Pins hold and drive points. Pushes are forces, pressure and wind on a surface. Obstacles are solids
of a scene that points may not enter, and `Touches` collects the obstacles and contacts of one body.
All of it is given by the user and becomes energies and loads of a step.
"""

from .obstacles import Capsule, HalfSpace, Obstacle, Sphere, obstacle_of
from .pins import Pins
from .pushes import Loads, make_load
from .touches import Touches
from .wind import Wind

__all__ = [
    "Capsule",
    "HalfSpace",
    "Loads",
    "Obstacle",
    "Pins",
    "Sphere",
    "Touches",
    "Wind",
    "make_load",
    "obstacle_of",
]
