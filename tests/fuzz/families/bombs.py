"""An archive of a few megabytes with a member that unpacks to gigabytes."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

#: What the member says that it holds, and does [bytes].
BOMB = 6 * 2**30


def write_bomb(path: Path, members: Mapping[str, bytes], name: str) -> None:
    """The archive with one member of a few megabytes that unpacks to gigabytes of zeros."""
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            if member != name:
                archive.writestr(member, content)
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({BOMB // 8},), }}"
    header = head.ljust(117) + "\n"
    begin = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = squeeze.compress(begin) + squeeze.flush(zlib.Z_FULL_FLUSH)
    block = squeeze.compress(bytes(2**20)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    packed = first + block * (BOMB // 2**20) + squeeze.flush()
    _append(path, name, packed, len(begin) + BOMB)


def _append(path: Path, name: str, packed: bytes, size: int) -> None:
    """Put a packed member into a zip by hand; its size is written as it is, beyond 4 GB by ZIP64."""
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo(name)
        assert archive.fp is not None
        info.header_offset = archive.start_dir  # type: ignore[attr-defined]
        info.compress_type = zipfile.ZIP_DEFLATED
        info.compress_size, info.file_size, info.CRC = len(packed), size, 0
        archive.fp.seek(archive.start_dir)  # type: ignore[attr-defined]
        archive.fp.write(info.FileHeader(zip64=True))
        archive.fp.write(packed)
        archive.start_dir = archive.fp.tell()  # type: ignore[attr-defined]
        archive.filelist.append(info)
        archive.NameToInfo[name] = info
        archive._didModify = True  # type: ignore[attr-defined]
