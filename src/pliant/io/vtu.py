"""Takes as VTK XML files, one per frame, with a .pvd that lists them: what every ParaView reads."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from pliant.take import Take, progress_bar

from .atomic import atomic_write
from .grids import VtkGrid
from .registry import writes
from .surfaces import body_paths, frame_path

_TYPE_NAMES = {"f8": "Float64", "i8": "Int64", "u1": "UInt8"}


@writes(".vtu", energies=False)
def save_vtu(take: Take, path: Path) -> list[Path]:
    """Write beam_0000.vtu, beam_0001.vtu ... and beam.pvd for "beam.vtu"; open the .pvd.

    A take of one frame and one body is beam.vtu itself. Several bodies: beam-BODY_0000.vtu ... of
    each, as parts of one .pvd. Files of an earlier, longer take are left where they are.
    """
    entries, written = [], []
    with progress_bar(len(take) * len(take.tracks), path.name) as advance:
        for part, target in enumerate(body_paths(take, path)):
            grids = VtkGrid.of(take.tracks[part])
            each = [(grid, frame) for grid in grids for frame in grid.frames]
            for (grid, frame), time in zip(each, take.times, strict=True):
                file = frame_path(take, target, frame)
                written.append(file)
                with atomic_write(file) as draft:
                    draft.write_text(frame_xml(grid, frame), encoding="utf-8")
                entries.append(
                    f"<DataSet timestep={quoteattr(repr(float(time)))} part={quoteattr(str(part))} "
                    f"name={quoteattr(grid.name)} file={quoteattr(file.name)}/>"
                )
                advance()
    if len(entries) > 1:
        listed = "\n".join(entries)
        written.insert(0, path.with_suffix(".pvd"))  # the one to open
        with atomic_write(written[0]) as draft:
            draft.write_text(
                '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n<Collection>\n'
                f"{listed}\n</Collection>\n</VTKFile>\n",
                encoding="utf-8",
            )
    return written


def frame_xml(grid: VtkGrid, frame: int) -> str:
    """One frame of one body as the text of a .vtu file."""
    cells, points = grid.cells, grid.points(frame)
    fields = "\n".join(_array(name, value) for name, value in grid.fields(frame).items())
    return (
        '<?xml version="1.0"?>\n'
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        'header_type="UInt64" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n'
        f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells.types)}">\n'
        f"<Points>\n{_array('Points', points)}\n</Points>\n"
        f"<Cells>\n{_array('connectivity', cells.connectivity)}\n{_array('offsets', cells.ends)}\n"
        f"{_array('types', cells.types)}\n</Cells>\n"
        f"<PointData>\n{fields}\n</PointData>\n"
        "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"
    )


def _array(name: str, values: np.ndarray) -> str:
    """Compressed as one block: its head (blocks, size, size of a last partial one, compressed)."""
    kind = f"{values.dtype.kind}{values.dtype.itemsize}"
    raw = values.astype(f"<{kind}").tobytes()
    packed = zlib.compress(raw)
    sizes = np.array([1, len(raw), 0, len(packed)], dtype="<u8").tobytes()
    text = (base64.b64encode(sizes) + base64.b64encode(packed)).decode("ascii")
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    head = f'type="{_TYPE_NAMES[kind]}" Name="{name}"{width} format="binary"'
    return f"<DataArray {head}>{text}</DataArray>"
