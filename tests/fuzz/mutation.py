"""Changes of trees (what JSON and TOML hold) and of bytes, a few at a time."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import nasty

Path = tuple[Any, ...]


def paths(tree: Any, at: Path = ()) -> Iterator[Path]:
    """Where the values of a tree are, tables and lists included."""
    inside = (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    )
    for key, value in inside:
        yield (*at, key)
        yield from paths(value, (*at, key))


def get(tree: Any, path: Path) -> Any:
    """The value at a path."""
    for key in path:
        tree = tree[key]
    return tree


def change_tree(
    rng: random.Random, tree: Any, fresh: Callable[[Path, Any], Any] | None = None
) -> tuple[Any, list[str]]:
    """A copy of a tree with one to three changes, and what they were.

    fresh: makes another value for a path, knowing what stands there.
    """
    tree, did = copy.deepcopy(tree), []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        everywhere = list(paths(tree))
        if not everywhere:
            break
        path = rng.choice(everywhere)
        did.append(_change(rng, tree, path, everywhere, fresh))
    return tree, did


def scale_numbers(rng: random.Random, tree: Any, but: Sequence[str]) -> tuple[Any, list[str]]:
    """A copy of a tree with some numbers larger or smaller, except below the keys `but`."""
    tree, did = copy.deepcopy(tree), []
    numbers = [
        path for path in paths(tree)
        if type(get(tree, path)) in (int, float) and not set(but) & set(path)
    ]  # fmt: skip
    for path in rng.sample(numbers, min(len(numbers), rng.choice((1, 2, 4)))):
        get(tree, path[:-1])[path[-1]] = found = _scaled(rng, get(tree, path))
        did.append(f"{'.'.join(map(str, path))} = {found:.3g}")
    return tree, did


def _change(
    rng: random.Random, tree: Any, path: Path, everywhere: list[Path],
    fresh: Callable[[Path, Any], Any] | None,
) -> str:  # fmt: skip
    around, key = get(tree, path[:-1]), path[-1]
    dotted = ".".join(map(str, path))
    kind = rng.random()
    if kind < 0.12:
        del around[key]
        return f"delete {dotted}"
    if kind < 0.2:
        other = rng.choice(everywhere)
        around[key] = copy.deepcopy(get(tree, other))
        return f"{dotted} = {'.'.join(map(str, other))}"
    if kind < 0.27:
        _put(rng, around, copy.deepcopy(around[key]))
        return f"repeat {dotted}"
    if kind < 0.33 and isinstance(around, dict):
        new = nasty.text(rng) if rng.random() < 0.5 else str(key)[:-1]
        around[new] = around.pop(key)
        return f"rename {dotted} to {new!r:.60}"
    if kind < 0.45:
        around[key] = _another_type(rng, around[key])
    elif kind < 0.65 and fresh is not None:
        around[key] = fresh(path, around[key])
    elif isinstance(around[key], (int, float)) and kind < 0.9:
        around[key] = _scaled(rng, around[key]) if rng.random() < 0.5 else nasty.number(rng)
    else:
        around[key] = nasty.value(rng)
    return f"{dotted} = {around[key]!r:.80}"


def _scaled(rng: random.Random, number: float) -> float:
    """A number some orders larger or smaller: most are allowed, and reach the solver."""
    return number * 10.0 ** rng.uniform(-3, 3) if abs(number) < 1e300 else -number


def _put(rng: random.Random, around: Any, value: Any) -> None:
    if isinstance(around, list):
        around.insert(rng.randrange(len(around) + 1), value)
    else:
        around[nasty.text(rng)] = value


def _another_type(rng: random.Random, value: Any) -> Any:
    ways: list[Callable[[], Any]] = [
        lambda: [value], lambda: {"x": value}, lambda: str(value)[:200], lambda: [value] * 4,
        lambda: None, lambda: True, lambda: [], lambda: {}, lambda: "", lambda: 1.5,
    ]  # fmt: skip
    if isinstance(value, list):
        ways += [lambda: value[:-1], lambda: value + value, lambda: value[::-1]]
        ways += [lambda: {str(i): v for i, v in enumerate(value)}]
    if isinstance(value, (int, float)):
        ways += [
            lambda: -value,
            lambda: value * 1000,
            lambda: value // 3,
            lambda: _scaled(rng, value),
        ]
    return rng.choice(ways)()


def change_bytes(rng: random.Random, data: bytes) -> tuple[bytes, str]:
    """Bytes cut, flipped, repeated, moved or mixed with others; and what was done."""
    found = bytearray(data)
    size = max(1, len(found))
    a = rng.randrange(size)
    b = min(len(found), a + rng.choice((1, 2, 4, 8, 64, 512)))
    ways: dict[str, Callable[[], object]] = {
        "cut": lambda: found.__delitem__(slice(a, None)),
        "cut near the end": lambda: found.__delitem__(slice(max(0, len(found) - rng.randrange(1,
        9)), None)),
        "delete": lambda: found.__delitem__(slice(a, b)),
        "zero": lambda: found.__setitem__(slice(a, b), bytes(b - a)),
        "ones": lambda: found.__setitem__(slice(a, b), b"\xff" * (b - a)),
        "random": lambda: found.__setitem__(slice(a, b), rng.randbytes(b - a)),
        "repeat": lambda: found.__setitem__(slice(a, a), bytes(found[a:b]) * rng.choice((1, 2,
        50))),
        "move": lambda: found.extend(bytes(found[a:b])),
        "junk before": lambda: found.__setitem__(slice(0, 0), rng.choice((b"\xef\xbb\xbf", b"\0",
        b"\xff\xfe", b"# "))),
        "text": lambda: found.__setitem__(slice(a, b), nasty.text(rng).encode("utf-8", "replace")),
        "empty": found.clear,
        "a bit": lambda: _flip(rng, found, a),
    }  # fmt: skip
    how = rng.choice(sorted(ways))
    ways[how]()
    return bytes(found), f"{how} at {a}"


def _flip(rng: random.Random, found: bytearray, at: int) -> None:
    if found:
        found[at] ^= 1 << rng.randrange(8)


def change_lines(rng: random.Random, text: str) -> tuple[str, str]:
    """Lines dropped, repeated or swapped, and numbers and words in them replaced."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return nasty.text(rng), "an empty text filled"
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.choice(("drop", "repeat", "swap", "word", "word", "number", "number", "many"))
    if how == "drop":
        del lines[i]
    elif how == "repeat":
        lines.insert(j, lines[i])
    elif how == "swap":
        lines[i], lines[j] = lines[j], lines[i]
    elif how == "many":
        lines[i:i] = [lines[i]] * 2000
    else:
        words = lines[i].split(" ")
        k = rng.randrange(len(words))
        end = "\n" if words[k].endswith("\n") else ""
        words[k] = (nasty.text(rng) if how == "word" else repr(nasty.number(rng))) + end
        lines[i] = " ".join(words)
    return "".join(lines), f"{how} line {i + 1}"
