"""Twins of the bundled board games for two and three players."""

from __future__ import annotations

from collections.abc import Iterable

from .twins import Build, Square, Turns, boards, grid, has_line, sides

EIGHT = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


class TicTacToe(Turns):
    """Several boards of tic-tac-toe; the subclasses say which moves there are and how they are written."""

    roles: tuple[str, ...] = ("xplayer", "oplayer")

    def __init__(self, count: int, size: int = 3) -> None:
        self.size = size
        self.marks: list[list[set[Square]]] = [[set() for _ in self.roles] for _ in range(count)]

    def free(self, board: int) -> list[Square]:
        taken = set().union(*self.marks[board])
        return [] if self.winner(board) is not None else [s for s in grid(self.size, self.size) if s not in taken]

    def winner(self, board: int) -> int | None:
        return next((p for p, marked in enumerate(self.marks[board]) if has_line(marked, 3)), None)

    def mark(self, board: int, square: Square) -> None:
        self.marks[board][self.turn].add(square)

    def over(self) -> bool:
        return not any(self.free(b) for b in range(len(self.marks)))

    def points(self, role: int) -> int:
        """Two for each board won, one for each drawn."""
        winners = [self.winner(b) for b in range(len(self.marks))]
        return sum(1 if w is None else 2 * (w == role) for w in winners)

    def scores(self) -> Iterable[int] | None:
        worth = {1: [0, 50, 100], 2: [0, 25, 50, 75, 100], 3: [2, 18, 34, 50, 66, 82, 98]}[len(self.marks)]
        return [worth[self.points(p)] for p in (0, 1)] if self.over() else None


class Single(TicTacToe):
    def options(self) -> set[str]:
        return {f"(mark {r} {c})" for r, c in self.free(0)}

    def act(self, *move: str) -> None:
        self.mark(0, (int(move[1]), int(move[2])))


class ThreePlayers(Single):
    roles = ("xplayer", "oplayer", "zplayer")

    def scores(self) -> Iterable[int] | None:
        winner = self.winner(0)
        if winner is None:
            return [33] * 3 if self.over() else None
        return [100 * (p == winner) for p in range(3)]


class Double(TicTacToe):
    def options(self) -> set[str]:
        return {f"(mark{b + 1} {r} {c})" for b in (0, 1) for r, c in self.free(b)}

    def act(self, *move: str) -> None:
        self.mark(int(move[0][-1]) - 1, (int(move[1]), int(move[2])))


class Triple(TicTacToe):
    names = ("left", "middle", "right")

    def options(self) -> set[str]:
        return {f"(mark {name} {r} {c})" for b, name in enumerate(self.names) for r, c in self.free(b)}

    def act(self, *move: str) -> None:
        self.mark(self.names.index(move[1]), (int(move[2]), int(move[3])))


def _name(square: Square) -> str:
    return "abc"[square[1] - 1] + str(square[0])


def _square(name: str) -> Square:
    return int(name[1]), "abc".index(name[0]) + 1


class Parallel(TicTacToe):
    def options(self) -> set[str]:
        first, second = ([_name(s) for s in self.free(b)] or ["none"] for b in (0, 1))
        return {f"(mark {s} {t})" for s in first for t in second}

    def act(self, *move: str) -> None:
        for board, name in enumerate(move[1:]):
            if name != "none":
                self.mark(board, _square(name))


class Serial(TicTacToe):
    def options(self) -> set[str]:
        board = 0 if self.free(0) else 1
        return {f"(mark{board + 1} {_name(s)})" for s in self.free(board)}

    def act(self, *move: str) -> None:
        self.mark(int(move[0][-1]) - 1, _square(move[1]))


