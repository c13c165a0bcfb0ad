"""Twins of the bundled games that fall apart into regions as they are played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .twins import Build, Square, Turns, boards

FOUR = ((0, 1), (1, 0), (0, -1), (-1, 0))
EIGHT = (*FOUR, (1, 1), (1, -1), (-1, 1), (-1, -1))


def near(square: Square) -> list[Square]:
    return [(square[0] + dr, square[1] + dc) for dr, dc in FOUR]


class LastMover(Turns):
    """Whoever cannot move loses."""

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else self.last_mover_wins()


class Stones(LastMover):
    """Stones are placed on a board and stay; the subclasses say where."""

    roles = ("black", "white")

    def __init__(self, text: str) -> None:
        self.squares = set(boards(text))
        self.stones: dict[Square, int] = {}

    def fits(self, square: Square) -> bool:
        raise NotImplementedError

    def options(self) -> set[str]:
        return {f"(place {r} {c})" for r, c in self.squares - set(self.stones) if self.fits((r, c))}

    def act(self, *move: str) -> None:
        self.stones[int(move[1]), int(move[2])] = self.turn


class Col(Stones):
    def fits(self, square: Square) -> bool:
        return all(self.stones.get(s) != self.turn for s in near(square))


class Snort(Stones):
    def fits(self, square: Square) -> bool:
        return all(self.stones.get(s) != 1 - self.turn for s in near(square))


class NoGo(Stones):
    def fits(self, square: Square) -> bool:
        self.stones[square] = self.turn
        alive = all(self.breathes(s) for s in self.stones)
        del self.stones[square]
        return alive

    def breathes(self, square: Square) -> bool:
        block, front = {square}, [square]
        for s in front:
            for t in near(s):
                if t in self.squares and t not in self.stones:
                    return True
                if self.stones.get(t) == self.stones[square] and t not in block:
                    block.add(t)
                    front.append(t)
        return False


class Amazons(LastMover):
    roles = ("white", "black")

    def __init__(self, text: str) -> None:
        places = boards(text)
        sizes = [tuple(map(int, item.split("x"))) for item in text.split(",")]
        lefts = [sum(c + 1 for _, c in sizes[:i]) for i in range(len(sizes))]
        self.queens = {(1, left + 1): 0 for left in lefts}
        self.queens |= {(r, left + c): 1 for left, (r, c) in zip(lefts, sizes, strict=True)}
        self.free = set(places) - set(self.queens)

    def seen(self, square: Square, free: set[Square]) -> Iterator[Square]:
        for dr, dc in EIGHT:
            r, c = square[0] + dr, square[1] + dc
            while (r, c) in free:
                yield r, c
                r, c = r + dr, c + dc

    def options(self) -> set[str]:
        return {
            f"(go {s[0]} {s[1]} {t[0]} {t[1]} {u[0]} {u[1]})"
            for s, p in self.queens.items()
            if p == self.turn
            for t in self.seen(s, self.free)
            for u in self.seen(t, self.free | {s})
        }

    def act(self, *move: str) -> None:
        r, c, r2, c2, r3, c3 = map(int, move[1:])
        self.queens[r2, c2] = self.queens.pop((r, c))
        self.free = (self.free | {(r, c)}) - {(r2, c2), (r3, c3)}


class Points(Turns):
    """Each square belongs to somebody in the end, and counts one point."""

    roles = ("black", "white")
    owners: dict[Square, int]

    def scores(self) -> Iterable[int] | None:
        if self.options():
            return None
        return [list(self.owners.values()).count(p) for p in (0, 1)]


class Regio(Points):
    def __init__(self, text: str) -> None:
        self.free = set(boards(text))
        self.owners = {}

    def options(self) -> set[str]:
        return {f"(color {r} {c})" for r, c in self.free}

    def act(self, *move: str) -> None:
        square = int(move[1]), int(move[2])
        coloured = {square, *near(square)} & self.free
        self.free -= coloured
        self.owners |= dict.fromkeys(coloured, self.turn)


class Dots(Points):
    def __init__(self, text: str) -> None:
        self.sides = {
            (r, c): {f"across {r} {c}", f"down {r} {c}", f"across {r + 1} {c}", f"down {r} {c + 1}"}
            for r, c in boards(text)
        }
        self.missing = set().union(*self.sides.values())
        self.owners = {}

    def options(self) -> set[str]:
        return {f"(draw {line})" for line in self.missing}

    def act(self, *move: str) -> None:
        self.missing.remove(" ".join(move[1:]))
        closed = {box for box, lines in self.sides.items() if not lines & self.missing} - set(self.owners)
        self.owners |= dict.fromkeys(closed, self.turn)


class Pawns(Turns):
    roles = ("white", "black")

    def __init__(self, text: str) -> None:
        self.height: dict[int, int] = {}
        left = 0
        for item in text.split(","):
            columns, rows = map(int, item.split("x"))
            self.height |= {left + c: rows for c in range(1, columns + 1)}
            left += columns + 1
        self.pawns = {(c, 2): 0 for c in self.height} | {(c, rows - 1): 1 for c, rows in self.height.items()}

    def options(self) -> set[str]:
        up = 1 - 2 * self.turn
        out = set()
        for (c, r), p in self.pawns.items():
            if p != self.turn:
                continue
            if (c, r + up) not in self.pawns and 1 <= r + up <= self.height[c]:
                out.add(f"(move {c} {r} {c} {r + up})")
                home = r == (2, self.height[c] - 1)[p]
                if home and (c, r + 2 * up) not in self.pawns and 1 <= r + 2 * up <= self.height[c]:
                    out.add(f"(move {c} {r} {c} {r + 2 * up})")
            out |= {f"(move {c} {r} {d} {r + up})" for d in (c - 1, c + 1) if self.pawns.get((d, r + up)) == 1 - p}
        return out

    def act(self, *move: str) -> None:
        c, r, c2, r2 = map(int, move[1:])
        self.pawns[c2, r2] = self.pawns.pop((c, r))

    def scores(self) -> Iterable[int] | None:
        for (c, r), p in self.pawns.items():
            if r == (self.height[c], 1)[p]:
                return (100, 0) if p == 0 else (0, 100)
        return None if self.options() else self.last_mover_wins()


TWINS: dict[str, Build] = {
    "amazons": Amazons,
    "col": Col,
    "dots": Dots,
    "nogo": NoGo,
    "pawns": Pawns,
    "regio": Regio,
    "snort": Snort,
}
"""A twin for every bundled game of stones, lines and squares that belong to somebody."""
