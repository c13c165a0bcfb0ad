"""A game of one's own under a name: read like the others by ``position``, ``value`` and ``solve``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ludisect
from ludisect.cgt import Value
from ludisect.errors import InputError
from ludisect.rulesets import GAMES, Impartial, Negative, Player, Position, register, unregister

from .subtract import Subtract


@pytest.fixture
def registered() -> Iterator[None]:
    register("subtract", Subtract)
    yield
    unregister("subtract")


@pytest.mark.usefixtures("registered")
def test_a_registered_game_is_read_everywhere() -> None:
    assert ludisect.position("subtract 4") == Subtract(4)
    assert ludisect.position("impartial subtract 4") == Impartial(Subtract(4))
    assert ludisect.position("negative subtract 4") == Negative(Subtract(4))
    assert ludisect.value("subtract 4 + subtract 2") is Value("{*|v} + v")
    assert ludisect.value(Subtract(4)) is Value("{*|v}")
    total = ludisect.position("subtract 4") + "subtract 2"
    assert str(total) == "subtract 4 + subtract 2"
    answer = ludisect.solve("subtract 4 + subtract 2")
    assert answer.exact
    assert answer.value == {"left": 0, "right": 100}
    assert answer.move["right"] in {m.text for m in total.moves(Player.RIGHT)}
    with pytest.raises(InputError, match="'x' is no number of tokens"):
        ludisect.value("subtract x")
    with pytest.raises(InputError, match="subtract: the position is missing; write for example subtract …"):
        ludisect.value("subtract")
    with pytest.raises(InputError, match="did you mean subtract"):
        ludisect.position("subtrakt 4")


def test_it_is_forgotten_again(registered: None) -> None:
    assert "subtract" in GAMES
    register("subtract", lambda text: Subtract(len(text)), replace=True)
    assert ludisect.position("subtract III") == Subtract(3)
    register("other-game", lambda text: Subtract(2 * int(text)))
    assert ludisect.position("other-game 3") == Subtract(6)
    unregister("other-game")
    with pytest.raises(InputError, match="unknown game 'other-game'"):
        ludisect.position("other-game 3")
    for name in ("other-game", "nim", "kayles"):
        with pytest.raises(InputError, match=f"no game was registered as '{name}'"):
            unregister(name)


def test_games_are_not_put_there_by_hand() -> None:
    with pytest.raises(TypeError):
        GAMES["subtract"] = Subtract.parse  # type: ignore[index]


@pytest.mark.parametrize("name", ["", "x", "Subtract", "two words", "3x", "a+b", "a\n"])
def test_bad_names(name: str) -> None:
    with pytest.raises(InputError, match=r"is no name of a game; that is a word of two or more of a-z, 0-9, _ and -"):
        register(name, Subtract)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nim", "is the name of a game that comes with ludisect; choose another"),
        ("kayles", "is the name of a game that comes with ludisect; choose another"),
        ("toppling", "is the name of a game that comes with ludisect; choose another"),
        ("impartial", "means something else in an expression"),
        ("negative", "means something else in an expression"),
        ("tiny", "means something else in an expression"),
        ("subtract", "is in use already; choose another name, or say replace=True"),
        ("tokens", r"Subtract.name is 'subtract'; say name = 'tokens' in the class"),
    ],
)
@pytest.mark.usefixtures("registered")
def test_names_in_use(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        register(name, Subtract)
    if message.startswith("is the name"):
        with pytest.raises(InputError, match=message):
            register(name, Subtract, replace=True)


def test_what_is_no_game() -> None:
    class Mute(Position):
        name = "mute"

        def moves(self, player: Player) -> list[int]:
            return []

        def play(self, player: Player, move: int) -> Mute:
            return self

    for wrong, shown in [(Mute, "Mute is neither"), (int, "int is neither"), (3, "not int"), (None, "not NoneType")]:
        with pytest.raises(TypeError, match=shown):
            register("mute", wrong)  # type: ignore[arg-type]
    register("mute", lambda text: text)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="what was registered as 'mute' made a str of 'as a fish', not a Position"):
        ludisect.position("mute as a fish")
    unregister("mute")
