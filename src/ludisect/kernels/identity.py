"""What machine code depends on, as one name: the kernel, everything it calls, and the machine it is for.

Code is compared by its instructions and constants, so a comment changes nothing, and a changed function that a kernel
takes from another module changes the kernel's name: old machine code is then not found, never run.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib import invalidate_caches
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

FORMAT = 1
"""Of the files in the store."""


@cache
def machine() -> str:
    """Processor, Python, LLVM and numba, as one string."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    version = ".".join(map(str, llvm.llvm_version_info))
    words = (FORMAT, platform.machine(), sys.platform, sys.hexversion, np.__version__.split(".")[0], numba_version())
    return repr((*words, llvmlite.__version__, version, llvm.get_host_cpu_name(), features))


@cache
def numba_version() -> str:
    """Read from numba's files: importing it takes half a second. Empty where it cannot be found so."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return ""
    try:
        text = Path(spec.origin).with_name("_version.py").read_text(encoding="utf-8")
    except OSError:
        return ""
    line = next((line for line in text.splitlines() if '"version":' in line), "")
    return line.partition(":")[2].strip(' ",')


def fingerprint(function: FunctionType, signature: str) -> str:
    """A name for the machine code of a function with these kinds of arguments on this machine."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{machine()} {signature}".encode())
    for text in _described(function, set()):
        digest.update(text.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()


def _described(function: FunctionType, seen: set[object]) -> list[str]:
    """Instructions and constants of a function, and of everything of ours that it calls."""
    if function in seen:
        return [f"again {function.__qualname__}"]
    seen.add(function)
    out = [function.__qualname__, repr(function.__defaults__)]
    for code in _codes(function.__code__):
        constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
        out += [code.co_code.hex(), repr(constants[1:] if _documented(code) else constants), repr(code.co_varnames)]
        for name in code.co_names:
            out.append(name)
            if name in function.__globals__:
                value = function.__globals__[name]
                attributes = code.co_names if isinstance(value, ModuleType) else ()
                out += _value(value, seen, attributes)
    return out


def _codes(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return [code, *(each for c in inner for each in _codes(c))]


def _documented(code: CodeType) -> bool:
    return bool(code.co_consts) and isinstance(code.co_consts[0], str)


def _value(value: Any, seen: set[object], attributes: tuple[str, ...]) -> list[str]:
    """What a global of a kernel is, as text."""
    inner = getattr(value, "function", None)
    if isinstance(inner, FunctionType):  # another kernel
        return ["inline"] * bool(getattr(value, "inline", False)) + _described(inner, seen)
    home = getattr(value, "home", None)
    if isinstance(home, str):  # an operation that is written in LLVM's language
        return [_source(home)]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), repr(value.shape), value.tobytes().hex()]
    if isinstance(value, ModuleType):
        ours = value.__name__.startswith("ludisect.")
        used = [name for name in attributes if hasattr(value, name)] if ours else []
        return [value.__name__, *(text for name in used for text in _value(getattr(value, name), seen, ()))]
    if isinstance(value, (type, FunctionType, BuiltinFunctionType, np.ufunc)):
        return [getattr(value, "__module__", "") or "", value.__name__]
    return [repr(value)]


@cache
def _source(module: str) -> str:
    """The text of a module, which need not be imported for that."""
    return Path(found(module).origin or "").read_text(encoding="utf-8", errors="replace")


def found(module: str) -> ModuleSpec:
    """Where a module is; it is looked for once more where the importer says that there is none.

    The importer remembers what it saw in a folder for as long as the folder looks unchanged. If files were replaced at
    that moment (a checkout, an upgrade), the module is gone for the rest of the process, and for those forked from it.
    """
    spec = find_spec(module)
    if spec is None:
        invalidate_caches()
        spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{module} is not there: have its files been moved since the start?", name=module)
    return spec