class Ultimate(TicTacToe):
    sent: int | None = None
    order = grid(3, 3)

    def options(self) -> set[str]:
        here = [self.sent] if self.sent is not None and self.free(self.sent) else list(range(9))
        return {f"(mark {_name(self.order[b])} {_name(s)})" for b in here for s in self.free(b)}

    def act(self, *move: str) -> None:
        self.mark(self.order.index(_square(move[1])), _square(move[2]))
        self.sent = self.order.index(_square(move[2]))

    def scores(self) -> Iterable[int] | None:
        for p in (0, 1):
            if has_line({self.order[b] for b in range(9) if self.winner(b) == p}, 3):
                return [100 * (p == q) for q in (0, 1)]
        return [50, 50] if self.over() else None


class Nim(Turns):
    roles = ("player1", "player2")

    def __init__(self, heaps: str, misere: bool = False) -> None:
        self.heaps = dict(zip("abcdefghij", map(int, heaps.split(",")), strict=False))
        self.misere = misere

    def options(self) -> set[str]:
        return {f"(reduce {h} {m})" for h, n in self.heaps.items() for m in range(n)}

    def act(self, *move: str) -> None:
        self.heaps[move[1]] = int(move[2])

    def scores(self) -> Iterable[int] | None:
        if any(self.heaps.values()):
            return None
        return self.last_mover_wins()[:: -1 if self.misere else 1]


class Kayles(Turns):
    roles = ("player1", "player2")

    def __init__(self, rows: str) -> None:
        self.pins = {(a, i) for a, n in zip("abcdef", rows.split(","), strict=False) for i in range(1, int(n) + 1)}

    def options(self) -> set[str]:
        return {f"(bowl {a} {i} {j})" for a, i in self.pins for j in (i, i + 1) if (a, j) in self.pins}

    def act(self, *move: str) -> None:
        self.pins -= {(move[1], int(move[2])), (move[1], int(move[3]))}

    def scores(self) -> Iterable[int] | None:
        return None if self.pins else self.last_mover_wins()


class Domineering(Turns):
    roles = ("vertical", "horizontal")

    def __init__(self, text: str) -> None:
        self.free = set(boards(text))

    def options(self) -> set[str]:
        dr, dc = ((1, 0), (0, 1))[self.turn]
        return {f"(place {r} {c})" for r, c in self.free if (r + dr, c + dc) in self.free}

    def act(self, *move: str) -> None:
        dr, dc = ((1, 0), (0, 1))[self.turn]
        r, c = int(move[1]), int(move[2])
        self.free -= {(r, c), (r + dr, c + dc)}

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else self.last_mover_wins()


class Clobber(Turns):
    roles = ("black", "white")

    def __init__(self, text: str) -> None:
        self.stones = {square: (r + c) % 2 for square, (r, c) in boards(text).items()}

    def options(self) -> set[str]:
        return {
            f"(capture {r} {c} {r + dr} {c + dc})"
            for (r, c), p in self.stones.items()
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if p == self.turn and self.stones.get((r + dr, c + dc)) == 1 - p
        }

    def act(self, *move: str) -> None:
        r, c, r2, c2 = map(int, move[1:])
        self.stones[r2, c2] = self.stones.pop((r, c))

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else self.last_mover_wins()


class Toads(Turns):
    roles = ("toads", "frogs")

    def __init__(self, lanes: str) -> None:
        self.lanes = dict(zip("abcdef", lanes.split(","), strict=False))

    def target(self, lane: str, i: int) -> int | None:
        row, ahead, own = self.lanes[lane], 1 - 2 * self.turn, "TF"[self.turn]
        at = dict(enumerate(row, 1))
        if at[i] != own:
            return None
        if at.get(i + ahead) == "_":
            return i + ahead
        return i + 2 * ahead if at.get(i + ahead) == "FT"[self.turn] and at.get(i + 2 * ahead) == "_" else None

    def options(self) -> set[str]:
        places = [(lane, i) for lane, row in self.lanes.items() for i in range(1, len(row) + 1)]
        return {f"(move {lane} {i})" for lane, i in places if self.target(lane, i) is not None}

    def act(self, *move: str) -> None:
        lane, i = move[1], int(move[2])
        target = self.target(lane, i)
        assert target is not None
        row = list(self.lanes[lane])
        row[target - 1], row[i - 1] = row[i - 1], "_"
        self.lanes[lane] = "".join(row)

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else self.last_mover_wins()


