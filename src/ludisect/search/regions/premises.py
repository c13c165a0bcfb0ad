"""What must hold before regions are worth anything, proved: when play ends, and who gets what then.

Extraction has shown that one player waits for the other and that no move is a pass. Here it is asked when play ends and
who gets what then. Four rules are known: the player who cannot move loses (normal play) or wins (misère play), play
ends as soon as either could not move, and points that add up. Facts that end everything are threats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ludisect.effort import Effort
from ludisect.search.regions.endings import Endings, Gets
from ludisect.search.regions.guarded import Operators
from ludisect.search.regions.measure import Measure, measure
from ludisect.search.regions.pointweights import PointWeights, seen_to_differ, weights
from ludisect.search.regions.refused import Refused
from ludisect.search.regions.settling import NoOperators
from ludisect.search.regions.threats import Threat

Rule = Literal["normal play", "misère play", "either is stuck", "points", "draw", "threats alone"]

THEN = {
    "normal play": "who cannot loses",
    "misère play": "who cannot wins",
    "draw": "nobody wins then",
    "threats alone": "nobody is ever stuck",
}


@dataclass(frozen=True, eq=False)
class Premises:
    """The proved form of a game of operators.

    ``stuck[r]`` is what the two roles get when role r, to move, cannot (with ``points``, before those are counted).
    ``claims`` are sentences, each of which is proved for every state that play can reach.
    """

    operators: Operators
    rule: Rule
    stuck: tuple[Gets, Gets]
    threats: tuple[Threat, ...]
    measure: Measure
    points: PointWeights | None
    claims: tuple[str, ...]
    neither: tuple[Gets, Gets] | None = None
    """By the role to move: what they get where neither player can move, if play ends as soon as either cannot."""

    @property
    def pays(self) -> set[Gets]:
        """All that the roles can get, points apart."""
        stuck = () if self.rule == "threats alone" else self.stuck
        return {*stuck, *(self.neither or ()), *(threat.gets for threat in self.threats)}

    @property
    def evidence(self) -> str:
        """On what an answer rests."""
        return "; ".join(self.claims)


def premises(operators: Operators, effort: Effort | None = None) -> Premises:
    """The rule by which a game of operators is won, proved.

    Raises:
        Refused: it has another form, or a claim could not be proved; the text shows the state.
        NoOperators: play may never end.

    >>> import ludisect
    >>> from ludisect.search.regions import operators
    >>> found = premises(operators(ludisect.load("domineering:2x3")))
    >>> found.rule, found.stuck
    ('normal play', ((0, 100), (100, 0)))
    >>> print(found.evidence)
    every move lowers a count of facts, so play ends; it ends exactly when the player to move cannot; who cannot loses
    """
    idle = next((op for op in operators.listed if not op.changes), None)
    if idle is not None:
        raise NoOperators(f"play may never end: {idle.move} is a pass, which changes nothing")
    endings = Endings(operators, effort)
    try:
        falls = measure(operators, endings.exclusive())
    except NoOperators:
        falls = measure(operators, endings.exclusive(more=True))
    try:
        return _found(endings, falls)
    except Refused as refusal:
        # a state that no play leads to may be in the way
        if refusal.met or not endings.strengthen():
            raise
    return _found(endings, falls)


def _found(endings: Endings, falls: Measure) -> Premises:
    claims = ["every move lowers a count of facts, so play ends"]
    ordinary = endings.mover_stuck()
    either = None if ordinary and not endings.threats else _either(endings, falls, claims)
    if either is not None:
        return either
    threats = endings.settle_threats()
    if not ordinary:
        endings.either_stuck()  # says what is wrong
        raise Refused("play ends when either player could not move, or by facts that name a winner")
    if threats:
        claims.append(f"{len(threats)} sets of facts end it at once, and each names who gets what")
    claims.append(f"it ends exactly when the player to move cannot{', or by such facts' if threats else ''}")
    if not threats and seen_to_differ(endings):
        return _points(endings, falls, threats, claims)
    pays = [endings.stuck_pays(role) for role in (0, 1)]
    if any(len(some) > 1 for some in pays):
        return _points(endings, falls, threats, claims)
    rule, stuck = _last_mover(endings, pays)
    if endings.operators.nets is not None and (threats or rule != "normal play"):
        raise Refused(f"what is legal is kept as a net, and that is searched in normal play alone; this is {rule}")
    claims.append(THEN[rule])
    return Premises(endings.operators, rule, stuck, threats, falls, None, tuple(claims))


def _last_mover(endings: Endings, pays: list[set[Gets]]) -> tuple[Rule, tuple[Gets, Gets]]:
    """The rule by which the last mover wins or loses, and what the roles get when either is stuck."""
    known = [next(iter(some)) if some else None for some in pays]
    if known[0] is None and known[1] is None:
        return "threats alone", ((0, 0), (0, 0))
    first = known[0] if known[0] is not None else known[1]
    second = known[1] if known[1] is not None else known[0]
    assert first is not None
    assert second is not None
    if None in known or first == second:
        if first[0] == first[1] and second[0] == second[1]:
            return "draw", (first, second)
        state = endings.met_pays().get(first)
        raise Refused("who wins when nobody can move does not depend on who moved last", state, met=state is not None)
    gains = (second[0] - first[0], first[1] - second[1])
    if all(gain > 0 for gain in gains):
        return "normal play", (first, second)
    if all(gain < 0 for gain in gains):
        return "misère play", (first, second)
    raise Refused("being the last to move is good for one player and not bad for the other")


def _points(endings: Endings, falls: Measure, threats: tuple[Threat, ...], claims: list[str]) -> Premises:
    """Points that add up."""
    if threats:
        raise Refused("who gets what at the end depends on more than who moved last, and there are threats")
    if endings.operators.nets is not None:
        raise Refused("who gets what depends on more than who moved last, and what is legal is kept as a net")
    points = weights(endings)
    claims.append("what a player gets then is a sum of points for single facts")
    return Premises(endings.operators, "points", ((0, 0), (0, 0)), (), falls, points, tuple(claims))


def _either(endings: Endings, falls: Measure, claims: list[str]) -> Premises | None:
    """Play that ends when either player could not move; that is normal play if no move frees the other.

    None if play ends in other ways; then the threats are found again.
    """
    if endings.operators.nets is not None:
        return None
    endings.find_threats(both=True)
    try:
        endings.either_stuck()
        plain = not endings.threats
    except Refused:
        plain = False
    if not plain:
        endings.find_threats()
        return None
    pays = [endings.stuck_pays(role, other=True) | endings.waiting_pays(role) for role in (0, 1)]
    if any(len(some) != 1 for some in pays):
        raise Refused("play ends when either player could not move, and who gets what then is not always the same")
    stuck = (next(iter(pays[0])), next(iter(pays[1])))
    if not (stuck[0][0] < stuck[1][0] and stuck[1][1] < stuck[0][1]):
        raise Refused("play ends when either player could not move, and he does not simply lose then")
    both = [endings.stuck_pays(role, other=False) or {stuck[role]} for role in (0, 1)]
    if any(len(some) > 1 for some in both):
        raise Refused("play ends when either player could not move, and if neither can it is open who gets what")
    claims.append("it ends exactly when one of the players could not move")
    neither = (next(iter(both[0])), next(iter(both[1])))
    if neither == stuck and _frees_nobody(endings):
        claims.append("no move gives a player a move who had none")
        return Premises(endings.operators, "normal play", stuck, (), falls, None, tuple(claims))
    claims.append("who cannot loses, and what they get if neither can depends on whose turn it is alone")
    return Premises(endings.operators, "either is stuck", stuck, (), falls, None, tuple(claims), neither)


def _frees_nobody(endings: Endings) -> bool:
    """Whether it is proved that no move gives the other player a move where he had none."""
    try:
        return endings.frees() is None
    except Refused:
        return False
