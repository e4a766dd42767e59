"""Bars, the two-node line element: any material, pulled along itself."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.elements import by_name, consistent_mass

YOUNG, POISSON, SECTION = 1e6, 0.35, 0.25
MATERIALS = {
    "Linear": lambda: pl.Linear(young=YOUNG, poisson=POISSON),
    "StVenantKirchhoff": lambda: pl.StVenantKirchhoff(young=YOUNG, poisson=POISSON),
    "Corotated": lambda: pl.Corotated(young=YOUNG, poisson=POISSON),
    "NeoHookean": lambda: pl.NeoHookean(young=YOUNG, poisson=POISSON),
    "StableNeoHookean": lambda: pl.StableNeoHookean(young=YOUNG, poisson=POISSON),
    "FibreReinforced": lambda: pl.FibreReinforced(
        young=YOUNG, poisson=POISSON, fibre=5e5, direction=(1, 0, 0)
    ),
}


def line(points, cells=None) -> pl.Mesh:
    points = np.asarray(points, dtype=float)
    n = np.arange(len(points) - 1)
    return pl.Mesh(points, {"line": np.stack([n, n + 1], axis=1) if cells is None else cells})


def pulled(body: pl.Body, x: np.ndarray) -> np.ndarray:
    """The gradient of its energy at x."""
    vec = wp.vec3d if body.dim == 3 else wp.vec2d
    g = wp.zeros(len(x), dtype=vec)
    (energy,) = body.energies(device="cpu")
    energy.add_gradient(wp.array(x, dtype=vec), g)
    return g.numpy()


@pytest.mark.parametrize("stretch", [0.7, 0.9, 1.1, 1.5])
@pytest.mark.parametrize("material", MATERIALS)
def test_bar_pulls_as_a_block_with_free_sides(material: str, stretch: float) -> None:
    """A hexahedron under the bar's force, its sides free, is as long as the bar."""
    mesh = line([[0, 0, 0], [2, 0, 0]])
    bar = pl.Body(mesh, MATERIALS[material](), section=SECTION)
    force = pulled(bar, mesh.points * [stretch, 1, 1])[1, 0]
    cube = pl.meshes.box((2, 0.5, 0.5), (1, 1, 1), kind="hex")
    block = pl.Body(cube, MATERIALS[material]())
    for end, sign in ((cube.points[:, 0] > 1, 1), (cube.points[:, 0] < 1, -1)):
        block.push(force=(0.25 * sign * force, 0, 0), on=end)  # on each of four points
    x = pl.Scene([block]).equilibrium().positions[0]
    assert np.ptp(x[:, 0]) / 2 == pytest.approx(stretch, rel=1e-9)  # the equilibrium's tolerance


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("material", [m for m in MATERIALS if m != "FibreReinforced"])
def test_derivatives(material: str, dim: int) -> None:
    rng = np.random.default_rng(3)
    mesh = line(np.cumsum(rng.uniform(0.3, 1.0, (6, dim)), axis=0))
    body = pl.Body(mesh, MATERIALS[material](), section=0.01)
    system = body.system()  # no pin: all points are free
    assembly = system.assembly
    x, h = mesh.points + 0.1 * rng.standard_normal(mesh.points.shape), 1e-6
    g, K = assembly.gradient(x), system.stiffness(x).toarray()
    slopes, bends = np.zeros(x.size), np.zeros((x.size, x.size))
    for i in range(x.size):
        d = np.zeros(x.size)
        d[i] = h
        ahead, behind = (x + s * d.reshape(x.shape) for s in (1, -1))
        slopes[i] = (assembly.value(ahead) - assembly.value(behind)) / (2 * h)
        bends[:, i] = (assembly.gradient(ahead) - assembly.gradient(behind)).ravel() / (2 * h)
    # Differences over h err by h^2 and by rounding over h: 1e-9 of the forces, 1e-8 of stiffness.
    assert np.abs(g.ravel() - slopes).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(K - bends).max() <= 1e-6 * np.abs(K).max()
    projected = system.stiffness(x, project=True).toarray()
    assert np.linalg.eigvalsh(projected).min() >= -1e-9 * np.abs(projected).max()


