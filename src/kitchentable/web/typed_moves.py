"""Moves typed as chat lines: ``/task perception``, ``/attack guard``, ``/perception``.

Words are matched only with the choices that the move's form offers this seat, so a line can
neither pick nor reveal anything that the form does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kitchentable.app.projections import Projection
from kitchentable.app.scene_lines import SCENE
from kitchentable.app.verbs import DICE, LONGEST_LINE, SPEECH, BadLine, MoveLine, read_move
from kitchentable.campaign.read_models import SeenMove, View
from kitchentable.campaign.words import unquoted
from kitchentable.rules.sheets import Number, Start, Summary, Tag, Track
from kitchentable.rules.values import Choice, Field
from kitchentable.web.panel import default_actor, fields_with, likely, moves_of

#: The most words that one choice is called by in a line.
_LONGEST_NAME = 8
#: Words that only join others: "attack the guard with the sword".
_JOINS = frozenset({"a", "against", "at", "by", "in", "on", "the", "vs", "with"})
_PICKS = frozenset({"choice", "entity"})
#: A value with blanks, at the beginning of the words.
_QUOTED = re.compile(r'"(?P<value>[^"]*)"')
_BETWEEN = " ,:;."
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
#: A whole number by itself: neither "2nd", "3.5" nor "5:30".
_NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d++(?=[,;:.]?(?:\s|\Z))")
#: The most lines that are offered while one is typed.
MOST_OFFERED = 300


def rows_of(summary: Summary) -> Iterator[tuple[str, Start]]:
    """The rows of a sheet that start a move: the name of each, and the start."""
    every: Iterable[Number | Tag | Track] = (*summary.numbers, *summary.tags, *summary.tracks)
    for one in every:
        if one.starts is not None:
            yield (one.text if isinstance(one, Tag) else one.label), one.starts


def line_of_row(view: View, entity: str, text: str) -> MoveLine | None:
    """The move that a row of a sheet starts, from a line such as ``/good with rifles``; or None.

    The longest row that the words begin with counts; what stands behind it are further words.
    """
    actor = entity if entity in view.summaries else default_actor(view)
    summary = view.summaries.get(actor)
    if summary is None or len(text) > LONGEST_LINE:
        return None
    typed = text.strip().removeprefix("/")
    spoken = _words(typed.replace("_", " "))
    for count in range(min(len(spoken), _LONGEST_NAME), 0, -1):
        for name, start in rows_of(summary):
            if _words(name)[:_LONGEST_NAME] == spoken[:count]:
                line = read_move(start.move, _after(typed, count))
                given = {**dict(start.answers), **line.answers}
                return replace(line, answers=given, entity=actor)
    return None


def answered(projection: Projection, seen: SeenMove, line: MoveLine) -> dict[str, str]:
    """The answers of a typed line, also those given in words; of a bare line those of the panel.

    A number that no choice is called by is the first number that the move asks for, other words are
    the first text. Errors: BadLine.
    """
    answers, words = dict(line.answers), line.words
    if not answers and not words:
        return likely(projection, seen, {})
    while words:
        fields = fields_with(projection, seen, answers)
        found = _match(fields, answers, words)
        if found is None:
            break
        name, value, words = found
        answers[name] = value
    if words:
        fields = fields_with(projection, seen, answers)
        text = _text_for(fields, answers)
        picks = [one for one in fields if one.kind in _PICKS and one.name not in answers]
        # Words that are not a choice are not text either, unless there has to be one.
        if text is None or (picks and not answers and not text.required):
            raise BadLine(_no_choice(seen, picks, words), code="line/not-an-answer")
        answers[text.name] = unquoted(words)
    return answers


def lines_for(projection: Projection, view: View) -> list[str]:
    """Completions while a line is typed: commands, rows of the sheet, moves."""
    actor = default_actor(view)
    found = [f"/{text}" for text, _ in rows_of(view.summaries[actor])] if actor else []
    for seen in moves_of(projection, actor):
        if seen.why_not or seen.place == "closing":
            continue
        found.append(f"/{seen.name}")
        pick = next((one for one in seen.fields if one.kind in _PICKS and one.choices), None)
        if pick is not None:
            found += [f"/{seen.name} {one.label}" for one in pick.choices if one.value]
    found += [f"/{verb}" for verb in (*DICE, *SPEECH, "w", *SCENE)]
    return list(dict.fromkeys(found))[:MOST_OFFERED]


def _match(
    fields: Iterable[Field], answers: dict[str, str], words: str
) -> tuple[str, str, str] | None:
    """The question that the first words answer, their answer, and the rest; None for none.

    Errors: BadLine where the words could be two choices.
    """
    unanswered = [one for one in fields if one.name not in answers]
    asked = [one for one in unanswered if one.kind in _PICKS]
    # What a text has asked for first is its words: "/npc 3 guards".
    plain = next((one for one in unanswered if one.kind in {"number", "text", "story"}), None)
    count = plain if plain is not None and plain.kind == "number" else None
    number = _NUMBER.match(words) if count is not None else None
    # Where a number is asked for, "1" is not a beginning of "10 feet".
    ways = (_is_whole,) if number is not None else (_is_whole, _begins, _holds)
    quoted = _QUOTED.match(words)
    spoken = _words(quoted["value"] if quoted is not None else words)
    joins = next((at for at, word in enumerate(spoken) if word not in _JOINS), 0)
    sizes = range(min(len(spoken), _LONGEST_NAME), 0, -1)
    for size in sizes if quoted is None else sizes[:1]:
        for start in dict.fromkeys((joins, 0)):
            said = spoken[start : start + size]
            for fits in ways:
                found = [(f, c) for f in asked for c in f.choices if c.value and fits(said, f, c)]
                first = [pair for pair in found if pair[0] is found[0][0]]
                if len(first) > 1:
                    names = " or ".join(choice.label for _, choice in first)
                    raise BadLine(
                        f"That could be {names}. Type more of the name.", code="line/unclear"
                    )
                if first:
                    field, choice = first[0]
                    if quoted is not None:
                        return field.name, choice.value, words[quoted.end() :].strip(_BETWEEN)
                    return field.name, choice.value, _after(words, start + size)
    if count is None or number is None:
        return None
    return count.name, number[0], words[number.end() :].strip(_BETWEEN)


def _is_whole(said: list[str], field: Field, choice: Choice) -> bool:
    label = _words(choice.label)
    names = (label, _words(choice.value), label[:-1] if label[-1:] and label[-1].isdigit() else [])
    return said in names


def _begins(said: list[str], field: Field, choice: Choice) -> bool:
    label = _words(choice.label)[: len(said)]
    return label[:-1] == said[:-1] and len(label) == len(said) and label[-1].startswith(said[-1])


def _holds(said: list[str], field: Field, choice: Choice) -> bool:
    """Whether a word of a name was typed."""
    return field.kind == "entity" and said[0] in _words(choice.label) and len(said) == 1


def _text_for(fields: Iterable[Field], answers: dict[str, str]) -> Field | None:
    open_fields = (one for one in fields if one.kind in {"text", "story"})
    return next((one for one in open_fields if one.name not in answers), None)


def _no_choice(seen: SeenMove, picks: list[Field], words: str) -> str:
    asked = "; ".join(
        f"{one.label}: {', '.join(choice.label for choice in one.choices[:12])}"
        for one in picks[:1]
    )
    return (
        f"“{words[:60]}” is not a choice of /{seen.name}. {asked or 'It asks for nothing'}. "
        "Answers can also be written as name=value."
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _after(text: str, count: int) -> str:
    """The text after this many words."""
    for found in _WORD.finditer(text):
        count -= 1
        if not count:
            return text[found.end() :].strip(_BETWEEN)
    return ""
