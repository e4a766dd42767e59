"""Files: takes are written by suffix, and each format is one module that registers itself."""

from . import folder, npz, png
from .browser import show
from .folder import store_at
from .registry import known_suffixes, load, reads, save, writes

__all__ = [
    "folder",
    "known_suffixes",
    "load",
    "npz",
    "png",
    "reads",
    "save",
    "show",
    "store_at",
    "writes",
]
