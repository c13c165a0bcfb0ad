"""The product of quotients: positions as a class per part and a time, up to exchange of like parts.

Positions are expanded in one of two ways. *By tables*, where one role acts at a time and each of its moves touches one
part: the classes' own successors say all, and the circuit is not asked again. *By members* otherwise: a state of the
whole game is put together from members of the classes, the circuit says what follows, and the successors' parts are
looked up in the local graphs.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows, any_column
from ludisect.circuit.rowtable import RowTable
from ludisect.errors import BudgetExceeded
from ludisect.progress import report
from ludisect.search.additive.pointorder import canonical, is_scoring
from ludisect.search.limits import SearchLimits
from ludisect.search.part.concepts import fluents_read
from ludisect.search.part.passing import ALWAYS, FORCED, NEVER, idle_moves, passes
from ludisect.search.part.verdicts import Evaluation, Times, outcomes
from ludisect.search.part.views import PASS, Views
from ludisect.search.quotient.classes import Quotient, quotient
from ludisect.search.quotient.classgraph import ClassGraph, class_graph, reduce
from ludisect.search.quotient.packed import Layout, distinct_edges, sort_groups, successors
from ludisect.search.quotient.pairing import Assembly, put_together, trimmed
from ludisect.search.way import Inapplicable
from ludisect.search.whole.positions import NOBODY, SEVERAL, Graph, movers
from ludisect.search.whole.statespace import EDGES_AT_ONCE, STATES_AT_ONCE, first_batches, legal_joint

Ints = NDArray[np.int64]
Piece = tuple[Ints, NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]
"""Of some positions: number of edges, successors, joint moves (none where one role acts at a time), movers."""


@dataclass(frozen=True, eq=False)
class Product:
    """The reachable positions of the product by number, and their graph; ``number`` finds any state of the game."""

    explorer: Explorer = field(repr=False)
    graph: Graph
    table: RowTable = field(repr=False)

    @property
    def quotient(self) -> Quotient:
        """The classes of the parts."""
        return self.explorer.q

    @property
    def assembly(self) -> Assembly | None:
        """The parts as they were searched, where tables describe them."""
        return self.explorer.assembly

    def number(self, states: Rows, times: Ints) -> NDArray[np.int32]:
        """The positions of whole states at given times; -1 where a state was not reached (or is not worth reaching)."""
        return self.number_of(classes_of(self.quotient, states), times)

    def number_of(self, classes: Ints, times: Ints) -> NDArray[np.int32]:
        """The same for states of which the classes are known."""
        fields = _with_times(self.assembly, classes, self.explorer.time_of[times])
        known = ~any_column(fields < 0)
        out = np.full(classes.shape[0], -1, np.int32)
        sort_groups(fields, self.explorer.before)
        out[known] = self.table.find(self.explorer.layout.pack(fields[known]))
        return out


def classes_of(q: Quotient, states: Rows) -> Ints:
    """The class of every part; -1 where its graph lacks the state."""
    classes = np.empty((states.shape[0], len(q.class_of)), np.int64)
    for i, of_part in enumerate(q.class_of):
        local = q.views.graph(i).table.find(states & q.views.mask(i))
        classes[:, i] = np.where(local >= 0, of_part[np.maximum(local, 0)], -1)
    return classes


def fields_of(q: Quotient, assembly: Assembly | None, states: Rows, times: Ints) -> Ints:
    """The class of every part, or of parts put together (-1 where a graph lacks the state), and the time."""
    return _with_times(assembly, classes_of(q, states), times)


def _with_times(assembly: Assembly | None, classes: Ints, times: Ints) -> Ints:
    return np.concatenate([classes if assembly is None else assembly.fields(classes), times[:, None]], axis=1)


def rests_hang_on_parts(views: Views) -> bool:
    """Whether a move that leaves all parts alone is legal or not as a part stands."""
    dependent = {f for s in views.parts.dependent for f in s.fluent_numbers}
    return not dependent.isdisjoint(fluents_read(views.game.circuit, views.game.circuit.legal[views.nowhere]))


def _links(groups: tuple[tuple[int, ...], ...], k: int) -> Ints:
    out = np.full(k, -1, np.int64)
    for group in groups:
        for a, b in pairwise(group):
            out[b] = a
    return out


class Explorer:
    """Explores the product of a quotient from the start of the game.

    By tables where they describe the game, unless that is not wanted; ``reduced`` drops dominated moves and puts parts
    together where the product would have more than ``few`` positions.
    """

    def __init__(self, q: Quotient, *, by_tables: bool = True, reduced: bool = True, few: int | None = None) -> None:
        self.q, self.views, self._few = q, q.views, few
        game, parts = q.views.game, q.views.parts
        self.k = len(q.class_of)
        circuit = game.circuit
        ruled = [f for s in parts.dependent for f in s.fluent_numbers]
        nets = [*circuit.legal.tolist(), *circuit.next[ruled].tolist(), int(circuit.terminal), *circuit.goal.tolist()]
        read = sorted(set(fluents_read(circuit, nets)) & set(parts.context_numbers))
        colour, _ = q.views.context.projected(read)
        self.time_of, self.following, self.first = q.views.context.minimal(colour)
        self.colour = q.views.colour[self.first]
        everything = np.zeros(game.batch.initial.shape[1], np.uint64)
        for i in range(self.k):
            everything |= q.views.mask(i)
        self.times = np.array([q.views.time_row(int(t)) & ~everything for t in self.first])
        self.idle = self._idle()
        if self.idle is None and rests_hang_on_parts(q.views):
            self.q = q = quotient(q.views, rests=True)
        self._tables = class_graph(q) if self.idle is not None and by_tables else None
        self._lean: ClassGraph | None = None
        if self._tables is not None and reduced and q.evaluation.table is not None and not self._stuck(self._tables):
            self._lean = self._reduced(self._tables, q.evaluation)
        self._begin(game.batch.initial, 0)

    def _begin(self, state: Rows, time: int) -> None:
        """What hangs on the state to begin with, and its time."""
        q, tables = self.q, self._tables
        self.start = state, self.time_of[[time]]
        self.assembly = None
        if tables is not None:
            classes = fields_of(q, None, *self.start)[0, :-1]
            self.assembly = Assembly(tables, q.evaluation, tuple(classes.tolist()))
        if self.assembly is not None and self._lean is not None:
            self.assembly = trimmed(self.assembly, self._lean)
            self.assembly = put_together(self.assembly, self._reduced, self.first.size, q.views.budget, few=self._few)
        self.evaluation = q.evaluation if self.assembly is None else self.assembly.evaluation
        self.k = len(q.class_of) if self.assembly is None else self.assembly.parts
        self.layout = Layout.of([*([q.classes if tables is None else self.graph.classes] * self.k), self.first.size])
        # tables know nothing of parts, so parts need not begin alike to be exchanged
        self.before = _links(q.groups if self.assembly is None else self.evaluation.groups, self.k)

    def begun(self, state: Rows, time: int) -> Explorer:
        """The same from another state of the game, at a time."""
        out = copy(self)
        out._begin(state, time)
        return out

    @property
    def graph(self) -> ClassGraph:
        """The classes, where tables describe the game."""
        assert self.assembly is not None
        return self.assembly.graph

    # ---- by tables ----

    def is_scoring(self, graph: ClassGraph, evaluation: Evaluation) -> bool:
        """Whether classes with such values are those of a sum of scoring games."""
        assert self.idle is not None
        return is_scoring(graph, evaluation, self.following, self.colour, self.idle)

    def _reduced(self, graph: ClassGraph, evaluation: Evaluation) -> ClassGraph:
        """Equal classes made one, and dominated moves dropped."""
        assert self.idle is not None
        if graph.classes <= SearchLimits.current().pointorder_classes and self.is_scoring(graph, evaluation):
            return canonical(graph, evaluation)
        return reduce(graph, evaluation, forced=set(self.colour[self.idle == FORCED].tolist()))

    def _stuck(self, graph: ClassGraph) -> bool:
        """Whether two roles may come to where nobody can move and the play goes on, as far as the tables tell.

        Nobody gets anything there, so that what is worse for the one need not be better for the other.
        """
        assert self.idle is not None
        table, times = self.q.evaluation.table, np.flatnonzero(self.idle == NEVER)
        if table is None or len(self.views.game.roles) < 2:
            return False
        moves = np.diff(graph.start).reshape(graph.classes, graph.colours)
        of_part = [np.unique(classes) for classes in self.q.class_of]
        for t in times.tolist():
            still = [np.unique(graph.value[c[moves[c, self.colour[t]] == 0]]) for c in of_part]
            if (table[np.ix_(*still, [self.q.evaluation.time_value[self.first[t]]])] == 0).any():
                return True
        return False

    def _idle(self) -> Ints | None:
        """Per time whether the acting role may do nothing: NEVER, ALWAYS, FORCED; None if tables do not describe it."""
        q, game = self.q, self.views.game
        if q.actor is None or any(s.after for s in self.views.parts.dependent):
            return None
        classes = np.stack([self.views.class_of(i) for i in range(self.k)], axis=1)
        if ((classes != PASS).sum(axis=1) > 1).any():
            return None
        nowhere = self.views.nowhere
        if rests_hang_on_parts(self.views):
            following, colour = tuple(self.following.tolist()), tuple(self.colour.tolist())
            return passes(q, nowhere, Times(following, self.first, colour, self.time_of))
        free = game.batch.legal(np.array([self.views.time_row(int(t)) for t in self.first]))[:, nowhere]
        by_role = [np.asarray(free[:, of_role].any(axis=1)) for of_role in idle_moves(game, nowhere)]
        out = np.zeros(self.first.size, np.int64)
        for t, c in enumerate(self.colour.tolist()):
            for r, of_role in enumerate(by_role):
                if max(q.actor[c], 0) == r:
                    out[t] = ALWAYS if of_role[t] else NEVER
                elif not of_role[t]:
                    return None  # a role that never acts at this time has no move either
        return out

    # ---- positions ----

    def rows(self, fields: Ints) -> Rows:
        """A state of the whole game for each position, put together from members of its classes."""
        out = self.times[fields[:, self.k]]
        for i in range(self.k):
            out = out | self.views.graph(i).states[self.q.member[i][fields[:, i]]]
        return out

    def ends(self, fields: Ints) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """(terminal, goals) of positions."""
        e = self.evaluation
        if e.table is None:
            return outcomes(self.views, self.rows(fields))
        index = [
            e.value[i][self.q.member[i][fields[:, i]]] if self.assembly is None else self.graph.value[fields[:, i]]
            for i in range(self.k)
        ]
        code = e.table[(*index, e.time_value[self.first[fields[:, self.k]]])]
        goals = np.full((fields.shape[0], len(self.views.game.roles)), -1, np.int32)
        goals[code > 0] = e.goals[code[code > 0] - 1]
        return code > 0, goals

    def explore(self, depth: int | None = None, *, enough: float | None = None) -> Product:
        """All positions, or those met until the first role has a goal of ``enough``.

        Raises BudgetExceeded with the Product so far.
        """
        budget = self.views.budget
        table = RowTable(self.layout.words)
        fields = fields_of(self.q, self.assembly, *self.start)
        sort_groups(fields, self.before)
        table.add(self.layout.pack(fields))
        pieces: list[Piece] = []
        ends: list[tuple[NDArray[np.bool_], NDArray[np.int32]]] = []
        done, level_end, level, used = 0, 1, 0, 0
        try:
            while done < len(table) and (depth is None or level < depth):
                fields = self.layout.unpack(table.rows[done : min(level_end, done + STATES_AT_ONCE)])
                terminal, goals = self.ends(fields)
                if enough is not None and goals[:, 0].max() >= enough:
                    break
                if self.assembly is not None:
                    piece = self._expand_by_tables(table, fields, terminal)
                else:
                    piece = self._expand_by_members(table, fields, terminal)
                n = piece[0].size
                pieces.append(piece)
                ends.append((terminal[:n], goals[:n]))
                done += n
                used += sum(a.nbytes for a in piece)
                if done == level_end:
                    level_end, level = len(table), level + 1
                report("searching the product", len(table))
                budget.check(table.nbytes + 2 * used, steps=200 * piece[1].size)
        except BudgetExceeded as stop:
            stop.partial = self._finish(table, pieces, ends, done)
            raise
        except KeyboardInterrupt:
            n = first_batches([p[1] for p in pieces[: len(ends)]])
            met = max([1, *(1 + int(p[1].max(initial=0)) for p in pieces[:n])])
            known = self._finish(table, pieces[:n], ends[:n], sum(p[0].size for p in pieces[:n]), met)
            raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None
        return self._finish(table, pieces, ends, done)

    def _expand_by_tables(self, table: RowTable, fields: Ints, terminal: NDArray[np.bool_]) -> Piece:
        t = self.graph
        degree, after = successors(
            fields, terminal, self.colour, self.following, t.start, t.to, t.pass_to, self.idle, self.before,
            self.layout.word, self.layout.shift,
        )  # fmt: skip
        successor = table.add(after)
        assert self.q.actor is not None
        role = np.array(self.q.actor, np.int8)[self.colour[fields[:, self.k]]]
        # one role chooses, and where it leads tells the move
        return degree, successor, np.empty((0, len(self.views.game.roles)), np.int32), role

    # ---- by members ----

    def _expand_by_members(self, table: RowTable, fields: Ints, terminal: NDArray[np.bool_]) -> Piece:
        game = self.views.game
        rows = self.rows(fields)
        start, joint, source = legal_joint(game, rows, terminal, EDGES_AT_ONCE)
        n = start.size - 1
        states = game.batch.next(rows[source], joint)
        after = fields_of(self.q, None, states, self.following[fields[source, self.k]])
        if (after < 0).any():
            raise Inapplicable("a part reached a state outside its own graph")
        sort_groups(after, self.before)
        successor = table.add(self.layout.pack(after))
        mover = np.empty(n, np.int8)
        movers(start, joint, states, mover)
        keep = np.zeros(successor.size, np.bool_)
        distinct_edges(np.diff(start), successor, keep)
        keep |= (mover == SEVERAL)[source]
        return np.bincount(source[keep], minlength=n), successor[keep], joint[keep], mover

    def _finish(
        self,
        table: RowTable,
        pieces: list[Piece],
        ends: list[tuple[NDArray[np.bool_], NDArray[np.int32]]],
        done: int,
        met: int | None = None,
    ) -> Product:
        n, n_roles = len(table) if met is None else met, len(self.views.game.roles)
        degree = np.zeros(n, np.int64)
        terminal = np.zeros(n, np.bool_)
        goals = np.full((n, n_roles), -1, np.int32)
        if done:
            degree[:done] = np.concatenate([p[0] for p in pieces])
            terminal[:done] = np.concatenate([e[0] for e in ends])
            goals[:done] = np.concatenate([e[1] for e in ends])
        for low in range(done, n, EDGES_AT_ONCE):
            rest = self.ends(self.layout.unpack(table.rows[low : min(n, low + EDGES_AT_ONCE)]))
            terminal[low : low + EDGES_AT_ONCE], goals[low : low + EDGES_AT_ONCE] = rest
        if not (~terminal[done:]).any():
            done = n
        joint = np.concatenate([p[2] for p in pieces]) if pieces else np.empty((0, n_roles), np.int32)
        successor = np.concatenate([p[1] for p in pieces]) if pieces else np.empty(0, np.int32)
        edge_start = np.concatenate([[0], np.cumsum(degree)])
        mover = np.full(n, NOBODY, np.int8)
        if pieces:
            mover[: sum(p[3].size for p in pieces)] = np.concatenate([p[3] for p in pieces])
        graph = Graph(edge_start, successor, joint, mover, terminal, goals, done)
        return Product(self, graph, table)
