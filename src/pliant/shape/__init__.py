"""Shapes without matter: curves, surfaces, deformers, lattices, skeletons, and motion for other meshes.

What artists use to say where points are. Curves and surfaces are splines; deformers bend, taper,
twist and warp points; a `Lattice` moves whatever is inside of it; a `Skeleton` moves the skin around
its bones; `transfer` gives the motion of one mesh to another. Nothing here steps in time.
"""

from .bspline import Bezier as Bezier, BSpline as BSpline
from .deformers import (
    Bending as Bending,
    Deformer as Deformer,
    Stretching as Stretching,
    Tapering as Tapering,
    Twisting as Twisting,
    Warping as Warping,
    bend as bend,
    stretch as stretch,
    taper as taper,
    twist as twist,
    warp as warp,
)
from .lattice import Lattice as Lattice
from .nurbs import Nurbs as Nurbs, RationalDerivative as RationalDerivative
from .surface import SplineSurface as SplineSurface
from .takes import as_take as as_take, transfer as transfer
from .transfer import Transfer as Transfer
