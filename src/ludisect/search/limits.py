"""The numbers of the search: how far ways of solving go before they refuse, and what they look at first."""

from __future__ import annotations

from dataclasses import dataclass

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

    foresight_moves: int = number(1_000, "Moves of a line of best play", least=0)
    foresight_forms: int = number(
        20_000, "Canonical forms that may be made to know who wins a sum of values later in a play", least=1
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

    # ---- the whole game ----
    opposed_plays: int = number(
        256, "Random plays whose ends must have one total before it is proved of all ends", least=1
    )
