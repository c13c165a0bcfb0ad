"""The colours of pictures and pages: eight of parts, others of surfaces, text, players, verdicts; themes.

The eight were chosen so that the smallest distance between two of them, for people with normal sight and with each of
the three kinds of colour blindness, is as great as can be (OKLab; Machado, Oliveira and Fernandes 2009). From the ninth
part on they come back with a pattern; what is coloured always carries its number, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

ThemeName = Literal["light", "dark", "page"]
Pattern = Literal["", "hatch", "dots", "grey"]

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "light": ("#1148b3", "#ec6100", "#459e8c", "#b966ea", "#755900", "#900b69", "#5b3922", "#697073"),
        "dark": ("#4eb0f9", "#f99001", "#9df5e1", "#795ed7", "#fbe444", "#ba4e61", "#dab197", "#8797a7"),
    }
)
"""The colours of parts 1 to 8: blue, orange, teal, violet, olive or yellow, plum or rose, brown or sand, slate."""

CONTEXT = 8
"""The colour of what runs by itself: slate."""

_NIGHT, _WHITE = "#0d0f12", "#ffffff"

TONES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "light": {
            "ground": "#f4f5f7", "surface": "#ffffff", "ink": "#14181e", "ink2": "#4a5462", "edge": "#7d8794",
            "line": "#d7dce3", "focus": "#1148b3", "left": "#1d5fc2", "right": "#c0301f", "both": "#2e7d4f",
            "piece": "#5d6876", "hollow": "#eef1f4", "shade": "#eceff3",
            "white": "#ffffff", "black": "#4a5462", "rim": "#14181e",
            "proved": "#0a6b3b", "proved-ground": "#e2f3e9", "tested": "#7a5000", "tested-ground": "#fdf0d5",
            "refuted": "#a3190c", "refuted-ground": "#fce8e5", "guessed": "#4a5462", "guessed-ground": "#eceff3",
        },
        "dark": {
            "ground": "#0f1216", "surface": "#171a20", "ink": "#e9ecf1", "ink2": "#aeb7c4", "edge": "#8590a0",
            "line": "#313845", "focus": "#8cc8ff", "left": "#7fb4ff", "right": "#ff8f80", "both": "#7fe0aa",
            "piece": "#8f9aa8", "hollow": "#232932", "shade": "#262c36",
            "white": "#e9ecf1", "black": "#3a4350", "rim": "#aeb7c4",
            "proved": "#7fe0aa", "proved-ground": "#143524", "tested": "#f5c66b", "tested-ground": "#3a2c0c",
            "refuted": "#ff9c90", "refuted-ground": "#421a16", "guessed": "#aeb7c4", "guessed-ground": "#262c36",
        },
    }
)  # fmt: skip
"""By theme and name: surfaces, text (``ink``, lesser ``ink2``), lines, players, pieces, verdicts and their grounds."""

FILL = {"light": 0.13, "dark": 0.20}
"""How much of a part's colour is in the ground of its squares."""


def base(part: int) -> int:
    """Which of the eight colours a part has, from 1."""
    return (part - 1) % len(PARTS["light"]) + 1


def pattern(part: int) -> Pattern:
    """What tells a part from the earlier ones of its colour; beyond the third eight all are grey."""
    patterns: tuple[Pattern, ...] = ("", "hatch", "dots")
    turn = (part - 1) // len(PARTS["light"])
    return patterns[turn] if turn < len(patterns) else "grey"


def part_colour(part: int, theme: str = "light") -> str:
    """The colour of a part, by its number."""
    return TONES[theme]["edge"] if pattern(part) == "grey" else PARTS[theme][base(part) - 1]


def part_fill(part: int, theme: str = "light") -> str:
    """The ground of a part's squares."""
    return mix(part_colour(part, theme), TONES[theme]["surface"], 1 - FILL[theme])


def ink_on(ground: str) -> str:
    """Text on a colour: nearly black or white; white wherever it can be read well."""
    return _WHITE if contrast(_WHITE, ground) >= 4.5 else _NIGHT


def mix(a: str, b: str, share: float) -> str:
    """``a`` with a share of ``b``."""
    return "#" + "".join(
        f"{round(int(a[k : k + 2], 16) * (1 - share) + int(b[k : k + 2], 16) * share):02x}" for k in (1, 3, 5)
    )


def linear(a: str) -> tuple[float, float, float]:
    """Red, green and blue as amounts of light, 0 to 1."""
    r, g, b = (int(a[k : k + 2], 16) / 255 for k in (1, 3, 5))
    out = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return out[0], out[1], out[2]


def luminance(a: str) -> float:
    """Relative luminance (WCAG 2), 0 for black and 1 for white."""
    r, g, b = linear(a)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """Contrast ratio (WCAG 2), 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)
