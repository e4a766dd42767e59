"""Forms: measures s(d) of derivative vectors that do not change when a body is turned.

A form has its value and first and second derivatives with respect to the derivative vectors.
`energies` weighs the difference to the form at rest; rods, shells and other bodies choose forms.
"""

from .base import Form as Form, FormFunctions as FormFunctions, jet_types as jet_types
from .curve import Binormal as Binormal, PlaneCurvature as PlaneCurvature
from .derivative import PlaneDerivative as PlaneDerivative
from .metric import (
    COMPONENTS as COMPONENTS,
    CurveMetric as CurveMetric,
    SolidMetric as SolidMetric,
    SurfaceMetric as SurfaceMetric,
)
from .rod import RodStrains as RodStrains
from .space_curve import Curvature as Curvature, Torsion as Torsion
from .surface import SurfaceForms as SurfaceForms
from .taylor import PAIRS as PAIRS, SECOND as SECOND, Taylor as Taylor
