"""Wind on surfaces: what it is given, what it pushes with, and the energy of its resistance."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.point_drag import PointDrag
from pliant.energies.wind_kernels import wind_kernels
from tests.laws.test_spring_laws import dense, differences
from tests.unit.test_cloth import cloth, sheet


def pushed(body, **how):
    return body.push(**how).forces(body.positions, 0.0)


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0])
def test_a_still_plate_feels_the_dynamic_pressure_across_it(degrees):
    """f = rho/2 C A (w . n)^2 along n, on any mesh."""
    mesh, turn = sheet((2.0, 0.5), (3, 5), axis=2), np.radians(degrees)
    wind = 7.0 * np.array([np.sin(turn), 0.0, -np.cos(turn)])
    found = pushed(cloth(mesh), wind=pl.Wind(wind, density=1.3, drag=1.1))
    expected = 0.5 * 1.3 * 1.1 * 1.0 * (7.0 * np.cos(turn)) ** 2
    np.testing.assert_allclose(found.sum(axis=0), [0, 0, -expected], atol=1e-12)
    # Its torque is that of a force in the middle: pressure is the same everywhere.
    torque = np.cross(mesh.points - [1.0, 0.25, 0.0], found).sum(axis=0)
    np.testing.assert_allclose(torque, 0.0, atol=1e-12 * max(expected, 1.0))


def test_friction_pushes_along_the_plate():
    found = pushed(cloth(sheet(axis=2)), wind=pl.Wind((3, 4, 0), density=1.0, friction=0.02))
    np.testing.assert_allclose(found.sum(axis=0), 0.5 * 0.02 * 5.0 * np.array([3, 4, 0]))


@pytest.mark.parametrize("kind", ["tet4", "tet10", "hex8", "hex20"])
def test_a_box_feels_wind_on_the_side_that_faces_it(kind):
    mesh = pl.meshes.box((1, 2, 3), (2, 2, 2), kind=kind)
    body = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.3))
    found = pushed(body, wind=pl.Wind((10, 0, 0), density=1.2, drag=1.0))
    np.testing.assert_allclose(found.sum(axis=0), [60.0 * 6.0, 0, 0], atol=1e-9)
    front = mesh.points[:, 0] < 1e-9
    # Normals of the other sides are across the wind to rounding.
    assert np.abs(found[~front]).max() < 1e-20 and (found[front, 0] > 0.0).all()


def test_wind_on_a_plane_body_pushes_its_edges():
    body = pl.Body(
        pl.meshes.rectangle((1, 2), (2, 2)), pl.Linear(young=1e5, poisson=0.3), thickness=0.5
    )
    found = pushed(body, wind=pl.Wind((10, 0), density=1.2, drag=1.0))
    np.testing.assert_allclose(found.sum(axis=0), [60.0 * 2.0 * 0.5, 0], atol=1e-9)


def test_still_air_leaves_a_body_at_rest_alone():
    body = cloth(sheet())
    assert (pushed(body, wind=(0, 0, 0)) == 0.0).all()
    take = pl.Scene([body]).run(seconds=0.1, progress=False)
    assert (take.positions == take.positions[0]).all()


@pytest.mark.parametrize(
    "wind",
    [
        (3.0, 0.0, 1.0),
        lambda t: (3.0, 0.0, 1.0 - t),
        lambda x, t: np.broadcast_to([3.0, 0.0, 1.0 - t], x.shape),
        (np.array([0.0, 1.0]), np.array([(3.0, 0.0, 1.0), (3.0, 0.0, 0.0)])),
        pl.Wind((3.0, 0.0, 1.0)),
    ],
)
def test_wind_is_constant_or_of_time_or_of_place_and_time(wind):
    body = cloth(sheet(axis=2))
    load = body.push(wind=wind)
    expected = pushed(cloth(sheet(axis=2)), wind=(3.0, 0.0, 1.0))
    np.testing.assert_allclose(load.forces(body.positions, 0.0), expected)
    constant = isinstance(wind, pl.Wind) or (not callable(wind) and len(wind) == 3)
    assert (np.abs(load.forces(body.positions, 1.0)).max() < 1e-12) == (not constant)


def test_a_gust_pushes_where_it_is():
    body = cloth(sheet(axis=2))
    here = body.mesh.points[:, 0] < 0.5
    found = pushed(body, wind=lambda x, t: np.where(x[:, :1] < 0.5, 5.0, 0.0) * [0, 0, 1])
    assert (found[here, 2] > 0.0).all() and (found[~here] == 0.0).all()


def test_wind_is_taken_away_again():
    body = cloth(sheet(axis=2))
    load = body.push(wind=(0, 0, 5))
    assert not body.loads_constant and body.resisting == [load]
    body.unpush(load)
    assert body.loads_constant and not body.resisting


def test_pressure_and_traction_act_on_the_cells_of_a_sheet():
    body = cloth(sheet((2, 1), axis=2))
    np.testing.assert_allclose(pushed(body, pressure=3.0).sum(axis=0), [0, 0, -6.0], atol=1e-12)
    np.testing.assert_allclose(pushed(body, traction=(1, 0, 0)).sum(axis=0), [2, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    "how, words",
    [
        ({"wind": (1.0, 0.0)}, r"expected \(3,\)"),
        ({"wind": (np.nan, 0.0, 0.0)}, "not finite"),
        ({"wind": lambda x, t: x[:, :2]}, "got shape"),
        ({"wind": (1, 0, 0), "pressure": 1.0}, "exactly one of"),
        ({"wind": (1, 0, 0), "on": [0]}, "no boundary facet"),
    ],
)
def test_bad_wind_is_refused(how, words):
    with pytest.raises(ValueError, match=words):
        cloth(sheet()).push(**how)


@pytest.mark.parametrize("what", ["density", "drag", "friction"])
def test_negative_coefficients_are_refused(what):
    with pytest.raises(ValueError, match=f"{what}=-1.0; expected 0 or more"):
        pl.Wind((0, 0, 0), **{what: -1.0})


def test_what_has_no_surface_feels_no_wind():
    line = pl.Mesh([(0.0, 0, 0), (1.0, 0, 0)], {"line": [(0, 1)]})
    with pytest.raises(ValueError, match="no surface"):
        pl.Springs(line, stiffness=1.0).push(wind=(1, 0, 0))


def drag_energy(one_sided, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (5, 3))
    points = np.array([0, 1, 2, 2, 3, 4, 4])
    normals = rng.standard_normal((7, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    energy = PointDrag(x, points, wind_kernels, one_sided=one_sided)
    before = x + 0.1 * rng.uniform(-1, 1, x.shape)
    energy.aim(normals, rng.uniform(0.1, 2.0, (7, 2)), rng.uniform(-3, 3, x.shape), before, 0.05)
    return Assembly(5, 3, [energy]), energy, x, before


@pytest.mark.parametrize("one_sided", [False, True])
def test_the_energy_of_resistance_obeys_the_laws(one_sided):
    """Derivatives; nothing to lose and no force where the body stands still; convex."""
    assembly, energy, x, before = drag_energy(one_sided)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Differences at h = 1e-6: rounding 1e-16/h, and truncation h times the third derivative c/span^2.
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-5 * np.abs(H).max()
    assert assembly.value(before) == 0.0 and np.abs(assembly.gradient(before)).max() == 0.0
    assert assembly.value(x) > 0.0
    assert np.linalg.eigvalsh(H).min() >= -1e-12 * np.abs(H).max()
    np.testing.assert_array_equal(H, dense(assembly, x, project=True))


@pytest.mark.parametrize("one_sided", [False, True])
def test_the_energy_is_the_force_of_explicit_steps(one_sided):
    """-dW/dx at x = before + span v is the resistance at v."""
    mesh, rng = (pl.meshes.box() if one_sided else sheet(cells=(3, 3))), np.random.default_rng(1)
    x = mesh.points + 0.05 * rng.uniform(-1, 1, mesh.points.shape)
    v = rng.uniform(-5, 5, x.shape)
    body = pl.Body(mesh, pl.Linear(young=1.0, poisson=0.3)) if one_sided else cloth(mesh)
    load = body.push(wind=pl.Wind((4, -2, 3), friction=0.3))
    energy = load.dissipation(x, x - 0.02 * v, 0.02, 0.0, device="cpu")
    found = -Assembly(len(x), 3, [energy]).gradient(x)
    expected = load.resistance(x, v, 0.0)
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(found, expected, atol=1e-11 * np.abs(expected).max())
    slope = load.slope(x, v, 0.0)
    h = 1e-6
    for i in range(3):  # -d resistance/dv
        ahead, back = (load.resistance(x, v + s * h * np.eye(3)[i], 0.0) for s in (1, -1))
        np.testing.assert_allclose(-(ahead - back) / (2 * h), slope[:, :, i], atol=1e-6)


def test_a_flag_that_flutters_has_no_rest_shape_and_that_is_known_soon(monkeypatch):
    """Load and shape never agree; 300 rounds of it took `pliant check` 15 s for 12 points."""
    flag = pl.Cloth(
        sheet(size=(1.5, 0.9), cells=(3, 2), axis=2),
        stretch=3000, shear=300, bend=1e-4, density=0.12,
    )  # fmt: skip
    flag.fix(flag.mesh.points[:, 0] < 0.01)
    rounds = []

    def breeze(points, time):
        rounds.append(time)
        return np.full_like(points, 1.0) * (9.0, 0.0, 2.0)

    flag.push(wind=pl.Wind(breeze))
    with pytest.raises(pl.SolverError, match="did not agree"):
        pl.Scene([flag], gravity=(0, -9.81, 0)).equilibrium()
    assert 50 < len(rounds) < 200


def rested_in_wind(young, bounces):
    """When a beam in a strong wind rests that wishes for one second, and whether strains led it."""
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    material = pl.StableNeoHookean(young=young, poisson=0.35)
    body = pl.Body(mesh, material, damping=pl.Settle(1.0, bounces))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.02 * mesh.points[:, :1] ** 2 * [0, 1, 0.5])
    body.push(wind=(20.0, 0.0, 30.0))
    take = pl.Scene([body], gravity=(0, -0.2, 0), contact=False).run(seconds=1.2, dt=1 / 60)
    return take.rest_time(), body.state.control.strains is not None


@pytest.mark.parametrize("bounces", [None, 0])
def test_wind_that_bends_little_leaves_the_law_to_strains(bounces):
    time, strains = rested_in_wind(2e7, bounces)
    assert strains
    # What the stiffness of the wind is not counted for: its share of the work, at most STIFFLESS.
    assert time == pytest.approx(1.0, abs=1e-3)
    time, strains = rested_in_wind(1e5, bounces)
    assert not strains  # they would rest 11 % early with bounces=0
    assert time == pytest.approx(1.0, abs=2e-3)


def test_forces_are_those_at_the_numbers_given():
    """They are kept for the last positions, which a caller may write to, and for the last wind."""
    body = pl.Body(pl.meshes.box((1, 2, 3), (2, 2, 2)), pl.Linear(young=1e5, poisson=0.3))
    load = body.push(wind=lambda t: (3.0 + t, 1.0, 0.0))
    x = np.array(body.positions)
    first = load.forces(x, 0.0)
    assert load.forces(x.copy(), 0.0) is first
    stronger = load.forces(x, 1.0)
    assert np.abs(stronger - first).max() > 0.1 * np.abs(first).max()
    x *= 2.0  # four times the area
    np.testing.assert_allclose(load.forces(x, 0.0), 4.0 * first, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(load.forces(0.5 * x, 0.0), first)
