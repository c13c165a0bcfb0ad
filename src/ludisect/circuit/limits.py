"""The numbers of the way from ground rules to a game: which circuit is built and kept, how plays run."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class CircuitLimits(Numbers):
    """How much is spent on a smaller circuit, and how long random plays are."""

    # ---- loader: which of several circuits ----
    loader_small: int = number(
        1_500, "Circuits with fewer edges are not worth grounding the rules a second time, unsplit", least=0
    )
    loader_large: int = number(
        1_200_000,
        "Nor are those that took so many ground rules and edges together. Measured: 2.0 s; 1 to 2.5 µs a rule and 1 to "
        "2 µs an edge on 61 games",
        least=0,
    )
    loader_plain_factor: int = number(
        8, "Unsplit rules are tried up to this multiple of the split ground rules,", least=0
    )
    loader_plain_floor: int = number(20_000, "but up to this many ground rules in any case,", least=0)
    loader_plain_most: int = number(600_000, "and up to this many at most", least=0)
    loader_split_share: float = number(
        0.5, "Of the seconds, if some are given, for grounding split rules,", least=0.0, most=1.0
    )
    loader_demand_share: float = number(0.7, "of those left then for grounding by demand,", least=0.0, most=1.0)
    loader_all_share: float = number(
        0.75, "and of those left then for all split rules; the rest is for the rules as they are", least=0.0, most=1.0
    )
    loader_split_most: int = number(
        4_000_000,
        "Split rules with more instances are grounded by demand: that costs as much again if all is asked for",
        least=0,
    )
    loader_demand_most: int = number(
        20_000_000, "Ground rules by demand. Measured: 2.5 µs a rule with 16.1 million of them (chess)", least=0
    )
    loader_all_most: int = number(
        8_000_000, "Split ground rules where even those by demand are too many: the last try but one", least=0
    )

    # ---- building ----
    unfold_edges: int = number(
        40_000_000, "Recursive rules that unfold to more edges are refused: the interpreter can play them", least=0
    )
    circuit_factor_worth: float = number(
        0.02, "Factoring goes on while a round saves this part of the edges", least=0.0, most=1.0
    )
    circuit_share_worth: float = number(
        0.003,
        "Sharing pairs goes on while a round saves this part of the edges: the last rounds save next to nothing",
        least=0.0,
        most=1.0,
    )
    circuit_pair_fan_in: int = number(48, "Gates with more edges take no part in the search for shared pairs", least=0)
    circuit_large: int = number(
        300_000,
        "Circuits with more edges are factored and shared once, and their cofactors only folded: more takes seconds",
        least=0,
    )

    # ---- solver ----
    solver_work: float = number(1e10, "Steps (see `ludisect.effort`) for a program and all its questions", least=0.0)
    solver_build_steps: float = number(
        1_300.0,
        "What a rule or a literal counts while a program is built. Measured: 1.1 to 1.7 µs, on ten games",
        least=0.0,
    )
    solver_prepare_steps: float = number(
        400.0,
        "What it counts again before the first answer, when the solver cannot be interrupted. Measured: 0.04 to 0.4 µs "
        "where there were few conflicts",
        least=0.0,
    )
    solver_ask_steps: float = number(
        50.0, "What it counts in every question. Measured: 0.05 µs on asteroidsParallel, 12 models", least=0.0
    )
    solver_conflict_steps: float = number(
        20_000.0,
        "What a conflict counts, and with it the limit on conflicts of a question. Measured: 10 to 40 µs where the "
        "program has up to 10,000 rules and literals",
        least=1.0,
    )
    solver_conflict_size_steps: float = number(
        8.0,
        "What a conflict counts more for each rule and literal of the program. Measured: 70 µs with 9,000 of them "
        "(blockerParallel), 303 µs with 34,000 (checkers)",
        least=0.0,
    )

    # ---- turns ----
    phase_steps: int = number(24, "Steps from the start in which a turn marker must show its period", least=2)
    movewise_turns: int = number(
        64,
        "Turns that are followed to see, move by move, what can no longer change; with more, only folding does",
        least=1,
    )
    phase_periods: tuple[int, ...] = number(
        (2, 3, 4, 5, 6, 8), "Lengths of a round of turns that get a circuit for each turn", least=2, most=24
    )
    turns_plays: int = number(256, "Random plays in which it is seen who moves when", least=1)

    # ---- moves that win at once ----
    decisive_plays: int = number(512, "Random plays that show which moves win at once,", least=1)
    decisive_length: int = number(200, "of up to so many moves", least=1)
    decisive_share: float = number(
        0.98, "Part of these wins whose moves are looked for, the most frequent first", least=0.0, most=1.0
    )
    decisive_copies: int = number(
        500_000, "Edges of what comes after each move of a turn; where there are more it is not looked at", least=0
    )
    decisive_edges: int = number(
        8_000, "Edges of a turn, with what prefers moves that win at once; with more the game goes without,", least=0
    )
    decisive_growth: float = number(8.0, "and so it does with more than so many times the edges of before", least=1.0)

    # ---- plays ----
    lanes_max_length: int = number(
        2000, "Plays of up to this many moves are never cut short unless the caller says so", least=1
    )
    record_at_once: int = number(2048, "Plays that run side by side where transitions are recorded", least=1)
    record_merge_at: int = number(
        1 << 18,
        "New transitions after which equal ones are merged, so that memory follows distinct ones",
        least=1,
    )
    record_bytes: float = number(
        float(1 << 33), "Memory for recorded transitions, merging included; plays that need more are refused", least=1.0
    )
    program_chunk: int = number(
        512,
        "Gates that are scheduled together: their values stay in the first-level cache. Measured on hex, 2.2 million "
        "states a second without and 2.6 with it (benchmarks/playouts.py)",
        least=1,
    )
