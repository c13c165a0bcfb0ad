"""Who beats whom: results of matches added up by pairs of players, with 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from statistics import mean, stdev

NORMAL = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


def interval(score: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share that was seen in so many games (Wilson 1927).

    A draw counts half, which makes the true spread smaller than that of wins and losses: the interval is safe.

    >>> [round(end, 3) for end in interval(0.96, 100)]
    [0.902, 0.984]
    """
    if not games:
        return 0.0, 1.0
    z = NORMAL * NORMAL / games
    middle = (score + z / 2) / (1 + z)
    half = NORMAL / (1 + z) * math.sqrt(max(0.0, score * (1 - score) / games + z / (4 * games)))
    return max(0.0, min(score, middle - half)), min(1.0, max(score, middle + half))  # rounding aside


@dataclass(slots=True)
class Pairing:
    """Games of two players against each other, from the side of the first."""

    first: str
    second: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Share of the points: a win one, a draw a half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true score lies, with 95 % confidence."""
        return interval(self.score, self.games)


@dataclass(slots=True)
class Standing:
    """Results so far. A player may sit in several seats; equal names are one player.

    Players who are named at first stand first, whoever ends a match first.
    """

    order: list[str] = field(default_factory=list)
    pairings: dict[tuple[str, str], Pairing] = field(default_factory=dict)
    goals: dict[str, list[float]] = field(default_factory=dict)
    broken_off: int = 0
    faults: dict[str, int] = field(default_factory=dict)

    def add(self, players: Mapping[str, str], goals: Mapping[str, float] | None, faulty: Iterable[str] = ()) -> None:
        """One match: who sat in which role, what each role got (None if it was broken off), roles that did wrong."""
        for role in faulty:
            self.faults[players[role]] = self.faults.get(players[role], 0) + 1
        if goals is None:
            self.broken_off += 1
            return
        for role, player in players.items():
            self.goals.setdefault(player, []).append(goals[role])
        for one, other in combinations(players, 2):
            if players[one] != players[other]:
                self._pair(players[one], players[other], goals[one] - goals[other])

    def _pair(self, first: str, second: str, difference: float) -> None:
        if self._place(first) > self._place(second):
            first, second, difference = second, first, -difference
        pairing = self.pairings.setdefault((first, second), Pairing(first, second))
        pairing.wins += difference > 0
        pairing.draws += difference == 0
        pairing.losses += difference < 0

    def _place(self, player: str) -> int:
        if player not in self.order:
            self.order.append(player)
        return self.order.index(player)

    @property
    def pairs(self) -> list[Pairing]:
        """All pairings, by the order of the players."""
        return sorted(self.pairings.values(), key=lambda p: (self._place(p.first), self._place(p.second)))

    @property
    def players(self) -> list[str]:
        """All who have played, in their order."""
        return sorted(self.goals, key=self._place)

    def mean_goal(self, player: str) -> tuple[float, float]:
        """The mean goal of a player, and half the width of its 95 % interval."""
        goals = self.goals[player]
        half = NORMAL * stdev(goals) / math.sqrt(len(goals)) if len(goals) > 1 else math.inf
        return mean(goals), half

    def to_json(self) -> dict[str, object]:
        """As ``ludisect match --json`` prints it."""
        return {
            "pairings": [
                {
                    "players": [p.first, p.second],
                    "games": p.games,
                    "wins": p.wins,
                    "draws": p.draws,
                    "losses": p.losses,
                    "score": round(p.score, 4),
                    "interval": [round(end, 4) for end in p.interval],
                }
                for p in self.pairs
            ],
            "players": [
                {
                    "player": player,
                    "games": len(self.goals[player]),
                    "mean_goal": round(mean(self.goals[player]), 3),
                    "faults": self.faults.get(player, 0),
                }
                for player in self.players
            ],
            "broken_off": self.broken_off,
        }
