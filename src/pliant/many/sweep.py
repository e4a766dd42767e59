"""`pl.Sweep`: many variants of one scene, each a take, on all cores or on a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pliant.errors import described, is_whole, shown
from pliant.given import flag, path_of
from pliant.io import Lock
from pliant.scenefile import SceneError, SceneFile, read
from pliant.take import Show, Take, progress_bar

from .engine import JobEngine, Workers, workers_of
from .folder import SUFFIX, SweepFolder
from .job import Done, VariantJob, check_job, forget, home_of, run_job, unpack
from .outcome import Outcome, VariantState, write_results
from .pictures import PAGE, check_picture, draw
from .security import Security
from .variants import Variant, combined, from_table, named, paired, sampled
from .versions import require_same, told, versions

#: `results.csv` is written again after this time [s].
EVERY = 2.0
#: More variants than this are a mistake, and so are seeds beyond it.
MOST_COUNT = 2**31
#: Mistakes of variants that one message tells.
MOST_MISTAKES = 10


@dataclass(frozen=True)
class VariantResult:
    """What came of a variant. `take` reads its frames, as far as there are any."""

    variant: Variant
    outcome: Outcome
    path: Path

    @property
    def take(self) -> Take:
        """The take."""
        return Take.read(self.path)


class Sweep:
    """Many variants of a scene file: `pl.Sweep("beam.toml", {"body.settle.rest_in": [0.5, 1, 2]})`.

    scene: a scene file, or the folder of a sweep, which goes on. values: of each field, by default in
    all combinations. pairs: in step instead. table: a CSV file with a variant in each row. sample: so
    many, drawn from ranges, which are tuples (low, high), and lists, by a seed. folder: where takes go.
    """

    def __init__(
        self,
        scene: str | Path | SceneFile,
        values: Mapping[str, Sequence[Any]] | None = None,
        *,
        pairs: bool = False,
        table: str | Path | None = None,
        sample: int | None = None,
        seed: int = 0,
        folder: str | Path | None = None,
        fresh: bool = False,
    ):
        pairs, fresh = flag("Sweep", "pairs", pairs), flag("Sweep", "fresh", fresh)
        table = None if table is None else path_of("Sweep", table)
        folder = None if folder is None else path_of("Sweep", folder)
        values, seed = _accepted(values), _whole("seed", seed, 0)
        if not isinstance(scene, SceneFile) and path_of("Sweep", scene).is_dir():
            self.folder, self._file = SweepFolder.read(Path(scene)), None
            if fresh:
                self.folder.clear()
            return
        file = scene if isinstance(scene, SceneFile) else read(scene)
        rows = _rows(values, pairs=pairs, table=table, sample=sample, seed=seed)
        stem = "scene" if isinstance(scene, SceneFile) else Path(scene).stem
        path = Path(stem + SUFFIX) if folder is None else folder
        if fresh and path.is_dir() and any(path.iterdir()):
            SweepFolder.read(path).clear()  # refuses what is no sweep
        self.folder, self._file = SweepFolder.make(path, file, named(rows)), file
        _require_valid(self.folder, file)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.variants)} variants in {self.folder.path}>"

    @property
    def variants(self) -> list[Variant]:
        """The variants, in the order in which they were asked for."""
        return self.folder.variants

    @property
    def results(self) -> list[VariantResult]:
        """What came of the variants that were run."""
        found = [(v, self.folder.outcome(v)) for v in self.variants]
        return [VariantResult(v, o, self.folder.take(v)) for v, o in found if o is not None]

    def draw(self, pictures: Sequence[str | Path] = ()) -> list[Path]:
        """Write the page of all takes on one clock, and others by suffix: .html, .png, .mp4 or .gif.

        The page is left as it is if nothing was run since.
        """
        paths = [Path(p) for p in pictures]
        for path in paths:
            check_picture(path)
        results = self.results
        if not any(result.outcome.frames for result in results):
            return []
        page = self.folder.path / PAGE
        if not self._shows_all(page, results):
            draw(results, page)
        return [page, *(draw(results, path) for path in paths)]

    def _shows_all(self, page: Path, results: Sequence[VariantResult]) -> bool:
        """Whether a page was drawn after all of these."""
        files = [self.folder.outcome_file(result.variant) for result in results]
        return page.exists() and page.stat().st_mtime > max(f.stat().st_mtime for f in files)

    def run(
        self,
        client: Any = None,
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        security: Security | None = None,
        retry: bool = False,
        progress: Show = None,
    ) -> Iterator[VariantResult]:
        """Run what is left, and yield what came of each variant as it comes.

        client: of dask.distributed; without one workers are started on this machine, one per core, or
        `workers` (0: in this process, without dask). scheduler: the address of one that runs. retry:
        run again what failed.
        """
        self.folder.save(self._file)
        lock = Lock(self.folder.path)
        try:
            yield from self._run(
                client, workers, scheduler, security, retry=retry, progress=progress
            )
        finally:
            lock.release()

    def _run(
        self,
        client: Any,
        workers: int | None,
        scheduler: str | None,
        security: Security | None,
        *,
        retry: bool,
        progress: Show,
    ) -> Iterator[VariantResult]:
        table = _Table(self.folder)
        ended = (VariantState.done,) if retry else (VariantState.done, VariantState.failed)
        left: dict[str, Variant] = {}
        for variant in self.variants:
            outcome = table.outcomes.get(variant.name)
            if outcome is None or outcome.state not in ended:
                left[variant.name] = variant
                if outcome is not None and outcome.state is VariantState.failed:
                    self.folder.forget(variant)
        shown = progress_bar(len(self.variants), self.folder.path.name, progress)
        with ExitStack() as stack:
            stack.callback(table.write)
            advance = stack.enter_context(shown)
            for variant in self.variants:
                if variant.name not in left:
                    advance()
                    kept = replace(table.outcomes[variant.name], how="kept")
                    yield self._result(variant, kept)
            if not left:
                return
            jobs = {name: self._job(variant) for name, variant in left.items()}
            gpu = _on_gpu(self.folder, next(iter(left.values())))
            given = workers_of(scheduler, workers=workers, security=security, gpu=gpu)
            engine = Workers(client) if client is not None else stack.enter_context(given)
            stack.enter_context(_prepared(engine, self.folder))
            _check(engine, jobs, gpu=gpu)
            for name, done in engine.each(run_job, jobs, gpu=gpu):
                outcome = self._received(name, done)
                table.add(outcome)
                advance()
                yield self._result(left[name], outcome)
                if "no space left on device" in outcome.trouble:
                    raise OSError(
                        f"{outcome.trouble}; all frames are kept: make room, then pliant sweep "
                        f"{self.folder.path} goes on"
                    )

    def _job(self, variant: Variant) -> VariantJob:
        text = self.folder.parse(variant).scene_text
        path = str(self.folder.path.resolve())
        return VariantJob(variant.name, text, path, self.folder.token, versions())

    def _result(self, variant: Variant, outcome: Outcome) -> VariantResult:
        return VariantResult(variant, outcome, self.folder.take(variant))

    def _received(self, name: str, done: Any) -> Outcome:
        """The outcome of a variant; a take that came packed is put into its place."""
        if not isinstance(done, Done):  # its worker was lost too often, or cannot import pliant
            said = f"{type(done).__name__}: {' '.join(str(done).split())[:300]}"
            return Outcome(name, VariantState.stopped, trouble=said)
        variant = next(v for v in self.variants if v.name == name)
        if done.packed is not None:
            unpack(done.packed, self.folder.take(variant))
        if done.outcome.state is not VariantState.stopped and self.folder.outcome(variant) is None:
            done.outcome.save(self.folder.outcome_file(variant))
        return done.outcome


class _Table:
    """The rows of `results.csv`, written again now and then."""

    def __init__(self, folder: SweepFolder):
        self._folder, self._last = folder, time.monotonic()
        found = {v.name: folder.outcome(v) for v in folder.variants}
        self.outcomes = {name: outcome for name, outcome in found.items() if outcome is not None}

    def add(self, outcome: Outcome) -> None:
        """Note what came of a variant."""
        self.outcomes[outcome.name] = outcome
        if time.monotonic() - self._last > EVERY:
            self.write()

    def write(self) -> None:
        """Write `results.csv`."""
        rows = [(v, self.outcomes.get(v.name)) for v in self._folder.variants]
        write_results(self._folder.path / "results.csv", rows)
        self._last = time.monotonic()


def _rows(
    values: Mapping[str, Sequence[Any]],
    *,
    pairs: bool,
    table: str | Path | None,
    sample: int | None,
    seed: int,
) -> list[dict[str, Any]]:
    """The values of all variants; a table multiplies what is given beside it."""
    if pairs and sample is not None:
        raise ValueError("Sweep: got pairs and sample; expected one of them")
    if sample is not None and not values:
        raise ValueError(
            "Sweep: got sample and nothing to draw; expected ranges, e.g. "
            "--set body.material.young=1e4:1e6, or values={'body.material.young': (1e4, 1e6)}"
        )
    if sample is not None:
        own = sampled(values, sample, seed=seed)
    else:
        own = paired(values) if pairs else combined(values)
    rows = [{}] if table is None else from_table(table)
    return [row | more for row in rows for more in own]


def _accepted(values: Any) -> Mapping[str, Sequence[Any]]:
    """Values by field, each a list."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(field, str) for field in values):
        raise TypeError(
            f"Sweep: got values={described(values)}; expected lists of values by field, such as "
            '{"body.settle.rest_in": [0.5, 1.0]}'
        )
    for field, given in values.items():
        if isinstance(given, str) or not isinstance(given, Sequence) or not len(given):
            raise ValueError(f"Sweep: got {field}={described(given)}; expected a list of values")
    return values


