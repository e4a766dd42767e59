"""What is tried: each family makes its inputs from random choices and calls pliant with them."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from ..calling import Caller
from ..verdict import Verdict
from .checkpoints import Checkpoints
from .interface import Interface
from .meshes import Meshes
from .scenes import Scenes
from .takes import Takes


def packets(home: Path) -> Family:
    """The packets of the stage, which needs viser."""
    from .packets import Packets

    return Packets(home)


class Family(Protocol):
    """Made once in a worker with a folder for its seeds; then it runs cases."""

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Run the case of these choices."""
        ...


#: How many cases of a family come in a round: more of what is quick.
ROUND = {"checkpoints": 1, "interface": 4, "meshes": 2, "packets": 1, "scenes": 4, "takes": 3}
FAMILIES: dict[str, Callable[[Path], Family]] = {
    "checkpoints": Checkpoints,
    "interface": Interface,
    "meshes": Meshes,
    "packets": packets,
    "scenes": Scenes,
    "takes": Takes,
}


def available() -> list[str]:
    """The families that can run with what is installed."""
    without_stage = importlib.util.find_spec("viser") is None
    return [name for name in sorted(FAMILIES) if not (name == "packets" and without_stage)]
