"""Bodies in their modes: what is refused, scene files, takes, and that they are bodies like others."""

from importlib import import_module

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.reduced.modes import RestStiffness, find_modes
from pliant.take import Take

MESH = pl.meshes.box((4, 1, 1), (6, 2, 2))
GRAVITY = (0.0, -9.81, 0.0)
ROOT = MESH.points[:, 0] < 1e-9


def body(**more):
    made = pl.Body(MESH, pl.StableNeoHookean(young=1e8, poisson=0.3), **more)
    made.fix(ROOT)
    return made


def quick(modes=12, **more):
    return pl.Modal(body(), modes=modes, **more)


def run(bodies, *, contact=None, **how):
    scene = pl.Scene(bodies, gravity=GRAVITY, contact=contact)
    return scene.run(**{"seconds": 0.1, "progress": False} | how)


# --- what it takes from a body --------------------------------------------------------------


def test_it_takes_over_pins_loads_start_motion_skin_damping_and_name():
    full = body(name="beam", damping=pl.Settle(0.5))
    full.wear(pl.Surface.of(MESH.points, MESH.boundary["tri3"]))
    full.push(force=(0, 10, 0), on=[30])
    full.place(MESH.points + 1e-3 * MESH.points[:, :1] ** 2 * [0, 1, 0])
    full.velocity = np.where(full.pinned[:, None], 0.0, [0.0, 0.1, 0.0])
    made = pl.Modal(full, modes=5)
    assert made.name == "beam" and made.damping is full.damping and made.skin is full.skin
    assert np.array_equal(made.pinned, full.pinned) and made.loads == full.loads
    assert np.array_equal(made.positions, full.positions)
    assert np.array_equal(made.velocity, full.velocity)
    made.unpush()
    assert full.loads  # the other stays as it is


def test_it_repeats_itself_from_a_reset_and_goes_on_from_where_it_is():
    made = quick(damping=pl.Settle(0.5, 2))
    whole = run(made, seconds=0.4).positions[-1]
    made.reset()
    scene = pl.Scene(made, gravity=GRAVITY)
    scene.run(seconds=0.2, progress=False)
    for _ in range(12):
        scene.step(1 / 60)
    np.testing.assert_allclose(made.positions, whole, atol=1e-15)


def test_positions_may_be_read_while_it_runs():
    made, seen = quick(), []
    run(made, progress=lambda done, of: seen.append(made.positions))
    assert len(seen) == 6 and np.ptp([x[-1, 1] for x in seen]) > 0.0


def test_what_a_start_has_beyond_the_modes_is_told():
    made = quick(modes=1)
    x = MESH.points
    made.place(x + 0.05 * np.cos(1.5 * np.pi * x[:, :1]) * [0.0, 1.0, 0.0] * ~ROOT[:, None])
    with pytest.warns(
        RuntimeWarning, match=r"body: \d+ % of the start shape is not in its modes.*modes=2"
    ):
        run(made)


def test_what_is_not_small_is_told():
    soft = pl.Body(MESH, pl.StableNeoHookean(young=2e6, poisson=0.3))
    soft.fix(ROOT)
    with pytest.warns(RuntimeWarning, match=r"ended \d+ % of its size from its mesh.*full body"):
        run(pl.Modal(soft, modes=5, damping=pl.Settle(0.1)), seconds=0.2)


def test_pressure_turns_with_what_is_free_and_forces_do_not():
    free = pl.Body(MESH, pl.Linear(young=1e7, poisson=0.3))
    free.push(pressure=1e5)
    made = pl.Modal(free, modes=40, damping=pl.Settle(0.2))
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    lying = run(made, seconds=1.0).positions[-1]
    made.place(MESH.points @ turn.T)
    made.velocity = (0, 0, 0)
    standing = run(made, seconds=1.0).positions[-1]
    lying, standing = (x - x.mean(axis=0) for x in (lying, standing))
    # It is squeezed, and falls as it is: standing it is what it was lying, turned.
    np.testing.assert_allclose(standing, lying @ turn.T, atol=1e-9)
    # p (1 - 2 nu)/E of each length
    assert np.ptp(lying[:, 0]) == pytest.approx(4.0 * (1.0 - 1e5 * 0.4 / 1e7), rel=1e-6)


