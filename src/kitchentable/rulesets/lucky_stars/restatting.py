"""When the list of stats changes in mid-campaign: numbers without a place, and derived ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import GM, Ask, Change, Json, Result, Table, joined
from kitchentable.rules.kit import Each, Form, Input, given, pick
from kitchentable.rules.refit import former_value, refit, refit_move
from kitchentable.rulesets.lucky_stars.options import Options
from kitchentable.rulesets.lucky_stars.people import (
    HAD,
    NOTHING,
    REST,
    STATS,
    At,
    Here,
    stand_in,
    stand_ins,
    stars,
)
from kitchentable.rulesets.lucky_stars.reckoning import read_formula

RULE = "stars.9-undefined-stats"
_ASK = "derived_parts"
_WORDS = {NOTHING: "nothing, which counts 0", HAD: "the number that each one had"}

REFIT = refit_move((STATS,))


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """Each number of a stat that left is asked after, and what derived numbers count instead.

    stars.9-undefined-stats, stars.4.3-stress, stars.4.3-vitality.
    """
    names = {f"{STATS.key}.{one.key}": one.name for one in Options(was).stat_list}
    result = refit(table, (STATS,), names, "Stats")
    return joined(result, _derived_follow(table, was))


# ---------------------------------------------------------------- derived numbers


def _parts(table: Table) -> Iterator[tuple[str, str]]:
    """Every name in a formula with the derived number it is a part of."""
    for one in Options(table.options).derived_numbers:
        try:
            terms = read_formula(one.formula)
        except BadInput:
            continue
        yield from ((term.name, one.name) for term in terms if term.name)


def _missing(table: Table) -> dict[str, tuple[str, list[str]]]:
    """Parts that are no stats of this table and that nothing stands in for, and what needs them."""
    found: dict[str, tuple[str, list[str]]] = {}
    for name, needs in _parts(table):
        if Options(table.options).find_stat(name) is None and stand_in(table, name) is None:
            found.setdefault(name.casefold(), (name, []))[1].append(needs)
    return found


def _derived_follow(table: Table, was: Mapping[str, Json]) -> Result:
    """What no longer stands in for anything goes; of what is missing the GM is asked."""
    used = {n.casefold() for n, _ in _parts(table) if Options(table.options).find_stat(n) is None}
    gone = [name for name in stand_ins(table) if name not in used]
    changes = tuple(Change(("own", "stand_ins", name), gone=True) for name in gone)
    waiting, missing = table.asks.get(_ASK), _missing(table)
    if not missing:
        return Result(changes=changes, closes=() if waiting is None else (_ASK,))
    known: Any = waiting.preset if waiting is not None else {}
    before = {one.key for one in Options(was).stat_list}
    fresh = [one.key for one in Options(table.options).stat_list if one.key not in before]
    usual = fresh[0] if len(fresh) == 1 else known.get("usual", REST)
    keys = dict(known.get("keys") or {})
    for name in missing:
        found = Options(was).find_stat(name)
        if found is not None:
            keys[name] = found.key
    ask = Ask(
        _ASK,
        (GM,),
        _ASK,
        "Derived numbers",
        "A stat that they were worked out from is gone. Say what counts in its place.",
        preset={"keys": keys, "usual": usual},
        rules=(RULE, "stars.4.3-round-end"),
    )
    return Result(changes=changes, asks=(ask,))


def _choices(at: Here, name: str) -> list[tuple[str, str]]:
    """What can count in place of a part: a stat, the number that each one had, nothing, or rest."""
    key, needs = at.form.keys.get(name, ""), " and ".join(_missing(at.table)[name][1])
    people = at.table.entities.values()
    had = key and any(former_value(one, STATS, key) is not None for one in people)
    return [
        *((one.key, one.name) for one in at.options.stat_list),
        *[(HAD, _WORDS[HAD])] * bool(had),
        (NOTHING, _WORDS[NOTHING]),
        (REST, f"leave {needs} off the sheets for now"),
    ]


def _part(part: tuple[str, tuple[str, list[str]]]) -> Input[str]:
    """What counts instead of one part; by default the stat of that key, or the one new stat."""
    name, (words, needs) = part

    def usual(at: Here) -> str:
        on_list = {one.key for one in at.options.stat_list}
        wanted = (at.form.keys.get(name, ""), at.form.usual)
        return next((key for key in wanted if key in on_list), REST)

    return pick(
        f"Instead of {words}",
        lambda at: _choices(at, name),
        default=usual,
        help=f"{' and '.join(needs)} would count it.",
        rule=RULE,
    )


class PartsForm(Form):
    keys: Input[dict[str, str]] = given({})
    usual = given(REST)
    part = Each(lambda at: [(name, (name, one)) for name, one in _missing(at.table).items()], _part)


@stars.answer(
    _ASK,
    "Derived numbers",
    "Say what counts in place of a stat that is gone.",
    PartsForm,
    rules=(RULE, "stars.4.3-round-end"),
)
def derived_parts(at: At[PartsForm]) -> None:
    names = {one.key: one.name for one in at.options.stat_list} | _WORDS
    for name, (words, needs) in _missing(at.table).items():
        use = at.form.part[name]
        at.write(("own", "stand_ins", name), {"use": use, "key": at.form.keys.get(name, "")})
        told = "for now on no sheet" if use == REST else names[use]
        at.say(f"{' and '.join(needs)}: {told}, in place of {words}.")
    at.tell("Derived numbers", rules=(RULE, "stars.4.3-round-end"))
