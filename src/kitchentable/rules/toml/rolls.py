"""Rolls and tables of a game in a file, as moves of the kit: form, throw and consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from kitchentable.rules import kit
from kitchentable.rules.errors import Unknown
from kitchentable.rules.kit import tables
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Input
from kitchentable.rules.kit.formula import Bindings, Formulas
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Line, Part, Side
from kitchentable.rules.toml.dicework import Gathered, throw_again
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, option_numbers
from kitchentable.rules.toml.rollform import BONUS, MODIFIER, PUSHED, TRAIT, Asked, Band, Rows
from kitchentable.rules.toml.throws import Throwing, numbers_of_outcome, read_named
from kitchentable.rules.toml.turns import may_act
from kitchentable.rules.values import EVERYONE, GM, Choice, Problem, Row, Values

#: The answer for a difficulty outside the ladder.
OWN = "own"
#: The name of the GM's modifier on a card.
BY_THE_GM = "the GM's modifier"


class StoryForm(Form):
    """The consequence of a result, in words."""

    text = kit.text(story=True)


def story_move(rules: AnyRules) -> Declared:
    """The move that answers the question of a result with a sentence in the log."""
    return rules.answer("story", form=StoryForm, rules=())(_tell_story)


def _tell_story(at: AnyAt) -> None:
    ask = at.answered
    about = at.find(ask.entity)
    at.tell(ask.title, at.form.text, tone="splendid", rules=ask.rules, of=[about] if about else ())


def asked_input(one: Asked) -> Input[Any]:
    """A further question of a roll, as a question of a form."""
    ask: Any = {"tick": kit.tick, "choice": kit.pick, "number": kit.number}[one.field.kind]
    by = {"set_by": GM, "hideable": True} if one.by == "gm" else {"needs_yes": not one.costs}
    parts = ("label", "choices", "default", "help", "low", "high", "rule")
    found: Input[Any] = ask(**{key: getattr(one.field, key) for key in parts}, **by)
    return found


def table_of(game: Written, one: Rows) -> tables.Rows:
    """A table of the file, as a table of the kit."""
    asked: Row = {each.key: asked_input(each) for each in one.fields}

    def add(options: Values, /, **given: Any) -> tuple[Part, ...]:
        numbers = option_numbers(game, options) | read_named(one, asked, given)
        return game.summands(one.add, numbers, "", one.fields)

    return tables.Rows(
        one.key,
        one.title,
        one.dice,
        tuple(row.to for row in one.rows if row.to is not None),
        [row.text for row in one.rows],
        one.help,
        (one.rule,),
        type("RowForm", (Form,), asked),
        add,
        tuple(each.field for each in one.fields),
    )


@dataclass(frozen=True)
class Rolling(Throwing):
    """A roll of the file as a move, with the move that answers the question of a result."""

    story: Declared

    def declare(self, rules: AnyRules) -> Declared:
        """The move."""
        roll, again = self.roll, self.roll.again
        return rules.move(
            roll.key, roll.title, roll.help or f"Roll: {roll.title}.", self.form(),
            rules=(roll.rule,), place="fight" if roll.fight else "move", when=self.why_not,
            rolls=True, converses=True, pauses=self.push_form if again is not None else (),
        )(lambda at: RollAt(self, at).act())  # fmt: skip

    def why_not(self, at: AnyAt) -> str | None:
        """None, or the reason why the actor cannot roll."""
        me, roll = at.find(at.actor.entity), self.roll
        if me is None:
            return "Nobody is here to make this roll."
        if me.is_known and me.is_out:
            return f"{me.name} cannot act at the moment."
        if roll.needs_target and not self.others(at):
            return "This roll has no possible target."
        return me.may_not(roll) or (may_act(at) if roll.fight else None)

    def others(self, at: AnyAt) -> list[Body]:
        """The possible targets of the roll."""
        people: list[Body] = [one for one in at.in_play() if one.id != at.actor.entity]
        return [one for one in people if self.roll.goes_at(one.entity.kind)]

    # ------------------------------------------------------------ questions

    def form(self) -> type[Form]:
        """The questions of the roll, as a form of the kit."""
        roll, opposed, rule = self.roll, self.roll.opposed, {"rule": self.roll.rule}
        gms: Row = {"set_by": GM, "hideable": True, **rule}
        added = {"default": 0, "required": False, "low": -99, "high": 99, **gms}
        target = kit.somebody("Whom?", self.others, only=True, **rule)
        found: Row = {"what": kit.text("What do you do?", optional=True, longest=400)}
        if roll.needs_target:
            found["target"] = target
        elif roll.harms_another:
            found["target"] = target.having(default="", required=False).read_as(
                lambda at, given: at.find(given)
            )
        if roll.uses:
            found["trait"] = self._trait("Trait", roll.uses, lambda at: at.me, needs_yes=True)
        if roll.listing:
            found["entry"] = kit.pick(
                self.game.listings.of(roll.listing).title, self._entries, default="",
                required=False, needs_yes=True, veto_only=True, **rule,
            )  # fmt: skip
        found |= {one.key: asked_input(one) for one in roll.fields}
        if opposed is not None and opposed.uses:
            label = target.words("{} answers with")
            found["other_trait"] = self._trait(label, opposed.uses, target, set_by="owner:target")
        if roll.ladder:
            found["difficulty"] = steps = kit.pick(
                "Difficulty", lambda at: RollAt(self, at).steps(), default=roll.ladder[0].key, **gms
            )
            own = {"low": -999, "high": 999, "when": steps.equals(OWN), **gms}
            found["number"] = kit.number("The number", **own)
        if self.asks_modifier:
            found["modifier"] = kit.number("Modifier", **added)
        if self.asks_modifier and opposed is not None:
            found["other_modifier"] = kit.number(target.words("Modifier of {}"), **added)
        found["problems"] = lambda form: RollAt(self, form.at).problems()
        return type(f"{roll.key.title()}Form", (Form,), found)

    def _trait(
        self, label: Any, uses: tuple[str, ...], whose: Callable[[AnyAt], Body], **more: Any
    ) -> Input[str]:
        """The question for a trait of these groups, with the entity's levels if they are known."""
        traits = self.game.picks(uses)

        def choices(at: AnyAt) -> list[Choice]:
            one = whose(at)
            levels = {t.key: f" {one.level(t.key)}" if one.is_known else "" for t in traits}
            return [Choice(t.key, t.title + levels[t.key], t.help) for t in traits]

        return kit.pick(label, choices, default=traits[0].key, rule=self.roll.rule, **more)

    @cached_property
    def push_form(self) -> type[Form]:
        """The form that asks whether to throw dice again."""
        again: Any = self.roll.again
        push = kit.tick(again.title, help=again.help, rule=self.roll.rule)
        return type("PushForm", (Form,), {"push": push})

    def _entries(self, at: AnyAt) -> list[Choice]:
        listing = self.game.listings.of(self.roll.listing)
        mine = dict.fromkeys(at.me.entries(listing))
        return [Choice("", "None"), *(Choice(o, f"{o}, {listing.bonus:+d}") for o in mine)]


