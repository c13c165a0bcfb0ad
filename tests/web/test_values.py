"""What every move is worth, through the server: against fresh solutions, in any order of positions."""

from __future__ import annotations

from typing import Any

import ludisect
from tests.web.bench_server import BenchServer

LINE = [
    {"xplayer": "(mark1 2 2)"},
    {"oplayer": "(mark1 1 1)"},
    {"xplayer": "(mark2 1 3)"},
    {"oplayer": "(mark1 3 1)"},
]


def by_move(result: dict[str, Any]) -> dict[str, Any]:
    assert result["exact"]
    assert all(value["exact"] for value in result["values"])
    return {value["move"]: value["value"] for value in result["values"]}


def test_values_of_rules_in_any_order(server: BenchServer) -> None:
    """A solution of a later position must not answer for an earlier one."""
    game = server.open(source="double-tictactoe")["id"]
    loaded = ludisect.load("double-tictactoe")
    for length in (4, 0, 2, 4):
        job = server.run("values", game, line=LINE[:length], page="values")
        assert (job["state"], job["limit"]) == ("done", None)
        state = loaded.start.play_line(LINE[:length])
        (role,) = state.choosing
        expected = {}
        for number, move in enumerate(state.legal[role]):  # some solved anew, for all would take long
            looked = length == 4 and number % 5 == 0
            expected[str(move)] = ludisect.solve(state.play({role: move})).value if looked else None
        found = by_move(job["result"])
        assert found.keys() == expected.keys()
        for text, value in expected.items():
            assert value is None or found[text] == value


def test_values_of_a_sum(server: BenchServer) -> None:
    game = server.open(sum="domineering 2x3 + nim 2")["id"]
    for line in ([], [{"left": "1: a1-a2"}], [{"left": "1: a1-a2"}, {"right": "2: heap 1 to 0"}], []):
        job = server.run("values", game, line=line, page="values")
        result = job["result"]
        place = server.post(f"/games/{game}/position", {"line": line}).data
        assert {(v["role"], v["move"]) for v in result["values"]} == {
            (role, move) for role, moves in place["legal"].items() for move in moves
        }
        assert [part["part"] for part in result["parts"]] == [part["number"] for part in place["parts"]]
        for part in result["parts"]:
            assert part["value"] == str(ludisect.value(part["text"]))
        assert result["total"]["value"] == str(ludisect.value(place["state"][0]))
        solved = ludisect.solve(place["state"][0])
        assert result["value"] == solved.value
        for role, value in solved.value.items():
            wins = [v["wins"] for v in result["values"] if v["role"] == role]
            assert any(wins) == (value == 100)


def test_points(server: BenchServer) -> None:
    game = server.open(sum="regio 3x3")["id"]
    result = server.run("values", game)["result"]
    assert result["value"] == {"left": 5, "right": 5}
    assert [v["move"] for v in result["values"] if v["role"] == "left" and v["best"]] == ["1: b2"]


def test_a_later_position_cancels_the_one_before(server: BenchServer) -> None:
    large = server.open(source="connect-four")["id"]
    small = server.open(source="tictactoe")["id"]
    first = server.begin("values", large, seconds=300, page="hurry")
    second = server.run("values", small, page="hurry")
    assert second["state"] == "done"
    assert server.get(f"/jobs/{first['id']}").data["state"] == "cancelled"


def test_what_is_not_found_in_time(server: BenchServer) -> None:
    game = server.open(sum="domineering 7x7")["id"]
    job = server.run("values", game, seconds=1, page="late")
    assert (job["state"], job["limit"]) == ("done", "seconds")
    known = job["result"] or job["partial"] or {"parts": []}  # less where the machine is busy
    assert {part["value"] for part in known["parts"]} <= {None}


def test_moves_that_a_search_left_aside_are_valued_too(server: BenchServer) -> None:
    """A plan is one line of play: what else could be done is found out afterwards, where there is time."""
    assert None in [value.value["walker"] for value in ludisect.solve("two-track").values()]
    result = server.run("values", server.open(source="two-track")["id"], page="plans")["result"]
    whole = {str(value.move): value for value in ludisect.solve("two-track", by="whole").values()}
    assert by_move(result) == {move: value.value for move, value in whole.items()}
    assert {value["move"]: value["best"] for value in result["values"]} == {m: v.best for m, v in whole.items()}
