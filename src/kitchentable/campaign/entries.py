"""Log entries as one seat may read them. No other module makes entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from kitchentable.campaign.audiences import LogReader, known_as, readers_in
from kitchentable.campaign.events import Event, Thrown
from kitchentable.campaign.kinds import sentence, stub
from kitchentable.campaign.read_models import Entry, SeenDie, SeenOdds
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.throws import Solved, as_chance
from kitchentable.campaign.undo import may_undo
from kitchentable.campaign.words import outcome_in_words, value_in_words
from kitchentable.rules.moves import Band, Card, Line, Part, Side
from kitchentable.rules.people import with_stop
from kitchentable.rules.values import EVERYONE, GM


def entry_for(campaign: Campaign, event: Event, seat: str) -> Entry | None:
    """Return the log entry of an event for a seat; None if the seat may not know of it.

    Dice that a seat may not see leave a stub saying that dice were thrown. A card that was later
    revealed is complete, here and in the entry of its reveal.
    """
    one = campaign.table.seats.get(seat)
    return read_entry(campaign, event, LogReader(known_as(one))) if one is not None else None


def read_entry(
    campaign: Campaign, event: Event, reader: LogReader, cursor: str = ""
) -> Entry | None:
    """Return the entry of `entry_for` for every seat that agrees with the reader.

    `cursor` is the caller's opaque position.
    """
    content = read_content(campaign, event, reader)
    return None if content is None else with_marks(campaign, event, content, reader, cursor)


def read_content(campaign: Campaign, event: Event, reader: LogReader) -> Entry | None:
    """Return an entry without its marks (`with_marks`), the same for most readers."""
    if not reader.sees(EVERYONE):
        return None
    if not is_known(campaign, event, reader):
        return _signed(campaign, event, stub=stub(event)) if event.throw is not None else None
    if event.kind == "undone":
        return _undone(campaign, event, reader)
    if event.kind == "revealed":
        return _revealed(campaign, event, reader)
    return _whole(campaign, event, reader, shown=campaign.revealed(event.number))


def is_known(campaign: Campaign, event: Event, reader: LogReader) -> bool:
    """Whether a reader may see all of an event, by its audience or because it was revealed."""
    return campaign.revealed(event.number) or reader.sees(event.audience)


def with_marks(
    campaign: Campaign, event: Event, content: Entry, reader: LogReader, cursor: str
) -> Entry:
    """Add to an entry's content its position, its audience and the reader's right to undo."""
    gm = reader.is_gm()
    whole = not content.stub and event.kind not in {"undone", "revealed"}
    return replace(
        content,
        cursor=cursor,
        hidden_from=_hidden_from(campaign, event, reader)
        if whole and event.audience != EVERYONE and (gm or reader.sits_at(event.seat))
        else "",
        number=event.number if gm else 0,
        may_undo=may_undo(campaign, event, reader),
    )


def readers_of(event: Event) -> tuple[str, ...]:
    """Return the reader names of an event's audience, before any reveal."""
    return readers_in(EVERYONE if event.throw is not None else event.audience)


def text_of(entry: Entry) -> str:
    """Return all text of an entry, for searching."""
    parts = [entry.text, entry.who, entry.reason, entry.stub]
    if entry.card is not None:
        parts += [entry.card.title, entry.card.sentence, entry.card.outcome]
        parts += [line.text for line in entry.card.lines]
        parts += [side.name for side in entry.card.sides]
    parts += [told for _, told in entry.details]
    return " ".join(parts)


def texts_of(campaign: Campaign, event: Event) -> dict[str, str]:
    """Return the text of an event's entry by reader name, for the search index.

    A reader with several names may read only words listed under one of them.
    """
    names, texts = [EVERYONE], {}
    # If the GM is left out, a co-GM may still be among the readers.
    with_gm = () if GM in readers_in(event.audience) or event.audience == EVERYONE else (GM,)
    for name in names:
        reader = LogReader((EVERYONE, name, *with_gm))
        entry = read_content(campaign, event, reader)
        if entry is not None:
            texts[name] = text_of(entry)
        names += {*reader.asked}.difference(names)
    return texts


