"""Clocks, tables to roll on, conditions, lines and veils, and the X-card."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from kitchentable.campaign.commands import (
    PlayXCard,
    ReorderFight,
    RollOracle,
    SetClock,
    SetLimit,
    SetMarks,
    SetOracle,
)
from kitchentable.campaign.decide.bounds import a_name, a_text
from kitchentable.campaign.decide.consequences import plain_card
from kitchentable.campaign.decide.context import Context, audience_for, named
from kitchentable.campaign.decide.entry import check_typed, chosen_audience, own_entity
from kitchentable.campaign.decide.handfuls import check_dice
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.scene import oracle_in
from kitchentable.campaign.throws import throw_lines
from kitchentable.rules.moves import Card, Change
from kitchentable.rules.table import fresh
from kitchentable.rules.values import EVERYONE, GM

MOST_PARTS = 24
_MOST_CLOCKS = 40
_MOST_ORACLES = 40
_MOST_ROWS = 120
_LONGEST_ROW = 300
_MOST_LIMITS = 60
_LONGEST_LIMIT = 200
_MOST_MARKS = 8
_LONGEST_MARK = 24
_SHAPES = frozenset({"clock", "track"})
#: A row with its numbers: "3 text", "3-5: text".
_NUMBERED = re.compile(r"(\d{1,4})(?:\s*[-\N{EN DASH}]\s*(\d{1,4}))?\s*[:.)]?\s+(\S.*)")
_UNNAMED = "Somebody"


def set_clock(context: Context, command: SetClock) -> Event:
    """Make, change or remove a clock; None keeps a value."""
    ident, now = _find_or_begin(context, "clocks", command.clock, _MOST_CLOCKS)
    if command.gone:
        return _removed(context, "clock", ident, now)
    was = now or {"title": "", "filled": 0, "of": 6, "shape": "clock", "open": True}
    given: dict[str, Any] = {
        "title": None if command.title is None else a_name(command.title, "A clock's name"),
        "filled": command.filled,
        "of": command.of,
        "shape": command.shape,
        "open": command.open,
    }
    clock = {**was, **{key: one for key, one in given.items() if one is not None}}
    if not clock["title"]:
        raise CannotBe("A clock needs a name.", code="name/empty")
    if clock["shape"] not in _SHAPES:
        raise CannotBe('The kind of a clock must be "clock" or "track".')
    if not 2 <= clock["of"] <= MOST_PARTS:
        raise CannotBe(f"A clock needs 2 to {MOST_PARTS} parts, not {clock['of']}.")
    clock["filled"] = min(clock["of"], max(0, clock["filled"]))
    # Hiding a clock removes it from every screen; opening it shows its current state.
    seen = clock["open"] or (now or {}).get("open", False)
    data = {**clock, "new": now is None, "shown": clock["open"]}
    changes = [Change(("scene", "clocks", ident), clock)]
    audience = EVERYONE if seen else GM
    if seen and not clock["open"]:
        data = {"title": was["title"], "new": False, "shown": False}
    unchanged = f"{clock['title']} already has these values."
    return context.event("clock-set", changes, data=data, audience=audience, unchanged=unchanged)


def set_oracle(context: Context, command: SetOracle) -> Event:
    """Make, change or remove a roll table; without numbers all rows are equally likely."""
    ident, now = _find_or_begin(context, "oracles", command.oracle, _MOST_ORACLES)
    if command.gone:
        return _removed(context, "oracle", ident, now)
    title = a_name(command.title, "A table's name")
    dice, rows = read_rows(command.rows, command.dice)
    check_dice([dice], "house")
    oracle = {"title": title, "dice": dice, "rows": rows, "open": command.open}
    changes = [Change(("scene", "oracles", ident), oracle)]
    data = {"title": title, "new": now is None}
    audience = EVERYONE if command.open else GM
    unchanged = "The table already has these rows."
    return context.event("oracle-set", changes, data=data, audience=audience, unchanged=unchanged)


def read_rows(text: str, dice: str = "") -> tuple[str, list[list[Any]]]:
    r"""Read the dice and rows of a typed roll table, one row on each line. Errors: CannotBe.

    >>> read_rows("Rain\nSun")
    ('1d2', [[1, 1, 'Rain'], [2, 2, 'Sun']])
    >>> read_rows("1-5 Rain\n6: Sun", "1d6")
    ('1d6', [[1, 5, 'Rain'], [6, 6, 'Sun']])
    """
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if not lines:
        raise CannotBe("A table needs at least one row.")
    if len(lines) > _MOST_ROWS:
        raise CannotBe(f"A table has at most {_MOST_ROWS} rows, not {len(lines):,}.")
    longest = max(map(len, lines))
    if longest > _LONGEST_ROW:
        raise CannotBe(f"A row has at most {_LONGEST_ROW} characters, not {longest:,}.")
    found = [_NUMBERED.fullmatch(line) for line in lines]
    if not all(found):
        if any(found):
            bare = next(line for line, one in zip(lines, found, strict=True) if one is None)
            raise CannotBe(f"This row has no number, but other rows have one: {bare[:60]}")
        rows = [[place, place, line] for place, line in enumerate(lines, 1)]
        return dice.strip() or f"1d{len(lines)}", rows
    read = [(int(one[1]), int(one[2] or one[1]), one[3]) for one in found if one]
    for low, high, words in read:
        if low > high:
            raise CannotBe(f"{low} to {high} is not a range of numbers: {words[:60]}")
    highest = max(high for _, high, _ in read)
    return dice.strip() or f"1d{highest}", [list(row) for row in read]


def roll_oracle(context: Context, command: RollOracle) -> Event:
    """Roll on a roll table, for everybody or for the GM and the sender."""
    check_typed(context, command.faces)
    oracle = oracle_in(context.campaign.tree, command.oracle)
    if oracle is None or not (oracle.open or context.by_gm):
        raise CannotBe("There is no such table to roll on.", code="oracle/unknown")
    chosen = chosen_audience(context, command.audience)
    audience = chosen if oracle.open else GM
    asked = a_text(command.text, "A question", _LONGEST_ROW, required=False)
    thrown, (line,) = throw_lines(context.hand_for(audience), [oracle.dice], "house")
    outcome = line["outcome"]
    number = outcome if isinstance(outcome, int) else 0
    words = oracle.row(number) or f"No row of this table has {outcome}."
    title = f"{oracle.title} {asked}" if asked else oracle.title
    card = plain_card(Card(title, words, str(outcome), name=context.me.name))
    data = {"oracle": oracle.id, "card": card, "title": oracle.title}
    return context.event("consulted", data=data, audience=audience, throw=thrown)


def set_marks(context: Context, command: SetMarks) -> Event:
    """Set the conditions of an entity in play."""
    entity = own_entity(context, command.entity)
    if entity.stage != "play":
        raise CannotBe(f"{entity.name} is not in play.", code="entity/stage")
    marks = [" ".join(one.split()) for one in command.marks if one.strip()]
    marks = [one for place, one in enumerate(marks) if one not in marks[:place]]
    if len(marks) > _MOST_MARKS or max(map(len, marks), default=0) > _LONGEST_MARK:
        raise CannotBe(
            f"At most {_MOST_MARKS} conditions are allowed, of {_LONGEST_MARK} characters each."
        )
    was = context.campaign.tree.get("scene", {}).get("marks", {}).get(entity.id, [])
    if marks == was:
        raise CannotBe(f"{entity.name} already has these conditions.")
    data = {**named(entity), "marks": marks}
    change = Change(("scene", "marks", entity.id), marks)
    return context.event("marked", [change], data=data, audience=audience_for(entity))


def reorder_fight(context: Context, command: ReorderFight) -> Event:
    """Move a fighter before another in the turn order, the fact "order" of the game."""
    fight = context.table.fight
    order = list(fight.get("order") or ()) if fight is not None else []
    if command.entity not in order or command.before not in {"", *order}:
        raise CannotBe("There is no turn order with these fighters yet.", code="fight/no-order")
    entity = context.entity(command.entity)
    left = [one for one in order if one != command.entity]
    place = left.index(command.before) if command.before in left else len(left)
    now = [*left[:place], command.entity, *left[place:]]
    return context.event(
        "reordered",
        [Change(("fight", "order"), now)],
        data=named(entity),
        audience=audience_for(entity),
        unchanged=f"{entity.name} already has that place in the turn order.",
    )


def set_limit(context: Context, command: SetLimit) -> Event:
    """Set or remove a line or a veil; the log does not say who did."""
    ident, now = _find_or_begin(context, "limits", command.limit, _MOST_LIMITS)
    if command.gone:
        return _unnamed(_removed(context, "limit", ident, now))
    if command.kind not in {"line", "veil"}:
        raise CannotBe('The kind of a limit must be "line" or "veil".')
    text = a_text(" ".join(command.text.split()), "A limit", _LONGEST_LIMIT)
    limit = {"kind": command.kind, "text": text}
    change = Change(("scene", "limits", ident), limit)
    return _unnamed(context.event("limit-set", [change], data=limit))


def play_x_card(context: Context, command: PlayXCard) -> Event:
    """Play the X-card, or take it away; the log does not say who did."""
    paused = bool(context.campaign.tree.get("scene", {}).get("paused", False))
    if paused == command.paused:
        raise CannotBe(
            "The X-card is already on the table. /x off takes it away."
            if paused
            else "The X-card is not on the table."
        )
    change = Change(("scene", "paused"), command.paused)
    return _unnamed(context.event("x-card", [change], data={"paused": command.paused}))


def _unnamed(event: Event) -> Event:
    """Return the event without its sender, and without its reason, which could name one."""
    return replace(event, seat="", name=_UNNAMED, reason="")


def _find_or_begin(
    context: Context, what: str, ident: str, most: int
) -> tuple[str, dict[str, Any] | None]:
    """Find a clock, roll table or limit; without `ident`, return a new id and None."""
    kept: dict[str, Any] = context.campaign.tree.get("scene", {}).get(what, {})
    if ident:
        if ident not in kept:
            raise CannotBe("This is no longer on the table.", code="scene/unknown")
        return ident, dict(kept[ident])
    if len(kept) >= most:
        raise CannotBe(f"This table has at most {most} of these. Remove one first.")
    return fresh(context.table, what.removesuffix("s")), None


def _removed(context: Context, what: str, ident: str, now: dict[str, Any] | None) -> Event:
    if now is None:
        raise CannotBe("This is no longer on the table.", code="scene/unknown")
    data = {"what": what, "title": now.get("title") or now.get("text", "")}
    audience = EVERYONE if now.get("open", True) else GM
    change = Change(("scene", f"{what}s", ident), gone=True)
    return context.event("put-away", [change], data=data, audience=audience)
