"""The ways of solving a game from its parts, in the order in which ``solve`` tries them."""

from __future__ import annotations

from ludisect.search.additive import nimbers, scores, values
from ludisect.search.oneplayer import greedy, lockstep, plans, subgoals
from ludisect.search.quotient import quotient
from ludisect.search.regions import regions
from ludisect.search.serial import serial, stages
from ludisect.search.turns import joint, parallel, tmseq, urgent
from ludisect.search.way import Way

SPECIAL: tuple[Way, ...] = (
    regions.WAY,  # nothing is listed: where parts are too large for that, or there is one part that falls apart later
    nimbers.WAY,  # a number per part, and the sum is decided by them: nothing is cheaper
    values.WAY,  # a canonical value per part: as cheap to add, dearer to find
    subgoals.WAY,  # one player: each part is reached on the rules, its states are never listed
    parallel.WAY,  # every part is a game of its own: the sum of their sizes
    lockstep.WAY,  # one player in step: lengths of plans are compared, not combined
    plans.WAY,  # one player: plans of parts are combined by what they show
    scores.WAY,  # points that add up: parts are reduced before they meet
    joint.WAY,  # moves at the same time: combinations of local trees
    stages.WAY,  # stages that are sums: each stage by one of the above
)
"""Each asks for a form of its own, and is cheaper than the product where it fits; the cheapest first."""

GENERAL: tuple[Way, ...] = (
    quotient.WAY,  # fits every proved decomposition: the product of quotients
    serial.WAY,  # stage by stage, where the product grows too large
    tmseq.WAY,  # turn-move sequences: where local trees are small and states are not
)
"""For whatever is left; then the whole game is searched."""

BY_NAME: tuple[Way, ...] = (
    greedy.WAY,
    tmseq.PUBLISHED_WAY,
    tmseq.PUBLISHED_A_WAY,
    tmseq.PUBLISHED_SETS_WAY,
    urgent.WAY,
)
"""Not exact: taken only when asked for."""

WAYS = {way.name: way for way in (*SPECIAL, *GENERAL, *BY_NAME)}

INSTEAD: dict[str, tuple[Way, str]] = {
    "values": (
        regions.WAY,
        "a region in which nobody has a choice has a value, too, and is no part: regions were taken",
    ),
}
"""By way: one that does the same where parts are not what it needs, and what the answer says of it."""