class RollAt:
    """A roll at one moment: its numbers, its throw, and its consequences."""

    def __init__(self, rolling: Rolling, at: AnyAt) -> None:
        self.rolling, self.roll, self.game = rolling, rolling.roll, rolling.game
        self.at, self.form = at, at.form
        self.me: Body = at.me

    @property
    def other(self) -> Body | None:
        """The target of the roll, or None. Errors: Unknown."""
        aims = self.roll.opposed is not None or self.roll.harms_another
        return self.form.target if aims else None

    # ------------------------------------------------------------ numbers

    @property
    def trait(self) -> str:
        """The trait of the roll, fixed or chosen; "" for none."""
        return self.roll.trait or (self.form.trait if self.roll.uses else "")

    @property
    def their_trait(self) -> str:
        """The other side's trait in an opposed roll, "" for none."""
        opposed = self.roll.opposed
        return "" if opposed is None else opposed.trait or self.form.other_trait

    def _answers(self) -> dict[str, Callable[[], int]]:
        """Functions that read the numbers of the answers."""
        roll, form = self.roll, self.form
        bonus = self.game.listings.of(roll.listing).bonus if roll.listing else 0
        return {
            TRAIT: lambda: self.me.level(self.trait),
            BONUS: lambda: bonus if bonus and form.entry else 0,
            MODIFIER: lambda: form.modifier if self.rolling.asks_modifier else 0,
            **{one.key: partial(_answer, form, one) for one in roll.fields},
        }

    @cached_property
    def numbers(self) -> Bindings:
        """The actor's numbers for the roll's formulas. Errors: Unknown."""
        return self.me.numbers() | {name: read() for name, read in self._answers().items()}

    @cached_property
    def theirs(self) -> Bindings:
        """The other side's numbers for the formulas of an opposed roll. Errors: Unknown."""
        if self.roll.opposed is None:
            return {}
        other: Body = self.form.target
        modifier = self.form.other_modifier if self.rolling.asks_modifier else 0
        return self.rolling.answering(other.numbers(), other.level(self.their_trait), modifier)

    @property
    def against(self) -> int:
        """The target number: a step of the ladder, a number set by the GM, or a formula."""
        step = self.form.difficulty if self.roll.ladder else ""
        return int(self.form.number) if step == OWN else self.rolling.against(self.numbers, step)

    def steps(self) -> list[Choice]:
        """The steps of the ladder, each with its number; unknown answers count as 0."""
        known = {name: _or_zero(read) for name, read in self._answers().items()}
        numbers = self.me.seen() | known
        steps = [Choice(o.key, f"{o.title} {o.number.value(numbers)}") for o in self.roll.ladder]
        return [*steps, Choice(OWN, "A number of its own")]

    def costs(self) -> list[Formulas]:
        """The costs of the roll, then of each answer other than the default."""
        changed = (o for o in self.roll.fields if getattr(self.form, o.key) != o.field.default)
        return [self.roll.costs, *(one.costs for one in changed)]

    # ------------------------------------------------------------ dice

    def problems(self) -> Iterator[Problem]:
        """Check that there are dice to throw, and that the costs can be paid."""
        if words := self.me.lacks(self.roll.title, self.numbers, *self.costs()):
            yield Problem("", self.roll.rule, words, final=True)
        if words := self.lacks_dice():
            yield Problem("", self.roll.rule, words)

    def lacks_dice(self) -> str:
        """A sentence if one of the sides has no dice to throw, otherwise "". Errors: Unknown."""
        if words := self.rolling.nothing(self.numbers):
            return words
        if self.roll.opposed is not None and self.rolling.nothing(self.theirs):
            # no reason, because the target's numbers may be secret
            return f"There are no dice to throw for {self.form.target.name}."
        return ""

    def throw(self) -> kit.Throw[Any]:
        """The throw. Errors: Unknown."""
        if words := self.lacks_dice():
            raise Unknown(words)
        arguments = self.rolling.arguments(self.numbers, self.theirs, self.against)
        return self.rolling.thrown(*arguments)

    def fall(self, throw: kit.Throw[Any]) -> Any:
        """The outcome of a throw; each die has its owner."""
        owners = dict.fromkeys([one.key for one in self.roll.pools] or ["roll"], self.me)
        theirs = {} if self.roll.opposed is None else {"other": self.form.target}
        return self.at.roll(throw, owners | theirs)

    # ------------------------------------------------------------ consequences

    def act(self) -> None:
        """Make the roll, offer to throw dice again, apply the result and show it on a card."""
        at, me, throw, other = self.at, self.me, self.throw(), self.other
        outcome, hand = self._again(throw, self.fall(throw))
        pushed = hand is not throw.arguments[0]
        numbers = numbers_of_outcome(self.numbers | {PUSHED: int(pushed)}, outcome)
        band, costs = self.roll.bands.of(outcome.result), self.costs()
        if pushed and self.roll.again is not None:
            costs.append(self.roll.again.costs)
        for each in costs:
            me.pay(each, numbers)
        me.suffer(band.marks, numbers)
        if other is not None:
            other.suffer(band.others_marks, numbers)
        at.lines += self.lines(numbers, outcome)
        tell_marks(at)
        self._tell(band, outcome if at.pauses == 0 or pushed else None, hand)
        if band.asks:
            at.ask(
                self.rolling.story, self._to(me, *filter(None, [other])),
                f"{me.name}: {band.title}", band.asks, of=me, rules=(self.roll.rule,),
                skippable=True,
            )  # fmt: skip
        if at.fight is not None:
            at.fight.acted(me, in_turn=self.roll.fight)

    def _to(self, *about: Body) -> tuple[str, ...]:
        """The audience of a card: the GM, and the actor's owner unless one of `about` is hidden."""
        return (GM,) if any(one.hidden for one in about) else (GM, f"owner:{self.me.id}")

    def _again(self, throw: kit.Throw[Any], outcome: Any) -> tuple[Any, Any]:
        """The final outcome and its hand, after the player has decided about throwing again."""
        again, me, first = self.roll.again, self.me, throw.arguments[0]
        if again is None:
            return outcome, first
        hand = throw_again(first, outcome.lie)
        dice = sum(one.dice for one in hand.colours)
        lacks = me.lacks(again.title, self.numbers, *self.costs(), again.costs)
        if not dice or (lacks and not self.at.past["said"]):
            return outcome, first
        self._tell(self.roll.bands.of(outcome.result), outcome, first, waits=True)
        title = f"{me.name}: {again.title}?"
        said: Any = self.at.pause(self.rolling.push_form, self._to(me), title, again.help)
        if not said.push:
            return outcome, first
        if lacks:
            self.at.refuse(lacks, self.roll.rule)
        self.at.say(f"{again.title}: {dice} dice fall again.")
        return self.fall(self.rolling.thrown(hand, *throw.arguments[1:])), hand

    def _tell(self, band: Band, outcome: Any, hand: Any, *, waits: bool = False) -> None:
        """Make the card of a result; without an outcome, its throws are already on another card."""
        at, trait = self.at, self.game.traits.get(self.trait)
        title = f"{self.roll.title}: {trait[0].title}" if trait is not None else self.roll.title
        if self.roll.listing and self.form.entry:
            title = f"{title}, with {self.form.entry}"
        told = band.title.capitalize()
        at.sides = list(self.sides(outcome, hand)) if outcome is not None else []
        at.tell(
            title, f"{told} so far." if waits else band.says or f"{told}.",
            "waits" if waits else band.title, "plain" if waits else band.tone, (self.roll.rule,),
            of=filter(None, [self.me, self.other]), name="" if at.sides else self.me.name,
        )  # fmt: skip

    def sides(self, outcome: Any, hand: Any) -> Iterator[Side]:
        """The throws on the card; a pool has one side for each thrown colour."""
        me, mine = self.me, self.rolling.parts(self.numbers, self.trait)
        if isinstance(outcome, Gathered):
            both = zip(self.roll.pools, hand.colours, strict=True)
            thrown = [o for o, of in both if of.dice or (of.lowest and not of.held)]
            for index, one in enumerate(thrown):
                name = me.name if one is self.roll.pools[0] else f"{me.name}, {one.title}"
                total = None if index or self.roll.counts else outcome.total
                yield self._side(me, one.key, () if index else mine, total, name=name)
            return
        mine = mine if outcome.total is not None else ()
        yield self._side(me, "roll", mine, outcome.total, outcome.face)
        if self.roll.opposed is not None:
            parts = self.rolling.parts(self.theirs, self.their_trait)
            yield self._side(self.form.target, "other", parts, outcome.other)

    def _side(
        self, one: Body, label: str, parts: tuple[Part, ...], total: int | None,
        face: str = "", name: str = "",
    ) -> Side:  # fmt: skip
        """One side of the card; with a secret modifier it shows neither modifier nor total."""
        if ("other_modifier" if label == "other" else "modifier") in self.at.actor.hidden:
            parts, total = tuple(each for each in parts if each.name != BY_THE_GM), None
        side = one.side(label, parts, total, face)
        return replace(side, name=name) if name else side

    def lines(self, numbers: Bindings, outcome: Any) -> Iterator[Line]:
        """The lines of the card: the answers, the target number and the counts."""
        hidden, other = self.at.actor.hidden, self.other
        if self.form.what:
            yield Line(self.form.what)
        if other is not None and self.roll.opposed is None:
            seen = [one for one in self.rolling.others(self.at) if not one.hidden]
            yield from [Line(f"Target: {other.name}.")] if len(seen) > 1 else []
        for asked in self.roll.fields:
            if words := asked.said(getattr(self.form, asked.key)):
                yield Line(words, GM if asked.key in hidden else EVERYONE)
        if self.roll.ladder or self.roll.against is not None:
            audience = GM if {"difficulty", "number"} & hidden else EVERYONE
            yield Line(f"Against {self.against}.", audience)
        if isinstance(outcome, Gathered):
            told = ", ".join(f"{o.title} {numbers[o.key]}" for o in self.roll.counts)
            yield from [Line(f"{told}.", self.me.number_audience)] if told else []
            return
        for name, total in (("modifier", outcome.total), ("other_modifier", outcome.other)):
            if name in hidden and total is not None:
                added = getattr(self.form, name)
                yield Line(f"With the hidden modifier {added:+d}: {total}.", GM)


def _answer(form: Any, one: Asked) -> int:
    return one.number(getattr(form, one.key))


def _or_zero(answer: Callable[[], int]) -> int:
    """A number, or 0 if it is not known yet."""
    try:
        return answer()
    except Unknown:
        return 0


def tell_marks(at: AnyAt) -> None:
    """Add the changed tracks to the card, and skip the turn of a fighter who is now out."""
    for path in at.changes:
        if path[0] == "entities" and path[2:4] == ("state", "tracks"):
            one: Any = at.find(path[1])
            scale = one.game.scales.of(path[4])
            at.lines.append(one.tell_mark(scale))
            if one.is_full(scale) and (scale.full or scale.out):
                at.say(f"{one.name} is {scale.full or 'out'}.", one.card_audience)
    if at.fight is not None:
        at.fight.go_on()
