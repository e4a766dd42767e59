"""Memory and files, asked for before they are used.

What would not fit into memory is refused in words before it is allocated, and so is a path that is
no file.
"""

from .disk import require_file
from .memory import memory, require_memory

__all__ = ["memory", "require_file", "require_memory"]
