"""``Answer``: what is known of a position, how it is known, and its JSON; one type for rules and for sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from html import escape
from typing import Any, Protocol, TypeAlias

from ludisect.errors import BudgetExceeded, InputError

AnyMove: TypeAlias = Any
"""A term where the game is given by rules, text in a sum of combinatorial games: nobody who knows which must check."""

Line: TypeAlias = tuple[Mapping[str, AnyMove], ...]
"""Moves in order; each says what every role that moves then plays."""


LONGEST = 10_000
"""Characters of a value in JSON."""


SHOWN = 30
"""Moves whose values a notebook shows."""


class Kept(Protocol):
    """What a search keeps beyond its answer for the start."""

    def line(self) -> Line:
        """A line of best play from the start."""

    def after(self, then: object) -> Answer:
        """The answer after moves from the start (by role), or in a later state."""

    def values(self, then: object = None) -> tuple[MoveValue, ...]:
        """What every move is worth at the start, after moves or in a later state, from what was kept alone."""

    def parts(self, then: object = None) -> tuple[PartAnswer, ...]:
        """What is known of the parts there."""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What is known of one part: the number by which it is printed, what it is worth, and a sentence.

    What ``value`` is depends on the way, and ``kind`` says it: a ``nimber``, another canonical ``value``, ``points`` of
    the first role (two numbers if it matters who begins), the length of a ``plan``, the ``goal`` that the first role
    gets in this part (two numbers if the other parts decide which), in misère play a ``sign`` or a ``genus``. None
    where a way gives parts no value of their own. ``moves`` are those of a plan or the best move, where the way knows
    them.
    """

    part: int
    why: str
    value: object = None
    moves: tuple[AnyMove, ...] = ()
    kind: str = ""
    more: Mapping[str, object] = field(default_factory=dict)
    """Other things that are known, as they stand in the JSON."""

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect solve --json``."""
        kind = {"kind": self.kind} if self.kind else {}
        out: dict[str, Any] = {"part": self.part, **kind, "value": _plain(self.value), "why": self.why, **self.more}
        if self.moves:
            out["moves"] = [str(move) for move in self.moves]
        return out


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What one legal move of a role is worth.

    ``value`` is what each role gets after it, if all play on as the search's ``rule`` says; None where that is not
    known. If several roles choose at once it is worth what it brings against the others' equilibrium (under that rule),
    and else in the worst case, which says nothing of what the others get. ``best`` says whether no other move is worth
    more to the role, None where that is not known. ``exact`` is true only if the role's value is that of the whole
    game.
    """

    role: str
    move: AnyMove
    value: Mapping[str, float | None]
    best: bool | None
    exact: bool
    part: int | None = None
    """The number of the part in which it is made; None if there is none, or more than one."""
    wins: bool | None = None
    """In a sum of combinatorial games, whether its player wins by it (or gets more points), if that is known."""
    incentive: object = None
    """In a sum, what its player gains by it, as a value; None if that is not known."""

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect values --json``."""
        return {
            "role": self.role,
            "move": str(self.move),
            "value": {role: _plain(value) for role, value in self.value.items()},
            "best": self.best,
            "exact": self.exact,
            "wins": self.wins,
            "incentive": _plain(self.incentive),
            "part": self.part,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """The value of a position for every role, a best move for every role that has a choice, and the reasons.

    ``value`` holds None where the value is not known; ``bounds`` then holds (least, greatest) where those are, and
    ``guess`` a value that may be wrong.
    ``exact`` is true only if the value is that of the whole game under the ``rule`` of play; ``evidence`` says how that
    was checked, or on what the value rests if it is not exact. ``parts`` has a record of each part, ``conclusion``
    what follows from them.

    In a sum of combinatorial games either player may begin (``begins``): the value is 100 for one who wins if he moves
    first and 0 for one who does not, and his move is that first move; if the ``rule`` is points, it is how many of them
    he gets more than the opponent. ``between`` are numbers between which the value of a sum lies, where the search hit
    a limit.
    """

    game: str
    algorithm: str
    exact: bool
    value: Mapping[str, float | None]
    move: Mapping[str, AnyMove] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    guess: Mapping[str, float] = field(default_factory=dict)
    """Per role a value that rests on guesses: something stands in for what was not looked at. Notes say what."""
    mixed: Mapping[str, Mapping[AnyMove, float]] = field(default_factory=dict)
    """Per role, the odds of its best mixed strategy, where no single move is best against everything."""
    nodes: int = 0
    seconds: float = 0.0
    parts: tuple[PartAnswer, ...] = ()
    conclusion: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Per role why its value and move are what they are (sums)."""
    rule: str = ""
    """How the roles are taken to play: the most of a single player, max-n, an equilibrium, normal or misère play."""
    evidence: str = ""
    notes: tuple[str, ...] = ()
    begins: bool = False
    between: Sequence[str] | None = None
    solution: Kept | None = field(default=None, compare=False)
    """What the search kept: the source of ``line`` and ``after``."""

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons as sentences that a player understands: the parts one by one, then what follows from them."""
        told = (f"{role} to move: {reason}" for role, reason in self.reasons.items())
        return (*(part.why for part in self.parts), *self.conclusion, *told)

    @property
    def line(self) -> Line:
        """A line of best play: one joint move after the other, each a mapping from roles to moves.

        It goes to the end of the play where what the search kept reaches so far. It stops before a position where
        roles have to mix their moves, or where going on would take a new search; it is empty where nothing was kept.
        In a sum that either player may begin, Left does.
        """
        return () if self.solution is None else self.solution.line()

    def after(self, then: object) -> Answer:
        """The answer after a move (a mapping from roles to moves, those without a choice left out) or in a later state.

        What is known already is used again: a plan that is followed, tables of the parts. Where that is not enough,
        the search begins anew from there.
        """
        return self._kept().after(then)

    def values(self, state: object = None) -> tuple[MoveValue, ...]:
        """What every legal move of every role to move is worth: here, or in a later state (or after a move).

        Nothing is searched anew: what the search did not keep is not known, and such a move has no value. Where nobody
        has a choice, every role's only move is listed; there are none when the play is over. In a sum of combinatorial
        games that either player may begin, the moves of both are listed.
        """
        return self._kept().values(state)

    def parts_at(self, state: object = None) -> tuple[PartAnswer, ...]:
        """What is known of the parts here or in a later state (or after a move), each with its kind and value.

        It is empty where the way of solving gives parts no value of their own in that state.
        """
        return self._kept().parts(state)

    def _kept(self) -> Kept:
        if self.solution is None:
            raise InputError(f"of this answer for {self.game} nothing was kept that tells what follows a move")
        return self.solution

    def guessed(self, why: str) -> Answer:
        """The same answer with its values as guesses, and a note that says why."""
        values = {role: value for role, value in self.value.items() if value is not None}
        return replace(
            self,
            exact=False,
            value=dict.fromkeys(self.value),
            guess={**values, **self.guess},
            evidence="",
            notes=(*self.notes, why),
            solution=None,
        )

    def __reduce__(self) -> tuple[type[Answer], tuple[object, ...]]:
        """What the search kept is not copied or written to files."""
        return Answer, tuple(getattr(self, each.name) for each in fields(self) if each.name != "solution")

    def __str__(self) -> str:
        if self.begins:
            lines = [f"{self.game}: {self._how()}", *(f"  {self._verdict(role)}" for role in self.value)]
            if self.between is not None:
                lines.append(f"  the value lies between {' and '.join(self.between)}")
            return "\n".join([*lines, *(f"  {part.why}" for part in self.parts)])
        lines = [f"{self.game}: {self._values()} ({self._how()})"]
        lines += [f"  {role} plays {move}" for role, move in self.move.items()]
        lines += [
            f"  {role} mixes " + ", ".join(f"{move} {odds:.3f}" for move, odds in some.items())
            for role, some in self.mixed.items()
        ]
        lines += [f"  {line}" for line in self.why]
        lines += [f"  note: {line}" for line in self.notes]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Answer {self.game}: {self._values()} ({self._how()})>"

    def _repr_html_(self) -> str:
        """For notebooks: values and moves as a table, what every move is worth, the reasons below."""
        rows = "".join(
            f"<tr><td>{escape(role)}</td><td>{escape(self._told(role))}</td>"
            f"<td>{escape(str(self.move.get(role, '')))}</td></tr>"
            for role in self.value
        )
        reasons = "".join(f"<li>{escape(line)}</li>" for line in (*self.why, *self.notes))
        return (
            f"<b>{escape(self.game)}</b> ({escape(self._how())})"
            f"<table><tr><th>role</th><th>value</th><th>move</th></tr>{rows}</table>{self._moves_html()}<ul>{reasons}</ul>"
        )

    def _moves_html(self) -> str:
        """What every move is worth, as a table; nothing where nothing was kept, or it might take a search."""
        if self.solution is None or (self.begins and any(part.value is None for part in self.parts)):
            return ""
        values = self.solution.values()
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", "role", "move", "part", *self.value))
        rows = []
        for one in values[:SHOWN]:
            told = ["" if x is None else f"{x:g}" for x in (one.value.get(role) for role in self.value)]
            place = "" if one.part is None else str(one.part)
            cells = ["best" if one.best else "", one.role, str(one.move), place, *told]
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        more = f"<p>and {len(values) - SHOWN} more moves</p>" if len(values) > SHOWN else ""
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>{more}" if rows else ""

    def _how(self) -> str:
        by = f"{self.algorithm}: {self.rule}" if self.rule else self.algorithm
        return f"{by}, {'exact' if self.exact else 'not exact'}"

    def _values(self) -> str:
        return ", ".join(f"{role} {self._told(role)}" for role in self.value)

    def _told(self, role: str) -> str:
        value = self.value[role]
        if value is not None:
            return f"{value:g}"
        told = [f"{self.guess[role]:g} at a guess"] if role in self.guess else []
        if role in self.bounds:
            told.append(f"between {self.bounds[role][0]:g} and {self.bounds[role][1]:g}")
        return ", ".join(told) or "unknown"

    def _verdict(self, role: str) -> str:
        """Whether a role wins if it moves first."""
        move, value = self.move.get(role), self.value[role]
        if self.rule == "points":
            gets = "" if value is None else f"gets {value:g} more" if value > 0 else f"gets {-value:g} less"
            gets = "gets as many" if value == 0 else gets
            told = " and ".join(filter(None, (gets, f"plays {move}" if move else "")))
            return f"{role:5} to move {told}: {self.reasons.get(role, '')}".rstrip(": ")
        told = "loses" if value == 0 else f"wins by {move}" if value else f"is undecided and plays {move}"
        return f"{role:5} to move {told}: {self.reasons.get(role, '')}".rstrip(": ")

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect solve --json``."""
        roles = self.value if self.begins else self.move
        out: dict[str, Any] = {
            "game": self.game,
            "algorithm": self.algorithm,
            "rule": self.rule,
            "exact": self.exact,
            "evidence": self.evidence,
            "value": {role: _plain(value) for role, value in self.value.items()},
            "move": {role: str(self.move[role]) if role in self.move else None for role in roles},
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
            "parts": [part.to_json() for part in self.parts],
            "line": [{role: str(move) for role, move in joint.items()} for joint in self.line],
        }
        more: dict[str, Any] = {
            "conclusion": list(self.conclusion),
            "why": dict(self.reasons),
            "bounds": list(self.between or ()) or {role: _plain(both) for role, both in self.bounds.items()},
            "guess": {role: _plain(value) for role, value in self.guess.items()},
            "mixed": {
                role: {str(move): round(odds, 6) for move, odds in some.items()} for role, some in self.mixed.items()
            },
            "notes": list(self.notes),
        }
        return out | {name: found for name, found in more.items() if found}


def _plain(value: object) -> Any:
    """A value as JSON has it: whole numbers without a point, pairs as lists, the rest as text if it can be read."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, tuple):
        return [_plain(x) for x in value]
    return written(value)


def written(value: object) -> str | None:
    """A value as text, None if that would be too long."""
    try:
        text = str(value)
    except BudgetExceeded:  # a canonical form can be larger than any text
        return None
    return text if len(text) <= LONGEST else None
