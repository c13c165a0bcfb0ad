"""The types of the page's modules, checked where Node and TypeScript are; what holds of the files anyway."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "src" / "ludisect" / "web" / "page"
MODULES = sorted(PAGE.glob("*.js"))
OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noImplicitAny": False,
    "useUnknownInCatchVariables": False,
    "noUnusedLocals": True,
    "noUnusedParameters": True,
    "target": "es2022",
    "module": "es2022",
    "lib": ["es2023", "dom", "dom.iterable"],
    "types": [],
}


def _compiler() -> str:
    found = os.environ.get("TSC") or shutil.which("tsc")
    if not found:
        pytest.skip("no TypeScript on this machine (npm install -g typescript, or TSC=path)")
    return found


def test_the_types_are_right(tmp_path: Path) -> None:
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": OPTIONS, "include": [f"{PAGE}/*"]}))
    done = subprocess.run([_compiler(), "-p", str(config)], capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_short_and_begins_with_its_job(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 300
    assert lines[0].startswith("// ")
    assert lines[0].endswith(".")


def test_no_module_makes_elements_from_text_or_asks_elsewhere() -> None:
    for path in MODULES:
        text = path.read_text()
        if path.name != "safe.js":
            found = re.findall(
                r"innerHTML|outerHTML|insertAdjacentHTML|DOMParser|document\.write|\beval\(|new Function", text
            )
            assert found == [], path.name
        assert not re.findall(r"[\"'`](?:https?:)?//(?!www\.w3\.org)\w", text), path.name
        assert not re.findall(r"setAttribute\(\"style\"", text), path.name


def test_the_whole_page_is_small_as_it_is_written() -> None:
    assert sum(file.stat().st_size for file in PAGE.iterdir() if file.suffix != ".ts") < 200_000


def test_every_module_is_used() -> None:
    text = "".join(path.read_text() for path in [*MODULES, PAGE / "index.html"])
    for path in MODULES:
        assert f"/{path.name}" in text, f"{path.name} is imported nowhere"


def test_every_import_names_something_that_is_exported() -> None:
    for path in MODULES:
        for names, source in re.findall(r"import \{ ([^}]*) \} from \"\./([\w.]+)\"", path.read_text()):
            other = (PAGE / source).read_text()
            for name in names.split(", "):
                told = rf"export (?:async )?(?:function|const|class|let) {re.escape(name)}[ (]"
                assert re.search(told, other), f"{path.name} takes {name} from {source}"
