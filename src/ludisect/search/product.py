"""The product of quotients: positions of the whole game as one class per part and a time, up to exchange of like parts.

Positions are expanded in one of two ways. *By tables*, where one role acts at a time and each of its moves touches one
part: the classes' own successors say all, and the circuit is not asked again. *By members* otherwise: a state of the
whole game is put together from members of the classes, the circuit says what follows, and the successors' parts are
looked up in the local graphs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Rows
from ludisect.circuit.jit import jit
from ludisect.errors import BudgetExceeded
from ludisect.search.classes import ClassGraph, class_graph, reduce
from ludisect.search.concepts import fluents_read
from ludisect.search.evaluation import outcomes
from ludisect.search.graph import NOBODY, Graph, movers
from ludisect.search.local import PASS
from ludisect.search.quotient import Quotient
from ludisect.search.rowtable import RowTable
from ludisect.search.scoring import canonical, is_scoring
from ludisect.search.statespace import EDGES_AT_ONCE, STATES_AT_ONCE, count_joint, list_joint
from ludisect.search.ways import Inapplicable

Ints = NDArray[np.int64]
Piece = tuple[Ints, NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]
"""Of some positions: number of edges, successors, joint moves (none where one role acts at a time), movers."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the class of each part and the time are in a packed position."""

    word: Ints
    shift: Ints
    bits: Ints

    @staticmethod
    def of(sizes: list[int]) -> Layout:
        """Fields for numbers below the given sizes, none across a border of words."""
        word, shift, used, at = [], [], 0, 0
        bits = [max(1, (n - 1).bit_length()) for n in sizes]
        for width in bits:
            if used + width > 64:
                at, used = at + 1, 0
            word.append(at)
            shift.append(used)
            used += width
        return Layout(np.array(word, np.int64), np.array(shift, np.int64), np.array(bits, np.int64))

    @property
    def words(self) -> int:
        """Words of a packed position."""
        return int(self.word[-1]) + 1

    def unpack(self, codes: Rows) -> Ints:
        """Positions x fields."""
        mask = (np.uint64(1) << self.bits.astype(np.uint64)) - np.uint64(1)
        return ((codes[:, self.word] >> self.shift.astype(np.uint64)) & mask).astype(np.int64)

    def pack(self, fields: Ints) -> Rows:
        """Fields -> packed positions."""
        out = np.zeros((fields.shape[0], self.words), np.uint64)
        for i in range(self.word.size):
            out[:, self.word[i]] |= fields[:, i].astype(np.uint64) << np.uint64(self.shift[i])
        return out


@jit
def _sort_groups(fields: Any, groups: Any) -> None:
    """Sort the classes of exchangeable parts; ``groups[j]`` is the part before j in j's group, or -1."""
    for s in range(fields.shape[0]):
        for j in range(groups.size):
            at = j
            while groups[at] >= 0 and fields[s, groups[at]] > fields[s, at]:
                before = groups[at]
                fields[s, before], fields[s, at] = fields[s, at], fields[s, before]
                at = before


@jit
def _by_tables(
    fields: Any, skip: Any, colour: Any, following: Any, start: Any, to: Any, pass_to: Any, idle: Any, groups: Any
) -> Any:
    """Successors of positions: (number per position, fields of each)."""
    n, k = fields.shape[0], fields.shape[1] - 1
    colours = pass_to.shape[1]
    degree = np.zeros(n, np.int64)
    total = 0
    for s in range(n):
        if skip[s]:
            continue
        c = colour[fields[s, k]]
        for i in range(k):
            at = fields[s, i] * colours + c
            degree[s] += start[at + 1] - start[at]
        degree[s] += idle[fields[s, k]]
        total += degree[s]
    out = np.empty((total, k + 1), np.int64)
    e = 0
    for s in range(n):
        if skip[s]:
            continue
        t = fields[s, k]
        c = colour[t]
        for i in range(k + 1):
            if i == k:
                low, high = 0, idle[t]
            else:
                at = fields[s, i] * colours + c
                low, high = start[at], start[at + 1]
            for a in range(low, high):
                for j in range(k):
                    out[e, j] = to[a] if j == i else pass_to[fields[s, j], c]
                out[e, k] = following[t]
                e += 1
    _sort_groups(out, groups)
    return degree, out


@jit
def _distinct_edges(degree: Any, successor: Any, keep: Any) -> None:
    """Mark the first edge of each position to each successor."""
    e = 0
    for s in range(degree.size):
        low, high = e, e + degree[s]
        for a in range(low, high):
            keep[a] = True
            for b in range(low, a):
                if successor[b] == successor[a]:
                    keep[a] = False
                    break
        e = high


