"""Heuristic local search: all parts to a depth, with ``estimate`` beyond, deeper and deeper until exact.

A value that depends on estimates is kept as its reduced canonical form, since an estimate says nothing about
infinitesimals. Values that do not are exact and stay as they are: {*|1} is 0, but with its option reduced to 0 it would
be 1/2. They are found once and serve all depths.

A position is split again after every move, and each of its parts searched to the depth that is left: together they look
further than that. Mäser's algorithm does not split again, and knows nothing beyond its depth (``published``).

The root is depth 0. Mäser's LocalHSearch is called with depth 1 and gives an estimate where the depth is the limit,
which at limit 1 would estimate the root itself; the values he prints (Figure 8.7) need the root at depth 0.

Reference: Mäser, *Game Bench* (2001), 8.3 (heuristic local search).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from ludisect import clock
from ludisect.cgt import Value, budget, number, reduced
from ludisect.cgt.reduction import reduced_of, reduced_sum
from ludisect.cgt.value import add, negate
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets.position import Player, Position
from ludisect.sums.scoring import compose
from ludisect.sums.transposition import TranspositionTable

Recall = Callable[[Position], Value | None]
"""What is known of a part already, exactly."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What heuristic local search knows of a position; ``exact`` if none had to be estimated, at whatever depth."""

    value: Value
    depth: int
    exact: bool
    nodes: int = 0

    def __neg__(self) -> Guess:
        return Guess(negate(self.value), self.depth, self.exact, self.nodes)


def deepen(
    position: Position,
    *,
    most: int = 64,
    seconds: float | None = None,
    entries: int | None = None,
    published: bool = False,
) -> Iterator[Guess]:
    """Heuristic local search of one position, one depth after the other, until it is exact or a limit is reached.

    Each result can be used while the next one is computed. Tables keep at most ``entries`` positions. With
    ``published`` nothing is split and nothing beyond the depth is used, as in the thesis.

    Raises:
        InputError: the game gives no estimate, or somebody can win outright in it.
    """
    if position.outright:
        raise InputError(f"{position.name}: an outright win is beyond every estimate; use a full search")
    search = Deepening(seconds=seconds, entries=entries, published=published)
    for _ in search.deepen([position] if published else position.parts(), most=most):
        yield search.guess(position)


