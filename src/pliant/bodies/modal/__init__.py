"""Solids that move in their modes, and far in a few shapes."""

from .modal import Modal as Modal
from .report import SubspaceReport as SubspaceReport
from .subspace import Subspace as Subspace
