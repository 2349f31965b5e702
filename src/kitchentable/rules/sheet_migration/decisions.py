"""The form about numbers of a changed list, and the consequences of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from kitchentable.rules.facts import whole
from kitchentable.rules.moves import Card, Line, Move, Result
from kitchentable.rules.people import listed
from kitchentable.rules.sheet_migration.lists import (
    BEYOND,
    LOST,
    NEW,
    Numbers,
    Open,
    Place,
    agreed,
    eyes,
    place_of,
    put_aside,
    values,
    with_value,
    without,
)
from kitchentable.rules.sheet_migration.questions import (
    MOVE,
    TITLE,
    Matter,
    ask_anew,
    begin,
    changes_between,
    hand_over,
    matters,
    names_of,
    rules_of,
)
from kitchentable.rules.table import Actor, Ask, Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Answers, Choice, Field, Json, Problem

#: The possible answers; the key of another line follows "to." and "as.".
_NOTE, _DROP, _TO = "note", "drop", "to."
_SET, _USUAL, _AS = "set", "usual", "as."
_FIT, _LEAVE = "fit", "leave"
_EACH, _OWNER = "each", "owner"


#: A game's further questions once numbers are settled: from the table as it is then and the
#: answered questions to new cards and the ids of cards to close.
Then = Callable[[Table, tuple[Matter, ...]], tuple[tuple[Ask, ...], tuple[str, ...]]]


def _nothing(table: Table, settled: tuple[Matter, ...]) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """The `then` of a game without further questions."""
    return (), ()


def refit_move(lists: tuple[Numbers, ...], then: Then = _nothing) -> Move:
    """The move that answers these cards; the GM can also make it without a card."""
    return Move(
        MOVE,
        TITLE,
        "Say what becomes of numbers whose place on the list is gone, new or another.",
        tuple(dict.fromkeys(one.rule for one in lists if one.rule)),
        partial(_settle, lists, then),
        by=("gm",),
        place="gm",
        when=partial(_when, lists),
        fields=partial(_fields, lists),
        check=partial(_check, lists),
        for_entity=False,
    )


def _when(lists: tuple[Numbers, ...], table: Table, actor: Actor) -> str | None:
    if actor.ask or matters(table, lists, None):
        return None
    return "Every number has its place."


def _open(lists: tuple[Numbers, ...], table: Table, actor: Actor) -> tuple[Matter, ...]:
    return matters(table, lists, table.asks.get(actor.ask) if actor.ask else None)


# ---------------------------------------------------------------- questions


def _fields(
    lists: tuple[Numbers, ...], table: Table, actor: Actor, answers: Answers
) -> tuple[Field, ...]:
    every = _open(lists, table, actor)
    names = names_of(table, actor.ask)
    found: list[Field] = []
    for one in every:
        if _is_put_off(table, one, every):
            continue
        found += _questions(table, actor, one, every, names)
    return tuple(found)


def _questions(
    table: Table, actor: Actor, one: Matter, every: tuple[Matter, ...], names: dict[str, str]
) -> Iterator[Field]:
    about, alone = one.about, len(one.people) == 1
    further = [] if alone else [Choice(_EACH, "one person after the other")]
    if actor.is_gm and any(person.is_players for person in one.people):
        further.append(Choice(_OWNER, "its player says so" if alone else "each player says so"))
    make = partial(Field, rule=about.numbers.rule, hidden=one.unseen)
    name = _name(table, one, names)
    becomes = f"What becomes of {name}?"
    if about.what == LOST:
        picks, usual = _ways_out(table, one, every)
        words = f"It is on no list any more. {_who_has(one)}"
        yield make(about.field, becomes, "choice", (*picks, *further), default=usual, help=words)
    elif about.what == NEW:
        picks = (
            Choice(_SET, "a number" if alone else "one number for all"),
            *_to_go_by(table, one),
            *further,
        )
        starts = [place.start for place in _places(table, one)]
        differ = any(start != starts[0] for start in starts)
        if differ:
            picks = (Choice(_USUAL, _each_usual(one, starts)), *picks)
        words = f"It is new for {listed(person.name for person in one.people)}."
        where = f"Where does {name} begin?"
        yield make(about.field, where, "choice", picks, default=picks[0].value, help=words)
        low, high, start = _bounds(table, one)
        label = f"{name} to begin with"
        yield make(about.start, label, "number", default=start, low=low, high=high)
    else:
        low, high, _ = _bounds(table, one)
        picks = (Choice(_FIT, "brought within it"), Choice(_LEAVE, "left as it is"), *further)
        words = f"It goes from {low} to {high} now. {_who_has(one)}"
        yield make(about.field, becomes, "choice", picks, default=_FIT, help=words)


def _is_put_off(table: Table, one: Matter, every: tuple[Matter, ...]) -> bool:
    """Whether a new line is probably a renamed one, so that its question waits.

    The next card asks it, if the answer about the lost line leaves it open.
    """
    if one.about.what != NEW:
        return False
    new = {person.id for person in one.people}
    return any(
        other.about.what == LOST
        and other.about.numbers.key == one.about.numbers.key
        and new <= {person.id for person in other.people}
        and _ways_out(table, other, every)[1] == f"{_TO}{one.about.key}"
        for other in every
    )


def _name(table: Table, one: Matter, names: dict[str, str]) -> str:
    place = place_of(table, one.about.numbers, one.people[0], one.about.key)
    if place is not None:
        return place.name
    plain = one.about.key.replace("_", " ").replace("-", " ")
    return names.get(f"{one.about.numbers.key}.{one.about.key}") or plain.capitalize()


def _who_has(one: Matter) -> str:
    numbers = one.about.numbers
    has = (
        f"{person.name} has {numbers.told(values(person, numbers)[one.about.key])}"
        for person in one.people
    )
    return f"{listed(has)}."


def _each_usual(one: Matter, starts: list[Json]) -> str:
    """The usual starting numbers, by how many lines start at each."""
    told = dict.fromkeys(one.about.numbers.told(start) for start in starts)
    return f"where each usually begins: {listed(told)}"


def _places(table: Table, one: Matter) -> list[Place]:
    about = one.about
    found = (place_of(table, about.numbers, person, about.key) for person in one.people)
    return [place for place in found if place is not None]


def _bounds(table: Table, one: Matter) -> tuple[int, int, Json]:
    places = _places(table, one)
    return min(p.low for p in places), max(p.high for p in places), places[0].start


def _ways_out(
    table: Table, one: Matter, every: tuple[Matter, ...]
) -> tuple[tuple[Choice, ...], str]:
    """The choices for a lost number; if one line went and one came, it may be renamed."""
    numbers = one.about.numbers
    free: dict[str, str] = {}
    for person in one.people:
        has = values(person, numbers)
        places = numbers.places(table, person) or ()
        free |= {place.key: place.name for place in places if place.key not in has}
    picks = (
        *((Choice(_LEAVE, "stays with those who have it"),) if numbers.may_stay else ()),
        Choice(_NOTE, "kept on the sheet as a note"),
        *(Choice(f"{_TO}{key}", f"becomes {name}") for key, name in free.items()),
        Choice(_DROP, "dropped"),
    )
    lost = [m for m in every if m.about.what == LOST and m.about.numbers.key == numbers.key]
    renamed = len(lost) == 1 and len(free) == 1
    return picks, f"{_TO}{next(iter(free))}" if renamed else picks[0].value


def _to_go_by(table: Table, one: Matter) -> tuple[Choice, ...]:
    """The lines for which all entities concerned have a number, to start with the same one."""
    numbers = one.about.numbers
    found: dict[str, str] | None = None
    for person in one.people:
        has = values(person, numbers)
        known = {
            place.key: place.name
            for place in numbers.places(table, person) or ()
            if place.key in has and place.key != one.about.key
        }
        found = known if found is None else {k: v for k, v in found.items() if k in known}
    return tuple(Choice(f"{_AS}{key}", f"as much as {name}") for key, name in (found or {}).items())


def _check(
    lists: tuple[Numbers, ...], table: Table, actor: Actor, answers: Answers
) -> tuple[Problem, ...]:
    """Check that two numbers of one entity do not become the same one."""
    taken: dict[tuple[str, str, str], str] = {}
    for one in _open(lists, table, actor):
        answer = str(answers.get(one.about.field) or "")
        if one.about.what != LOST or not answer.startswith(_TO):
            continue
        for person in one.people:
            where = (person.id, one.about.numbers.key, answer)
            if taken.setdefault(where, one.about.field) != one.about.field:
                words = f"Two numbers of {person.name} cannot become one."
                return (Problem(one.about.field, one.about.numbers.rule, words),)
    return ()


# ---------------------------------------------------------------- consequences


@dataclass(slots=True)
class _Settled:
    """The entities after the answers so far, the sentences to tell, and further questions."""

    people: dict[str, Entity]
    lines: list[Line] = field(default_factory=list)
    asks: dict[tuple[str, bool], list[Open]] = field(default_factory=dict)

    def waits_with(self, person: Entity, about: Open, *, to_owner: bool) -> bool:
        """Whether a new line has to wait because a lost number may still be moved to it."""
        if about.what != NEW:
            return False
        others = self.asks.get((person.id, to_owner), ())
        return any(one.what == LOST and one.numbers == about.numbers for one in others)

    def tell(self, person: Entity, words: str) -> None:
        self.lines.append(Line(f"{person.name}: {words}", eyes(person)))


def _settle(
    lists: tuple[Numbers, ...],
    then: Then,
    table: Table,
    actor: Actor,
    answers: Answers,
    outcome: Any,
) -> Result:
    names = names_of(table, actor.ask)
    every = _open(lists, table, actor)
    done = _Settled(dict(table.entities))
    for one in every:
        answer = str(answers.get(one.about.field) or "")
        start = whole(answers.get(one.about.start))
        put_off = _is_put_off(table, one, every)
        name = _name(table, one, names)
        for person in one.people:
            to_owner = person.is_players and (
                answer == _OWNER
                or (answer != _EACH and done.waits_with(person, one.about, to_owner=True))
            )
            if answer in {_EACH, _OWNER} or done.waits_with(person, one.about, to_owner=to_owner):
                done.asks.setdefault((person.id, to_owner), []).append(one.about)
            elif put_off:
                _ask_them_still(table, actor, done, one.about, person.id)
            else:
                _apply(table, done, one.about, done.people[person.id], answer, name, start)
    done.people, further = begin(table, lists, done.people)
    done.lines += further
    changes = tuple(
        change
        for ident, after in done.people.items()
        for change in changes_between(table.entities[ident], after)
    )
    handed = _handed(done, names)
    waiting = {**table.asks, **{one.id: one for one in handed}}
    after = replace(table, entities=done.people, asks=waiting)
    answered = "" if actor.ask in {one.id for one in handed} else actor.ask
    asks, closes = ask_anew(after, lists, names, but=answered)
    more, shut = then(after, every)
    card = _card(table, actor, every, done)
    return Result(card, changes, (*handed, *asks, *more), (*closes, *shut))


def _handed(done: _Settled, names: dict[str, str]) -> tuple[Ask, ...]:
    """A card for each entity with an open question, for the GM or its player."""
    return tuple(
        hand_over(done.people[ident], about, names, to_owner=to_owner)
        for (ident, to_owner), about in done.asks.items()
    )


def _ask_them_still(table: Table, actor: Actor, done: _Settled, about: Open, person: str) -> None:
    """The open questions of a person's own card, which stay with the same people."""
    card = table.asks.get(actor.ask)
    if (
        card is not None
        and card.entity
        and about.key not in values(done.people[person], about.numbers)
    ):
        done.asks.setdefault((person, GM not in card.to), []).append(about)


