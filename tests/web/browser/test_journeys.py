"""What visitors do: look, play, walk in the tree, take apart, refute, paste rules, run and cancel, share a link."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from playwright.sync_api import Browser, Route

import ludisect
from ludisect.gdl import read_trace, replay
from tests.web.bench_server import BenchServer, alive, gone
from tests.web.browser.window import Window
from tests.web.test_api import BROKEN

DOMINEERING = "#/bench/sum:domineering%204x4"


def test_the_page_opens_on_a_game_that_is_taken_apart(window: Window) -> None:
    window.bench().taken_apart()
    assert window.text("#sumline .chip") == "✓ 2 parts, proved independent"
    assert window.count("#sumline .term") == 2
    assert window.count("#boards svg[role=grid]") == 2
    assert window.count('#boards .tinted[data-part="1"]') == window.count('#boards .tinted[data-part="2"]') == 9
    assert "context" in window.text("#panel")


def test_values_of_all_moves_stand_on_the_board(window: Window) -> None:
    window.bench().solved()
    assert window.text("#answer h2") == "Even with best play: 50 each"
    assert window.text("#answer p") == "All 18 moves keep it."
    assert window.count("#boards .pill.best") == 18
    assert "x 50 : 50 o" in window.text("#sumline")
    window.key("v")
    window.until("() => !document.querySelector('#boards .pill.best')")
    window.key("v")
    window.until("() => document.querySelectorAll('#boards .pill.best').length === 18")
    label = window.page.get_attribute("[role=gridcell][data-row='1'][data-column='2']", "aria-label")
    assert label == "row 2, column 3, empty, part 1, move worth 50, best"


def test_a_whole_match_by_clicks(window: Window) -> None:
    window.bench("#/bench/nim:1,2")
    moves = 0
    while "is over" not in window.text("#answer") and "has won" not in window.text("#answer"):
        window.all("#boards [data-stop]").first.click()
        moves += 1
        window.until_ply(moves)
        window.until("() => document.querySelector('#answer h2').textContent")
    assert window.ply() == moves
    assert "has won" in window.text("#answer")
    assert window.all("#boards [data-stop]").count() == 0


def test_a_press_counts_although_the_board_is_to_be_drawn_anew_before_the_release(window: Window) -> None:
    window.bench().taken_apart().solved()
    window.page.hover("[role=gridcell][data-board='0'][data-row='1'][data-column='1']")
    window.page.mouse.down()
    window.key("v")
    window.asked("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    window.page.mouse.up()
    window.until_ply(1)


def test_moves_that_are_made_while_the_game_is_taken_apart_are_kept(window: Window) -> None:
    """Once the parts are known every position is asked for again: here the move is made before the answer comes."""
    asked: list[Route] = []

    def answer(route: Route) -> None:
        moved = (route.request.post_data_json or {}).get("line")
        if moved or not asked:  # the first one is the board that is clicked at
            route.continue_()
        if not moved:
            asked.append(route)

    window.page.route("**/position", answer)
    window.bench("#/bench/nim:2,2")
    while len(asked) < 2:
        window.page.wait_for_timeout(20)
    window.all("#boards [data-stop]").first.click()
    window.until_ply(1)
    with window.page.expect_response(lambda response: response.request == asked[1].request) as late:
        asked[1].continue_()
    late.value.finished()
    window.asked("new Promise(done => setTimeout(done, 100))")  # the page has read it
    window.all("#boards [data-stop]").first.click()
    window.until_ply(2)


def test_a_whole_match_by_keyboard_against_the_engine(window: Window) -> None:
    """Tab into the board, arrows from move to move, Enter; the engine answers with the other side."""
    window.bench("#/bench/nim:2,3").solved()
    window.key("e")
    window.until("() => document.querySelector('.engines[aria-pressed=true]')")
    window.page.focus("#main")
    for _ in range(30):
        window.key("Tab")
        if window.asked("document.activeElement.getAttribute('role') === 'gridcell'"):
            break
    assert window.asked("document.activeElement.closest('#boards') !== null")
    while "has won" not in window.text("#answer"):
        before = window.ply()
        window.key("ArrowUp", "Enter")
        window.until("n => Number(document.querySelector('.plies').textContent.split(' ')[1]) > n", before)
        window.until(
            "() => /has won/.test(document.querySelector('#answer').textContent)"
            " || document.querySelector('.segments button').getAttribute('aria-pressed') === 'true'"
        )
    assert window.ply() >= 2


def test_keys_walk_the_line_and_its_side_lines(window: Window) -> None:
    window.bench().solved()
    window.click_square(0, 1, 1)
    window.until_ply(1)
    window.click_square(0, 0, 1)
    window.until_ply(2)
    window.key("ArrowLeft")
    window.until_ply(1)
    window.click_square(1, 1, 1)
    window.until_ply(2)
    window.page.click("#tab-tree")
    assert window.count(".tree > [role=treeitem]") == 2
    assert window.count(".tree .side [role=treeitem]") == 1
    assert "(mark2 2 2)" in window.text(".tree .side")
    window.page.focus("#main")
    window.key("ArrowUp")
    window.until("() => document.querySelector('.tree [aria-current]').textContent.includes('(mark1 1 2)')")
    window.key("ArrowDown", "Shift+ArrowUp")
    window.until("() => document.querySelector('.tree .side').textContent.includes('(mark1 1 2)')")
    window.key("Delete")
    window.until("() => !document.querySelector('.tree .side')")
    window.key("Control+z")
    window.until("() => document.querySelector('.tree .side')")
    window.key("Home")
    window.until_ply(0)
    window.key("End")
    window.until_ply(2)


def test_a_wrong_move_is_marked_and_the_chart_drops(window: Window) -> None:
    window.bench("#/bench/nim:1,2").solved()
    assert "wins by" in window.text("#answer h2")
    window.page.click("#boards [data-stop]:not(:has(.pill.best))")
    window.until_ply(1)
    window.page.click("#tab-tree")
    window.until("() => document.querySelector('.tree .knot.wrong, .tree .now b')?.textContent.includes('?')")
    window.until("() => document.querySelectorAll('.chart .dot').length === 2")
    heights = window.asked("[...document.querySelectorAll('.chart .dot')].map(dot => Number(dot.getAttribute('cy')))")
    assert heights[1] > heights[0]


def test_comments_marks_and_files_survive(window: Window, tmp_path: Path) -> None:
    window.bench().solved()
    window.click_square(0, 1, 1)
    window.until_ply(1)
    window.page.click("#tab-tree")
    window.page.click(".treetools >> text=Comment")
    window.page.fill("#commentdialog textarea", "The centre <b>first</b>.")
    window.page.click("#commentdialog >> text=Keep")
    window.until("() => document.querySelector('.comment')?.textContent === 'The centre <b>first</b>.'")
    window.page.select_option(".treetools select", "!?")
    window.until("() => document.querySelector('.tree b')?.textContent === '!?'")
    with window.page.expect_download() as coming:
        window.key("Control+s")
    path = tmp_path / "saved.study.json"
    coming.value.save_as(path)
    study = json.loads(path.read_text())
    assert study["format"] == "ludisect-study/1"
    (match,) = read_trace(path)  # a line of a trace file with more keys, so its main line can be replayed as it is
    assert replay(ludisect.load("double-tictactoe"), match) == []
    assert study["steps"][0]["moves"] == {"xplayer": "(mark1 2 2)", "oplayer": "noop"}
    assert study["tree"][1] | {"value": 0, "exact": 0} == {
        "id": 1, "parent": 0, "moves": {"xplayer": "(mark1 2 2)", "oplayer": "noop"},
        "comment": "The centre <b>first</b>.", "mark": "!?", "value": 0, "exact": 0,
    }  # fmt: skip
    path.write_text(json.dumps(study | {"mine": 7}))
    window.bench("#/bench/nim:1,2")
    window.key("Control+o")
    window.page.set_input_files("#openfile", path)
    window.page.click("#tab-tree")
    window.until("() => document.querySelector('.comment')?.textContent === 'The centre <b>first</b>.'")
    with window.page.expect_download() as again:
        window.key("Control+s")
    again.value.save_as(path)
    assert json.loads(path.read_text())["mine"] == 7


def test_a_file_with_an_illegal_move_is_refused_with_its_place(window: Window, tmp_path: Path) -> None:
    window.refusals = True
    window.bench()
    bad = {
        "game": "double-tictactoe",
        "tree": [
            {"id": 0, "parent": None},
            {"id": 1, "parent": 0, "moves": {"xplayer": "(mark 4 4)", "oplayer": "noop"}},
        ],
    }
    path = tmp_path / "bad.study.json"
    path.write_text(json.dumps(bad))
    window.key("Control+o")
    window.page.set_input_files("#openfile", path)
    window.until_text(".toast", r"^Move 1 of the file is not legal: \(mark 4 4\)\.$")


def test_parts_of_a_sum_have_values_and_thermographs(window: Window) -> None:
    window.bench("#/bench/sum:domineering%202x2%20%2B%20domineering%203x3").solved()
    window.until("() => document.querySelectorAll('#panel .thermograph').length === 2")
    label = window.page.get_attribute("#panel .thermograph >> nth=0", "aria-label") or ""
    assert label.startswith("Thermograph of ±1: left stop 1, right stop −1, mean 0, temperature 1")
    assert "hottest" in window.text("#panel")
    window.page.click("#panel .thermobutton >> nth=0")
    window.page.wait_for_selector("#thermographdialog svg [data-wall=mast]", state="attached")
    window.page.focus("#thermographdialog input")
    window.key("ArrowRight")
    window.until("() => document.querySelector('#thermographdialog output').textContent.startsWith('at temperature')")
    with window.page.expect_download() as coming:
        window.page.click("#thermographdialog >> text=Save SVG")
    written = Path(coming.value.path()).read_text()
    assert written.startswith("<svg")
    assert "style=" not in written
    with window.page.expect_download() as coming:
        window.page.click("#thermographdialog >> text=Save PNG")
    assert Path(coming.value.path()).read_bytes().startswith(b"\x89PNG")


def test_the_tree_as_text_the_parts_as_json_the_graph_as_a_picture(window: Window) -> None:
    window.bench().taken_apart().solved()
    window.click_square(0, 1, 1)
    window.until_ply(1)
    window.page.click("#tab-tree")
    window.page.click(".treetools >> text=Copy as text")
    window.until("async () => /^1\\. .*mark1 2 2/.test(await navigator.clipboard.readText())")
    window.page.click("#tab-why")
    with window.page.expect_download() as coming:
        window.page.click("#panel >> text=Save the decomposition as JSON")
    parts = ludisect.Decomposition.from_json(ludisect.load("double-tictactoe"), Path(coming.value.path()))
    assert [part.kind for part in parts] == ["dependent", "dependent", "independent"]
    window.page.click(".views >> text=Graph")
    window.page.click(".graphbar >> text=Picture")
    window.page.wait_for_selector("#picturedialog svg")
    with window.page.expect_download() as coming:
        window.page.click("#picturedialog >> text=Save SVG")
    assert Path(coming.value.path()).read_text().startswith("<svg")


def test_a_region_falls_in_two_and_the_largest_keeps_its_number(window: Window) -> None:
    window.bench("#/bench/sum:domineering%202x5").solved()
    assert window.count("#sumline .term") == 1
    window.page.click("[data-move*='c1-c2']")
    window.until_ply(1)
    window.until("() => document.querySelectorAll('#sumline .term').length === 2")
    parts = window.asked("[...document.querySelectorAll('#sumline .term')].map(term => term.dataset.part)")
    assert parts == ["1", "2"]


def test_who_is_to_play_can_be_switched_in_sums_only(window: Window) -> None:
    window.bench(DOMINEERING).solved()
    window.key("t")
    window.until("() => document.querySelectorAll('.segments button')[1].getAttribute('aria-pressed') === 'true'")
    window.bench("#/bench/double-tictactoe").taken_apart()
    window.key("t")
    window.until_text(".toast", r"^The rules say who is to move: xplayer\.$")


def test_two_engines_play_a_sum_to_its_end(window: Window) -> None:
    window.bench("#/bench/sum:domineering%203x3").solved()
    window.page.click(".engines")
    window.page.wait_for_selector("#enginedialog select")
    for select in window.all("#enginedialog tbody select").all()[:2]:
        select.select_option("hotstrat")
    window.page.click("#enginedialog >> text=Start")
    window.until_text("#answer", r"has won")
    assert window.ply() >= 2


def test_a_variable_dragged_into_another_part_is_refuted(window: Window) -> None:
    window.graph("#/graph/double-tictactoe")
    window.page.wait_for_selector(".tie")
    box = window.page.locator(".box[data-id='2'] h3").bounding_box()
    node = window.page.locator(".box[data-id='1'] .node").first.bounding_box()
    assert box
    assert node
    window.page.mouse.move(node["x"] + 10, node["y"] + 10)
    window.page.mouse.down()
    window.page.mouse.move(node["x"] + 60, node["y"] + 30, steps=3)
    window.page.mouse.move(box["x"] + 20, box["y"] + 10, steps=5)
    window.page.mouse.up()
    window.page.wait_for_selector("#refutation .chip.refuted")
    assert "(cell1 1 1 *) does not belong to part 2." in window.text("#refutation")
    window.page.wait_for_selector("#refutation .situation .changed")
    moves = window.all("#refutation figcaption").all_inner_texts()
    assert len(moves) == 2
    assert moves[0][3:] != moves[1][3:]
    window.page.click("#refutation >> [aria-label='The states before']")
    window.until("() => !document.querySelector('#refutation .changed')")
    window.page.click("#refutation >> text=Undo")
    window.until("() => !document.getElementById('refutation')")


def test_the_same_by_menu_and_two_methods_side_by_side(window: Window) -> None:
    window.graph("#/graph/double-tictactoe")
    window.page.focus(".box[data-id='1'] .node >> nth=4")
    window.key("Enter")
    window.page.click("#movemenu >> text=part 2")
    window.page.wait_for_selector("#refutation .chip.refuted")
    window.key("Escape")
    window.page.select_option(".graphbar select >> nth=1", "playouts")
    window.until("() => document.querySelectorAll('.onegraph .boxes').length === 2")
    assert window.count("#edgepanel tbody tr") >= 2


def test_a_broken_sheet_has_its_line_marked_as_one_types(window: Window) -> None:
    window.open("#/rules/double-tictactoe")
    window.page.fill("textarea.code", BROKEN)
    window.page.wait_for_selector(".gutter b.fault")
    assert window.text(".gutter b.fault") == "3"
    assert window.count(".marks mark") >= 1
    assert "1 fault, 1 warning" in window.text(".rulespanel")
    assert "The first is in line 3." in window.text(".rulespanel")
    assert window.page.is_disabled(".rulespanel .primary")
    window.page.click(".faults >> text=mend")
    window.until("() => document.querySelector('textarea.code').value.includes('(cell b)))')")
    window.page.fill(
        "textarea.code",
        BROKEN.replace("mark ?y", "mark b")
        .replace("cel b", "cell b")
        .replace("(<= terminal", "(goal x 100)\n(<= terminal")
        .replace("(goal x 0)\n", ""),
    )
    window.until("() => !document.querySelector('.rulespanel .primary').disabled")
    window.page.click(".rulespanel .primary")
    window.page.wait_for_selector("#boards")


def test_a_long_job_is_cancelled_and_its_process_is_gone(window: Window, bench: BenchServer) -> None:
    window.open("#/run/double-tictactoe")
    window.page.wait_for_selector("form[aria-label=Simulate]")
    window.until("() => document.querySelector('.jobs')")
    window.page.fill("form[aria-label=Simulate] input[name=playouts]", "1000000000")
    window.page.click("form[aria-label=Simulate] button")
    job = running(window)
    window.until_text(job, r"plays|playing")
    worker = bench.born(window.page.get_attribute(job, "data-job") or "")["pid"]
    assert alive(worker)
    window.page.click(f"{job} >> text=Cancel")
    window.page.wait_for_selector(f"{job}[data-state=cancelled]")
    assert "Cancelled; process gone." in window.text(job)
    assert gone([worker])


def running(window: Window) -> str:
    """The simulation that is running, as a selector; other jobs of the page may be running beside it."""
    row = window.page.wait_for_selector("li.job[data-state=running]:has(b:text-is('simulate')):has([role=progressbar])")
    assert row is not None
    return f'[data-job="{row.get_attribute("data-job")}"]'


def test_a_killed_worker_is_told_and_the_rest_goes_on(window: Window, bench: BenchServer) -> None:
    window.open("#/run/double-tictactoe")
    window.page.fill("form[aria-label=Simulate] input[name=playouts]", "1000000000")
    window.page.click("form[aria-label=Simulate] button")
    job = running(window)
    os.kill(bench.born(window.page.get_attribute(job, "data-job") or "")["pid"], signal.SIGKILL)
    window.page.wait_for_selector(f"{job}[data-state=failed]")
    assert "The worker was ended by signal 9. Nothing else was lost." in window.text(job)


def test_a_search_is_cancelled_by_escape(window: Window) -> None:
    window.bench("#/bench/connect-four")
    window.until_text("#answer h2", r"^Working it out: ")
    window.key("Escape")
    window.until_text("#answer h2", r"^Cancelled after .* s\.")
    window.until("() => document.querySelector('#answer button').textContent === '20 s more'")


def test_rules_without_a_move_are_told_on_the_board(window: Window) -> None:
    sheet = """(role x) (role o) (init (cell 1)) (next (cell 2))
