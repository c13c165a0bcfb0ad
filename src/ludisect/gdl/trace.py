"""Recorded matches: trace files (JSON Lines, plain or gzipped, one match a line) read, written, replayed.

Modules that only files need are imported where they are used, so that reading rules starts quickly.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludisect.errors import IllegalMove, InputError, RulesSyntaxError, TraceError
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Step:
    """A state in which play went on: what was legal, and what each role did."""

    state: Fluents
    legal: Mapping[str, frozenset[Term]]
    moves: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Match:
    """One recorded play: its steps and where it ended.

    A match cut short is not terminal and has no goals. A goal is ``None`` where the rules give none or several.
    """

    game: str
    steps: tuple[Step, ...]
    final: Fluents
    terminal: bool
    goals: Mapping[str, int | None] | None
    number: int = 1

    def to_dict(self) -> dict[str, object]:
        """The match as JSON-ready data, in the form of a trace file."""
        return {
            "game": self.game,
            "steps": [
                {
                    "state": _sorted(step.state),
                    "legal": {role: _sorted(moves) for role, moves in step.legal.items()},
                    "moves": {role: str(move) for role, move in step.moves.items()},
                }
                for step in self.steps
            ],
            "final": {
                "state": _sorted(self.final),
                "terminal": self.terminal,
                "goals": dict(self.goals) if self.goals is not None else None,
            },
        }


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a machine and a recorded match differ; ``step`` counts from 1, ``missing`` is what the machine lacks."""

    match: int
    step: int
    what: str
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def __str__(self) -> str:
        both = (("missing", self.missing), ("extra", self.extra))
        parts = [f"{name} {_some(terms)}" for name, terms in both if terms]
        return f"match {self.match}, step {self.step}: {self.what}" + (f": {'; '.join(parts)}" if parts else "")

    def to_dict(self) -> dict[str, object]:
        """The mismatch as JSON-ready data."""
        return {
            "match": self.match,
            "step": self.step,
            "what": self.what,
            "missing": list(self.missing),
            "extra": list(self.extra),
        }


def replay(machine: Machine, match: Match) -> list[Mismatch]:
    """Ask a machine everything that the match recorded, and list where they differ.

    Each step is asked in the recorded state, so that one fault does not hide or cause others.
    """
    if not hasattr(machine, "next_state") or not isinstance(match, Match):
        given = f"{type(machine).__name__} and {type(match).__name__}"
        raise TypeError(f"replay takes a Game or an Interpreter and a Match (what gdl.read_trace gives), not {given}")
    found: list[Mismatch] = []

    def differ(step: int, what: str) -> None:
        found.append(Mismatch(match.number, step, what))

    def compare(step: int, what: str, recorded: Iterable[object], computed: Iterable[object]) -> None:
        found.extend(_compare(match.number, step, what, recorded, computed))

    states = [*(step.state for step in match.steps), match.final]
    compare(1, "initial state", states[0], machine.initial_state())
    for number, step in enumerate(match.steps, 1):
        try:
            if machine.is_terminal(step.state):
                differ(number, "the state is terminal, but play went on")
            legal = machine.legal_moves(step.state)
        except InputError as error:
            differ(number, f"not a state of this game: {error}")
            continue
        compare(number, "roles", step.legal, legal)
        for role in [role for role in step.legal if role in legal]:
            compare(number, f"legal moves of {role}", step.legal[role], legal[role])
        try:
            after = machine.next_state(step.state, step.moves)
        except (IllegalMove, InputError) as error:
            differ(number, f"no next state: {error}")
        else:
            compare(number, "next state", states[number], after)
    last = len(states)
    try:
        if machine.is_terminal(match.final) != match.terminal:
            differ(last, f"the final state is {'not ' if match.terminal else ''}terminal")
        if match.goals is not None:
            found += compare_goals(match.number, last, match.goals, machine.goals(match.final))
    except InputError as error:
        differ(last, f"not a state of this game: {error}")
    return found


def compare_goals(
    match: int, step: int, recorded: Mapping[str, int | None], computed: Mapping[str, int | None]
) -> list[Mismatch]:
    """The mismatch of the goals of all roles in one state, if there is one."""
    return _compare(match, step, "goals", map(_goal, recorded.items()), map(_goal, computed.items()))


def _compare(
    match: int, step: int, what: str, recorded: Iterable[object], computed: Iterable[object]
) -> list[Mismatch]:
    want, got = frozenset(recorded), frozenset(computed)
    if want == got:
        return []
    return [Mismatch(match, step, what, tuple(_sorted(want - got)), tuple(_sorted(got - want)))]