def _apply(
    table: Table, done: _Settled, about: Open, person: Entity, answer: str, name: str, start: int
) -> None:
    """Apply one answer to one entity; a number received in the meantime is kept."""
    numbers, key = about.numbers, about.key
    has = values(person, numbers)
    was = f"{name} {numbers.told(has[key])}" if key in has else name
    if about.what == LOST:
        target = place_of(table, numbers, person, answer.removeprefix(_TO))
        if answer == _DROP:
            after, left = numbers.moved(without(person, numbers, key), key, name, "")
            words = f"{was} is dropped. {left}".rstrip()
        elif answer == _LEAVE:
            after, words = agreed(person, numbers, key), f"{was} stays."
        elif answer.startswith(_TO) and target is not None and target.key not in has:
            after = with_value(without(person, numbers, key), numbers, target.key, has[key])
            after, left = numbers.moved(after, key, name, target.key)
            words = f"{was} becomes {target.name}. {left}".rstrip()
        else:
            after, left = numbers.moved(put_aside(person, numbers, key, name), key, name, "")
            words = f"{was} is kept as a note. {left}".rstrip()
    elif about.what == BEYOND:
        place = place_of(table, numbers, person, key)
        if answer == _FIT and place is not None:
            within = min(max(place.low, whole(has[key])), place.high)
            after = with_value(person, numbers, key, within)
            words = f"{was} becomes {within}."
        else:
            after, words = agreed(person, numbers, key), f"{name} stays at {has[key]}."
    elif key in has:
        return
    else:
        place = place_of(table, numbers, person, key)
        value: Json = start
        if answer == _USUAL and place is not None:
            value = place.start
        elif answer.startswith(_AS):
            value = has.get(answer.removeprefix(_AS))
        after, words = with_value(person, numbers, key, value), f"{name} begins at {value}."
    done.people[person.id] = after
    done.tell(person, words)


def _card(table: Table, actor: Actor, every: tuple[Matter, ...], done: _Settled) -> Card:
    ask = table.asks.get(actor.ask)
    person = table.entities.get(ask.entity) if ask is not None else None
    lines = list(done.lines)
    people = (done.people[ident] for ident, _ in done.asks)
    left = dict.fromkeys(one.name for one in people if eyes(one) == EVERYONE)
    if left:
        lines.append(Line(f"Still to be said: {listed(left)}."))
    hidden = bool(lines) and all(one.unseen for one in every)
    return Card(
        f"{person.name}: {TITLE.lower()}" if person is not None else TITLE,
        "" if lines else "Nothing was left to say.",
        lines=tuple(lines),
        rules=rules_of(one.about for one in every),
        entity=person.id if person is not None else "",
        audience=eyes(person) if person is not None else GM if hidden else EVERYONE,
    )
