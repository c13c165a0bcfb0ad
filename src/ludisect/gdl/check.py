"""Static checks of a rule sheet: all its faults and doubtful spots, with place and help, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from ludisect.errors import Problem
from ludisect.gdl.cycles import recursion_faults
from ludisect.gdl.dependencies import Predicate, Use, may_match, predicate, rule_graph, uses
from ludisect.gdl.keywords import forbidden_dependencies, misused_keywords
from ludisect.gdl.places import Path, Places
from ludisect.gdl.safety import unsafe_variables
from ludisect.gdl.terms import KEYWORDS, Rule, Rules, Term, TermOrVariable, Variable


def check(rules: Rules) -> list[Problem]:
    """List every problem that can be seen without playing, sorted by place.

    Errors make the game meaningless or impossible to evaluate: a variable that nothing binds, a rule that depends on
    its own negation, terms that grow without end, a keyword with the wrong arguments or in a place that changes its
    meaning, no role, no legal move. All else is a warning.
    """
    places = Places(rules)
    graph = rule_graph(rules)
    problems = [
        *_missing(rules),
        *misused_keywords(rules, places),
        *forbidden_dependencies(rules, graph, places),
        *unsafe_variables(rules, places),
        *recursion_faults(rules, graph, places),
        *_roles(rules, places),
        *_goal_values(rules, places),
        *_undefined(rules, places),
        *_arities(rules, places),
    ]
    return sorted(problems, key=lambda p: (p.place.line, p.place.column) if p.place else (0, 0))


def _missing(rules: Rules) -> Iterator[Problem]:
    heads = {rule.head.name for rule in rules}
    for name, level, what, help in (
        ("role", "error", "no role", "name the sides, such as (role white)"),
        ("legal", "error", "no 'legal' rule: nobody can move", "say what each role may do, such as (legal white noop)"),
        ("init", "warning", "no 'init' rule: the first state is empty", "say what holds at the start, such as (init (step 1))"),
        ("terminal", "warning", "no 'terminal' rule: no play ever ends", "say when it is over, such as (<= terminal (true (step 9)))"),
        ("goal", "warning", "no 'goal' rule: nobody gets anything", "say what each role gets, such as (goal white 100)"),
    ):
        if name not in heads:
            yield Problem(f"{rules.name}: {what}", help=help, level=level)
