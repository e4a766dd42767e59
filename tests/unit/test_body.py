"""Bodies: what is accepted, what is refused, and what the refusal says."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.beams import SNH, N, beam, refused

# --- construction ---------------------------------------------------------------------------


@pytest.mark.parametrize("density", [-1.0, 0.0, np.nan, np.inf, "heavy", None, np.ones(3)])
def test_impossible_density_is_refused(density):
    given = "an array of shape (3,)" if np.ndim(density) else repr(density)[:6]
    refused(lambda: beam(density=density), f"density={given}", "more than 0 [kg/m^3]")


def test_impossible_thickness_is_refused():
    refused(lambda: beam(thickness=-0.1), "thickness=-0.1", "expected more than 0 [m]")


def test_what_is_no_mesh_or_material_is_refused():
    refused(lambda: pl.Body(3, SNH), "int", "expected pl.Mesh", error=TypeError)
    refused(
        lambda: pl.Body(beam().mesh, pl.Linear), "type", "pl.StableNeoHookean(", error=TypeError
    )


def test_surface_mesh_in_space_is_refused():
    cloth = pl.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]], {"tri": [[0, 1, 2]]})
    refused(lambda: pl.Body(cloth, SNH), "tri3", "3D", "tetrahedra")


@pytest.mark.parametrize("damping", ["strong", pl.Settle, 3.0])
def test_what_is_no_damping_is_refused_everywhere(damping):
    body = beam()
    refused(lambda: setattr(body, "damping", damping), "pl.Settle(", error=TypeError)
    refused(lambda: beam(damping=damping), "pl.Settle(", error=TypeError)


def test_no_damping_means_undamped():
    body = beam(damping=pl.Settle(1.0))
    body.damping = None
    assert isinstance(body.damping, pl.Undamped)


# --- mass -----------------------------------------------------------------------------------


def test_masses_sum_to_density_times_volume_and_can_be_set():
    body = beam(density=700.0, thickness=0.5)
    assert body.masses.sum() == pytest.approx(700.0 * 2 * 0.5 * 0.5, rel=1e-14)
    body.masses = np.arange(1.0, N + 1)
    assert np.array_equal(body.masses, np.arange(1.0, N + 1))
    assert np.array_equal(body.system().masses, body.masses)
    body.masses = 2.0
    assert (body.masses == 2.0).all()
    before = body.masses
    before[:] = 0.0  # a copy: the body is not changed from outside
    assert (body.masses == 2.0).all()


@pytest.mark.parametrize("masses", [-1.0, 0.0, np.nan, [1.0, 2.0]])
def test_impossible_masses_are_refused(masses):
    refused(lambda: setattr(beam(), "masses", masses), "masses", "expected")


# --- pins -----------------------------------------------------------------------------------


def test_fix_by_mask_or_indices_and_release():
    body = beam()
    left = body.mesh.points[:, 0] < 1e-9
    body.fix(left)
    body.fix([7])
    assert set(np.flatnonzero(body.pinned)) == {*np.flatnonzero(left), 7}
    body.release([7])
    assert np.array_equal(body.pinned, left)
    body.release()
    assert not body.pinned.any()


@pytest.mark.parametrize(
    "where, words",
    [
        ([0, 999], ("999", f"0 to {N - 1}")),
        ([-1], ("-1", f"0 to {N - 1}")),
        ([0.5], ("0.5", "mask or indices")),
        (np.ones(3, bool), ("(3,)", f"({N},)")),
        ([], ("mask or indices",)),
        (np.zeros(N, bool), ("no points", "at least one")),
        (None, ("None", "mask or indices")),
    ],
    ids=["too large", "negative", "fraction", "short mask", "empty", "empty mask", "none"],
)
def test_wrong_points_are_refused(where, words):
    body = beam()
    refused(lambda: body.fix(where), "fix", *words)
    refused(lambda: body.move(where, lambda t: np.zeros(2)), "move", *words)
    assert not body.pinned.any()


def test_wholly_fixed_body_is_refused_with_the_way_out():
    body = beam()
    body.fix(np.ones(N, bool))
    refused(lambda: pl.Scene(body).run(seconds=0.1), "all points are fixed", "body.release")


# --- paths ----------------------------------------------------------------------------------


def test_driven_points_follow_functions_and_keys():
    for path in (
        lambda t: np.array([[2.0 + t, 0.5], [2.0 + t, 0.25]]),
        ([0.0, 1.0], [[[2.0, 0.5], [2.0, 0.25]], [[3.0, 0.5], [3.0, 0.25]]]),
    ):
        body = beam(damping=pl.EnergyMinimising(tau=1.0))
        body.fix(body.mesh.points[:, 0] < 1e-9)
        tip = [N - 1, N - 6]  # not in ascending order: the path's rows go with the indices as given
        assert np.allclose(body.mesh.points[tip], [[2, 0.5], [2, 0.25]])
        body.move(tip, path)
        take = pl.Scene(body).run(seconds=0.5, dt=0.1)
        expected = body.mesh.points[tip] + take.times[:, None, None] * [1.0, 0.0]
        # Keys and functions are evaluated at the time of each frame, nothing in between.
        assert np.abs(take.positions[:, tip] - expected).max() <= 1e-12


def test_keys_are_held_before_the_first_and_after_the_last():
    body = beam()
    body.move([0], ([0.1, 0.2], [[[0.0, 1.0]], [[0.0, 2.0]]]))
    heights = [body.pin_positions(t)[0, 1] for t in (0.0, 0.1, 0.15, 0.2, 9.0)]
    assert heights == pytest.approx([1, 1, 1.5, 2, 2], rel=1e-12)


def test_wrong_paths_are_refused():
    body = beam()
    refused(lambda: body.move([0, 1], lambda t: np.zeros((3, 2))), "move", "(3, 2)", "(2, 2)")
    refused(lambda: body.move([0], lambda t: [[np.nan, 0]]), "move", "not finite", "t = 0 s")
    refused(lambda: body.move([0], ([0, 1], np.zeros((3, 1, 2)))), "2 times and 3 keys")
    refused(lambda: body.move([0], ([1, 0], np.zeros((2, 1, 2)))), "increasing")


def test_path_that_turns_bad_later_says_when():
    body = beam()
    body.move([0], lambda t: [[0.0, np.nan if t > 0.05 else 0.0]])
    refused(lambda: pl.Scene(body).run(seconds=0.2, dt=0.02), "move at t = 0.06", "not finite")


def test_second_path_for_a_point_is_refused_until_released():
    body = beam()
    body.move([0, 1], lambda t: body.mesh.points[:2] + [t, 0])
    refused(lambda: body.move([1, 2], lambda t: np.zeros((2, 2))), "[1]", "path", "body.release")
    body.release([0, 1])
    body.move([1], lambda t: [[0.5, t]])
    assert np.array_equal(np.flatnonzero(body.pinned), [1])


def test_release_of_some_keeps_the_paths_of_the_others():
    body = beam()
    body.move([0, 5, 10], lambda t: np.array([[0, t], [0, 2 * t], [0, 3 * t]]))
    body.release([5])
    assert np.array_equal(np.flatnonzero(body.pinned), [0, 10])
    assert body.pin_positions(1.0)[[0, 10], 1] == pytest.approx([1.0, 3.0])


# --- positions and velocities ---------------------------------------------------------------


def test_place_and_velocity_are_checked():
    body = beam()
    refused(lambda: body.place(np.zeros((3, 2))), "place", "(3, 2)", f"({N}, 2)")
    bad = body.mesh.points.copy()
    bad[4] = np.nan
    refused(lambda: body.place(bad), "place", "not finite", "4")
    refused(lambda: setattr(body, "velocity", np.nan), "velocity", "finite")
    refused(lambda: setattr(body, "velocity", np.zeros((3, 2))), "velocity", f"({N}, 2)")
    assert np.array_equal(body.positions, body.mesh.points)
    body.velocity = (1.0, 2.0)
    assert (body.velocity == [1.0, 2.0]).all()


def test_reset_goes_back_to_the_mesh_at_rest():
    body = beam(damping=pl.Settle(0.2))
    body.fix(body.mesh.points[:, 0] < 1e-9)
    scene = pl.Scene(body, gravity=(0, -1))
    first = scene.run(seconds=0.2, dt=0.02)
    body.reset()
    assert np.array_equal(body.positions, body.mesh.points) and not body.velocity.any()
    assert body.pinned.any()  # pins, loads and damping stay
    again = pl.Scene(body, gravity=(0, -1)).run(seconds=0.2, dt=0.02)
    assert np.abs(again.positions - first.positions).max() <= 1e-12


# --- repr, report ---------------------------------------------------------------------------


def test_repr_says_what_it_is():
    assert "15 points" in repr(beam()) and "StableNeoHookean" in repr(beam(name="arm"))
    assert "arm" in repr(beam(name="arm"))


# --- the system -----------------------------------------------------------------------------


@pytest.mark.parametrize("cells", [(4, 2), (60, 16)])  # by a factor, and by multigrid
def test_the_diagonal_of_the_stiffness_is_found_without_the_rest(cells):
    body = pl.Body(pl.meshes.rectangle((2, 0.5), cells), SNH)
    body.fix(body.mesh.points[:, 0] < 1e-9)
    system = body.system()
    x = body.mesh.points * [1.1, 0.95]
    own = system.stiffness_diagonal(x)
    assert own.shape == (system.free.sum(), 2) and (own > 0.0).all()
    # Blocks of pins are left out of one of the sums only: the order of the others is the same.
    np.testing.assert_array_equal(own.ravel(), system.stiffness(x).diagonal())
