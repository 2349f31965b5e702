"""A roll of harm that luck may better: luck before the throw, the card that waits, the settling."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, Generic, TypeAlias, TypeVar

from kitchentable.rules import Json, Part, Side
from kitchentable.rules.kit import Form, Values
from kitchentable.rules.kit.outcomes import write_outcome
from kitchentable.rulesets.toaster.book import Facts, Words
from kitchentable.rulesets.toaster.luck import BEFORE, Waiting, luck_before, lucky, wait
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, outcome_of
from kitchentable.rulesets.toaster.people import Here

O = TypeVar("O")  # noqa: E741
_FACTS = [one.name for one in fields(Outcome)]


class LuckyForm(Form):
    """The luck that is put on a roll before it falls (toaster.3.luck-before-plus2)."""

    luck = luck_before("Luck points before the throw")


def brought(at: Here) -> Any:
    """The facts of the card that is answered; none for those who do not see the card."""
    return at.asked.preset if at.asked else {}


def bettered(at: Here, waiting: Waiting) -> Outcome:
    """A roll with the luck that was added after it; a zero stays what it was.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
    """
    roll: Any = waiting.roll
    added = waiting.added.get(at.me.id, 0)
    was = Outcome(*(roll[name] for name in _FACTS))
    if was.zero or not added:
        return replace(was, total=was.total + added)
    return outcome_of(was.total + added, bands=at.options.variable_outcomes)


def _plain(outcome: Any, modifier: int) -> Any:
    return write_outcome(outcome)


#: What a roll comes to: a sentence, a word, whether it is good, the rules.
End: TypeAlias = tuple[str, str, bool, Words]


class LuckyRoll(Generic[O]):
    """A roll of harm, its form below `LuckyForm`: how it is thrown, told and settled.

    `throw` gets what is added to the die, and whether a 4 is called. `parts` tells what is added,
    out of the facts of the roll; `settle` says what the roll comes to. With `is_best` no luck could
    better the outcome. `write` and `read` turn it into facts and back, luck added.
    """

    def __init__(
        self,
        name: str,
        title: str,
        *rules: str,
        throw: Callable[[Here, int, bool], O],
        parts: Callable[[Here, Any], Iterable[Part]],
        settle: Callable[[Here, Waiting, O], End],
        is_best: Callable[[O], bool] = lambda outcome: False,
        says: Callable[[Here, Any], str] = lambda at, outcome: f"The roll is {outcome}.",
        write: Callable[[Any, int], Values] = _plain,
        read: Callable[[Here, Waiting], Any] = bettered,
    ) -> None:
        self.rules, self.throw, self.parts, self.settle = rules, throw, parts, settle
        self.is_best, self.says, self.write, self.read = is_best, says, write, read
        self.card = lucky(name, title, again=self._thrown)(self._settled)

    def throw_first(self, at: Here, title: str, kept: Facts | None = None, **roll: Json) -> Waiting:
        """The roll is thrown, and the luck put on it beforehand is spent."""
        luck, me, called = at.form.luck, at.me, at.form.called
        roll["luck"] = luck
        facts = kept or roll
        facts["modifier"] = sum(part.value for part in self.parts(at, facts)) + BEFORE * luck
        waiting = Waiting(
            title,
            roll=roll,
            kept=kept or {},
            no_again=(me.id,) if called else (),
            about=at.table.number + 1,
        )
        waiting = self._thrown(at, waiting, called=called)
        me.pay(luck)
        return waiting

    def go_on(self, at: Here, waiting: Waiting) -> None:
        """The card of the roll waits for luck, or the roll is settled at once."""
        if wait(at, self.card, waiting):
            self._tell(at, waiting)
        else:
            self._settled(at, waiting)

    def _thrown(self, at: Here, waiting: Waiting, *, called: bool = False) -> Waiting:
        """The roll with its outcome, the first one or another in its place."""
        modifier, me = waiting.facts["modifier"], (at.me.id,)
        outcome = self.throw(at, modifier, called)
        facts = self.write(outcome, modifier)
        return replace(
            waiting,
            roll={**waiting.roll, **facts},
            spoilt=me if facts.get("zero") or facts.get("shown") == 0 else (),
            text=self.says(at, outcome),
            queue=() if self.is_best(outcome) else me,
        )

    def _settled(self, at: Here, waiting: Waiting) -> None:
        """What the roll comes to once luck has spoken."""
        parts = tuple(self.parts(at, waiting.facts))
        self._tell(at, waiting, *self.settle(at, waiting, self.read(at, waiting)), parts)

    def _tell(
        self,
        at: Here,
        waiting: Waiting,
        sentence: str = "It could still be bettered.",
        word: str = "",
        good: bool = False,
        rules: Iterable[str] = (),
        parts: Iterable[Part] | None = None,
    ) -> None:
        """The card of a roll; while luck may still better it, the dice and no outcome."""
        roll, me = waiting.roll, at.me
        luck: Any = BEFORE * roll["luck"] + waiting.added.get(me.id, 0)
        every = (
            *(parts or self.parts(at, waiting.facts)),
            *((Part("luck", luck),) if luck else ()),
        )
        total, other = self.read(at, waiting).total, at.find(roll.get("patient"))
        at.sides.append(Side(me.name, "roll", every, total, audience=me.number_audience))
        tone = "plain" if not word else "good" if good else "bad"
        at.tell(
            waiting.title, sentence, word, tone, (*self.rules, *rules),
            of=(me, other) if other else (me,), about=waiting.about if waiting.used else 0,
        )  # fmt: skip
