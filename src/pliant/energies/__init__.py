"""Energies of a body: what a time step sums and minimises.

An energy has a value, a gradient, a Hessian and the longest admissible step (`protocol`, which also
names what an energy may be able to do besides). Kernels lie beside the energy that launches them.
An `Assembly` is the sum over all energies of a body.
"""

from pliant.energies.protocol import Energy
from pliant.energies.solid import SolidEnergy

from .assembly import Assembly
from .balloon import BalloonEnergy
from .bar import BarEnergy
from .cell_partition import summed
from .condition import ConditionEnergy
from .example import ExampleEnergy
from .frames import turned_points
from .friction import Friction
from .jet import JetEnergy
from .loads import Load, NodalLoad, Pressure, Resisting, nodal_areas
from .obstacle import MARGIN, ObstacleEnergy, Solid, push_of, size_of
from .picture import PictureEnergy
from .point_drag import PointDrag
from .protocol import Coupling, Griddable, Local, OfConditions, Searching, Strained
from .shifted import ShiftedStrain, mixed_strain
from .slice import Shifted, sliced
from .spring import SpringEnergy
from .spring_pairs import accept_pairs, braced, chosen
from .stiffening import bounce_target
from .strain_measures import biot, cauchy, green
from .term_kernels import OPTIONS, term_types
from .terms import packed
from .tie import TieEnergy
from .wind import WindLoad

__all__ = [
    "MARGIN",
    "OPTIONS",
    "Assembly",
    "BalloonEnergy",
    "BarEnergy",
    "ConditionEnergy",
    "Coupling",
    "Energy",
    "ExampleEnergy",
    "Friction",
    "Griddable",
    "JetEnergy",
    "Load",
    "Local",
    "NodalLoad",
    "ObstacleEnergy",
    "OfConditions",
    "PictureEnergy",
    "PointDrag",
    "Pressure",
    "Resisting",
    "Searching",
    "Shifted",
    "ShiftedStrain",
    "Solid",
    "SolidEnergy",
    "SpringEnergy",
    "Strained",
    "TieEnergy",
    "WindLoad",
    "accept_pairs",
    "biot",
    "bounce_target",
    "braced",
    "cauchy",
    "chosen",
    "green",
    "mixed_strain",
    "nodal_areas",
    "packed",
    "push_of",
    "size_of",
    "sliced",
    "summed",
    "term_types",
    "turned_points",
]
