"""Scene files of bodies by forms, of examples, of springs by pairs, and of rods that collide."""

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from tests.unit.test_scene_bodies import LINE, SHEET, body_of, file, told

BOX = "mesh = { box = { size = [4, 1, 1], cells = [4, 1, 1], kind = 'hex', origin = [0, 0, 0] } }"
MATTER = "material = { young = 1e5, poisson = 0.3 }"
FLAT = "mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }"
RODS = (
    "mesh = { lines = [{ a = [0, 0], b = [1, 0], cells = 10 }, "
    "{ a = [1.05, 0], b = [3.05, 0], cells = 20 }] }\n"
    "impact_rods = { young = 1e7, density = 1000, radius = 0.02 }"
)


def form(**weights):
    return "form = { " + ", ".join(f"{k} = {v}" for k, v in weights.items()) + ", density = 2 }"


def shown(*poses, more="strength = 20"):
    return f"examples = {{ poses = [{', '.join(poses)}], {more} }}"


def test_a_form_is_a_curve_a_sheet_or_a_solid_by_its_cells():
    curve = body_of(LINE, form(metric=1000, curvature=0.1))
    assert type(curve) is pl.FormCurve and curve.facts()["curvature"] == [0.1, 0.1]
    assert curve.masses.sum() == pytest.approx(2.0)  # 1 m of it
    sheet = body_of(SHEET, form(metric="[[400, 100], [100, 200]]", curvature=1e-3))
    assert type(sheet) is pl.FormSurface
    # Weights of E11, E22 and of E12 and E21, which are one component, 2 E12.
    assert sheet.facts()["metric"] == [[400, 0, 0], [0, 200, 0], [0, 0, 50]]
    solid, flat = (body_of(mesh, form(metric=1e5), run="seconds = 0.1") for mesh in (BOX, FLAT))
    assert type(solid) is type(flat) is pl.FormSolid and (solid.dim, flat.dim) == (3, 2)


def test_examples_are_poses_about_what_is_fixed():
    """The pose is the one that a start shape of the same words makes."""
    pose = "{ twist = { degrees = 80 }, bend = { degrees = -40 } }"
    parts = (BOX, MATTER, 'fix = "x < 0.01"')
    it = body_of(*parts, shown(pose))
    assert type(it) is pl.ExampleBased and it.strength == 20.0 and it.pinned.sum() == 4
    started = body_of(*parts, f"start = {pose}")
    assert np.array_equal(it.examples[0], started.positions)
    assert it.weights(started.positions) == pytest.approx([0, 1], abs=1e-12)
    both = body_of(*parts, "density = 500",
                   shown(pose, "{ stretch = [1.2, 1, 1] }", more="bounds = [0, 1]"))  # fmt: skip
    assert both.facts()["examples"] == 2 and both.facts()["bounds"] == (0.0, 1.0)
    assert both.strength == 10.0 and both.masses.sum() == pytest.approx(500.0 * 4.0)


def test_an_example_is_read_from_the_file_of_a_posed_surface(tmp_path):
    """The boundary of the body, posed elsewhere and written as OBJ, as another program would."""
    plain = body_of(BOX, MATTER)
    plain.place(plain.mesh.points * [1.2, 0.9, 1.0] + [0, 3, 0])
    take = pl.Scene(plain).run(seconds=1 / 60, progress=False)
    (tmp_path / "poses").mkdir()
    surface = plain.skin.surface
    lines = [
        f"v {' '.join(map(repr, p.tolist()))}" for p in plain.skin.positions(take.positions[0])
    ]
    at = 0
    for size in surface.sizes:
        lines.append("f " + " ".join(str(c + 1) for c in surface.corners[at : at + size]))
        at += size
    (tmp_path / "poses" / "wide.obj").write_text("\n".join(lines) + "\n")
    parsed = file(BOX, MATTER, shown("{ surface = 'poses/wide.obj' }"), folder=tmp_path)
    it = parsed.build().bodies["it"]
    stretched = it.mesh.points * [1.2, 0.9, 1.0]
    # Coordinates are written with all their digits, and stretches of a surface are met exactly.
    assert it.weights(stretched) == pytest.approx([0, 1], abs=1e-6)
    assert it.misfit(stretched) <= 1e-10 * it.misfit(it.mesh.points * [1.0, 1.2, 1.0])
    (tmp_path / "other").mkdir()
    moved = scene.read(parsed.save(tmp_path / "other" / "it.toml"))
    assert next(iter(moved.files().values())) == "../poses/wide.obj"
    assert np.array_equal(moved.build().bodies["it"].examples, it.examples)


