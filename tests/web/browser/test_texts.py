"""What the page says when something is empty, under way, at its limit, wrong, cancelled: each text where it stands."""

from __future__ import annotations

import json
import os
import random
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Route

from tests.web.bench_server import BenchServer
from tests.web.browser.window import Window

JOBS = "**/api/v1/jobs"
CHECK = "**/api/v1/check"
NO_CHOICE = """(role x) (init (step 1)) (legal x go)
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2))) (goal x 50)"""


FAULTY = """(role x)
(<= (legal x (a ?b)) (true c))
(<= (next ?d) (true c))
(<= (goal x ?e) (true c))
(init c) (<= terminal (true c))"""


def play(window: Window, call: str) -> None:
    """Call something of the page that a person would reach by a button, with other limits."""
    window.asked(f"import('/page/play.js').then(page => {{ page.{call}; }})")


def held(window: Window, pattern: str) -> list[Route]:
    """Requests that the server does not get, until they are let go."""
    routes: list[Route] = []
    window.page.route(pattern, lambda route: routes.append(route))
    return routes


def let_go(window: Window, pattern: str, routes: list[Route]) -> None:
    window.page.unroute(pattern)
    for route in routes:
        with suppress(Error):  # some have gone on by themselves
            route.continue_()


def jobs(window: Window, bench: BenchServer, command: str) -> list[Any]:
    """The jobs of this page, the latest first."""
    page = window.asked("import('/page/store.js').then(store => store.state.page)")
    return [job for job in bench.get(f"/jobs?page={page}").data["jobs"] if job["command"] == command]


def until_running(window: Window, bench: BenchServer, command: str) -> Any:
    while True:
        for job in jobs(window, bench, command):
            if job["pid"] is not None:
                return job
        window.page.wait_for_timeout(20)


def test_before_anything_is_known(window: Window, bench: BenchServer) -> None:
    assert "Connecting …" in bench.ask("GET", "/").body.decode()
    window.open("#/rules/double-tictactoe")
    routes = held(window, JOBS)
    window.open("#/bench/nim:1,3")
    window.page.wait_for_selector("#boards svg")
    assert window.text("#sumline .evidence") == "not verified"
    assert window.text("#sumline .terms").split() == ["…", "=", "…"]
    assert window.text("#answer h2") == "Working it out …"
    assert window.count("#boards .pill.unknown") == 4  # hollow dots
    window.page.click("#tab-tree")
    assert window.text("#panel") == "No moves yet. Click a square or press Enter on it."
    let_go(window, JOBS, routes)
    window.taken_apart()


def test_sheets(window: Window) -> None:
    window.open("#/rules/double-tictactoe")
    status = ".rulespanel [role=status]"
    fill = """([text, times]) => {
      const area = document.querySelector('textarea.code');
      area.hidden = times > 1e4; // laying out so much would take long
      area.value = text.repeat(times);
      area.dispatchEvent(new Event('input'));
    }"""
    window.page.wait_for_selector(status)
    window.page.evaluate(fill, ["x" * 99 + "\n", 62_000])
    window.until_text(status, r"^The sheet has 6\.2 MB; the limit is 5 MB\.$")
    routes = held(window, CHECK)
    window.page.evaluate(fill, ["\n" * 1203 + "(role x)", 1])
    window.until_text(status, r"^Reading 1,204 lines …$")
    let_go(window, CHECK, routes)
    window.page.evaluate(fill, ["\n" * 12 + FAULTY, 1])
    window.until_text(".rulespanel", r"3 faults in the sheet\. The first is in line 14\.")


def test_a_sheet_that_is_too_long_for_a_link(window: Window) -> None:
    draw = random.Random(7)
    noise = "\n".join("; " + "".join(draw.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=80)) for _ in range(140))
    window.open("#/rules/double-tictactoe")
    can_load = "() => document.querySelector('.rulespanel .primary')?.disabled === false"
    window.until(can_load)
    routes = held(window, CHECK)
    window.page.fill("textarea.code", NO_CHOICE + "\n" + noise)
    assert window.page.is_disabled(".rulespanel .primary")  # at once: a press must not meet a button that goes away
    let_go(window, CHECK, routes)
    window.until(can_load)
    window.page.click(".rulespanel .primary")
    window.until_text("#sumline", r"No parts found: every square depends on every other\.")
    assert "No parts found: every square depends on every other." in window.text("#panel")
    window.key("y")
    window.until_text(".toast", r"^This sheet is too long for a link; save a file instead\.$")


def test_one_part_no_board_no_sum(window: Window) -> None:
    window.open("#/bench/rock-paper-scissors")
    window.until_text("#boards", r"^This game has no board that can be drawn; here is its state as a table\.")
    window.until_text("#sumline", r"One part: nothing to take apart\.")
    switches = "+".join(f"{{{n}|{1 - n}}}" for n in range(3, 19))
    window.open(f"#/bench/sum:{switches.replace('+', '%20%2B%20').replace('{', '%7B').replace('}', '%7D')}")
    window.until_text("#sumline", r"sum not added up: mean 8, temperature at most 35⁄2")


def test_a_search_at_its_limits(window: Window) -> None:
    window.bench("#/bench/connect-four")
    window.until_text("#answer h2", r"^Working it out: .*\d.*, [\d.]+ s$")
    assert window.text("#answer button") == "Cancel"
    assert window.count("#answer [role=progressbar]") == 1
    window.page.click("#answer button")
    window.until_text("#answer h2", r"^Cancelled after [\d.]+ s\.")
    play(window, "moreTime({ seconds: 0.2 })")
    window.until_text("#answer h2", r"^Not decided in [\d.]+ s\. Best so far: \(?drop \d\)?\.$")
    assert window.text("#answer button") == "60 s more"
    window.until_text("#boards .movelist", r"^values for \d of 7 moves$")
    play(window, "moreTime({ seconds: 100, memory: 0.12 })")
    window.until_text("#answer h2", r"^The search broke off \(memory\)\. The rest of the page still works\.$")


