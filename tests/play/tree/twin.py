"""The plain twin of the tree search: one play at a time, a dictionary of states, nothing clever.

Where one role chooses: UCB1, ends of the game proved and carried up, and so is what is known of a state from elsewhere.
Where several choose at once: regret matching.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

from ludisect.gdl import Fluents, Machine, Term
from tests.circuit.eager import preferred

Goals = tuple[float, ...]


@dataclass
class TwinNode:
    """A state that was reached, with what is known of its moves."""

    legal: list[list[Term]]
    visits: int = 0
    tried: dict[tuple[Term, ...], list[float]] = field(default_factory=dict)
    """Per joint move: plays, then the sum of each role's goals."""
    proved: dict[tuple[Term, ...], Goals] = field(default_factory=dict)
    outcome: Goals | None = None
    regret: list[dict[Term, float]] = field(default_factory=list)
    average: list[dict[Term, float]] = field(default_factory=list)

    @property
    def choosers(self) -> list[int]:
        return [r for r, moves in enumerate(self.legal) if len(moves) > 1]


class Twin:
    """A search tree over the states of any machine."""

    def __init__(
        self,
        machine: Machine,
        *,
        seed: int = 0,
        explore: float = 0.7,
        known: Callable[[Fluents], Goals | None] | None = None,
        eager: bool = False,
    ) -> None:
        self.eager = eager
        self.machine, self.explore, self.draw = machine, explore, random.Random(seed)
        self.known = known or (lambda state: None)
        self.nodes: dict[Fluents, TwinNode] = {}

    def goals(self, state: Fluents) -> Goals:
        return tuple(float(goal or 0) for goal in self.machine.goals(state).values())

    def follow(self, state: Fluents, joint: tuple[Term, ...]) -> Fluents:
        return self.machine.next_state(state, dict(zip(self.machine.roles, joint, strict=True)))

    def node(self, state: Fluents) -> TwinNode:
        """The node of a state; all its children are looked at when it is made."""
        if state not in self.nodes:
            node = TwinNode([list(moves) for moves in self.machine.legal_moves(state).values()])
            node.regret = [dict.fromkeys(moves, 0.0) for moves in node.legal]
            node.average = [dict.fromkeys(moves, 0.0) for moves in node.legal]
            if self.nodes:  # of the root a move is wanted, not its outcome
                node.outcome = self.known(state)
            self.nodes[state] = node
            if len(node.choosers) <= 1:
                for joint in product(*node.legal):
                    following = self.follow(state, joint)
                    if self.machine.is_terminal(following):
                        self.prove(node, joint, self.goals(following))
        return self.nodes[state]

    def prove(self, node: TwinNode, joint: tuple[Term, ...], goals: Goals) -> None:
        node.proved[joint] = goals
        r = (node.choosers or [0])[0]
        best = max(node.proved.values(), key=lambda some: some[r])
        if best[r] == 100 or len(node.proved) == math.prod(map(len, node.legal)):
            node.outcome = best

    def choose(self, node: TwinNode) -> tuple[Term, ...]:
        if len(node.choosers) > 1:
            return tuple(self.matched(node, r) for r in range(len(node.legal)))
        r = (node.choosers or [0])[0]

        def bound(joint: tuple[Term, ...]) -> float:
            if joint not in node.tried:
                return 1e6 + self.draw.random()
            plays, *sums = node.tried[joint]
            return sums[r] / plays / 100 + self.explore * math.sqrt(math.log(node.visits + 1) / plays)

        return max((joint for joint in product(*node.legal) if joint not in node.proved), key=bound)

    def matched(self, node: TwinNode, r: int) -> Term:
        regrets = {move: max(0.0, regret) for move, regret in node.regret[r].items()}
        total = sum(regrets.values())
        shares = {move: regret / total if total else 1 / len(regrets) for move, regret in regrets.items()}
        for move, share in shares.items():
            node.average[r][move] += node.visits * share
        if self.draw.random() < 0.1:
            return self.draw.choice(node.legal[r])
        return self.draw.choices(list(shares), list(shares.values()))[0]

    def simulate(self, state: Fluents) -> Goals:
        """One play through the tree; what it gave, or what is proved."""
        if self.machine.is_terminal(state):
            return self.goals(state)
        known = state in self.nodes
        node = self.node(state)
        if node.outcome is not None:
            return node.outcome
        if not known:
            return self.playout(state)
        node.visits += 1
        joint = self.choose(node)
        following = self.follow(state, joint)
        gained = self.simulate(following)
        record = node.tried.setdefault(joint, [0.0] * (1 + len(gained)))
        for i, value in enumerate((1.0, *gained)):
            record[i] += value
        if len(node.choosers) > 1:
            self.learn(node, joint, gained)
        elif following in self.nodes and (outcome := self.nodes[following].outcome) is not None:
            self.prove(node, joint, outcome)
        return gained

    def learn(self, node: TwinNode, joint: tuple[Term, ...], gained: Goals) -> None:
        for r in node.choosers:
            for move in node.legal[r]:
                other = node.tried.get((*joint[:r], move, *joint[r + 1 :]))
                if other is not None and move != joint[r]:
                    node.regret[r][move] += (other[1 + r] / other[0] - gained[r]) / 100
                    node.regret[r][move] = max(0.0, node.regret[r][move])

    def playout(self, state: Fluents) -> Goals:
        while not self.machine.is_terminal(state):
            legal = self.machine.legal_moves(state)
            for role, moves in legal.items():
                if self.eager and len(moves) > 1:
                    legal[role] = preferred(self.machine, state, role)
            state = self.follow(state, tuple(map(self.draw.choice, legal.values())))
        return self.goals(state)

    def search(self, state: Fluents, visits: int) -> TwinNode:
        """The root after so many plays, or when it is proved."""
        root = self.node(state)
        while root.visits < visits and root.outcome is None:
            self.simulate(state)
        return root
