"""Slow and obvious ways with pawns: moves square by square, values without cuts, sums played out."""

from __future__ import annotations

from itertools import combinations

from ludisect.cgt import OFF, ON, Worth, marked_game
from ludisect.rulesets import Pawns, Player, Position
from ludisect.rulesets.squares import name_of, square

LEFT, RIGHT = Player.LEFT, Player.RIGHT


def census() -> list[Pawns]:
    """All positions of two against two on the files a and b, White on ranks 2 to 6, Black on 3 to 7."""
    whites = [8 * r + f for r in range(1, 6) for f in (0, 1)]
    blacks = [8 * r + f for r in range(2, 7) for f in (0, 1)]
    return [
        Pawns(sum(1 << s for s in w), sum(1 << s for s in b))
        for w in combinations(whites, 2)
        for b in combinations(blacks, 2)
        if not {*w} & {*b}
    ]


class WithoutPassant(Pawns):
    """Pawns that nobody captures en passant."""

    def play(self, player: Player, move: tuple[int, int]) -> Pawns:
        after = super().play(player, move)
        return WithoutPassant(after.white, after.black)


def plain_moves(text: str, player: Player) -> set[tuple[str, str]]:
    """The moves of a position given as text, with the position after each; en passant is left out."""
    white, black = (set(side.split()) for side in text.split("/"))
    own, other, ahead, home = (white, black, 1, "2") if player is LEFT else (black, white, -1, "7")
    out = set()
    for pawn in own:
        file, rank = pawn[0], int(pawn[1])
        steps = [file + str(rank + ahead), file + str(rank + 2 * ahead)][: 2 if pawn[1] == home else 1]
        for to in steps:
            if to in white | black:
                break
            out.add((pawn, to))
        for side in (-1, 1):
            to = chr(ord(file) + side) + str(rank + ahead)
            if to in other:
                out.add((pawn, to))
    return out


def named_moves(position: Pawns, player: Player) -> set[tuple[str, str]]:
    return {(name_of(start), name_of(to)) for start, to in position.moves(player)}


def plain_worth(position: Position, known: dict[Position, Worth]) -> Worth:
    """The value by all moves of both players, down to the promotions."""
    worth = known.get(position)
    if worth is None:
        winner = position.won_by()
        if winner is not None:
            worth = ON if winner is LEFT else OFF
        else:
            options = {p: [plain_worth(position.play(p, m), known) for m in position.moves(p)] for p in Player}
            worth = marked_game(options[LEFT], options[RIGHT])
        known[position] = worth
    return worth


def played_out(*positions: Position) -> str:
    """The outcome of a sum by all plays in turn: an outright win ends the play, else who cannot move loses."""
    known: dict[tuple[tuple[Position, ...], Player], bool] = {}

    def wins(parts: tuple[Position, ...], player: Player) -> bool:
        key = (parts, player)
        if key not in known:
            after = [
                (part.play(player, m), (*parts[:i], part.play(player, m), *parts[i + 1 :]))
                for i, part in enumerate(parts)
                for m in part.moves(player)
            ]
            known[key] = any(x.won_by() is player for x, _ in after) or any(
                not wins(rest, player.opponent) for _, rest in after
            )
        return known[key]

    left, right = wins(positions, LEFT), wins(positions, RIGHT)
    return "N" if left and right else "L" if left else "R" if right else "P"


def pawns(white: str, black: str) -> Pawns:
    """Pawns on squares with these names."""
    for name in (*white.split(), *black.split()):
        assert square(name) is not None
    return Pawns(f"{white} / {black}")
