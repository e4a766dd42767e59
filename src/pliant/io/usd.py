"""Takes as USD: one moving mesh per body, or curves where it is made of lines."""

import errno
from pathlib import Path

from pliant.errors import optional
from pliant.take import Take

from .atomic import atomic_write
from .registry import writes
from .surfaces import refuse_wild


@writes(".usd", energies=False)
@writes(".usda", energies=False)
@writes(".usdc", energies=False)
def _save(take: Take, path: Path) -> None:
    save_usd(take, path)


def save_usd(take: Take, path: str | Path, *, deformable: bool = False) -> Path:
    """Write one Xform with a Mesh per body: points, velocities and normals by frame, and uv if any.

    A body of lines is BasisCurves instead, a two-hundredth of its size thick. Obstacles are meshes
    without time samples. Metres; up is against gravity, y without one. One whole time code per frame
    from 0 on, and as many per second as frames. In Blender, set the scene's frame rate to the take's:
    its importer reads the range but not the rate.
    .usda is text, .usdc and .usd are binary. A take of one frame has no time samples. Each body has a
    material with the colour of films, and what was asked of it and what it is made of as properties.
    deformable: make each a body that simulators of OpenUSD's proposal 111 read, of its cells at the
    start with their rest shape, masses, matter and pins; what is drawn is then beside the cells.
    """
    path = Path(path)
    optional("pxr", "USD files", "usd", "usd-core")
    refuse_wild(take)
    from pxr import Tf

    from .usd_stage import write_stage

    with atomic_write(path) as part:
        try:
            # A function of its own: a stage that is open holds its file.
            write_stage(take, part, path.stem, deformable=deformable)
        except Tf.ErrorException as error:
            (first, *_) = [e.commentary for e in error.args]
            raise OSError(errno.EIO, f"USD cannot write it: {first}", str(path)) from None
    return path
