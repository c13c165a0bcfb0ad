"""Is a game impartial? A check of the rules (Zhao 2009, Alg. 4.1-4.5) and an exact one on the circuit.

A game is impartial if its players take turns and the player in control has the same legal moves, with the same effects,
whoever that is (Definitions 4.1-4.4; scores are left aside).

The check of the rules is sound and incomplete: legality and effects are the same for all players if every rule that
says who plays has a twin for every other player. The thesis looks for twins in the rules for ``legal`` and ``next`` and
in the predicates that get a player from them. As printed it overlooks players in the head of a rule for ``next``
(``(cell 1 1 ?player)``), in fluents other than the control fluent, and in predicates without arguments; a rule of
these kinds is no twin of anything here.

The exact check compares the circuit with one player in control and the circuit with another, for all values of the
fluents: what it denies, some assignment of the fluents shows, if perhaps none that play can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, pairwise

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.decomposition.rules.clauses import Clauses, RuleClause, RuleLiteral, literals
from ludisect.decomposition.rules.forced import choices, rules_of
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import Substitution, canonical, unify, variables_of

Typed = Mapping[Predicate, AbstractSet[int]]
"""Per predicate: the arguments that are players."""


@dataclass(frozen=True, slots=True)
class Impartiality:
    """``impartial``, and why (not)."""

    impartial: bool
    why: str


def control_symbol(game: Game) -> str | None:
    """The name of the fluent that says whose turn it is: one argument, a role, one fluent for each role.

    One of them holds at the start; if several symbols are so, the one that no move changes.
    """
    values: dict[str, list[int]] = {}
    for f, fluent in enumerate(game.fluents):
        if len(fluent.args) == 1:
            values.setdefault(fluent.name, []).append(f)
    found = [
        name
        for name, mine in values.items()
        if {str(game.fluents[f].args[0]) for f in mine} == set(game.roles) and game.circuit.initial[mine].sum() == 1
    ]
    if len(found) > 1:
        found = [
            name for name in found if (game.circuit.support(_next_of(game, values[name])) <= len(game.fluents)).all()
        ]
    return found[0] if len(found) == 1 and len(game.roles) > 1 else None


def _next_of(game: Game, fluents: Sequence[int]) -> list[int]:
    return [int(game.circuit.next[f]) for f in fluents]


# ---- the check of the rules ----


def by_rules(game: Game) -> Impartiality:
    """Whether every rule that says who plays has a twin for every other player. "No" may be wrong, "yes" is not."""
    control = control_symbol(game)
    if control is None:
        return Impartiality(False, "no control fluent: one fluent per role that says whose turn it is")
    if not choices(game).alternating:
        return Impartiality(False, "the players do not take turns")
    clauses = Clauses(rules_of(game))
    reached = _reached(clauses, control)
    typed = _player_places(reached, control)
    roles = [Term.parse(role) for role in game.roles]
    for p, mine in reached.items():
        for clause in mine:
            stray = _stray_player(clause, typed, control)
            if stray is not None:
                return Impartiality(False, f"the player matters beyond whose turn it is: {stray} in a rule for {p[0]}")
        for a, b in combinations(roles, 2):
            for clause in mine:
                twin = _swapped(clause, {a: b, b: a}, typed, control)
                if not any(_variants(twin, other) for other in mine):
                    return Impartiality(False, f"no rule for {b} is the twin of one for {a}: {clause.head}")
    return Impartiality(True, "every rule for one player has a twin for every other")


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
            for atom in (clause.head, *(x.atom for x in literals(clause.body))):
                if predicate(atom) in reached and predicate(atom) != ("next", 1):
                    places = {k for k, arg in enumerate(atom.args) if arg in players}
                    typed.setdefault(predicate(atom), set()).update(places - ({1} if atom.name == "legal" else set()))
        if sum(map(len, typed.values())) == before:
            return typed


def _players(clause: RuleClause, typed: Typed, control: str) -> Iterator[Variable]:
    """The variables of a rule that stand for players."""
    for atom in (clause.head, *(x.atom for x in literals(clause.body))):
        for k in typed.get(predicate(atom), ()):
            arg = atom.args[k]
            if isinstance(arg, Variable):
                yield arg
        if predicate(atom) == ("true", 1) and _is_fluent(atom.args[0], control):
            yield from atom.variables()


def _stray_player(clause: RuleClause, typed: Typed, control: str) -> Term | None:
    """An atom in which a player stands where the rules may look at who it is."""
    players = set(_players(clause, typed, control))
    for atom in (clause.head, *(x.atom for x in literals(clause.body))):
        if predicate(atom) == ("distinct", 2) or (predicate(atom) == ("true", 1) and _is_fluent(atom.args[0], control)):
            continue
        free = [a for k, a in enumerate(atom.args) if k not in typed.get(predicate(atom), ())]
        if players & variables_of(free):
            return atom
    return None


def _swapped(clause: RuleClause, swap: Mapping[Term, Term], typed: Typed, control: str) -> RuleClause:
    """A rule with two players exchanged, where players stand."""

    def atom(a: Term) -> Term:
        if predicate(a) == ("true", 1) and _is_fluent(a.args[0], control):
            fluent = a.args[0]
            assert isinstance(fluent, Term)
            return Term("true", (Term(control, tuple(_get(swap, x) for x in fluent.args)),))
        places = {0, 1} if predicate(a) == ("distinct", 2) else typed.get(predicate(a), frozenset())
        return Term(a.name, tuple(_get(swap, x) if k in places else x for k, x in enumerate(a.args)))

    def literal(x: RuleLiteral) -> RuleLiteral:
        ways = None if x.ways is None else tuple(tuple(map(literal, way)) for way in x.ways)
        return RuleLiteral(atom(x.atom), x.positive, ways)

    return RuleClause(atom(clause.head), tuple(map(literal, clause.body)))


def _get(swap: Mapping[Term, Term], term: TermOrVariable) -> TermOrVariable:
    return swap.get(term, term) if isinstance(term, Term) else term


def _variants(left: RuleClause, right: RuleClause) -> bool:
    """Whether two rules are equal up to the names of variables and the order of literals."""
    if len(left.body) != len(right.body):
        return False
    theirs = variables_of([right.head, *(x.atom for x in literals(right.body))])

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


# ---- the exact check ----


def on_circuit(game: Game) -> Impartiality:
    """Whether legality and effects are the same functions of the other fluents, whoever is in control."""
    control = control_symbol(game)
    if control is None:
        return Impartiality(False, "no control fluent: one fluent per role that says whose turn it is")
    turn = [game.fluent_index[Term(control, (Term.parse(role),))] for role in game.roles]
    views = [game.circuit.cofactor({1 + f: int(f == mine) for f in turn}) for mine in turn]
    for r, view in enumerate(views):
        low, high = game.batch.first_move[r], game.batch.first_move[r + 1]
        idle = [int(x) for k, x in enumerate(view.legal.tolist()) if not low <= k < high]
        free = [x for x in idle if x not in (0, 1)]
        if free:
            return Impartiality(False, f"with {game.roles[r]} in control, another player still has a choice")
    for r, q in pairwise(range(len(game.roles))):
        place = _difference(game, views, r, q, turn)
        if place is not None:
            return Impartiality(False, f"{place} depends on whether {game.roles[r]} or {game.roles[q]} is in control")
    return Impartiality(True, "the circuits with one and with another player in control are equal")


def _difference(game: Game, views: Sequence[Circuit], r: int, q: int, turn: Sequence[int]) -> str | None:
    """A net that differs between the views of two players, or None: one question to a solver for all of them."""
    import clingo

    moves = sorted({*game.moves[r], *game.moves[q]}, key=str)
    text = ["{s(F)} :- fluent(F).", "1 {d(M) : move(M)} 1.", "#show differs/2."]
    text += [f"fluent({f})." for f in range(len(game.fluents)) if f not in turn]
    text += [f"move({k})." for k in range(len(moves))]
    text += _program(game, views[r], "a", r, moves)
    text += _program(game, views[q], "b", q, moves)
    for one, other in (("a", "b"), ("b", "a")):
        text.append(f"differs(legal,M) :- {one}_legal(M), not {other}_legal(M).")
        text.append(f"differs(next,F) :- d(M), a_legal(M), b_legal(M), fluent(F), {one}_next(F), not {other}_next(F).")
    text.append(":- not differs(legal,_), not differs(next,_).")
    solver = clingo.Control(["--models=1"], message_limit=0)
    solver.add("base", [], "\n".join(text))
    solver.ground([("base", [])])
    with solver.solve(yield_=True) as handle:
        for model in handle:
            kind, index = model.symbols(shown=True)[0].arguments
            term = moves[index.number] if kind.name == "legal" else game.fluents[index.number]
            return f"{kind.name} {term}"
    return None


def _program(game: Game, view: Circuit, name: str, role: int, moves: Sequence[Term]) -> Iterator[str]:
    """A circuit as a logic program: the atoms of its nodes, its legal moves and next fluents."""
    n = len(game.fluents)
    first = 1 + n + int(game.batch.first_move[role])

    def literal(x: int) -> str:
        return f"{'not ' if x & 1 else ''}{name}({x >> 1})"

    yield f"{name}(0)."
    for f in range(n):
        yield f"{name}({1 + f}) :- s({f})."
    for k, move in enumerate(moves):
        index = game.move_index[role].get(move)
        if index is not None:
            yield f"{name}({first + index}) :- d({k})."
            yield f"{name}_legal({k}) :- {literal(int(view.legal[int(game.batch.first_move[role]) + index]))}."
    for node in range(view.n_inputs + 1, view.n_inputs + 1 + view.gates):
        yield f"{name}({node}) :- {', '.join(map(literal, view.gate(node).tolist()))}."
    for f in range(n):
        yield f"{name}_next({f}) :- {literal(int(view.next[f]))}."
