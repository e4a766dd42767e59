"""Other simulators on the same cantilever, each in an environment of its own: `make bench-peers`."""
