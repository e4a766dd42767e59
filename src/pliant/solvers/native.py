# mypy: ignore-errors
# Stubs of native functions are Warp's language, which mypy reads as Python.
"""Kernels of one thread that are written in C++."""

from typing import Any

import warp as wp

OPTIONS = {"enable_backward": False}


def native_kernel(struct: Any, code: str) -> Any:
    """Return the kernel that runs code in which the arrays of a Warp struct are known by their names."""
    names = "".join(f"auto& {name} = all.{name};\n" for name in struct.vars)

    @wp.func_native(names + code)
    def run(all: struct): ...

    @wp.kernel(module="unique", module_options=OPTIONS)
    def native(all: struct):
        run(all)

    return native


def launch_native(kernel: Any, arrays: Any) -> None:
    """Run such a kernel on a struct of arrays of the host."""
    wp.launch(kernel, 1, inputs=[arrays], device="cpu")
