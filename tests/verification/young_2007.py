"""The study of Young (2007) as modules."""

import importlib
import sys
from pathlib import Path

# The folder has a hyphen, so it is a package only to importlib; no other module can collide.
sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
NAMES = ["critical", "descent", "examples", "modes", "ours"]
NAMES += ["stress_method", "traditional", "velocity_method"]
critical, descent, examples, modes, ours, stress_method, traditional, velocity_method = (
    importlib.import_module(f"young-2007.{name}") for name in NAMES
)
StressMethod, VelocityMethod = stress_method.StressMethod, velocity_method.VelocityMethod
StressObjective = stress_method.StressObjective
centred_differences, steepest_descent = descent.centred_differences, descent.steepest_descent
TRAPEZOID, ANNULUS = examples.trapezoid(), examples.annulus()
