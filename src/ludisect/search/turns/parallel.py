"""Parallel games (Zhao 2009, §6.1.2): every turn moves in all parts at once, so each is a game of its own.

Each part is solved alone, with its own turn taking. That is enough where (1) the play is over when all parts are done,
and a part that is done stays as it is, or after a fixed time; (2) of any two final concepts of a part one is at least
as good for a role whatever the others show; and (3) two roles have opposite goals, or each role moves only in parts
that nobody else's goal reads. Both sides can then guarantee the value of every part at the same time, by playing each
as if it were alone, so that the whole is worth what these values are worth together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer, PartAnswer
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import pack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl.terms import Term
from ludisect.ruleofplay import MAX_N, MINIMAX, OPTIMUM
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.part.concepts import concepts
from ludisect.search.part.shape import part_answer, refuted
from ludisect.search.part.verdicts import Combinations, constant_bits, judge, refuse_many, times_of
from ludisect.search.part.views import PASS, LocalGraph, Views
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "parallel"

NOBODY = -1

START = 0
"""The time at which a play begins."""


@dataclass(frozen=True, slots=True)
class LocalEdge:
    """A local move: who acts (NOBODY if nothing happens by a role), its class, and where it leads."""

    role: int
    move: int
    to: int


class Together:
    """What the concepts of the parts mean together, and how they compare within each part."""

    def __init__(self, views: Views) -> None:
        self.views = views
        self.concept = [views.concept_values(i) for i in range(len(views.parts.dependent))]
        self.idle = views.nowhere
        self.times = times = times_of(views, views.game.circuit.legal[self.idle].tolist())
        self.follow, self.colour, self.number = times.follow, times.colour, times.number
        judgement = judge(views, self.concept, times)
        self.over, self.goal = judgement.over, judgement.goal
        self.by_time = np.asarray(self.over.reshape(self.over.shape[0], -1).all(axis=1))
        self.done = self._done()

    def _done(self) -> list[NDArray[np.bool_]]:
        """Per part and concept whether it is done; the play ends when all are, or when the time is over."""
        open_ = self.over[~self.by_time]
        out = []
        rebuilt = np.ones(open_.shape, np.bool_)
        for i in range(len(self.concept)):
            done = np.asarray(np.moveaxis(open_, 1 + i, 0).reshape(open_.shape[1 + i], -1).any(axis=1))
            rebuilt &= done.reshape(*[1] * (1 + i), -1, *[1] * (open_.ndim - 2 - i))
            out.append(done)
        if not np.array_equal(rebuilt, open_):
            raise Inapplicable("the play does not end when all parts are done, nor at a fixed time")
        return out

    def rank(self, i: int, role: int) -> list[int]:
        """Per concept of part i how good it is for a role; equal numbers are worth the same with whatever else."""
        over = np.moveaxis(self.over, 1 + i, 0).reshape(self.over.shape[1 + i], -1)
        goal = np.moveaxis(self.goal[..., role], 1 + i, 0).reshape(over.shape)
        n = over.shape[0]
        wins = np.zeros(n, np.int64)
        for a in range(n):
            for b in range(n):
                both = over[a] & over[b]
                if bool((goal[a, both] > goal[b, both]).any()):
                    if bool((goal[a, both] < goal[b, both]).any()):
                        raise Inapplicable(
                            f"which of two results in part {self.views.parts.dependent[i].id} is better depends on the"
                            " other parts"
                        )
                    wins[a] += 1
        return wins.tolist()

    def reads(self, role: int) -> list[bool]:
        """Per part whether a role's goal depends on it."""
        goal, over = self.goal[..., role], self.over
        out = []
        for i in range(len(self.concept)):
            first = np.take(goal, [0], axis=1 + i)
            alike = np.take(over, [0], axis=1 + i) & over
            out.append(bool(((goal != first) & alike).any()))
        return out


