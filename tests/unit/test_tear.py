"""Bodies that tear."""

import numpy as np
import pytest

import pliant as pl
from pliant.io.checkpoint import restore, save
from tests.failing import remembered, same
from tests.resuming import stopped_and_resumed

ENERGY, STRENGTH, YOUNG = 500.0, 1e5, 1e7


def in_space(sheet):
    return pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)


def strip(kind, *, cells=(5, 2), size=(0.1, 0.04), h=1e-3, on=0.06, damping=None, **more):
    """A strip that tears across at x = on, or anywhere."""
    sheet = pl.meshes.rectangle(size, cells)
    where = None if on is None else np.abs(sheet.points[:, 0] - on) < 1e-9
    given = {"strength": STRENGTH, "energy": ENERGY, "on": where} | more
    if kind == "cloth":
        tear = pl.Tear(thickness=h, **given)
        sheet = in_space(sheet)
        how = {"stretch": YOUNG * h, "shear": YOUNG * h / 2, "bend": YOUNG * h**3 / 12}
        return pl.Cloth(sheet, **how, density=1000.0 * h, damping=damping, tear=tear)
    tear = pl.Tear(**given)
    if kind == "shell":
        how = {"young": YOUNG, "poisson": 0.0, "thickness": h}
        return pl.Shell(in_space(sheet), **how, damping=damping, tear=tear)
    matter = pl.StableNeoHookean(young=YOUNG, poisson=0.0)
    if kind == "tri":
        return pl.Body(sheet, matter, thickness=h, damping=damping, tear=tear)
    box = pl.meshes.box((*size, h), (*cells, 1), kind=kind)
    where = None if on is None else np.abs(box.points[:, 0] - on) < 1e-9
    return pl.Body(box, matter, damping=damping, tear=pl.Tear(**given | {"on": where}))


def pulled(body, *, speed=0.02, until=0.8, dt=0.01, steps=None, size=0.1):
    """The work done on a strip that is pulled at its right end [J], and the scene."""
    x = body.mesh.points
    body.fix(x[:, 0] < 1e-9)
    right = np.flatnonzero(x[:, 0] > size - 1e-9)
    start = x[right].copy()
    ahead = np.eye(body.dim)[0]
    body.move(right, lambda t: start + speed * t * ahead)
    scene = pl.Scene([body], contact=False)
    work, force = 0.0, 0.0
    for _ in range(round(until / dt) if steps is None else steps):
        scene.step(dt, stepper=pl.QuasiStatic())
        before, force = force, pull_at(body, size)
        work += 0.5 * (before + force) * speed * dt
    return work, scene


def pull_at(body, at):
    """The force on the points that are pinned at x = at, and on their copies [N]."""
    there = body.mesh.points[:, 0] > at - 1e-9
    return float(body.system().assembly.gradient(body.positions)[there, 0].sum())


@pytest.mark.parametrize("kind", ["cloth", "shell", "tri", "tet", "hex"])
def test_to_tear_a_strip_takes_its_fracture_energy(kind):
    body = strip(kind)
    work, _ = pulled(body)
    area = 0.04 * 1e-3
    assert body.components.max() == 1
    assert body.torn_area == pytest.approx(area, rel=1e-12)
    assert body.torn_energy == pytest.approx(ENERGY * area, rel=1e-12)
    # Half a step before and behind the kinks of the law: (speed dt / 0.01 m)^2 of it, and more where
    # the strip contracts. What was elastic has been given back.
    assert work == pytest.approx(ENERGY * area, rel=0.01)


@pytest.mark.parametrize("kind", ["cloth", "tri"])
def test_a_strip_without_a_weak_line_tears_once(kind):
    body = strip(kind, on=None)
    work, _ = pulled(body)
    area = 0.04 * 1e-3
    assert body.components.max() == 1
    # All faces are stressed alike, and some begin to soften before one of them wins.
    assert body.torn_area == pytest.approx(area, rel=0.005)
    assert work == pytest.approx(ENERGY * area, rel=0.05)


