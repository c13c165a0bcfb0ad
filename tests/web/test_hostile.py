"""Five hundred hostile requests, made by a seed: refused or harmless, none breaks the server, none reads a file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.web.bench_server import BenchServer

COUNT = 500

NAMES = (
    "<script>alert(1)</script>",
    '"onload="alert(1)',
    "\u202egnp.exe",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE games; --",
    "{{7*7}}",
    "%00",
    "\x00",
    "../../../etc/passwd",
    "file:///etc/passwd",
    "/proc/self/environ",
    "/dev/zero",
    "-",
    "--help",
    "$(id)",
    "`id`",
    "nim:" + "9," * 500,
    "domineering:99999x99999",
    "amazons:0x0",
    "constructor",
    "__proto__",
    "NaN",
)

SUMS = (
    "domineering 9999999x9999999",
    "nim 3000",
    "nim " + "3 " * 300,
    "{" * 3000,
    "{1|" * 2000 + "0" + "}" * 2000,
    "+ " * 5000,
    "tiny(" * 1000,
    "octal 0." + "7" * 3000 + " 5",
    "pawns a2 b2 / a6 b7 blocked " + "e5 " * 500,
    "negative " * 3000 + "nim 3",
    "hackenbush " + "B" * 300,
    "^" * 10000,
    "1/0",
    "1e999",
)

FENS = (
    "8/8/8/8/8/8/8/8",
    "9/9",
    "/" * 100,
    "k" * 64,
    "pppppppp/8/8/8/8/8/8/PPPPPPPP",
    "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w KQkq",
)


def sheets(dice: random.Random) -> str:
    """Rule sheets that are large, deep, long or wrong."""
    name = dice.choice(NAMES).replace("(", "").replace(")", "").replace(" ", "") or "x"
    kind = dice.randrange(8)
    if kind == 0:
        return "(" * dice.choice([10, 1000, 30_000])
    if kind == 1:
        return "(role x)" + "(a " * 5000 + "b" + ")" * 5000
    if kind == 2:
        return "x" * dice.choice([10, 99_999, 200_000])
    if kind == 3:
        return "".join(f"(fact{i} {i})\n" for i in range(dice.choice([10, 5_000])))
    if kind == 4:
        return f"(role {name}) (init (on {name})) (legal {name} {name}) (next (on {name})) (goal {name} 100) (terminal)"
    if kind == 5:
        return "(role p) (<= (legal p ?x) (true (f ?x ?y)) (not (q ?x))) (<= (q ?x) (q ?x)) (<= (q ?x) (not (q ?x)))"
    if kind == 6:  # grows for ever
        return (
            "(role p) (init (n 0)) (legal p go) (<= (next (n (s ?x))) (true (n ?x)) (does p go)) "
            "(<= terminal (true (n (s (s 0))))) (goal p 50)"
        )
    return "".join(chr(dice.randrange(1, 0x2FF)) for _ in range(500))


Asked = tuple[str, str, Any, dict[str, str]]
"""Method, path, body, headers."""


def requests(dice: random.Random, ids: list[str], port: int) -> Iterator[Asked]:
    """Hostile requests without end."""
    while True:
        yield dice.choice([games, paths, doors, bodies, places, jobs])(dice, ids, port)


def games(dice: random.Random, ids: list[str], port: int) -> Asked:
    body = dice.choice(
        [{"source": dice.choice(NAMES)}, {"sum": dice.choice(SUMS)}, {"fen": dice.choice(FENS)}, {"text": sheets(dice)}]
    )
    return "POST", "/api/v1/check" if "text" in body and dice.random() < 0.5 else "/api/v1/games", body, {}


def paths(dice: random.Random, ids: list[str], port: int) -> Asked:
    trick = dice.choice(
        [
            "../../etc/passwd",
            "..%2f..%2fetc%2fpasswd",
            "%2e%2e/%2e%2e/x",
            "....//x",
            "%00",
            "a%0d%0ab",
            "~root",
            "C:%5cx",
        ]
    )
    return "GET", dice.choice(["/", "/page/", "/api/v1/games/", "/api/v1/jobs/"]) + trick, None, {}


def doors(dice: random.Random, ids: list[str], port: int) -> Asked:
    if dice.random() < 0.5:
        names = ["evil.example", f"127.0.0.1:{port}.evil.example", "localhost@evil", "[::2]", "127.1", "0"]
        return "GET", "/api/v1/games", None, {"Host": dice.choice(names)}
    origins = ["http://evil.example", "null", "file://", f"http://127.0.0.1:{port}@evil", "*"]
    return "POST", "/api/v1/games", {"source": "nim"}, {"Origin": dice.choice(origins)}


def bodies(dice: random.Random, ids: list[str], port: int) -> Asked:
    broken = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'"x"', b"[" * 50_000, b'{"source": "\\ud800"}', b"1" * 5000]
    return "POST", dice.choice(["/api/v1/games", "/api/v1/check", "/api/v1/jobs"]), dice.choice(broken), {}


def places(dice: random.Random, ids: list[str], port: int) -> Asked:
    name = dice.choice(NAMES)
    body = dice.choice(
        [
            {"line": [{name: name}]},
            {"line": [{"left": name}] * 200},
            {"line": [{"player1": "(" * 5000}]},
            {"line": [{}] * 500},
            {"state": [name, "(" * 3000, "(cell 1 1 x)"]},
        ]
    )
    return "POST", f"/api/v1/games/{dice.choice(ids)}/position", body, {}


def jobs(dice: random.Random, ids: list[str], port: int) -> Asked:
    option = dice.choice(["by", "method", "players", "player", "svg", "store", "decomposition", "clock"])
    command = dice.choice(["solve", "decompose", "match", "play", "verify"])
    body = {"command": command, "game": dice.choice(ids), "options": {option: dice.choice(NAMES)}}
    return "POST", "/api/v1/jobs", body, {}


def test_hostile_requests(server: BenchServer) -> None:
    ids = [server.open(source="nim:1,2")["id"], server.open(sum="nim 1 2")["id"], "nix"]
    known = server.post(f"/games/{ids[0]}/position", {}).data
    made = requests(random.Random(1), ids, server.port)
    for number in range(COUNT):
        method, path, body, headers = next(made)
        answer = server.ask(method, path, body, **headers)
        assert answer.status < 500 or answer.kind == "limit", (number, answer.status, answer.body[:300])
        assert b"root:" not in answer.body
        assert "access-control-allow-origin" not in answer.headers
        assert "content-security-policy" in answer.headers
        if answer.status >= 400:
            assert answer.kind in (
                "request",
                "rules",
                "input",
                "illegal-move",
                "play",
                "limit",
                "own-game",
                "busy",
                "gone",
            )
        elif answer.headers["content-type"] == "application/json":
            json.loads(answer.body)
    assert server.post(f"/games/{ids[0]}/position", {}).data == known


def test_script_in_names_stays_text(server: BenchServer) -> None:
    """Names of a sheet reach the page as JSON, and pictures as text."""
    evil = "<script>alert</script>"
    text = f"(role p) (init (cell 1 1 {evil})) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b)) "
    text += (
        "(legal p go) (<= (next (cell ?x ?y b)) (true (cell ?x ?y ?z))) (<= terminal (true (cell 1 1 b))) (goal p 50)"
    )
    game = server.open(text=text)["id"]
    place = server.post(f"/games/{game}/position", {})
    assert place.headers["content-type"] == "application/json"
    assert evil in place.body.decode()
    picture = server.post(f"/games/{game}/picture", {"what": "board", "theme": "page"}).body.decode()
    assert "<script" not in picture
    assert "&lt;" in picture


def test_large_sheets(server: BenchServer) -> None:
    line = "(role x) " + "y" * 100_001
    answer = server.post("/check", {"text": line})
    assert answer.data["problems"][0]["what"] == "line 1 has 100,010 characters; the limit is 100,000"
    assert (
        server.post("/games", {"text": f"(role x)\n{line}"}).data["title"] == "1 fault in the sheet. It is in line 2."
    )
    for path in ("/check", "/games"):
        answer = server.post(path, {"text": "; six\n" + "; millions\n" * 560_000})
        assert (answer.status, answer.kind) == (413, "limit")
        assert answer.data["title"] == "The sheet has 6.2 MB; the limit is 5 MB."
    assert server.post("/check", {"text": "; nothing\n" * 490_000}).status == 200
    position = server.post("/games/x/position", {"line": [{}] * 10_001})
    assert position.kind == "request"
