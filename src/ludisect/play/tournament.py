"""Many matches of one game: every seating of the players, in a row or side by side, to be taken up again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules, Term
from ludisect.loader import load
from ludisect.play.chair import BuiltIn, Chair, Opening
from ludisect.play.leash import die_with_parent
from ludisect.play.limits import PlayLimits
from ludisect.play.onematch import hold
from ludisect.play.score import Standing
from ludisect.play.wire import MANNERS, Manner, OverHttp
from ludisect.progress import listening, report


@dataclass(frozen=True, slots=True)
class Agreement:
    """What all matches of a tournament have in common."""

    start_clock: float = 5.0
    play_clock: float = 1.0
    seed: int = 0
    opening: int = 0
    """Moves at the beginning that are random, the same for every seating of the same players."""
    manner: Manner = MANNERS["ggp-base"]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match that is to be held: its number, and who sits where."""

    number: int
    players: tuple[str, ...]
    seed: int


def fixtures(players: Sequence[str], roles: int, games: int, seed: int = 0) -> list[Fixture]:
    """All matches: for each choice of as many players as there are roles, ``games`` of them, seats changing in turn.

    Games that differ only in who sits where have the same seed, and so the same random opening.

    >>> [one.players for one in fixtures(["a", "b"], 2, 3)]
    [('a', 'b'), ('b', 'a'), ('a', 'b')]
    """
    if len(players) < roles:
        need = f"{roles} players" if roles > 1 else "a player"
        raise InputError(f"the game needs {need}, {len(players)} given; one may be named several times")
    out: list[Fixture] = []
    for some in combinations(players, roles):
        for k in range(games):
            turn = k % roles
            out.append(Fixture(len(out) + 1, (*some[turn:], *some[:turn]), seed + k // roles))
    return out


class Venue:
    """A game ready for matches: its circuit, or its rules where that is too large."""

    def __init__(self, rules: Rules, agreement: Agreement) -> None:
        self.rules, self.agreement = rules, agreement
        self.machine: Game | Interpreter
        try:
            self.machine = load(rules, memory=PlayLimits.current().players_memory * 2**30)
        except BudgetExceeded:
            self.machine = Interpreter(rules)

    def hold(self, fixture: Fixture) -> dict[str, Any]:
        """Hold one match; its line for the log."""
        agreement = self.agreement
        chairs = [_chair(player, agreement.manner) for player in fixture.players]
        game = self.machine if isinstance(self.machine, Game) else None
        name = f"{self.rules.name}.{fixture.number}".replace(" ", "-")
        opening = Opening(
            name, self.rules, self.machine.roles, agreement.start_clock, agreement.play_clock, fixture.seed, game
        )
        played = hold(
            self.machine,
            chairs,
            opening,
            first_legal=agreement.manner.first_legal,
            lead_in=_random_moves(self.machine, agreement.opening, fixture.seed),
        )
        return {**played.to_dict(), **_key(fixture, agreement)}


def _random_moves(machine: Game | Interpreter, moves: int, seed: int) -> list[dict[str, Term]]:
    """Random moves from the start that do not end the play."""
    draw, state = random.Random(seed), State(machine, machine.initial_state())
    out: list[dict[str, Term]] = []
    while len(out) < moves and all(state.legal.values()):
        joint = {role: draw.choice(some) for role, some in state.legal.items()}
        state = state.play(joint)
        if state.is_over:
            break
        out.append(joint)
    return out


def _chair(player: str, manner: Manner) -> Chair:
    return OverHttp(player, manner) if player.startswith("http://") else BuiltIn(player)


def _key(fixture: Fixture, agreement: Agreement) -> dict[str, Any]:
    """What tells one match of a log from another."""
    told = asdict(agreement)
    manner = told.pop("manner")
    return {"number": fixture.number, "seats": list(fixture.players), "terms": {**told, "seed": fixture.seed, **manner}}


# ---- many of them ----


def run(
    rules: Rules,
    todo: Sequence[Fixture],
    agreement: Agreement,
    *,
    jobs: int = 1,
    log: Path | None = None,
    done: Callable[[dict[str, Any], Standing], None] | None = None,
) -> Standing:
    """Hold matches, ``jobs`` at a time; ``log`` takes a line for each, and those that it has already are not held anew.

    ``done`` hears of every match, also of those from the log. Raises InputError for a log of another game.
    """
    standing = Standing([*dict.fromkeys(player for fixture in todo for player in fixture.players)])
    known = _logged(log, rules)
    fresh = []
    for fixture in todo:
        line = known.get(json.dumps(_key(fixture, agreement), sort_keys=True))
        if line is None:
            fresh.append(fixture)
        else:
            _count(standing, line, done)
    held = len(todo) - len(fresh)
    report("holding matches", held, len(todo))
    for line in _lines(rules, fresh, agreement, jobs):
        if log is not None:
            _append(log, line)
        _count(standing, line, done)
        held += 1
        report("holding matches", held, len(todo))
    return standing


def _count(standing: Standing, line: dict[str, Any], done: Callable[[dict[str, Any], Standing], None] | None) -> None:
    goals = line["final"]["goals"]
    paid = None if goals is None else {role: float(goal or 0) for role, goal in goals.items()}
    standing.add(line["players"], paid, {role for _, role, _ in line["faults"]})
    if done is not None:
        done(line, standing)


def _logged(log: Path | None, rules: Rules) -> dict[str, dict[str, Any]]:
    """The matches of a log by what tells them apart; a last line that was cut off does not count."""
    out: dict[str, dict[str, Any]] = {}
    if log is None or not log.exists():
        return out
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if not isinstance(data, dict) or "seats" not in data or "terms" not in data:
            raise InputError(f"{log} is no log of matches; name a new file")
        if data.get("game") != rules.name:
            raise InputError(f"{log} has matches of {data.get('game')}, not of {rules.name}; name another file")
        out[json.dumps({name: data[name] for name in ("number", "seats", "terms")}, sort_keys=True)] = data
    return out


def _append(log: Path, line: dict[str, Any]) -> None:
    with log.open("a+b") as out:
        if out.tell():  # a line that was cut off must not spoil this one
            out.seek(-1, 2)
            if out.read(1) != b"\n":
                out.write(b"\n")
        out.write(json.dumps(line).encode() + b"\n")


def _lines(rules: Rules, todo: Sequence[Fixture], agreement: Agreement, jobs: int) -> Iterator[dict[str, Any]]:
    if not todo:
        return
    if jobs == 1:
        with listening(None):  # what the players are at is no step of ours
            table = Venue(rules, agreement)
        for fixture in todo:
            with listening(None):
                line = table.hold(fixture)
            yield line
        return
    # new processes, not copies of this one: its threads and kernels are not to be copied
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=die_with_parent)
    waiting: set[Future[dict[str, Any]]] = {pool.submit(_hold, rules, agreement, fixture) for fixture in todo}
    try:
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()
    finally:
        pool.shutdown(wait=not waiting, cancel_futures=True)
        if waiting:  # nobody waits for the matches that are going on
            for process in active_children():
                process.kill()


@cache
def _venue(rules: Rules, agreement: Agreement) -> Venue:
    return Venue(rules, agreement)


def _hold(rules: Rules, agreement: Agreement, fixture: Fixture) -> dict[str, Any]:
    return _venue(rules, agreement).hold(fixture)
