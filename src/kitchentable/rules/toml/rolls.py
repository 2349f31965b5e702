"""A roll of a game in a file as a move of the kit: form, throw and consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kitchentable.rules import kit
from kitchentable.rules.kit.at import AnyAt, Declared
from kitchentable.rules.kit.forms import Form, Input, Unknown
from kitchentable.rules.kit.moves import Ruleset
from kitchentable.rules.moves import Line, Part, Side
from kitchentable.rules.toml.dicework import (
    Gathered,
    throw_again,
)
from kitchentable.rules.toml.fights import Fights
from kitchentable.rules.toml.form import Scale, Written
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.people import Body, here
from kitchentable.rules.toml.rollform import (
    BONUS,
    MARGIN,
    MODIFIER,
    PUSHED,
    TRAIT,
    Asked,
    Band,
    Roll,
)
from kitchentable.rules.toml.throws import Throwing
from kitchentable.rules.values import EVERYONE, GM, Choice, Field, Json, Problem

OWN = "own"
#: The name of the GM's modifier on a card.
BY_THE_GM = "the GM's modifier"


class StoryForm(Form):
    """The consequence of a result, in words."""

    text = kit.text("What happens", story=True)


def story_move(rules: Ruleset[Body, Any]) -> Declared:
    """The move that answers a result's question with a sentence in the log."""
    words = ("story", "What happens", "Tell what a result brings.")
    return rules.answer(*words, StoryForm, rules=())(_tell)


def _tell(at: AnyAt) -> None:
    ask = at.answered
    about = at.find(ask.entity)
    at.tell(ask.title, at.form.text, tone="splendid", rules=ask.rules, of=[about] if about else ())


# ---------------------------------------------------------------- questions


def _somebodys(one: Any, uses: tuple[str, ...]) -> list[Choice]:
    """The traits of these groups as choices, with the entity's levels if they are known."""
    return [
        Choice(t.key, f"{t.title} {one.level(t.key)}" if one.known else t.title, t.help)
        for t in one.game.picks(uses)
    ]


def _modifier(label: Any, rule: str) -> Input[int]:
    return kit.number(
        label, default=0, required=False, set_by=GM, hideable=True, low=-99, high=99, rule=rule
    )  # fmt: skip


def asked_input(one: Asked, rule: str) -> Input[Any]:
    """A further question of a roll as a question of a form."""
    field: Field = one.field
    by = {"set_by": GM, "hideable": True} if one.by == "gm" else {"needs_yes": not one.costs}
    known: dict[str, Any] = {"default": field.default, "help": field.help, "rule": rule, **by}
    if field.kind == "tick":
        return kit.tick(field.label, **known)
    if field.kind == "choice":
        return kit.pick(field.label, field.choices, **known)
    return kit.number(field.label, low=field.low, high=field.high, **known)