def read_trace(path: str | os.PathLike[str]) -> Iterator[Match]:
    """The matches of a trace file, one by one.

    Raises InputError if the file cannot be read, TraceError with file and line if it is not in the documented form.
    """
    import gzip
    import zlib

    name = os.path.basename(path)
    try:
        with open(path, "rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if zipped else open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _Reader(f"{name}:{number}").match(line, number)
    except FileNotFoundError:
        raise InputError(f"no such file: {str(path)!r}") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; give a trace file (.jsonl or .jsonl.gz)") from None
    except EOFError:
        raise TraceError(f"{name}: the gzipped data ends too early") from None
    except (OSError, zlib.error) as error:
        raise InputError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None


def write_trace(path: str | os.PathLike[str], matches: Iterable[Match]) -> None:
    """Write matches to a trace file, gzipped if its name ends in ``.gz``."""
    import gzip
    import json

    try:
        with gzip.open(path, "wb") if os.fspath(path).endswith(".gz") else open(path, "wb") as out:
            for match in matches:
                out.write(json.dumps(match.to_dict()).encode() + b"\n")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None


class _Reader:
    """Turns JSON into matches and says exactly what does not fit."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._terms: dict[str, Term] = {}

    def match(self, line: bytes, number: int) -> Match:
        """The match on one line."""
        import json

        try:
            data = json.loads(line)
        except UnicodeDecodeError:
            raise self._fault("this line is no text") from None
        except (ValueError, RecursionError) as error:
            raise self._fault(f"this line is not JSON: {error}") from None
        steps = self._get(data, "steps", list, "match")
        final = self._get(data, "final", dict, "match")
        goals = final.get("goals")
        if goals is not None:
            goals = {role: self._goal(role, goal) for role, goal in self._mapping(goals, "final.goals").items()}
        return Match(
            game=self._get(data, "game", str, "match"),
            steps=tuple(self._step(step, f"steps[{i}]") for i, step in enumerate(steps)),
            final=self._state(final, "final"),
            terminal=self._get(final, "terminal", bool, "final"),
            goals=goals,
            number=number,
        )

    def _step(self, data: object, where: str) -> Step:
        legal = self._mapping(self._get(data, "legal", dict, where), f"{where}.legal")
        moves = self._mapping(self._get(data, "moves", dict, where), f"{where}.moves")
        return Step(
            self._state(data, where),
            {role: self._term_set(some, f"{where}.legal[{role!r}]") for role, some in legal.items()},
            {role: self._term(move, f"{where}.moves[{role!r}]") for role, move in moves.items()},
        )

    def _state(self, data: object, where: str) -> Fluents:
        return self._term_set(self._get(data, "state", list, where), f"{where}.state")

    def _term_set(self, data: object, where: str) -> frozenset[Term]:
        if not isinstance(data, list):
            raise self._fault(f"{where} is {_kind(data)}, expected a list of terms")
        return frozenset(self._term(item, where) for item in data)

    def _term(self, data: object, where: str) -> Term:
        if not isinstance(data, str):
            raise self._fault(f"{where} holds {_kind(data)}, expected a term as text")
        if data not in self._terms:
            try:
                term = read_term(data)
            except RulesSyntaxError:
                raise self._fault(f"{where} holds {data!r}, which is no term") from None
            if not term.is_ground:
                raise self._fault(f"{where} holds {data!r}, which has a variable")
            self._terms[data] = term
        return self._terms[data]

    def _goal(self, role: str, data: object) -> int | None:
        if data is None or (isinstance(data, int) and not isinstance(data, bool)):
            return data
        raise self._fault(f"final.goals[{role!r}] is {_kind(data)}, expected an integer or null")

    def _mapping(self, data: object, where: str) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise self._fault(f"{where} is {_kind(data)}, expected an object with one entry for each role")
        return data

    def _get(self, data: object, key: str, kind: type, where: str) -> Any:
        if not isinstance(data, dict):
            raise self._fault(f"{where} is {_kind(data)}, expected an object")
        if key not in data:
            raise self._fault(f"{where} has no {key!r}")
        if not isinstance(data[key], kind):
            raise self._fault(f"{key!r} of {where} is {_kind(data[key])}, expected {_KINDS[kind]}")
        return data[key]

    def _fault(self, what: str) -> TraceError:
        return TraceError(f"{self._place}: {what}")


_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


def _kind(data: object) -> str:
    return _KINDS[type(data)]


def _goal(item: tuple[str, int | None]) -> str:
    role, goal = item
    return f"({role} {'none' if goal is None else goal})"


def _sorted(terms: Iterable[object]) -> list[str]:
    return sorted(map(str, terms))


def _some(terms: tuple[str, ...]) -> str:
    return ", ".join(terms[:8]) + (f" and {len(terms) - 8} more" if len(terms) > 8 else "")
