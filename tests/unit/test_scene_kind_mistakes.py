"""Mistakes in kinds of bodies, strands, sheets, wind and obstacles: one line each, with the fix."""

import pytest

from pliant import scenefile as scene

SHEET = 'mesh = { rectangle = { size = [1, 0.5], cells = [4, 2] }, plane = "xz" }'
LINE = "mesh = { line = { a = [0, 0, 0], b = [1, 0, 0], cells = 8 } }"
BALL = "mesh = { sphere = { radius = 0.5, cells = 2 } }"
CLOTH = "cloth = { stretch = 400, shear = 60, bend = 1e-4, density = 0.25 }"
ROD = "rod = { young = 1e8, poisson = 0.3, density = 1200, radius = 0.01 }"


def told(*lines):
    body = "\n".join(lines)
    text = f"[run]\nseconds = 0.1\ngravity = [0, -9.81, 0]\n[body.it]\n{body}\n"
    with pytest.raises(scene.SceneError) as error:
        scene.parse(text, name="it.toml").build()
    return str(error.value)


KIND_LIST = (
    "material, springs, cloth, shell, rod, preserving, elastons, form, impact_rods, "
    "long_elements, boundary_elements"
)
MISTAKES = [
    ([SHEET], f"4: body.it: is made of nothing; expected exactly one of {KIND_LIST}"),
    ([SHEET, CLOTH, ROD], f"4: body.it: has cloth and rod; expected exactly one of {KIND_LIST}"),
    ([SHEET, CLOTH, "density = 3"],
     "7: body.it.density: is that of a solid; expected density in cloth = { ... }"),
    ([LINE, "springs = { stiffness = 1, mass = 1 }", "density = 3"],
     "7: body.it.density: is that of a solid; expected mass in springs = { ... }"),
    ([LINE, "springs = { stiffness = 1 }"],
     "6: body.it.springs.mass: is missing; expected mass = 0.01 [kg] of each point, or total_mass "
     "= 1.0 [kg] of all"),
    ([LINE, "springs = { stiffness = 1, mass = 1, rest = 1, rest_stretch = 1 }"],
     "6: body.it.springs.rest: stands beside rest_stretch; expected one of the two"),
    ([LINE, "springs = { stiffness = 1, mass = 1, rest_stretch = [1, 2] }"],
     "6: body.it.springs.times: is missing; expected a list for rest_stretch, and times = [...] "
     "[s], one for each"),
    ([SHEET, CLOTH.replace("bend = 1e-4, ", "")],
     "6: body.it.cloth.bend: is missing; expected stiffness against bending [N m]: young times "
     "thickness^3 / 12"),
    ([SHEET, CLOTH.replace("shear = 60", "shear = -1")],
     "6: body.it.cloth.shear: got -1; expected shear >= 0 [N/m]"),
    ([SHEET.replace(', plane = "xz"', ""), CLOTH],
     '5: body.it.mesh: is 2D, and cloth needs a mesh in space; expected plane = "xz" beside the '
     'shape, "xy" or "yz"'),
    ([SHEET.replace("cells = [4, 2]", 'kind = "quad"'), CLOTH],
     '5: body.it.mesh: got quad4 cells, which cloth cannot use; expected kind = "tri"'),
    ([BALL, CLOTH],
     "5: body.it.mesh: got tet4 cells, which cloth cannot use; expected triangles: { rectangle = "
     '{ ... }, plane = "xz" }, another 2D shape, or a surface file'),
    ([SHEET, ROD],
     "5: body.it.mesh: got tri3 cells, which rod cannot use; expected { line = { a = [0, 0, 0], "
     "b = [1, 0, 0] } } or { curve = ... }"),
    ([SHEET, "material = { young = 1 }"],
     "5: body.it.mesh: got tri3 in 3D, which material cannot fill; expected cloth or shell = "
     "{ ... } instead of material, or a solid mesh"),
    ([BALL.replace("cells = 2 }", 'cells = 2 }, plane = "xy"'), CLOTH],
     '5: body.it.mesh.plane: got "xy"; expected it of rectangle, trapezoid, annulus, disk only: '
     "sphere is not 2D"),
    ([LINE.replace("b = [1, 0, 0]", "b = [0, 0, 0]"), ROD],
     "5: body.it.mesh.line.b: got [0, 0, 0]; expected another place than a"),
    (["mesh = { curve = {} }", ROD],
     "5: body.it.mesh.curve: has no points; expected points = [[0, 0, 0], ...] or at = [...] with "
     "t and cells"),
    (["mesh = { curve = { at = ['t', 'u', 0] } }", ROD],
     "5: body.it.mesh.curve.at: got 'u' in \"u\"; expected t, pi"),
    (["mesh = { curve = { at = ['1/t', 0, 0] } }", ROD],
     "5: body.it.mesh: the curve is not finite at t = 0"),
    ([LINE, ROD.replace("radius = 0.01", "width = 1")],
     "6: body.it.rod: has width; expected either radius, or width and height [m]"),
    ([SHEET, CLOTH, "push = [{ force = [0, 1, 0], on = 'x > 0', drag = 1 }]"],
     "7: body.it.push.0.drag: got 1; expected it beside wind = [...] only"),
    ([SHEET, CLOTH, "push = [{ wind = ['q', 0, 0] }]"],
     "7: body.it.push.0.wind: got 'q' in \"q\"; expected x, y, z, t, pi"),
    ([SHEET, CLOTH, "push = [{ volume = [0, 1, 0] }]"],
     "7: body.it.push.0.volume: its cells have no volume; expected a force on points, or gravity"),
    ([LINE, ROD, "push = [{ wind = [1, 0, 0] }]"],
     "7: body.it.push.0.wind: push: got a traction, pressure or wind on a Rod, which has no "
     "surface; expected force= on its points, or volume=q / area for q [N/m] along it"),
    ([SHEET, CLOTH, "[[obstacle]]"],
     "7: obstacle.0: has no shape; expected exactly one of sphere, half_space, capsule, mesh"),
    ([SHEET, CLOTH, "[[obstacle]]\nsphere = { centre = [0, 0], radius = 1 }"],
     "8: obstacle.0.sphere: got centre = [0.0, 0.0]; the body is 3D: expected 3 numbers"),
    ([SHEET, CLOTH, "[[obstacle]]\nsphere = { centre = [0, 0, 0], radius = 0.1 }"],
     "4: body.it: 1 points begin inside obstacle 0, Sphere([0.0, 0.0, 0.0], 0.1); expected a start "
     "outside of it: move = [...] in mesh, or offset = [...] in start"),
    ([SHEET, CLOTH, "[[obstacle]]\nbox = {}"],
     "8: obstacle.0.box: is not a field here; expected one of mesh, path, sphere, half_space, "
     "capsule, margin, friction, name"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), MISTAKES, ids=lambda v: str(v)[-40:])
def test_mistakes_in_kinds(lines, expected):
    assert told(*lines) == f"it.toml:{expected}"


def test_settle_needs_the_implicit_step():
    text = f"[run]\nstepper = 'Newmark'\n[body.it]\n{SHEET}\n{CLOTH}\nsettle = {{ rest_in = 1 }}\n"
    with pytest.raises(scene.SceneError, match=r"it\.settle: Settle needs the implicit step"):
        scene.parse(text, name="it.toml").build()
