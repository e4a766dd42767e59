"""Files: takes are written by suffix, and each format is one module that registers itself."""

from . import npz, png
from .browser import show
from .registry import known_suffixes, load, reads, save, writes

__all__ = ["known_suffixes", "load", "npz", "png", "reads", "save", "show", "writes"]
