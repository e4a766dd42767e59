"""Which meshes each kind of body can be made of, in the words of the file."""

from __future__ import annotations

from pliant.mesh import Mesh

from .kind_tables import words
from .source import Here

BODY_WORDS = words()
BODY_FIELDS = ("material", *BODY_WORDS)
STRAND = "{ line = { a = [0, 0, 0], b = [1, 0, 0] } } or { curve = ... }"
SHEET = 'triangles: { rectangle = { ... }, plane = "xz" }, another 2D shape, or a surface file'


def require_fit(kind: str, mesh: Mesh, here: Here, *, bars: bool = False) -> None:
    """Refuse a mesh that this kind of body cannot be made of; bars: whether lines have a section."""
    if kind == "material":
        return _require_solid(mesh, here, bars=bars)
    classes = BODY_WORDS[kind]
    if mesh.dim == 2 and any(cls.in_space for cls in classes):
        if mesh.cell_dim == 1:
            raise here.error(f"is 2D, and {kind} needs 3D; expected 3 numbers for every point")
        if kind != "rod":
            raise here.error(
                f'is 2D, and {kind} needs a mesh in space; expected plane = "xz" beside the shape, '
                '"xy" or "yz"'
            )
    usable = frozenset[str]().union(*(cls.cells for cls in classes))
    wrong = sorted(set(mesh.cells) - usable)
    if not wrong:
        return None
    expected = f"cells of {', '.join(sorted(usable))}: kind = ..."
    if usable == {"line2"}:
        expected = STRAND
    elif any(cls.of_faces for cls in classes):
        flat = wrong[0].startswith(("quad", "tri"))
        expected = 'kind = "tri"' if flat else SHEET
    raise here.error(f"got {wrong[0]} cells, which {kind} cannot use; expected {expected}")


def _require_solid(mesh: Mesh, here: Here, *, bars: bool) -> None:
    if mesh.cell_dim == mesh.dim or (mesh.cell_dim == 1 and bars):
        return
    other = "rod or springs" if mesh.cell_dim == 1 else "cloth or shell"
    also = ", section = 1e-4 [m^2] beside it, for bars" if mesh.cell_dim == 1 else ""
    cells = ", ".join(mesh.cells)
    raise here.error(
        f"got {cells} in {mesh.dim}D, which material cannot fill; expected {other} = {{ ... }} "
        f"instead of material{also}, or a solid mesh"
    )


def of_faces(kind: str) -> bool:
    """Whether the cells of a kind are the faces of a surface file."""
    return any(cls.of_faces for cls in BODY_WORDS.get(kind, ()))
