"""The formulations of published methods: which there are, what differs, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import ludisect
from ludisect.decomposition.methods import VARIANTS
from ludisect.decomposition.rules.arguments import Heuristic
from ludisect.decomposition.statistics.metaactions import Cutting
from ludisect.errors import InputError


def test_the_variants_are_those_that_the_methods_take() -> None:
    assert VARIANTS["instances"] == get_args(Heuristic)
    assert VARIANTS["playouts"] == get_args(Cutting)


@pytest.mark.parametrize(
    ("name", "method", "playouts", "parts"),
    [
        ("domineering:2x3,4x4", "instances", 50, (1, 2)),
        ("parallel-tictactoe", "playouts", 100, (2, 1)),
        ("parallel-tictactoe", "playouts", 1000, (2, 2)),
    ],
)
def test_what_differs(name: str, method: str, playouts: int, parts: tuple[int, int]) -> None:
    game = ludisect.load(name)
    found = [ludisect.decompose(game, method=method, variant=v, playouts=playouts) for v in VARIANTS[method]]
    assert tuple(d.counts[0] for d in found) == parts
    assert [any("variant" in note for note in d.notes) for d in found] == [False, True]
    assert found[0].to_json()["subgames"] == ludisect.decompose(
        game, method=method, playouts=playouts
    ).to_json()["subgames"]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "variant", "said"),
    [
        ("exact", "thesis", "the method 'exact' has no variants"),
        ("symbols", "paper", "the method 'symbols' has no variants"),
        ("instances", "letter", "the method 'instances' has no variant 'letter'; choose from paper, thesis"),
        ("playouts", "paper", "the method 'playouts' has no variant 'paper'; choose from nested, letter"),
    ],
)
def test_what_is_refused(method: str, variant: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        ludisect.decompose(ludisect.load("relay"), method=method, variant=variant)


@pytest.mark.corpus
def test_an_unseen_effect_ties_by_the_letter(corpus: Path) -> None:
    """Two towers of blocks moved at once: after 1000 plays some compound move has not shown all its effects."""
    game = ludisect.load(str(corpus / "games" / "blocksWorldParallel.kif"))
    found = [ludisect.decompose(game, method="playouts", variant=v).counts[0] for v in ("nested", "letter")]
    assert found == [2, 1]
    more = ludisect.decompose(game, method="playouts", variant="letter", playouts=20_000)
    assert more.counts[0] == 2
