"""The motion of a mesh for another: what is exact, what is refused, takes and the command."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import pliant as pl
from pliant.cli.app import app
from pliant.io.png import picture

TURN = Rotation.from_rotvec([0.3, 1.0, -0.5]).as_matrix()


def strip(nx, ny, jitter=0.0):
    """A wavy strip of nx x ny cells, 4 m long, and its corners."""
    x, y = np.meshgrid(np.linspace(0, 4, nx + 1), np.linspace(0, 1, ny + 1), indexing="ij")
    points = np.stack([x, y, 0.2 * np.sin(2 * x) * np.cos(3 * y)], -1).reshape(-1, 3)
    points += jitter * np.random.default_rng(1).standard_normal(points.shape)
    number = np.arange(len(points)).reshape(nx + 1, ny + 1)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1)
    return pl.Surface.of(points, quads.reshape(-1, 4)), number[[0, 0, -1, -1], [0, -1, 0, -1]]


SOURCE, ENDS = strip(24, 6)
TARGET, OTHERS = strip(40, 10, 0.01)
PAIRS = list(zip(ENDS, OTHERS, strict=True))
GIVE = pl.shape.Transfer(SOURCE, TARGET, PAIRS)


def error(moved, give=GIVE, source=SOURCE, target=TARGET):
    """How far the transferred motion is from the same motion of the target, but for its place [m]."""
    away = give(moved(source.points)) - moved(target.points)
    return np.abs(away - away.mean(axis=0)).max()


def bend(p):
    return pl.shape.bend(p, 115, towards="z", about=(0, 0, 0), length=4.0)


def test_identity_and_rotation_are_exact():
    # Sums of a thousand products of size 1 to 4, solved with a factor of condition 1e4.
    assert error(lambda p: p) < 1e-12
    assert np.abs(GIVE(SOURCE.points) - TARGET.points).max() < 1e-12
    assert error(lambda p: p @ TURN.T + [1.0, 2.0, 3.0]) < 1e-12


def test_the_norms_of_matrices_would_not_see_a_turn():
    """As printed, the difference of the norms: doing nothing for a source that turns costs nothing."""
    norms = np.linalg.norm(TURN) - np.linalg.norm(np.eye(3))
    assert norms**2 < 1e-28 and np.linalg.norm(TURN - np.eye(3)) ** 2 > 1.0


def test_a_bend_arrives():
    assert error(bend) < 0.005 * 4.0  # triangles of a sixth of a metre have one map each
    assert error(bend, pl.shape.Transfer(SOURCE, SOURCE), SOURCE, SOURCE) < 1e-10


def test_a_larger_target_goes_farther():
    large = pl.Surface(3.0 * TARGET.points + [0, 0, 9], TARGET.sizes, TARGET.corners)
    give = pl.shape.Transfer(SOURCE, large, PAIRS)
    assert np.isclose(give.factor, 3.0, rtol=0.02)  # markers are off by the jitter
    away = give(SOURCE.points + [0.0, 1.0, 0.0]) - large.points
    assert np.allclose(away, [0.0, give.factor, 0.0], atol=1e-12)


def test_parts_and_seams_go_along():
    """A part of its own follows what it is near; points at one place are one place."""
    lid = TARGET.points[:11] + [0.0, 0.0, 0.3]
    number = len(TARGET.points) + np.arange(10)
    own = np.stack([number, number + 1, number - number[0] + 11], axis=1)
    points = np.concatenate([TARGET.points, lid, TARGET.points[:1]])  # the last is used by no face
    faces = [*TARGET.corners.reshape(-1, 4), *own[:, :2][:9].tolist()]
    faces = [f for f in faces if len(f) > 2]
    faces += [[n, n + 1, n + 2] if n % 2 else [n, n + 2, n + 1] for n in number[:9]]
    whole = pl.Surface.of(points, faces)
    give = pl.shape.Transfer(SOURCE, whole, PAIRS)
    away = give(SOURCE.points @ TURN.T) - points @ TURN.T
    assert np.abs(away - away[0]).max() < 1e-12


def test_takes(tmp_path):
    times = np.linspace(0.0, 0.5, 6)
    take = pl.shape.as_take(SOURCE, times, [SOURCE.points + [0, t, 0] for t in times], name="strip")
    take.save(tmp_path / "strip.npz")
    given = pl.shape.transfer(tmp_path / "strip.npz", TARGET, PAIRS)
    assert given.tracks[0].name == "strip" and np.array_equal(given.times, times)
    assert given.positions.shape == (6, len(TARGET.points), 3)
    assert np.allclose(given.velocities, [0.0, GIVE.factor, 0.0], atol=1e-10)
    shown = given.tracks[0].skin.positions(given.positions[-1])
    assert np.allclose(shown - TARGET.points, [0.0, 0.5 * GIVE.factor, 0.0], atol=1e-12)
    for name in ("camel.npz", "camel.glb", "camel.obj"):
        given.save(tmp_path / name)
    # Neither a rest nor energies are known of it: pictures have no curve.
    assert {ax.get_xlabel() for ax in picture(given).axes} == {""}
    again = pl.Take.read(tmp_path / "camel.npz")
    assert np.array_equal(again.positions, given.positions)


def test_a_target_with_normals_can_be_written(tmp_path):
    """As an OBJ from Blender has them; they turn as the target does."""
    corners = TARGET.corners.reshape(-1, 4)
    a, b, c = (TARGET.points[corners[:, k]] for k in (0, 1, 3))
    normals = np.repeat(np.cross(b - a, c - a), 4, axis=0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    target = pl.Surface(TARGET.points, TARGET.sizes, TARGET.corners, normals=normals)
    take = pl.shape.as_take(SOURCE, [0.0, 0.1], [SOURCE.points, SOURCE.points @ TURN.T])
    given = pl.shape.transfer(take, target, PAIRS)
    for name in ("camel.usdc", "camel.glb", "camel.obj"):
        given.save(tmp_path / name)
    track = given.tracks[0]
    found = track.skin.normals(track.positions[1], track.mesh.points)
    assert np.abs(found - normals @ TURN.T).max() < 1e-9


def test_a_body_that_was_stepped():
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(rest_in=0.2)
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.2, dt=1 / 60)
    finer = pl.meshes.box((4, 1, 1), (12, 3, 3))
    given = pl.shape.transfer(take, finer)
    tip = np.linalg.norm(finer.points - (4, 1, 1), axis=1).argmin()
    shown = given.tracks[0].mesh.points
    place = np.linalg.norm(shown - (4, 1, 1), axis=1).argmin()
    sag = take.positions[-1][np.linalg.norm(mesh.points - (4, 1, 1), axis=1).argmin(), 1] - 1.0
    assert sag < -0.05 and tip >= 0
    # Of the end; as a whole it is where the other is, by the mean of its surface.
    assert abs((given.positions[-1][place, 1] - 1.0) / sag - 1.0) < 0.05


def test_the_command(tmp_path):
    take = pl.shape.as_take(SOURCE, [0.0, 0.1], [SOURCE.points, SOURCE.points @ TURN.T])
    take.save(tmp_path / "a.npz")
    TARGET.write(tmp_path / "b.obj")
    rows = "\n".join(["source,target", *(f"{a},{b}" for a, b in PAIRS)])
    (tmp_path / "pairs.csv").write_text(rows)
    call = [
        "transfer",
        f"{tmp_path}/a.npz",
        f"{tmp_path}/b.obj",
        "--markers",
        f"{tmp_path}/pairs.csv",
    ]
    done = CliRunner().invoke(app, [*call, "-o", f"{tmp_path}/c.npz"])
    assert done.exit_code == 0 and "written" in done.output
    given = pl.Take.read(tmp_path / "c.npz").positions[1]
    assert np.abs(given - GIVE(SOURCE.points @ TURN.T)).max() < 1e-6  # an OBJ has nine digits
    (tmp_path / "pairs.csv").write_text("1,2\n3,x\n")
    done = CliRunner().invoke(app, [*call, "-o", f"{tmp_path}/c.npz"])
    assert "pairs.csv:2" in str(done.exception)


def test_the_command_shape(tmp_path):
    TARGET.write(tmp_path / "a.obj")
    lattice = pl.shape.Lattice(TARGET)
    lattice.points[-1] += (0, 0.5, 0)
    lattice.write(tmp_path / "pose.toml")
    given = ["shape", f"{tmp_path}/a.obj", f"{tmp_path}/b.obj"]
    done = CliRunner().invoke(app, [*given, "--taper", "0.5", "--twist", "90", "--bend", "30"])
    assert done.exit_code == 0 and "volumes" in done.output, done.exception
    x = pl.shape.bend(pl.shape.twist(pl.shape.taper(TARGET.points, 0.5), 90), 30)
    assert np.abs(pl.Surface.read(tmp_path / "b.obj").points - x).max() < 1e-6
    done = CliRunner().invoke(app, [*given, "--lattice", f"{tmp_path}/pose.toml"])
    assert done.exit_code == 0
    assert np.abs(pl.Surface.read(tmp_path / "b.obj").points - lattice.positions).max() < 1e-6
    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    mesh.write(tmp_path / "a.vtu")
    given = ["shape", f"{tmp_path}/a.vtu", f"{tmp_path}/b.vtu", "--stretch", "1,2,1"]
    done = CliRunner().invoke(app, [*given, "--warp", "0.5,0.5,0.5,0.1,0,0,0.5"])
    assert done.exit_code == 0, done.exception
    assert np.isclose(pl.Mesh.read(tmp_path / "b.vtu").volume, 2.0, rtol=0.05)
    assert "nothing is to be done" in str(CliRunner().invoke(app, given[:3]).exception)
    wrong = CliRunner().invoke(app, [*given[:3], "--stretch", "1,x"])
    assert "expected 3 numbers" in str(wrong.exception)


def flipped():
    corners = TARGET.corners.reshape(-1, 4).copy()
    corners[7] = corners[7, ::-1]
    return pl.Surface.of(TARGET.points, corners)


def box(way):
    """A closed surface whose faces look outwards, or inwards if `way` is -1."""
    boundary = pl.meshes.box().boundary
    (faces,) = boundary.values()
    return pl.Surface.of(pl.meshes.box().points, faces[:, ::way])


LOOSE = pl.Surface.of(np.concatenate([TARGET.points, [[9, 9, 9]]]), TARGET.corners.reshape(-1, 4))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.shape.Transfer(SOURCE, TARGET, [(0, 10_000)]), "0 to 450"),
        (lambda: pl.shape.Transfer(SOURCE, TARGET, [(-1, 0)]), "point -1 of the source"),
        (lambda: pl.shape.Transfer(SOURCE, LOOSE, [(0, 451)]), "off the mesh"),
        (lambda: pl.shape.Transfer(SOURCE, TARGET, [(0, 0), (0, 1)]), "twice"),
        (lambda: pl.shape.Transfer(SOURCE, TARGET, [(0.5, 1)]), "pairs of points"),
        (lambda: pl.shape.Transfer(SOURCE, TARGET, "markers"), "pairs of points"),
        (lambda: pl.shape.Transfer(SOURCE, flipped()), "3 edges of the target .* flipped"),
        (lambda: pl.shape.Transfer(box(1), box(-1)), "all faces of the target are flipped"),
        (lambda: pl.shape.Transfer(box(-1), box(1)), "all faces of the source are flipped"),
        (
            lambda: pl.shape.Transfer(SOURCE, pl.Mesh([[0, 0, 0], [1, 0, 0]], {"line": [[0, 1]]})),
            "lines",
        ),
        (lambda: GIVE(TARGET.points), "shape"),
        (lambda: pl.shape.as_take(SOURCE, [0, 0], [SOURCE.points] * 2), "frame 1"),
        (lambda: pl.shape.as_take(SOURCE, [0, 1], [SOURCE.points]), "2 times"),
        (lambda: pl.shape.as_take(SOURCE, [], []), "seconds that grow"),
        (lambda: pl.shape.as_take(SOURCE, [0], [TARGET.points]).positions, "frame 0"),
        (
            lambda: pl.shape.transfer(
                pl.shape.as_take(SOURCE, [0], [SOURCE.points]), TARGET, PAIRS, body="x"
            ),
            "one of shape",
        ),
    ],
)
def test_what_cannot_be_transferred_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_what_is_no_surface_is_refused():
    with pytest.raises(TypeError, match="expected a surface or a mesh"):
        pl.shape.Transfer(SOURCE, np.eye(3))