class Alone:
    """One part as a game of its own: the rank of the result in best play."""

    def __init__(self, graph: LocalGraph, together: Together, i: int, rank: list[int], owner: int | None) -> None:
        self.graph, self.together, self.i, self.owner = graph, together, i, owner
        self.concept: list[int] = together.concept[i].tolist()
        self.rank = rank
        self._settings = {s.context: k for k, s in enumerate(graph.settings)}
        self._known: dict[tuple[int, int], int] = {}
        self._busy: set[tuple[int, int]] = set()

    def edges(self, state: int, context: int) -> list[LocalEdge]:
        """What can happen in the part at a time."""
        graph = self.graph
        some = graph.edges_of(state, self._settings[self.together.colour[context]])
        out: dict[LocalEdge, None] = {}
        for moves, to in zip(graph.move[some].tolist(), graph.successor[some].tolist(), strict=True):
            acting = [r for r, move in enumerate(moves) if move != PASS]
            if len(acting) > 1:
                raise Inapplicable(f"in part {graph.part.id} two roles move at once")
            role = acting[0] if acting else NOBODY
            out[LocalEdge(role, moves[role] if acting else PASS, to)] = None
        if len({edge.role for edge in out}) > 1:
            raise Inapplicable(f"in part {graph.part.id} a role can choose not to move")
        return list(out)

    def settle_by_time(self) -> None:
        """Work out all results at the first two times at once, backwards from a time at which the play is over.

        Does nothing if no such time comes. Ranks stand in for concepts, of which equal ones are worth the same.
        """
        times = [START]
        while not self.together.by_time[times[-1]]:
            times.append(self.together.follow[times[-1]])
            if times[-1] in times[:-1]:
                return
        concept = np.array(self.concept)
        rank = np.array(self.rank)[concept]
        done = self.together.done[self.i][concept]
        reached = [np.arange(concept.size) == 0]
        for context in times[:-1]:
            source, edges = self._edges(context)
            following = np.zeros(concept.size, np.bool_)
            following[self.graph.successor[edges[(reached[-1] & ~done)[source]]]] = True
            following |= reached[-1] & done
            reached.append(following)
        value = rank
        for context, here in zip(times[-2::-1], reached[-2::-1], strict=True):
            value = np.where(done, rank, self._step_back(context, value, here, done))
            if context in times[:2]:
                shown = dict(zip(rank.tolist(), self.concept, strict=True))
                self._known |= {(s, context): shown[int(value[s])] for s in np.flatnonzero(here).tolist()}

    def steps(self, context: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(source, target) of all that can happen in the part at a time."""
        source, edges = self._edges(context)
        return source, self.graph.successor[edges]

    def able(self, role: int, context: int) -> NDArray[np.bool_]:
        """Per state: whether a role can act at a time."""
        source, edges = self._edges(context)
        out = np.zeros(self.graph.positions, np.bool_)
        out[source[self.graph.move[edges, role] != PASS]] = True
        return out

    def _edges(self, context: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(source, number) of the edges at a time."""
        return self.graph.edges_under(self._settings[self.together.colour[context]])

    def _step_back(
        self,
        context: int,
        value: NDArray[np.int64],
        reached: NDArray[np.bool_],
        done: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """The best rank after one more turn, for every state that can be reached by then."""
        graph = self.graph
        n = graph.positions
        source, edges = self._edges(context)
        kept = reached[source]
        source, edges = source[kept], edges[kept]
        acting = graph.move[edges] != PASS
        anybody = np.asarray(acting.any(axis=1))
        successor = graph.successor[edges]
        moving, resting, against = (np.zeros(n, np.bool_) for _ in range(3))
        moving[source[anybody]] = True
        resting[source[~anybody]] = True
        if bool((acting.sum(axis=1) > 1).any()):
            raise Inapplicable(f"in part {graph.part.id} two roles move at once")
        if bool((reached & done & self._restless[context]).any()):
            raise Inapplicable(f"part {graph.part.id} goes on changing when it is done")
        if bool((reached & ~done & ~moving & ~resting).any()):
            raise Inapplicable(f"part {graph.part.id} can stop before it is done")
        if bool((moving & resting & ~done).any()):
            raise Inapplicable(f"in part {graph.part.id} a role can choose not to move")
        if self.owner is None and graph.move.shape[1] > 1:
            against[source[acting[:, 1]]] = True
        high = np.full(n, np.iinfo(np.int64).min)
        low = np.full(n, np.iinfo(np.int64).max)
        np.maximum.at(high, source, value[successor])
        np.minimum.at(low, source, value[successor])
        return np.where(against, low, high)

    def result(self, state: int, context: int) -> int:
        """A concept at the end of best play from here."""
        key = (state, context)
        if key in self._known:
            return self._known[key]
        here = self.concept[state]
        if bool(self.together.by_time[context]):
            return here
        if bool(self.together.done[self.i][here]):
            if bool(self._restless[context, state]):
                raise Inapplicable(f"part {self.graph.part.id} goes on changing when it is done")
            return here
        edges = self.edges(state, context)
        if not edges or key in self._busy:
            raise Inapplicable(f"part {self.graph.part.id} can stop before it is done, or go round in circles")
        self._busy.add(key)
        results = [self.result(e.to, self.together.follow[context]) for e in edges]
        self._busy.discard(key)
        out = self.pick(edges[0].role, results)
        self._known[key] = out
        return out

    def pick(self, role: int, results: list[int]) -> int:
        """What the acting role chooses."""
        helps = role in (NOBODY, 0) if self.owner is None else True
        return (max if helps else min)(results, key=self.rank.__getitem__)

    @cached_property
    def _restless(self) -> NDArray[np.bool_]:
        """Times x states: whether a part that is done can show something else after a move, or after any number.

        What the play can still do once a part is done is up to the others, so all of it counts.
        """
        together, concept = self.together, np.array(self.concept)
        done = together.done[self.i][concept]
        out = np.zeros((len(together.follow), concept.size), np.bool_)
        going = [c for c in range(len(together.follow)) if not together.by_time[c]]
        steps = {}
        for context in going:
            if together.colour[context] not in steps:
                source, to = self.steps(context)
                steps[together.colour[context]] = source[done[source]], to[done[source]]
        changed = True
        while changed:
            before = int(out.sum())
            for context in reversed(going):
                source, to = steps[together.colour[context]]
                out[context, source[(concept[to] != concept[source]) | out[together.follow[context], to]]] = True
            changed = int(out.sum()) > before
        return out

    @property
    def positions(self) -> int:
        """Positions whose results were worked out."""
        return len(self._known)


def applies(parts: Decomposition) -> str | None:
    """Parallel games are those whose moves act in all parts at once."""
    if not parts.in_step or len(parts.dependent) < 2 or len(parts.game.roles) > 2:
        return None
    if refuted(parts):
        return None
    return f"every turn moves in all {len(parts.dependent)} parts, so each can be played as if it were alone"


def solve_parallel(study: Study, budget: Budget) -> Answer:
    """The value of a parallel game from its parts, each solved alone.

    Raises Inapplicable if the parts bear on each other more than this allows.
    """
    begin = clock.now()
    parts, game, views = study.parts, study.game, study.views(budget)
    together = Together(views)
    owners = _owners(views, together)
    alone = []
    for i in range(len(parts.dependent)):
        owner = owners[i] if owners is not None else None
        rank = together.rank(i, 0 if owner is None else owner)
        alone.append(Alone(views.graph(i), together, i, rank, owner))
    try:
        for part in alone:
            part.settle_by_time()
        results = [part.result(0, START) for part in alone]
        _refuse_stops(together, alone)
    except RecursionError:
        raise Inapplicable("parts are too long for this search") from None
    goals = _goals(together, results)
    certain, rests_on = grounds(parts)
    move = {} if together.over[(START, *(c[0] for c in together.concept))] else _moves(views, together, alone)
    told_parts = [_told(parts, together, part, results[i]) for i, part in enumerate(alone)]
    told = ", ".join(f"{role} {g:g}" for role, g in zip(game.roles, goals, strict=True))
    why = [f"every part can be played as well as if it were alone, and together they give {told}"]
    why += [f"{role} plays {chosen}, a best move in every part at once" for role, chosen in move.items()]
    answer = Answer(
        game.name, NAME, certain, dict(zip(game.roles, goals, strict=True)), move,
        nodes=sum(part.positions for part in alone), seconds=clock.now() - begin, parts=tuple(told_parts),
        conclusion=tuple(why), rule=MINIMAX if owners is None else OPTIMUM if len(game.roles) == 1 else MAX_N,
        evidence=rests_on, notes=() if certain else (rests_on,),
    )  # fmt: skip
    return foreseen(game, answer, KnownResults(views, together, alone, apart=owners is not None))


class KnownResults(KnownParts):
    """What parts that are played at once are worth together, each in a state of its own."""

    def __init__(self, views: Views, together: Together, alone: list[Alone], *, apart: bool) -> None:
        super().__init__(views, together.number)
        self._together, self._alone, self.apart = together, alone, apart
        self._paid: dict[tuple[int, ...], list[float]] = {}

    def worth(self, states: tuple[int, ...], time: int) -> list[float]:
        """See ``KnownParts``."""
        results = tuple(part.result(s, time) for part, s in zip(self._alone, states, strict=True))
        if results not in self._paid:
            self._paid[results] = _goals(self._together, results)
        return self._paid[results]


def _refuse_stops(together: Together, alone: list[Alone]) -> None:
    """Raise Inapplicable if a part that is done leaves no move while another is not, or a role may be without any move
    while the play goes on: it stops there, and nobody gets anything."""
    done = [together.done[part.i][np.array(part.concept)] for part in alone]
    reached = [np.arange(d.size) == 0 for d in done]
    context = START
    while not together.by_time[context] and any(bool((r & ~d).any()) for r, d in zip(reached, done, strict=True)):
        for role in range(len(together.views.game.roles)):
            _refuse_stuck(
                together, [r & ~p.able(role, context) for r, p in zip(reached, alone, strict=True)], role, context
            )
        following = []
        for i, part in enumerate(alone):
            source, to = part.steps(context)
            moves = np.zeros(done[i].size, np.bool_)
            moves[source] = True
            others = any(bool((r & ~d).any()) for j, (r, d) in enumerate(zip(reached, done, strict=True)) if j != i)
            if others and bool((reached[i] & ~moves).any()):
                raise Inapplicable(f"part {part.graph.part.id} leaves no move when it is done")
            after = np.zeros(done[i].size, np.bool_)
            after[to[reached[i][source]]] = True
            following.append(after)
        reached, context = following, together.follow[context]


def _refuse_stuck(together: Together, without: list[NDArray[np.bool_]], role: int, context: int) -> None:
    """Raise Inapplicable if a role has no legal move at a time, each part in one of the states ``without`` a move."""
    views, game = together.views, together.views.game
    low, high = game.batch.first_move[role : role + 2].tolist()
    idle = together.idle[(together.idle >= low) & (together.idle < high)]
    asked = concepts(views.parts, [int(game.circuit.terminal), *game.circuit.legal[idle].tolist()])
    rows = []
    for i, states in enumerate(map(np.flatnonzero, without)):
        kinds = pack(views.answers(i, asked[i])[states])
        rows.append(views.graph(i).states[states[unique_rows(kinds)[0]]])
    time = views.context.rows[together.times.example[[context]]] | constant_bits(views.parts)
    for _, _, whole in refuse_many(Combinations(time, *rows)).batches():
        if bool((~game.batch.terminal(whole) & ~game.batch.legal(whole)[:, idle].any(axis=1)).any()):
            raise Inapplicable(f"{game.roles[role]} may be without a move in any part while the play goes on")


def _owners(views: Views, together: Together) -> list[int] | None:
    """Per part the only role that acts there, if the goals allow to look at each alone; None for opposite goals."""
    roles = len(views.game.roles)
    if roles == 1:
        return [0] * len(views.parts.dependent)
    sums = together.goal.sum(axis=-1)[together.over]
    if sums.size and bool((sums == sums[0]).all()):
        return None
    owners = []
    for i in range(len(views.parts.dependent)):
        acting = np.flatnonzero((views.graph(i).move != PASS).any(axis=0)).tolist()
        if len(acting) > 1 or any(together.reads(r)[i] for r in range(roles) if r not in acting):
            raise Inapplicable("the goals are neither opposite nor each about parts of one role alone")
        owners.append(acting[0] if acting else 0)
    return owners


def _goals(together: Together, results: Sequence[int]) -> list[float]:
    found = {
        tuple(together.goal[(c, *results)].tolist())
        for c in range(len(together.follow))
        if together.over[(c, *results)]
    }
    if len(found) != 1:
        raise Inapplicable("the goals depend on when the play ends")
    return [float(g) for g in found.pop()]


def _told(parts: Decomposition, together: Together, part: Alone, result: int) -> PartAnswer:
    """What best play in a part is worth."""
    roles = parts.game.roles
    role = part.owner or 0
    over = np.take(together.over, result, axis=1 + part.i)
    goal = np.take(together.goal[..., role], result, axis=1 + part.i)[over]
    low, high = int(goal.min()), int(goal.max())
    worth = f"{low}" if low == high else f"{low} to {high}, as the other parts turn out"
    why = f"with best play of both leaves {roles[0]} {worth}"
    if part.owner is not None:
        why = f"is up to {roles[role]} alone, who gets {worth}"
    return part_answer(parts, part.i, why, low if low == high else (low, high), kind="goal")


def _moves(views: Views, together: Together, alone: list[Alone]) -> dict[str, Term]:
    """Per role a global move that does a best local move in every part in which the role acts."""
    game = views.game
    wanted: dict[int, dict[int, set[int]]] = {}
    after = together.follow[START]
    for i, part in enumerate(alone):
        edges = part.edges(0, START)
        role = edges[0].role if edges else NOBODY
        if role == NOBODY:
            continue
        best = part.rank[part.result(0, START)]
        if not bool(together.done[i][part.concept[0]]):
            edges = [e for e in edges if part.rank[part.result(e.to, after)] == best]
        wanted.setdefault(role, {})[i] = {e.move for e in edges}
    legal = game.batch.legal(game.batch.initial)[0]
    out = {}
    for role, by_part in wanted.items():
        low, high = int(game.batch.first_move[role]), int(game.batch.first_move[role + 1])
        classes = {i: views.class_of(i)[low:high] for i in by_part}
        found = next(
            (
                m
                for choice in product(*by_part.values())
                for m in range(high - low)
                if legal[low + m] and all(classes[i][m] == c for i, c in zip(by_part, choice, strict=True))
            ),
            None,
        )
        if found is None:
            raise Inapplicable("best local moves cannot be made at the same time")
        out[game.roles[role]] = game.moves[role][found]
    return out


WAY = Way(NAME, "parts in which every turn moves at once, each solved as a game of its own", applies, solve_parallel)
