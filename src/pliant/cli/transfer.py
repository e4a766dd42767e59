"""`pliant transfer TAKE MESH --markers PAIRS -o OUT`: the motion of one mesh for another."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pliant.mesh import Mesh, Surface


def transfer(
    take: Annotated[
        Path,
        typer.Argument(help="A take: .zarr or .npz; or a rig that moves: .glb, .gltf, .usdc, ..."),
    ],
    mesh: Annotated[
        Path, typer.Argument(help="The other mesh at rest: .obj, .stl, .ply, or a volume mesh.")
    ],
    markers: Annotated[
        Path,
        typer.Option(
            help="A CSV file of pairs of points, one pair in a row: of the body's surface, of the mesh."
        ),
    ],
    out: Annotated[list[Path], typer.Option("--out", "-o", help="Where to write, by suffix.")],
    body: Annotated[str | None, typer.Option(help="Which body of the take.")] = None,
    animation: Annotated[str | None, typer.Option(help="Which animation of the rig.")] = None,
) -> None:
    """Give the motion of a body to another mesh of other points, faces and proportions."""
    from pliant import io
    from pliant.shape import transfer as transferred

    for target in out:
        io.check_target(target)  # before anything is computed
    pairs = read_pairs(markers)
    found = transferred(take, read_shape(mesh), pairs, body=body, animation=animation)
    for target in out:
        typer.echo(f"written  {io.in_words(io.write_files(found, target))}")


def read_shape(path: Path) -> Surface | Mesh:
    """A surface of a surface file, else a mesh."""
    from pliant.mesh import Mesh, Surface

    if path.suffix.lower() in (".obj", ".stl", ".ply"):
        return Surface.read(path)
    return Mesh.read(path)


def read_pairs(path: Path) -> list[tuple[int, int]]:
    """Pairs of whole numbers, one in a row; a first row of words is left out."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [
            (i, row) for i, row in enumerate(csv.reader(file), 1) if any(c.strip() for c in row)
        ]
    if rows and not any(cell.strip().isdigit() for cell in rows[0][1]):
        rows = rows[1:]
    pairs = []
    for line, row in rows:
        if len(row) != 2 or not all(cell.strip().isdigit() for cell in row):
            raise ValueError(
                f"{path.name}:{line}: got {','.join(row)!r}; expected two numbers of points in a row, "
                "as in 12,40"
            )
        pairs.append((int(row[0]), int(row[1])))
    if not pairs:
        raise ValueError(
            f"{path.name} has no pairs; expected two numbers of points in a row: 12,40"
        )
    return pairs
