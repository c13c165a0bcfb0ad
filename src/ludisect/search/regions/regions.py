"""The way ``regions``: a game is settled and split as play goes on, and its regions decide.

Nothing is taken for granted: the form of the moves (`extraction`) and of the end (`premises`) are proved first. In
normal play values and the search for the winner do the rest; points add up where no region is a zugzwang; threats,
misère play and other points are searched as sums of regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ludisect import clock
from ludisect.answer import Answer, PartAnswer
from ludisect.cgt import Worth
from ludisect.cgt.limit import budget as limited
from ludisect.cgt.marked import short_worth
from ludisect.cgt.value import Value, number
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.errors import BudgetExceeded, Zugzwang
from ludisect.gdl.terms import Term
from ludisect.progress import report
from ludisect.rulesets.position import Player
from ludisect.search.budget import Budget
from ludisect.search.foresight import KnownValues, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.movevalues import Places
from ludisect.search.regions.adding import RegionSums, Tried
from ludisect.search.regions.bounding import bounds
from ludisect.search.regions.changes import bits
from ludisect.search.regions.contest import Contest, outcome
from ludisect.search.regions.counted import CountedRegion, Counting
from ludisect.search.regions.extraction import operators
from ludisect.search.regions.guarded import SIDES
from ludisect.search.regions.premises import Premises, premises
from ludisect.search.regions.region import Region
from ludisect.search.regions.resplitting import Resplitting
from ludisect.search.regions.sumsearch import SumSearch
from ludisect.search.regions.threatregion import Threatened
from ludisect.search.regions.worthwhile import applies, slower
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.backward import Table
from ludisect.search.whole.whole import assemble, goal_bounds
from ludisect.sums.local import LocalSearch
from ludisect.sums.outcome import SumSolver

NAME = "regions"
KEPT = 1 << 14
"""Regions whose values are kept as they lie; a full table is emptied."""

SHOWN = 6
"""Facts of a region that are named."""


@dataclass(slots=True)
class Ruling:
    """What was found of a state: what the roles get, a best move, the regions and the reason."""

    gets: tuple[float, float]
    move: str | None
    parts: tuple[PartAnswer, ...]
    why: str
    nodes: int
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is known of a state at a limit: its regions, a note on all of them together, and how many nodes it took."""

    parts: tuple[PartAnswer, ...] = ()
    notes: list[str] = field(default_factory=list)
    nodes: int = 0


def _between(found: object) -> list[str]:
    """A note on the bounds that a search has left behind at its limit."""
    if not isinstance(found, Contest) or found.bounds is None:
        return []
    low, high = found.bounds
    return [f"all regions together are worth between {low} and {high} to the first role"]


# ---- one state ----


