"""Kinds of events: the log sentence of each, its groups in the log, and whether it is final.

A sentence is made from the event alone, so it has the names of that time. Only readers who may see
the event get its sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kitchentable.campaign.events import Event
from kitchentable.campaign.words import listed, outcome_in_words, value_in_words

#: Steps that are in the journal but not in the table's log: parts of a proposal, which is shown as
#: a card while it is open, and saved drafts.
QUIET = frozenset({"settled", "sheet-saved"})
#: Roles of seats in words.
ROLES = {"player": "a player", "spectator": "a spectator", "cogm": "a co-GM", "gm": "the GM"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event.

    `groups` are names from `GROUPS`, separated by blanks. A `final` step cannot be taken back:
    decisions about seats are changed by new decisions, commitments to dice stay public, and
    revealed facts have been seen.
    """

    says: Callable[[Event], str]
    groups: str = ""
    final: bool = False


def sentence(event: Event) -> str:
    """Return the log sentences about an event."""
    return KINDS[event.kind].says(event)


def stub(event: Event) -> str:
    """Return the sentence for people who may not see the thrown dice."""
    if event.kind == "altered":
        return f"{event.name} altered a result behind the screen."
    if event.audience == "gm":
        return f"{event.name} threw dice behind the screen."
    if event.audience == event.seat:
        return f"{event.name} threw dice for the GM."
    return f"{event.name} threw dice in private."


def _set(event: Event) -> str:
    parts = [f"{one['label']}: {value_in_words(one['now'])}" for one in event.data["set"]]
    words = [f"{event.name} sets {'; '.join(parts)}."] if parts else []
    if "title" in event.data:
        words.insert(0, f"The campaign is called {event.data['title']} now.")
    return " ".join(words)


def _seat_asked(event: Event) -> str:
    name, role = event.data["name"], ROLES[event.data["role"]]
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
    about = _roll_of(event)
    start = f"{event.name} asks for a roll: {about}" if event.data["request"] else about
    return f"{start} ({_waiting(event)})."


def _settled(event: Event) -> str:
    return f"{event.name} answers: {_roll_of(event)} ({_waiting(event)})."


def _roll_of(event: Event) -> str:
    """Describe a proposed roll: its entity or sender, and its title."""
    return f"{event.data['entity_name'] or event.name}, {event.data['title']}"


def _waiting(event: Event) -> str:
    waits = event.data["waits"]
    return f"waiting for {listed(waits)}" if waits else "ready to roll"


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


def _clock(event: Event) -> str:
    data = event.data
    if not data["shown"]:
        return f"{data['title']} is out of sight." if not data["new"] else f"{data['title']}."
    count = f"{data['filled']} of {data['of']}"
    full = " It is full." if data["filled"] == data["of"] else ""
    return f"{data['title']}: {count}.{full}"


def _marked(event: Event) -> str:
    name, marks = event.data["entity_name"], event.data["marks"]
    return f"{name}: {listed(marks)}." if marks else f"{name}: no condition any more."


def _portrait(event: Event) -> str:
    name = event.data["entity_name"]
    return f"{name} has a new portrait." if event.data["given"] else f"{name} has no portrait now."


def _shown(event: Event) -> str:
    data = event.data
    if event.audience == "gm":
        return f"{event.name} takes back {data['title']}."
    if data["backdrop"]:
        return f"The scene: {data['title']}."
    readers = listed(data["names"]) if data["names"] else "everybody"
    return f"{event.name} shows {readers}: {data['title']}."


def _with(words: str) -> Callable[[Event], str]:
    return lambda event: words.format_map({"who": event.name, **event.data})


