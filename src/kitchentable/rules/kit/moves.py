"""Rulesets and their moves: each move is a function with a form and guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, get_args, get_type_hints

from kitchentable.rules.errors import GameFault, RuleRefuses, Unknown
from kitchentable.rules.kit.at import AnyAt, At, F, Guard, Opt, RulesetData
from kitchentable.rules.kit.beings import B
from kitchentable.rules.kit.forms import Form, check_form, put_words, read_form
from kitchentable.rules.kit.rolls import PausedHere, ThrownNow
from kitchentable.rules.moves import Moment, Move, Question, Result
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import GM, Answers, Field, Problem, Row, RuleIds, record

#: The function of a move, called with its moment.
Act = Callable[[At[F, B, Opt]], None]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Declared(Move):
    """A move of the kit: a function, its form, its guards, and the move after its pause."""

    ruleset: AnyRules
    form: type[Form]
    act: Act[Any, Any, Any]
    guards: tuple[Guard, ...] = ()
    paused: Resumed | None = None

    def form_of(self, answers: Answers) -> type[Form]:
        """The form for these answers."""
        return self.form

    def made(self, table: Table, actor: Actor, answers: Answers, *fell: Any) -> AnyAt:
        """The moment of making the move, with the outcomes of its rolls."""
        return At(self.ruleset, table, actor, answers, self.form, outcomes=fell, writes=True)

    def when(self, table: Table, actor: Actor) -> str | None:
        """None, or the first guard's reason why the move cannot be made."""
        return self.ruleset.moment(table, actor).may(self)

    def fields(self, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        """The fields, given these answers."""
        return self.ruleset.moment(table, actor).fields(self, answers)

    def check(self, table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
        """Problems between answers."""
        at = At(self.ruleset, table, actor, answers, self.form_of(answers))
        return check_form(at.form)

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The roll of the move: the function runs to its first roll, and this run is discarded.

        None without a roll, or if numbers or answers are missing.
        """
        if not self.throws:
            return None
        here = self.made(table, actor, answers)
        try:
            self.act(here)
        except ThrownNow as thrown:
            return thrown.question
        except (Unknown, RuleRefuses, PausedHere):
            return None
        return None

    def consequences(self, table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        """The result of the move, run with the outcome or without dice."""
        fell = () if outcome is None else (outcome,)
        return self.run(self.made(table, actor, answers, *fell))

    def run(self, here: AnyAt) -> Result:
        """The result of a run to its end or to its pause."""
        try:
            self.act(here)
        except PausedHere as paused:
            ask = replace(paused.ask, move=paused_name(self.name), rules=self.rules)
            closes = (here.actor.ask,) if here.actor.ask else ()
            return Result(here.told(), asks=(ask,), closes=closes)
        except Unknown as unknown:
            raise RuleRefuses(str(unknown), *self.rules) from unknown
        except ThrownNow as thrown:
            words = "more than once in a step" if self.throws else "but is not declared with rolls"
            raise GameFault(f"The move {self.name!r} throws dice {words}.") from thrown
        return here.result()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Resumed(Declared):
    """A move that continues after a pause: the same function, with the earlier rolls and answers.

    `forms` are the forms of its pauses by name; `form` is one of them.
    """

    first: Declared
    forms: Mapping[str, type[Form]]

    def form_of(self, answers: Answers) -> type[Form]:
        """The form of the pause."""
        was: Any = answers.get("paused") or {}
        return self.forms.get(was.get("form", ""), self.form)

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The next roll after the pause; None without one."""
        if actor.ask not in table.asks or "paused" not in table.asks[actor.ask].preset:
            return None
        return Declared.question(self, table, actor, answers)

    def run(self, here: AnyAt) -> Result:
        """The result of the first move, run to its end or to its next pause."""
        return self.first.run(here)

    def made(self, table: Table, actor: Actor, answers: Answers, *fell: Any) -> AnyAt:
        """The moment of the first move, with all earlier rolls and answers."""
        was: Row = table.asks[actor.ask].preset["paused"]
        seat, role, entity, hidden = was["actor"]
        if was["form"] not in self.forms:
            words = "This card is from an earlier version of the game. Take back the roll."
            raise RuleRefuses(words, *self.rules, code="pause/unfit")
        mine = {key: value for key, value in answers.items() if key != "paused"}
        first = Actor(seat, role, entity, "", frozenset(hidden))
        here = self.first.made(table, first, was["answers"], *fell)
        here.past = {**was, "said": [*was["said"], [actor.seat, actor.role, mine]]}
        here.actor = replace(first, ask=actor.ask)
        here.asked = table.asks[actor.ask]
        return here


def with_pauses(*moves: Move) -> tuple[Move, ...]:
    """All moves of a ruleset, followed by the moves that continue them after a pause."""
    paused = (one.paused for one in moves if isinstance(one, Declared))
    return (*moves, *(one for one in paused if one is not None))


@record
class Page(Moment):
    """All moves of an actor at one shared moment, so that the table is read once."""

    at: AnyAt

    def may(self, move: Move) -> str | None:
        """None if the actor may make this move now; otherwise a sentence with the reason."""
        if isinstance(move, Declared):
            return self.at.allows(move.guards)
        return Moment.may(self, move)

    def fields(self, move: Move, answers: Answers | None = None) -> tuple[Field, ...]:
        """The fields of a move, given these answers."""
        if isinstance(move, Declared):
            given = {**(self.at.asked.preset if self.at.asked else {}), **(answers or {})}
            return read_form(self.at.fill(move.form_of(given), given))
        return Moment.fields(self, move, answers or {})


class Ruleset(RulesetData[B, Opt]):
    """A ruleset that declares moves; see `RulesetData`."""

    def at(self, table: Table, entity: str = "") -> At[Form, B, Opt]:
        """The moment of a hook: the GM is the actor, and changes are recorded."""
        return At(self, table, Actor("", "gm", entity), writes=True)

    def moment(self, table: Table, actor: Actor) -> Page:
        """The moment of a page, shared by all moves of an actor."""
        return Page(table, actor, At(self, table, actor))

    def answer(
        self,
        name: str,
        title: str = "",
        help: str = "",
        form: type[Form] | None = None,
        **more: Any,
    ) -> Callable[[Act[Any, B, Opt]], Declared]:
        """Declares a move that only answers cards."""
        return self.move(name, title, help, form, by=(), for_entity=False, **more)

    def move(
        self,
        name: str,
        title: str = "",
        help: str = "",
        form: type[Form] | None = None,
        *,
        when: Guard | tuple[Guard, ...] = (),
        rolls: bool = False,
        pauses: type[Form] | tuple[type[Form], ...] = (),
        **more: Any,
    ) -> Callable[[Act[Any, B, Opt]], Declared]:
        """Declares a move; the decorated function makes it, from the first roll to the card.

        By default its `form` is the one in the type of the function's moment, `at: At[LeapForm]`.
        With `rolls` the function may call `at.roll`; changes before a roll without an outcome are
        dropped. `pauses` are the forms of its `at.pause`. `when` are guards, checked in order;
        `more` are other parts of `Move`, which override those of the data file.
        """
        guards = when if isinstance(when, tuple) else (when,)
        forms = pauses if isinstance(pauses, tuple) else (pauses,)
        said = {"title": title, "help": help, **self.words.get(name, {}), **more}
        parts: Row = {
            key: tuple(one) if isinstance(one, list) else one for key, one in said.items()
        }
        for key in ("key", "card"):
            parts.pop(key, None)
        words = parts.pop("ask", {})
        if "only_with" in parts:
            option, why_not = parts.pop("only_with")
            guards = ((lambda at: None if at.options[option] else why_not), *guards)

        def declare(act: Act[Any, B, Opt]) -> Declared:
            asked = form or _form_of(act)
            if words:
                put_words(asked, words)
            made = Declared(
                name=name, ruleset=self, form=asked, act=act, guards=guards, throws=rolls, **parts
            )
            if not forms:
                return made
            again = Resumed(
                name=paused_name(name), title=made.title, help=f"Continue with: {made.title}.",
                rules=made.rules, by=(), throws=True, for_entity=False, ruleset=self,
                form=forms[0], act=act, first=made, forms={one.__name__: one for one in forms},
            )  # fmt: skip
            return replace(made, paused=again)

        return declare


def _form_of(act: Callable[..., None]) -> type[Form]:
    """The form in the type of a function's moment."""
    moment = next(iter(get_type_hints(act).values()), None)
    found = next(iter(get_args(moment)), Form)
    return found if isinstance(found, type) and issubclass(found, Form) else Form


#: Any ruleset.
AnyRules: TypeAlias = Ruleset[Any, Any]


def paused_name(name: str) -> str:
    """The name of the move that continues this one after a pause."""
    return f"{name}-paused"


def bring_in(
    at: AnyAt,
    kind: str,
    sheet: Row,
    state: Row,
    sentence: str,
    rules: RuleIds,
) -> None:
    """Brings new entities of the GM into play, as many as the form says, with a card.

    The form has `name`, `count`, `line`, `hidden` and `open`; several entities are numbered.
    """
    form = at.form
    alone = form.count == 1
    for number in range(1, form.count + 1):
        name = form.name if alone else f"{form.name} {number}"
        new = Entity("", name, kind, GM, sheet, state, "play", form.hidden, form.open, form.line)
        at.create(new, number)
    title = form.name if alone else f"{form.name}, {form.count} of them"
    at.tell(title, sentence, rules=rules, audience=GM if form.hidden else "")
