"""Modules that have moved are still found under their old names, with a `DeprecationWarning`.

`HOMES` is the whole list. A module of an old package is looked for by its own name in the new ones.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

#: Old name of a module or package to where its names are now.
HOMES: dict[str, tuple[str, ...]] = {
    "pliant.advice": ("pliant.errors.advice",),
    "pliant.body": ("pliant.bodies.solid.body",),
    "pliant.body_kind": ("pliant.bodies.body_kind",),
    "pliant.damping": ("pliant.control", "pliant.problem"),
    "pliant.damping.base": ("pliant.problem.damping",),
    "pliant.deformable": ("pliant.bodies.deformable",),
    "pliant.disk": ("pliant.resources.disk",),
    "pliant.frames": ("pliant.take.frames",),
    "pliant.io.scene": ("pliant.scenefile",),
    "pliant.islands": ("pliant.scene.islands",),
    "pliant.measure": ("pliant.take.measure",),
    "pliant.memory": ("pliant.resources.memory",),
    "pliant.obstacle_surfaces": ("pliant.boundary.obstacle_surfaces",),
    "pliant.obstacles": ("pliant.boundary.obstacles",),
    "pliant.pacing": ("pliant.given.pacing",),
    "pliant.paths": ("pliant.given.paths",),
    "pliant.pins": ("pliant.boundary.pins",),
    "pliant.progress": ("pliant.take.progress",),
    "pliant.pushes": ("pliant.boundary.pushes",),
    "pliant.recorder": ("pliant.take.recorder",),
    "pliant.runtime": ("pliant.backend",),
    "pliant.selection": ("pliant.given.selection",),
    "pliant.starts": ("pliant.scene.starts",),
    "pliant.stepping": ("pliant.step", "pliant.problem"),
    "pliant.stepping.implicit": ("pliant.step.implicit", "pliant.step.quasi_static"),
    "pliant.ties": ("pliant.scene.ties",),
    "pliant.together": ("pliant.scene.together",),
    "pliant.touches": ("pliant.boundary.touches",),
    "pliant.wind": ("pliant.boundary.wind",),
}


def homes_of(old: str) -> tuple[str, ...]:
    """Where the names of a module are now; nothing if it has not moved."""
    package, _, name = old.rpartition(".")
    if old in HOMES or package not in HOMES:
        return HOMES.get(old, ())
    from importlib.util import find_spec

    return tuple(f"{home}.{name}" for home in HOMES[package] if find_spec(f"{home}.{name}"))


class _OldNames:
    """Finds modules by their old names, and fills them with what is at the new ones.

    A finder and a loader without the base classes of `importlib.abc`: to import those takes longer than
    all else of `import pliant`.
    """

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """None: an empty module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A module of an old name, if it is one."""
        if not fullname.startswith("pliant.") or not homes_of(fullname):
            return None
        loader: Any = self
        return ModuleSpec(fullname, loader, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and let the module find its names at the new places."""
        homes = homes_of(module.__name__)
        warnings.warn(
            f"{module.__name__} is now {' and '.join(homes)}", DeprecationWarning, stacklevel=2
        )

        def named(name: str) -> Any:
            for home in homes:
                try:
                    return getattr(import_module(home), name)
                except AttributeError:
                    pass
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        module.__getattr__ = named  # type: ignore[method-assign]


def install() -> None:
    """Look for old names before the files of a package are looked at."""
    sys.meta_path.insert(0, _OldNames())
