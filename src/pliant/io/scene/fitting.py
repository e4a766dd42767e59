"""Which meshes each kind of body can be made of, in the words of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .source import Here

if TYPE_CHECKING:
    from pliant.mesh import Mesh

KINDS = (
    "material",
    "springs",
    "cloth",
    "shell",
    "rod",
    "preserving",
    "elastons",
    "form",
    "impact_rods",
)
#: Kinds whose cells are the faces of a surface file.
SHEETS = ("cloth", "shell")
IN_SPACE = ("cloth", "shell", "rod", "elastons")
LINEAR = {"line2", "tri3", "quad4", "tet4", "hex8"}
CELLS = {
    "springs": LINEAR,
    "cloth": {"tri3"},
    "shell": {"tri3"},
    "rod": {"line2"},
    "preserving": {"line2", "tri3", "tet4"},
    "elastons": LINEAR,
    "form": LINEAR,
    "impact_rods": {"line2"},
}
STRAND = "{ line = { a = [0, 0, 0], b = [1, 0, 0] } } or { curve = ... }"
SHEET = 'triangles: { rectangle = { ... }, plane = "xz" }, another 2D shape, or a surface file'


def require_fit(kind: str, mesh: Mesh, here: Here) -> None:
    """Refuse a mesh that this kind of body cannot be made of."""
    cells = ", ".join(mesh.cells)
    if kind == "material":
        if mesh.cell_dim == mesh.dim:
            return
        other = "rod or springs" if mesh.cell_dim == 1 else "cloth or shell"
        raise here.error(
            f"got {cells} in {mesh.dim}D, which material cannot fill; expected {other} = {{ ... }} "
            "instead of material, or a solid mesh"
        )
    if kind in IN_SPACE and mesh.dim == 2:
        if mesh.cell_dim == 1:
            raise here.error(f"is 2D, and {kind} needs 3D; expected 3 numbers for every point")
        if kind != "rod":
            raise here.error(
                f'is 2D, and {kind} needs a mesh in space; expected plane = "xz" beside the shape, '
                '"xy" or "yz"'
            )
    wrong = sorted(set(mesh.cells) - CELLS[kind])
    if wrong:
        expected = {"rod": STRAND, "impact_rods": STRAND, "cloth": SHEET, "shell": SHEET}.get(
            kind, f"cells of {', '.join(sorted(CELLS[kind]))}: kind = ..."
        )
        if wrong[0].startswith(("quad", "tri")) and kind in SHEETS:
            expected = 'kind = "tri"'
        raise here.error(f"got {wrong[0]} cells, which {kind} cannot use; expected {expected}")
