"""Pieces of the server on their own: the ring of events, files of the page, words of commands."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ludisect.settings import using
from ludisect.web.eventring import EventRing
from ludisect.web.limits import WebLimits
from ludisect.web.orders import KINDS, OPTIONS, check_options, command_words
from ludisect.web.pagefiles import FIRST, PageFile, read_files, with_first
from ludisect.web.problems import Refusal
from tests.loops import run_apart


def followed(ring: EventRing, page: str, after: int | None, count: int) -> list[tuple[int, str]]:
    async def some() -> list[tuple[int, str]]:
        out: list[tuple[int, str]] = []
        async for event in ring.follow(page, after):
            out.append((event.number, event.kind))
            if len(out) == count:
                break
        return out

    return run_apart(asyncio.wait_for(some(), 60))


def test_the_ring_keeps_the_last_events_of_each_page() -> None:
    with using(WebLimits(events_kept=5)):
        ring = EventRing()
        for number in range(20):
            ring.put("a" if number % 2 else "b", f"event {number}", {})
        assert followed(ring, "a", 0, 5) == [(n + 1, f"event {n}") for n in (11, 13, 15, 17, 19)]
        assert followed(ring, "a", 16, 2) == [(18, "event 17"), (20, "event 19")]


def test_who_follows_hears_what_comes() -> None:
    async def both() -> list[str]:
        ring, heard = EventRing(), list[str]()
        ring.put("a", "before", {})

        async def listen() -> None:
            async for event in ring.follow("a", None):
                heard.append(event.kind)

        task = asyncio.create_task(listen())
        await asyncio.sleep(0)
        for kind in ("one", "two"):
            ring.put("a", kind, {})
            await asyncio.sleep(0)
        ring.close()
        await asyncio.wait_for(task, 60)
        return heard

    assert run_apart(both()) == ["one", "two"]


def test_the_oldest_pages_are_forgotten() -> None:
    with using(WebLimits(pages=3)):
        ring = EventRing()
        for name in "abcd":
            ring.put(name, "x", {})
        assert followed(ring, "d", 0, 1) == [(4, "x")]
        assert followed(ring, "b", 0, 1) == [(2, "x")]
        ring.put("a", "y", {})  # it begins anew
        assert followed(ring, "a", 0, 1) == [(5, "y")]


def test_nothing_in_the_first_game_ends_its_element() -> None:
    page = PageFile("text/html", f"<head>{FIRST}</head>".encode())
    data = {"game": "</script><script>alert(1)</script>", "value": "\u2028", "text": "null"}
    text = with_first(page, data).body.decode()
    inside = text.partition('id="first">')[2].partition("</script>")[0]
    assert json.loads(inside) == data
    assert text.count("<script") == 1
    assert with_first(page, None) is page


def test_the_page_has_a_place_for_the_first_game(tmp_path: Path) -> None:
    assert FIRST in read_files()["index.html"].body.decode()
    (tmp_path / "notes.txt").write_text("not served")
    (tmp_path / "x.js").write_text("0")
    assert list(read_files(tmp_path)) == ["x.js"]


@pytest.mark.parametrize("command", sorted(OPTIONS))
def test_every_option_is_one_of_the_command(command: str) -> None:
    """What the page may set is what the command line takes; clocks and the games of a sweep have other names there."""
    if command in ("values", "play"):
        return
    from importlib import import_module

    from ludisect.cli.commands import COMMANDS
    from ludisect.cli.options import Parser

    parser = Parser(command, COMMANDS[command].takes, "")
    import_module(f"ludisect.cli.{command}").options(parser)
    known = {action.dest for action in parser._actions}
    other = {"clock": "seconds", "games": "games" if command == "match" else "words"}
    assert {other.get(name, name) for name in OPTIONS[command]} <= known


def test_words_of_commands() -> None:
    job: dict[str, Any] = {"command": "solve", "options": {"by": "whole"}, "seconds": 5.0, "memory": 1.0}
    words = command_words(job, {"kind": "rules", "name": "nim:3,5"}, None)["words"]
    assert words == ["solve", "nim:3,5", "--seconds", "5.0", "--memory", "1.0", "--by", "whole", "--json"]
    sheet = command_words(job, {"kind": "rules", "name": "x", "text": "(role x)"}, {"state": ["(a 1)", "b"]})
    assert (sheet["words"][:4], sheet["input"]) == (["solve", "-", "--state", "<state>"], "(role x)")
    assert sheet["held"] == {"state": "(a 1)\nb"}
    match = {**job, "command": "match", "options": {"players": ["parts", "random"], "clock": 0.5, "games": 3}}
    words = command_words(match, {"kind": "rules", "name": "nim:3,5"}, None)["words"]
    assert words == ["match", "nim:3,5", "parts", "random", "--seconds", "0.5", "--games", "3", "--json"]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_options_are_checked_one_by_one(kind: str) -> None:
    for command in KINDS[kind]:
        for name, value in [("nix", 1), *((name, object()) for name in OPTIONS[command])]:
            with pytest.raises(Refusal):
                check_options(command, kind, {"fen": "8/8"}, {name: value})
