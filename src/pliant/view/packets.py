"""What a page may say to the stage: where it looks from, what a control was set to, where it drags.

Imported only when viser is there, which brings msgspec.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import viser.infra

#: Bytes of the largest packet; those of the page have some hundreds.
MOST_CHARACTERS = 1 << 16

Vector = tuple[float, float, float]
Pixel = tuple[float, float]


class CameraPacket(msgspec.Struct, tag="ViewerCameraMessage"):
    """The page's camera."""

    wxyz: tuple[float, float, float, float]
    position: Vector
    look_at: Vector
    up_direction: Vector
    fov: float
    near: float
    far: float
    image_height: float
    image_width: float


class Setting(msgspec.Struct, forbid_unknown_fields=True):
    """The only property of a control that a page may change."""

    value: bool | float | str


class Control(msgspec.Struct, tag="GuiUpdateMessage"):
    """A slider, checkbox or button that was used."""

    uuid: str
    updates: Setting


class Drag(msgspec.Struct, tag="SceneNodeDragMessage"):
    """The pointer on a body."""

    phase: Literal["start", "update", "end"]
    name: str
    instance_index: int | None
    start_position: Vector
    end_position: Vector
    start_screen_pos: Pixel
    end_screen_pos: Pixel
    button: Literal["left", "middle", "right"]
    modifier: str | None


_decoder = msgspec.msgpack.Decoder(CameraPacket | Control | Drag)


def fault(packet: str | bytes) -> str | None:
    """The reason to refuse a packet; None if viser can take it."""
    if not isinstance(packet, bytes):
        return "text where binary data was expected"
    try:
        _decoder.decode(packet)
        viser.infra.Message.deserialize(packet)
    except Exception as error:  # whatever is in it, it must not end more than its connection
        return f"{type(error).__name__}: {error}"
    return None
