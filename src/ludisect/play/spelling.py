"""How a manager spells a game: as the rules do, in capitals, or with every name replaced by another word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from ludisect.errors import RulesSyntaxError
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import KEYWORDS, TOKEN, Rules, Term

_NUMBER = re.compile(r"-?[0-9]+")
_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")


class Spelling:
    """Words of a rule sheet to words on the wire, and back."""

    def __init__(self, rules: Rules, *, upper: bool = False, scramble: bool = False, seed: int = 0) -> None:
        self.upper = upper
        self._text = " ".join(map(str, rules))
        words = dict.fromkeys(word for word in TOKEN.findall(self._text) if self._is_name(word))
        self._there = dict(zip(words, _words(words, seed), strict=True)) if scramble else {}
        self._back = {self._written(word): word for word in words}

    @staticmethod
    def _is_name(word: str) -> bool:
        known = word in "()" or word[0] in "?;" or word == "<=" or word.lower() in KEYWORDS
        return not known and _NUMBER.fullmatch(word) is None

    def _written(self, word: str) -> str:
        word = self._there.get(word, word)
        return word.upper() if self.upper else word

    def rules(self) -> str:
        """The rule sheet on one line."""
        return self.text(self._text)

    def text(self, text: str) -> str:
        """Any KIF text of the game."""
        return TOKEN.sub(lambda found: self._written(found[0]), text)

    def term(self, term: Term) -> str:
        """A term of the game."""
        return self.text(str(term))

    def read(self, text: str) -> Term | None:
        """The term that somebody who was told this spelling has written; None if it is none."""
        if self.upper:
            text = text.upper()
        try:
            return read_term(TOKEN.sub(lambda found: self._back.get(found[0], found[0]), text))
        except RulesSyntaxError:
            return None


def _words(words: Iterable[str], seed: int) -> list[str]:
    """A different nonsense word for each."""
    draw, used, out = random.Random(seed), set[str](), []
    for _ in words:
        word = ""
        while not word or word in used or word in KEYWORDS:
            word += draw.choice(_SYLLABLES)
            if len(word) < 4:
                word += draw.choice(_SYLLABLES)
        used.add(word)
        out.append(word)
    return out
