"""What a right decomposition means, checked the slow way: state by state, over all joint moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.record import record
from ludisect.circuit.rows import pack, unpack
from ludisect.gdl.terms import Term

MAX_JOINT = 400


class Brute:
    """A game, a claimed decomposition of it, and states that random plays visited."""

    def __init__(self, game: Game, answer: dict[str, Any], *, plays: int = 60, states: int = 120) -> None:
        self.game, self.answer = game, answer
        seen = record(game, plays, seed=1)
        rng = np.random.default_rng(0)
        both = np.unique(np.concatenate([seen.states, seen.following]), axis=0)
        self.ends = unpack(both[game.batch.terminal(both)], len(game.fluents))
        going = both[~game.batch.terminal(both)]
        if len(going) > states:
            going = np.concatenate([game.batch.initial, going[rng.choice(len(going), states, replace=False)]])
        self.rows = unpack(going, len(game.fluents))
        self.joint = [self._joint(row[None]) for row in going]
        self.after = [self._successors(row[None], joint) for row, joint in zip(going, self.joint, strict=True)]
        self.masks = {s["id"]: self._mask(s["fluents"]) for s in answer["subgames"]}
        context = [self.masks[s["id"]] for s in answer["subgames"] if s["kind"] == "independent"]
        self.context = np.logical_or.reduce(context) if context else np.zeros(len(game.fluents), np.bool_)

    def _mask(self, fluents: list[str]) -> Any:
        mask = np.zeros(len(self.game.fluents), np.bool_)
        mask[[self.game.fluent_index[Term.parse(f)] for f in fluents]] = True
        return mask

    def _joint(self, row: Any) -> Any:
        legal = self.game.batch.legal(row)[0]
        cuts = self.game.batch.first_move
        options = [np.flatnonzero(legal[cuts[r] : cuts[r + 1]]) for r in range(len(self.game.roles))]
        joint = np.array(list(product(*options)))
        if len(joint) > MAX_JOINT:
            joint = joint[np.random.default_rng(0).choice(len(joint), MAX_JOINT, replace=False)]
        return joint

    def _successors(self, row: Any, joint: Any) -> Any:
        return unpack(self.game.batch.next(np.repeat(row, len(joint), axis=0), joint), len(self.game.fluents))

    def faults(self) -> Iterator[str]:
        """Everything that is wrong with the claim."""
        yield from self._cover()
        before = {s["id"]: set(s["after"]) for s in self.answer["subgames"]}
        for s in self.answer["subgames"]:
            stages, todo = set(), list(before[s["id"]])
            while todo:
                stages.add(k := todo.pop())
                todo += before[k] - stages
            reads = self.masks[s["id"]] | self.context
            for k in stages:
                reads = reads | self.masks[k]
            yield from self._outcomes(s, self.masks[s["id"]], reads)
            if s["kind"] == "dependent":
                opens = any(s["id"] in after for after in before.values())
                yield from self._usefulness(s, self.masks[s["id"]], opens)

    def _cover(self) -> Iterator[str]:
        total = sum(mask.astype(int) for mask in self.masks.values())
        varies = self.game.circuit.input_value[1 : len(self.game.fluents) + 1] == 2
        if (total > 1).any():
            yield "a fluent in two parts"
        if (varies & (total == 0)).any():
            yield "a fluent in no part"

    def _outcomes(self, s: dict[str, Any], mine: Any, reads: Any) -> Iterator[str]:
        """What a joint move does in a part, and what can be done there at all, is a matter of the part and the context.

        That the part can stay as it is does not count: when other parts are over, there is nowhere else to move. For
        the same reason the second question is asked only where one role moves at a time.
        """
        together = self.answer["turns"] not in ("single-player", "alternating")
        done: dict[tuple[bytes, bytes], bytes] = {}
        possible: dict[bytes, set[bytes]] = {}
        chosen = False
        for row, joints, after in zip(self.rows, self.joint, self.after, strict=True):
            key, stay = row[reads].tobytes(), row[mine].tobytes()
            outcomes = [some.tobytes() for some in after[:, mine]]
            chosen |= len(set(outcomes)) > 1
            for joint, outcome in zip(joints, outcomes, strict=True):
                if done.setdefault((key, joint.tobytes()), outcome) != outcome:
                    yield f"part {s['id']}: the same move does something else in the same state"
                    return
            moving = set(outcomes) - {stay}
            if not together and len(joints) < MAX_JOINT and possible.setdefault(key, moving) != moving:
                yield f"part {s['id']}: other outcomes in the same state"
                return
        if chosen != (s["kind"] == "dependent"):
            yield f"part {s['id']}: {s['kind']}, but the moves {'do' if chosen else 'do not'} matter"

    def _usefulness(self, s: dict[str, Any], mine: Any, opens: bool) -> Iterator[str]:
        """Put states together from parts of visited ones, and exchange one part: do end and goals change?"""
        rng = np.random.default_rng(0)
        some = np.concatenate([self.rows, self.ends])
        size = 4000
        one = some[rng.integers(len(some), size=size)]
        for mask in self.masks.values():
            one = np.where(mask, some[rng.integers(len(some), size=size)], one)
        other = some[rng.integers(len(some), size=size)]
        mixed = np.where(mine, other, one)
        rows, changed = pack(one), pack(mixed)
        goals = self.game.batch.goals(rows) != self.game.batch.goals(changed)
        matters = bool(goals.any() or (self.game.batch.terminal(rows) != self.game.batch.terminal(changed)).any())
        if s["useful"] and not (matters or opens):
            yield f"part {s['id']}: useful, but goals and end do not read it"
        if not s["useful"] and matters:
            yield f"part {s['id']}: useless, but goals or end read it"
