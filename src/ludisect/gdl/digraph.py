"""Directed graphs as mappings from a node to its successors: components, shortest ways, what leads where."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components, each after those it leads to.

    Tarjan's algorithm with a stack of iterators, so that long chains are no trouble.
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    found: list[list[Node]] = []
    placed: set[Node] = set()
    waiting: list[Node] = []
    for root in graph:
        todo = [] if root in order else [root]
        ways: list[tuple[Node, Iterable[Node]]] = []
        while todo or ways:
            if todo:
                node = todo.pop()
                order[node] = low[node] = len(order)
                waiting.append(node)
                ways.append((node, iter(graph.get(node, ()))))
            here, successors = ways[-1]
            for node in successors:
                if node not in order:
                    todo.append(node)
                    break
                if node not in placed:
                    low[here] = min(low[here], order[node])
            else:
                ways.pop()
                if ways:
                    low[ways[-1][0]] = min(low[ways[-1][0]], low[here])
                if low[here] == order[here]:
                    members: list[Node] = []
                    while not members or members[-1] != here:
                        members.append(waiting.pop())
                    placed.update(members)
                    found.append(members)
    return found


def cyclic(graph: Mapping[Node, Collection[Node]]) -> dict[Node, int]:
    """The nodes that lie on a cycle, with the number of their component."""
    return {
        node: number
        for number, members in enumerate(components(graph))
        for node in members
        if len(members) > 1 or node in graph.get(node, ())
    }


def way(graph: Mapping[Node, Iterable[Node]], start: Node, end: Node) -> list[Node]:
    """A shortest way along at least one edge, both ends included; empty if there is none."""
    before: dict[Node, Node] = {}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for node in graph.get(here, ()):
            if node == end:
                back = [here]
                while back[-1] != start:
                    back.append(before[back[-1]])
                return [*reversed(back), end]
            if node not in before and node != start:
                before[node] = here
                todo.append(node)
    return []


def leading_to(graph: Mapping[Node, Iterable[Node]], ends: Iterable[Node]) -> set[Node]:
    """The ends and every node from which one of them can be reached."""
    back: dict[Node, list[Node]] = {}
    for node, successors in graph.items():
        for successor in successors:
            back.setdefault(successor, []).append(node)
    found = set(ends)
    todo = list(found)
    while todo:
        for node in back.get(todo.pop(), ()):
            if node not in found:
                found.add(node)
                todo.append(node)
    return found
