"""The documents as a site: every page has its place, every link leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """``--strict`` fails for links and anchors that lead nowhere, and for pages without a place in the contents."""
    pytest.importorskip("mkdocs", reason="make docs installs it")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for page in (ROOT / "docs").glob("*.md"):
        assert (tmp_path / "site" / f"{page.stem}.html").exists()


def test_links_lead_to_pages_and_pictures_of_the_site() -> None:
    """The same without mkdocs: a file outside of the documents would not be on the site."""
    docs = ROOT / "docs"
    found = 0
    for page in docs.rglob("*.md"):
        text = re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"))
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"https?://|#", link):
                target = (page.parent / link.partition("#")[0]).resolve()
                assert target.is_file(), f"{page.name}: {link}"
                assert target.is_relative_to(docs), f"{page.name}: {link}"
                found += 1
    assert found > 50
