"""Games of one's own: on a board of their own, read anew, with their faults shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.bench_server import BenchServer

GRID = """
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.position import Player

class Fill(GridPosition):
    name = "fill"

    def moves(self, player):
        if player is Player.LEFT:
            return [(i,) for i, cell in enumerate(self.cells) if cell == "."]
        return [(i, i + 1) for i in range(len(self.cells)) if (i + 1) % self.cols and self.cells[i : i + 2] == ".."]

    def play(self, player, move):
        return self.replaced((i, "#") for i in move)

    def move_text(self, move):
        return "-".join(map(self.cell_text, move))
"""

RULES = """
from ludisect.gdl import PythonRules, fluent, move

lit, press = fluent("lit"), move("press")

class Lamp(PythonRules):
    roles = ("robot",)

    def start(self):
        return ()

    def legal(self, role):
        yield press(1), True

    def next(self):
        yield lit(1), True

    def terminal(self):
        return lit(1)

    def goal(self, role):
        yield 100, lit(1)
        yield 0, ~lit(1)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own") / "my_game.py"
    made.write_text(GRID + RULES)
    return made


@pytest.fixture(scope="module")
def own_server(file: Path) -> Iterator[BenchServer]:
    made = BenchServer("--games", str(file))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_it_was(file: Path) -> Iterator[None]:
    yield
    file.write_text(GRID + RULES)


def test_both_kinds_of_games(own_server: BenchServer, file: Path) -> None:
    told = own_server.get("/games").data
    assert told["yours"] == [
        {"name": "fill", "kind": "sum", "example": "fill 3x3", "file": str(file)},
        {"name": "Lamp", "kind": "rules", "example": "Lamp", "file": str(file)},
    ]
    game = own_server.open(sum="fill 2x3")
    assert [(board["kind"], len(board["cells"])) for board in game["boards"]] == [("grid", 6)]
    place = own_server.post(f"/games/{game['id']}/position", {"line": [{"left": "1: a1"}]}).data
    assert place["legal"]["right"] == ["1: b1-c1", "1: a2-b2", "1: b2-c2"]
    assert own_server.run("solve", game["id"])["result"]["exact"]
    assert len(own_server.run("values", game["id"])["result"]["values"]) == 6 + 4
    lamp = own_server.open(yours="Lamp")
    assert lamp["roles"] == ["robot"]
    assert own_server.run("solve", lamp["id"])["result"]["value"] == {"robot": 100}


def test_an_exception_shows_file_line_and_position(own_server: BenchServer, file: Path) -> None:
    game = own_server.open(sum="fill 1x3")["id"]
    broken = GRID.replace(
        "        return self.replaced", "        1 / (self.cells.count('.') - 2)\n        return self.replaced"
    )
    file.write_text(broken)
    line = [{"left": "1: a1"}, {"left": "1: b1"}]
    assert own_server.post(f"/games/{game}/position", {"line": line}).status == 200  # it is read at the next opening
    game = own_server.open(sum="fill 1x3")["id"]
    answer = own_server.post(f"/games/{game}/position", {"line": line})
    number = broken.splitlines().index("        1 / (self.cells.count('.') - 2)") + 1
    assert (answer.status, answer.kind) == (422, "own-game")
    assert (answer.data["file"], answer.data["line"], answer.data["position"]) == (str(file), number, "#..")
    assert answer.data["title"] == f"ZeroDivisionError: division by zero (my_game.py, line {number}, in play)"
    job = own_server.run("solve", game)
    assert (job["state"], job["problem"]["type"], job["problem"]["line"]) == ("failed", "/problems/own-game", number)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("class Fill(", "'(' was never closed in line 1 of my_game.py"),
        ("import nix_nothing", "ModuleNotFoundError: No module named 'nix_nothing' (my_game.py, line 1, in <module>)"),
        (GRID.replace('name = "fill"', 'name = "nim"'), "'nim' is the name of a game that comes with ludisect"),
    ],
)
def test_a_file_that_cannot_be_used(own_server: BenchServer, file: Path, text: str, title: str) -> None:
    file.write_text(text)
    told = own_server.get("/games").data
    assert told["yours"] == []
    assert title in told["faults"][0]["title"]
    assert own_server.post("/games", {"yours": "Lamp"}).kind == "own-game"
    assert own_server.post("/games", {"sum": "fill 2x2"}).status == 422
    assert own_server.open(sum="nim 3")["kind"] == "sum"


def test_code_that_never_ends_or_leaves(own_server: BenchServer, file: Path) -> None:
    file.write_text("import os\nos._exit(3)\n")
    assert own_server.get("/games").status == 500
    file.write_text("raise SystemExit(0)\n")
    assert own_server.get("/games").status in (200, 500)
    file.write_text(GRID)
    assert own_server.get("/games").data["faults"] == []
