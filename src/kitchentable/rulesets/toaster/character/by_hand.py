"""Changes by hand: what somebody carries, thresholds, and what nobody may change so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kitchentable.rules import GM, Actor, Choice, Entity, Field, Problem, Table, listed
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Form, Input, maybe_number
from kitchentable.rulesets.toaster.book import Row, problem
from kitchentable.rulesets.toaster.character.builder import gear_fields
from kitchentable.rulesets.toaster.character.checks import sum_problem
from kitchentable.rulesets.toaster.character.gear import BARE
from kitchentable.rulesets.toaster.harm.state import AWAKE, DEAD, MORTAL, OUT, UNCONSCIOUS
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster


class Carried(Input[Row]):
    """All that somebody carries, asked as on the sheet; the answer is what changes."""

    def fields(self, at: Here) -> Iterator[Field]:
        """The fields of the sheet, filled in with what stands there."""
        for one in gear_fields(at.table):
            yield replace(one, default=at.me.entity.sheet.get(one.name, one.default))

    def answer(self, at: Here, name: str) -> Row:
        """The parts of the sheet that change, with what they become."""
        asked = {one.name: one.default for one in self.fields(at)}
        return {
            key: at.answers[key] for key in asked if at.answers.get(key, asked[key]) != asked[key]
        }


class CarryForm(Form):
    changed = Carried("", "", lambda at, given: given)


@toaster.move("carry")
def carry(at: At[CarryForm]) -> None:
    """Only what has changed is a new fact."""
    me, changed = at.me, at.form.changed
    if not changed:
        at.refuse(f"{me.name} carries just that.", "toaster.2.creation-possessions")
    for key, now in changed.items():
        me.write("sheet", key, now=now)
    held = [one.name for one in me.weapons[: -len(BARE)]]
    worn = [one.name for one in me.worn]
    words = f"Weapons: {listed(held) or 'none'}. Armor: {listed(worn) or 'none'}."
    at.tell_as("other-things", words=words if me.is_players else "", audience=audience(at))


def audience(at: Here) -> str:
    """For whom a card about a sheet is: of a closed one only for the GM."""
    return "" if at.me.is_players or at.me.entity.open else GM


# ---------------------------------------------------------------- thresholds by hand


def own_threshold(key: str, title: str) -> Input[int | None]:
    """A threshold of their own, whatever the size says."""
    return maybe_number(
        title,
        default=lambda at: (at.me.entity.sheet.get("thresholds") or {}).get(key),
        low=1,
        high=999,
        help="Left empty, the size decides.",
        rule="toaster.2.trait-size-extremes",
    )


class MeasureForm(Form):
    stun = own_threshold("stun", "Stun threshold")
    wound = own_threshold("wound", "Wound threshold")


@toaster.move("thresholds")
def measure(at: At[MeasureForm]) -> None:
    me, form = at.me, at.form
    before = listed(map(str, me.thresholds))
    me.write("sheet", "thresholds", now={"stun": form.stun, "wound": form.wound})
    stun, wound = me.thresholds
    at.tell_as("thresholds", stun=stun, wound=wound, before=before, audience=audience(at))


# ---------------------------------------------------------------- what nobody may change by hand

#: What somebody's harm, luck and experience can be.
_STATE = (
    Field("stun", "Stun", "number", low=0, rule="toaster.4.stun-accumulate"),
    Field(
        "wounds",
        "Wounds",
        "rows",
        columns=(Field("n", "How many wounds", "number", low=0),),
        rule="toaster.4.wounds-per-attack",
    ),
    Field(
        "condition",
        "The condition",
        "choice",
        tuple(Choice(word, word) for word in (AWAKE, UNCONSCIOUS, MORTAL, DEAD, OUT)),
    ),
    Field("luck", "Luck", "number", low=0),
    Field("xp", "Experience", "number", low=0),
)


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """A player's traits stay as they are, or are rearranged so that their sum stays what it was.

    toaster.2.adv-traits-fixed, toaster.2.adv-traits-rearrange, toaster.2.adv-traits-balance
    (A-20). While a player still builds, nothing has been agreed on yet. Harm, luck and experience
    are what play itself could have brought.
    """
    was, now = Person(table, before), Person(table, after)
    found = misread(_STATE, before.state, after.state)
    if not was.is_players or was.stage != "play" or was.plain_traits == now.plain_traits:
        return found
    if not actor.is_gm:
        return (*found, problem("traits-fixed"))
    if was.trait_sum != now.trait_sum:
        return (*found, sum_problem(was.trait_sum, now.trait_sum))
    return found
