"""When the list of stats changes in mid-campaign: numbers without a place, and derived ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Field,
    Json,
    Line,
    Move,
    Result,
    Table,
    joined,
)
from kitchentable.rules.refit import former_value, refit, refit_move
from kitchentable.rulesets.lucky_stars.character import (
    HAD,
    NOTHING,
    REST,
    STATS,
    STATS_LISTS,
    stand_in,
    stand_ins,
)
from kitchentable.rulesets.lucky_stars.options import derived, find_stat, stats
from kitchentable.rulesets.lucky_stars.reckoning import read_formula

RULE = "stars.9-undefined-stats"
_ASK = "derived_parts"
_WORDS = {NOTHING: "nothing, which counts 0", HAD: "the number that each one had"}

REFIT = refit_move(STATS_LISTS)


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """Each number of a stat that left is asked after, and what derived numbers count instead.

    stars.9-undefined-stats, stars.4.3-stress, stars.4.3-vitality.
    """
    names = {f"{STATS.key}.{one.key}": one.name for one in stats(was)}
    result = refit(table, STATS_LISTS, names, "Stats")
    return joined(result, _derived_follow(table, was))


# ---------------------------------------------------------------- derived numbers


def _parts(table: Table) -> Iterator[tuple[str, str]]:
    """Every name in a formula with the derived number it is a part of."""
    for one in derived(table.options):
        try:
            terms = read_formula(one.formula)
        except BadInput:
            continue
        yield from ((term.name, one.name) for term in terms if term.name)


def _missing(table: Table) -> dict[str, tuple[str, list[str]]]:
    """Parts that are no stats of this table and that nothing stands in for, and what needs them."""
    found: dict[str, tuple[str, list[str]]] = {}
    for name, needs in _parts(table):
        if find_stat(table.options, name) is None and stand_in(table, name) is None:
            found.setdefault(name.casefold(), (name, []))[1].append(needs)
    return found


def _derived_follow(table: Table, was: Mapping[str, Json]) -> Result:
    """What no longer stands in for anything goes; of what is missing the GM is asked."""
    used = {n.casefold() for n, _ in _parts(table) if find_stat(table.options, n) is None}
    gone = [name for name in stand_ins(table) if name not in used]
    changes = tuple(Change(("own", "stand_ins", name), gone=True) for name in gone)
    waiting, missing = table.asks.get(_ASK), _missing(table)
    if not missing:
        return Result(changes=changes, closes=() if waiting is None else (_ASK,))
    known: Any = waiting.preset if waiting is not None else {}
    before = {one.key for one in stats(was)}
    fresh = [one.key for one in stats(table.options) if one.key not in before]
    usual = fresh[0] if len(fresh) == 1 else known.get("usual", REST)
    keys = dict(known.get("keys") or {})
    for name in missing:
        found = find_stat(was, name)
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


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    known = _known(table, actor)
    keys: Any = known.get("keys") or {}
    picks = tuple(Choice(one.key, one.name) for one in stats(table.options))
    on_list = {one.value for one in picks}
    found = []
    for name, (words, needs) in _missing(table).items():
        key = keys.get(name, "")
        had = any(former_value(one, STATS, key) is not None for one in table.entities.values())
        choices = (
            *picks,
            *((Choice(HAD, _WORDS[HAD]),) if key and had else ()),
            Choice(NOTHING, _WORDS[NOTHING]),
            Choice(REST, f"leave {' and '.join(needs)} off the sheets for now"),
        )
        usual = key if key in on_list else known.get("usual", REST)
        found.append(
            Field(
                f"part.{name}",
                f"Instead of {words}",
                "choice",
                choices,
                default=usual if usual in on_list else REST,
                help=f"{' and '.join(needs)} would count it.",
                rule=RULE,
            )
        )
    return tuple(found)


def _known(table: Table, actor: Actor) -> Mapping[str, Json]:
    ask = table.asks.get(actor.ask)
    return ask.preset if ask is not None else {}


def _settle(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    keys: Any = _known(table, actor).get("keys") or {}
    names = {one.key: one.name for one in stats(table.options)} | _WORDS
    changes, lines = [], []
    for name, (words, needs) in _missing(table).items():
        use = str(answers[f"part.{name}"])
        now = {"use": use, "key": str(keys.get(name, ""))}
        changes.append(Change(("own", "stand_ins", name), now))
        who = " and ".join(needs)
        told = f"{who}: for now on no sheet" if use == REST else f"{who}: {names[use]}"
        lines.append(Line(f"{told}, in place of {words}."))
    card = Card("Derived numbers", lines=tuple(lines), rules=(RULE, "stars.4.3-round-end"))
    return Result(card, tuple(changes), closes=(actor.ask,) if actor.ask else ())


DERIVED_PARTS = Move(
    _ASK,
    "Derived numbers",
    "Say what counts in place of a stat that is gone.",
    (RULE, "stars.4.3-round-end"),
    _settle,
    by=(),
    fields=_fields,
    for_entity=False,
)
