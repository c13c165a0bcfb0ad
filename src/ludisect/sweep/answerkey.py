"""A found decomposition beside a known one: the answer of a composed game, or a label written by hand.

Both sides are JSON as ``ludisect decompose --json`` prints it; a label names fluents by patterns in which ``*`` stands
for one argument. Fluents that a method calls constant or unseen (no play changed them) count neither for nor against
it; what they hide shows in the counts of parts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ludisect.gdl.terms import Term, TermOrVariable

Json = Mapping[str, Any]
Part = tuple[frozenset[str], bool]
"""The fluents of a part, and whether it is useful."""

COUNTS = ("action_dependent", "useless", "action_independent")


# ---- composed games -------------------------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """``kind`` is "right", "number" (the counts differ) or "partition" (only what is where differs).

    ``cut``: the parts of the answer, by id, whose fluents lie in several of ours. ``why`` tells all differences.
    """

    kind: str
    cut: tuple[int, ...]
    why: tuple[str, ...]


def compare(answer: Json, found: Json) -> Comparison:
    """A decomposition beside the known answer."""
    live = _placed(found)
    wanted = [s for s in answer["subgames"] if s["kind"] == "dependent"]
    known = [(frozenset(s["fluents"]) & live, bool(s["useful"])) for s in wanted]
    place = _places(found)
    cut = tuple(
        s["id"]
        for s, (fluents, _) in zip(wanted, known, strict=True)
        if len({place[f] for f in fluents if f in place}) > 1
    )
    why = [f"{found[c]} {_words(c)}, not {answer[c]}" for c in COUNTS if found[c] != answer[c]]
    kind = "number" if why else "right"
    differences = _differences([part for part in known if part[0]], _dependent(found), place)
    if differences and kind == "right":
        kind = "partition"
    return Comparison(kind, cut, (*why, *differences))


# ---- labels ---------------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    """``wrong`` counts against a decomposition. ``aside`` does not: structure, turns, what the label is unsure of."""

    wrong: tuple[str, ...]
    aside: tuple[str, ...]


def score(label: Json, found: Json) -> Score:
    """A decomposition beside a label: counts, usefulness, and the partition of the dependent fluents.

    Numbers in the label's ``accept`` are right too. If the number of dependent parts is one of these and not the
    label's own, the partition has to refine or coarsen the labelled one. The number of independent groups counts only
    if ``confidence_ai`` is "high"; if it is not the label's own, only fluents that both call dependent are compared.
    """
    wrong: list[str] = []
    aside: list[str] = []
    for count in COUNTS:
        if found[count] not in _accepted(label, count):
            sure = count != "action_independent" or label.get("confidence_ai", "high") == "high"
            (wrong if sure else aside).append(f"{found[count]} {_words(count)}, labelled {label[count]}")
    for trait in ("structure", "turns"):
        if trait in label and found[trait] not in _accepted(label, trait):
            aside.append(f"{trait} {found[trait]}, labelled {label[trait]}")
    if found["action_dependent"] in _accepted(label, "action_dependent"):
        wrong += _partition(label, found)
    return Score(tuple(wrong), tuple(aside))


def _partition(label: Json, found: Json) -> list[str]:
    static = [Term.parse(p) for p in label.get("static_fluents", ())]
    moving = {f: Term.parse(f) for f in _placed(found)}
    moving = {f: term for f, term in moving.items() if not any(_matches(p, term) for p in static)}
    known = [
        (frozenset(f for f, term in moving.items() if any(_matches(p, term) for p in patterns)), bool(s["useful"]))
        for s in label["subgames"]
        if s["kind"] == "dependent"
        for patterns in [[Term.parse(p) for p in s["fluents"]]]
    ]
    compared = set(moving)
    mine = _dependent(found)
    if found["action_independent"] != label["action_independent"]:
        compared = set().union(*(part for part, _ in known)) & set().union(*(part for part, _ in mine))
    known = [(part & compared, useful) for part, useful in known if part & compared]
    mine = [(part & compared, useful) for part, useful in mine if part & compared]
    place = _places(found)
    if found["action_dependent"] == label["action_dependent"]:
        return _differences(known, mine, place)
    finer = found["action_dependent"] > label["action_dependent"]
    inner, outer = (mine, known) if finer else (known, mine)
    if all(any(part <= whole for whole, _ in outer) for part, _ in inner):
        return []
    return [f"{'does not refine' if finer else 'does not coarsen'} the label", *_differences(known, mine, place)]


def _accepted(label: Json, key: str) -> list[Any]:
    return [label[key], *label.get("accept", {}).get(key, ())]


def _matches(pattern: TermOrVariable, term: TermOrVariable) -> bool:
    """Whether a ground term is of a pattern."""
    if not isinstance(pattern, Term) or not isinstance(term, Term):
        return False
    if pattern.name == "*" and not pattern.args:
        return True
    return (
        pattern.name == term.name
        and len(pattern.args) == len(term.args)
        and all(map(_matches, pattern.args, term.args))
    )


# ---- both -----------------------------------------------------------------------------------------------------------


def _placed(found: Json) -> set[str]:
    """Every fluent that is in a part."""
    return {f for s in found["subgames"] for f in s["fluents"]}


def _dependent(found: Json) -> list[Part]:
    return [(frozenset(s["fluents"]), bool(s["useful"])) for s in found["subgames"] if s["kind"] == "dependent"]


def _places(found: Json) -> dict[str, str]:
    """Fluent -> the name of our part."""
    return {
        f: f"{'part' if s['kind'] == 'dependent' else 'context'} {s['id']}"
        for s in found["subgames"]
        for f in s["fluents"]
    }


def _differences(known: Sequence[Part], mine: Sequence[Part], place: Mapping[str, str]) -> list[str]:
    """What is where, for every known part that is not one of ours; nothing if the partitions agree."""
    ours = dict(mine)
    out = []
    for fluents, useful in known:
        if fluents not in ours:
            out.append(f"{_sample(fluents)}: in {_spread(fluents, place)}")
        elif ours[fluents] != useful:
            out.append(f"{_sample(fluents)}: {'useless' if useful else 'useful'} by mistake")
    extra = frozenset().union(*ours) - frozenset().union(*(fluents for fluents, _ in known))
    if extra:
        out.append(f"{_sample(extra)}: in {_spread(extra, place)}, known as independent")
    return out


def _spread(fluents: Collection[str], place: Mapping[str, str]) -> str:
    tally: dict[str, int] = {}
    for f in fluents:
        where = place.get(f, "no part")
        tally[where] = tally.get(where, 0) + 1
    return ", ".join(f"{where} ({n})" for where, n in sorted(tally.items()))


def _sample(fluents: Collection[str]) -> str:
    first = min(fluents, key=lambda f: (len(f), f))
    return first if len(fluents) == 1 else f"{first} and {len(fluents) - 1} more"


def _words(count: str) -> str:
    return count.replace("_", "-")
