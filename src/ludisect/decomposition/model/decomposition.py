"""What a decomposition is: parts, context, glue, evidence, and the JSON that carries them.

Names across this arrow: ``Part.fluents`` and ``Part.moves`` are terms; ``fluent_numbers`` and ``move_numbers``, which
everything inside works on, are their places in ``Game.fluents`` and ``Game.moves[role]``; JSON has KIF text.
``Part.kind`` counts as ``action_dependent`` and ``action_independent`` there.

>>> import ludisect
>>> parts = ludisect.decompose(ludisect.load("nim:1,2"))
>>> parts
<Decomposition of nim:1,2: 2 dependent parts, 1 independent, parallel-choice, proved (method exact)>
>>> for part in parts:
...     print(part)
1. dependent: (heap a *)
2. dependent: (heap b *)
3. independent: (control *)
>>> len(parts), parts[2]
(3, <Part 2 of nim:1,2: dependent, 3 fluents: (heap b *)>)
>>> [str(fluent) for fluent in parts[2].fluents]
['(heap b 0)', '(heap b 1)', '(heap b 2)']
>>> parts[2].moves["player1"]
((Term.parse('(reduce b 0)'),), (Term.parse('(reduce b 1)'),))
>>> Decomposition.from_json(parts.game, parts.to_json()) == parts
True
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.turns import Turns
from ludisect.decomposition.model.codec import read_json
from ludisect.decomposition.model.names import patterns, spelled
from ludisect.decomposition.model.partgame import Cutout, part_game
from ludisect.errors import InputError, UnknownPart
from ludisect.gdl.byrole import ByRole
from ludisect.gdl.terms import Term

if TYPE_CHECKING:
    from ludisect.decomposition.model.dependency import DependencyGraph

Kind = Literal["dependent", "independent"]
Structure = Literal["single", "parallel-choice", "parallel-sync", "serial", "multiple", "mixed"]
Status = Literal["proved", "tested", "failed"]
Method = Literal["symbols", "instances", "playouts", "exact"]

Classes = tuple[tuple[int, ...], ...]
"""Local moves of one role: each a class of global moves (indices) with the same effect in the part."""

REPR = 120
"""Characters of a part's ``repr``."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One part: its fluents, its local moves per role, and its place in the whole.

    ``kind`` is "dependent" if play can influence it, "independent" if it runs by itself (turn markers, counters).
    ``after`` names the parts that have to be over before this one begins. ``useful`` says whether the score, the
    end of the game, or the start of a useful part can depend on it. ``whole`` is the decomposition that it is a part
    of; a part gets it when that is made, and without it has numbers but no terms.
    """

    id: int
    kind: Kind
    useful: bool
    fluent_numbers: tuple[int, ...]
    move_numbers: tuple[Classes, ...] = ()
    after: tuple[int, ...] = ()
    whole: Decomposition | None = field(default=None, repr=False)

    @property
    def fluents(self) -> tuple[Term, ...]:
        """Its fluents."""
        names = self._within.game.fluents
        return tuple(names[f] for f in self.fluent_numbers)

    @property
    def moves(self) -> ByRole[tuple[tuple[Term, ...], ...]]:
        """Per role: its local moves, each the tuple of all moves of the whole that do the same here. Moves that do
        nothing here are in none."""
        game = self._within.game
        given = self.move_numbers or tuple(() for _ in game.roles)
        return ByRole(
            {
                role: tuple(tuple(names[m] for m in members) for members in classes)
                for role, names, classes in zip(game.roles, game.moves, given, strict=True)
            }
        )

    @property
    def patterns(self) -> list[str]:
        """Its fluents in short: ``(cell1 * * *)`` for twenty-seven of them."""
        return patterns(self._within.game, self.fluent_numbers)

    @property
    def name(self) -> str:
        """Its patterns as one text."""
        return " ".join(self.patterns)

    @property
    def game(self) -> Game:
        """The part as a game of its own (see ``partgame`` for what end and goals mean there)."""
        whole = self._within
        if self.kind == "independent":
            raise InputError(f"part {self.id} of {whole.game.name} runs by itself: there is nothing to play")
        return whole.game_of(self)

    @property
    def _within(self) -> Decomposition:
        if self.whole is None:
            raise InputError(f"part {self.id} belongs to no decomposition yet, and so has numbers, but no terms")
        return self.whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Part):
            return NotImplemented
        if self._key != other._key:
            return False
        mine, theirs = (p.whole and p.whole.game for p in (self, other))
        if mine is theirs or mine is None or theirs is None:
            return mine is theirs
        return self.fluents == other.fluents and self.moves == other.moves

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.id, self.kind, self.useful, self.fluent_numbers, self.move_numbers, self.after

    def __str__(self) -> str:
        after = f", after {', '.join(map(str, self.after))}" if self.after else ""
        return f"{self.id}. {self._kind}{after}: {self.name}"

    def __repr__(self) -> str:
        size = f"{self._kind}, {len(self.fluent_numbers)} fluents"
        if self.whole is None:
            return f"<Part {self.id} of no decomposition yet: {size}>"
        text = f"Part {self.id} of {self.whole.game.name}: {size}: {self.name}"
        return f"<{textwrap.shorten(text, REPR, placeholder=' …')}>"

    @property
    def _kind(self) -> str:
        return self.kind if self.useful else f"{self.kind}, useless"


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


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
    """The parts of a game, how they are glued, and the evidence for it.

    It is a collection of its parts: ``parts[1]`` is the one that is printed with that number. Every fluent is in
    exactly one part, or in ``constant`` (it never changes), or in ``unseen`` (a sampling method never saw it change
    and does not place it). Two decompositions are equal if they say the same of the same game, however it was found.
    """

    game: Game
    method: str
    parts: tuple[Part, ...]
    turns: Turns
    structure: Structure
    evidence: Evidence | None = None
    """None if nobody verified it."""
    constant_numbers: tuple[int, ...] = ()
    unseen_numbers: tuple[int, ...] = ()
    unseen_move_numbers: tuple[tuple[int, int], ...] = ()
    """(role, move) pairs that no playout made."""
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    graph: DependencyGraph | None = None
    passes: bool = False
    """Where parts are moved in at once: whether a role may leave one alone in which it could act."""
    stopped: bool = False
    """Whether time ended it: the evidence holds for these parts, and there may be finer ones."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(replace(s, whole=self) for s in self.parts))

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not what can be found again

    # ---- a collection of parts ----

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, number: int) -> Part:
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"a part is asked for by its number, not by {number!r}")
        for s in self.parts:
            if s.id == number:
                return s
        raise UnknownPart(f"{self.game.name} has no part {number}; {self._numbers()}")

    def _numbers(self) -> str:
        ids = [s.id for s in self.parts]
        if ids == list(range(1, len(ids) + 1)) and len(ids) > 2:
            return f"its parts are 1 to {len(ids)}"
        return f"it has {', '.join(map(str, ids)) or 'none'}"

    @property
    def dependent(self) -> tuple[Part, ...]:
        """The parts that play can influence."""
        return tuple(s for s in self.parts if s.kind == "dependent")

    @property
    def context(self) -> tuple[Part, ...]:
        """The parts that run by themselves: turn markers, counters."""
        return tuple(s for s in self.parts if s.kind == "independent")

    @property
    def in_step(self) -> bool:
        """Whether every move acts in all parts in which one can act."""
        return self.structure == "parallel-sync" and not self.passes

    @property
    def useless(self) -> int:
        """How many dependent parts matter for nothing."""
        return sum(not s.useful for s in self.dependent)

    @property
    def counts(self) -> tuple[int, int, int]:
        """(action-dependent, useless among them, action-independent)."""
        return len(self.dependent), self.useless, len(self.context)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decomposition):
            return NotImplemented
        return (
            self.parts == other.parts
            and (self.game.roles, self.turns) == (other.game.roles, other.turns)
            and (self.structure, self.passes) == (other.structure, other.passes)
            and {*self.constant} == {*other.constant}
            and {*self.unseen} == {*other.unseen}
            and {r: {*m} for r, m in self.unseen_moves.items()} == {r: {*m} for r, m in other.unseen_moves.items()}
        )

    def __hash__(self) -> int:
        return hash(self.parts)

    def game_of(self, part: Part) -> Game:
        """The game of one of its parts, made once: ``Part.game``."""
        if part.id not in self._games:
            others = [s for s in self.dependent if s.id != part.id]
            alone = Cutout(
                part.fluent_numbers,
                part.move_numbers,
                [f for s in others for f in s.fluent_numbers],
                [s.move_numbers for s in others],
                at_once=self.turns in ("simultaneous", "mixed"),
                later=bool(part.after),
            )
            self._games[part.id] = part_game(self.game, f"{self.game.name}, part {part.id}", alone)
        return self._games[part.id]

    @cached_property
    def _games(self) -> dict[int, Game]:
        return {}

    # ---- terms and numbers ----

    @property
    def constant(self) -> tuple[Term, ...]:
        """The fluents that never change."""
        return tuple(self.game.fluents[f] for f in self.constant_numbers)

    @property
    def unseen(self) -> tuple[Term, ...]:
        """The fluents that a sampling method never saw change and does not place."""
        return tuple(self.game.fluents[f] for f in self.unseen_numbers)

    @property
    def unseen_moves(self) -> ByRole[tuple[Term, ...]]:
        """Per role: the moves that no playout made."""
        return ByRole(
            {
                role: tuple(names[m] for q, m in self.unseen_move_numbers if q == r)
                for r, (role, names) in enumerate(zip(self.game.roles, self.game.moves, strict=True))
            }
        )

    @property
    def context_numbers(self) -> tuple[int, ...]:
        """All fluents of the context, sorted."""
        return tuple(sorted(f for s in self.context for f in s.fluent_numbers))

    def part_of(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Per fluent: index into ``parts``, or -1."""
        out = np.full(len(self.game.fluents), -1, np.int64)
        for i, s in enumerate(self.parts):
            out[list(s.fluent_numbers)] = i
        return out

    # ---- text, pictures, JSON ----

    def __str__(self) -> str:
        return "\n".join([self._head, *(f"  {s}" for s in self.parts)])

    def __repr__(self) -> str:
        return f"<Decomposition of {self._head}>"

    @property
    def _head(self) -> str:
        dependent, useless, independent = self.counts
        status = str(self.evidence.status) if self.evidence else "not verified"
        status += ", stopped by the limit on time" * self.stopped
        return (
            f"{self.game.name}: {dependent} dependent part{'s' * (dependent != 1)}"
            + (f" ({useless} useless)" if useless else "")
            + f", {independent} independent, {self.structure}, {status} (method {self.method})"
        )

    def _repr_svg_(self) -> str:
        from ludisect.draw.drawing import decomposition_svg

        return decomposition_svg(self)

    def draw(self, path: str) -> None:
        """Write the picture: SVG, or an HTML page, by the ending of the name."""
        from ludisect.draw.drawing import write_picture

        write_picture(self, path)

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect decompose --json``."""
        dependent, useless, independent = self.counts
        out: dict[str, Any] = {
            "game": self.game.name,
            "method": self.method,
            "roles": list(self.game.roles),
            "turns": self.turns,
            "structure": self.structure,
            "action_dependent": dependent,
            "useless": useless,
            "action_independent": independent,
            "subgames": [_part_json(self.game, s) for s in self.parts],
            "evidence": None if self.evidence is None else self.evidence.to_json(),
            "seconds": {k: round(v, 4) for k, v in self.seconds.items()},
        }
        out["constant"] = [spelled(self.game, t) for t in self.constant]
        if self.unseen or self.unseen_move_numbers:
            out["unseen"] = {
                "fluents": [spelled(self.game, t) for t in self.unseen],
                "moves": {role: [spelled(self.game, t) for t in moves] for role, moves in self.unseen_moves.items()},
            }
        out |= {name: True for name in ("passes", "stopped") if getattr(self, name)}
        if self.notes:
            out["notes"] = list(self.notes)
        return out

    @staticmethod
    def from_json(game: Game, data: Mapping[str, Any] | str | Path) -> Decomposition:
        """A decomposition of a game, ours or another's, from what ``to_json`` gives: a dict, JSON text, or a file.

        Its evidence is not believed: ``verify`` finds it anew. Raises InputError for whatever does not fit the game.
        """
        return read_json(game, data, Decomposition, Part)


def _part_json(game: Game, s: Part) -> dict[str, Any]:
    return {
        "id": s.id,
        "kind": s.kind,
        "useful": s.useful,
        "after": list(s.after),
        "fluents": [spelled(game, t) for t in s.fluents],
        "moves": {
            role: [[spelled(game, t) for t in members] for members in classes] for role, classes in s.moves.items()
        },
    }
