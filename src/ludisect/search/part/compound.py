"""A compound game as plain graphs: each part's moves, who moves when, what the concepts mean together.

This is what the searches of the papers need to know of a game, and no more. A part is a graph whose states are
numbered; every role has its moves in every state, whether or not it is its turn. Goal and end of the whole read a part
only through the *concept* of its state (the values of its local concepts, numbered), so that a small table says what
every combination of concepts is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

Options = tuple[tuple[int, int], ...]
"""Moves of one role in one state: (label, state that it leads to)."""

WAIT = -1
"""The label of doing nothing; which move of the game does nothing may differ from position to position."""

States = tuple[int, ...]
"""A state per part."""


@dataclass(frozen=True, eq=False)
class PartGraph:
    """The graph of one part: ``moves[role][state]`` are the role's moves there, ``concept[state]`` what it stands for.

    A label tells moves of one role in one state apart; where the part was read from a game, it is the global move.
    """

    moves: tuple[tuple[Options, ...], ...]
    concept: tuple[int, ...]
    start: int = 0

    @property
    def size(self) -> int:
        """Number of states."""
        return len(self.concept)

    @cached_property
    def concepts(self) -> int:
        """Number of concepts."""
        return max(self.concept) + 1

    @cached_property
    def height(self) -> tuple[int, ...] | None:
        """Per state the number of moves in the longest play from it; None if plays can go on for ever."""
        out: list[int | None] = [None] * self.size
        busy = [False] * self.size
        below = [sorted({t for of_role in self.moves for _, t in of_role[s]}) for s in range(self.size)]
        for root in range(self.size):
            stack = [root]
            while stack:
                s = stack[-1]
                if out[s] is not None:
                    stack.pop()
                    continue
                open_ = [t for t in below[s] if out[t] is None]
                if not open_:
                    out[s] = 1 + max((out[t] or 0 for t in below[s]), default=-1)
                    stack.pop()
                    continue
                if busy[s]:  # all states below were put on the stack, and one of them is still open: a circle
                    return None
                busy[s] = True
                stack.extend(open_)
        return tuple(h for h in out if h is not None)

    def begun_at(self, state: int) -> PartGraph:
        """The same graph with another start: its heights are known."""
        out = replace(self, start=state)
        vars(out)["height"] = self.height
        return out


@dataclass(frozen=True, eq=False)
class Compound:
    """Parts, a context that runs by itself, and the table that judges them together.

    ``mover[c]`` is the role that moves in context c, ``follow[c]`` the context after that. ``over`` and ``goal`` are
    indexed by context and the concept of every part; ``goal`` has one more axis, the roles. A role that cannot move in
    any part passes; one that can has to move.

    Where one player may do nothing although it could move, this is the move of a part of its own, the last one, which
    has one state: ``waiting_part``. ``rest``, indexed as ``over``, then says where that move may be made.
    """

    parts: tuple[PartGraph, ...]
    mover: tuple[int, ...]
    follow: tuple[int, ...]
    over: NDArray[np.bool_]
    goal: NDArray[np.int32]
    roles: int
    context: int = 0
    rest: NDArray[np.bool_] | None = None

    @property
    def start(self) -> States:
        """The state of every part at the start."""
        return tuple(p.start for p in self.parts)

    @property
    def positions(self) -> int:
        """An upper bound on the positions of the whole."""
        return len(self.mover) * prod(p.size for p in self.parts)

    def key(self, states: States, context: int) -> tuple[int, ...]:
        """Where ``over`` and ``goal`` keep a position."""
        return (context, *(p.concept[s] for p, s in zip(self.parts, states, strict=True)))

    @cached_property
    def constant_sum(self) -> int | None:
        """What the goals of two roles add up to wherever the play can end; None if that differs, or without two."""
        if self.roles != 2:
            return None
        sums = self.goal.sum(axis=-1)[self.over]
        return int(sums[0]) if sums.size and bool((sums == sums[0]).all()) else None

    @cached_property
    def able(self) -> tuple[NDArray[np.bool_], ...]:
        """Per part, roles x concepts: whether a role can move in the states of a concept (in all of them or none)."""
        out = []
        for i, part in enumerate(self.parts):
            able = np.zeros((self.roles, self.over.shape[1 + i]), np.bool_)
            for r, of_role in enumerate(part.moves):
                able[r, [c for c, options in zip(part.concept, of_role, strict=True) if options]] = True
            out.append(able)
        return tuple(out)

    @cached_property
    def idle(self) -> NDArray[np.bool_]:
        """Like ``over``: whether no role can move in any part."""
        out = np.ones(self.over.shape, np.bool_)
        for i, able in enumerate(self.able):
            shape = [1] * out.ndim
            shape[1 + i] = able.shape[1]
            out &= ~able.any(axis=0).reshape(shape)
        return out

    @cached_property
    def ends(self) -> frozenset[tuple[int, int]] | None:
        """What the one of two roles that is to move gets at an end, and the other one, of all ends.

        None if the play does not end exactly when nobody can move.
        """
        shown = np.ix_(range(len(self.mover)), *(sorted(set(part.concept)) for part in self.parts))
        over, goal = self.over[shown], self.goal[shown]
        if not np.array_equal(self.idle[shown], over):
            return None
        found: set[tuple[int, int]] = set()
        for context, mover in enumerate(self.mover):
            rows = np.unique(goal[context][over[context]], axis=0).tolist()
            found |= {(a, b) if mover == 0 else (b, a) for a, b in rows}
        return frozenset(found)

    def begun_at(self, states: States, context: int) -> Compound:
        """The same compound at another start: what its tables say of the whole is not worked out anew."""
        parts = tuple(part.begun_at(s) for part, s in zip(self.parts, states, strict=True))
        out = replace(self, parts=parts, context=context)
        known = ("constant_sum", "able", "idle", "ends") if self.roles == 2 else ("able", "idle")
        vars(out).update({name: getattr(self, name) for name in known})
        return out

    def goals_at_end(self, key: tuple[int, ...]) -> tuple[int, ...] | None:
        """The goals if the play is over at a key of the tables, at once or after passes that nobody can avoid."""
        for _ in range(1 + len(self.mover)):
            if self.over[key]:
                return tuple(self.goal[key].tolist())
            if not self.idle[key]:
                break
            key = (self.follow[key[0]], *key[1:])
        return None


def waiting_part() -> PartGraph:
    """The part that stands for doing nothing: time passes, and all else stays."""
    return PartGraph(((((WAIT, 0),),),), (0,))


class PartOrder:
    """How the concepts of one part compare for role 0, whatever the other parts and the context show.

    ``below[a, b]``: wherever the whole is judged, a and b end the play alike, and b is worth at least as much as a to
    role 0 where they do. ``may_end[a]``: some combination with a ends the play; ``must_end[a]``: every one does.
    Concepts that are equal both ways are one: ``canonical[a]`` is the least of them.
    """

    def __init__(self, compound: Compound, part: int) -> None:
        axis = 1 + part
        over = np.moveaxis(compound.over, axis, 0).reshape(compound.over.shape[axis], -1)
        goal = np.moveaxis(compound.goal[..., 0], axis, 0).reshape(over.shape)
        k = over.shape[0]
        self.below = np.zeros((k, k), np.bool_)
        for a in range(k):
            alike = (over == over[a]).all(axis=1)
            better = ((goal >= goal[a]) | ~over[a]).all(axis=1)
            self.below[a] = alike & better
        self.may_end: list[bool] = np.asarray(over.any(axis=1)).tolist()
        self.must_end: list[bool] = np.asarray(over.all(axis=1)).tolist()
        self.canonical: list[int] = np.argmax(self.below & self.below.T, axis=1).tolist()

    def at_least(self, role: int, worse: int, better: int) -> bool:
        """Whether ``better`` is as good as ``worse`` for a role, in a game of two roles with opposite goals."""
        return bool(self.below[worse, better] if role == 0 else self.below[better, worse])


def table(shape: Sequence[int]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Empty tables ``over`` and ``goal`` of a shape (contexts, concepts per part, roles)."""
    return np.zeros(tuple(shape[:-1]), np.bool_), np.zeros(tuple(shape), np.int32)
