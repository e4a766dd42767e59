"""`pliant shape MESH OUT`: a mesh that is stretched, tapered, twisted, bent, warped, or in a lattice."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from .transfer import read_shape

if TYPE_CHECKING:
    from pliant.shape import Axis, Deformer


class AxisName(str, Enum):
    """An axis."""

    x = "x"
    y = "y"
    z = "z"


def shape(
    mesh: Annotated[
        Path, typer.Argument(help="A surface or a volume mesh: .obj .stl .ply .vtu ...")
    ],
    out: Annotated[
        Path, typer.Argument(help="Where to write: .obj of surfaces, else .vtu and others.")
    ],
    stretch: Annotated[str | None, typer.Option(help="A factor for each axis, e.g. 1,2,1.")] = None,
    taper: Annotated[
        float | None, typer.Option(help="Cross sections at the far end over the near end.")
    ] = None,
    twist: Annotated[float | None, typer.Option(help="Between both ends, in degrees.")] = None,
    bend: Annotated[float | None, typer.Option(help="Between both ends, in degrees.")] = None,
    along: Annotated[AxisName, typer.Option(help="Of taper, twist and bend.")] = AxisName.x,
    towards: Annotated[AxisName, typer.Option(help="Where it bends to.")] = AxisName.y,
    about: Annotated[
        str | None, typer.Option(help="What stays, e.g. 0,0,0 [m]; the middle by default.")
    ] = None,
    warp: Annotated[
        str | None, typer.Option(help="Drag at x,y,z by x,y,z within a radius: seven numbers [m].")
    ] = None,
    lattice: Annotated[
        Path | None,
        typer.Option(help="A TOML file of a lattice with control points that are moved."),
    ] = None,
) -> None:
    """Deform a mesh, in the order of these options, and tell by how much volumes change."""
    from pliant import shape as shapes
    from pliant.mesh import Mesh, Surface

    found = read_shape(mesh)
    dim = found.points.shape[1]
    stays = None if about is None else numbers("about", about, dim)
    steps = bent(taper, twist, bend, along.value, towards.value, stays)
    if stretch is not None:
        steps.insert(0, shapes.Stretching(numbers("stretch", stretch, dim), stays))
    if warp is not None:
        given = numbers("warp", warp, 2 * dim + 1)
        steps.append(shapes.Warping(at=given[:dim], by=given[dim:-1], radius=given[-1]))
    if not steps and lattice is None:
        raise ValueError(
            "shape: nothing is to be done; expected e.g. --twist 90 or --lattice pose.toml"
        )
    x, factor = moved(found.points, steps)
    if lattice is not None:
        x = shapes.Lattice.read(lattice, x).positions
    if isinstance(found, Surface):
        replace(found, points=x, normals=None).write(out)
    else:
        Mesh(x, found.cells, groups=found.groups).write(out)
    if steps:
        typer.echo(f"volumes  {factor.min():.4g} to {factor.max():.4g} times as large by formula")
    typer.echo(f"written  {out}")


def bent(
    taper: float | None,
    twist: float | None,
    bend: float | None,
    along: Axis,
    towards: Axis,
    about: list[float] | None,
) -> list[Deformer]:
    """The deformers along an axis that are asked for."""
    from pliant import shape as shapes

    found: list[Deformer] = []
    if taper is not None:
        found.append(shapes.Tapering(factor=taper, along=along, about=about))
    if twist is not None:
        found.append(shapes.Twisting(degrees=twist, along=along, about=about))
    if bend is not None:
        found.append(shapes.Bending(degrees=bend, along=along, towards=towards, about=about))
    return found


def moved(points: np.ndarray, steps: list[Deformer]) -> tuple[np.ndarray, np.ndarray]:
    """Points after all of some deformers [m], and how many times as large volumes are there."""
    x, factor = points, np.ones(len(points))
    for step in steps:
        x, factor = step(x), factor * step.volume_factors(x)
    return x, factor


def numbers(name: str, text: str, count: int) -> list[float]:
    """Numbers between commas."""
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != count:
        raise ValueError(f"--{name}: got {text!r}; expected {count} numbers, as in 1,0,0")
    return found
