"""Games and their decompositions by the method exact, each worked out once for all tests of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns
from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.decomposition.model.names import patterns
from ludisect.gdl.terms import Term
from ludisect.loader import load

PLAYOUTS = 200


@cache
def game_of(name: str) -> Game:
    """A bundled game."""
    return load(name)


@cache
def parts_of(name: str) -> Decomposition:
    """What ``exact`` finds in a bundled game."""
    return decompose(game_of(name), playouts=PLAYOUTS)


Partition = dict[str, set[frozenset[Term]]]


def partition(parts: Decomposition) -> Partition:
    """The fluents of the parts by kind, without numbers and order."""
    out: Partition = {"dependent": set(), "useless": set(), "independent": set()}
    for s in parts.parts:
        fluents = frozenset(parts.game.fluents[f] for f in s.fluent_numbers)
        out[s.kind].add(fluents)
        if not s.useful:
            out["useless"].add(fluents)
    return out


def named(parts: Decomposition, kind: str = "dependent") -> list[str]:
    """The parts of a kind as patterns, sorted."""
    return sorted(" ".join(patterns(parts.game, s.fluent_numbers)) for s in parts.parts if s.kind == kind)


def by_hand(game: Game, dependent: Iterable[Iterable[str]], independent: Iterable[Iterable[str]] = ()) -> Decomposition:
    """A decomposition as a person would propose it: fluents by pattern, a blank standing for any argument.

    What no pattern names goes into the last dependent part, so that nothing is left out.
    """
    fixed = game.circuit.constant_fluents
    left = [f for f in range(len(game.fluents)) if not fixed[f]]

    def take(wanted: Iterable[str]) -> tuple[int, ...]:
        terms = [Term.parse(text) for text in wanted]
        mine = [f for f in left if any(_fits(term, game.fluents[f]) for term in terms)]
        assert mine, terms
        left[:] = [f for f in left if f not in mine]
        return tuple(mine)

    context = [take(group) for group in independent]
    groups = [take(group) for group in dependent]
    groups[-1] = tuple(sorted((*groups[-1], *left)))
    parts = [Part(n, "dependent", True, fluents) for n, fluents in enumerate(groups, 1)]
    parts += [Part(len(groups) + n, "independent", True, fluents) for n, fluents in enumerate(context, 1)]
    structure = "single" if len(groups) == 1 else "parallel-choice"
    return Decomposition(game, "by hand", tuple(parts), turns(game), structure)  # type: ignore[arg-type]


def _fits(pattern: Term, term: Term) -> bool:
    if pattern.name == "_" and not pattern.args:
        return True
    if (pattern.name, len(pattern.args)) != (term.name, len(term.args)):
        return False
    return all(_fits(a, b) for a, b in zip(pattern.args, term.args, strict=True) if isinstance(a, Term))  # type: ignore[arg-type]


def merged(parts: Decomposition) -> Decomposition:
    """The same with all dependent parts as one."""
    fluents = tuple(sorted(f for s in parts.dependent for f in s.fluent_numbers))
    whole = Part(1, "dependent", True, fluents)
    context = [replace(s, id=n) for n, s in enumerate(parts.context, 2)]
    return replace(parts, parts=(whole, *context), structure="single", evidence=None)
