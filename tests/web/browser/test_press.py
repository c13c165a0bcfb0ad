"""A press is never lost: nothing is drawn anew between press and release, and all of it afterwards."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.browser.test_texts import JOBS, held, let_go
from tests.web.browser.window import Window

REDRAWN = """async () => {
  const { tell } = await import('/page/store.js');
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  tell('node values look choices parts game size jobs');
  await frame();
  await frame();
  return document.querySelectorAll('[data-mine]').length;
}"""


def test_values_that_come_between_press_and_release_take_no_click_away(window: Window) -> None:
    window.bench().solved()
    square = '[role=gridcell][data-board="0"][data-row="1"][data-column="1"]'
    window.asked(f"document.querySelector('{square}').dataset.mine = document.querySelector('.best').dataset.mine = ''")
    box = window.page.locator(square).bounding_box()
    assert box
    window.page.mouse.move(box["x"] + 20, box["y"] + 20)
    window.page.mouse.down()
    assert window.asked(REDRAWN) == 2  # neither board nor panels are new
    window.page.mouse.up()
    window.until_ply(1)
    window.until("() => !document.querySelector('[data-mine]')")
    assert window.page.get_attribute(square, "data-holds") == "x"
    window.key("ArrowLeft")
    window.until_ply(0)


def test_values_of_another_version_are_grey_until_they_are_found_anew(window: Window, tmp_path: Path) -> None:
    moves = {"player1": "(reduce a 0)", "player2": "noop"}, {"player1": "(reduce b 1)", "player2": "noop"}
    tree = [
        {"id": 0, "parent": None},
        {"id": 1, "parent": 0, "moves": moves[0], "value": {"player1": 7, "player2": 93}, "exact": True},
        {"id": 2, "parent": 1, "moves": {"player1": "noop", "player2": "(reduce b 0)"}, "value": {"player1": 8}},
    ]
    path = tmp_path / "old.study.json"
    path.write_text(json.dumps({"game": "nim:1,2", "version": "0.0.1", "tree": tree, "at": 0}))
    window.bench("#/bench/double-tictactoe?tab=tree")
    routes = held(window, JOBS)
    window.key("Control+o")
    window.page.set_input_files("#openfile", path)
    window.until("() => document.querySelectorAll('.knotvalue.old').length === 2")
    assert window.all(".knotvalue.old").all_inner_texts() == ["7", "8"]
    assert window.count(".chart .dot.old") == 1  # the last position tells its goals itself
    let_go(window, JOBS, routes)
    window.until("() => !document.querySelector('.knotvalue.old')")
    assert window.all(".knotvalue").all_inner_texts() == ["0", "0"]
    assert "7" not in window.all(".chart text").all_inner_texts()