class Chomp(Turns):
    roles = ("player1", "player2")

    def __init__(self, text: str) -> None:
        self.bar = set(grid(*sides(text)))

    def options(self) -> set[str]:
        return {f"(bite {r} {c})" for r, c in self.bar}

    def act(self, *move: str) -> None:
        self.bar = {(r, c) for r, c in self.bar if r < int(move[1]) or c < int(move[2])}

    def scores(self) -> Iterable[int] | None:
        return None if self.bar else self.last_mover_wins()[::-1]


class ConnectFour(Turns):
    roles = ("red", "yellow")

    def __init__(self, text: str) -> None:
        columns, self.rows = sides(text)
        self.columns: dict[int, list[int]] = {c: [] for c in range(1, columns + 1)}

    def options(self) -> set[str]:
        return {f"(drop {c})" for c, discs in self.columns.items() if len(discs) < self.rows}

    def act(self, *move: str) -> None:
        self.columns[int(move[1])].append(self.turn)

    def scores(self) -> Iterable[int] | None:
        for p in (0, 1):
            if has_line({(r, c) for c, discs in self.columns.items() for r, q in enumerate(discs) if p == q}, 4):
                return [100 * (p == q) for q in (0, 1)]
        return None if self.options() else [50, 50]


class Breakthrough(Turns):
    roles = ("white", "black")

    def __init__(self, text: str) -> None:
        self.columns, self.rows = sides(text)
        span = range(1, self.columns + 1)
        self.pawns = [{(c, r) for c in span for r in home} for home in ((1, 2), (self.rows - 1, self.rows))]

    def options(self) -> set[str]:
        own, enemy = self.pawns[self.turn], self.pawns[1 - self.turn]
        up = 1 - 2 * self.turn
        return {
            f"(move {c} {r} {c + dc} {r + up})"
            for c, r in own
            for dc in (-1, 0, 1)
            if 1 <= c + dc <= self.columns and 1 <= r + up <= self.rows
            if (c + dc, r + up) not in own and not (dc == 0 and (c, r + up) in enemy)
        }

    def act(self, *move: str) -> None:
        c, r, c2, r2 = map(int, move[1:])
        self.pawns[self.turn] = self.pawns[self.turn] - {(c, r)} | {(c2, r2)}
        self.pawns[1 - self.turn] -= {(c2, r2)}

    def scores(self) -> Iterable[int] | None:
        for p, far in enumerate((self.rows, 1)):
            if any(r == far for _, r in self.pawns[p]) or not self.pawns[1 - p]:
                return [100 * (p == q) for q in (0, 1)]
        return None


class Hex(Turns):
    roles = ("red", "blue")

    def __init__(self, text: str) -> None:
        self.size = int(text)
        self.stones: list[set[Square]] = [set(), set()]

    def options(self) -> set[str]:
        return {f"(place {r} {c})" for r, c in set(grid(self.size, self.size)) - self.stones[0] - self.stones[1]}

    def act(self, *move: str) -> None:
        self.stones[self.turn].add((int(move[1]), int(move[2])))

    def scores(self) -> Iterable[int] | None:
        for p in (0, 1):
            reached = {s for s in self.stones[p] if s[p] == 1}
            front = set(reached)
            while front:
                near = {(r + dr, c + dc) for r, c in front for dr, dc in EIGHT if dr != dc}
                front = (near & self.stones[p]) - reached
                reached |= front
            if any(s[p] == self.size for s in reached):
                return [100 * (p == q) for q in (0, 1)]
        return None


