"""Everything that is said of some games and sums, as JSON and without times: `python -m tests.answers GAME… SUM…`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any, get_args

import ludisect
from ludisect.decomposition.model.decomposition import Method
from ludisect.games.source import find_rules

PLAYOUTS = 500


def untimed(data: Any) -> Any:
    """JSON-ready data without the seconds that something took."""
    if isinstance(data, dict):
        return {key: untimed(value) for key, value in data.items() if key != "seconds"}
    return [untimed(value) for value in data] if isinstance(data, (list, tuple)) else data


def answers(name: str) -> dict[str, Any]:
    """Of a game the circuit, playouts, what every method finds, and the value from those parts; who wins a sum."""
    if "+" in name:
        return {"sum": untimed(ludisect.solve(name).to_json())}
    game = ludisect.load(find_rules(name))
    tally = game.playouts.run(PLAYOUTS, seed=1)
    found = {method: ludisect.decompose(game, method=method, playouts=200) for method in get_args(Method)}
    return {
        "rules": str(game.rules),
        "circuit": game.circuit.dump().splitlines(),
        "playouts": untimed(asdict(tally)),
        "decompositions": {method: untimed(parts.to_json()) for method, parts in found.items()},
        "solutions": {method: untimed(ludisect.solve(parts).to_json()) for method, parts in found.items()},
    }


if __name__ == "__main__":
    print(json.dumps({name: answers(name) for name in sys.argv[1:]}))
