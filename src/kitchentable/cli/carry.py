"""`kitchentable carry`: carries a character over to another game, with similar chances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import click

from kitchentable.app.carry import Carried, Wishes, carry, carry_at_once
from kitchentable.app.carry_sides import Side, side_of
from kitchentable.app.characters import MOST_BYTES, file_of, read_character, write_character
from kitchentable.cli.arguments import load_game, set_option
from kitchentable.cli.report import answer, json_option, write_new
from kitchentable.dice import show
from kitchentable.dice.arguments import BadWords
from kitchentable.dice.outcomes import did_you_mean


@click.command(
    name="carry",
    epilog="""\b
Examples:
  kitchentable carry Mara-Vell.kitchentable.json --to objects
  kitchentable carry Mara-Vell.kitchentable.json --to toaster --out mara.json
  kitchentable carry Mara-Vell.kitchentable.json --to lucky_stars --duels match
  kitchentable carry kettle.json --from ./karma --to toast --set medium=12""",
)
@click.argument("sheet", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "game", required=True, help="The game to carry the character to.")
@click.option("--from", "home", help="The folder of the character's game, if it is not installed.")
@click.option("--kind", help="The kind of the new character. Default: the same, or the first.")
@click.option(
    "--duels",
    type=click.Choice(["compare", "match"]),
    help="Compare the chances to win duels, or match them too.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the new character to this new file."
)
@set_option
@json_option
def carry_(
    sheet: Path,
    game: str,
    home: str | None,
    kind: str | None,
    duels: str | None,
    out: Path | None,
    options: tuple[str, ...],
) -> None:
    """Carry a character, saved from its sheet as a file, over to another game."""
    with sheet.open("rb") as file:
        told = read_character(file.read(MOST_BYTES + 1))
    source = side_of(told, lambda name: load_game(home or name).game)
    playable = load_game(game, options)
    target = Side(playable.game, playable.options, "")
    kinds = [one.key for one in playable.game.sheet.kinds(target.table)]
    wanted = kind or (told.kind if told.kind in kinds else kinds[0])
    if wanted not in kinds:
        raise BadWords(
            f"{playable.game.title} has no kind {wanted!r}.{did_you_mean(wanted, kinds)} "
            f"It has: {', '.join(kinds)}."
        )
    target = replace(target, kind=wanted)
    found = carry_at_once(carry(told, source, target, Wishes(duel=duels or "")))
    if out is not None:
        draft = replace(target.draft(found.sheet), name=told.name, line=told.line)
        write_new(out, write_character(file_of(target.game, target.table, draft)), "--out")
    lines = list(_lines(found, source.game.title, target.game.title))
    answer(_plain(found), [*lines, f"Written to {out}."] if out is not None else lines)


def _lines(found: Carried, here: str, there: str) -> Iterator[str]:
    """The traits as a table, and sentences about the rolls, the duels and the other traits."""
    rows = [(there, "level", "chance", f"from {here}", "level", "chance", "change")]
    for one in found.matches:
        name, level = ("-", "") if one.trait is None else (one.trait.label, str(one.trait.level))
        change = "" if one.difference is None else f"{100 * float(one.difference):+.1f}"
        after, before = _percent(one.after), _percent(one.before)
        rows.append((one.spot.label, str(one.level), after, name, level, before, change))
    yield show.in_columns(rows, left={0, 3})
    yield f"{here}: {found.rolls[0]}. {there}: {found.rolls[1]}."
    if found.duels is not None:
        mine, theirs = (f"{100 * chance:.1f} %" for chance in found.duels)
        yield f"Duels won: {mine} in {here}, {theirs} in {there}."
    yield from found.notes
    if found.left:
        words = (f"{trait.label} ({_percent(chance)})" for trait, chance in found.left)
        yield f"Left out: {', '.join(words)}."


def _percent(chance: Fraction | None) -> str:
    return "" if chance is None else f"{100 * float(chance):.1f} %"


def _plain(found: Carried) -> dict[str, object]:
    return {
        "traits": [
            {
                "place": one.spot.key,
                "label": one.spot.label,
                "level": one.level,
                "chance": one.after,
                "from": one.trait.key if one.trait is not None else None,
                "from_level": one.trait.level if one.trait is not None else None,
                "from_chance": one.before,
                "lowered": one.level < one.wanted,
            }
            for one in found.matches
        ],
        "left": [{"trait": trait.key, "chance": chance} for trait, chance in found.left],
        "rolls": found.rolls,
        "duels": found.duels,
        "notes": found.notes,
        "answers": found.answers,
    }
