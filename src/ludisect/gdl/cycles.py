"""Recursion: no rule may depend on its own negation, and none may make terms grow without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ludisect.errors import Problem
from ludisect.gdl.dependence import RuleNode, Use, may_match, uses
from ludisect.gdl.digraph import cyclic, way
from ludisect.gdl.places import Places
from ludisect.gdl.terms import Rule, Rules, Term, TermOrVariable, Variable, variables

Graph = Mapping[RuleNode, Mapping[RuleNode, Use]]


def recursion_faults(rules: Rules, graph: Graph, places: Places) -> Iterator[Problem]:
    """Negation cycles, and recursion beyond what GDL allows (Love et al., the recursion restriction)."""
    component = cyclic(graph)
    for number in sorted(set(component.values())):
        members = sorted(node for node in component if component[node] == number and isinstance(node, int))
        inside = {node: {m: use for m, use in graph[node].items() if m in members} for node in members}
        negative = next(((n, m) for n in members for m, use in inside[n].items() if use.negative), None)
        if negative:
            yield _negation_cycle(rules, inside, places, *negative)
        else:
            heads = [rules.rules[node].head for node in members]
            for node in members:
                yield from _wide_recursion(rules.rules[node], heads, places)


def _negation_cycle(
    rules: Rules, inside: Mapping[int, Mapping[int, Use]], places: Places, node: int, used: int
) -> Problem:
    cycle = [node, *(way(inside, used, node) if used != node else [node])]
    names = [rules.rules[n].head.name for n in cycle]
    text = names[0]
    for (before, after), name in zip(pairwise(cycle), names[1:], strict=True):
        text += f" → {'not ' if inside[before][after].negative else ''}{name}"
    what = f"{names[0]} depends on its own negation: {text}"
    help = "rewrite one of these rules so that it does not use the others through 'not'"
    return places.problem(what, rules.rules[node], inside[node][used].path, help=help)


def _wide_recursion(rule: Rule, heads: list[Term], places: Places) -> Iterator[Problem]:
    """The restriction: what a recursive atom holds stands in the head too, or another literal binds it."""
    recursive: list[Use] = []
    bound: set[Variable] = set()
    for use in uses(rule):
        if any(may_match(use.atom, head) for head in heads):
            recursive.append(use)
        elif not use.negative:
            bound.update(use.atom.variables())
    for use in recursive:
        for i, arg in enumerate(use.atom.args, 1):
            free = set(variables(arg)) - bound
            if not free or arg in rule.head.args:
                continue
            growing = [v for v in free if _depth(v, rule.head) > _depth(v, use.atom)]
            if growing:
                what = f"{rule.head.name} is recursive and its terms grow without end"
                help = f"add a literal that binds {growing[0]} to finitely many values"
                yield places.problem(what, rule, (*use.path, i), help=help)
            else:
                what = f"recursion beyond GDL's restriction: {arg} is neither in the head nor bound by another literal"
                yield places.problem(what, rule, (*use.path, i), help=_WIDE, level="warning")


def _depth(variable: Variable, term: TermOrVariable) -> int:
    """How deep a variable lies in a term at most; -1 if it does not."""
    if isinstance(term, Variable):
        return 0 if term == variable else -1
    depth = max((_depth(variable, arg) for arg in term.args), default=-1)
    return depth + 1 if depth >= 0 else -1


_WIDE = "other programs may refuse these rules; use arguments of the head, or bind the variable by another literal"
