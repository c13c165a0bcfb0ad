"""The rule interpreter: plays a game straight from its rules, slowly and plainly.

It is the yardstick for every other engine, and the way to play games whose ground rules do not fit in memory.

Questions are answered from the goal down. The answers to each atom, with the arguments that were known when it was
asked, are kept in a table: for good if they depend on neither state nor moves, else until the state or the joint
move changes. Predicates that depend on themselves are asked again until no table grows, which is their least model.

It assumes what `check` checks: every variable is bound by a positive literal, no predicate depends on its own
negation, neither ``legal`` nor ``goal`` nor ``terminal`` depends on ``does``. Then the answers are those of the
stratified model of the rules. A "not" over several literals holds if no values make all of them hold. ``legal`` and
``goal`` of terms that are no role are left out. Rules whose terms grow without end are not answered without end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ludisect.errors import IllegalMove, InputError, RulesInvalidError
from ludisect.gdl.check import check
from ludisect.gdl.dependence import Predicate, predicate, predicate_graph
from ludisect.gdl.digraph import cyclic, leading_to
from ludisect.gdl.machine import Fluents
from ludisect.gdl.plan import BodyForm, Branch, Build, Call, Differ, Fail, JoinPlanner, Match, Step, Steps, Values, flat
from ludisect.gdl.state import HasStates
from ludisect.gdl.terms import And, Not, Or, Rule, Rules, Term, Variable, integer, variables

Answer = tuple[Term, ...]
"""The arguments of a ground atom that holds."""

Key = tuple[BodyForm, Answer]
"""A question: its form, and the values of the arguments that are known."""

_STATIC, _STATE, _MOVES = range(3)
_DEPTH = 400
"""How deep Python's stack may get, more or less, before the question at hand is answered by itself first."""


