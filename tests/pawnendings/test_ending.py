"""King-and-pawn endings: the positions of Mäser 2001, chapter 7, with parts, sums, winning moves and status."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludisect import position
from ludisect.cgt import Value, Worth, read_value
from ludisect.errors import BudgetExceeded, InputError
from ludisect.pawnendings import PawnEnding, analyse
from ludisect.pawnendings.kings import zugzwang
from ludisect.rulesets import Pawns, Player
from ludisect.rulesets.chessboard import BLACK, WHITE, ChessBoard
from ludisect.sums.threatsearch import ThreatSearch

from ..rulesets.pawnplay import LEFT, RIGHT, WithoutPassant, plain_worth

SVEDA_SIKA = "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8"
POPOV_DANKOV = [
    "8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8",
    "8/pp4p1/3k3p/3Pp3/PP2K3/6P1/6P1/8",
    "8/pp4p1/4k2p/3pP3/PP1K4/6P1/6P1/8",
]


def parts(ending: PawnEnding) -> dict[str, str]:
    return {str(part.pawns).partition(" blocked")[0]: str(part.value) for part in ending.parts}


def worth(text: str) -> Worth:
    return ThreatSearch(lambda: None).worth(Pawns(text))


def options(text: str, player: Player) -> dict[str, str]:
    start, search = Pawns(text), ThreatSearch(lambda: None)
    return {start.move_text(m): str(search.worth(start.play(player, m))) for m in start.moves(player)}


def wins(ending: PawnEnding) -> tuple[list[str], list[str]]:
    return [m.san for m in ending.winning(WHITE)], [m.san for m in ending.winning(BLACK)]


# ---- the two main positions (Mäser 2001, figures 7.1 and 7.6) -------------------------------------------------------


def test_sveda_sika() -> None:
    ending = analyse(SVEDA_SIKA)
    assert parts(ending) == {"a2 b2 / a6 b7": "↑", "e4 / f4": "0", "h3 / h7": "↓↓*"}
    assert (str(ending.total), ending.outcome, ending.status) == ("↓*", "N", "zugzwang")
    assert [part.kings for part in ending.parts] == [False, True, False]
    assert wins(ending) == (["h4"], ["a5"])  # appendix B: all other moves lose, among them 1...h5
    left = {m.san: str(m.total) for m in (*ending.moves[WHITE], *ending.moves[BLACK])}
    assert (left["h4"], left["a5"]) == ("0", "↓↓")
    assert ending.reasons(WHITE) == ["White to move wins by 1.h4: part 3 goes from ↓↓* to ↓, the sum to 0."]
    assert ending.reasons(BLACK) == ["Black to move wins by 1...a5: part 1 goes from ↑ to *, the sum to ↓↓."]
    assert options("a2 b2 / a6 b7", LEFT) == {"a3": "0", "a4": "{2|0}", "b3": "*", "b4": "0"}
    assert options("a2 b2 / a6 b7", RIGHT) == {"a5": "*", "b6": "1", "b5": "{1|0}"}
    assert options("h3 / h7", LEFT) == {"h4": "↓"}
    assert options("h3 / h7", RIGHT) == {"h6": "0", "h5": "*"}


def test_sveda_sika_later() -> None:
    """Figure 7.5: after 1.h4 a5 2.h5 a4 3.h6 Black to move loses."""
    ending = analyse("8/1p5p/7P/4k3/p3Pp2/5K2/PP6/8 b")
    assert ending.outcome in ("L", "P")
    assert wins(ending)[1] == []
    assert ending.reasons(BLACK)[0].startswith("Black to move loses: every pawn move leaves a sum that White wins")


@pytest.mark.parametrize("fen", POPOV_DANKOV)
def test_popov_dankov(fen: str) -> None:
    """Figure 7.6; the place of the kings is not named, these three fit."""
    ending = analyse(fen)
    found = parts(ending)
    assert (found["a4 b4 / a7 b7"], found["g2 g3 / g7 h6"]) == ("0", "{0|-1}")
    assert (str(ending.total), ending.outcome, ending.status) == ("{0|-1}", "N", "zugzwang")
    white, black = wins(ending)
    assert white == ["g4"]
    assert black == ["h5", "a6", "b6", "a5", "b5"], "the thesis names 1...h5; by the values 1...a6 is as good"


def test_options_of_popov_dankov() -> None:
    assert {*options("a4 b4 / a7 b7", LEFT).values()} == {"↓*"}
    assert options("a4 b4 / a7 b7", RIGHT) == {"a6": "*", "b6": "*", "a5": "{1|off}", "b5": "{1|off}"}
    assert options("g2 g3 / g7 h6", LEFT)["g4"] == "0"
    assert options("g2 g3 / g7 h6", RIGHT) == {"h5": "-1", "g5": "±1", "g6": options("g2 g3 / g7 h6", RIGHT)["g6"]}


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        pytest.param("a4 b4 g2 g3 / a7 b7 g7 h6", "{0|-1}", marks=pytest.mark.slow),
        ("a2 b2 h3 / a6 b7 h7", "v*"),
    ],
)
def test_both_wings_in_one_search(joint: str, expected: str) -> None:
    """The search of both wings together gives the sum of the parts (Mäser 2001, 7.3.2)."""
    assert worth(joint) == Value(expected) == analyse(joint).total


def test_en_passant_is_part_of_the_model() -> None:
    """Without it the queensides of Popov-Dankov and of endgame 9 have other values than those printed."""
    assert plain_worth(WithoutPassant("a4 b4 / a7 b7"), {}) == Value(-1)
    search = ThreatSearch(lambda: None)
    assert search.worth(WithoutPassant("a4 b3 c4 / a6 b7 c7")) == Value("{0|{-1|-2}}")


def test_breakthrough() -> None:
    """Figure 7.4; the place of the kings is ours."""
    ending = analyse("8/ppp5/8/PPP2k2/5Pp1/6K1/8/8")
    assert parts(ending)["a5 b5 c5 / a7 b7 c7"] == "{on|{0,{on|0}|off}}"
    assert (ending.outcome, ending.status) == ("L", "zugzwang")
    assert "b6" in wins(ending)[0]


# ---- the twelve endgames (Mäser 2001, 7.3.5) ------------------------------------------------------------------------

S = "{*,{on|*}|*,{*|off}}"
P = f"{{0,{{{{on|0}},{{on|{S}}}|{{*|off}},{S}}}|*,{{*|off}}}}"
A, B = "{2,{on|0}|off}", "{{on|2,{2|off}}|{0,{on|0}|off}}"
C = "{{on|0},^|-2}"
D = f"{{0|{C}}}"

ENDGAMES: dict[str, tuple[str, str]] = {
    # pawns from the text alone and values as printed
    "4, queenside": ("a3 b2 / a7 b7", "v"),
    "5, queenside": ("a2 b2 / a6 c4 c5", "{0|tiny(on)} - 1"),
    "5, kingside": ("g4 h2 / f6 h7", "2"),
    "7, a-file": ("a3 / a7", "vv*"),
    "8, kingside": ("f2 g2 h3 / f6 g7 h7", "0"),
    "9": ("a4 b3 c4 / a6 b7 c7", "{{1/2|{0|{0,{on|v}|off}}}|{-1|-2}}"),
    "10, a-file": ("a3 / a6", "0"),
    "10, kingside": ("f4 g3 h2 / f7 g6 h7", f"{{{{2|{A},{B},{C},{D}}}|0,*}}"),
    "11, a-file": ("a3 / a7", "vv*"),
    "12": ("e4 f2 g3 h2 / e5 f7 g6 h7", "0"),
    # a pawn was fitted so that the value is that printed: evidence for the position, no second witness of the value
    "1, fitted": ("a5 b3 d4 d5 / b5 b7 c7 d6", "*"),
    "2, fitted": ("g3 g4 h2 / g6 h6", "2"),
    "3, fitted": ("g3 h3 / f5 h5", "{0|off}"),
    "4, kingside, fitted": ("g4 h2 / g6 h6", "{0|{^,{on|^}|-2}}"),
    "7, kingside, fitted": ("f2 g2 h2 / f6 f7 h6", "{2^^^|{1^^^|0}}"),
    "8, a-file, fitted": ("a4 / a6", "*"),
    "11, kingside, fitted": ("f3 g2 h3 / f7 g6 h6", f"{{{{*|{{{P},{{{P}|0}}|-2}}}}|0}}"),
}


NOT_REBUILT = {6}
"""Of the kingside of endgame 6 the text names g2 and h7 alone; nothing that was tried has the printed value and allows
the moves that are quoted."""


def test_every_endgame_has_a_status() -> None:
    """In these tests, and in the table of the page."""
    known = {int(name.split(",")[0]) for name in ENDGAMES}
    assert known | NOT_REBUILT == set(range(1, 13))
    assert not known & NOT_REBUILT
    page = (Path(__file__).parents[2] / "docs" / "chess-endings.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert {int(row[0].strip("| ")) for row in rows} == known | NOT_REBUILT
    assert {int(row[0].strip("| ")) for row in rows if "not rebuilt" in " ".join(row)} == NOT_REBUILT


@pytest.mark.parametrize("name", ENDGAMES)
def test_values_of_the_endgames(name: str) -> None:
    pawns, expected = ENDGAMES[name]
    assert worth(pawns) == read_value(expected)


def after(text: str, *moves: str) -> str:
    """The value after some moves, Black's in brackets."""
    here = Pawns(text)
    for move in moves:
        player = RIGHT if move.startswith("(") else LEFT
        (found,) = (m for m in here.moves(player) if here.move_text(m) == move.strip("()"))
        here = here.play(player, found)
    return str(ThreatSearch(lambda: None).worth(here))