def test_nothing_opens_below_half_of_the_strength():
    body = strip("cloth", on=None)
    mesh, traction = body.mesh, 0.45 * STRENGTH
    x = mesh.points * [1.0 + traction / YOUNG, 1.0, 1.0]
    body.place(x)
    body.apply_events(0.0)
    assert body.mesh is mesh and body.torn_area == 0.0
    body.place(mesh.points * [1.0 + 0.55 * STRENGTH / YOUNG, 1.0, 1.0])
    body.apply_events(0.0)
    assert len(body.mesh) > len(mesh)
    assert body.torn_area == 0.0  # open, and as stiff as before
    assert body.components.max() == 0


def torn_half_way(kind="tri", **more):
    """A strip with a load that can be told to fail, pulled until it softens."""
    body, wrong = strip(kind, on=None, **more), [False]

    def load(time):
        if wrong[0]:
            raise KeyboardInterrupt
        return np.zeros(body.dim)

    body.push(force=load, on=[1])
    _, scene = pulled(body, steps=22)
    return body, scene, wrong


def test_an_interrupted_step_leaves_what_was_torn():
    body, scene, wrong = torn_half_way()
    before, kept = remembered(body), (body.mesh, body.masses, body.torn_area)
    assert body.torn_area > 0.0 and len(body) > 18
    for _ in range(2):
        wrong[0] = True
        with pytest.raises(KeyboardInterrupt):
            scene.step(0.01, stepper=pl.QuasiStatic())
        assert same(remembered(body), before)
        assert body.mesh is kept[0] and body.torn_area == kept[2]
        assert np.array_equal(body.masses, kept[1])
    wrong[0] = False
    scene.step(0.01, stepper=pl.QuasiStatic())
    other, unbroken, _ = torn_half_way()
    unbroken.step(0.01, stepper=pl.QuasiStatic())
    assert np.array_equal(body.positions, other.positions)
    assert body.torn_area == other.torn_area > kept[2]


@pytest.mark.parametrize("kind", ["cloth", "tri"])
def test_a_run_is_taken_up_where_it_stopped(kind, tmp_path):
    body, scene, _ = torn_half_way(kind)
    scene.settings = {"device": "cpu", "dt": 0.01}
    save(tmp_path, scene, scene.problem("cpu").systems, 0)
    other = strip(kind, on=None)
    other.push(force=lambda t: np.zeros(other.dim), on=[1])
    _, world = pulled(other, steps=0)
    world.prepare_for(pl.QuasiStatic())
    restore(tmp_path, world, frames=1, device="cpu")
    assert other.torn_area == body.torn_area > 0.0
    for _ in range(33):
        for one in (scene, world):
            one.step(0.01, stepper=pl.QuasiStatic())
        assert np.array_equal(other.positions, body.positions)
    assert other.components.max() == 1


def test_a_take_on_disk_is_taken_up(tmp_path):
    def make():
        body = strip("cloth", on=None)
        _, scene = pulled(body, steps=0)
        return scene

    how = {"steps": 60, "dt": 0.01, "at": 40, "late": 10, "stepper": pl.QuasiStatic}
    resumed = stopped_and_resumed(make, tmp_path / "torn.zarr", **how)
    whole = make().run(seconds=0.6, dt=0.01, stepper=pl.QuasiStatic(), progress=False)
    assert whole.positions.shape[1] > 18
    np.testing.assert_array_equal(resumed.positions, whole.positions)
    # What is stored in faces that hold on counts as it was in each frame.
    np.testing.assert_allclose(resumed.energies["elastic"], whole.energies["elastic"], rtol=1e-12)


