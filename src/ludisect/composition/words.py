"""Random words that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludisect.gdl.terms import KEYWORDS


def words(rng: Random) -> Iterator[str]:
    """Pronounceable words without end, no two alike, none of them a keyword."""
    used = set(KEYWORDS)
    while True:
        word = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
        if word not in used:
            used.add(word)
            yield word
