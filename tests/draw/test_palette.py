"""The colours: told apart by everybody, readable, and those of the table, so that nobody changes one unseen."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from ludisect.draw.palette import (
    PARTS,
    TONES,
    base,
    contrast,
    ink_on,
    linear,
    part_colour,
    part_fill,
    pattern,
)
from ludisect.draw.theme import Theme, stylesheet, theme_of
from ludisect.errors import InputError

SIGHT = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What people see of red, green and blue light: Machado, Oliveira and Fernandes 2009, Table 1, severity 1."""


def oklab(light: np.ndarray) -> np.ndarray:
    """Ottosson's colour space, in which distances are as people see them."""
    lms = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    out: np.ndarray = lab @ np.cbrt(lms @ light)
    return out


def nearest(colours: tuple[str, ...]) -> float:
    """The smallest distance of two colours, for any kind of sight."""
    found = []
    for matrix in SIGHT.values():
        seen = [oklab(np.clip(np.array(matrix) @ np.array(linear(c)), 0, 1)) for c in colours]
        found += [float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)]
    return min(found)


@pytest.mark.parametrize(("theme", "least"), [("light", 0.097), ("dark", 0.111)])
def test_parts_are_told_apart_with_any_kind_of_sight(theme: str, least: float) -> None:
    assert round(nearest(PARTS[theme]), 3) >= least


def test_the_yardstick_knows_a_worse_set() -> None:
    """The seven colours of Okabe and Ito, as they were used before, lie nearer to each other."""
    old = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00")
    assert round(nearest(old), 3) == 0.076


ON_SURFACE = {
    "light": (8.1, 3.4, 3.2, 3.4, 6.6, 8.6, 10.2, 5.0),
    "dark": (7.4, 7.5, 13.8, 3.7, 13.5, 3.6, 8.9, 5.8),
}
BADGES = {"light": (8.1, 5.7, 6.0, 5.6, 6.6, 8.6, 10.2, 5.0), "dark": (8.1, 8.2, 15.0, 4.8, 15.0, 4.8, 9.8, 6.4)}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrasts_of_parts(theme: str) -> None:
    for colour, on_surface, on_badge in zip(PARTS[theme], ON_SURFACE[theme], BADGES[theme], strict=True):
        assert contrast(colour, TONES[theme]["surface"]) == pytest.approx(on_surface, abs=0.35)
        assert contrast(colour, TONES[theme]["surface"]) >= 3
        assert contrast(colour, ink_on(colour)) == pytest.approx(on_badge, abs=0.35)
        assert contrast(colour, ink_on(colour)) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_wherever_it_stands(theme: str) -> None:
    tones = TONES[theme]
    for number in range(1, 30):
        ground = part_fill(number, theme)
        assert contrast(tones["ink"], ground) >= 8.3
        assert contrast(tones["ink2"], ground) >= 4.5
    for ground in ("ground", "surface", "hollow", "shade"):
        assert contrast(tones["ink"], tones[ground]) >= 11
        assert contrast(tones["ink2"], tones[ground]) >= 4.5
    for verdict in ("proved", "tested", "refuted", "guessed"):
        assert contrast(tones[verdict], tones[f"{verdict}-ground"]) >= 5.5
    for player in ("left", "right", "both"):
        assert contrast(tones[player], tones["surface"]) >= 4.5
    for piece in ("piece", "edge", "rim"):
        assert contrast(tones[piece], tones["surface"]) >= 3
    assert contrast(tones["piece"], tones["hollow"]) >= 3


def test_the_ninth_part_has_a_pattern_and_the_twenty_fifth_is_grey() -> None:
    assert [pattern(n) for n in (1, 8, 9, 16, 17, 24, 25, 400)] == [
        "", "", "hatch", "hatch", "dots", "dots", "grey", "grey",
    ]  # fmt: skip
    assert [base(n) for n in (1, 8, 9, 17)] == [1, 8, 1, 1]
    assert part_colour(9) == part_colour(1)
    assert part_colour(25) == TONES["light"]["edge"]


# ---- themes ----


def test_a_page_gets_classes_and_the_others_colours() -> None:
    assert theme_of("light").paint("ink", "part-2", 3) == {"fill": "#14181e", "stroke": "#ec6100", "stroke_width": 3}
    assert theme_of("dark").paint(None, "part-2") == {"fill": "none", "stroke": "#f99001"}
    assert Theme("page").paint("part-11-fill", "line", 1) == {"class_": "f-part-3-fill s-line", "stroke_width": 1}
    assert Theme("page").paint("part-30-ink") == {"class_": "f-part-0-ink"}
    with pytest.raises(InputError, match="a theme is light, dark or page, not 'sepia'"):
        theme_of("sepia")


def test_the_style_sheet_has_every_tone_in_both_themes() -> None:
    sheet = stylesheet()
    for theme in ("light", "dark"):
        for tone, colour in TONES[theme].items():
            assert f"--{tone}:{colour};" in sheet
        for number, colour in enumerate(PARTS[theme], 1):
            assert f"--part-{number}:{colour};" in sheet
    defined, used = set(re.findall(r"--([\w-]+):", sheet)), set(re.findall(r"var\(--([\w-]+)\)", sheet))
    assert used == defined
