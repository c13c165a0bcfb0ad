"""Trees of the parts: what each move of the whole is worth by the part in which it is made.

A part is searched twice, in its own game: from where it stands with us to move, and from where it stands when we have
moved elsewhere, with the opponent to move. That is the *pass* of the part; the rules of the whole make it, by a move in
another part. A move of the whole is then worth what it gains over a pass where it acts, and in the parts where it does
not act we have passed:

    worth(move) = sum over parts: value(move) if it acts there, else value(pass)

Where every move acts in all parts (they move in step) nobody passes. If the points of the parts add up then, each part
chooses its factor by itself, also where several roles move at once: what is best in every part is best together, and a
tree of the whole has the product of their moves to look at.

A part that is not open yet, or over, says nothing: a stage is searched up to its end. Parts that are useless to the
score have no tree, and where that is proved one move in them stands for all.

Where one chooses the part to move in and the points of the parts add up, the move of the greatest worth is made: it
gains most over a pass, and a tree of one part sees far further than a tree of all. The tree of the whole decides only
what it has proved, and between equals. Elsewhere worths leave nothing out: the tree of the whole begins each move as if
it had been played so and so often with this result, and decides. Where only one part is left, its tree would be that of
the whole: it is not searched again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import LudisectError
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.partview import PartView
from ludisect.play.tree import Outlook, TreeSearch
from ludisect.play.tree.limits import TreeLimits

ENOUGH = 8
"""A move's mean counts if it has had one in so many of the visits of the most visited."""


ENDS = 24
"""Random plays in whose ends the points are added up."""

Roots = list[tuple[PartView, list[TreeSearch], Fluents | None, Fluents | None]]
"""Per part its trees and the states in which they begin: with us to move, and after our pass."""


@dataclass(frozen=True, slots=True)
class Worths:
    """What the parts say of the moves of one role."""

    worth: Mapping[Term, float]
    """Per legal move of the whole, the goal that it leads to as the parts estimate it, up to a constant."""
    idle: tuple[Term, ...] = ()
    """Moves that act in no part that matters, as far as that is proved."""
    drawn: Term | None = None
    """Where parts move in step: the move whose factors they have chosen, or drawn if several roles choose at once."""
    decides: bool = False
    """Whether the best of them is made, unless the tree of the whole has proved something: their points add up."""

    def expected(self, best: float) -> dict[Term, float]:
        """The goal behind every move, if the best leads to this one."""
        most = max(self.worth.values())
        return {move: best - (most - worth) for move, worth in self.worth.items()}

    @property
    def kept(self) -> tuple[Term, ...]:
        """All moves but those for which another stands: of the idle, the first."""
        left_out = frozenset(self.idle[1:])
        return tuple(move for move in self.worth if move not in left_out)

    def pick(self, found: Outlook, role: str) -> Term:
        """The move to make, by the parts and what the tree of the whole has found."""
        if self.drawn is not None or not self.decides or found.proved:
            return self.drawn or found.moves[role]
        # what is proved to be worse than the rest needs no estimate
        some = [one for one in found.worth[role] if not one.proved or one.goal >= found.goals[role]]
        return max(some or found.worth[role], key=lambda one: (round(self.worth[one.move], 6), one.visits)).move

    def guide(self, search: TreeSearch, role: str, state: State[Game]) -> None:
        """Let the tree of the whole begin with what the parts say, unless it knows more."""
        found = search.search(state, visits=1)
        if not found.proved:
            plays = round(PlayLimits.current().locally_trust * found.visits / len(self.worth))
            search.advise(role, self.expected(found.goals[role]), plays)
            search.narrow(role, self.kept)

    def told(self, move: Term) -> str:
        """A line on what the parts say of a move."""
        if move == self.drawn:
            return "every part has chosen its own factor"
        rank = 1 + sum(worth > self.worth[move] for worth in self.worth.values())
        return f"number {rank} of {len(self.worth)} by the trees of the parts"


