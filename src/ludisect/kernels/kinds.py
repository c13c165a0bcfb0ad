"""What a kernel takes: the kinds of its arguments, read from a signature and compared with real arguments.

Signatures are written as numba writes them, ``int64(int32[::1], int64[:, ::1], uint64, boolean)``; the result may be
left out. ``[::1]`` is an array in C order, ``[:]`` one of any layout; ``const`` before an array: it is only read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_NUMBERS = {"boolean": "bool"} | {
    f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
_NUMBERS |= {"float32": "float32", "float64": "float64"}
_SIGNATURE = re.compile(r"(|\w+|\w+\(.*?\))\(([^()]*)\)$")
_COMMA = re.compile(r",(?![^\[]*\])")  # not those inside brackets
_WORD = re.compile(r"(const\s+)?(\w+)(?:\[((?:\s*:\s*,)*\s*:(?::1)?\s*)\])?$")
_TAKEN = ((int, np.integer, np.bool_), (float, int, np.floating, np.integer))
"""What is taken for a whole number, and what for any number."""


@dataclass(frozen=True, slots=True)
class Kind:
    """An array of ``ndim`` dimensions, or a single number where ``ndim`` is 0."""

    dtype: np.dtype[Any]
    ndim: int = 0
    ordered: bool = False
    """Whether the array must be in C order."""
    constant: bool = False
    """Whether the array is only read."""

    def __str__(self) -> str:
        name = "boolean" if self.dtype.kind == "b" else self.dtype.name
        if not self.ndim:
            return name
        axes = [":"] * (self.ndim - 1) + ["::1" if self.ordered else ":"]
        return f"{'const ' * self.constant}{name}[{', '.join(axes)}]"


def parse(signature: str) -> tuple[str, tuple[Kind, ...]]:
    """The result, as it stands, and the kinds of a signature; ValueError says which word is not understood."""
    whole = _SIGNATURE.match(signature.strip())
    if whole is None:
        raise ValueError(f"the arguments of a signature stand in parentheses, and {signature!r} has none at its end")
    kinds = []
    for word in (word.strip() for word in _COMMA.split(whole[2]) if word.strip()):
        match = _WORD.match(word)
        if match is None or match[2] not in _NUMBERS:
            raise ValueError(f"{word!r} in {signature!r} is no kind of argument; right would be int64 or int32[:, ::1]")
        dtype = np.dtype(_NUMBERS[match[2]])
        if match[3] is None:
            kinds.append(Kind(dtype))
        else:
            axes = [axis.strip() for axis in match[3].split(",")]
            kinds.append(Kind(dtype, len(axes), axes[-1] == "::1", match[1] is not None))
    return whole[1], tuple(kinds)


def accept(kinds: Sequence[Kind], values: Sequence[Any]) -> bool:
    """Whether machine code for these kinds may be given the values: it does not look itself.

    This is asked at every call of a kernel, so everything is written out here.
    """
    if len(values) != len(kinds):
        return False
    for kind, value in zip(kinds, values, strict=True):
        if kind.ndim:
            if type(value) is not np.ndarray or value.ndim != kind.ndim:
                return False
            if value.dtype is not kind.dtype and value.dtype != kind.dtype:
                return False
            flags = value.flags
            if (kind.ordered and not flags.c_contiguous) or not (kind.constant or flags.writeable):
                return False
        elif type(value) is not int and not isinstance(value, _TAKEN[kind.dtype.kind == "f"]):
            return False
    return True


def kind_of(value: object) -> Kind:
    """The kind of a real argument; TypeError for what no kernel takes."""
    if isinstance(value, np.ndarray):
        return Kind(value.dtype, value.ndim, bool(value.flags.c_contiguous), not value.flags.writeable)
    if isinstance(value, (bool, np.bool_)):
        return Kind(np.dtype(np.bool_))
    if isinstance(value, np.generic):
        return Kind(value.dtype)
    if isinstance(value, int):
        return Kind(np.dtype(np.int64 if value < 1 << 63 else np.uint64))
    if isinstance(value, float):
        return Kind(np.dtype(np.float64))
    raise TypeError(f"a kernel takes arrays and numbers, not a {type(value).__name__}")


def write(kinds: Sequence[Kind]) -> str:
    """The signature of these kinds."""
    return f"({', '.join(map(str, kinds))})"
