"""The tests of `make quick`: a few fast files for every room of `src/pliant`, and for the house.

`python -m tests.quick` prints them for pytest. `tests/unit/test_quick.py` keeps the list true.
"""

from __future__ import annotations

#: Room (a package in src/pliant) to files below tests/, each of a few seconds.
ROOMS = {
    "backend": ["unit/test_recorded_launches.py"],
    "bodies": ["unit/test_body.py", "unit/test_least_change.py"],
    "boundary": ["unit/test_body_loads.py"],
    "cli": ["unit/test_run_for_programs.py", "unit/test_commands.py"],
    "compliance": ["unit/test_probe.py"],
    "conditions": ["laws/test_condition_laws.py"],
    "contact": ["unit/test_penalty.py", "contact/test_distances.py"],
    "control": ["unit/test_settle_report.py", "unit/test_schedule_of_parts.py"],
    "declared": ["unit/test_declared.py"],
    "elements": ["unit/test_elements.py"],
    "energies": [
        "unit/test_cell_partition.py",
        "unit/test_body_loads.py",
        "laws/test_spring_laws.py",
    ],
    "errors": ["unit/test_advice.py"],
    "forms": ["laws/test_form_laws.py"],
    "given": ["unit/test_body_loads.py"],
    "haptics": ["unit/test_haptics.py"],
    "io": ["unit/test_html.py", "unit/test_exports_lines.py", "unit/test_exports_glb.py"],
    "lab": ["unit/test_lab_wishes.py"],
    "many": ["unit/test_sweep.py"],
    "materials": ["laws/test_material_constants.py", "unit/test_principal.py"],
    "mesh": [
        "unit/test_mesh_topology.py",
        "unit/test_mesh_quality.py",
        "unit/test_mesh_refinement.py",
    ],
    "problem": ["unit/test_scene.py", "unit/test_strain_inertia.py"],
    "reduced": ["unit/test_modal.py"],
    "resources": ["unit/test_mesh_generators.py"],
    "responses": ["unit/test_responses.py"],
    "scene": ["unit/test_scene.py"],
    "scenefile": ["unit/test_scene_text.py", "unit/test_scene_numbers.py"],
    "shape": ["shape/test_curves.py"],
    "solvers": ["unit/test_newton.py", "unit/test_conjugate.py", "unit/test_ordered.py"],
    "step": ["unit/test_scene.py"],
    "take": ["unit/test_take_times.py", "unit/test_measure.py"],
    "touch": ["unit/test_probe.py"],
    "view": ["unit/test_stage_guard.py"],
}
#: What holds for the house: imports, names, lengths of functions, versions, and this list.
HOUSE = [
    "unit/test_architecture.py",
    "unit/test_imports.py",
    "unit/test_names.py",
    "unit/test_old_names.py",
    "unit/test_packaging.py",
    "unit/test_quick.py",
    "unit/test_short_functions.py",
]


def files() -> list[str]:
    """All of them once, from the root of the repository."""
    listed = [*HOUSE, *(name for names in ROOMS.values() for name in names)]
    return [f"tests/{name}" for name in dict.fromkeys(listed)]


if __name__ == "__main__":
    print(*files())
