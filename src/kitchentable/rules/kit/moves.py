"""Rulesets and their moves: one function for each, with its form and its guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_type_hints

from kitchentable.rules.errors import GameFault, RuleRefuses
from kitchentable.rules.kit.at import At, Declared, Guard
from kitchentable.rules.kit.beings import Being
from kitchentable.rules.kit.forms import (
    Form,
    Row,
    Unknown,
    Values,
    check_form,
    put_words,
    read_form,
)
from kitchentable.rules.kit.pauses import Fallen, Past, PausedHere, ThrownNow
from kitchentable.rules.kit.rounds import Rounds
from kitchentable.rules.moves import Move, Question, Result, no_question
from kitchentable.rules.table import Actor, Table
from kitchentable.rules.values import Answers, Field, Json, Problem

F = TypeVar("F", bound=Form)
B = TypeVar("B", bound=Being)
Opt = TypeVar("Opt")
#: The body of a move: one function of its moment.
Act = Callable[[At[F, B, Opt]], None]


@dataclass(frozen=True, slots=True)
class Steps(Generic[F, B, Opt]):
    """A declared move as the campaign calls it: a method for each function of `Move`."""

    rules: Ruleset[B, Opt]
    name: str
    form: type[F]
    act: Act[F, B, Opt]
    guards: tuple[Guard, ...]
    rolls: bool
    cites: tuple[str, ...]

    def when(self, table: Table, actor: Actor) -> str | None:
        """None, or the reason why the move cannot be made."""
        here = self.rules.moment(table, actor)
        return here.allows(self.guards)

    def fields(self, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        """The fields, given these answers."""
        return read_form(self.form, At(self.rules, table, actor, answers, self.form))

    def check(self, table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
        """Problems between answers."""
        return check_form(At(self.rules, table, actor, answers, self.form).form)

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The roll of the move: it runs to the first die, and nothing of this run is kept."""
        return self.asks(At(self.rules, table, actor, answers, self.form, writes=True))

    def follow(self, table: Table, actor: Actor, answers: Answers, outcome: Json) -> Result:
        """The result of the move, run with the outcome or without dice."""
        fell = () if outcome is None else (outcome,)
        return self.follows(
            At(self.rules, table, actor, answers, self.form, outcomes=fell, writes=True)
        )

    def asks(self, here: At[F, B, Opt]) -> Question | None:
        """The roll at which a run stops; None without a roll, or if too little is known."""
        try:
            self.act(here)
        except ThrownNow as thrown:
            return thrown.question
        except (Unknown, RuleRefuses, PausedHere):
            return None
        return None

    def follows(self, here: At[F, B, Opt]) -> Result:
        """The result of a run to its end or to its pause."""
        try:
            self.act(here)
        except PausedHere as paused:
            ask = replace(paused.ask, move=paused_name(self.name), rules=self.cites)
            closes = (here.actor.ask,) if here.actor.ask else ()
            kept = here.kept
            return Result(
                here.told(), kept.changes, (*kept.asks, ask), tuple({*kept.closes, *closes})
            )
        except Unknown as unknown:
            raise RuleRefuses(str(unknown), *self.cites) from unknown
        except ThrownNow as thrown:
            words = "more than once in a step" if self.rolls else "and is not declared with rolls"
            raise GameFault(f"The move {self.name!r} throws dice {words}.") from thrown
        return here.result()


