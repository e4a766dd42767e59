"""Files: takes are written by suffix, and each format is one module that registers itself."""

from . import folder, npz, png
from .browser import show
from .folder import store_at
from .registry import check_suffix, known_suffixes, load, reads, save, writes

__all__ = [
    "check_suffix",
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
