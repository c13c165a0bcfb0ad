"""A 512-bit vector, one lane a bit, with the two dozen operations that the kernels need.

In machine code a vector is one register (see ``vectorcode``). Here each operation is said in plain Python, where a
vector is a whole number of 512 bits: this is what runs until the kernels are compiled, and what tests hold the machine
code against. *Planes* are several vectors as one value: the bits of 512 small numbers, bit-sliced, lowest first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.kernels.kernel import Operation

WORDS = 8
LANES = 64 * WORDS

Vector = int
Planes = tuple[int, ...]

_BYTES = 8 * WORDS
_ALL = (1 << LANES) - 1
_WORD = (1 << 64) - 1


def aligned(n_vectors: int) -> NDArray[np.int64]:
    """A zeroed array for that many vectors, on a cache-line boundary as the loads require."""
    raw = np.zeros(n_vectors * WORDS + WORDS, np.int64)
    shift = (-raw.ctypes.data // 8) % WORDS
    return raw[shift : shift + n_vectors * WORDS]


def _operation(plain: Callable[..., Any]) -> Any:
    return Operation("ludisect.circuit.vectorcode", plain)


@_operation
def load(array: NDArray[np.int64], index: int) -> Vector:
    """The vector at ``index`` (counted in vectors) of an int64 array."""
    return int.from_bytes(array[WORDS * index : WORDS * (index + 1)].tobytes(), "little")


@_operation
def store(array: NDArray[np.int64], index: int, vector: Vector) -> None:
    """Write a vector at ``index`` (counted in vectors)."""
    array[WORDS * index : WORDS * (index + 1)] = np.frombuffer(vector.to_bytes(_BYTES, "little"), np.int64)


@_operation
def fetch(array: NDArray[np.int32], index: int) -> int:
    """``array[index]`` of a one-dimensional int32 array."""
    return int(array[index])


@_operation
def load_signed(array: NDArray[np.int64], literal: int) -> Vector:
    """The vector of a literal: node ``literal >> 1``, complemented if the literal is odd."""
    node = int(literal) >> 1
    vector = int.from_bytes(array[WORDS * node : WORDS * (node + 1)].tobytes(), "little")
    return vector ^ _ALL if literal & 1 else vector


@_operation
def zeros() -> Vector:
    """No lane set."""
    return 0


@_operation
def ones() -> Vector:
    """Every lane set."""
    return _ALL


@_operation
def both(a: Vector, b: Vector) -> Vector:
    """a AND b."""
    return a & b


@_operation
def either(a: Vector, b: Vector) -> Vector:
    """a OR b."""
    return a | b


@_operation
def differ(a: Vector, b: Vector) -> Vector:
    """a XOR b."""
    return a ^ b


@_operation
def without(a: Vector, b: Vector) -> Vector:
    """a AND NOT b."""
    return a & ~b


@_operation
def select(mask: Vector, a: Vector, b: Vector) -> Vector:
    """a in the lanes of ``mask``, b elsewhere."""
    return (a & mask) | (b & ~mask)


@_operation
def any_lane(a: Vector) -> bool:
    """Whether some lane is set."""
    return a != 0


@_operation
def add_population(total: Vector, a: Vector) -> Vector:
    """``total`` plus the number of lanes set, word by word."""
    counts = [(t + w.bit_count()) & _WORD for t, w in zip(_words(total), _words(a), strict=True)]
    return sum(count << (64 * i) for i, count in enumerate(counts))


@_operation
def sum_words(a: Vector) -> int:
    """The sum of the 64-bit words, as a signed word."""
    total = sum(_words(a)) & _WORD
    return total - (total >> 63 << 64)


def _words(vector: Vector) -> list[int]:
    return [(vector >> (64 * i)) & _WORD for i in range(WORDS)]


def _zero_in(count: int) -> Any:
    def planes() -> Planes:
        return (0,) * count

    planes.__name__, planes.__doc__ = f"planes{count}", f"Zero in every lane, in {count} planes."
    return _operation(planes)


planes4, planes6, planes8, planes12, planes20 = map(_zero_in, (4, 6, 8, 12, 20))


def _plane(at: int) -> Any:
    def plane(planes: Planes) -> Vector:
        return planes[at]

    plane.__name__, plane.__doc__ = f"plane{at}", f"Plane {at}."
    return _operation(plane)


plane0, plane1, plane2, plane3 = map(_plane, range(4))


@_operation
def take_bit(planes: Planes, bits: Vector) -> tuple[Planes, Vector]:
    """Subtract 1 in the lanes of a mask; (planes, lanes that fell below zero)."""
    return _subtract(planes, (bits,))


@_operation
def count_eight(planes: Planes, *bits: Vector) -> Planes:
    """Add eight masks to the numbers in the planes."""
    for mask in bits:
        planes, _ = _add(planes, (mask,))
    return planes


@_operation
def add_nibble(planes: Planes, a: Vector, b: Vector, c: Vector, d: Vector) -> tuple[Planes, Vector]:
    """Add a 4-bit number to the planes; (planes, carry out)."""
    return _add(planes, (a, b, c, d))


@_operation
def take_nibble(planes: Planes, a: Vector, b: Vector, c: Vector, d: Vector) -> tuple[Planes, Vector]:
    """Subtract a 4-bit number from the planes; (planes, borrow out)."""
    return _subtract(planes, (a, b, c, d))


def _add(planes: Planes, number: Planes) -> tuple[Planes, Vector]:
    out, carry = [], 0
    for i, p in enumerate(planes):
        q = number[i] if i < len(number) else 0
        out.append(p ^ q ^ carry)
        carry = (p & q) | (carry & (p | q))
    return tuple(out), carry


def _subtract(planes: Planes, number: Planes) -> tuple[Planes, Vector]:
    out, borrow = [], 0
    for i, p in enumerate(planes):
        q = number[i] if i < len(number) else 0
        out.append(p ^ q ^ borrow)
        borrow = (q & borrow) | (~p & (q | borrow))
    return tuple(out), borrow & _ALL


@_operation
def smear_down(planes: Planes) -> Planes:
    """Each number with every bit below its highest bit set as well: the mask of the bits a draw needs."""
    out, above = [], 0
    for p in reversed(planes):
        above |= p
        out.append(above)
    return tuple(reversed(out))


@_operation
def exceeds(planes: Planes, bound: Planes) -> Vector:
    """Lanes whose number is larger than the one in ``bound``."""
    return _subtract(bound, planes)[1]


@_operation
def select_planes(mask: Vector, a: Planes, b: Planes) -> Planes:
    """The numbers of ``a`` in the lanes of ``mask``, those of ``b`` elsewhere."""
    return tuple((x & mask) | (y & ~mask) for x, y in zip(a, b, strict=True))


@_operation
def random_planes(mask: Planes, array: NDArray[np.int64], index: int) -> Planes:
    """Random numbers below the bits of ``mask``; the xoshiro256++ state is at vectors index..index+3 of ``array``.

    The period of each of the eight 64-bit generators is 2^256 - 1. Planes of the mask that no lane needs are skipped.
    """
    state = array[WORDS * index : WORDS * (index + 4)].view(np.uint64).reshape(4, WORDS)
    out = []
    for wanted in mask:
        if not wanted:
            out.append(0)
            continue
        s0, s1, s2, s3 = state.copy()
        mixed = _rotated(s0 + s3, 23) + s0
        t = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        state[:] = s0, s1, s2, _rotated(s3, 45)
        out.append(int.from_bytes(mixed.tobytes(), "little") & wanted)
    return tuple(out)


def _rotated(words: NDArray[np.uint64], by: int) -> NDArray[np.uint64]:
    return (words << np.uint64(by)) | (words >> np.uint64(64 - by))