@pytest.mark.parametrize("make", [pl.Modal, pl.Subspace])
def test_what_is_placed_elsewhere_rests_and_reports_as_at_home(make):
    """A quarter turn, with its gravity and its pressure: on a subspace a force instead."""
    turn, shift = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]), np.array([3.0, 0.5, 0.0])
    found = []
    for R, t in ((np.eye(3), np.zeros(3)), (turn, shift)):
        full = body()
        if make is pl.Modal:
            full.push(pressure=1e4, on=MESH.points[:, 1] > 0.99)
        else:
            full.push(force=R @ [0.0, 0.0, 50.0], on=MESH.points[:, 1] > 0.99)
        made = make(full, modes=5)
        made.place(MESH.points @ R.T + t)
        report = made.report(R @ GRAVITY)
        found.append(((made.rest_shape(R @ GRAVITY) - t) @ R, [report.sag, report.left_out]))
    for here, there in zip(*found, strict=True):
        np.testing.assert_allclose(there, here, rtol=1e-6, atol=1e-9)


# --- what is refused ------------------------------------------------------------------------


def torn(motion, make=quick):
    """The end is driven against the root."""
    made, end = make(), MESH.points[:, 0] > 3.99
    made.move(end, lambda t: motion(MESH.points[end], t))
    return run(made)


def turned(x, t):
    c, s = np.cos(5.0 * t), np.sin(5.0 * t)
    return x @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]])


def hinged():
    made = body()
    made.release()
    made.fix(MESH.points[:, :2].sum(axis=1) < 1e-9)
    return run(pl.Modal(made, modes=5))


def bent_root():
    made = quick()
    made.place(MESH.points * np.where(ROOT[:, None], 1.3, 1.0))
    return run(made)


def fixed_all_over():
    made = body()
    made.fix(~made.pinned)
    return made


def windy():
    made = body()
    made.push(wind=(1, 0, 0))
    return pl.Modal(made)


