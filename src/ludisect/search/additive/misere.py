"""Misère sums, in which the last to move loses: tame parts by a proved rule, others by quotient or search.

Nimbers do not decide misère play (``docs/search.md`` shows where the rule of Zhao 2009, §4.3.2, fails). Each state gets
its nimber in normal play and in misère play alone. Like a heap of Nim it is *fickle* if these are 0 and 1, or 1 and 0;
*firm* if they are equal; and wild otherwise. If the states of all parts pass ``is_tame``, a sum is won by the player
who just moved exactly if

    all its parts are fickle and their nim-sum is 1, or some part is firm and the nim-sum is 0.

``is_tame`` checks just what the induction over the moves of a sum needs: from such a sum no move leads to such a sum,
and from every other sum with a move some move does. (Compare the tame games of *Winning Ways*, ch. 13.)

Parts that fail it are brought to canonical form. If few forms are left, their misère quotient decides sums of any
number of parts (see ``cgt.misere``); else the sums are searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludisect.cgt.impartial import mex, nim_sum
from ludisect.cgt.misere import Misere, MisereQuotient
from ludisect.errors import BudgetExceeded
from ludisect.progress import report
from ludisect.search.additive.nimsum import by_height, nimbers
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import PartGraph

ENTRY = 200
"""Bytes that a remembered sum takes, about."""

STEPS = 20_000
"""Steps (see ``effort``) that a sum counts, about."""

Sign = tuple[int, bool]
"""(nimber, whether firm)."""


def misere_nimbers(part: PartGraph) -> list[int]:
    """The nimber in misère play of every state played alone; a state without moves has 1."""
    out = [1] * part.size
    for s in by_height(part):
        below = [out[t] for _, t in part.moves[0][s]]
        out[s] = mex(below) if below else 1
    return out


def signs(part: PartGraph) -> list[Sign] | None:
    """Fickle or firm for every state, or None if some state is wild."""
    out: list[Sign] = []
    for normal, misere in zip(nimbers(part), misere_nimbers(part), strict=True):
        if (normal, misere) in ((0, 1), (1, 0)):
            out.append((normal, False))
        elif normal == misere:
            out.append((normal, True))
        else:
            return None
    return out


def is_tame(part: PartGraph, of_state: Sequence[Sign]) -> bool:
    """Whether every state's moves have what the rule for sums needs."""
    return all(_behaves(of_state[s], {of_state[t] for _, t in part.moves[0][s]}) for s in range(part.size))


def _behaves(sign: Sign, options: set[Sign]) -> bool:
    value, firm = sign
    values = {v for v, _ in options}
    if not firm:
        # never to its own value, nor to a firm 0 or 1, which would keep a lost sum lost for the opponent
        allowed = all((v == 1 - value) if not f else v >= 2 for v, f in options)
        return allowed and (not options or (1 - value, False) in options)
    if value in values or not set(range(value)) <= values:
        return False
    if value < 2:
        return all(f for _, f in options)
    # the only firm part beside fickle ones must be able to leave what is lost, whatever their nim-sum
    return all((f, True) in options or (1 - f, False) in options for f in (0, 1))


def tame_signs(parts: Sequence[PartGraph]) -> list[list[Sign]] | None:
    """The signs of all states of all parts, or None if some part is not tame."""
    out = []
    for part in parts:
        of_state = signs(part)
        if of_state is None or not is_tame(part, of_state):
            return None
        out.append(of_state)
    return out


Option = tuple[int, int, int]
"""A first move: (part, label, state that it leads to)."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Per first move whether the opponent loses what it leaves, and how that was found out.

    ``tame`` are the signs of all states if all parts are tame; else ``search`` has the classes of their states, and
    ``quotient`` is their misère quotient if it was found.
    """

    lost: list[bool]
    tame: list[list[Sign]] | None = None
    search: MisereSearch | None = None
    quotient: MisereQuotient | None = None

    def loses(self, states: Sequence[int]) -> bool | None:
        """Whether whoever moves next loses when the parts are in some states; None for a sum that was not searched."""
        if self.tame is not None:
            return lost_by_rule([of_state[s] for of_state, s in zip(self.tame, states, strict=True)])
        assert self.search is not None
        classes = self.search.classes(states)
        return self.search.kept(classes) if self.quotient is None else self.quotient.outcome(classes) == "P"


