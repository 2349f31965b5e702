"""The target of a decision roll: where it starts, what adjusts it, and who may know it."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Answers,
    Choice,
    Field,
    Line,
    Table,
    whole,
)
from kitchentable.rulesets.lucky_stars.options import OWN_NUMBER, scale, setting, step_name
from kitchentable.rulesets.lucky_stars.rolls import rows_of

#: What the GM says of an impossible task (stars.2.2.1-impossible-gate).
ALLOWED, REFUSED = "yes", "no"


@dataclass(frozen=True, slots=True)
class Target:
    """A target as it was set: its start, the adjustments by name, and what they make of it.

    stars.2.1-base-and-adjusted.

    >>> Target(12, (("rain", 2), ("a map", -1))).final
    13
    """

    start: int
    adjustments: tuple[tuple[str, int], ...] = ()

    @property
    def final(self) -> int:
        """The number to reach."""
        return self.start + sum(value for _, value in self.adjustments)


def target_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """Where the target starts, what adjusts it, and the GM's leave for the impossible.

    All of it is the GM's to set. Where the target is kept from the players, so is the rest.
    """
    kept = setting(table.options, "target_shown") != "before"
    veiled = kept or "target" in actor.hidden
    rows = tuple(Choice(str(one.number), one.label) for one in scale(table.options))
    own = (
        (Choice(OWN_NUMBER, "A number of its own"),) if setting(table.options, "any_target") else ()
    )
    fields = [
        Field(
            "target",
            "Target",
            "choice",
            (*rows, *own),
            default=None,
            set_by=GM,
            hideable=True,
            hidden=kept,
            rule="stars.2.1-target-scale",
        )
    ]
    if answers.get("target") == OWN_NUMBER:
        fields.append(
            Field(
                "number",
                "The number",
                "number",
                set_by=GM,
                hideable=True,
                hidden=veiled,
                low=-99,
                high=999,
                rule="stars.2.2-even-steps",
            )
        )
    fields.append(
        Field(
            "adjustments",
            "What adjusts it",
            "rows",
            default=[],
            required=False,
            high=20,
            set_by=GM,
            hideable=True,
            hidden=veiled,
            help="Abilities and the like. A task is impossible by where it starts, not by these.",
            rule="stars.2.1-base-and-adjusted",
            columns=(
                Field("name", "What", required=False, default="", longest=80),
                Field("value", "By", "number", low=-99, high=99),
            ),
        )
    )
    if is_impossible(table, read_target(answers)):
        fields.append(
            Field(
                "allow",
                "This starts as impossible. May it be tried?",
                "choice",
                (Choice(ALLOWED, "It may be tried"), Choice(REFUSED, "No, not at all")),
                default=None,
                set_by=GM,
                hidden=veiled,
                rule="stars.2.2.1-impossible-gate",
            )
        )
    return tuple(fields)


def read_target(answers: Answers) -> Target | None:
    """The target that was set; None while it is not, or not known."""
    word = answers.get("target")
    if word == OWN_NUMBER:
        number = answers.get("number")
        start = number if isinstance(number, int) else None
    else:
        start = int(word) if isinstance(word, str) and word.lstrip("-").isdecimal() else None
    if start is None:
        return None
    rows = rows_of(answers, "adjustments")
    found = tuple((str(row.get("name") or ""), whole(row.get("value"))) for row in rows)
    return Target(start, found)


def is_impossible(table: Table, target: Target | None) -> bool:
    """Whether a task starts as impossible; what adjustments make of it does not count (S10).

    stars.2.2.1-impossible-gate, stars.2.2.1-adjusted-not-impossible.
    """
    return target is not None and target.start >= whole(setting(table.options, "impossible_from"))


def who_knows(table: Table, actor: Actor) -> str:
    """Who may read what a throw was against."""
    veiled = bool({"target", "number", "adjustments"} & actor.hidden)
    told_after = setting(table.options, "target_shown") == "after"
    return GM if veiled and not told_after else EVERYONE


def against(table: Table, target: Target, audience: str) -> Line:
    """What a throw was against: start by name, adjustments, and the number to reach."""
    name = step_name(table.options, target.start)
    words = f"Against {target.start}{f' {name}' if name else ''}"
    if target.adjustments:
        told = ", ".join(f"{value:+d} {what}".strip() for what, value in target.adjustments)
        words = f"{words}; {told}: {target.final}"
    return Line(f"{words}.", audience)


def by_how_much(total: int, target: Target, audience: str) -> Line:
    """The difference between result and target, where the table tells it.

    stars.2.3-margin-style.
    """
    margin = total - target.final
    return Line(f"Margin {margin:+d}.", audience)


def target_rules(table: Table, target: Target, audience: str) -> tuple[str, ...]:
    """The rules about its target that a card cites, where everybody may know them."""
    if audience != EVERYONE:
        return ()
    if is_impossible(table, target):
        return ("stars.2.2.1-impossible-gate",)
    if target.final >= whole(setting(table.options, "impossible_from")):
        return ("stars.2.2.1-adjusted-not-impossible",)
    return ("stars.2.1-base-and-adjusted",) if target.adjustments else ()
