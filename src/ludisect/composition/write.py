"""A plan written down as GDL: the parts' local rules under names of their own, and the rules that glue them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ludisect.composition.glue import Blueprint, GlueNode, Leaf, Tree, leaves
from ludisect.composition.part import LocalGame
from ludisect.gdl.terms import KEYWORDS, And, Distinct, Formula, Not, Or, Rule, Rules, Term, TermOrVariable, Variable

R, M = Variable("r"), Variable("m")


@dataclass(frozen=True, slots=True)
class Style:
    """Ways to write the same compound.

    ``argument``: one predicate with the number of the part as its first argument, instead of one per part.
    ``listed``: that a part rests is told by listing the moves of other parts, not by negation.
    ``hidden``: each role has a waiting move of its own, which the rules of turn and step mention.
    ``flat``: moves are plain words; facts say what each word does.
    """

    argument: bool = False
    listed: bool = False
    hidden: bool = False
    flat: bool = False


class GlueNames:
    """Terms for the symbols of each part and of the glue, never the same for two of them."""

    def __init__(self, plan: Blueprint, style: Style) -> None:
        self._argument = style.argument
        self._taken: dict[str, tuple[str, int]] = {}
        self._used = [_symbols(part) for part in plan.parts]
        self._everywhere = set().union(*self._used, plan.roles)

    def __call__(self, i: int, name: str, args: tuple[TermOrVariable, ...] = ()) -> Term:
        """The symbol ``name`` of part i, applied."""
        if self._argument:
            return Term(name, (Term(str(i + 1)), *args))
        own = f"{name}_{i + 1}" if name[-1].isdigit() else f"{name}{i + 1}"
        while self._taken.setdefault(own, (name, i)) != (name, i):
            own += "_"
        return Term(own, args)

    def glue(self, i: int, name: str, args: tuple[TermOrVariable, ...] = ()) -> Term:
        """A symbol that the glue gives to part i, under a name that the part does not use itself."""
        while name in self._used[i]:
            name += "-here"
        return self(i, name, args)

    def shared(self, name: str, args: tuple[TermOrVariable, ...] = ()) -> Term:
        """A symbol of the glue for all parts, under a name that none of them uses."""
        while name in self._everywhere:
            name += "-of-all"
        return Term(name, args)


@dataclass(frozen=True)
class Alternative:
    """A form of move: the term, what it needs to be legal, and the local move it carries for each part.

    ``bare`` variables stand for local moves that nothing marks as such: "none" may stand in their place.
    """

    move: TermOrVariable
    needs: tuple[Formula, ...]
    local: dict[int, Variable]
    role: TermOrVariable = R
    bare: tuple[Variable, ...] = ()


class Writer:
    """Writes one plan; `rules` is the result, `fluent` tells what a part's fluent is called in it."""

    def __init__(self, plan: Blueprint, style: Style) -> None:
        self.plan, self.style = plan, style
        self.names = GlueNames(plan, style)
        self.none = self.names.shared("none")
        self.alternatives = self._alternatives(plan.tree, wrapped=True)

    def rules(self) -> Rules:
        """The whole rule sheet."""
        plan = self.plan
        out = [Rule(Term("role", (Term(role),))) for role in plan.roles]
        out += self._context()
        for i, part in enumerate(plan.parts):
            out += self._local(i, part)
            out += self._bridge(i, part)
        out += self._legal()
        out += self._terminal()
        out += self._goals()
        return Rules(tuple(dict.fromkeys(out)), plan.name)

    def fluent(self, i: int, term: Term) -> Term:
        """A local fluent in the names of the whole."""
        return self.names(i, term.name, term.args)

    def flag(self, i: int) -> Term:
        """The fluent that a part leaves when it is over."""
        return self.names.glue(i, "closed-for-good")

    def clock(self, i: int, number: int, value: int) -> Term:
        """The value of a part's own counter."""
        return self.names.glue(i, "clock" if not number else f"clock-{number + 1}-", (Term(str(value + 1)),))

    def turn(self, role: str) -> Term:
        """The fluent of the turn."""
        return self.names.shared("control", (Term(role),))

    def step(self, number: int) -> Term:
        """The fluent of a step."""
        return self.names.shared("step", (Term(str(number)),))

    def waiting(self, role: str) -> Term:
        """The move of a role that is not to move."""
        return Term(f"await-{role}" if self.style.hidden else "noop")

    # ---- turn and steps ----

    def _context(self) -> Iterator[Rule]:
        plan, hidden = self.plan, self.style.hidden
        if plan.turns == "alternating":
            yield Rule(Term("init", (self.turn(plan.roles[0]),)))
            for p, q in zip(plan.roles, (*plan.roles[1:], plan.roles[0]), strict=True):
                if not hidden:
                    yield Rule(self.names.shared("follows", (Term(p), Term(q))))
                    continue
                waiting = tuple(_does(Term(r), self.waiting(r)) for r in plan.roles if r != p)
                before = () if len(plan.roles) == 2 else (_true(self.turn(p)),)
                yield Rule(Term("next", (self.turn(q),)), (*before, *waiting))
            if not hidden:
                now, then = Variable("p"), Variable("q")
                body = (_true(self.names.shared("control", (now,))), self.names.shared("follows", (now, then)))
                yield Rule(Term("next", (self.names.shared("control", (then,)),)), body)
        if plan.steps is not None:
            yield Rule(Term("init", (self.step(1),)))
            for n in range(1, plan.steps):
                yield Rule(self.names.shared("then", (Term(str(n)), Term(str(n + 1)))))
            a, b = Variable("a"), Variable("b")
            head = Term("next", (self.names.shared("step", (b,)),))
            body = (_true(self.names.shared("step", (a,))), self.names.shared("then", (a, b)))
            for more in self._step_cases() if hidden else [()]:
                yield Rule(head, (*body, *more))
            yield Rule(Term("terminal"), (_true(self.step(plan.steps)),))

    def _step_cases(self) -> list[tuple[Formula, ...]]:
        """A case distinction on a move without effect, or the remark that somebody moves."""
        first = self.plan.roles[0]
        if self.plan.turns == "alternating":
            case = _does(Term(first), self.waiting(first))
        elif self.plan.rest:
            case = _does(Term(first), self._rest(first))
        else:
            return [(_does(R, M),)]
        return [(case,), (Not(case),)]

    def _rest(self, role: str) -> Term:
        return Term(f"dally-{role}" if self.style.hidden else "rest")

    def _mover(self, role: TermOrVariable) -> Term:
        if self.plan.turns == "alternating":
            return _true(self.names.shared("control", (role,)))
        return Term("role", (role,))

    # ---- the parts ----

    def _local(self, i: int, part: LocalGame) -> Iterator[Rule]:
        """The part's own rules under its own names."""
        played = self.names.glue(i, "played")
        for rule in part.rules:
            head, body = rule.head, tuple(self._formula(i, part, f) for f in rule.body)
            if head.name == "role":
                continue
            if head.name in ("init", "next") and isinstance(head.args[0], Term):
                changed = Term(head.name, (self.fluent(i, head.args[0]),))
                gate = (played,) if head.name == "next" and not part.framed else ()
                yield Rule(changed, (*gate, *body))
            else:
                yield Rule(self._atom(i, part, head), body)
        if not part.framed:
            for kept in _patterns(part.fluents):
                fluent = self.fluent(i, kept)
                yield Rule(Term("next", (fluent,)), (_true(fluent), Not(played)))
        for number, clock in enumerate(part.clocks):
            yield Rule(Term("init", (self.clock(i, number, 0),)))
            for value, fluents in enumerate(clock.values):
                after = value + 1 if value + 1 < len(clock.values) else clock.back
                now = _true(self.clock(i, number, value))
                yield Rule(Term("next", (self.clock(i, number, after),)), (now,))
                yield from (Rule(self._seen(i, f), (now,)) for f in fluents)
        for role, fluents in zip(self.plan.roles, part.turn_fluents, strict=False):
            yield from (Rule(self._seen(i, f), (_true(self.turn(role)),)) for f in fluents)

    def _seen(self, i: int, fluent: Term) -> Term:
        return self.names.glue(i, f"sees-{fluent.name}", fluent.args)

    def _formula(self, i: int, part: LocalGame, formula: Formula) -> Formula:
        if isinstance(formula, Term):
            return self._atom(i, part, formula)
        if isinstance(formula, Not):
            return Not(self._formula(i, part, formula.body))
        if isinstance(formula, And):
            return And(tuple(self._formula(i, part, f) for f in formula.parts))
        if isinstance(formula, Or):
            return Or(tuple(self._formula(i, part, f) for f in formula.parts))
        return formula

    def _atom(self, i: int, part: LocalGame, atom: Term) -> Term:
        if atom.name in ("role", "init", "next"):
            return atom
        if atom.name == "true" and isinstance(atom.args[0], Term):
            fluent = atom.args[0]
            context = {(f.name, len(f.args)) for group in part.turn_fluents for f in group}
            context |= {(f.name, len(f.args)) for clock in part.clocks for group in clock.values for f in group}
            if (fluent.name, len(fluent.args)) in context:
                return self._seen(i, fluent)
            return _true(self.fluent(i, fluent))
        names = {"terminal": "over", "goal": "worth", "legal": "may", "does": "acts", "idle": "idle"}
        if atom.name in names and (atom.name != "idle" or not part.borrowed):
            return self.names.glue(i, names[atom.name], atom.args)
        return self.names(i, atom.name, atom.args)

    def _bridge(self, i: int, part: LocalGame) -> Iterator[Rule]:
        """What is done in the part, told from the moves of the whole."""
        mine = [a for a in self.alternatives if i in a.local]
        used = {atom.name for rule in part.rules for formula in rule.body for atom in _atoms(formula)}
        passes = any(atom == _PASS for rule in part.rules for atom in rule.head.args)
        if "does" in used:
            yield from (Rule(self.names.glue(i, "acts", (a.role, a.local[i])), self._made(a, i)) for a in mine)
        if passes:
            yield from (Rule(self.names.glue(i, "moves", (a.role,)), self._made(a, i)) for a in mine)
            body = (Term("role", (R,)), Not(self.names.glue(i, "moves", (R,))))
            yield Rule(self.names.glue(i, "acts", (R, _PASS)), body)
        listed = self.style.listed and self._can_list()
        if not part.framed or ("idle" in used and not listed):
            yield from (Rule(self.names.glue(i, "played"), self._made(a, i)) for a in mine)
        if "idle" in used and not listed:
            yield Rule(self.names.glue(i, "idle"), (Not(self.names.glue(i, "played")),))
        elif "idle" in used:
            yield from (Rule(self.names.glue(i, "idle"), self._made(a)) for a in self.alternatives if i not in a.local)
            if self.plan.rest:
                rests = dict.fromkeys(_does(Term(r), self._rest(r)) for r in self.plan.roles)
                yield from (Rule(self.names.glue(i, "idle"), (rest,)) for rest in rests)
        if part.borrowed and self.plan.turns == "alternating":
            may = self.names.glue(i, "may", (R, M))
            waits = (self.names.glue(i, "played"), Term("role", (R,)), Not(self._mover(R)), may)
            yield Rule(self.names.glue(i, "acts", (R, M)), waits)
        if i in self.plan.locked:
            yield Rule(Term("next", (self.flag(i),)), (self.names.glue(i, "over"),))
            yield Rule(Term("next", (self.flag(i),)), (_true(self.flag(i)),))

    def _can_list(self) -> bool:
        """Where one role moves at a time, and in one part, the moves of other parts tell that this one rests."""
        return self.plan.turns != "simultaneous" and all(len(a.local) <= 1 for a in self.alternatives)

    def _made(self, alternative: Alternative, i: int = -1) -> tuple[Formula, ...]:
        """That somebody makes such a move, and one with a local move in part i."""
        mine = [m for k, m in alternative.local.items() if k == i and m in alternative.bare]
        done = (alternative.role, alternative.move)
        made = self.names.shared("makes", done) if self.style.flat else Term("does", done)
        return (made, *(Distinct(m, self.none) for m in mine))

    # ---- moves ----

    def _over(self, tree: Tree) -> tuple[Formula, ...]:
        return tuple(self.names.glue(i, "over") for i in leaves(tree))

    def _alternatives(self, tree: Tree, *, wrapped: bool) -> list[Alternative]:
        """All forms of move in a tree; ``wrapped`` ones carry the number of their part."""
        if isinstance(tree, Leaf):
            return [self._leaf(tree.index, wrapped=wrapped)]
        if tree.op == "choice":
            return [a for child in tree.children for a in self._alternatives(child, wrapped=True)]
        if tree.op == "serial":
            return self._stages(tree)
        options = []
        for number, child in enumerate(tree.children):
            some = self._alternatives(child, wrapped=False)
            if all(self.plan.parts[i].ends for i in leaves(child)):
                role = self._role(number)
                some.append(Alternative(self.none, (*self._over(child), self._mover(role)), {}, role))
            options.append(some)
        if self.plan.owners:
            return [a for some in options for a in some]
        out = []
        for chosen in product(*options):
            if any(a.move != self.none for a in chosen):
                needs = tuple(dict.fromkeys(f for a in chosen for f in a.needs))
                move = Term("both" if len(chosen) == 2 else "each", tuple(a.move for a in chosen))
                local = {i: m for a in chosen for i, m in a.local.items()}
                out.append(Alternative(move, needs, local, R, tuple(v for a in chosen for v in a.bare)))
        return out

    def _leaf(self, i: int, *, wrapped: bool) -> Alternative:
        part, move = self.plan.parts[i], Variable(f"m{i + 1}")
        role = self._role(i)
        needs: list[Formula] = [self._mover(role), self.names.glue(i, "may", (role, move))]
        if part.ends and not part.guarded:
            needs.append(Not(self.names.glue(i, "over")))
        if wrapped:
            return Alternative(self.names.glue(i, "go", (move,)), tuple(needs), {i: move}, role)
        return Alternative(move, tuple(needs), {i: move}, role, (move,))

    def _role(self, i: int) -> TermOrVariable:
        return Term(self.plan.roles[i]) if self.plan.owners else R

    def _stages(self, tree: GlueNode) -> list[Alternative]:
        out: list[Alternative] = []
        gate: tuple[Formula, ...] = ()
        for child in tree.children:
            out += [
                Alternative(a.move, (*gate, *a.needs), a.local, a.role, a.bare)
                for a in self._alternatives(child, wrapped=True)
            ]
            if isinstance(child, Leaf) and child.index in tree.locks:
                over, flag = self.names.glue(child.index, "over"), _true(self.flag(child.index))
                advance = self.names.glue(child.index, "advance")
                out.append(Alternative(advance, (*gate, over, Not(flag), self._mover(R)), {}))
                gate = (flag,)
            else:
                gate = self._over(child)
        return out

    def _legal(self) -> Iterator[Rule]:
        plan = self.plan
        if self.style.flat:
            word = Variable("w")
            for number, move in enumerate(self._ground_moves(), 1):
                yield Rule(self.names.shared("spelt", (Term(f"w{number}"), move)))
            yield Rule(self.names.shared("makes", (R, M)), (_does(R, word), self.names.shared("spelt", (word, M))))
            for a in self.alternatives:
                yield Rule(Term("legal", (a.role, word)), (*a.needs, self.names.shared("spelt", (word, a.move))))
        else:
            yield from (Rule(Term("legal", (a.role, a.move)), a.needs) for a in self.alternatives)
        if plan.turns == "alternating":
            if self.style.hidden:
                for role in plan.roles:
                    wait = Term("legal", (Term(role), self.waiting(role)))
                    yield Rule(wait, (Not(_true(self.turn(role))),))
            else:
                wait = self.waiting(plan.roles[0])
                yield Rule(Term("legal", (R, wait)), (Term("role", (R,)), Not(self._mover(R))))
        if plan.rest:
            for role in plan.roles:
                yield Rule(Term("legal", (Term(role), self._rest(role))), (self._mover(Term(role)),))

    def _ground_moves(self) -> list[Term]:
        """Every move that can be made, rests and waits aside."""
        out: dict[Term, None] = {}
        for a in self.alternatives:
            local = {
                v: dict.fromkeys(m for moves in self.plan.parts[i].moves for m in moves) for i, v in a.local.items()
            }
            for chosen in product(*local.values()):
                move = substitute(a.move, dict(zip(local, chosen, strict=True)))
                assert isinstance(move, Term)
                out[move] = None
        return list(out)

    # ---- end and goals ----

    def _terminal(self) -> Iterator[Rule]:
        counted = [i for i in self.plan.counted if self.plan.parts[i].ends]
        over = [self.names.glue(i, "over") for i in counted]
        if self.plan.end == "any":
            yield from (Rule(Term("terminal"), (one,)) for one in over)
        elif len(counted) == len(self.plan.counted):
            yield Rule(Term("terminal"), tuple(over))

    def _goals(self) -> Iterator[Rule]:
        plan = self.plan
        value = Variable("v")
        if plan.owners:
            for i, role in enumerate(plan.roles):
                yield Rule(Term("goal", (Term(role), value)), (self.names.glue(i, "worth", (Term(role), value)),))
        elif len(plan.counted) == 1:
            yield Rule(Term("goal", (R, value)), (self.names.glue(plan.counted[0], "worth", (R, value)),))
        elif plan.goal == "additive":
            values = [Variable(f"v{i + 1}") for i in plan.counted]
            for chosen in product(*(plan.parts[i].values for i in plan.counted)):
                score = plan.score(dict(zip(plan.counted, chosen, strict=True)), 0)
                yield Rule(self.names.shared("total", tuple(Term(str(v)) for v in (*chosen, score))))
            worth = [self.names.glue(i, "worth", (R, v)) for i, v in zip(plan.counted, values, strict=True)]
            yield Rule(Term("goal", (R, value)), (*worth, self.names.shared("total", (*values, value))))
        else:
            won = [self.names.glue(i, "worth", (R, Term("100"))) for i in plan.counted]
            triumph = self.names.shared("triumph", (R,))
            for body in [tuple(won)] if plan.goal == "all" else [(one,) for one in won]:
                yield Rule(triumph, body)
            yield Rule(Term("goal", (R, Term("100"))), (triumph,))
            yield Rule(Term("goal", (R, Term("0"))), (Term("role", (R,)), Not(triumph)))


