"""Expressions: what is read, and errors that say what would be right."""

from __future__ import annotations

import pytest

from ludisect.cgt import Value, parse
from ludisect.errors import InputError
from ludisect.rulesets import Position, read


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("domineering 4x5", ["domineering"]),
        ("domineering ..#|...", ["domineering"]),
        ("clobber XO.|OX. + nim 3 5 7", ["clobber", "nim"]),
        ("{1|*} + kayles 7 + ^", ["value", "octal", "value"]),
        ("impartial domineering 2x2 + toads TT.FF", ["impartial domineering", "toads"]),
        ("clobber_1xn XOXO + nogo_1xn .X..", ["clobber", "nogo"]),
        ("octal 0.137 12 5 + dawsons-kayles 9", ["octal", "octal"]),
        ("amazons X..|..O", ["amazons"]),
        ("{1|0} - *", ["value"]),
        ("Domineering 2x2", ["domineering"]),
    ],
)
def test_components(expression: str, names: list[str]) -> None:
    assert [x.name if isinstance(x, Position) else "value" for x in read(expression)] == names


@pytest.mark.parametrize(
    "expression", ["domineering ..#|...", "clobber XO.|OX.", "nim 3 5 7", "toads X.O", "nogo .X|.."]
)
def test_positions_print_back(expression: str) -> None:
    found = read(expression)[0]
    assert isinstance(found, Position)
    assert f"{found.name} {found}" == expression


def test_a_value_alone() -> None:
    (found,) = read("{1|*}")
    assert isinstance(found, Value)
    assert found is parse("{1|*}")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("domineerin 4x4", "did you mean domineering"),
        ("zzz 4", "known games: amazons"),
        ("domineering", "the position is missing; write for example domineering 4x5"),
        ("domineering ..|...", "row 2 has 3 cells, row 1 has 2"),
        ("domineering ..X|...", "'X' in row 1 is no cell"),
        ("domineering 0x4", "1 to 4096 cells"),
        ("domineering 100x100", "1 to 4096 cells"),
        ("clobber |", "the board is empty"),
        ("nim 3 x", "'x' is no heap size"),
        ("nim -1", "'-1' is no heap size"),
        ("nim " + "9" * 5000, "at most 1000 digits"),
        ("1" * 5000, "more than 1000 characters"),
        ("*" + "1" * 5000, "more than 1000 characters"),
        ("hackenbush 0-" + "1" * 5000 + "B", "neither a stalk"),
        ("domineering " + "1" * 5000 + "x2", "is no cell"),
        ("octal 0.9 3", "octal code"),
        ("hackenbush BX", "neither a stalk"),
        ("toppling_dominoes X.O", "made of X, O and #"),
        ("impartial {1|0}", "followed by a game"),
        ("", "the expression is empty"),
        ("1 + ", "lacks a term"),
        ("1 + + 2", "lacks a term"),
        ("domineering 4x4 +", "lacks a term"),
        ("+ 1", "lacks a term"),
        ("{1|0", "is missing"),
    ],
)
def test_errors(expression: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(expression)


def test_a_strange_cell_is_pointed_at() -> None:
    with pytest.raises(InputError) as error:
        read("domineering ...|.?.")
    assert str(error.value).splitlines()[1:] == ["    ...|.?.", "         ^"]
