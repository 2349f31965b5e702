"""The end of a session: advancement of traits, and petitions for new perks."""

from __future__ import annotations

from kitchentable.rules import GM, Result, Side, Table, listed, or_better, quoted
from kitchentable.rules.kit import Form, decision, given, pick, text, voted, votes
from kitchentable.rulesets.toast.mechanics import shown
from kitchentable.rulesets.toast.people import VERDICTS, At, Here, Person, find, toast
from kitchentable.rulesets.toast.perks import PerkForm, add_perk
from kitchentable.rulesets.toast.rolls import ADVANCE

# ---------------------------------------------------------------- the session opens and closes


def wipe(table: Table) -> Result:
    """Clear the session's list of used traits at its start and its end (toast.8.2-reset).

    Other code checks that a GM and a player are present (toast.1-roles).
    """
    at = toast.at(table)
    if "uses" in table.session.notes:
        at.write(("session", "notes", "uses"), gone=True)
    return at.result()


def session_closing(table: Table) -> Result:
    """Show everybody the traits noted in this session."""
    at = toast.at(table)
    for one in at.here():
        each = at.options.advancement_rolls == "use"
        noted = [
            f"{find(at, trait).name}{f' ({times} times)' if each and times > 1 else ''}"
            for trait, times in one.used.items()
        ]
        at.say(f"{one.name}: {listed(noted)}." if noted else "")
    bare = "closing-struck" if any(one.noted for one in at.here()) else "closing-bare"
    at.tell_as("closing" if at.lines else bare, of=())
    return at.result()


# ---------------------------------------------------------------- advancement


def may_advance(at: Here) -> str | None:
    if at.table.session.phase != "closing":
        return "Advancement comes when the session closes."
    if not at.me.is_hero:
        return "Only players' characters advance."
    return None if at.me.used else "Nothing is noted, or all of it is rolled for."


class AdvanceForm(Form):
    trait = pick(
        choices=lambda at: [
            (key, f"{find(at, key).name} {at.me.level(find(at, key))}") for key in at.me.used
        ],
        first=True,
    )


@toast.move("advance", when=may_advance, rolls=True)
def advance(at: At[AdvanceForm]) -> None:
    trait = find(at, at.form.trait)
    here = at.me.level(trait)
    reached = f"{or_better(here + 1).capitalize()}, or a kick."
    fell = at.roll(ADVANCE(here), says=reached if here < 10 else "Only a kick.")
    number, word = shown(fell.die)
    at.sides.append(Side(at.me.name, "roll", (), number, word))
    key = f"{word or 'number'}-{'raised' if fell.raised else 'same'}"
    at.tell_as(f"advance-{key}", trait=trait.name, here=here, next=here + 1)
    left = at.me.used[trait.key] - 1 if at.options.advancement_rolls == "use" else 0
    at.write(("session", "notes", "uses", at.me.id, trait.key), left or None, gone=not left)
    if fell.raised:
        at.me.write("sheet", "traits", trait.key, now=here + 1)


# ---------------------------------------------------------------- petitions


def may_petition(at: Here) -> str | None:
    if at.table.session.phase != "closing":
        return "A new perk can be asked for when the session closes."
    if not at.options.petitions_open:
        return "The GM hears no petitions tonight."
    if not at.me.is_pc:
        return "Petitions are for players' characters."
    first = next_petition(at, at.me)
    if at.table.session.number < first:
        return f"{at.me.name} can gain a perk again when session {first} closes."
    return "A petition waits for its answer." if at.cards("judge_petition") else None


def next_petition(at: Here, one: Person) -> int:
    """The number of the next session in which the character may gain a perk.

    toast.8.1-interval.
    """
    return one.perk_gained + at.options.perk_every_sessions if one.perk_gained else 0


class PetitionForm(PerkForm):
    possession = PerkForm.possession
    perk = PerkForm.perk.having()
    covers = PerkForm.covers
    reason = text(story=True)


@toast.move("petition", when=may_petition)
def petition(at: At[PetitionForm]) -> None:
    form = at.form
    others = [seat.id for seat in at.table.players() if seat.id != at.me.owner]
    at.ask(
        judge_petition,
        (*others, GM),
        "",
        form.reason,
        of=at.me,
        perk=form.words,
        covers=form.covers,
        session=at.table.session.number,
    )
    at.say(form.reason)
    at.tell_as("petition", perk=quoted(form.words))


def _heard(at: Here) -> str:
    """The votes next to the GM's question."""
    if not at.is_gm:
        return ""
    return f"The others: {votes(at)}." if votes(at) else "Nobody else is asked."


class PetitionedForm(Form):
    perk = given("")
    covers = given("")
    session = given(0)
    answer = decision(
        lambda at: "Is it granted?" if at.is_gm else "Do you agree?",
        help=_heard,
        rule=lambda at: "toast.8.1-gm-final" if at.is_gm else "toast.8.1-agreement",
    )
    word = text(when=lambda at: at.is_gm)


@toast.answer("judge_petition")
def judge_petition(at: At[PetitionedForm]) -> None:
    me, perk, yes = at.me, at.form.perk, at.form.answer == "yes"
    said = "agrees." if yes else "does not agree."
    if voted(at, f"{me.name}: {perk}", said, at.form.answer):
        return
    heard = votes(at)
    at.say(f"The others: {heard}." if heard else "")
    at.say(at.form.word)
    at.tell_as(f"petition-{at.form.answer}", perk=perk)
    if yes:
        add_perk(me, perk, at.form.covers)
        VERDICTS.judge(me, perk)
        me.perk_gained = at.form.session
