"""The numbers of decomposition: how much is looked at, and the thresholds that decide what belongs together."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class DecompositionLimits(Numbers):
    """How much is looked at to find, test and prove the parts, and what is decided by a threshold."""

    # ---- budgets: steps of work, about a nanosecond each (see `ludisect.effort`) ----
    decompose_work: float = number(
        6e10, "Steps for finding and proving the parts of a game; what is not told apart by then is joined", least=0.0
    )
    invariants_share: float = number(
        1 / 6, "Share of them for proving which fluents exclude each other,", least=0.0, most=1.0
    )
    rarestates_share: float = number(1 / 8, "for states with scores that no play showed,", least=0.0, most=1.0)
    context_share: float = number(
        1 / 4, "and, of what is left then, for telling what runs by itself", least=0.0, most=1.0
    )
    exact_least: float = number(1e9, "Steps that each of these and every proof has in any case", least=0.0)
    prove_invariants_share: float = number(
        1 / 4, "Share of the steps for invariants where somebody else's decomposition is proved", least=0.0, most=1.0
    )
    invariants_node_steps: float = number(
        6e4,
        "What a node of the circuit is reckoned to count in the solver; if that is more than there is, only claims "
        "that read no move are proved. Measured: 5,600 steps for building and 2,000 to 300,000 for answering",
        least=0.0,
    )
    rarestates_gate_steps: float = number(
        2e4,
        "What a gate of a goal is reckoned to count there; with less for it, no such states are looked for",
        least=0.0,
    )
    partition_work: float = number(5e9, "Steps for scores that hang on single parts,", least=0.0)
    partition_share: float = number(1 / 4, "and this share of what is left at most", least=0.0, most=1.0)

    # ---- evidence: what all methods are judged on ----
    sample_plays: int = number(400, "Random plays that states are taken from", least=1)
    sample_states: int = number(600, "States of these plays that are kept, a share of them for each depth", least=1)
    sample_max_length: int = number(300, "Moves after which a play is broken off", least=1)
    sample_depths: int = number(64, "Depths from which states are kept; of longer plays every so many", least=1)
    sample_pairs: int = number(
        60_000, "(state, move) pairs of the sample: it bounds the work on games with thousands of moves", least=1
    )
    sample_least: int = number(16, "States that are kept even if they have more pairs than that", least=1)
    sample_ends: int = number(20_000, "Of the pairs so many, about, are looked at for ends of play", least=1)
    sample_often: int = number(
        8,
        "Moves legal in fewer states, where several roles choose, are looked at with more moves of the others",
        least=0,
    )
    cover_each: int = number(2, "Sampled states in which every move that plays made should be legal", least=0)
    cover_most: int = number(400, "States that are added for rare moves and rare changes, and for rare pairs", least=0)
    cover_first_seen: int = number(
        20_000, "(state, move) pairs that are tried to get to fluents and moves that no play came to", least=0
    )

    localmoves_pairs: int = number(
        400_000, "(state, move) pairs, legal or not, that are evaluated per role to tell its moves apart", least=1
    )
    localmoves_evaluations: float = number(
        1.6e10,
        "Evaluations of gates that these may take; but two states are looked at, four if that is not much",
        least=0,
    )
    localmoves_merged: int = number(
        1_500, "With more classes of moves, those that agree wherever both are legal stay apart", least=0
    )
    localmoves_at_once: int = number(64, "Further states that tell moves apart, taken at a time", least=1)

    freechoice_looked_at: int = number(200, "(state, role) pairs in which free choice is tested", least=1)
    freechoice_ties: int = number(6, "Ties by free choice that are worked in at once,", least=1)
    freechoice_tie_share: float = number(
        1 / 16, "or this share of the parts if that is more: the rest is easier to see then", least=0.0, most=1.0
    )
    freechoice_table: int = number(
        4_000_000, "Outcomes ((state, role, move) triples x parts) that are looked at at once", least=1
    )

    goals_ends: int = number(4096, "Ends of plays that scores are looked at in", least=1)
    goals_mixtures: int = number(2048, "States put together from the parts of others", least=1)
    goals_mixed: tuple[float, ...] = number(
        (0.3, 0.6, 0.95), "Shares of the parts that are as play left them in such states", least=0.0, most=1.0
    )
    goals_minimal: int = number(192, "States per role in which all that the score does not need is put back", least=1)
    goals_swaps: int = number(2048, "Pairs of states that swap parts at a time", least=2)
    goals_swapped: tuple[float, ...] = number(
        (0.2, 0.5), "Shares of the parts that such a pair swaps", least=0.0, most=1.0
    )
    goals_witnesses: int = number(24, "Broken exchanges that are made small at a time", least=1)
    goals_quiet: int = number(2, "Looks in a row that show nothing new before the score is done with", least=1)
    goals_small: int = number(4, "Parts of a witness that decides what belongs together;", least=2)
    goals_large: int = number(6, "and of one that does so where there is none so small", least=2, most=8)
    goals_told: int = number(8, "Joins by the score, at least, that are shown by a state that needs the parts", least=0)
    goals_rounded: int = number(
        3,
        "Points that each of two parts must make for their sum to count as one although it is off by one: shares of a "
        "hundred points are rounded",
        least=1,
    )
    goals_fading: int = number(64, "States of a score in which conditions may show that they do not keep", least=1)

    invariants_states: int = number(512, "Random states that claims are tried on at once", least=1)
    invariants_rounds: int = number(
        40, "Times that they are; two rounds in a row that break nothing are the last", least=0
    )
    invariants_densities: tuple[float, ...] = number(
        (0.02, 0.1, 0.3, 0.5), "Shares of true fluents among those that no claim binds, in turn", least=0.0, most=1.0
    )
    invariants_walks: int = number(64, "Random ways from the state of each counterexample,", least=2)
    invariants_steps: int = number(8, "and their length", least=1)

    verify_max_length: int = number(300, "Moves after which a recorded play is broken off", least=1)
    verify_entries: int = number(4_000_000, "Entries (states x moves) that conditions 2 and 3 are tested on,", least=1)
    verify_least: int = number(64, "but so many states in any case", least=1)
    verify_suspects: int = number(300, "Sets of legal moves, per role, that condition 3 looks at one by one", least=1)

    prove_hybrids: int = number(
        400_000, "With more combinations, free choice that is not of product form is not tried to be proved", least=0
    )

    # ---- exact ----
    exact_flip_states: int = number(64, "States in which a variable is given other values", least=1)
    exact_much: float = number(
        2e10, "If dependencies take more evaluations of gates than that, free choice is looked at first", least=0.0
    )
    exact_huge: int = number(
        800, "With more variables, the rules alone say what belongs together: coarse, but there at once", least=0
    )
    variables_seen: int = number(
        4_000, "Next states that proposed variables are held against, beside the states of the sample", least=0
    )
    variables_pairs: int = number(20_000, "Moves in which fluents are seen to follow each other", least=0)
    variables_chained: int = number(2_000, "With more fluents in no other variable, chains are not looked for", least=0)
    context_noise: tuple[float, ...] = number(
        (0.02, 0.1, 0.5, 0.004, 1.0),
        "Shares of the variables with random values, in the states tried in turn",
        least=0.0,
    )
    dependencies_values: int = number(2, "Other values that are tried per state and variable", least=1)
    dependencies_joint: int = number(
        128, "States with more joint moves are not looked at for all roles together", least=1
    )
    dependencies_evaluations: float = number(
        5e9, "Variables are looked at together up to about that many evaluations of gates", least=1.0
    )
    opening_frozen: float = number(
        0.5,
        "In at least this part of the states in which a later stage has a choice, what it reads of the earlier one "
        "stays as it is: a lock that falls shut one step late is allowed",
        least=0.0,
        most=1.0,
    )
    opening_turns: int = number(
        256, "Turns of what runs by itself that are followed to see which parts have their moves before others", least=1
    )
    partition_asked: int = number(32, "Parts for which the solver looks for scores that hang on them", least=0)
    coarse_plays: int = number(8, "Plays that tell who moves when, if time ended before there was a sample", least=1)
    rarestates_models: int = number(
        12, "States with a score that no play showed, asked of the solver per role", least=0
    )

    # ---- statistics: the method playouts ----
    psi: int = number(
        3,
        "Ψ of Hufschmitt, Vittaut and Jouandeau 2018: up to so many sightings, nothing follows from what was not seen",
        least=0,
    )
    theta: int = number(
        5, "Θ of the same: sightings from which on an effect is trusted, or given up if each was in vain", least=1
    )
    phi: float = number(
        1.5,
        "Φ of the same: how many times as often another move of the joint move must go with a change to be its cause",
        least=0.0,
    )
    omega: float = number(
        0.1,
        "Ω of the same: weight up to which a link between parts does not count where the goals are apart",
        least=0.0,
    )
    availability_share: float = number(
        0.5,
        "Of the moves that need a literal, at least this share must have no substitute: plays miss "
        "effects of rare moves",
        least=0.0,
        most=1.0,
    )
    availability_parts: int = number(
        64, "With more parts than this, they are single cells whose moves have all been compared already", least=0
    )
    crosspoints_work: int = number(
        200_000_000, "Conjunctions times edges of the causal graph: what is spent on testing them,", least=0
    )
    crosspoints_least: int = number(20, "but so many conjunctions in any case", least=0)
    crosspoints_sets: int = number(200, "Sets of premises that are compared with each other,", least=0)
    crosspoints_conjunctions: int = number(400, "and intersections of them that are tried", least=0)
    cutsets_pairs: int = number(
        1 << 19,
        "Pairs of a move and a change that is not its effect, up to which the last clause of Definition 8 is heeded",
        least=0,
    )
    timing_steps: int = number(400, "Steps of a play that are timed", least=1)
    timing_later: int = number(2, "A play tells what is over only if it goes on for more steps than this", least=0)
    timing_work: int = number(1_000_000, "Plays times (fluents + moves): what is spent on timing,", least=0)
    timing_least: int = number(64, "but so many plays in any case", least=1)
    valuesets_successions: float = number(
        0.5, "Share of the falls of a value that another value of its group must follow", least=0.0, most=1.0
    )

    # ---- parts as games ----
    partgame_plays: int = number(256, "Random plays in which a later stage may open, to begin its game there", least=0)

    # ---- rules: the methods instances and symbols, impartiality ----
    forced_plays: int = number(64, "Random plays in which it is seen which moves are forced", least=1)
    clauses_depth: int = number(6, "Predicates nested deeper are not unfolded", least=0)
    clauses_variants: int = number(
        64, "A rule that unfolds into more clauses keeps its predicates as they are", least=1
    )
    clauses_literals: int = number(
        5_000, "Literals written down while one rule is unfolded; one that needs more keeps its predicates", least=1
    )
    clauses_steps: int = number(1_000, "Clauses tried for one static question before it counts as open", least=1)
    clauses_all_steps: int = number(
        300_000, "Clauses tried for the static questions of one rule sheet: after that all count as open", least=0
    )
    entailment_values: int = number(
        4096, "Combinations of values for which a static condition is tried before it counts as uncertain", least=1
    )
    callgraph_depth: int = number(
        6, "Terms that recursion nests deeper are cut off with a variable there: every call graph is finite", least=1
    )
    arguments_calls: int = number(
        12, "Definitions nested deeper are not searched for the origin of an argument", least=0
    )
    instances_pairs: int = number(
        30_000, "Pairs of fluent and move terms; where there would be more, fewer arguments are told apart", least=0
    )
    handover_plays: int = number(16, "Random plays in which partiality may show itself,", least=0)
    handover_tries: int = number(
        4, "and moves tried in each state, with one and with another player in control", least=0
    )
    handover_work: float = number(
        1e9, "Steps of the solver before it gives up looking for a difference between two players", least=0.0
    )
    impartiality_gates: int = number(
        1 << 13, "Circuits with more gates are not compared for all states: that can take minutes", least=0
    )
