"""Every endpoint, and every problem that it can answer with."""

from __future__ import annotations

import gzip
import json
import re
from xml.etree import ElementTree

import pytest

import ludisect
from tests.web.bench_server import Answer, BenchServer

BROKEN = """(role x)
(init (cell b))
(<= (legal x (mark ?y))
    (true (cel b)))
(next (cell b))
(goal x 0)
(<= terminal (true (cell b)))
"""


def test_version_and_limits(server: BenchServer) -> None:
    told = server.get("/version").data
    assert told["ludisect"] == ludisect.__version__
    assert told["limits"]["jobs_waiting"] == 32


def test_the_list_of_games(server: BenchServer) -> None:
    told = server.get("/games").data
    names = [game["name"] for game in told["games"]]
    assert {"double-tictactoe", "nim", "domineering"} <= set(names)
    nim = told["games"][names.index("nim")]
    assert nim["parameters"].startswith("nim:")
    assert nim["example"].startswith("nim:")
    assert {"name": "domineering", "example": "domineering 4x5"} in told["rulesets"]
    assert told["yours"] == told["faults"] == []
    assert "parts" in told["players"]
    assert "hotstrat" in told["strategies"]


def test_every_example_of_the_list_can_be_opened(server: BenchServer) -> None:
    told = server.get("/games").data
    for ruleset in told["rulesets"]:
        assert server.open(sum=ruleset["example"])["kind"] == "sum"


def test_faults_of_a_sheet_have_a_place_and_a_length(server: BenchServer) -> None:
    problems = server.post("/check", {"text": BROKEN}).data["problems"]
    places = {(p["level"], p["line"], p["column"], p["length"]) for p in problems}
    assert places == {("error", 3, 20, 2), ("warning", 4, 11, 7)}
    assert "did you mean cell?" in {p["help"] for p in problems}
    assert server.post("/check", {"text": "(role x"}).data["problems"][0]["line"] == 1
    assert server.post("/check", {"text": ""}).status == 200


def test_faults_stop_a_game_from_being_opened(server: BenchServer) -> None:
    answer = server.post("/games", {"text": BROKEN})
    assert (answer.status, answer.kind) == (422, "rules")
    assert answer.data["title"] == "1 fault in the sheet. It is in line 3."
    answer = server.post("/games", {"text": BROKEN.replace("(goal x 0)", "(goal ?z 0)")})
    assert answer.data["title"].endswith("2 faults in the sheet. The first is in line 3.")


def test_a_game_by_rules(server: BenchServer) -> None:
    game = server.open(source="nim:1,2")
    assert game["kind"] == "rules"
    assert game["roles"] == ["player1", "player2"]
    assert game["engine"] == "circuit"
    assert server.open(source="nim:1,2")["id"] == game["id"] != server.open(source="nim:1,3")["id"]
    start = server.post(f"/games/{game['id']}/position", {}).data
    assert start["to"] == ["player1"]
    assert start["legal"]["player1"] == ["(reduce a 0)", "(reduce b 0)", "(reduce b 1)"]
    assert [board["kind"] for board in start["boards"]] == ["heaps"]
    line = [{"player1": "(reduce a 0)"}, {"player1": "noop", "player2": "(reduce b 0)"}]
    end = server.post(f"/games/{game['id']}/position", {"line": line}).data
    assert end["terminal"]
    assert end["goals"] == {"player1": 0, "player2": 100}
    assert end["ply"] == 2
    state = server.post(f"/games/{game['id']}/position", {"state": start["state"]}).data
    assert {**state, "ply": 0} == start


def test_parts_are_shown_once_they_are_found(server: BenchServer) -> None:
    game = server.open(source="double-tictactoe")
    job = server.run("decompose", game["id"], options={"method": "exact"})
    assert (job["state"], job["exit"], job["limit"]) == ("done", 0, None)
    game_object = ludisect.load("double-tictactoe")
    assert job["result"]["subgames"] == ludisect.decompose(game_object).to_json()["subgames"]
    place = server.post(f"/games/{game['id']}/position", {"parts": job["id"]}).data
    assert [part["kind"] for part in place["parts"]] == ["part", "part", "context"]
    assert [{cell["part"] for cell in board["cells"]} for board in place["boards"]] == [{1}, {2}]
    assert {move["part"] for move in place["moves"] if move["role"] == "xplayer"} == {1, 2}


