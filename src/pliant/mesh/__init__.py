"""What is where: the mesh of a body, checked once, and generators of common shapes."""

from . import generators
from .errors import MeshError
from .mesh import Mesh
from .quality import MeshQuality
from .surface import Surface

__all__ = ["Mesh", "MeshError", "MeshQuality", "Surface", "generators"]
