"""Parts of thorny compounds: tokens on graphs, heaps, pins and lamps, as programs and as local rules.

A local state is a number. Every family answers the same questions, and writes rules that give the same answers: what a
role may do (``can``), what follows when one role acts (``acts``) or two act at once, whether the part is over, and its
level: 0, 1 or 2, all that a score reads of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Meeting = Literal["first", "nobody", "pair"]
"""What counts where two roles act in one part at once: the first role's act, no act, or what a table of pairs says."""

Acts = Mapping[int, str]
"""What each role that acts in a part does there."""


@dataclass(frozen=True)
class ThornyPart(ABC):
    """A part by its number, with what the glue must know of it."""

    number: int
    roles: tuple[str, ...]
    levels: tuple[int, ...]
    """By state."""
    ends: frozenset[int]
    """States in which the part is over; at least one."""
    closes: bool
    """Whether nobody may act in it any more when it is over."""
    meeting: Meeting

    @property
    @abstractmethod
    def family(self) -> str:
        """What kind of part it is, in a word."""

    @property
    @abstractmethod
    def start(self) -> int:
        """The first state."""

    @abstractmethod
    def fluents(self, state: int) -> list[str]:
        """The fluents that hold in a state, as KIF."""

    @abstractmethod
    def moves(self, state: int, role: int) -> list[str]:
        """The local moves of a role, whether or not the part is over."""

    @abstractmethod
    def after(self, state: int, role: int, move: str) -> int:
        """The state after one role acted."""

    @abstractmethod
    def local_rules(self) -> list[str]:
        """``init``, ``next``, ``can``, ``over`` and ``level`` of this part; its number is part of the names."""

    def pair(self, state: int, acts: Acts) -> int | None:
        """Where a table of pairs leads, if two roles act at once and there is one."""
        return None

    def over(self, state: int) -> bool:
        """Whether the part is over."""
        return state in self.ends

    def can(self, state: int, role: int) -> list[str]:
        """The local moves that a role may make."""
        return [] if self.closes and self.over(state) else self.moves(state, role)

    def step(self, state: int, acts: Acts) -> int:
        """The state after what the roles do here at once."""
        if not acts:
            return state
        if len(acts) == 1 or self.meeting == "first":
            role = min(acts)
            return self.after(state, role, acts[role])
        found = self.pair(state, acts) if self.meeting == "pair" else None
        return state if found is None else found

    def named(self, word: str) -> str:
        """A name of this part's own."""
        return f"{word}{self.number}"

    def _read_off(self, condition: Mapping[int, str]) -> list[str]:
        """Rules of ``over`` and ``level``, given for each state the condition that tells it."""
        over, level = self.named("over"), self.named("level")
        rules = [f"(<= {over} {condition[s]})" for s in sorted(self.ends)]
        return [*rules, *(f"(<= ({level} {self.levels[s]}) {told})" for s, told in condition.items())]

    def _guard(self) -> str:
        return f" (not {self.named('over')})" if self.closes else ""


@dataclass(frozen=True)
class Token(ThornyPart):
    """A token on a graph whose arcs belong to roles: zugzwang, loops, arcs back to where it stands, rare moves."""

    arcs: Mapping[tuple[int, int], Mapping[str, int]]
    """(place, role) to moves and where they lead."""
    pairs: Mapping[tuple[int, str, str], int]

    @property
    def family(self) -> str:
        return "token"

    @property
    def start(self) -> int:
        return 0

    def fluents(self, state: int) -> list[str]:
        return [f"({self.named('at')} s{state})"]

    def moves(self, state: int, role: int) -> list[str]:
        return list(self.arcs.get((state, role), ()))

    def after(self, state: int, role: int, move: str) -> int:
        return self.arcs[state, role][move]

    def pair(self, state: int, acts: Acts) -> int | None:
        return self.pairs.get((state, acts[0], acts[1])) if set(acts) == {0, 1} else None

    def local_rules(self) -> list[str]:
        at, arc, acts, touched = map(self.named, ("at", "arc", "acts", "touched"))
        rules = [f"(init ({at} s0))"]
        for (s, r), moves in self.arcs.items():
            rules += [f"({arc} {self.roles[r]} s{s} {move} s{t})" for move, t in moves.items()]
        rules += [
            f"(<= ({self.named('can')} ?r ?a) (true ({at} ?s)) ({arc} ?r ?s ?a ?t){self._guard()})",
            f"(<= (next ({at} ?t)) ({acts} ?r ?a) (true ({at} ?s)) ({arc} ?r ?s ?a ?t))",
            f"(<= (next ({at} ?s)) (true ({at} ?s)) (not {touched}))",
        ]
        if self.meeting == "pair":
            table, picks = self.named("pair"), self.named("picks")
            rules += [f"({table} s{s} {a} {b} s{t})" for (s, a, b), t in self.pairs.items()]
            both = f"({picks} {self.roles[0]} ?a) ({picks} {self.roles[1]} ?b) (true ({at} ?s)) ({table} ?s ?a ?b ?t)"
            alone = [f"(not ({self.named('busy')} {role}))" for role in self.roles[2:]]
            met = " ".join([both, *alone])
            rules += [f"(<= (next ({at} ?t)) {met})", f"(<= {touched} {met})"]
        return rules + self._read_off({s: f"(true ({at} s{s}))" for s in range(len(self.levels))})


