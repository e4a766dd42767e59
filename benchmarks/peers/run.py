"""Ours beside the peers: the same meshes, the same run, one process after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import beam
from ..cantilever import SIZES, STATIC
from ..child import ask
from ..report import OURS, asked, row
from .environment import NotInstalled, interpreter


@dataclass(frozen=True)
class Peer:
    """A row of the table: the package to install, the module to run in it, and on what.

    sizes: where it runs; small: where its small-load answer fits into the time limit, too.
    """

    name: str
    package: str
    module: str
    variant: str
    sizes: tuple[str, ...]
    small: tuple[str, ...]


PEERS = (
    Peer("MuJoCo", "mujoco", "mujoco_flex", "fastest", tuple(SIZES), STATIC),
    Peer("MuJoCo defaults", "mujoco", "mujoco_flex", "defaults", STATIC, ("1k", "6k")),
    Peer("Newton VBD", "newton", "newton_vbd", "fastest", tuple(SIZES), ("1k", "6k")),
)


def main(sizes: Sequence[str]) -> None:
    """Print one table with ratios, then what was asked."""
    pythons: dict[str, Path] = {}
    for package in dict.fromkeys(peer.package for peer in PEERS):
        try:
            pythons[package] = interpreter(package)
        except NotInstalled as why:
            print(f"{package} is left out, it cannot be installed here: {why}")
    print(beam.title())
    results: dict[tuple[str, str], dict[str, Any]] = {}
    with beam.cases(sizes) as folder:
        for size in sizes:
            for who in OURS:
                results[size, who] = beam.measure(folder, size, who, small=size in STATIC)
                print(row(size, who, results[size, who], results[size, "undamped"]), flush=True)
            for peer in PEERS:
                if peer.package not in pythons or size not in peer.sizes:
                    continue
                found = ask(
                    f"benchmarks.peers.{peer.module}",
                    str(folder),
                    size,
                    peer.variant,
                    "small" if size in peer.small else "-",
                    python=pythons[peer.package],
                )
                results[size, peer.name] = found
                print(row(size, peer.name, found, results[size, "undamped"]), flush=True)
    print("\nasked and reached")
    print("\n".join(asked(results)))
