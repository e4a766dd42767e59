"""What is checked before the first variant runs: all scenes, and all workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pliant.scenefile import SceneError, SceneFile

from .engine import JobEngine
from .folder import SweepFolder
from .job import VariantJob, check_job
from .places import forget, home_of
from .variants import Variant
from .versions import require_same, told

#: Mistakes of variants that one message tells.
MOST_MISTAKES = 10


def require_valid(folder: SweepFolder, file: SceneFile, *, every: bool = False) -> None:
    """Refuse all variants if one is no scene, with what is wrong with each.

    every: also those that were run already.
    """
    wrong: dict[str, list[str]] = {}
    for variant in folder.variants:
        if every or folder.outcome(variant) is None:
            try:
                file.override(variant.overrides)
            except SceneError as error:
                wrong.setdefault(str(error), []).append(variant.name)
    refuse(wrong)


def refuse(wrong: Mapping[str, Sequence[str]]) -> None:
    """Refuse all variants, with names of those that are wrong by what is said of them."""
    if not wrong:
        return
    told = [
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {said}"
        for said, names in list(wrong.items())[:MOST_MISTAKES]
    ]
    raise SceneError([f"no variant was run: {'; '.join(told)}"])


def on_gpu(folder: SweepFolder, variant: Variant) -> bool:
    """Whether a variant runs on a GPU."""
    return folder.parse(variant).run.device.startswith("cuda")


def check(engine: JobEngine, jobs: Mapping[str, VariantJob], *, gpu: bool) -> None:
    """Build all variants before the first runs, and refuse all if one cannot be built."""
    wrong: dict[str, list[str]] = {}
    for name, said in engine.each(check_job, jobs, gpu=gpu):
        if isinstance(said, Exception):
            said = f"{type(said).__name__}: {said}"
        if said:
            wrong.setdefault(said, []).append(name)
    order = list(jobs)
    refuse({said: sorted(names, key=order.index) for said, names in wrong.items()})


def look(folder: str, token: str) -> tuple[tuple[str, dict[str, str]], bool]:
    """What a worker says of itself: its host, its versions, and whether it sees the folder."""
    return told(), home_of(folder, token) == Path(folder)


@contextmanager
def prepared(engine: JobEngine, folder: SweepFolder) -> Iterator[None]:
    """Refuse workers of other versions; meanwhile all have the files of the scene.

    Those that do not see the folder keep nothing of a sweep that has ended.
    """
    path = str(folder.path.resolve())
    away = False
    for address, said in engine.everywhere(look, path, folder.token).items():
        if isinstance(said, OSError):  # it is lost meanwhile
            continue
        own, sees = (said, True) if isinstance(said, Exception) else said
        require_same(address, own)
        away = away or not sees
    if not away:
        yield
        return
    from .files import SentFiles, contents

    files = SentFiles(path, folder.token, contents(folder.path))
    with engine.keep_ready(f"pliant-files-{folder.token}", files):
        yield
    with suppress(ConnectionError):  # no worker is left
        engine.everywhere(forget, path, folder.token)
