"""The numbers of sums: how long values are searched for, and what a question may cost."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class SumsLimits(Numbers):
    """What bounds the search of sums. None of these numbers decides whether an answer is called proved.

    Shares are of the seconds that the caller gives; without seconds, work is counted instead.
    """

    # ---- values of parts ----
    table_entries: int = number(
        1 << 20, "Positions that a table keeps unless told otherwise: some hundred megabytes of boards", least=1
    )
    local_large: int = number(
        20, "Open cells of a Domineering board from which on compiled search is worth loading", least=0
    )
    local_nim_nodes: int = number(
        2_000, "Positions expanded for a nim value by parts before compiled search of plays has a try", least=1
    )
    local_play_nodes: int = number(
        3_500_000,
        "Positions that this try may expand where no seconds are given. Measured: 0.7 million a second on boards of "
        "clobber and nogo, so about five seconds",
        least=1,
    )
    local_play_share: float = number(
        0.8, "Its share of the seconds that are left, where some are given", least=0.0, most=1.0
    )

    # ---- guesses where values are out of reach ----
    guess_share: float = number(
        0.15, "Share of the seconds that is kept for guesses, if values are not found in the rest", least=0.0, most=1.0
    )
    guess_nodes: int = number(
        10_000,
        "Positions that heuristic search may expand where no seconds are given. Measured: three thousand a second",
        least=1,
    )

    tree_nodes: int = number(20_000, "Nodes of a local tree; a larger one is refused", least=1)

    # ---- what every move is worth ----
    option_nodes: int = number(
        20_000,
        "Positions that may be expanded for what one move leaves, where the tables lack it",
        least=1,
    )
    option_play_nodes: int = number(
        3_500_000, "Positions that a search of plays may expand for one move of a board without values near by", least=1
    )

    # ---- who wins ----
    winner_values_share: float = number(
        0.5,
        "Share of the seconds for values; the rest is for the sum, or for plays where there are none",
        least=0.0,
        most=1.0,
    )
    winner_line_nodes: int = number(20_000, "Sums that may be expanded for a line of best play", least=0)
    decide_few: int = number(
        1_000, "Positions expanded to find the values of a single board before it is played out instead,", least=1
    )
    decide_steps: int = number(
        50_000,
        "and steps of arithmetic (canonical forms and comparisons) for each. Measured: 10 to 25 thousand a second in a "
        "search, 190 thousand where sums are added",
        least=1,
    )
    decide_small: int = number(300, "Positions that the mixed way may expand to find the value of one part", least=0)
    decide_shares: tuple[float, ...] = number(
        (0.25, 0.4, 0.35),
        "Shares of the seconds for values, the mixed way and plays, in this order",
        least=0.0,
        most=1.0,
    )
    decide_board_shares: tuple[float, ...] = number(
        (0.04, 0.56, 0.2, 0.2),
        "The same for a single board that compiled search can play out, which comes second",
        least=0.0,
        most=1.0,
    )
    outcome_plain_nodes: int = number(1_000, "Sums expanded before compiled search is worth loading", least=1)

    # ---- adding up ----
    total_steps: int = number(
        4_000_000,
        "Steps of arithmetic for a sum that is written as one value; beyond, bounds describe it. Measured: 190 "
        "thousand a second, so about twenty seconds",
        least=1,
    )
    total_nodes: int = number(5_000_000, "Sums expanded to find who wins one that is not added up", least=1)
    addition_nodes: int = number(20_000, "Canonical forms made to add up the parts of one component", least=1)
    incentive_nodes: int = number(
        400, "Canonical forms made for one incentive; beyond, the move is kept unexamined", least=1
    )
