"""`RuleBoards`: any state of a game as boards with pieces and parts, and where its legal moves are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import BoardData, BoardPiece, MoveData, Where, as_json
from ludisect.draw.contents import tells_free
from ludisect.draw.layers import RuleLayers
from ludisect.draw.limits import DrawLimits
from ludisect.draw.rulemoves import Changed, changes, where
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term

_SIDES = ("first", "second")


class RuleBoards:
    """The boards of a game, found once; then of any state what lies on them, and where moves are made.

    With a decomposition every square and move has its part.
    """

    def __init__(self, game: Any, parts: Decomposition | None = None, known: Iterable[Term] = ()) -> None:
        self.game = game
        self.seen = RuleLayers(game, parts, known)

    def boards(self, state: State[Any]) -> list[BoardData]:
        """What lies on the boards, and what was put there last."""
        out = [self.seen.board(layers, state.fluents) for layers in self.seen.layers]
        for b, piece in self._placed(state):
            covered = set(piece.cells) if piece.glyph else set()
            squares = tuple(replace(s, glyph="") if s.at in covered else s for s in out[b].squares)
            out[b] = replace(out[b], pieces=(*out[b].pieces, piece), squares=squares)
        return out

    def _placed(self, state: State[Any]) -> list[tuple[int, BoardPiece]]:
        """What moves have put on several free squares at once, and where the last was made."""
        before, out = self.seen.start, []
        for number, joint in enumerate(state.moves_made, 1):
            after: Fluents = self.game.next_state(before, dict(joint))
            last = number == len(state.moves_made)
            choosing = [role for role, legal in self.game.legal_moves(before).items() if len(legal) > 1]
            for role in choosing or self.game.roles[:1]:
                if len(choosing) > 1 and not last:
                    continue
                found = where(self.seen, joint[role], before, after if len(choosing) < 2 else None, {})
                if found.board is None:
                    continue
                laid = found.kind == "edge" and any(map(tells_free, self.seen.layers[found.board].boards))
                side = self.game.roles.index(role)
                glyph = f"domino-{_SIDES[side]}" if laid and side < len(_SIDES) else ""
                if glyph or last:
                    out.append((found.board, BoardPiece(found.cells, role, glyph, last)))
            before = after
        return out if before == state.fluents else []

    # ---- moves ----

    def moves(self, state: State[Any]) -> list[MoveData]:
        """The legal moves of every role, and where each is made."""
        out = []
        for role, legal in state.legal.items():
            for move, place in zip(legal, self._wheres(state, role, legal), strict=True):
                found = self._part_of_move.get((role, move), set())
                out.append(MoveData(role, str(move), next(iter(found)) if len(found) == 1 else None, place))
        return out

    def _wheres(self, state: State[Any], role: str, legal: Sequence[Term]) -> list[Where]:
        """Moves are tried out, with the first legal move of every other role: what all of them change counts little."""
        others = {other: moves for other, moves in state.legal.items() if other != role}
        if len(legal) == 1 and not legal[0].args:
            return [Where()]  # what happens now is not this role's doing
        afters: Mapping[Term, Fluents] = {}
        common: Changed = {}
        chosen = len(legal) > 1 or all(len(moves) == 1 for moves in others.values())
        if chosen and len(legal) <= DrawLimits.current().boards_tried and all(others.values()):
            joint = {other: moves[0] for other, moves in others.items()}
            afters = {move: self.game.next_state(state.fluents, {**joint, role: move}) for move in legal}
            every = [changes(self.seen, state.fluents, after) for after in afters.values()] if len(legal) > 1 else []
            for board in range(len(self.seen.layers)):
                common[board] = set.intersection(*(one.get(board, set()) for one in every)) if every else set()
        return [where(self.seen, move, state.fluents, afters.get(move), common) for move in legal]

    @cached_property
    def _part_of_move(self) -> dict[tuple[str, Term], set[int]]:
        out: dict[tuple[str, Term], set[int]] = {}
        parts = self.seen.parts
        for part in parts.parts if parts is not None else ():
            if part.kind == "dependent":
                for role, classes in part.moves.items():
                    for members in classes:
                        for move in members:
                            out.setdefault((role, move), set()).add(part.id)
        return out

    def to_json(self, state: State[Any]) -> dict[str, Any]:
        """Boards and moves."""
        return as_json(self.boards(state), self.moves(state))
