"""The processes behind the server: one follows a match by the rules alone, the other one thinks.

    python -m ludisect.play.desk referee
    python -m ludisect.play.desk parts

Both read lines of JSON from standard input and answer with lines of JSON. The referee knows a legal move as soon as the
rules can be asked; the thinker says what it would play, better and better. Either ends when its input ends.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from ludisect.errors import InputError, LudisectError
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.trace import Match, Step, write_trace
from ludisect.gdl.writer import write
from ludisect.play.leash import die_with_parent
from ludisect.play.limits import PlayLimits
from ludisect.play.message import message_role, message_rules
from ludisect.play.player import Assignment
from ludisect.play.players import make_player
from ludisect.play.pursuit import understood
from ludisect.settings import using

Order = dict[str, Any]
"""What the server says: ``do`` is start, play, stop or check."""

HASTE = 0.04
"""Seconds before the server's deadline at which a thinker should be done."""

PLAINER = "flat"
"""The player that takes over where another one fails."""

SWITCH = 0.0005
"""Seconds for which a thread of a thinker may keep Python from the others: compiled search asks for it every few
milliseconds, and would wait for a solver beside it longer than it works."""

OFTEN = 0.05
"""Seconds between two moves that a thinker tells of."""


class Desk:
    """One end of the line to the server."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._source, self._sink = source, sink
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while line := self._source.readline():
            order: Order = json.loads(line)
            if "bytes" in order:
                order["text"] = self._source.read(order["bytes"]).decode("utf-8", "replace")
            self.orders.put(order)
        os._exit(0)  # the server has gone

    def say(self, **what: object) -> None:
        """One line to the server."""
        try:
            self._sink.write(json.dumps(what).encode() + b"\n")
            self._sink.flush()
        except OSError:
            os._exit(0)


class Referee:
    """Follows the match on the interpreter and says what is legal."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.state: State[Interpreter] | None = None
        self.steps: list[Step] = []

    def obey(self, order: Order) -> None:
        """Do what the server wants."""
        if order["do"] in ("start", "check"):
            self._start(order)
        elif self.state is not None:
            note = self._follow(order)
            if order["do"] == "play":
                self._tell(order["number"], note)
            else:
                self._log(order)

    def _start(self, order: Order) -> None:
        try:
            rules = message_rules(order["text"], infix=order["infix"], name=order["id"])
            machine = Interpreter(rules)
            if order["do"] == "start":
                self.infix, self.role = order["infix"], message_role(order["role"], infix=order["infix"])
                if self.role not in machine.roles:
                    raise InputError(f"no role is called {self.role}; there are {', '.join(machine.roles)}")
            self.state = machine.start
        except (LudisectError, RecursionError) as error:
            self.desk.say(say="fault", what=str(error).splitlines()[0][:500])
            return
        self.desk.say(say="ready")
        if order["do"] == "start":
            self._tell(0, "")  # the first move is asked for soon

    def _follow(self, order: Order) -> str:
        assert self.state is not None
        state = self.state
        after, note = understood(
            state, order["moves"], infix=self.infix, role=self.role, answered=order.get("answered")
        )
        if after is not None:
            legal = {role: frozenset(moves) for role, moves in state.legal.items()}
            self.steps.append(Step(state.fluents, legal, after.moves_made[-1]))
            self.state = after
        return note

    def _tell(self, number: int, note: str) -> None:
        assert self.state is not None
        state, over = self.state, self.state.is_over
        if not over and (some := state.game.some_legal_move(state.fluents, self.role)) is not None:
            self.desk.say(say="some", number=number, move=str(some))  # to list them all can take ten times as long
        legal = [] if over else [str(move) for move in state.legal[self.role]]
        self.desk.say(say="legal", number=number, step=len(self.steps), moves=legal, over=over, note=note)

    def _log(self, order: Order) -> None:
        """The match as a line that ``ludisect replay`` reads."""
        if order.get("log") and self.state is not None:
            over = self.state.is_over
            goals = dict(self.state.goals) if over else None
            match = Match(order["game"], tuple(self.steps), self.state.fluents, over, goals)
            with suppress(LudisectError):
                write_trace(Path(order["log"]), [match])
            with suppress(OSError):  # names may be scrambled: the match is played by these rules and no others
                Path(order["log"]).with_suffix(".kif").write_text(write(self.state.game.rules), encoding="utf-8")
        self.desk.say(say="logged")


class Thinker:
    """Lets a built-in player think, and says what it would play."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.player = desk, make_player(name)
        self.seated = False
        self._said = 0.0

    def obey(self, order: Order) -> None:
        """Do what the server wants."""
        if order["do"] == "start":
            self._start(order)
        elif self.seated and order["do"] == "play":
            self._play(order)

    def _start(self, order: Order) -> None:
        try:
            self.infix, self.role = order["infix"], message_role(order["role"], infix=order["infix"])
            rules = message_rules(order["text"], infix=self.infix, name=order["id"])
            seat = Assignment(rules, self.role, order["start"], order["play"], ponder=True)
            self.player.start(seat, order["deadline"] - HASTE)
        except (LudisectError, RecursionError, MemoryError):
            return  # the referee tells what is wrong
        self.seated = True
        self.desk.say(say="ready")

    def _play(self, order: Order) -> None:
        player = self.player
        after, _ = understood(
            player.state, order["moves"], infix=self.infix, role=self.role, answered=order.get("answered")
        )
        if after is not None:
            player.told(after.moves_made[-1])
        if player.state.is_over or not self.desk.orders.empty():  # nobody waits for this one any more
            return
        number = order["number"]

        def tell(choice: Any) -> None:
            if time.monotonic() - self._said > OFTEN:
                self._said = time.monotonic()
                self.desk.say(say="move", number=number, move=str(choice.move), why=choice.why, final=False)

        choice = self._chosen(order["deadline"] - HASTE, tell)
        self.desk.say(say="move", number=number, move=str(choice.move), why=choice.why, final=True)

    def _chosen(self, deadline: float, tell: Any) -> Any:
        """The move of the player; if it fails, a plainer one takes its seat for the rest of the match."""
        try:
            return self.player.choose(deadline, tell)
        except Exception:
            traceback.print_exc()
            failed, self.player = self.player, make_player(PLAINER)
            self.player.start(replace(failed.assignment, game=failed.game), time.monotonic())
            self.player.sit_at(failed.state)
            return self.player.choose(deadline, tell)


def warm_up() -> None:
    """Load what a match will need, and have its kernels linked."""
    from ludisect.kernels.workers import want
    from ludisect.loader import load
    from ludisect.solving import solve

    want("serve")
    solve(load("nim:1,2"))


def main(name: str) -> None:
    """Serve one match, then end."""
    die_with_parent()
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints must not get between the lines
    desk = Desk(sys.stdin.buffer, sink)
    hand: Referee | Thinker
    if name == "referee":
        hand = Referee(desk)
    else:
        os.nice(5)  # the server answers in time whatever we compute
        sys.setswitchinterval(SWITCH)
        hand = Thinker(desk, name)
        if hand.player.builds:
            warm_up()
    desk.say(say="up")
    order = desk.orders.get()
    with using(PlayLimits(**order.get("numbers", {}))):
        while True:
            hand.obey(order)
            order = desk.orders.get()


if __name__ == "__main__":
    main(sys.argv[1])
