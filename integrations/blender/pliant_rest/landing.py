"""When what falls first touches something: from then on its time to rest counts."""

import numpy as np

from .failure import Failure
from .scene_file import seconds_to_rest


def shortened(gathered, folder):
    """Seconds by which each body's time to rest is less, since it touched something only then.

    pliant counts the wish of what flies from its first touch; an animator names the frame at which it
    is still. So the bake is run twice: the first run tells when it lands.
    """
    found = {}
    if not gathered.touching or not gathered.gravity.any():
        return found
    with np.load(folder / "take.npz") as take:
        for i, (name, shape) in enumerate(zip(gathered.names, gathered.shapes, strict=True)):
            since = float(take[f"body{i}/changed"][-1])
            if len(shape.pinned) or since <= 0.5 * gathered.each:
                continue
            left = seconds_to_rest(shape, gathered.rate) - since
            if left < 2.0 / gathered.rate:
                frame = shape.obj.pliant.release + since * gathered.rate
                raise Failure(
                    f"{shape.obj.name} touches something at frame {frame:.0f} and cannot be at rest at "
                    f"{shape.rests}; let it rest later, or fall less far"
                )
            found[name] = since
    return found