@dataclass(frozen=True)
class Heap(ThornyPart):
    """A heap from which each role takes some of its own numbers of counters: impartial if the numbers are the same."""

    takes: tuple[tuple[int, ...], ...]
    """By role."""

    @property
    def family(self) -> str:
        return "heap"

    @property
    def start(self) -> int:
        return len(self.levels) - 1

    def fluents(self, state: int) -> list[str]:
        return [f"({self.named('heap')} {state})"]

    def moves(self, state: int, role: int) -> list[str]:
        return [f"t{k}" for k in self.takes[role] if k <= state]

    def after(self, state: int, role: int, move: str) -> int:
        return state - int(move[1:])

    def local_rules(self) -> list[str]:
        heap, minus, may, acts = map(self.named, ("heap", "minus", "may", "acts"))
        used = sorted({k for some in self.takes for k in some})
        rules = [f"(init ({heap} {self.start}))"]
        rules += [f"({minus} {n} t{k} {n - k})" for n in range(self.start + 1) for k in used if k <= n]
        rules += [f"({may} {role} t{k})" for role, some in zip(self.roles, self.takes, strict=True) for k in some]
        rules += [
            f"(<= ({self.named('can')} ?r ?a) (true ({heap} ?n)) ({may} ?r ?a) ({minus} ?n ?a ?m){self._guard()})",
            f"(<= (next ({heap} ?m)) ({acts} ?r ?a) (true ({heap} ?n)) ({minus} ?n ?a ?m))",
            f"(<= (next ({heap} ?n)) (true ({heap} ?n)) (not {self.named('touched')}))",
        ]
        return rules + self._read_off({n: f"(true ({heap} {n}))" for n in range(len(self.levels))})


@dataclass(frozen=True)
class Pins(ThornyPart):
    """A row of pins, each of a colour, that a role knocks over one by one or two neighbours at once; bits of the state.

    A pin of a colour is for that role alone.
    """

    size: int
    colours: tuple[int | None, ...]
    doubles: bool

    @property
    def family(self) -> str:
        return "pins"

    @property
    def start(self) -> int:
        return (1 << self.size) - 1

    def fluents(self, state: int) -> list[str]:
        return [f"({self.named('pin')} k{i})" for i in range(self.size) if state >> i & 1]

    def _hits(self, role: int) -> dict[str, int]:
        mine = [c is None or c == role for c in self.colours]
        out = {f"k{i}": 1 << i for i in range(self.size) if mine[i]}
        if self.doubles:
            out |= {f"k{i}k{i + 1}": 3 << i for i in range(self.size - 1) if mine[i] and mine[i + 1]}
        return out

    def moves(self, state: int, role: int) -> list[str]:
        return [move for move, bits in self._hits(role).items() if state & bits == bits]

    def after(self, state: int, role: int, move: str) -> int:
        return state & ~self._hits(role)[move]

    def local_rules(self) -> list[str]:
        pin, can, hits, acts = map(self.named, ("pin", "can", "hits", "acts"))
        rules = [f"(init {fluent})" for fluent in self.fluents(self.start)]
        known = set()
        for r, role in enumerate(self.roles):
            for move, bits in self._hits(r).items():
                hit = [i for i in range(self.size) if bits >> i & 1]
                standing = " ".join(f"(true ({pin} k{i}))" for i in hit)
                rules.append(f"(<= ({can} {role} {move}) {standing}{self._guard()})")
                known |= {f"({hits} {move} k{i})" for i in hit}
        rules += sorted(known)
        rules += [
            f"(<= ({self.named('falls')} ?k) ({acts} ?r ?a) ({hits} ?a ?k))",
            f"(<= (next ({pin} ?k)) (true ({pin} ?k)) (not ({self.named('falls')} ?k)))",
        ]
        return rules + self._read_off({s: _bits(pin, "k", s, self.size) for s in range(len(self.levels))})


