"""Twins of the bundled puzzles and of the games with simultaneous moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .twins import Build, Square, Turns, Twin, grid, sides, words


class FourLamps(Turns):
    roles = ("r",)

    def __init__(self, text: str = "") -> None:
        self.on: set[str] = set()

    def options(self) -> set[str]:
        return {f"(push {x})" for x in "abcd" if x not in self.on}

    def act(self, *move: str) -> None:
        self.on.add(move[1])

    def scores(self) -> Iterable[int] | None:
        return [40 * ("b" in self.on) + 60 * ("c" in self.on)] if "a" in self.on else None


class TwoTrack(Turns):
    roles = ("walker",)

    def __init__(self, text: str = "") -> None:
        self.at = [0, 0]

    def options(self) -> set[str]:
        return {f"(move{t + 1} {way[self.at[t] + 1]})" for t, way in enumerate(("abc", "xyz")) if self.at[t] < 2}

    def act(self, *move: str) -> None:
        self.at[int(move[0][-1]) - 1] += 1

    def scores(self) -> Iterable[int] | None:
        return {(2, 2): [100], (0, 2): [0], (2, 0): [0]}.get((self.at[0], self.at[1]))


class BlocksMaze(Turns):
    roles = ("robot",)

    def __init__(self, text: str = "") -> None:
        self.room, self.gold, self.step = 0, "y", 1
        self.below = {"c": "a", "f": "e", "e": "d"}

    def options(self) -> set[str]:
        clear = set("abcdef") - set(self.below.values())
        out = {"move"}
        out |= {"grab"} if "wxyz"[self.room] == self.gold else set()
        out |= {"drop"} if self.gold == "hand" else set()
        out |= {f"(unstack {x} {y})" for x, y in self.below.items() if x in clear}
        return out | {f"(stack {x} {y})" for x in clear - set(self.below) for y in clear if x != y}

    def act(self, *move: str) -> None:
        self.step += 1
        match move:
            case ("move",):
                self.room = (self.room + 1) % 4
            case ("grab",):
                self.gold = "hand"
            case ("drop",):
                self.gold = "wxyz"[self.room]
            case ("stack", x, y):
                self.below[x] = y
            case ("unstack", x, _):
                del self.below[x]

    def scores(self) -> Iterable[int] | None:
        if self.gold != "w" and self.step < 20:
            return None
        cae = self.below.get("c") == "a" and self.below.get("a") == "e"
        bdf = self.below.get("b") == "d" and self.below.get("d") == "f"
        return [45 * (self.gold == "w") + 30 * cae + 25 * bdf]


class LightsOn(Turns):
    roles = ("presser",)

    def __init__(self, groups: tuple[str, ...], limit: int) -> None:
        self.groups, self.limit, self.turns = groups, limit, 0
        self.lamps = {(g, x): 0 for g in groups for x in "abcd"}

    def options(self) -> set[str]:
        return {f"(press {g} {x})".replace("  ", " ") for g, x in self.lamps}

    def act(self, *move: str) -> None:
        self.turns += 1
        self.lamps = {lamp: max(0, n - 1) for lamp, n in self.lamps.items()}
        self.lamps[move[1] if len(move) > 2 else "", move[-1]] = 4

    def scores(self) -> Iterable[int] | None:
        won = any(all(self.lamps[g, x] for x in "abcd") for g in self.groups)
        return [100 * won] if won or self.turns == self.limit else None


class LightsOut(Turns):
    roles = ("player",)

    def __init__(self, text: str) -> None:
        self.squares = grid(*sides(text))
        self.lit = set(self.squares)
        self.left = len(self.squares)

    def options(self) -> set[str]:
        return {f"(press {r} {c})" for r, c in self.squares}

    def act(self, *move: str) -> None:
        self.left -= 1
        r, c = int(move[1]), int(move[2])
        near = {(r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        self.lit ^= near & set(self.squares)

    def scores(self) -> Iterable[int] | None:
        return [100 * (not self.lit)] if not self.lit or not self.left else None


class SlidePuzzle(Turns):
    roles = ("player",)

    def __init__(self, text: str = "") -> None:
        self.at = dict(zip(grid(2, 3), "45.123", strict=True))
        self.turns = 0

    def options(self) -> set[str]:
        (hole,) = (s for s, x in self.at.items() if x == ".")
        return {f"(slide {r} {c})" for r, c in self.at if abs(r - hole[0]) + abs(c - hole[1]) == 1}

    def act(self, *move: str) -> None:
        self.turns += 1
        (hole,) = (s for s, x in self.at.items() if x == ".")
        tile = int(move[1]), int(move[2])
        self.at[hole], self.at[tile] = self.at[tile], "."

    def scores(self) -> Iterable[int] | None:
        solved = "".join(self.at[s] for s in grid(2, 3)) == "12345."
        return [100 * solved] if solved or self.turns == 30 else None


PATHS = {"s": ["u", "v"], "u": ["mud", "w"], "v": ["w", "sand"], "w": ["gold", "ditch"]}


class Relay(Turns):
    roles = ("runner",)

    def __init__(self, text: str = "") -> None:
        self.at, self.pegs, self.rope = "s", {2, 3, 4, 5, 7}, 14

    def options(self) -> set[str]:
        if self.at in PATHS:
            return {f"(walk {y})" for y in PATHS[self.at]}
        jumps = {
            f"(jump {i} {i + 2 * d})"
            for i in self.pegs
            for d in (-1, 1)
            if i + d in self.pegs and i + 2 * d not in self.pegs and 1 <= i + 2 * d <= 7
        }
        return jumps or {f"(cut {k})" for k in (3, 5) if k <= self.rope}

    def act(self, *move: str) -> None:
        if move[0] == "walk":
            self.at = move[1]
        elif move[0] == "jump":
            i, k = int(move[1]), int(move[2])
            self.pegs = self.pegs - {i, (i + k) // 2} | {k}
        else:
            self.rope -= int(move[1])

    def scores(self) -> Iterable[int] | None:
        if self.options():
            return None
        return [30 * (self.at == "gold") + 30 * (len(self.pegs) == 1) + 40 * (self.rope == 0)]


class MultipleHanoi(Turns):
    roles = ("player",)
    disks = ("small", "medium", "large")

    def __init__(self, text: str = "") -> None:
        self.peg = {(k, d): 1 for k in ("left", "middle", "right") for d in self.disks}
        self.turns = 0

    def options(self) -> set[str]:
        out = set()
        for (k, d), i in self.peg.items():
            above = {self.peg[k, e] for e in self.disks[: self.disks.index(d)]}
            out |= {f"(shift {k} {d} {j})" for j in (1, 2, 3) if j != i and not {i, j} & above}
        return out

    def act(self, *move: str) -> None:
        self.turns += 1
        self.peg[move[1], move[2]] = int(move[3])

    def scores(self) -> Iterable[int] | None:
        solved = all(self.peg["middle", d] == 3 for d in self.disks)
        return [100 * solved] if solved or self.turns == 11 else None


class KnightsTour(Turns):
    roles = ("player",)

    def __init__(self, text: str) -> None:
        self.squares = set(grid(*sides(text)))
        self.path: list[Square] = [(1, 1)]

    def options(self) -> set[str]:
        r, c = self.path[-1]
        free = self.squares - set(self.path)
        return {f"(move {x} {y})" for x, y in free if {abs(x - r), abs(y - c)} == {1, 2}}

    def act(self, *move: str) -> None:
        self.path.append((int(move[1]), int(move[2])))

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else [100 * (len(self.path) == len(self.squares))]


class Queens(Turns):
    roles = ("player",)

    def __init__(self, text: str) -> None:
        self.size = int(text)
        self.columns: list[int] = []

    def options(self) -> set[str]:
        return {f"(place {c})" for c in range(1, self.size + 1)}

    def act(self, *move: str) -> None:
        self.columns.append(int(move[1]))

    def scores(self) -> Iterable[int] | None:
        if len(self.columns) < self.size:
            return None
        lines = [{c + k * r for r, c in enumerate(self.columns)} for k in (-1, 0, 1)]
        return [100 * all(len(line) == self.size for line in lines)]


class PegSolitaire(Turns):
    roles = ("player",)

    def __init__(self, text: str = "") -> None:
        self.holes = {(r, c) for r, c in grid(5, 5) if c <= r}
        self.pegs = self.holes - {(1, 1)}

    def options(self) -> set[str]:
        lines = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
        return {
            f"(jump {r} {c} {r + 2 * dr} {c + 2 * dc})"
            for r, c in self.pegs
            for dr, dc in lines
            if (r + dr, c + dc) in self.pegs and (r + 2 * dr, c + 2 * dc) in self.holes - self.pegs
        }

    def act(self, *move: str) -> None:
        r, c, r2, c2 = map(int, move[1:])
        self.pegs = self.pegs - {(r, c), ((r + r2) // 2, (c + c2) // 2)} | {(r2, c2)}

    def scores(self) -> Iterable[int] | None:
        return None if self.options() else [100 * (len(self.pegs) == 1)]


class RockPaperScissors(Twin):
    roles = ("left", "right")
    order = ("rock", "paper", "scissors")

    def __init__(self, text: str) -> None:
        self.left, self.lead = int(text), 0

    def moves(self) -> dict[str, set[str]]:
        return {r: {f"(show {s})" for s in self.order} for r in self.roles}

    def play(self, joint: Mapping[str, str]) -> None:
        left, right = (self.order.index(words(joint[r])[1]) for r in self.roles)
        self.left -= 1
        self.lead += (0, 1, -1)[(left - right) % 3]

    def scores(self) -> Iterable[int] | None:
        sign = (self.lead > 0) - (self.lead < 0)
        return None if self.left else [50 + 50 * sign, 50 - 50 * sign]


HEADINGS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class Tron(Twin):
    roles = ("blue", "orange")

    def __init__(self, text: str) -> None:
        self.squares = set(grid(*sides(text)))
        self.at = [(1, 1), sides(text)]
        self.walls = set(self.at)
        self.crashed = [False, False]

    def moves(self) -> dict[str, set[str]]:
        return {r: {f"(go {d})" for d in HEADINGS} for r in self.roles}

    def play(self, joint: Mapping[str, str]) -> None:
        turns = [HEADINGS[words(joint[r])[1]] for r in self.roles]
        self.at = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(self.at, turns, strict=True)]
        met = self.at[0] == self.at[1]
        self.crashed = [met or s in self.walls or s not in self.squares for s in self.at]
        self.walls.update(self.at)

    def scores(self) -> Iterable[int] | None:
        blue, orange = self.crashed
        return [50 - 50 * blue + 50 * orange, 50 + 50 * blue - 50 * orange] if blue or orange else None


class Runners(Twin):
    roles = ("red", "blue")

    def __init__(self, text: str = "") -> None:
        self.at, self.breath, self.rounds = [0, 0], [1, 1], 0

    def moves(self) -> dict[str, set[str]]:
        paces = [{"walk", "rest", "sprint"} if breath else {"walk", "rest"} for breath in self.breath]
        return dict(zip(self.roles, paces, strict=True))

    def play(self, joint: Mapping[str, str]) -> None:
        self.rounds += 1
        for i, r in enumerate(self.roles):
            gain, cost = {"walk": (1, 0), "sprint": (3, 1), "rest": (0, -1)}[joint[r]]
            self.at[i] = min(12, self.at[i] + gain)
            self.breath[i] = min(3, self.breath[i] - cost)

    def scores(self) -> Iterable[int] | None:
        return [100 if n == 12 else 8 * n for n in self.at] if self.rounds == 8 else None


TWINS: dict[str, Build] = {
    "blocks-maze": BlocksMaze,
    "four-lamps": FourLamps,
    "knights-tour": KnightsTour,
    "lights-on": lambda _: LightsOn(("",), 10),
    "lights-on-parallel": lambda _: LightsOn(("north", "east", "south", "west"), 20),
    "lights-out": LightsOut,
    "multiple-hanoi": MultipleHanoi,
    "peg-solitaire": PegSolitaire,
    "queens": Queens,
    "relay": Relay,
    "rock-paper-scissors": RockPaperScissors,
    "runners": Runners,
    "slide-puzzle": SlidePuzzle,
    "tron": Tron,
    "two-track": TwoTrack,
}
"""A twin for every bundled puzzle and for every bundled game with simultaneous moves."""
