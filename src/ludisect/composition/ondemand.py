"""Compounds on demand: an operation on games and random machines, nested at will."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from ludisect.circuit.turns import turns as turns_of
from ludisect.composition.borrow import borrow
from ludisect.composition.disguise import checked, write_down
from ludisect.composition.glue import Blueprint, GlueNode, Goal, Leaf, Op, Tree, leaves, nodes
from ludisect.composition.limits import CompositionLimits
from ludisect.composition.machines import FAMILIES, sound_part
from ludisect.composition.many import ROLES, Composed, shown
from ludisect.composition.part import LocalGame, Turns
from ludisect.composition.random_machine import Wanted
from ludisect.composition.simulator import explore
from ludisect.errors import InputError, options_by_name
from ludisect.gdl.randomplay import check_by_playouts
from ludisect.gdl.terms import Rules
from ludisect.loader import kind_of, load

OPERATIONS = {
    "choice": "the mover picks one part and moves in it",
    "sync": "each move has a half in every part",
    "serial": "one part after the other",
    "multiple": "as choice, but only the first part counts",
}
"""What each operation does."""

GOALS: tuple[Goal, ...] = ("additive", "all", "any")


@dataclass(frozen=True)
class Request:
    """What is wanted of a compound besides its tree; see `compose`."""

    goal: Goal
    steps: int | None
    rest: bool
    players: int
    turns: str | None
    by_order: bool


@options_by_name("an operation and a list of games, such as 'choice', ['tictactoe', 'hex:3']")
def compose(
    operation: str,
    games: Sequence[str | Path],
    *,
    goal: Goal = "additive",
    disguises: Collection[str] = (),
    steps: int | None = None,
    rest: bool = False,
    seed: int = 0,
    players: int = 1,
    turns: str | None = None,
    by_order: bool = False,
) -> Composed:
    """Glue games together; each is a bundled name, a path, a nested ``(operation game game)``, or a machine.

    Machines are ``walk``, ``ring`` and ``board``; they take the roles and turns of the games beside them, else so many
    ``players`` who move "alternating" or "simultaneous". ``by_order`` lets games with different role names meet.

    Raises InputError for games that do not fit together, with a way out. ``load(made.rules)`` is the compound, and
    ``Decomposition.from_json(game, made.answer)`` what is known of it.

    >>> made = compose("choice", ["tictactoe", "tictactoe"])
    >>> made.answer["structure"], made.answer["action_dependent"], made.answer["action_independent"]
    ('parallel-choice', 2, 1)
    """
    words = _words(operation, games)
    hidden = checked(disguises)
    if goal not in GOALS:
        raise InputError(f"no goal is called {goal!r}; choose {', '.join(GOALS)}")
    names: list[str] = []
    tree, useless = _tree(operation, [_read(game) for game in words], names, top=True)
    request = Request(goal, steps, rest, players, turns, by_order)
    rng = Random(f"{seed}:{operation}:{words}")
    borrowed, roles, kind = _borrowed(names, request)
    _check(tree, borrowed, kind, request)
    if steps is not None and steps < 2:
        raise InputError(f"{steps} steps make no play; give two or more")
    name = "-".join([operation, *(_word(game) for game in names)])
    base = Blueprint(name, roles, kind, (), tree, goal, "all", steps, rest, useless)
    plan, seen_turns = _filled(base, names, borrowed, rng)
    written = write_down(plan, hidden, seen_turns, rng)
    answer = written.answer
    if borrowed:
        answer = _judged(written.rules, answer, request)
    description = {
        "glue": operation,
        "tree": shown(plan.tree, plan.parts),
        "players": len(roles),
        "turns": kind,
        "goal": goal,
        "steps": steps,
        "rest": rest,
        "disguises": sorted(hidden),
    }
    return Composed(written.rules, name, answer, description)


# ---- what is asked for ----

Expression = str | tuple[str, list[Any]]


def _words(operation: object, games: object) -> list[str]:
    """The games as text; TypeError for what is no operation and no list of games."""
    if not isinstance(operation, str):
        raise TypeError(f"compose takes an operation first ({', '.join(OPERATIONS)}), not {kind_of(operation)}")
    if isinstance(games, str) or not isinstance(games, Sequence):
        raise TypeError(f"compose takes a list of games, such as ['tictactoe', 'hex:3'], not {kind_of(games)}")
    for game in games:
        if not isinstance(game, str | Path):
            right = "the name or path of each game, a machine or an operation in brackets"
            raise TypeError(f"compose takes {right}, not {kind_of(game)}")
    return [str(game) for game in games]


def _read(text: str) -> Expression:
    """A game's name, or a nested operation in brackets."""
    if not text.lstrip().startswith("("):
        return text
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    if tokens[1:2] and tokens[1] in OPERATIONS:
        expression, rest = _nested(tokens)
        if not rest:
            return expression
    example = '"(serial tictactoe tictactoe)"'
    raise InputError(f"cannot read {text[:60]!r}: write a game, or an operation in brackets such as {example}")


