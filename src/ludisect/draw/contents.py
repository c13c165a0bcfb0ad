"""What lies on a square, in words, and the signs that are drawn for words: marks, stones, pawns, letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ludisect.draw.boards import Board
from ludisect.gdl.terms import Term

_EMPTY = ("empty", "blank")
_OFTEN_EMPTY = ("b", "e", "dirt", "free", "green", "none", "nil", "null", "open")
"""Words for an empty square if they hold on half the board or more when play begins; ``b`` can also be black."""

_FREE = ("free", "empty", "open", "vacant", "blank")
"""Names of fluents that say of a square that nothing is there."""

_WALL = ("wall", "blocked", "hole", "burnt")
_MARKS = {"x": "cross", "o": "nought"}
_PIECES = ("pawn", "king")

TAKEN = "taken"
"""What a square holds that is not free, and on which nothing else is known to lie."""


def content(term: Term, board: Board) -> str:
    """The arguments of a fluent that say what lies on its square; the fluent's name if there are none."""
    return " ".join(str(term.args[k]) for k in board.contents) if board.contents else term.name


def empty_words(board: Board, fluents: Sequence[Term], start: Collection[Term]) -> frozenset[str]:
    """The words that stand for nothing on this board."""
    words = {content(fluents[f], board) for cell in board.cells.values() for f in cell.fluents}
    if not board.contents:
        return frozenset(words) if tells_free(board) else frozenset()
    sure = frozenset(word for word in words if word.lower() in _EMPTY)
    if sure:
        return sure
    held = Counter(
        content(fluents[f], board) for cell in board.cells.values() for f in cell.fluents if fluents[f] in start
    )
    return frozenset(
        word for word, n in held.most_common(1) if word.lower() in _OFTEN_EMPTY and 2 * n >= len(board.cells)
    )


def tells_free(board: Board) -> bool:
    """Whether the board's fluents say of squares that they are free."""
    return not board.contents and board.symbol.lower() in _FREE


def signs(
    layers: Sequence[Board], words: Mapping[str, Sequence[str]], roles: Sequence[str], lasting: Collection[str]
) -> dict[str, str]:
    """The sign for each word: ``words`` has those of every symbol, without the empty ones.

    ``lasting`` are symbols whose fluents stay true: beside other layers they are marks on the ground.
    """
    out: dict[str, str] = {}
    for layer in layers:
        mine = list(words.get(layer.symbol, ()))
        if not layer.contents:
            ground = len(layers) > 1 and layer.symbol in lasting
            glyph = "blocked" if layer.symbol.lower() in _WALL else "mark" if ground else "counter"
            out |= dict.fromkeys(mine, glyph)
            continue
        if mine and {w.lower() for w in mine} <= _MARKS.keys():
            out |= {w: _MARKS[w.lower()] for w in mine}
            continue
        sides = _sides(mine, roles)
        shape = layer.symbol.lower() if layer.symbol.lower() in _PIECES else ""
        for word in mine:
            side = sides.get(word)
            if side is None or len(sides) > 2:
                out[word] = "letter"
            elif len(roles) == 2 and (animal := roles[side].lower().removesuffix("s")) in ("toad", "frog"):
                out[word] = animal
            elif shape or word.lower() in ("white", "black"):
                colour = word.lower() if word.lower() in ("white", "black") else ("white", "black")[side]
                out[word] = f"{shape or 'stone'}-{colour}"
            else:
                out[word] = f"stone-{('first', 'second')[side]}"
    return out


def _sides(words: Sequence[str], roles: Sequence[str]) -> dict[str, int]:
    """Which player's piece a word is: it is a role's name, the beginning of one, or one of two words."""
    if len(roles) == 2:
        for match in (str.__eq__, lambda role, word: role.startswith(word)):
            found = {w: [i for i, role in enumerate(roles) if match(role.lower(), w.lower())] for w in words}
            told = {w: places[0] for w, places in found.items() if len(places) == 1}
            if told and len(set(told.values())) == len(told):
                rest = [w for w in words if w not in told]
                if len(told) == 1 and len(rest) == 1:
                    told[rest[0]] = 1 - next(iter(told.values()))
                return told
    return dict(zip(sorted(words), (0, 1), strict=False)) if 1 <= len(words) <= 2 and len(roles) <= 2 else {}