def test_a_run_of_what_is_torn_is_a_take_on_disk(tmp_path):
    body, scene, _ = torn_half_way("cloth")
    stepper = pl.QuasiStatic()
    take = scene.run(seconds=0.02, dt=0.01, stepper=stepper, into=tmp_path / "go.zarr")
    read = pl.Take.read(take.save(tmp_path / "go.npz"))
    for found in (take, read):
        np.testing.assert_array_equal(found.positions[-1], body.positions)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"strength": -1.0}, "strength=-1"),
        ({"energy": 0.0}, "energy=0"),
        ({"energy": float("nan")}, "energy=nan"),
        ({"thickness": 0.0}, "thickness=0"),
        ({"strength": "much"}, "strength='much'"),
    ],
)
def test_bad_numbers_are_refused(wrong, said):
    with pytest.raises((TypeError, ValueError), match=said):
        pl.Tear(**{"strength": 1e5, "energy": 10.0} | wrong)


def test_what_cannot_tear_is_refused():
    sheet = in_space(pl.meshes.rectangle((1, 1), (2, 2)))
    cloth = {"stretch": 100.0, "shear": 50.0, "bend": 0.0, "density": 0.1}
    tear = pl.Tear(strength=1e5, energy=10.0)
    with pytest.raises(ValueError, match=r"expected its thickness \[m\], as in pl.Tear"):
        pl.Cloth(sheet, **cloth, tear=tear)
    with pytest.raises(TypeError, match="got tear of type float"):
        pl.Cloth(sheet, **cloth, tear=1e5)
    with pytest.raises(ValueError, match="expected one of them"):
        pl.Cloth(sheet, **cloth | {"bend": 1e-6}, tear=tear, yield_strain=0.01)
    thick = pl.Tear(strength=1e5, energy=10.0, thickness=0.1)
    with pytest.raises(ValueError, match="it is the shell's"):
        pl.Shell(sheet, young=1e6, thickness=0.1, tear=thick)
    box = pl.meshes.box((1, 1, 1), (1, 1, 1))
    with pytest.raises(ValueError, match="expected no thickness in it"):
        pl.Body(box, pl.Corotated(young=1e6, poisson=0.3), tear=thick)
    nowhere = pl.Tear(strength=1e5, energy=10.0, on=[0])
    with pytest.raises(ValueError, match="no face between two cells"):
        pl.Body(box, pl.Corotated(young=1e6, poisson=0.3), tear=nowhere)
    with pytest.raises(ValueError, match="linear cells of one kind"):
        mesh = pl.meshes.box((1, 1, 1), (1, 1, 1), kind="tet10")
        pl.Body(mesh, pl.Corotated(young=1e6, poisson=0.3), tear=tear)
    body = pl.Body(box, pl.Corotated(young=1e6, poisson=0.3), tear=tear)
    with pytest.raises(pl.MeshError, match="got width=0 for a body that tears"):
        body.cut(pl.HalfSpace((0.4, 0, 0), (1, 0, 0)), width=0.0)


def test_what_has_torn_stays_torn_after_a_reset():
    body, _, _ = torn_half_way()
    area, points = body.torn_area, len(body)
    body.reset()
    assert body.torn_area == area and len(body) == points
    assert np.abs(body.positions - body.mesh.points).max() == 0.0
    with pytest.raises(ValueError, match="anneal is for bodies that flow"):
        body.anneal()


@pytest.mark.parametrize("kind", ["cloth", "tri"])
def test_a_part_that_is_torn_off_falls_and_what_is_left_rests_on_cue(kind):
    """It hangs by a weak line, which its weight tears."""
    body = strip(kind, strength=200.0, energy=0.5, damping=pl.Settle(0.3, bounces=0))
    body.fix(body.mesh.points[:, 0] < 1e-9)
    floor = pl.HalfSpace((0.2, 0, 0)[: body.dim], (-1, 0, 0)[: body.dim])
    scene = pl.Scene([body], gravity=(9.81, 0, 0)[: body.dim], contact=pl.Contact())
    scene.add(floor)
    parted = None
    for _ in range(54):
        scene.step(1 / 60)
        if parted is None and body.components.max() == 1:
            parted = scene.time
    assert parted is not None and parted < 0.6
    loose = body.components == body.components[np.argmax(body.mesh.points[:, 0])]
    assert 0 < loose.sum() < len(body)
    # On the floor, off it by the gap of contact, and still: both have had their 0.3 s.
    assert body.positions[loose, 0].max() == pytest.approx(0.2, abs=5e-4)
    assert np.abs(body.velocity).max() < 1e-3


