"""The files of the page: read once when the server starts, served by their names and no others."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).with_name("page")

KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}

FIRST: Final = '<script type="application/json" id="first">null</script>'
"""Where the first game is put into the page, so that its board is there before any request."""


@dataclass(frozen=True)
class PageFile:
    """One file: what it is, its bytes, and a tag that changes with them."""

    kind: str
    body: bytes

    @cached_property
    def packed(self) -> bytes:
        """The bytes by gzip, for who takes that."""
        return gzip.compress(self.body, mtime=0)

    @cached_property
    def _hash(self) -> str:
        return sha256(self.body).hexdigest()[:32]

    def tag(self, *, packed: bool) -> str:
        """What browsers send back to ask whether it has changed."""
        return f'"{self._hash}{"-gzip" if packed else ""}"'


def read_files(folder: Path = FOLDER) -> dict[str, PageFile]:
    """Every file of the page by its name."""
    return {
        path.name: PageFile(KINDS[path.suffix], path.read_bytes())
        for path in sorted(folder.iterdir())
        if path.suffix in KINDS and path.is_file()
    }


def with_first(page: PageFile, first: dict[str, Any] | None) -> PageFile:
    """The page with the first game in it; nothing in the data can end the element it stands in."""
    if first is None:
        return page
    data = json.dumps(first, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    text = page.body.decode().replace(FIRST, FIRST.replace("null", data, 1), 1)
    return PageFile(page.kind, text.encode())
