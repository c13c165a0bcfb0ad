"""The numbers of tree search: how wide it explores, when leaves become nodes, how much memory it takes."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class TreeLimits(Numbers):
    """How the tree grows, and how far."""

    tree_explore: float = number(
        0.7,
        "Width of exploration: what a move's mean (from 0 to 1) is raised by is this times sqrt(ln n / n)",
        least=0.0,
    )
    tree_gamma: float = number(
        0.1, "Part of the draws that are uniform where several roles choose at once", least=0.0, most=1.0
    )
    tree_expand_at: int = number(8, "Visits of a leaf that make it a node", least=1)
    tree_expand_share: int = number(
        4, "or this part of its siblings, if that is more: all children of a new node are looked at", least=1
    )
    tree_leaves: int = number(512, "Leaves in flight at most", least=1, most=512)
    tree_plays: int = number(1, "Plays from each leaf that is picked", least=1, most=512)
    tree_most_plays: int = number(
        128, "Plays from each leaf while the tree is small and lanes would stand empty", least=1, most=512
    )
    tree_decisive: int = number(
        1, "Whether plays make a move that wins at once, where looking for such moves is cheap", least=0, most=1
    )
    tree_policy: int = number(
        0, "Whether plays prefer moves that did well in the tree; `tune` finds out where that pays", least=0, most=1
    )
    tree_policy_at: int = number(
        2000, "Visits of the root after which such moves are looked for, and again whenever they have doubled", least=1
    )
    tree_policy_visits: int = number(50, "Visits of a move, over the whole tree, that make its mean count", least=1)
    tree_solver: int = number(1, "Whether ends of the game are proved and carried up", least=0, most=1)
    tree_merge: int = number(1, "Whether equal states at the same turn become one node", least=0, most=1)
    tree_ask_at: int = number(
        64,
        "Visits of a node after which it is asked whether its state is known from elsewhere, if anybody knows",
        least=1,
    )
    tree_ask_share: float = number(
        0.2, "Share of the time that such questions may take; as much smaller as answers are rare", least=0.0, most=1.0
    )
    tree_trust: float = number(
        0.1,
        "Where parts are known: plays that a new node has in advance for each play of the move's record",
        least=0.0,
        most=1.0,
    )
    tree_trust_least: int = number(8, "more than so many, if the place is known at all,", least=0, most=63)
    tree_trust_most: int = number(40, "and at most so many for each move", least=0, most=63)
    tree_deepest: int = number(200, "Moves from the root to a leaf", least=1, most=10_000)
    tree_play_length: int = number(
        1000, "Moves after which a play is cut and its goals are taken as they stand", least=8
    )
    tree_megabytes: int = number(1024, "Memory of the trees of one search, all threads together", least=16)
    tree_slice: float = number(
        0.005, "Seconds after which the search looks at the clock, or whether it is to stop", least=0.0001, most=1.0
    )
