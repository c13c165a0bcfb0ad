"""The numbers of play: shares of the clocks, memory, and what a server accepts before it says no."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class PlayLimits(Numbers):
    """What bounds players and matches."""

    # ---- players ----
    players_memory: float = number(
        2.0, "Gigabytes that building a game may take, and as many that a search in the background may take", least=0.1
    )
    byparts_share: float = number(
        0.5,
        "Share of the start clock in which the solver is waited for; of the rest, too, if there is hope",
        least=0,
        most=1,
    )
    byparts_whole: float = number(
        0.1, "The same share where statistics show one part only: what can be solved then is small", least=0, most=1
    )
    byparts_apart: float = number(
        0.25, "The same share where they show parts whose points add up: their trees need no answer", least=0, most=1
    )
    byparts_first: float = number(
        0.1,
        "Share of a move's time for the tree before anybody else is asked, so that there is an answer",
        least=0,
        most=1,
    )
    byparts_wait: float = number(
        0.03, "Share of a move's time in which it is waited for; then the tree is searched beside it", least=0, most=1
    )
    byparts_hope: float = number(
        0.25,
        "The same share while there is hope: several parts, or nobody knows yet; halved whenever it begins anew",
        least=0,
        most=1,
    )
    byparts_least: float = number(
        0.05, "Seconds that this share must have; with fewer, the solver ends with the start clock", least=0
    )
    byparts_proving: float = number(
        0.2, "Share of the start clock in which it may be proved that the rules are a sum of regions", least=0, most=1
    )
    byparts_sketch: float = number(
        0.75, "Share of the start clock in which parts may be found by statistics, before others are", least=0, most=1
    )
    byparts_reading: float = number(
        0.25,
        "Share of the fluents that the goals must read if such parts are to be looked for before regions",
        least=0,
        most=1,
    )
    byparts_regions: float = number(
        0.4, "Share of a move's time for judging a state by its regions, until they have decided one", least=0, most=1
    )
    byparts_decided: float = number(0.95, "The share for that once they have decided one", least=0, most=1)
    byparts_moves: float = number(
        4.0, "Times the play clock after which the solver begins anew from the state that was reached", least=0
    )
    byparts_patience: float = number(
        20.0, "Seconds after which it does so in any case; the first of the two, doubled every time", least=0
    )
    locally_share: float = number(
        0.25,
        "Share of a move's time for the trees of the parts; the rest is for the tree of the whole",
        least=0,
        most=1,
    )
    locally_instep: float = number(
        0.85,
        "The same share where every move acts in all parts: there the parts choose, each its factor",
        least=0,
        most=1,
    )
    locally_choice: float = number(
        0.9,
        "The same share where one moves in one of several parts and their points add up: there the parts choose, too",
        least=0,
        most=1,
    )
    locally_slice: float = number(
        0.01, "Seconds of search in the tree of one part before the next has its turn", least=0.001
    )
    locally_megabytes: int = number(128, "Memory of the tree of one part", least=16)
    locally_trust: float = number(
        0.25, "What the trees of the parts say counts as this share of the plays of the whole so far", least=0
    )
    regional_moment: float = number(
        0.005, "Seconds for a state of the tree that is judged by its regions: what takes longer is left open", least=0
    )
    regional_quick: int = number(
        20_000, "Regions that may be expanded for one value, and sums of known values for who wins them", least=1
    )
    regional_plays: int = number(
        60, "Random plays in the start clock whose states are judged, so that their regions are known later", least=0
    )
    regional_ahead: int = number(8, "Moves of the longest of them", least=1)
    regional_ready: float = number(
        0.05, "Seconds of the time that a won move left over in which the replies to it are judged, at most", least=0
    )
    regional_share: float = number(0.25, "Share of the time left that one such state may take", least=0, most=1)
    trap_look: float = number(
        0.3, "Share of the time for choosing moves that may be traps, where all moves lose", least=0, most=1
    )
    trap_moves: int = number(8, "Moves that may be traps: the best of these plays", least=1)
    trap_reply: float = number(
        0.4, "Share of the rest for searching the replies to them; then replies are judged", least=0, most=1
    )
    trap_replies: int = number(3, "Replies to each that are judged, the most visited first", least=1)
    depthfirst_share: float = number(
        0.7, "Share of a move's time for the search depth first; the rest is for random plays", least=0, most=1
    )
    treeplayer_slice: float = number(0.1, "Seconds of tree search between two looks at what it would play", least=0.001)
    treeplayer_tune: float = number(
        0.3, "Share of the start clock in which matches show whether plays should prefer good moves", least=0, most=1
    )
    treeplayer_tune_least: float = number(
        2.0, "Seconds that this share must have; with fewer, plays are uniform: too few matches tell nothing", least=0
    )
    treeplayer_ponder: float = number(
        120.0, "Seconds of search after an answer while nothing is heard of the match", least=0
    )
    puzzle_slice: float = number(
        0.02, "Seconds of the first turn of each search of a puzzle, twice as many in each of the next", least=0.001
    )
    puzzle_look: float = number(
        0.05, "Seconds of a puzzle's search between two looks at whether somebody else is to move", least=0.001
    )
    puzzle_turn: float = number(
        0.5, "Seconds in which the solver by parts and a puzzle's searches have their first turns; doubled", least=0.01
    )
    puzzle_share: float = number(
        0.7, "Share of a move's time after which a puzzle without any plan is left to tree search", least=0, most=1
    )
    puzzle_gates: int = number(
        20_000, "Gates of the best goal up to which it is counted how much of it is unmet", least=0
    )
    planned_plays: int = number(32, "Random plays that show how long a play may be that a solver is asked for", least=1)
    planned_moves: int = number(256, "Moves of the longest of them that count", least=1)
    planned_size: int = number(3_000_000, "Gates, fluents and moves of all steps of such a play together", least=0)
    planned_seconds: float = number(
        4e-6, "Seconds for each of these that must have been saved up before the solver is asked", least=0
    )
    anyorder_size: int = number(
        8_000_000, "Moves times moves or fluents of a puzzle up to which its moves are watched in random plays", least=0
    )
    anyorder_plays: int = number(
        1024, "Random plays before moves in any order are asked for; four times as many before they are again", least=1
    )
    anyorder_each: int = number(4, "The same for each move, if that is more: pairs of moves must be met", least=0)
    anyorder_most: int = number(65_536, "Random plays in all", least=0)
    anyorder_least: float = number(1.0, "Seconds that one such question may take in any case", least=0)
    anyorder_rounds: int = number(8, "Sets of moves that may have no order before more plays are watched", least=1)
    flat_plays: int = number(256, "Random plays that are begun together", least=1)

    # ---- matches ----
    onematch_grace: float = number(
        1.0, "Seconds that a manager waits for a move beyond the clock, as those of the field do", least=0
    )
    onematch_length: int = number(1000, "Joint moves after which a match is broken off", least=1)

    # ---- the server ----
    listening_connections: int = number(
        400, "Connections that are open at once; others are told that it is busy", least=1
    )
    listening_bytes: int = number(1 << 24, "Bytes of one message", least=1)
    listening_held: int = number(1 << 26, "Bytes of all messages that wait for their answers", least=1)
    listening_head: int = number(1 << 16, "Bytes of the headers of a message", least=1)
    listening_seconds: float = number(
        10.0, "Seconds in which a message must have come; what is there by then is answered", least=0.1
    )
    listening_moment: float = number(
        0.1, "Seconds for more of a message that seems complete: managers count characters, not bytes", least=0
    )
    listening_linger: float = number(1.0, "Seconds in which what is still being sent is read before closing", least=0)
    serving_margin: float = number(0.3, "Seconds before the end of a clock at which the server answers", least=0)
    serving_share: float = number(0.25, "Share of a clock that the margin takes at most", least=0, most=1)
    serving_silence: float = number(
        600.0, "Seconds without a message, beyond the clock, after which a match is over", least=0
    )
    serving_clock: float = number(86_400.0, "The longest clock that is believed", least=1)
    serving_late: float = number(
        0.6, "Seconds beyond the clock for which a move is waited for where none is known: managers wait one", least=0
    )
    serving_loading: float = number(
        30.0, "Seconds in which the server waits for its first referee before it tells where it listens", least=0
    )
    serving_logging: float = number(60.0, "Seconds for writing the log of a match that is over", least=0)
