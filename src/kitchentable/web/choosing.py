"""Forms of a game's options: with the values typed so far, and with names to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules.values import Choice, Option
from kitchentable.web.forms import Form
from kitchentable.web.panel import shown_values


def filled_in(options: tuple[Option, ...], form: Form) -> dict[str, Any]:
    """The values of a sent form, to be shown again: lists with all their rows."""
    given = shown_values(tuple(option.field for option in options), form.answers("o."))
    last = {name: words[-1] for name, words in form.fields.items()}
    return {**last, **{f"o.{name}": value for name, value in given.items()}}


def with_names(
    options: tuple[Option, ...], now: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[Option, ...]:
    """The options, of which those that name a row of a list offer the names in it.

    The list is as it was typed (`given`), as it is at this table (`now`), or the book's.
    """
    lists = {option.key: option.field.default for option in options}

    def named(option: Option) -> Option:
        rows = given.get(f"o.{option.suggests}", now.get(option.suggests, lists[option.suggests]))
        names = [str(row.get("name") or "") for row in rows or () if isinstance(row, Mapping)]
        choices = tuple(Choice(name, name) for name in names if name)
        return replace(option, field=replace(option.field, choices=choices))

    return tuple(named(option) if option.suggests in lists else option for option in options)
