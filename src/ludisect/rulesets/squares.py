"""The squares of a chess board as numbers (a1 is 0, h8 is 63) and sets of squares as bits of an integer."""

from __future__ import annotations

from collections.abc import Iterator

BOARD = (1 << 64) - 1
A_FILE = 0x0101010101010101
H_FILE = A_FILE << 7
FIRST_RANK = 0xFF
SECOND_RANK = FIRST_RANK << 8
SEVENTH_RANK = FIRST_RANK << 48
LAST_RANK = FIRST_RANK << 56

_FILES = "abcdefgh"


def name_of(s: int) -> str:
    """The name of a square: ``a1``."""
    return f"{_FILES[s & 7]}{(s >> 3) + 1}"


def square(name: str) -> int | None:
    """The square of this name, if it is one."""
    if len(name) != 2 or name[0] not in _FILES or name[1] not in "12345678":
        return None
    return (int(name[1]) - 1) * 8 + _FILES.index(name[0])


def squares_of(squares: int) -> Iterator[int]:
    """The squares of a set, from a1 on."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


def distance(s: int, t: int) -> int:
    """King moves from one square to another."""
    return max(abs((s & 7) - (t & 7)), abs((s >> 3) - (t >> 3)))


def flipped(squares: int) -> int:
    """A set seen from the other side of the board: rank 1 becomes rank 8."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def mirrored(squares: int) -> int:
    """A set with the a-file for the h-file."""
    return sum(1 << (s ^ 7) for s in squares_of(squares))
