"""Where values stand in a TOML text, and changing one of them."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from pliant.scenefile.edits import parse_value, set_value
from pliant.scenefile.places import find_lines
from pliant.scenefile.reading import parse_toml
from pliant.scenefile.toml_text import dumps, value_text

NASTY = r'''# a comment with = and [brackets]
title = "with # and \" and = in it"
'quoted key'.inner = 1
"esc\u0061ped" = 2

[run]   # [not.a.table]
dt = 0.1 # = 3
spread = [
  1, # one
  [2, 3], { deep = { er = [
    4,
  ] } },
]
text = """
[not.a.table]
dt = 5
ends in quotes"""""
raw = QQQ
[neither]\QQQ
when = 1979-05-27 07:32:00
[ body . "my beam" . 'mesh' ]
box.size = [4, 1, 1]
box . cells = [1,
2,
3]
[body.other]
settle={rest_in=1.0,bounces=2}
[[body.other.push]]
force = [1, 2, 3]
[[body.other.push]]
on = "x < 1"
[body.other.push.deep]
a.b = true
'''.replace("QQQ", 3 * "'")
LINES = {
    ("title",): 2,
    ("quoted key", "inner"): 3,
    ("escaped",): 4,
    ("run",): 6,
    ("run", "dt"): 7,
    ("run", "spread"): 8,
    ("run", "spread", 0): 9,
    ("run", "spread", 1, 1): 10,
    ("run", "spread", 2, "deep", "er"): 10,
    ("run", "spread", 2, "deep", "er", 0): 11,
    ("run", "text"): 14,
    ("run", "raw"): 18,
    ("run", "when"): 20,
    ("body", "my beam", "mesh"): 21,
    ("body", "my beam", "mesh", "box"): 22,
    ("body", "my beam", "mesh", "box", "size", 2): 22,
    ("body", "my beam", "mesh", "box", "cells", 2): 25,
    ("body", "other", "settle", "bounces"): 27,
    ("body", "other", "push", 0, "force"): 29,
    ("body", "other", "push", 1): 30,
    ("body", "other", "push", 1, "on"): 31,
    ("body", "other", "push", 1, "deep", "a", "b"): 33,
}


def paths(data, above=()):
    """Every path in the data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for step, inner in items:
        yield (*above, step)
        if isinstance(inner, (dict, list)):
            yield from paths(inner, (*above, step))


def at(data, path):
    for step in path:
        data = data[step]
    return data


@pytest.mark.parametrize("path", LINES, ids=lambda p: ".".join(map(str, p)))
def test_lines_of_a_nasty_file(path):
    assert find_lines(NASTY)[path] == LINES[path]


def test_every_value_of_a_nasty_file_has_its_line():
    lines, data = find_lines(NASTY), parse_toml(NASTY)
    assert set(lines) == set(paths(data))
    rows = NASTY.splitlines()
    for path, line in lines.items():
        if isinstance(path[-1], str) and path[-1].isalpha() and path[-1] != "escaped":
            assert path[-1] in rows[line - 1]


@pytest.mark.parametrize("path", [p for p in LINES if p != ("run",)], ids=str)
def test_one_value_is_changed_and_the_rest_is_kept(path):
    changed = set_value(NASTY, path, "new")
    assert at(parse_toml(changed), path) == "new"
    if path != ("body", "other", "push", 1):  # which no longer is a table of an array of tables
        assert "# a comment with" in changed and "# = 3" in changed


def test_windows_line_ends():
    text = NASTY.replace("\n", "\r\n")
    assert {p: line for p, line in find_lines(text).items() if p in LINES} == LINES


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("[a]\nb = 1 # why\n", ("a", "b"), "[a]\nb = 2 # why\n"),
        ("[a] # here\nb = 1\n", ("a", "c"), "[a] # here\nb = 1\nc = 2\n"),
        ("a = { b = 1 }\n", ("a", "c"), "a = { b = 1, c = 2 }\n"),
        ("a = {}\n", ("a", "c"), "a = {c = 2}\n"),
        ("[a]\nx = 1\n", ("a", "b", "c"), "[a]\nx = 1\n\n[a.b]\nc = 2\n"),
        ("a.b = 1\n", ("a", "c"), "a.b = 1\na.c = 2\n"),
        ("", ("run", "dt"), "[run]\ndt = 2\n"),
        ("[a]", ("a", "c"), "[a]\nc = 2\n"),
        ("[a]\nb = 1", ("a", "c"), "[a]\nb = 1\nc = 2\n"),
        ("[a]\nb = 1\n\n# of d\n[d]\n", ("a", "c"), "[a]\nb = 1\nc = 2\n\n# of d\n[d]\n"),
        ("[a.b]\n[c]\n[a.d]\n", ("a", "b", "x"), "[a.b]\nx = 2\n[c]\n[a.d]\n"),
        ("a = [\n  1, # one\n  3,\n]\n", ("a", 0), "a = [\n  2, # one\n  3,\n]\n"),
        ("[[a]]\n[[a]]\nb = 1 # why\n", ("a", 1, "b"), "[[a]]\n[[a]]\nb = 2 # why\n"),
    ],
)
def test_edits(text, path, expected):
    assert set_value(text, path, 2) == expected


def test_a_layout_that_cannot_be_edited_is_written_anew():
    text = "[a.b.c]\nd = 1\n"
    assert parse_toml(set_value(text, ("a", "b", "e"), 2)) == {"a": {"b": {"c": {"d": 1}, "e": 2}}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2", 1.2),
        ("3", 3),
        ("true", True),
        ("cpu", "cpu"),
        ('"x < 1"', "x < 1"),
        ("x < 1", "x < 1"),
        ("[1, 2]", [1, 2]),
        ("{ box = [1] }", {"box": [1]}),
        ("1\nother = 2", "1\nother = 2"),
    ],
)
def test_values_of_overrides(text, expected):
    assert parse_value(text) == expected


NAMES = st.text(min_size=1, max_size=8)
LEAVES = (
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(max_size=12).filter(lambda s: "\r" not in s)
)
DATA = st.dictionaries(
    NAMES,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


def storable(data):
    """TOML holds no surrogates, and no line ends but its own."""
    try:
        str(data).encode()
    except UnicodeEncodeError:
        return False
    return True


@settings(deadline=None, max_examples=150)
@given(DATA.filter(storable))
def test_what_is_written_is_what_is_read_and_every_place_is_found(data):
    text = dumps(data)
    assert parse_toml(text) == data
    assert set(find_lines(text)) == set(paths(data))


@settings(deadline=None, max_examples=150)
@given(DATA.filter(storable), st.data())
def test_any_change_of_any_value_comes_out_as_asked(data, draw):
    text = dumps(data)
    known = [p for p in paths(data)] or [("new",)]
    path = draw.draw(st.sampled_from(known))
    assert at(parse_toml(set_value(text, path, 7)), path) == 7


def test_values_on_one_line():
    assert (
        value_text({"a": [1, 2.5, True], "b c": "x\ny"}) == '{a = [1, 2.5, true], "b c" = "x\\ny"}'
    )