def test_taking_apart_at_its_limits(window: Window, bench: BenchServer) -> None:
    window.bench("#/bench/connect-four").taken_apart()
    play(window, "takeApart('exact', 0.1)")
    window.until_text("#panel", r"^Not done in [\d.]+ s\. Go on proving")
    window.bench("#/bench/double-tictactoe").taken_apart()
    window.asked(  # as if the time had come to its end between test and proof
        "import('/page/store.js').then(({ state, tell }) => { state.methods.exact.limit = 'seconds'; tell('parts'); })"
    )
    window.until_text("#panel", r"^Tested on [\d,]+ transitions, not proved in [\d.]+ s\. Go on proving")
    window.bench("#/bench/connect-four:10x10")
    play(window, "stopValues()")  # they would take long, and a processor
    window.until_text("#panel .steps", r"^reading ✓ .*\d.* …$|^\w+ \d.* …$")
    os.kill(until_running(window, bench, "decompose")["pid"], signal.SIGKILL)
    window.until_text("#panel", r"^Method exact failed: The worker was ended by signal 9\. Nothing else was lost\.")
    play(window, "takeApart('exact')")
    job = until_running(window, bench, "decompose")
    bench.ask("DELETE", f"/api/v1/jobs/{job['id']}")
    window.until_text("#panel", r"^Cancelled; parts of the last run shown\.")
    window.page.click(".views >> text=Graph")
    window.page.select_option(".graphbar select >> nth=1", "playouts")
    os.kill(until_running(window, bench, "decompose")["pid"], signal.SIGKILL)
    window.until_text(".graphs", r"Method playouts failed: The worker was ended by signal 9\.")


def test_a_refutation_that_stays_open(window: Window) -> None:
    window.open("#/graph/double-tictactoe")
    window.page.wait_for_selector(".box .node")
    routes = held(window, JOBS)
    window.asked(
        "Promise.all(['refutation', 'store'].map(name => import(`/page/${name}.js`)))"
        ".then(([{ refute }, { state }]) => { refute(state.decomposition, [], 1, 2); })"
    )
    window.until_text("#refutation", r"Looking for a state that refutes it …$")
    for route in routes:  # as if there were no time for a proof
        asked = json.loads(route.request.post_data or "")
        asked["options"]["prove"] = False
        route.continue_(post_data=json.dumps(asked))
    window.page.unroute(JOBS)
    window.until_text("#refutation", r"No state found in 1,000 plays and no proof in [\d.]+ s: open\.$")
    window.page.click("#refutation >> text=Undo")
    window.until("() => !document.getElementById('refutation')")


def test_a_tree_of_two_thousand_moves(window: Window) -> None:
    window.bench("#/bench/nim:1,2?tab=tree").solved()
    window.asked(
        "Promise.all(['study', 'store'].map(name => import(`/page/${name}.js`)))"
        ".then(([{ child }, { tell }]) => {"
        " for (let i = 0; i < 2100; i += 1) child(0, { moves: { player1: `(m ${i})` } }); tell('node'); })"
    )
    window.until_text("#panel", r"2,000 nodes; older side lines are folded\.")


def test_a_file_with_an_illegal_seventh_move(window: Window, tmp_path: Path) -> None:
    window.refusals = True
    window.bench()
    marks = [(board, row) for board in (1, 2) for row in (1, 2, 3)]
    tree: list[dict[str, Any]] = [{"id": 0, "parent": None}]
    for ply, (board, row) in enumerate([*marks, (0, 4)]):
        roles = ("xplayer", "oplayer") if ply % 2 == 0 else ("oplayer", "xplayer")
        move = f"(mark{board} {row} 1)" if board else "(mark 4 4)"
        tree.append({"id": ply + 1, "parent": ply, "moves": {roles[0]: move, roles[1]: "noop"}})
    path = tmp_path / "bad.study.json"
    path.write_text(json.dumps({"game": "double-tictactoe", "tree": tree}))
    window.key("Control+o")
    window.page.set_input_files("#openfile", path)
    window.until_text(".toast", r"^Move 7 of the file is not legal: \(mark 4 4\)\.$")


def test_jobs_in_all_their_states(window: Window, bench: BenchServer) -> None:
    window.open("#/run/sum:nim%201")
    window.until_text(".jobs", r"^Nothing running\.$")
    page = window.asked("import('/page/store.js').then(store => store.state.page)")
    game = bench.open(source="nim:3,5,7")["id"]
    long = bench.begin_long(game, page)
    waiting = [bench.begin("decompose", game, page=page) for _ in range(2)]
    window.page.click(".views >> text=Bench")
    window.page.click(".views >> text=Run")
    window.until_text(f'[data-job="{long["id"]}"]', r"running [\d.]+ s, \d+ MB")
    window.until_text(f'[data-job="{waiting[1]["id"]}"]', r"queued, 2 before it")
    for job in (*reversed(waiting), long):
        bench.ask("DELETE", f"/api/v1/jobs/{job['id']}")
    window.open("#/run/connect-four")
    window.page.fill("form[aria-label=Solve] input[name=memory]", "0.1")
    window.page.fill("form[aria-label=Solve] input[name=seconds]", "100")
    window.page.click("form[aria-label=Solve] button")
    stopped = r"/^solveStopped at \d+ MB\./.test(job.textContent)"
    window.until(f"() => [...document.querySelectorAll('.job')].some(job => {stopped})")
