"""What a decomposition is: parts, context, glue, evidence, and the JSON that carries them.

Names across this arrow: fluents and moves are indices into ``Game.fluents`` and ``Game.moves[role]`` inside, and KIF
terms in JSON. ``Part.kind`` counts as ``action_dependent`` and ``action_independent`` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.turns import Turns
from ludisect.decomposition.model.names import patterns

if TYPE_CHECKING:
    from ludisect.decomposition.model.dependency import DependencyGraph

Kind = Literal["dependent", "independent"]
Structure = Literal["single", "parallel-choice", "parallel-sync", "serial", "multiple", "mixed"]
Status = Literal["proved", "tested", "failed"]
Method = Literal["symbols", "instances", "playouts", "exact"]

Classes = tuple[tuple[int, ...], ...]
"""Local moves of one role: each a class of global moves (indices) with the same effect in the part."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its fluents, its local moves per role, and its place in the whole.

    ``kind`` is "dependent" if play can influence it, "independent" if it runs by itself (turn markers, counters).
    ``after`` names the parts that have to be over before this one begins. ``useful`` says whether the score, the
    end of the game, or the start of a useful part can depend on it.
    """

    id: int
    kind: Kind
    useful: bool
    fluent_numbers: tuple[int, ...]
    move_numbers: tuple[Classes, ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two situations that a right decomposition would treat alike: a person can replay both.

    ``condition`` is 1 (transition), 2 (availability), 3 (free choice) or 4 (evaluation). Each situation is a dict with
    ``state``, ``moves`` (the joint move, where one was made) and ``next`` as KIF text.
    """

    condition: int
    part: int
    what: str
    situations: tuple[Mapping[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """As in ``evidence.counterexample``."""
        return {
            "condition": self.condition,
            "subgame": self.part,
            "what": self.what,
            "situations": [dict(s) for s in self.situations],
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far a decomposition can be trusted. ``claims`` says per claim what was proved and what was only tested."""

    status: Status
    transitions: int = 0
    counterexample: Counterexample | None = None
    claims: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As in the JSON of ``decompose``."""
        out: dict[str, Any] = {
            "status": self.status,
            "transitions": self.transitions,
            "counterexample": None if self.counterexample is None else self.counterexample.to_json(),
        }
        if self.claims:
            out["claims"] = dict(self.claims)
        return out


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The parts of a game, how they are glued, and the evidence for it.

    Every fluent is in exactly one part, or in ``constant`` (it never changes), or in ``unseen`` (a sampling method
    never saw it change and does not place it).
    """

    game: Game
    method: str
    parts: tuple[Part, ...]
    turns: Turns
    structure: Structure
    evidence: Evidence | None = None
    """None if nobody verified it."""
    constant: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()
    unseen_moves: tuple[tuple[int, int], ...] = ()
    """(role, move) pairs that no playout made."""
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    graph: DependencyGraph | None = None

    @property
    def dependent(self) -> tuple[Part, ...]:
        """The parts that play can influence."""
        return tuple(s for s in self.parts if s.kind == "dependent")

    @property
    def context(self) -> tuple[Part, ...]:
        """The parts that run by themselves: turn markers, counters."""
        return tuple(s for s in self.parts if s.kind == "independent")

    @property
    def context_fluents(self) -> tuple[int, ...]:
        """All fluents of the context, sorted."""
        return tuple(sorted(f for s in self.context for f in s.fluent_numbers))

    @property
    def useless(self) -> int:
        """How many dependent parts matter for nothing."""
        return sum(not s.useful for s in self.dependent)

    @property
    def counts(self) -> tuple[int, int, int]:
        """(action-dependent, useless among them, action-independent)."""
        return len(self.dependent), self.useless, len(self.context)

    def part_of(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Per fluent: index into ``parts``, or -1."""
        out = np.full(len(self.game.fluents), -1, np.int64)
        for i, s in enumerate(self.parts):
            out[list(s.fluent_numbers)] = i
        return out

    def __str__(self) -> str:
        dependent, useless, independent = self.counts
        status = self.evidence.status if self.evidence else "not verified"
        lines = [
            f"{self.game.name}: {dependent} dependent part{'s' * (dependent != 1)}"
            + (f" ({useless} useless)" if useless else "")
            + f", {independent} independent, {self.structure}, {status} (method {self.method})"
        ]
        lines += [f"  {describe(self, s)}" for s in self.parts]
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        from ludisect.draw.drawing import decomposition_svg

        return decomposition_svg(self)

    def part(self, number: int) -> Game:
        """The part with that id as a game of its own (see ``partgame``)."""
        from ludisect.decomposition.model.partgame import part_game

        return part_game(self, number)

    def draw(self, path: str) -> None:
        """Write the picture: SVG, or an HTML page, by the ending of the name."""
        from ludisect.draw.drawing import write_picture

        write_picture(self, path)

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect decompose --json``."""
        game = self.game
        dependent, useless, independent = self.counts
        out: dict[str, Any] = {
            "game": game.name,
            "method": self.method,
            "roles": list(game.roles),
            "turns": self.turns,
            "structure": self.structure,
            "action_dependent": dependent,
            "useless": useless,
            "action_independent": independent,
            "subgames": [_part_json(game, s) for s in self.parts],
            "evidence": None if self.evidence is None else self.evidence.to_json(),
            "seconds": {k: round(v, 4) for k, v in self.seconds.items()},
        }
        if self.constant:
            out["constant"] = [str(game.fluents[f]) for f in self.constant]
        if self.unseen or self.unseen_moves:
            out["unseen"] = {
                "fluents": [str(game.fluents[f]) for f in self.unseen],
                "moves": {
                    role: [str(game.moves[r][m]) for q, m in self.unseen_moves if q == r]
                    for r, role in enumerate(game.roles)
                },
            }
        if self.notes:
            out["notes"] = list(self.notes)
        return out


def _part_json(game: Game, s: Part) -> dict[str, Any]:
    return {
        "id": s.id,
        "kind": s.kind,
        "useful": s.useful,
        "after": list(s.after),
        "fluents": [str(game.fluents[f]) for f in s.fluent_numbers],
        "moves": {
            role: [[str(game.moves[r][m]) for m in members] for members in classes]
            for r, (role, classes) in enumerate(zip(game.roles, s.move_numbers, strict=False))
        },
    }


def describe(parts: Decomposition, s: Part) -> str:
    """One line about a part: its number, kind, and the patterns of its fluents."""
    kind = s.kind if s.useful else f"{s.kind}, useless"
    after = f", after {', '.join(map(str, s.after))}" if s.after else ""
    return f"{s.id}. {kind}{after}: {' '.join(patterns(parts.game, s.fluent_numbers))}"
