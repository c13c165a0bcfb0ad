"""Transposition tables of bounded size: what was dear to find and is often asked for stays longest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ludisect.errors import InputError
from ludisect.sums.limits import SumsLimits

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Row(Generic[V]):
    """One entry: the value, the work it took, and the questions it answered lately."""

    value: V
    work: int
    asked: int

    @property
    def use(self) -> int:
        return self.work * (1 + self.asked)


class TranspositionTable(Generic[K, V]):
    """A mapping that forgets the less useful half of its entries when it is full.

    An entry is as useful as the work that finding it again would cost, times the number of questions it answered
    lately. Forgetting half at once, instead of one entry at a time, keeps a question to one look into a dict.
    """

    def __init__(self, entries: int | None = None) -> None:
        entries = SumsLimits.current().table_entries if entries is None else entries
        if entries < 1:
            raise InputError(f"a transposition table needs room for at least 1 entry, not {entries}")
        self.entries = entries
        self._rows: dict[K, _Row[V]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: K) -> bool:
        return key in self._rows

    def get(self, key: K) -> V | None:
        """What is kept under ``key``, if anything."""
        row = self._rows.get(key)
        if row is None:
            return None
        row.asked += 1
        return row.value

    def put(self, key: K, value: V, work: int = 1) -> None:
        """Keep ``value``; ``work`` is what it would cost to find it again, in any unit."""
        if len(self._rows) >= self.entries and key not in self._rows:
            self._forget()
        self._rows[key] = _Row(value, work, 0)

    def _forget(self) -> None:
        ranked = sorted(self._rows.items(), key=lambda item: item[1].use)
        gone = (len(ranked) + 1) // 2
        self._rows = dict(ranked[gone:])
        for row in self._rows.values():
            row.asked //= 2
