"""A seat's view of the table as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kitchentable.app.shapes import Odds, Sheet
from kitchentable.campaign.read_models import SeenAsk, SeenMove, SeenOdds, SeenProposal, View
from kitchentable.campaign.words import listed, value_in_words
from kitchentable.client import Refusal
from kitchentable.dice.chance import in_percent
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.forms import look
from kitchentable.rules.rulebook import Rule
from kitchentable.rules.sheets import FightView, Section, Summary, Track
from kitchentable.rules.values import Choice, Field, Problem

#: The most choices of a question to list.
_MOST_CHOICES = 30

Request = SeenProposal | SeenAsk


def requests_of(view: View) -> tuple[Request, ...]:
    """The rolls in progress and the waiting cards, in the order of their numbers.

    Requests to this seat come first, so that their numbers have no gaps.
    """
    return tuple(sorted((*view.proposals, *view.asks), key=is_mine, reverse=True))


def is_mine(request: Request) -> bool:
    """Whether a request waits for this seat."""
    if isinstance(request, SeenProposal):
        return request.my_turn or request.may_throw
    return request.mine


def ident(request: Request) -> str:
    """The id of a roll in progress or of a card."""
    return request.id if isinstance(request, SeenProposal) else request.ask.id


def tell_request(number: int, request: Request) -> Iterator[str]:
    """Describe a request, its questions, and the verbs that answer it."""
    waits_on = request.waits_on
    if isinstance(request, SeenProposal):
        waits_on = waits_on or f"{request.who} to roll"
        yield from _tell_proposal(number, request)
    else:
        text = f" {request.ask.text}" if request.ask.text else ""
        stop = "." if text and request.ask.title[-1:] not in ".?!" else ""
        yield f"{number}. {request.ask.title}{stop}{text}"
    if is_mine(request):
        fields, given = questions_of(request)
        yield from (f"   {tell_field(field, given)}" for field in fields)
        verbs = ", ".join(f"/{verb} {number}" for verb in verbs_for(request))
        yield f"   Answer with {verbs}."
    else:
        yield f"   It waits for {waits_on}."


def _tell_proposal(number: int, one: SeenProposal) -> Iterator[str]:
    settled = "; ".join(
        f"{label.rstrip('?')}: {value or 'set'}{' (hidden from players)' if hidden else ''}"
        for label, value, hidden in one.settled
    )
    yield f"{number}. {one.title}, {one.who}{': ' if settled else ''}{settled}"
    if one.odds is not None:
        yield f"   {tell_odds(one.odds)}"
    elif one.odds_note:
        yield f"   {one.odds_note}"


def questions_of(request: Request) -> tuple[tuple[Field, ...], Mapping[str, Any]]:
    """The questions of a request to this seat, and their current answers."""
    if isinstance(request, SeenProposal):
        return request.mine, request.answers
    return request.fields, request.ask.preset


def verbs_for(request: Request) -> tuple[str, ...]:
    """The verbs of the terminal that this seat may use for a request."""
    if isinstance(request, SeenAsk):
        may = {"answer": request.mine, "skip": request.mine and request.ask.skippable}
    else:
        may = {
            "throw": request.may_throw,
            "answer": bool(request.mine) if request.may_throw else request.my_turn,
            "decline": request.may_decline,
            "withdraw": request.may_withdraw,
        }
    return tuple(verb for verb, is_allowed in may.items() if is_allowed)


def tell_field(field: Field, given: Mapping[str, Any] | None = None) -> str:
    """Describe a question: its name, label, possible answers and current answer."""
    parts = [f"{field.name}: {field.label}"]
    choices = [one for one in field.choices if one.value]
    if choices:
        told = [_choice_in_words(field, one) for one in choices[:_MOST_CHOICES]]
        more = len(choices) - len(told)
        count = "any of" if field.kind == "many" else "one of"
        parts.append(f"{count} {', '.join(told)}{f' and {more} more' if more else ''}")
    elif field.kind == "number" and (field.low is not None or field.high is not None):
        low, high = field.bounds or (field.low, field.high)
        begins, ends = "" if low is None else f" from {low}", "" if high is None else f" to {high}"
        parts.append(f"a number{begins}{ends}")
    elif field.kind == "tick":
        parts.append("yes or no")
    now = (given or {}).get(field.name, field.default)
    if field.kind == "rows":
        parts += _tell_rows(field, now or ())
    elif now not in (None, "", [], ()):
        names = {one.value: one.label for one in choices if _is_named(field, one)}
        several = isinstance(now, list | tuple)
        said = [names.get(str(one), one) for one in now] if several else names.get(str(now), now)
        parts.append(f"now {value_in_words(said)}")
    elif not field.required:
        parts.append("optional")
    return "; ".join(parts)


def _tell_rows(field: Field, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Describe the columns of a list, with their choices, and its rows with their numbers."""
    # The column "id" identifies rows for programs; nobody fills it in.
    columns = [one for one in field.columns if one.name != "id"]
    yield f"rows of {', '.join(map(_column_in_words, columns))}"
    now = list(rows)
    for at, row in enumerate(now):
        said = [
            f"{one.name}={value_in_words(row[one.name])}" for one in columns if row.get(one.name)
        ]
        yield f"now {field.name}.{at}: {', '.join(said)}"
    yield f"to add one: {field.name}.{len(now)}.{columns[0].name}=..."


