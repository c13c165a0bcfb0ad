"""Rules written in Python are the rules of a sheet: the same games, and every slip gets a message with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.errors import InputError, RulesError, RulesInvalidError
from ludisect.gdl import (
    Interpreter,
    PythonRules,
    State,
    Term,
    all_of,
    any_of,
    check,
    check_machine,
    condition,
    does,
    fluent,
    move,
    read,
    write,
)
from tests.circuit.odds import mean_goal

EXAMPLES = Path(__file__).parents[2] / "examples"
Nim = run_path(str(EXAMPLES / "nim.py"))["Nim"]
DoubleTicTacToe = run_path(str(EXAMPLES / "double_tictactoe.py"))["DoubleTicTacToe"]

# ---- the same games as their sheets ----

SAME: list[tuple[PythonRules, str]] = [
    (Nim(1, 2), "nim:1,2"),
    (Nim(3, 5, 7), "nim:3,5,7"),
    (DoubleTicTacToe(), "double-tictactoe"),
]
BOTH = pytest.mark.parametrize(("game", "sheet"), SAME, ids=[sheet for _, sheet in SAME])


@BOTH
def test_every_answer_is_that_of_the_sheet(game: PythonRules, sheet: str) -> None:
    ours, theirs = ludisect.load(game), ludisect.load(sheet)
    reference = Interpreter(ludisect.read(_text(sheet), name=sheet))
    assert check_machine(ours, reference, plays=10) == []
    assert check_machine(Interpreter(game.rules), ours, plays=5) == []
    assert ours.roles == theirs.roles
    assert ours.name == theirs.name
    assert set(ours.fluents) == set(theirs.fluents)
    assert [set(m) for m in ours.moves] == [set(m) for m in theirs.moves]


@BOTH
def test_the_tree_of_plays_is_that_of_the_sheet(game: PythonRules, sheet: str) -> None:
    depth = 4 if sheet == "nim:3,5,7" else 3
    assert perft(ludisect.load(game).start, depth) == perft(ludisect.load(sheet).start, depth)


def perft(start: State[Any], depth: int) -> Counter[tuple[int, bool, tuple[int | None, ...]]]:
    """How many ways of play there are to each depth, by what the game says there; each state is asked once."""

    @cache
    def below(state: State[Any], depth: int) -> Counter[tuple[int, bool, tuple[int | None, ...]]]:
        found = Counter({(depth, state.is_over, tuple(state.goals.values())): 1})
        if depth and not state.is_over:
            for moves in product(*state.legal.values()):
                found += below(state.play(moves), depth - 1)
        return found

    return below(start, depth)


@BOTH
def test_parts_and_value_are_those_of_the_sheet(game: PythonRules, sheet: str) -> None:
    ours, theirs = ludisect.decompose(game), ludisect.decompose(sheet)
    assert ours.counts == theirs.counts
    assert ours.structure == theirs.structure
    assert {frozenset(part.fluents) for part in ours} == {frozenset(part.fluents) for part in theirs}
    assert ludisect.solve(ours).value == ludisect.solve(theirs).value == ludisect.solve(game).value


@BOTH
def test_the_sheet_that_is_written_reads_back(game: PythonRules, sheet: str) -> None:
    text = write(game.rules)
    assert read(text) == game.rules
    assert [problem for problem in check(game.rules) if problem.level == "error"] == []
    assert ludisect.load(text) == ludisect.load(game)


def test_playouts_are_those_of_the_sheet() -> None:
    for game in (ludisect.load(Nim(1, 2)), ludisect.load("nim:1,2")):
        mean = game.playouts.run(40_000, seed=3).mean_goal("player1")
        assert mean == pytest.approx(mean_goal(game, 0), abs=1)


def _text(name: str) -> str:
    from ludisect.games import bundled

    return bundled.source(name)


# ---- conditions ----

a, b, c, d = (fluent(name) for name in "abcd")
FLUENTS = (a, b, c, d)
go, stay = move("go"), move("stay")


class Little(PythonRules):
    """A game to be changed by each test."""

    roles = ("r",)

    def start(self) -> Iterable[Any]:
        return [a]

    def legal(self, role: str) -> Iterable[Any]:
        return [go]

    def next(self) -> Iterable[Any]:
        return FLUENTS

    def terminal(self) -> Any:
        return b

    def goal(self, role: str) -> Iterable[Any]:
        return [50]


Tree = tuple[Any, ...]
leaves = st.sampled_from([("fluent", i) for i in range(4)] + [("constant", True), ("constant", False)])
trees: st.SearchStrategy[Tree] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), inner, inner),
        st.tuples(st.sampled_from(["all", "any"]), st.lists(inner, max_size=4)),
    ),
    max_leaves=12,
)


def built(tree: Tree) -> Any:
    """The tree as a condition (or as True and False, which are conditions, too)."""
    kind, *rest = tree
    if kind == "fluent":
        return FLUENTS[rest[0]]
    if kind == "constant":
        return rest[0]
    if kind == "not":
        inner = built(rest[0])
        return (not inner) if isinstance(inner, bool) else ~inner
    if kind in ("all", "any"):
        return (all_of if kind == "all" else any_of)(map(built, rest[0]))
    left, right = map(built, rest)
    return left & right if kind == "and" else left | right


def holds(tree: Tree, values: tuple[bool, ...]) -> bool:
    """The plain twin: the truth of the tree."""
    kind, *rest = tree
    if kind == "fluent":
        return values[rest[0]]
    if kind == "constant":
        return bool(rest[0])
    if kind == "not":
        return not holds(rest[0], values)
    if kind in ("all", "any"):
        return (all if kind == "all" else any)(holds(t, values) for t in rest[0])
    left, right = (holds(t, values) for t in rest)
    return (left and right) if kind == "and" else (left or right)


@settings(max_examples=150)
@given(trees, st.booleans())
def test_conditions_mean_what_they_say(tree: Tree, named: bool) -> None:
    class Asked(Little):
        @condition
        def over(self) -> Any:
            return built(tree)

        def terminal(self) -> Any:
            return self.over() if named else built(tree)

    machine = Interpreter(Asked().rules)
    for values in product((False, True), repeat=4):
        state = frozenset(f.term for f, true in zip(FLUENTS, values, strict=True) if true)
        assert machine.is_terminal(state) == holds(tree, values)


@pytest.mark.parametrize("tree", [("constant", True), ("constant", False), ("not", ("fluent", 1))])
def test_the_circuit_agrees_on_constants(tree: Tree) -> None:
    class Asked(Little):
        @condition
        def over(self) -> Any:
            return built(tree)

        def terminal(self) -> Any:
            return self.over()

    assert check_machine(ludisect.load(Asked()), Interpreter(Asked().rules), max_length=5) == []


def test_recursive_conditions() -> None:
    links = {1: [2], 2: [3], 3: [1, 4], 4: [], 5: [1]}
    open_ = fluent("open")

    class Paths(Little):
        def start(self) -> Iterable[Any]:
            return [open_(n) for n in links]

        def next(self) -> Iterable[Any]:
            for n in links:
                yield open_(n), open_(n) if n != 3 else False

        @condition
        def reach(self, start: int, end: int) -> Any:
            for n in links[start]:
                yield open_(n) & (n == end)
                yield open_(n) & self.reach(n, end)

        def terminal(self) -> Any:
            return ~self.reach(1, 4) & ~self.reach(2, 1)

    game = ludisect.load(Paths())
    assert not game.start.is_over
    assert game.start.play().is_over
    assert check_machine(game, Interpreter(Paths().rules)) == []
    assert str(Paths().rules).count("(<= (reach 1 4)") == 1  # used often, written once


def test_objects_show_what_they_are() -> None:
    cell, mark = fluent("cell"), move("mark")
    assert repr(cell(1, "x")) == "<fluent (cell 1 x)>"
    assert repr(mark(1)) == "<move (mark 1)>"
    assert repr(~cell(1)) == "<Condition (not (true (cell 1)))>"
    assert mark(1) == mark(1) != mark(2)
    assert len({cell(1), cell(1), cell(2), mark(1), mark(1)}) == 3
    assert str(fluent("last")(mark(1, 2)).term) == "(last (mark 1 2))"
    assert str(does("(player 1)", mark(Term.parse("(f x)")))) == "(does (player 1) (mark (f x)))"


# ---- slips ----

untyped: Any = a
half: Any = 0.5
three: Any = 3


@pytest.mark.parametrize(
    ("slip", "error", "message"),
    [
        (lambda: bool(a), TypeError, r"write &, \|, ~ for 'and', 'or', 'not'"),
        (lambda: a and b, TypeError, "holds in some states"),
        (lambda: untyped & go, TypeError, r"the move go is no condition; write does\(role, move\)"),
        (lambda: untyped | 1, TypeError, r"a condition is made of fluents, .* not int \(1\)"),
        (lambda: does("r", untyped), TypeError, r"does takes a role and a move such as mark\(1, 1\), not FluentTerm"),
        (
            lambda: fluent("cell")(half),
            TypeError,
            r"an argument of cell is a name or a whole number, not float \(0.5\)",
        ),
        (lambda: fluent("cell")(True), TypeError, r"not bool \(True\)"),
        (lambda: fluent("cell")(1)(2), TypeError, r"\(cell 1\) has its arguments already"),
        (
            lambda: fluent("cell")("a b"),
            InputError,
            r"an argument of cell cannot be called 'a b': names have no blanks",
        ),
        (lambda: fluent("?x"), InputError, "question mark"),
        (lambda: move("Legal"), InputError, "a move cannot be called 'Legal': that is a word of the rule language"),
        (lambda: fluent(three), TypeError, "a fluent has a name, not int"),
    ],
)
def test_wrong_expressions(slip: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        slip()


def faults(**methods: Any) -> str:
    kind = type("Broken", (Little,), methods)
    with pytest.raises(RulesInvalidError) as found:
        ludisect.load(kind())
    return str(found.value)


def test_a_move_where_a_fluent_belongs_and_the_other_way_round() -> None:
    message = faults(legal=lambda self, role: [a], next=lambda self: [go], start=lambda self: [(a, b)])
    assert "Broken.legal: gives <fluent a>" in message
    assert "help: what it gives is moves such as mark(1, 1), or pairs of a move and its condition" in message
    assert "Broken.next: gives <move go>" in message
    assert "Broken.start: gives (<fluent a>, <fluent b>)" in message
    assert message.count("help:") == 3  # all at once
    assert message.count("test_pythonrules.py:") == 3


def test_goals_that_are_no_numbers() -> None:
    assert "Broken.goal: gives ('100', True)" in faults(goal=lambda self, role: [("100", True)])
    assert "Broken.goal: gives True" in faults(goal=lambda self, role: [True])


def test_the_place_is_the_line_that_yields() -> None:
    def legal(self: PythonRules, role: str) -> Iterator[Any]:
        yield go
        yield stay, 5  # the slip

    (place, source, *_) = faults(legal=legal).split("\n")
    assert "a condition is made of fluents, does(role, move), &, | and ~, not int (5)" in place
    assert ", as the condition of (legal r stay)" in place
    assert "yield stay, 5  # the slip" in source


def test_methods_that_give_nothing() -> None:
    assert "Broken.next: gives None" in faults(next=lambda self: None)
    assert "Broken.terminal: gives None" in faults(terminal=lambda self: None)
    assert "Broken.legal: role r has no legal move" in faults(legal=lambda self, role: [])
    assert "Broken.goal: role r has no goal" in faults(goal=lambda self, role: [(50, False)])


def test_conditions_on_what_can_never_be() -> None:
    cell, cel = fluent("cell"), fluent("cel")
    message = faults(
        start=lambda self: [cell(1), a, b],
        terminal=lambda self: cel(1) | any_of(cell(n) for n in (1, 2, 3)),
        next=lambda self: [(c, does("r", stay) & does("s", go))],
    )
    assert "Broken.terminal: (cel 1) can never hold, for neither start nor next gives it" in message
    assert "help: did you mean (cell 1)?" in message
    assert "(cell 2) can never hold, for neither start nor next gives it, nor 1 more like it" in message
    assert "Broken.next: (does r stay) can never hold, for legal does not give the role that move" in message


def test_roles() -> None:
    with pytest.raises(TypeError, match=r"^Broken.roles is a tuple of names, not 'xplayer'$"):
        ludisect.load(type("Broken", (Little,), {"roles": "xplayer"})())
    assert "Broken has no roles" in faults(roles=())
    with pytest.raises(TypeError, match="abstract method"):
        type("Broken", (PythonRules,), {"roles": ("r",)})()
    with pytest.raises(TypeError, match=r"load takes a game of the class Little: write Little\(\)"):
        ludisect.load(Little)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="no condition can be called legal"):

        @condition
        def legal(self: PythonRules) -> bool:
            return True


def test_laws_of_the_language_are_checked_too() -> None:
    """What legal asks for may not hang on the moves; the place is that of the Python code."""
    message = faults(legal=lambda self, role: [(go, ~does("r", stay)), stay])
    assert message.startswith("test_pythonrules.py:")
    assert "does" in message
    assert "in (<= (legal r go) (not (does r stay)))" in message
