"""Values that no parameter is made for, and what an answer to them must be."""

import traceback
import warnings
from fractions import Fraction

import numpy as np

import pliant as pl

HUGE = 10**400  # no float, and too long for a message

VALUES = {
    "10**400": HUGE,
    "-10**400": -HUGE,
    "5000 digits": 10**5000,
    "nan": float("nan"),
    "inf": float("inf"),
    "1e308": 1e308,
    "1e-320": 1e-320,
    "-0.0": -0.0,
    "-1": -1,
    "True": True,
    "text": "text",
    "no text": "",
    "None": None,
    "[]": [],
    "()": (),
    "dict": {"a": 1},
    "complex": 1j,
    "complex array": np.array([1j, 2j, 3j]),
    "0-d": np.array(2.5),
    "float32": np.float32(0.5),
    "float16": np.float16(0.5),
    "0-d of None": np.array(None, dtype=object),
    "objects": np.array([HUGE, None], dtype=object),
    "bytes": b"abc",
    "texts": np.array(["a", "b"]),
    "huge index": [10**12],
    "huge unsigned": np.array([2**64 - 1], dtype=np.uint64),
    "three of 10**400": (HUGE,) * 3,
    "three of nan": [float("nan")] * 3,
    "three of 1e308": (1e308,) * 3,
    "three of None": (None,) * 3,
    "(3e200, 3, 3)": (3e200, 3, 3),
    "two of 1e308": (1e308, 1e308),
    "keys without end": ([0, HUGE], [1, 2]),
    "ragged": [[1, 2], [3]],
    "deep": np.zeros((1, 1, 1, 1, 1)),
    "fraction": Fraction(HUGE, 3),
    "a third": Fraction(1, 3),
    "long double": np.longdouble(0.4),
    "date": np.datetime64("2020-01-01"),
    "set": {1, 2},
    "object": object(),
}

#: What the documentation promises; KeyError is that of take["name"], OSError of files.
DOCUMENTED = (ValueError, TypeError, KeyError, OSError, pl.SolverError)
#: A message is one line or two, whatever was given.
LONGEST = 500


def objection(call) -> str:
    """What is wrong with the answer to a call; empty if it is done or refused in our words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wrong = _objection(call)
    # "overflow encountered in multiply": numpy's words, for what should have been refused.
    numpys = [w for w in caught if " encountered in " in str(w.message)]
    if numpys and not wrong:
        wrong = f"{numpys[0].message} of {numpys[0].filename}:{numpys[0].lineno}"
    return wrong


def _objection(call) -> str:
    try:
        call()
    except DOCUMENTED as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        ours = "/src/pliant/" in last.filename and (last.line or "").startswith("raise")
        if not ours:
            return f"{type(error).__name__} of {last.filename}:{last.lineno}: {str(error)[:200]}"
        if not 0 < len(str(error)) <= LONGEST:
            return f"a message of {len(str(error))} characters: {str(error)[:200]}"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} of {last.filename}:{last.lineno}: {str(error)[:200]}"
    return ""
