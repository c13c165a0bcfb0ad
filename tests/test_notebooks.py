"""The notebooks in examples/ run from top to bottom, are kept without outputs, and show what they speak of."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import ludisect

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

SHOWN = {
    "tour": {"image/svg+xml", "text/html"},
    "decomposition_with_proofs": {"image/svg+xml"},
    "combinatorial_games": {"image/svg+xml", "text/html", "text/latex"},
    "a_player": {"image/svg+xml"},
}
"""Kinds of pictures that the cells of each notebook give, beside text."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(ludisect.__file__).parents[1])])})
    outputs = [o for cell in book.cells if cell.cell_type == "code" for o in cell.outputs]
    assert not [o for o in outputs if o.get("name") == "stderr"]
    kinds = {kind for o in outputs if o.output_type == "execute_result" for kind in o.data}
    assert SHOWN[path.stem] <= kinds


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(data))
    code = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_page_lists_them() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS
    assert all(f"({path.name})" in page for path in NOTEBOOKS)


def test_an_answer_shows_its_moves() -> None:
    told = ludisect.solve("nim:1,2")._repr_html_()
    assert "<td>best</td><td>player1</td><td>(reduce b 1)</td><td>2</td><td>100</td><td>0</td>" in told
    assert "style=" not in told
    assert "1: a1-a2" in ludisect.solve("domineering 2x3 + {3|-1}")._repr_html_()
