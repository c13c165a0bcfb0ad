"""The command verify: a decomposition, ours or another's, judged on recorded plays or for all states."""

from __future__ import annotations

from pathlib import Path

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import build, recording
from ludisect.cli.evidence import show_evidence
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json_and_quiet,
    add_memory,
    add_playouts,
    add_seconds,
    add_seed,
    add_settings,
)
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "decomposition", type=Path, metavar="DECOMPOSITION.json", help="as 'decompose --json' prints it"
    )
    add_playouts(parser)
    parser.add_argument("--prove", action="store_true", help="try to prove it for all states")
    add_seed(parser, 1)
    add_seconds(parser, "limit on time (default: none, but one on work)", least=0.1)
    add_memory(parser, "the building of the game, and of recorded plays")
    add_settings(parser, "gdl", "games", "ground", "circuit", "decomposition")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    decomposition: Path,
    playouts: int,
    prove: bool,
    seed: int,
    seconds: float | None,
    memory: float,
    json: bool,
    quiet: bool,
) -> int:
    """Judge a decomposition, ours or another's: on recorded plays, or for all states."""
    from ludisect.games.source import find_rules

    time = Effort(seconds=seconds)
    built = build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet or json)
    from ludisect.decomposition import verify
    from ludisect.decomposition.model.decomposition import Decomposition, Evidence

    parts = Decomposition.from_json(built, decomposition)
    limit: BudgetExceeded | None = None
    with working("verifying", quiet=quiet or json):
        try:
            with recording(memory):
                evidence = verify(parts, playouts=playouts, seed=seed, prove=prove, seconds=time.seconds_left)
        except BudgetExceeded as error:
            if not isinstance(error.partial, Evidence):
                raise
            evidence, limit = error.partial, error
    if json:
        print_json({"game": built.name, "decomposition": str(decomposition), "evidence": evidence.to_json()})
    else:
        dependent, useless, independent = parts.counts
        say(f"{built.name}: {dependent} dependent ({useless} useless), {independent} independent")
        show_evidence(evidence)
    if limit is not None:
        note(f"ludisect: {limit}")
        return 3 if limit.budget == "seconds" else INTERRUPTED
    return 1 if evidence.status == "failed" else 0
