"""To settle from here: bodies that go on from a frame of a cache."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from tests.unit.every_body import BOX, chain, in_space

FPS = 24.0


def code(arguments):
    """What the command line exits with."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code


def some(kinds, steps, fast):
    """Cases of each kind with each time step; all but a few are slow."""
    return [
        pytest.param(
            kind, dt, id=f"{kind}-{dt:.3g}", marks=() if (kind, dt) in fast else pytest.mark.slow
        )
        for kind in kinds
        for dt in steps
    ]


def held(body, where):
    body.fix(where)
    return body


def _at_root(mesh):
    return mesh.points[:, 0] < 1e-9


SHEET = in_space(pl.meshes.rectangle((1, 1), (5, 5)))
GRID = pl.meshes.rectangle((1, 0.4), (5, 2))
MAKE = {
    "solid": lambda: held(pl.Body(BOX, pl.StableNeoHookean(young=1e5, poisson=0.4)), _at_root(BOX)),
    "cloth": lambda: held(
        pl.Cloth(SHEET, stretch=200.0, shear=50.0, bend=1e-3, density=0.2), _at_root(SHEET)
    ),
    "shell": lambda: held(pl.Shell(SHEET, young=1e6, thickness=0.01), SHEET.points[:, 0] < 0.25),
    "rod": lambda: held(pl.Rod(chain(3).points, young=1e7, radius=0.02), [0, 1, 2]),
    "springs": lambda: held(pl.Springs(BOX, stiffness=100.0, mass=0.01), _at_root(BOX)),
}


def push_off(body):
    x = body.positions
    body.place(x + 0.05 * (x[:, :1] ** 2) * [0, 1, 0])
    body.velocity = x[:, :1] * [0, 1.0, 0]
    return body


def moving(kind, dt=1 / FPS):
    """A take of a body that swings for 20 frames."""
    body = push_off(MAKE[kind]())
    body.damping = pl.Settle(rest_in=2.0, bounces=2)
    return pl.Scene(body, contact=False).run(seconds=20 * dt, dt=dt, progress=False)


@pytest.mark.parametrize(
    "kind, dt", some(MAKE, (1 / 60, 1 / 24, 1 / 12), [("solid", 1 / 24), ("rod", 1 / 24)])
)
def test_a_body_goes_on_where_it_was_and_rests(kind, dt, tmp_path):
    before = moving(kind)
    suffix = ".mdd"
    before.save(tmp_path / f"shot{suffix}")
    cache = pl.Cache.read(tmp_path / f"shot{suffix}")
    body = MAKE[kind]()
    if kind == "rod":  # a cache of its curve
        nodes = body.along(before.positions)
        cache = pl.Cache(cache.frames, cache.times, nodes, None)
    cache.start(body, frame=12)
    there, speed = before.positions[12], before.velocities[12]
    size = np.linalg.norm(np.ptp(BOX.points, axis=0))
    assert np.abs(body.positions - there).max() < 2e-3 * size  # inside of a solid: harmonic
    assert np.abs(body.velocity - speed).max() < 0.2 * np.abs(speed).max()  # of backward Euler
    body.damping = pl.Settle(rest_in=1.0, bounces=0)
    take = pl.Scene(body, contact=False).run(seconds=1.0, dt=dt, progress=False)
    off = np.abs(take.positions - body.rest_shape()).max(axis=(1, 2))
    assert off[-1] < 0.0125 * off.max()  # 1 % is what Settle calls rest, in the norm of masses


def test_velocities_are_differences_of_second_order():
    times = np.arange(4) / 24
    x = (1.0 + 2.0 * times - 3.0 * times**2)[:, None, None] * np.ones((4, len(BOX), 3))
    cache = pl.Cache(np.arange(4.0), times, x, None)
    body = MAKE["springs"]()
    cache.start(body, frame=3)
    free = ~body.pinned
    assert np.allclose(body.velocity[free], 2.0 - 6.0 * times[3], atol=1e-12)


@pytest.fixture(scope="module")
def flag(tmp_path_factory):
    """A cached sheet that swings."""
    folder = tmp_path_factory.mktemp("flag")
    moving("shell").save(folder / "flag.usdc")
    return folder / "flag.usdc"


