"""Ends of play that are no lack of moves: facts that end everything, with the winner that they name.

``terminal`` is a disjunction; some of its members say that nobody can move, the others are looked at here, as cubes.
Play goes on only while no cube holds, so one that holds at an end came true by the last move; who can bring it about is
read off the operators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludisect.circuit.circuit import Circuit
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.cubes import Cube, Cubes, TooMany, absorbed
from ludisect.search.regions.guarded import Operators, Turn
from ludisect.search.regions.settling import Operator


@dataclass(frozen=True, slots=True)
class Threat:
    """Facts that end the play when they hold (``needs``) and do not (``bars``), whoever is to move.

    ``gets`` is what the two roles get then, ``by`` who can bring it about.
    """

    needs: int
    bars: int
    by: frozenset[Player]
    gets: tuple[int, int] = (0, 0)

    @property
    def winner(self) -> Player | None:
        """Who gets more."""
        first, second = self.gets
        return None if first == second else Player.LEFT if first > second else Player.RIGHT

    def holds(self, facts: int) -> bool:
        """Whether the play is over where these facts hold."""
        return facts & self.needs == self.needs and not facts & self.bars


def candidates(operators: Operators) -> dict[Cube, list[Turn]]:
    """Cubes of ``terminal``, over the facts of the operators, and the turns at which each ends the play.

    Those that say that all is stuck are among them; members of the disjunction that are no small disjunction
    themselves are left out.
    """
    found: dict[Cube, list[Turn]] = {}
    limits = SearchLimits.current()
    most = limits.regions_cubes
    for turn in operators.turns:
        circuit = operators.game.circuit.cofactor({1 + f: value for f, value in turn.context.items()})
        cubes, here = Cubes(circuit, limits.regions_threats), set[Cube]()
        for member in members(circuit, circuit.terminal):
            try:
                here.update(_over_facts(operators, cubes.of(member)))
            except TooMany:
                continue
            if len(here) > most:
                break
        for cube in absorbed(here)[:most]:
            found.setdefault(cube, []).append(turn)
    return found


def members(circuit: Circuit, literal: int) -> Iterator[int]:
    """What a net is the disjunction of."""
    node = literal >> 1
    if node <= circuit.n_inputs or not literal & 1:
        yield literal
        return
    for one in circuit.gate(node).tolist():
        yield from members(circuit, one ^ 1)


def brought_about(cube: Cube, listed: Sequence[Operator]) -> frozenset[Player]:
    """Who has an operator after which a cube can hold that did not hold before."""
    needs, bars = cube
    return frozenset(
        op.player
        for op in listed
        if (op.sets & needs or op.clears & bars)
        and not op.sets & bars
        and not op.clears & needs
        and not op.needs & ~op.clears & bars
        and not op.bars & ~op.sets & needs
    )


def _over_facts(operators: Operators, found: Sequence[Cube]) -> Iterator[Cube]:
    """Cubes over fluents as cubes over the facts of the operators; those that can never hold are left out."""
    place = {f: k for k, f in enumerate(operators.numbers)}
    initial = operators.game.circuit.initial
    for cube in found:
        out = [0, 0]
        for side in (0, 1):
            word, f = cube[side], 0
            while word:
                f = (word & -word).bit_length() - 1
                word &= word - 1
                if f in place:
                    out[side] |= 1 << place[f]
                elif bool(initial[f]) == bool(side):  # no move changes it
                    break
            else:
                continue
            break
        else:
            yield out[0], out[1]
