"""Machine code of a kernel, made by numba. Nothing here is imported where the store has it already.

What is kept of a kernel: its object code, the name of its entry, what it calls outside (so that linking can look before
LLVM does, which would end the process), and per environment of numba the constants in it.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

from ludisect.kernels.kinds import Kind

_ENVIRONMENT = "_ZN08NumbaEnv"
_UNRESOLVED = ".numba.unresolved$"


def numba_type(kind: Kind) -> Any:
    """numba's word for a kind."""
    number = types.boolean if kind.dtype.kind == "b" else getattr(types, kind.dtype.name)
    if not kind.ndim:
        return number
    return types.Array(number, kind.ndim, "C" if kind.ordered else "A", readonly=kind.constant)


def dispatcher(function: Any, *, for_python: bool, inline: bool) -> Any:
    """The function as numba compiles it; one that only other kernels call needs no door for Python."""
    options = {"no_cpython_wrapper": not for_python, "no_cfunc_wrapper": True, "forceinline": inline}
    return numba.njit(nogil=True, **options)(function)


def dispatcher_type(made: Any) -> Any:
    """How numba sees a kernel inside another."""
    return types.Dispatcher(made)


def compile_one(made: Any, result: str, kinds: tuple[Kind, ...]) -> Any:
    """numba's result for a kernel and kinds of arguments."""
    arguments = tuple(numba_type(kind) for kind in kinds)
    if arguments not in made.overloads:
        made.compile(eval(result, vars(types).copy())(*arguments) if result else arguments)
    return made.overloads[arguments]


def keep_by_numba(made: Any, folder: Path) -> None:
    """Have numba itself keep what it compiles, in this folder: for releases whose machine code we cannot link."""
    numba.config.CACHE_DIR = str(folder)
    made.enable_caching()


def record(result: Any) -> dict[str, Any]:
    """What the store keeps of numba's result."""
    name = result.target_context.get_env_name(result.fndesc)
    return _record(result.library, result.fndesc.llvm_cpython_wrapper_name, name, callback=False)


def callback(function: Any, signature: Any) -> Any:
    """The function as C calls it, of numba's types."""
    return numba.cfunc(signature, nopython=True)(function)


def callback_record(made: Any) -> dict[str, Any]:
    """What the store keeps of a function that C calls."""
    return _record(made._library, made._wrapper_name, "", callback=True)


def _record(library: Any, entry: str, environment: str, *, callback: bool) -> dict[str, Any]:
    module = library._final_module
    environments = {}
    for variable in module.global_variables:
        if variable.name.startswith(_ENVIRONMENT) and not variable.is_declaration:
            found = lookup_environment(variable.name)
            environments[variable.name] = pickle.dumps([] if found is None else list(found.consts), protocol=5)
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    outside += [v.name for v in module.global_variables if v.is_declaration]
    return {
        "code": library._get_compiled_object(),
        "entry": entry,
        "environment": environment,
        "environments": environments,
        "outside": outside,
        "linkable": not any(name.startswith(_UNRESOLVED) for name in outside),
        "callback": callback,
    }


def operation_type(operation: Any) -> Any:
    """How numba sees an operation inside a kernel."""
    cpu_target.typing_context.refresh()  # its module may have been imported a moment ago
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(operation)