class Deepening:
    """Deepens parts together; at any time the guesses of the last depth that was finished for all can be used.

    Limits are ``seconds`` from now on and ``nodes``, positions that are expanded; ``depth`` is the last one finished.
    ``recall`` tells what is known exactly. With ``published`` the depth is kept to the letter: nothing is split again,
    and exact values are used only where the search would have got to their ends.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        entries: int | None = None,
        recall: Recall | None = None,
        published: bool = False,
    ) -> None:
        self._published = published
        self.depth, self.nodes = 0, 0
        self.end = None if seconds is None else clock.now() + seconds
        self._most, self._entries, self._recall = nodes, entries, recall
        self._exact: TranspositionTable[Hashable, tuple[Value, int]] = TranspositionTable(entries)
        self._guesses: TranspositionTable[tuple[Hashable, int], Value] = TranspositionTable(entries)
        self._known: dict[Hashable, Guess] = {}

    # ---- questions ------------------------------------------------------------------------------------------------

    def deepen(self, parts: Sequence[Position], *, most: int = 64) -> Iterator[int]:
        """Search all parts to depth 1, then 2, and so on; yields each depth that was finished for all of them.

        Ends when all are exact, at depth ``most``, or at a limit. What was searched so deep before is left out.

        Raises:
            InputError: a game gives no estimate.
        """
        waiting = list(dict.fromkeys(parts))
        for depth in range(1, most + 1):
            self._guesses = TranspositionTable(self._entries)
            work: dict[Position, int] = {}
            try:
                with budget(seconds=None if self.end is None else max(0.0, self.end - clock.now())):
                    for part in waiting:
                        before, known = self.nodes, self._known.get(part.key()[0])
                        if known is not None and (known.exact or known.depth >= depth):
                            work.update({} if known.exact else {part: 0})
                            continue
                        _, height = self._part(part, depth)
                        self._remember(part, depth)
                        if height is None:
                            work[part] = self.nodes - before
            except (BudgetExceeded, RecursionError):
                return  # what was remembered of this depth is of use all the same
            self.depth = depth
            yield depth
            waiting = sorted(work, key=work.__getitem__)  # the quick ones first, in case the time runs out
            if not waiting:
                return

    def guess(self, position: Position) -> Guess:
        """The best guess for a position: a part that was searched, one that such a part can become, or their sum.

        Raises:
            InputError: the game gives no estimate.
        """
        found = [self.part_guess(part) for part in ([position] if self._published else position.parts())]
        exact = all(one.exact for one in found)
        total = self._added(position, [one.value for one in found], exact)
        return Guess(total, min([self.depth, *(one.depth for one in found if not one.exact)]), exact, self.nodes)

    def part_guess(self, part: Position) -> Guess:
        """The best guess for a part; its estimate if it was never met."""
        value = self._sure(part)
        if value is not None:
            return Guess(value, self.depth, True)
        key, negative = part.key()
        known = self._known.get(key)
        if known is None:
            return Guess(*self._estimated(part))
        return -known if negative else known

    def known(self) -> dict[Hashable, Guess]:
        """All guesses by the key of the part, to be learnt by another search."""
        return self._known

    def learn(self, known: dict[Hashable, Guess]) -> None:
        """Take over what another search found."""
        for key, guess in known.items():
            before = self._known.get(key)
            if before is None or (guess.exact, guess.depth) > (before.exact, before.depth):
                self._known[key] = guess

    # ---- one depth ------------------------------------------------------------------------------------------------

    def _remember(self, part: Position, depth: int) -> None:
        """Keep the guesses for a part and for what it can become in one move."""
        self._keep(part, depth)
        for player in Player:
            for move in part.moves(player):
                after = part.play(player, move)
                for piece in [after] if self._published else after.parts():
                    self._keep(piece, depth - 1)

    def _keep(self, part: Position, depth: int) -> None:
        if part.terminal_value() is None:
            key, negative = part.key()
            before = self._known.get(key)
            if before is None or not (before.exact or before.depth > depth):
                value, height = self._part(part, depth)
                self._known[key] = Guess(negate(value) if negative else value, depth, height is not None)

    def _sum(self, position: Position, depth: int) -> tuple[Value, int | None]:
        found = [self._part(part, depth) for part in ([position] if self._published else position.parts())]
        heights = [height for _, height in found if height is not None]
        exact = len(heights) == len(found)
        return self._added(position, [value for value, _ in found], exact), max(heights, default=0) if exact else None

    def _added(self, position: Position, values: list[Value], exact: bool) -> Value:
        """A sum; in reduced form if points count or something was estimated."""
        total = number(0)
        if exact and position.score() is None:
            for value in values:
                total = add(total, value)
        else:
            for value in values:
                total = reduced_sum(total, reduced(value))
        return total

    def _part(self, part: Position, depth: int) -> tuple[Value, int | None]:
        """A value to a depth; if it is exact, how many moves it is away from its last end, else None."""
        known = self._sure(part)
        if known is not None:
            return known, 0
        key, negative = part.key()
        value: Value | None
        value, height = self._exact.get(key) or (None, None)
        if height is not None and height > depth and self._published:
            value = height = None
        if value is None:
            value = self._guesses.get((key, depth))
        if value is None:
            before = self.nodes
            value, height = self._expand(part, depth)
            value = negate(value) if negative else value
            if height is not None:
                self._exact.put(key, (value, height), self.nodes - before)
            else:
                self._guesses.put((key, depth), value, self.nodes - before)
        return negate(value) if negative else value, height

    def _sure(self, part: Position) -> Value | None:
        known = part.terminal_value()
        if known is None and self._recall is not None:
            known = self._recall(part)
        return known

    def _expand(self, part: Position, depth: int) -> tuple[Value, int | None]:
        self.nodes += 1
        if self._most is not None and self.nodes > self._most:
            raise BudgetExceeded("the limit on positions was reached", budget="nodes")
        if self.end is not None and clock.now() > self.end:
            raise BudgetExceeded("the time limit was reached", budget="seconds")
        moves = {player: part.moves(player) for player in Player}
        if depth == 0 and any(moves.values()):
            return self._estimated(part)[0], None
        after = {p: [self._sum(part.play(p, m), depth - 1) for m in moves[p]] for p in Player}
        left, right = ({value for value, _ in after[p]} for p in Player)
        heights = [height for found in after.values() for _, height in found]
        if None in heights:
            return reduced_of(map(reduced, left), map(reduced, right)), None
        return compose(part, left, right), 1 + max((h for h in heights if h is not None), default=-1)

    def _estimated(self, part: Position) -> tuple[Value, int, bool]:
        if not any(part.moves(p) for p in Player):
            return number(part.score() or 0), 0, True
        guess = part.estimate()
        if guess is None:
            raise InputError(f"the game {part.name!r} has no estimate; heuristic search needs one")
        return number(guess), 0, False
