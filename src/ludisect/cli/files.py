"""Files that commands write to: results, and the store of values that is kept from one run to the next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.options import Parser, add_path
from ludisect.errors import InputError

if TYPE_CHECKING:
    from ludisect.sums.local import Store


def check_writable(path: Path) -> None:
    """Refuse a place for a result before the work begins."""
    folder = path.parent if str(path.parent) else Path(".")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {path}: {folder} is not a folder that can be written to")


def write(path: Path, text: str) -> None:
    """Write a result to a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None


def add_store(parser: Parser) -> None:
    add_path(parser, "--store", help="keep the values of parts in this file from one run to the next")


def open_store(path: Path | None) -> Store | None:
    """The store in a file; None if none is asked for."""
    if path is None:
        return None
    from ludisect.sums.database import Database

    return Database(path)
