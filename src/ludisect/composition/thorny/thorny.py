"""Any number of thorny compounds with their known values, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from ludisect.composition.limits import CompositionLimits
from ludisect.composition.thorny.blueprint import Position, Resting, Runs, ThornyPlan
from ludisect.composition.thorny.localparts import Heap, Lamps, Meeting, Pins, ThornyPart, Token
from ludisect.composition.thorny.payments import Payment, opposite, random_payment
from ludisect.composition.thorny.plainvalue import KnownWorth, TooLargeError, plain_value
from ludisect.composition.thorny.sheet import as_rules
from ludisect.gdl.terms import Rules
from ludisect.gdl.writer import write

NAMES = ("red", "blue", "green")

TURNS: dict[int, list[tuple[tuple[int, ...], ...]]] = {
    1: [((0,),)],
    2: [((0,), (1,))] * 5
    + [((0,), (0,), (1,)), ((0,), (1,), (1,), (0,)), ((0, 1),), ((0, 1),), ((0,), (1,), (0, 1)), ((0, 1), (1,))],
    3: [((0,), (1,), (2,))] * 3 + [((0,), (1,), (0,), (2,)), ((0, 1), (2,)), ((0, 2), (1,))],
}
"""Who moves when, by the number of players; what stands there often comes up often."""


class Thorny(NamedTuple):
    """A compound, its plan, what it is worth, and how it was made."""

    plan: ThornyPlan
    rules: Rules
    worth: KnownWorth
    description: dict[str, Any]

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.plan.name

    @property
    def text(self) -> str:
        """The rule sheet."""
        return write(self.rules)

    @property
    def answer(self) -> dict[str, Any]:
        """What is known of it, ready for JSON: the value of the start, as a fraction where it is no whole number."""
        value = {role: _plain(x) for role, x in zip(self.plan.roles, self.worth.value, strict=True)}
        return {"game": self.name, "rule": self.worth.rule, "value": value, "positions": self.worth.positions}


def compose_thorny_set(n: int, seed: int = 0) -> Iterator[Thorny]:
    """``n`` thorny compounds; the one with number k of a seed is the same whatever ``n`` is.

    >>> [game.worth.rule for game in compose_thorny_set(4)]
    ['max-n', 'max-n', 'max-n', 'max-n']
    """
    for number in range(n):
        yield compose_thorny(number, seed)


def compose_thorny(number: int, seed: int = 0, *, tempo: bool = False) -> Thorny:
    """The compound with this number in the set of a seed; with ``tempo`` one of another set, whose first part ends the
    play and whose last part neither does nor pays: it is good for a move more, where nobody wants to move."""
    limits = CompositionLimits.current()
    kind = "tempo" if tempo else "thorny"
    rng = Random(f"{kind} {seed}:{number}")
    while True:
        plan = _plan(f"{kind}-{seed}-{number}", rng)
        plan = _with_tempo(plan, rng) if tempo else plan
        for steps in dict.fromkeys((plan.steps, rng.randint(3, 8))):  # a counter where play would not end
            plan = replace(plan, steps=steps)
            try:
                worth = plain_value(plan, plan.start, limits.thorny_most)
            except TooLargeError:
                continue
            if worth.positions >= limits.thorny_least and _matters(worth):
                return Thorny(plan, as_rules(plan), worth, _described(plan, worth))


def _with_tempo(plan: ThornyPlan, rng: Random) -> ThornyPlan:
    """The plan with a first part that alone ends the play, and a last one that neither ends nor pays anything."""
    paying = len(plan.parts) - 1
    first, *others = (random_payment(rng, paying, None) for _ in plan.roles)
    return replace(
        plan,
        groups=tuple((i,) for i in range(len(plan.parts))),
        opens=((),) * len(plan.parts),
        again=None,
        resting=rng.choice(("never", "never", "forced")),
        ends=frozenset({"part"}),
        clock=None,
        payments=(first, *([opposite(first)] if len(plan.roles) == 2 else others)),
    )


def _matters(worth: KnownWorth) -> bool:
    """Whether what is played makes a difference."""
    return len(set(worth.values.values())) > 1


def middle(made: Thorny, rng: Random) -> Position:
    """A position from the middle of the game: one that play can reach and in which it goes on, the start left out."""
    going = [p for p in made.worth.values if not made.plan.over(p) and p != made.plan.start]
    return rng.choice(sorted(going) or [made.plan.start])


def _plain(x: Any) -> int | str:
    return int(x) if x.denominator == 1 else str(x)


def _described(plan: ThornyPlan, worth: KnownWorth) -> dict[str, Any]:
    return {
        "players": len(plan.roles),
        "parts": [part.family for part in plan.parts],
        "groups": [[i + 1 for i in group] for group in plan.groups],
        "stages": any(plan.opens),
        "turns": [[plan.roles[r] for r in some] for some in plan.turns],
        "again": plan.again is not None,
        "resting": plan.resting,
        "idle": plan.idle,
        "ends": sorted(plan.ends),
        "steps": plan.steps,
        "clock": plan.runs if plan.clock is not None else None,
        "goals": [payment.kind if payment.reads else "last" for payment in plan.payments],
        "rule": worth.rule,
        "positions": worth.positions,
    }


THEMES = ("any", "any", "any", "last", "last", "points", "stages", "together", "solo")
"""What a compound is mostly about; themes keep other thorns rare, so that they do not hide each other."""


def _plan(name: str, rng: Random) -> ThornyPlan:
    theme = rng.choice(THEMES)
    often = theme == "any"  # else the usual things most of the time
    players = 1 if theme == "solo" else 2 if theme in ("last", "points") else rng.choices((1, 2, 3), (1, 9, 4))[0]
    roles = NAMES[:players]
    turns = rng.choice(TURNS[players]) if often or rng.random() < 0.3 else TURNS[players][0]
    at_once = any(len(some) > 1 for some in turns)
    last = theme == "last" and not at_once  # normal and misère play
    count = rng.choices((2, 3, 4), weights=(6, 3, 1))[0]
    impartial = last and rng.random() < 0.6
    parts = tuple(_part(i + 1, roles, rng, small=count > 2, impartial=impartial) for i in range(count))
    if not at_once:  # nobody meets
        parts = tuple(replace(part, meeting="first") for part in parts)
    groups, opens = _glue(count, theme, rng)
    resting: Resting = "never" if last else rng.choice(("forced", "forced", "free", "never"))
    ends = {"stuck"} if last else {rng.choice(("all", "all", "any", "part") if often else ("all",))}
    if resting == "never" and rng.random() < 0.85:
        ends.add("stuck")
    runs: Runs = rng.choice(("rest", "over", "touched") if resting != "never" else ("over", "touched"))
    thorn = 1.0 if often else 0.2
    return ThornyPlan(
        name=name,
        roles=roles,
        parts=parts,
        groups=groups,
        opens=opens,
        turns=turns,
        again=rng.randrange(len(groups)) if len(turns) > 1 and rng.random() < 0.08 * thorn else None,
        resting=resting,
        idle=2 if rng.random() < 0.2 else 1,
        ends=frozenset(ends),
        steps=rng.randint(3, 8) if rng.random() < 0.2 * thorn else None,
        clock=rng.randint(1, 3) if rng.random() < 0.15 * thorn else None,
        runs=runs,
        payments=_payments(roles, turns, count, theme, rng, last=last),
        flat=rng.random() < 0.5,
    )


def _glue(count: int, theme: str, rng: Random) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Groups of parts that are moved at once, and what each group waits for."""
    usual = {"stages": "serial", "together": "sync", "last": "choice", "points": "choice"}.get(theme)
    how = rng.choices(("choice", "sync", "nested", "serial"), weights=(6, 2, 1, 2))[0]
    how = usual if usual and rng.random() < 0.9 else how
    if how == "sync":
        return (tuple(range(count)),), ((),)
    if how == "nested" and count > 2:
        return ((0, 1), *((i,) for i in range(2, count))), ((),) * (count - 1)
    groups = tuple((i,) for i in range(count))
    if how != "serial":
        return groups, ((),) * count
    return groups, tuple(() if i == 0 else tuple(sorted(rng.sample(range(i), rng.randint(1, i)))) for i in range(count))


