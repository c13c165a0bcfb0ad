"""What ``exact`` knows of a game so far: variables, dependencies, partition, what refutations taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.exchange import Exchange
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.exact.dependencies import Dependencies
from ludisect.decomposition.exact.variables import FluentGroup
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.dependency import Bond, DependencyGraph, Edge, Node
from ludisect.decomposition.model.names import patterns
from ludisect.effort import Effort


@dataclass(slots=True)
class Analysis:
    """The state of the method. Variables are named by their place in ``variables``, and fields stand in the order in
    which they get their values."""

    game: Game
    sample: Sample
    """States that play reached, with every legal move of each; grows by those in which a partition failed."""
    variables: list[FluentGroup]
    """Sets of fluents of which exactly one holds, or single fluents."""
    invariants: Invariants
    """What was proved of every state that play can reach, the exclusions behind ``variables`` first of all."""
    dependencies: Dependencies
    """Who depends on whom, each with its witness."""
    wins: Rows
    """States that satisfy the invariants, and score more than any play did or hang on parts as no play showed."""
    effort: Effort
    """What is not told apart with it is joined."""
    forced: bool = False
    """Whether what moves change counts as chosen even where nobody has a choice: in a sum, where to move is one."""
    chosen: list[int] = field(default_factory=list)
    """Variables of which some role can choose the next value."""
    loose: list[int] = field(default_factory=list)
    """Variables that do not run by themselves, though nobody was seen to steer them."""
    dependent: list[int] = field(default_factory=list)
    """Action-dependent variables: those that are chosen or loose, and what follows from them."""
    unseen: list[int] = field(default_factory=list)
    """Variables that were never seen to change, though nobody proved that they cannot."""
    lost: list[int] = field(default_factory=list)
    """Of those, the ones that no rule ties to a part."""
    exchanges: list[Exchange] = field(default_factory=list)
    """Exchanges between states that satisfy the invariants, from the solver, that break the score."""
    exchanged: list[list[list[int]]] = field(default_factory=list)
    """Partitions that they broke."""
    asked: set[int] = field(default_factory=set)
    """Variables that the solver was asked about as to the score."""
    joined: list[Bond] = field(default_factory=list)
    """Variables that belong together whatever the rules of ``partition`` say: a refutation showed it, or there was no
    time to tell them apart."""
    free: set[tuple[bool, tuple[tuple[int, ...], ...]]] = field(default_factory=set)
    """Partitions in which ``sample`` shows every choice to be free, each with whether that was looked at patiently."""
    bonds: list[Bond] = field(default_factory=list)
    """All reasons, dependencies apart, for which variables are in one group."""
    groups: list[list[int]] = field(default_factory=list)
    """The partition of ``dependent``."""
    after: dict[int, set[int]] = field(default_factory=dict)
    """Per group (its place): the groups that open it."""
    context: list[list[int]] = field(default_factory=list)
    """What runs by itself, as blocks of variables that depend on each other."""
    useless: frozenset[int] = frozenset()
    """Groups (their places) that reach no score, no end, and no start of a useful group."""
    refuted: Sample | None = None
    """The sample and states of the solver in which moves did not do what their classes say."""
    notes: list[str] = field(default_factory=list)
    """What the user should know about how the parts were found."""

    @property
    def telling(self) -> Sample:
        """The states that tell what moves do."""
        return self.refuted or self.sample

    def add(self, states: Rows, joint: NDArray[np.int32]) -> None:
        """Put states that play can reach into the sample."""
        self.sample = self.sample.with_states(states, joint)
        self.free.clear()
        if self.refuted is not None:
            self.refuted = self.refuted.with_states(states, joint)
        self.dependencies.look_at(self.sample)

    def fluents(self, variables: Sequence[int]) -> list[int]:
        """The fluents of some variables."""
        return [f for v in variables for f in self.variables[v].fluents]

    def parts(self, groups: Sequence[Sequence[int]]) -> list[list[int]]:
        """The fluents of each group of variables."""
        return [self.fluents(g) for g in groups]


def found_of(analysis: Analysis) -> Found:
    """The analysis as the finding of a method."""
    return Found(
        groups=tuple(tuple(analysis.fluents(g)) for g in analysis.groups),
        independent=tuple(tuple(analysis.fluents(g)) for g in analysis.context),
        after={k: tuple(sorted(v)) for k, v in analysis.after.items()},
        useless=analysis.useless,
        constant=analysis.invariants.constant,
        unseen=tuple(analysis.fluents(analysis.lost)),
        notes=tuple(analysis.notes),
        graph=_graph(analysis),
    )


def _graph(analysis: Analysis) -> DependencyGraph:
    """Variables and their dependencies, each with its witness in words, and what else put them together."""
    graph = DependencyGraph(bonds=list(analysis.bonds))
    chosen, loose, dependent, lost = map(set, (analysis.chosen, analysis.loose, analysis.dependent, analysis.lost))
    for v, variable in enumerate(analysis.variables):
        label = " ".join(patterns(analysis.game, variable.fluents))
        many = "exactly one holds, proved" if variable.always else "at most one holds, proved"
        if v in lost:
            driven = "never seen to change"
        elif v in chosen:
            driven = "steered by moves"
        elif v in loose:
            driven = "not shown to run by itself"
        else:
            driven = "following what moves steer" if v in dependent else "context"
        values = many if variable.is_group else "holds or not"
        graph.nodes.append(Node(label, variable.fluents, values=values, driven=driven))
    for (u, v), witness in analysis.dependencies.edges.items():
        fluent = analysis.game.fluents[witness.fluent]
        who = analysis.game.roles[witness.role] if witness.role < len(analysis.game.roles) else "all together"
        why = f"what {who} can do to {fluent} changes"
        graph.edges.append(Edge(u, v, "dependency", 1.0, why, witness))
    return graph
