"""`Settle(swing=False)`: what hangs by a point or a line rests on cue, its swing included."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.bodies import Deformable

GRAVITY = np.array([0.0, -9.81, 0.0])


def upright(n: int) -> pl.Mesh:
    """A square metre that hangs down from y = 0."""
    flat = pl.meshes.rectangle((1, 1), (n, n))
    return pl.Mesh(np.insert(flat.points - [0.0, 1.0], 2, 0.0, axis=1), flat.cells)


def chain() -> pl.Springs:
    """A metre of links, held at its top."""
    points = np.c_[np.zeros(21), -np.linspace(0.0, 1.0, 21), np.zeros(21)]
    mesh = pl.Mesh(points, cells={"line": np.c_[np.arange(20), np.arange(1, 21)]})
    body = pl.Springs(mesh, stiffness=500.0, mass=0.1)
    body.fix([0])
    return body


def curtain() -> pl.Cloth:
    """A square metre of cloth, held along its top."""
    mesh = upright(8)
    body = pl.Cloth(mesh, stretch=2000.0, shear=1000.0, bend=1e-4, density=0.2)
    body.fix(mesh.points[:, 1] > -1e-9)
    return body


def sign() -> pl.Body:
    """A soft slab of 1 x 4 x 1 m that turns about a rod through its top."""
    box = pl.meshes.box((1, 4, 1), (2, 8, 2))
    mesh = pl.Mesh(box.points - [0.5, 4.0, 0.0], box.cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e5, poisson=0.4), density=1000.0)
    body.fix((mesh.points[:, 1] > -1e-9) & (np.abs(mesh.points[:, 0]) < 1e-9))
    return body


def flat_sign() -> pl.Body:
    """The same in the plane, on a pin."""
    flat = pl.meshes.rectangle((1, 4), (2, 8))
    mesh = pl.Mesh(flat.points - [0.5, 4.0], flat.cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e5, poisson=0.4), density=1000.0)
    body.fix((mesh.points[:, 1] > -1e-9) & (np.abs(mesh.points[:, 0]) < 1e-9))
    return body


def plate() -> pl.Shell:
    """A thin plate that hangs by one edge: a held line of a shell is a hinge."""
    mesh = upright(6)
    body = pl.Shell(mesh, thickness=0.01, young=1e8, poisson=0.3, density=1000.0)
    body.fix(mesh.points[:, 1] > -1e-9)
    return body


#: Each hangs down from the origin; and the axis about which it can swing.
HANGING = {
    "chain": (chain, (0, 0, 1)),
    "curtain": (curtain, (1, 0, 0)),
    "sign": (sign, (0, 0, 1)),
    "flat sign": (flat_sign, (0, 0, 1)),
    "plate": (plate, (1, 0, 0)),
}


def released(kind: str, degrees: float, settle: pl.Settle) -> tuple[pl.Scene, Deformable]:
    """At rest but for the pins, drawn aside by an angle, and let go."""
    make, axis = HANGING[kind]
    body = make()
    scene = pl.Scene([body], gravity=GRAVITY[: body.dim])
    x = scene.equilibrium().positions[0]
    turn = Rotation.from_rotvec(np.radians(degrees) * np.array(axis)).as_matrix()
    body.place(x @ turn[: body.dim, : body.dim].T)
    body.damping = settle
    return scene, body


@pytest.mark.parametrize("dt", [1 / 24, 1 / 60])
@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("degrees", [10.0, 90.0])
@pytest.mark.parametrize("kind", HANGING)
def test_rests_when_asked(kind: str, degrees: float, bounces: int | None, dt: float) -> None:
    scene, body = released(kind, degrees, pl.Settle(rest_in=0.8, bounces=bounces, swing=False))
    take = scene.run(seconds=1.2, dt=dt, progress=False)
    # The promise of `Settle` is 3 %; the schedule itself is exact, and a step may miss it by 0.5 %.
    assert take.rest_time() == pytest.approx(0.8, rel=0.01)
    # At its lowest, whatever it is made of: no point may sink on when everything is let go.
    lowest = scene.equilibrium().positions[0]
    assert np.abs(take.positions[-1] - lowest).max() < 0.02 * body.system().size


@pytest.mark.parametrize("bounces", [1, 2, 3])
@pytest.mark.parametrize("kind", HANGING)
def test_swings_as_often_as_asked(kind: str, bounces: int) -> None:
    scene, _ = released(kind, 30.0, pl.Settle(rest_in=1.0, bounces=bounces, swing=False))
    ring = scene.run(seconds=1.2, dt=1 / 60, progress=False).tracks[0].ring()
    # A pendulum let go at 30 degrees is 1.7 % slower than a small one; it falls below 10 degrees
    # within the first of three swings.
    assert ring.period == pytest.approx(1.0 / bounces, rel=0.02)
    # All that is stiffer than the swing rests sooner, so the whole may; it must not rest later.
    assert 0.88 < ring.rest_time(0.01) < 1.02


def test_sheet_on_two_corners_rests() -> None:
    """It falls from level, folds and swings; nothing of it can be told from deformation."""
    flat = pl.meshes.rectangle((1, 1), (12, 12))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    cloth = pl.Cloth(mesh, stretch=2000.0, shear=1000.0, bend=1e-4, density=0.2)
    x, _, z = mesh.points.T
    held = (z < 1e-9) & ((x < 1e-9) | (x > 1.0 - 1e-9))
    noise = 1e-3 * np.random.default_rng(1).standard_normal(mesh.points.shape)
    cloth.place(mesh.points + np.where(held[:, None], 0.0, noise))
    cloth.fix(held)
    cloth.damping = pl.Settle(rest_in=1.0, bounces=0, swing=False)
    take = pl.Scene([cloth], gravity=GRAVITY).run(seconds=1.3, dt=1 / 30, progress=False)
    assert take.rest_time() == pytest.approx(1.0, rel=0.03)
    assert take.positions[-1, :, 1].min() < -0.99  # hangs straight down


def test_swing_goes_on_unless_asked() -> None:
    scene, _ = released("sign", 30.0, pl.Settle(rest_in=0.3))
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    # As a rigid bar it has a period of 2 pi sqrt(2 (4 m)/(3 g)) = 3.3 s: it has crossed the middle.
    assert np.sign(take.positions[0][:, 0].mean()) != np.sign(take.positions[-1][:, 0].mean())


def test_free_and_clamped_bodies_are_none_the_wiser() -> None:
    def fall(swing: bool, *, clamped: bool) -> np.ndarray:
        mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0)
        if clamped:
            body.fix(mesh.points[:, 0] < 1e-9)
        else:
            body.velocity = np.cross((0.0, 0.0, 3.0), mesh.points)
        body.place(mesh.points + 0.1 * mesh.points[:, :1] ** 2 * [0, 1, 0])
        body.damping = pl.Settle(rest_in=0.4, bounces=1, swing=swing)
        scene = pl.Scene([body], gravity=GRAVITY)
        return scene.run(seconds=0.3, dt=1 / 60, progress=False).positions

    for clamped in (True, False):
        assert np.array_equal(fall(True, clamped=clamped), fall(False, clamped=clamped))


def by_a_corner(mesh: pl.Mesh) -> pl.Body:
    """A soft block on a string; it may face any way, as nothing resists a turn about the vertical."""
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0)
    body.fix([int(np.argmax(mesh.points @ [-1.0, 1.0, -1.0]))])
    return body


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_block_on_a_string_rests(bounces: int | None) -> None:
    body = by_a_corner(pl.meshes.box((1.0, 1.3, 0.7), (3, 3, 3)))
    body.damping = pl.Settle(rest_in=0.8, bounces=bounces, swing=False)
    body.velocity = np.cross((0.0, 2.0, 0.0), body.mesh.points)  # a turn, which is dropped
    take = pl.Scene([body], gravity=GRAVITY).run(seconds=1.2, dt=1 / 60, progress=False)
    if bounces:
        assert 0.72 < take.tracks[0].ring().rest_time(0.01) < 0.82  # stiffer shapes rest sooner
    else:
        assert take.rest_time() == pytest.approx(0.8, rel=0.01)
    below = (
        body.masses @ take.positions[-1] / body.masses.sum() - take.positions[-1][body.pinned][0]
    )
    assert np.abs(below[[0, 2]]).max() < 0.01 * np.abs(below[1])  # the centre under the pin
    assert np.abs(take.velocities[-1]).max() < 0.1


def test_take_on_disk_measures_the_same(tmp_path) -> None:  # type: ignore[no-untyped-def]
    scene, _ = released("sign", 40.0, pl.Settle(rest_in=0.5, bounces=0, swing=False))
    take = scene.run(seconds=0.7, dt=1 / 60, into=tmp_path / "sign.zarr", progress=False)
    read = pl.Take.read(tmp_path / "sign.zarr")
    assert read.rest_time() == take.rest_time() == pytest.approx(0.5, rel=0.01)
    assert read.tracks[0].asked["swing"] is False
