"""How an option is written down in a line: a tick, a choice, a number, a text."""

from __future__ import annotations

from kitchentable.rules import Choice, Field, Option


def tick(
    key: str,
    label: str,
    rule: str,
    group: str,
    help: str,
    effect: str = "",
    *,
    on: bool = False,
    excludes: tuple[str, ...] = (),
) -> Option:
    """A switch; off unless said otherwise."""
    field = Field(key, label, "tick", default=on, required=False, help=help, rule=rule)
    return Option(field, group, effect, excludes=excludes)


def pick(
    key: str,
    label: str,
    rule: str,
    group: str,
    help: str,
    choices: tuple[tuple[str, str], ...],
    effect: str = "",
    *,
    default: str | None = None,
) -> Option:
    """One of several; the first unless `default` names another."""
    picks = tuple(Choice(value, words) for value, words in choices)
    first = picks[0].value if default is None else default
    field = Field(key, label, "choice", picks, default=first, help=help, rule=rule)
    return Option(field, group, effect)


def number(
    key: str,
    label: str,
    rule: str,
    group: str,
    help: str,
    default: int | None,
    effect: str = "",
    *,
    low: int = 0,
    high: int = 99,
) -> Option:
    """A whole number; a default of None may be left empty, for "no limit" and the like."""
    field = Field(
        key,
        label,
        "number",
        default=default,
        required=default is not None,
        low=low,
        high=high,
        help=help,
        rule=rule,
    )
    return Option(field, group, effect)


def text(
    key: str, label: str, rule: str, group: str, help: str, default: str = "", effect: str = ""
) -> Option:
    """A line of text, which may stay empty."""
    field = Field(key, label, default=default, required=False, help=help, rule=rule, longest=400)
    return Option(field, group, effect)