class Interpreter(HasStates):
    """A `Machine` made of the rules themselves.

    Raises RulesInvalidError if `check` finds an error. Interpreters of equal rules are equal.
    """

    def __init__(self, rules: Rules) -> None:
        if not isinstance(rules, Rules):
            raise TypeError(f"an Interpreter is made from Rules (what read gives), not from {type(rules).__name__}")
        faults = [problem for problem in check(rules) if problem.level == "error"]
        if faults:
            raise RulesInvalidError(faults)
        self.rules = rules
        graph = predicate_graph(rules)
        self._facts = _Facts(rule.head for rule in rules if not rule.body)
        self._clauses: dict[Predicate, list[Rule]] = {}
        for rule in rules:
            if rule.body:
                self._clauses.setdefault(predicate(rule.head), []).append(rule)
        by_state, by_moves = leading_to(graph, [("true", 1)]), leading_to(graph, [("does", 2)])
        self._level = {p: _MOVES if p in by_moves else _STATE if p in by_state else _STATIC for p in self._clauses}
        self._component = cyclic(graph)
        self._plans: dict[BodyForm, list[_Plan]] = {}
        self._tables: list[dict[Key, Collection[Answer]]] = [{}, {}, {}]
        self._running: dict[int, _Fixpoint] = {}
        self._cost = {p: 4 + max(_frames(rule) for rule in clauses) for p, clauses in self._clauses.items()}
        self._depth = 0
        self._state: Fluents | None = None
        self._state_facts = self._move_facts = _Facts(())
        self._role_terms = {str(role): role for (role,) in self._ask("role", 1)}

    def __eq__(self, other: object) -> bool:
        return self.rules == other.rules if isinstance(other, Interpreter) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rules)

    def __reduce__(self) -> tuple[type[Interpreter], tuple[Rules]]:
        return Interpreter, (self.rules,)

    @property
    def name(self) -> str:
        """What the rules are called."""
        return self.rules.name

    @property
    def roles(self) -> tuple[str, ...]:
        """The sides, in the order of the rules."""
        return tuple(self._role_terms)

    def initial_state(self) -> Fluents:
        """The fluents that hold at the start."""
        return frozenset(fluent for (fluent,) in self._ask("init", 1))

    def legal_moves(self, state: Fluents) -> dict[str, list[Term]]:
        """Each role's legal moves, sorted by their text."""
        self._enter(state)
        moves: dict[str, list[Term]] = {role: [] for role in self._role_terms}
        for role, move in self._ask("legal", 2):
            if str(role) in moves:
                moves[str(role)].append(move)
        return {role: sorted(some, key=str) for role, some in moves.items()}

    def some_legal_move(self, state: Fluents, role: str) -> Term | None:
        """A legal move of a role, the first that is found: sooner than all of them where there are thousands."""
        self._enter(state)
        key = BodyForm(("legal", 2), (0,)), (self._role_terms[role],)
        if key[0].predicate in self._clauses and key[0].predicate not in self._component:
            with suppress(_TooDeepError):
                return next((move for _, move in self._evaluate(key, just_one=True)), None)
        return next(iter(self.legal_moves(state)[role]), None)

    def next_state(self, state: Fluents, moves: Mapping[str, Term]) -> Fluents:
        """The state after a joint move.

        Raises IllegalMove, or InputError if a role has no move or a move no role.
        """
        for role in self._role_terms:
            if role not in moves:
                raise InputError(f"no move for role {role!r}; give one for each of {', '.join(self.roles)}")
        for role in moves:
            if role not in self._role_terms:
                raise InputError(f"a move for {role!r}, which is no role; the roles are {', '.join(self.roles)}")
        legal = self.legal_moves(state)
        for role, move in moves.items():
            if not isinstance(move, Term):
                raise TypeError(f"a move is a Term, not {move!r}; State.play takes texts, too")
            if move not in legal[role]:
                raise IllegalMove(role, str(move), [str(some) for some in legal[role]])
        self._move(moves)
        state = frozenset(fluent for (fluent,) in self._ask("next", 1))
        self._move({})
        return state

    def is_terminal(self, state: Fluents) -> bool:
        """Whether the play is over."""
        self._enter(state)
        return bool(self._ask("terminal", 0))

    def goals(self, state: Fluents) -> dict[str, int | None]:
        """What each role gets here; ``None`` where the rules give no integer, or several."""
        self._enter(state)
        values: dict[str, list[Term]] = {role: [] for role in self._role_terms}
        for role, value in self._ask("goal", 2):
            if str(role) in values:
                values[str(role)].append(value)
        return {role: integer(some[0]) if len(some) == 1 else None for role, some in values.items()}

    def _enter(self, state: Fluents) -> None:
        if state != self._state:
            self._state = state
            self._tables[_STATE] = {}
            self._state_facts = _Facts(Term("true", (fluent,)) for fluent in state)
            self._move({})

    def _move(self, moves: Mapping[str, Term]) -> None:
        self._tables[_MOVES] = {}
        self._move_facts = _Facts(Term("does", (self._role_terms[role], move)) for role, move in moves.items())

    def _ask(self, name: str, arity: int) -> Collection[Answer]:
        """All answers of a predicate; questions that lie too deep are answered first."""
        todo: list[Key] = [(BodyForm((name, arity)), ())]
        while True:
            try:
                answers = self._answers(todo[-1])
            except _TooDeepError as deep:
                todo.append(deep.key)
                continue
            todo.pop()
            if not todo:
                return answers

    def _answers(self, key: Key) -> Collection[Answer]:
        asked = key[0].predicate
        if asked not in self._clauses:
            return self._known_facts(asked).lookup(key)
        table = self._tables[self._level[asked]]
        if key in table:
            return table[key]
        component = self._component.get(asked)
        if component in self._running:
            return self._running[component].partial(key)
        cost = self._cost[asked]
        if self._depth and self._depth + cost > _DEPTH:
            raise _TooDeepError(key)
        self._depth += cost
        try:
            if component is None:
                table[key] = self._evaluate(key)
            else:
                table.update(self._fixpoint(key, component))
        finally:
            self._depth -= cost
        return table[key]

    def _known_facts(self, asked: Predicate) -> _Facts:
        if asked == ("does", 2):
            return self._move_facts
        return self._state_facts if asked == ("true", 1) or asked[0].startswith("true ") else self._facts

    def _fixpoint(self, key: Key, component: int) -> Mapping[Key, Collection[Answer]]:
        """Answer a question to a recursive predicate and all questions to its component that come up on the way."""
        run = self._running[component] = _Fixpoint()
        run.partial(key)
        try:
            while run.todo:
                run.current = key = next(iter(run.todo))
                del run.todo[key]
                answers = self._evaluate(key)
                if len(answers) > len(run.answers[key]):
                    run.answers[key] = answers
                    run.todo.update(run.askers[key])
        finally:
            del self._running[component]
        return run.answers

    def _evaluate(self, key: Key, *, just_one: bool = False) -> Collection[Answer]:
        """One pass over the facts and rules of a predicate, up to the first answer if one is enough."""
        form, known = key
        answers = dict.fromkeys(self._facts.lookup(key))
        single = just_one or len(form.mask) == form.predicate[1]  # at most one answer
        if single and answers:
            return answers
        if form not in self._plans:
            rules = [rule for rule in self._clauses[form.predicate] if form.admits(rule.head)]
            self._plans[form] = [self._plan(rule, form.mask) for rule in rules]
        for plan in self._plans[form]:
            values: Values = [_UNSET] * plan.slots
            if not all(match(term, values) for match, term in zip(plan.matches, known, strict=True)):
                continue

            def found(values: Values, plan: _Plan = plan) -> bool:
                answer = tuple([build(values) for build in plan.head])
                # What is left to do here only tests this answer.
                if answer not in answers and self._solve(plan.rest, 0, values, _enough):
                    answers[answer] = None
                    return single
                return False

            if self._solve(plan.steps, 0, values, found):
                break
        return answers

    def _solve(self, steps: Steps, at: int, values: Values, found: Callable[[Values], bool]) -> bool:
        """Call ``found`` for each solution of the steps until it says that it has enough; tell whether it did."""
        while at < len(steps):
            step = steps[at]
            at += 1
            if isinstance(step, Call):
                answers = self._answers((step.form, tuple([build(values) for build in step.known])))
                if step.open:
                    for answer in answers:
                        for i, match in step.open:
                            if not match(answer[i], values):
                                break
                        else:
                            if self._solve(steps, at, values, found):
                                return True
                    return False
                if not answers:
                    return False
            elif isinstance(step, Differ):
                if step.left(values) == step.right(values):
                    return False
            elif isinstance(step, Fail):
                if self._has_solution(step.steps, values):
                    return False
            else:
                return self._branch(step, steps[at:], values, found)
        return found(values)

    def _has_solution(self, steps: Steps, values: Values) -> bool:
        # What is negated must be known for sure. Where its predicate is under way already, as in
        # (<= (goal ?r 0) (not (goal ?r 100))), other rules of it are meant: they are run to their own end.
        running, self._running = self._running, {}
        try:
            return self._solve(steps, 0, values, _enough)
        finally:
            self._running = running

    def _branch(self, step: Branch, rest: Steps, values: Values, found: Callable[[Values], bool]) -> bool:
        return any(self._solve(branch + rest, 0, values, found) for branch in step.branches)

    def _plan(self, rule: Rule, mask: tuple[int, ...]) -> _Plan:
        mentioned = [*rule.head.variables(), *(v for formula in rule.body for v in variables(formula))]
        slots = {variable: i for i, variable in enumerate(dict.fromkeys(mentioned))}
        planner = JoinPlanner(slots, self._size)
        known: set[Variable] = set()
        matches = tuple(planner.match(rule.head.args[i], known) for i in mask)
        wanted = set(rule.head.variables())
        first: list[Step] = []
        rest: list[Step] = []
        asking = not wanted <= known
        for step in planner.each_step(rule.body, known):
            (first if asking else rest).append(step)
            asking = not wanted <= known
        head = tuple(planner.build(arg) for arg in rule.head.args)
        return _Plan(len(slots), matches, tuple(first), tuple(rest), head)

    def _size(self, atom: Term) -> float:
        """A guess at how many answers an atom has."""
        asked, _ = flat(atom)
        if asked in self._clauses:
            return 1000.0
        return 50.0 if atom.name == "true" else float(self._facts.count(asked))


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to find the answers that a rule gives when some arguments of its head are known."""

    slots: int
    matches: tuple[Match, ...]  # for the known arguments
    steps: Steps  # until all variables of the head have values
    rest: Steps
    head: tuple[Build, ...]


@dataclass(slots=True)
class _Fixpoint:
    """The questions to one recursive component: their answers so far, and who must be asked again when they grow."""

    answers: dict[Key, Collection[Answer]] = field(default_factory=dict)
    askers: dict[Key, dict[Key, None]] = field(default_factory=dict)
    todo: dict[Key, None] = field(default_factory=dict)
    current: Key | None = None

    def partial(self, key: Key) -> Collection[Answer]:
        """The answers so far; the question that is under way depends on them."""
        if key not in self.answers:
            self.answers[key] = ()
            self.askers[key] = {}
            self.todo[key] = None
        if self.current:
            self.askers[key][self.current] = None
        return self.answers[key]


class _Facts:
    """Ground atoms, found by predicate and any known arguments."""

    def __init__(self, atoms: Iterable[Term]) -> None:
        self._answers: dict[Predicate, dict[Answer, None]] = {}
        self._indexes: dict[tuple[Predicate, tuple[int, ...]], dict[Answer, list[Answer]]] = {}
        for atom in atoms:
            # A fluent is found by its own arguments and, for (true ?f), as a whole.
            for asked, args in {flat(atom), (predicate(atom), atom.args)}:
                self._answers.setdefault(asked, {})[args] = None  # type: ignore[index]  # facts are ground

    def count(self, asked: Predicate) -> int:
        """How many there are of a predicate."""
        return len(self._answers.get(asked, ()))

    def lookup(self, key: Key) -> Collection[Answer]:
        """The answers to a question."""
        (asked, mask, _), values = key
        if not mask or asked not in self._answers:
            return self._answers.get(asked, ())
        index = self._indexes.get((asked, mask))
        if index is None:
            index = self._indexes[asked, mask] = {}
            for answer in self._answers[asked]:
                index.setdefault(tuple([answer[i] for i in mask]), []).append(answer)
        return index.get(values, ())


class _TooDeepError(Exception):
    """A question lies so deep that it must be answered by itself first."""

    def __init__(self, key: Key) -> None:
        self.key = key


_UNSET = Term("unset")


def _frames(rule: Rule) -> int:
    """How many calls within calls the body of a rule may need: two for each atom and each connective."""
    todo = list(rule.body)
    count = 0
    while todo:
        formula = todo.pop()
        count += 2
        if isinstance(formula, Not):
            todo.append(formula.body)
        elif isinstance(formula, And | Or):
            todo.extend(formula.parts)
    return count


def _enough(values: Values) -> bool:
    return True
