"""Files: takes are written by suffix, and each format is one module that registers itself."""

from . import npz, png
from .browser import show
from .npz import SavedBody, SavedTake, load_npz
from .registry import known_suffixes, save, writes

__all__ = [
    "SavedBody",
    "SavedTake",
    "known_suffixes",
    "load_npz",
    "npz",
    "png",
    "save",
    "show",
    "writes",
]