def test_moves_of_the_endgames() -> None:
    assert after("g3 g4 h2 / g6 h6", "h3") == "1"  # 2
    assert after("g3 h3 / f5 h5", "h4") == "0"  # 3
    assert after("g3 h3 / f5 h5", "(h4)") == "off"
    seven = "f2 g2 h2 / f6 f7 h6"
    assert (after(seven, "(f5)", "f4"), after(seven, "(f5)", "g3")) == ("1", "1↑↑↑")
    assert str(worth(seven).temperature) == "3/4"
    eight = "f2 g2 h3 / f6 g7 h7"
    assert (after(eight, "(h5)", "f4"), after(eight, "(h5)", "g3")) == ("0", "1/4")
    assert after(eight, "(f5)", "h4", "(g6)", "g3", "(h6)", "f3") == "0"
    nine = worth("a4 b3 c4 / a6 b7 c7")
    assert (str(nine.temperature), str(nine.mean)) == ("7/8", "-5/8")
    ten = "f4 g3 h2 / f7 g6 h7"
    assert (after(ten, "(h5)"), after(ten, "(f5)")) == ("0", "*")
    assert after("f3 g2 h3 / f7 g6 h6", "f4", "(h5)", "g3", "(f6)") == "0"  # 11


def test_sums_of_the_endgames() -> None:
    """Who wins by the values, kings taken as bound where the sheet does not name them."""
    four = analyse("a3 b2 g4 h2 / a7 b7 g6 h6")
    assert str(four.total) == "{0|{0,{on|0}|-2↓}}"  # printed with {on|↑} for {on|0}: a slip of the thesis
    assert (four.outcome, "a4" in wins(four)[0]) == ("L", True)
    assert analyse("a2 g3 h3 / a7 f5 h5").total == read_value("{0|off}")  # 3
    for pawns, outcome in [
        ("a2 b2 g4 h2 / a6 c4 c5 f6 h7", "L"),  # 5, without the e-pawn and the kings
        ("a3 f2 g2 h2 / a7 f6 f7 h6", "L"),  # 7
        ("a4 f2 g2 h3 / a6 f6 g7 h7", "N"),  # 8
        ("a3 f3 g2 h3 / a7 f7 g6 h6", "R"),  # 11
    ]:
        assert position(f"pawns {pawns}").outcome == outcome


