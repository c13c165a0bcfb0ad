"""The local view: the graph of one part of a game, in which every role may move whenever it likes.

A local state is the part's bits. To see what follows it, the rest of the state is filled in: the other parts as they
stand at the start, the context at a time that matters. The circuit of the whole game then says which moves are legal
and where they lead, and what they do outside the part is forgotten. Moves count by their class in the part
(``Part.move_numbers``); all moves without effect there are one, PASS. Where the whole game would be over, the other
parts are filled in as some play has met them: what is proved of a part is proved for states in which play goes on.

A part that opens only after another (``Part.after``) is looked at under every *guard*: every answer of the earlier
part to the questions that the rules of the later one ask about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import plays, unique_rows
from ludisect.circuit.rows import Rows, any_column, mask_of, pack
from ludisect.circuit.rowtable import RowTable
from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.kernels.kernel import jit
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.limits import SearchLimits
from ludisect.search.part.concepts import Concept, Nets, concepts, ending, fluents_read, moves_read, ruling
from ludisect.search.part.placing import refuse_misplaced
from ludisect.search.part.times import Context, context_of

PASS = -1
"""In ``LocalGraph.move``: the class of all moves without effect in the part."""

ROWS_AT_ONCE = 1 << 13


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a local state: a value of the context (see ``Views.colour``) and a guard of earlier parts."""

    context: int
    guard: int


@dataclass(frozen=True, eq=False)
class LocalGraph:
    """Local states by number (0 is the start), and in each setting its joint local moves.

    The edges of state s in setting k are ``edge_start[s * len(settings) + k]`` up to the next entry. ``move[e, r]`` is
    the class of role r's move or PASS, ``joint[e, r]`` a global move that does it, ``successor[e]`` where it leads.
    ``states`` are rows of the whole game with no bits outside the part. ``ended[s]``: the whole game is over wherever
    the part is in s; such states have no moves. States from number ``expanded`` on were met, and no more: what can be
    done there is not known.
    """

    part: Part
    settings: tuple[Setting, ...]
    edge_start: NDArray[np.int64]
    move: NDArray[np.int32]
    joint: NDArray[np.int32]
    successor: NDArray[np.int32]
    ended: NDArray[np.bool_]
    expanded: int
    table: RowTable = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether all states are known."""
        return self.expanded == self.positions

    def known_kinds(self, kind: NDArray[np.int64]) -> NDArray[np.int64]:
        """Kinds of states without gaps, in which what is not expanded looks like the start: no search looks there."""
        if self.complete:
            return kind
        kind = np.where(np.arange(kind.size) < self.expanded, kind, kind[0])
        return np.asarray(np.unique(kind, return_inverse=True)[1].reshape(-1), np.int64)

    @property
    def states(self) -> Rows:
        """The local states by number."""
        return self.table.rows

    @property
    def positions(self) -> int:
        """How many local states there are."""
        return len(self.table)

    def edges_of(self, state: int, setting: int) -> slice:
        """Where the edges of a state in a setting are."""
        at = state * len(self.settings) + setting
        return slice(int(self.edge_start[at]), int(self.edge_start[at + 1]))

    def edges_under(self, setting: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(source, number) of the edges of all states in a setting."""
        lengths = np.diff(self.edge_start)
        edges = np.flatnonzero(np.repeat(np.arange(lengths.size) % len(self.settings) == setting, lengths))
        return np.repeat(np.arange(self.positions), lengths[setting :: len(self.settings)]), edges


@jit
def _entries(legal: Any, s: Any, r: Any, first_move: Any, class_of: Any, any_pass: Any, stamp: Any, entry: Any) -> Any:
    """The distinct local moves of role r in row s: class and a global move that does it, into ``entry[r]``."""
    n = 0
    stamp[:] = False  # the last place stands for PASS
    for m in range(first_move[r], first_move[r + 1]):
        if (legal[s, m >> 6] >> np.uint64(m & 63)) & np.uint64(1):
            c = class_of[m]
            if not stamp[c]:
                stamp[c] = True
                entry[r, n, 0] = c
                entry[r, n, 1] = m - first_move[r]
                n += 1
    if any_pass[r] >= 0 and not stamp[-1]:
        entry[r, n, 0] = -1
        entry[r, n, 1] = any_pass[r]
        n += 1
    return n


