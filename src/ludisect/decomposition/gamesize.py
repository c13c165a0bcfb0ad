"""The size of a game and of its circuit, who moves when, and whether both sides have the same moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns
from ludisect.decomposition.rules.handover import Impartiality
from ludisect.decomposition.rules.impartiality import impartiality
from ludisect.effort import Effort, OutOfTime, ending


def game_figures(game: Game, time: Effort | None = None) -> dict[str, Any]:
    """As printed by ``ludisect info --json``. What is not known when the time is over is None, or open."""
    circuit = game.circuit

    def known(figure: Callable[[], Any], otherwise: Any = None) -> Any:
        try:
            with ending(time or Effort()):
                return figure()
        except OutOfTime:
            return otherwise

    verdict = known(lambda: impartiality(game), Impartiality(None, "the time was over before it was settled"))
    return {
        "game": game.name,
        "roles": list(game.roles),
        "turns": known(lambda: turns(game)),
        "impartial": {"answer": verdict.impartial, "why": verdict.why},
        "rules": len(game.rules or ()),
        "fluents": len(game.fluents),
        "initial": int(circuit.initial.sum()),
        "settled": int((circuit.input_value[1 : 1 + len(game.fluents)] != 2).sum()),
        "moves": {role: len(m) for role, m in zip(game.roles, game.moves, strict=True)},
        "gates": circuit.gates,
        "edges": circuit.edges,
        "levels": int(circuit.levels().max(initial=0)),
        "phases": known(lambda: len(game.playouts.phases.circuits)),
        "seconds": {stage: round(s, 4) for stage, s in game.seconds.items()},
        "build_seconds": round(sum(game.seconds.values()), 4),
    }
