"""Changes of the list of traits: stored levels, returned points, points to spend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kitchentable.rules import EVERYONE, GM, Result, Table, listed
from kitchentable.rules.kit import Each, Form, Problems, Row, Values, given, number, pick
from kitchentable.rulesets.toast.attacks import refit
from kitchentable.rulesets.toast.fights import missing, roles
from kitchentable.rulesets.toast.options import POINTS_PER_TRAIT, Options, problem
from kitchentable.rulesets.toast.people import At, Here, Person, find, toast

LOST_ASK = "lost-traits"
BACK, NOTHING, TO = "back", "nothing", "to."


# ---------------------------------------------------------------- the list itself


def options_changed(table: Table, was: Values) -> Result:
    """Adapt all characters to the new list of traits and the new capacities.

    New traits start at 0; the GM decides on the points of removed traits. toast.3-same-list,
    toast.3-list-alter, toast.3.1-recount, toast.7.3-down, toast.7.3-wound-cap.
    """
    at = toast.at(table)
    keys = [one.key for one in at.options.traits]
    lost: dict[str, list[str]] = {}
    cites: list[str] = []
    for one in at.people(table.entities):
        if one.stage == "gone" or not one.is_known:
            continue
        gone, new = fit(one, keys)
        learns = one.is_hero and one.stage == "play"
        for trait in gone if one.stage == "play" else ():
            if one.levels[trait] or learns:
                lost.setdefault(trait, []).extend([one.id] * learns)
        if learns and new and at.options.new_trait_grant:
            grant(at, one, POINTS_PER_TRAIT * len(new))
        if one.stage == "play":
            said, rules = refit(at, one, one.capacity_by(was), one.capacity)
            at.say(said, one.card_audience)
            cites += rules
    if cites:
        everyone = any(line.audience == EVERYONE for line in at.lines)
        at.tell_as("down", rules=cites, of=(), audience=EVERYONE if everyone else GM)
    _ask_about(at, lost, was, keys)
    if table.fight is not None and missing(at):
        at.ask(roles)
    return at.result()


def fit(one: Person, keys: list[str]) -> tuple[list[str], list[str]]:
    """Adapt a sheet to the list; return the removed and the added traits.

    The level of a removed trait is stored, and restored if the trait returns.
    """
    levels, kept = one.levels, one.former
    gone = [key for key in levels if key not in keys]
    for key in gone:
        one.write("sheet", "traits", key, gone=True)
        one.write(*one.aside(key), now=levels[key])
    for key in keys:
        if key not in levels:
            one.write("sheet", "traits", key, now=kept.get(key, 0))
            if key in kept:
                one.write(*one.aside(key), gone=True)
    return gone, [key for key in keys if key not in levels and key not in kept]


def grant(at: Here, one: Person, points: int) -> None:
    """Grant points to a character, with a card for spending them."""
    one.grant += points
    at.ask(spend_points, of=one)


def _ask_about(at: Here, lost: dict[str, list[str]], was: Values, keys: list[str]) -> None:
    """Ask about all removed traits, including those of a waiting card."""
    before: Any = at.table.asks[LOST_ASK].preset if LOST_ASK in at.table.asks else {}
    asked: Row = before.get("lost") or {}
    lost = {trait: who for trait, who in asked.items() if trait not in keys} | lost
    if not lost:
        at.close(LOST_ASK)
        return
    known = {**(before.get("names") or {}), **{one.key: one.name for one in Options(was).traits}}
    names = {trait: str(known.get(trait, trait)) for trait in lost}
    words = f"{listed(names.values())}: do the characters get {POINTS_PER_TRAIT} points back?"
    at.ask(lost_traits, "", "", words, ident=LOST_ASK, lost=lost, names=names)


# ---------------------------------------------------------------- points to spread


class SpendForm(Form):
    more = Each(
        lambda at: [(one.key, one) for one in at.options.traits],
        lambda one: number(
            lambda at: f"{one.name} {at.me.level(one)}, more",
            default=0,
            low=0,
            high=lambda at: at.me.grant,
            required=False,
            rule="toast.3.1-recount",
        ),
    )

    def problems(self) -> Problems:
        spent, points = sum(self.more.values()), self.me.grant
        if spent != points:
            key = "points-left" if spent < points else "points-over"
            yield problem(key, points=points, off=abs(points - spent))


@toast.move(
    "spend_points",
    when=lambda at: None if at.me.grant > 0 else "There are no points to spread.",
)
def spend_points(at: At[SpendForm]) -> None:
    for key, more in at.form.more.items():
        if more:
            trait = find(at, key)
            here = at.me.level(trait)
            at.me.write("sheet", "traits", key, now=here + more)
            at.say(f"{trait.name} {here} to {here + more}.")
    at.me.grant = 0
    at.close(f"grant-{at.me.id}")
    at.tell_as("points")


# ---------------------------------------------------------------- traits that were struck out


def heirs(at: Here, trait: str, other: str) -> Iterator[Person]:
    """Characters with a level in a removed trait and none in its possible replacement."""
    for one in at.in_play():
        if one.former.get(trait) and one.levels.get(other) == 0:
            yield one


def _outcomes(at: Here, trait: str, people: list[str]) -> Iterator[tuple[str, ...]]:
    if people:
        yield BACK, f"{POINTS_PER_TRAIT} points back for each character"
    for one in at.options.traits:
        if any(heirs(at, trait, one.key)):
            yield f"{TO}{one.key}", f"its level becomes {one.name}"
    yield NOTHING, "Nothing", "Levels stay aside until the trait is back."


def _become(at: Here, trait: str, other: str) -> None:
    """Turn a removed trait into another one, with its levels and uses of this session.

    toast.3.1-recount, toast.8.2-note.
    """
    for one in heirs(at, trait, other):
        one.write("sheet", "traits", other, now=one.former[trait])
        one.write(*one.aside(trait), gone=True)
    for one in at.in_play():
        noted = one.noted
        if trait in noted and one.levels.get(other) == 0:
            uses = ("session", "notes", "uses", one.id)
            at.write((*uses, other), noted[trait] + noted.get(other, 0))
            at.write((*uses, trait), gone=True)


class LostForm(Form):
    names: Any = given({})
    lost = Each(
        lambda at: [(trait, (trait, who)) for trait, who in at.form.people.items()],
        lambda one: pick(
            lambda at: f"What becomes of {at.form.names.get(one[0], one[0])}?",
            lambda at: _outcomes(at, *one),
            default=BACK if one[1] else NOTHING,
            rule="toast.3.1-recount",
        ),
    )

    @property
    def people(self) -> Any:
        """The owners of levels of each removed trait, from the card."""
        return self.at.answers.get("lost") or {}

    def problems(self) -> Problems:
        """A problem if two traits would become one."""
        taken = [answer for answer in self.lost.values() if answer.startswith(TO)]
        if len(taken) > len(set(taken)):
            yield problem("two-become-one")


@toast.answer("lost_traits")
def lost_traits(at: At[LostForm]) -> None:
    points: dict[str, int] = {}
    told = {BACK: "points back", NOTHING: "nothing"}
    for trait, answer in at.form.lost.items():
        other = find(at, answer.removeprefix(TO))
        words = told.get(answer) or f"its level becomes {other.name}"
        at.say(f"{at.form.names.get(trait, trait)}: {words}.")
        if answer == BACK:
            for who in at.form.people[trait]:
                points[who] = points.get(who, 0) + POINTS_PER_TRAIT
        if answer.startswith(TO):
            _become(at, trait, other.key)
    for one in at.people(points):
        grant(at, one, points[one.id])
    at.tell_as("struck-out", of=())
