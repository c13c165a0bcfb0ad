"""A part alone, the slow and obvious way: the whole is played by its rules, and the other parts are put back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludisect.decomposition import Part
from ludisect.gdl import Interpreter, Term
from ludisect.gdl.machine import Fluents


class PartAlone:
    """The twin of ``Part.game``. ``start`` is a state of the whole, ``shown`` are the fluents that a state shows."""

    def __init__(self, part: Part, start: Fluents, shown: Iterable[Term]) -> None:
        assert part.whole is not None
        whole = part.whole
        assert whole.game.rules is not None
        self.machine = Interpreter(whole.game.rules)
        self.part, self.start = part, start
        self.shown = frozenset(shown)
        self.changing = {t for s in (part, *whole.context) for t in s.fluents} | {*whole.unseen}
        self.acting = {r: {m for s in whole.dependent for c in s.moves[r] for m in c} for r in whole.game.roles}
        self.mine = {r: {m for c in part.moves[r] for m in c} for r in whole.game.roles}
        self.at_once = whole.turns in ("simultaneous", "mixed")
        self.name = part.game.name
        self.names = dict(zip(whole.game.roles, whole.game.moves, strict=True))

    @property
    def roles(self) -> tuple[str, ...]:
        return self.machine.roles

    def initial_state(self) -> Fluents:
        return self.start & self.shown

    def _whole(self, state: Fluents) -> Fluents:
        """What is shown may change; all else is as at the start."""
        return state | (self.start - self.shown)

    def _moves(self, state: Fluents) -> dict[str, tuple[dict[Term, list[Term]], list[Term]]]:
        """Per role: the moves here with the legal moves of the whole that they stand for, and those elsewhere."""
        legal = self.machine.legal_moves(self._whole(state))
        out = {}
        for role in self.roles:
            here = {c[0]: [m for m in c if m in legal[role]] for c in self.part.moves[role]}
            here |= {m: [m] for m in legal[role] if m not in self.acting[role]}
            elsewhere = [m for m in legal[role] if m in self.acting[role] and m not in self.mine[role]]
            out[role] = {m: some for m, some in here.items() if some}, elsewhere
        return out

    def _available(self, state: Fluents) -> dict[str, dict[Term, list[Term]]]:
        out = {}
        for role, (here, elsewhere) in self._moves(state).items():
            out[role] = here
            if not here and elsewhere and self.at_once:
                gone = self.acting[role] - self.mine[role]
                out[role] = {next(m for m in self.names[role] if m in gone): elsewhere}
        return out

    def legal_moves(self, state: Fluents) -> dict[str, list[Term]]:
        return {role: sorted(here, key=str) for role, here in self._available(state).items()}

    def next_state(self, state: Fluents, moves: Mapping[str, Term]) -> Fluents:
        """By the last member of each class, as all are said to do the same."""
        available = self._available(state)
        made = {role: available[role][move][-1] for role, move in moves.items()}
        return self.machine.next_state(self._whole(state), made) & self.shown

    def is_terminal(self, state: Fluents) -> bool:
        moves = self._available(state)
        local = [m for role in self.roles for m in moves[role] if m in self.mine[role]]
        return self.machine.is_terminal(self._whole(state)) or not local or not all(moves.values())

    def goals(self, state: Fluents) -> dict[str, int | None]:
        return self.machine.goals(self._whole(state))