@dataclass(frozen=True, eq=False)
class Product:
    """The reachable positions of the product by number, and their graph; ``number`` finds any state of the game."""

    quotient: Quotient
    graph: Graph
    tables: ClassGraph | None
    time_of: Ints
    layout: Layout
    before: Ints
    table: RowTable = field(repr=False)

    def number(self, states: Rows, times: Ints) -> NDArray[np.int32]:
        """The positions of whole states at given times; -1 where a state was not reached (or is not worth reaching)."""
        fields = _fields(self.quotient, self.tables, states, self.time_of[times])
        known = (fields >= 0).all(axis=1)
        out = np.full(states.shape[0], -1, np.int32)
        _sort_groups(fields, self.before)
        out[known] = self.table.find(self.layout.pack(fields[known]))
        return out


def _fields(q: Quotient, tables: ClassGraph | None, states: Rows, times: Ints) -> Ints:
    """The class of every part (-1 where its graph lacks the state), and the time."""
    k = len(q.class_of)
    out = np.empty((states.shape[0], k + 1), np.int64)
    for i in range(k):
        local = q.views.graph(i).table.find(states & q.views.mask(i))
        number = q.class_of[i] if tables is None else tables.stands_for[q.class_of[i]]
        out[:, i] = np.where(local >= 0, number[np.maximum(local, 0)], -1)
    out[:, k] = times
    return out


def _links(groups: tuple[tuple[int, ...], ...], k: int) -> Ints:
    out = np.full(k, -1, np.int64)
    for group in groups:
        for a, b in pairwise(group):
            out[b] = a
    return out


