"""Decision rolls against a target, and contests of two or more sides."""

from __future__ import annotations

from collections.abc import Callable

from kitchentable.rules import EVERYONE, GM, whole
from kitchentable.rules.kit import (
    Each,
    Form,
    FormOf,
    Input,
    Problems,
    Roll,
    Rows,
    given,
    maybe_number,
    needs,
    number,
    pick,
    rows,
    several,
    somebody,
    tick,
)
from kitchentable.rules.kit import text as words
from kitchentable.rules.kit.forms import put_words
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import Level, apart, in_words, share, weigh
from kitchentable.rulesets.lucky_stars.claims import (
    COUNTED,
    RULINGS,
    Brings,
    Lone,
    Side,
    base_dice,
    counted_in_words,
    forget,
    ruled_level,
)
from kitchentable.rulesets.lucky_stars.options import BANDS, BOOK, OWN_NUMBER, problem
from kitchentable.rulesets.lucky_stars.people import (
    EMPTY,
    At,
    Here,
    Person,
    others,
    people,
    rolls,
    stars,
)
from kitchentable.rulesets.lucky_stars.supplies import ask_for_supply, find_supply, within_reach

#: The GM's ruling that an impossible task may not be tried (stars.2.2.1-impossible-gate).
REFUSED = "no"

CHECK = Roll(mechanics.check, BANDS["check"], mechanics.grade_of)


def _is_kept(at: Here) -> bool:
    return at.options.target_shown != "before"


def _is_veiled(at: Here) -> bool:
    """Whether the target and related answers are hidden."""
    return _is_kept(at) or "target" in at.actor.hidden


class DecisionForm(Form):
    what = Side.what
    mine = FormOf(Brings, label="decision")
    uses = pick(
        choices=lambda at: [("", "nothing"), *(one.choice(at.me) for one in within_reach(at))],
        when=within_reach,
    ).read_as(find_supply)
    times = number(when=uses)
    no_supplies = tick(when=uses)
    target = pick(
        choices=lambda at: (
            [(str(one.number), one.label) for one in at.options.scale]
            + [(OWN_NUMBER, "A number of its own")] * at.options.any_target
        ),
        hidden=_is_kept,
    )
    number = number(when=target.equals(OWN_NUMBER), hidden=_is_veiled)
    adjustments = rows(hidden=_is_veiled)
    allow = pick(
        when=lambda at: at.form.is_impossible,
        hidden=_is_veiled,
    )
    announced = Side.announced
    dice = Side.dice
    level = pick(
        choices=RULINGS,
        help=lambda at: counted_in_words(at.form.mine.counted),
    )

    @property
    def start(self) -> int:
        """The target before adjustments. Errors: Unknown if not set or not visible."""
        return self.number if self.target == OWN_NUMBER else int(self.target)

    @property
    def changes(self) -> list[tuple[int, str]]:
        """The adjustments of the target, each a number with its name."""
        return [(whole(row.get("value")), row.get("name") or "") for row in self.adjustments]

    @property
    def adjusted(self) -> int:
        """The number to reach (stars.2.1-base-and-adjusted)."""
        return self.start + sum(value for value, _ in self.changes)

    @property
    def is_impossible(self) -> bool:
        """Whether the task starts as impossible; adjustments do not count (S10).

        stars.2.2.1-impossible-gate, stars.2.2.1-adjusted-not-impossible.
        """
        return bool(self.start >= self.options.impossible_from)

    def against(self) -> str:
        """The target in words: named start, adjustments, and the number to reach."""
        said = f"Against {f'{self.start} {self.options.step_name(self.start)}'.strip()}"
        told = ", ".join(f"{value:+d} {what}".strip() for value, what in self.changes)
        return f"{said}; {told}: {self.adjusted}." if told else f"{said}."

    def rules(self) -> tuple[str, ...]:
        """The rules of the target for the card."""
        if self.is_impossible:
            return ("stars.2.2.1-impossible-gate",)
        if self.adjusted >= self.options.impossible_from:
            return ("stars.2.2.1-adjusted-not-impossible",)
        return ("stars.2.1-base-and-adjusted",) if self.adjustments else ()

    def sides(self) -> tuple[Person, ...]:
        """The roller."""
        return (self.me,)

    def problems(self) -> Problems:
        """Problems of modifiers that are not formulas, and of an Empty or pending supply die.

        stars.5.1-supply-empty-blocked, stars.5.1-supply-after.
        """
        yield from self.mine.check()
        used = self.uses
        if used is None or self.no_supplies:
            return
        if used.value == EMPTY:
            yield problem("unusable", supply=used)
        elif any(ask.preset.get("supply") == used.id for ask in self.at.table.asks.values()):
            yield problem("due", supply=used)