def test_a_sum(server: BenchServer) -> None:
    game = server.open(sum="domineering 2x2 + nim 1")
    assert (game["kind"], game["roles"]) == ("sum", ["left", "right"])
    start = server.post(f"/games/{game['id']}/position", {}).data
    assert start["to"] == ["left"]
    assert start["legal"]["right"] == ["1: a1-b1", "1: a2-b2", "2: heap 1 to 0"]
    other = server.post(f"/games/{game['id']}/position", {"to": "right"}).data
    assert other["to"] == ["right"]
    line = [{"left": "1: a1-a2"}, {"left": "1: b1-b2"}, {"right": "2: heap 1 to 0"}]
    end = server.post(f"/games/{game['id']}/position", {"line": line}).data
    assert (end["terminal"], end["goals"]) == (True, {"left": 0, "right": 100})


def test_a_pawn_ending(server: BenchServer) -> None:
    game = server.open(fen="8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8")
    assert game["sum"].startswith("pawns a2 b2")
    (board,) = game["boards"]
    kings = {cell["glyph"]: cell["at"] for cell in board["cells"] if cell["glyph"].startswith("king")}
    assert kings == {"king-black": [3, 4], "king-white": [5, 5]}  # e5 and f3
    job = server.run("chess", game["id"])
    assert [part["value"] for part in job["result"]["parts"]] == ["↑", "0", "↓↓*"]


def drawn(answer: Answer) -> ElementTree.Element:
    """A picture that holds to the rules of the page: no style, no script, nothing from elsewhere."""
    assert answer.headers["content-type"] == "image/svg+xml"
    text = answer.body.decode()
    assert not re.search(r"style=|<style|<script|<foreignObject|<image|\son\w+=|href=\"[^#]", text)
    return ElementTree.fromstring(text)


def test_pictures(server: BenchServer) -> None:
    table, nim = server.open(sum="domineering 2x3 + nim 2")["id"], server.open(source="double-tictactoe")["id"]
    for theme in ("light", "dark", "page"):
        wanted: list[tuple[str, str, dict[str, object]]] = [
            (nim, "board", {"line": [{"xplayer": "(mark1 2 2)"}]}),
            (nim, "graph", {}),
            (table, "board", {}),
            (table, "thermograph", {"part": 1}),
            (table, "thermograph", {}),
            (table, "tree", {"part": 1, "depth": 2}),
        ]
        for game, what, more in wanted:
            picture = drawn(server.post(f"/games/{game}/picture", {"what": what, "theme": theme, **more}))
            assert picture.attrib["data-picture"] == what
    for game, what in [(nim, "tree"), (nim, "thermograph"), (table, "graph"), (table, "tree")]:
        assert server.post(f"/games/{game}/picture", {"what": what}).kind == "input"
    assert server.post(f"/games/{table}/picture", {"what": "tree", "part": 9}).kind == "input"


def test_edges(server: BenchServer) -> None:
    game = server.open(source="double-tictactoe")["id"]
    told = server.get(f"/games/{game}/edges").data
    assert told["method"] == "exact"
    edge = told["edges"][0]
    assert edge["from"]["label"] == told["nodes"][edge["from"]["node"]]["label"]
    words = server.get(f"/games/{game}/edges/{edge['index']}").data
    assert (words["kind"], words["evidence"]) == (edge["kind"], edge["evidence"])
    assert words["told"]
    assert server.get(f"/games/{game}/edges/999999").kind == "input"
    assert server.get(f"/games/{server.open(sum='nim 2')['id']}/edges").kind == "input"


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/games", {}, "request"),
        ("/games", {"source": "nim", "sum": "nim 3"}, "request"),
        ("/games", {"source": 3}, "request"),
        ("/games", {"nix": "nim"}, "request"),
        ("/games", {"source": "../../secret"}, "input"),
        ("/games", {"source": "nim:x"}, "input"),
        ("/games", {"source": "-"}, "input"),
        ("/games", {"sum": "/secret"}, "input"),
        ("/games", {"sum": "nimm 3"}, "input"),
        ("/games", {"fen": "8/8/8"}, "input"),
        ("/games", {"fen": "8/8/8/4k3/8/4K3/8/8"}, "input"),
        ("/games", {"yours": "nix"}, "own-game"),
        ("/jobs", {"command": "solve", "game": "0" * 16}, "gone"),
        ("/games/0000000000000000/position", {}, "gone"),
        ("/jobs", {"command": "nix", "game": "0"}, "request"),
        ("/jobs", {"command": "solve", "game": "0", "seconds": 10_000}, "request"),
        ("/jobs", {"command": "solve", "game": "0", "memory": 1e9}, "request"),
    ],
)
def test_bad_requests(server: BenchServer, path: str, body: dict[str, object], kind: str) -> None:
    answer = server.post(path, body)
    assert answer.kind == kind
    assert answer.status == answer.data["status"] == (404 if kind == "gone" else 422)
    assert answer.data["title"]


