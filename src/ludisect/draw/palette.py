"""Colours that people with any kind of colour vision can tell apart, and how edges of each kind are drawn.

The seven base colours are those of M. Okabe and K. Ito, "Color Universal Design", 2002 (revised 2008). From the eighth
part on they come back lighter, then darker; every coloured thing also carries its number.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.decomposition.model.dependency import EdgeKind

INK, FAINT, PAPER, GREY, ALARM = "#1b1f24", "#57606a", "#ffffff", "#c9ced4", "#b3400a"
"""Text, lesser text, ground, what belongs to no part, bad news."""

BASE = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00")


def color(part: int) -> str:
    """The colour of the part at this place; negative for what belongs to none."""
    if part < 0:
        return GREY
    base, turn = BASE[part % len(BASE)], part // len(BASE) % 3
    return (base, mix(base, "#ffffff", 0.5), mix(base, "#000000", 0.35))[turn]


def mix(a: str, b: str, share: float) -> str:
    """``a`` with a share of ``b``."""
    return "#" + "".join(
        f"{round(int(a[k : k + 2], 16) * (1 - share) + int(b[k : k + 2], 16) * share):02x}" for k in (1, 3, 5)
    )


def luminance(a: str) -> float:
    """Relative luminance (WCAG 2), 0 for black and 1 for white."""
    parts = [int(a[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio (WCAG 2), 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: str) -> str:
    """Black or white, whichever is easier to read on this ground."""
    return max(("#000000", PAPER), key=lambda ink: contrast(ink, ground))


@dataclass(frozen=True, slots=True)
class Stroke:
    """How the edges of a kind look, and what they mean."""

    color: str
    dash: str | None
    head: str
    width: float
    meaning: str


STROKES: dict[EdgeKind, Stroke] = {
    "precondition": Stroke("#57606a", "5 3", "arrow", 1.3, "is a precondition of"),
    "positive": Stroke("#0072b2", None, "arrow", 1.5, "makes true"),
    "negative": Stroke("#d55e00", None, "bar", 1.5, "makes false"),
    "effect": Stroke("#1b1f24", None, "dot", 1.5, "changes"),
    "dependency": Stroke("#57606a", None, "chevron", 1.3, "has a say in what happens to"),
    "goal": Stroke("#9c3f78", "1.5 3", "none", 2.0, "are needed together by the score"),
    "serial": Stroke("#1b1f24", "9 3", "arrow", 2.4, "has to be over before"),
}
"""No two kinds share dash and end, so that none are told apart by colour alone."""