def test_two_bar_truss_sinks_as_statics_say() -> None:
    """Two bars at 45 degrees carry F: each by F/sqrt(2); the joint sinks by F L/(E A)."""
    mesh = line([[-1, 1], [0, 0], [1, 1]])
    truss = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), section=1e-4)
    truss.fix([0, 2])
    truss.push(force=(0, -1e-3), on=[1])
    x = pl.Scene([truss]).equilibrium().positions[0]
    expected = 1e-3 * np.sqrt(2.0) / (YOUNG * 1e-4)
    assert -x[1, 1] == pytest.approx(expected, rel=1e-4)  # it turns by 1e-5


def test_notes_of_a_held_bar_converge_to_its_waves() -> None:
    """Along itself a bar of length L held at one end sounds at (pi/2) c/L, c = sqrt(E/rho)."""
    errors = []
    for n in (8, 16, 32):
        mesh = line(np.stack([np.linspace(0, 2, n + 1), np.zeros(n + 1)], axis=1))
        body = pl.Body(mesh, pl.Corotated(young=YOUNG, poisson=POISSON), section=1e-3)
        body.fix([0])
        K = body.system().stiffness(mesh.points).toarray()[::2, ::2]  # along
        lowest = np.sqrt(np.linalg.eigvalsh(K / np.sqrt(np.outer(*2 * [body.masses[1:]])))[0])
        errors.append(abs(lowest / (0.5 * np.pi * np.sqrt(YOUNG / 1000.0) / 2.0) - 1.0))
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert errors[-1] < 2e-4 and orders == pytest.approx(2.0, abs=0.02)


def test_mass_of_lines_in_space() -> None:
    mesh = line([[0, 0, 0], [3, 4, 0], [3, 4, 2]])
    body = pl.Body(mesh, pl.Corotated(young=YOUNG, poisson=0.3), section=0.01, density=500.0)
    assert body.masses == pytest.approx([12.5, 17.5, 5.0])
    M = consistent_mass(mesh.points, mesh.cells["line2"], by_name("line2"), density=500.0)
    assert M[0] == pytest.approx(500.0 * 5.0 / 6.0 * np.array([[2, 1], [1, 2]]))


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("dt", [1 / 24, 1 / 60])
@pytest.mark.parametrize("material", ["StableNeoHookean", "StVenantKirchhoff"])
def test_a_tower_of_bars_rests_on_cue(material: str, dt: float, bounces: int | None) -> None:
    """Struts on the edges of tetrahedra: joints turn, triangles do not."""
    box = pl.meshes.box((1, 1, 3), (1, 1, 3))
    mesh = pl.Mesh(box.points, {"line": box.edges})
    # Light enough that it stands: bars are strained by 1 % at its foot.
    tower = pl.Body(mesh, MATERIALS[material](), section=1e-3, density=50.0)
    tower.fix(box.points[:, 2] < 1e-9)
    tower.place(box.points + 0.02 * box.points[:, 2:] ** 2 * [1, 0, 0])
    tower.damping = pl.Settle(rest_in=0.8, bounces=bounces)
    take = pl.Scene([tower], gravity=(0, 0, -9.81)).run(seconds=1.0, dt=dt, progress=False)
    found = take.tracks[0].ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_mistakes() -> None:
    soft = pl.StableNeoHookean(young=1e6, poisson=0.3)
    mesh = line([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    with pytest.raises(ValueError, match=r"expected a section \[m\^2\] for lines"):
        pl.Body(mesh, soft)
    with pytest.raises(ValueError, match="section=0.01; expected a section"):
        pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), soft, section=0.01)
    with pytest.raises(ValueError, match="section"):
        pl.Body(mesh, soft, section=-1.0)
    with pytest.raises(ValueError, match="thickness"):
        pl.Body(mesh, soft, section=0.01, thickness=0.1)
    fibres = pl.FibreReinforced(young=1e6, poisson=0.3, fibre=1e6, direction=(1, 0, 0))
    with pytest.raises(ValueError, match="fibres are at 90 degrees to bar 1"):
        pl.Body(mesh, fibres, section=0.01).system()
