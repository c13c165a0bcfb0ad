"""Where things stand in the arrays of a search tree, and the kinds of the arrays that its kernels take.

A tree is a set of flat arrays, so that machine code reads them without looking at any object:

* a *node* is one cache line of 16 numbers, with its state as a packed row beside it;
* an *edge* is one move of the role that chooses at a node. What selection reads of it, the mean result and the width of
  exploration, stands in ``score``, two small floats; sums and counts are in ``worth``, as doubles, because small floats
  stop counting at 16 million;
* a *cell* is a joint move at a node at which several roles choose at once;
* a *place* is a state of one part of the game, with the role that chooses there, and a *record* one of its moves: what
  came of it at all nodes of the tree in which the part stands so (see ``records``).

A leaf is an edge (or cell) without a node. ``child`` of an edge is a node, LEAF, QUEUED (a leaf that gets a node in
this round), or -2 - outcome for a move whose outcome is proved. An *outcome* is a number that stands for one goal of
each role.
"""

from __future__ import annotations

# ---- a node ----
NODE = 16
VISITS, FIRST, COUNT, CHOOSER, TURN, UNPROVED, BEST, STATUS, RENEW, WIDTH, SIDE, SIDES, SEEN = range(13)
"""CHOOSER is -1 where several roles choose; BEST the best outcome proved for the chooser, STATUS that of the node
itself, or -1; WIDTH (a float) the width of exploration, to be renewed at RENEW visits; SIDE its first entry in
``sides``, SIDES how many it has there; SEEN whether its state is terminal, while it is made."""

# ---- an edge ----
EDGE = 4
MOVE, CHILD, STARTED, RECORD = range(4)
PRIOR = 64
"""RECORD is PRIOR times the number of the record, plus the plays that the edge has from it in advance; -1 for none."""
LEAF, QUEUED = -1, -(1 << 31)
PROVED_SCORE = -1e9
UNTRIED = 1e6
"""The width of a move that was never tried: larger than any other, plus chance."""

# ---- a cell: its node, child and plays started, then the edge of each role (-1 for who has no choice) ----
CELL_NODE, CELL_CHILD, CELL_STARTED, CELL_EDGES = range(4)

# ---- a side of a node with several choosers ----
SIDE_ROLE, SIDE_FIRST, SIDE_COUNT, SIDE_NUMBERS = range(4)

# ---- numbers that stay ----
(
    ROLES,
    ROW_WORDS,
    BITS,
    TURNS,
    THINK_BASE,
    JUDGE_BASE,
    FINAL_BASE,
    NODE_ROOM,
    EDGE_ROOM,
    CELL_ROOM,
    SIDE_ROOM,
    EXPAND_AT,
    EXPAND_SHARE,
    DEEPEST,
    EPOCH,
    FIRST_MOVE,
    MOVES,
    VALUES,
    LEAVES,
    PLAYS,
    MOST_PLAYS,
    SOLVER,
    PROVABLE,
    MERGE,
    STEP_ROOM,
    PARTS,
    PLACE_ROOM,
    RECORD_ROOM,
    PRIOR_LEAST,
    PRIOR_MOST,
    PLAN,
) = range(31)

# ---- numbers that change ----
(
    NODES,
    EDGES,
    CELLS,
    SIDE_END,
    ROOT,
    LANDED,
    STOP,
    FULL,
    CHANCE,
    TOTAL,
    UNEVEN,
    LOST_PLAYS,
    PLACES,
    RECORDS,
    COUNTS,
) = range(15)
"""LANDED: simulations whose result is in the tree; CHANCE: the state of the random numbers; TOTAL: 1 + the sum of goals
in the outcomes proved so far, UNEVEN: whether they had different sums; PLACES, RECORDS: how many there are (see
``records``)."""

STEPS = ("select", "next", "expand", "play", "land")
"""What a round of the search does, in order; their ticks are counted."""

# ---- kinds of arrays, as the kernels' signatures have them ----
SEAT_KINDS = (
    "int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1]"
)
STEP_KINDS = (
    "int32[::1], int32[::1], int32[::1], int32[::1], int64[:, ::1], int32[::1], int64[:, ::1], int32[::1], int32[::1], "
    "int32[::1], int32[::1], int32[::1], int32[::1]"
)
GOAL_KINDS = "int32[::1], int32[::1], int32[::1], int32[::1], int64, int64[::1], int64[::1]"
MIND_KINDS = ", ".join(["int64[::1], int32[::1], int32[::1], int32[::1]"] * 3)
TREE_KINDS = (
    "int32[::1], float32[::1], uint64[::1], int32[::1], int32[::1], float32[::1], int32[::1], float64[::1], "
    "float64[::1], int32[::1], int32[::1], float64[::1], int32[::1], "
    "int32[::1], int32[::1], uint64[::1], int32[::1], uint64[::1], int32[::1], float64[::1], float64[::1]"
)
LANE_KINDS = (
    "int32[::1], int64[::1], float64[::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1], uint64[::1], "
    "uint64[::1], float64[::1], int64[::1], int64[::1]"
)
NUMBER_KINDS = "int64[::1], float64[::1], int64[::1], int64[::1], int64[::1], float64[::1], int64[::1], int64[::1]"
