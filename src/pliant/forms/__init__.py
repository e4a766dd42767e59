"""Forms: measures s(d) of derivative vectors that do not change when a body is turned."""

from pliant.forms.base import Form, Functions
from pliant.forms.taylor import Taylor

__all__ = ["Form", "Functions", "Taylor"]
