"""Opposed rolls: sides, facts while waiting, standings, and tiebreakers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kitchentable.rules import GM, Band, Choice, Part, listed, worth
from kitchentable.rules.kit import (
    Each,
    Form,
    FormOf,
    Input,
    Roll,
    Throw,
    Unknown,
    given,
    number,
    pick,
    roll_of,
    text,
)
from kitchentable.rulesets.toaster.actions.sides import Side, on_choices, side_of
from kitchentable.rulesets.toaster.actions.throws import Thrown, read_thrown, show
from kitchentable.rulesets.toaster.book import BOOK, ROLL_WORDS, Record, Row
from kitchentable.rulesets.toaster.mechanics import contests
from kitchentable.rulesets.toaster.mechanics.contests import (
    DRAW,
    NOBODY,
    WON,
    Contest,
    do_over,
)
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FUMBLE, TARGET
from kitchentable.rulesets.toaster.people import At, Here, Person, person, toaster

#: The kinds of contests in addition to "opposed".
PARALLEL, RACE, ONLOOKERS = "parallel", "race", "onlookers"


def swap_kept(at: Here, first: Thrown, second: Thrown) -> tuple[Thrown, Thrown]:
    """Move the secret parts of each side to the other side, with the opposite sign.

    Otherwise the roll of the affected side would reveal a hidden difficulty
    (toaster.3.difficulty-opposed-known, toaster.3.difficulty-opposed-one-side).
    """

    def facing(one: Thrown, other: Thrown) -> Thrown:
        name = person(at, other.entity).name
        kept = tuple(Part(f"{part.name}, for {name}", -part.value) for part in other.kept)
        return replace(one, kept=kept)

    return facing(first, second), facing(second, first)


def _in_bands(contest: Contest) -> str:
    """The first side's result of two under variable outcomes, including critical and fumble."""
    word = contest.fares
    if word == WON and contest.bands[0] == CRITICAL:
        return CRITICAL
    return FUMBLE if word != WON and contest.bands[0] == FUMBLE else word


#: An opposed roll, and one of two sides under variable outcomes; the odds are the first side's.
OPPOSED = roll_of(contests.contest, ROLL_WORDS["opposed"], lambda contest: contest.fares)
IN_BANDS = roll_of(contests.contest, ROLL_WORDS["contest"], _in_bands)


def contest_throw(at: Here, kind: str, throws: Sequence[Thrown]) -> Throw[Contest]:
    """The throw of an opposed roll; unless zeros fail, one side always succeeds."""
    ext, varies, alone = at.options.extended(), at.options.variable_outcomes, kind == PARALLEL
    roll = IN_BANDS if varies and not alone and len(throws) == 2 else OPPOSED
    bands = roll.bands if alone or ext.zeros else roll.bands[:-1]
    mechanic = contests.parallel if alone else contests.contest
    return replace(roll, mechanic=mechanic, bands=bands)(sides_of(throws), ext, varies)


def sides_of(throws: Sequence[Thrown]) -> tuple[contests.Side, ...]:
    """The sides in the mechanic's form."""
    return tuple(contests.Side(one.modifier, one.label, one.called) for one in throws)


# ---------------------------------------------------------------- a roll that has fallen

HIGHEST, RANK, LUCK, DO_OVER, OTHER = "highest-roll", "skill-rank", "luck", "do-over", "other"
NOBODY_WINS = "nobody"

#: Each tiebreaker: its name in a sentence, the option for the GM, and its rule.
_WAYS = BOOK.by_key("tiebreak")


