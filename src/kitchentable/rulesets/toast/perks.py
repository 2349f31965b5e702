"""Perks and possessions: proposals, verdicts, notes, and removal."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Result, Table, quoted
from kitchentable.rules.kit import Form, Problems, Rows, given, only_owner, pick, text
from kitchentable.rulesets.toast.options import problem
from kitchentable.rulesets.toast.people import (
    PERKS_AT_FIRST,
    VERDICTS,
    At,
    Here,
    Perk,
    Person,
    toast,
)

# ---------------------------------------------------------------- changes of a sheet


def add_perk(one: Person, perk: str, covers: str) -> None:
    """Turn the possession with this name into a perk, or add a perk (toast.9-special-as-perk)."""
    place = _place(one, perk, perk=False)
    if place is None:
        one.perk_rows = [*one.perk_rows, {"text": perk, "covers": covers}]
    else:
        _change_gear(one, place, perk=True, note=covers or one.gear[place].get("note", ""))


def _place(one: Person, item: str, *, perk: bool) -> int | None:
    """The place of the possession with this name that is a perk, or of the first that is none."""
    known = ((row.get("item"), bool(row.get("perk"))) for row in one.gear)
    return next((place for place, each in enumerate(known) if each == (item, perk)), None)


def _change(one: Person, text: str, rows: Rows, **changed: Any) -> None:
    """Change the row of a perk, or of the possession that is this perk."""
    if rows != one.perk_rows:
        one.perk_rows = rows
    else:
        _change_gear(one, _place(one, text, perk=True), **changed)


def _change_gear(one: Person, place: int | None, **changed: Any) -> None:
    one.gear = [{**row, **changed} if at == place else row for at, row in enumerate(one.gear)]


def ask_gm(at: Here, one: Person, perk: Perk, *, new: bool) -> None:
    """Ask the GM for a verdict on a perk; a `new` one joins the sheet afterwards."""
    same = at.options.traits.find(perk.text)
    warning = f" It is as wide as the trait {same.name}; a perk should be narrower." if same else ""
    kind = "A possession as a perk" if perk.of_gear else "A perk"
    at.ask(
        judge_perk,
        GM,
        f"{kind} for {one.name}: {perk.text}",
        f"{perk.covers or 'Nothing is noted about what it covers.'}{warning}",
        of=one,
        rules=("toast.4-perk-gm-final", *(("toast.4-perk-focus",) if same else ())),
        perk=perk.text,
        covers=perk.covers,
        new=new,
    )


def _withdraw(at: Here) -> None:
    """Close the cards about perks of an unfinished sheet, but not petitions in play."""
    at.close(*(ask.id for ask in at.cards("judge_perk") if not ask.preset.get("new")))


def submitted(table: Table, entity: str) -> Result:
    """Ask the GM about each undecided perk of a submitted sheet."""
    at = toast.at(table, entity)
    _withdraw(at)
    for perk in at.me.perks:
        if perk.verdict == "proposed":
            ask_gm(at, at.me, perk, new=False)
    return at.result()


def accepted(table: Table, entity: str) -> Result:
    """Accept, with the sheet, all perks that were not refused."""
    at = toast.at(table, entity)
    _withdraw(at)
    VERDICTS.accept(at.me, [perk.text for perk in at.me.perks])
    return at.result()


# ---------------------------------------------------------------- the GM's verdict


class JudgeForm(Form):
    perk = given("")
    covers = given("")
    new = given(default=False)
    verdict = pick()
    suggestion = text(story=True)

    def problems(self) -> Problems:
        if self.verdict == "refused" and not self.suggestion:
            yield problem("no-suggestion")


@toast.answer("judge_perk")
def judge_perk(at: At[JudgeForm]) -> None:
    perk, word, yes = at.form.perk, at.form.suggestion, at.form.verdict == "accepted"
    if yes and at.form.new:
        add_perk(at.me, perk, at.form.covers)
    if yes or not at.form.new:
        VERDICTS.judge(at.me, perk, at.form.verdict, word)
    at.say(f"Instead: {word}" if word and not yes else "")
    at.tell_as(f"perk-{at.form.verdict}", perk=perk)


# ---------------------------------------------------------------- a perk in the player's words


def plain_things(at: Here) -> list[tuple[str, str]]:
    return [(row["item"], row["item"]) for row in at.me.gear if not row.get("perk")]


class PerkForm(Form):
    possession = pick(
        choices=lambda at: [("", "None, these words:"), *plain_things(at)], when=plain_things
    )
    perk = text(required=lambda at: not plain_things(at))
    covers = text()

    @property
    def words(self) -> str:
        return self.possession or self.perk

    def problems(self) -> Problems:
        asked = [ask.preset.get("perk") for ask in self.at.cards("judge_perk")]
        if not self.words:
            yield problem("no-perk")
        elif self.words in {*asked, *(perk.text for perk in self.me.perks)}:
            yield problem("known-perk")


def may_refill(at: Here) -> str | None:
    if not at.options.refill_perks:
        return "New perks come by petition when a session closes."
    full = len(at.me.perks) + len(at.cards("judge_perk")) >= PERKS_AT_FIRST
    return f"{PERKS_AT_FIRST} perks are on the sheet, or wait for the GM." if full else None


@toast.move("add_perk", when=may_refill)
def add(at: At[PerkForm]) -> None:
    ask_gm(at, at.me, Perk(at.form.words, at.form.covers, "proposed"), new=True)
    at.tell_as("perk-proposed", perk=quoted(at.form.words))


class OwnPerk(Form):
    perk = pick(choices=lambda at: [(one.text, one.text) for one in at.me.perks])


def has_perks(at: Here) -> str | None:
    return None if at.me.perks else f"{at.me.name} has no perks."


@toast.move(
    "drop_perk",
    when=(only_owner("Only its own player can drop a perk."), has_perks),
)
def drop(at: At[OwnPerk]) -> None:
    me, perk = at.me, at.form.perk
    _change(me, perk, [row for row in me.perk_rows if row.get("text") != perk], perk=False)
    if perk in (me.entity.state.get("perks") or {}):
        me.write("state", "perks", perk, gone=True)
    at.tell_as("perk-dropped", perk=quoted(perk))


class CoversForm(Form):
    perk = OwnPerk.perk
    covers = PerkForm.covers


@toast.move("perk_covers", when=has_perks)
def perk_covers(at: At[CoversForm]) -> None:
    me, perk, words = at.me, at.form.perk, at.form.covers
    rows = [{**row, "covers": words} if row.get("text") == perk else row for row in me.perk_rows]
    _change(me, perk, rows, note=words)
    at.tell_as("perk-covers" if words else "perk-open", perk=perk, words=words)


# ---------------------------------------------------------------- possessions


class GearForm(Form):
    take = text()
    note = text()
    lose = pick(choices=lambda at: [("", "Nothing"), *plain_things(at)], when=plain_things)

    def problems(self) -> Problems:
        if not (self.take or self.lose):
            yield problem("nothing-moves")


@toast.move("gear")
def gear(at: At[GearForm]) -> None:
    form, words = at.form, []
    kept = list(at.me.gear)
    if form.take:
        kept.append({"item": form.take, "note": form.note, "perk": False})
        words.append(f"Gets {quoted(form.take)}.")
    if form.lose:  # one of several identical ones
        kept.remove(next(row for row in kept if row["item"] == form.lose and not row.get("perk")))
        words.append(f"Loses {quoted(form.lose)}.")
    at.me.gear = kept
    at.tell_as("gear", words=" ".join(words))
