"""What is tried: each family makes its inputs from random choices and calls pliant with them."""

from __future__ import annotations

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


FAMILIES: dict[str, Callable[[Path], Family]] = {
    "checkpoints": Checkpoints,
    "interface": Interface,
    "meshes": Meshes,
    "packets": packets,
    "scenes": Scenes,
    "takes": Takes,
}
