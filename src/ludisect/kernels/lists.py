"""Which kernels a command needs: the modules that hold them, in the order in which they are needed."""

from __future__ import annotations

_BUILD = (
    "ground.observe",
    "circuit.unfold",
    "circuit.netlist",
    "circuit.factor",
    "circuit.circuit",
    "circuit.program",
)
_ROWS = ("circuit.rows", "circuit.record", "circuit.movewise")
_PARTS = (*_ROWS, "circuit.wires")
_STATISTICS = (
    "decomposition.statistics.tally",
    "circuit.signals",
    "decomposition.statistics.crosspoints",
    "decomposition.statistics.conditions",
)
_SEARCH = (
    "circuit.rowtable",
    "search.whole.statespace",
    "search.part.views",
    "search.part.concepts",
    "search.quotient.bisimulation",
    "search.whole.positions",
    "search.whole.backward",
    "search.quotient.packed",
    "search.quotient.classgraph",
    "search.additive.pointorder",
    "search.quotient.pairing",
    "search.regions.changes",
)
_PLAYOUTS = ("circuit.phase", "circuit.lanekernel", "circuit.seatkernel")
_TREE = ("play.tree.rounds", "play.tree.pruning")
_REGIONS = (
    "search.regions.changes",
    "search.regions.naming",
    "search.regions.nets",
    "search.regions.netnaming",
    "search.regions.netvalues",
    "search.regions.pieces",
    "search.regions.regionvalues",
    "search.regions.regionwins",
    "search.regions.replies",
)
_BOARDS = (
    "cgt.arena",
    "cgt.arithmetic",
    "cgt.compiled",
    "rulesets.dominoes",
    "rulesets.bitboard",
    "rulesets.boardplay",
)
_SUMS = (*_BOARDS, "sums.stopkernel")

_PLAYER = (*_BUILD, *_PARTS, *_SEARCH, "circuit.phase", *_TREE, *_REGIONS, *_STATISTICS)

LISTS: dict[str, tuple[str, ...]] = {
    "load": _BUILD,
    "info": (*_BUILD, *_ROWS, "circuit.phase"),
    "check": (*_BUILD, *_ROWS, "circuit.phase"),
    "replay": (*_BUILD, *_ROWS),
    "simulate": (*_BUILD, *_PLAYOUTS),
    "tree": (*_BUILD, *_ROWS, "circuit.phase", *_TREE),
    "decompose": (*_BUILD, *_PARTS),
    "verify": (*_BUILD, *_PARTS),
    "compose": (*_BUILD, *_PARTS),
    "statistics": (*_BUILD, *_ROWS, *_STATISTICS),
    "regions": (*_BUILD, *_ROWS, *_REGIONS),
    "match": _PLAYER,
    "play": _PLAYER,
    "serve": _PLAYER,
    "solve": (*_BUILD, *_PARTS, *_SEARCH, *_REGIONS),
    "values": (*_BUILD, *_PARTS, *_SEARCH, *_REGIONS),
    "value": _SUMS,
    "demo": (*_ROWS, *_SEARCH, *_BUILD, *_PLAYOUTS, *_PARTS),
}
"""By command; ``load``, ``regions`` and ``statistics`` (methods of decomposition) are for users of the library."""
