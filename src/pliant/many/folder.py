"""The folder of a sweep: what was asked, the files that the scene names, takes, and outcomes.

beam.sweep/sweep.toml             the scene, the variants, versions
beam.sweep/files/HASH-horse.obj   what the scene names
beam.sweep/takes/rest_in=1.zarr   a take for each variant, rest_in=1.json what came of it
beam.sweep/results.csv            a line for each variant
beam.sweep/index.html             all takes side by side
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pliant.io import atomic_write
from pliant.scenefile import NotTomlError, SceneFile, parse as parse_scene, parse_toml, value_text

from .outcome import Outcome, read_outcome
from .variants import Variant
from .versions import versions

SUFFIX = ".sweep"
FORMAT = "pliant sweep"
NAME = "sweep.toml"
#: Where takes are while a sweep that begins anew is not yet found sound.
ASIDE = ".takes-before"


class SweepFolder:
    """A sweep on disk: its scene, its variants and their takes."""

    def __init__(
        self,
        path: Path,
        scene: str,
        variants: Sequence[Variant],
        *,
        title: str,
        token: str,
        versions: Mapping[str, str],
    ):
        self.path, self.scene, self.title, self.token = path, scene, title, token
        self.variants, self.versions = list(variants), dict(versions)

    @classmethod
    def read(cls, path: Path) -> SweepFolder:
        """The sweep in a folder."""
        refusal = f"{path} is not a sweep of pliant; expected a folder that `pliant sweep` wrote"
        try:
            said = parse_toml((path / NAME).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, NotTomlError):
            raise ValueError(refusal) from None
        try:
            if said["format"] != FORMAT:
                raise KeyError
            variants = [Variant(str(v["name"]), dict(v["set"])) for v in said.get("variant", [])]
            texts = {name: str(said[name]) for name in ("scene", "title", "token")}
            made_by = {str(name): str(v) for name, v in dict(said["versions"]).items()}
        except (KeyError, TypeError, ValueError):
            raise ValueError(refusal) from None
        return cls(path, variants=variants, versions=made_by, **texts)

    @classmethod
    def make(
        cls, path: Path, file: SceneFile, variants: Sequence[Variant], *, fresh: bool = False
    ) -> SweepFolder:
        """A new sweep, or more variants of the one that is there; nothing is written yet.

        fresh: instead of the one that is there.
        """
        token = secrets.token_hex(8)
        scene = _with_files(file)
        title = file.title or path.stem
        new = cls(path, scene, variants, title=title, token=token, versions=versions())
        if not (path / NAME).exists() and not _others(path):
            return new
        there = cls.read(path)  # refuses what is no sweep
        if fresh:
            return new
        if there.scene != scene:
            raise ValueError(
                f"{path} is a sweep of another scene, or of an earlier state of this one; expected "
                "--fresh to begin anew, or another folder, e.g. -o other.sweep"
            )
        known = {v.name for v in there.variants}
        there.variants += [v for v in variants if v.name not in known]
        return there

    def save(self, file: SceneFile | None = None) -> None:
        """Write what was asked, with the files that the scene names."""
        for folder in ("takes", "files"):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        if file is not None:
            for name, target in _named_files(file).items():
                if not (self.path / target).exists():
                    with atomic_write(self.path / target) as draft:
                        shutil.copyfile(file.folder / name, draft)
        with atomic_write(self.path / NAME) as draft:
            draft.write_text(self._text(), encoding="utf-8")

    @contextmanager
    def proposed(self, file: SceneFile | None, *, fresh: bool) -> Iterator[None]:
        """Save what was asked; if the block refuses it, what was there before is there again.

        fresh: takes that are there are removed once the block has ended well.
        """
        asked, takes, aside = self.path / NAME, self.path / "takes", self.path / ASIDE
        before = asked.read_bytes() if asked.exists() else None
        shutil.rmtree(aside, ignore_errors=True)  # of a process that was killed meanwhile
        if fresh and takes.exists():
            takes.rename(aside)
        try:
            self.save(file)
            yield
        except Exception:
            if aside.exists():
                shutil.rmtree(takes, ignore_errors=True)
                aside.rename(takes)
            if before is None:
                asked.unlink(missing_ok=True)
            elif asked.read_bytes() != before:
                with atomic_write(asked) as draft:
                    draft.write_bytes(before)
            raise
        shutil.rmtree(aside, ignore_errors=True)
        if fresh:
            for name in ("results.csv", "index.html"):
                (self.path / name).unlink(missing_ok=True)

    def forget(self, variant: Variant) -> None:
        """Forget the take of one variant."""
        shutil.rmtree(self.take(variant), ignore_errors=True)
        self.outcome_file(variant).unlink(missing_ok=True)

    def parse(self, variant: Variant) -> SceneFile:
        """The scene of a variant."""
        return parse_scene(
            self.scene, folder=self.path, name=self.path.name, overrides=variant.overrides
        )

    def take(self, variant: Variant) -> Path:
        """Where the take of a variant is."""
        return self.path / "takes" / f"{variant.name}.zarr"

    def outcome_file(self, variant: Variant) -> Path:
        """Where it is told what came of a variant."""
        return self.path / "takes" / f"{variant.name}.json"

    def outcome(self, variant: Variant) -> Outcome | None:
        """What came of a variant, if it was run."""
        return read_outcome(self.outcome_file(variant))

    @property
    def fields(self) -> list[str]:
        """The fields that variants change."""
        return list(dict.fromkeys(field for v in self.variants for field in v.values))

    def _text(self) -> str:
        head: Mapping[str, Any] = {"format": FORMAT, "version": 1, "token": self.token}
        lines = [f"{k} = {value_text(v)}" for k, v in {**head, "title": self.title}.items()]
        lines += [f"versions = {value_text(self.versions)}", f"scene = {_block(self.scene)}"]
        for variant in self.variants:
            lines += ["", "[[variant]]", f"name = {value_text(variant.name)}"]
            lines += [f"set = {value_text(variant.values)}"]
        return "\n".join(lines) + "\n"


def _others(path: Path) -> bool:
    """Whether there is something in a folder that no sweep has begun to write."""
    own = {"takes", "files"}
    return path.is_dir() and any(
        p.name not in own and not p.name.startswith(".") for p in path.iterdir()
    )


def _block(text: str) -> str:
    """A text of several lines as TOML, as it stands if that can be."""
    plain = f"'''\n{text}'''"
    try:
        same = parse_toml(f"text = {plain}")["text"] == text
    except NotTomlError:
        same = False
    return plain if same else value_text(text)


def _named_files(file: SceneFile) -> dict[str, str]:
    """The files that a scene names, and where they are in the folder of a sweep: by their content."""
    found = {}
    for name in file.files().values():
        path = file.folder / name
        if path.is_file():  # what is missing is told when the scene is built
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
            found[name] = f"files/{digest}-{path.name}"
    return found


def _with_files(file: SceneFile) -> str:
    """The text of a scene whose files are in the folder of a sweep."""
    targets, source = _named_files(file), file.source
    for path, name in file.files().items():
        if name in targets:
            source = source.put(path, targets[name])
    return source.text
