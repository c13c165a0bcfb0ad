"""Mutants: small changes of meaning, made one by one, that some test should notice: ``python -m tests.mutate MODULE…``.

A mutant lives in a copy of the repository. The test file of its module runs on it first, then the other tests that
guard it; it is killed if one fails, and it survives if all pass. What survives is either the same program in other
words, or it shows a test that is missing. Kernels are left alone: each mutant would have to be compiled.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/ludisect")

GUARDS = {
    "circuit/phase": ("circuit/test_lanes",),
    "circuit/turns": (),
    "decomposition/evidence/verify": ("decomposition/exact/test_exact",),
    "decomposition/evidence/prove": ("decomposition/evidence/test_verify", "decomposition/exact"),
    "decomposition/evidence/invariants": ("decomposition/exact", "search/whole/test_opposed"),
    "search/part/verdicts": ("search/quotient", "search/test_glue"),
    "search/settle": ("search/test_glue",),
    "search/coarser": (),
    "search/certainty": ("search/test_by_parts", "search/test_glue", "search/part"),
    "search/checking/onestep": ("search/checking",),
    "search/checking/localclaims": ("search/checking",),
    "gdl/safety": ("gdl/test_check", "gdl/test_interpret"),
    "ground/normalize": ("ground",),
}
"""Modules that guard soundness, and the tests that guard them beside the file of their name."""

SLACK, PATIENCE = 20.0, 5.0
"""A mutant hangs if its tests take this many seconds and this many times as long as without it."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
SMALL = 20
"""Larger numbers are limits: one more or less means nothing."""

NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the text at a place of a module, and what stands there instead."""

    module: str
    line: int
    begin: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"

    def applied(self, text: str) -> str:
        """The module with the change."""
        assert text[self.begin : self.begin + len(self.old)] == self.old
        return text[: self.begin] + self.new + text[self.begin + len(self.old) :]


# ---- changes ----


def mutants(module: str, text: str) -> list[Mutant]:
    """All of a module, in the order of the text."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    rows = text.splitlines()

    def place(line: int, column: int) -> int:  # columns count bytes
        return starts[line - 1] + len(rows[line - 1].encode()[:column].decode())

    out = []
    for node, new in _changes(ast.parse(text)):
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
        out.append(Mutant(module, node.lineno, begin, text[begin:end], new))
    return sorted(out, key=lambda m: (m.begin, len(m.old), m.new))


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """(what to replace, by what), below a node."""
    for child in _meant(node):
        yield from _changes_of(child)
        yield from _changes(child)


def _meant(node: ast.AST) -> Iterator[ast.AST]:
    """The children that say what is done: no annotations, kernels, messages, imports, docstrings, axes."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)):
                continue
            if isinstance(child, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in child.decorator_list):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if isinstance(child, ast.keyword) and child.arg == "axis":
                continue
            if isinstance(child, ast.AST):
                yield child


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """The changes of one node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            ops = [SWAPS[type(op)]() if i == k else other for k, other in enumerate(node.ops)]
            yield node, _text(ast.Compare(node.left, ops, node.comparators))  # type: ignore[arg-type]
    elif isinstance(node, ast.BoolOp):
        yield node, _text(ast.BoolOp(SWAPS[type(node.op)](), node.values))  # type: ignore[arg-type]
        for i in range(len(node.values)):
            rest = node.values[:i] + node.values[i + 1 :]
            yield node, _text(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        yield node, _text(node.operand)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield node, _text(ast.BinOp(node.left, SWAPS[type(node.op)](), node.right))  # type: ignore[arg-type]
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield node, str(not node.value)
        elif isinstance(node.value, int) and node.value <= SMALL:
            yield node, _text(ast.Constant(node.value + 1))
            if node.value > 0:
                yield node, _text(ast.Constant(node.value - 1))
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield node, NAMES[node.id]
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield node.test, "True"
        yield node.test, "False"
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield test, "True"
    elif isinstance(node, ast.Continue):
        yield node, "break"
    elif isinstance(node, ast.Break):
        yield node, "continue"
    elif isinstance(node, (ast.AugAssign, ast.Expr)) and not isinstance(getattr(node, "value", None), ast.Yield):
        yield node, "pass"
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield node, "return None"


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(node))})"


# ---- runs ----


