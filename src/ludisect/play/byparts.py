"""The player parts: what ``solve`` answers exactly is played by the answer; till then, another way chooses.

The solver is at work in a thread from the start clock on. Where the machine is its own it goes on beside the search and
between the moves, and nobody waits for it; else it has a share of each move's time, a smaller one whenever it was in
vain. What it found is kept: ``Answer.after`` knows the values of most states that follow. Where it takes too long, it
begins anew from the state that was reached, which is smaller. The tree of the whole has the first word; where points of
the parts add up, their own trees have the last.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.loader import to_game
from ludisect.play.limits import PlayLimits
from ludisect.play.locally import LocalTrees, Worths, is_proved
from ludisect.play.player import Choice, Tell
from ludisect.play.regionplayer import RegionPlayer
from ludisect.play.solo import Solo, soon
from ludisect.play.task import Task, found_by
from ludisect.play.tree import Outlook
from ludisect.play.treeplayer import TreePlayer
from ludisect.progress import listening
from ludisect.search.solve import solve
from ludisect.search.whole.whole import goal_bounds


class PartsPlayer(RegionPlayer):
    """Plays by exact answers from the parts, else as the player that it is made of."""

    name = "parts"

    def __init__(self) -> None:
        super().__init__()
        self._answer: Answer | None = None
        self._solving: Task[Answer] | None = None
        self._later: Task[Answer] | None = None
        self._hope = True
        self._patience, self._attempts = 0.0, 0
        self._hopeful, self._apart, self._one_part = False, False, False
        self._begun, self._from = 0, cast("State[Game] | None", None)
        self._asked: Fluents = frozenset()
        self._solo: Solo | None = None
        self._parts: Decomposition | None = None
        self._local: LocalTrees | None = None
        self._worths: Worths | None = None
        self._learning: tuple[frozenset[Term], ...] = ()

    def prepare(self, deadline: float) -> None:
        limits = PlayLimits.current()
        self._patience = min(limits.byparts_patience, limits.byparts_moves * self.assignment.play_clock)
        self.build(deadline)
        if self._alone() is not None:
            turn = limits.puzzle_turn
            while self._solo is not None and not self._solo.certain and time.monotonic() < deadline:
                self._puzzled(min(deadline, time.monotonic() + turn))
                turn *= 2
            return
        for look in (self._sketch, self.look_for_regions)[:: 1 if self._read_widely() else -1]:
            if self._regional is None and not self._chosen:
                look(deadline)
        part = limits.byparts_apart if self._chosen else limits.byparts_share
        self._solve(soon(deadline, limits.byparts_whole if self._one_part else part))
        if self._hope_left:
            self._solve(soon(deadline, limits.byparts_share))
        if self._answer is None and not self._decided:
            self.tune_in(deadline)
            self._retire()
            self._grow_parts(deadline)
            self.grow(deadline)
        elif self._decided:
            self._tree(deadline)  # a lost state needs a move that is hard to answer
        self._rest()
        self.ponder()

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        solo = self._alone()
        if solo is not None and (planned := self._planned(solo, legal, deadline, tell)) is not None:
            return planned
        self._lost = self._worths = None
        self._retire()
        if self._plain:
            return super().think(legal, deadline, tell)
        choice = self.known(legal, time.monotonic())
        first: Outlook | None = None
        if choice is None and not self._lost:
            first = self._first(deadline, tell)
            choice = self.known(legal, soon(deadline, self._share))
        if choice is None and not self._lost:
            choice = self.judged(legal, soon(deadline, self._judging))
        if choice is None and self._lost:
            choice = self.baited(legal, soon(deadline, PlayLimits.current().byparts_share))
        if choice is None:
            self._rest()
            self._ask_parts(deadline)
            choice = self.trapped(deadline)
        if choice is None:
            late = time.monotonic() >= deadline
            # else with a look now and then at what the solver found
            choice = self._choice(first) if late and first is not None else super().think(legal, deadline, tell)
        if (lost := self._lost) is not None and not choice.why.startswith(lost.why):
            choice = replace(choice, why=f"{lost.why}; of moves that all lose, {choice.why}", sure=lost.sure)
        self._rest()
        return choice

    def known(self, legal: tuple[Term, ...], deadline: float) -> Choice | None:
        """What the answer says; nothing where all moves lose, for there another player may find a trap."""
        if self._lost:
            return None
        self._solve(deadline)
        choice = self._followed(legal, deadline)
        if choice is not None and not self._hope:
            self._lost = choice
            return None
        return choice

    def worths(self, deadline: float) -> tuple[dict[Term, float], bool]:
        """What each legal move is worth to us, and whether that is exact: by the answer where we alone choose."""
        state, out = self.played, dict[Term, float]()
        if state is None or state.choosing != (self.role,):
            return dict(self.choose(deadline).values), False
        now = time.monotonic()
        self._solve(now + PlayLimits.current().byparts_share * (deadline - now))
        for move in state.legal[self.role]:
            worth = self._worth_at(state.play({self.role: move}), deadline)
            if worth is not None:
                out[move] = worth
        if len(out) == len(state.legal[self.role]):
            return out, True
        return dict(TreePlayer.think(self, state.legal[self.role], deadline, lambda choice: None).values), False

    def _worth_at(self, state: State[Game], deadline: float) -> float | None:
        """What we get from a state on, if that is known exactly: by the rules, the answer or the regions."""
        if state.is_over:
            return float(state.goals[self.role] or 0)
        if self._answer is not None:
            later = self._after(self._answer, state, deadline)
            return None if later is None else later.value[self.role]
        if self._regional is not None and self._decided:
            worth = float(
                self._regional.known(state.game.batch.row(state.fluents))[0, state.game.roles.index(self.role)]
            )
            return None if math.isnan(worth) else worth
        return None

    def ponder(self) -> None:
        """See ``TreePlayer``; what is solved needs no tree."""
        if self._answer is None and self._solo is None:
            super().ponder()

    def told(self, moves: Mapping[str, Term]) -> None:
        """See ``GamePlayer``; the best play of a puzzle goes along, and so do the trees of the parts."""
        if self._local is not None:
            self._local.told(moves)
        super().told(moves)
        state = self.played
        if self._solo is not None and state is not None:
            self._solo.told(moves[self.role], state)
            if self.assignment.ponder:
                self._solo.search(time.monotonic())

    def sit_at(self, state: State[Game] | State[Interpreter]) -> None:
        """See ``GamePlayer``; a puzzle begins anew."""
        super().sit_at(state)
        if self._solo is not None:
            self._solo.stop()
            self._solo = None

    def stop(self) -> None:
        super().stop()
        if self._solo is not None:
            self._solo.stop()
        for task in (self._solving, self._later):
            if task is not None:
                task.cancel()

    @property
    def _share(self) -> float:
        """The share of a move's time in which the solver is waited for.

        Not at all where it is at work beside the search; as long as the parts are not known, there is hope, and less
        whenever it had to begin anew.
        """
        limits = PlayLimits.current()
        if self.assignment.ponder:
            return 0.0
        return max(limits.byparts_wait, limits.byparts_hope / 2**self._attempts if self._hope_left else 0.0)

    @property
    def _hope_left(self) -> bool:
        """Whether an answer is likely and needed: there are several parts, or nobody knows yet."""
        return not self._chosen and (self._hopeful or (self._parts is None and not self._one_part))

    @property
    def _plain(self) -> bool:
        """Whether nothing has fallen apart and nobody looks on: then this is the player of the tree, move for move."""
        solver = self._solving
        others = (self._answer, self._regional, self._local)
        return all(one is None for one in others) and (solver is None or solver.cancelled)

    @property
    def _chosen(self) -> bool:
        """Whether trees of the parts choose the moves, which they do well without an answer."""
        return self._local is not None and self._local.adds_up

    def _read_widely(self) -> bool:
        """Whether goals read much of a state: then parts more likely score than are regions won by the last move.

        What is less likely is looked for second, for to refuse it takes seconds.
        """
        state = self.played
        if state is None:
            return False
        circuit = state.game.circuit
        return bool(circuit.support(circuit.goal).size > PlayLimits.current().byparts_reading * len(state.game.fluents))

    def _first(self, deadline: float, tell: Tell) -> Outlook | None:
        """A first answer by the tree of the whole, before anybody else is asked."""
        limits, now = PlayLimits.current(), time.monotonic()
        seconds = min(limits.byparts_first * (deadline - now), limits.treeplayer_slice)
        search = self._tree(now + seconds)
        found = self._searched(search, seconds) if search is not None and seconds > 0 else None
        if found is not None:
            tell(self._choice(found))
        return found

    def _sketch(self, deadline: float) -> None:
        """Parts by statistics of random plays, which are soon there: what is not proved may still advise."""
        state, limits = self.played, PlayLimits.current()
        if state is None or len(state.game.roles) != 2:
            return
        look = partial(decompose, to_game(state, "solve"), method="playouts")
        parts = found_by(soon(deadline, limits.byparts_sketch), look, "sketching")
        if parts is not None and parts.evidence is not None and parts.evidence.status != "failed":
            self._one_part = sum(part.useful for part in parts.dependent) < 2
            self._listen_to(parts)

    def _listen_to(self, parts: Decomposition) -> None:
        """Let parts advise from now on, if they are fit for it, and more or surer than those known before."""
        old = self._local
        if not LocalTrees.fit(parts) or (old is not None and old.surer(parts)):
            return
        if old is None or len(parts.dependent) > len(old.views) or (is_proved(parts) and not old.sure):
            self._local = LocalTrees(parts, self.role, self.assignment.seed)

    def _grow_parts(self, deadline: float) -> None:
        """Search the parts in a share of the start clock, whoever moves first."""
        state = self.played
        if self._local is not None and state is not None and not state.is_over:
            self._learn_by_parts(deadline)
            self._local.grow(state, soon(deadline, PlayLimits.current().locally_choice))

    def _look_at_parts(self, deadline: float) -> None:
        """Search the parts that are known in trees of their own, in a share of the time."""
        state, self._worths = self.played, None
        if self._local is None or state is None or self.role not in state.choosing:
            return
        share = self._local.share(state)
        if share > 0:
            self._worths = self._local.search(state, soon(deadline, share))

    def _ask_parts(self, deadline: float) -> None:
        """Let the tree of the whole know what regions can tell it, and what the trees of the parts say."""
        search, state = self._tree(deadline), self.played
        if search is None or state is None:
            return
        # where all is lost, a tree that sees it sees no difference: it is to find what is hard to answer
        search.know(self._regional.known if self._regional is not None and not self._lost else None)
        self._learn_by_parts(deadline)
        self._look_at_parts(deadline)
        idle = self._local.idle(state) if self._local is not None and self._worths is None else ()
        if len(idle) > 1 and state.choosing == (self.role,):
            search.look_at(state)
            search.narrow(self.role, [move for move in state.legal[self.role] if move not in idle[1:]])
        if self._worths is not None and self._worths.drawn is None and not self._worths.decides:
            self._worths.guide(search, self.role, state)

    def _learn_by_parts(self, deadline: float) -> None:
        """Have the tree of the whole learn by parts what moves come to, once there are such; it begins anew then."""
        search, local = self._tree(deadline), self._local
        if search is None or local is None or local.adds_up:  # where points add up, trees of the parts do
            return
        parts = tuple(frozenset(view.part.fluents) for view in local.views)
        if parts != self._learning:
            search.take_apart([view.part for view in local.views])
            self._learning = parts

    def _choice(self, found: Outlook) -> Choice:
        """See ``TreePlayer``; with what the trees of the parts say of it, if they do."""
        choice = super()._choice(found)
        if self._worths is None or choice.certain:
            return choice
        move = self._worths.pick(found, self.role)
        return replace(choice, move=move, why=f"{choice.why}; {self._worths.told(move)}")

    def _alone(self) -> Solo | None:
        """The puzzle, if nobody else plays and the circuit is there."""
        state = self.played
        if self._solo is None and state is not None and len(state.game.roles) == 1 and not state.is_over:
            self._solo = Solo(state, self.assignment.seed)
        return self._solo

    def _planned(self, solo: Solo, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice | None:
        """The best play that is known at the deadline; nothing if there is none after a share of the time."""
        last = soon(deadline, PlayLimits.current().puzzle_share)
        while True:
            self._puzzled(min(deadline, time.monotonic() + PlayLimits.current().treeplayer_slice))
            planned, now = solo.choice(legal), time.monotonic()
            if planned is None:
                if now >= last:
                    return None
                continue
            if planned.certain or now >= deadline:
                return planned
            tell(planned)

    def _puzzled(self, deadline: float) -> None:
        """Search a puzzle until the deadline: the solver by parts has a share of it, unless it has come to an end."""
        solo = self._solo
        if solo is None or solo.certain:
            return
        self._solve(soon(deadline, PlayLimits.current().byparts_share))
        if self._answer is not None and self._from is not None:
            made = len(self.state.moves_made) - self._begun
            if not solo.learn(self._answer, self._from.game.batch.row(self._from.fluents), made):
                self._forget()
        self._rest()
        solo.search(deadline)
        if not self.assignment.ponder:
            solo.rest()

    def _solve(self, deadline: float) -> None:
        """Have the solver work until the deadline, unless its answer is there."""
        state = self.played
        task = self._solving
        sooner = self._decided or (self._regional is not None and not self.assignment.ponder)  # by regions
        if state is None or self._answer is not None or sooner or (task is not None and task.cancelled):
            return
        late = task is not None and task.worked > self._patience and self._apart  # taking apart is not begun anew
        hopeless = task is not None and late and (not task.done or task.failure is not None)
        if task is None or (hopeless and len(self.state.moves_made) > self._begun):
            if task is not None:
                task.cancel()
                self._patience *= 2
                self._attempts += 1
            memory = PlayLimits.current().players_memory * 2**30
            self._begun, self._from = len(self.state.moves_made), state

            def work() -> Answer:
                with listening(None):  # not paused while others may wait for what it is making: only the search rests
                    parts = self._take_apart(state)
                return solve(parts, memory=memory)

            self._apart = False
            task = self._solving = Task(work, "solving")
        if deadline > time.monotonic():
            task.resume()
        answer = task.result(deadline)
        if answer is not None and answer.exact:
            self._answer = answer

    def _take_apart(self, state: State[Game]) -> Decomposition:
        """The parts of a state, and what can be made of them during the match; called in the solver's thread."""
        parts = decompose(to_game(state, "solve"))
        self._hopeful = sum(part.useful for part in parts.dependent) > 1
        self._listen_to(parts)
        self._parts, self._apart = parts, True
        return parts

    def _followed(self, legal: tuple[Term, ...], deadline: float) -> Choice | None:
        """What the answer says of the state that was reached."""
        answer, state = self._answer, self.played
        if answer is None or state is None:
            return None
        if state.moves_made:
            later = self._after(answer, state, deadline)
            if later is None:
                return None
            answer = later
        move = answer.move.get(self.role)
        if self.role in answer.mixed:
            odds = answer.mixed[self.role]
            draw = random.Random(f"{self.assignment.seed} {len(state.moves_made)}")
            move = draw.choices([*odds], [*odds.values()])[0]
        if move not in legal:  # no move is better than another
            move = legal[0]
        value = answer.value[self.role]
        low = goal_bounds(state.game)[0][state.game.roles.index(self.role)]
        self._hope = value is None or value > low or len(state.game.roles) == 1
        why = "; ".join(answer.why[-1:]) or "; ".join(answer.notes[-1:])
        return Choice(move, f"{answer.algorithm}: worth {value:g}, exact; {why}".rstrip("; "), certain=True, sure=value)

    def _after(self, answer: Answer, state: State[Game], deadline: float) -> Answer | None:
        """The answer in a later state, if it is known by the deadline: at once as a rule; else it is solved anew."""
        if self._later is None or self._asked != state.fluents:
            if self._later is not None and not self._later.done:
                self._forget()  # that state is past
                return None
            self._later, self._asked = Task(partial(answer.after, state), "following"), state.fluents
        later = self._later.result(deadline)
        if self._later.done and (later is None or not later.exact):
            self._forget()
        return later if later is not None and later.exact else None

    def _forget(self) -> None:
        """What was known does not reach so far: the solver begins anew from here the next time."""
        if self._solving is not None:
            self._solving.cancel()
        self._answer = self._solving = self._later = None

    def _retire(self) -> None:
        """Give the solver up where its share of a move is too short: it rests at a gate only, and would take more."""
        limits, ours = PlayLimits.current(), self.assignment
        short = not ours.ponder and self._share * ours.play_clock < limits.byparts_least
        if short and self._solving is not None and self._answer is None:
            self._solving.cancel()

    def _rest(self) -> None:
        """Stop the solver while others move, and while the tree is searched, unless the machine is its own."""
        if self._solving is not None and not self.assignment.ponder:
            self._solving.pause()