def _nested(tokens: list[str]) -> tuple[Expression, list[str]]:
    if not tokens or tokens[0] == ")":
        raise InputError("a bracket is missing, or one too many, in a nested operation")
    if tokens[0] != "(":
        return tokens[0], tokens[1:]
    operation, rest = tokens[1] if len(tokens) > 1 else "", tokens[2:]
    inside: list[Expression] = []
    while rest and rest[0] != ")":
        part, rest = _nested(rest)
        inside.append(part)
    if not rest:
        raise InputError("a bracket is missing in a nested operation")
    return (operation, inside), rest[1:]


def _tree(operation: str, games: Sequence[Expression], names: list[str], *, top: bool) -> tuple[Tree, frozenset[int]]:
    """The tree of an expression; names of games are appended to ``names``. Also the parts that do not count."""
    if operation not in OPERATIONS:
        raise InputError(f"no operation is called {operation!r}; there are: {', '.join(OPERATIONS)}")
    if len(games) < 2:
        raise InputError(f"{operation} needs two games or more, and {len(games)} is given")
    if operation == "multiple" and not top:
        raise InputError("'multiple' can only be the outermost operation, for it says what counts")
    children: list[Tree] = []
    for game in games:
        if isinstance(game, str):
            names.append(game)
            children.append(Leaf(len(names) - 1))
        else:
            children.append(_tree(game[0], game[1], names, top=False)[0])
    if operation == "multiple":
        return GlueNode("choice", tuple(children)), frozenset(i for child in children[1:] for i in leaves(child))
    ops: dict[str, Op] = {"choice": "choice", "sync": "sync", "serial": "serial"}
    return GlueNode(ops[operation], tuple(children)), frozenset()


def _borrowed(names: Sequence[str], request: Request) -> tuple[dict[int, LocalGame], tuple[str, ...], Turns]:
    """The parts that are games, by number, and the roles and turns that all have."""
    out: dict[int, LocalGame] = {}
    roles: tuple[str, ...] = ()
    kind: Turns | None = None
    first = ""
    known: dict[tuple[str, tuple[str, ...] | None], tuple[LocalGame, tuple[str, ...], Turns]] = {}
    for i, name in enumerate(names):
        if name in FAMILIES:
            continue
        key = name, (roles if request.by_order and roles else None)
        if key not in known:
            known[key] = borrow(name, roles=key[1])
        part, own, turn = known[key]
        if kind is None:
            roles, kind, first = own, turn, name
        if own != roles:
            given = f"{first} has the roles {', '.join(roles)}, and {name} has {', '.join(own)}"
            if len(own) != len(roles):
                raise InputError(f"{given}; compose games with the same number of roles")
            raise InputError(f"{given}; --by-order takes them for the same, one by one")
        if turn != kind:
            raise InputError(f"{first} is {kind} and {name} is {turn}; compose games of the same kind")
        out[i] = part
    if kind is not None:
        return out, roles, kind
    if not 1 <= request.players <= len(ROLES):
        raise InputError(f"machines are made for 1 to {len(ROLES)} players, not {request.players}")
    if request.turns not in (None, "alternating", "simultaneous"):
        raise InputError(f"turns are 'alternating' or 'simultaneous', not {request.turns!r}")
    kinds: dict[str | None, Turns] = {None: "alternating", "alternating": "alternating", "simultaneous": "simultaneous"}
    return out, ROLES[: request.players], "single-player" if request.players == 1 else kinds[request.turns]


