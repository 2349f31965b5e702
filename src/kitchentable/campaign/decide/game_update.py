"""Updating a campaign to another version of its game: logged, and undoable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kitchentable.campaign.commands import UpdateGame
from kitchentable.campaign.concealment import waits_for
from kitchentable.campaign.decide.consequences import changes_of, plain_card
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import Campaign, with_changes
from kitchentable.campaign.words import value_in_words
from kitchentable.rules.forms import read_value
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.table import Actor, Ask, Table
from kitchentable.rules.terms import differences_of
from kitchentable.rules.together import clashes
from kitchentable.rules.values import EVERYONE, GM, Field

HOOK = "game-updated"
CHANGED = "options-changed"


def update_game(context: Context, command: UpdateGame) -> Event:
    """Update the campaign to the installed version of its game; nothing is dropped.

    Options unknown to the new version are kept. An option with a value that is no longer allowed
    gets its default, and the card says so. The game's hook adds other changes.
    """
    was = str(context.campaign.tree["game_version"])
    if command.version != context.game.version:
        raise CannotBe(
            f"The installed version of {context.game.title} is now {context.game.version}, "
            f"not {command.version!r}. Review its changes again."
        )
    if was == context.game.version:
        raise CannotBe(f"This campaign already uses version {was}.")
    changes, card = _changes_and_card(context.campaign, context.game, context.before)
    data = {
        "game": context.game.title,
        "was": was,
        "now": context.game.version,
        "card": plain_card(card),
    }
    return context.event("game-updated", changes, data=data)


def describe_update(campaign: Campaign, game: Game, before: Game | None = None) -> tuple[str, ...]:
    """List the changes of an update, in sentences for the GM.

    `before` is the current version if it is still available; without it the differences cannot be
    listed. The new cards come last, with their questions.
    """
    changes, card = _changes_and_card(campaign, game, before)
    table = with_changes(campaign, changes).table
    asked = [ask for key, ask in table.asks.items() if ask != campaign.table.asks.get(key)]
    was = str(campaign.tree["game_version"])
    unknown = (
        f"Version {was} is no longer available. Compare the rulebooks for other differences.",
    )
    return (
        *(line.text for line in card.lines),
        *(unknown if before is None else ()),
        *(words for ask in asked for words in _questions(game, table, ask)),
    )


def _questions(game: Game, table: Table, ask: Ask) -> tuple[str, ...]:
    """Describe a new card: its audience and its questions."""
    move = game.move(ask.move)
    fields = move.fields(table, Actor(GM, GM, ask.entity, ask.id), ask.preset)
    asked = [one for one in fields if one.name not in ask.preset]
    telling = [one for one in asked if one.help] or asked
    asks = [f"{one.label}{'' if one.label.endswith('?') else '.'} {one.help}" for one in telling]
    head = f"{waits_for(table, ask)[:1].upper()}{waits_for(table, ask)[1:]} will be asked"
    return tuple(f"{head}: {one.strip()}" for one in asks) or (f"{head}: {ask.title}",)


def _changes_and_card(
    campaign: Campaign, game: Game, before: Game | None
) -> tuple[list[Change], Card]:
    was = str(campaign.tree["game_version"])
    changes, lines = _options(campaign.table.options, game, before)
    if before is not None:
        lines += [Line(words) for words in differences_of(before.terms, game.terms)]
    changes.insert(0, Change(("game_version",), game.version))
    for gone, line in _without_moves(campaign, game):
        changes.append(gone)
        lines.append(line)
    then = with_changes(campaign, changes)
    names = {one.key: one.name for one in before.terms} if before is not None else {}
    result = _run_hook(game, then.table, campaign.table.options, was, names)
    more = changes_of(result)
    table = with_changes(then, more).table
    for entity in table.in_play():
        for problem in game.sheet.check(table, entity, "play"):
            audience = GM if entity.hidden or not entity.open else EVERYONE
            lines.append(Line(f"{entity.name}: {problem.sentence}", audience))
    card = result.card or Card("")
    named = replace(
        card,
        title=f"{game.title} {game.version}",
        sentence=card.sentence or f"This campaign was played by version {was} until now.",
        lines=(*lines, *card.lines),
    )
    return [*changes, *more], named


def _without_moves(campaign: Campaign, game: Game) -> Iterator[tuple[Change, Line]]:
    """The removal of proposals and cards about moves that no longer exist."""
    for key, proposal in campaign.tree["proposals"].items():
        if not game.has_move(proposal["move"]):
            who = campaign.table.entities.get(proposal["entity"])
            name = who.name if who is not None else "somebody"
            hidden = who is not None and who.hidden
            audience = GM if hidden else str(proposal["audience"])
            words = f"The open roll of {name} no longer exists and is withdrawn."
            yield Change(("proposals", key), gone=True), Line(words, audience)
    for key, ask in campaign.table.asks.items():
        if not game.has_move(ask.move):
            words = f"The card “{ask.title}” can no longer be answered and is put away."
            yield Change(("asks", key), gone=True), Line(words, GM)


def _run_hook(
    game: Game, table: Table, options: Mapping[str, Any], was: str, names: Mapping[str, str]
) -> Result:
    """The game's result for the update; without a hook for updates, for changed options."""
    if HOOK in game.hooks:
        return game.hooks[HOOK](table, was, names)
    if CHANGED in game.hooks:
        return game.hooks[CHANGED](table, options)
    return Result()


