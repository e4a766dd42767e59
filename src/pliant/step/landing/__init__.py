"""One step of bodies that touch and are to rest on cue: they fly, land, hop and settle.

    land(island, stepper, states, loads, time, dt) -> states, report
    fly_on(body, stepper, state, loads, time, dt) -> state, report    of a body far from everything

A `Frame` is the step while it is made. It has parts: a body flies until it touches (`flight`), an
impact takes short parts, and what is left of the step belongs to the next stage (`stages`). In each part
all bodies that touch something are one minimisation (`solving`), in which `resting` says where they will
rest and which motions are open, and `schedule` how far they are to go.
"""

from .frame import Frame as Frame
from .making import fly_on as fly_on, land as land
