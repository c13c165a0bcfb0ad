"""Questions about all states at once: the circuit as a ground program, asked of clingo's solver.

A ``Prover`` holds one or two copies of the game's nets over free inputs. Gates become rules, so that a gate's atom is
true exactly if its AND is; fluents are free, restricted by invariants (groups of which exactly one is true); each role
makes one move, which must be legal where that is asked. A question is a set of assumptions; "unsatisfiable" is a proof
for every state that satisfies the invariants, reachable or not, hence for every reachable one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import clingo
import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.effort import Effort, spend

PATIENCE = 0.2
"""Seconds for which the solver is waited for at a time: so long an interrupt of the user may wait. No result hangs on
it."""

MOST_CONFLICTS = 2**31 - 2
"""What clingo can count."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """An answer: per copy, the fluents (booleans) and the move of each role (-1 without moves); then the switches."""

    states: NDArray[np.bool_]
    joint: NDArray[np.int64]
    switches: NDArray[np.bool_]


@dataclass(slots=True)
class _Copy:
    """Atoms of one copy; a literal of the circuit becomes a clingo literal by ``lit``."""

    atoms: list[int]
    done: set[int] = field(default_factory=set)


class Prover:
    """One or two copies of a game's nets. Add constraints, then ask.

    Without ``moves``, only nets that read fluents alone may be asked about; games can have a hundred thousand moves.

    Building and asking spend the ``effort`` (see ``CircuitLimits`` for what counts how much): questions after its end,
    and those that need more conflicts than it has, stay open.
    """

    def __init__(self, game: Game, copies: int = 1, effort: Effort | None = None, *, moves: bool = True) -> None:
        self.game, self.circuit, self.with_moves = game, game.circuit, moves
        self.control = clingo.Control(["--heuristic=Vsids", "--models=1"], message_limit=0)
        self.limits = CircuitLimits.current()
        self.effort = Effort(self.limits.solver_work) if effort is None else effort
        self.size = 0
        """Rules and literals of the program."""
        self._counted = 0
        self._prepared = False
        self._switches: list[int] = []
        n = self.circuit.n_inputs + 1 + self.circuit.gates
        self.copies = [_Copy([0] * n) for _ in range(copies)]
        self._start = self.circuit.start.tolist()
        self._literals = self.circuit.literals.tolist()
        self._known = self.circuit.input_value.tolist()
        with self.control.backend() as backend:
            self._backend = backend
            self.true = self._fact()
            for copy in self.copies:
                self._inputs(copy)

    # ---- building ----

    def _atom(self) -> int:
        return int(self._backend.add_atom())

    def _rule(self, head: Sequence[int], body: Sequence[int], choice: bool = False) -> None:
        self.size += 1 + len(body)
        self._backend.add_rule(head, body, choice)

    def _count(self) -> None:
        """Report the work of building since the last time."""
        spend(self.limits.solver_build_steps * (self.size - self._counted))
        self._counted = self.size

    def _fact(self) -> int:
        atom = self._atom()
        self._rule([atom], [])
        return atom

    def _inputs(self, copy: _Copy) -> None:
        copy.atoms[0] = self.true
        for node in range(1, 1 + (self.circuit.n_inputs if self.with_moves else self.circuit.n_fluents)):
            atom = self._atom()
            copy.atoms[node] = atom
            if self._known[node] == 2:
                self._rule([atom], [], choice=True)
            elif self._known[node] == 1:
                self._rule([atom], [])
        for low, high in self.circuit.roles.tolist() if self.with_moves else ():
            self._exactly_one([copy.atoms[node] for node in range(low, high)])

    def _exactly_one(self, atoms: Sequence[int], condition: int | None = None) -> None:
        """Exactly one of the atoms (if the condition holds)."""
        some, two = self.any_of(atoms), self.two_of(atoms)
        extra = [] if condition is None else [condition]
        self._rule([], [-some, *extra])
        self._rule([], [two, *extra])

    def not_exactly_one(self, literals: Sequence[int]) -> int:
        """A literal that is true unless exactly one of these is."""
        some, two, out = self.any_of(literals), self.two_of(literals), self._atom()
        self._rule([out], [-some])
        self._rule([out], [two])
        return out

    def lit(self, literal: int, copy: int = 0) -> int:
        """A circuit literal as a clingo literal; gates are added as they are needed.

        Too late for asking anything, nothing is added, and the literal means nothing.
        """
        self._count()
        if self.effort.over():
            return self.true
        it = self.copies[copy]
        root = literal >> 1
        first = self.circuit.n_inputs + 1
        stack = [root]
        while stack:
            node = stack[-1]
            if it.atoms[node]:
                stack.pop()
                continue
            inputs = self._literals[self._start[node - first] : self._start[node - first + 1]]
            missing = [x >> 1 for x in inputs if not it.atoms[x >> 1]]
            if missing:
                stack.extend(missing)
                continue
            atom = self._atom()
            self._rule([atom], [-it.atoms[x >> 1] if x & 1 else it.atoms[x >> 1] for x in inputs])
            it.atoms[node] = atom
            stack.pop()
        return -it.atoms[root] if literal & 1 else it.atoms[root]

    def fluent(self, index: int, copy: int = 0) -> int:
        """The literal of a fluent."""
        return self.copies[copy].atoms[1 + index]

    def move(self, role: int, index: int, copy: int = 0) -> int:
        """The literal of a move being made."""
        return self.copies[copy].atoms[int(self.circuit.roles[role, 0]) + index]

    def require(self, literals: Iterable[int]) -> None:
        """At least one of the literals."""
        self._rule([], [-x for x in literals])

    def any_of(self, literals: Iterable[int]) -> int:
        """A literal that is true if one of these is."""
        atom = self._atom()
        for x in literals:
            self._rule([atom], [x])
        return atom

    def all_of(self, literals: Iterable[int]) -> int:
        """A literal that is true if all of these are."""
        atom = self._atom()
        self._rule([atom], list(literals))
        return atom

    def differ(self, one: int, other: int) -> int:
        """A literal that is true if exactly one of two is."""
        atom = self._atom()
        self._rule([atom], [one, -other])
        self._rule([atom], [-one, other])
        return atom

    def switch(self) -> int:
        """A free atom, to be fixed by an assumption or chosen by the solver; a model tells of them in this order."""
        atom = self._atom()
        self._rule([atom], [], choice=True)
        self._switches.append(atom)
        return atom

    def exactly_one(self, fluents: Sequence[int], copy: int = 0, condition: int | None = None) -> None:
        """The invariant of a group of fluents."""
        self._exactly_one([self.fluent(f, copy) for f in fluents], condition)

    def at_most_one(self, fluents: Sequence[int], copy: int = 0, condition: int | None = None) -> None:
        """The weaker invariant of a group of fluents."""
        two = self.two_of([self.fluent(f, copy) for f in fluents])
        self._rule([], [two] if condition is None else [two, condition])

    def two_of(self, literals: Sequence[int]) -> int:
        """A literal that is true if two or more of these are."""
        two = self._atom()
        self.size += 1 + len(literals)
        self._backend.add_weight_rule([two], 2, [(x, 1) for x in literals])
        return two

    def at_least(self, bound: int, weighted: Sequence[tuple[int, int]]) -> int:
        """A literal that is true if the weights of the literals that hold sum up to ``bound`` or more."""
        lifted = bound - sum(weight for _, weight in weighted if weight < 0)
        if lifted <= 0:
            return self.true
        out = self._atom()
        self.size += 1 + len(weighted)
        sides = [(literal, weight) if weight > 0 else (-literal, -weight) for literal, weight in weighted if weight]
        self._backend.add_weight_rule([out], lifted, sides)
        return out

    def in_play(self, copy: int = 0) -> None:
        """The state is not terminal, every role has a legal move, and the moves made are legal."""
        self.require([-self.lit(self.circuit.terminal, copy)])
        first_move = 1 + self.circuit.n_fluents
        for low, high in self.circuit.roles.tolist():
            for node in range(low, high):
                if self._known[node] != 0:
                    self.require(
                        [-self.copies[copy].atoms[node], self.lit(int(self.circuit.legal[node - first_move]), copy)]
                    )

    def one_of(self, atoms: Sequence[int]) -> None:
        """Exactly one of these."""
        self._exactly_one(atoms)

    def agree(self, fluents: Iterable[int]) -> None:
        """Both copies give these fluents the same value."""
        for f in fluents:
            self.require([-self.differ(self.fluent(f, 0), self.fluent(f, 1))])

    def building(self) -> Any:
        """The block in which the methods above may be called: ``with prover.building(): …``."""
        return _Building(self)

    # ---- asking ----

    def ask(self, assumptions: Sequence[int] = (), effort: Effort | None = None) -> Model | bool | None:
        """A model, False if there is none (that is a proof), or None if the effort, or a smaller one for this question,
        does not suffice."""
        self._count()
        preparing = 0.0 if self._prepared else self.limits.solver_prepare_steps * self.size
        left = min(self.effort.left, self.effort.left if effort is None else effort.left)
        if left <= preparing:  # it could not be interrupted before its first answer
            return None
        self._prepared = True
        per_conflict = self.limits.solver_conflict_steps + self.limits.solver_conflict_size_steps * self.size
        most = min((left - preparing) / per_conflict, MOST_CONFLICTS)
        self.control.configuration.solve.solve_limit = f"{int(most) + 1},umax"
        found: list[Model] = []

        def keep(model: clingo.Model) -> None:
            found.append(self._read(model))

        with self.control.solve(assumptions=list(assumptions), on_model=keep, async_=True) as handle:
            while not handle.wait(PATIENCE):
                if self.effort.over() or (effort is not None and effort.over()):  # by the clock
                    handle.cancel()
                    return None
            result = handle.get()
        conflicts = self.control.statistics["solving"]["solvers"]["conflicts"]
        spend(preparing + per_conflict * conflicts + self.limits.solver_ask_steps * self.size)
        if result.satisfiable:
            return found[0]
        return False if result.unsatisfiable else None

    def _read(self, model: clingo.Model) -> Model:
        n = self.circuit.n_fluents
        states = np.zeros((len(self.copies), n), np.bool_)
        joint = np.full((len(self.copies), len(self.game.roles)), -1, np.int64)
        is_true = model.is_true
        for c, copy in enumerate(self.copies):
            for f in range(n):
                states[c, f] = is_true(copy.atoms[1 + f])
            for r, (low, high) in enumerate(self.circuit.roles.tolist() if self.with_moves else ()):
                for node in range(low, high):
                    if is_true(copy.atoms[node]):
                        joint[c, r] = node - low
        return Model(states, joint, np.array([is_true(atom) for atom in self._switches], np.bool_))


class _Building:
    def __init__(self, prover: Prover) -> None:
        self.prover = prover

    def __enter__(self) -> None:
        self.context = self.prover.control.backend()
        self.prover._backend = self.context.__enter__()

    def __exit__(self, *error: object) -> None:
        self.context.__exit__(*error)
