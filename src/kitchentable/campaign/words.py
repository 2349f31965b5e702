"""Sentences of the log: what each kind of event says, from what the event itself has kept.

Nothing is looked up: a name is the name of that time. Whoever may not see an event is not given
its sentence; what in a sentence is for the GM alone is asked for with `gm`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from kitchentable.campaign.events import Event

_ROLES = {"player": "a player", "spectator": "a spectator", "cogm": "a co-GM", "gm": "the GM"}


def sentence(event: Event) -> str:
    """What the log says of an event, as one or more sentences."""
    return SENTENCES[event.kind](event)


def stub(event: Event) -> str:
    """What the log says to those who may not see dice that fell: that they fell."""
    if event.kind == "altered":
        return f"{event.name} altered a result behind the screen."
    if event.audience == "gm":
        return f"{event.name} threw dice behind the screen."
    if event.audience == event.seat:
        return f"{event.name} threw dice for the GM."
    return f"{event.name} threw dice in private."


def in_percent(chance: Fraction) -> str:
    """A chance as people say it; what is not exactly never or always is never called so.

    >>> [in_percent(Fraction(*one)) for one in ((7, 12), (1, 3000), (0, 1), (1, 1))]
    ['58 %', 'under 1 %', '0 %', '100 %']
    """
    if chance in {0, 1}:
        return f"{int(chance) * 100} %"
    if chance < Fraction(1, 100):
        return "under 1 %"
    if chance > Fraction(99, 100):
        return "over 99 %"
    return f"{round(chance * 100)} %"


def odds_in_words(bands: Iterable[tuple[str, str, bool]], shares: Mapping[str, Fraction]) -> str:
    """What the chance that is shown large stands for, where a game does not word its odds.

    `bands` are key, label and whether it is a good one.

    >>> bands = [("a", "wins", True), ("b", "loses", False)]
    >>> odds_in_words(bands, {"a": Fraction(2, 3), "b": Fraction(1, 3)})
    'It comes to this: wins.'
    >>> odds_in_words(bands[1:], {"b": Fraction(1, 3)})
    'loses 33 %'
    """
    every = tuple(bands)
    good = [label for key, label, is_good in every if is_good and shares[key]]
    if good:
        return f"It comes to this: {'; or '.join(good)}."
    return ", ".join(f"{label} {in_percent(shares[key])}" for key, label, _ in every)


def value_in_words(value: Any) -> str:
    """A fact as people read it.

    >>> value_in_words(True), value_in_words(["a", "b"]), value_in_words({"aim": 3})
    ('yes', 'a, b', 'aim: 3')
    >>> value_in_words([{"name": "Rope", "big": True}, {"name": "Lamp", "big": False}])
    'Rope (big); Lamp'
    """
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return "; ".join(_row(one) for one in value)
    if isinstance(value, list):
        return ", ".join(value_in_words(one) for one in value) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_in_words(one)}" for key, one in value.items()) or "nothing"
    return str(value)


def _row(row: dict[str, Any]) -> str:
    """A row of a list: its first words, and the rest of them behind in brackets."""
    said = [
        key if one is True else value_in_words(one).rstrip(".")
        for key, one in row.items()
        if key != "id" and one not in (None, "", False)
    ]
    first, *rest = said or ["nothing"]
    return f"{first} ({', '.join(rest)})" if rest else first


def listed(words: Iterable[str]) -> str:
    """Words in a row.

    >>> listed(["Mara"]), listed(["Mara", "Jon", "Ida"])
    ('Mara', 'Mara, Jon and Ida')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _set(event: Event) -> str:
    parts = [f"{one['label']}: {value_in_words(one['now'])}" for one in event.data["set"]]
    words = [f"{event.name} sets {'; '.join(parts)}."] if parts else []
    if "title" in event.data:
        words.insert(0, f"The campaign is called {event.data['title']} now.")
    return " ".join(words)


def _seat_asked(event: Event) -> str:
    name, role = event.data["name"], _ROLES[event.data["role"]]
    if event.data["state"] == "seated":
        return f"{name} sits down at the table as {role}."
    return f"{name} asks to join as {role}."


def _entity_made(event: Event) -> str:
    name = event.data["entity_name"]
    if event.data["in_play"]:
        return f"{name} is in play."
    return f"{event.name} begins {name}."


def _entity_changed(event: Event) -> str:
    name, now = event.data["entity_name"], event.data["set"]
    parts = []
    if "name" in now:
        parts.append(f"is called {now['name']} now")
    if "line" in now:
        parts.append(f"is described anew: {now['line']}" if now["line"] else "has no line any more")
    if "owner" in now:
        parts.append(f"belongs to {now['owner']} now")
    if "hidden" in now:
        parts.append("is out of sight" if now["hidden"] else "appears")
    if "open" in now:
        parts.append("has open numbers" if now["open"] else "has closed numbers")
    if "stage" in now:
        parts.append("is gone" if now["stage"] == "gone" else "is back")
    return f"{name} {listed(parts)}."


