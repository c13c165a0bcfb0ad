"""Golden files: what is known of every bundled game, as text; ``python -m tests.regold`` writes them anew.

Circuits are dumped gate by gate, decompositions with their evidence and the ties that led to them. A playthrough is one
random play with every answer along the way, written down by the rule interpreter; the tests hold the circuit against
it too. After a change that is meant, write them anew and read the difference before it is committed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from random import Random

from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.terms import Term
from ludisect.loader import load

GOLDEN = Path(__file__).parent / "golden"
COMMAND = "python -m tests.regold"

SMALL = (
    "chomp", "domineering", "four-lamps", "kayles", "knights-tour", "lights-on", "lights-out", "nim", "relay",
    "rock-paper-scissors", "runners", "slide-puzzle", "tictactoe", "two-track",
)  # fmt: skip
"""Games whose circuits a person can read."""

MOST = 40
"""Longer lists are cut short and end in a checksum of the whole."""

FEW = 6
"""What is left of them; also how many steps a playthrough shows after the start and before the end."""

LENGTH = 200


def listed(items: Iterable[object]) -> str:
    """A list as one line, with its length; a long one is cut short."""
    texts = list(map(str, items))
    shown = texts if len(texts) <= MOST else [*texts[:FEW], f"… {checksum(texts)}"]
    return " ".join([f"({len(texts)})", *shown])


def checksum(texts: Iterable[str]) -> str:
    """A short name for a long text."""
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


# ---- circuit ----


def circuit(name: str) -> Iterator[str]:
    """What the inputs are called, then the netlist."""
    game = load(name)
    yield from (f"f{i}: {fluent}" for i, fluent in enumerate(game.fluents))
    moves = (f"{role} {move}" for role, some in zip(game.roles, game.moves, strict=True) for move in some)
    yield from (f"m{i}: {move}" for i, move in enumerate(moves))
    yield from (f"goal {i}: {game.roles[r]} {value}" for i, (r, value) in enumerate(game.goal_table))
    yield from game.circuit.dump().splitlines()


# ---- decomposition ----


def decomposition(name: str) -> Iterator[str]:
    """Parts, local moves, evidence and ties, as the method exact finds them."""
    parts = decompose(load(name), playouts=200)
    yield f"turns: {parts.turns}"
    yield f"structure: {parts.structure}"
    if parts.evidence is not None:
        yield f"evidence: {parts.evidence.status}"
        yield from (f"  {claim}: {how}" for claim, how in sorted(parts.evidence.claims.items()))
    for part in parts:
        yield from _part(part)
    yield f"constant {listed(parts.constant)}"
    yield from (f"note: {note}" for note in parts.notes)
    yield from _ties(parts)


def _part(part: Part) -> Iterator[str]:
    after = f", after {', '.join(map(str, part.after))}" if part.after else ""
    yield f"part {part.id}: {part.kind}{'' if part.useful else ', useless'}{after}"
    yield f"  fluents {listed(part.fluents)}"
    for role, classes in part.moves.items():
        texts = ("=".join(map(str, members)) for members in classes)
        yield f"  moves of {role} {listed(text if len(text) < 200 else checksum([text]) for text in texts)}"


def _ties(parts: Decomposition) -> Iterator[str]:
    graph = parts.graph
    if graph is not None:
        edges = [(e.kind, graph.nodes[e.source].label, graph.nodes[e.target].label, e.why) for e in graph.edges]
        for kind in sorted({kind for kind, *_ in edges}):
            lines = sorted(f"{one} -> {two}: {why}" for k, one, two, why in edges if k == kind)
            yield f"ties: {len(lines)} {kind}, {checksum(lines)}"
            yield from (f"  {line}" for line in lines[:FEW])


# ---- playthrough ----


def playthrough(name: str) -> Iterator[str]:
    """One random play by the rules alone."""
    return answers(Interpreter(find_rules(name)))


def answers(machine: Machine) -> Iterator[str]:
    """One random play, with all that a machine says of its states: the first ones and the last ones."""
    rng, state, steps = Random(1), machine.initial_state(), list[list[str]]()
    while len(steps) < LENGTH:
        moves = {role: rng.choice(sorted(some, key=str)) for role, some in machine.legal_moves(state).items() if some}
        over = machine.is_terminal(state) or len(moves) < len(machine.roles)
        steps.append(list(_step(machine, len(steps), state, {} if over else moves)))
        if over:
            break
        state = machine.next_state(state, moves)
    yield f"roles: {' '.join(machine.roles)}"
    for n, lines in enumerate(steps):
        if n < FEW or n >= len(steps) - FEW:
            yield from lines
        elif n == FEW:
            left_out = steps[FEW:-FEW]
            yield f"steps {FEW} to {len(steps) - FEW - 1}: {checksum(line for some in left_out for line in some)}"


def _step(machine: Machine, number: int, state: Fluents, moves: dict[str, Term]) -> Iterator[str]:
    yield f"step {number}"
    yield f"  holds {listed(sorted(map(str, state)))}"
    yield f"  over: {'yes' if machine.is_terminal(state) else 'no'}"
    goals = machine.goals(state)
    yield "  goals: " + ", ".join(f"{role} {'undefined' if goals[role] is None else goals[role]}" for role in goals)
    for role, some in machine.legal_moves(state).items():
        yield f"  legal for {role} {listed(sorted(map(str, some)))}"
    if moves:
        yield "  played: " + ", ".join(f"{role} {move}" for role, move in moves.items())


# ---- files ----

KINDS: dict[str, tuple[Callable[[str], Iterator[str]], Sequence[str]]] = {
    "circuit": (circuit, SMALL),
    "decomposition": (decomposition, bundled.names()),
    "playthrough": (playthrough, bundled.names()),
}
"""What there is a file of, how it is made, and of which games."""


def wanted() -> list[tuple[str, str]]:
    """Kind and game of every golden file."""
    return [(kind, name) for kind, (_, games) in KINDS.items() for name in games]


def path(kind: str, name: str, folder: Path = GOLDEN) -> Path:
    """Where a golden file stands."""
    return folder / kind / f"{name}.txt"


def written(kind: str, name: str, lines: Iterable[str] | None = None) -> str:
    """The text of a golden file, with other lines than the right ones if they are given."""
    make, _ = KINDS[kind]
    head = f"# {kind} of the bundled game {name}; written by {COMMAND}"
    return "\n".join([head, *(make(name) if lines is None else lines), ""])


def difference(kind: str, name: str, *, lines: Iterable[str] | None = None, folder: Path = GOLDEN) -> str:
    """The first line in which a golden file and what is said now differ, in words; nothing if they are the same."""
    file = path(kind, name, folder)
    if not file.is_file():
        return f"{kind} of {name}: no such file; {COMMAND} writes it"
    old, new = file.read_text(encoding="utf-8").splitlines(), written(kind, name, lines).splitlines()
    for number, (one, two) in enumerate(zip_longest(old, new), 1):
        if one != two:
            return f"{kind} of {name}, line {number}:\n- {one}\n+ {two}\n(if that is meant: {COMMAND} {kind}/{name})"
    return ""


def main() -> None:
    """Write the files that are named (``nim``, ``circuit``, ``circuit/nim``), or all; those of no game go."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=main.__doc__)
    parser.add_argument("what", nargs="*", help="a kind, a game, or kind/game (default: all)")
    asked = parser.parse_args().what
    known = {*KINDS, *bundled.names(), *(f"{kind}/{name}" for kind, name in wanted())}
    if unknown := sorted({*asked} - known):
        parser.error(f"{', '.join(unknown)}: no golden file is called so; say circuit, nim or circuit/nim")
    for kind, name in wanted():
        if not asked or {kind, name, f"{kind}/{name}"} & {*asked}:
            file, text = path(kind, name), written(kind, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.is_file() or file.read_text(encoding="utf-8") != text:
                file.write_text(text, encoding="utf-8")
                print(f"written: {file.relative_to(GOLDEN.parent.parent)}")
    for file in {*GOLDEN.rglob("*.txt")} - {path(kind, name) for kind, name in wanted()}:
        file.unlink()
        print(f"removed: {file.relative_to(GOLDEN.parent.parent)}")


if __name__ == "__main__":
    main()
