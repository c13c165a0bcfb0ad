"""Names of fluents as the rules spell them, and short ones for sets: ``(cell1 * * *)`` for twenty-seven terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ludisect.circuit.game import Game
from ludisect.gdl.terms import Term

_ALONE = re.compile(r"\(\s*([^\s();]+)\s*\)")
_COMMENT = re.compile(r";[^\n]*")


@lru_cache(maxsize=16)
def _in_brackets(text: str) -> frozenset[str]:
    """Names that a rule sheet writes in brackets though they have no arguments."""
    return frozenset(_ALONE.findall(_COMMENT.sub("", text)))


def spelled(game: Game, term: Term) -> str:
    """A fluent or move in KIF, with brackets where it has no arguments and the rules write it so."""
    rules = game.rules
    if term.args or rules is None or rules.notation != "kif" or term.name not in _in_brackets(rules.text):
        return str(term)
    return f"({term.name})"


def patterns(game: Game, fluents: Sequence[int]) -> list[str]:
    """Fluents as patterns with ``*`` for arguments that need not be told.

    An argument is written out only where it tells these fluents from the others of the same symbol.
    """
    by_symbol: dict[tuple[str, int], list[Term]] = {}
    for f in fluents:
        term = game.fluents[f]
        by_symbol.setdefault((term.name, len(term.args)), []).append(term)
    out: list[str] = []
    for (name, arity), mine in by_symbol.items():
        if len(mine) == 1:
            out.append(spelled(game, mine[0]))
            continue
        chosen = set(mine)
        others = [t for t in game.fluents if t.name == name and len(t.args) == arity and t not in chosen]
        telling = _telling(mine, others, arity)
        out.extend(
            dict.fromkeys(
                f"({' '.join([name, *(str(a) if k in telling else '*' for k, a in enumerate(t.args))])})" for t in mine
            )
        )
    return out


def _telling(mine: Sequence[Term], others: Sequence[Term], arity: int) -> set[int]:
    """Few argument places whose values tell ``mine`` from ``others``: drop places with many values first."""
    kept = set(range(arity))
    for k in sorted(range(arity), key=lambda k: -len({t.args[k] for t in mine})):
        places = sorted(kept - {k})
        keys = {tuple(t.args[i] for i in places) for t in mine}
        if not any(tuple(t.args[i] for i in places) in keys for t in others):
            kept.discard(k)
    return kept
