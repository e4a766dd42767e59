"""Memory and files, asked for before they are used.

What would not fit into memory is refused in words before it is allocated, and so is a path that is
no file. What took long to compute is kept in a folder for caches.
"""

from .cache import cache_folder as cache_folder, find_kept as find_kept, keep as keep
from .disk import require_file as require_file
from .memory import in_bytes as in_bytes, memory as memory, require_memory as require_memory
