"""The command info: the size of a game and of its circuit, and how long it took to build them."""

from __future__ import annotations

from typing import Any

from ludisect.cli.app import print_json
from ludisect.cli.console import BOLD, say
from ludisect.cli.engine import build
from ludisect.cli.options import Parser, add_game, add_json_and_quiet, add_memory, add_seconds


def options(parser: Parser) -> None:
    add_game(parser)
    add_seconds(parser)
    add_memory(parser)
    add_json_and_quiet(parser)


def run(game: str, *, seconds: float | None, memory: float, json: bool, quiet: bool) -> None:
    """Roles, turns, fluents, moves, gates, and how long it took to build them."""
    from ludisect.circuit.turns import turns
    from ludisect.games.source import find_rules

    rules = find_rules(game)
    built = build(rules, seconds=seconds, memory=memory, quiet=quiet or json)
    circuit = built.circuit
    data: dict[str, Any] = {
        "game": built.name,
        "roles": list(built.roles),
        "turns": turns(built),
        "rules": len(rules),
        "fluents": len(built.fluents),
        "initial": int(circuit.initial.sum()),
        "moves": {role: len(m) for role, m in zip(built.roles, built.moves, strict=True)},
        "gates": circuit.gates,
        "edges": circuit.edges,
        "levels": int(circuit.levels().max(initial=0)),
        "phases": len(built.playouts.phases.circuits),
        "seconds": {stage: round(s, 4) for stage, s in built.seconds.items()},
        "build_seconds": round(sum(built.seconds.values()), 4),
    }
    if json:
        print_json(data)
        return
    rows = {
        "roles": ", ".join(built.roles),
        "turns": data["turns"] + (f" (a circuit for each of {data['phases']} turns)" if data["phases"] > 1 else ""),
        "rules": str(len(rules)),
        "fluents": f"{data['fluents']:,}, {data['initial']:,} of them initial",
        "moves": ", ".join(f"{role} {n:,}" for role, n in data["moves"].items()),
        "circuit": f"{circuit.gates:,} gates, {circuit.edges:,} edges, {data['levels']} levels",
        "built in": f"{data['build_seconds']:.2f} s ("
        + ", ".join(f"{stage} {s:.2f}" for stage, s in built.seconds.items())
        + ")",
    }
    say(built.name, BOLD)
    for name, value in rows.items():
        say(f"  {name:9} {value}")
