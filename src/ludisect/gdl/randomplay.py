"""Random plays with any machine: recorded as matches, and searched for faults of the rules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ludisect import clock
from ludisect.errors import Problem
from ludisect.gdl.limits import RulesLimits
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.trace import Match, Step
from ludisect.progress import report

if TYPE_CHECKING:
    from random import Random


def generator(seed: int | Random) -> Random:
    """A random number generator from its seed, or the one given."""
    import random  # slow to load, and most who read rules do not play

    return random.Random(seed) if isinstance(seed, int) else seed


def record(
    machine: Machine, *, seed: int | Random = 0, max_length: int = 1000, game: str = "", until: float = math.inf
) -> Match:
    """Play at random until the end, until some role cannot move, for ``max_length`` joint moves, or ``until`` a time of
    the clock."""
    rng = generator(seed)
    state = machine.initial_state()
    steps: list[Step] = []
    while not (terminal := machine.is_terminal(state)) and len(steps) < max_length and clock.now() < until:
        legal = machine.legal_moves(state)
        if not all(legal.values()):
            break
        moves = {role: rng.choice(some) for role, some in legal.items()}
        steps.append(Step(state, {role: frozenset(some) for role, some in legal.items()}, moves))
        state = machine.next_state(state, moves)
    return Match(game, tuple(steps), state, terminal, machine.goals(state) if terminal else None)


@dataclass(frozen=True, slots=True)
class PlayProblem(Problem):
    """A problem that a play ran into: the joint moves that lead there, and the state."""

    moves: tuple[dict[str, str], ...] = field(default=(), repr=False)
    state: Fluents = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        lines = [
            f"  {number:4}. " + ", ".join(f"{role} {move}" for role, move in joint.items())
            for number, joint in enumerate(self.moves, 1)
        ]
        most = RulesLimits.current().randomplay_shown
        if len(lines) > most:
            half = most // 2
            lines[most - half : len(lines) - half] = [f"     …  {len(lines) - most} more joint moves"]
        state = " ".join(sorted(map(str, self.state))) or "without fluents"
        return "\n".join([Problem.__str__(self), *lines, f"  state {state}"])

    def to_dict(self) -> dict[str, object]:
        """The problem as JSON-ready data."""
        found = {"moves": list(self.moves), "state": sorted(map(str, self.state))}
        return {**Problem.to_dict(self), **found}


@dataclass(frozen=True, slots=True)
class PlayReport:
    """What random plays found, and how many they were."""

    plays: int
    problems: tuple[PlayProblem, ...]
    interrupted: bool = False
    """Whether Ctrl-C ended the looking; what was found until then holds."""


def check_by_playouts(
    machine: Machine,
    *,
    plays: int = 100,
    seed: int = 0,
    max_length: int = 1000,
    moves: float = math.inf,
    seconds: float = math.inf,
) -> PlayReport:
    """Look by random plays for what GDL forbids and the rules alone do not show.

    Errors: a role without a legal move in a state that is not terminal; a terminal state in which a role has no goal
    value or several. Warnings: plays longer than ``max_length``, and goals that fall during play. Each is told once
    for each role, with the shortest play that showed it. At least one play is begun, and no other after so many joint
    ``moves`` in all or after an interrupt. A play that is under way after so many ``seconds`` is broken off and not
    counted; what it showed until then is told.
    """
    end = clock.now() + seconds
    rng = generator(seed)
    shortest: dict[str, PlayProblem] = {}
    counts: dict[str, int] = {}
    played = made = 0
    interrupted = False
    try:
        while played < plays and (not played or made < moves):
            match = record(machine, seed=rng, max_length=max_length, until=end)
            made += len(match.steps)
            problems = list(_problems(machine, match, max_length, end))
            over = clock.now() >= end
            played += match.terminal or not over or bool(problems)
            for problem in problems:
                what = problem.what
                counts[what] = counts.get(what, 0) + 1
                if what not in shortest or len(problem.moves) < len(shortest[what].moves):
                    shortest[what] = problem
            report("playing", played, plays)
            if over:
                break
    except KeyboardInterrupt:
        interrupted = True
    found = tuple(_counted(problem, counts[what], played) for what, problem in shortest.items())
    return PlayReport(played, found, interrupted)


def _counted(problem: PlayProblem, count: int, plays: int) -> PlayProblem:
    length = len(problem.moves)
    after = f"after {length} joint move{'s' * (length != 1)}"
    return replace(problem, what=f"{problem.what} (in {count} of {plays} playouts; {after})")


def _problems(machine: Machine, match: Match, max_length: int, until: float) -> Iterator[PlayProblem]:
    """What is wrong with one play, as far as that is seen ``until`` a time; at most one problem of each kind and
    role."""
    if match.goals is not None:
        for role, goal in match.goals.items():
            if goal is None:
                what = f"the play is over and role {role} has no goal value, or several"
                yield _problem(match, what, "let exactly one 'goal' rule apply to each role in each terminal state")
    else:
        stuck = [role for role, moves in machine.legal_moves(match.final).items() if not moves]
        for role in stuck:
            help = "end the play there by 'terminal', or make a move such as noop legal"
            yield _problem(match, f"role {role} has no legal move and the play is not over", help)
        if not stuck and len(match.steps) == max_length:
            what = f"no end within {len(match.steps)} joint moves"
            yield _problem(match, what, "a step counter that makes the state terminal ends every play", "warning")
    yield from _falling_goals(machine, match, until)


def _falling_goals(machine: Machine, match: Match, until: float) -> Iterator[PlayProblem]:
    best: dict[str, int] = {}
    fallen: set[str] = set()
    for number, state in enumerate([*(step.state for step in match.steps), match.final]):
        if clock.now() >= until:
            return
        for role, goal in machine.goals(state).items():
            if goal is not None and goal < best.get(role, 0) and role not in fallen:
                fallen.add(role)
                what = f"the goal of role {role} falls during play"
                help = "GDL wants goals that never fall; it matters only to programs that read them before the end"
                yield _problem(match, what, help, "warning", number)
            if goal is not None:
                best[role] = max(goal, best.get(role, 0))


def _problem(match: Match, what: str, help: str, level: str = "error", at: int | None = None) -> PlayProblem:
    """A problem in the state after ``at`` joint moves, or else in the last one."""
    steps = match.steps[:at]
    state = match.final if at is None or at == len(match.steps) else match.steps[at].state
    moves = tuple({role: str(move) for role, move in step.moves.items()} for step in steps)
    return PlayProblem(what, None, help, level, moves=moves, state=state)