def _payments(
    roles: tuple[str, ...], turns: tuple[tuple[int, ...], ...], parts: int, theme: str, rng: Random, *, last: bool
) -> tuple[Payment, ...]:
    """Scores: opposite ones of two players more often than not; where the last to move counts, by the turn."""
    by_turn = None
    if last or (len(roles) > 1 and len(turns) > 1 and rng.random() < 0.05):
        winner = rng.randrange(2)  # normal or misère play
        by_turn = {t: 100 * ((0 in some) == bool(winner)) for t, some in enumerate(turns)}
    first = random_payment(rng, parts, by_turn, adding=theme == "points")
    if len(roles) == 2 and (last or rng.random() < (0.95 if theme == "points" else 0.7)):
        return first, opposite(first)
    if len(roles) > 1 and rng.random() < 0.1:
        return (first,) * len(roles)
    return first, *(random_payment(rng, parts, None) for _ in roles[1:])


def _part(number: int, roles: tuple[str, ...], rng: Random, *, small: bool, impartial: bool) -> ThornyPart:
    family = rng.choices(("token", "heap", "pins", "lamps"), weights=(5, 3, 2, 1 if impartial else 2))[0]
    return {"token": _token, "heap": _heap, "pins": _pins, "lamps": _lamps}[family](
        number, roles, rng, 3 if small else 4, impartial and rng.random() < 0.8
    )


