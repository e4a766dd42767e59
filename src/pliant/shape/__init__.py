"""Shapes without matter: curves, surfaces, deformers, lattices, skeletons, and motion for other meshes.

What artists use to say where points are. Curves and surfaces are splines; deformers bend, taper,
twist and warp points; a `Lattice` moves whatever is inside of it; a `Skeleton` moves the skin around
its bones; `transfer` gives the motion of one mesh to another. Nothing here steps in time.
"""

from .bspline import Bezier as Bezier, BSpline as BSpline
from .deformers import (
    Axis as Axis,
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
from .eigenskin import EigenSkin as EigenSkin
from .lattice import Lattice as Lattice
from .motion import SkeletonMotion as SkeletonMotion
from .nurbs import Nurbs as Nurbs, RationalDerivative as RationalDerivative
from .pose_motion import PoseMotion as PoseMotion
from .rig import Rig as Rig, read_rig as read_rig
from .secondary import (
    carry as carry,
    drive as drive,
    on_bones as on_bones,
    rest_shapes as rest_shapes,
)
from .skeleton import Skeleton as Skeleton
from .skinning import (
    DualQuaternionSkin as DualQuaternionSkin,
    LinearSkin as LinearSkin,
    bone_weights as bone_weights,
)
from .surface import SplineSurface as SplineSurface
from .takes import as_take as as_take
from .transfer import Transfer as Transfer
from .transferred import transfer as transfer