def _column_in_words(column: Field) -> str:
    choices = ", ".join(one.value for one in column.choices if one.value)
    return f"{column.name} ({choices})" if choices else column.name


def _choice_in_words(field: Field, one: Choice) -> str:
    """The words to type for a choice: its label, quoted if it has a comma, or its value."""
    if _is_named(field, one):
        return f'"{one.label}"' if "," in one.label else one.label
    return f"{one.value} ({one.label})"


def _is_named(field: Field, one: Choice) -> bool:
    """Whether a choice can be typed by its label instead of its value."""
    if field.kind in {"entity", "many"} or one.value == one.label:
        return True
    # A path in a sheet, unless several choices have the same label.
    return "/" in one.value and [other.label for other in field.choices].count(one.label) == 1


def tell_odds(odds: SeenOdds) -> str:
    """The chance of the good outcomes, if the roll has any, and that of each outcome.

    >>> from fractions import Fraction
    >>> halves = (("1", "fog", "plain", Fraction(1, 2)), ("2", "sun", "plain", Fraction(1, 2)))
    >>> tell_odds(SeenOdds(halves, Fraction(0), "fog 50 %, sun 50 %"))
    'Odds: fog 50 %, sun 50 %'
    """
    each = ", ".join(f"{label} {in_percent(chance)}" for _, label, _, chance in odds.bands)
    if odds.judges:
        return f"Odds: {in_percent(odds.good)}. {odds.sentence} ({each})"
    # A game's own sentence adds to the outcomes.
    return f"Odds: {each}" if odds.sentence == each else f"Odds: {odds.sentence} ({each})"


def tell_move(found: Odds, answers: Mapping[str, Any]) -> Iterator[str]:
    """Describe the questions and odds of a move with these answers."""
    yield from (tell_field(field, answers) for field in found.fields)
    if found.odds is not None:
        yield tell_odds(found.odds)
    elif found.why:
        yield found.why


def tell_moves(moves: Iterable[SeenMove]) -> Iterator[str]:
    """List the moves, with the reasons why some cannot be started now."""
    for move in moves:
        stop = "" if move.title.endswith("?") else "."
        why = f" Not now: {move.why_not}" if move.why_not else ""
        yield f"/{move.name}: {move.title}{stop}{why}"


def tell_questions(move: SeenMove) -> Iterator[str]:
    """Describe a move and its questions, one per line."""
    yield from tell_moves([move])
    if move.help:
        yield move.help
    yield from (f"  {tell_field(field)}" for field in move.fields)


def tell_party(view: View) -> Iterator[str]:
    """List the characters in play, one per line."""
    for one in view.table.in_play():
        summary = view.summaries.get(one.id)
        owner = view.table.seats.get(one.owner)
        whose = f" ({owner.name})" if owner is not None else ""
        yield f"{one.name}{whose}{_state(summary)}"


def _state(summary: Summary | None) -> str:
    if summary is None:
        return ""
    words = [summary.status, *map(_track_in_words, summary.tracks)]
    return ": " + ", ".join(one for one in words if one) if any(words) else ""


def _track_in_words(track: Track) -> str:
    """A track with its label, unless its words contain the label."""
    named = track.label.casefold() in track.words.casefold()
    return track.words if named or not track.words else f"{track.label} {track.words}"


