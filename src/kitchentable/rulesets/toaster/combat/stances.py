"""What is left over from one roll for the next: stances, a fumble's price, an aim that was taken.

It lies in somebody's state: "next" has what is added to the next attack or defence roll and is then
used up, "stance" whoever gives up attacking or defending altogether, "aim" the rounds of aiming.
"""

from __future__ import annotations

from kitchentable.rules import Part
from kitchentable.rulesets.toaster.book import Parts, Row, plural
from kitchentable.rulesets.toaster.people import Person

ATTACK, DEFENCE = "attack", "defence"
#: The kinds of roll as they are shown; stored events have the older spelling.
SHOWN = {ATTACK: "attack", DEFENCE: "defense"}
OTHER = {ATTACK: DEFENCE, DEFENCE: ATTACK}

#: What a trade is called that puts something into a roll of a kind.
TRADES = {ATTACK: "offensive stance", DEFENCE: "defensive stance"}

#: What may be traded from one roll to the next of the other kind (toaster.4.stance-1-2).
MOST_TRADED = 2
#: What giving up one kind altogether brings to the other, and for how many own actions
#: (toaster.4.stance-3, toaster.4.stance-timing).
ALL_OUT, ALL_OUT_ACTIONS = 3, 2


def carried(one: Person, kind: str) -> Parts:
    """What earlier rolls have left for the next attack or defence roll, by name."""
    return tuple(Part(row["name"], row["value"]) for row in one.next.get(kind) or ())


def leave(one: Person, kind: str, name: str, value: int) -> None:
    """So much is added to somebody's next roll of a kind, or taken off it."""
    if value:
        rows = [*(one.next.get(kind) or []), {"name": name, "value": value}]
        one.next = {**one.next, kind: rows}


def use_up(one: Person, kind: str, put: int) -> None:
    """A roll uses up what was left for it; what was put into it is owed to the other kind.

    toaster.4.stance-1-2.
    """
    if one.next.get(kind):
        one.next = {**one.next, kind: []}
    leave(one, OTHER[kind], TRADES[kind], -put)


# ---------------------------------------------------------------- all or nothing


def all_out(one: Person) -> Row:
    """The all-out stance somebody holds: {"kind": what is given all, "left": actions}; {} for none.

    "attack" gives up defending, "defence" gives up attacking.
    """
    return one.stance if (one.stance.get("left") or 0) > 0 else {}


def all_out_part(one: Person, kind: str) -> Parts:
    """What an all-out stance adds to rolls of its kind (toaster.4.stance-3)."""
    return (Part(f"all-out {SHOWN[kind]}", ALL_OUT),) if all_out(one).get("kind") == kind else ()


def gives_up(one: Person, kind: str) -> bool:
    """Whether somebody has given up attacks, or defences, for the other."""
    return all_out(one).get("kind") == OTHER[kind]


def acted(one: Person, actions: int = 1) -> None:
    """After actions of one's own, taken or forgone, an all-out stance is nearer to its end.

    toaster.4.stance-timing.
    """
    held = all_out(one)
    if held and actions:
        one.stance = {**held, "left": max(0, held["left"] - actions)}


def words(one: Person) -> list[str]:
    """Stances, what earlier rolls have left, and an aim, as the order of turns shows them."""
    found, held = [], all_out(one)
    if held:
        found.append(f"all-out {SHOWN[held['kind']]}, {plural(held['left'], 'action')} more")
    for kind in (ATTACK, DEFENCE):
        found += [f"{part.name}: {part.value:+d} {SHOWN[kind]}" for part in carried(one, kind)]
    return [*found, "has taken aim"] if one.aim else found