_PASS = Term("pass")


def _symbols(part: LocalGame) -> set[str]:
    """Every predicate and fluent name of a part, and every constant move."""
    out = {f.name for f in part.fluents} | {m.name for moves in part.moves for m in moves}
    if part.borrowed:
        out |= {rule.head.name for rule in part.rules}
        out |= {atom.name for rule in part.rules for formula in rule.body for atom in _atoms(formula)}
    return out - KEYWORDS


def _true(fluent: TermOrVariable) -> Term:
    return Term("true", (fluent,))


def _does(role: TermOrVariable, move: TermOrVariable) -> Term:
    return Term("does", (role, move))


def _atoms(formula: Formula) -> Iterator[Term]:
    if isinstance(formula, Term):
        yield formula
    elif isinstance(formula, Not):
        yield from _atoms(formula.body)
    elif not isinstance(formula, Distinct):
        for part in formula.parts:
            yield from _atoms(part)


def _patterns(fluents: tuple[Term, ...]) -> list[Term]:
    """Each fluent symbol once, with variables for its arguments."""
    symbols = dict.fromkeys((f.name, len(f.args)) for f in fluents)
    return [Term(name, tuple(Variable(f"x{k}") for k in range(arity))) for name, arity in symbols]


def substitute(term: TermOrVariable, values: dict[Variable, Term]) -> TermOrVariable:
    """The term with values for variables."""
    if isinstance(term, Variable):
        return values.get(term, term)
    return Term(term.name, tuple(substitute(a, values) for a in term.args)) if term.args else term
