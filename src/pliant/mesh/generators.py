"""Ready-made meshes: `pl.meshes.box(size=(4, 1, 1), cells=(16, 4, 4))` and its like."""

from .elevation import quadratic
from .planar import annulus, disk, rectangle, trapezoid
from .refinement import refined
from .solid import box, cylinder, sphere
from .sweeps import ribbon, tube
from .tetrahedralise import tetrahedralise

__all__ = [
    "annulus",
    "box",
    "cylinder",
    "disk",
    "quadratic",
    "rectangle",
    "refined",
    "ribbon",
    "sphere",
    "tetrahedralise",
    "trapezoid",
    "tube",
]
