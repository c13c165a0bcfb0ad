"""Random rewrites of a rule sheet that change how a game is written and nothing that can be seen in play.

>>> from random import Random
>>> from ludisect.games.source import find_rules
>>> new = rewrite(find_rules("tictactoe"), Random(7))
>>> starts = [rule.head.args[0] for rule in new.rules if rule.head.name == "init"]
>>> new.fluent(Term.parse("(control xplayer)")) in starts
True
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ludisect.composition.rename import Renaming, atoms, mapped, random_names, random_orders
from ludisect.composition.words import words
from ludisect.errors import InputError
from ludisect.gdl.dependence import Predicate, predicate, predicate_graph
from ludisect.gdl.digraph import cyclic, leading_to
from ludisect.gdl.safety import gives
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Rules, Term, TermOrVariable, Variable, variables

KINDS = ("split", "merge", "auxiliary", "negation", "tautology", "dead", "reorder", "rename", "shuffle")
"""What can be done, in the order in which it is."""

_UNTOUCHED = ("role", "init", "base", "input")
"""Rules for these stay as they are but for names: other programs read them in their own ways."""


@dataclass(frozen=True)
class Rewritten:
    """The new sheet, and the new names of what the old one spoke of."""

    rules: Rules
    renamings: tuple[Renaming, ...]

    def fluent(self, term: Term) -> Term:
        """What a fluent is called now."""
        for renaming in self.renamings:
            term = renaming.term(term)
        return term

    move = fluent
    """What a move is called now."""

    def role(self, role: str) -> str:
        """What a role is called now."""
        return str(self.fluent(Term.parse(role)))


def rewrite(rules: Rules, rng: Random, *, kinds: Collection[str] = KINDS, share: float = 0.4) -> Rewritten:
    """Rewrite a valid sheet in the given ways; each rule is touched with the probability ``share`` by each way.

    Raises InputError for a kind that does not exist.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"no rewriting is called {kind!r}; there are: {', '.join(KINDS)}")
    passes: dict[str, Callable[[_Sheet], None]] = {
        "split": _split,
        "merge": _merge,
        "auxiliary": _auxiliary,
        "negation": _negate_twice,
        "tautology": _tautologies,
        "dead": _dead,
        "shuffle": _shuffle,
    }
    sheet = _Sheet(list(rules.rules), rng, share)
    renamings: list[Renaming] = []
    for kind in KINDS:
        if kind not in kinds:
            continue
        if kind in passes:
            passes[kind](sheet)
            continue
        now = Rules(tuple(sheet.rules), rules.name)
        renaming = (random_names if kind == "rename" else random_orders)(now, rng)
        renamings.append(renaming)
        sheet.rules = list(renaming.rules(now).rules)
    return Rewritten(Rules(tuple(sheet.rules), rules.name), tuple(renamings))


class _Sheet:
    """Rules under way, and what the passes ask of them."""

    def __init__(self, rules: list[Rule], rng: Random, share: float) -> None:
        self.rules, self.rng, self.share = rules, rng, share
        self._used = {name for rule in rules for name in _names(rule)}
        self._fresh = words(rng)
        self._graph: dict[Predicate, set[Predicate]] = {}
        self._above: dict[Predicate, set[Predicate]] = {}

    def fresh(self) -> str:
        """A word that the sheet does not use."""
        name = next(self._fresh)
        while name in self._used:
            name = next(self._fresh)
        self._used.add(name)
        return name

    def picked(self) -> Iterator[tuple[int, Rule]]:
        """Some of the rules that may be touched, with their places; last first, so that places stay right."""
        # Rules are touched once in a pass, so what it adds to the graph on its way matters to nobody.
        self._graph, self._above = predicate_graph(self.rules), {}
        loops = cyclic(self._graph)
        for place in range(len(self.rules) - 1, -1, -1):
            rule = self.rules[place]
            free = rule.body and rule.head.name not in _UNTOUCHED and predicate(rule.head) not in loops
            if free and self.rng.random() < self.share:
                yield place, rule

    def above(self, head: Term) -> set[Predicate]:
        """The predicates that depend on a head: their negation must not be used for it."""
        asked = predicate(head)
        if asked not in self._above:
            self._above[asked] = set(leading_to(self._graph, [asked])) | {asked}
        return self._above[asked]


