"""Options of the game and settings of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.campaign.commands import SetOptions, SetSettings
from kitchentable.campaign.decide.bounds import a_text
from kitchentable.campaign.decide.consequences import follow
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.questions import check_problems
from kitchentable.campaign.settings import SETTINGS
from kitchentable.rules.forms import read_answers
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Change
from kitchentable.rules.together import check_together
from kitchentable.rules.values import LONGEST_NAME, Field, Json


def read_options(game: Game, raw: Mapping[str, Any]) -> dict[str, Json]:
    """Read options from a form into typed values. Errors: BadAnswers."""
    return _read(tuple(option.field for option in game.options), raw)


def read_settings(raw: Mapping[str, Any]) -> dict[str, Json]:
    """Read settings from a form into typed values. Errors: BadAnswers."""
    return _read(SETTINGS, raw)


def _read(fields: tuple[Field, ...], raw: Mapping[str, Any]) -> dict[str, Json]:
    known = {field.name for field in fields}
    rows = tuple(f"{field.name}." for field in fields if field.kind == "rows")
    for name in raw:
        if name not in known and not name.startswith(rows):
            raise CannotBe(f"There is no setting called {name!r}.", code="table/unknown-setting")
    answers, problems = read_answers(fields, raw, fill=False)
    check_problems(problems)
    return answers


def set_options(context: Context, command: SetOptions) -> Event:
    """Change options; the game adds the consequences, or asks the GM.

    Errors: BadAnswers; OptionsExclude if a changed option excludes one that is on. Two such options
    that were already on together are refused only when one of them changes.
    """
    options = read_options(context.game, command.options)
    before = context.table.options
    changed = {key: now for key, now in options.items() if before.get(key) != now}
    if not changed:
        raise CannotBe("These options are already set.")
    check_together(context.game.options, {**before, **changed}, changed)
    words = {option.key: option.field.label for option in context.game.options}
    data = {
        "set": [
            {"key": key, "label": words[key], "was": before.get(key), "now": now}
            for key, now in changed.items()
        ],
        "answers": command.answers,
    }
    changes = [Change(("options", key), now) for key, now in changed.items()]
    return follow(context, "options-set", changes, before, hook="options-changed", data=data)


def set_settings(context: Context, command: SetSettings) -> Event:
    """Change the table's settings, and the campaign's title under the name "title"."""
    raw = dict(command.settings)
    changes: list[Change] = []
    data: dict[str, Any] = {"set": []}
    if "title" in raw:
        title = a_text(str(raw.pop("title")), "A title", LONGEST_NAME * 2)
        if title != context.campaign.title:
            changes.append(Change(("title",), title))
            data["title"] = title
    words = {field.name: field for field in SETTINGS}
    for key, now in read_settings(raw).items():
        was = context.campaign.settings.get(key)
        if was != now:
            changes.append(Change(("settings", key), now))
            data["set"].append({"key": key, "label": words[key].label, "was": was, "now": now})
    unchanged = "These settings are already in force."
    return context.event("settings-set", changes, data=data, unchanged=unchanged)
