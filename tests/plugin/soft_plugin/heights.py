"""An exporter of another package: the mean height of the points in every frame, as text."""

from pathlib import Path

from pliant.io import writes
from pliant.take import Take


@writes(".heights")
def write(take: Take, path: Path) -> None:
    """One line for each frame."""
    heights = take.positions[:, :, 1].mean(axis=1)
    path.write_text("".join(f"{height:.9g}\n" for height in heights), encoding="utf-8")
