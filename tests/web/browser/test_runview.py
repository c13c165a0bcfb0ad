"""Sweeps and matches of strategies in the page, with their tables."""

from __future__ import annotations

from tests.web.browser.window import Window


def test_a_sweep_has_a_row_for_every_game(window: Window) -> None:
    window.open("#/run/sum:nim%203")
    window.page.wait_for_selector("form[aria-label=Sweep]")
    window.until("() => document.querySelector('.jobs').textContent === 'Nothing running.'")
    window.page.fill("form[aria-label=Sweep] input[name=games]", "nim:1,2 tictactoe")
    window.page.select_option("form[aria-label=Sweep] select", "solve")
    window.page.click("form[aria-label=Sweep] button")
    window.page.wait_for_selector(".job[data-state=done] .result tbody tr >> nth=1")
    rows = window.all(".job .result tbody tr").all_inner_texts()
    assert [row.split()[:2] for row in rows] == [["nim:1,2", "done"], ["tictactoe", "done"]]
    assert window.text(".job .result p") == "done 2"


def test_strategies_meet_on_a_sum(window: Window) -> None:
    window.open("#/run/sum:domineering%202x2%20%2B%20nim%201")
    window.page.wait_for_selector("form[aria-label=Match] option", state="attached")
    assert window.count("form[aria-label=Simulate]") == 0
    window.page.click("form[aria-label=Match] button")
    window.page.wait_for_selector(".job[data-state=done] .result tbody tr >> nth=3")
    rows = [row.split()[:3] for row in window.all(".job .result tbody tr").all_inner_texts()]
    assert rows == [
        ["optimal", "hotstrat", "left"], ["optimal", "hotstrat", "right"],
        ["hotstrat", "optimal", "left"], ["hotstrat", "optimal", "right"],
    ]  # fmt: skip