def _whole(what: str, value: Any, least: int) -> int:
    if not is_whole(value) or not least <= value <= MOST_COUNT:
        raise ValueError(f"Sweep: got {what}={shown(value)}; expected a whole number from {least}")
    return int(value)


def _require_valid(folder: SweepFolder, file: SceneFile) -> None:
    """Refuse all variants if one is no scene, with what is wrong with each."""
    wrong: dict[str, list[str]] = {}
    for variant in folder.variants:
        if folder.outcome(variant) is None:
            try:
                file.override(variant.overrides)
            except SceneError as error:
                wrong.setdefault(str(error), []).append(variant.name)
    _refuse(wrong)


def _refuse(wrong: Mapping[str, Sequence[str]]) -> None:
    if not wrong:
        return
    told = [
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {said}"
        for said, names in list(wrong.items())[:MOST_MISTAKES]
    ]
    raise SceneError([f"no variant was run: {'; '.join(told)}"])


def _on_gpu(folder: SweepFolder, variant: Variant) -> bool:
    return folder.parse(variant).run.device.startswith("cuda")


def _check(engine: JobEngine, jobs: Mapping[str, VariantJob], *, gpu: bool) -> None:
    """Build all variants before the first runs, and refuse all if one cannot be built."""
    wrong: dict[str, list[str]] = {}
    for name, said in engine.each(check_job, jobs, gpu=gpu):
        if isinstance(said, Exception):
            said = f"{type(said).__name__}: {said}"
        if said:
            wrong.setdefault(said, []).append(name)
    order = list(jobs)
    _refuse({said: sorted(names, key=order.index) for said, names in wrong.items()})


def _look(folder: str, token: str) -> tuple[tuple[str, dict[str, str]], bool]:
    """What a worker says of itself: its host, its versions, and whether it sees the folder."""
    return told(), home_of(folder, token) == Path(folder)


@contextmanager
def _prepared(engine: JobEngine, folder: SweepFolder) -> Iterator[None]:
    """Refuse workers of other versions; meanwhile all have the files of the scene.

    Those that do not see the folder keep nothing of a sweep that has ended.
    """
    path = str(folder.path.resolve())
    away = False
    for address, said in engine.everywhere(_look, path, folder.token).items():
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
