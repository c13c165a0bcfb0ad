"""The numbers of values: how much text is read and written, and how many options are listed."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class ValueLimits(Numbers):
    """What bounds the texts of values. The work of making values is bounded by who asks, with ``budget``."""

    reader_deepest: int = number(
        150, "Braces may be nested this deep: whatever walks a value may recurse", least=1, most=150
    )
    reader_longest: int = number(1000, "Characters of a number with its ups and nimber", least=1)
    writer_longest: int = number(
        20_000_000, "Characters of a value as text, which can be far larger as a tree than in memory", least=1
    )
    atom_options: int = number(100_000, "A nimber with more options than this is not spelled out", least=1)