def _options(
    options: Mapping[str, Any], game: Game, before: Game | None
) -> tuple[list[Change], list[Line]]:
    """New options at their defaults, and options that cannot keep their values."""
    changes: list[Change] = []
    known = {option.key for option in game.options}
    were = {option.key: option.field for option in before.options} if before is not None else {}
    labels = {key: field.label for key, field in were.items()}
    lines = [
        Line(
            f"{labels.get(key, key)} ({value_in_words(value)}) is no longer an option; "
            "its setting is kept."
        )
        for key, value in options.items()
        if key not in known
    ]
    for option in game.options:
        default = option.field.default
        if option.key not in options:
            changes.append(Change(("options", option.key), default))
            words = f"{option.field.label} is a new option: {value_in_words(default)}."
            lines.append(Line(words))
            continue
        now = options[option.key]
        _, problem = read_value(option.field, now)
        if option.key in were:
            stays = value_in_words(now) if problem is None else ""
            told = _option_changes(were[option.key], option.field, stays)
            lines += [Line(words) for words in told]
        if problem is not None:
            changes.append(Change(("options", option.key), default))
            words = (
                f"{option.field.label} was {value_in_words(now)}, which is no longer allowed; "
                f"it is {value_in_words(default)} now."
            )
            lines.append(Line(words))
    stands = {**options, **{str(change.path[-1]): change.now for change in changes}}
    lines += [Line(problem.sentence) for problem in clashes(game.options, stands)]
    return changes, lines


def _option_changes(was: Field, now: Field, stays: str) -> Iterator[str]:
    """The differences of an option from its last version, and their effect on a campaign."""
    if was.label != now.label:
        yield f"{was.label} is called {now.label} now."
    if was.default != now.default:
        before, after = value_in_words(was.default), value_in_words(now.default)
        here = f"; this campaign stays at {stays}" if stays else ""
        if was.kind == "rows":
            before, after = "one list", "another"
            here = "; this campaign keeps its own" if stays else ""
        yield f"The default of {now.label} changes from {before} to {after}{here}."
    if _range(was) != _range(now):
        yield f"The range of {now.label} changes from {_range(was)} to {_range(now)}."


def _range(field: Field) -> str:
    """The range of an option."""
    if field.kind == "choice":
        return ", ".join(one.label for one in field.choices)
    low, high = (("any" if end is None else str(end)) for end in (field.low, field.high))
    return f"{low}\N{EN DASH}{high}"
