"""Static checks of a rule sheet: all its faults and doubtful spots, with place and help, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludisect.errors import Problem
from ludisect.gdl.cycles import recursion_faults
from ludisect.gdl.dependence import Predicate, Use, may_match, predicate, rule_graph, uses
from ludisect.gdl.keywords import forbidden_dependencies, misused_keywords
from ludisect.gdl.places import Places
from ludisect.gdl.safety import unsafe_variables
from ludisect.gdl.terms import CONNECTIVES, KEYWORDS, Rule, Rules, Term, TermOrVariable, Variable, integer


def check(rules: Rules) -> list[Problem]:
    """List every problem that can be seen without playing, sorted by place.

    Errors make the game meaningless or impossible to evaluate: a variable that nothing binds, a rule that depends on
    its own negation, terms that grow without end, a keyword with the wrong arguments or in a place that changes its
    meaning, no role, no legal move. All else is a warning.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"check takes Rules (what read gives), not {type(rules).__name__}")
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
    if "next" in heads:
        heads.add("init")  # a first state without fluents is fine if others follow
    for name, level, what, example in (
        ("role", "error", "no role", "(role white)"),
        ("legal", "error", "no 'legal' rule: nobody can move", "(legal white noop)"),
        ("init", "warning", "neither 'init' nor 'next' rules: no fluent ever holds", "(init (step 1))"),
        ("terminal", "warning", "no 'terminal' rule: no play ever ends", "(<= terminal (true (step 9)))"),
        ("goal", "warning", "no 'goal' rule: nobody gets anything", "(goal white 100)"),
    ):
        if name not in heads:
            yield Problem(f"{rules.name}: {what}", help=f"add a rule such as {example}", level=level)


def _roles(rules: Rules, places: Places) -> Iterator[Problem]:
    """Roles that cannot move or get nothing, and rules for what is no role."""
    roles: dict[Term, Rule] = {}
    for rule in rules:
        if rule.head.name == "role" and len(rule.head.args) == 1:
            if rule.body:
                yield places.problem("a role that depends on others", rule, help=_FACT, level="warning")
                return
            if isinstance(rule.head.args[0], Term):
                roles.setdefault(rule.head.args[0], rule)
    heads: dict[str, list[TermOrVariable]] = {"legal": [], "goal": []}
    told: set[TermOrVariable] = set()
    for rule in rules:
        for atom, path, _ in [Use(rule.head, (1,), False), *uses(rule)]:
            if atom.name not in ("legal", "goal", "does", "input") or len(atom.args) != 2:
                continue
            side = atom.args[0]
            if path == (1,) and atom.name in heads:
                heads[atom.name].append(side)
            if isinstance(side, Term) and side.is_ground and side not in roles and side not in told and roles:
                told.add(side)
                help = _near(str(side), map(str, roles)) or f"the roles are {', '.join(map(str, roles))}"
                yield places.problem(f"{side} is no role", rule, (*path, 1), help=help, level="warning")
    for role, rule in roles.items():
        for name, sides in heads.items():
            if sides and not any(may_match(role, side) for side in sides):
                help = f"add a rule such as ({name} {role} {'noop' if name == 'legal' else '0'})"
                yield places.problem(f"role {role} has no {name!r} rule", rule, help=help, level="warning")


_FACT = "other programs may refuse it; state each role as a fact"


def _goal_values(rules: Rules, places: Places) -> Iterator[Problem]:
    for rule in rules:
        if rule.head.name != "goal" or len(rule.head.args) != 2 or isinstance(rule.head.args[1], Variable):
            continue
        value = rule.head.args[1]
        number = integer(value)
        if number is None:
            yield places.problem(f"the goal value {value} is no integer", rule, (1, 2), help=_GOALS)
        elif not 0 <= number <= 100:
            yield places.problem(f"the goal value {value} is not in 0-100", rule, (1, 2), help=_GOALS, level="warning")


_GOALS = "goal values are integers from 0 (worst) to 100 (best)"


def _undefined(rules: Rules, places: Places) -> Iterator[Problem]:
    """Predicates, fluents and moves that are used but can never hold, each told once."""
    predicates: set[Predicate] = {("true", 1), ("does", 2)}
    made: dict[str, set[Predicate]] = {"true": set(), "does": set()}
    anything = set()  # "true" or "does" if a variable in a head may stand for every fluent or move
    for rule in rules:
        head = rule.head
        predicates.add(predicate(head))
        keyword = {"init": "true", "next": "true", "legal": "does"}.get(head.name)
        if keyword and head.args:
            if isinstance(head.args[-1], Term):
                made[keyword].add(predicate(head.args[-1]))
            else:
                anything.add(keyword)
    told: set[tuple[str, Predicate]] = set()
    for rule in rules:
        for atom, path, _ in uses(rule):
            used = predicate(atom)
            if used not in predicates:
                if atom.name not in KEYWORDS and ("", used) not in told:
                    told.add(("", used))
                    what = f"no rule defines {_named(used)}: it never holds"
                    yield places.problem(what, rule, path, help=_similar(used, predicates), level="warning")
            elif atom.name in made and atom.name not in anything and atom.args and isinstance(atom.args[-1], Term):
                thing = predicate(atom.args[-1])
                known = thing in made[atom.name] or thing[0] in CONNECTIVES  # of the latter, others tell
                if not known and (atom.name, thing) not in told:
                    told.add((atom.name, thing))
                    makers, kind = ("'init' or 'next'", "fluent") if atom.name == "true" else ("'legal'", "move")
                    what = f"no {makers} rule makes the {kind} {_named(thing)}: it never holds"
                    help = _similar(thing, made[atom.name])
                    yield places.problem(what, rule, (*path, len(atom.args)), help=help, level="warning")


def _named(one: Predicate) -> str:
    name, arity = one
    return name if not arity else f"{name} with {_count(arity)}"


def _count(arguments: int) -> str:
    return "1 argument" if arguments == 1 else f"{arguments or 'no'} arguments"


def _similar(one: Predicate, others: Iterable[Predicate]) -> str:
    name = one[0]
    arities = sorted(arity for other, arity in others if other == name)
    if arities:
        return f"there is {name} with {' and with '.join(map(_count, arities))}"
    near = _near(name, [other for other, _ in others if other not in KEYWORDS])
    return near or "add a rule for it, or remove the literal"


def _near(name: str, others: Iterable[str]) -> str:
    """A hint at a name that differs in letter case or little else."""
    from difflib import get_close_matches  # rarely needed and slow to load

    known = sorted(set(others))
    cased = [other for other in known if other.lower() == name.lower()]
    near = cased or get_close_matches(name, known, n=1, cutoff=0.75)
    return f"did you mean {near[0]}? Letter case counts" if cased else f"did you mean {near[0]}?" if near else ""


def _arities(rules: Rules, places: Places) -> Iterator[Problem]:
    """Predicates of one name that are defined with several numbers of arguments: legal, but mostly a slip."""
    first: dict[str, Rule] = {}
    told: set[Predicate] = set()
    for rule in rules:
        one = predicate(rule.head)
        before = first.setdefault(rule.head.name, rule)
        if predicate(before.head) != one and one not in told and rule.head.name not in KEYWORDS:
            told.add(one)
            where = f", as on line {before.place.line}" if before.place else ""
            what = f"{_named(one)} is not {_named(predicate(before.head))}{where}"
            yield places.problem(what, rule, help=_ARITIES, level="warning")


_ARITIES = "give one of these predicates another name if they are meant to differ"