def _common(number: int, roles: tuple[str, ...], states: int, rng: Random, ends: set[int]) -> dict[str, Any]:
    meeting: Meeting = rng.choice(("first", "nobody"))
    levels = [rng.choice((0, 0, 1, 2)) for _ in range(states)]
    final = sorted(ends)
    for s in final:
        levels[s] = rng.choice((0, 1, 2, 2))
    if rng.random() < 0.5:  # nothing shows before the part is over
        levels = [level if s in ends else 0 for s, level in enumerate(levels)]
    return {
        "number": number, "roles": roles, "levels": tuple(levels), "ends": frozenset(ends),
        "closes": rng.random() < 0.75, "meeting": meeting,
    }  # fmt: skip


def _token(number: int, roles: tuple[str, ...], rng: Random, size: int, impartial: bool) -> Token:
    n = rng.randint(3, 2 * size)
    loops = rng.random() < 0.25
    arcs: dict[tuple[int, int], dict[str, int]] = {}
    rare = rng.random() < 0.3  # a chain that random play seldom walks to its end
    for s in range(n):
        for r in range(len(roles)):
            if impartial and r:
                arcs[s, r] = arcs[s, 0]
                continue
            targets = list(range(n)) if loops else list(range(s + 1, n))
            picked = rng.sample(targets, min(len(targets), rng.choice((0, 1, 1, 2, 2, 3))))
            if rare and s + 1 < n and s + 1 not in picked and r == s % len(roles):
                picked.append(s + 1)
            arcs[s, r] = {chr(ord("a") + k): t for k, t in enumerate(picked)}
            if rng.random() < 0.08:
                arcs[s, r]["stay"] = s  # a pass in this part alone
    dead = {s for s in range(n) if not any(arcs[s, r] for r in range(len(roles)))}
    ends = {s for s in range(1, n) if rng.random() < 0.25} | (dead - {0} if rng.random() < 0.8 else set()) or {n - 1}
    common = _common(number, roles, n, rng, ends)
    pairs = {}
    if len(roles) > 1 and rng.random() < 0.6:
        common["meeting"] = "pair"
        pairs = {
            (s, a, b): rng.randrange(0 if loops else s, n)
            for s in range(n)
            for a in arcs[s, 0]
            for b in arcs[s, 1]
            if rng.random() < 0.9
        }
    return Token(**common, arcs={key: moves for key, moves in arcs.items() if moves}, pairs=pairs)


def _heap(number: int, roles: tuple[str, ...], rng: Random, size: int, impartial: bool) -> Heap:
    n = rng.randint(2, size + 1)
    first = tuple(sorted(rng.sample(range(1, 4), rng.randint(1, 3))))
    same = impartial or rng.random() < 0.6
    takes = tuple(first if same else tuple(sorted(rng.sample(range(1, 4), rng.randint(1, 2)))) for _ in roles)
    least = min(k for some in takes for k in some)
    return Heap(**_common(number, roles, n + 1, rng, set(range(min(least, n)))), takes=takes)


def _pins(number: int, roles: tuple[str, ...], rng: Random, size: int, impartial: bool) -> Pins:
    n = rng.randint(2, size)
    colours = tuple(None if impartial or rng.random() < 0.6 else rng.randrange(len(roles)) for _ in range(n))
    ends = {0} | ({s for s in range(1, 2**n - 1) if rng.random() < 0.2} if rng.random() < 0.3 else set())
    return Pins(**_common(number, roles, 2**n, rng, ends), size=n, colours=colours, doubles=rng.random() < 0.6)


def _lamps(number: int, roles: tuple[str, ...], rng: Random, size: int, impartial: bool) -> Lamps:
    n = rng.randint(1, size - 1)
    every = tuple(range(n))
    reach = tuple(
        every if impartial or rng.random() < 0.6 else tuple(sorted(rng.sample(every, rng.randint(1, n)))) for _ in roles
    )
    off = rng.random() < 0.4
    ends = {2**n - 1} if rng.random() < 0.7 else {s for s in range(1, 2**n) if s & 1}
    return Lamps(**_common(number, roles, 2**n, rng, ends), size=n, switches=reach, off=off)
