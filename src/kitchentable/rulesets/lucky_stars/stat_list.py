"""Changes of the list of stats during a campaign, with derived numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from kitchentable.dice.errors import BadInput
from kitchentable.rules import Result, Table, joined
from kitchentable.rules.kit import Each, Form, Input, Values, given, pick
from kitchentable.rules.sheet_migration import former_value, migrate, migration_move
from kitchentable.rulesets.lucky_stars.options import Options
from kitchentable.rulesets.lucky_stars.people import (
    HAD,
    NOTHING,
    REST,
    STATS,
    UNSAID,
    At,
    Here,
    stand_ins,
    stars,
    use_of,
)
from kitchentable.rulesets.lucky_stars.sums import read_formula

RULE = "stars.9-undefined-stats"
_ASK = "derived_parts"
_WORDS = {NOTHING: "nothing, which counts 0", HAD: "the number that each one had"}

MIGRATION = migration_move(stars, (STATS,))


def options_changed(table: Table, was: Values) -> Result:
    """Ask the GM about the numbers of removed stats and their substitutes in formulas.

    stars.9-undefined-stats, stars.4.3-stress, stars.4.3-vitality.
    """
    before = Options(was)
    names = {f"{STATS.key}.{one.key}": one.name for one in before.stats}
    return joined(migrate(table, (STATS,), names, "Stats"), _derived_follow(table, before))


# ---------------------------------------------------------------- derived numbers


def _parts(table: Table) -> Iterator[tuple[str, str]]:
    """Every name in a formula, with its derived number."""
    for one in Options(table.options).derived:
        with suppress(BadInput):
            yield from ((term.name, one.name) for term in read_formula(one.formula) if term.name)


def _missing(table: Table) -> dict[str, tuple[str, str]]:
    """Names that are not stats and have no substitute, with the derived numbers that need them."""
    found: dict[str, tuple[str, str]] = {}
    for name, needs in _parts(table):
        if use_of(table, name)[0] == UNSAID:
            word, others = found.get(name.casefold(), (name, ""))
            found[name.casefold()] = word, f"{others} and {needs}" if others else needs
    return found


def _derived_follow(table: Table, was: Options) -> Result:
    """Remove unused substitutes, and ask the GM about missing ones."""
    at, missing, waiting = stars.at(table), _missing(table), table.asks.get(_ASK)
    used = {name.casefold() for name, _ in _parts(table) if not at.options.stats.find(name)}
    for name in stand_ins(table):
        if name not in used:
            at.write(("own", "stand_ins", name), gone=True)
    if not missing:
        at.close(_ASK)
        return at.result()
    known: Values = waiting.preset if waiting is not None else {}
    before = {one.key for one in was.stats}
    fresh = [one.key for one in at.options.stats if one.key not in before]
    left = {name: one.key for name in missing if (one := was.stats.find(name))}
    at.ask(
        derived_parts,
        keys={**(known.get("keys") or {}), **left},
        usual=fresh[0] if len(fresh) == 1 else known.get("usual", REST),
    )
    return at.result()


def _part(part: tuple[str, str, str]) -> Input[str]:
    """The substitute for one name; by default the stat with this key, or the only new stat.

    A substitute is a stat, each person's former number, nothing, or not decided yet.
    """
    name, words, needs = part

    def choices(at: Here) -> list[tuple[str, str]]:
        key, people = at.form.keys.get(name, ""), at.table.entities.values()
        had = key and any(former_value(one, STATS, key) is not None for one in people)
        return [
            *((one.key, one.name) for one in at.options.stats),
            *[(HAD, _WORDS[HAD])] * bool(had),
            (NOTHING, _WORDS[NOTHING]),
            (REST, f"leave {needs} off the sheets for now"),
        ]

    def usual(at: Here) -> str:
        on_list = {one.key for one in at.options.stats}
        wanted = (at.form.keys.get(name, ""), at.form.usual)
        return next((key for key in wanted if key in on_list), REST)

    title, told = f"Instead of {words}", f"{needs} would count it."
    return pick(title, choices, default=usual, help=told, rule=RULE)


class PartsForm(Form):
    keys: Input[dict[str, str]] = given({})
    usual = given(REST)
    part = Each(
        lambda at: [(name, (name, *one)) for name, one in _missing(at.table).items()], _part
    )


@stars.answer("derived_parts")
def derived_parts(at: At[PartsForm]) -> None:
    names = {one.key: one.name for one in at.options.stats} | _WORDS
    for name, (words, needs) in _missing(at.table).items():
        use = at.form.part[name]
        at.write(("own", "stand_ins", name), {"use": use, "key": at.form.keys.get(name, "")})
        told = "for now on no sheet" if use == REST else names[use]
        at.say(f"{needs}: {told}, in place of {words}.")
    at.tell_as("derived")
