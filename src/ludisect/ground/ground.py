"""Rules -> ground rules: every fluent and move that can occur, and the propositional rules over them.

Names across this arrow: ``(true f)`` -> ``fluents[i]`` with atom ``true_atom[i]``; ``(does r m)`` -> ``moves[r][j]``
with ``does_atom``; ``(next f)``, ``(legal r m)``, ``(goal r v)``, ``terminal`` -> atoms of the same name. Atom 0 stands
for what always holds, -1 for what never does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ludisect.errors import Problem, RulesInvalidError
from ludisect.gdl.terms import Rules, Term
from ludisect.ground.encode import Names, encode
from ludisect.ground.normalize import normalize
from ludisect.ground.observe import run_clingo
from ludisect.ground.split import split as split_clauses

ALWAYS, NEVER = 0, -1

_ASKED = (
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("next", 1),
    ("does", 2),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
)

DEFAULT_SECONDS = 120.0
DEFAULT_MEMORY = 6 * 2.0**30


@dataclass(frozen=True, slots=True)
class GroundRules:
    """A propositional game. ``words`` holds the rules as ``head, size, literal…`` over atom numbers."""

    roles: tuple[str, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    initial: NDArray[np.bool_]
    true_atom: NDArray[np.int32]
    next_atom: NDArray[np.int32]
    does_atom: NDArray[np.int32]
    legal_atom: NDArray[np.int32]
    goals: tuple[tuple[int, int], ...]
    goal_atom: NDArray[np.int32]
    terminal_atom: int
    words: NDArray[np.int32]
    n_rules: int
    seconds: float


def ground(
    rules: Rules,
    *,
    split: bool = True,
    seconds: float = DEFAULT_SECONDS,
    memory: float = DEFAULT_MEMORY,
    max_rules: int | None = None,
) -> GroundRules:
    """Ground a rule sheet with clingo.

    Raises BudgetExceeded when ``seconds``, ``memory`` (bytes) or ``max_rules`` are not enough, RulesInvalidError when
    the sheet has no role or a goal that is not a number.
    """
    begin = perf_counter()
    clauses = normalize(rules)
    if split:
        clauses = split_clauses(clauses)
    names = Names()
    program = encode(clauses, names)
    wanted = {(name, arity): names.predicate(name, arity) for name, arity in _ASKED}
    found = run_clingo(
        program,
        {p: arity for (_, arity), p in wanted.items()},
        seconds=seconds,
        memory=memory,
        max_rules=max_rules,
    )
    atoms = {name: found.atoms[p] for (name, _), p in wanted.items()}

    roles = _roles(rules, [names.term(text) for text, _ in atoms["role"]])
    initial_texts = {text for text, _ in atoms["init"]}
    nexts = dict(atoms["next"])
    fluents = sorted(
        ((names.term(text), text, atom) for text, atom in atoms["true"]), key=lambda f: natural_key(str(f[0]))
    )
    role_index = {role: i for i, role in enumerate(roles)}
    legal = dict(atoms["legal"])
    moves: list[list[tuple[Term, int, int]]] = [[] for _ in roles]
    for text, atom in atoms["does"]:
        pair = names.term(f"c0({text})")  # the pair (role, move) under some name, to take it apart
        role, move = pair.args
        assert isinstance(move, Term)
        moves[role_index[str(role)]].append((move, atom, legal.get(text, NEVER)))
    for of_role in moves:
        of_role.sort(key=lambda m: natural_key(str(m[0])))
    goals, goal_atoms = _goals(rules, names, atoms["goal"], role_index)
    flat = [m for of_role in moves for m in of_role]
    return GroundRules(
        roles=tuple(roles),
        fluents=tuple(term for term, _, _ in fluents),
        moves=tuple(tuple(m for m, _, _ in of_role) for of_role in moves),
        initial=np.array([text in initial_texts for _, text, _ in fluents], np.bool_),
        true_atom=np.array([atom for _, _, atom in fluents], np.int32),
        next_atom=np.array([nexts.get(text, NEVER) for _, text, _ in fluents], np.int32),
        does_atom=np.array([atom for _, atom, _ in flat], np.int32),
        legal_atom=np.array([atom for _, _, atom in flat], np.int32),
        goals=goals,
        goal_atom=goal_atoms,
        terminal_atom=atoms["terminal"][0][1] if atoms["terminal"] else NEVER,
        words=found.words,
        n_rules=found.rules,
        seconds=perf_counter() - begin,
    )


_DIGITS = re.compile(r"(\d+)")


def natural_key(text: str) -> list[tuple[int, str]]:
    """Sorts texts with their numbers by value: ``(cell 2 1)`` before ``(cell 10 1)``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _DIGITS.split(text)]


def _roles(rules: Rules, found: list[Term]) -> list[str]:
    """The roles in the order of the sheet."""
    present = {str(role) for role in found}
    if not present:
        raise RulesInvalidError([Problem("the rules name no role", help="add for example (role white)")])
    written = [str(r.head.args[0]) for r in rules if r.head.name == "role" and r.head.args]
    ordered = [role for role in dict.fromkeys(written) if role in present]
    return ordered + sorted(present - set(ordered))


def _goals(
    rules: Rules, names: Names, atoms: list[tuple[str, int]], role_index: dict[str, int]
) -> tuple[tuple[tuple[int, int], ...], NDArray[np.int32]]:
    out: list[tuple[int, int, int]] = []
    for text, atom in atoms:
        role, value = names.term(f"c0({text})").args
        if str(role) not in role_index:
            continue  # a goal of nobody: the checks warn about it
        if not re.fullmatch(r"-?\d+", str(value)):
            place = next((r.place for r in rules if r.head.name == "goal"), None)
            raise RulesInvalidError(
                [Problem(f"goal value {str(value)!r} is not a number", place, "goal values are integers from 0 to 100")]
            )
        out.append((role_index[str(role)], int(str(value)), atom))
    out.sort()
    return tuple((r, v) for r, v, _ in out), np.array([a for _, _, a in out], np.int32)
