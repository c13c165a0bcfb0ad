"""The rules of a thorny compound as a rule sheet."""

from __future__ import annotations

from ludisect.composition.thorny.blueprint import ThornyPlan
from ludisect.composition.thorny.localparts import written_parts
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Rules


def as_rules(plan: ThornyPlan) -> Rules:
    """A plan in GDL."""
    lines = [f"(role {role})" for role in plan.roles]
    lines += [*_turns(plan), *_counters(plan), *_moves(plan), *_rests(plan)]
    lines += written_parts(plan.parts, at_once=plan.at_once)
    lines += _ends(plan)
    for role, payment in zip(plan.roles, plan.payments, strict=True):
        lines += payment.rules(role, flat=plan.flat)
    return read("\n".join(lines), name=plan.name)


def _turns(plan: ThornyPlan) -> list[str]:
    """The turn, if it ever changes, and who moves at each."""
    if len(plan.turns) == 1:
        return [f"(onturn {plan.roles[r]})" for r in plan.turns[0]]
    lines = ["(init (turn 0))"]
    lines += [f"(<= (onturn {plan.roles[r]}) (true (turn {t})))" for t, some in enumerate(plan.turns) for r in some]
    lines += [f"(follows {t} {(t + 1) % len(plan.turns)})" for t in range(len(plan.turns))]
    if plan.again is None:
        return [*lines, "(<= (next (turn ?u)) (true (turn ?t)) (follows ?t ?u))"]
    words = " ".join(f"?a{i}" for i in plan.groups[plan.again])
    return [
        *lines,
        f"(<= again (does ?r (move{plan.again + 1} {words})))",
        "(<= (next (turn ?u)) (true (turn ?t)) (follows ?t ?u) (not again))",
        "(<= (next (turn ?t)) (true (turn ?t)) again)",
    ]


def _counters(plan: ThornyPlan) -> list[str]:
    """The step counter and the clock that waits."""
    lines = []
    if plan.steps is not None:
        lines += ["(init (step 0))", *(f"(then {n} {n + 1})" for n in range(plan.steps))]
        lines += ["(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))", f"(<= terminal (true (step {plan.steps})))"]
    if plan.clock is not None:
        names = ["rest", *(f"rest{k}" for k in range(1, plan.idle))]
        runs = {
            "rest": [f"(<= runs (does ?r {name}))" for name in names],
            "over": ["(<= runs over1)"],
            "touched": ["(<= runs (picks1 ?r ?a))"],
        }[plan.runs]
        lines += ["(init (clock 0))", *runs, *(f"(tick {n} {n + 1})" for n in range(plan.clock))]
        lines += [
            "(<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n) runs)",
            "(<= (next (clock ?m)) (true (clock ?m)) (not runs))",
            f"(<= (next (clock {plan.clock})) (true (clock {plan.clock})))",
            f"(<= terminal (true (clock {plan.clock})))",
        ]
    return lines


def _moves(plan: ThornyPlan) -> list[str]:
    """Moves in groups of parts, and what each does in its parts."""
    lines = []
    for g, group in enumerate(plan.groups):
        gate = "".join(f" over{i + 1}" for i in plan.opens[g])
        words = " ".join(f"?a{i + 1}" for i in group)
        for i in group:
            lines.append(f"(<= (mobile ?r) (some{i + 1} ?r){gate})")
            there = f" (distinct ?a{i + 1} none)" if len(group) > 1 else ""
            lines.append(f"(<= (picks{i + 1} ?r ?a{i + 1}) (does ?r (move{g + 1} {words})){there})")
        if len(group) == 1:
            (i,) = group
            lines.append(f"(<= (legal ?r (move{g + 1} ?a)) (onturn ?r) (can{i + 1} ?r ?a){gate})")
            continue
        halves = " ".join(f"(half{i + 1} ?r ?a{i + 1})" for i in group)
        for i in group:
            lines.append(f"(<= (half{i + 1} ?r ?a) (can{i + 1} ?r ?a))")
            lines.append(f"(<= (half{i + 1} ?r none) (role ?r) (not (some{i + 1} ?r)))")
            lines.append(f"(<= (able{g + 1} ?r) (some{i + 1} ?r))")
        lines.append(f"(<= (legal ?r (move{g + 1} {words})) (onturn ?r) (able{g + 1} ?r) {halves}{gate})")
    return lines


def _rests(plan: ThornyPlan) -> list[str]:
    """Doing nothing, off turn and on turn."""
    lines = []
    for k in range(plan.idle):
        number = k or ""
        if any(len(some) < len(plan.roles) for some in plan.turns):
            lines.append(f"(<= (legal ?r noop{number}) (role ?r) (not (onturn ?r)))")
        if plan.resting == "free":
            lines.append(f"(<= (legal ?r rest{number}) (onturn ?r))")
        elif plan.resting == "forced":
            lines.append(f"(<= (legal ?r rest{number}) (onturn ?r) (not (mobile ?r)))")
    return lines


def _ends(plan: ThornyPlan) -> list[str]:
    """What ends the play, but for the counters."""
    lines = []
    overs = [part.named("over") for part in plan.parts]
    if "all" in plan.ends:
        lines.append(f"(<= terminal {' '.join(overs)})")
    if "any" in plan.ends:
        lines += [f"(<= terminal {over})" for over in overs]
    if "part" in plan.ends:
        lines.append(f"(<= terminal {overs[0]})")
    if "stuck" in plan.ends:
        lines.append("(<= terminal (onturn ?r) (not (mobile ?r)))")
    return lines