@jit("(uint64[:, ::1], boolean[::1], int64[::1], int32[::1], int64[::1], int64)")
def _local_joint(legal: Any, skip: Any, first_move: Any, class_of: Any, any_pass: Any, n_classes: Any) -> Any:
    """Joint local moves of many rows: (number per row, classes, global moves, row of each)."""
    n_roles = first_move.size - 1
    stamp = np.zeros(n_classes + 1, np.bool_)
    entry = np.empty((n_roles, n_classes + 1, 2), np.int32)
    count = np.zeros(n_roles, np.int64)
    degree = np.zeros(legal.shape[0], np.int64)
    size = 1024
    move = np.empty((size, n_roles), np.int32)
    joint = np.empty((size, n_roles), np.int32)
    source = np.empty(size, np.int64)
    n = 0
    for s in range(legal.shape[0]):
        if skip[s]:
            continue
        total = 1
        for r in range(n_roles):
            count[r] = _entries(legal, s, r, first_move, class_of, any_pass, stamp, entry)
            total *= count[r]
        degree[s] = total
        while n + total > size:
            size *= 2
            grown = np.empty((size, n_roles), np.int32)
            grown[:n] = move[:n]
            move = grown
            grown_joint = np.empty((size, n_roles), np.int32)
            grown_joint[:n] = joint[:n]
            joint = grown_joint
            grown_source = np.empty(size, np.int64)
            grown_source[:n] = source[:n]
            source = grown_source
        for k in range(total):
            rest = k
            for r in range(n_roles - 1, -1, -1):
                move[n, r] = entry[r, rest % count[r], 0]
                joint[n, r] = entry[r, rest % count[r], 1]
                rest //= count[r]
            source[n] = s
            n += 1
    return degree, move[:n].copy(), joint[:n].copy(), source[:n].copy()


def stages_before(parts: Decomposition, part: Part) -> set[int]:
    """Ids of all parts that come before one, directly or through others."""
    return ancestors({s.id: s.after for s in parts.parts}, part.id)


