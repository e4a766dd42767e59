"""Random scenes, with obstacles that move and bodies that rest on cue: nothing crosses, or it says."""

import pytest

from tests.contact.random_scenes import run

#: What a run may end with: a start that was random, and obstacles that leave no room.
KNOWN = ("intersect at the start", "cannot get out of its way", "Try a smaller dt")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_nothing_crosses_or_an_error_tells_why(seed):
    ended = run(seed)
    assert not ended.crossed
    assert not ended.said or any(words in ended.said for words in KNOWN)
