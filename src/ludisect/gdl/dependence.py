"""What a rule sheet's predicates and rules depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

from ludisect.gdl.places import Path
from ludisect.gdl.terms import And, Formula, Not, Or, Rule, Rules, Term, TermOrVariable, Variable

Predicate = tuple[str, int]
"""A predicate's name and number of arguments."""


class Use(NamedTuple):
    """An atom in the body of a rule: where, and whether a "not" stands above it."""

    atom: Term
    path: Path
    negative: bool


def predicate(atom: Term) -> Predicate:
    """The predicate of an atom."""
    return atom.name, len(atom.args)


def uses(rule: Rule) -> Iterator[Use]:
    """Every atom of a rule's body."""
    for i, formula in enumerate(rule.body, 2):
        if isinstance(formula, Term):
            yield Use(formula, (i,), False)
        else:
            yield from _uses(formula, (i,), False)


def _uses(formula: Formula, path: Path, negative: bool) -> Iterator[Use]:
    if isinstance(formula, Term):
        yield Use(formula, path, negative)
    elif isinstance(formula, Not):
        yield from _uses(formula.body, (*path, 1), True)
    elif isinstance(formula, And | Or):
        for i, part in enumerate(formula.parts, 1):
            yield from _uses(part, (*path, i), negative)


def predicate_graph(rules: Iterable[Rule]) -> dict[Predicate, set[Predicate]]:
    """From each predicate to those in the bodies of its rules."""
    graph: dict[Predicate, set[Predicate]] = {}
    for rule in rules:
        graph.setdefault(predicate(rule.head), set()).update(predicate(use.atom) for use in uses(rule))
    return graph


RuleNode = Union[int, Predicate]
"""A rule by its number, or ``true`` or ``does``, which no rule defines."""


def rule_graph(rules: Rules) -> dict[RuleNode, dict[RuleNode, Use]]:
    """From each rule to those whose heads an atom of its body may match, with that atom, negative ones first.

    Finer than the graph of predicates: ``(<= (goal ?r 0) (not (goal ?r 100)))`` is no cycle in it.
    """
    heads: dict[Predicate, list[tuple[int, Term]]] = {}
    for number, rule in enumerate(rules):
        if rule.body:
            heads.setdefault(predicate(rule.head), []).append((number, rule.head))
    graph: dict[RuleNode, dict[RuleNode, Use]] = {}
    for number, rule in enumerate(rules):
        if not rule.body:
            continue
        edges = graph[number] = {}
        for use in uses(rule):
            used = predicate(use.atom)
            nodes: list[RuleNode] = [n for n, head in heads.get(used, ()) if may_match(use.atom, head)]
            if used in (("true", 1), ("does", 2)):
                nodes.append(used)
            for node in nodes:
                if node not in edges or (use.negative and not edges[node].negative):
                    edges[node] = use
    return graph


def may_match(left: TermOrVariable, right: TermOrVariable) -> bool:
    """Whether some values of the variables may make two terms equal; each variable is taken by itself."""
    if isinstance(left, Variable) or isinstance(right, Variable) or left is right:
        return True
    if left.name != right.name or len(left.args) != len(right.args):
        return False
    return all(map(may_match, left.args, right.args))
