"""The bundled games as a collection: names, headers, parameters, errors; every rule sheet is sound and plays."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from ludisect.errors import InputError
from ludisect.games import bundled
from ludisect.games.families import FAMILIES, block
from ludisect.gdl.check import check
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Rule, Rules, Term

from . import twins_boards, twins_puzzles, twins_stones

TWINS = {**twins_boards.TWINS, **twins_puzzles.TWINS, **twins_stones.TWINS}
PLAYS = {"connect-four": 3, "reversi": 2, "ultimate-tictactoe": 4, "breakthrough": 5}
"""Random plays per game where six would take long."""

VARIANTS = (
    "breakthrough:3x5", "breakthrough:2x4", "chomp:1x2", "chomp:6x3", "clobber:2x3,1x5,1x1", "connect-four:4x5",
    "domineering:2x2,3x4,1x1", "domineering:5x1", "hex:2", "hex:4", "kayles:1", "kayles:2,3,4,5", "knights-tour:3x3",
    "knights-tour:5x5", "lights-out:2x2", "lights-out:2x4", "nim:1", "nim:50,3", "nim-misere:12,12,20,20", "queens:4",
    "reversi:4", "rock-paper-scissors:1", "toads-and-frogs:T_", "toads-and-frogs:TT_FF,T__F,TTT__FFF", "tron:2x2",
    "tron:3x6", "amazons:1x3,2x3", "amazons:4x3", "col:1x1", "col:2x3,1x4", "dots:1x1", "dots:2x2,1x2", "nogo:1x2",
    "nogo:2x2,1x1,3x2", "pawns:1x4", "pawns:2x6,2x4", "regio:1x1", "regio:2x2,3x1", "snort:1x1", "snort:2x3,1x4",
)  # fmt: skip


@cache
def machine(name: str) -> Interpreter:
    return Interpreter(read(bundled.source(name), name=name))


def parameters(name: str) -> str:
    game, _, given = name.partition(":")
    return given or (FAMILIES[game].default if game in FAMILIES else "")


@pytest.mark.parametrize("name", [*bundled.names(), *VARIANTS])
def test_rules_have_no_problems(name: str) -> None:
    rules = read(bundled.source(name), name=name)
    assert check(rules) == []
    assert read(str(rules)) == rules


@pytest.mark.parametrize("name", [*bundled.names(), *VARIANTS])
def test_plays_like_its_twin(name: str) -> None:
    """Along random plays, rules and twin agree on legal moves, on the end and on the goals; all have a legal move."""
    game = machine(name)
    rng = random.Random(name)
    fluents, moves = declared(name)
    for _ in range(PLAYS.get(name, 6)):
        twin = TWINS[name.partition(":")[0]](parameters(name))
        assert game.roles == twin.roles
        state = game.initial_state()
        while not game.is_terminal(state):
            assert twin.goals() is None
            legal = {role: set(map(str, moves)) for role, moves in game.legal_moves(state).items()}
            assert legal == twin.moves()
            assert all(legal.values())
            assert state <= fluents
            assert all(legal[role] <= moves[role] for role in legal)
            joint = {role: rng.choice(sorted(options)) for role, options in legal.items()}
            state = game.next_state(state, {role: Term.parse(move) for role, move in joint.items()})
            twin.play(joint)
        assert game.goals(state) == twin.goals()
        assert state <= fluents


def declared(name: str) -> tuple[Fluents, dict[str, set[str]]]:
    """What ``base`` and ``input`` promise: asked by reading them as ``init`` and ``legal`` of another game."""
    rules = read(bundled.source(name), name=name)
    fluents = Interpreter(renamed(rules, "base", "init")).initial_state()
    inputs = Interpreter(renamed(rules, "input", "legal"))
    legal = inputs.legal_moves(inputs.initial_state())
    return fluents, {role: set(map(str, moves)) for role, moves in legal.items()}


def renamed(rules: Rules, old: str, new: str) -> Rules:
    kept = [rule for rule in rules if rule.head.name != new]
    return Rules(
        tuple(Rule(Term(new, rule.head.args), rule.body) if rule.head.name == old else rule for rule in kept),
        name=rules.name,
    )


def test_every_game_has_a_twin() -> None:
    assert sorted(TWINS) == list(bundled.names())


@pytest.mark.parametrize("name", bundled.names())
def test_header_is_complete(name: str) -> None:
    text = bundled.source(name)
    description = bundled.describe(name)
    assert text.startswith(f"; {name}: {description.summary}\n;\n")
    assert description.summary.endswith((".", "?"))
    assert description.turns in ("alternating", "simultaneous", "single-player")
    assert description.roles == len(machine(name).roles)
    assert (description.roles == 1) == (description.turns == "single-player")
    assert "\n; Good for: " in text
    assert ("\n; Parameters: " in text) == (name in FAMILIES) == bool(description.parameters)
    parts = description.parts
    assert parts.useless < parts.dependent
    assert parts.glue in ("single", "parallel-choice", "parallel-sync", "serial", "multiple", "mixed")
    assert (parts.glue == "single") == (parts.dependent == 1)
    assert all(len(line) <= 110 and line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_file_holds_the_default_parameters(name: str) -> None:
    assert bundled.source(name) == bundled.source(f"{name}:{FAMILIES[name].default}")
    stored = Path(bundled.__file__).with_name("library") / f"{name}.kif"
    assert stored.read_text(encoding="utf-8") == bundled.source(name)
    read(bundled.source(FAMILIES[name].example))


def test_parameters_change_the_block_and_the_parts() -> None:
    assert "(heapsize a 3) (heapsize b 50)\n" in bundled.source("nim:3, 50")
    assert bundled.describe("nim:3,50").parts.dependent == 2
    assert bundled.describe("nim:7").parts.glue == "single"
    assert bundled.describe("domineering:2x2,4x4,1x1").parts.dependent == 2
    assert bundled.describe("toads-and-frogs:T_F,FT,_FT_").parts.dependent == 3  # one lane, none, two that part
    assert bundled.describe("nim").parameters == "nim:HEAP,HEAP,..."
    assert bundled.is_bundled("nim:1,2")
    assert not bundled.is_bundled("nimm")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tictacto", "no bundled game is called 'tictacto'; did you mean tictactoe or "),
        ("zzz", "no bundled game is called 'zzz'; there are: amazons, blocks-maze, "),
        ("NIM", "no bundled game is called 'NIM'; did you mean nim?"),
        ("tic-tac-toe", "did you mean tictactoe or "),
        ("x" * 1000, f"no bundled game is called '{'x' * 40}…'; there are: "),
        ("tictactoe:3", "tictactoe takes no parameters, but '3' is given; write tictactoe"),
        ("nim:", "nim: heap '' is not a number from 1 to 100; write nim:HEAP,HEAP,..., e.g. nim:3,5,7"),
        ("nim:3,x", "nim: heap 'x' is not a number from 1 to 100"),
        ("nim:0,4", "heap '0' is not a number from 1 to 100"),
        ("nim:-3", "heap '-3' is not a number from 1 to 100"),
        ("nim:" + "9" * 5000, f"heap '{'9' * 40}…' is not a number from 1 to 100; write nim:HEAP,HEAP,..., e.g. nim:"),
        ("nim:" + ",".join(["1"] * 27), "27 heaps are too many; at most 26 are allowed"),
        ("domineering:4", "domineering: '4' is not of the form ROWSxCOLUMNS; write domineering:ROWSxCOLUMNS,..."),
        ("domineering:13x13", "169 squares are too many; at most 144 are allowed"),
        ("domineering:1x4", "vertical, who begins, has no move; give some board two rows or more"),
        ("clobber:1x1", "black, who begins, has no move"),
        ("nogo:1x1,1x1", "black, who begins, has no move; give some board two squares or more; write nogo:ROWS"),
        ("nogo:7x7", "49 squares are too many; at most 36 are allowed"),
        ("amazons:1x2", "a board of 1x2 is not of 3 to 36 squares; write amazons:ROWSxCOLUMNS,..., e.g. amazons:4x4"),
        ("amazons:5x5,6x6", "61 squares are too many; at most 48 are allowed"),
        ("col:12x13", "156 squares are too many; at most 144 are allowed"),
        ("snort:3", "'3' is not of the form ROWSxCOLUMNS"),
        ("regio:11x11", "121 squares are too many; at most 100 are allowed"),
        ("dots:8x8", "64 boxes are too many; at most 49 are allowed"),
        ("pawns:3x3", "a board of 3x3 leaves no row between the pawns; give it 4 rows or more"),
        ("toads-and-frogs:TX_", "lane 'TX_' is not 2 to 12 squares written T (toad), F (frog) or _ (empty)"),
        ("toads-and-frogs:_T", "the toads, who begin, have no move"),
        ("chomp:1x1", "a bar of one square leaves only the poisoned one"),
        ("chomp:3x40", "columns '40' is not a number from 1 to 12"),
        ("lights-out:1x3", "rows '1' is not a number from 2 to 8"),
        ("connect-four:7x6x2", "'7x6x2' is not of the form COLUMNSxROWS"),
        ("reversi:5", "size 5 is odd"),
        ("hex:²", "size '²' is not a number from 2 to 11"),
    ],
)
def test_faulty_names(name: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        bundled.source(name)


@pytest.mark.parametrize("name", bundled.names())
def test_independent_parts_are_as_the_header_says(name: str) -> None:
    """Fluents that change in the same way whatever is played, told by their names: each sheet names them apart."""
    game = machine(name)
    rng = random.Random(name)
    state = game.initial_state()
    decided: set[str] = set()
    forced: set[str] = set()
    for _ in range(6):
        if game.is_terminal(state):
            state = game.initial_state()
        legal = game.legal_moves(state)
        joints = [dict(zip(legal, joint, strict=True)) for joint in product(*legal.values())]
        after = [game.next_state(state, joint) for joint in joints]
        if len(after) > 1:
            always = frozenset.intersection(*after)
            decided |= {fluent.name for fluent in frozenset.union(*after) - always}
            forced |= {fluent.name for fluent in always ^ state}
        state = rng.choice(after)
    assert len(forced - decided) == bundled.describe(name).parts.independent


def test_second_reading_of_chomp() -> None:
    """The far corner goes with the first bite, whatever it is: a group of its own if single fluents are counted."""
    game = machine("chomp")
    start = game.initial_state()
    moves = game.legal_moves(start)
    after = [game.next_state(start, {"player1": move, "player2": Term("noop")}) for move in moves["player1"]]
    gone = {str(fluent) for fluent in start - frozenset.union(*after)}
    assert gone == {"(chocolate 4 5)", "(control player1)"}
    assert bundled.describe("chomp").parts.also_independent == 2


def test_every_game_is_in_the_docs() -> None:
    """docs/games.md holds a row per game, made from its header; a failing test shows the rows to paste."""
    page = Path(__file__).parents[2] / "docs" / "games.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [_row(bundled.describe(name)) for name in bundled.names()]


def _row(game: bundled.Description) -> str:
    parts = game.parts
    independent = f"{parts.independent}" + (f" or {parts.also_independent}" if parts.also_independent else "")
    counts = f"{parts.dependent} | {parts.useless} | {independent}"
    parameters = f"`{game.parameters}`" if game.parameters else ""
    return f"| `{game.name}` | {game.roles} | {game.turns} | {parts.glue} | {counts} | {parts.note} | {parameters} |"


def test_block_wraps_lines() -> None:
    assert block([["(a 1)", "(a 2)", "(a 3)"], ["(b)"]], width=11) == "(a 1) (a 2)\n(a 3)\n(b)"


def test_import_is_light() -> None:
    """Asking for names and sheets loads neither numpy nor anything else heavy."""
    code = "import sys; from ludisect.games import bundled; bundled.source('nim:3'); print('numpy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "False\n"
