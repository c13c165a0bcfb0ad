"""Local search: the value of one position from the values of what both players can move to.

Positions are split into parts, equivalent parts are looked up under one key, impartial games are searched by nim
values, games with points by reduced forms (:mod:`ludisect.sums.scoring`). Large boards go to compiled search where
there is one: Domineering for its value, four other games in their impartial form for the nim value.

References: Müller, *Decomposition search* (1999); Mäser 2001, 2.3.2 (local search).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from ludisect import clock
from ludisect.cgt import MarkedValue, Value, Worth, budget, nimber, number
from ludisect.cgt.impartial import mex, nim_sum
from ludisect.cgt.marked import short_worth
from ludisect.cgt.reduction import reduced_sum
from ludisect.cgt.value import add, negate
from ludisect.errors import BudgetExceeded, InputError
from ludisect.progress import report
from ludisect.rulesets.domineering import Cram, Domineering
from ludisect.rulesets.position import Component, Impartial, Negative, Player, Position
from ludisect.sums.limits import SumsLimits
from ludisect.sums.scoring import compose
from ludisect.sums.threatsearch import ThreatSearch, has_threats
from ludisect.sums.transposition import TranspositionTable

if TYPE_CHECKING:
    from ludisect.rulesets.boardplay import BoardPlay
    from ludisect.rulesets.dominoes import Dominoes, DominoNims


class Store(Protocol):
    """Where values outlive a search; :class:`ludisect.sums.database.Database` is one."""

    def get(self, part: Position, key: Hashable) -> Value | None:
        """The value kept under ``key`` for the game of ``part``."""

    def put(self, part: Position, key: Hashable, value: Value) -> None:
        """Keep a value."""


class ValueSource(Protocol):
    """What a sum asks for the values of its parts: a local search, or guesses where that is out of reach."""

    @property
    def nodes(self) -> int:
        """The positions expanded so far."""

    def all_values(self, components: Iterable[Component]) -> list[Value]:
        """The values of all parts of all components, which are positions or values themselves."""

    def settled(self, components: Iterable[Component]) -> tuple[list[Value], MarkedValue | None]:
        """The short values of all parts, and what those with outright wins are worth, played as one."""

    def first_wins(self, components: Iterable[Component], player: Player) -> bool | None:
        """Whether ``player`` wins moving first, where somebody can win outright; None if nobody can."""

    def at_most(
        self, nodes: int | None, seconds: float = float("inf"), steps: int | None = None
    ) -> AbstractContextManager[None]:
        """Tighter limits within a block."""

    def doubts(self, components: Iterable[Component]) -> str:
        """On what the values of the components rest, if not on exact search; empty if they are exact."""


KERNELS = ("auto", "plain", "compiled")
"""``plain`` is the reference, ``compiled`` knows Domineering, ``auto`` does so for large boards."""


class LocalSearch:
    """Evaluates positions and remembers what it found; ``nodes`` counts the positions that were expanded.

    Limits (``seconds`` from now on, ``nodes`` for each question) raise :class:`BudgetExceeded`; what was found by then
    is kept for the next question. Each table keeps at most ``entries`` positions; what is forgotten is searched again.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        store: Store | None = None,
        normal_forms: bool = True,
        kernel: str = "auto",
        entries: int | None = None,
    ) -> None:
        if kernel not in KERNELS:
            raise InputError(f"unknown kernel {kernel!r}; choose one of {', '.join(KERNELS)}")
        self._nodes = 0
        self.most_nodes = nodes
        self.normal_forms = normal_forms
        """Whether equivalent positions are identified by their key; off, only equal positions are."""
        self.kernel = kernel
        self._dominoes: Dominoes | None = None
        self._boards: BoardPlay | None = None
        self._domino_nims: DominoNims | None = None
        self._values: TranspositionTable[Hashable, Value] = TranspositionTable(entries)
        # saves most normal forms: a part often returns in the same place
        self._seen: TranspositionTable[Position, Value] = TranspositionTable(entries)
        self._nims: TranspositionTable[Hashable, int] = TranspositionTable(entries)
        self._threats = ThreatSearch(self._tick, entries)
        self._worths: TranspositionTable[Hashable, Worth] = TranspositionTable(entries)
        self._store = store
        self._end = None if seconds is None else clock.now() + seconds
        self._limit: int | None = None
        self._steps: int | None = None
        self._limits = SumsLimits.current()

    @property
    def nodes(self) -> int:
        """The positions expanded so far."""
        return self._nodes

    def doubts(self, components: Iterable[Component]) -> str:
        """None: all values are exact."""
        return ""

    def recall(self, part: Position) -> Value | None:
        """The value of a part, if it was found already."""
        return self._seen.get(part)

    def learn(self, part: Position, value: Value) -> None:
        """Keep the value of a part that was found elsewhere."""
        self._seen.put(part, value)

    def value(self, position: Position) -> Value:
        """The exact value of ``position``.

        Raises:
            BudgetExceeded: the time was up, or the game is too deep.
            InputError: somebody can win outright; ask :meth:`settled`.
        """
        if self.kernel == "compiled" and self._store is None:  # it splits by itself and keeps its own table
            value = self._compiled(position)
            if value is not None:
                return value
        if has_threats(position):
            return sum(self.all_values([position]), number(0))
        with self._limited():
            return self._sum(position)

    def all_values(self, components: Iterable[Component]) -> list[Value]:
        """The values of all parts of all components, which are positions or values themselves.

        Raises:
            BudgetExceeded: the time was up, or a game is too deep.
            InputError: somebody can win outright; ask :meth:`settled`.
        """
        values, marked = self.settled(components)
        if marked is not None:
            raise InputError(
                f"somebody can win outright here ({short_worth(marked)}): there are no values that add up, no means "
                "and no temperatures to go by"
            )
        return values

    def worth(self, part: Position) -> Worth:
        """The value of a position that is one part, with outright wins where there are some; raises as ``value``."""
        with self._limited():
            return self._worth(part)

    def settled(self, components: Iterable[Component]) -> tuple[list[Value], MarkedValue | None]:
        """The short values of all parts, and what those with outright wins are worth, played as one.

        Raises:
            BudgetExceeded: the time was up, or a game is too deep.
        """
        with self._limited():
            values, marked = self._sorted(components)
            if len(marked) < 2:
                return values, marked[0][1] if marked else None
            together = self._threats.joined([part for part, _ in marked])
        if isinstance(together, Value):
            return [*values, together], None
        return values, together

    def first_wins(self, components: Iterable[Component], player: Player) -> bool | None:
        """Whether ``player`` wins moving first, where somebody can win outright; None if nobody can: values decide.

        Raises:
            BudgetExceeded: the time was up, or a game is too deep.
        """
        with self._limited():
            values, marked = self._sorted(components)
            if not marked:
                return None
            return self._threats.first_wins([part for part, _ in marked], sum(values, number(0)), player)

    def _sorted(self, components: Iterable[Component]) -> tuple[list[Value], list[tuple[Component, MarkedValue]]]:
        """The parts with short values and those with outright wins."""
        values: list[Value] = []
        marked: list[tuple[Component, MarkedValue]] = []
        for x in components:
            for part in x.parts() if isinstance(x, Position) else (x,):
                worth = self._worth(part)
                if isinstance(worth, Value):
                    values.append(worth)
                else:
                    marked.append((part, worth))
        return values, marked

    def _worth(self, part: Component) -> Worth:
        if not isinstance(part, Position):
            return part
        if not part.outright:
            return self._known(part)
        key, negative = part.key() if self.normal_forms else ((part.name, part), False)
        worth = self._worths.get(key)
        if worth is None:
            before, worth = self.nodes, self._threats.worth(part)
            worth = -worth if negative else worth
            self._worths.put(key, worth, 1 + self.nodes - before)
        return -worth if negative else worth

    @contextmanager
    def at_most(self, nodes: int | None, seconds: float = float("inf"), steps: int | None = None) -> Iterator[None]:
        """Tighter limits: on the positions and the steps of arithmetic of each question in this block, and on the time
        of the whole block."""
        outer, end, outer_steps = self.most_nodes, self._end, self._steps
        self.most_nodes = min((n for n in (outer, nodes) if n is not None), default=None)
        if seconds != float("inf"):
            self._end = min(clock.now() + seconds, end if end is not None else float("inf"))
        self._steps = outer_steps if steps is None else steps if outer_steps is None else min(steps, outer_steps)
        try:
            yield
        finally:
            self.most_nodes, self._end, self._steps = outer, end, outer_steps

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """The limits of one question; time counts for additions as well, which can be longer than the search."""
        self._limit = None if self.most_nodes is None else self.nodes + self.most_nodes
        try:
            if self._end is None and self._steps is None:
                yield
            else:
                rest = None if self._end is None else max(0.0, self._end - clock.now())
                with budget(seconds=rest, steps=self._steps):
                    yield
        except RecursionError:
            raise BudgetExceeded("the game is too deep for an exact search", budget="depth") from None

    def _sum(self, position: Position) -> Value:
        total = self._seen.get(position)
        if total is None:
            before, total = self.nodes, number(0)
            plus = add if position.score() is None else reduced_sum
            for part in position.parts():
                total = plus(total, self._known(part))
            self._seen.put(position, total, 1 + self.nodes - before)
        return total

    def _known(self, part: Position) -> Value:
        value = self._seen.get(part)
        if value is None:
            before, value = self.nodes, self._part(part)
            self._seen.put(part, value, 1 + self.nodes - before)
        return value

    def _part(self, part: Position) -> Value:
        known = part.terminal_value()
        if known is not None:
            return known
        if part.impartial:
            return nimber(self._any_nim(part))
        if type(part) is Negative:
            return negate(self._known(part.position))
        key, negative = part.key() if self.normal_forms else ((part.name, part), False)
        value = self._values.get(key)
        if value is None and self._store is not None:
            value = self._store.get(part, key)
            if value is not None:
                self._values.put(key, value)
        if value is None:
            before, value = self.nodes, self._compiled(part)
            if value is None:
                self._tick()
                left = {self._sum(part.play(Player.LEFT, m)) for m in part.moves(Player.LEFT)}
                right = {self._sum(part.play(Player.RIGHT, m)) for m in part.moves(Player.RIGHT)}
                value = compose(part, left, right)
            value = negate(value) if negative else value
            self._values.put(key, value, 1 + self.nodes - before)
            if self._store is not None:
                self._store.put(part, key, value)
        return negate(value) if negative else value

    def _any_nim(self, part: Position) -> int:
        """The nim value by parts if these are few, else by compiled plays if these are within reach, else by parts."""
        if self.kernel == "plain" or not isinstance(part, Impartial | Cram):
            return self._nim(part)
        limit = self._limit
        try:
            few = self.nodes + self._limits.local_nim_nodes
            self._limit = few if limit is None else min(limit, few)
            return self._nim(part)
        except BudgetExceeded as error:
            if error.budget != "nodes" or (limit is not None and self.nodes > limit):
                raise
        finally:
            self._limit = limit
        value = self._compiled_nim(part)
        if value is None:
            return self._nim(part)
        self._nims.put(part.key()[0] if self.normal_forms else (part.name, part), value, self._limits.local_nim_nodes)
        return value

    def _compiled_nim(self, part: Position) -> int | None:
        """The nim value by compiled search, if that knows the game and is quick enough."""
        from ludisect.rulesets.boardplay import BoardPlay
        from ludisect.rulesets.dominoes import DominoNims

        rest = None if self._end is None else max(0.0, self._end - clock.now())
        board = DominoNims.board(part)
        with suppress(BudgetExceeded):
            if board is not None:
                self._domino_nims = self._domino_nims or DominoNims()
                return self._domino_nims.nim(board, seconds=rest)
            if isinstance(part, Impartial) and BoardPlay.fits(part):
                self._boards = self._boards or BoardPlay()
                if rest is None:
                    return self._boards.nim(part, nodes=self._limits.local_play_nodes)
                return self._boards.nim(part, seconds=self._limits.local_play_share * rest)
        return None

    def _nim(self, part: Position) -> int:
        key = part.key()[0] if self.normal_forms else (part.name, part)
        value = self._nims.get(key)
        if value is None:
            before = self.nodes
            self._tick()
            value = mex({self._nim_of_sum(part.play(Player.LEFT, m)) for m in part.moves(Player.LEFT)})
            self._nims.put(key, value, self.nodes - before)
        return value

    def _nim_of_sum(self, position: Position) -> int:
        return nim_sum(self._nim_of_part(part) for part in position.parts())

    def _nim_of_part(self, part: Position) -> int:
        known = part.terminal_value()
        triple = None if known is None else known.number_up_star
        return self._nim(part) if triple is None else triple[2]

    def _compiled(self, part: Position) -> Value | None:
        """The value by compiled search, where that is wanted and possible."""
        if self.kernel == "plain" or type(part) is not Domineering:
            return None
        if self.kernel == "auto" and part.cells.count(".") < self._limits.local_large:
            return None
        from ludisect.cgt.compiled import UnfitError
        from ludisect.rulesets.dominoes import Dominoes

        if not Dominoes.fits(part):
            return None
        self._dominoes = self._dominoes or Dominoes()
        try:
            rest = None if self._end is None else max(0.0, self._end - clock.now())
            return self._dominoes.value(part, seconds=rest)
        except UnfitError:
            return None

    def _tick(self) -> None:
        self._nodes += 1
        if self._nodes & 255 == 0:
            report("valuing positions", self._nodes)
        if self._limit is not None and self.nodes > self._limit:
            raise BudgetExceeded("the limit on positions was reached during local search", budget="nodes")
        if self._end is not None and self.nodes & 15 == 0 and clock.now() > self._end:
            raise BudgetExceeded("the time limit was reached during local search", budget="seconds")
