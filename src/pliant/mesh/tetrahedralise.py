"""Tetrahedra inside a surface."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pliant.errors import Advice
from pliant.resources import require_memory

from .errors import MeshError
from .ftetwild import tetrahedra
from .mesh import Mesh
from .orientation import agree
from .sizes import lengths
from .surface import Surface
from .surface_report import SurfaceReport
from .topology import pieces

_CALL = "pl.meshes.tetrahedralise(surface, edge_length=0.1)"
#: Bytes that fTetWild takes for each tetrahedron, at least.
BYTES_PER_TETRAHEDRON = 1000
#: A closed surface and its tetrahedra may differ in volume by this share, or by what the envelope
#: holds, whichever is more.
_VOLUME_SHARE = 0.1


def tetrahedralise(
    surface: Surface,
    *,
    edge_length: float | None = None,
    within: float | None = None,
    optimise: bool = True,
    progress: bool | None = None,
) -> Mesh:
    """Fill a surface with tetrahedra, by fTetWild.

    edge_length [m]: what edges should be about; a twentieth of the box's diagonal by default.
    within [m]: how far the boundary may stray from the surface, a tenth of edge_length by default;
    smaller values give more and smaller cells where the surface is curved. optimise: better shaped
    and fewer cells, for more time. progress: a line on the terminal; by default if there is one.

    Small holes are closed, with a warning that says where they are. Two calls give different
    meshes of the same quality: fTetWild is not deterministic, so keep what you want to run again with
    mesh.write("body.vtu"). It runs in a process of its own, which Ctrl-C ends.
    Source: [hu2020].
    """
    surface, diagonal, edge, stray = _accepted(surface, edge_length, within)
    report = surface.report()
    triangles = surface.corners[surface.triangles]
    if not report.oriented:
        triangles, turned, agreed = agree(surface.points, triangles)
        _warn_turned(report, turned, agreed)
        report = Surface.of(surface.points, triangles).report()
    _require_room(report, diagonal, edge)
    if not report.closed:
        _warn_open(report)
    elif report.volume < 0:
        triangles = triangles[:, ::-1]  # fTetWild fills what normals point away from
    with _waiting(f"filling {len(triangles)} triangles with tetrahedra", progress) as tick:
        points, tets = tetrahedra(
            surface.points,
            triangles,
            edge_share=edge / diagonal,
            envelope_share=stray / diagonal,
            optimise=optimise,
            tick=tick,
        )
    if not len(tets):
        raise MeshError(
            f"no tetrahedra came out: the surface encloses nothing that is thicker than {stray:.3g} m. "
            f"It has {_first_line(report)}; give a smaller edge_length, or close it"
        )
    # Corners come in fTetWild's order, which is the mirrored one.
    mesh = Mesh(points, {"tet4": tets[:, [0, 2, 1, 3]]}, repair=True)
    _compare(mesh, report, stray, edge)
    _warn_loose(mesh, report)
    return mesh


def _accepted(
    surface: Any, edge_length: float | None, within: float | None
) -> tuple[Surface, float, float, float]:
    """The surface, welded, its diagonal, and the lengths asked for or their defaults [m]."""
    if not isinstance(surface, Surface):
        raise TypeError(
            f"tetrahedralise: got {type(surface).__name__}; expected a surface, as in "
            'pl.meshes.tetrahedralise(pl.Surface.read("body.obj"))'
        )
    surface = surface.welded()
    diagonal = float(np.linalg.norm(np.ptp(surface.points, axis=0)))
    (edge,) = lengths(_CALL, edge_length=diagonal / 20 if edge_length is None else edge_length)
    (stray,) = lengths(_CALL, within=edge / 10 if within is None else within)
    if edge > diagonal:
        raise ValueError(
            Advice(
                f"edge_length is {edge:g} m and the surface only {diagonal:.4g} m across; expected less",
                f", as in {_CALL}",
            )
        )
    return surface, diagonal, edge, stray


def _require_room(report: SurfaceReport, diagonal: float, edge: float) -> None:
    """Refuse an edge_length that makes more tetrahedra than this machine has memory for."""
    volume = abs(report.volume) if report.closed else diagonal**3 / 10
    count = 6.0 * np.sqrt(2.0) * volume / edge**3  # of regular ones
    require_memory(
        f"filling the surface with about {count:.2g} tetrahedra of edge_length {edge:g} m",
        float(BYTES_PER_TETRAHEDRON * count),
        Advice("a longer edge_length", f", as in {_CALL}"),
    )


def _warn_open(report: SurfaceReport) -> None:
    warnings.warn(
        f"the surface is not closed: {report.openings}; the largest has "
        f"{report.holes[0]} [m]; fTetWild closes small ones, look at the result",
        stacklevel=3,
    )


def _warn_turned(report: SurfaceReport, turned: int, agreed: bool) -> None:
    said = f"faces disagree on which side is out at {report.flipped_edges} edges"
    if agreed:
        warnings.warn(f"{said}: {turned} triangles were turned", stacklevel=3)
    else:
        warnings.warn(
            f"{said}, and cannot agree: the surface has one side only; parts may be missing or "
            "filled wrongly",
            stacklevel=3,
        )


def _warn_loose(mesh: Mesh, report: SurfaceReport) -> None:
    """Warn of parts that move on their own, or swing."""
    parts = int(mesh.components.max()) + 1
    if parts > 1 and parts != report.shells:
        warnings.warn(
            f"the tetrahedra are {parts} parts that do not touch, each of which moves on its own; the "
            f"surface has {report.shells}",
            stacklevel=3,
        )
    hinged = int(pieces("tet4", mesh.cells["tet4"]).max()) + 1 - parts
    if hinged:
        warnings.warn(
            f"{hinged} pieces of the tetrahedra touch others in points or edges only and swing there "
            "as on hinges: they never come to rest; expected shells that overlap by more than a cell, "
            "or a smaller edge_length where the surface is thin",
            stacklevel=3,
        )


def _compare(mesh: Mesh, report: SurfaceReport, stray: float, edge: float) -> None:
    """Refuse a mesh that does not fill the surface it was made from."""
    if not (report.closed and report.oriented and report.manifold):
        return
    asked = abs(report.volume)
    allowed = max(_VOLUME_SHARE * asked, stray * report.area)
    if abs(mesh.volume - asked) <= allowed:
        return
    said = (
        f"the tetrahedra fill {mesh.volume:.4g} m^3, the surface encloses {asked:.4g} m^3; expected "
        f"them within {allowed:.3g} m^3"
    )
    if report.shells > 1:  # where shells overlap, the sum of their volumes counts space twice
        warnings.warn(f"{said}, unless its {report.shells} shells overlap", stacklevel=3)
        return
    raise MeshError(
        Advice(
            f"{said}. Does the surface cross itself? If not, ",
            f"give a smaller within= than {stray:.3g} m",
            f"give a smaller edge_length than {edge:.3g} m",
        )
    )


def _first_line(report: SurfaceReport) -> str:
    return ", ".join(str(report).splitlines()[:2])


@contextmanager
def _waiting(what: str, show: bool | None) -> Iterator[Callable[[], None]]:
    """A line with the time gone, on a terminal; nothing in a pipe."""
    if not (sys.stderr.isatty() if show is None else show):
        yield lambda: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    begun = time.monotonic()
    with console.status(what) as status:
        yield lambda: status.update(f"{what}: {time.monotonic() - begun:.0f} s")
