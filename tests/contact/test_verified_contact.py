"""Contact in space beside known answers, each ten times with noise of 1e-6 m: nothing ever crosses.

Meshes and times are for two cores. `python -m tests.contact.verification` has those that were asked for.
"""

import pytest

from tests.contact.rows import ROWS


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("row", ROWS)
def test_the_answer_is_the_known_one(row, seed):
    ROWS[row].run(seed, small=True)