class MisereSum:
    """What decides a misère sum wherever its parts stand: the rule for tame parts, a misère quotient, or a search."""

    def __init__(self, parts: Sequence[PartGraph], budget: Budget) -> None:
        self.tame = tame_signs(parts)
        self.search = None if self.tame is not None else MisereSearch(parts, budget=budget)
        self.quotient = None if self.search is None else self.search.quotient()

    def judge(self, start: Sequence[int], options: Sequence[Option]) -> Verdicts:
        """Which of some moves win, the parts being in some states."""
        after = [[*start[:i], t, *start[i + 1 :]] for i, _, t in options]
        if self.search is None:
            known = Verdicts([], self.tame)
            return replace(known, lost=[bool(known.loses(states)) for states in after])
        classes, found = [self.search.classes(states) for states in after], self.quotient
        lost = [self.search.lost(some) if found is None else found.outcome(some) == "P" for some in classes]
        return Verdicts(lost, None, self.search, found)


def lost_by_rule(parts: Sequence[Sign]) -> bool:
    """Whether the player to move loses a sum of tame parts."""
    total = nim_sum(v for v, _ in parts)
    return total == (0 if any(firm for _, firm in parts) else 1)


class MisereSearch:
    """Exact search of misère sums: states of equal misère value are one class, and sums are multisets of classes.

    Class 0 is a state without a move. A state is equal to one with fewer options if each option that is left out can
    be answered by a move to that one (Conway, *On Numbers and Games*, ch. 12; with care where nothing would be left).
    """

    def __init__(self, parts: Sequence[PartGraph], *, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.options: list[tuple[int, ...]] = [()]
        self._lost_alone = [False]
        self._numbers: dict[tuple[int, ...], int] = {(): 0}
        self.of_state: list[list[int]] = []
        for part in parts:
            of_state = [0] * part.size
            for s in by_height(part):
                of_state[s] = self._class(tuple(sorted({of_state[t] for _, t in part.moves[0][s]})))
            self.of_state.append(of_state)
        self._lost: dict[tuple[int, ...], bool] = {}

    def _class(self, options: tuple[int, ...]) -> int:
        """The class of a state with these options."""
        if options not in self._numbers:
            simpler = self._simpler(options)
            if simpler is None:
                simpler = len(self.options)
                self.options.append(options)
                self._lost_alone.append(not any(self._lost_alone[x] for x in options))
            self._numbers[options] = simpler
        return self._numbers[options]

    def _simpler(self, options: tuple[int, ...]) -> int | None:
        """A known class that is equal to a state with these options, though it has fewer."""
        for x in sorted({x for k in options for x in self.options[k]}):
            kept = set(self.options[x])
            answered = all(x in self.options[k] for k in options if k not in kept)
            # to be equal to no move at all, the state has to be won for its mover, as no move is
            if kept <= set(options) and answered and (kept or any(self._lost_alone[k] for k in options)):
                return x
        return None

    def classes(self, states: Sequence[int]) -> list[int]:
        """The class of every part's state."""
        return [of_state[s] for of_state, s in zip(self.of_state, states, strict=True)]

    @property
    def positions(self) -> int:
        """Sums that were looked at."""
        return len(self._lost)

    def heaps(self) -> Misere:
        """The classes as heaps of one game: class c is the heap of size c."""
        return Misere(lambda c: [(x,) if x else () for x in self.options[c]])

    def quotient(self) -> MisereQuotient | None:
        """The misère quotient of all sums of the classes, if they are few and it is found and proved quickly."""
        limits = SearchLimits.current()
        if len(self.options) > limits.misere_classes:
            return None
        try:
            return self.heaps().quotient(len(self.options) - 1, size=limits.misere_elements, reach=limits.misere_heaps)
        except BudgetExceeded:
            return None

    def lost(self, classes: Sequence[int]) -> bool:
        """Whether the player to move loses."""
        root = self._key(classes)
        stack = [root]
        while stack:
            here = stack[-1]
            if here in self._lost:
                stack.pop()
                continue
            below = self._below(here)
            if any(self._lost.get(x) for x in below):
                self._settle(here, False)
                continue
            unknown = [x for x in below if x not in self._lost]
            if unknown:
                stack.append(unknown[0])
            else:
                self._settle(here, bool(below))
        return self._lost[root]

    def kept(self, classes: Sequence[int]) -> bool | None:
        """Whether the player to move loses a sum that was searched; None for another."""
        return self._lost.get(self._key(classes))

    def _settle(self, key: tuple[int, ...], lost: bool) -> None:
        if not len(self._lost) & 0x3FF:
            report("adding misère sums", len(self._lost))
            self.budget.check(ENTRY * len(self._lost), steps=0x400 * STEPS)
        self._lost[key] = lost

    def _key(self, classes: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(c for c in classes if self.options[c]))

    def _below(self, key: tuple[int, ...]) -> list[tuple[int, ...]]:
        out: dict[tuple[int, ...], None] = {}
        for i, c in enumerate(key):
            if i and key[i - 1] == c:
                continue
            for option in self.options[c]:
                out[self._key((*key[:i], option, *key[i + 1 :]))] = None
        return list(out)
