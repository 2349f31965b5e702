"""What the GM adds to a roll: difficulty, circumstances, further modifiers; openly or not."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import (
    GM,
    Answers,
    Choice,
    Entity,
    Field,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.boons import boons
from kitchentable.rulesets.toaster.actions.fields import on_choices
from kitchentable.rulesets.toaster.actions.hints import hint, ladder, signed
from kitchentable.rulesets.toaster.actions.reckoning import (
    ATTRIBUTE,
    AVERAGE,
    CUSTOM,
    PLAIN_NAMES,
    SKILL,
    Names,
    rolled_on,
    split,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.options.reading import setting


def gm_fields(
    table: Table,
    answers: Answers,
    names: Names = PLAIN_NAMES,
    *,
    whose: str = "",
    of: Entity | None = None,
) -> tuple[Field, ...]:
    """What the GM adds to a side: difficulty, circumstances, further modifiers.

    All of it can be kept from the players (toaster.3.difficulty-open-secret). The traits of whoever
    rolls are named, for standing, friends and fears may count here, for or against them
    (toaster.2.trait-social-circumstance).
    """
    kind, key, _ = split(rolled_on(answers, names))
    return (
        *_fit_fields(table, answers, names, kind, key, whose),
        *difficulty_fields(table, answers, names, whose=whose),
        *_circumstance_fields(table, names, key if kind == SKILL else "", whose),
        _modifier_field(table, names, whose, lens.reasons(of) if of is not None else ()),
        *_mental_field(table, names, whose),
    )


def _of(label: str, whose: str) -> str:
    return f"{label} for {whose}" if whose else label


def _is_kept(table: Table) -> bool:
    return bool(setting(table.options, "difficulty_shown") != "before")


def difficulty_fields(
    table: Table, answers: Answers, names: Names = PLAIN_NAMES, *, whose: str = ""
) -> tuple[Field, ...]:
    """The ladder, or a number of its own; beyond five it is better not rolled for at all.

    toaster.3.difficulty-ladder, toaster.3.difficulty-beyond-5.
    """
    step = Field(
        names("difficulty"),
        _of("Difficulty", whose),
        "choice",
        (*ladder(table), Choice(CUSTOM, "A number of its own")),
        default=AVERAGE,
        set_by=GM,
        hideable=True,
        hidden=_is_kept(table),
        rule="toaster.3.difficulty-rules-or-gm",
    )
    if answers.get(names("difficulty")) != CUSTOM:
        return (step,)
    number = Field(
        names("number"),
        _of("The number", whose),
        "number",
        default=0,
        set_by=GM,
        hideable=True,
        hidden=_is_kept(table),
        low=-30,
        high=30,
        help=beyond_five(whole(answers.get(names("number")))),
        rule="toaster.3.difficulty-beyond-5",
    )
    return (step, number)


def beyond_five(value: int) -> str:
    """What the book advises about modifiers that leave its ladder; "" within it.

    >>> beyond_five(6), beyond_five(-6), beyond_five(5)
    ('Beyond +5: rather an automatic success?', 'Beyond -5: rather an automatic failure?', '')
    """
    if value > 5:
        return "Beyond +5: rather an automatic success?"
    return "Beyond -5: rather an automatic failure?" if value < -5 else ""


def _circumstance_fields(table: Table, names: Names, key: str, whose: str) -> Iterable[Field]:
    known = hint(table, key).circumstances
    lasting = boons(table, key.partition(":")[0])
    if not known and not lasting:
        return
    yield Field(
        names("circumstances"),
        _of("Circumstances", whose),
        "many",
        (
            *(Choice(one.key, one.label) for one in known),
            *(Choice(one.id, f"{one.name}, {signed(one.value)}") for one in lasting),
        ),
        default=[],
        required=False,
        set_by=GM,
        hideable=True,
        hidden=_is_kept(table),
        help="Proposals; other numbers go under the further modifiers.",
        rule=hint(table, key).rule or "toaster.3.difficulty-rules-or-gm",
    )


def _modifier_field(table: Table, names: Names, whose: str, reasons: tuple[str, ...]) -> Field:
    return Field(
        names("modifiers"),
        _of("Further modifiers", whose),
        "rows",
        default=[],
        required=False,
        set_by=GM,
        hideable=True,
        hidden=_is_kept(table),
        high=12,
        help=f"Traits that may count: {', '.join(reasons)}." if reasons else "",
        rule="toaster.3.difficulty-rules-or-gm",
        columns=(
            Field("why", "Why", required=False, default="", longest=80),
            Field("value", "How much", "number", default=0, low=-30, high=30),
        ),
    )


def _mental_field(table: Table, names: Names, whose: str) -> Iterable[Field]:
    if setting(table.options, "mental_wound_penalty") != "full":
        yield Field(
            names("mental"),
            _of("Done in the mind", whose),
            "tick",
            default=False,
            required=False,
            set_by=GM,
            help="Wounds hinder less here.",
            rule="toaster.4.wounds-mental",
        )


def _fit_fields(
    table: Table, answers: Answers, names: Names, kind: str, key: str, whose: str
) -> Iterable[Field]:
    """Whether the skill is the proper one, or an attribute may be rolled at all."""
    picked = split(answers.get(names("on")))[0]
    if picked == ATTRIBUTE:
        yield Field(
            names("fitting"),
            _of("A skill that fits, and so has to be used", whose),
            "choice",
            (Choice("", "None fits"), *_untrained(table)),
            default="",
            required=False,
            set_by=GM,
            rule="toaster.3.attribute-roll-not-if-skill",
        )
        return
    yield Field(
        names("fit"),
        _of("The skill", whose),
        "choice",
        (Choice("proper", "is the proper one"), Choice("related", "is only related")),
        default="proper",
        set_by=GM,
        rule="toaster.3.related-skill",
    )
    if answers.get(names("fit")) == "related":
        yield Field(
            names("related"),
            _of("For that", whose),
            "number",
            default=whole(setting(table.options, "related_modifier")),
            set_by=GM,
            low=-30,
            high=0,
            rule="toaster.3.related-default",
        )


def _untrained(table: Table) -> tuple[Choice, ...]:
    return tuple(
        Choice(one.value.partition(":")[2], one.label)
        for one in on_choices(table, None)
        if one.value.startswith(f"{SKILL}:")
    )
