"""The command sweep: one command on every game of folders, kept in a store; reports and tables of it."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import columns, note, say, width
from ludisect.cli.files import check_writable
from ludisect.cli.options import Parser, add_json_and_quiet, add_path, add_seconds, integer, number
from ludisect.errors import InputError
from ludisect.sweep.job import COMMANDS, ENDED, TASKS

if TYPE_CHECKING:
    from ludisect.sweep.report import Labels, Swept
    from ludisect.sweep.sweepplan import SweepPlan
    from ludisect.sweep.transport import Transport

_PASSED_ON = ("method", "variant", "by", "playouts", "seed")
"""Options of this command that are options of the command behind the task."""

_MEMORY_GB = 4.0
_OFTEN = 8
"""Changes between two sweeps that are counted: the most frequent ones."""

_SHOWN = 40
"""Games of a report or a comparison that are listed on a terminal before the rest is counted."""


def options(parser: Parser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="FOLDER",
        help="folders with rule sheets, or single files; or: report; compare A B; export FILE.csv (see above)",
    )
    parser.add_argument("--task", choices=TASKS, default="decompose", help="what to do (default: %(default)s)")
    parser.add_argument(
        "--store", type=Path, required=True, metavar="FILE", help="where results are kept; made if it is not there"
    )
    add_seconds(parser, "limit on time for each game", least=0.1, default=60.0)
    parser.add_argument(
        "--memory",
        type=number(0.1),
        default=_MEMORY_GB,
        metavar="GB",
        help="limit on memory for each game (default: %(default)g)",
    )
    parser.add_argument("--jobs", type=integer(1, 1024), metavar="INTEGER", help="games at a time (default: the cores)")
    parser.add_argument("--dask", metavar="ADDRESS", help="have the games done by this Dask cluster")
    parser.add_argument("--method", metavar="NAME", help="passed on to decompose")
    parser.add_argument("--variant", metavar="NAME", help="passed on to decompose")
    parser.add_argument("--by", metavar="NAME", help="passed on to solve")
    parser.add_argument("--playouts", type=integer(1), metavar="INTEGER", help="passed on to decompose and simulate")
    parser.add_argument("--seed", type=integer(0), metavar="INTEGER", help="passed on")
    parser.add_argument("--set", action="append", dest="numbers", metavar="NAME=VALUE", help="passed on")
    add_path(parser, "--labels", help="report: known answers, a JSON object from names of games to decompositions")
    add_path(parser, "--plot", help="report: the paper's figures in ours, as .svg, .png or .pdf")
    parser.add_argument("--sweep", metavar="TEXT", help="report, export: which sweep (default: the latest)")
    add_json_and_quiet(parser)


def run(
    words: list[str],
    *,
    task: str,
    store: Path,
    seconds: float,
    memory: float,
    jobs: int | None,
    dask: str | None,
    labels: Path | None,
    plot: Path | None,
    sweep: str | None,
    json: bool,
    quiet: bool,
    **passed_on: Any,
) -> int:
    """Do one command on every game of folders, each guarded in a process of its own, and keep what comes of it.

    Results go into a store, a row per game, task, settings and version. The same command goes on where it was
    interrupted; several may share a store. A game that explodes costs its own row and nothing else.

    'sweep report --store FILE' prints a table and a summary (with --labels, how many are right; with --plot, pictures).
    'sweep compare A B --store FILE' shows what changed between two sweeps, named by number or by a piece of their
    title. 'sweep export FILE.csv --store FILE' writes the records as CSV or Parquet.
    """
    if words[0] in ("report", "compare", "export"):
        for path in (plot, *([Path(words[1])] if words[0] == "export" and len(words) == 2 else [])):
            if path is not None:
                check_writable(path)
        return _ask(words, store, labels, plot, sweep, json=json)
    if labels is not None or plot is not None or sweep is not None:
        raise InputError("--labels, --plot and --sweep are for 'ludisect sweep report'")
    check_writable(store)
    from ludisect.sweep.sweepplan import SweepPlan

    given = [(f"--{name}", str(passed_on[name])) for name in _PASSED_ON if passed_on[name] is not None]
    given += [("--set", text) for text in passed_on["numbers"] or ()]
    plan = SweepPlan(task, seconds, memory, given)
    _check_options(plan)
    return _sweep(plan, [Path(word) for word in words], store, jobs or _cores(), dask, json=json, quiet=quiet)


def _check_options(plan: SweepPlan) -> None:
    """Complain now about options that the command behind the task would refuse for every game."""
    from importlib import import_module

    name = COMMANDS[plan.task]
    parser = Parser(name, "GAME", "")
    import_module(f"ludisect.cli.{name}").options(parser)
    try:
        parser.numbers(parser.read(plan.words("nim")[1:]))
    except InputError as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"the command {name}, which does this task, says: {reason}\ntry: ludisect {name} --help"
        ) from None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- a sweep --------------------------------------------------------------------------------------------------------


def _sweep(
    plan: SweepPlan, places: Sequence[Path], path: Path, jobs: int, dask: str | None, *, json: bool, quiet: bool
) -> int:
    from ludisect.kernels.workers import compile_all
    from ludisect.sweep.report import one_sweep, summary, to_json
    from ludisect.sweep.rowstore import CLAIMED, WAITING, SweepStore
    from ludisect.sweep.run import run_sweep
    from ludisect.sweep.sweepplan import find_sheets, version

    sheets = find_sheets(places)
    with SweepStore(path) as store:
        new = store.add(plan.entries(sheets))
        before = store.counts(plan.task, plan.settings, version())
        done = sum(before.values()) - before.get(WAITING, 0) - before.get(CLAIMED, 0)
        if not (quiet or json):
            rows = f"{new} new row{'s' * (new != 1)}, {done} done before, {sum(before.values()) - done} to do"
            note(f"{len(sheets)} game{'s' * (len(sheets) != 1)}; {rows}")
        compile_all([COMMANDS[plan.task], *(["statistics"] if ("--method", "playouts") in plan.options else [])])
        interrupted, others = False, 0
        with _table(path, plan, quiet=quiet or json):
            try:
                others = run_sweep(store, plan, _transport(plan, jobs, dask))
            except KeyboardInterrupt:
                interrupted = True
        swept = one_sweep(store, plan.task, plan.settings, version())
        left = store.counts(plan.task, plan.settings, version()).get(WAITING, 0)
    if json:
        print_json(to_json(swept) | {"left": left + others, "interrupted": interrupted})
    elif swept.records:
        _say_summary(summary(swept))
    if interrupted:
        note(f"interrupted; {left} games are left, and the same command goes on with them")
        return INTERRUPTED
    if others:
        note(f"{others} games are being done by another client of this store")
    return 0


def _transport(plan: SweepPlan, jobs: int, dask: str | None) -> Transport:
    from ludisect.sweep.sweepplan import WARM
    from ludisect.sweep.transport import Cluster, Local

    warm = plan.words(WARM)
    return Local(warm, jobs) if dask is None else Cluster(warm, dask)


@contextmanager
def _table(path: Path, plan: SweepPlan, *, quiet: bool) -> Iterator[None]:
    """A table on standard error that lives while the sweep goes on, if someone is watching."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table

    from ludisect.sweep.live import live
    from ludisect.sweep.sweepplan import version

    bar = Progress(TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    all_games = bar.add_task("games", total=None)
    read, rest, group = 0.0, 0.0, Group(bar)

    def shown() -> Group:
        """What the store says; read at most once a second, and never for more than a twentieth of the time."""
        nonlocal read, rest, group
        begin = time.monotonic()
        if begin < read + rest:
            return group
        with suppress(InputError):  # a store that cannot be read now is read later
            data = live(path, (plan.task, plan.settings, version()))
            table = Table("game", "how it ended", box=None)
            for name in ("seconds", "MB"):
                table.add_column(name, justify="right")
            for row in reversed(data["latest"]):
                table.add_row(row["game"], row["status"], f"{row['seconds']:.2f}", f"{row['peak'] >> 20}")
            for game in data["claimed"]:
                table.add_row(game, "claimed", "", "", style="dim")
            bar.update(all_games, total=data["games"], completed=data["done"])
            group = Group(table, "  ".join(f"{status} {n}" for status, n in data["status"].items()), bar)
        read = time.monotonic()
        rest = max(1.0, 20 * (read - begin))
        return group

    with Live(get_renderable=shown, console=Console(stderr=True), refresh_per_second=4, transient=True):
        yield


# ---- questions ------------------------------------------------------------------------------------------------------


def _ask(
    words: Sequence[str], path: Path, labels: Path | None, plot: Path | None, sweep: str | None, *, json: bool
) -> int:
    from ludisect.sweep import report
    from ludisect.sweep.rowstore import SweepStore

    known: Labels = report.read_labels(labels) if labels is not None else {}
    with SweepStore(path, new=False) as store:
        sweeps = report.all_sweeps(store, known)
    what, rest = words[0], words[1:]
    if what == "compare":
        if len(rest) != 2:
            raise InputError("compare takes two sweeps: their numbers, or pieces of their titles")
        _say_comparison(report.compare(*(report.pick(sweeps, text) for text in rest)), json=json)
        return 0
    chosen = report.pick(sweeps, sweep)
    if what == "export":
        if len(rest) != 1:
            raise InputError("export takes one file, FILE.csv or FILE.parquet")
        report.export(chosen, Path(rest[0]))
        say(f"written: {rest[0]} ({len(chosen.records)} games)")
        return 0
    if rest:
        raise InputError(f"report takes no {rest[0]!r}; --sweep names a sweep, --store the store")
    if plot is not None:
        from ludisect.sweep.figures import plot as draw

        draw(chosen, sweeps, known, plot)
    if json:
        print_json(report.to_json(chosen))
        return 0
    _say_report(chosen, sweeps, known)
    if plot is not None:
        say(f"drawn: {plot}")
    return 0


def _say_report(sweep: Swept, sweeps: Sequence[Swept], labels: Labels) -> None:
    from ludisect.sweep.report import summary

    for number_, other in enumerate(sweeps, 1):
        say(f"{'*' if other is sweep else ' '} {number_}  {other.title}: {len(other.records)} games")
    say("")
    for line in _games_table(sweep):
        say(line)
    if len(sweep.records) > _SHOWN:
        say(f"… and {len(sweep.records) - _SHOWN} more (--json lists all)")
    failed = [r for r in sweep.records if r.get("error")]
    for r in failed[:_SHOWN]:
        say(f"{r['game']}: {r['status']}: {r['error']}")
    say("")
    _say_summary(summary(sweep))
    if sweep.task == "decompose":
        _say_paper(sweep, sweeps, labels)


_LEFT_OUT = ("exit", "cpu", "method", "value", "mean_goal", "error", "useless", "action_independent")
_DROPPED = ("peak", "build_seconds", "structure", "algorithm")
"""Columns that go first where a terminal is too narrow."""


def _games_table(sweep: Swept) -> list[str]:
    """A line per game, in a terminal no wider than it is; the parts are dependent + useless + independent."""
    from ludisect.sweep.report import columns_of

    names = [name for name in columns_of(sweep) if name not in _LEFT_OUT]
    for dropped in (None, *_DROPPED):
        names = [name for name in names if name != dropped]
        heads = ["parts" if name == "action_dependent" else name for name in names]
        rows = [[_cell(name, r) for name in names] for r in sweep.records[:_SHOWN]]
        lines = columns([heads, *rows], right=[k for k, name in enumerate(names) if name in ("seconds", "peak")])
        if not sys.stdout.isatty() or max(map(len, lines)) <= width():
            break
    return lines


def _say_summary(data: dict[str, Any]) -> None:
    games = data["games"]
    say(f"{games} game{'s' * (games != 1)}, {data['total_cpu']:,.1f} s of processor time")
    for status, n in data["status"].items():
        say(f"  {n:6}  {status}: {ENDED[status]}")
    if games:
        seconds, peak = data["seconds"], data["peak"]
        say(
            f"  seconds: median {seconds['median']:.2f}, nine tenths below {seconds['p90']:.2f}, "
            f"most {seconds['max']:.2f}; memory at most {peak['max'] / 2**20:,.0f} MB"
        )
    for name in ("evidence", "structure", "algorithm", "turns"):
        if name in data:
            say(f"  {name}: " + ", ".join(f"{n} {what}" for what, n in data[name].items()))


def _say_paper(sweep: Swept, sweeps: Sequence[Swept], labels: Labels) -> None:
    """Figures 4, 5, 6 and 8 of the paper of 2018, ours beside theirs."""
    from ludisect.sweep import paper
    from ludisect.sweep.figures import by_playouts

    ours, games = paper.within(sweep.records), len(sweep.records)
    say("\ndecomposed within so many processor seconds (Figure 4 of the paper of 2018)")
    table = [["seconds", "ours", "theirs"]]
    table += [
        [str(s), f"{100 * ours[s] / games:.1f} %", f"{100 * n / paper.GAMES:.1f} %"] for s, n in paper.FIGURE_4.items()
    ]
    _say_table(table)
    growing = by_playouts(sweep, sweeps)
    if len(growing) > 1:
        say("\nright after so many playouts (Figure 5)")
        table = [["playouts", "under", "right", "over", "of"]]
        for one in growing:
            tally = list(one.verdicts.values())
            counts = [tally.count(name) for name in paper.VERDICTS[:3]]
            table.append([f"{one.playouts:,}", *map(str, counts), str(len(tally))])
        _say_table(table)
    if sweep.verdicts:
        say("\nbeside the known answers (Figure 6): compound games, single games")
        table = [["", "ours", "", "theirs", ""]]
        for name, (compound, single) in paper.by_kind(labels, sweep.verdicts).items():
            theirs = paper.FIGURE_6.get(name)
            table.append([name, str(compound), str(single), *(map(str, theirs) if theirs else ("", ""))])
        _say_table(table)
        wrong = [game for game, verdict in sweep.verdicts.items() if verdict != "decomposed"]
        for game in wrong[:_SHOWN]:
            say(f"  {game}: {sweep.verdicts[game]}")
    eight = paper.figure_8(sweep.records)
    if eight:
        say("\nsingle games (Figure 8)")
        table = [["game", "theirs", "ours", ""]]
        table += [[name, theirs, "" if s is None else f"{s:.2f} s", how] for name, theirs, s, how in eight]
        _say_table(table)


def _say_table(rows: Sequence[Sequence[str]]) -> None:
    for line in columns(rows, right=range(1, len(rows[0]))):
        say(f"  {line}")


def _say_comparison(data: dict[str, Any], *, json: bool) -> None:
    if json:
        print_json(data)
        return
    say(f"A  {data['a']}")
    say(f"B  {data['b']}")
    say(f"{data['games']} games in both; {len(data['changed'])} differ; CPU {data['cpu']['a']} s, {data['cpu']['b']} s")
    often = Counter(
        f"{name} {old} → {new}" for one in data["changed"] for name, (old, new) in one["changed"].items()
    ).most_common(_OFTEN)
    for change, games in often if len(data["changed"]) > _OFTEN else ():
        say(f"  {games:6}  {change}")
    for one in data["changed"][:_SHOWN]:
        differences = "; ".join(f"{name} {old} → {new}" for name, (old, new) in one["changed"].items())
        say(f"  {one['game']}: {differences}")
    if len(data["changed"]) > _SHOWN:
        say(f"  … and {len(data['changed']) - _SHOWN} more (--json lists all)")
    for name, which in (("only_a", "A"), ("only_b", "B")):
        if data[name]:
            say(f"only in {which}: {', '.join(data[name][:_SHOWN])}")


def _cell(name: str, record: Mapping[str, Any]) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if name == "peak":
        return f"{value >> 20} MB"
    if name == "action_dependent":
        return f"{value}+{record['useless']}+{record['action_independent']}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
