"""``Answer``: what a search found out about a game, how it is known, and its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludisect.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of a position for every role, a best move for every role that has a choice, and the reasons.

    ``value`` holds None where the value is not known; ``bounds`` then holds (least, greatest) where those are. ``why``
    has one line per part, in words that a player understands. ``exact`` is true only if the value is that of the whole
    game under the rule of play that ``algorithm`` names; what it rests on stands in ``notes``.
    """

    game: str
    algorithm: str
    exact: bool
    value: Mapping[str, float | None]
    move: Mapping[str, Term] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    mixed: Mapping[str, Mapping[Term, float]] = field(default_factory=dict)
    """Per role, the odds of its best mixed strategy, where no single move is best against everything."""
    nodes: int = 0
    seconds: float = 0.0
    why: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.game}: {self._values()} ({self.algorithm}, {'exact' if self.exact else 'not exact'})"]
        lines += [f"  {role} plays {move}" for role, move in self.move.items()]
        lines += [
            f"  {role} mixes " + ", ".join(f"{move} {odds:.3f}" for move, odds in some.items())
            for role, some in self.mixed.items()
        ]
        lines += [f"  {line}" for line in self.why]
        lines += [f"  note: {line}" for line in self.notes]
        return "\n".join(lines)

    def _values(self) -> str:
        out = []
        for role, value in self.value.items():
            if value is not None:
                out.append(f"{role} {value:g}")
            elif role in self.bounds:
                out.append(f"{role} between {self.bounds[role][0]:g} and {self.bounds[role][1]:g}")
            else:
                out.append(f"{role} unknown")
        return ", ".join(out)

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect solve --json``."""
        out: dict[str, Any] = {
            "game": self.game,
            "algorithm": self.algorithm,
            "exact": self.exact,
            "value": {role: plain(value) for role, value in self.value.items()},
            "move": {role: str(move) for role, move in self.move.items()},
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
            "parts": list(self.why),
        }
        if self.bounds:
            out["bounds"] = {role: [plain(low), plain(high)] for role, (low, high) in self.bounds.items()}
        if self.mixed:
            out["mixed"] = {
                role: {str(move): round(odds, 6) for move, odds in some.items()} for role, some in self.mixed.items()
            }
        if self.notes:
            out["notes"] = list(self.notes)
        return out


def plain(value: float | None) -> float | int | None:
    """A goal as rules write it: whole numbers without a point."""
    return None if value is None else int(value) if float(value).is_integer() else float(value)
