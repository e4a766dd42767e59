"""Arrays as text in a page: whole numbers, differences between frames, deflated, base64.

Neighbouring frames are alike, so the differences are mostly zeros and small numbers; their bytes
are sorted by place value, which deflate likes.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

#: Positions are rounded to 16 bits per axis where this keeps them within this share of the size.
ROUNDING = 1e-5


def pack(array: np.ndarray) -> dict[str, Any]:
    """Frames (f, ...) of float32 or unsigned whole numbers, as JSON can hold them."""
    whole = np.ascontiguousarray(array)
    if whole.dtype.kind == "f":
        whole = whole.astype("<f4").view("<u4")
        kind = "f4"
    else:
        kind = f"u{whole.dtype.itemsize}"
        whole = whole.astype(f"<{kind}")
    frames = whole.reshape(len(whole), int(np.prod(whole.shape[1:])))
    change = np.diff(frames, axis=0, prepend=np.zeros_like(frames[:1]))  # modulo 2^bits
    planes = change.reshape(-1, 1).view(np.uint8).T
    text = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode("ascii")
    return {"kind": kind, "shape": list(array.shape), "data": text}


def pack_positions(x: np.ndarray, size: float) -> dict[str, Any]:
    """Positions (frames, m, 3) [m] of a body of a size [m].

    They are rounded to 1/65535 of the box around all frames if that moves no point by more than
    `ROUNDING` of the size; a body that travels farther is kept in float32.
    """
    low = x.min(axis=(0, 1))
    step = np.ptp(x, axis=(0, 1)) / 65535.0
    if 0.5 * float(np.linalg.norm(step)) > ROUNDING * size:
        return pack(x)
    grid = np.rint((x - low) / np.where(step > 0.0, step, 1.0)).astype("<u2")
    return pack(grid) | {"low": low.tolist(), "step": step.tolist()}


def pack_indices(indices: np.ndarray) -> dict[str, Any]:
    """Indices of any shape, each as the difference to the one before."""
    return pack(indices.reshape(-1, 1).astype("<u4")) | {"shape": list(indices.shape)}
