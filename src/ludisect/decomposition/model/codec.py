"""A decomposition read from JSON, ours or another's, checked name by name: a slip is an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns
from ludisect.errors import InputError, LudisectError
from ludisect.gdl.digraph import cyclic
from ludisect.gdl.terms import Term

if TYPE_CHECKING:
    from ludisect.decomposition.model.decomposition import Classes, Decomposition, Part

STRUCTURES = ("single", "parallel-choice", "parallel-sync", "serial", "multiple", "mixed")


def read_json(
    game: Game, source: str | Path | Mapping[str, Any], whole: type[Decomposition], part: type[Part]
) -> Decomposition:
    """From a file, from JSON text (it begins with a brace), or from JSON already parsed, in the form that ``ludisect
    decompose --json`` prints.

    Needed is ``subgames`` with ``fluents`` each; ``kind`` (default dependent), ``useful`` (default true), ``after``,
    ``moves``, ``structure``, ``passes``, ``constant``, ``unseen`` and ``notes`` are taken if given. Raises InputError
    for unknown or repeated fluents, for fluents left out (but those that never change), and for anything that is not of
    the documented form.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a decomposition is read for a Game (what load gives), not for {type(game).__name__}")
    if not isinstance(source, Mapping | str | Path):
        raise TypeError(f"a decomposition is read from a dict, JSON text or a path, not from {type(source).__name__}")
    if isinstance(source, Mapping):
        return _Reader(game, "the decomposition", whole, part).decomposition(source)
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    where = "the text" if is_text else str(source)
    try:
        data = json.loads(str(source) if is_text else Path(source).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{where} is not JSON: it is no text") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{where} is not JSON of a decomposition: it is nested too deeply") from None
    return _Reader(game, where, whole, part).decomposition(data)