def _signed(campaign: Campaign, event: Event, **parts: Any) -> Entry:
    """Return the content that every entry has."""
    return Entry(
        cursor="",
        kind=event.kind,
        time=event.time,
        who=event.name,
        seat=event.seat,
        undone=_taken_back(campaign, event.number),
        **parts,
    )


def _taken_back(campaign: Campaign, number: int) -> str:
    mark = campaign.tree["undone"].get(str(number))
    if mark is None:
        return ""
    word = "Altered" if mark.get("altered") else "Taken back"
    reason = f": {mark['reason']}" if mark["reason"] else "."
    return f"{word} by {mark['name']}{reason}"


def _whole(campaign: Campaign, event: Event, reader: LogReader, *, shown: bool) -> Entry:
    """Return the content that the reader may see, or all of it with `shown`."""
    # Made in one step for speed: every seat's page needs the entry of every event.
    throw, data = event.throw, event.data
    said = event.kind == "said"
    return Entry(
        "",
        event.kind,
        event.time,
        data.get("entity_name", event.name) if said else event.name,
        event.seat,
        text=_text(event, reader, shown=shown),
        mode=data.get("mode", ""),
        card=_card(data.get("card"), reader, shown=shown),
        dice=_dice(throw, reader, shown=shown) if throw is not None else (),
        typed=throw.typed if throw is not None else False,
        odds=_odds(event, throw, reader, shown=shown) if throw is not None else None,
        to=data.get("to", "") if said else "",
        reason=event.reason,
        undone=_taken_back(campaign, event.number),
        details=_details(event, reader, shown=shown),
        face=data.get("face", "drawn") if said and "entity" in data else "",
        thread=data.get("proposal", ""),
        picture=_handed_out(campaign, event, reader) if event.kind == "handout-shown" else "",
        sum=_sum(data),
    )


