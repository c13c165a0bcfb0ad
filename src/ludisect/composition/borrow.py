"""A rule sheet that somebody wrote, taken as a part: its turn marker and counters become shared context.

What runs by itself is read off the circuit: fluents whose next value reads neither a move nor a fluent outside. A set
of them that runs through as many values as there are roles is the turn; the rest are counters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.turns import turns
from ludisect.composition.limits import CompositionLimits
from ludisect.composition.part import Clock, LocalGame, Turns
from ludisect.composition.rename import Renaming, atoms
from ludisect.errors import InputError
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl.terms import Rule, Rules, Term, Variable
from ludisect.loader import load

Symbol = tuple[str, int]


def borrow(name: str, *, roles: tuple[str, ...] | None = None) -> tuple[LocalGame, tuple[str, ...], Turns]:
    """A game as a part, with its roles and turns; ``roles`` are other names for them, in order.

    Raises InputError for games that cannot be one part of a compound, with the reason.
    """
    rules = find_rules(name)
    if bundled.is_bundled(name) and bundled.describe(name).parts.dependent != 1:
        count = bundled.describe(name).parts.dependent
        raise InputError(f"{name} has {count} parts by itself; compose takes games of one part, and glues them")
    if roles is not None:
        rules = _with_roles(rules, roles)
    _no_variable_fluents(rules)
    game = load(rules)
    kind = turns(game)
    if kind == "mixed":
        raise InputError(f"in {name} sometimes one role and sometimes several have a choice; compose needs one or all")
    turn, clocks, context = _context(game, kind, name)
    gone = {(f.name, len(f.args)) for f in context}
    kept = tuple(rule for rule in rules if not _dropped(rule, gone))
    judged = game.circuit.support([game.circuit.terminal, *game.circuit.goal.tolist()]) - 1
    reads_turn = any(game.fluent_index[f] in judged for group in turn for f in group)
    part = LocalGame(
        name=name,
        rules=kept,
        fluents=tuple(f for f in game.fluents if f not in context),
        moves=game.moves,
        values=tuple(sorted({value for _, value in game.goal_table})),
        framed=False,
        turn_fluents=turn,
        clocks=clocks,
        fades=reads_turn,
    )
    return part, game.roles, kind


def _with_roles(rules: Rules, roles: tuple[str, ...]) -> Rules:
    """The rules with other names for the roles."""
    own = [str(rule.head.args[0]) for rule in rules if rule.head.name == "role"]
    if len(own) != len(roles):
        raise InputError(f"{rules.name} has {len(own)} roles ({', '.join(own)}), not {len(roles)}")
    spare = {new: f"{new}-of-old" for new in roles if new not in own}  # a name that is taken for something else
    names: Mapping[str, str] = {**spare, **dict(zip(own, roles, strict=True))}
    return Renaming(names).rules(rules)


def _no_variable_fluents(rules: Rules) -> None:
    for rule in rules:
        for atom in [rule.head, *(atom for formula in rule.body for atom in atoms(formula))]:
            if isinstance(atom, Term) and atom.name in ("true", "next", "init") and isinstance(atom.args[0], Variable):
                raise InputError(f"{rules.name}: compose cannot tell which fluents {atom} stands for, in {rule}")


def _dropped(rule: Rule, context: set[Symbol]) -> bool:
    """Rules that the compound states anew: roles, what can occur, and how context runs."""
    head = rule.head
    if head.name in ("role", "base", "input"):
        return True
    fluent = head.args[0] if head.name in ("init", "next") else None
    return isinstance(fluent, Term) and (fluent.name, len(fluent.args)) in context


def _context(game: Game, kind: str, name: str) -> tuple[tuple[tuple[Term, ...], ...], tuple[Clock, ...], set[Term]]:
    """What runs by itself: the fluents of the turn per role, the counters, and all their fluents."""
    groups = list(_groups(game))
    turn: tuple[tuple[Term, ...], ...] = ()
    clocks: list[Clock] = []
    for group in groups:
        values, back = _orbit(game, group)
        if kind == "alternating" and not turn and back == 0 and len(values) == len(game.roles):
            movers = _movers(game)
            turn = tuple(values[movers[r]] for r in range(len(game.roles)))
            if movers != sorted(movers):
                raise InputError(f"in {name} the roles do not move in the order of the rules; put them in that order")
        else:
            clocks.append(_clock(game, group, values, back, name))
    if kind == "alternating" and not turn:
        raise InputError(f"{name} has no turn marker that runs by itself, so compose cannot share its turn")
    return turn, tuple(clocks), {game.fluents[f] for group in groups for f in group}


def _groups(game: Game) -> Iterator[list[int]]:
    """Fluents that run by themselves, those that read each other together; symbols are not torn apart."""
    circuit, n = game.circuit, len(game.fluents)
    reads = [set((circuit.support([literal]) - 1).tolist()) for literal in circuit.next.tolist()]
    varies = circuit.input_value[1 : n + 1] == 2
    own = {f for f in range(n) if varies[f]}
    symbols = [(t.name, len(t.args)) for t in game.fluents]
    while True:
        outside = {symbols[f] for f in range(n) if varies[f] and f not in own}
        kept = {f for f in own if reads[f] <= own and symbols[f] not in outside}
        if kept == own:
            break
        own = kept
    left = sorted(own)
    while left:
        group, todo = {left[0]}, [left[0]]
        while todo:
            f = todo.pop()
            near = [g for g in left if g not in group and (g in reads[f] or f in reads[g] or symbols[f] == symbols[g])]
            group.update(near)
            todo += near
        yield sorted(group)
        left = [f for f in left if f not in group]


def _orbit(game: Game, group: list[int]) -> tuple[list[tuple[Term, ...]], int]:
    """The values of a group one after the other, and the number of the value that follows the last."""
    row, joint = game.batch.initial, np.zeros((1, len(game.roles)), np.int64)
    values: list[tuple[Term, ...]] = []
    mine = {game.fluents[f] for f in group}
    most = CompositionLimits.current().borrow_values
    while len(values) <= most:
        value = tuple(sorted(game.batch.state(row) & mine, key=str))
        if value in values:
            return values, values.index(value)
        values.append(value)
        row = game.batch.next(row, joint)
    raise InputError(f"{game.name} has a counter with more than {most} values; compose does not follow it")


def _movers(game: Game) -> list[int]:
    """For each role, the turn (counted from 0) in which it has a choice."""
    roles = len(game.roles)
    found: dict[int, int] = {}
    for time, (states, _, _) in enumerate(plays(game, 64)):
        legal = game.batch.legal(states)
        for r in range(roles):
            if (
                legal[:, game.batch.first_move[r] : game.batch.first_move[r + 1]].sum(axis=1) > 1
            ).any() and time < roles:
                found.setdefault(r, time)
        if time >= roles:
            break
    free = [t for t in range(roles) if t not in found.values()]
    return [found[r] if r in found else free.pop(0) for r in range(roles)]


def _clock(game: Game, group: list[int], values: list[tuple[Term, ...]], back: int, name: str) -> Clock:
    """A counter up to the value at which the game is over, where it stays."""
    if back < len(values) - 1:
        return Clock(tuple(values), back)
    for k, value in enumerate(values):
        held = set(value)
        fixed = {f + 1: int(game.fluents[f] in held) for f in group}
        if game.circuit.cofactor(fixed).terminal == 0:  # the literal of what is always true
            return Clock(tuple(values[: k + 1]), k)
    raise InputError(f"{name} has a counter that runs out before the game is over; compose cannot stretch it")
