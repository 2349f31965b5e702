"""One side of a decision roll: stat, modifiers, advantage, announced factors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    Choice,
    Field,
    Problem,
    Seat,
    Table,
    fresh,
    noun,
)
from kitchentable.rules.kit import (
    Form,
    Problems,
    Rows,
    Unknown,
    needs,
    number,
    pick,
    pick_many,
    rows,
    somebody,
    tick,
)
from kitchentable.rules.kit import text as words
from kitchentable.rules.kit.forms import put_words
from kitchentable.rules.kit.free_order import seen_fight
from kitchentable.rules.values import record
from kitchentable.rulesets.lucky_stars.advantage import EVEN, LEVELS, Level, in_steps, weigh
from kitchentable.rulesets.lucky_stars.mechanics import DECISION_DICE, Extras, Named, Party
from kitchentable.rulesets.lucky_stars.options import BOOK, NO_STAT
from kitchentable.rulesets.lucky_stars.people import At, Here, Person, people, stars
from kitchentable.rulesets.lucky_stars.sums import Effect, Effects, added, parts, read_effect

_PLACE = "announced"
_FOR, _MODIFIER = "for", "modifier"
#: The worth of a factor in a roll, in steps (stars.3.1-grant-step, stars.3.2-single-major).
_STEPS = {"": 1, "for-2": 2, "against-1": -1, "against-2": -2}


# ---------------------------------------------------------------- the questions


def _stats(who: Person) -> list[Choice]:
    """The stats that can be added to rolls, with the person's values if visible."""
    found = [
        Choice(
            one.key, f"{one.name} {who.stat(one.key):+d}" if who.is_known else one.name, one.purpose
        )
        for one in who.options.stats
        if one.rolled
    ]
    return [*found, Choice(NO_STAT, "no stat")]


def base_dice(at: Here) -> int:
    """Decision dice before advantage: two, or the GM's number if the table allows it."""
    return at.form.dice if at.options.gm_sets_dice else DECISION_DICE


#: The GM's ruling on the level of advantage: the counted one, or one of the five.
COUNTED = ("", "as counted")
RULINGS = (COUNTED, *((str(one), title) for one, title in LEVELS.items()))


# ---------------------------------------------------------------- pointed out around the table


@record
class Announced:
    """A factor announced by a person: whom it concerns, and its worth.

    `steps` on the scale of advantage, or 0 for a modifier with a `value` and a `wording`.
    """

    who: str
    about: str
    text: str
    steps: int = 0
    value: str = ""
    wording: str = ""

    @property
    def words(self) -> str:
        """Its worth, in words."""
        if self.steps:
            return f"{in_steps(self.steps)} {noun(abs(self.steps), 'step')}"
        return f"{self.wording or 'modifier'} {self.value}"


def announced(at: Here, who: Iterable[Person]) -> dict[str, Announced]:
    """The announced factors about these people by id, in order of announcement."""
    said, ids = at.table.own.get(_PLACE) or {}, {one.id for one in who}
    return {key: Announced(**one) for key, one in said.items() if one["about"] in ids}


def announcement_choices(at: Here) -> list[tuple[str, str, str]]:
    """The announcements about the sides of a roll, as choices."""
    sides = at.form.sides()
    names = {one.id: f" for {one.name}" for one in sides} if len(sides) > 1 else {}
    return [
        (key, f"{one.text}: {one.words}{names.get(one.about, '')}", f"by {one.who}")
        for key, one in announced(at, sides).items()
    ]


def _worths(at: Here) -> tuple[Field, ...]:
    name, worth = _FACTORS
    big = at.options.single_major
    return name, worth if big else replace(worth, choices=worth.choices[::2])


