"""The words of the language: each with its number of arguments, its place, and what it must not depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludisect.errors import Problem
from ludisect.gdl.dependence import RuleNode, Use, uses
from ludisect.gdl.digraph import leading_to, way
from ludisect.gdl.places import Path, Places
from ludisect.gdl.terms import CONNECTIVES, Rule, Rules, Term, Variable

_TAKES = {
    "role": ("a role",),
    "init": ("a fluent",),
    "true": ("a fluent",),
    "next": ("a fluent",),
    "does": ("a role", "a move"),
    "legal": ("a role", "a move"),
    "goal": ("a role", "a number"),
    "terminal": (),
    "base": ("a fluent",),
    "input": ("a role", "a move"),
}
_HINTS = frozenset(("base", "input"))  # nothing follows from them
_HEADS_ONLY = frozenset(("init", "next"))
_FREE_OF = {
    "role": ("true", "does"),
    "init": ("true", "does"),
    "base": ("true", "does"),
    "input": ("true", "does"),
    "legal": ("does",),
    "goal": ("does",),
    "terminal": ("does",),
}


def misused_keywords(rules: Rules, places: Places) -> Iterator[Problem]:
    """Wrong numbers of arguments, and keywords where they do not belong."""
    warned: set[str] = set()
    for rule in rules:
        head = rule.head
        if head.name in _TAKES:
            yield from _arity(rule, head, (1,), places)
        if head.name in ("true", "does"):
            other = "next or init" if head.name == "true" else "legal"
            what = f"{head.name!r} cannot be the head of a rule"
            yield places.problem(what, rule, help=f"it tells what is; write {other}")
        yield from _inside(rule, head, (1,), places, warned)
        for use in uses(rule):
            name = use.atom.name
            if name in _TAKES:
                yield from _arity(rule, use.atom, use.path, places)
            if name in _HEADS_ONLY and name not in warned:
                warned.add(name)
                what = f"{name!r} belongs in heads, here it is used in a body"
                yield places.problem(what, rule, use.path, help=_BODIES, level="warning")
            yield from _inside(rule, use.atom, use.path, places, warned)


def _arity(rule: Rule, atom: Term, path: Path, places: Places) -> Iterator[Problem]:
    takes = _TAKES[atom.name]
    if len(atom.args) == len(takes):
        return
    count = {0: "no argument", 1: "1 argument", 2: "2 arguments"}[len(takes)]
    form = f"({atom.name} {' '.join(f'<{kind.split()[1]}>' for kind in takes)})" if takes else atom.name
    level = "warning" if atom.name in _HINTS else "error"
    what = f"{atom.name!r} takes {count}, found {len(atom.args)}"
    yield places.problem(what, rule, path, help=f"write {form}", level=level)


def _inside(rule: Rule, atom: Term, path: Path, places: Places, warned: set[str]) -> Iterator[Problem]:
    """Keywords within terms, where they are nothing but names."""
    for i, arg in enumerate(atom.args, 1):
        if isinstance(arg, Variable):
            continue
        if arg.args or arg.name in CONNECTIVES:
            place = (*path, i)
            if arg.name in CONNECTIVES:
                what = f"{arg.name!r} joins literals and cannot stand within a term"
                yield places.problem(what, rule, place, help=f"write ({arg.name} …) around whole literals")
            elif arg.name in _TAKES and arg.name not in warned:
                warned.add(arg.name)
                what = f"the keyword {arg.name!r} within a term is nothing but a name"
                yield places.problem(what, rule, place, help="use another name", level="warning")
            yield from _inside(rule, arg, place, places, warned)


def forbidden_dependencies(
    rules: Rules, graph: Mapping[RuleNode, Mapping[RuleNode, Use]], places: Places
) -> Iterator[Problem]:
    """Such as a ``legal`` that depends on ``does``: told once for each pair of keywords."""
    affected = {word: leading_to(graph, [(word, arity)]) for word, arity in (("true", 1), ("does", 2))}
    told: set[tuple[str, str]] = set()
    for number, rule in enumerate(rules):
        name = rule.head.name
        for word in _FREE_OF.get(name, ()):
            if number not in affected[word] or (name, word) in told:
                continue
            told.add((name, word))
            chain = way(graph, number, (word, len(_TAKES[word])))
            names = [rules.rules[node].head.name if isinstance(node, int) else node[0] for node in chain]
            what = f"{name!r} depends on {word!r}: {' → '.join(names)}"
            level = "warning" if name in _HINTS else "error"
            use = graph[number][chain[1]]
            yield places.problem(what, rule, use.path, help=_REASON[word].format(name=name), level=level)


_BODIES = "other programs may refuse it; ask for what holds now by 'true'"
_REASON = {
    "does": "{name!r} is asked before the moves are made, it can depend on the state only",
    "true": "{name!r} is the same in every state, it can depend on facts only",
}
