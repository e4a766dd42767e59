"""Files: takes are written by suffix, and each format is one module that registers itself.

A format is a function with `@writes(".suffix")` or `@reads`. It reads a take frame by frame, and
what it writes appears whole or not at all (`atomic`). A folder is a take that can be continued
(`folder`, `checkpoint`). Pictures and films are formats too. Scene files are in `scenefile`.
"""

from . import film, folder, glb, html, mdd, npz, obj, pc2, png, usd, vtkhdf, vtu
from .browser import show
from .camera import Camera
from .drawing import INK, QUIET, draw_bodies, draw_outline, frame_picture
from .film import save_film
from .folder import TakeFolder, store_at
from .folder_reader import count_frames
from .html import save_html
from .png import quiet_axes
from .registry import (
    check_suffix,
    check_target,
    in_words,
    known_suffixes,
    load,
    reads,
    save,
    shows_energies,
    write_files,
    writes,
)
from .shown import Rested, outcome, rested, when_at_rest
from .shown_obstacles import ShownObstacle, floor_of, obstacles_near

__all__ = [
    "INK",
    "QUIET",
    "Camera",
    "Rested",
    "ShownObstacle",
    "TakeFolder",
    "check_suffix",
    "check_target",
    "count_frames",
    "draw_bodies",
    "draw_outline",
    "film",
    "floor_of",
    "folder",
    "frame_picture",
    "glb",
    "html",
    "in_words",
    "known_suffixes",
    "load",
    "mdd",
    "npz",
    "obj",
    "obstacles_near",
    "outcome",
    "pc2",
    "png",
    "quiet_axes",
    "reads",
    "rested",
    "save",
    "save_film",
    "save_html",
    "show",
    "shows_energies",
    "store_at",
    "usd",
    "vtkhdf",
    "vtu",
    "when_at_rest",
    "write_files",
    "writes",
]