class _Reader:
    """Reads one decomposition; every message says where in the JSON the fault is."""

    def __init__(self, game: Game, where: str, whole: type[Decomposition], part: type[Part]) -> None:
        self.game, self.where, self.whole, self.part = game, where, whole, part
        self.taken: dict[int, str] = {}

    def fail(self, what: str) -> InputError:
        return InputError(f"{self.where}: {what}")

    def decomposition(self, data: Any) -> Decomposition:
        if not isinstance(data, Mapping) or not isinstance(data.get("subgames"), list):
            raise self.fail('an object with a list "subgames" is expected, as "ludisect decompose --json" prints it')
        parts = [self._part(i, s) for i, s in enumerate(data["subgames"])]
        self._check_order(parts)
        constant = self._fluents(data.get("constant", []), '"constant"')
        unseen_data = data.get("unseen") or {}
        if not isinstance(unseen_data, Mapping):
            raise self.fail('"unseen" must be an object with "fluents" and "moves"')
        unseen = self._fluents(unseen_data.get("fluents", []), '"unseen"')
        fixed = self.game.circuit.constant_fluents
        missing = [t for f, t in enumerate(self.game.fluents) if f not in self.taken and not fixed[f]]
        if missing:
            raise self.fail(f"{len(missing)} fluents are in no part: {_some(missing)}")
        structure = data.get("structure", "single" if len(parts) < 2 else "mixed")
        if structure not in STRUCTURES:
            raise self.fail(f"structure {structure!r} is not one of {', '.join(STRUCTURES)}")
        passes = data.get("passes", False)
        if not isinstance(passes, bool):
            raise self.fail('"passes" must be true or false')
        notes = data.get("notes", [])
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise self.fail('"notes" must be a list of texts')
        return self.whole(
            self.game,
            str(data.get("method", "given")),
            tuple(parts),
            turns(self.game),
            structure,
            constant_numbers=constant,
            unseen_numbers=unseen,
            unseen_move_numbers=self._unseen_moves(unseen_data.get("moves") or {}),
            notes=tuple(notes),
            passes=passes,
        )

    def _check_order(self, parts: list[Part]) -> None:
        ids = [s.id for s in parts]
        if len(set(ids)) < len(ids):
            raise self.fail("two parts have the same id")
        for s in parts:
            unknown = set(s.after) - set(ids)
            if unknown:
                raise self.fail(f"part {s.id} comes after {sorted(unknown)}, which are no ids of parts")
        around = cyclic({s.id: s.after for s in parts})
        if around:
            raise self.fail(f"part {min(around)} comes after itself, directly or by way of others")

    def _part(self, index: int, data: Any) -> Part:
        place = f"subgames[{index}]"
        if not isinstance(data, Mapping) or not isinstance(data.get("fluents"), list):
            raise self.fail(f'{place} must be an object with a list "fluents"')
        kind = data.get("kind", "dependent")
        if kind not in ("dependent", "independent"):
            raise self.fail(f'{place}: kind {kind!r} is not "dependent" or "independent"')
        after = data.get("after", [])
        if not isinstance(after, list) or not all(isinstance(a, int) for a in after):
            raise self.fail(f'{place}: "after" must be a list of ids')
        number, useful = data.get("id", index + 1), data.get("useful", True)
        if not isinstance(number, int) or isinstance(number, bool):
            raise self.fail(f"{place}: id {number!r} is not a whole number")
        if not isinstance(useful, bool):
            raise self.fail(f"{place}: useful {useful!r} is not true or false")
        fluents = self._fluents(data["fluents"], place)
        if not fluents:
            raise self.fail(f"{place} has no fluents")
        return self.part(
            id=number,
            kind=kind,
            useful=useful,
            fluent_numbers=tuple(sorted(fluents)),
            move_numbers=self._moves(data.get("moves") or {}, place),
            after=tuple(after),
        )

    def _fluents(self, names: Any, place: str) -> tuple[int, ...]:
        if not isinstance(names, list):
            raise self.fail(f"{place}: a list of fluents is expected")
        out = []
        for name in names:
            index = self.game.fluent_index.get(self._term(name, place))
            if index is None:
                raise self.fail(f"{place}: {name} is no fluent of {self.game.name}; {self._hint(str(name))}")
            if index in self.taken:
                raise self.fail(f"{name} is in {place} and in {self.taken[index]}: a fluent belongs to one part")
            self.taken[index] = place
            out.append(index)
        return tuple(out)

    def _term(self, name: Any, place: str) -> Term:
        try:
            if isinstance(name, str):
                return Term.parse(name)
        except LudisectError:
            pass
        raise self.fail(f"{place}: {name!r} is not a KIF term such as (cell 1 1 b)")

    def _hint(self, name: str) -> str:
        symbol = name.strip("() ").split(" ")[0]
        near = [t for t in self.game.fluents if t.name.lower() == symbol.lower()] or list(self.game.fluents)
        return f"it has {_some(near)}"

    def _moves(self, data: Any, place: str) -> tuple[Classes, ...]:
        if not isinstance(data, Mapping):
            raise self.fail(f'{place}: "moves" must be an object with a list of classes per role')
        unknown = [role for role in data if role not in self.game.roles]
        if unknown:
            raise self.fail(f"{place}: {unknown[0]!r} is no role; roles are {', '.join(self.game.roles)}")
        out: list[Classes] = []
        for r, role in enumerate(self.game.roles):
            classes: list[tuple[int, ...]] = []
            seen: set[int] = set()
            given = data.get(role, [])
            if not isinstance(given, list) or not all(isinstance(members, list) for members in given):
                raise self.fail(f"{place}: the moves of {role} must be a list of lists of moves")
            for members in given:
                indices = []
                for name in members:
                    index = self.game.move_index[r].get(self._term(name, place))
                    if index is None:
                        raise self.fail(f"{place}: {name} is no move of {role}")
                    if index in seen:
                        raise self.fail(f"{place}: {name} is in two local moves of {role}")
                    seen.add(index)
                    indices.append(index)
                classes.append(tuple(indices))
            out.append(tuple(classes))
        return tuple(out)

    def _unseen_moves(self, data: Any) -> tuple[tuple[int, int], ...]:
        if not isinstance(data, Mapping) or not all(isinstance(moves, list) for moves in data.values()):
            raise self.fail('"unseen": "moves" must be an object with a list of moves per role')
        each = self._moves({role: [[name] for name in moves] for role, moves in data.items()}, '"unseen"')
        return tuple((r, m) for r, moves in enumerate(each) for (m,) in moves)


def _some(terms: list[Term]) -> str:
    return ", ".join(map(str, terms[:4])) + (", …" if len(terms) > 4 else "")
