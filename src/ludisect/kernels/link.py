"""Machine code as a Python function, without importing numba: that alone takes half a second.

numba's compiled functions are object code that calls a few C helpers of numba and of Python. LLVM links it (through
llvmlite), numba's small extension modules are loaded by file to give the helpers' addresses, and numba's own function
object is made of the result. These are numba's private interfaces, so this is done for releases that the tests have run
with only (``FIRST``, ``BEYOND``); for others, and at any surprise, the caller turns to numba itself.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.machinery
import importlib.util
import os
import pickle
import sys
from functools import cache
from types import ModuleType
from typing import Any

from ludisect.kernels.identity import numba_version

FIRST, BEYOND = (0, 61), (0, 69)
"""Releases of numba whose machine code is linked here; the tests have run with the newest of them."""


class CannotLink(Exception):
    """This machine code needs numba; the reason is said."""


def link(record: dict[str, Any], module: ModuleType | None, name: str) -> Any:
    """A function of stored machine code (see ``build``), or the address of one that C calls."""
    helpers = _helpers()
    engine = _engine(record["code"])
    environments, own = [], None
    for symbol, constants in record["environments"].items():
        environment = helpers.dynamic.Environment({"__name__": "ludisect"})
        environment.consts.extend(pickle.loads(constants))
        place = ctypes.c_void_p.from_address(engine.get_global_value_address(symbol))
        place.value = id(environment)
        environments.append(environment)
        if symbol == record["environment"]:
            own = environment
    address = engine.get_function_address(record["entry"])
    if not address:
        raise CannotLink(f"no symbol {record['entry']}")
    if record["callback"]:
        _alive.append((engine, environments))
        return address
    return helpers.dynamic.make_function(
        module or sys.modules[__name__], name, f"machine code of {name}", address, own, (engine, environments)
    )


_alive: list[object] = []  # what C may call must never go


class _Helpers:
    """numba's extension modules, their C functions made known to LLVM."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        version = tuple(int(word) for word in numba_version().split(".")[:2] if word.isdigit())
        if not FIRST <= version < BEYOND:
            raise CannotLink(f"numba {numba_version() or 'of an unknown release'} has not been tried")
        self.dynamic = _extension("numba._dynfunc")
        helper, runtime = _extension("numba._helperlib"), _extension("numba.core.runtime._nrt_python")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.known = {"_Py_NoneStruct": id(None)}
        for functions in (helper.c_helpers, self.dynamic.c_helpers):
            self.known |= {f"numba_{name}": address for name, address in functions.items()}
        self.known |= {
            name if name.startswith("_") else f"NRT_{name}": address for name, address in runtime.c_helpers.items()
        }
        for value in vars(builtins).values():
            if isinstance(value, type) and issubclass(value, BaseException):
                self.known[f"PyExc_{value.__name__}"] = id(value)
        for symbol, address in self.known.items():
            llvm.add_symbol(symbol, address)
        _teach_unpickling(helper.c_helpers["unpickle"])
        self.target = llvm.Target.from_triple(llvm.get_process_triple())
        self.engine()  # the first one makes the symbols of this process known to LLVM

    def engine(self) -> Any:
        """A new linker."""
        import llvmlite.binding as llvm

        reloc = "static" if self.target.name.startswith("x86") else "default"
        machine = self.target.create_target_machine(opt=0, reloc=reloc, codemodel="jitdefault", jit=True)
        return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _helpers() -> _Helpers:
    try:
        return _Helpers()
    except CannotLink:
        raise
    except Exception as error:  # private interfaces: whatever is different, numba itself still works
        raise CannotLink(f"{type(error).__name__}: {error}") from error


def _extension(name: str) -> Any:
    """An extension module of numba, loaded by file: its package stays unimported."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        raise CannotLink("numba has no folder")
    folder = os.path.join(os.path.dirname(spec.origin), *name.split(".")[1:-1])
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = os.path.join(folder, name.rpartition(".")[2] + suffix)
        if os.path.exists(path):
            loader = importlib.machinery.ExtensionFileLoader(name, path)
            module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))  # type: ignore[arg-type]
            loader.exec_module(module)
            return module
    raise CannotLink(f"{name} is not in {folder}")


def _teach_unpickling(address: int) -> None:
    """numba's helper looks up a Python function when it is first called, and remembers it: here it finds ours."""
    if "numba" in sys.modules:
        return
    known: dict[tuple[int, bytes], object] = {}

    def unpickle(address: int, data: bytes, checksum: bytes) -> object:
        key = (address, bytes(checksum))
        if key not in known:
            known[key] = pickle.loads(data)
        return known[key]

    names = ("numba", "numba.core", "numba.core.serialize")
    for name in names:
        sys.modules[name] = ModuleType(name)
    sys.modules[names[-1]]._numba_unpickle = unpickle  # type: ignore[attr-defined]
    try:
        nothing = pickle.dumps(None)
        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
        prototype(address)(nothing, len(nothing), bytes(20))
    finally:
        for name in names:
            del sys.modules[name]


def _engine(code: bytes) -> Any:
    """LLVM's linker with one object file in it; a symbol that it misses would end the process, so look first."""
    import llvmlite.binding as llvm

    engine = _helpers().engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def missing(symbols: list[str]) -> list[str]:
    """Those of the symbols that linking would not find."""
    import llvmlite.binding as llvm

    known = _helpers().known
    return [symbol for symbol in symbols if symbol not in known and not llvm.address_of_symbol(symbol)]
