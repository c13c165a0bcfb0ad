"""One match as our manager holds it: records that replay, and seats that do everything wrong."""

from __future__ import annotations

from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, replay
from ludisect.gdl.terms import Term
from ludisect.loader import load
from ludisect.play.chair import BuiltIn, Chair, Joint, Opening, Reply
from ludisect.play.limits import PlayLimits
from ludisect.play.onematch import hold
from ludisect.settings import using


class Bad(Chair):
    """Answers as it was told to, step by step, then with nothing."""

    label, apart = "bad", True

    def __init__(self, replies: list[Reply]) -> None:
        self.replies, self.heard, self.ended = replies, list[Joint | None](), list[bool]()

    def start(self, opening: Opening, role: str) -> str:
        return "says 'busy'"

    def ask(self, last: Joint | None) -> Reply:
        self.heard.append(last)
        return self.replies.pop(0) if self.replies else Reply(None, 0.0, "no answer in time")

    def stop(self, last: Joint | None, *, over: bool) -> None:
        self.ended.append(over)


def opening(game: str) -> Opening:
    rules = find_rules(game)
    return Opening("m", rules, Interpreter(rules).roles, 5.0, 1.0, game=load(rules))


def test_a_match_is_a_record_that_replays() -> None:
    terms = opening("tictactoe")
    machine = load("tictactoe")
    lead_in = [dict(joint) for joint in machine.start.play("(mark 2 2)").moves_made]
    seen = []
    played = hold(
        machine,
        [BuiltIn("random"), BuiltIn("legal")],
        terms,
        lead_in=lead_in,
        watch=lambda state, joint: seen.append(joint),
    )
    assert played.record.terminal
    assert not played.faults
    assert replay(Interpreter(terms.rules), played.record) == []
    assert played.record.steps[0].moves == lead_in[0]
    assert seen == [step.moves for step in played.record.steps]
    assert played.players == {"xplayer": "random", "oplayer": "legal"}
    assert played.reasons[0] == {}
    assert "first of" in played.reasons[1]["oplayer"]


def test_faults_are_told_and_the_match_goes_on() -> None:
    replies = [
        Reply(Term.parse("(mark 9 9)"), 0.1),
        Reply(Term("noop"), 0.1),
        Reply(Term.parse("(mark 1 3)"), 99.0),
        Reply(Term("noop"), 0.1),
    ]
    bad = Bad(replies)
    played = hold(load("tictactoe"), [bad, BuiltIn("legal")], opening("tictactoe"), first_legal=True)
    told = [str(fault) for fault in played.faults]
    assert told[:3] == [
        "step 0, xplayer: says 'busy'",
        "step 1, xplayer: illegal: (mark 9 9)",
        "step 3, xplayer: late: 99.00 s of 1",
    ]
    assert told[3].endswith("no answer in time")
    assert played.record.terminal
    assert str(played.record.steps[0].moves["xplayer"]) == "(mark 1 1)"  # the first legal one
    assert bad.heard[0] is None
    assert bad.heard[1] == played.record.steps[0].moves
    assert bad.ended == [True]
    assert played.slowest["xplayer"] == 99.0


def test_a_match_that_does_not_end_is_broken_off() -> None:
    with using(PlayLimits(onematch_length=2)):
        played = hold(load("tictactoe"), [BuiltIn("legal"), BuiltIn("legal")], opening("tictactoe"))
    assert (played.goals, played.record.terminal, len(played.record.steps)) == (None, False, 2)