class LocalTrees:
    """The trees of all parts of a game of two roles."""

    def __init__(self, parts: Decomposition, role: str, seed: int) -> None:
        self.parts, self.role = parts, role
        self.game: Game = parts.game
        self.sure = is_proved(parts)
        limits = replace(TreeLimits.current(), tree_megabytes=PlayLimits.current().locally_megabytes)
        self.views = [PartView(part, self.game) for part in parts.dependent if part.useful]
        self._trees = [
            [TreeSearch(view.game, seed=seed + 2 * i + k, limits=limits) for k in range(2)]
            for i, view in enumerate(self.views)
        ]
        self.adds_up = self._adds_up()

    def _adds_up(self) -> bool:
        """Whether in the ends of some random plays the goals are those of the parts and a constant."""
        batch, seen = self.game.batch, set()
        for _, _, following in plays(self.game, ENDS, seed=0):
            for row in following[batch.terminal(following)]:
                state = batch.state(row)
                goals = [self.game.goals(state), *(view.game.goals(view.state(state)) for view in self.views)]
                whole, *parts = [tuple(some[role] or 0 for role in self.game.roles) for some in goals]
                seen.add(tuple(goal - sum(own) for goal, *own in zip(whole, *parts, strict=True)))
        return len(seen) == 1

    def surer(self, parts: Decomposition) -> bool:
        """Whether these are the same parts; if they are proved, so are ours, and the trees stay."""
        useful = [set(part.fluents) for part in parts.dependent if part.useful]
        if useful != [set(view.part.fluents) for view in self.views]:
            return False
        self.sure = self.sure or is_proved(parts)
        return True

    @staticmethod
    def fit(parts: Decomposition) -> bool:
        """Whether the parts can be searched so: two roles, and several parts that all score.

        In a sum that is won by the last move no part is won or lost by itself, and the goals read none of them: there a
        tree of a part tells nothing.
        """
        circuit = parts.game.circuit
        scoring = set((circuit.support(circuit.goal) - 1).tolist())
        matter = [part for part in parts.dependent if part.useful]
        return (
            len(parts.game.roles) == 2
            and len(matter) > 1
            and all(scoring & set(part.fluent_numbers) for part in matter)
        )

    def told(self, moves: Mapping[str, Term]) -> None:
        """A joint move of the whole was made: the trees of the parts in which it acts go along."""
        for view, trees in zip(self.views, self._trees, strict=True):
            for tree in trees:
                here = tree.state
                joint = None if here is None else view.joint(here.fluents, moves)
                if joint is not None:
                    try:
                        tree.advance(joint)
                    except LudisectError:  # it begins anew when it is asked
                        continue

    def instep(self, state: State[Game]) -> bool:
        """Whether every legal move acts in several parts at once, and their points add up."""
        return self.adds_up and all(
            sum(view.local(self.role, move) is not None for view in self.views) > 1 for move in state.legal[self.role]
        )

    def compete(self, state: State[Game]) -> bool:
        """Whether one can move in one part or in another."""
        acting = [[view.local(self.role, move) is not None for view in self.views] for move in state.legal[self.role]]
        return sum(map(any, zip(*acting, strict=True))) > 1 and all(sum(some) <= 1 for some in acting)

    def idle(self, state: State[Game]) -> tuple[Term, ...]:
        """Moves that act in no part that matters, as far as that is proved."""
        legal = state.legal[self.role] if self.sure else ()
        return tuple(m for m in legal if all(view.local(self.role, m) is None for view in self.views))

    def share(self, state: State[Game]) -> float:
        """The share of a move's time for the trees of the parts.

        None where moves of several parts compete and their points do not add up: the tree of the whole learns by parts
        there, at every node.
        """
        limits = PlayLimits.current()
        if self.instep(state):
            return limits.locally_instep
        if self.compete(state):
            return limits.locally_choice if self.adds_up else 0.0
        return limits.locally_share

    def search(self, state: State[Game], deadline: float) -> Worths | None:
        """Search all parts until the deadline (of ``time.monotonic``); None if they say nothing of this state."""
        instep = self.instep(state)
        if self.role not in state.choosing or (len(state.choosing) > 1 and not instep):
            return None
        if sum(not view.game.is_terminal(view.state(state.fluents)) for view in self.views) < 2:
            return None
        roots = self._roots(state)
        found = {} if all(here is None for _, _, here, _ in roots) else self._grown(roots, deadline)
        if not found:
            return None
        return self._drawn(state, roots, found) if instep else self._worths(state, roots, found)

    def grow(self, state: State[Game], deadline: float) -> None:
        """Search all parts until the deadline for nobody, whoever is to move."""
        if len(state.choosing) == 1:
            self._grown(self._roots(state), deadline)

    def _grown(self, roots: Roots, deadline: float) -> dict[int, Outlook]:
        """What the trees have found at the deadline, or when all is proved; nothing if one of them found nothing."""
        wanted = [(tree, root) for _, trees, *both in roots for tree, root in zip(trees, both, strict=True)]
        asked = [(tree, root) for tree, root in wanted if root is not None]
        found: dict[int, Outlook] = {}
        turn = PlayLimits.current().locally_slice
        while (left := deadline - time.monotonic()) > 0:
            busy = [(tree, root) for tree, root in asked if id(tree) not in found or not found[id(tree)].proved]
            if not busy:
                break
            for tree, root in busy:
                assert root is not None
                try:
                    found[id(tree)] = tree.search(root, seconds=min(turn, left / len(busy)))
                except LudisectError:
                    return {}
        return found if len(found) == len(asked) else {}

    def _roots(self, state: State[Game]) -> Roots:
        """Per part its trees and where they begin: with us to move, and after our pass; None for a part that is closed
        or over, and where nobody can pass. In the opponent's turn the same with the opponent in our place."""
        mover = self.role if self.role in state.choosing else state.choosing[0]
        legal = state.legal[mover]
        out = []
        for view, trees in zip(self.views, self._trees, strict=True):
            here: Fluents | None = view.state(state.fluents)
            assert here is not None
            acting = [move for move in legal if view.local(mover, move) is not None]
            if not acting or not view.going(here):
                here = None
            elsewhere = [move for move in legal if view.local(mover, move) is None]
            passed: Fluents | None = None
            if elsewhere:
                after = state.play({mover: elsewhere[0]})
                passed = view.state(after.fluents)
                if not view.going(passed):
                    passed = None
            first = trees[0].state
            if first is not None and first.fluents == passed:
                trees.reverse()  # what was begun after a pass is where we stand now, or the other way round
            out.append((view, trees, here, passed))
        return out

    def _drawn(self, state: State[Game], roots: Roots, found: Mapping[int, Outlook]) -> Worths | None:
        """The move whose factors are what the trees of the parts would play."""
        picks = [
            (view, view.own(self.role, found[id(trees[0])].moves[self.role]))
            for view, trees, here, _ in roots
            if here is not None
        ]
        for move in state.legal[self.role]:
            if all(view.local(self.role, move) == pick for view, pick in picks):
                return Worths({}, drawn=move)
        return None

    def _worths(
        self,
        state: State[Game],
        roots: Roots,
        found: Mapping[int, Outlook],
    ) -> Worths:
        total = dict.fromkeys(state.legal[self.role], 0.0)
        for view, trees, here, passed in roots:
            resting = self._value(view, found[id(trees[1])]) if passed is not None else None
            worth = {} if here is None else trusted(found[id(trees[0])], self.role)
            if here is not None and not worth:  # the only move
                worth = {found[id(trees[0])].moves[self.role]: self._value(view, found[id(trees[0])])}
            for move in total:
                mine = view.local(self.role, move)
                if mine is not None and worth:
                    total[move] += worth.get(mine, min(worth.values()))
                elif mine is None:
                    total[move] += resting if resting is not None else max(worth.values(), default=0.0)
        return Worths(total, self.idle(state), decides=self.adds_up and self.compete(state))

    def _value(self, view: PartView, found: Outlook) -> float:
        """What a part is worth to us, whoever moves first in it: two roles are taken to want the opposite."""
        mine = found.goals[self.role]
        if mine == mine:
            return float(mine)
        (other,) = (role for role in self.game.roles if role != self.role)
        ours = [value for r, value in view.game.goal_table if view.game.roles[r] == self.role]
        theirs = [value for r, value in view.game.goal_table if view.game.roles[r] == other]
        if not ours or not theirs or max(theirs) == min(theirs):
            return 0.0
        share = (found.goals[other] - min(theirs)) / (max(theirs) - min(theirs))
        return max(ours) - share * (max(ours) - min(ours)) if share == share else 0.5 * (max(ours) + min(ours))


def is_proved(parts: Decomposition) -> bool:
    """Whether it is proved that the parts are such."""
    return parts.evidence is not None and parts.evidence.status == "proved"


def trusted(found: Outlook, role: str) -> dict[Term, float]:
    """What each move of a role is worth by a tree.

    A mean of few plays tells nothing: a move that was tried much less than the best counts no more than the worst of
    those that were tried enough. What was left open when the best was proved is not needed and counts nothing.
    """
    some = found.worth[role]
    often = 0 if found.proved else max((one.visits for one in some if not one.proved), default=0)
    known = {one.move: one.goal for one in some if one.proved or (often and ENOUGH * one.visits >= often)}
    least = 0.0 if found.proved else min(known.values(), default=0.0)
    return {one.move: known.get(one.move, min(least, one.goal) if one.goal == one.goal else least) for one in some}
