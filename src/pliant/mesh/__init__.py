"""What is where: the mesh of a body, checked once, and generators of common shapes.

A `Mesh` has points and cells, a `Surface` triangles, and a `Skin` is a surface that follows a mesh.
Here they are read from files, generated, checked, refined, cut into boundary and interior, and
filled with tetrahedra. A mesh knows nothing of matter.
"""

from . import generators as generators
from .arguments import accept_points as accept_points
from .carriers import CARRIED_SHARE as CARRIED_SHARE, carriers as carriers
from .change import MeshChange as MeshChange
from .cut_mesh import (
    CutSurface as CutSurface,
    cut_mesh as cut_mesh,
    require_simplices as require_simplices,
)
from .errors import MeshError as MeshError, name_some as name_some
from .kinds import CELL_KINDS as CELL_KINDS, KINDS as KINDS
from .locating import closest as closest, nearest as nearest
from .mesh import Mesh as Mesh
from .opening import (
    SharedFaces as SharedFaces,
    face_areas as face_areas,
    open_faces as open_faces,
    single_kind as single_kind,
)
from .posing import pose as pose, poses as poses
from .quality import MeshQuality as MeshQuality
from .refinement import refined as refined
from .skin import Skin as Skin, dress as dress, in_space as in_space
from .surface import BEYOND_SENSE as BEYOND_SENSE, Surface as Surface
from .topology import connected as connected
from .voxels import Voxels as Voxels
