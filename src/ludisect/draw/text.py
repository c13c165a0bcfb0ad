"""How wide text will be, so that everything can be placed before it is drawn, and cutting it to a given room.

The table holds DejaVu Sans, the widest of the sans-serif faces in common use, rounded up: in a narrower face the same
text leaves some air, and never runs out of its box.
"""

from __future__ import annotations

import re

FACE = "system-ui, Segoe UI, DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
SERIF = "STIX Two Text, Noto Serif, DejaVu Serif, Cambria, Georgia, serif"
"""For values of games."""

_EMS = {
    0.28: "'ijl⁄",
    0.30: "IJ",
    0.32: " ,.·\N{NO-BREAK SPACE}",
    0.34: "/:;\\|",
    0.36: "f",
    0.38: "-",
    0.40: "()[]t",
    0.42: "!r",
    0.46: '"',
    0.50: "*_`–",
    0.54: "?sz",
    0.56: "Lc",
    0.58: "Fk",
    0.60: "vxy",
    0.62: "PTYaeo",
    0.64: "$0123456789ESbdghnpqu{}",
    0.66: "K",
    0.70: "ABCRVXZ",
    0.74: "U",
    0.76: "HN",
    0.78: "&DG",
    0.80: "OQ",
    0.82: "w",
    0.84: "#+<=>^~×→↓←↑−±∗≈✓",
    0.88: "M",
    0.96: "%□✕",
    0.98: "m",
    1.00: "@W…",
}
_WIDTH = {c: ems for ems, characters in _EMS.items() for c in characters}
_OTHER = 1.05
"""Any other character: as wide as those of Chinese and Japanese, which fill a square."""
_BOLD = 1.18


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The room that a line of text needs at most, in the units of ``size``."""
    return sum(_WIDTH.get(c, _OTHER) for c in text) * size * (_BOLD if bold else 1.0)


def fit(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, or as much of it as fits before an ellipsis."""
    if text_width(text, size, bold=bold) <= room:
        return text
    while text and text_width(text + "…", size, bold=bold) > room:
        text = text[:-1]
    return text + "…"


def wrap(text: str, size: float, room: float) -> list[str]:
    """Lines broken at spaces; a single word that is too long is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(fit(word, size, room))
    return lines


def typeset(text: str) -> str:
    """A value of games as it is printed: minus signs, stars, slashes of fractions, air around the bars of options."""
    spaced = re.sub(r"\s*(\|+)\s*", r" \1 ", text)
    return re.sub(r"(?<=\d)/(?=\d)", "⁄", spaced).replace("-", "−").replace("*", "∗")