def _check(tree: Tree, borrowed: dict[int, LocalGame], kind: Turns, request: Request) -> None:
    """Refuse what has no known answer, or no sense."""
    ops = {node.op for node in nodes(tree)}
    if request.rest and request.steps is None:
        raise InputError("with --rest nothing makes the play end; give --steps too")
    if request.rest and "sync" in ops:
        raise InputError("a rest would tie parts that otherwise move together: leave out --rest, or sync")
    for node in nodes(tree):
        below = {n.op for child in node.children for n in nodes(child)}
        if {node.op, *below} >= {"choice", "sync"} and node.op != "serial":
            raise InputError(
                "a choice within a sync, or the other way round, ties parts; use them as stages of a serial"
            )
        if node.op == "choice" and kind == "simultaneous" and any(i in borrowed for i in leaves(node)):
            raise InputError("roles that move at once cannot each choose a game to move in; use sync or serial")
        if node.op == "choice" and kind == "simultaneous" and not request.rest:
            raise InputError("roles that move at once can choose a part only if they may leave each alone; give --rest")
        if node.op == "serial":
            for stage, child in enumerate(node.children):
                for i in leaves(child):
                    if stage and i in borrowed and borrowed[i].clocks:
                        raise InputError(
                            f"{borrowed[i].name} has a counter, which runs from the start: it can only be the first "
                            "stage of a serial game"
                        )
                    if stage < len(node.children) - 1 and i in borrowed and borrowed[i].fades:
                        raise InputError(
                            f"the result of {borrowed[i].name} depends on whose turn it is, and the turn passes on: it "
                            "can only be the last stage of a serial game"
                        )


# ---- what is made ----


def _filled(
    plan: Blueprint, names: Sequence[str], borrowed: dict[int, LocalGame], rng: Random
) -> tuple[Blueprint, str]:
    """The plan with machines in it, such that the answer is right as far as it can be simulated; and its turns."""
    ops = {node.op for node in nodes(plan.tree)}
    wanted = Wanted(
        roles=plan.roles,
        turns=plan.turns,
        passes=plan.turns == "simultaneous" and ("choice" in ops or plan.rest),
        negated=rng.random() < 0.5,
    )
    wrong: list[str] = []
    limits = CompositionLimits.current()
    for _ in range(limits.ondemand_tries):
        parts = tuple(borrowed[i] if i in borrowed else _machine(name, wanted, rng, i) for i, name in enumerate(names))
        filled = replace(plan, parts=parts)
        if borrowed:
            return filled, plan.turns
        seen, wrong = explore(filled, rng, 2 * limits.many_plays)
        if not wrong:
            return filled, seen.turns(len(plan.roles))
    raise InputError(f"no machines were found that fit: {'; '.join(wrong)}; try other --steps or another --seed")


def _machine(family: str, wanted: Wanted, rng: Random, index: int) -> LocalGame:
    part = sound_part(family, wanted, rng, f"{family}{index + 1}")
    if part is None:
        raise InputError(f"no {family} was found for these players; try another machine or another --seed")
    return part


def _judged(rules: Rules, answer: dict[str, Any], request: Request) -> dict[str, Any]:
    """Play the compound, refuse it if it is ill-defined, and keep of the answer the fluents that can change."""
    game, limits = load(rules), CompositionLimits.current()
    shown = check_by_playouts(
        game, plays=limits.ondemand_plays, max_length=limits.ondemand_max_length, moves=limits.ondemand_moves
    )
    for problem in shown.problems:
        if problem.level == "error" or problem.what.startswith("no end"):
            help = "give --steps to end it" if problem.what.startswith("no end") and request.steps is None else ""
            raise InputError(f"these games do not make a proper compound: {problem.what}{'; ' * bool(help)}{help}")
    constant = {str(f) for f, value in zip(game.fluents, game.circuit.input_value[1:], strict=False) if value < 2}
    known = {str(f) for f in game.fluents}
    for part in answer["subgames"]:
        part["fluents"] = [f for f in part["fluents"] if f in known and f not in constant]
    answer["turns"] = turns_of(game)
    return answer


def _word(name: str) -> str:
    """A game's name for the name of the compound."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".kif")
    return "".join(c if c.isalnum() else "-" for c in stem)