def tell_people(view: View, here: Iterable[str]) -> Iterator[str]:
    """List the people at the table, and who is present."""
    present = set(here)
    for seat in view.table.seats.values():
        if seat.state == "seated":
            yield f"{seat.name}, {seat.role}{', here' if seat.name in present else ''}"
        elif seat.state == "waiting":
            yield f'{seat.name} asks to come in: /do decide-seat of="{seat.name}" verdict=approve'


def tell_fight(fight: FightView | None) -> Iterator[str]:
    """List the turn order of a fight; a star marks the acting fighter."""
    if fight is None:
        yield "There is no fight."
        return
    yield f"Round {fight.round}. {fight.sentence}".strip() if fight.round else fight.sentence
    for row in fight.rows:
        words = [row.status, _track_in_words(row.track) if row.track else "", row.note]
        words += ["has acted"] if row.done else []
        told = ", ".join(dict.fromkeys(one for one in words if one))
        order = f"{row.order} " if row.order else ""
        yield f"{'*' if row.acting else '-'} {order}{row.name}{': ' if told else ''}{told}"
    yield from fight.notes


def tell_sheet(sheet: Sheet) -> Iterator[str]:
    """Summarize a sheet."""
    summary = sheet.summary
    yield f"{summary.name}{f', {summary.line}' if summary.line else ''}{_state(summary)}"
    groups: dict[str, list[str]] = {}
    for number in summary.numbers:
        marked = f" {number.marked}" if number.marked else ""
        groups.setdefault(number.group, []).append(f"{number.label} {number.value}{marked}")
    for group, words in groups.items():
        yield f"{f'{group}: ' if group else ''}{', '.join(words)}"
    if summary.tags:
        yield ", ".join(f"{one.text} {one.marked}".strip() for one in summary.tags)
    yield from summary.notes


def tell_builder(sheet: Sheet) -> Iterator[str]:
    """Describe a sheet in the builder: questions, budgets and problems."""
    one = sheet.entity
    yield f"{one.name}, {one.stage}{f', {one.line}' if one.line else ''}"
    if sheet.word:
        yield f"The GM says: {sheet.word}"
    for section in sheet.sections:
        yield from _tell_section(section, one.sheet)
    yield from tell_problems(sheet.problems)
    if one.stage == "draft" and not any(problem.refuses for problem in sheet.problems):
        yield "Nothing is missing. /submit sends it to the GM."


def _tell_section(section: Section, filled: Mapping[str, Any]) -> Iterator[str]:
    budget = section.budget
    spent = f" ({budget.label}: {budget.spent:g} of {budget.of:g})" if budget else ""
    yield f"{section.title}{spent}"
    for field in section.fields:
        yield f"  {tell_field(field, {field.name: look(filled, field.name)})}"


def tell_refusal(refused: KitchenTableError) -> Iterator[str]:
    """Print the problems of a refusal, after its sentence if that says more."""
    problems = refused.problems if isinstance(refused, Refusal) else ()
    if str(refused) != " ".join(one.sentence for one in problems):
        yield str(refused)
    yield from tell_problems(problems)


def tell_problems(problems: Iterable[Problem]) -> Iterator[str]:
    """List the problems of a form, each with its place."""
    for one in problems:
        place = f"{one.where}: " if one.where else ""
        yield f"{'!' if one.refuses else '-'} {place}{one.sentence}"


def tell_rules(rules: Iterable[Rule]) -> Iterator[str]:
    """List rules, each with its id."""
    for one in rules:
        yield f"{one.title} ({one.id}): {one.text}"


def tell_scene(view: View) -> Iterator[str]:
    """Describe the notes, handouts, clocks, random tables and limits."""
    yield from (f"Notes ({which}): {text}" for which, text in view.notes.items() if text)
    yield from (f"Handout: {one.title}. {one.text}" for one in view.handouts)
    scene = view.scene
    yield from (f"{one.title}: {one.filled} of {one.of}" for one in scene.clocks)
    if scene.oracles:
        yield f"Tables to roll on: {listed(one.title for one in scene.oracles)}."
    yield from (f"{one.kind.capitalize()}: {one.text}" for one in scene.limits)
    if scene.paused:
        yield "Play is paused by the X-card."
