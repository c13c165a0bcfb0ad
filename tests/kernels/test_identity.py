"""What machine code depends on: modules are found even where the importer remembers a folder wrongly."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType

import pytest

from ludisect.kernels import identity
from ludisect.kernels.kernel import Operation, jit


def test_a_module_that_the_importer_has_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is replaced while its folder is listed, within one tick of the folder's clock."""
    package = tmp_path / "replaced_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    os.utime(package, (1_700_000_000, 1_700_000_000))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a folder that gets a cache is listed anew
    import_module("replaced_package")
    assert find_spec("replaced_package.code") is None  # the folder is listed here
    (package / "code.py").write_text("def twice(x): return 2 * x\n")
    os.utime(package, (1_700_000_000, 1_700_000_000))
    assert find_spec("replaced_package.code") is None  # and is believed to be the same
    assert identity._value(Operation("replaced_package.code", len), set(), ()) == ["def twice(x): return 2 * x\n"]


def test_a_module_that_is_gone_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"ludisect\.circuit\.gone is not there: have its files been moved"):
        identity.found("ludisect.circuit.gone")


def helper(x: int) -> int:
    return 2 * x


def caller(x: int) -> int:
    return helper(x)


def test_code_that_is_written_into_another_is_other_code() -> None:
    names = []
    for inline in (False, True, True):
        code = FunctionType(caller.__code__, {"helper": jit(inline=inline)(helper)}, "caller")
        names.append(identity.fingerprint(code, "(int64)"))
    assert names[0] != names[1] == names[2]
