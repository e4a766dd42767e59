"""Forms: measures s(d) of derivative vectors that do not change when a body is turned."""

from pliant.forms.base import Form, Functions
from pliant.forms.curve import PlaneCurvature
from pliant.forms.metric import CurveMetric, SolidMetric, SurfaceMetric
from pliant.forms.rod import RodStrains
from pliant.forms.space_curve import Curvature, Torsion
from pliant.forms.surface import SurfaceForms
from pliant.forms.taylor import Taylor

__all__ = [
    "Curvature",
    "CurveMetric",
    "Form",
    "Functions",
    "PlaneCurvature",
    "RodStrains",
    "SolidMetric",
    "SurfaceForms",
    "SurfaceMetric",
    "Taylor",
    "Torsion",
]
