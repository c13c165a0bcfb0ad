"""The numbers of the search: how far ways of solving go before they refuse, and what they look at first."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class SearchLimits(Numbers):
    """What bounds the ways of solving. None of these numbers decides whether an answer is called exact.

    Sizes of batches stay with the code that works through them: they change its speed and no result. So do the bytes
    that an entry of a table takes, which are facts of the machine.
    """

    # ---- one part, and what parts mean together ----
    times_longest: int = number(
        100_000, "Steps of a context; a counter that takes more is refused. No real game needs as many", least=1
    )
    times_plays: int = number(8, "Random plays whose states are put around the context,", least=1)
    times_moves: int = number(300, "and moves of each of them", least=1)
    views_plays: int = number(
        16, "Random plays whose states are put around a part where the game would be over,", least=1
    )
    views_fillings: int = number(64, "and how many of these states", least=0)
    shape_plays: int = number(64, "Random plays in which it is seen who moves in a part when", least=1)
    placing_joint: int = number(
        1 << 20, "Joint moves of one state that are listed to see what parts they act in", least=1
    )
    verdicts_judged: int = number(
        1 << 21, "Combinations of context and concepts whose end and goals are worked out", least=1
    )
    verdicts_table: int = number(
        1 << 22, "Entries of a table of goals; with more combinations, positions are evaluated one by one", least=1
    )
    verdicts_matchings: int = number(
        5040, "Ways to match the answers of two parts that are tried before they count as different,", least=1
    )
    verdicts_compared: int = number(1 << 26, "and entries that are compared for it", least=1)

    checking_positions: int = number(
        2_000, "Positions nearest to the start that the checker of answers looks at,", least=1
    )
    checking_work: float = number(
        1e9,
        "as long as they take no more steps than these (and no more than the first where each takes a search);",
        least=0.0,
    )
    checking_plays: int = number(16, "plays that it follows in a larger game,", least=0)
    checking_moves: int = number(60, "and moves of each of them", least=0)

    foresight_moves: int = number(1_000, "Moves of a line of best play", least=0)
    foresight_forms: int = number(
        20_000, "Canonical forms that may be made to know who wins a sum of values later in a play", least=1
    )

    product_foresight: float = number(
        2e9,
        "Steps of work for moves that the search of a product left out as no better than others",
        least=0,
    )

    # ---- sums that add up ----
    nimbers_genus: int = number(3, "Misère nim values of a genus that are shown", least=0)
    nimsum_plays: int = number(64, "Random plays of the quick look whether the last mover wins", least=1)
    misere_classes: int = number(
        13, "Classes up to which a misère quotient is looked for; beyond, search is quicker", least=1
    )
    misere_elements: int = number(100, "Elements of such a quotient,", least=1)
    misere_heaps: int = number(3, "and heaps with which its elements are told apart", least=1)
    points_entries: int = number(
        1 << 24, "Entries of the table of goals that are looked at for points that add up", least=1
    )
    points_ends: int = number(20_000, "Different ends that a linear program for the points takes in", least=1)
    points_scale: int = number(12, "The largest whole multiple of its solution that is tried", least=1)
    pointvalues_shapes: int = number(
        5_000, "Shapes of positions for points; with more, searching them is quicker", least=1
    )
    pointvalues_moves: int = number(
        300, "Moves in a row in a sum for points; values are compared by recursion", least=1
    )
    pointorder_classes: int = number(
        8_000, "Classes that bring points; comparing all pairs of more takes too long", least=1
    )

    # ---- quotients ----
    classgraph_compared: int = number(
        6_000, "Classes of positions; comparing all pairs of more takes too long", least=1
    )
    pairing_few: int = number(
        200_000, "Positions of a product that are searched without putting parts together first", least=0
    )
    pairing_pairs: int = number(500_000, "Pairs of classes of two parts that are put together", least=1)
    pairing_refused: int = number(
        3, "Kinds of pairs that are tried in vain before the parts are left as they are", least=1
    )
    pairing_worthwhile: float = number(
        0.6, "Two parts stay apart unless less than this share of their pairs is left", least=0.0, most=1.0
    )

    # ---- one player ----
    errand_broad: int = number(1 << 15, "States up to which the shortest way through a part is looked for", least=1)
    boundedplan_moves: int = number(256, "Moves of a plan that the solver is asked for", least=1)
    boundedplan_size: int = number(400_000, "Gates, fluents and moves of all its steps together", least=1)
    boundedplan_work: float = number(
        8e9, "Steps of work (see `ludisect.effort`) for the plans of all lengths", least=0.0
    )
    subgoals_alternatives: int = number(256, "Choices in a goal that are looked at", least=1)
    subgoals_edges: int = number(50_000, "Edges of a circuit whose goal is still taken apart", least=1)
    subgoals_waits: int = number(
        1_000, "Moves without effect that are made at the end, while a counter runs out", least=0
    )

    # ---- stages ----
    stages_small: int = number(
        20_000, "Positions of a stage that may be searched although its parts do not add up", least=1
    )
    stagesum_ends: int = number(1 << 12, "Ways to end a stage that are followed up", least=1)

    # ---- regions ----
    regions_turns: int = number(64, "Turns until the clock of a game must have come round", least=2)
    regions_cubes: int = number(
        250, "Ways in which one move can be legal; what is no small disjunction is kept as a net", least=1
    )
    regions_work: float = number(1e10, "Steps of work to prove when a game ends and who gets what then", least=0)
    regions_pairs: int = number(
        200_000, "Pairs of operators that are looked at to see whether a move can free the other player", least=1
    )
    regions_paired: int = number(200, "Facts between which implications and exclusions are looked for", least=0)
    regions_clauses: int = number(
        500_000, "Clauses times operators up to which such are tried; with more, only those about marks are", least=0
    )
    regions_threats: int = number(
        64, "Ways in which one set of facts may end a play; with more, it is no threat", least=1
    )
    regions_diagrams: int = number(300_000, "Nodes of the decision diagrams of a goal that counts facts", least=2)
    regions_plain: int = number(
        12, "Operators up to which the value of a region is found without compiled search", least=0
    )
    regions_quick: int = number(
        2_000, "Regions that compiled search may expand for a value that somebody else would search for", least=1
    )
    regions_added: int = number(
        400,
        "Games that may be made to add two values of regions in a match; a larger sum is decided without adding up",
        least=1,
    )
    regions_forms: int = number(
        60,
        "Canonical forms that may be made to add up the values of regions; sums of more are decided without adding up",
        least=1,
    )
    regions_net_live: int = number(
        18, "Operators of a region with guards that are nets, up to which its states are listed for its value,", least=0
    )
    regions_net_states: int = number(20_000, "and states that are listed at most", least=1)
    regions_small: float = number(
        7.5,
        "Operators of a region that is replaced by its value in the search for who wins, per operator on each open "
        "fact of the start,",
        least=1.0,
    )
    regions_bound: int = number(
        24, "Operators of the regions that are left where moves are crossed out to get bounds,", least=1
    )
    regions_tied: int = number(
        14,
        "and operators that are still tied together where play has gone on from the region they were chosen for,",
        least=1,
    )
    regions_bound_nodes: int = number(20_000, "and regions that are expanded for these at a limit", least=1)
    regions_most_small: int = number(100, "and no more than these", least=1)
    regions_table: int = number(1 << 20, "Nodes that this search keeps; those that took least work give way", least=16)
    regions_listed: int = number(1 << 14, "States of a part up to which listing them all is quicker", least=0)
    regions_look: float = number(
        2e8,
        "Steps to list the states of a game that is one part; if they suffice, a search of the whole is quicker",
        least=0,
    )
    regions_foresight: float = number(5e9, "Steps of work to know what later states are worth", least=0)
    regions_operators: int = number(50_000, "Operators that say what the moves of one role do", least=1)

    # ---- limits on work; a step is about a nanosecond, see `ludisect.effort` ----
    search_work: float = number(
        inf, "Steps of work for a search, where the caller wants a limit that is the same on every machine", least=0.0
    )
    cutting_share: float = number(
        0.5, "Share of the seconds that the decomposition may take: the search needs some too", least=0.0, most=1.0
    )
    way_share: float = number(
        0.4, "Share of what is left for a way that may take too long where another does not", least=0.0, most=1.0
    )
    whole_evaluating: float = number(
        0.1,
        "Share of the seconds left in which positions of the whole are not listed but evaluated",
        least=0.0,
        most=1.0,
    )
    settle_work: float = number(
        5e9, "Steps for a proof that the context runs by itself, of a decomposition that comes with none", least=0.0
    )
    coarser_work: float = number(1e10, "Steps of work for a way on parts that were put together,", least=0.0)
    coarser_memory: float = number(2.0**29, "and bytes", least=0.0)
    anytime_share: float = number(
        0.1,
        "Share of seconds and work that is kept for guesses by parts, in case nothing else comes to an end,",
        least=0.0,
        most=0.9,
    )
    anytime_work: float = number(5e9, "and steps of work for them: so much at most,", least=0.0)
    anytime_least: float = number(5e8, "and so much even if nothing is left", least=0.0)
    firstmove_plays: int = number(
        64, "Random plays per move of the role that has most, from which a first move is guessed,", least=0
    )
    firstmove_work: float = number(
        8e8, "and steps of work for them; plays that are not over by then do not count", least=0.0
    )
    firstmove_interrupted: float = number(2e8, "The same after an interrupt: the user wants to leave", least=0.0)

    # ---- the whole game ----
    opposed_work: float = number(
        1e10,
        "Steps of work for a proof that two players share one total. Most take a few hundredths of this,",
        least=0.0,
    )
    opposed_share: float = number(0.2, "and at most this share of what a search has left", least=0.0, most=1.0)
    opposed_late_work: float = number(
        2e9, "Steps of work for such a proof when a search has come to its limit,", least=0.0
    )
    opposed_late: float = number(
        0.1, "and this share of the seconds, where these were the limit and none are left", least=0.0, most=1.0
    )
    opposed_node_steps: float = number(
        6e4,
        "What a node of the circuit is reckoned to take in the solver; with more of them no proof is begun",
        least=0.0,
    )
    opposed_plays: int = number(
        256, "Random plays whose ends must have one total before it is proved of all ends", least=1
    )
