"""What there is of each sort: materials, dampings, steppers, bodies, obstacles.

Another package adds a material or a damping by an entry point, whose name is that of the class:

    [project.entry-points."pliant.materials"]
    Yeoh = "my_package.yeoh:Yeoh"

Entry points are looked up where a name is not ours, and where all are listed. `import pliant` does not.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pliant.declared import parameters_of

log = logging.getLogger("pliant")


class BrokenPluginError(ValueError):
    """What another package adds cannot be used; the message is one line that says why."""


@dataclass(frozen=True)
class Sort:
    """A sort of classes: those that `home` exports and that inherit from `base`.

    group: the entry points of other packages, if these may add some. what: one of them, in messages.
    """

    what: str
    home: str
    base: str
    group: str = ""

    @property
    def _base(self) -> type[Any]:
        module, _, name = self.base.rpartition(".")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]

    def own(self) -> dict[str, type[Any]]:
        """Ours, by their names in scene files."""
        return {_word(c): c for c in self.classes()}

    def classes(self) -> tuple[type[Any], ...]:
        """Ours, in the order of the export list."""
        return _exported(self)

    def find(self, name: str) -> type[Any] | None:
        """The class of a name, or None. Raises if the plugin of that name is broken."""
        own = self.own().get(name)
        if own is not None:
            return own
        given = next((e for e in plugins(self.group) if e.name == name), None)
        return None if given is None else self._load(given)

    def every(self) -> dict[str, type[Any]]:
        """Ours and those of other packages. A broken one is logged and left out."""
        return self.own() | {name: c for name, c in self._others() if name not in self.own()}

    def _others(self) -> Iterator[tuple[str, type[Any]]]:
        for point in plugins(self.group):
            try:
                yield point.name, self._load(point)
            except BrokenPluginError as error:
                log.warning("%s", error)

    def _load(self, point: EntryPoint) -> type[Any]:
        what = f"the {self.what} {point.name!r}"
        loaded = load(point, what)
        if not _is_one(loaded, self._base):
            raise broken(point, what, f"it is no {self.base}")
        try:
            parameters_of(loaded)
        except Exception as error:  # annotations that name what is not there
            raise broken(point, what, _said(error)) from error
        return loaded  # type: ignore[no-any-return]


MATERIALS = Sort("material", "pliant.materials", "pliant.materials.Material", "pliant.materials")
DAMPINGS = Sort("damping", "pliant.control", "pliant.control.Damping", "pliant.dampings")
STEPPERS = Sort("stepper", "pliant.step", "pliant.declared.Declared")
BODIES = Sort("body", "pliant.bodies", "pliant.bodies.Deformable")
OBSTACLES = Sort("obstacle", "pliant.boundary.obstacles", "pliant.boundary.Obstacle")


@cache
def _exported(sort: Sort) -> tuple[type[Any], ...]:
    """The classes that the home of a sort exports; `HOMES` lists what it has not imported yet."""
    home, base = import_module(sort.home), sort._base
    lists = (getattr(home, name, None) for name in ("HOMES", "__all__"))
    names = next((names for names in lists if names), dir(home))
    return tuple(c for c in (getattr(home, name) for name in names) if _is_one(c, base))


@cache
def plugins(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, by name."""
    return tuple(sorted(entry_points(group=group), key=lambda point: point.name))


def load(point: EntryPoint, what: str) -> Any:
    """The object that an entry point names. An error of its package becomes a message of one line."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        raise broken(point, what, _said(error)) from error


def broken(point: EntryPoint, what: str, why: str) -> BrokenPluginError:
    """The error about an entry point that cannot be used."""
    package = f"the package {point.dist.name} {point.dist.version}" if point.dist else "a package"
    return BrokenPluginError(
        f"{what} of {package} cannot be used: {why} (entry point {point.value!r} in {point.group!r})"
    )


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _word(cls: type[Any]) -> str:
    return cls.__dict__.get("word") or cls.__name__


def _is_one(cls: Any, base: type[Any]) -> bool:
    """Whether it is a class of the sort that can be made."""
    if not (isinstance(cls, type) and issubclass(cls, base) and cls is not base):
        return False
    return not any(
        getattr(getattr(cls, name, None), "__isabstractmethod__", False) for name in dir(cls)
    )
