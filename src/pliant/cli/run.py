"""`pliant run SCENE`: simulate a scene file and write what happened."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.errors import MissingExtraError

from .failures import in_words
from .options import (
    Device,
    Dt,
    MeasuredBy,
    Progress,
    RestMeasure,
    SceneName,
    Seconds,
    Settings,
    changes,
    say,
)
from .parent import end_with_input

if TYPE_CHECKING:
    from pliant.io import TakeFolder
    from pliant.scenefile import Setup
    from pliant.take import Take


Targets = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        "-o",
        help="Where to write, by suffix; may be given several times.",
        show_default="SCENE.zarr",
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on where an interrupted run of this scene ended.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Begin anew, instead of the take that is there.")
]
Shown = Annotated[
    Progress,
    typer.Option(
        help="A bar; lines of JSON for other programs: doing, or frame, of, step, steps and "
        "seconds_left, then result and written; or nothing."
    ),
]
Child = Annotated[
    bool,
    typer.Option(
        "--end-with-input", hidden=True, help="Stop, as by Ctrl-C, when standard input closes."
    ),
]


def run(
    scene: SceneName,
    out: Targets = None,
    seconds: Seconds = None,
    dt: Dt = None,
    device: Device = None,
    settings: Settings = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    progress: Shown = Progress.bar,
    measure: MeasuredBy = RestMeasure.rms,
    child: Child = False,
) -> None:
    """Simulate a scene file; Ctrl-C keeps the frames so far."""
    if child:
        end_with_input()
    progress.tell(f"reading {scene.name}")
    require_one(settings, scene)
    from pliant import io, scenefile as scene_files
    from pliant.io import TakeFolder

    asked_for = changes(settings, seconds=seconds, dt=dt, device=device)
    file = scene_files.read(scene, overrides=asked_for)
    targets = out or [Path(scene.stem + ".zarr")]
    for target in targets:
        io.check_target(target)  # before hours of simulation, not after
    asked = next((t for t in targets if t.suffix.lower() == ".zarr"), None)
    # Without one, a name of its own: a take beside it, beam.zarr beside beam.html, is not touched.
    folder = asked or targets[0].with_suffix(".part.zarr")
    require_free(folder, targets[0], resume=resume, overwrite=overwrite)
    setup = file.build(progress=None if progress is Progress.bar else False, tell=progress.tell)
    said = {"scene": file.scene_text, "scene_folder": str(file.folder.resolve())}
    store = TakeFolder(folder, said, energies=any(map(io.shows_energies, targets)))
    take = simulate(setup, store, folder, progress, resume=resume)
    written = [[t] if t is asked else write(take, t, folder, progress) for t in targets]
    report(take, written, progress, measure)
    if asked is None:
        shutil.rmtree(folder)


def require_one(settings: list[str] | None, scene: Path) -> None:
    """Refuse several values of a field: that is a sweep."""
    from pliant.many import has_several

    for given in settings or []:
        if has_several(given):
            raise ValueError(
                f"--set {given[:60]}: got several values; expected one. To run all of them: "
                f"pliant sweep {scene} --set {given[:60]}"
            )


def simulate(
    setup: Setup, store: TakeFolder, folder: Path, progress: Progress, *, resume: bool
) -> Take:
    """Run a scene, or what is left of it, into a folder."""
    from pliant.io import count_frames

    progress.tell("preparing the first step")
    shown = progress.of_steps(setup.steps_per_frame)
    try:
        return setup.run_into(store, resume=resume, progress=shown)
    except KeyboardInterrupt:
        frames = count_frames(folder)
        going = f"has {frames} frames; --resume goes on" if frames else "has no frame yet"
        typer.echo(f"stopped  {folder} {going}", err=True)
        raise typer.Exit(130) from None


def write(take: Take, target: Path, folder: Path, progress: Progress) -> list[Path]:
    """Write a take by its suffix; if that fails, say how to write the frames that are kept."""
    from pliant import io

    progress.tell(f"writing {target}")
    try:
        return io.write_files(take, target)
    except (ValueError, OSError, MissingExtraError) as error:
        kept = f"the frames are kept: pliant convert {folder} {target}"
        raise ValueError(f"{in_words(error)}; {kept}") from error


def require_free(folder: Path, target: Path, *, resume: bool, overwrite: bool) -> None:
    """Refuse, or ask on a terminal, before frames of an earlier run are lost."""
    from pliant.io import count_frames

    if resume and overwrite:
        raise ValueError("run: got --resume and --overwrite; expected one of them")
    if resume and not folder.exists():
        of = f"{target}, which would be in {folder}" if folder != target else str(folder)
        raise ValueError(f"--resume: there is no interrupted run of {of}; run it without --resume")
    if resume or overwrite or not folder.is_dir():
        return
    frames = count_frames(folder)
    if not frames:
        return
    told = f"{folder} has {frames} frame{'s' * (frames > 1)} of an earlier run"
    if sys.stdin.isatty() and sys.stderr.isatty():
        if typer.confirm(f"{told}; overwrite them?", err=True):
            return
        raise typer.Exit(2)
    raise ValueError(f"{told}; expected --overwrite to begin anew, or --resume to go on")


def report(take: Take, written: list[list[Path]], progress: Progress, measure: RestMeasure) -> None:
    """What was asked, what came, and where it is; programs are told the file to open."""
    from pliant import io

    for track in take.tracks:
        if "rest_in" in track.asked and track.rests is not None and len(take) > 1:
            told = f"{track.name}: {io.rested(track, measure.value).words}"
            say(result=told) if progress is Progress.json else typer.echo(told)
    for files in written:
        if progress is Progress.json:
            say(written=str(files[0]))
        else:
            typer.echo(f"written  {io.in_words(files)}")