@dataclass(frozen=True)
class Fallen:
    """An opposed roll after its throw: kind, throws, card facts, luck spent."""

    at: Here
    kind: str
    throws: Sequence[Thrown]
    about: Record
    used: Mapping[str, int]

    @classmethod
    def read(
        cls, at: Here, plain: Record, added: Mapping[str, int], used: Mapping[str, int]
    ) -> Fallen:
        """Read the roll from plain data, with the luck added and spent since."""
        throws = [read_thrown(one, added.get(one["entity"], 0)) for one in plain["throws"]]
        return cls(at, plain["kind"], throws, plain["about"], used)

    def plain(self) -> Row:
        """The roll as plain data; the waiting card keeps its luck separately."""
        throws = [one.plain() for one in self.throws]
        return {"kind": self.kind, "throws": throws, "about": dict(self.about)}

    @cached_property
    def people(self) -> list[Person]:
        """The characters who threw, in order."""
        return [person(self.at, one.entity) for one in self.throws]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [one.name for one in self.people]

    def of(self, who: str) -> Thrown:
        """A character's throw."""
        return next(one for one in self.throws if one.entity == who)

    @property
    def is_open(self) -> bool:
        """Whether everything is public: no secret parts, nobody closed or hidden."""
        kept = any(one.kept for one in self.throws)
        return not kept and not any(one.is_closed or one.hidden for one in self.people)

    @cached_property
    def contest(self) -> Contest:
        """The contest with the luck spent so far."""
        throws = self.throws
        return Contest(
            tuple(one.final for one in throws),
            tuple(0 if one.zero else None for one in throws),
            (),
            (),
            self.at.options.variable_outcomes,
            TARGET if self.kind == PARALLEL else None,
            tuple(one.fumble for one in throws),
        )

    # ------------------------------------------------------------ how ties are broken
    #
    # Without a tiebreaker a tie has no winner; a tiebreaker may leave a tie too
    # (toaster.3.opposed-tie, toaster.3.tiebreak-choice).

    def broken(self, way: str, ahead: Sequence[int], totals: Sequence[int]) -> int | None:
        """The index of the winner by this tiebreaker, or None if it leaves a tie.

        The higher total, if they differ by 1; the rank alone, without modifiers; or the luck spent
        on this attempt, and then the luck left, which is Aura at a table without luck points.
        toaster.3.tiebreak-highest, toaster.3.tiebreak-rank, toaster.3.tiebreak-luck.
        """

        def luck(place: int) -> tuple[int, int]:
            one = self.people[place]
            plays = self.at.options.luck_points
            left = one.luck_points if plays else one.attribute_for("luck")
            return self.used.get(one.id, 0), left

        worth: Row = {
            HIGHEST: totals.__getitem__,
            RANK: lambda place: self.throws[place].rank,
            LUCK: luck,
        }
        if way not in worth:
            return None
        best = max(map(worth[way], ahead))
        first = [place for place in ahead if worth[way](place) == best]
        return first[0] if len(first) == 1 else None

    def by_default(self) -> tuple[int | None, str]:
        """The winner's index by the table's tiebreaker, and its name; None asks the GM."""
        way, contest = self.at.options.tiebreaker, self.contest
        place = self.broken(way, contest.ahead, contest.totals)
        return place, f"by {_WAYS[way]['name'] if way in _WAYS else way}"

    def ask_tie(self, about: int) -> None:
        """Put up the GM's card for a contest without a winner; only the GM sees it."""
        contest = self.contest
        tied = [self.people[place] for place in contest.ahead]
        waiting = {"title": "", "roll": {}, "kept": self.plain(), "used": dict(self.used)}
        title = "A draw" if contest.standing == "draw" else "A tie"
        self.at.ask(
            tie, GM, f"{title}: {listed(one.name for one in tied)}", of=tied[0],
            tied=list(contest.ahead), totals=list(contest.totals), about=about, waiting=waiting,
        )  # fmt: skip


def as_fallen(
    at: Here, kind: str, throws: Sequence[Thrown], contest: Contest, about: Record
) -> Fallen:
    """A contest directly after its throw."""
    fell = [
        replace(
            one,
            total=contest.totals[place],
            zero=contest.zeros[place],
            fumble=contest.zeros[place] and contest.bands[place] == FUMBLE,
            second=contest.seconds[place].total,
        )
        for place, one in enumerate(throws)
    ]
    return Fallen(at, kind, fell, about, {one.entity: one.luck for one in throws if one.luck})


def standing_words(contest: Contest, names: Sequence[str]) -> str:
    """The standing of a contest in a sentence.

    >>> close = Contest((11, 10), (None, None), (), (5, 5), varies=True)
    >>> standing_words(close, ("Ana", "Ben"))
    'A draw, with Ana ahead by 1.'
    """
    if contest.winner is not None:
        return f"{names[contest.winner]} wins."
    if contest.standing == NOBODY:
        return "Nobody succeeds."
    if contest.standing == DRAW:
        best = contest.totals[contest.ahead[0]]
        top = (names[at] for at in contest.ahead if contest.totals[at] == best)
        return f"A draw, with {listed(top)} ahead by 1."
    return f"A tie between {listed(names[at] for at in contest.ahead)}."


# ---------------------------------------------------------------- the GM's answer


def _ways(at: Here) -> Iterator[Choice]:
    form, own = at.form, at.options.tiebreaker_own
    yield Choice(NOBODY_WINS, "Nobody wins")
    for way, one in _WAYS.items():
        if form.fell.broken(way, form.tied, form.totals) is not None:
            yield Choice(way, one["offer"])
    yield Choice(DO_OVER, "Once more, until somebody is ahead")
    for place, who in form.people:
        yield Choice(f"{OTHER}:{place}", f"{who.name} wins", own)


