"""Sums of regions where values do not add up, searched: threats, misère play, either is stuck, zugzwang.

The position is a list of regions; a move changes one of them, which is settled and split anew. What is settled is left
out, so plays that differ in it alone meet again in the table, which keeps bounds on what the first role still gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludisect.progress import report
from ludisect.rulesets.position import Player
from ludisect.search.budget import Budget
from ludisect.search.regions.guarded import SIDES
from ludisect.search.regions.premises import Premises
from ludisect.search.regions.settling import Operator, settle, split
from ludisect.search.way import Inapplicable

NODE_STEPS, NODE_BYTES = 60_000, 700
"""What a position counts, about: steps (see ``effort``), and bytes of the table."""

LONGEST = 400
"""Moves of a play that the search can follow."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A region: the operators that live there (ties among them), the open facts, and all facts as they are there."""

    live: tuple[int, ...]
    open: int
    facts: int

    @property
    def key(self) -> tuple[tuple[int, ...], int, int]:
        """All that matters."""
        return self.live, self.open, self.facts & self.open


Corners = tuple[Corner, ...]


class SumSearch:
    """Searches sums of regions of one game; what is found is kept from one question to the next.

    Worth is counted in goals of the first role (``stuck``, threats), or in its lead by points.
    """

    def __init__(self, premises: Premises, budget: Budget) -> None:
        self.premises, self.budget = premises, budget
        operators, points = premises.operators, premises.points
        threats = [Operator(Player.LEFT, "", threat.needs, threat.bars, 0, 0) for threat in premises.threats]
        counted = [] if points is None else [1 << f for f, weight in enumerate(points.weights) if weight]
        ties = [*threats, *(Operator(Player.LEFT, "", fact, 0, 0, 0) for fact in counted)]
        self.listed: tuple[Operator, ...] = (*operators.listed, *ties)
        self._moves = len(operators.listed)
        self._threats = dict(enumerate(premises.threats, self._moves))
        self._known: dict[tuple[object, Player], tuple[float, float]] = {}
        self.nodes = 0
        self._refuse_partners()

    def _refuse_partners(self) -> None:
        """Raise Inapplicable if what one role gains the other does not lose."""
        pays = sorted(self.premises.pays)
        if self.premises.points is None and any(a == c or b <= d for (a, b), (c, d) in pairwise(pays)):
            raise Inapplicable("what is better for one player is not always worse for the other")

    # ---- positions ----

    def pieces(self, facts: int) -> Corners:
        """The regions where these facts hold; threats that can still come true tie regions together."""
        if self.premises.measure.longest(facts) > LONGEST:
            raise Inapplicable(f"a play may take more than {LONGEST} moves")
        return self._apart(range(len(self.listed)), facts)

    def _apart(self, among: Sequence[int], facts: int) -> Corners:
        live, open_facts = settle(self.listed, among, facts)
        found = split(self.listed, live, open_facts)
        return tuple(Corner(some, mine, facts) for some, mine in found if any(i < self._moves for i in some))

    def moves(self, pieces: Corners, player: Player) -> Iterator[tuple[int, int]]:
        """(place of the piece, operator) of what a player can do, each effect once."""
        for k, piece in enumerate(pieces):
            done: set[tuple[int, int]] = set()
            for i in piece.live:
                op = self.listed[i]
                if i >= self._moves or op.player is not player or not op.fits(piece.facts):
                    continue
                effect = op.sets & piece.open, op.clears & piece.open
                if effect not in done:
                    done.add(effect)
                    yield k, i

    def after(self, pieces: Corners, k: int, i: int) -> tuple[Corners, float, bool]:
        """The pieces after a move, what the first role gained by it, and whether that ends the play."""
        piece = pieces[k]
        facts = self.listed[i].after(piece.facts)
        for threat in (self._threats[j] for j in piece.live if j in self._threats):
            if threat.holds(facts):
                return (), threat.gets[0], True
        points = self.premises.points
        gained = 0 if points is None else points.of(facts) - points.of(piece.facts)
        return (*pieces[:k], *self._apart(piece.live, facts), *pieces[k + 1 :]), gained, False

    # ---- search ----

    def worth(self, pieces: Corners, player: Player) -> float:
        """What the first role still gets (or gains) if ``player`` is to move and both play well."""
        low, high = -float("inf"), float("inf")
        return self._search(pieces, player, low, high)

    def best(self, pieces: Corners, player: Player) -> tuple[float, tuple[int, int] | None]:
        """The worth of a position, and a best move (place and operator)."""
        if self._is_over(pieces, player):
            return self._ended(pieces, player), None
        worth, chosen = -float("inf"), None
        sign = 1 if player is Player.LEFT else -1
        for k, i in self.moves(pieces, player):
            rest, gained, over = self.after(pieces, k, i)
            found = sign * (gained if over else gained + self.worth(rest, player.opponent))
            if found > worth:
                worth, chosen = found, (k, i)
        assert chosen is not None  # play goes on, so there is a move
        return sign * worth, chosen

    def _is_over(self, pieces: Corners, player: Player) -> bool:
        """Whether play has ended for want of moves: of the player to move, or of either if that is the rule."""
        asked = SIDES if self.premises.neither is not None else (player,)
        return not all(any(True for _ in self.moves(pieces, side)) for side in asked)

    def _ended(self, pieces: Corners, player: Player) -> float:
        """What the first role gets (or gains) at such an end."""
        if self.premises.points is not None:
            return 0
        stuck, neither, role = self.premises.stuck, self.premises.neither, SIDES.index(player)
        if neither is None or any(True for _ in self.moves(pieces, player.opponent)):
            return stuck[role][0]
        moves = any(True for _ in self.moves(pieces, player))
        return (stuck[1 - role] if moves else neither[role])[0]

    def _search(self, pieces: Corners, player: Player, alpha: float, beta: float) -> float:
        key = tuple(sorted(piece.key for piece in pieces)), player
        low, high = self._known.get(key, (-float("inf"), float("inf")))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        self.budget.check(NODE_BYTES * len(self._known), steps=NODE_STEPS)
        if self.nodes % 1024 == 0:
            report("searching the regions", self.nodes)
        if self._is_over(pieces, player):
            best = self._ended(pieces, player)
            self._known[key] = best, best
            return best
        left = player is Player.LEFT
        best = -float("inf") if left else float("inf")
        a, b = alpha, beta
        children = sorted(
            (self.after(pieces, k, i) for k, i in self.moves(pieces, player)),
            key=lambda child: (not child[2], -child[1] if left else child[1], -len(child[0])),
        )
        for rest, gained, over in children:
            found = gained if over else gained + self._search(rest, player.opponent, a - gained, b - gained)
            best = max(best, found) if left else min(best, found)
            a, b = (max(a, best), b) if left else (a, min(b, best))
            if a >= b:
                break
        self._known[key] = (best if best > alpha else low, best if best < beta else high)
        return best
