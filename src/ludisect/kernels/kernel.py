"""A kernel: a function that runs as machine code where there is some, else as plain Python if quick enough.

    @jit("(int64[::1], int64)")
    def scale(numbers, by): ...

A call is answered by machine code from the store. While there is none, a small call runs the Python function itself, or
its twin in numpy: small calls never wait. A large one waits for the machine code. While that is being made, the clock
of the time limits stands still in both (see ``clock``). Kernels marked ``inner``, or without a signature, are called by
other kernels only; called from Python they run plain.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from types import FunctionType
from typing import Any, cast, overload

import numpy as np

from ludisect import clock
from ludisect.kernels import store, workers
from ludisect.kernels.code import Code, name_of
from ludisect.kernels.identity import found
from ludisect.kernels.kinds import Kind, accept, kind_of, parse, write
from ludisect.kernels.link import CannotLink, link, missing

SMALL = 20_000
"""Entries of all arrays together up to which a call counts as small, unless the kernel knows better."""

mode = os.environ.get("LUDISECT_KERNELS", "auto")
"""``plain``: never machine code; ``compiled``: always; ``auto``: as the head of this module says."""

strict = False
"""Whether a call with arguments that no signature foresees is an error: tests want to know, users want an answer."""


def never(*args: object) -> bool:
    """For kernels whose work the sizes of their arguments do not tell: they always wait for machine code."""
    return False


class Variant(Code):
    """A kernel with one signature: its machine code, once it is there."""

    __slots__ = ("kernel", "kinds", "result")

    def __init__(self, kernel: Kernel, result: str, kinds: tuple[Kind, ...]) -> None:
        super().__init__(kernel.function, result + write(kinds))
        self.kernel, self.result, self.kinds = kernel, result, kinds

    def _make(self) -> tuple[Any, dict[str, Any]]:
        from ludisect.kernels import build

        made = build.compile_one(self.kernel.dispatcher(), self.result, self.kinds)
        return made.entry_point, build.record(made)

    def _take(self, record: dict[str, Any]) -> None:
        try:
            unknown = missing(record["outside"])
            if unknown or not record["linkable"]:
                raise CannotLink(f"{self.name} calls {', '.join(unknown) or 'itself by a way round'}")
            module = sys.modules[self.function.__module__]
            self.entry = link(record, module, self.function.__name__)
        except CannotLink:
            from ludisect.kernels import build

            with clock.stopped():
                home, made = store.folder(), self.kernel.dispatcher()
                if home is not None:
                    build.keep_by_numba(made, home / f"numba-{self.identify()}")
                self.entry = build.compile_one(made, self.result, self.kinds).entry_point


class Kernel:
    """A function with its machine code. ``function`` is what was written, ``plain`` what runs without machine code."""

    def __init__(
        self,
        function: FunctionType,
        signatures: tuple[str, ...] = (),
        *,
        inner: bool = True,
        inline: bool = False,
        twin: Callable[..., Any] | None = None,
        small: Callable[..., bool] | None = None,
    ) -> None:
        self.function, self.inline = function, inline
        self.name = name_of(function)
        self.variants = [Variant(self, *parse(signature)) for signature in signatures]
        self.declared = tuple(self.variants)
        self.inner = inner
        if not inner:
            for variant in self.declared:
                workers.register(variant)
        self._twin, self._small = twin, small
        self._plain: Callable[..., Any] | None = None
        self._dispatcher: Any = None
        self._numba_type: Any = None
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = function

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def __call__(self, *args: Any) -> Any:
        if self.inner:
            if strict and mode != "plain":
                kinds = write([kind_of(arg) for arg in args])
                raise TypeError(f"{self.name} is called from Python with {kinds} and has no signature for that")
            return self.plain(*args)
        for variant in self.variants:
            if accept(variant.kinds, args):
                if variant.entry is not None:
                    return variant.entry(*args)
                return self._call(variant, args)
        return self._unforeseen(args)

    def _call(self, variant: Variant, args: tuple[Any, ...]) -> Any:
        if mode == "plain":
            return self.plain(*args)
        if not variant.load():
            if mode == "auto" and self._is_small(args):
                workers.ask(variant)
                with clock.stopped() if workers.at_work() else nullcontext():  # no limit pays for code that is to come
                    return self.plain(*args)
            variant.obtain()
        assert variant.entry is not None
        return variant.entry(*args)

    def _unforeseen(self, args: tuple[Any, ...]) -> Any:
        if mode == "plain":
            return self.plain(*args)
        kinds = tuple(kind_of(arg) for arg in args)
        if strict or len(kinds) != len(self.variants[0].kinds):
            known = " or ".join(write(v.kinds) for v in self.variants)
            raise TypeError(f"{self.name} is called with {write(kinds)}; it takes {known}")
        self.variants.append(Variant(self, "", kinds))
        return self._call(self.variants[-1], args)

    def _is_small(self, args: tuple[Any, ...]) -> bool:
        if self._small is not None:
            return self._small(*args)
        return sum(arg.size for arg in args if isinstance(arg, np.ndarray)) <= SMALL

    def plain(self, *args: Any) -> Any:
        """Run without machine code: the twin in numpy, or the function itself with everything that it calls plain."""
        if self._plain is None:
            self._plain = self._twin or as_plain(self.function)
        with np.errstate(over="ignore"):  # words wrap around, as in machine code
            return self._plain(*args)

    def dispatcher(self) -> Any:
        """The kernel as numba compiles it."""
        if self._dispatcher is None:
            from ludisect.kernels import build

            self._dispatcher = build.dispatcher(self.function, for_python=not self.inner, inline=self.inline)
            self._numba_type = build.dispatcher_type(self._dispatcher)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba sees where another kernel calls this one: its signatures and no others, if it has any."""
        made = self.dispatcher()
        if self.declared and not made.is_compiling and made._can_compile:
            from ludisect.kernels import build

            for variant in self.declared:
                build.compile_one(made, variant.result, variant.kinds)
            made.disable_compile()
        return self._numba_type


