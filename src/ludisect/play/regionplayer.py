"""A player that judges states by regions where rules are a sum of such; traps where all moves lose."""

from __future__ import annotations

import time
from functools import partial

from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Choice
from ludisect.play.regional import Regional, regional
from ludisect.play.solo import soon
from ludisect.play.task import found_by
from ludisect.play.trap import trap
from ludisect.play.treeplayer import TreePlayer
from ludisect.search.whole.whole import goal_bounds


class RegionPlayer(TreePlayer):
    """What regions say of the states of a match; who plays by it decides when they are asked."""

    def __init__(self) -> None:
        super().__init__()
        self._regional: Regional | None = None
        self._decided = False
        self._judging = 0.0
        self._lost: Choice | None = None
        """What is known exactly of a state in which every move loses."""

    def stop(self) -> None:
        super().stop()
        if self._regional is not None:
            self._regional.stop()

    def look_for_regions(self, deadline: float) -> None:
        """Find out whether the rules are a sum of regions, which is quick as a rule; then the start is judged."""
        state, limits = self.played, PlayLimits.current()
        self._judging = limits.byparts_regions
        if state is None or len(state.game.roles) != 2:
            return
        prove = partial(regional, state.game)
        self._regional = found_by(soon(deadline, limits.byparts_proving), prove, "proving regions")
        if self._regional is not None and not state.is_over:
            self._trust_regions(self._regional.judge(state, soon(deadline, limits.byparts_share)) is not None)
            self._regional.warm_up(state, soon(deadline, limits.byparts_share), self.assignment.seed)

    def _trust_regions(self, decided: bool) -> None:
        """The share of a move in which regions may be judged: much once they have decided, half after every failure."""
        limits, self._decided = PlayLimits.current(), self._decided or decided
        self._judging = limits.byparts_decided if decided else max(limits.byparts_regions, self._judging / 2)

    def judged(self, legal: tuple[Term, ...], deadline: float) -> Choice | None:
        """What the regions of this state say, if it falls apart into such; nothing where all moves lose."""
        state = self.played
        if self._regional is None or state is None or state.choosing != (self.role,):
            return None
        found = self._regional.judge(state, deadline)
        self._trust_regions(found is not None)
        if found is None or found[1] not in legal:
            return None
        value, move, why = found
        choice = Choice(move, f"regions: worth {value:g}, exact; {why}", certain=True, sure=value)
        if value <= goal_bounds(state.game)[0][state.game.roles.index(self.role)]:
            self._lost = choice
            return None
        # a move that is found soon leaves time in which the next state is made ready
        ready = min(deadline, time.monotonic() + PlayLimits.current().regional_ready)
        self._regional.prepare(state.play({self.role: move}), ready, self.assignment.seed)
        return choice

    def baited(self, legal: tuple[Term, ...], deadline: float) -> Choice | None:
        """Where regions say that all moves lose, the one that leaves the fewest right replies; of equal ones the one
        that leaves us least behind."""
        if self._lost is None or self._regional is None or self.played is None:
            return None
        found = {move: some for move, some in self._regional.replies(self.played, deadline).items() if move in legal}
        if not found:
            return None
        move, best = max(found.items(), key=lambda one: (one[1].wrong, one[1].stop))
        return Choice(move, f"one to which {best.right} of {len(best.wins)} replies are right")

    def trapped(self, deadline: float) -> Choice | None:
        """Where regions say that all moves lose, one to which a search would reply wrongly."""
        search, state = self._tree(deadline), self.played
        if self._lost is None or self._regional is None or search is None or state is None:
            return None
        move, wrong = trap(search, state, self.role, self._regional.known, deadline)
        return Choice(move, f"one to which {100 * wrong:.0f} % of a search's replies would be wrong")
