"""Recursion: no rule may depend on its own negation, and none may make terms grow without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludisect.errors import Problem
from ludisect.gdl.dependencies import RuleNode, Use, predicate, uses
from ludisect.gdl.graph import cyclic, way
from ludisect.gdl.places import Places
from ludisect.gdl.terms import Rule, Rules, Term, TermOrVariable, Variable

Graph = Mapping[RuleNode, Mapping[RuleNode, Use]]


def recursion_faults(rules: Rules, graph: Graph, places: Places) -> Iterator[Problem]:
    """Negation cycles, and recursion beyond what GDL allows (Love et al., definition of the recursion restriction)."""
    component = cyclic(graph)
    blamed: set[int] = set()  # components whose negation cycle is told
    for node, number in component.items():
        assert isinstance(node, int), "our bug: true and does depend on nothing"
        for used, use in graph[node].items():
            if component.get(used) != number:
                continue
            if use.negative and number not in blamed:
                blamed.add(number)
                yield _negation_cycle(rules, graph, places, node, used, component)
            elif not use.negative and number not in blamed:
                yield from _wide_recursion(rules.rules[node], use, _recursive_atoms(graph[node], component, number), places)


def _negation_cycle(
    rules: Rules, graph: Graph, places: Places, node: int, used: RuleNode, component: Mapping[RuleNode, int]
) -> Problem:
    inside = {n: [m for m in graph[n] if component.get(m) == component[node]] for n in graph if n in component}
    cycle: list[RuleNode] = [node, used, *(way(inside, used, node)[1:] if used != node else ())]
    text = _name(rules, node)
    for before, after in zip(cycle, cycle[1:], strict=False):
        text += f" → {'not ' if graph[before][after].negative else ''}{_name(rules, after)}"
    what = f"{_name(rules, node)} depends on its own negation: {text}"
    help = "rewrite one of these rules so that it does not use the others through 'not'"
    return places.problem(what, rules.rules[node], graph[node][used].path, help=help)


def _name(rules: Rules, node: RuleNode) -> str:
    return rules.rules[node].head.name if isinstance(node, int) else node[0]


def _recursive_atoms(edges: Mapping[RuleNode, Use], component: Mapping[RuleNode, int], number: int) -> set[Term]:
    return {use.atom for node, use in edges.items() if component.get(node) == number}


def _wide_recursion(rule: Rule, use: Use, recursive: set[Term], places: Places) -> Iterator[Problem]:
    """The restriction: what a recursive atom holds stands in the head too, or another literal binds it."""
    bound = {
        variable
        for other in uses(rule)
        if not other.negative and other.atom not in recursive
        for variable in other.atom.variables()
    }
    for i, arg in enumerate(use.atom.args, 1):
        free = set(_variables(arg)) - bound
        if not free or arg in rule.head.args:
            continue
        name = predicate(use.atom)[0]
        if any(isinstance(a, Term) and free & set(a.variables()) for a in rule.head.args):
            what = f"{rule.head.name} is recursive and its terms grow without end: {arg} comes from {name} alone"
            help = f"add a literal that binds {_names(free)} to finitely many values"
            yield places.problem(what, rule, (*use.path, i), help=help)
        else:
            what = f"recursion beyond GDL's restriction: {arg} is neither in the head nor bound by another literal"
            yield places.problem(what, rule, (*use.path, i), help=_WIDE, level="warning")


_WIDE = "other programs may refuse these rules; use arguments of the head, or bind the variable by another literal"


def _variables(term: TermOrVariable) -> Iterator[Variable]:
    return iter((term,)) if isinstance(term, Variable) else term.variables()


def _names(some: set[Variable]) -> str:
    return " and ".join(sorted(map(str, some)))