class Lone(Form):
    """One side of a contest of many: stat and other dice. `at.me` is the side's person.

    `label` is the label of its decision dice; `of` distinguishes the other dice of several sides.
    """

    label = of = ""
    modifiers: Any = ()
    factors: Any = ()

    # Proposed by the roller, confirmed by the GM (S24).
    stat = pick(choices=lambda at: _stats(at.me), first=True)
    extra = pick_many(
        choices=lambda at: [(one.name, one.label) for one in at.options.extra_dice],
        when=lambda at: at.options.extra_dice,
    )

    @property
    def title(self) -> str:
        """The stat's name for a card's title, or "Decision roll"."""
        found = self.options.stats.find(self.stat)
        return found.name if found else "Decision roll"

    @property
    def _announced(self) -> list[Announced]:
        """The counted announcements about the side."""
        found = announced(self.at, (self.me,))
        return [one for key, one in found.items() if key in self.outer.form.announced]

    @property
    def steps(self) -> Named:
        """The factors for and against, from the form and from announcements."""
        own = [(str(row.get("name")), _STEPS.get(row.get("worth"), 1)) for row in self.factors]
        return (*own, *((one.text, one.steps) for one in self._announced if one.steps))

    @property
    def counted(self) -> tuple[int, ...]:
        """The steps of advantage of the side, for and against."""
        return tuple(step for _, step in self.steps)

    @property
    def extras(self) -> Extras:
        """The dice from other sources."""
        picked = (one for one in self.options.extra_dice if one.name in self.extra)
        return tuple(one.dice(self.of) for one in picked)

    @property
    def dice(self) -> dict[str, Person]:
        """The owner of each die, by its label."""
        return dict.fromkeys((self.label, *(name for name, _, _ in self.extras)), self.me)

    def effects(self, level: Level) -> Effects:
        """All effects at a level of advantage. Errors: Unknown."""
        me, found = self.me, self.options.stats.find(self.stat)
        if not me.is_known:
            raise Unknown(f"The numbers of {me.name} are the GM's.")
        own = [Effect(found.name, Fraction(me.stat(found.key)), "")] if found else []
        told = [{**asdict(one), "name": one.text} for one in self._announced if not one.steps]
        bonus = [Effect(str(level), Fraction(level.bonus), "")] if level.bonus else []
        try:
            adds = [read_effect(row, me.number) for row in (*self.modifiers, *told)]
        except BadInput as error:
            raise Unknown(str(error)) from error
        return (*own, *adds, *bonus)

    def party(self, base: int) -> Party:
        """The side for the mechanic, at Neutral. Errors: Unknown."""
        return Party(base, added(self.effects(EVEN)), self.extras)

    def show(self, level: Level, total: int) -> None:
        """The side on the card: all effects by name, and the total."""
        self.at.show(self.me, self.label, total, *parts(self.effects(level)))

    def weighed(self, name: str) -> None:
        """Show the factors that count for the side on the card."""
        told = "; ".join(f"{text} {in_steps(step)}" for text, step in self.steps)
        self.at.say(told and f"{name}: {told}.")


class Brings(Lone):
    """The questions about one side of a decision roll, or of a contest of two."""

    stat = Lone.stat
    modifiers = rows()
    factors = rows()
    extra = Lone.extra

    def check(self, prefix: str = "") -> Problems:
        """Problems of modifiers that are not formulas."""
        return problems_of(self.me, self.modifiers, f"{prefix}modifiers.{{}}.value")


class Side(Form):
    """The questions about any decision roll."""

    what = words()
    # The GM chooses the announcements that count (stars.3.2-table-announces, stars.1-table).
    announced = pick_many(
        choices=announcement_choices,
        when=lambda at: announced(at, at.form.sides()),
        default=lambda at: [
            key for key, one in announced(at, at.form.sides()).items() if one.steps
        ],
    )
    #: The number of decision dice, if the GM may set it (S22).
    dice = number(when=lambda at: at.options.gm_sets_dice)


put_words(Brings, BOOK.tables["brings"])
put_words(Side, BOOK.tables["side"])
_FACTORS = Brings.factors.parts["columns"]
Brings.factors.parts["columns"] = _worths


def forget(at: Here, *who: Person) -> None:
    """Remove the announcements about these people after the roll."""
    for key in announced(at, who):
        at.write(("own", _PLACE, key), gone=True)


def conceal(table: Table, seat: Seat) -> Table:
    """Hide announcements about people whom this seat may not see."""
    own, said = {**table.own}, table.own.get(_PLACE)
    if said:
        own[_PLACE] = {key: one for key, one in said.items() if one["about"] in table.entities}
    return replace(table, own=own, fight=seen_fight(table))


class AnnounceForm(Form):
    about = somebody(among=people, only=True)
    text = words()
    kind = pick()
    value = words(when=kind.equals(_MODIFIER))
    wording = pick(when=kind.equals(_MODIFIER))
    big = tick(when=lambda at: at.form.kind != _MODIFIER and at.options.single_major)

    def problems(self) -> Problems:
        """A problem for a modifier that is not a formula."""
        if self.kind == _MODIFIER:
            yield from problems_of(self.about, [{"value": self.value}], "value")


@stars.move(
    "announce",
    when=needs(people, "Nobody is in play who could roll."),
)
def announce(at: At[AnnounceForm]) -> None:
    form, who = at.form, at.form.about
    steps = {_FOR: 1, _MODIFIER: 0}.get(form.kind, -1) * (1 + form.big)
    one = Announced(at.seat(), who.id, form.text, steps, form.value, form.wording)
    at.write(("own", _PLACE, fresh(at.table, "said")), asdict(one))
    rules = ["stars.3.2-single-major"] * form.big
    at.tell_as("announced", rules=rules, of=(), audience=who.card_audience, name=who.name, said=one)


# ---------------------------------------------------------------- modifiers and levels


def ruled_level(word: str, counted: Level) -> Level:
    """The GM's level, or the counted one (stars.3.2-gm-decides)."""
    return Level(int(word)) if word else counted


def problems_of(who: Person, adds: Rows, where: str) -> Problems:
    """Problems of modifiers that are not formulas."""
    for index, row in enumerate(adds):
        try:
            read_effect(row, who.number)
        except BadInput as error:
            yield Problem(where.format(index), "stars.1-modifier", str(error))


def counted_in_words(steps: Iterable[int]) -> str:
    """The counted level in words, with a hint if a factor is worth two steps."""
    found = tuple(steps)
    rare = " One effect alone is worth two steps: Major is meant to be rare."
    hint = rare if any(abs(one) > 1 for one in found) else ""
    return f"Counted: {in_steps(sum(found))}, {weigh(found)}.{hint}"
