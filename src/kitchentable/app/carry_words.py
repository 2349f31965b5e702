"""The words of a sheet, carried to a sheet of another game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kitchentable.app.carry_sides import Side, names_of
from kitchentable.app.characters import PASSES, fill_sheet
from kitchentable.campaign.words import value_in_words
from kitchentable.rules.forms import is_blank, look
from kitchentable.rules.values import Field, Json

_TEXTS = frozenset({"text", "story"})


@dataclass(frozen=True, slots=True)
class Said:
    """The words of one field; `rows` are those of a list, one by one."""

    label: str
    names: frozenset[str]
    words: str
    rows: tuple[str, ...] = ()


def carry_words(
    source: Side, sheet: Mapping[str, Json], target: Side, line: str
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """A new sheet with the texts of another, and the labels of texts without a place.

    Texts and lists go to fields of the same name, all others into the first long text if there is
    room. A required text of the new sheet falls back to `line`.
    """
    left, answers, story = list(_said(source, sheet)), dict[str, Json](), None
    draft = target.draft()
    for _ in range(PASSES):
        fields = [f for part in target.sections(draft.sheet) for f in part.fields]
        if all(field.name in answers for field in fields):
            break
        for field in fields:
            if field.name in answers:
                continue
            answers[field.name] = look(draft.sheet, field.name)
            names = names_of(field.name, field.label)
            found = next((one for one in left if one.names & names and _fits(field, one)), None)
            if found is not None:
                left.remove(found)
                answers[field.name] = _value(field, found)
            elif field.kind in _TEXTS and field.required:
                answers[field.name] = line
            story = story or (field if field.kind == "story" else None)
        if story is not None:
            for one in tuple(left):
                told = f"{one.label}: {one.words.rstrip('.')}."
                longer = "\n".join(filter(None, (str(answers[story.name] or ""), told)))
                if len(longer) <= story.longest:
                    answers[story.name] = longer
                    left.remove(one)
        draft = fill_sheet(target.game, target.table, draft, answers)
    return dict(draft.sheet), tuple(one.label for one in left)


def _said(side: Side, sheet: Mapping[str, Json]) -> Iterator[Said]:
    """The texts on a sheet, without lists of traits."""
    traits = {field.name for _, field, _, _ in side.lists(sheet)}
    for field in (f for part in side.sections(sheet) for f in part.fields):
        value = look(sheet, field.name)
        if field.name in traits or is_blank(field, value):
            continue
        names = names_of(field.name, field.label)
        if field.kind in _TEXTS:
            yield Said(field.label, names, str(value).strip())
        elif field.kind == "rows" and isinstance(value, list):
            rows = tuple(value_in_words([row]) for row in value)
            yield Said(field.label, names, "; ".join(rows), rows)


def _fits(field: Field, said: Said) -> bool:
    if field.kind in _TEXTS:
        return len(said.words) <= field.longest
    column = _column(field) if field.kind == "rows" and said.rows else None
    return column is not None and max(map(len, said.rows)) <= column.longest


def _column(field: Field) -> Field | None:
    """The column for the text of a row: the only required one, or None."""
    needed = [one for one in field.columns if one.required]
    return needed[0] if len(needed) == 1 and needed[0].kind == "text" else None


def _value(field: Field, said: Said) -> Json:
    column = _column(field)
    if field.kind in _TEXTS or column is None:
        return said.words
    return [{column.name: words} for words in said.rows]
