"""The rule of play: how roles are taken to play, stated once, used by every search, and named.

A value is a value only under such a rule. Which one holds is a matter of the game alone (``rule_for``), never of the
way in which it is solved; docs/rule-of-play.md says it with examples. Under every rule a choice is one between moves
that lead to different states; a goal that the rules do not define, or define twice, counts as 0; where a role has no
legal move, the play stops and pays nobody.
"""

from __future__ import annotations

from typing import Final, Literal

Rule = Literal["optimum", "max-n", "equilibrium", "pessimistic"]
"""What a search has to do at a position. Minimax is max-n where one of two players gains what the other loses."""

OPTIMUM: Final = "optimum"
MAX_N: Final = "max-n"
MINIMAX: Final = "minimax"
EQUILIBRIUM: Final = "equilibrium of stage games"
PESSIMISTIC: Final = "pessimistic: each role's worst case"
NORMAL: Final = "normal play"
MISERE: Final = "misère play"
POINTS: Final = "points"
HELPING: Final = "everybody helps"
UNSETTLED: Final = "not settled yet"

STATED: dict[str, str] = {
    OPTIMUM: "a single player gets the most it can reach; a play that never ends is worth nothing",
    MAX_N: "whoever has a choice takes what is best for itself, and among equals what gives the others least, compared "
    "role by role in the order of the rules",
    MINIMAX: "two players of whom one gains what the other loses; whoever has a choice takes what is best for itself",
    EQUILIBRIUM: "two players of whom one gains what the other loses choose at once: both mix their moves so that "
    "neither can do better",
    PESSIMISTIC: "roles choose at once and do not simply oppose each other: each by itself takes the single move whose "
    "worst outcome is best for it",
    NORMAL: "two players in turn; who cannot move loses, and both play to win",
    MISERE: "two players in turn; who cannot move wins, and both play to win",
    POINTS: "two players in turn; each plays for as many points more than the other as it can get",
    HELPING: "no more than a guess: what a role could still get in a part, if everybody helped it",
    UNSETTLED: "the limit came before it was known whether several roles choose at once, and whether their goals are "
    "opposite; what is said of values holds under every rule",
}
"""By the name under which a rule stands in an answer."""


def rule_for(roles: int, *, at_once: bool, constant_sum: bool) -> Rule:
    """The rule of a game by its form.

    ``at_once``: in some position that play can reach, several roles have a choice. ``constant_sum``: two players share
    the same total at every end, and where play stops.
    """
    if roles == 1:
        return "optimum"
    if not at_once:
        return "max-n"
    return "equilibrium" if roles == 2 and constant_sum else "pessimistic"


def named(rule: Rule, roles: int, *, constant_sum: bool) -> str:
    """The name of a rule in an answer."""
    if rule == "max-n":
        return MINIMAX if roles == 2 and constant_sum else MAX_N
    return {"optimum": OPTIMUM, "equilibrium": EQUILIBRIUM, "pessimistic": PESSIMISTIC}[rule]


def in_turn(roles: int) -> str:
    """The name of the rule where one role chooses at a time, and two of them have opposite goals."""
    return OPTIMUM if roles == 1 else MINIMAX


def stated(name: str) -> str:
    """The rule of an answer in a sentence; of one that has more to say ("normal play with threats"), its beginning."""
    found = STATED.get(name) or next((says for start, says in STATED.items() if name.startswith(f"{start} ")), "")
    return found or ("two players in turn of whom one gains what the other loses; both play to win" if name else "")
