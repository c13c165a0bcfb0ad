"""Rules -> ground rules: every fluent and move that can occur, and the propositional rules over them.

Names across this arrow: ``(true f)`` -> ``fluents[i]`` with atom ``true_atom[i]``; ``(does r m)`` -> ``moves[r][j]``
with ``does_atom``; ``(next f)``, ``(legal r m)``, ``(goal r v)``, ``terminal`` -> atoms of the same name. Atom 0 stands
for what always holds, -1 for what never does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.errors import BudgetExceeded, Problem, RulesInvalidError
from ludisect.gdl.terms import Rules, Term
from ludisect.ground.access import Atoms
from ludisect.ground.atoms import NaturalOrder, Terms
from ludisect.ground.demand import needed, restrict
from ludisect.ground.encode import Names, encode
from ludisect.ground.growth import Argument, growing
from ludisect.ground.limits import GroundLimits
from ludisect.ground.normalize import normalize
from ludisect.ground.observe import Grounding, run_clingo
from ludisect.ground.rewriting import known_fluents, open_inequalities
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
    demand: bool = False,
    seconds: float | None = None,
    memory: float = DEFAULT_MEMORY,
    max_rules: int | None = None,
) -> GroundRules:
    """Ground a rule sheet with clingo, its rules split (see ``split``), or split and restricted (see ``demand``).

    Raises BudgetExceeded when ``seconds``, ``memory`` (bytes) or ``max_rules`` are not enough; where terms may grow
    without end (see ``growth``), a lower limit on rules holds, and the error says so. Raises RulesInvalidError when the
    sheet has no role or a goal that is not a number.
    """
    begin = clock.now()
    clauses = needed(known_fluents(normalize(rules)))
    endless = growing(clauses)
    if demand:
        clauses = restrict(split_clauses(open_inequalities(clauses)))
    elif split:
        clauses = split_clauses(clauses)
    names = Names()
    program = encode(clauses, names)
    wanted = {(name, arity): names.predicate(name, arity) for name, arity in _ASKED}
    arities = {p: arity for (_, arity), p in wanted.items()}
    found = _run(program, arities, endless, seconds, memory, max_rules)
    atoms = {name: found.atoms[p] for (name, _), p in wanted.items()}
    terms, order = Terms(names, found.access), NaturalOrder()

    roles = _roles(rules, [terms.term(symbol) for (symbol,) in atoms["role"]])
    fluents = sorted(
        ((terms.term(args[0]), args, atom) for args, atom in atoms["true"].items()), key=lambda f: order.key(f[0])
    )
    role_index = {role: i for i, role in enumerate(roles)}
    moves = _moves(terms, order, atoms["does"], atoms["legal"], role_index)
    goals, goal_atoms = _goals(rules, terms, atoms["goal"], role_index)
    flat = [m for of_role in moves for m in of_role]
    return GroundRules(
        roles=tuple(roles),
        fluents=tuple(term for term, _, _ in fluents),
        moves=tuple(tuple(m for m, _, _ in of_role) for of_role in moves),
        initial=np.array([args in atoms["init"] for _, args, _ in fluents], np.bool_),
        true_atom=np.array([atom for _, _, atom in fluents], np.int32),
        next_atom=np.array([atoms["next"].get(args, NEVER) for _, args, _ in fluents], np.int32),
        does_atom=np.array([atom for _, atom, _ in flat], np.int32),
        legal_atom=np.array([atom for _, _, atom in flat], np.int32),
        goals=goals,
        goal_atom=goal_atoms,
        terminal_atom=atoms["terminal"].get((), NEVER),
        words=found.words,
        n_rules=found.rules,
        seconds=clock.now() - begin,
    )


def _run(
    program: str,
    arities: dict[str, int],
    endless: list[Argument],
    seconds: float | None,
    memory: float,
    max_rules: int | None,
) -> Grounding:
    """Run the grounder; where terms may grow without end, up to a lower limit and with an error that says so."""
    if not endless:
        return run_clingo(program, arities, seconds=seconds, memory=memory, max_rules=max_rules)
    most = GroundLimits.current().ground_growing_rules
    most = most if max_rules is None else min(most, max_rules)
    try:
        return run_clingo(program, arities, seconds=seconds, memory=memory, max_rules=most)
    except BudgetExceeded as error:
        what = f"{error}; the terms of {', '.join(map(str, endless[:3]))} may grow without end"
        help = "a literal that binds ?x to finitely many values would end that"
        raise BudgetExceeded(f"{what}: {help}", budget=error.budget) from None


def _roles(rules: Rules, found: list[Term]) -> list[str]:
    """The roles in the order of the sheet."""
    present = {str(role) for role in found}
    if not present:
        raise RulesInvalidError([Problem("the rules name no role", help="add for example (role white)")])
    written = [str(r.head.args[0]) for r in rules if r.head.name == "role" and r.head.args]
    ordered = [role for role in dict.fromkeys(written) if role in present]
    return ordered + sorted(present - set(ordered))


def _moves(
    terms: Terms, order: NaturalOrder, does: Atoms, legal: Atoms, role_index: dict[str, int]
) -> list[list[tuple[Term, int, int]]]:
    """Per role its moves in order, each with the atoms that say it is made and that it is legal."""
    out: list[list[tuple[Term, int, int]]] = [[] for _ in role_index]
    for args, atom in does.items():
        of_role = out[role_index[str(terms.term(args[0]))]]
        of_role.append((terms.term(args[1]), atom, legal.get(args, NEVER)))
    for of_role in out:
        of_role.sort(key=lambda m: order.key(m[0]))
    return out


def _goals(
    rules: Rules, terms: Terms, atoms: Atoms, role_index: dict[str, int]
) -> tuple[tuple[tuple[int, int], ...], NDArray[np.int32]]:
    out: list[tuple[int, int, int]] = []
    for args, atom in atoms.items():
        role, value = (terms.term(symbol) for symbol in args)
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
