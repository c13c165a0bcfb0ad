"""Symbols of clingo -> terms, each turned into one once, when it is asked for; and the order of terms.

A game may have hundreds of thousands of moves, and clingo's Python objects cost ten microseconds an atom in every
call. Symbols are unique in clingo (equal symbols are the same number, as long as the process lives), so lists of
numbers are all that is needed to match ``legal`` with ``does`` and ``next`` with ``true``.
"""

from __future__ import annotations

import re

from ludisect.gdl.terms import Term, TermOrVariable
from ludisect.ground.access import Access
from ludisect.ground.encode import Names


class Terms:
    """Symbols -> terms, each made once."""

    def __init__(self, names: Names, access: Access) -> None:
        self.names = names
        self.known: dict[int, Term] = {}
        self.access = access

    def term(self, symbol: int) -> Term:
        """The term that a symbol stands for."""
        known = self.known
        stack = [symbol]  # no recursion: terms may be nested deeper than Python's stack
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            below = self.access.arguments(top)
            missing = [s for s in below if s not in known]
            if missing:
                stack += missing
            else:
                known[top] = Term(self.names.spelling[self.access.name(top)], tuple(known[s] for s in below))
                stack.pop()
        return known[symbol]


_DIGITS = re.compile(r"\d+")


def natural_key(text: str) -> str:
    """Sorts texts with their numbers by value: ``(cell 2 1)`` before ``(cell 10 1)``, and numbers before other text."""
    return _DIGITS.sub(_number_key, text)


def _number_key(match: re.Match[str]) -> str:
    digits = str(int(match[0]))
    return f"\x00{chr(len(digits))}{digits}"  # of two numbers the one with more digits is larger


class NaturalOrder:
    """``natural_key`` of the text of terms, put together from the keys of the words in them."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}

    def key(self, term: TermOrVariable) -> str:
        """Equal to ``natural_key(str(term))`` for a ground term."""
        assert isinstance(term, Term)
        word = self.words.get(term.name)
        if word is None:
            word = self.words[term.name] = natural_key(term.name)
        return f"({word} {' '.join([self.key(a) for a in term.args])})" if term.args else word
