"""Responses that are computed once and played back: a table of what pushes do to a body.

`Responses.record` pushes a body at random and keeps what follows, `Entries` finds what follows a push
from another state, and a `Player` shows it. No step is taken then. Source: [jamesfatahalian2003].
"""

from .entries import Entries as Entries
from .excite import Excite as Excite
from .player import Player as Player
from .report import ResponsesReport as ResponsesReport
from .table import Responses as Responses
