"""What a release needs is missed if it is missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import ludisect
from tests.release.ready import ROOT, unclean, untold, version_of

GOOD = "# Changelog\n\n## Unreleased\n\n## 1.2.0 (May)\n- A thing.\n\n## 1.1.0\n- Another.\n"


def test_the_version_is_the_one_that_is_imported() -> None:
    assert version_of(ROOT) == ludisect.__version__


def test_a_changelog_that_tells_of_the_version() -> None:
    assert untold(GOOD, "1.2.0") == []


def test_changelogs_that_do_not() -> None:
    assert "no section '## 1.3.0'" in untold(GOOD, "1.3.0")[0]
    assert "says nothing" in untold(GOOD.replace("- A thing.", ""), "1.2.0")[0]
    assert "still has something" in untold(GOOD.replace("Unreleased\n", "Unreleased\n- Late.\n"), "1.2.0")[0]


def test_a_tree_with_changes(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert unclean(tmp_path) == []
    (tmp_path / "new").touch()
    assert "such as new" in unclean(tmp_path)[0]
