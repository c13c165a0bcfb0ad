"""Before a release: is the tree clean, and does the changelog tell of the version?

python tests/release/ready.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def version_of(root: Path) -> str:
    """The version that the wheel will have."""
    text = (root / "src" / "ludisect" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    assert found is not None, "the version stands in ludisect/__init__.py"
    return found[1]


def untold(changelog: str, version: str) -> list[str]:
    """What the changelog lacks: a section of the version with something in it, and nothing left over."""
    sections = dict(re.findall(r"^## (\S+)[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL))
    out = []
    if version not in sections:
        out.append(f"CHANGELOG.md has no section '## {version}'; call what is 'Unreleased' so, with the date")
    elif "- " not in sections[version]:
        out.append(f"CHANGELOG.md says nothing of {version}")
    if "- " in sections.get("Unreleased", ""):
        out.append(f"CHANGELOG.md still has something under 'Unreleased'; it belongs to {version}, or to a later one")
    return out


def unclean(root: Path) -> list[str]:
    """Changes that are in no commit."""
    asked = subprocess.run(["git", "-C", root, "status", "--porcelain"], capture_output=True, text=True, check=True)
    changed = asked.stdout.splitlines()
    return [f"{len(changed)} files are not committed, such as {changed[0][3:]}"] if changed else []


def main() -> None:
    """Say what is missing; exits with 1 if something is."""
    version = version_of(ROOT)
    found = [*unclean(ROOT), *untold((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)]
    print("\n".join(found) or f"{version} is ready to be tested and tried")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