REFUSED = {
    "no body": (lambda: pl.Modal(MESH), "Modal: got body of type Mesh; expected pl.Body"),
    "no modes": (lambda: quick(0), "Modal: got modes=0; expected a whole number, modes >= 1"),
    "too many modes": (
        lambda: quick(10_000),
        r"body: got modes=10000; it has 162 ways to deform: expected pl.Modal\(body, modes=162\)",
    ),
    "nothing free": (
        lambda: pl.Modal(fixed_all_over()),
        r"body: pins hold all of its points; expected some that are free.*body.fix\(",
    ),
    "pins that stretch": (
        lambda: torn(lambda x, t: x * (1.0 + t)),
        "a group of its pins is driven in a way that is not rigid.*Use the full body",
    ),
    "pins that turn far": (lambda: torn(turned), "or turns far against the others"),
    "pins that bend, of a subspace": (
        lambda: torn(lambda x, t: x + 5.0 * t * x**2, lambda: pl.Subspace(body(), modes=4, size=9)),
        "a group of its pins is driven in a way that is not rigid.*Use the full body",
    ),
    "a hinge": (hinged, "body: it can move rigidly in some ways.*Hold more points with body.fix"),
    "bent pins": (bent_root, "body: its pins are not where a rigid motion would take them"),
    "wind": (windy, "got wind, which answers to velocity; expected force="),
    "a stepper": (
        lambda: run(quick(), stepper=pl.BDF2()),
        "body: got the stepper BDF2.*expected no stepper, or the full body",
    ),
    "a damping": (
        lambda: run(quick(damping=pl.PointDamping(0.1))),
        r"body: got the damping pl.PointDamping; expected pl.Settle.*body.damping = pl.Settle\(",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_what_to_do_instead(what):
    call, said = REFUSED[what]
    with pytest.raises((TypeError, ValueError), match=said):
        call()


def test_what_is_refused_has_moved_nothing():
    made = quick(damping=pl.PointDamping(0.1))
    with pytest.raises(ValueError, match="expected pl.Settle"):
        run(made)
    assert np.array_equal(made.positions, MESH.points)
    made.damping = pl.Settle(0.05)
    assert run(made).rest_time() == pytest.approx(0.05, rel=0.01)


def test_mechanisms_are_refused():
    """Of bars that nothing braces."""
    square = pl.Mesh([[0, 0], [1, 0], [1, 1], [0, 1.0]], {"line": [[0, 1], [1, 2], [2, 3], [3, 0]]})
    bars = pl.Body(square, pl.Linear(young=1e6, poisson=0.3), section=1e-3)
    bars.fix([0, 1])
    with pytest.raises(pl.UnstableError, match="move without resistance.*Use the full body"):
        run(pl.Modal(bars, modes=2), seconds=0.1)


def test_beside_others_it_steps_as_alone():
    alone = run(quick(), seconds=0.2)
    made = quick(name="a")
    both = run([made, body(name="b")], contact=False, seconds=0.2)
    np.testing.assert_array_equal(both[made].positions, alone.positions)


def test_the_equilibrium_of_a_scene():
    made = quick()
    found = pl.Scene(made, gravity=GRAVITY).equilibrium().positions[0]
    np.testing.assert_allclose(found, made.rest_shape(GRAVITY), atol=1e-15)
    free = pl.Modal(pl.Body(MESH, pl.Linear(young=1e7, poisson=0.3)), modes=5)
    with pytest.raises(pl.UnstableError, match="not supported"):
        pl.Scene(free, gravity=GRAVITY).equilibrium()


# --- takes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["npz", "zarr"])
@pytest.mark.parametrize("held", [True, False, "driven"])
def test_takes_keep_modes_once_and_give_the_same_bits(tmp_path, suffix, held):
    made = quick(40) if held else pl.Modal(pl.Body(MESH, body().material), modes=40)
    if held == "driven":
        end = MESH.points[:, 0] > 3.99
        made.move(end, lambda t: MESH.points[end] + [0.0, 0.2 * np.sin(t), 0.0])
    made.velocity = np.where(made.pinned[:, None], 0.0, np.cross([1.0, 2.0, 3.0], MESH.points))
    take = run(made, seconds=1.0)
    path = tmp_path / f"a.{suffix}"
    take.save(path)
    read = Take.read(path)
    full = 2 * take.positions.nbytes
    size = path.stat().st_size if suffix == "npz" else 0
    assert size < 0.7 * full
    again = tmp_path / "b.zarr"
    read.save(again)  # not yet expanded
    assert not (again / "body0" / "positions").exists()
    for other in (read, Take.read(again)):
        for name in ("positions", "velocities", "energies"):
            np.testing.assert_array_equal(getattr(other, name), getattr(take, name))
    assert np.ptp(take.positions[:, -10], axis=0).max() > 0.0


#: All but those that hold a take. Films and pictures are drawn from the same frames.
EXPORTS = (".glb", ".mdd", ".obj", ".pc2", ".png", ".usdc", ".vtkhdf", ".vtu")


def long_elements():
    made = pl.LongElements(MESH, spacing=0.5, young=1e6)
    made.fix(made.mesh.points[:, 0] < 1e-9)
    return made


def boundary_elements():
    made = pl.BoundaryElements(MESH, young=1e8)
    made.fix(made.mesh.points[:, 0] < 1e-9)
    return made


@pytest.mark.parametrize(
    "make",
    [quick, lambda: pl.Subspace(body(), modes=4, size=9), long_elements, boundary_elements],
    ids=["modal", "subspace", "long elements", "boundary elements"],
)
def test_exports_of_coordinates_are_those_of_positions(tmp_path, make):
    pytest.importorskip("pxr.Usd")
    take = run([make()], dt=1 / 30)
    for name in ("few", "all"):
        folder = tmp_path / name
        folder.mkdir()
        for suffix in EXPORTS:
            take.save(folder / f"a{suffix}")
        take.tracks[0].load()
    few, every = (sorted((tmp_path / name).iterdir()) for name in ("few", "all"))
    assert len(few) >= len(EXPORTS) and [p.name for p in few] == [p.name for p in every]
    for one, other in zip(few, every, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_a_folder_grows_with_a_run_and_what_is_damaged_is_refused(tmp_path):
    path = tmp_path / "a.zarr"
    take = run(quick(), into=path)
    own = path / "body0" / "reduced"
    assert {p.name for p in own.iterdir()} >= {"columns", "coordinates", "eigenvalues"}
    assert take.positions.shape == (7, *MESH.points.shape)
    (own / "coordinates" / "3.0").write_bytes(b"")
    with pytest.raises(ValueError, match="coordinates"):
        Take.read(path)
    run(quick(), into=path)
    (own / "columns" / ".zarray").unlink()
    with pytest.raises(ValueError, match="coordinates of other columns"):
        Take.read(path)


def test_energies_are_those_of_the_modes():
    take = run(quick(40), seconds=0.5)
    each = take.energies
    sum_of_all = each["kinetic"] + each["elastic"] + each["external"]
    np.testing.assert_allclose(each["total"], sum_of_all)
    assert np.ptp(each["total"]) < 1e-11 * each["elastic"].max()


# --- scene files ----------------------------------------------------------------------------

TEXT = """
[run]
seconds = 0.1
gravity = [0, -9.81, 0]

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [6, 2, 2] } }
material = { young = 1e8, poisson = 0.3 }
fix = "x < 0.01"
start = { velocity = [0, 0.1, 0] }
push = [{ force = [0, 10, 0], on = "x > 3.9" }]
settle = { rest_in = 0.5 }
"""


def test_a_scene_file_makes_one():
    setup = scene.parse(TEXT + "reduce = { modes = 7 }").build()
    (made,) = setup.scene.bodies
    assert isinstance(made, pl.Modal) and made.modes == 7 and made.name == "beam"
    assert made.pinned.sum() == 9 and len(made.loads) == 1 and made.velocity.any()
    assert repr(made.damping) == repr(pl.Settle(0.5))
    default = scene.parse(TEXT + "reduce = {}").build().scene.bodies[0]
    assert type(default) is pl.Modal and default.modes == 60


def test_a_scene_file_makes_one_for_large_deformation():
    (made,) = scene.parse(TEXT + "reduce = { modes = 5, size = 9 }").build().scene.bodies
    assert isinstance(made, pl.Subspace) and (made.modes, made.size) == (5, 9)
    (made,) = scene.parse(TEXT + "reduce = { cells = 50 }").build().scene.bodies
    assert (made.modes, made.size) == (8, 24) and len(made.cells_taken) <= 50


@pytest.mark.parametrize(
    "text, said",
    [
        ("reduce = { modes = 0 }", "body.beam.reduce.modes: got 0; expected a whole number"),
        ("reduce = { modes = 999 }", "expected modes = 162 or fewer in reduce"),
        ("reduce = { mode = 9 }", "body.beam.reduce.mode: is not a field here; did you mean"),
        ("reduce = 9", "body.beam.reduce: got 9; expected a table"),
    ],
)
def test_mistakes_in_scene_files(text, said):
    with pytest.raises(scene.SceneError, match=said):
        scene.parse(TEXT + text).build()


def test_it_stands_beside_a_material_only():
    matter = "springs = { stiffness = 9.0, mass = 1.0 }"
    nets = TEXT.replace("material = { young = 1e8, poisson = 0.3 }", matter)
    with pytest.raises(scene.SceneError, match="body.beam.reduce: is that of a solid"):
        scene.parse(nets + "reduce = {}")


# --- its basis ------------------------------------------------------------------------------


def test_a_basis_is_kept_on_disk_found_again_and_made_again_if_torn(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path))
    monkeypatch.setattr("pliant.reduced.kept.LEAST", 100)
    first = quick().frequencies
    assert len(list(tmp_path.iterdir())) == 2  # modes, and static answers
    with monkeypatch.context() as patch:
        patch.setattr(RestStiffness, "solver", None)  # there is no factor
        np.testing.assert_array_equal(quick().frequencies, first)
    with monkeypatch.context() as patch:
        patch.setattr("pliant.reduced.kept.find_modes", None)  # another load needs no other modes
        pushed = quick()
        pushed.push(force=(0, 1, 0), on=[30])
        np.testing.assert_array_equal(pushed.frequencies, first)
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:200])
    np.testing.assert_array_equal(quick().frequencies, first)
    assert "cannot be used and is made again" in caplog.text
    assert quick(5).frequencies == pytest.approx(first[:5], rel=1e-9)


