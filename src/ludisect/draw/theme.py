"""Themes: the same drawing with colours written in, light or dark, or with classes whose colours a page gives.

A tone is a name: ``ink``, ``line``, ``proved-ground`` (:data:`ludisect.draw.palette.TONES`), ``part-3``,
``part-3-fill`` and ``part-3-ink`` (on the part's colour). On a page ``f-TONE`` fills and ``s-TONE`` strokes;
:func:`stylesheet` has the rules for all of them, with variables for both themes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ludisect.draw.palette import (
    FILL,
    PARTS,
    TONES,
    ThemeName,
    base,
    ink_on,
    part_colour,
    part_fill,
    pattern,
)
from ludisect.errors import InputError

Attributes = dict[str, str | float | None]

_PART = re.compile(r"part-(\d+)(-fill|-ink)?")


@dataclass(frozen=True, slots=True)
class Theme:
    """How tones become attributes of SVG elements."""

    name: ThemeName

    def paint(self, fill: str | None = None, stroke: str | None = None, width: float | None = None) -> Attributes:
        """Attributes for a shape that is filled and stroked in some tones; None for nothing of the kind."""
        out: Attributes = {}
        classes = []
        for kind, tone in (("fill", fill), ("stroke", stroke)):
            if tone is None:
                if kind == "fill":
                    out["fill"] = "none"
            elif self.name == "page":
                classes.append(f"{kind[0]}-{_page_tone(tone)}")
            else:
                out[kind] = self.colour(tone)
        if stroke is not None and width is not None:
            out["stroke_width"] = width
        return {"class_": " ".join(classes), **out} if classes else out

    def colour(self, tone: str) -> str:
        """The colour of a tone; of a page's theme there is none to be told."""
        part = _PART.fullmatch(tone)
        if part is None:
            return TONES[self.name][tone]
        number = int(part[1])
        strong = part_colour(number, self.name)
        return {"": strong, "-fill": part_fill(number, self.name), "-ink": ink_on(strong)}[part[2] or ""]


def theme_of(name: str) -> Theme:
    """The theme of this name.

    Raises:
        InputError: there is none.
    """
    if name not in ("light", "dark", "page"):
        raise InputError(f"a theme is light, dark or page, not {name!r}")
    return Theme(name)  # type: ignore[arg-type]


def _page_tone(tone: str) -> str:
    """The eight colours have names on a page; parts with a pattern share them, those beyond are grey."""
    part = _PART.fullmatch(tone)
    if part is None:
        return tone
    number, what = int(part[1]), part[2] or ""
    return f"part-0{what}" if pattern(number) == "grey" else f"part-{base(number)}{what}"


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The style sheet for pictures of the theme ``page``: variables of both themes, and a rule for every tone.

    Dark is what the system prefers, unless the root element says ``data-theme="light"`` or ``data-theme="dark"``.
    """
    light, dark = (" ".join(f"--{tone}:{colour};" for tone, colour in _variables(name)) for name in ("light", "dark"))
    rules = [f".f-{tone}{{fill:var(--{tone})}}.s-{tone}{{stroke:var(--{tone})}}" for tone, _ in _variables("light")]
    return "\n".join(
        [
            f":root{{color-scheme:light;{light}}}",
            f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{color-scheme:dark;{dark}}}}}',
            f':root[data-theme="dark"]{{color-scheme:dark;{dark}}}',
            *rules,
        ]
    )


def _variables(name: str) -> list[tuple[str, str]]:
    out = list(TONES[name].items())
    grey = TONES[name]["edge"]
    for number, strong in enumerate((grey, *PARTS[name])):
        fill = part_fill(number, name) if number else part_fill(25, name)
        out += [(f"part-{number}", strong), (f"part-{number}-fill", fill), (f"part-{number}-ink", ink_on(strong))]
    return out


assert FILL.keys() == PARTS.keys() == TONES.keys()
