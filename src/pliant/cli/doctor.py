"""`pliant doctor`: what is installed, which devices there are, and whether it works."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Iterator
from importlib import metadata

#: (package, the extra that brings it, what it is for)
OPTIONAL = (
    ("matplotlib", "plot", "pictures, studies"),
    ("pytetwild", "mesh", "tetrahedra from surfaces"),
    ("usd-core", "usd", ".usdc and .usda"),
    ("h5py", "vtk", ".vtkhdf"),
    ("vtk", "view", "films"),
    ("imageio-ffmpeg", "view", ".mp4"),
    ("viser", "view", "the live stage"),
    ("distributed", "sweep", "many runs"),
    ("cma", "fit", "fits by CMA-ES"),
)
NEEDED = ("numpy", "scipy", "warp-lang", "meshio", "pyamg", "pydantic")


def doctor() -> None:
    """Say what is installed and which devices there are, and run a ten-second test of each."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pliant import __version__
    from pliant.backend import cores

    console = Console()
    console.print(
        f"pliant {__version__}, Python {platform.python_version()}, {platform.platform()}, "
        f"{cores()} cores",
        highlight=False,
    )
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in NEEDED:
        table.add_row(name, _version(name) or "missing", "")
    for name, extra, purpose in OPTIONAL:
        version = _version(name)
        missing = f"missing: pip install 'pliant[{extra}]'"
        table.add_row(name, Text(version or missing), purpose)  # as text: brackets are no markup
    console.print(table)
    works = True
    for device, name in devices():
        with console.status(f"testing {device}"):
            passed, said = self_test(device)
        works &= passed
        console.print(Text(f"{device} ({name}): {said}"))
    if not works:
        sys.exit(1)


def devices() -> Iterator[tuple[str, str]]:
    """The devices that a scene can run on, and what they are."""
    import warp as wp

    from pliant.backend import start

    start()
    yield "cpu", platform.processor() or platform.machine()
    for device in wp.get_cuda_devices():
        yield device.alias, device.name


def self_test(device: str) -> tuple[bool, str]:
    """A bent beam, asked to rest in half a second with one and with no bounce."""
    import numpy as np

    import pliant as pl

    began = time.perf_counter()
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
    body.fix(mesh.points[:, 0] < 1e-9)
    misses = []
    for bounces in (0, 1):
        body.reset()
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
        body.damping = pl.Settle(rest_in=0.5, bounces=bounces)
        take = pl.Scene([body]).run(seconds=0.7, dt=1 / 120, device=device, progress=False)
        found = take.rest_time()
        misses.append(abs(found / 0.5 - 1.0))
    passed = max(misses) < 0.03  # what the README promises
    word = "works" if passed else "FAILS"
    seconds = time.perf_counter() - began
    worst = float(np.max(misses))
    return passed, f"{word}: rest time within {worst:.2%} of the asked, {seconds:.1f} s"


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