class Explorer:
    """Explores the product of a quotient from the start of the game.

    By tables where they describe the game, unless that is not wanted; ``reduced`` drops dominated moves.
    """

    def __init__(self, q: Quotient, *, by_tables: bool = True, reduced: bool = True) -> None:
        self.q, self.views = q, q.views
        game, parts = q.views.game, q.views.parts
        self.k = len(q.class_of)
        circuit = game.circuit
        ruled = [f for s in parts.dependent for f in s.fluents]
        nets = [*circuit.legal.tolist(), *circuit.next[ruled].tolist(), int(circuit.terminal), *circuit.goal.tolist()]
        read = sorted(set(fluents_read(circuit, nets)) & set(parts.context_fluents))
        colour, _ = q.views.context.projected(read)
        self.time_of, self.following, self.first = q.views.context.minimal(colour)
        self.colour = q.views.colour[self.first]
        self.layout = Layout.of([*([q.classes] * self.k), self.first.size])
        everything = np.zeros(game.initial.shape[1], np.uint64)
        for i in range(self.k):
            everything |= q.views.mask(i)
        self.times = np.array([q.views.time_row(int(t)) & ~everything for t in self.first])
        self.idle = self._idle()
        self.tables = class_graph(q) if self.idle is not None and by_tables else None
        if self.tables is not None and reduced and self.idle is not None:
            if is_scoring(self.tables, q.evaluation, self.following, self.colour, self.idle):
                self.tables = canonical(self.tables, q.evaluation)
            else:
                self.tables = reduce(self.tables, q.evaluation)
        # tables know nothing of parts, so parts need not begin alike to be exchanged
        self.before = _links(q.groups if self.tables is None else q.evaluation.groups, self.k)

    # ---- by tables ----

    def _idle(self) -> Ints | None:
        """Per time: whether the acting role may do nothing anywhere; None if tables do not describe the game."""
        q, game = self.q, self.views.game
        if q.actor is None or any(s.after for s in self.views.parts.dependent):
            return None
        classes = np.stack([self.views.class_of(i) for i in range(self.k)], axis=1)
        if ((classes != PASS).sum(axis=1) > 1).any():
            return None
        nowhere = np.flatnonzero((classes == PASS).all(axis=1))
        dependent = {f for s in self.views.parts.dependent for f in s.fluents}
        if dependent & set(fluents_read(game.circuit, game.circuit.legal[nowhere])):
            return None  # whether one may pass depends on more than the time
        legal = game.legal(np.array([self.views.time_row(int(t)) for t in self.first]))
        role = np.repeat(np.arange(len(game.roles)), np.diff(game.first_move))
        out = np.zeros(self.first.size, np.int64)
        for t, c in enumerate(self.colour.tolist()):
            for r in range(len(game.roles)):
                free = bool(legal[t, nowhere[role[nowhere] == r]].any())
                if q.actor[c] == r or (q.actor[c] == -1 and r == 0):
                    out[t] = free
                elif not free:
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
        e = self.q.evaluation
        if e.table is None:
            return outcomes(self.views, self.rows(fields))
        index = [
            e.value[i][self.q.member[i][fields[:, i]]] if self.tables is None else self.tables.value[fields[:, i]]
            for i in range(self.k)
        ]
        code = e.table[(*index, e.time_value[self.first[fields[:, self.k]]])]
        goals = np.full((fields.shape[0], len(self.views.game.roles)), -1, np.int32)
        goals[code > 0] = e.goals[code[code > 0] - 1]
        return code > 0, goals

    def explore(self, depth: int | None = None) -> Product:
        """All positions; raises BudgetExceeded with the Product so far."""
        budget = self.views.budget
        table = RowTable(self.layout.words)
        fields = _fields(self.q, self.tables, self.views.game.initial, np.zeros(1, np.int64))
        _sort_groups(fields, self.before)
        table.add(self.layout.pack(fields))
        pieces: list[Piece] = []
        ends: list[tuple[NDArray[np.bool_], NDArray[np.int32]]] = []
        done, level_end, level, used = 0, 1, 0, 0
        try:
            while done < len(table) and (depth is None or level < depth):
                fields = self.layout.unpack(table.rows[done : min(level_end, done + STATES_AT_ONCE)])
                terminal, goals = self.ends(fields)
                if self.tables is not None:
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
                budget.tell("positions of the product", len(table))
                budget.check(table.nbytes + 2 * used)
        except (BudgetExceeded, KeyboardInterrupt) as stop:
            done = sum(p[0].size for p in pieces[: len(ends)])
            known = self._finish(table, pieces[: len(ends)], ends, done)
            if isinstance(stop, BudgetExceeded):
                stop.partial = known
                raise
            raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None
        return self._finish(table, pieces, ends, done)

    def _expand_by_tables(self, table: RowTable, fields: Ints, terminal: NDArray[np.bool_]) -> Piece:
        t = self.tables
        assert t is not None
        degree, after = _by_tables(
            fields, terminal, self.colour, self.following, t.start, t.to, t.pass_to, self.idle, self.before
        )
        successor = table.add(self.layout.pack(after))
        keep = np.zeros(successor.size, np.bool_)
        _distinct_edges(degree, successor, keep)
        source = np.repeat(np.arange(degree.size), degree)[keep]
        successor = successor[keep]
        assert self.q.actor is not None
        role = np.array(self.q.actor, np.int8)[self.colour[fields[:, self.k]]]
        joint = np.empty(
            (0, len(self.views.game.roles)), np.int32
        )  # one role chooses, and where it leads tells the move
        return np.bincount(source, minlength=degree.size), successor, joint, role

    # ---- by members ----

    def _expand_by_members(self, table: RowTable, fields: Ints, terminal: NDArray[np.bool_]) -> Piece:
        game = self.views.game
        rows = self.rows(fields)
        legal = game.legal_rows(rows)
        degree = np.empty(rows.shape[0], np.int64)
        count_joint(legal, game.first_move, terminal, degree)
        start = np.concatenate([[0], np.cumsum(degree)])
        n = min(rows.shape[0], max(1, int(np.searchsorted(start, EDGES_AT_ONCE, side="right")) - 1))
        joint = np.empty((int(start[n]), len(game.roles)), np.int32)
        source = np.empty(joint.shape[0], np.int64)
        list_joint(legal[:n], game.first_move, start, joint, source)
        after = _fields(self.q, None, game.next(rows[source], joint), self.following[fields[source, self.k]])
        if (after < 0).any():
            raise Inapplicable("a part reached a state outside its own graph")
        _sort_groups(after, self.before)
        successor = table.add(self.layout.pack(after))
        mover = np.empty(n, np.int8)
        movers(start[: n + 1], joint, mover)
        keep = np.zeros(successor.size, np.bool_)
        _distinct_edges(degree[:n], successor, keep)
        keep |= (mover < 0)[source]
        return np.bincount(source[keep], minlength=n), successor[keep], joint[keep], mover

    def _finish(
        self,
        table: RowTable,
        pieces: list[Piece],
        ends: list[tuple[NDArray[np.bool_], NDArray[np.int32]]],
        done: int,
    ) -> Product:
        n, n_roles = len(table), len(self.views.game.roles)
        degree = np.zeros(n, np.int64)
        terminal = np.zeros(n, np.bool_)
        goals = np.full((n, n_roles), -1, np.int32)
        if done:
            degree[:done] = np.concatenate([p[0] for p in pieces])
            terminal[:done] = np.concatenate([e[0] for e in ends])
            goals[:done] = np.concatenate([e[1] for e in ends])
        for low in range(done, n, EDGES_AT_ONCE):
            rest = self.ends(self.layout.unpack(table.rows[low : low + EDGES_AT_ONCE]))
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
        return Product(self.q, graph, self.tables, self.time_of, self.layout, self.before, table)
