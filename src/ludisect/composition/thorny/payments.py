"""What thorny compounds pay: scores that read part after part, and may ask who is to move at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

LEVELS = (0, 1, 2)
"""All that a score reads of a part."""

Fold = Callable[[int, int, int], int]
"""What was counted so far, the number of the part among those read, and its level, to what is counted then."""

FOLDS: dict[str, Fold] = {
    "sum": lambda so_far, _, level: so_far + level,
    "weighted": lambda so_far, k, level: so_far + (k + 1) * level,
    "count": lambda so_far, _, level: so_far + (level == 2),
    "product": lambda so_far, k, level: level if k == 0 else so_far * level,
    "lexicographic": lambda so_far, _, level: 3 * so_far + level,
    "least": lambda so_far, k, level: level if k == 0 else min(so_far, level),
    "greatest": lambda so_far, k, level: level if k == 0 else max(so_far, level),
    "parity": lambda so_far, _, level: (so_far + level) % 2,
}
"""How levels are put together; ``any`` and ``all`` are k of n, ``count`` with a threshold."""


@dataclass(frozen=True)
class Payment:
    """What one role gets: the levels of some parts folded into a number, and what that number pays.

    ``pays`` has a line per number and turn; the turn is None where it does not matter. A line that is missing is a goal
    that the rules do not define.
    """

    kind: str
    reads: tuple[int, ...]
    """Parts, by index, in the order in which they are read."""
    pays: Mapping[tuple[int, int | None], int]

    def paid(self, levels: Sequence[int], turn: int) -> int | None:
        """What the role gets, by the levels of all parts and the turn at the end."""
        counted = 0
        for k, i in enumerate(self.reads):
            counted = FOLDS[self.kind](counted, k, levels[i])
        return self.pays.get((counted, None), self.pays.get((counted, turn)))

    def steps(self) -> list[dict[tuple[int, int], int]]:
        """For every part that is read, what (counted so far, level) make."""
        out, reached = [], {0}
        for k in range(len(self.reads)):
            table = {(c, x): FOLDS[self.kind](c, k, x) for c in sorted(reached) for x in LEVELS}
            out.append(table)
            reached = set(table.values())
        return out

    def counted(self) -> list[int]:
        """Every number that can come out."""
        found = {0}
        for table in self.steps():
            found = set(table.values())
        return sorted(found)

    def rules(self, role: str, *, flat: bool) -> list[str]:
        """The goal of a role; ``flat`` has a rule for each combination of levels, otherwise tables are followed."""
        turned = [(f" (true (turn {turn}))" if turn is not None else "") for _, turn in self.pays]
        if flat:
            rules = []
            for levels in _combinations(len(self.reads)):
                told = "".join(f" (level{i + 1} {x})" for i, x in zip(self.reads, levels, strict=True))
                counted = 0
                for k, x in enumerate(levels):
                    counted = FOLDS[self.kind](counted, k, x)
                for ((c, _), value), when in zip(self.pays.items(), turned, strict=True):
                    if c == counted:
                        rules.append(
                            f"(<= (goal {role} {value}){told}{when})" if told or when else f"(goal {role} {value})"
                        )
            return rules
        rules = [f"(counted0 {role} 0)"]
        for k, (i, table) in enumerate(zip(self.reads, self.steps(), strict=True), 1):
            rules += [f"(adds{k} {role} {c} {x} {to})" for (c, x), to in table.items()]
            rules.append(
                f"(<= (counted{k} {role} ?d) (counted{k - 1} {role} ?c) (level{i + 1} ?x) (adds{k} {role} ?c ?x ?d))"
            )
        last = f"(counted{len(self.reads)} {role}"
        for ((c, _), value), when in zip(self.pays.items(), turned, strict=True):
            rules.append(f"(<= (goal {role} {value}) {last} {c}){when})")
        return rules


def _combinations(n: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(n):
        found = [(*some, x) for some in found for x in LEVELS]
    return found


def random_payment(rng: Random, parts: int, last: Mapping[int, int] | None, *, adding: bool = False) -> Payment:
    """A score of one role; with ``adding``, one that adds levels up more often than not.

    ``last`` is what the role gets by the turn at the end, if that is to count at all.
    """
    if last is not None and rng.random() < 0.8:
        return Payment("sum", (), {(0, turn): value for turn, value in last.items()})
    kind = rng.choice(("sum", "weighted")) if adding and rng.random() < 0.8 else rng.choice(sorted(FOLDS))
    reads = tuple(sorted(rng.sample(range(parts), parts if rng.random() < 0.8 else rng.randint(1, parts))))
    plain = Payment(kind, reads, {})
    numbers = plain.counted()
    worth = {c: 100 * c // max(numbers) for c in numbers} if adding else _worth(rng, numbers, kind)
    if last is not None:  # who is to move decides between equals
        tied = rng.choice(numbers)
        lines: dict[tuple[int, int | None], int] = {(c, None): worth[c] for c in numbers if c != tied}
        return Payment(kind, reads, lines | {(tied, turn): value for turn, value in last.items()})
    pays: dict[tuple[int, int | None], int] = {(c, None): worth[c] for c in numbers}
    if rng.random() < 0.05 and len(pays) > 2:
        pays.pop(rng.choice(sorted(pays, key=lambda line: line[0])))  # a goal that is not defined
    return Payment(kind, reads, pays)


def _worth(rng: Random, numbers: Sequence[int], kind: str) -> dict[int, int]:
    """What each number pays: a threshold (k of n), in proportion, or anything."""
    most = max(numbers) or 1
    how = rng.choice(("threshold", "proportion", "proportion", "anything")) if kind != "count" else "threshold"
    if how == "threshold":
        least = rng.choice([c for c in numbers if c > 0] or [0])
        return {c: 100 * (c >= least) for c in numbers}
    if how == "proportion":
        return {c: 100 * c // most for c in numbers}
    return {c: rng.choice((0, 25, 50, 75, 100)) for c in numbers}


def opposite(payment: Payment) -> Payment:
    """What the other gets, if both share a hundred."""
    return Payment(payment.kind, payment.reads, {line: 100 - value for line, value in payment.pays.items()})
