"""The local tree: what both players can make of a position, with value, stops and incentives.

As data (:class:`LocalTree`, ``to_json``), as text and as a picture. Moves that lead to equivalent positions are one
branch. A branch is *dominated* if another move of the same player gains at least as much.

Reference: Mäser, *Game Bench* (2001), 4.2.2 and Figure 4.2 (the local tree data structure).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludisect.answer import written
from ludisect.cgt import Value, budget, number, reduced
from ludisect.cgt.writer import short
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets.position import Player, Position
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import ValueSource
from ludisect.sums.scoring import at_most


@dataclass(frozen=True)
class LocalTree:
    """A position with its value, and what each player can move to, down to some depth."""

    position: Position
    value: Value
    doubts: str
    """On what the value rests if it is not exact; empty if it is."""
    branches: tuple[TreeBranch, ...] = ()

    def of(self, player: Player) -> list[TreeBranch]:
        """The branches of one player."""
        return [branch for branch in self.branches if branch.player is player]

    def __iter__(self) -> Iterator[LocalTree]:
        """All nodes, each before what follows it."""
        yield self
        for branch in self.branches:
            yield from branch.tree

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_json(self) -> dict[str, Any]:
        """As printed by ``ludisect value --tree DEPTH --json``."""
        g = self.value
        return {
            "position": f"{self.position.name} {self.position}",
            "value": written(g),
            "exact": not self.doubts,
            "mean": str(g.mean),
            "temperature": str(g.temperature),
            "left_stop": str(g.left_stop),
            "right_stop": str(g.right_stop),
            "moves": [branch.to_json() for branch in self.branches],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))

    def _lines(self, head: str, indent: str) -> Iterator[str]:
        g, mark = self.value, "?" if self.doubts else ""
        told = f"{short(g)}{mark}  temperature {g.temperature}, stops {g.left_stop} and {g.right_stop}"
        yield f"{head}{told}"
        shown = [branch for branch in self.branches if not branch.dominated]
        for branch in shown:
            name = branch.player.name.lower()
            gain = "?" if branch.incentive is None else short(branch.incentive)
            head = f"{indent}{name} {branch.told}, incentive {gain}: "
            yield from branch.tree._lines(head, indent + "    ")
        for player in Player:
            hidden = sum(len(b.moves) for b in self.of(player) if b.dominated)
            if hidden:
                yield f"{indent}{player.name.lower()}: {hidden} dominated move{'s' * (hidden > 1)}"

    def to_svg(self, *, dominated: bool = False, theme: str = "light") -> str:
        """The picture as an SVG document: Left's moves to the left and blue, Right's to the right, red and dashed."""
        from ludisect.draw.treepicture import tree_svg

        return tree_svg(self, dominated=dominated, theme=theme)

    def draw(self, path: str | Path, *, dominated: bool = False) -> None:
        """Write the picture to ``path`` (an SVG file)."""
        Path(path).write_text(self.to_svg(dominated=dominated), encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True)
class TreeBranch:
    """Moves of one player to equivalent positions, what he gains by them, and the tree that begins there."""

    player: Player
    moves: tuple[str, ...]
    incentive: Value | None
    """None if it is too large to be worked out."""
    dominated: bool
    tree: LocalTree

    @property
    def told(self) -> str:
        """The first move, and how many others do the same."""
        return self.moves[0] + (f" (or {len(self.moves) - 1} like it)" if len(self.moves) > 1 else "")

    def to_json(self) -> dict[str, Any]:
        """The branch as JSON-ready data."""
        return {
            "player": self.player.name.lower(),
            "move": list(self.moves),
            "incentive": None if self.incentive is None else written(self.incentive),
            "dominated": self.dominated,
            **self.tree.to_json(),
        }


def local_tree(position: Position, search: ValueSource, depth: int) -> LocalTree:
    """The tree of a position down to ``depth`` moves; the values come from ``search``.

    Raises:
        InputError: the depth is negative, or the tree would be too large.
        BudgetExceeded: a value was not found within the limits of ``search``.
    """
    if depth < 0:
        raise InputError(f"a tree has a depth of at least 0, not {depth}")
    return _Grower(search, SumsLimits.current().tree_nodes).tree(position, depth)


class _Grower:
    def __init__(self, search: ValueSource, most: int) -> None:
        self.search, self.most, self.nodes = search, most, 0

    def tree(self, position: Position, depth: int) -> LocalTree:
        self.nodes += 1
        if self.nodes > self.most:
            raise InputError(
                f"the tree has more than {self.most:,} nodes; ask for a smaller depth, or set tree_nodes higher"
            )
        value = sum(self.search.all_values([position]), number(0))
        doubts = self.search.doubts([position])
        value = reduced(value) if doubts or position.score() is not None else value
        branches = [b for player in Player for b in self._branches(position, value, player, depth)] if depth else []
        return LocalTree(position, value, doubts, tuple(branches))

    def _branches(self, position: Position, value: Value, player: Player, depth: int) -> Iterator[TreeBranch]:
        alike: dict[Hashable, tuple[Position, list[str]]] = {}
        for move in position.moves(player):
            after = position.play(player, move)
            # by parts: boards that differ only in what is dead are alike
            key = frozenset(_counted([part.key() for part in after.parts()]))
            alike.setdefault(key, (after, []))[1].append(position.move_text(move))
        grown = [(moves, self.tree(after, depth - 1)) for after, moves in alike.values()]
        gains = [_incentive(value, tree.value, player) for _, tree in grown]
        for i, (moves, tree) in enumerate(grown):
            yield TreeBranch(
                player, tuple(moves), gains[i], _dominated(gains, i, points=position.score() is not None), tree
            )


def _counted(names: list[Hashable]) -> Iterator[tuple[Hashable, int]]:
    return ((name, names.count(name)) for name in set(names))


def _incentive(before: Value, after: Value, player: Player) -> Value | None:
    try:
        with budget(nodes=SumsLimits.current().incentive_nodes):
            return after - before if player is Player.LEFT else before - after
    except BudgetExceeded as error:
        if error.budget == "seconds":
            raise
        return None


def _dominated(gains: list[Value | None], i: int, *, points: bool) -> bool:
    """Whether another gain is at least as large; of equal ones the first is not."""
    mine = gains[i]
    if mine is None:
        return False
    return any(
        other is not None and at_most(mine, other, points=points) and (j < i or not at_most(other, mine, points=points))
        for j, other in enumerate(gains)
        if j != i
    )
