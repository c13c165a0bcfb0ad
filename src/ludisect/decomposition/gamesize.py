"""The size of a game and of its circuit, who moves when, and whether both sides have the same moves."""

from __future__ import annotations

from typing import Any

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns
from ludisect.decomposition.rules.impartiality import impartiality


def game_figures(game: Game) -> dict[str, Any]:
    """As printed by ``ludisect info --json``."""
    circuit = game.circuit
    verdict = impartiality(game)
    return {
        "game": game.name,
        "roles": list(game.roles),
        "turns": turns(game),
        "impartial": {"answer": verdict.impartial, "why": verdict.why},
        "rules": len(game.rules or ()),
        "fluents": len(game.fluents),
        "initial": int(circuit.initial.sum()),
        "settled": int((circuit.input_value[1 : 1 + len(game.fluents)] != 2).sum()),
        "moves": {role: len(m) for role, m in zip(game.roles, game.moves, strict=True)},
        "gates": circuit.gates,
        "edges": circuit.edges,
        "levels": int(circuit.levels().max(initial=0)),
        "phases": len(game.playouts.phases.circuits),
        "seconds": {stage: round(s, 4) for stage, s in game.seconds.items()},
        "build_seconds": round(sum(game.seconds.values()), 4),
    }