class Views:
    """The local views of all dependent parts of a decomposition, with the context and the concepts they share.

    ``colour[t]`` numbers the values of those context fluents that some part's moves or transitions read;
    ``first_time[k]`` is a time with colour k.
    """

    def __init__(self, parts: Decomposition, *, budget: Budget | None = None, reach: int | None = None) -> None:
        """With ``reach``, only states up to so many moves from a part's start are expanded; ``deepen`` goes on."""
        self.parts = parts
        self.game = parts.game
        self.reach = reach
        self.budget = budget or Budget()
        self.context: Context = context_of(parts)
        self._context_mask = mask_of(parts.context_numbers, len(self.game.fluents))
        relevant = {f for s in parts.dependent for f in fluents_read(self.game.circuit, ruling(self.game, s))}
        self.colour, self.first_time = self.context.projected(sorted(relevant & set(parts.context_numbers)))
        circuit = self.game.circuit
        self.concepts: list[list[Concept]] = concepts(parts, [int(circuit.terminal), *circuit.goal.tolist()])
        self._ending = ending(parts)
        self._certain = grounds(parts)[0]
        self._graphs: dict[int, LocalGraph] = {}
        self._growths: dict[int, _Growth] = {}

    # ---- structure ----

    @cached_property
    def index(self) -> dict[int, int]:
        """Id of a part -> its place among the dependent parts."""
        return {s.id: i for i, s in enumerate(self.parts.dependent)}

    @cached_property
    def before(self) -> list[list[int]]:
        """Per dependent part: all dependent parts that have to be over before it begins, directly or not."""
        return [
            sorted(self.index[b] for b in stages_before(self.parts, s) if b in self.index) for s in self.parts.dependent
        ]

    def mask(self, i: int) -> NDArray[np.uint64]:
        """The bits of dependent part i."""
        return self._masks[i]

    @cached_property
    def _masks(self) -> list[NDArray[np.uint64]]:
        return [mask_of(s.fluent_numbers, len(self.game.fluents)) for s in self.parts.dependent]

    def class_of(self, i: int) -> NDArray[np.int32]:
        """Per move (roles side by side): its class in part i, or PASS."""
        out = np.full(int(self.game.batch.first_move[-1]), PASS, np.int32)
        for r, classes in enumerate(self.parts.dependent[i].move_numbers):
            for c, members in enumerate(classes):
                out[self.game.batch.first_move[r] + np.array(members, np.int64)] = c
        return out

    @property
    def nowhere(self) -> NDArray[np.int64]:
        """The moves (roles side by side) without effect in any part."""
        idle = np.ones(int(self.game.batch.first_move[-1]), np.bool_)
        for i in range(len(self.parts.dependent)):
            idle &= self.class_of(i) == PASS
        return np.flatnonzero(idle)

    def time_row(self, t: int) -> NDArray[np.uint64]:
        """The start with the context as at time t."""
        row: NDArray[np.uint64] = (self.game.batch.initial[0] & ~self._context_mask) | self.context.rows[t]
        return row

    def place(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(the local state of every dependent part, the time) of states of the game; -1 where play never gets."""
        local = [self.graph(i).table.find(rows & self.mask(i)) for i in range(len(self.parts.dependent))]
        return np.stack(local, axis=1), self.time(rows)

    def time(self, rows: Rows) -> NDArray[np.int32]:
        """The time of the context in states of the game; -1 where it never gets."""
        return self._time_table.find(rows & self._context_mask)

    @cached_property
    def _time_table(self) -> RowTable:
        times = RowTable(self.context.rows.shape[1])
        times.add(self.context.rows)  # no two times look alike, or the later would be the earlier
        return times

    # ---- guards of serial parts ----

    def guard_concepts(self, i: int) -> list[Concept]:
        """What later parts ask about part i before they open."""
        later = [s for s, before in zip(self.parts.dependent, self.before, strict=True) if i in before]
        found: dict[Concept, None] = {}
        for s in later:
            found |= dict.fromkeys(concepts(self.parts, ruling(self.game, s))[i])
        return list(found)

    def guards(self, i: int) -> NDArray[np.int64]:
        """Per local state of part i: the number of its answers to the questions of later parts."""
        return self.values(i, self.guard_concepts(i))

    def bases(self, i: int) -> tuple[tuple[Setting, ...], Rows]:
        """What surrounds part i: one row per setting, without the bits of the part."""
        choices: list[list[tuple[NDArray[np.uint64], NDArray[np.uint64]]]] = []
        for j in self.before[i]:
            _, first = np.unique(self.guards(j), return_index=True)
            choices.append([(self.mask(j), self.graph(j).states[k]) for k in first.tolist()])
        settings, rows = [], []
        for c, t in enumerate(self.first_time.tolist()):
            for g, combination in enumerate(product(*choices)):
                row = self.time_row(t)
                for mask, bits in combination:
                    row = (row & ~mask) | bits
                settings.append(Setting(c, g))
                rows.append(row & ~self.mask(i))
        return tuple(settings), np.array(rows)

    @cached_property
    def met(self) -> Rows:
        """Some states in which play goes on, as random plays met them."""
        seen = [states for states, _, _ in plays(self.game, SearchLimits.current().views_plays)]
        return np.concatenate([self.game.batch.initial, *seen])

    def kept(self, i: int) -> NDArray[np.uint64]:
        """What a view of part i must not fill in otherwise: the part, the context, and the parts before it."""
        out = self.mask(i) | self._context_mask
        for j in self.before[i]:
            out |= self.mask(j)
        return out

    # ---- graphs ----

    def graph(self, i: int) -> LocalGraph:
        """The graph of dependent part i, explored on first use."""
        if i not in self._graphs:
            if i not in self._growths:
                self._growths[i] = _Growth(self, i)
            self._graphs[i] = self._growths[i].grown(self.reach)
        return self._graphs[i]

    def deepen(self, reach: int) -> bool:
        """See more: expand the states up to so many moves from the start. Whether all states are known then."""
        self.reach = reach
        self._graphs = {i: graph for i, graph in self._graphs.items() if graph.complete}
        return all(self.graph(i).complete for i in range(len(self.parts.dependent)))

    def _any_pass(self, part: Part, class_of: NDArray[np.int32]) -> NDArray[np.int64]:
        """Per role: a move that leaves the part alone, to be made where none is legal; -1 if there is none.

        A role may always play elsewhere, even if the other parts, as they stand at the start, give it no move. What a
        move does where it is not legal is anybody's guess if the rules of the part read it, so others come first.
        """
        game = self.game
        out = np.full(len(game.roles), -1, np.int64)
        if not self.parts.in_step:
            read = np.zeros(class_of.size, np.bool_)
            read[moves_read(game.circuit, game.circuit.next[list(part.fluent_numbers)])] = True
            for r, (low, high) in enumerate(pairwise(game.batch.first_move.tolist())):
                elsewhere = np.flatnonzero(class_of[low:high] == PASS)
                if elsewhere.size:
                    out[r] = elsewhere[read[low + elsewhere].argmin()]
        return out

    # ---- concepts ----

    def answers(self, i: int, asked: Sequence[Concept]) -> NDArray[np.bool_]:
        """States of part i x (concept, value of the context that it reads): whether the concept holds."""
        graph = self.graph(i)
        if not asked:
            return np.zeros((graph.positions, 0), np.bool_)
        literals = sorted({x for c in asked for x in c.literals})
        place = {x: k for k, x in enumerate(literals)}
        nets = Nets(self.game.circuit, literals)
        by_context: dict[tuple[int, ...], list[Concept]] = {}
        for c in asked:
            by_context.setdefault(c.context, []).append(c)
        columns = []
        for fluents, some in by_context.items():
            _, first = self.context.projected(fluents)
            for t in first.tolist():
                base = self.time_row(t) & ~self.mask(i)
                holds = nets(graph.states | base)
                columns += [holds[:, [place[x] for x in c.literals]].all(axis=1) for c in some]
        return np.stack(columns, axis=1)

    def values(self, i: int, asked: Sequence[Concept]) -> NDArray[np.int64]:
        """Per state of part i: the number of its answers to some concepts (equal answers, equal number)."""
        _, number = unique_rows(pack(self.answers(i, asked)))
        return np.asarray(number, np.int64)

    def concept_values(self, i: int) -> NDArray[np.int64]:
        """Per state of part i: the number of its answers to all that goal and terminal ask about it."""
        return self.values(i, self.concepts[i])


class _Growth:
    """The states of one part as they are met, nearest to the start first."""

    def __init__(self, views: Views, i: int) -> None:
        self.views, self.number, self.part = views, i, views.parts.dependent[i]
        self.settings, self.bases = views.bases(i)
        self.mask, self.class_of = views.mask(i), views.class_of(i)
        self.any_pass = views._any_pass(self.part, self.class_of)
        ending = views._ending[i]
        self.over = Nets(views.game.circuit, ending) if ending else None
        self.table = RowTable(views.game.batch.initial.shape[1])
        self.table.add(views.game.batch.initial & self.mask)
        self.kept: list[list[NDArray[Any]]] = [[] for _ in range(5)]
        self.used = self.done = self.level = 0
        self.level_end = 1
        """States from here on are farther from the start than ``level`` moves."""

    def grown(self, reach: int | None) -> LocalGraph:
        """The graph with all states up to so many moves from the start expanded, or all."""
        while self.done < len(self.table) and (reach is None or self.level <= reach):
            self._expand()
        degree, move, joint, successor, stop = (np.concatenate(some) for some in self.kept)
        rest = np.zeros((len(self.table) - self.done) * len(self.settings), np.int64)
        edge_start = np.concatenate([[0], np.cumsum(np.concatenate([degree, rest]))])
        table, done = self.table, self.done
        stop = np.concatenate([stop, self._ended(table.rows[done:])])
        return LocalGraph(self.part, self.settings, edge_start, move, joint, successor, stop, done, table)

    def _ended(self, local: Rows) -> NDArray[np.bool_]:
        if self.over is None:
            return np.zeros(local.shape[0], np.bool_)
        return np.asarray(self.over(local | self.bases[0]).any(axis=1))

    def _keep_going(self, rows: Rows, skip: NDArray[np.bool_]) -> None:
        """Fill the other parts in otherwise where the game would be over, as far as plays have met such states."""
        game = self.views.game
        over = np.flatnonzero(game.batch.terminal(rows) & ~skip)
        if not over.size:
            return
        kept = self.views.kept(self.number)
        others = self.views.met & ~kept
        for row in others[unique_rows(others)[0]][: SearchLimits.current().views_fillings]:
            tried = (rows[over] & kept) | row
            going = ~game.batch.terminal(tried)
            rows[over[going]] = tried[going]
            over = over[~going]
            if not over.size:
                return

    def _expand(self) -> None:
        """Some more states, of one level."""
        game, views, n = self.views.game, self.views, len(self.settings)
        local = self.table.rows[self.done : min(self.level_end, self.done + max(1, ROWS_AT_ONCE // n))].copy()
        rows = (local[:, None, :] | self.bases[None, :, :]).reshape(-1, local.shape[1])
        stop = self._ended(local)
        skip = np.repeat(stop, n)
        self._keep_going(rows, skip)
        if not views._certain:
            refuse_misplaced(game, self.part, rows, skip, self.class_of, self.mask)
        n_classes = max((len(c) for c in self.part.move_numbers), default=0)
        degree, move, joint, source = _local_joint(
            game.batch.legal_rows(rows), skip, game.batch.first_move, self.class_of, self.any_pass, n_classes
        )
        successor = self.table.add(game.batch.next(rows[source], joint) & self.mask)
        for some, new in zip(self.kept, (degree, move, joint, successor, stop), strict=True):
            some.append(new)
        self.used += degree.nbytes + move.nbytes + joint.nbytes
        self.done += local.shape[0]
        if self.done == self.level_end:
            self.level, self.level_end = self.level + 1, len(self.table)
        report(f"exploring part {self.part.id}", len(self.table))
        views.budget.check(self.table.nbytes + 2 * self.used, steps=100 * source.size)


def places(views: Views, number: NDArray[np.int64], rows: Rows) -> list[tuple[tuple[int, ...], int] | None]:
    """Per state of the game the state of every part and the ``number`` of the time; None where play never gets."""
    local, time = views.place(rows)
    known = ~any_column(local < 0) & (time >= 0)
    found = zip(known.tolist(), local.tolist(), number[np.maximum(time, 0)].tolist(), strict=True)
    return [(tuple(states), at) if ok else None for ok, states, at in found]
