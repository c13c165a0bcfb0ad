"""A person at the table, engines in the other seats: moves by text or number, hints, undo, why, save."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludisect.circuit.game import Game
from ludisect.draw.stateboard import state_text
from ludisect.errors import InputError, LudisectError, UnknownRole, did_you_mean
from ludisect.games.source import find_rules
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules, Term
from ludisect.play.byparts import PartsPlayer
from ludisect.play.player import Assignment, Choice, GamePlayer
from ludisect.play.players import make_player

FORM = "ludisect play"
"""What a saved match says that it is."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a move is worth to the person who makes it."""

    move: str
    worth: str


class Session(ABC):
    """A match between a person and engines, as a terminal or a page shows it. ``moves`` are the person's, as texts."""

    name: str
    person: str
    """Whose side the person takes."""
    opponent: str
    """Who plays against the person, in words; empty if nobody does."""

    @property
    @abstractmethod
    def moves(self) -> list[str]:
        """The moves among which the person chooses now; none if the match is over."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match has ended."""

    @abstractmethod
    def picture(self, width: int) -> str:
        """How it stands, in text of about that width."""

    @abstractmethod
    def play(self, move: str) -> list[str]:
        """Make a move of the person; gives a line for every move that followed it until the person chooses again."""

    @abstractmethod
    def hints(self) -> tuple[list[Hint], str]:
        """What each move is worth, the best first, and how that is known."""

    @abstractmethod
    def undo(self) -> bool:
        """Take back the last choice of the person; False if there is none."""

    @abstractmethod
    def why(self) -> list[str]:
        """Why the engine made its last moves."""

    @abstractmethod
    def result(self) -> str:
        """How it ended, in words."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Everything that is needed to go on another day."""

    def begin(self) -> list[str]:
        """Moves before the first choice of the person, a line each."""
        return []

    def close(self) -> None:
        """End what goes on in the background."""
        return

    def save(self, path: Path) -> None:
        """Write the match to a file."""
        try:
            path.write_text(json.dumps({"form": FORM, **self.to_json()}, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from None


def find_move(text: str, moves: Sequence[str]) -> str:
    """The move that a person means: its text with or without brackets, its number, or enough of its words.

    >>> find_move("mark 1", ["(mark 1 1)", "(mark 2 1)"])
    '(mark 1 1)'
    >>> find_move("2", ["(mark 1 1)", "(mark 2 1)"])
    '(mark 2 1)'
    """
    wanted = _plain(text)
    plain = {move: _plain(move) for move in moves}
    for same in (
        [move for move in moves if move == text.strip()],
        [move for move in moves if plain[move] == wanted],
        [moves[int(wanted[0]) - 1]]
        if len(wanted) == 1 and wanted[0].isdecimal() and 1 <= int(wanted[0]) <= len(moves)
        else [],
        [move for move in moves if plain[move][: len(wanted)] == wanted],
        [move for move in moves if wanted and plain[move][-len(wanted) :] == wanted],
        [move for move in moves if " ".join(plain[move]).startswith(" ".join(wanted))],
    ):
        if len(same) == 1:
            return same[0]
        if same:
            some = ", ".join(same[:6]) + (", …" if len(same) > 6 else "")
            raise InputError(f"{text.strip()!r} can mean {some}")
    near = did_you_mean(text.strip(), moves)
    raise InputError(f"{text.strip()!r} is no move here{near or '; moves lists them'}")


def _plain(text: str) -> list[str]:
    return text.lower().replace("(", " ").replace(")", " ").replace(",", " ").split()


class RulesSession(Session):
    """A game given by rules."""

    def __init__(
        self, rules: Rules, machine: Game | Interpreter, *, role: str | None, player: str, seconds: float, seed: int = 0
    ) -> None:
        self.rules, self.seconds, self.player = rules, seconds, player
        self.name = rules.name
        if role is not None and role not in machine.roles:
            raise UnknownRole(role, machine.roles)
        self.person = machine.roles[0] if role is None else role
        game = machine if isinstance(machine, Game) else None
        self.state: State[Any] = machine.start
        self._engines = {other: make_player(player) for other in machine.roles if other != self.person}
        self.opponent = f"{player} ({', '.join(self._engines)})" if self._engines else ""
        self._adviser = PartsPlayer()
        self._reasons: dict[str, Choice] = {}
        soon = time.monotonic() + min(seconds, 1.0)
        for other, engine in [*self._engines.items(), (self.person, self._adviser)]:
            seat = Assignment(rules, other, seconds, seconds, seed, game=game, build=game is not None)
            engine.start(seat, soon)

    # ---- the match ----

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.state.legal[self.person]]

    @property
    def over(self) -> bool:
        return self.state.is_over or not all(self.state.legal.values())

    def picture(self, width: int) -> str:
        return state_text(self.state, width=width)

    def begin(self) -> list[str]:
        """Where the person has no choice, play goes on by itself."""
        out: list[str] = []
        while not self.over and len(self.state.legal[self.person]) == 1:
            out += self._step(self.state.legal[self.person][0])
        return out

    def play(self, move: str) -> list[str]:
        chosen = next(term for term in self.state.legal[self.person] if str(term) == move)
        return [*self._step(chosen), *self.begin()]

    def _step(self, move: Term) -> list[str]:
        joint = {self.person: move}
        for role, engine in self._engines.items():
            choice = engine.choose(time.monotonic() + self.seconds)
            joint[role] = choice.move
            if len(self.state.legal[role]) > 1:
                self._reasons[role] = choice
        joint = {role: joint[role] for role in self.state.game.roles}
        told = [f"{role} plays {one}" for role, one in joint.items() if len(self.state.legal[role]) > 1]
        self.state = self.state.play(joint)
        for player in self._players():
            player.told(joint)
        return told

    def _players(self) -> list[GamePlayer]:
        return [*self._engines.values(), self._adviser]

    def undo(self) -> bool:
        made = self.state.moves_made
        while made:
            made = made[:-1]
            state = self.state.game.start.play_line(made)
            if len(state.legal[self.person]) > 1:
                self.state = state
                for player in self._players():
                    player.sit_at(state)
                self._reasons.clear()
                return True
        return False

    # ---- what can be asked ----

    def hints(self) -> tuple[list[Hint], str]:
        values, exact = self._adviser.worths(time.monotonic() + max(self.seconds, 1.0))
        ranked = sorted(values, key=lambda move: -values[move])
        known = [Hint(str(move), f"{values[move]:.4g}") for move in ranked]
        rest = [Hint(move, "?") for move in self.moves if move not in {hint.move for hint in known}]
        how = "exact, by solving" if exact else "estimated by tree search; exact values are not known yet"
        return known + rest, f"goal of {self.person} after each move ({how})"

    def why(self) -> list[str]:
        return [f"{role} played {choice.move}: {choice.why}" for role, choice in self._reasons.items()]

    def result(self) -> str:
        if not self.state.is_over:
            stuck = [role for role, moves in self.state.legal.items() if not moves]
            return f"{' and '.join(stuck)} cannot move, although the rules do not end the game"
        return self.state.result

    def to_json(self) -> dict[str, Any]:
        moves = [{role: str(move) for role, move in joint.items()} for joint in self.state.moves_made]
        kept = {"name": self.name, "rules": str(self.rules), "role": self.person, "player": self.player}
        return {"kind": "rules", **kept, "seconds": self.seconds, "moves": moves}

    def resume(self, moves: Sequence[dict[str, str]]) -> None:
        """Go to where a match was left."""
        self.state = self.state.game.start.play_line(moves)
        for player in self._players():
            player.sit_at(self.state)

    def close(self) -> None:
        for player in self._players():
            player.stop()


def read_saved(path: Path) -> dict[str, Any]:
    """A match that was saved; raises InputError if the file is something else."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(data, dict) or data.get("form") != FORM or not isinstance(data.get("moves"), list):
        raise InputError(f"{path} is no match that was saved by 'ludisect play'")
    return data


def saved_rules(data: dict[str, Any]) -> Rules:
    """The rules of a saved match, by the name they had."""
    from dataclasses import replace

    try:
        return replace(find_rules(str(data["rules"])), name=str(data["name"]))
    except (KeyError, LudisectError) as error:
        raise InputError(f"the saved match has no rules that can be read: {error}") from None