def test_the_first_endgame() -> None:
    """Velimirovic - Smejkal, without and with the sixth white pawn that material asks for."""
    bare = analyse("8/1pp4p/3p4/Pp1P1k2/4pP2/1P2K3/7P/8")
    assert parts(bare) == {"a5 b3 d5 f4 / b5 b7 c7 d6 e4": "*", "h2 / h7": "0"}, "d6 and e4 are neighbours"
    assert (str(bare.total), bare.status, "b4" in wins(bare)[0]) == ("*", "zugzwang", True)
    assert str(analyse("8/1pp4p/3p4/Pp1P1k2/3PpP2/1P2K3/7P/8").total) == "*"


def test_the_tenth_endgame() -> None:
    """Jacek - Miler: by the values one winning move each; on the board White has another (a king catches a pawn)."""
    ending = analyse("8/5p1p/p1k3p1/2Pp4/3K1P2/P5P1/7P/8 b")
    assert ending.status == "zugzwang"
    assert wins(ending) == (["g4"], ["h5"])


def test_endgames_that_are_not_decided_by_pawn_counts() -> None:
    """Five and nine: the kings are no mutual zugzwang of pawns, so nobody is said to win."""
    nine = analyse("8/1pp2p2/p4P2/6k1/P1P2pP1/1P3K2/8/8")
    assert (nine.status, nine.outcome, wins(nine)) == ("open", None, ([], []))
    assert nine.why == "Black can play Kxf6 without losing a pawn"
    assert parts(nine)["a4 b3 c4 / a6 b7 c7"] == str(worth("a4 b3 c4 / a6 b7 c7"))
    five = analyse("8/7p/p3kp2/2p5/2p1PKP1/8/PP5P/8 b")
    assert (five.status, five.outcome) == ("open", None)
    assert "White can play" in five.why
    assert "Black can play" in five.why
    asked = analyse("8/7p/p3kp2/2p5/2p1PKP1/8/PP5P/8 b", bound=True)
    assert asked.status == "assumed"
    assert asked.outcome is not None


