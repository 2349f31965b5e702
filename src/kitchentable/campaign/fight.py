"""The fight in the tracker, as one seat sees it: fighters, health and available taps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.permissions import actor_for, may_start, speaks_for
from kitchentable.campaign.settings import shows_odds
from kitchentable.campaign.state import Campaign
from kitchentable.rules.game import Game
from kitchentable.rules.people import is_closed
from kitchentable.rules.sheets import Act, FightRow, FightView, Start, Summary, Track, Wound
from kitchentable.rules.table import Seat, Table

#: Lost shares of health in words for players; the first one that is large enough applies.
_HEALTH = ((0, "unhurt"), (1 / 3, "hurt"), (2 / 3, "bloodied"), (1, "near the end"))


def fight_for(campaign: Campaign, game: Game, table: Table, me: Seat) -> FightView | None:
    """Return the fight without rows of entities that this seat does not know.

    If the GM lets players know how badly closed foes are hurt, their rows say so in words.
    """
    fight = game.fight(table)
    if fight is None:
        return None
    words = _health_in_words(campaign, game, me)
    rows = tuple(
        replace(
            row,
            acts=tuple(_acts_of(game, table, me, row)),
            status=words.get(row.entity, row.status),
        )
        for row in fight.rows
        if row.entity in table.entities
    )
    told = shows_odds(campaign.settings, gm=is_gm(me))
    foreseen = told and any(one.standing(table) is not None for one in game.fights.values())
    acts = tuple(_acts(game, table, me, "")) if is_gm(me) else ()
    return replace(fight, rows=rows, foreseen=foreseen, acts=acts)


def _acts_of(game: Game, table: Table, me: Seat, row: FightRow) -> Iterator[Act]:
    """Yield the acts of this seat in a row, if its fighter acts now."""
    if row.acting and me.role != "spectator" and speaks_for(me, table.entities[row.entity]):
        yield from _acts(game, table, me, row.entity)


def harm_for(
    game: Game, table: Table, me: Seat, summaries: Mapping[str, Summary]
) -> dict[str, tuple[Act, ...]]:
    """Return the GM's taps for each entity: one wound or box more, or one fewer."""
    if not is_gm(me):
        return {}
    taps = {
        one: tuple(
            act
            for wound in game.wounds
            if not wound.kinds or table.entities[one].kind in wound.kinds
            for act in _taps(wound, one, summary.tracks)
        )
        for one, summary in summaries.items()
    }
    return {one: acts for one, acts in taps.items() if acts}


def _taps(wound: Wound, entity: str, tracks: tuple[Track, ...]) -> Iterator[Act]:
    about = [one for one in tracks if wound.track in {"", one.label}]
    if wound.track:
        more, fewer = any(one.value < one.of for one in about), any(one.value for one in about)
    else:
        more, fewer = bool(about), any(one.tone == "bad" and one.value for one in about)
    for does, sign, count in ((more, "+", "1"), (fewer, "\N{MINUS SIGN}", "-1")):
        if does:
            said = {"{who}": entity, "1": count}
            answers = tuple((name, said.get(one, one)) for name, one in wound.start.answers)
            yield Act(f"{sign}1 {wound.title}", Start(wound.start.move, answers), at_once=True)


def _acts(game: Game, table: Table, me: Seat, entity: str) -> Iterator[Act]:
    actor = actor_for(me, entity)
    for move in game.moves:
        offered = move.place == "fight" and may_start(actor, move)
        if offered and move.when(table, actor) is None:
            at_once = not move.fields(table, actor, {})
            yield Act(move.title, Start(move.name), at_once=at_once)


def _health_in_words(campaign: Campaign, game: Game, me: Seat) -> dict[str, str]:
    if is_gm(me) or campaign.settings.get("foe_health", "closed") != "words":
        return {}
    whole = game.fight(campaign.table)
    return {
        row.entity: _in_words(row.track)
        for row in (whole.rows if whole is not None else ())
        if row.track is not None
        and not row.out
        and row.entity in campaign.table.entities
        and is_closed(campaign.table.entities[row.entity])
    }


def _in_words(track: Track) -> str:
    """Describe a fighter's health by the lost share.

    >>> [_in_words(Track("Wounds", lost, 4, "")) for lost in range(5)]
    ['unhurt', 'hurt', 'bloodied', 'near the end', 'near the end']
    """
    lost = track.value if track.tone == "bad" else track.of - track.value
    share = lost / track.of if track.of else 0
    return next(words for most, words in _HEALTH if share <= most)