class Operation:
    """A few machine instructions that kernels use by name, written for LLVM in the module ``home``.

    ``plain`` does the same in Python.
    """

    def __init__(self, home: str, plain: Callable[..., Any]) -> None:
        self.home, self.plain = home, plain
        self.__doc__, self.__name__ = plain.__doc__, plain.__name__

    @property
    def _numba_type_(self) -> Any:
        from importlib import import_module

        from ludisect.kernels import build

        found(self.home)  # or an error that says what may have happened
        return build.operation_type(getattr(import_module(self.home), self.__name__))

    def __call__(self, *args: Any) -> Any:
        return self.plain(*args)


_plain_globals: dict[str, dict[str, Any]] = {}


def as_plain(function: FunctionType) -> Callable[..., Any]:
    """The function with every kernel and operation among its globals replaced by its plain form."""
    home = function.__module__
    if home not in _plain_globals:
        known = _plain_globals[home] = dict(function.__globals__)
        for name, value in function.__globals__.items():
            if isinstance(value, Kernel):
                known[name] = value._twin or as_plain(value.function)
            elif isinstance(value, Operation):
                known[name] = value.plain
    return FunctionType(function.__code__, _plain_globals[home], function.__name__, function.__defaults__)


@overload
def jit(function: Callable[..., Any], /) -> Kernel: ...


@overload
def jit(
    *signatures: str,
    inner: bool = False,
    inline: bool = False,
    twin: Callable[..., Any] | None = None,
    small: Callable[..., bool] | None = None,
) -> Callable[[Callable[..., Any]], Kernel]: ...


def jit(
    *words: Any,
    inner: bool = False,
    inline: bool = False,
    twin: Callable[..., Any] | None = None,
    small: Callable[..., bool] | None = None,
) -> Any:
    """Make a function a kernel (see the module). ``twin`` does the same in numpy, and quicker than plain Python;
    ``small`` says of arguments whether the plain form is quick enough for them. One that is ``inline`` is written into
    each kernel that calls it."""
    if words and callable(words[0]):
        return Kernel(cast(FunctionType, words[0]))
    inner = inner or not words
    return lambda function: Kernel(function, words, inner=inner, inline=inline, twin=twin, small=small)
