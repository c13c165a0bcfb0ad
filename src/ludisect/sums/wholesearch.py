"""Who wins a sum of positions: large parts are searched move by move, small ones are their values.

This is the way when a position has no value within reach. A part counts as small if local search finds its value
within a few positions; as play goes on, parts shrink until only values remain, which :mod:`ludisect.sums.outcome`
decides. With ``local_nodes=0`` nothing is evaluated locally: plain minimax on the whole, the baseline.

Reference: Müller and Li 2004 (local values inside global search).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from ludisect import clock
from ludisect.cgt import MarkedValue, Value
from ludisect.cgt.value import ZERO, add, negate
from ludisect.errors import BudgetExceeded, InputError
from ludisect.progress import report
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.local import LocalSearch
from ludisect.sums.outcome import SumSolver, outcome_class
from ludisect.sums.scoring import refuse_points
from ludisect.sums.threatsearch import has_threats
from ludisect.sums.transposition import TranspositionTable


@dataclass(slots=True)
class _State:
    """Large parts with their keys, and the values of the others."""

    parts: list[tuple[Hashable, Position]]
    values: list[Value]


class WholeSearch:
    """Decides positions and sums of positions; tables are kept between questions, each with at most ``entries``."""

    def __init__(self, *, seconds: float | None = None, local_nodes: int = 300, entries: int | None = None) -> None:
        self.nodes = 0
        self.local_nodes = local_nodes
        self._end = None if seconds is None else clock.now() + seconds
        self._local = LocalSearch(nodes=local_nodes, seconds=seconds, entries=entries)
        self._solver = SumSolver(seconds=seconds)
        self._memo: TranspositionTable[Hashable, bool] = TranspositionTable(entries)
        self._too_large: TranspositionTable[Hashable, bool] = TranspositionTable(entries)
        self._found: TranspositionTable[Hashable, Value] = TranspositionTable(entries)

    def wins(self, components: Iterable[Component], player: Player) -> bool:
        """Whether ``player``, moving first, wins the sum.

        Raises:
            InputError: somebody can win outright, which this search does not know.
            BudgetExceeded: the time was up, or the game is too deep.
            InputError: the sum is counted in points.
        """
        listed = list(components)
        refuse_points(listed)
        state = _State([], [])
        for component in listed:
            self._enter(state, component)
        try:
            return self._wins(state, player)
        except RecursionError:
            raise BudgetExceeded("the game is too deep for a search", budget="depth") from None

    def outcome(self, components: Iterable[Component]) -> str:
        """The outcome class ``L``, ``R``, ``N`` or ``P``."""
        listed = list(components)
        return outcome_class(self.wins(listed, Player.LEFT), self.wins(listed, Player.RIGHT))

    def _enter(self, state: _State, component: Component) -> None:
        """Add a component to a state, as values where these are in reach."""
        if isinstance(component, MarkedValue) or has_threats(component):
            raise InputError("the search of plays knows no outright wins; solve decides such sums by values")
        if isinstance(component, Value):
            state.values.append(component)
            return
        for part in component.parts():
            key, negative = part.key()
            value = self._value(part, key, negative) if self.local_nodes else None
            if value is None:
                state.parts.append(((key, negative), part))
            else:
                state.values.append(value)

    def _value(self, part: Position, key: Hashable, negative: bool) -> Value | None:
        """The value of a small part."""
        if self._too_large.get(key):
            return None
        found = self._found.get(key)
        if found is None:
            try:
                found = self._local.value(part)
            except BudgetExceeded as error:
                if error.budget == "seconds":
                    raise
                self._too_large.put(key, True, self.local_nodes)
                return None
            found = negate(found) if negative else found
            self._found.put(key, found)
        return negate(found) if negative else found

    def _wins(self, state: _State, player: Player) -> bool:
        atoms = ZERO
        games: list[Value] = []
        for g in state.values:
            if g.number_up_star is not None:
                atoms = add(atoms, g)
            elif negate(g) in games:
                games.remove(negate(g))
            else:
                games.append(g)
        if not state.parts:
            return self._solver.wins([*games, atoms], left_starts=player is Player.LEFT)
        key = (player, frozenset(_counted(k for k, _ in state.parts)), frozenset(_counted(games)), atoms)
        known = self._memo.get(key)
        if known is None:
            before = self.nodes
            self.nodes += 1
            if self.nodes & 255 == 0:
                report("searching the sum", self.nodes)
            if self._end is not None and clock.now() > self._end:
                raise BudgetExceeded("the time limit was reached before the position was decided", budget="seconds")
            known = self._expand(state.parts, [*games, atoms], player)
            self._memo.put(key, known, self.nodes - before)
        return known

    def _expand(self, parts: list[tuple[Hashable, Position]], values: list[Value], player: Player) -> bool:
        children: list[tuple[int, _State]] = []
        tried: set[Hashable] = set()
        for i, (name, part) in enumerate(parts):
            if name in tried:
                continue
            tried.add(name)
            rest = parts[:i] + parts[i + 1 :]
            for move in part.moves(player):
                child = _State(list(rest), list(values))
                self._enter(child, part.play(player, move))
                children.append((len(child.parts), child))
        for i, g in enumerate(values):
            for option in g.left if player is Player.LEFT else g.right:
                children.append((len(parts), _State(list(parts), [*values[:i], option, *values[i + 1 :]])))
        # the fewer large parts remain, the cheaper the answer
        children.sort(key=lambda pair: pair[0])
        return any(not self._wins(child, player.opponent) for _, child in children)


def _counted(names: Iterable[Hashable]) -> Iterable[tuple[Hashable, int]]:
    counts: dict[Hashable, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts.items()