def _names(rule: Rule) -> Iterator[str]:
    def visit(term: TermOrVariable) -> Iterator[str]:
        yield term.name
        for arg in term.args if isinstance(term, Term) else ():
            yield from visit(arg)

    yield from visit(rule.head)
    for formula in rule.body:
        for term in atoms(formula):
            yield from visit(term)


def _plain(formula: Formula) -> bool:
    """Whether the formula is an atom, a negated atom, or a "distinct"."""
    return isinstance(formula, Term | Distinct) or (isinstance(formula, Not) and isinstance(formula.body, Term))


def _held(formula: Formula) -> set[Variable]:
    return set(variables(formula))


def _given(body: Sequence[Formula]) -> set[Variable]:
    return set().union(*map(gives, body))


def _safe(head: Collection[Variable], body: Sequence[Formula]) -> bool:
    """Whether positive literals of the body bind all variables; for bodies of plain formulas."""
    bound = _given(body)
    return set(head) <= bound and all(_held(f) <= bound for f in body if not isinstance(f, Term))


def _ordered(some: set[Variable]) -> tuple[Variable, ...]:
    return tuple(sorted(some, key=lambda v: v.name))


# ---- the passes ----


def _split(sheet: _Sheet) -> None:
    """Disjunctions become several rules; a rule becomes two, for when some atom holds and for when it does not."""
    for place, rule in sheet.picked():
        at = next((k for k, f in enumerate(rule.body) if isinstance(f, Or) and f.parts), None)
        if at is not None:
            chosen = rule.body[at]
            assert isinstance(chosen, Or)
            cases = [(part,) for part in chosen.parts]
            around = rule.body[:at], rule.body[at + 1 :]
            sheet.rules[place : place + 1] = [Rule(rule.head, (*around[0], *case, *around[1])) for case in cases]
            continue
        atom = _bound_atom(sheet, rule)
        if atom is not None:
            sheet.rules[place : place + 1] = [
                Rule(rule.head, (*rule.body, atom)),
                Rule(rule.head, (*rule.body, Not(atom))),
            ]


def _bound_atom(sheet: _Sheet, rule: Rule) -> Term | None:
    """An atom of some rule of the same predicate that may be asked in this rule, with its variables bound here."""
    bound = _given(rule.body)
    above = sheet.above(rule.head)
    options = [
        atom
        for other in sheet.rules
        if predicate(other.head) == predicate(rule.head)
        for formula in other.body
        if isinstance(atom := formula.body if isinstance(formula, Not) else formula, Term)
        and set(atom.variables()) <= (bound if other is rule else set())
        and predicate(atom) not in above
        and atom not in rule.body
    ]
    return sheet.rng.choice(options) if options else None


def _merge(sheet: _Sheet) -> None:
    """Two rules with the same head become one with a disjunction."""
    for place, rule in sheet.picked():
        twins = [
            k
            for k, other in enumerate(sheet.rules[:place])
            if other.body and other.head == rule.head and all(map(_plain, (*other.body, *rule.body)))
        ]
        if not twins or not _mergeable(rule) or not _mergeable(sheet.rules[twins[-1]]):
            continue
        first = sheet.rules[twins[-1]]
        parts = [_apart(first, "-a"), _apart(rule, "-b")]
        branches = tuple(body[0] if len(body) == 1 else And(body) for body in parts)
        sheet.rules[place] = Rule(rule.head, (Or(branches),))
        del sheet.rules[twins[-1]]


def _mergeable(rule: Rule) -> bool:
    return _safe(set(rule.head.variables()), rule.body)


