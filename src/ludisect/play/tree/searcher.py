"""``TreeSearch``: search from a state until a deadline, the best move, and on to the next state.

    search = TreeSearch(game)
    found = search.search(state, seconds=1.0)
    found.moves["red"]
    search.advance({"red": move, "black": reply})     # the tree is kept as far as it is of use

The search runs in machine code that lets other Python threads run; ``stop`` ends it from any of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack
from ludisect.circuit.seats import turns_of
from ludisect.decomposition.model.decomposition import Part
from ludisect.errors import InputError
from ludisect.gdl.byrole import ByRole
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.kernels.workers import ask, needed, want
from ludisect.play.tree import fields as f
from ludisect.play.tree.knowledge import Knowledge, Known
from ludisect.play.tree.lanetree import LaneTree
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.treecode import TreeCode, tree_code


@dataclass(frozen=True, slots=True)
class MoveWorth:
    """What the search knows of a legal move of a role that chooses."""

    move: Term
    visits: int
    goal: float
    """The role's mean goal behind it, or what it gets for sure; not a number for a move that was never tried."""
    share: float
    """How often it is to be played: where several roles choose at once, a mixed strategy; else 1 for the best."""
    proved: bool
    """Whether ``goal`` is proved."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a search has found."""

    moves: ByRole[Term]
    """The move to make, a role each: the best, or drawn from the mixed strategy where several choose at once."""
    worth: ByRole[tuple[MoveWorth, ...]]
    """Every legal move of the roles that have a choice, the best first; of others, nothing."""
    goals: ByRole[float]
    """The goals to be expected; of a role without a choice known only if two roles share one sum in every end."""
    proved: bool
    """Whether ``goals`` are what perfect play gives: all of it has been followed."""
    visits: int
    """Simulations in the tree, those kept from earlier searches among them."""
    plays: int
    """Plays that this search made."""
    nodes: int
    seconds: float


def ready() -> bool:
    """Whether all machine code is there. If not, it is being made from now on, and the first search waits for it."""
    want("tree")
    codes = needed(["tree"])
    missing = [code for code in codes if not code.stored()]
    if missing:
        ask(missing[0])
    return not missing