@dataclass(frozen=True, slots=True)
class Resumed(Generic[F, B, Opt]):
    """A move that goes on after its pause: the same function, with what fell and was said."""

    steps: Steps[F, B, Opt]
    forms: Mapping[str, type[Form]]

    def fields(self, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        """The fields of the pause."""
        form = self._form(answers)
        return read_form(form, At(self.steps.rules, table, actor, answers, form))

    def check(self, table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
        """Problems between answers."""
        form = self._form(answers)
        return check_form(At(self.steps.rules, table, actor, answers, form).form)

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The next roll after the pause; None without one."""
        if actor.ask not in table.asks or "paused" not in table.asks[actor.ask].preset:
            return None
        return self.steps.asks(self._again(table, actor, answers, ()))

    def follow(self, table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        """The result of the move, run again with all outcomes."""
        fell = () if outcome is None else (outcome,)
        return self.steps.follows(self._again(table, actor, answers, fell))

    def _form(self, answers: Answers) -> type[Form]:
        was: Any = answers.get("paused") or {}
        return self.forms.get(was.get("form", ""), next(iter(self.forms.values())))

    def _again(
        self, table: Table, actor: Actor, answers: Answers, fell: tuple[Any, ...]
    ) -> At[F, B, Opt]:
        was: Row = table.asks[actor.ask].preset["paused"]
        seat, role, entity, hidden = was["actor"]
        form = self.forms.get(was["form"])
        if form is None:
            words = "This card is of an earlier version of the game. Take the roll back."
            raise RuleRefuses(words, *self.steps.cites, code="pause/unfit")
        mine = {key: value for key, value in answers.items() if key != "paused"}
        said = tuple((Actor(who, its, entity), one) for who, its, one in was["said"])
        past = Past(
            tuple(Fallen(*one) for one in was["fell"]),
            (*said, (actor, mine)),
            was["once"],
        )
        first = Actor(seat, role, entity, "", frozenset(hidden))
        steps = self.steps
        here = At(
            steps.rules, table, first, was["answers"], steps.form,
            outcomes=fell, past=past, writes=True,
        )  # fmt: skip
        here.actor = replace(first, ask=actor.ask)
        here.asked = table.asks[actor.ask]
        return here


class Ruleset(Generic[B, Opt]):
    """The parts shared by all moves of a ruleset: its entities' class, its options, its fight.

    `words` are parts of moves from a data file, by the move's name: title, help, rules, by, place,
    for_entity, converses, examples; `ask`, the words of its form's questions; `card`, those of the
    card that it answers. `cards` are the words of cards, by their key: title, sentence, outcome,
    tone, rules.
    """

    def __init__(
        self,
        being: Callable[..., B],
        options: Callable[[Values], Opt],
        words: Mapping[str, Mapping[str, Any]] | None = None,
        cards: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.being, self.options, self.words, self.cards = being, options, words or {}, cards or {}
        self.rounds: type[Rounds[Any]] = Rounds

    def at(self, table: Table, entity: str = "") -> At[Form, B, Opt]:
        """The moment of a hook: made by the GM, and able to write."""
        return At(self, table, Actor("", "gm", entity), writes=True)

    def moment(self, table: Table, actor: Actor) -> At[Form, B, Opt]:
        """The moment of a page, shared by all moves of an actor and read only."""
        return At(self, table, actor)

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
        """Declares a move: the decorated function runs from the first die to the card.

        Its `form` is the one in the type of the function's moment, `at: At[LeapForm]`. With `rolls`
        the function may call `at.roll`; changes before a die that has not been thrown are dropped.
        `pauses` are the forms of its `at.pause`. `when` are guards, checked in order; `more` are
        the other parts of `Move`, unless the data file has them.
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

        def declare(act: Act[Any, B, Opt]) -> Declared:
            asked = form or _form_of(act)
            if words:
                put_words(asked, words)
            steps = Steps(self, name, asked, act, guards, rolls, tuple(parts.get("rules", ())))
            return Declared(
                name=name, consequences=steps.follow, when=steps.when, fields=steps.fields,
                check=steps.check, question=steps.question if rolls else no_question,
                form=asked, guards=guards, paused=_paused(steps, parts["title"], forms),
                **{**parts, "rules": steps.cites},
            )  # fmt: skip

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


def _paused(steps: Steps[Any, Any, Any], title: str, forms: tuple[type[Form], ...]) -> Move | None:
    if not forms:
        return None
    again = Resumed(steps, {one.__name__: one for one in forms})
    return Move(
        paused_name(steps.name), title, f"Go on with: {title}.", steps.cites, again.follow,
        by=(), fields=again.fields, check=again.check, question=again.question, for_entity=False,
    )  # fmt: skip
