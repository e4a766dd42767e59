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


#: For set-up, kernels and some frames where bodies meet [s].
MEETING_LIMIT = 600.0
#: Where bodies meet: the name, the package, and the module.
MEETING = (
    ("MuJoCo", "mujoco", "mujoco_meeting"),
    ("Newton VBD", "newton", "newton_meeting"),
)


def meet(cases: Sequence[str]) -> None:
    """Print a table of bodies that meet, ours first."""
    pythons = _interpreters()
    print(
        "| case | who | frame [ms] | CPU [ms] | over ours | deepest [mm] | set-up [s] | settings |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for case in cases:
        found = {"ours": ask("benchmarks.meetings", case, "ours", limit=MEETING_LIMIT)}
        for name, package, module in MEETING:
            if package in pythons:
                where = {"python": pythons[package], "limit": MEETING_LIMIT}
                found[name] = ask(f"benchmarks.peers.{module}", case, "fastest", **where)
        for name, result in found.items():
            print(_meeting_row(case, name, result, found["ours"]), flush=True)


def _meeting_row(case: str, name: str, found: dict[str, Any], ours: dict[str, Any]) -> str:
    if "frame" not in found:
        return f"| {case} | {name} | {found.get('failed', 'no answer')} | | | | | |"
    ratio = f"{found['cpu'] / ours['cpu']:.2f}" if "cpu" in ours else ""
    numbers = f"{1e3 * found['frame']:.0f} | {1e3 * found['cpu']:.0f} | {ratio}"
    return (
        f"| {case} | {name} | {numbers} | {1e3 * found['depth']:.2f} | {found['setup']:.1f} | "
        f"{found['settings']} |"
    )


def _interpreters() -> dict[str, Path]:
    pythons: dict[str, Path] = {}
    for package in dict.fromkeys(peer.package for peer in PEERS):
        try:
            pythons[package] = interpreter(package)
        except NotInstalled as why:
            print(f"{package} is left out, it cannot be installed here: {why}")
    return pythons


def main(sizes: Sequence[str]) -> None:
    """Print one table with ratios, then what was asked."""
    pythons = _interpreters()
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