def _do_over_sides(at: Here) -> list[tuple[str, tuple[int, Person]]]:
    if at.form.way != DO_OVER:
        return []
    return [(str(place), (place, one)) for place, one in at.form.people]


class AgainForm(Form):
    """One side of a do-over, possibly with another skill (toaster.3.tiebreak-doover)."""

    place = 0

    on = pick(
        lambda at: f"{at.me.name} on",
        lambda at: on_choices(at, at.me),
        default=lambda at: at.form.outer.form.fell.throws[at.form.place].on,
        rule="toaster.3.tiebreak-doover",
    )
    more = number(
        lambda at: f"Modifier for {at.me.name}",
        default=lambda at: at.form.outer.form.situation(at.form.place, at.me),
        low=-30,
        high=30,
        rule="toaster.3.tiebreak-doover",
    )


def _side(side: tuple[int, Person]) -> FormOf[AgainForm]:
    place, one = side
    return FormOf(AgainForm, lambda at: one, suffix=f".{place}", place=place)


class TieForm(Form):
    """The GM's decision about a contest without a winner."""

    tied: Input[list[int]] = given([])
    totals: Input[list[int]] = given([])
    about = given(0)
    waiting: Input[Row] = given({})

    way = pick(choices=_ways, help=lambda at: at.options.tiebreaker_own)
    sides = Each(_do_over_sides, _side)
    note = text(story=True)

    @property
    def fell(self) -> Fallen:
        """The tied roll."""
        if not self.waiting:
            raise Unknown("There is no tie to settle.")
        waiting = self.waiting
        return Fallen.read(self.at, waiting["kept"], {}, waiting.get("used") or {})

    @property
    def people(self) -> list[tuple[int, Person]]:
        """The tied characters, each with their index in the roll."""
        return [
            (place, one)
            for place in self.tied
            for one in self.at.people([self.fell.throws[place].entity])
        ]

    def situation(self, place: int, one: Person) -> int:
        """The modifiers of the first throw apart from rank, harm and luck."""
        throw = self.fell.throws[place]
        own = {part.name for part in self.side(one, throw.on).own_parts()}
        return sum(
            part.value
            for part in (*throw.open[1:], *throw.kept)
            if part.name not in own and not part.name.startswith("luck")
        )

    def side(self, one: Person, on: str) -> Side:
        """A character's side with only this skill or attribute."""
        return side_of(self.at, one.id, {"on": on})

    def again(self, place: int, one: Person) -> Thrown:
        """A character's throw in a do-over."""
        throw, said = self.fell.throws[place], self.sides[str(place)]
        side = self.side(one, said.on)
        own, kept = tuple(side.own_parts()), worth(Part("as before", said.more))
        parts = (own, kept) if throw.kept else ((*own, *kept), ())
        return Thrown(one.id, side.name, side.rolled, throw.label, 0, *parts)


@toaster.answer("tie", rolls=True)
def tie(at: At[TieForm]) -> None:
    form, roll = at.form, at.form.fell
    if form.way == DO_OVER:
        _do_over(at)
        return
    way, _, said = form.way.partition(":")
    broken = _WAYS.get(way, {"name": "the GM's word"})
    place = int(said) if said else roll.broken(way, form.tied, form.totals)
    words, word = "Nobody wins.", "draw"
    rules = filter(None, ("toaster.3.tiebreak-choice", broken.get("rule")))
    if place is not None:
        words, word = (
            f"{roll.names[place]} wins, by {broken['name']}.",
            "loses" if place else "wins",
        )
    at.say(form.note)
    title = f"The tie of {listed(one.name for _, one in form.people)}"
    at.tell(title, words, word, rules=rules, of=roll.people, about=form.about)


def _do_over(at: At[TieForm]) -> None:
    """Throw until the tie is broken; the event's dice include earlier ties."""
    form = at.form
    throws = [form.again(*each) for each in form.people]
    people = [one for _, one in form.people]
    names = [one.name for one in people]
    bands = tuple(
        Band(str(place), f"{name} wins", "bad" if place else "good", good=not place)
        for place, name in enumerate(names)
    )
    roll = Roll(do_over, bands, lambda fell: str(fell.winner))
    dice = roll(sides_of(throws), at.options.extended(), at.options.variable_outcomes)
    dice_of = {throw.label: one for throw, one in zip(throws, people, strict=True)}
    outcome = at.roll(dice, dice_of)
    for throw in as_fallen(at, form.fell.kind, throws, outcome, {}).throws:
        show(at, throw)
    won = outcome.winner == 0
    at.say(form.note)
    at.tell(
        f"Once more: {listed(names)}", standing_words(outcome, names),
        "wins" if won else "loses", "good" if won else "bad", ("toaster.3.tiebreak-doover",),
        of=people, about=form.about,
    )  # fmt: skip
