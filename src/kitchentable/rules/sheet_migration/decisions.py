"""The form about the numbers of a changed list, and the consequences of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from kitchentable.rules.facts import whole
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Problems, Varying
from kitchentable.rules.kit.listings import name_of
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Card, Line, Result
from kitchentable.rules.people import listed
from kitchentable.rules.sheet_migration.lists import (
    LOST,
    MOVE,
    NEW,
    TITLE,
    Cards,
    Numbers,
    OpenQuestion,
    Place,
    ask_anew,
    audience_of,
    begin,
    changes_between,
    draft_of,
    hand_over,
    names_of,
    open_questions,
    rules_of,
)
from kitchentable.rules.table import Actor, Ask, Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Answers, Choice, Field, Json, Problem, Row

#: The possible answers; the key of another line follows "to." and "as.".
_NOTE, _DROP, _TO = "note", "drop", "to."
_SET, _USUAL, _AS = "set", "usual", "as."
_FIT, _LEAVE = "fit", "leave"
_EACH, _OWNER = "each", "owner"

#: A game's further questions after numbers are settled: a function from the new table and the
#: answered questions to new cards and the ids of cards to close.
Then = Callable[[Table, tuple[OpenQuestion, ...]], Cards]


def migrate(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], title: str
) -> Result:
    """The result of changed lists: notes become numbers again, and the GM is asked about the rest.

    `names` are the former names of lines, by the keys of list and line ("stats.will"). A number
    without a line stays until its question is answered. The GM's waiting card is replaced; cards
    about one entity stay.
    """
    people, lines = begin(table, lists, table.entities)
    asks, closes = ask_anew(replace(table, entities=people), lists, names)
    card = Card(title, lines=lines) if lines else None
    return Result(card, changes_between(table.entities, people), asks, closes)


def migration_move(
    rules: AnyRules, lists: tuple[Numbers, ...], then: Then = lambda table, settled: ((), ())
) -> Declared:
    """The move that answers the cards; the GM can also make the move without a card."""

    def answering(at: AnyAt) -> Answering:
        every = open_questions(at.table, lists, at.asked)
        return Answering(at.table, at.actor, at.asked, every, names_of(at.asked))

    def free(at: AnyAt) -> str | None:
        open_ones = at.asked or open_questions(at.table, lists, None)
        return None if open_ones else "There is nothing to decide."

    class MigrationForm(Form):
        each = Varying(lambda at: answering(at).fields())

        def problems(self) -> Problems:
            return answering(self.at).check(self.each)

    return rules.move(
        MOVE,
        TITLE,
        "Decide about numbers whose line on a list was removed, added or changed.",
        MigrationForm,
        rules=tuple(dict.fromkeys(one.rule for one in lists if one.rule)),
        by=(GM,),
        place="gm",
        when=free,
        for_entity=False,
    )(lambda at: at.record(answering(at).settle(lists, then, at.answers)))


@dataclass(slots=True)
class Answering:
    """The open questions of a card: its form, and the consequences of the answers.

    `people` are drafts of all entities after the answers so far. `asks` are the questions to hand
    on, by entity and whether they go to its owner.
    """

    table: Table
    actor: Actor
    ask: Ask | None
    every: tuple[OpenQuestion, ...]
    names: Mapping[str, str]
    people: dict[str, Entity] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    asks: dict[tuple[str, bool], list[OpenQuestion]] = field(default_factory=dict)

    # ------------------------------------------------------------ questions

    def fields(self) -> Iterator[Field]:
        """The fields of all questions that are not postponed."""
        for one in self.every:
            if not self._is_postponed(one):
                yield from self._questions(one)

    def _questions(self, one: OpenQuestion) -> Iterator[Field]:
        alone, name, told = len(one.people) == 1, self._name(one), one.numbers.told
        further = [] if alone else [Choice(_EACH, "one person after the other")]
        if self.actor.is_gm and any(person.is_players for person in one.people):
            further.append(Choice(_OWNER, "its player says so" if alone else "each player says so"))
        make = partial(Field, rule=one.numbers.rule, hidden=one.unseen)
        places = [place for o in one.people if (place := self._place(one, o)) is not None]
        bounds: Row = {}
        if places:
            bounds = {"low": min(p.low for p in places), "high": max(p.high for p in places)}
        if one.what == NEW:
            starts = [place.start for place in places]
            usual = listed(dict.fromkeys(map(told, starts)))
            differ = [Choice(_USUAL, f"where each usually begins: {usual}")]
            picks = [
                *(differ if any(start != starts[0] for start in starts) else []),
                Choice(_SET, "a number" if alone else "one number for all"),
                *self._same_as_another(one),
            ]
            words = f"It is new for {listed(person.name for person in one.people)}."
            asks, first = f"Where does {name} begin?", picks[0].value
        else:
            has = (f"{o.name} has {told(one.numbers.values(o)[one.key])}" for o in one.people)
            asks, words = f"What becomes of {name}?", f"{listed(has)}."
            if one.what == LOST:
                picks, first = self._choices_for_lost(one)
                words = f"It is no longer on any list. {words}"
            else:
                picks = [Choice(_FIT, "brought within it"), Choice(_LEAVE, "left as it is")]
                words = f"Its range is now {bounds['low']} to {bounds['high']}. {words}"
                first = _FIT
        yield make(one.field, asks, "choice", (*picks, *further), default=first, help=words)
        if one.what == NEW:
            begins = f"{name} to begin with"
            yield make(one.start, begins, "number", default=places[0].start, **bounds)

    def _place(self, one: OpenQuestion, person: Entity, key: str = "") -> Place | None:
        return one.numbers.place(self.table, person, key or one.key)

    def _is_postponed(self, one: OpenQuestion) -> bool:
        """Whether a new line is probably a renamed line, so that its question is postponed.

        The next card asks the question if the answer about the lost line leaves it open.
        """
        new = {person.id for person in one.people}
        return one.what == NEW and any(
            new <= {person.id for person in other.people}
            and self._choices_for_lost(other)[1] == f"{_TO}{one.key}"
            for other in self._lost(one.numbers)
        )

    def _lost(self, numbers: Numbers) -> list[OpenQuestion]:
        return [o for o in self.every if o.what == LOST and o.numbers.key == numbers.key]

    def _name(self, one: OpenQuestion) -> str:
        place = self._place(one, one.people[0])
        if place is not None:
            return place.name
        return self.names.get(f"{one.numbers.key}.{one.key}") or name_of(one.key)

    def _lines_of(self, one: OpenQuestion, *, used: bool) -> list[dict[str, str]]:
        """For each entity, the names by key of other lines with a number, or without one."""
        return [
            {
                place.key: place.name
                for place in one.numbers.places(self.table, person) or ()
                if (place.key in one.numbers.values(person)) is used and place.key != one.key
            }
            for person in one.people
        ]

    def _choices_for_lost(self, one: OpenQuestion) -> tuple[list[Choice], str]:
        """The choices for a lost number, and the default: a renamed line if only one fits."""
        free = {key: name for o in self._lines_of(one, used=False) for key, name in o.items()}
        stays = [Choice(_LEAVE, "stays with those who have it")] if one.numbers.may_stay else []
        picks = [
            *stays,
            Choice(_NOTE, "kept on the sheet as a note"),
            *(Choice(f"{_TO}{key}", f"becomes {name}") for key, name in free.items()),
            Choice(_DROP, "dropped"),
        ]
        renamed = len(free) == 1 and len(self._lost(one.numbers)) == 1
        return picks, f"{_TO}{next(iter(free))}" if renamed else picks[0].value

    def _same_as_another(self, one: OpenQuestion) -> Iterator[Choice]:
        """The choices to start with the same number as another line that all entities have."""
        first, *others = self._lines_of(one, used=True)
        for key, name in first.items():
            if all(key in other for other in others):
                yield Choice(f"{_AS}{key}", f"as much as {name}")

    def check(self, answers: Answers) -> tuple[Problem, ...]:
        """Check that no two numbers of an entity move to the same line."""
        taken: dict[tuple[str, str, str], str] = {}
        for one in self.every:
            answer = str(answers.get(one.field) or "")
            for person in one.people if one.what == LOST and answer.startswith(_TO) else ():
                where = (person.id, one.numbers.key, answer)
                if taken.setdefault(where, one.field) != one.field:
                    words = f"Two numbers of {person.name} cannot move to the same line."
                    return (Problem(one.field, one.numbers.rule, words),)
        return ()

    # ------------------------------------------------------------ consequences

    def settle(self, lists: tuple[Numbers, ...], then: Then, answers: Answers) -> Result:
        """Apply the answers, hand on questions to others, and ask the open questions again."""
        table = self.table
        self.people = {ident: draft_of(one) for ident, one in table.entities.items()}
        for one in self.every:
            answer, postponed = str(answers.get(one.field) or ""), self._is_postponed(one)
            for person in one.people:
                self._take(one, person, answer, whole(answers.get(one.start)), postponed=postponed)
        self.people, started = begin(table, lists, self.people)
        self.lines += started
        given = tuple(
            hand_over(self.people[ident], about, self.names, to_owner=to_owner)
            for (ident, to_owner), about in self.asks.items()
        )
        waiting = {one.id: one for one in given}
        after = replace(table, entities=self.people, asks={**table.asks, **waiting})
        but = "" if self.actor.ask in waiting else self.actor.ask
        asks, closes = ask_anew(after, lists, self.names, but=but)
        more, shut = then(after, self.every)
        changes = changes_between(table.entities, self.people)
        return Result(self._card(), changes, (*given, *asks, *more), (*closes, *shut))

    def _take(
        self, one: OpenQuestion, person: Entity, answer: str, start: int, *, postponed: bool
    ) -> None:
        """Apply one answer for one entity, or hand the question on.

        A new line keeps a number that was moved to it.
        """
        if one.what == NEW and one.key in one.numbers.values(self.people[person.id]):
            return
        waits = answer != _EACH and self._waits_with(one, person, to_owner=True)
        to_owner = person.is_players and (answer == _OWNER or waits)
        if answer in {_EACH, _OWNER} or self._waits_with(one, person, to_owner=to_owner):
            self.asks.setdefault((person.id, to_owner), []).append(one)
        elif not postponed:
            self._apply(one, self.people[person.id], answer, start)
        elif self.ask is not None and self.ask.entity:
            # Questions of a card about one entity stay with the same person.
            self.asks.setdefault((person.id, GM not in self.ask.to), []).append(one)

    def _waits_with(self, one: OpenQuestion, person: Entity, *, to_owner: bool) -> bool:
        """Whether a new line has to wait because a lost number may still be moved to it."""
        others = self.asks.get((person.id, to_owner), ())
        return one.what == NEW and any(o.what == LOST and o.numbers == one.numbers for o in others)

    def _apply(self, one: OpenQuestion, draft: Entity, answer: str, start: int) -> None:
        """Apply one answer to one entity."""
        numbers, key, name = one.numbers, one.key, self._name(one)
        has, place = numbers.values(draft), self._place(one, draft)
        was = f"{name} {numbers.told(has[key])}" if key in has else name
        if one.what == LOST:
            words = self._lose(one, draft, answer, was)
        elif one.what == NEW:
            usual = answer == _USUAL and place is not None
            value: Json = place.start if usual and place is not None else start
            if answer.startswith(_AS):
                value = has.get(answer.removeprefix(_AS))
            numbers.start(draft, key, value)
            words = f"{name} begins at {value}."
        elif answer == _FIT and place is not None:
            has[key] = min(max(place.low, whole(has[key])), place.high)
            words = f"{was} becomes {has[key]}."
        else:
            numbers.agree(draft, key)
            words = f"{name} stays at {has[key]}."
        self.lines.append(Line(f"{draft.name}: {words}", audience_of(draft)))

    def _lose(self, one: OpenQuestion, draft: Entity, answer: str, was: str) -> str:
        """Apply the answer about a lost number, and return a sentence about it."""
        numbers, key, name = one.numbers, one.key, self._name(one)
        has, target = numbers.values(draft), self._place(one, draft, answer.removeprefix(_TO))
        if answer == _LEAVE:
            numbers.agree(draft, key)
            return f"{was} stays."
        to = ""
        if answer == _DROP:
            del has[key]
            words = "is dropped."
        elif answer.startswith(_TO) and target is not None and target.key not in has:
            to, has[target.key] = target.key, has.pop(key)
            words = f"becomes {target.name}."
        else:
            numbers.put_aside(draft, key, name)
            words = "is kept as a note."
        self.people[draft.id], left = numbers.moved(draft, key, name, to)
        return f"{was} {words} {left}".rstrip()

    def _card(self) -> Card:
        about = self.ask.entity if self.ask is not None else ""
        person = self.table.entities.get(about)
        people = (self.people[ident] for ident, _ in self.asks)
        left = dict.fromkeys(one.name for one in people if audience_of(one) == EVERYONE)
        lines = [*self.lines, *([Line(f"Still to be said: {listed(left)}.")] if left else [])]
        hidden = bool(lines) and all(one.unseen for one in self.every)
        return Card(
            f"{person.name}: {TITLE.lower()}" if person is not None else TITLE,
            "" if lines else "Nothing was left to say.",
            lines=tuple(lines),
            rules=rules_of(self.every),
            entity=about,
            audience=audience_of(person) if person is not None else GM if hidden else EVERYONE,
        )