def test_what_hangs_by_a_few_faces_comes_to_rest():
    """Pulled until it hangs by faces that hardly resist folding, and held there while they give."""
    way = 0.016
    body = strip("cloth", on=None, damping=pl.Settle(0.5))
    x = body.mesh.points
    body.fix(x[:, 0] < 1e-9)
    right = np.flatnonzero(x[:, 0] > 0.1 - 1e-9)
    start = x[right].copy()
    body.move(right, lambda t: start + [way * min(t / 0.4, 1.0), 0.0, 0.0])
    scene = pl.Scene([body], contact=False)
    for _ in range(12):
        scene.step(1 / 30)
    assert body.components.max() == 0 and body.torn_area > 0.04 * 1e-3
    for _ in range(33):
        scene.step(1 / 30)
    assert body.components.max() == 1
    assert np.abs(body.velocity).max() < 0.01 * way / 0.4


@pytest.mark.parametrize("kind", ["cloth", "shell", "tri", "tet"])
def test_what_is_notched_tears_there(kind):
    """A cut across three quarters of a strip; only what is left is torn, along any line."""
    body = strip(kind, cells=(10, 4), on=None, strength=2e4)
    y = 0.03
    corners = [[0.05, -0.01, 0], [0.05, y, 0]]
    blade = [corner[:2] for corner in corners]
    if kind != "tri":
        far = [[c[0], c[1], z] for z in (-1.0, 1.0) for c in corners]
        blade = pl.Surface.of(np.array(far), [[0, 1, 3], [0, 3, 2]])
    before = body.masses.sum()
    body.cut(blade)
    assert len(body.mesh) > 55 * (2 if kind == "tet" else 1) and body.components.max() == 0
    assert body.masses.sum() == pytest.approx(before, rel=1e-12)
    pulled(body, until=0.4, dt=0.02)
    torn = body.mesh.points[torn_points(body)]
    assert len(torn) and torn[:, 1].min() > y - 0.011  # a cell before the end of the cut
    with pytest.raises(pl.MeshError, match="before it is pulled that far"):
        body.cut(pl.HalfSpace((0.02, 0, 0)[: body.dim], (1, 0, 0)[: body.dim]))


def torn_points(body):
    """The points of faces that have begun to tear."""
    tears, tearing = body._tears, body._tearing
    return tears.faces.points(body.mesh)[tears.torn(tearing)].ravel()


def test_a_take_of_what_is_cut_and_then_torn_is_taken_up(tmp_path):
    def make():
        body = strip("cloth", on=None)
        blade = [[0.05, y, z] for y in (-0.01, 0.021) for z in (-1.0, 1.0)]
        body.cut(pl.Surface.of(np.array(blade), [[0, 1, 3], [0, 3, 2]]), at=0.05)
        return pulled(body, steps=0)[1]

    how = {"steps": 30, "dt": 0.01, "at": 20, "late": 10, "stepper": pl.QuasiStatic}
    resumed = stopped_and_resumed(make, tmp_path / "notched.zarr", **how)
    scene = make()
    whole = scene.run(seconds=0.3, dt=0.01, stepper=pl.QuasiStatic(), progress=False)
    assert len(scene.bodies[0].mesh_changes) > 1 and scene.bodies[0].torn_area > 0.0
    np.testing.assert_array_equal(resumed.positions, whole.positions)