def test_few_cells_are_kept_as_well(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path))
    monkeypatch.setattr("pliant.reduced.kept.LEAST", 100)
    first = pl.Subspace(body(), modes=4, size=9)
    report = first.report(GRAVITY)
    with monkeypatch.context() as patch:
        patch.setattr("pliant.reduced.training.find_cubature", None)  # it is not asked
        again = pl.Subspace(body(), modes=4, size=9)
        assert again.report(GRAVITY) == report
        np.testing.assert_array_equal(again.cells_taken, first.cells_taken)
    other = pl.Body(MESH, pl.Corotated(young=1e8, poisson=0.3))
    other.fix(ROOT)
    count = len(list(tmp_path.iterdir()))
    pl.Subspace(other, modes=4, size=9).system()
    assert len(list(tmp_path.iterdir())) > count  # another material of the same stiffness at rest


def test_more_modes_than_memory_has_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(import_module("pliant.resources.memory"), "memory", lambda: 1e5)
    with pytest.raises(ValueError, match=r"body: finding 150 modes of 162 unknowns .*modes=15"):
        quick(150).system()


def test_modes_are_orthonormal_and_have_one_sign():
    system = body().system()
    masses = np.repeat(system.masses[system.free], 3)
    x = MESH.points
    of = RestStiffness(system.stiffness(x), masses, x[system.free], np.zeros((len(masses), 0)))
    for count in (10, 120):  # by Lanczos, and all at once
        values, modes = find_modes(of, count, of.solver())
        np.testing.assert_allclose(modes.T @ (masses[:, None] * modes), np.eye(count), atol=1e-12)
        left = of.matrix @ modes - masses[:, None] * modes * values
        assert np.abs(left).max() < 1e-8 * np.abs(of.matrix @ modes).max()
        assert (modes[np.abs(modes).argmax(axis=0), np.arange(count)] > 0.0).all()
