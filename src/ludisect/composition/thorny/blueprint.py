"""A thorny compound before it is written: groups of parts, turns, rests, counters, ends, as a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

from ludisect.composition.thorny.localparts import ThornyPart
from ludisect.composition.thorny.payments import Payment

Position = tuple[int, ...]
"""Turn, step, clock, then the state of every part."""

Choice = tuple[str, tuple[int, ...], tuple[str, ...]]
"""A move: its name as KIF, the parts in which it acts, and what it does in each."""

Resting = Literal["never", "forced", "free"]
"""Whether one who is on turn may do nothing: never, only if he cannot move, or always."""

Runs = Literal["rest", "over", "touched"]
"""A clock waits until somebody rests, until the first part is over, or for acts in the first part."""

HEAD = 3
"""Numbers of a position before those of the parts."""


@dataclass(frozen=True)
class ThornyPlan:
    """Everything that the rules of a compound say, as a program.

    Parts of one ``group`` are moved all at once; who is on turn picks a group. A group opens when the parts named in
    ``opens`` are over. ``turns`` go round: the roles that move at each. After a move in group ``again``, if there is
    one, the turn stays where it is.
    """

    name: str
    roles: tuple[str, ...]
    parts: tuple[ThornyPart, ...]
    groups: tuple[tuple[int, ...], ...]
    opens: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int, ...], ...]
    again: int | None
    resting: Resting
    idle: int
    """How many names doing nothing has."""
    ends: frozenset[str]
    """Any of these ends the play: "all" or "any" parts over, "part" 1 over, "stuck": one on turn cannot move."""
    steps: int | None
    clock: int | None
    """The play ends when the clock has gone so far."""
    runs: Runs
    payments: tuple[Payment, ...]
    flat: bool

    @property
    def start(self) -> Position:
        """The first position."""
        return (0, 0, 0, *(part.start for part in self.parts))

    @property
    def at_once(self) -> bool:
        """Whether several roles are on turn at some time."""
        return any(len(some) > 1 for some in self.turns)

    def on_turn(self, position: Position) -> tuple[int, ...]:
        """The roles that move now."""
        return self.turns[position[0]]

    def open(self, position: Position, group: int) -> bool:
        """Whether a group can be moved in by now."""
        return all(self.parts[i].over(position[HEAD + i]) for i in self.opens[group])

    def mobile(self, position: Position, role: int) -> bool:
        """Whether a role could move in some part, were it on turn."""
        return any(
            self.open(position, g) and any(self.parts[i].can(position[HEAD + i], role) for i in group)
            for g, group in enumerate(self.groups)
        )

    def choices(self, position: Position, role: int) -> list[Choice]:
        """The legal moves of a role."""
        nothing: list[Choice] = [("noop" if k == 0 else f"noop{k}", (), ()) for k in range(self.idle)]
        if role not in self.on_turn(position):
            return nothing
        found: list[Choice] = []
        for g, group in enumerate(self.groups):
            each = [self.parts[i].can(position[HEAD + i], role) for i in group]
            if not self.open(position, g) or not any(each):
                continue
            for picked in product(*(some or ["none"] for some in each)):
                found.append((f"(move{g + 1} {' '.join(picked)})", group, picked))
        if self.resting == "free" or (self.resting == "forced" and not self.mobile(position, role)):
            found += [("rest" if k == 0 else f"rest{k}", (), ()) for k in range(self.idle)]
        return found

    def joints(self, position: Position) -> Iterator[tuple[Choice, ...]]:
        """All joint moves; none where a role has no move."""
        yield from product(*(self.choices(position, r) for r in range(len(self.roles))))

    def after(self, position: Position, joint: tuple[Choice, ...]) -> Position:
        """The position after a joint move."""
        turn, step, clock, *states = position
        local = []
        touched = False
        for i, part in enumerate(self.parts):
            acts = {
                r: picked[group.index(i)]
                for r, (_, group, picked) in enumerate(joint)
                if i in group and picked[group.index(i)] != "none"
            }
            touched = touched or (i == 0 and bool(acts))
            local.append(part.step(states[i], acts))
        rested = any(name.startswith("rest") for name, _, _ in joint)
        runs = {"rest": rested, "over": self.parts[0].over(states[0]), "touched": touched}[self.runs]
        stays = self.again is not None and any(name.startswith(f"(move{self.again + 1} ") for name, _, _ in joint)
        return (
            turn if stays else (turn + 1) % len(self.turns),
            step if self.steps is None else min(step + 1, self.steps),
            clock if self.clock is None or not runs else min(clock + 1, self.clock),
            *local,
        )

    def over(self, position: Position) -> bool:
        """Whether the play is over."""
        states = position[HEAD:]
        done = [part.over(s) for part, s in zip(self.parts, states, strict=True)]
        return (
            ("all" in self.ends and all(done))
            or ("any" in self.ends and any(done))
            or ("part" in self.ends and done[0])
            or ("stuck" in self.ends and any(not self.mobile(position, r) for r in self.on_turn(position)))
            or (self.steps is not None and position[1] >= self.steps)
            or (self.clock is not None and position[2] >= self.clock)
        )

    def goals(self, position: Position) -> tuple[int | None, ...]:
        """What every role gets if the play ends here; None where the rules define nothing."""
        levels = [part.levels[s] for part, s in zip(self.parts, position[HEAD:], strict=True)]
        return tuple(payment.paid(levels, position[0]) for payment in self.payments)

    def fluents(self, position: Position) -> list[str]:
        """What holds in a position, as KIF."""
        turn, step, clock, *states = position
        out = [f"(turn {turn})"] if len(self.turns) > 1 else []
        out += [f"(step {step})"] if self.steps is not None else []
        out += [f"(clock {clock})"] if self.clock is not None else []
        return out + [f for part, s in zip(self.parts, states, strict=True) for f in part.fluents(s)]