@pytest.mark.slow
def test_the_twelfth_endgame_is_marked() -> None:
    """Scheske - Kiefer, the thesis's own exception: by the value Black to move loses, on the board Black won."""
    ending = analyse("e4 f2 g3 h2 / e5 f7 g6 h7")
    assert (str(ending.total), ending.outcome, ending.status) == ("0", "P", "assumed")
    assert ending.why == "no kings are given; they are taken to be bound elsewhere"


# ---- kings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        SVEDA_SIKA,
        *POPOV_DANKOV,
        "8/1pp4p/3p4/Pp1P1k2/4pP2/1P2K3/7P/8",
        "8/5p1p/p1k3p1/2Pp4/3K1P2/P5P1/7P/8",
    ],
)
def test_every_king_move_loses_exactly_one_pawn(fen: str) -> None:
    ending = analyse(fen)
    assert {gain for moves in ending.kings.values() for gain in moves.values()} == {-1}
    assert all(ending.kings[p] for p in Player)


def test_kings_that_are_not_bound() -> None:
    lone = analyse("8/1p5p/p7/8/8/7P/PP2K2k/8")
    assert lone.status == "open"
    far = analyse("k7/8/8/4p3/4P3/8/8/7K")
    assert (far.status, far.outcome) == ("open", None)
    check = analyse("8/8/8/3p4/4K3/8/7k/8 w")
    assert (check.status, check.why) == ("open", "White's king is in check and must move")
    deep = zugzwang(ChessBoard.read(SVEDA_SIKA), 1 << 28, 1 << 29, plies=4)
    assert deep.bound


# ---- data and limits ------------------------------------------------------------------------------------------------


def test_json() -> None:
    data = json.loads(json.dumps(analyse(SVEDA_SIKA).to_json()))
    assert data["parts"][0] == {
        "part": 1,
        "pawns": "a2 b2 / a6 b7",
        "value": "↑",
        "heuristic": False,
        "bounds": ["↑", "↑"],
    }
    assert (data["sum"], data["outcome"], data["status"]) == ("↓*", "N", "zugzwang")
    assert data["moves"] == {"white": ["h4"], "black": ["a5"]}
    assert data["king_moves"]["white"]["Ke2"] == -1
    assert data["tried"]["black"][0].keys() == {"move", "part", "value", "sum", "wins"}


def test_two_parts_with_threats_are_searched() -> None:
    """A passed pawn on either side: nothing is added, whoever moves first promotes first."""
    ending = analyse("a5 / h4")
    assert ending.total is None
    assert (ending.outcome, wins(ending)) == ("N", (["a6"], ["h3"]))
    assert ending.reasons(WHITE) == [
        "White to move wins by 1.a6: part 1 goes from on to on, which no answer elsewhere stops."
    ]


def test_positions_that_are_too_large() -> None:
    with pytest.raises(BudgetExceeded, match="values of 0 of 1 parts are known") as caught:
        analyse("8/pppppppp/8/8/8/8/PPPPPPPP/8", seconds=0.1)
    known = caught.value.partial
    assert isinstance(known, PawnEnding)
    assert (known.outcome, known.parts[0].bounds) == (None, ("off", "on"))


def test_bad_input() -> None:
    for text, message in [
        ("8/8/8/8/8/8/8/K6k", "no pawns"),
        ("8/8/8/3q4/8/8/P7/K6k", "only kings and pawns"),
        ("a2 b9 / a6", "no square"),
        ("hello", "8 ranks"),
    ]:
        with pytest.raises(InputError, match=message):
            analyse(text)