def test_bad_moves_and_options(server: BenchServer) -> None:
    nim, table = server.open(source="nim:1,2")["id"], server.open(sum="nim 1 2")["id"]
    answer = server.post(f"/games/{nim}/position", {"line": [{"player1": "(reduce a 0)"}, {"player2": "(reduce a 0)"}]})
    assert answer.kind == "illegal-move"
    assert answer.data["legal"] == ["(reduce b 0)", "(reduce b 1)"]
    assert answer.data["title"].startswith("move 2: illegal move '(reduce a 0)'")
    for line, kind in [
        ([{"player1": "(reduce"}], "input"),
        ([{"white": "x"}], "input"),
        ([{"player1": "(reduce b 0)"}, {"player2": "(reduce a 0)"}, {"player1": "x"}], "input"),
    ]:
        assert server.post(f"/games/{nim}/position", {"line": line}).kind == kind
    for step, kind in [({"left": "1: nix"}, "illegal-move"), ({"left": "a", "right": "b"}, "input"), ({}, "input")]:
        assert server.post(f"/games/{table}/position", {"line": [step]}).kind == kind
    assert server.post(f"/games/{nim}/position", {"state": ["(nix 1)"]}).kind == "input"
    assert server.post(f"/games/{table}/position", {"state": ["(nix 1)"]}).kind == "input"
    for game, command, options, kind in [
        (nim, "decompose", {"method": "nix"}, "request"),
        (nim, "decompose", {"svg": "/x.svg"}, "request"),
        (nim, "solve", {"by": "--svg"}, "request"),
        (nim, "match", {"players": ["http://127.0.0.1:1/"]}, "request"),
        (nim, "match", {}, "request"),
        (nim, "verify", {}, "request"),
        (nim, "value", {}, "input"),
        (table, "decompose", {}, "input"),
        (table, "chess", {}, "input"),
    ]:
        answer = server.post("/jobs", {"command": command, "game": game, "options": options})
        assert (answer.status, answer.kind) == (422, kind), (command, options)
    job = server.run("solve", nim, options={"by": "nix"})
    assert job["state"] == "failed"
    assert job["problem"]["type"] == "/problems/input"
    assert "nix" in job["problem"]["title"]


def test_files_and_what_can_be_asked(server: BenchServer) -> None:
    page = server.ask("GET", "/")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert server.ask("GET", "/", If_None_Match=page.headers["etag"]).status in (200, 304)  # the first game may come in
    icon = server.ask("GET", "/page/icon.svg")
    assert icon.headers["cache-control"] == "no-cache"
    assert server.ask("GET", "/page/icon.svg", If_None_Match=icon.headers["etag"]).status == 304
    assert server.ask("HEAD", "/page/icon.svg").body == b""
    packed = server.ask("GET", "/page/icon.svg", Accept_Encoding="gzip, br")
    assert gzip.decompress(packed.body) == icon.body
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["etag"] != icon.headers["etag"]
    for path in ("/page/nix.js", "/page/..%2f..%2fcli%2fweb.py", "/page/%2e%2e/limits.py", "/limits.py", "/docs"):
        assert server.ask("GET", path).kind == "gone"
    assert server.ask("GET", "/favicon.ico").status == 204
    listed = server.ask("GET", "/api").body.decode()
    for path, operations in server.get("/openapi.json").data["paths"].items():
        for method, operation in operations.items():
            assert f"{method.upper()} {path}" in listed
            assert {"403", "421", "422"} <= set(operation["responses"])
    answer = server.ask("DELETE", "/api/v1/games")
    assert (answer.status, answer.headers["allow"]) == (405, "GET")


def test_the_first_game_comes_with_the_page(server: BenchServer) -> None:
    begin = b'<script type="application/json" id="first">'
    while True:
        body = server.ask("GET", "/").body
        first = json.loads(body.partition(begin)[2].partition(b"</script>")[0])
        if first is not None:
            break
    assert first["game"]["title"] == "double-tictactoe"
    assert first["decomposition"]["action_dependent"] == 2
    assert [part["kind"] for part in first["position"]["parts"]] == ["part", "part", "context"]