class RegionPlay:
    """Judges the states of one game whose premises are proved."""

    def __init__(self, known: Premises, budget: Budget) -> None:
        self.known, self.operators, self.budget = known, known.operators, budget
        self._sums: SumSearch | None = None
        self._resplitting = Resplitting(self.operators)
        self._solver, self._asked = SumSolver(), 0
        self._added_up = RegionSums(self.operators)
        self._worth: dict[Region, Value | None] = {}  # most moves leave most regions as they are
        self._counting = None if known.points is None else Counting(self.operators, known.points)
        # an outright win is worth what the last move is worth, else who wins would not say what he gets
        plain = known.rule == "normal play" and all(threat.gets in known.stuck for threat in known.threats)
        self._threatened = Threatened(self.operators, known.threats) if known.threats and plain else None

    @property
    def adds_up(self) -> bool:
        """Whether regions have values."""
        return not self.known.threats and self.known.rule in ("normal play", "points")

    def approach(self, rows: Rows) -> None:
        """States that are asked for next, close together."""
        self._resplitting.approach([self.operators.word(row) for row in rows[[0, -1]]])

    def judge(self, row: Rows, *, told: bool = True, move: bool = True) -> Ruling:
        """The verdict on a state in which play goes on; without ``told`` in few words, without ``move`` what the roles
        get alone, if that is less work."""
        facts, player = self.operators.word(row), self.operators.mover(row)
        if self.known.rule == "normal play" and not self.known.threats:
            return self._normal(facts, player, told, move)
        if self._counting is not None:
            try:
                return self._points(facts, player, self._counting, told)
            except Zugzwang as error:
                found = self._searched(facts, player)
                found.notes.append(f"regions have no values, so their sum was searched: {error}")
                return found
        if self._threatened is not None:
            with suppress(BudgetExceeded):
                return self._outright(facts, player, self._threatened)
        return self._searched(facts, player)

    def _outright(self, facts: int, player: Player, threatened: Threatened) -> Ruling:
        """From values with outright wins; raises BudgetExceeded where they are not found quickly."""
        regions = list(threatened.whole(facts).parts())
        local = LocalSearch(seconds=self.budget.left, nodes=SearchLimits.current().regions_quick)
        values: list[Worth | None] = [local.worth(region) for region in regions]
        wins, move, told = False, None, ""
        for k, region in enumerate(regions):
            for m in region.moves(player):
                after = region.play(player, m)
                move = region.move_text(m) if move is None else move
                if after.won_by() is player:
                    wins, move, told = True, region.move_text(m), f" wins everything in region {k + 1}"
                elif after.won_by() is None and not self._first(
                    local, [*regions[:k], after, *regions[k + 1 :]], player
                ):
                    worth = short_worth(local.worth(after))
                    wins, move = True, region.move_text(m)
                    told = (
                        f" makes region {k + 1} {worth}, and leaves regions that {self._other(player)}, to move, loses"
                    )
                if wins:
                    break
            if wins:
                break
        gets = self.known.stuck[SIDES.index(player.opponent if wins else player)]
        why = (
            f"{move}{told}"
            if wins
            else f"every move of {self.operators.role(player)} loses: {self._other(player)} wins"
        )
        return Ruling(gets, move, self._told(regions, values), why, local.nodes)

    @staticmethod
    def _first(local: LocalSearch, regions: Sequence[Region], player: Player) -> bool:
        """Whether the opponent of ``player``, to move, wins."""
        wins = local.first_wins(regions, player.opponent)
        if wins is None:
            total = sum(local.all_values(regions), number(0))
            wins = total.outcome in ("N", player.opponent.value)
        return wins

    def _other(self, player: Player) -> str:
        return self.operators.role(player.opponent)

    def _normal(self, facts: int, player: Player, told: bool, wanted: bool) -> Ruling:
        regions = self._resplitting.regions(facts)
        added = None if told else self._added_up.decided(regions, player, seconds=self.budget.left, wanted=wanted)
        values = [] if added else [self._value(region) for region in regions]
        try:
            # of a hot sum, walls tell who wins sooner than adding up
            hot = any(value is not None and value.temperature > 0 for value in values)
            seconds, bounded = self.budget.left, told and wanted
            contest = added or (self._by_values(regions, values, player, wanted) if told or wanted or not hot else None)
            contest = contest or outcome(
                regions, player, seconds=seconds, solver=self._sum_solver(), known=self._value, bounded=bounded
            )
        except BudgetExceeded as error:
            if not bounded:
                raise
            nodes = error.partial.nodes if isinstance(error.partial, Contest) else 0
            error.partial = Unfinished(self._told(regions, values, bounded=True), _between(error.partial), nodes)
            raise
        loser = player if contest.winner is not player else player.opponent
        gets = self.known.stuck[SIDES.index(loser)]
        if not wanted:
            return Ruling(gets, None, (), "", contest.nodes)
        other = self.operators.role(player.opponent)
        if contest.region is None or contest.move is None:
            move = next((region.move_text(m) for region in regions for m in region.moves(player)), None)
            why = f"every move of {self.operators.role(player)} leaves regions that {other}, to move, wins"
        else:
            move = regions[contest.region].move_text(contest.move)
            after = self._value(regions[contest.region].play(player, contest.move)) if told else None
            left = "" if after is None else f" makes region {contest.region + 1} {short_worth(after)}, and"
            why = f"{move}{left} leaves regions that {other}, to move, loses"
        return Ruling(gets, move, self._told(regions, values) if told else (), why, contest.nodes)

    def replies(self, row: Rows) -> list[Tried]:
        """The replies to every move, and whether they win, as far as that is found in time; empty where sums are not
        added up."""
        if self.known.rule != "normal play" or self.known.threats:
            return []
        facts, player = self.operators.word(row), self.operators.mover(row)
        return self._added_up.replies(self._resplitting.regions(facts), player, seconds=self.budget.left)

    def _sum_solver(self) -> SumSolver:
        """One for all states: most of the values of one are those of another."""
        self._asked += 1
        if self._asked % KEPT == 0:
            self._solver = SumSolver()
        return self._solver

    def _by_values(
        self, regions: Sequence[Region], values: Sequence[Value | None], player: Player, wanted: bool
    ) -> Contest | None:
        """Who wins, and by which move if that is wanted, where every region has a value and the sums are small."""
        known = [value for value in values if value is not None]
        if len(known) < len(regions):
            return None
        tried = 0
        try:
            with limited(nodes=SearchLimits.current().regions_forms):
                total = sum(known, number(0))
                if total <= 0 if player is Player.LEFT else total >= 0:
                    return Contest(player, player.opponent, None, None, len(regions))
                if not wanted:
                    return Contest(player, player, None, None, len(regions))
                for k, region in enumerate(regions):
                    rest = total - known[k]
                    for move in region.moves(player):
                        tried += 1
                        after = self._value(region.play(player, move))
                        if after is None:
                            return None
                        if rest + after >= 0 if player is Player.LEFT else rest + after <= 0:
                            return Contest(player, player, k, move, len(regions) + tried)
        except BudgetExceeded as error:
            if error.budget != "nodes":
                raise
        return None

    def _points(self, facts: int, player: Player, counting: Counting, told: bool) -> Ruling:
        """From the stops of the sum of values; raises Zugzwang where there are none."""
        regions = [part for part in counting.whole(facts).parts() if isinstance(part, CountedRegion)]
        before = counting.weights.of(facts)
        with self.budget.arithmetic():
            local = LocalSearch(seconds=self.budget.left)
            values = [local.value(region) for region in regions]
            total = sum(values, number(0))
            lead: Fraction | None = None
            chosen: tuple[int, int] | None = None
            for k, region in enumerate(regions):
                rest = total - values[k]
                for move in region.moves(player):
                    after = rest + local.value(region.play(player, move))
                    reached = after.right_stop if player is Player.LEFT else after.left_stop
                    if lead is None or (reached > lead if player is Player.LEFT else reached < lead):
                        lead, chosen = reached, (k, move)
        gained = 0 if lead is None else int(lead)
        move_text = None if chosen is None else regions[chosen[0]].move_text(chosen[1])
        ahead = gained if player is Player.LEFT else -gained
        told_move = "" if chosen is None else f"{move_text} in region {chosen[0] + 1} is best: "
        why = f"{told_move}best play from here gains {self.operators.role(player)} {ahead} points more than the other"
        gets = counting.weights.gets(before + gained)
        return Ruling(gets, move_text, self._told(regions, values) if told else (), why, local.nodes)

    def _searched(self, facts: int, player: Player) -> Ruling:
        """By a search of the sum of regions."""
        if self._sums is None:
            self._sums = SumSearch(self.known, self.budget)
        search = self._sums
        search.budget = self.budget
        pieces, before = search.pieces(facts), search.nodes
        worth, chosen = search.best(pieces, player)
        points = self.known.points
        if points is not None:
            gets = points.gets(points.of(facts) + int(worth))
        else:
            gets = next(both for both in self.known.pays if both[0] == worth)
        move = None if chosen is None else search.listed[chosen[1]].move
        parts = tuple(
            PartAnswer(k, self._names(k, piece.open), more={"facts": self._facts(piece.open & piece.facts)})
            for k, piece in enumerate(pieces, 1)
        )
        count = f"{len(pieces)} region{'s' * (len(pieces) != 1)}"
        return Ruling(gets, move, parts, f"a search of the sum of {count} decides", search.nodes - before)

    def places(self, row: Rows) -> Places:
        """The region in which each move of the player to move is made, by the numbers under which they are told of."""
        facts, player = self.operators.word(row), self.operators.mover(row)
        role = SIDES.index(player)
        index = self.operators.game.move_index[role]
        if self.adds_up:
            whole = self.operators.where(facts) if self._counting is None else self._counting.whole(facts)
            regions = [part for part in whole.parts() if isinstance(part, Region)]
            made = [(k, region.move_text(m)) for k, region in enumerate(regions, 1) for m in region.moves(player)]
        else:
            search = self._sums or SumSearch(self.known, self.budget)
            pieces = search.pieces(facts)
            made = [(k + 1, search.listed[i].move) for k, i in search.moves(pieces, player)]
        return {(role, index[Term.parse(text)]): k for k, text in made}

    # ---- telling ----

    def _value(self, region: Region) -> Value | None:
        """The value of a region, or of several in one, where it is found quickly."""
        if region not in self._worth:
            small = SearchLimits.current().regions_plain
            found = [p.value if len(p.live) <= small else p.terminal_value() for p in region.parts()]
            known = [value for value in found if value is not None]
            if len(self._worth) >= KEPT:
                self._worth.clear()
            self._worth[region] = sum(known, number(0)) if len(known) == len(found) else None
        return self._worth[region]

    def _told(
        self, regions: Sequence[Region], values: Sequence[Worth | None], *, bounded: bool = False
    ) -> tuple[PartAnswer, ...]:
        """What is known of the regions; with ``bounded``, numbers around the values that are not known."""
        out = []
        for k, (region, value) in enumerate(zip(regions, values, strict=True), 1):
            more: dict[str, object] = {"facts": self._facts(region.holding), "moves_left": len(region.live)}
            told = "" if value is None else f" is worth {short_worth(value)}"
            around = bounds(region) if value is None and bounded else None
            if around is not None:
                more["between"] = [str(around[0]), str(around[1])]
                told = f" is worth between {around[0]} and {around[1]}"
            out.append(PartAnswer(k, f"{self._names(k, region.open)}{told}", value, kind="value", more=more))
        return tuple(out)

    def _facts(self, facts: int) -> list[str]:
        return [str(self.operators.facts[f]) for f in bits(facts)]

    def _names(self, k: int, open_facts: int) -> str:
        names = self._facts(open_facts)
        shown = " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
        return f"region {k} ({len(names)} facts: {shown})"


