"""`kitchentable games` and `kitchentable rules`: the installed games and their rulebooks."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import click

from kitchentable.app.places import Data
from kitchentable.cli.arguments import load_game
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option
from kitchentable.dice.arguments import BadWords
from kitchentable.rules.rulebook import Rule, Rulebook


@click.command(epilog="\b\nExample:\n  kitchentable games")
@data_option
@json_option
def games(data: Data) -> None:
    """List the installed and added games, with author and licence."""
    found, wrong = data.local_games.every()
    for sentence in wrong:
        click.echo(sentence, err=True)
    told = [
        {
            "name": game.name,
            "title": game.title,
            "version": game.version,
            "about": game.about,
            "author": game.credits.author,
            "licence": game.credits.licence,
            "rules": len(game.rulebook.rules),
            "rolls": sorted(game.rolls),
        }
        for game in found
    ]
    lines = (
        f"{game.name}  {game.title}, by {game.credits.author} ({game.credits.licence})\n"
        + textwrap.indent(textwrap.fill(game.about, 90), "    ")
        for game in found
    )
    answer(told, lines)


@click.command(
    epilog="""\b
Examples:
  kitchentable rules toast               the titles of all rules
  kitchentable rules toast toast.5-total one rule
  kitchentable rules toast 5-kick        one rule, without the game's name
  kitchentable rules toast initiative    search for words"""
)
@click.argument("game")
@click.argument("words", nargs=-1)
@json_option
def rules(game: str, words: tuple[str, ...]) -> None:
    """Show a rulebook's titles, one rule by its id, or the results of a search."""
    book = load_game(game).game.rulebook
    wanted = " ".join(words)
    exact = wanted if wanted in book else f"{game}.{wanted}"
    if not wanted:
        found: tuple[Rule, ...] = tuple(book.rules.values())
    elif exact in book:
        found = (book[exact],)
    else:
        found = book.search(wanted)
    if not found:
        raise BadWords(f"No rule of {game} matches {wanted!r}. Search for fewer or other words.")
    answer(found, [_whole(*found)] if len(found) == 1 else _titles(book, found))


def _titles(book: Rulebook, found: Sequence[Rule]) -> Iterator[str]:
    for chapter in book.chapters:
        mine = [rule for rule in found if rule.section == chapter.id]
        if mine:
            yield click.style(f"{chapter.id}  {chapter.title}", bold=True)
            yield from (f"  {rule.id:<34} {rule.title}" for rule in mine)


def _whole(rule: Rule) -> str:
    parts = [click.style(rule.title, bold=True), f"{rule.id}, {rule.kind}", ""]
    parts.append(textwrap.fill(rule.text, 90))
    if rule.example:
        parts += ["", textwrap.fill(f"For example: {rule.example}", 90)]
    if rule.reading_text:
        parts += ["", textwrap.fill(f"Reading {rule.reading}: {rule.reading_text}", 90)]
    if rule.option:
        parts += ["", f"Option: {rule.option}"]
    if rule.see:
        parts += ["", f"See also: {', '.join(rule.see)}"]
    return "\n".join(parts)