def _apart(rule: Rule, mark: str) -> tuple[Formula, ...]:
    """The body with names of its own for variables that the head does not have."""
    kept = set(rule.head.variables())

    def change(term: TermOrVariable) -> TermOrVariable:
        if isinstance(term, Variable):
            return term if term in kept else Variable(term.name + mark)
        return Term(term.name, tuple(map(change, term.args)))

    return tuple(mapped(change, formula) for formula in rule.body)


def _auxiliary(sheet: _Sheet) -> None:
    """Some literals of a body move behind a new predicate."""
    for place, rule in sheet.picked():
        if not all(map(_plain, rule.body)):
            continue
        moved = [f for f in rule.body if sheet.rng.random() < 0.6] or list(rule.body)
        bound = _given(moved)
        moved = [f for f in moved if isinstance(f, Term) or _held(f) <= bound]
        rest = [f for f in rule.body if f not in moved]
        outside = set(rule.head.variables()).union(*map(_held, rest))
        shared = _ordered(bound & outside)
        if not moved:
            continue
        name = Term(sheet.fresh(), shared)
        sheet.rules[place : place + 1] = [Rule(name, tuple(moved)), Rule(rule.head, (name, *rest))]


def _negate_twice(sheet: _Sheet) -> None:
    """A literal becomes the negation of a new predicate that says that it does not hold."""
    for place, rule in sheet.picked():
        if not all(map(_plain, rule.body)):
            continue
        above = sheet.above(rule.head)
        options = []
        for k, literal in enumerate(rule.body):
            others = (*rule.body[:k], *rule.body[k + 1 :])
            guard = tuple(f for f in others if isinstance(f, Term))
            if isinstance(literal, Term) and predicate(literal) not in above and _held(literal) <= _given(guard):
                options.append((k, literal, guard))
        if not options:
            continue
        k, literal, guard = sheet.rng.choice(options)
        held = _held(literal)
        name = Term(sheet.fresh(), _ordered(held))
        needed = tuple(f for f in guard if _held(f) & held) if held else ()
        body = (*rule.body[:k], *rule.body[k + 1 :], Not(name))
        sheet.rules[place : place + 1] = [Rule(name, (*needed, Not(literal))), Rule(rule.head, body)]


def _tautologies(sheet: _Sheet) -> None:
    """Conditions that always hold."""
    for place, rule in sheet.picked():
        options: list[Formula] = [Distinct(Term(sheet.fresh()), Term(sheet.fresh()))]
        above = sheet.above(rule.head)
        bound = _given(rule.body)
        for formula in rule.body:
            if isinstance(formula, Term) and predicate(formula) not in above and _held(formula) <= bound:
                options += [Or((formula, Not(formula))), formula]
        sheet.rules[place] = Rule(rule.head, (*rule.body, sheet.rng.choice(options)))


def _dead(sheet: _Sheet) -> None:
    """Rules that never apply, and predicates that nobody asks."""
    for place, rule in sheet.picked():
        above = sheet.above(rule.head)
        asked = [f for f in rule.body if isinstance(f, Term) and predicate(f) not in above]
        if asked and sheet.rng.random() < 0.7:
            never = Not(sheet.rng.choice(asked))
            sheet.rules.insert(place, Rule(rule.head, (*rule.body, never)))
        elif asked:
            literal = sheet.rng.choice(asked)
            sheet.rules.insert(place, Rule(Term(sheet.fresh(), _ordered(_held(literal))), (literal,)))
        else:
            name = Term(sheet.fresh())
            sheet.rules.insert(place, Rule(rule.head, (*rule.body, Distinct(name, name))))


def _shuffle(sheet: _Sheet) -> None:
    """Rules in another order, and literals within bodies; the roles keep theirs, for it is the order of play."""
    roles = [rule for rule in sheet.rules if rule.head.name == "role"]
    others = [rule for rule in sheet.rules if rule.head.name != "role"]
    sheet.rng.shuffle(others)
    shuffled = [Rule(rule.head, tuple(sheet.rng.sample(rule.body, len(rule.body)))) for rule in others]
    sheet.rules = roles + shuffled
