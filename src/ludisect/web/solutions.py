"""Processes that keep what was found out about a game, its solution or its graph, for the next question."""

from __future__ import annotations

from collections import OrderedDict

from ludisect.web.limits import WebLimits
from ludisect.web.warm import Forked, Warm


class Solutions:
    """At most a few processes, one for a game."""

    def __init__(self, warm: Warm, name: str) -> None:
        self._warm, self._name = warm, name
        self._kept: OrderedDict[str, Forked] = OrderedDict()

    async def process(self, game: str) -> Forked:
        """The process of a game, which may know its solution already; or a new one."""
        found = self._kept.get(game)
        if found is not None and found.alive and not found.turn.locked():
            self._kept.move_to_end(game)
            return found
        forked = await self._warm.fork(self._name)
        old = self._kept.pop(game, None)
        if old is not None and not old.turn.locked():
            await old.end()
        self._kept[game] = forked
        while len(self._kept) > WebLimits.current().solutions_kept:
            place = next((name for name, one in self._kept.items() if not one.turn.locked()), None)
            if place is None:
                break
            await self._kept.pop(place).end()
        return forked

    def keeps(self, forked: Forked) -> bool:
        """Whether a process stays for the next position: it is well, and not too large."""
        fits = forked.alive and forked.memory <= WebLimits.current().solutions_memory
        if not fits:
            for name, one in list(self._kept.items()):
                if one is forked:
                    del self._kept[name]
        return fits and any(one is forked for one in self._kept.values())