class Nursery:
    """A copy of the repository in which mutants are tried, one at a time."""

    def __init__(self, folder: Path, limit: float | None) -> None:
        self.folder, self.limit = folder, limit
        self.seconds: dict[Path, float] = {}
        self.written = int(time.time())
        for name in ("src", "tests", "docs", "benchmarks"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        for file in [*ROOT.glob("*.md"), *ROOT.glob("*.toml")]:
            shutil.copy(file, folder)

    def guards(self, module: str) -> list[Path]:
        """Test files and folders of a module, its own file first."""
        place = Path(module)
        own = self.folder / "tests" / place.parent / f"test_{place.name}.py"
        others = [self.folder / "tests" / name for name in GUARDS.get(module, (str(place.parent),))]
        found = [own, *(p if p.is_dir() else p.with_suffix(".py") for p in others)]
        return [p for p in dict.fromkeys(found) if p.exists()]

    def passes(self, tests: Path, limit: float) -> bool | None:
        """Whether some tests pass; None if they take longer than allowed."""
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.folder / "src"), str(self.folder)]),
            "PYTHONDONTWRITEBYTECODE": "",  # all but the mutant is compiled once
        }
        options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow"]
        command = [sys.executable, "-m", "pytest", *options, str(tests)]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                return process.wait(limit) == 0
            except subprocess.TimeoutExpired:
                return None
            finally:  # with whatever it started
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def allowed(self, tests: Path) -> float:
        """How long tests may take on a mutant; they have to pass without one."""
        if tests not in self.seconds:
            begin = time.monotonic()
            if not self.passes(tests, 3600):
                raise SystemExit(f"{tests.relative_to(self.folder)} fails without any mutant")
            self.seconds[tests] = time.monotonic() - begin
        return SLACK + PATIENCE * self.seconds[tests] if self.limit is None else self.limit

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """(killed, hangs or survives; by which tests)."""
        file = self.folder / PACKAGE / f"{mutant.module}.py"
        text = file.read_text(encoding="utf-8")
        guards = [(tests, self.allowed(tests)) for tests in self.guards(mutant.module)]
        self._write(file, mutant.applied(text))
        try:
            for tests, limit in guards:
                good = self.passes(tests, limit)
                if not good:
                    return "killed" if good is False else "hangs", str(tests.relative_to(self.folder / "tests"))
            return "survives", ""
        finally:
            self._write(file, text)

    def _write(self, file: Path, text: str) -> None:
        """A new time of its own for each text: Python tells by time and size whether a module has to be compiled."""
        file.write_text(text, encoding="utf-8")
        self.written += 2
        os.utime(file, (self.written, self.written))


def modules(names: Sequence[str]) -> list[str]:
    """Modules by their names, those of a folder for its name; those that guard soundness if none is named."""
    out: list[str] = []
    for name in names or GUARDS:
        place = ROOT / PACKAGE / name.removesuffix(".py")
        found = [place.with_suffix(".py")] if place.with_suffix(".py").is_file() else sorted(place.rglob("*.py"))
        if not found:
            raise SystemExit(f"there is no module or folder {name} in {PACKAGE}")
        out += [str(p.relative_to(ROOT / PACKAGE).with_suffix("")) for p in found if not p.stem.startswith("__")]
    return list(dict.fromkeys(out))


def drawn(names: Iterable[str], most: int | None, seed: int) -> list[Mutant]:
    """Mutants of some modules: all, or so many drawn at random, in the order of the text."""
    found = [m for name in names for m in mutants(name, (ROOT / PACKAGE / f"{name}.py").read_text(encoding="utf-8"))]
    if most is None or most >= len(found):
        return found
    chosen = {*Random(seed).sample(range(len(found)), most)}
    return [m for i, m in enumerate(found) if i in chosen]


def main() -> None:
    """Try mutants of modules, and list those that no test notices."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=main.__doc__)
    parser.add_argument("module", nargs="*", help="modules or folders below src/ludisect (default: those in GUARDS)")
    parser.add_argument("--most", type=int, metavar="N", help="at most so many, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the draw (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, metavar="X", help="for the tests of a mutant (default: by their own time)"
    )
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep results there, and try none again")
    parser.add_argument("--list", action="store_true", help="only say which mutants there are")
    parser.add_argument("--json", action="store_true", help="the results as JSON")
    args = parser.parse_args()
    chosen = drawn(modules(args.module), args.most, args.seed)
    if args.list:
        print("\n".join(map(str, chosen)))
        return
    if hasattr(os, "nice"):
        os.nice(10)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    fates = _kept(args.resume)
    try:
        with tempfile.TemporaryDirectory() as folder:
            nursery = Nursery(Path(folder), args.seconds)
            for n, mutant in enumerate(chosen, 1):
                if mutant not in fates:
                    begin = time.monotonic()
                    fates[mutant] = nursery.fate(mutant)
                    _keep(args.resume, mutant, fates[mutant])
                    told = f"[{n}/{len(chosen)}] {fates[mutant][0]:8} {time.monotonic() - begin:4.0f} s  {mutant}"
                    print(told, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    _report([(m, *fates[m]) for m in chosen if m in fates], len(chosen), as_json=args.json)


def _kept(file: Path | None) -> dict[Mutant, tuple[str, str]]:
    lines = file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else []
    rows = map(json.loads, lines)
    return {Mutant(**row["mutant"]): (row["fate"], row["by"]) for row in rows}


def _keep(file: Path | None, mutant: Mutant, fate: tuple[str, str]) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"mutant": asdict(mutant), "fate": fate[0], "by": fate[1]}) + "\n")


def _report(results: list[tuple[Mutant, str, str]], of: int, *, as_json: bool) -> None:
    if as_json:
        rows = [{**asdict(mutant), "fate": fate, "by": by} for mutant, fate, by in results]
        print(json.dumps({"tried": len(results), "of": of, "mutants": rows}, indent=1))
        return
    for name in dict.fromkeys(m.module for m, _, _ in results):
        counts = Counter(fate for m, fate, _ in results if m.module == name)
        print(f"{name}: " + ", ".join(f"{n} {fate}" for fate, n in sorted(counts.items())))
        print("".join(f"  {m}\n" for m, fate, _ in results if m.module == name and fate == "survives"), end="")
    print(f"{len(results)} of {of} tried")


if __name__ == "__main__":
    main()