@stars.move("decision", when=rolls, rolls=True)
def decision(at: At[DecisionForm]) -> None:
    form, me, mine, final = at.form, at.me, at.form.mine, at.form.adjusted
    title = mine.title
    if form.is_impossible and at.answers.get("allow") == REFUSED:
        at.say(form.what)
        at.tell_as("not-allowed", title=title)
        forget(at, me)
        return
    counted = weigh(mine.counted)
    level, even = ruled_level(form.level, counted), mine.party(base_dice(at))
    fell = at.roll(CHECK(*level.on(even), final), mine.dice, lambda _: in_words(even, level, final))
    hidden = {"target", "number", "adjustments"} & at.actor.hidden
    audience = GM if hidden and at.options.target_shown != "after" else EVERYONE
    at.say(form.what)
    mine.weighed("Weighed")
    if counted.steps or level.steps:
        at.say(_beside(level, counted))
    at.say(form.against(), audience)
    if at.options.show_margin:  # stars.2.3-margin-style
        at.say(f"Margin {fell.total - final:+d}.", audience)
    if form.no_supplies and form.uses:
        at.say("No supplies are needed for it, the GM says.")
    rules = (*level.rules, *(form.rules() if audience == EVERYONE else ()))
    at.tell_as(f"decision-{fell.grade}", rules=rules, title=title)
    mine.show(level, fell.total)
    forget(at, me)
    ask_what_happens(at, title)
    if form.uses is not None and not form.no_supplies:
        ask_for_supply(at, form.uses, me, form.times)


def _beside(held: object, counted: object) -> str:
    """The level of advantage, with the counted one if the GM ruled otherwise."""
    return (
        f"{held}." if held == counted else f"{held}, by the GM's ruling; the count says {counted}."
    )


# ---------------------------------------------------------------- the consequences


def ask_what_happens(at: Here, title: str) -> None:
    """Ask the GM for a sentence about the roll; a newer card replaces an older one.

    stars.2.3-describe.
    """
    if at.options.narrate:
        me, said = at.me, f"What happens? {at.me.name}: {title}"
        at.ask(telling, "", said, of=me, about=at.number, name=me.name)


class TellingForm(Form):
    about = given(0)
    name = given("")
    text = words(story=True)


@stars.answer("telling")
def telling(at: At[TellingForm]) -> None:
    form = at.form
    at.tell_as("telling", about=form.about, name=form.name, text=form.text)


# ---------------------------------------------------------------- contests of two


_RULES = ("stars.4.1-contest", "stars.4.2-tie-contest")
#: The questions about one side, with its person's name.
_NAMED = BOOK.tables["named"]
#: The shared scale from one side's end to the other's (stars.3.3-shared-scale).
_SHARED = (2, 1, 0, -1, -2)

CONTEST = Roll(mechanics.contest, BANDS["contest"], mechanics.winner_of)
OF_MANY = Roll(mechanics.contest_of_many)


def _shared(at: Here) -> list[tuple[str, str]]:
    first, second = at.me, at.form.other
    return [COUNTED, *((str(net), _in_words(first, second, apart(net))) for net in _SHARED)]


def _in_words(first: Person, second: Person, levels: tuple[Level, ...]) -> str:
    both = zip(levels, (first, second), strict=True)
    return (
        ", ".join(f"{one} for {who.name}" for one, who in both if one.steps) or "Neutral for both"
    )


def _count(at: Here) -> str:
    both = at.form.mine, at.form.theirs
    levels = share(*(one.counted for one in both))
    return f"Counted: {_in_words(at.me, at.form.other, levels)}."


def _alone(name: Callable[[Here], str]) -> Input[str]:
    """A question for one side's level alone, if the table allows a disadvantage (S5)."""
    return pick(
        lambda at: f"{name(at)} alone",
        RULINGS,
        when=lambda at: at.form.other and at.options.contest_disadvantage,
    )


class ContestForm(Form):
    other = somebody(among=others, only=True)
    what = Side.what
    mine = FormOf(Brings, label="first")
    theirs = FormOf(
        Brings, other, "other_", named=_NAMED, label="second",
        set_by="owner:other", of=other.words(" of {}"),
    )  # fmt: skip
    announced = Side.announced
    dice = Side.dice
    level = pick(choices=_shared, help=_count)
    first_level = _alone(lambda at: at.me.name)
    second_level = _alone(lambda at: at.form.other.name)

    def sides(self) -> list[Person]:
        """The visible people of the two sides."""
        at: Here = self.at
        return at.people((at.me.id, at.answers.get("other")))

    def problems(self) -> Problems:
        """Problems of modifiers that are not formulas."""
        yield from self.mine.check()
        yield from self.theirs.check("other_")