class Reversi(Turns):
    roles = ("black", "white")

    def __init__(self, text: str) -> None:
        self.squares = set(grid(int(text), int(text)))
        m = int(text) // 2
        self.discs = {(m, m): 1, (m, m + 1): 0, (m + 1, m): 0, (m + 1, m + 1): 1}

    def turned(self, square: Square, role: int) -> set[Square]:
        out: set[Square] = set()
        for dr, dc in EIGHT:
            line = []
            r, c = square[0] + dr, square[1] + dc
            while self.discs.get((r, c)) == 1 - role:
                line.append((r, c))
                r, c = r + dr, c + dc
            if self.discs.get((r, c)) == role:
                out.update(line)
        return out

    def places(self, role: int) -> set[Square]:
        return {s for s in self.squares - set(self.discs) if self.turned(s, role)}

    def options(self) -> set[str]:
        return {f"(place {r} {c})" for r, c in self.places(self.turn)} or {"pass"}

    def act(self, *move: str) -> None:
        if move[0] == "place":
            square = int(move[1]), int(move[2])
            self.discs |= dict.fromkeys({square} | self.turned(square, self.turn), self.turn)

    def scores(self) -> Iterable[int] | None:
        if self.places(0) or self.places(1):
            return None
        black = 2 * list(self.discs.values()).count(0) - len(self.discs)
        return [50 + 50 * (black > 0) - 50 * (black < 0), 50 - 50 * (black > 0) + 50 * (black < 0)]


class CrissCross(Turns):
    roles = ("red", "blue")

    def __init__(self, text: str = "") -> None:
        self.squares = {s for s in grid(4, 4) if 2 <= s[0] <= 3 or 2 <= s[1] <= 3}
        start = {(2, 1): 0, (3, 1): 0, (4, 2): 1, (4, 3): 1}
        self.men = {board: dict(start) for board in "ab"}

    def ways(self, role: int) -> set[str]:
        out = set()
        for board, men in self.men.items():
            for (r, c), p in men.items():
                for drift in (-1, 0, 1):
                    dr, dc = (drift, 1) if role == 0 else (-1, drift)
                    r2, c2 = r + dr, c + dc
                    if (r2, c2) in men:
                        r2, c2 = r2 + dr, c2 + dc
                    if p == role and (r2, c2) in self.squares and (r2, c2) not in men:
                        out.add(f"(move {board} {r} {c} {r2} {c2})")
        return out

    def options(self) -> set[str]:
        return self.ways(self.turn) or {"pass"}

    def act(self, *move: str) -> None:
        if move[0] == "move":
            r, c, r2, c2 = map(int, move[2:])
            self.men[move[1]][r2, c2] = self.men[move[1]].pop((r, c))

    def scores(self) -> Iterable[int] | None:
        if self.ways(0) or self.ways(1):
            return None
        men = [(s, p) for board in self.men.values() for s, p in board.items()]
        lead = sum(p == 0 and s[1] == 4 for s, p in men) - sum(p == 1 and s[0] == 1 for s, p in men)
        return [50 + 12 * lead, 50 - 12 * lead]


TWINS: dict[str, Build] = {
    "breakthrough": Breakthrough,
    "chomp": Chomp,
    "clobber": Clobber,
    "connect-four": ConnectFour,
    "domineering": Domineering,
    "double-crisscross": CrissCross,
    "double-tictactoe": lambda _: Double(2),
    "hex": Hex,
    "kayles": Kayles,
    "nim": Nim,
    "nim-misere": lambda heaps: Nim(heaps, misere=True),
    "parallel-tictactoe": lambda _: Parallel(2),
    "reversi": Reversi,
    "serial-tictactoe": lambda _: Serial(2),
    "three-player-tictactoe": lambda _: ThreePlayers(1, 4),
    "tictactoe": lambda _: Single(1),
    "toads-and-frogs": Toads,
    "triple-tictactoe": lambda _: Triple(3),
    "ultimate-tictactoe": lambda _: Ultimate(9),
}
"""A twin for every bundled game that is played in turns by two or three."""