@dataclass(frozen=True)
class Rolling:
    """A roll of the file, with its game."""

    game: Written
    roll: Roll
    story: Declared
    fights: Fights

    @cached_property
    def dice(self) -> Throwing:
        """The dice of the roll, from plain numbers."""
        return Throwing(self.game, self.roll)

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.dice.rule

    def declare(self, rules: Ruleset[Body, Any]) -> Declared:
        """The move."""
        roll, again = self.roll, self.roll.again
        return rules.move(
            roll.key, roll.title, roll.help or f"Roll: {roll.title}.", self.form(),
            rules=(self.rule,), place="fight" if roll.fight else "move", when=self.why_not,
            rolls=True, converses=True, pauses=self.push_form if again is not None else (),
        )(self.act)  # fmt: skip

    def why_not(self, at: AnyAt) -> str | None:
        """None, or the reason why the actor cannot roll."""
        me, roll = at.find(at.actor.entity), self.roll
        if me is None:
            return "Nobody is there to do it."
        if me.known and me.is_out:
            return f"{me.name} cannot act as things stand."
        if roll.opposed is not None and not self.others(at):
            return "Nobody else is there."
        return not_theirs(me, roll) or (self.fights.may_act(at) if roll.fight else None)

    def others(self, at: AnyAt) -> list[Body]:
        """The possible targets of the roll."""
        kinds = self.roll.targets
        found = here(at, but=at.actor.entity)
        return [one for one in found if not kinds or one.entity.kind in kinds]

    def form(self) -> type[Form]:
        """The questions of the roll, as a form of the kit."""
        roll, rule = self.roll, {"rule": self.rule}
        found: dict[str, Any] = {"what": kit.text("What do you do?", optional=True, longest=400)}
        opposed, target = roll.opposed, kit.somebody("Whom?", self.others, only=True, **rule)
        if opposed is not None:
            found["target"] = target
        elif roll.harms_another:
            found["target"] = target.having(default="", required=False).read_as(
                lambda at, given: at.find(given)
            )
        if roll.uses:
            choices = lambda at: _somebodys(at.me, roll.uses)  # noqa: E731
            first = self.game.picks(roll.uses)[0].key
            found["trait"] = kit.pick("Trait", choices, default=first, needs_yes=True, **rule)
        if roll.listing:
            found["entry"] = kit.pick(
                self.game.listing(roll.listing).title, self._entries, default="", required=False,
                needs_yes=True, veto_only=True, **rule,
            )  # fmt: skip
        found |= {one.key: asked_input(one, self.rule) for one in roll.fields}
        if opposed is not None and opposed.uses:
            theirs = lambda at: _somebodys(at.form.target, opposed.uses)  # noqa: E731
            found["other_trait"] = kit.pick(
                target.words("{} answers with"), theirs, set_by="owner:target",
                default=self.game.picks(opposed.uses)[0].key, **rule,
            )  # fmt: skip
        gms: dict[str, Any] = {"set_by": GM, "hideable": True, **rule}
        if roll.ladder:
            steps = kit.pick("Difficulty", self._steps, default=roll.ladder[0].key, **gms)
            found["difficulty"] = steps
            found["number"] = kit.number(
                "The number", low=-999, high=999, when=steps.equals(OWN), **gms
            )
        if roll.modifier:
            found["modifier"] = _modifier("Modifier", self.rule)
            if opposed is not None:
                found["other_modifier"] = _modifier(target.words("Modifier of {}"), self.rule)

        def problems(form: Any) -> Iterator[Problem]:
            return self.problems(form)

        return type(
            f"{roll.key.title()}Form",
            (Form,),
            {**found, "problems": problems},
        )

    @cached_property
    def push_form(self) -> type[Form]:
        """The form that asks whether to throw dice again."""
        again = self.roll.again
        words = (again.title, again.help) if again is not None else ("", "")
        push = kit.tick(words[0], help=words[1], rule=self.rule)
        return type("PushForm", (Form,), {"push": push})

    def _entries(self, at: AnyAt) -> list[Choice]:
        listing = self.game.listing(self.roll.listing)
        mine = dict.fromkeys(at.me.entries(listing))
        return [Choice("", "None"), *(Choice(o, f"{o}, {listing.bonus:+d}") for o in mine)]

    def _steps(self, at: AnyAt) -> list[Choice]:
        numbers = at.me.seen() | self._own(at, _or_zero)
        steps = [Choice(o.key, f"{o.title} {o.number.value(numbers)}") for o in self.roll.ladder]
        return [*steps, Choice(OWN, "A number of its own")]

    def problems(self, form: Any) -> Iterator[Problem]:
        """Check that there are dice to throw, and that the costs can be paid."""
        at, other = form.at, self.other(form.at)
        numbers = self.numbers(at)
        if words := self.dice.nothing(numbers):
            yield Problem("", self.rule, words)
        met = other if self.roll.opposed is not None and other is not None else None
        if met is not None and met.known and self.dice.nothing(self.their_numbers(at)):
            # without the reason, because these numbers may be secret
            yield Problem("", self.rule, f"There is nothing to throw for {met.name}.")
        if words := at.me.lacks(self.roll.title, self.owed(at, numbers)):
            yield Problem("", self.rule, words)

    # ------------------------------------------------------------ numbers

    def other(self, at: AnyAt) -> Body | None:
        """The target of the roll; None for nobody."""
        if self.roll.opposed is None and not self.roll.harms_another:
            return None
        found: Body | None = at.form.target
        return found

    def trait(self, at: AnyAt) -> str:
        """The trait of the roll: fixed, chosen, or "" for none."""
        return self.roll.trait or (at.form.trait if self.roll.uses else "")

    def their_trait(self, at: AnyAt) -> str:
        """The other side's trait in an opposed roll, "" for none."""
        opposed = self.roll.opposed
        return "" if opposed is None else opposed.trait or at.form.other_trait

    def _own(self, at: AnyAt, read: Callable[[Callable[[], int]], int]) -> dict[str, int]:
        """The numbers from the answers; `read` reads each of them."""
        roll, form = self.roll, at.form

        def level() -> int:
            trait = self.trait(at)
            return int(at.me.level(trait)) if trait else 0

        def bonus() -> int:
            return self.game.listing(roll.listing).bonus if roll.listing and form.entry else 0

        found = {TRAIT: read(level), BONUS: read(bonus)}
        found[MODIFIER] = read(lambda: form.modifier if roll.modifier else 0)
        for one in roll.fields:
            found[one.key] = read(lambda one=one: one.number(getattr(form, one.key)))  # type: ignore[misc]
        return found

    def numbers(self, at: AnyAt) -> dict[str, int]:
        """All numbers for the roll's formulas, for the actor."""
        me: Body = at.me
        return me.numbers() | self._own(at, lambda answer: answer())

    def their_numbers(self, at: AnyAt) -> dict[str, int]:
        """All numbers for the roll's formulas, for the other side of an opposed roll."""
        other: Body = at.form.target
        trait = self.their_trait(at)
        modifier = at.form.other_modifier if self.roll.modifier else 0
        asked = {one.key: 0 for one in self.roll.fields}
        level = other.level(trait) if trait else 0
        return other.numbers() | {**asked, TRAIT: level, BONUS: 0, MODIFIER: modifier}

    def owed(self, at: AnyAt, numbers: Mapping[str, int]) -> dict[str, int]:
        """The costs of the roll and of the answers, by track."""
        found: dict[str, int] = {}
        for costs in self.costs(at):
            for key, formula in costs.items():
                found[key] = found.get(key, 0) + formula.value(numbers)
        return found

    def costs(self, at: AnyAt) -> Iterable[Mapping[str, Formula]]:
        """The costs of the roll, then those of each answer."""
        yield self.roll.costs
        for one in self.roll.fields:
            if getattr(at.form, one.key) != one.field.default:
                yield one.costs

    def target_number(self, at: AnyAt, numbers: Mapping[str, int]) -> int:
        """The number to reach: a step of the ladder, a number of the GM's, or a formula."""
        if not self.roll.ladder:
            return self.dice.against(numbers)
        if at.form.difficulty == OWN:
            return int(at.form.number)
        return self.dice.against(numbers, at.form.difficulty)

    # ------------------------------------------------------------ dice

    def throw(self, at: AnyAt) -> kit.Throw[Any]:
        """The throw at a moment. Errors: Unknown."""
        numbers = self.numbers(at)
        if words := self.dice.nothing(numbers):
            raise Unknown(words)
        if self.roll.opposed is None:
            against = self.target_number(at, numbers)
            return self.dice.thrown(self.dice.side(numbers, "roll"), against, self.dice.rungs)
        theirs = self.their_numbers(at)
        if self.dice.nothing(theirs):
            raise Unknown(f"There is nothing to throw for {at.form.target.name}.")
        both = self.dice.side(numbers, "roll"), self.dice.side(theirs, "other")
        return self.dice.thrown(*both, self.roll.opposed.ties, self.dice.rungs)

    def labels(self, at: AnyAt) -> dict[str, Body]:
        """The owner of each die, by its label."""
        mine = [one.key for one in self.roll.pools] or ["roll"]
        me: Body = at.me
        found = dict.fromkeys(mine, me)
        return found if self.roll.opposed is None else {**found, "other": at.form.target}

    # ------------------------------------------------------------ consequences

    def act(self, at: AnyAt) -> None:
        """Make the roll, offer to throw dice again, apply the result and tell it."""
        throw = self.throw(at)
        outcome = at.roll(throw, self.labels(at))
        pushed = False
        if self.roll.again is not None:
            outcome, pushed = self._again(at, throw, outcome)
        numbers = {**self.numbers(at), MARGIN: outcome.margin, PUSHED: int(pushed)}
        if isinstance(outcome, Gathered):
            numbers |= dict(outcome.counts)
        band = next(one for one in self.roll.bands if one.key == outcome.result)
        other = self.other(at)
        for costs in self.costs(at):
            at.me.pay(costs, numbers)
        if pushed and self.roll.again is not None:
            at.me.pay(self.roll.again.costs, numbers)
        both: list[tuple[Body | None, Any]] = [(at.me, band.marks), (other, band.others_marks)]
        for who, marks in both:
            for key, formula in marks.items():
                if who is not None:
                    who.mark(self.game.scale(key), formula.value(numbers))
        at.lines += self.lines(at, numbers, outcome)
        at.lines += mark_lines(at)
        fell = at.pauses == 0 or pushed
        self._tell(at, band, other, list(self.sides(at, outcome)) if fell else [])
        if band.asks:
            self._ask(at, band, other)
        if self.roll.fight:
            self.fights.spend(at)

    def _again(self, at: AnyAt, throw: Any, outcome: Gathered) -> tuple[Gathered, bool]:
        """The final outcome and whether dice were thrown again, if the player may and wants to."""
        again, me = self.roll.again, at.me
        hand = throw_again(throw.arguments[0], outcome.lie)
        if again is None or not any(one.dice for one in hand.colours):
            return outcome, False
        numbers = self.numbers(at)
        owed = self.owed(at, numbers)
        for key, formula in again.costs.items():
            owed[key] = owed.get(key, 0) + formula.value(numbers)
        if me.lacks(again.title, owed):
            return outcome, False
        band = next(one for one in self.roll.bands if one.key == outcome.result)
        self._tell(at, band, self.other(at), list(self.sides(at, outcome)), waits=True)
        to = (GM,) if me.hidden else (GM, f"owner:{me.id}")
        said: Any = at.pause(self.push_form, to, f"{me.name}: {again.title}?", again.help)
        if not said.push:
            return outcome, False
        at.say(f"{again.title}: {sum(one.dice for one in hand.colours)} dice fall again.")
        return at.roll(self.dice.thrown(hand, *throw.arguments[1:]), self.labels(at)), True

    def _tell(
        self, at: AnyAt, band: Band, other: Body | None, sides: list[Side], *, waits: bool = False
    ) -> None:
        trait = self.game.traits.get(self.trait(at))
        title = f"{self.roll.title}: {trait[0].title}" if trait is not None else self.roll.title
        if self.roll.listing and at.form.entry:
            title = f"{title}, with {at.form.entry}"
        says = band.says or f"{band.title.capitalize()}."
        at.sides = sides
        at.tell(
            title, f"{band.title.capitalize()} so far." if waits else says,
            "waits" if waits else band.title, "plain" if waits else band.tone, (self.rule,),
            of=[at.me, *([other] if other is not None else [])],
            name="" if sides else at.me.name,
        )  # fmt: skip

    def sides(self, at: AnyAt, outcome: Any) -> Iterator[Side]:
        """The throws on the card, one side for each colour of a pool."""
        mine = self.dice.parts(self.numbers(at), self.trait(at))
        if isinstance(outcome, Gathered):
            colours = self.dice.colours(self.numbers(at))
            for index, one in enumerate(each for each in self.roll.pools if colours[each.key]):
                name = at.me.name if not index else f"{at.me.name}, {one.title}"
                total = None if index or self.roll.counts else outcome.total
                yield _side(at, at.me, one.key, () if index else mine, total, "", name)
            return
        yield _side(at, at.me, "roll", mine, outcome.total, outcome.face)
        if self.roll.opposed is not None:
            theirs = self.dice.parts(self.their_numbers(at), self.their_trait(at))
            yield _side(at, at.form.target, "other", theirs, outcome.other, "")

    def lines(self, at: AnyAt, numbers: Mapping[str, int], outcome: Any) -> Iterator[Line]:
        """The lines of the card: the answers, the target number and the counts."""
        if at.form.what:
            yield Line(at.form.what)
        for asked in self.roll.fields:
            yield from self._said(at, asked, getattr(at.form, asked.key))
        if self.roll.ladder or self.roll.against is not None:
            hidden = {"difficulty", "number"} & at.actor.hidden
            against = self.target_number(at, numbers)
            yield Line(f"Against {against}.", GM if hidden else EVERYONE)
        if isinstance(outcome, Gathered):
            told = (f"{o.title} {numbers[o.key]}" for o in self.roll.counts)
            if words := ", ".join(told):
                eyes = GM if at.me.is_closed or at.me.hidden else EVERYONE
                yield Line(f"{words}.", eyes)
        else:
            for name, total in (("modifier", outcome.total), ("other_modifier", outcome.other)):
                if name in at.actor.hidden and total is not None:
                    added = getattr(at.form, name)
                    yield Line(f"With the hidden modifier {added:+d}: {total}.", GM)

    def _said(self, at: AnyAt, asked: Asked, answer: Json) -> Iterator[Line]:
        field, eyes = asked.field, GM if asked.key in at.actor.hidden else EVERYONE
        if field.kind == "choice":
            words = {one.value: one.label for one in field.choices}
            yield Line(f"{field.label}: {words[str(answer)]}.", eyes)
        elif answer:
            number = "" if field.kind == "tick" else f": {answer}"
            yield Line(f"{field.label}{number}.", eyes)

    def _ask(self, at: AnyAt, band: Band, other: Body | None) -> None:
        hidden = at.me.hidden or (other is not None and other.hidden)
        at.ask(
            self.story, GM if hidden else (GM, f"owner:{at.me.id}"),
            f"{at.me.name}: {band.title}", band.asks, of=at.me, rules=(self.rule,), skippable=True,
        )  # fmt: skip


