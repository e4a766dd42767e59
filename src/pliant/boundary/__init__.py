"""Boundary conditions: what acts on a body from outside.

Pins hold and drive points. Pushes are forces, pressure and wind on a surface. Obstacles are solids
of a scene that points may not enter, `Contact` says how bodies touch each other, and `Touches`
collects the obstacles and contacts of one body. All of it is given by the user and becomes energies
and loads of a step.
"""

from .blades import blade_of as blade_of
from .contact import Contact as Contact
from .keyframes import Keyframes as Keyframes, RigidMotion as RigidMotion
from .mesh_obstacle import MeshObstacle as MeshObstacle
from .obstacles import (
    Capsule as Capsule,
    HalfSpace as HalfSpace,
    Obstacle as Obstacle,
    Sphere as Sphere,
    obstacle_of as obstacle_of,
)
from .pins import Pins as Pins
from .pushes import BodyLoads as BodyLoads, make_load as make_load
from .touches import Touches as Touches
from .usd_motion import (
    USD_SUFFIXES as USD_SUFFIXES,
    open_usd as open_usd,
    usd_matrices as usd_matrices,
    usd_path as usd_path,
    usd_samples as usd_samples,
    usd_surface as usd_surface,
)
from .wind import Wind as Wind
