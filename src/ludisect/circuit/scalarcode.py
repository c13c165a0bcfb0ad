"""The operations of ``scalar`` in LLVM's language, for numba: imported only where kernels are compiled."""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from ludisect.circuit.vectorcode import intrinsic

_I64 = ir.IntType(64)


@intrinsic
def lowest_bit(typing: Any, word: Any) -> Any:
    """The number of the lowest set bit of a word that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64, ir.IntType(1)])
        count = cgutils.get_or_insert_function(builder.module, kind, "llvm.cttz.i64")
        return builder.call(count, [args[0], ir.Constant(ir.IntType(1), 1)])

    return types.int64(word), generate


@intrinsic
def ticks(typing: Any) -> Any:
    """A counter that runs with time; 0 on processors whose counter a program may not read."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if platform.machine().lower() not in ("x86_64", "amd64"):
            return ir.Constant(_I64, 0)
        kind = ir.FunctionType(_I64, [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.readcyclecounter"), [])

    return types.int64(), generate