def test_springs_join_the_points_they_are_told():
    joined = [[0, 1], [0, 8], [3, 2], [2, 4], [7, 5], [6, 5]]  # every point of nine
    parsed = file(LINE, f"springs = {{ stiffness = 500, mass = 0.01, pairs = {joined} }}")
    body = parsed.build().bodies["it"]
    assert sorted(map(sorted, body.pairs.tolist())) == sorted(map(sorted, joined))
    assert sorted(8 * body.lengths()) == pytest.approx([1, 1, 1, 2, 2, 8])
    assert len(parsed.build(refine=1).bodies["it"].pairs) == len(joined)


def test_a_rod_that_moves_hits_the_one_beside_it():
    """[deformablesurvey]: momentum changes hands; the second rod is at rest until they touch."""
    setup = file(RODS, "start = { velocity = [1, 0], where = 'x < 1.01' }",
                 run="seconds = 0.1\ndt = 2e-4\nfps = 100\nstepper = 'Impact'").build()  # fmt: skip
    body = setup.bodies["it"]
    first = body.mesh.points[:, 0] < 1.02
    assert body.velocity[first] == pytest.approx(np.tile([1.0, 0.0], (11, 1)))
    assert body.velocity[~first] == pytest.approx(np.zeros((21, 2)))
    momentum = body.masses @ body.velocity
    setup.run(progress=False)
    # 0.1 s at 1 m/s closes the gap of 1 cm between their round ends; sums round at 1e-16 a step.
    assert body.masses @ body.velocity == pytest.approx(momentum, rel=1e-10)
    assert body.masses[~first] @ body.velocity[~first, 0] > 0.5 * momentum[0]


MISTAKES = [
    ([LINE, form(metric="'stiff'")], "6: body.it.form.metric: got \"stiff\"; expected metric > 0"),
    ([SHEET, form(metric="[[1, 2], [3]]")],
     "6: body.it.form.metric: got [[1, 2], [3]]; expected a list of rows of 2 or 3 or 6 numbers, "
     "e.g. [[2000, 700], [700, 100]]"),
    ([SHEET, form(metric="[[1, 2], [3, 4], [5, 6]]")],
     "6: body.it.form: got a matrix of 3 rows; expected as many numbers in each"),
    ([SHEET, form(metric=1, torsion=1)],
     "6: body.it.form: got torsion, which only lines have; expected it left out"),
    ([BOX, form(metric=1, curvature=1)],
     "6: body.it.form: got curvature, which solids do not have; expected it left out"),
    ([BOX, form(metric=1), "density = 3"],
     "7: body.it.density: is that of a solid; expected density in form = { ... }"),
    ([BOX, form(metric=1), shown("{ stretch = [2, 1, 1] }")],
     "7: body.it.examples: is that of a solid; expected it beside material only"),
    ([BOX, MATTER, shown("{}")],
     "7: body.it.examples.poses.0: is the rest shape; expected surface, stretch, taper, twist, "
     "bend, warp, lattice or offset"),
    ([BOX, MATTER, "examples = { poses = [] }"],
     "7: body.it.examples.poses: got []; expected at least one"),
    ([BOX, MATTER, shown("{ twits = { degrees = 9 } }")],
     "7: body.it.examples.poses.0.twits: is not a field here; did you mean 'twist'?"),
    ([BOX, MATTER, shown("{ surface = 'no.obj' }")],
     "7: body.it.examples.poses.0.surface: got 'no.obj'; there is no such file in the folder '.'"),
    ([BOX, MATTER, shown("{ offset = [1, 0, 0] }")],
     "7: body.it.examples: ExampleBased: example 0 is the rest shape (moved as a whole, without "
     "strain), which is an example already; leave it out"),
    ([LINE, "springs = { stiffness = 1, mass = 1, pairs = [[0, 9]] }"],
     "6: body.it.springs: got point 9 in pairs; the mesh has 0 to 8"),
    ([LINE, "springs = { stiffness = 1, mass = 1, braced = true, pairs = [[0, 1]] }"],
     "6: body.it.springs.pairs: stands beside braced; expected one of the two"),
    ([RODS.replace("radius = 0.02", "radius = 0.02, area = 1")],
     "6: body.it.impact_rods: has radius and area; expected either radius [m] or area [m^2]"),
    ([RODS.replace("1.05, 0]", "1.05, 0, 0]").replace("3.05, 0]", "3.05, 0, 0]")],
     "5: body.it.mesh: some lines are 2D and some 3D; expected 2 numbers in all of them, or 3"),
    ([SHEET, "impact_rods = { young = 1e7, density = 1000, radius = 0.02 }"],
     "5: body.it.mesh: got tri3 cells, which impact_rods cannot use; expected { line = { a = [0, 0, "
     "0], b = [1, 0, 0] } } or { curve = ... }"),
    ([RODS, "start = { where = 'x < 1' }"],
     "7: body.it.start.where: is given; expected it beside velocity = [...] only"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), MISTAKES, ids=lambda v: str(v)[-40:])
def test_mistakes(lines, expected):
    assert told(*lines) == f"it.toml:{expected}"
