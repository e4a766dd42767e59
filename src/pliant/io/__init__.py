"""Files: takes are written by suffix, and each format is one module that registers itself."""

from . import film, folder, glb, html, mdd, npz, obj, pc2, png, usd, vtkhdf, vtu
from .browser import show
from .folder import store_at
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

__all__ = [
    "check_suffix",
    "check_target",
    "film",
    "folder",
    "glb",
    "html",
    "in_words",
    "known_suffixes",
    "load",
    "mdd",
    "npz",
    "obj",
    "pc2",
    "png",
    "reads",
    "save",
    "show",
    "shows_energies",
    "store_at",
    "usd",
    "vtkhdf",
    "vtu",
    "write_files",
    "writes",
]