def _proposed(event: Event) -> str:
    data = event.data
    who = f" for {data['entity_name']}" if data["entity_name"] else ""
    start = "asks for a throw" if data["request"] else "wants to throw"
    waits = f" It waits for {listed(data['waits'])}." if data["waits"] else " The dice can fall."
    return f"{event.name} {start}{who}: {data['title']}.{waits}"


def _settled(event: Event) -> str:
    data = event.data
    who = f" of {data['entity_name']}" if data["entity_name"] else ""
    waits = f"It waits for {listed(data['waits'])}." if data["waits"] else "The dice can fall."
    return f"{event.name} has settled a part in the roll{who}: {data['title']}. {waits}"


def _declined(event: Event) -> str:
    data = event.data
    verdict = {
        "success": "No roll is needed: it succeeds.",
        "failure": "No roll is needed: it fails.",
        "no": "Not like this.",
    }[data["verdict"]]
    who = f" for {data['entity_name']}" if data["entity_name"] else ""
    note = f" {data['note']}" if data["note"] else ""
    return f"{event.name} on {data['title']}{who}: {verdict}{note}"


def _move(event: Event) -> str:
    card = event.data.get("card")
    if card:
        return f"{card['title']}."
    return f"{event.data.get('entity_name') or event.name}: {event.data['title']}."


def _rolled(event: Event) -> str:
    data = event.data
    label = f" ({data['label']})" if data.get("label") else ""
    who = data.get("entity_name") or event.name
    return f"{who} rolls {data['notation']}{label}: {outcome_in_words(data['outcome'])}."


def outcome_in_words(outcome: Any) -> str:
    """What a roll in notation gave: a total, or whether it reached its target."""
    if isinstance(outcome, bool):
        return "reached" if outcome else "not reached"
    return str(outcome)


def _altered(event: Event) -> str:
    data = event.data
    if "notation" in data:
        now = outcome_in_words(data["outcome"])
        dice = f"{data['notation']}, which gave {data['was']}"
        return f"{event.name} altered the roll of {data['whose']}, {dice}: {now}."
    was = f" It was: {data['was']}." if data["was"] else ""
    return f"{event.name} altered a result of {data['whose']}.{was}"


def _saved(event: Event) -> str:
    name, changed = event.data["entity_name"], event.data.get("changed")
    if not changed:
        return f"{event.name} saves {name}."
    return f"{event.name} changes {name}: {'; '.join(changed)}."


def _sent_back(event: Event) -> str:
    name = event.data["entity_name"]
    return f"{event.name} sends {name} back" + (f": {event.reason}" if event.reason else ".")


def _session(words: str) -> Callable[[Event], str]:
    return lambda event: words.format(number=event.data["session"])


def _with(words: str) -> Callable[[Event], str]:
    return lambda event: words.format_map({"who": event.name, **event.data})


SENTENCES: Mapping[str, Callable[[Event], str]] = MappingProxyType(
    {
        "campaign-opened": _with("{who} opens {title}, a campaign of {game}."),
        "options-set": _set,
        "game-updated": _with("{who} takes over {game} {now}; it was {was} until now."),
        "settings-set": _set,
        "seat-asked": _seat_asked,
        "seat-approved": _with("{name} sits down at the table."),
        "seat-refused": _with("{name} is not let in."),
        "seat-renamed": _with("{was} is called {name} now."),
        "seat-revoked": _with("{name} leaves the table."),
        "seat-handed-over": _with("{name}'s seat is given to another device."),
        "seat-role": lambda event: f"{event.data['name']} is {_ROLES[event.data['role']]} now.",
        "session-began": _session("Session {number} begins."),
        "contributed": _with("{who} adds words to the dice: {words}"),
        "session-closing": _session("Session {number} comes to its end."),
        "session-ended": _session("Session {number} is over; the seed of its dice is shown."),
        "entity-made": _entity_made,
        "entity-changed": _entity_changed,
        "sheet-saved": _saved,
        "sheet-submitted": _with("{who} hands in {entity_name}."),
        "sheet-accepted": _with("{entity_name} is in play."),
        "sheet-sent-back": _sent_back,
        "proposed": _proposed,
        "settled": _settled,
        "declined": _declined,
        "withdrawn": _with("{who} takes back the roll: {title}."),
        "move": _move,
        "ask-skipped": _with("{who} puts a card away: {title}"),
        "said": _with("{text}"),
        "rolled": _rolled,
        "noted": lambda event: (
            f"{event.name} writes in the GM's notes."
            if event.data["which"] == "gm"
            else f"{event.name} writes in the table's notes."
        ),
        "revealed": _with("{who} shows everybody a card."),
        "overridden": _with("{who} sets a fact by hand."),
        "altered": _altered,
        "undone": _with("{who} takes something back."),
    }
)
