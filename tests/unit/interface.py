"""The public interface, found by looking: classes, functions, methods and properties that are set."""

import inspect

import pliant as pl

#: What only solvers, steppers and stores hand to each other.
INNER_TYPES = (
    "System",
    "State",
    "StepContext",
    "Loads",
    "BodyProblem",
    "Problem",
    "Inertia",
    "Points",
    "Accelerations",
    "Snapshot",
    "Question",
)
#: Methods that the solver calls, with what it has made itself.
INNER = {
    "FibreReinforced.along",
    "Material.along",
    "constants",
    "check_dt",
    "after",
    "apply_events",
    "check_body",
    "of_pieces",
    "of_sides",
    "principal",
    "take_up_changes",
    "take_up_events",
    "take_up_flow",
    "von_mises_bound",
    "with_parts",
    "account",
    "bear",
    "planned",
    "bearers_at",
    "between",
    "has_contact",
    "prepare_for",
    "let_pass",
    "Scene.resume",
    "contact_body",
    "contact_points",
    "Obstacle.at",
    "pose",
    "require",
    "tied",
    "touching",
    "points_at",
    "energies",
    "functions",
    "lam_type",
    "constant_load",
    "following_loads",
    "loads_resident",
    "load_values",
    "loads_at",
    "nearest",
    "over",
    "per_cell",
    "pin_positions",
    "prepare",
    "problem",
    "projected",
    "restart_clock",
    "take_up",
    "meet_stepper",
    "to_host",
    "surface",
    "tangent",
    # They start processes and write folders; tests of sweeps give them what is wrong.
    "Sweep.run",
    "Sweep.draw",
}


def classes():
    """Every exported class that is no error, by name."""
    found = {name: getattr(pl, name) for name in pl.__all__}
    return {
        name: value
        for name, value in found.items()
        if inspect.isclass(value) and not issubclass(value, Exception)
    }


def generators():
    """Every function of `pl.meshes`, by name."""
    return {f"meshes.{name}": getattr(pl.meshes, name) for name in pl.meshes.__all__}


def methods():
    """Every method with parameters for users, once, by the class that defines it."""
    found = {}
    for cls in classes().values():
        for name, value in inspect.getmembers(cls, callable):
            if name.startswith("_") or {name, value.__qualname__} & INNER:
                continue
            signature = inspect.signature(value)
            told = " ".join(str(p.annotation) for p in signature.parameters.values())
            if any(inner in told for inner in INNER_TYPES):
                continue
            if [p for p in signature.parameters if p != "self"]:
                found[value.__qualname__] = (cls, name)
    return found


def settable():
    """Every property that may be set, once, by the class that defines it."""
    return {
        value.fset.__qualname__: (cls, name)
        for cls in classes().values()
        for name, value in inspect.getmembers(cls, lambda v: isinstance(v, property))
        if value.fset is not None
    }
