"""What is where: the mesh of a body, checked once, and generators of common shapes.

A `Mesh` has points and cells, a `Surface` triangles, and a `Skin` is a surface that follows a mesh.
Here they are read from files, generated, checked, refined, cut into boundary and interior, and
filled with tetrahedra. A mesh knows nothing of matter.
"""

from . import generators
from .arguments import accept_points
from .carriers import carriers
from .errors import MeshError, name_some
from .kinds import CELL_KINDS, KINDS
from .mesh import Mesh
from .posing import pose
from .quality import MeshQuality
from .refinement import refined
from .skin import Skin, dress, in_space
from .surface import Surface, weld

__all__ = [
    "CELL_KINDS",
    "KINDS",
    "Mesh",
    "MeshError",
    "MeshQuality",
    "Skin",
    "Surface",
    "accept_points",
    "carriers",
    "dress",
    "generators",
    "in_space",
    "name_some",
    "pose",
    "refined",
    "weld",
]
