"""Forms: measures s(d) of derivative vectors that do not change when a body is turned.

A form has its value and first and second derivatives with respect to the derivative vectors.
`energies` weighs the difference to the form at rest; rods, shells and other bodies choose forms.
"""

from pliant.forms.base import Form, FormFunctions
from pliant.forms.curve import PlaneCurvature
from pliant.forms.metric import CurveMetric, SolidMetric, SurfaceMetric
from pliant.forms.rod import RodStrains
from pliant.forms.space_curve import Curvature, Torsion
from pliant.forms.surface import SurfaceForms
from pliant.forms.taylor import Taylor

from .base import jet_types
from .curve import Binormal
from .derivative import PlaneDerivative
from .metric import COMPONENTS
from .taylor import PAIRS, SECOND

__all__ = [
    "COMPONENTS",
    "PAIRS",
    "SECOND",
    "Binormal",
    "Curvature",
    "CurveMetric",
    "Form",
    "FormFunctions",
    "PlaneCurvature",
    "PlaneDerivative",
    "RodStrains",
    "SolidMetric",
    "SurfaceForms",
    "SurfaceMetric",
    "Taylor",
    "Torsion",
    "jet_types",
]