# ---- the way ----


class KnownRegions(KnownValues):
    """What later states are worth, judged when they are asked for."""

    met = False
    dear = True

    def __init__(self, play: RegionPlay) -> None:
        self._play = play

    def values(self, rows: Rows) -> Table:
        out = np.full((rows.shape[0], 2), np.nan)
        self._play.budget = Budget(work=SearchLimits.current().regions_foresight)
        self._play.approach(rows)
        for k, row in enumerate(rows):
            try:
                out[k] = self._play.judge(row[None], move=False).gets
            except (BudgetExceeded, Inapplicable, RecursionError):
                continue
        return out

    def parts(self, row: Rows) -> tuple[PartAnswer, ...]:
        return self._play.judge(row).parts

    def places(self, row: Rows) -> Places:
        """See ``KnownValues``: by region."""
        return self._play.places(row)


def solve_regions(study: Study, budget: Budget) -> Answer:
    """What the roles get, from the regions of the start.

    Raises:
        Inapplicable: the moves or the end have another form, or another way is quicker; the text says which.
    """
    if not study.by_name and (why := slower(study.parts)) is not None:
        raise Inapplicable(why)
    return solve_by_regions(study.game, budget, by_name=study.by_name)


def solve_by_regions(game: Game, budget: Budget, *, by_name: bool = True) -> Answer:
    """The same without a decomposition, which regions do not need; ``by_name``: even if another way is quicker."""
    begin = clock.now()
    report("making operators", 0)
    found = operators(game, budget)
    report("proving how play ends", len(found))
    known = premises(found, budget.effort(SearchLimits.current().regions_work))
    play = RegionPlay(known, budget)
    if not by_name and not play.adds_up:
        apart = len(SumSearch(known, budget).pieces(found.word(game.batch.initial)))
        if apart < 2:
            raise Inapplicable("it is one region, and there are no values: a search of the whole is quicker")
    try:
        verdict = play.judge(game.batch.initial)
    except BudgetExceeded as error:
        low, high = goal_bounds(game)
        rest = error.partial if isinstance(error.partial, Unfinished) else Unfinished()
        error.partial = assemble(
            game, NAME, low, high, move={}, mixed={}, nodes=rest.nodes, seconds=clock.now() - begin,
            parts=rest.parts, rule=_rule(known), evidence=known.evidence, notes=rest.notes,
        )  # fmt: skip
        raise
    except RecursionError:
        raise Inapplicable("a play may take too many moves for a search of regions") from None
    player = found.mover(game.batch.initial)
    role = SIDES.index(player)
    answer = Answer(
        game.name, NAME, True,
        dict(zip(game.roles, map(int, verdict.gets), strict=True)),
        {} if verdict.move is None else {game.roles[role]: Term.parse(verdict.move)},
        nodes=verdict.nodes, seconds=clock.now() - begin, parts=verdict.parts, conclusion=(verdict.why,),
        rule=_rule(known), evidence=known.evidence, notes=tuple(verdict.notes),
    )  # fmt: skip
    return foreseen(game, answer, KnownRegions(play))


def _rule(known: Premises) -> str:
    return f"{known.rule} with threats" if known.threats and known.rule != "threats alone" else known.rule


WAY = Way(NAME, "regions that fall apart as play goes on: values, or a search of their sum", applies, solve_regions)