#: The groups for searching the log, with their labels.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "rolls": "Rolls and moves",
        "talk": "What was said",
        "sheets": "Characters",
        "evenings": "Sessions",
        "hand": "Taken back and set by hand",
        "house": "Seats and rules",
    }
)

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "campaign-opened": Kind(
            _with("{who} opens {title}, a campaign of {game}."), "house", final=True
        ),
        "options-set": Kind(_set, "house"),
        "game-updated": Kind(
            _with("{who} takes over {game} {now}; it was {was} until now."), "house"
        ),
        "settings-set": Kind(_set, "house"),
        "seat-asked": Kind(_seat_asked, "house", final=True),
        "seat-approved": Kind(_with("{name} sits down at the table."), "house", final=True),
        "seat-refused": Kind(_with("{name} is not let in."), "house", final=True),
        "seat-renamed": Kind(_with("{was} is called {name} now."), "house", final=True),
        "seat-revoked": Kind(_with("{name} leaves the table."), "house", final=True),
        "seat-handed-over": Kind(
            _with("{name}'s seat is given to another device."), "house", final=True
        ),
        "seat-role": Kind(
            lambda event: f"{event.data['name']} is {ROLES[event.data['role']]} now.",
            "house",
            final=True,
        ),
        "session-began": Kind(_with("Session {session} begins."), "evenings", final=True),
        "contributed": Kind(_with("{who} adds words to the dice: {words}"), "evenings", final=True),
        "session-closing": Kind(_with("Session {session} comes to its end."), "evenings"),
        "session-ended": Kind(
            _with("Session {session} ended. Its dice can be checked."),
            "evenings",
            final=True,
        ),
        "entity-made": Kind(_entity_made, "sheets"),
        "entity-changed": Kind(_entity_changed, "sheets"),
        "sheet-saved": Kind(_saved, "sheets"),
        "sheet-submitted": Kind(_with("{who} hands in {entity_name}."), "sheets"),
        "sheet-accepted": Kind(_with("{entity_name} is in play."), "sheets"),
        "sheet-sent-back": Kind(_sent_back, "sheets"),
        "proposed": Kind(_proposed),
        "settled": Kind(_settled),
        "declined": Kind(_declined),
        "withdrawn": Kind(_with("{who} takes back the roll: {title}.")),
        "move": Kind(_move, "rolls"),
        "ask-skipped": Kind(_with("{who} puts a card away: {title}")),
        "said": Kind(_with("{text}"), "talk"),
        "rolled": Kind(_rolled, "rolls"),
        "quick-kept": Kind(
            lambda event: (
                f"{event.name} {'removes' if event.data['gone'] else 'keeps'} a quick roll of "
                f"{event.data['entity_name']}: {event.data['label']}."
            ),
            "sheets",
        ),
        "noted": Kind(
            lambda event: (
                f"{event.name} writes in the GM's notes."
                if event.data["which"] == "gm"
                else f"{event.name} writes in the table's notes."
            )
        ),
        "portrait-set": Kind(_portrait, "sheets"),
        "handout-saved": Kind(_with("{who} writes the handout {title}.")),
        "handout-shown": Kind(_shown, "talk", final=True),
        "revealed": Kind(_with("{who} shows everybody a card."), final=True),
        "clock-set": Kind(_clock, "evenings"),
        "oracle-set": Kind(_with("{who} writes a table to roll on: {title}."), "house"),
        "consulted": Kind(
            lambda event: f"{event.data['card']['title']} {event.data['card']['sentence']}", "rolls"
        ),
        "marked": Kind(_marked, "evenings"),
        "reordered": Kind(_with("{entity_name} acts at another time."), "evenings"),
        "limit-set": Kind(
            lambda event: (
                f"A {event.data['kind']} is drawn: {event.data['text']}."
                if event.data["kind"] == "line"
                else f"A veil is drawn over this: {event.data['text']}."
            ),
            "talk",
            final=True,
        ),
        "x-card": Kind(
            lambda event: (
                "The X-card is on the table: pause, and leave this out. Nobody has to say why."
                if event.data["paused"]
                else "The X-card is taken up. The story goes on."
            ),
            "talk",
            final=True,
        ),
        "put-away": Kind(_with("{who} puts away: {title}."), "house"),
        "overridden": Kind(_with("{who} sets a fact by hand."), "hand"),
        "altered": Kind(_altered, "rolls hand"),
        "undone": Kind(_with("{who} takes something back."), "hand"),
    }
)