def _sum(data: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Return the parts of the sum of an event's dice; several sums follow each other."""
    if "sum" in data:
        return tuple(data["sum"])
    lines: list[int | str] = []
    for roll in data.get("rolls", ()):
        if "sum" in roll:
            lines += [";"] if lines else []
            lines += [*roll["sum"], "=", outcome_in_words(roll["outcome"])]
    return tuple(lines)


def _handed_out(campaign: Campaign, event: Event, reader: LogReader) -> str:
    """Return the picture of a handout if the reader may see it now."""
    handout = campaign.tree["handouts"].get(event.data["handout"])
    picture: str = event.data["picture"]
    return picture if handout is not None and reader.sees(handout["to"]) else ""


def _text(event: Event, reader: LogReader, *, shown: bool = False) -> str:
    if event.kind != "overridden":
        return sentence(event)
    data = event.data
    about = data.get("entity_name") or "the table"
    if not (shown or reader.sees(data["values_for"])):
        return f"{event.name} sets a fact about {about} by hand."
    fact = " / ".join(data["path"][3:] if data["path"][0] == "entities" else data["path"])
    now = "gone" if data["gone"] else value_in_words(data["now"])
    return (
        f"{event.name} sets a fact about {about} by hand: "
        f"{fact} was {value_in_words(data['was'])} and is {now}."
    )


def _card(plain: dict[str, Any] | None, reader: LogReader, *, shown: bool) -> Card | None:
    """Return a card without secrets from the reader; each side keeps name and outcome."""
    if plain is None or not (shown or reader.sees(plain["audience"])):
        return None
    sides = tuple(
        Side(
            side["name"],
            side["label"],
            tuple(Part(name, value) for name, value in side["parts"]),
            side["total"],
            side["word"],
            side["audience"],
        )
        if shown or reader.sees(side["audience"])
        else Side(side["name"], "", word=side["word"], audience=side["audience"])
        for side in plain["sides"]
        if shown or not side.get("unseen") or reader.sees(side["audience"])
    )
    lines = tuple(
        Line(line["text"], line["audience"])
        for line in plain["lines"]
        if shown or reader.sees(line["audience"])
    )
    return Card(
        title=plain["title"],
        sentence=plain["sentence"],
        outcome=plain["outcome"],
        tone=plain["tone"],
        sides=sides,
        lines=lines,
        rules=tuple(plain["rules"]),
        entity=plain["entity"],
        audience=plain["audience"],
        about=plain.get("about", 0) if reader.is_gm() else 0,
        name=plain.get("name", ""),
    )


def _dice(throw: Thrown, reader: LogReader, *, shown: bool) -> tuple[SeenDie, ...]:
    """Return the visible dice; closed labels are only for the GM, or for all with `shown`."""
    closed = () if shown or not throw.closed or reader.is_gm() else throw.closed
    return tuple(
        [
            SeenDie(
                die["die"],
                die["sides"],
                str(die["face"]),
                label,
                die.get("fate", "kept"),
                die.get("why", ""),
            )
            for die in throw.trace
            if (label := die.get("label", "")) not in closed
        ]
    )


def _odds(event: Event, throw: Thrown, reader: LogReader, *, shown: bool) -> SeenOdds | None:
    bands = event.data.get("bands")
    if not bands or not throw.odds or not (shown or reader.sees(throw.odds_audience)):
        return None
    shares = {band: as_chance(share) for band, share in throw.odds.items()}
    sentence = event.data.get("odds_sentence", "")
    solved = Solved(shares, as_chance(throw.unresolved), sentence)
    named = [Band(band["key"], band["label"], band["tone"], band["good"]) for band in bands]
    return SeenOdds.of(named, solved, throw.fell)


def _details(event: Event, reader: LogReader, *, shown: bool) -> tuple[tuple[str, str], ...]:
    data = event.data
    rows = [
        (label, words)
        for label, words, audience in data.get("told", ())
        if shown or reader.sees(audience)
    ]
    unknown = data.get("odds_unknown")
    if unknown and event.throw and (shown or reader.sees(event.throw.odds_audience)):
        rows.append(("odds", f"Not known. {unknown}"))
    if event.kind == "handout-shown" and data["text"] and event.audience != GM:
        rows.append((data["title"], data["text"]))
    if event.kind == "said" and "entity_name" in data:
        rows.append(("spoken by", event.name))
    rows += [
        (roll["notation"], outcome_in_words(roll["outcome"])) for roll in data.get("rolls", ())
    ]
    return tuple(rows)


def _hidden_from(campaign: Campaign, event: Event, reader: LogReader) -> str:
    """Describe the people who do not see an event, for the GM and its sender."""
    if event.audience == GM:
        return "the players"
    if reader.sits_at(event.audience):
        return "everybody but you and the GM"
    if event.audience in campaign.table.seats:
        return f"everybody but {campaign.table.seats[event.audience].name} and the GM"
    if event.audience != EVERYONE:
        return "everybody else"
    return ""


def _undone(campaign: Campaign, event: Event, reader: LogReader) -> Entry | None:
    """Return the entry of an undo, with the steps that the reader could see."""
    there, words = _steps_of(campaign, event, reader)
    if not words:
        return None
    does = "brings back" if there else "takes back"
    text = with_stop(f"{event.name} {does}: {'; '.join(words)}")
    return _signed(campaign, event, text=text, reason=event.reason)


def _steps_of(campaign: Campaign, event: Event, reader: LogReader) -> tuple[bool, list[str]]:
    """Return whether an undo undid another undo, and the steps concerned."""
    steps = [campaign.events[number - 1] for number in event.data["of"]]
    if len(steps) == 1 and steps[0].kind == "undone" and reader.sees(steps[0].audience):
        there, words = _steps_of(campaign, steps[0], reader)
        return not there, words
    words = []
    for step in steps:
        if reader.sees(step.audience):
            words.append(_text(step, reader).rstrip("."))
        elif step.throw is not None:
            words.append(stub(step).rstrip("."))
    return False, words


def _revealed(campaign: Campaign, event: Event, reader: LogReader) -> Entry:
    step = campaign.events[event.data["of"] - 1]
    whole = _whole(campaign, step, reader, shown=True)
    text = f"{event.name} shows everybody: {whole.text}"
    return _signed(
        campaign,
        event,
        text=text,
        card=whole.card,
        dice=whole.dice,
        sum=whole.sum,
        typed=whole.typed,
        odds=whole.odds,
        details=whole.details,
        reason=event.reason,
    )