(legal x go) (<= (legal o go) (true (cell 1)))
(<= terminal (true (cell 3))) (goal x 0) (goal o 0)"""
    window.open("#/rules/double-tictactoe")
    window.page.fill("textarea.code", sheet)
    window.until("() => !document.querySelector('.rulespanel .primary').disabled")
    window.page.click(".rulespanel .primary")
    window.page.click(".movelist button >> nth=0")
    window.until_text("#answer", r"The rules give no legal move for o here.")


def test_the_server_is_gone_and_comes_back(browser: Browser) -> None:
    first = BenchServer()
    with Window(browser, first.url) as window:
        window.refusals = True
        window.bench().solved()
        first.close()
        window.click_square(0, 0, 0)
        window.page.wait_for_selector(".banner")
        assert (
            window.text(".banner") == "The server is gone. Start `ludisect web` again; this page will go on by itself."
        )
        second = BenchServer("--port", str(first.port))
        window.until("() => !document.querySelector('.banner')")
        window.click_square(0, 0, 0)
        window.until_ply(1)
        second.close()
        assert all("ERR_CONNECTION" in each or "CORS" in each for each in window.complaints), window.complaints


def test_runs_have_live_tables(window: Window) -> None:
    window.open("#/run/nim:1,2")
    window.page.fill("form[aria-label=Simulate] input[name=playouts]", "2000")
    window.page.click("form[aria-label=Simulate] button")
    window.until("() => [...document.querySelectorAll('.result')].some(each => /2,000 plays/.test(each.textContent))")
    window.page.click("form[aria-label=Solve] button")
    window.until("() => [...document.querySelectorAll('.result')].some(each => /nimbers/.test(each.textContent))")
    window.page.fill("form[aria-label=Match] input[name=games]", "2")
    window.page.fill("form[aria-label=Match] input[name=clock]", "0.1")
    window.until("() => document.querySelectorAll('form[aria-label=Match] option').length > 4")
    window.page.click("form[aria-label=Match] button")
    window.page.wait_for_selector(".job[data-state=done] b:text-is('match')")


def test_a_deep_link_leads_to_the_same_place_again(window: Window) -> None:
    window.bench("#/bench/double-tictactoe").solved()
    window.click_square(0, 1, 1)
    window.until_ply(1)
    window.click_square(1, 0, 0)
    window.until_ply(2)
    window.click_square(1, 1, 1)
    window.until_ply(3)
    window.key("ArrowLeft")
    window.until_ply(2)
    window.until("() => /[?&]h=[0-9a-f]{8}/.test(location.hash) && location.hash.includes('at=2')")
    holds = "[...document.querySelectorAll('[role=gridcell]')].map(cell => cell.dataset.holds).join()"
    before = window.asked(holds)
    address = window.asked("location.hash")
    window.page.reload()
    window.until("() => document.querySelector('.plies')?.textContent === 'move 2 of 3'")
    window.until(f"before => {holds} === before", before)
    window.until("address => location.hash === address", address)
    window.page.goto("about:blank")
    window.bench(address.split("?")[0] + "?l=0.zz&at=2")
    window.until_text(".toast", r"^This link was made for other rules: move 2 does not exist here\.$")


def test_a_sheet_travels_in_a_link(window: Window) -> None:
    window.open("#/rules/double-tictactoe")
    sheet = BROKEN.replace("mark ?y", "mark b").replace("cel b", "cell b")
    window.page.fill("textarea.code", sheet)
    window.until("() => !document.querySelector('.rulespanel .primary').disabled")
    window.page.click(".rulespanel .primary")
    window.until("() => location.hash.startsWith('#/bench/z:')")
    address = window.asked("location.hash")
    window.page.goto("about:blank")
    window.open(address)
    window.page.wait_for_selector("#boards")
    window.open("#/rules/" + address.split("/")[2])
    window.until("text => document.querySelector('textarea.code')?.value === text", sheet)


def test_a_ruleset_of_ones_own_has_a_board_and_tells_where_it_breaks(window: Window) -> None:
    window.refusals = True
    window.open("#/rules/double-tictactoe")
    window.page.click("#rules-yours")
    window.page.wait_for_selector("[aria-label='Open crosses']")
    window.page.click("[aria-label='Open crosses']")
    window.page.wait_for_selector("#boards [role=gridcell]")
    assert window.count("#boards [role=gridcell]") == 9
    window.solved()
    window.page.click("#boards [data-stop] >> nth=4")
    window.until_ply(1)
    window.open("#/rules/double-tictactoe")
    window.page.click("#rules-yours")
    window.page.click("[aria-label='Open broken']")
    window.page.wait_for_selector("#boards [role=gridcell]")
    window.page.click("#boards [data-stop] >> nth=0")
    window.until_text(".toast", r"own_rulesets.py, line \d+")


def test_the_palette_and_the_table_of_keys(window: Window) -> None:
    window.bench().taken_apart()
    window.key("Control+k")
    window.page.wait_for_selector("#palettedialog input")
    window.page.keyboard.type("dark")
    window.key("Enter")
    window.until("() => document.documentElement.dataset.theme === 'dark'")
    window.key("?")
    window.page.wait_for_selector("#keysdialog")
    assert window.count("#keysdialog tr") > 25
    window.key("Escape")
    window.key("y")
    window.until_text(".toast", r"^Link copied\.$")
    assert window.asked("navigator.clipboard.readText()").startswith(window.url)
    window.key("s")
    window.until_text(".toast", r"^xplayer to move, 2 parts, 18 moves")


def test_a_bundled_game_is_opened_with_its_parameters(window: Window) -> None:
    window.bench().taken_apart()
    window.key("g")
    window.page.fill("#gamesdialog input[type=search]", "no such game")
    window.until_text("#gamesdialog", r"No game of that name. Paste a rule sheet, or try one of these:")
    window.page.fill("#gamesdialog input[type=search]", "connect")
    window.page.wait_for_selector("[aria-label='Open connect-four']")
    row = window.all(".gamerow:has([aria-label='Open connect-four'])")
    row.locator("input").nth(0).fill("5")
    row.locator("input").nth(1).fill("4")
    row.locator("button").click()
    window.until("() => document.querySelectorAll('#boards [role=gridcell]').length === 20")


def test_no_stream_stays_open_without_jobs(window: Window) -> None:
    window.bench().solved()
    window.page.wait_for_load_state("networkidle")
    assert (
        window.asked("performance.getEntriesByType('resource').filter(entry => entry.name.includes('/events')).length")
        <= 1
    )
