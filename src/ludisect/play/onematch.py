"""One match: a small game manager that asks the seats, keeps the clocks, and moves for who does not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ludisect.gdl.machine import Machine
from ludisect.gdl.state import State
from ludisect.gdl.trace import Match, Step
from ludisect.play.chair import Chair, Joint, Opening, Reply
from ludisect.play.limits import PlayLimits


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat did wrong: at which step (0: the start), by whom, and how it shows."""

    step: int
    role: str
    what: str

    def __str__(self) -> str:
        return f"step {self.step}, {self.role}: {self.what}"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was held: the record of its moves, who sat where, and what went wrong."""

    record: Match
    players: Mapping[str, str]
    """By role."""
    faults: tuple[Fault, ...]
    slowest: Mapping[str, float]
    """Seconds of the longest move, by role."""
    reasons: tuple[Mapping[str, str], ...] = ()
    """Why each moved as it did, step by step, as far as players say."""

    @property
    def goals(self) -> dict[str, float] | None:
        """What each role got, none counting as 0; None if the match was broken off."""
        if self.record.goals is None:
            return None
        return {role: float(goal or 0) for role, goal in self.record.goals.items()}

    def to_dict(self) -> dict[str, Any]:
        """A line of a trace file with more in it: ``ludisect replay`` reads it like any other."""
        return {
            **self.record.to_dict(),
            "players": dict(self.players),
            "faults": [[fault.step, fault.role, fault.what] for fault in self.faults],
            "slowest": {role: round(seconds, 3) for role, seconds in self.slowest.items()},
            "why": [dict(step) for step in self.reasons],
        }


def hold(
    machine: Machine,
    chairs: Sequence[Chair],
    opening: Opening,
    *,
    first_legal: bool = False,
    lead_in: Sequence[Joint] = (),
    watch: Callable[[State[Any], Joint], None] | None = None,
) -> Played:
    """Play a match to its end. Who answers with no move, late or illegally gets a random one (or the first legal one).

    The ``lead_in`` are moves that the manager makes for all before it begins to ask.
    """
    return _OneMatch(machine, chairs, opening, first_legal, watch).run(lead_in)


class _OneMatch:
    def __init__(
        self,
        machine: Machine,
        chairs: Sequence[Chair],
        opening: Opening,
        first_legal: bool,
        watch: Callable[[State[Any], Joint], None] | None,
    ) -> None:
        self.opening, self.first_legal, self.watch = opening, first_legal, watch
        self.chairs = dict(zip(machine.roles, chairs, strict=True))
        self.state: State[Any] = State(machine, machine.initial_state())
        self.faults: list[Fault] = []
        self.steps: list[Step] = []
        self.reasons: list[dict[str, str]] = []
        self.slowest = dict.fromkeys(machine.roles, 0.0)
        self.draw = random.Random(f"{opening.id} {opening.seed}")

    def run(self, lead_in: Sequence[Joint]) -> Played:
        last: Joint | None = None
        over = False
        try:
            self._all(lambda chair, role: self._fault(0, role, chair.start(self.opening, role)))
            while not self.state.is_over and len(self.steps) < PlayLimits.current().onematch_length:
                if not all(self.state.legal.values()):
                    break
                if len(self.steps) < len(lead_in):
                    self._all(_hearing(last))
                    last, reasons = lead_in[len(self.steps)], {}
                else:
                    replies = self._all(_asking(last))
                    reasons = {role: reply.why for role, reply in replies.items() if reply.why}
                    last = self._joint(replies)
                self._play(last, reasons)
            over = self.state.is_over
        finally:
            self._all(lambda chair, role: chair.stop(last, over=over))
        goals = dict(self.state.goals) if over else None
        record = Match(self.opening.rules.name, tuple(self.steps), self.state.fluents, over, goals)
        players = {role: chair.label for role, chair in self.chairs.items()}
        return Played(record, players, tuple(self.faults), self.slowest, tuple(self.reasons))

    def _play(self, joint: Joint, reasons: dict[str, str]) -> None:
        legal = {role: frozenset(moves) for role, moves in self.state.legal.items()}
        self.steps.append(Step(self.state.fluents, legal, dict(joint)))
        self.reasons.append(reasons)
        if self.watch is not None:
            self.watch(self.state, joint)
        self.state = self.state.play(joint)

    def _joint(self, replies: Mapping[str, Reply]) -> Joint:
        """The moves that count: those of the replies, and the manager's own where these cannot."""
        out, number = {}, len(self.steps) + 1
        most = self.opening.play_clock + PlayLimits.current().onematch_grace
        for role, reply in replies.items():
            self.slowest[role] = max(self.slowest[role], reply.seconds)
            legal = self.state.legal[role]
            what = reply.fault
            if not what and reply.seconds > most:
                what = f"late: {reply.seconds:.2f} s of {self.opening.play_clock:g}"
            if not what and reply.move not in legal:
                what = f"illegal: {reply.move}"
            self._fault(number, role, what)
            out[role] = (
                reply.move
                if reply.move is not None and not what
                else legal[0]
                if self.first_legal
                else self.draw.choice(legal)
            )
        return out

    def _fault(self, step: int, role: str, what: str) -> None:
        if what:
            self.faults.append(Fault(step, role, what))

    def _all(self, call: Callable[[Chair, str], Any]) -> dict[str, Any]:
        """Ask those at once who have their own machines, the others one by one, so that nobody is disturbed."""
        away = [(role, chair) for role, chair in self.chairs.items() if chair.apart]
        out: dict[str, Any] = {}
        if away:
            with ThreadPoolExecutor(len(away)) as pool:
                futures = {role: pool.submit(call, chair, role) for role, chair in away}
                out.update({role: future.result() for role, future in futures.items()})
        for role, chair in self.chairs.items():
            if not chair.apart:
                out[role] = call(chair, role)
        return {role: out[role] for role in self.chairs}


def _asking(last: Joint | None) -> Callable[[Chair, str], Reply]:
    return lambda chair, role: chair.ask(last)


def _hearing(last: Joint | None) -> Callable[[Chair, str], None]:
    return lambda chair, role: chair.hear(last)
