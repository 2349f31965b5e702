"""The moment of a move: the table, the actor, the typed answers, and the recorded changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar, cast

from kitchentable.rules.errors import RuleRefuses, Unknown
from kitchentable.rules.facts import copied, differences
from kitchentable.rules.kit.beings import B, Recorder
from kitchentable.rules.kit.forms import Form, G
from kitchentable.rules.kit.outcomes import CannotRead, write_outcome
from kitchentable.rules.kit.rolls import PausedHere, R, Throw, ThrownNow
from kitchentable.rules.kit.rounds import Rounds
from kitchentable.rules.moves import Card, Line, Move, Part, Question, Result, Side
from kitchentable.rules.people import is_closed
from kitchentable.rules.table import Actor, Ask, Entity, Table, fresh
from kitchentable.rules.values import EVERYONE, GM, Answers, Json, Row, Values

F = TypeVar("F", bound=Form)
Opt = TypeVar("Opt")
T = TypeVar("T")

#: A sentence about odds, from the chances by band.
Sentence = Callable[[Mapping[str, Fraction]], str]

_UNREAD = object()
#: A check at a moment: None, or the reason why a move cannot be made.
Guard = Callable[[Any], "str | None"]


def needs(read: Callable[[Any], Any], sentence: str, least: int = 1) -> Guard:
    """A guard for a move that needs a result of `read` with at least this many items."""
    return lambda at: None if len(read(at)) >= least else sentence


class RulesetData(Generic[B, Opt]):
    """The data shared by all moves of a ruleset: the class of its entities, its options, its fight.

    `words` are parts of moves from a data file, by the move's name: title, help, rules, by, place,
    for_entity, converses, examples; `only_with`, an option and the reason given if it is off;
    `ask`, the words of the form's questions; `card`, the words of the card that the move answers.
    `cards` are the words of cards by key: title, sentence, outcome, tone, rules.
    """

    def __init__(
        self,
        being: Callable[..., B],
        options: Callable[[Values], Opt],
        words: Mapping[str, Values] | None = None,
        cards: Mapping[str, Values] | None = None,
    ) -> None:
        self.being, self.options, self.words, self.cards = being, options, words or {}, cards or {}
        self.rounds: type[Rounds[Any]] = Rounds


class At(Recorder, Generic[F, B, Opt]):
    """Everything that a move may read and record; from outside, the move is a pure function."""

    def __init__(
        self,
        rules: RulesetData[B, Opt],
        table: Table,
        actor: Actor,
        answers: Answers | None = None,
        form: type[F] | None = None,
        *,
        outcomes: tuple[Any, ...] = (),
        writes: bool = False,
    ) -> None:
        super().__init__()
        self.rules, self.table, self.actor = rules, table, actor
        self.asked = table.asks.get(actor.ask) if actor.ask else None
        self.answers = {**(self.asked.preset if self.asked else {}), **(answers or {})}
        self.form = cast("F", (form or Form)(self))
        self.options: Opt = rules.options(table.options)
        self.outcomes, self.writes = outcomes, writes
        #: The rolls before a pause (name, arguments, outcome), and its answers.
        self.past: Row = {"fell": [], "said": []}
        self.thrown: list[Throw[Any]] = []
        self.pauses = 0
        self.asks: list[Ask] = []
        self.closes: list[str] = []
        self.card: Card | None = None
        self.lines: list[Line] = []
        self.sides: list[Side] = []
        self._people: dict[str, B] = {}
        self._once: Row = {}
        self._fight: Any = _UNREAD

    def allows(self, guards: Iterable[Guard]) -> str | None:
        """None if every guard allows the move; otherwise the first reason against it."""
        try:
            return next((said for guard in guards if (said := guard(self))), None)
        except Unknown:
            return None

    def fill(self, form: type[G], answers: Answers, actor: Actor | None = None, **about: Any) -> G:
        """Another form at this moment, with these answers and further attributes `about`."""
        other = copy(self)
        other.actor, other.answers = actor or self.actor, dict(answers)
        other.form = filled = form(other)  # type: ignore[assignment]
        vars(filled).update(about)
        return filled

    # ------------------------------------------------------------ entities and people

    @property
    def fight(self) -> Any:
        """The current fight, in which those no longer in play have left; None without a fight.

        While a move is made, the fight is a copy to change.
        """
        if self._fight is _UNREAD:
            facts, known = self.table.fight, self.table.entities
            self._fight = None
            if facts is not None:
                fighters = facts.get("fighters", ())
                here = {who for who in fighters if who in known and known[who].stage == "play"}
                away = [who for who in fighters if who not in here]
                facts = copied(facts) if self.writes or away else facts
                self._fight = self.rules.rounds(self, facts)
                for who in away:
                    self._fight.remove(who, "left")
        return self._fight

    def end_fight(self) -> None:
        """Records the end of the fight."""
        self._fight = None
        self.write(("fight",), None)

    @property
    def place(self) -> Any:
        """The facts of the actor in the current fight, to change; None outside a fight."""
        return self.fight.place(self.me) if self.fight is not None else None

    @property
    def me(self) -> B:
        """The acting entity, or the entity of the card. Errors: Unknown."""
        found = self.find(self.actor.entity)
        if found is None:
            raise Unknown("This move needs an entity that makes it.")
        return found

    @property
    def number(self) -> int:
        """The number of the event that this move makes."""
        return self.table.number + 1

    @property
    def is_gm(self) -> bool:
        """Whether the GM makes the move."""
        return self.actor.is_gm

    def find(self, ident: Json) -> B | None:
        """The entity with this id, or None."""
        entity = self.table.entities.get(str(ident)) if ident else None
        return self._being(entity) if entity is not None else None

    def people(self, ids: Iterable[Json]) -> list[B]:
        """The entities with these ids; unknown ids are skipped."""
        return [one for one in map(self.find, ids) if one is not None]

    def _being(self, entity: Entity) -> B:
        found = self._people.get(entity.id)
        if found is None:
            found = self._people[entity.id] = self.rules.being(self.table, entity, self)
        return found

    def in_play(self) -> list[B]:
        """All entities in play."""
        return [self._being(one) for one in self.table.in_play()]

    def here(self) -> list[B]:
        """All entities in play that the actor knows."""
        known = (one for one in self.in_play() if self.is_gm or not one.hidden)
        return self.for_page("here", lambda: [*known])

    def present(self) -> list[B]:
        """All entities in play that are not dead."""
        return [one for one in self.in_play() if not one.is_dead]

    def others(self) -> list[B]:
        """All living entities in play that the actor knows, except the actor's entity."""
        others = (one for one in self.here() if one.id != self.actor.entity)
        return [one for one in others if not one.is_dead]

    def for_page(self, name: str, read: Callable[[], T]) -> T:
        """A value read once for all moves of a page; while a move is made, read each time."""
        if self.writes:
            return read()
        if name not in self._once:
            self._once[name] = read()
        found: T = self._once[name]
        return found

    def for_rules(self, name: str, read: Callable[[], T], of: Entity | None = None) -> T:
        """A cached value that depends only on the table's options, `own` and at most one entity.

        The value may not refer to the moment. While a move is made, the value is read each time.
        """
        return read() if self.writes else self.table.for_rules(name, read, of)

    def seat(self, ident: str = "") -> str:
        """The name of a person at the table, by default of the person who makes the move."""
        seat = self.table.seats.get(ident or self.actor.seat)
        return seat.name if seat is not None else "Somebody"

    # ------------------------------------------------------------ dice

    def roll(
        self,
        throw: Throw[R],
        dice: Mapping[str, B] | None = None,
        says: str | Sentence = "",
        closed: tuple[str, ...] = (),
    ) -> R:
        """The outcome of a roll; `dice` are the owners of dice by label.

        `closed` are the labels of dice that only the GM may see. `says` is a sentence about the
        odds, or a function that makes one. Errors: RuleRefuses for a roll that has changed since
        its dice were thrown.
        """
        number, before = len(self.thrown), len(self.past["fell"])
        self.thrown.append(throw)
        if number < before:
            return self._read_kept(throw, *self.past["fell"][number])
        if number < before + len(self.outcomes):
            return cast("R", self.outcomes[number - before])
        roll = throw.roll
        closed += tuple(
            label
            for label, one in (dice or {}).items()
            if is_closed(one.entity) or (one.hidden and len({*(dice or {}).values()}) > 1)
        )
        words = says or roll.says
        tell = words if callable(words) else (lambda shares: words) if words else None
        known = (roll.mechanic, throw.arguments, roll.bands, roll.band)
        raise ThrownNow(Question(*known, closed, tell))

    def _read_kept(self, throw: Throw[R], roll: str, given: Json, outcome: Json) -> R:
        name, arguments = throw.roll.mechanic.name, write_outcome(throw.arguments)
        if (roll, given) == (name, arguments):
            try:
                return throw.roll.read(outcome)
            except CannotRead:
                pass  # an earlier version of the game wrote another type of outcome
        words = (
            f"The dice on this card were thrown for {roll} {given}, but the roll is now "
            f"{name} {arguments}. Take back the roll and make it again."
        )
        raise RuleRefuses(words, code="pause/unfit")

    def pause(
        self,
        form: type[G],
        to: Iterable[str] | str,
        title: str,
        text: str = "",
        **brings: Json,
    ) -> G:
        """Pause the move for a card, and return the answers to it.

        Until the card is answered, only the card is recorded. The card keeps the rolls and answers
        so far as plain data; then the move runs again from its beginning with them. `brings` are
        facts for the form.
        """
        first, fell, said = self.actor, [*self.past["fell"]], self.past["said"]
        self.pauses += 1
        if self.pauses <= len(said):
            seat, role, answers = said[self.pauses - 1]
            return self.fill(form, {**brings, **answers}, Actor(seat, role, first.entity))
        for one, outcome in zip(self.thrown[len(fell) :], self.outcomes, strict=True):
            arguments = write_outcome(one.arguments)
            fell.append([one.roll.mechanic.name, arguments, write_outcome(outcome)])
        was = {
            "form": form.__name__,
            "actor": [first.seat, first.role, first.entity, sorted(first.hidden)],
            "answers": dict(self.answers),
            "fell": fell,
            "said": said,
        }
        raise PausedHere(
            Ask(
                fresh(self.table, "pause"),
                (to,) if isinstance(to, str) else tuple(to),
                "",
                title,
                text,
                {**brings, "paused": was},
                ("paused",),
                entity=first.entity,
            ),
        )

    # ------------------------------------------------------------ consequences

    def create(self, entity: Entity, number: int = 0) -> None:
        """Records a new entity with a new id; several in one step need different numbers."""
        parts = ["name", "kind", "owner", "sheet", "state", "stage", "hidden", "open", "line"]
        facts = {part: getattr(entity, part) for part in parts}
        self.write(("entities", fresh(self.table, entity.kind, number)), facts)

    def record(self, result: Result) -> None:
        """Records a whole result; the campaign closes the answered card after its changes."""
        self.asked = None
        self.card, self.lines = result.card, list(result.card.lines if result.card else ())
        self.changes |= {one.path: one for one in result.changes}
        self.asks += result.asks
        self.closes += result.closes

    def refuse(self, sentence: str, *rules: str) -> NoReturn:
        """Refuses the move because of these rules. Errors: RuleRefuses, always."""
        raise RuleRefuses(sentence, *rules)

    def say(self, text: str, audience: str = EVERYONE) -> None:
        """Adds a sentence to the card, unless it is empty."""
        if text:
            self.lines.append(Line(text, audience))

    def show(self, one: B, label: str, total: int | None, *parts: Part, word: str = "") -> None:
        """Adds an entity's throw to the card; its numbers show only to their audience."""
        self.sides.append(Side(one.name, label, parts, total, word, one.number_audience))

    def tell(
        self,
        title: str,
        sentence: str = "",
        outcome: str = "",
        tone: str = "plain",
        rules: Iterable[str] = (),
        *,
        of: Iterable[B] | None = None,
        about: int = 0,
        audience: str = "",
        name: str = "",
    ) -> None:
        """Makes the card of the move, about the entities `of`, by default the actor's.

        By default everyone sees the card, or only the GM if one of the entities is hidden. With
        of=() everyone sees it, so set the `audience` if the text names entities. `about` is the
        number of an earlier event that this card continues; `name` is the actor's name if the sides
        do not show it.
        """
        people = [self.me] if of is None and self.actor.entity else list(of or ())
        hidden = any(one.hidden for one in people)
        self.card = Card(
            title,
            sentence,
            outcome,
            tone,
            rules=tuple(dict.fromkeys(rules)),
            entity=people[0].id if people else "",
            audience=audience or (GM if hidden else EVERYONE),
            about=about,
            name=name,
        )

    def tell_as(
        self,
        key: str,
        *,
        rules: Iterable[str] = (),
        of: Iterable[B] | None = None,
        about: int = 0,
        audience: str = "",
        **names: object,
    ) -> None:
        """Makes the card with this key in the data file, with these names filled in.

        "{me}" is the actor's name; `rules` are cited in addition to the file's.
        """
        row = self.rules.cards[key]
        said = {"me": self.me.name if self.actor.entity else "", **names}
        self.tell(
            row["title"].format(**said),
            row.get("sentence", "").format(**said),
            row.get("outcome", ""),
            row.get("tone", "plain"),
            (*row.get("rules", ()), *rules),
            of=of,
            about=about,
            audience=audience,
        )

    def ask(
        self,
        move: Move,
        to: Iterable[str] | str = "",
        title: str = "",
        text: str = "",
        /,
        *,
        of: B | None = None,
        ident: str = "",
        rules: Iterable[str] | None = None,
        skippable: bool = False,
        secret: tuple[str, ...] = (),
        **brings: Json,
    ) -> None:
        """Adds a card that people answer with a move; `brings` are facts for its form.

        `of` is the entity that the card is about; `rules` are by default the move's; `ident` is a
        fixed id, so that there is at most one such card. Missing parts come from `[move.card]` of
        the data file: to, title, text and ident, with {name} and {id} of the entity and the facts
        filled in; skippable, secret and rules; and `prefix`, the beginning of a new id.
        """
        row = self.rules.words.get(move.name, {}).get("card", {})
        names = {"name": of.name, "id": of.id} if of is not None else {}
        words = {
            key: row.get(key, "").format(**{**names, **brings})
            for key in ("to", "title", "text", "ident")
        }
        taken = sum(one.move == move.name for one in self.asks)
        to, cites = to or words["to"], row.get("rules", move.rules) if rules is None else rules
        self.asks.append(
            Ask(
                ident or words["ident"] or fresh(self.table, row.get("prefix", move.name), taken),
                (to,) if isinstance(to, str) else tuple(to),
                move.name,
                title or words["title"],
                text or words["text"],
                brings,
                secret or tuple(row.get("secret", ())),
                tuple(cites),
                skippable or row.get("skippable", False),
                of.id if of is not None else "",
            )
        )

    @property
    def answered(self) -> Ask:
        """The card that this move answers. Errors: Unknown."""
        if self.asked is None:
            raise Unknown("This move answers a card, but no such card is waiting.")
        return self.asked

    def cards(self, *moves: str, of: str = "") -> list[Ask]:
        """The waiting cards about an entity, by default the actor's, that these moves answer."""
        asks, whose = self.table.asks.values(), of or self.actor.entity
        return [one for one in asks if one.entity == whose and one.move in moves]

    def keep_open(self, **changed: Any) -> None:
        """Keeps the answered card waiting, with parts of it changed."""
        self.asks.append(replace(self.answered, **changed))

    def close(self, *asks: str) -> None:
        """Discards these cards if they are waiting."""
        self.closes += [one for one in asks if one in self.table.asks]

    def result(self) -> Result:
        """The result of the move: its card and everything recorded."""
        changes, asks = list(self.changes.values()), list(self.asks)
        if self._fight is not _UNREAD and self._fight is not None:
            changes += differences(("fight",), self.table.fight, self._fight.facts)
            asks += self._fight.asks()
        answered = [self.asked.id] if self.asked is not None else []
        again = {ask.id for ask in asks}
        closes = (one for one in dict.fromkeys((*self.closes, *answered)) if one not in again)
        return Result(self.told(), tuple(changes), tuple(asks), tuple(closes))

    def told(self) -> Card | None:
        """The card with its sides and lines; None without a card."""
        if self.card is None:
            return None
        return replace(self.card, lines=tuple(self.lines), sides=tuple(self.sides))


#: The moment of any move, and of a move with a known form in any ruleset.
AnyAt: TypeAlias = At[Any, Any, Any]
FormAt: TypeAlias = At[F, Any, Any]
