"""Is a game impartial? A check of the rules (Zhao 2009, Alg. 4.1-4.5), plays against it, the circuit.

A game is impartial if its players take turns and the player in control has the same legal moves, with the same effects,
whoever that is (Definitions 4.1-4.4; scores are left aside).

The check of the rules is sound and incomplete: legality and effects are the same for all players if every rule that
says who plays has a twin for every other player. The thesis looks for twins in the rules for ``legal`` and ``next`` and
in the predicates that get a player from them. As printed it overlooks players in the head of a rule for ``next``
(``(cell 1 1 ?player)``), in fluents other than the control fluent, and in predicates without arguments; a rule of
these kinds is no twin of anything here. Where it finds no twin, ``handover`` is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from ludisect.circuit.game import Game
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.clauses import Clauses, RuleClause, RuleLiteral, each_atom, literals
from ludisect.decomposition.rules.forced import choices, rules_of
from ludisect.decomposition.rules.handover import (
    NO_CONTROL,
    Impartiality,
    control_symbol,
    difference_in_plays,
    on_circuit,
    take_turns,
)
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import Substitution, canonical, unify, variables_of

Typed = Mapping[Predicate, AbstractSet[int]]
"""Per predicate: the arguments that are players."""


def impartiality(game: Game) -> Impartiality:
    """Whether a game is impartial, in a second or so: the rules, then plays, then the circuit if it is not large.

    >>> import ludisect
    >>> print(impartiality(ludisect.load("nim")))
    yes: every rule for one player has a twin for every other
    >>> print(impartiality(ludisect.load("domineering")))
    no: legal (place 1 4) depends on whether vertical or horizontal is in control
    """
    refused = _without_turns(game)
    if refused is not None:
        return refused
    control = str(control_symbol(game))
    said = Impartiality(None, "there are no rules to read") if game.rules is None else _twins(game, control)
    if said.impartial:
        return said
    limits = DecompositionLimits.current()
    shown = difference_in_plays(game, control)
    if shown is not None:
        return Impartiality(False, shown)
    if game.circuit.gates <= limits.impartiality_gates:
        return on_circuit(game)
    many = limits.handover_plays
    return Impartiality(None, f"{said.why}; no state of {many} plays shows a difference, and the circuit is large")


# ---- the check of the rules ----


def by_rules(game: Game) -> Impartiality:
    """Whether every rule that says who plays has a twin for every other player.

    "Yes" is certain but for one thing, which it then names: that the players take turns may only have been seen in
    plays. "No" is certain only where the players do not take turns.
    """
    refused = _without_turns(game)
    return _twins(game, str(control_symbol(game))) if refused is None else refused


def _without_turns(game: Game) -> Impartiality | None:
    """What there is to say of a game in which nobody can be told to be in control; None if somebody can."""
    if len(game.roles) < 2:
        return Impartiality(False, "there is only one player")
    if not choices(game).alternating:
        return Impartiality(False, "the players do not take turns")
    return Impartiality(None, NO_CONTROL) if control_symbol(game) is None else None


def _twins(game: Game, control: str) -> Impartiality:
    clauses = Clauses(rules_of(game))
    reached = _reached(clauses, control)
    typed = _player_places(reached, control)
    roles = [Term.parse(role) for role in game.roles]
    for p, mine in reached.items():
        for clause in mine:
            stray = _stray_player(clause, typed, control)
            if stray is not None:
                return Impartiality(
                    None, f"the player matters beyond whose turn it is: {_plain(stray)} in a rule for {p[0]}"
                )
        for a, b in combinations(roles, 2):
            for clause in mine:
                twin = _swapped(clause, {a: b, b: a}, typed, control)
                if twin != clause and not any(_variants(twin, other) for other in mine):
                    return Impartiality(None, f"no rule for {b} is the twin of one for {a}: {_plain(clause.head)}")
    why = "every rule for one player has a twin for every other"
    return Impartiality(True, why if take_turns(game, control) else f"{why}; that they take turns was seen in plays")


def _plain(term: Term) -> str:
    """A term of a clause as its rule writes it: variables without the numbers that keep clauses apart."""
    return re.sub(r"#\d+", "", str(term))


def _reached(clauses: Clauses, control: str) -> dict[Predicate, list[RuleClause]]:
    """The rules for legal moves and for fluents but the control fluent, and all that they rest on."""
    out: dict[Predicate, list[RuleClause]] = {}
    for p in (("legal", 2), ("next", 1)):
        out[p] = [c for c in clauses.of.get(p, ()) if not _is_fluent(c.head.args[-1], control)]
    todo = [c for mine in out.values() for c in mine]
    while todo:
        for literal in literals(todo.pop().body):
            p = literal.predicate
            if p not in out and p in clauses.of and p != ("role", 1):
                out[p] = clauses.of[p]
                todo += out[p]
    return out


def _is_fluent(term: TermOrVariable, control: str) -> bool:
    return isinstance(term, Term) and term.name == control and len(term.args) == 1


def _player_places(reached: Mapping[Predicate, Sequence[RuleClause]], control: str) -> Typed:
    """Which arguments are players: those of ``legal`` and ``does``, and whatever is passed from or to them."""
    typed: dict[Predicate, set[int]] = {("legal", 2): {0}, ("does", 2): {0}, ("role", 1): {0}}
    while True:
        before = sum(map(len, typed.values()))
        for clause in (c for mine in reached.values() for c in mine):
            players = set(_players(clause, typed, control))
            for atom in clause.atoms():
                if predicate(atom) in reached and predicate(atom) != ("next", 1):
                    places = {k for k, arg in enumerate(atom.args) if arg in players}
                    typed.setdefault(predicate(atom), set()).update(places - ({1} if atom.name == "legal" else set()))
        if sum(map(len, typed.values())) == before:
            return typed


def _players(clause: RuleClause, typed: Typed, control: str) -> Iterator[Variable]:
    """The variables of a rule that stand for players."""
    for atom in clause.atoms():
        for k in typed.get(predicate(atom), ()):
            arg = atom.args[k]
            if isinstance(arg, Variable):
                yield arg
        if predicate(atom) == ("true", 1) and _is_fluent(atom.args[0], control):
            yield from atom.variables()


def _stray_player(clause: RuleClause, typed: Typed, control: str) -> Term | None:
    """An atom in which a player stands where the rules may look at who it is."""
    players = set(_players(clause, typed, control))
    for atom in clause.atoms():
        if predicate(atom) == ("distinct", 2) or (predicate(atom) == ("true", 1) and _is_fluent(atom.args[0], control)):
            continue
        free = [a for k, a in enumerate(atom.args) if k not in typed.get(predicate(atom), ())]
        if players & variables_of(free):
            return atom
    return None


def _swapped(clause: RuleClause, swap: Mapping[Term, Term], typed: Typed, control: str) -> RuleClause:
    """A rule with two players exchanged, where players stand."""

    def swapped(a: Term) -> Term:
        if predicate(a) == ("true", 1) and _is_fluent(a.args[0], control):
            fluent = a.args[0]
            assert isinstance(fluent, Term)
            return Term("true", (Term(control, tuple(_get(swap, x) for x in fluent.args)),))
        places = {0, 1} if predicate(a) == ("distinct", 2) else typed.get(predicate(a), frozenset())
        return Term(a.name, tuple(_get(swap, x) if k in places else x for k, x in enumerate(a.args)))

    return RuleClause(swapped(clause.head), each_atom(clause.body, swapped))


def _get(swap: Mapping[Term, Term], term: TermOrVariable) -> TermOrVariable:
    return swap.get(term, term) if isinstance(term, Term) else term


def _variants(left: RuleClause, right: RuleClause) -> bool:
    """Whether two rules are equal up to the names of variables and the order of literals."""
    if len(left.body) != len(right.body):
        return False
    theirs = variables_of(right.atoms())

    def match(mine: Sequence[RuleLiteral], others: Sequence[RuleLiteral], bound: Substitution) -> bool:
        if not mine:
            values = list(bound.values())
            return len(set(values)) == len(values)  # a renaming gives different variables different names
        for i, other in enumerate(others):
            if mine[0].positive == other.positive and (mine[0].ways is None) == (other.ways is None):
                if mine[0].ways is not None and str(canonical(_whole(mine[0]))) != str(canonical(_whole(other))):
                    continue
                more = unify(_whole(mine[0]), _whole(other), bound, theirs)
                if more is not None and match(mine[1:], [*others[:i], *others[i + 1 :]], more):
                    return True
        return False

    bound = unify(left.head, right.head, {}, theirs)
    return bound is not None and match(left.body, right.body, bound)


def _whole(literal: RuleLiteral) -> Term:
    """A literal as one term, its ways included."""
    if literal.ways is None:
        return literal.atom
    return Term("not", tuple(Term("and", tuple(Term(str(x.positive), (_whole(x),)) for x in w)) for w in literal.ways))
