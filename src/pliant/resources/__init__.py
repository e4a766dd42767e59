"""Memory and files, asked for before they are used.

What would not fit into memory is refused in words before it is allocated, and so is a path that is
no file.
"""

from .disk import require_file as require_file
from .memory import in_bytes as in_bytes, memory as memory, require_memory as require_memory