class TreeSearch:
    """A tree search that goes along with a match. ``threads`` trees grow side by side, and their roots are added up."""

    def __init__(self, game: Game, *, threads: int = 1, seed: int = 0, limits: TreeLimits | None = None) -> None:
        if threads < 1:
            raise InputError(f"a search needs at least 1 thread, not {threads}")
        want("tree")
        with TreeLimits.given(limits) as numbers:
            self._limits = numbers
        self.game = game
        self._code: TreeCode = tree_code(game, prefer_wins=bool(numbers.tree_decisive))
        self._random = np.random.default_rng([seed, 2])
        legal = int(game.batch.legal(game.batch.initial)[0].sum())
        megabytes = numbers.tree_megabytes / threads
        self._trees = tuple(
            LaneTree(self._code, numbers, seed=seed * 1000 + i, megabytes=megabytes, branching=min(64, legal))
            for i in range(threads)
        )
        self._state: Fluents | None = None
        self._stopped = False
        self._knowledge: Knowledge | None = None

    @property
    def state(self) -> State[Game] | None:
        """The state at the root, once there is one."""
        return None if self._state is None else State(self.game, self._state)

    # ---- the root ----

    def look_at(self, state: State[Any] | Fluents) -> None:
        """Make a state the root. What is known is kept if it is the root already; else the tree begins anew."""
        fluents = state.fluents if isinstance(state, State) else state
        if fluents == self._state:
            return
        row = self.game.batch.row(fluents)
        if self.game.is_terminal(fluents):
            raise InputError(f"the game is over in that state of {self.game.name}; there is nothing to search")
        stuck = [role for role, moves in self.game.legal_moves(fluents).items() if not moves]
        if stuck:
            raise InputError(f"{stuck[0]} has no legal move in that state of {self.game.name}: a fault of the rules")
        turn = int(turns_of(row, self._code.phases)[0])
        self._state = None
        for tree in self._trees:
            tree.plant(row[0], turn)
        self._state = fluents

    def advance(self, moves: Mapping[str, Term]) -> None:
        """Go on to the state after a joint move, with what the tree knows of it.

        Raises InputError before the first search, IllegalMove for a move that is not legal.
        """
        if self._state is None:
            raise InputError("there is no state to go on from: search first, or look_at a state")
        following = self.game.next_state(self._state, moves)
        joint = tuple(
            1 + len(self.game.fluents) + int(self._code.role_start[r]) + self.game.move_index[r][moves[role]]
            for r, role in enumerate(self.game.roles)
        )
        if self.game.is_terminal(following):
            self._state = None
            return
        row = self.game.batch.row(following)
        turn = int(turns_of(row, self._code.phases)[0])
        for tree in self._trees:
            if not tree.advance(joint):
                tree.plant(row[0], turn)
        self._state = following

    def narrow(self, role: str, moves: Iterable[Term]) -> None:
        """Search only these moves of the role that chooses at the root, until the root moves on.

        Others keep what is known of them, and are neither picked nor called lost.
        """
        r = self.game.roles.index(role)
        first = 1 + len(self.game.fluents) + int(self._code.role_start[r])
        kept = frozenset(first + self.game.move_index[r][move] for move in moves)
        for tree in self._trees:
            tree.narrow(kept)

    def advise(self, role: str, goals: Mapping[Term, float], plays: int) -> None:
        """Let moves of the role that chooses at the root begin as if each had had so many plays with this mean goal."""
        r = self.game.roles.index(role)
        first = 1 + len(self.game.fluents) + int(self._code.role_start[r])
        low, span = self._scale(r)
        means = {
            first + self.game.move_index[r][move]: min(1.0, max(0.0, (goal - low) / span))
            for move, goal in goals.items()
            if span
        }
        for tree in self._trees:
            tree.advise(means, plays)

    def take_apart(self, parts: Sequence[Part]) -> None:
        """Learn by parts what moves come to, and let new nodes begin with that (see ``records``).

        The tree begins anew. Moves that act in several parts, or in none, go by themselves.
        """
        game = self.game
        part_of = np.full(int(self._code.role_start[-1]), -1, np.int32)
        acting = np.zeros_like(part_of)
        masks = np.zeros((len(parts), len(game.fluents)), np.bool_)
        for p, part in enumerate(parts):
            masks[p, list(part.fluent_numbers)] = True
            for r, classes in enumerate(part.move_numbers):
                names = frozenset(part.game.moves[r])
                moves = [m for some in classes for m in some if game.moves[r][some[0]] in names]
                numbers = int(self._code.role_start[r]) + np.array(moves, np.int64)
                part_of[numbers] = p
                acting[numbers] += 1
        part_of[acting > 1] = -1
        self._state = None
        for tree in self._trees:
            tree.take_apart(part_of, pack(masks) & self._code.mask)

    def know(self, known: Known | None) -> None:
        """Ask this about nodes that are visited often: what is known of a state, exactly, is proved in the tree."""
        self._knowledge = None if known is None else Knowledge(known, self._code, self._limits)

    # ---- search ----

    def search(
        self,
        state: State[Any] | Fluents | None = None,
        *,
        seconds: float | None = None,
        deadline: float | None = None,
        visits: int | None = None,
        until: Callable[[], bool] | None = None,
    ) -> Outlook:
        """Search from a state, or on from where the tree stands, and say what is best by then.

        Ends after ``seconds``, at ``deadline`` (of ``ludisect.clock``), when the root has had ``visits``, when
        ``until`` says so (it is asked every few milliseconds), when the outcome is proved, or when ``stop`` is called;
        the first of them. One of the four must be given.
        """
        if seconds is None and deadline is None and visits is None and until is None:
            raise InputError("a search needs an end: seconds, a deadline, a number of visits, or until")
        begin = clock.now()
        if state is not None:
            self.look_at(state)
        if self._state is None:
            raise InputError("there is no state to search: give one")
        ends = [begin + seconds] if seconds is not None else []
        ends += [deadline] if deadline is not None else []
        plays = sum(int(tree.count[f.LANDED]) for tree in self._trees)
        wanted = None if visits is None else -(-visits // len(self._trees))
        self._run(min(ends, default=None), wanted, until)
        made = sum(int(tree.count[f.LANDED]) for tree in self._trees) - plays
        return self._found(made, clock.now() - begin)

    def stop(self) -> None:
        """End the search that is under way in another thread; it says what it has found."""
        self._stopped = True
        for tree in self._trees:
            tree.stop()

    def _run(self, deadline: float | None, visits: int | None, until: Callable[[], bool] | None) -> None:
        self._stopped = False
        for tree in self._trees:
            tree.stop(False)
        if len(self._trees) == 1:
            self._grow(self._trees[0], deadline, visits, until)
            return
        with ThreadPoolExecutor(len(self._trees)) as pool:
            running = [pool.submit(self._grow, tree, deadline, visits, until) for tree in self._trees]
            try:
                for done in running:
                    done.result()
            except BaseException:
                self.stop()
                raise

    def _grow(
        self, tree: LaneTree, deadline: float | None, visits: int | None, until: Callable[[], bool] | None
    ) -> None:
        """Slices of the search, each as long as the clock allows: at first every round is dearer than the last."""
        rounds, cost, since, asking = 1, 0.0, clock.now(), 0.0
        while not self._stopped and tree.outcome < 0:
            if (visits is not None and tree.visits >= visits) or (until is not None and until()):
                return
            before = clock.now()
            if deadline is not None and before + cost / 2 >= deadline:
                return
            tree.run(rounds)
            if self._limits.tree_policy:
                self._keep_learning(tree)
            if self._knowledge is not None and tree is self._trees[0]:  # who knows may be asked by one thread only
                asking = self._knowledge.tell(tree, since, math.inf if deadline is None else deadline, asking)
            cost = (clock.now() - before) / rounds
            room = self._limits.tree_slice
            if deadline is not None:
                room = min(room, (deadline - before) / 2)
            if visits is not None:
                rounds = 1 + (visits - tree.visits) // (2 * self._limits.tree_leaves)
            else:
                rounds = min(2 * rounds, 1 << 16)
            rounds = max(1, min(rounds, int(room / cost) if cost > 0 else rounds))
        if tree.outcome >= 0:
            for other in self._trees:
                other.stop()

    def _keep_learning(self, tree: LaneTree) -> None:
        limits = self._limits
        if tree.visits >= max(limits.tree_policy_at, 2 * tree.learnt_at):
            tree.learnt_at = tree.visits
            tree.learn(limits.tree_policy_visits)

    # ---- what was found ----

    def _found(self, plays: int, seconds: float) -> Outlook:
        assert self._state is not None
        legal = self.game.legal_moves(self._state)
        moves: dict[str, Term] = {role: some[0] for role, some in legal.items()}
        worth: dict[str, tuple[MoveWorth, ...]] = dict.fromkeys(self.game.roles, ())
        goals: dict[str, float] = dict.fromkeys(self.game.roles, float("nan"))
        roots = [tree.root_moves() for tree in self._trees]
        together = len(roots[0]) > 1
        outcome = max(tree.outcome for tree in self._trees)
        for r in roots[0]:
            role = self.game.roles[r]
            some = self._added([root[r] for root in roots], r, together=together)
            worth[role] = some
            moves[role] = self._pick(some) if together else some[0].move
            goals[role] = sum(one.share * one.goal for one in some if one.share)
        shared = self._shared_sum()
        if shared is not None and len(roots[0]) == 1:
            (r,) = roots[0]
            goals[self.game.roles[1 - r]] = shared - goals[self.game.roles[r]]
        if outcome >= 0:
            goals = dict(zip(self.game.roles, map(float, self._code.goals_of(outcome)), strict=True))
        return Outlook(
            moves=ByRole(moves),
            worth=ByRole(worth),
            goals=ByRole(goals),
            proved=outcome >= 0 and self._sound(),
            visits=sum(tree.visits for tree in self._trees),
            plays=plays,
            nodes=sum(int(tree.count[f.NODES]) for tree in self._trees),
            seconds=seconds,
        )

    def replies(self) -> dict[Term, tuple[tuple[Term, float], ...]]:
        """Per move of the root that has been looked behind, the replies with their visits, the most visited first."""
        names = [move for moves in self.game.moves for move in moves]
        first = 1 + len(self.game.fluents)
        return {
            names[move - first]: tuple(
                (names[reply - first], visits) for reply, visits in sorted(some, key=lambda one: -one[1])
            )
            for move, some in self._trees[0].replies().items()
        }

    def _shared_sum(self) -> int | None:
        """What two roles share in every end that was proved; None if that differs, or nothing was proved."""
        totals = {int(tree.count[f.TOTAL]) - 1 for tree in self._trees if tree.count[f.TOTAL]}
        uneven = len(self.game.roles) != 2 or any(tree.count[f.UNEVEN] for tree in self._trees)
        return None if uneven or len(totals) != 1 else totals.pop()

    def _sound(self) -> bool:
        """Whether proofs are of perfect play: what a role leaves to others must not depend on how it breaks ties."""
        return len(self.game.roles) == 1 or (
            len(self.game.roles) == 2 and not any(tree.count[f.UNEVEN] for tree in self._trees)
        )

    def _added(self, lists: list[list[Any]], r: int, *, together: bool) -> tuple[MoveWorth, ...]:
        """The moves of a role over all trees, the best first."""
        low, span = self._scale(r)
        out = []
        for same in zip(*lists, strict=True):
            visits, total = sum(one.visits for one in same), sum(one.total for one in same)
            outcome = max(one.outcome for one in same)
            proved = outcome >= 0
            mean = low + span * total / visits if visits else float("nan")
            out.append(
                MoveWorth(
                    move=self.game.moves[r][same[0].move],
                    visits=round(visits),
                    goal=float(self._code.goals_of(outcome)[r]) if proved else mean,
                    share=sum(one.average for one in same) / len(same) if together else 0.0,
                    proved=proved,
                )
            )
        if together:
            return tuple(sorted(out, key=lambda one: -one.share))
        return _ranked(out)

    def _scale(self, r: int) -> tuple[int, int]:
        """The lowest goal of a role, and how far the highest is above it."""
        values = self._code.values[r]
        return values[0], values[-1] - values[0]

    def _pick(self, some: tuple[MoveWorth, ...]) -> Term:
        shares = np.array([one.share for one in some])
        shares[shares < shares.max() / 20] = 0.0  # what is drawn so rarely is drawn to explore
        return some[int(self._random.choice(len(some), p=shares / shares.sum()))].move


def _ranked(moves: list[MoveWorth]) -> tuple[MoveWorth, ...]:
    """Moves of the one who chooses, the best first and with all the share.

    Of moves that are not proved the most visited is the best; a proved one is better if it gives as much for sure.
    """
    open_ = sorted((one for one in moves if not one.proved), key=lambda one: -one.visits)
    # of equal ends the one that took longest to see: it asks most of an opponent who does not see it
    proved = sorted((one for one in moves if one.proved), key=lambda one: (-one.goal, -one.visits))
    order = [*open_, *proved]
    if proved and (not open_ or not open_[0].goal > proved[0].goal):
        order = [proved[0], *open_, *proved[1:]]
    return (replace(order[0], share=1.0), *order[1:])


__all__ = ["MoveWorth", "Outlook", "TreeSearch", "ready"]