def test_usd_keeps_its_frames_before_and_its_frame_numbers(flag, tmp_path):
    cache = pl.Cache.read(flag)
    assert cache.frames[-1] == 20 and cache.times[-1] == pytest.approx(20 / FPS)
    body = pl.Shell(cache.mesh(), young=1e6, thickness=0.01)
    body.fix(cache.still())
    assert cache.still().sum() == (SHEET.points[:, 0] < 0.25).sum()
    body.damping = pl.Settle(rest_in=1.0)
    cache.start(body, frame=10)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / FPS, progress=False)
    whole = cache.continued(take, frame=10)
    assert len(whole) == 10 + 25
    assert np.abs(whole.positions[:11] - cache.positions[:11]).max() < 1e-6
    whole.save(tmp_path / "out.usdc")
    assert len(pl.Cache.read(tmp_path / "out.usdc").times) == 35


JELLY = pl.meshes.box((0.4, 1, 0.4), (2, 4, 2))


@pytest.fixture(scope="module")
def jelly(tmp_path_factory):
    """A cached closed surface that is sheared, and swings."""
    folder = tmp_path_factory.mktemp("jelly")
    mesh = JELLY
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.fix(mesh.points[:, 1] < 1e-9)
    body.place(mesh.points + 0.2 * mesh.points[:, 1:2] ** 2 * [1, 0, 0])
    body.damping = pl.Settle(rest_in=2.0, bounces=2)
    pl.Scene(body).run(seconds=1.0, dt=1 / 24, progress=False).save(folder / "jelly.usdc")
    return folder / "jelly.usdc"


@pytest.mark.parametrize("mesh", [JELLY, pytest.param(None, marks=pytest.mark.slow)])
def test_a_solid_is_made_of_a_closed_surface(jelly, mesh):
    cache = pl.Cache.read(jelly)
    body = pl.Body.from_cache(jelly, frame=6, rest=24, mesh=mesh)
    shown = body.skin.positions(body.positions)
    assert np.abs(shown - cache.positions[6]).max() < 0.02
    assert np.abs(body.velocity).max() > 0.1


@pytest.mark.parametrize("shot", ["flag", pytest.param("jelly", marks=pytest.mark.slow)])
def test_the_command_settles_a_cache(shot, request, tmp_path, capsys):
    jelly = request.getfixturevalue(shot)
    out = tmp_path / "out.usdc"
    said = ["settle", str(jelly), "--from", "6", "--rest-at", "22", "--rest", "20", "-o", str(out)]
    assert code(said) == 0
    told = capsys.readouterr().out
    assert "held" in told and "left     1.0" in told and "written" in told
    found, cache = pl.Cache.read(out), pl.Cache.read(jelly)
    assert len(found.times) == 23
    assert np.abs(found.positions[:7] - cache.positions[:7]).max() < 1e-6
    start, end = (np.abs(found.positions[k] - found.positions[-1]).max() for k in (6, -2))
    assert end < 0.05 * start
    assert code([*said[:-2], "-o", str(out), "--fix", "y > 9"]) != 0
    assert code(["settle", str(jelly), "--from", "9", "--rest-at", "6", "-o", str(out)]) != 0


REFUSED = [
    (lambda path: pl.Cache.read(path.with_suffix(".abc")), "no cache"),
    (lambda path: pl.Cache.read(path, prim="/nothing"), "got '/nothing'"),
    (
        lambda path: pl.Cache.read(path).start(MAKE["solid"](), frame=6),
        "expected as many as it has",
    ),
    (lambda path: pl.Cache.read(path).start(MAKE["solid"](), frame=600), "0 to 24"),
    (lambda path: pl.Body.from_cache(path, frame="six"), "expected one that it has"),
]


@pytest.mark.parametrize("wrong, said", REFUSED)
def test_what_does_not_fit_is_refused(wrong, said, jelly):
    with pytest.raises((ValueError, FileNotFoundError), match=said):
        wrong(jelly)


def test_alembic_is_refused_in_words(tmp_path):
    (tmp_path / "shot.abc").write_bytes(b"Ogawa")
    with pytest.raises(ValueError, match="Alembic cannot be read: export USD"):
        pl.Cache.read(tmp_path / "shot.abc")
