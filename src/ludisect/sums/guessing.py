"""The values of a sum's parts: by local search ahead, or guessed by heuristic search and marked as such."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

from ludisect.cgt import MarkedValue, Value
from ludisect.errors import InputError
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.database import Database
from ludisect.sums.deepening import Deepening, Guess, Recall
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.threatsearch import has_threats


class GuessedValues:
    """Guesses for the parts of a sum and for what they can become in a move, deepened until a limit is reached.

    Without ``seconds`` and ``depth`` as many positions are expanded as :class:`~ludisect.sums.limits.SumsLimits`
    allows. ``recall`` tells what is known exactly. With more than one of ``jobs``, every part is deepened in a process
    of its own. ``published`` is as for :class:`~ludisect.sums.deepening.Deepening`.
    """

    def __init__(
        self,
        components: Iterable[Component],
        *,
        seconds: float | None = None,
        depth: int | None = None,
        recall: Recall | None = None,
        jobs: int = 1,
        published: bool = False,
    ) -> None:
        nodes = SumsLimits.current().guess_nodes if seconds is None and depth is None else None
        self._search = Deepening(seconds=seconds, nodes=nodes, recall=recall, published=published)
        self._seconds, self._depth, self._jobs = seconds, 64 if depth is None else depth, 1 if published else jobs
        self._elsewhere = 0
        """Positions that other processes expanded."""
        self.look(components)

    def look(self, components: Iterable[Component]) -> None:
        """Search the parts of these components, too, as far as they are not known.

        Raises:
            InputError: somebody can win outright.
        """
        components = list(components)
        if any(map(has_threats, components)):
            raise InputError("an outright win is beyond every estimate: such a sum is not guessed at")
        parts = [part for x in components if isinstance(x, Position) for part in x.parts()]
        if self._jobs > 1 and len(set(parts)) > 1:
            from ludisect.sums.manycores import local_guesses  # late: it loads what processes need

            each = list(dict.fromkeys(parts))
            for known, nodes in local_guesses(each, jobs=self._jobs, seconds=self._seconds, depth=self._depth):
                self._search.learn(known)
                self._elsewhere += nodes
        else:
            for _ in self._search.deepen(parts, most=self._depth):
                pass

    @property
    def nodes(self) -> int:
        """The positions expanded so far."""
        return self._search.nodes + self._elsewhere

    def guesses(self, component: Component) -> list[Guess]:
        """The guesses for the parts of a component; a value is known as it is."""
        if isinstance(component, Value):
            return [Guess(component, 0, True)]
        assert isinstance(component, Position)  # outright wins were refused
        return [self._search.part_guess(part) for part in component.parts()]

    def all_values(self, components: Iterable[Component]) -> list[Value]:
        """The guessed values of all parts of all components.

        Raises:
            InputError: a game gives no estimate.
        """
        return [guess.value for x in components for guess in self.guesses(x)]

    def settled(self, components: Iterable[Component]) -> tuple[list[Value], MarkedValue | None]:
        """The guessed values of all parts; nobody can win outright here."""
        return self.all_values(components), None

    def first_wins(self, components: Iterable[Component], player: Player) -> bool | None:
        """Nobody can win outright here."""
        return None

    def at_most(
        self, nodes: int | None, seconds: float = float("inf"), steps: int | None = None
    ) -> AbstractContextManager[None]:
        """No limits: everything is known already."""
        return nullcontext()

    def doubts(self, components: Iterable[Component]) -> str:
        """To which depth the least known part was searched; empty if all are exact."""
        found = [guess for x in components for guess in self.guesses(x) if not guess.exact]
        depth = min((guess.depth for guess in found), default=0)
        return f"guessed: searched to depth {depth}, estimates beyond" if found else ""


def searched_ahead(
    components: Iterable[Component], *, seconds: float | None, store: Store | None, jobs: int
) -> LocalSearch:
    """A local search for a sum; with several ``jobs``, the parts are searched beside each other before anybody asks."""
    search = LocalSearch(seconds=seconds, store=store)
    parts = list(
        dict.fromkeys(part for x in components if isinstance(x, Position) and not x.outright for part in x.parts())
    )
    if jobs > 1 and len(parts) > 1:
        from ludisect.sums.manycores import local_values

        path = store.path if isinstance(store, Database) else None
        for i, value in local_values(parts, jobs=jobs, database=path, seconds=seconds):
            search.learn(parts[i], value)
    return search
