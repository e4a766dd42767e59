"""Energies of a body: what a time step sums and minimises.

An energy has a value, a gradient, a Hessian and the longest admissible step (`protocol`, which also
names what an energy may be able to do besides). Kernels lie beside the energy that launches them.
An `Assembly` is the sum over all energies of a body.
"""

from .assembly import Assembly as Assembly
from .balloon import BalloonEnergy as BalloonEnergy
from .bar import BarEnergy as BarEnergy
from .cell_partition import crew as crew, summed as summed
from .cohesive import (
    CohesiveEnergy as CohesiveEnergy,
    CohesiveLaw as CohesiveLaw,
    Tearing as Tearing,
)
from .condition import (
    ConditionEnergy as ConditionEnergy,
    PlasticConditions as PlasticConditions,
)
from .example import ExampleEnergy as ExampleEnergy
from .face_tractions import FaceTractions as FaceTractions
from .flowing_terms import NEVER as NEVER, TermFlow as TermFlow
from .frames import turned_points as turned_points
from .jet import JetEnergy as JetEnergy, PlasticJets as PlasticJets
from .loads import (
    Load as Load,
    NodalLoad as NodalLoad,
    Pressure as Pressure,
    Resisting as Resisting,
    TractionLoad as TractionLoad,
    VolumeLoad as VolumeLoad,
    nodal_areas as nodal_areas,
)
from .obstacle import (
    MARGIN as MARGIN,
    ObstacleEnergy as ObstacleEnergy,
    Solid as Solid,
    push_of as push_of,
    size_of as size_of,
)
from .per_part import PerPart as PerPart
from .picture import PictureEnergy as PictureEnergy
from .plastic_solid import PlasticSolid as PlasticSolid, SolidFlow as SolidFlow
from .point_drag import PointDrag as PointDrag
from .protocol import (
    Coupling as Coupling,
    Energy as Energy,
    Flowed as Flowed,
    Flowing as Flowing,
    Griddable as Griddable,
    Lagged as Lagged,
    NaturalShape as NaturalShape,
    OfConditions as OfConditions,
    Pairing as Pairing,
    Searching as Searching,
    Strained as Strained,
)
from .shifted import (
    ShiftedStrain as ShiftedStrain,
    joined as joined,
    mixed_strain as mixed_strain,
    strain_norm as strain_norm,
)
from .slice import Shifted as Shifted, sliced as sliced
from .softened import contrast as contrast, softened as softened
from .solid import SolidEnergy as SolidEnergy
from .spring import PlasticSprings as PlasticSprings, SpringEnergy as SpringEnergy
from .spring_pairs import accept_pairs as accept_pairs, braced as braced, chosen as chosen
from .stiffening import bounce_target as bounce_target, strain_of_stress as strain_of_stress
from .strain_measures import biot as biot, cauchy as cauchy, green as green
from .term_kernels import TERM_OPTIONS as TERM_OPTIONS
from .terms import packed as packed
from .tie import TieEnergy as TieEnergy
from .wind import WindLoad as WindLoad
