"""Whether an exception is a documented one, and its message ours.

A message is ours if a `raise` statement of pliant made it: not numpy, json, zlib or Python itself.
Messages that repeat such a message are found by its words.
"""

from __future__ import annotations

import dis
import functools
import re
from pathlib import Path
from types import CodeType, FrameType, TracebackType

import pliant
from pliant.errors import MissingExtraError, SolverError

from .verdict import Verdict, finding

HOME = Path(pliant.__file__).parent
DOCUMENTED = (
    ValueError, TypeError, KeyError, IndexError, OSError, SolverError, MissingExtraError,
    MemoryError,
)  # fmt: skip
#: Longer messages are not one line that a person reads.
LONGEST = 4000
#: Words of Python, numpy, json, zlib and meshio that a user of pliant should not meet.
FOREIGN = re.compile(
    r"cannot reshape|Expecting (value|property|',')|out of bounds|(index|string) out of range|"
    r"has no attribute|unpack|could not broadcast|object is not|must be real number|"
    r"unsupported operand|invalid literal|could not convert|setting an array element|inhomogeneous|"
    r"Extra data|codec can't|while decompressing|zero-size array|division by zero|math domain error|"
    r"too large to convert|'NoneType' object|numpy\.|unhashable|maximum recursion|"
    r"argument must be|positional argument|Unable to allocate|null byte|"
    r"not supported between|Invalid control character|Unterminated string|buffer (size|is smaller)|"
    r"Object arrays|allow_pickle|File is not a zip|Bad CRC|cannot cast|Cannot cast|data type .* not|"
    r"encountered in|overflow error|OverflowError|Exceeds the limit"
)
#: Files of foreign formats are meshio's; what it says stands behind our own words.
QUOTED = re.compile(r"(cannot read .* as a \S+ mesh: |cannot write .* cells to )")


def judge(error: BaseException) -> Verdict:
    """The verdict on an exception that reached the user of the Python interface."""
    place, said = where(error), f"{type(error).__name__}: {error}"
    explicit = raised_by_us(error.__traceback__)
    documented = isinstance(error, DOCUMENTED) or (isinstance(error, AttributeError) and explicit)
    if not documented or isinstance(error, RecursionError):
        return finding(f"undocumented {type(error).__name__}", place, said)
    problem = not_ours(error)
    if problem:
        return finding(f"{type(error).__name__}, {problem}", place, said)
    return Verdict("refused", said=said[:300])


def not_ours(error: BaseException) -> str:
    """Why the message of an exception is not ours; empty if it is."""
    text = str(error)
    if isinstance(error, OSError) and error.errno is not None:
        return "" if error.filename is not None else "the file is not named"
    if not raised_by_us(error.__traceback__):
        return "the message is not ours"
    cause = error.__cause__ or error.__context__
    if QUOTED.search(text):
        return ""
    if isinstance(cause, Exception) and str(cause) and str(cause) in text and not_ours(cause):
        return "it repeats a message that is not ours"
    return words_not_ours(text)


def words_not_ours(text: str) -> str:
    """Why these words are not ours; empty if they may be."""
    text = QUOTED.split(text)[0]
    if not text.strip():
        return "the message is empty"
    if len(text) > LONGEST:
        return f"the message is longer than {LONGEST} characters"
    found = FOREIGN.search(text)
    return f"the message speaks of {found[0]!r}" if found else ""


def raised_by_us(trace: TracebackType | None) -> bool:
    """Whether a `raise` statement in pliant made an exception."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not is_ours(trace.tb_frame):
        return False
    return trace.tb_lasti in _raises(trace.tb_frame.f_code)


@functools.lru_cache(maxsize=4096)
def _raises(code: CodeType) -> frozenset[int]:
    return frozenset(i.offset for i in dis.get_instructions(code) if i.opname == "RAISE_VARARGS")


def is_ours(frame: FrameType) -> bool:
    """Whether a frame is in pliant."""
    return Path(frame.f_code.co_filename).is_relative_to(HOME)


def where(error: BaseException) -> str:
    """The innermost place in pliant that an exception went through: `io/chunks.py:get`."""
    place, trace = "", error.__traceback__
    while trace is not None:
        if is_ours(trace.tb_frame):
            place = name_place(trace.tb_frame.f_code.co_filename, trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    return place


def innermost(frame: FrameType | None) -> str:
    """The innermost place in pliant of a running stack."""
    while frame is not None and not is_ours(frame):
        frame = frame.f_back
    return "" if frame is None else name_place(frame.f_code.co_filename, frame.f_code.co_name)


def name_place(file: str, function: str) -> str:
    """A place without its line: lines move."""
    path = Path(file)
    return f"{path.relative_to(HOME).as_posix() if path.is_relative_to(HOME) else path.name}:{function}"