@stars.move(
    "contest",
    when=(rolls, needs(others, "There is nobody to contend with.")),
    rolls=True,
)
def contest(at: At[ContestForm]) -> None:
    form, me, other, base = at.form, at.me, at.form.other, base_dice(at)
    mine, theirs = form.mine, form.theirs
    counted = share(mine.counted, theirs.counted)
    first, second = apart(int(form.level)) if form.level else counted
    levels = ruled_level(form.first_level, first), ruled_level(form.second_level, second)
    stands = _in_words(me, other, levels)
    fell = at.roll(
        CONTEST(levels[0].on(mine.party(base)), levels[1].on(theirs.party(base))),
        {**mine.dice, **theirs.dice},
        f"{stands}. The higher total wins; a tie is thrown again.",
    )
    at.say(form.what)
    mine.weighed(me.name)
    theirs.weighed(other.name)
    at.say(_beside(stands, _in_words(me, other, counted)))
    if fell.tied:
        ties = ", then ".join(f"{total} to {total}" for total in fell.tied)
        closed = me.is_closed or other.is_closed
        at.say(f"Thrown again after {ties}.", GM if closed else EVERYONE)
    rules = _RULES if fell.tied else _RULES[:1]
    if any(one.steps for one in levels):
        rules = (*rules, "stars.3.3-shared-scale", *levels[0].rules, *levels[1].rules)
    key, title = f"contest-{fell.winner}", f"{mine.title} against {other.name}"
    at.tell_as(key, rules=rules, of=(me, other), title=title, one=me.name, other=other.name)
    mine.show(levels[0], fell.first)
    theirs.show(levels[1], fell.second)
    forget(at, me, other)
    ask_what_happens(at, title)


# ---------------------------------------------------------------- three sides or more


class OneOfMany(Lone):
    stat = Lone.stat
    plus = maybe_number()
    extra = Lone.extra
    level = pick(
        choices=lambda at: RULINGS if at.options.contest_disadvantage else RULINGS[:-2],
        help=lambda at: f"Counted: {at.form.held}.",
    )

    @property
    def held(self) -> Level:
        """The counted level, without a disadvantage unless the table allows one.

        stars.3.3-no-dis, stars.3.3-shared-scale.
        """
        if self.options.contest_disadvantage:
            return weigh(self.counted)
        sides = self.outer.form.brings.values()
        return share(self.counted, *(one.counted for one in sides))[0]

    @property
    def ruling(self) -> Level:
        """The final level of advantage."""
        return ruled_level(self.level, self.held)

    @property
    def modifiers(self) -> Rows:
        """The modifier as a row, if there is one."""
        return [{"name": "modifier", "value": str(self.plus)}] if self.plus else []


put_words(OneOfMany, BOOK.tables["many"])


class ManyForm(Form):
    who = several(among=people)
    brings = Each(
        lambda at: [(one.id, one) for one in at.form.who],
        lambda one: FormOf(
            OneOfMany, lambda at: one, suffix=f".{one.id}", named=_NAMED,
            set_by=GM, label=one.id, of=f" of {one.name}",
        ),
    )  # fmt: skip
    announced = Side.announced
    dice = Side.dice

    def sides(self) -> list[Person]:
        """All sides of the contest."""
        return self.who

    def problems(self) -> Problems:
        """A problem for fewer than three sides."""
        if len(self.who) < 3:
            yield problem("two")


@stars.move(
    "contest_of_many",
    when=needs(people, "That takes three who can roll.", 3),
    rolls=True,
)
def contest_of_many(at: At[ManyForm]) -> None:
    here, sides, base = at.form.who, at.form.brings.values(), base_dice(at)
    dice = {label: who for one in sides for label, who in one.dice.items()}
    throw = OF_MANY(tuple((one.label, one.ruling.on(one.party(base))) for one in sides))
    fell = at.roll(throw, dice)
    totals = dict(fell)
    for one in sides:
        one.show(one.ruling, totals[one.label])
    at.say(f"Stats: {', '.join(f'{one.title}, {one.ruling}' for one in sides)}.")
    winner = dice[fell[0][0]].name
    hidden = GM if any(one.hidden for one in here) else EVERYONE
    at.tell_as("contest-many", of=(), audience=hidden, winner=winner)
    forget(at, *here)