@dataclass(frozen=True)
class Lamps(ThornyPart):
    """Lamps, each of which a role can switch on and off, so that play can come back to where it was."""

    size: int
    switches: tuple[tuple[int, ...], ...]
    """By role, the lamps it can reach."""
    off: bool
    """Whether a lamp can be switched off again."""

    @property
    def family(self) -> str:
        return "lamps"

    @property
    def start(self) -> int:
        return 0

    def fluents(self, state: int) -> list[str]:
        lamp = self.named("lamp")
        return [f"({lamp} l{i} {'on' if state >> i & 1 else 'dark'})" for i in range(self.size)]

    def moves(self, state: int, role: int) -> list[str]:
        return [f"l{i}" for i in self.switches[role] if self.off or not state >> i & 1]

    def after(self, state: int, role: int, move: str) -> int:
        return state ^ 1 << int(move[1:])

    def local_rules(self) -> list[str]:
        lamp, reach, acts, other = map(self.named, ("lamp", "reach", "acts", "other"))
        rules = [f"(init ({lamp} l{i} dark))" for i in range(self.size)]
        rules += [f"({reach} {role} l{i})" for role, some in zip(self.roles, self.switches, strict=True) for i in some]
        rules += [f"({other} dark on)", *([f"({other} on dark)"] if self.off else [])]
        rules += [
            f"(<= ({self.named('can')} ?r ?l) ({reach} ?r ?l) (true ({lamp} ?l ?x)) ({other} ?x ?y){self._guard()})",
            f"(<= ({self.named('turned')} ?l) ({acts} ?r ?l))",
            f"(<= (next ({lamp} ?l ?y)) ({self.named('turned')} ?l) (true ({lamp} ?l ?x)) ({other} ?x ?y))",
            f"(<= (next ({lamp} ?l ?x)) (true ({lamp} ?l ?x)) (not ({self.named('turned')} ?l)))",
        ]
        told = {
            s: " ".join(f"(true ({lamp} l{i} {'on' if s >> i & 1 else 'dark'}))" for i in range(self.size))
            for s in range(len(self.levels))
        }
        return rules + self._read_off(told)


def _bits(name: str, letter: str, state: int, size: int) -> str:
    """The condition that just these of some fluents hold."""
    each = (f"(true ({name} {letter}{i}))" for i in range(size))
    return " ".join(told if state >> i & 1 else f"(not {told})" for i, told in enumerate(each))


def written_parts(parts: Sequence[ThornyPart], *, at_once: bool) -> list[str]:
    """Local rules of all parts, with who acts in them: whoever picks a move there, unless others do so at once."""
    rules = []
    for part in parts:
        picks, busy, acts, touched = map(part.named, ("picks", "busy", "acts", "touched"))
        rules += part.local_rules()
        rules.append(f"(<= ({part.named('some')} ?r) ({part.named('can')} ?r ?a))")
        rules.append(f"(<= {touched} ({acts} ?r ?a))")
        if not at_once:
            rules.append(f"(<= ({acts} ?r ?a) ({picks} ?r ?a))")
            continue
        rules.append(f"(<= ({busy} ?r) ({picks} ?r ?a))")
        for r, role in enumerate(part.roles):
            others = part.roles[:r] if part.meeting == "first" else [q for q in part.roles if q != role]
            free = " ".join(f"(not ({busy} {q}))" for q in others)
            rules.append(f"(<= ({acts} {role} ?a) ({picks} {role} ?a) {free})".replace(" )", ")"))
    return rules