def _or_zero(answer: Callable[[], int]) -> int:
    """A number, or 0 if it is not known yet."""
    try:
        return answer()
    except Unknown:
        return 0


def not_theirs(me: Body, what: Any) -> str | None:
    """The reason why an entity lacks a move: another kind or playbook, or not picked."""
    game = me.game
    if what.kinds and me.entity.kind not in what.kinds:
        return f"{me.name} has no part in this."
    if what.playbook and me.playbook != what.playbook:
        return f"Only {game.titles[what.playbook]} can do this."
    if what.picked and what.title not in me.entries(game.listing(what.picked)):
        return f"{me.name} has not picked {what.title}."
    return None


def _side(
    at: AnyAt,
    one: Body,
    label: str,
    parts: tuple[Part, ...],
    total: int | None,
    face: str,
    name: str = "",
) -> Side:
    """One side of the card; with a secret modifier it shows neither modifier nor total."""
    parts = parts if total is not None or label not in {"roll", "other"} else ()
    if {"roll": "modifier", "other": "other_modifier"}.get(label, "modifier") in at.actor.hidden:
        parts, total = tuple(each for each in parts if each.name != BY_THE_GM), None
    eyes = GM if one.is_closed or one.hidden else EVERYONE
    return Side(name or one.name, label, parts, total, face, eyes, unseen=one.hidden)


def marked(at: AnyAt) -> Iterator[tuple[Body, Scale]]:
    """The tracks that this move has changed, with their entities."""
    for path in at.changes:
        if path[0] == "entities" and path[2:4] == ("state", "tracks"):
            one: Any = at.find(path[1])
            yield one, one.game.scale(path[4])


def mark_lines(at: AnyAt) -> Iterator[Line]:
    """The lines about changed tracks, and about entities at the end of one."""
    for one, scale in marked(at):
        yield one.tell_mark(scale)
        if one.is_full(scale) and (scale.full or scale.out):
            yield Line(f"{one.name} is {scale.full or 'out'}.", GM if one.hidden else EVERYONE)
