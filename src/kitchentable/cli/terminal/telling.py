"""The view of a seat as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kitchentable.app.shapes import Odds, Sheet
from kitchentable.campaign.read_models import SeenAsk, SeenMove, SeenOdds, SeenProposal, View
from kitchentable.campaign.words import in_percent, listed, value_in_words
from kitchentable.client import Refusal
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.forms import look
from kitchentable.rules.rulebook import Rule
from kitchentable.rules.sheets import FightView, Section, Summary, Track
from kitchentable.rules.values import Choice, Field, Problem

#: The most choices of a question that are told in one line.
_MOST_CHOICES = 30

Request = SeenProposal | SeenAsk


def requests_of(view: View) -> tuple[Request, ...]:
    """The rolls under way and the cards that wait, in the order of their numbers.

    Those that wait for this seat come first, so that their numbers have no gaps.
    """
    return tuple(sorted((*view.proposals, *view.asks), key=is_mine, reverse=True))


def is_mine(request: Request) -> bool:
    """Whether a request waits for this seat."""
    if isinstance(request, SeenProposal):
        return request.my_turn or request.may_throw
    return request.mine


def ident(request: Request) -> str:
    """The id of a roll under way or of a card."""
    return request.id if isinstance(request, SeenProposal) else request.ask.id


def tell_request(number: int, request: Request) -> Iterator[str]:
    """A request, its questions, and the verbs that answer it."""
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
    """The questions of a request to this seat, and the answers that stand there."""
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
    """A question: its name, its words, what can be answered, and what stands there now."""
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
        parts.append("may be left out")
    return "; ".join(parts)


def _tell_rows(field: Field, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The columns of a list, with their choices, and its rows by the names that change them."""
    # Programs keep rows apart by a column of their own, which nobody fills in.
    columns = [one for one in field.columns if one.name != "id"]
    yield f"rows of {', '.join(map(_column_in_words, columns))}"
    now = list(rows)
    for at, row in enumerate(now):
        said = [
            f"{one.name}={value_in_words(row[one.name])}" for one in columns if row.get(one.name)
        ]
        yield f"now {field.name}.{at}: {', '.join(said)}"
    yield f"a new one begins {field.name}.{len(now)}.{columns[0].name}=..."


def _column_in_words(column: Field) -> str:
    choices = ", ".join(one.value for one in column.choices if one.value)
    return f"{column.name} ({choices})" if choices else column.name


def _choice_in_words(field: Field, one: Choice) -> str:
    """The words to type for a choice: its name, in quotation marks where it has commas."""
    if _is_named(field, one):
        return f'"{one.label}"' if "," in one.label else one.label
    return f"{one.value} ({one.label})"


def _is_named(field: Field, one: Choice) -> bool:
    """Whether a choice goes by its name: somebody's name, or a thing's, is as good as the id."""
    if field.kind in {"entity", "many"} or one.value == one.label:
        return True
    # A path through a sheet, unless several things have one name.
    return "/" in one.value and [other.label for other in field.choices].count(one.label) == 1


def tell_odds(odds: SeenOdds) -> str:
    """The chance of the good outcomes, if there are any, and each outcome with its own.

    >>> from fractions import Fraction
    >>> halves = (("1", "fog", "plain", Fraction(1, 2)), ("2", "sun", "plain", Fraction(1, 2)))
    >>> tell_odds(SeenOdds(halves, Fraction(0), "fog 50 %, sun 50 %"))
    'Odds: fog 50 %, sun 50 %'
    """
    each = ", ".join(f"{label} {in_percent(chance)}" for _, label, _, chance in odds.bands)
    if odds.judges:
        return f"Odds: {in_percent(odds.good)}. {odds.sentence} ({each})"
    # A game's own sentence says more than the outcomes.
    return f"Odds: {each}" if odds.sentence == each else f"Odds: {odds.sentence} ({each})"


def tell_move(found: Odds, answers: Mapping[str, Any]) -> Iterator[str]:
    """The questions and the odds of a move with these answers."""
    yield from (tell_field(field, answers) for field in found.fields)
    if found.odds is not None:
        yield tell_odds(found.odds)
    elif found.why:
        yield found.why


def tell_moves(moves: Iterable[SeenMove]) -> Iterator[str]:
    """The moves that can be started, and why others cannot."""
    for move in moves:
        stop = "" if move.title.endswith("?") else "."
        why = f" Not now: {move.why_not}" if move.why_not else ""
        yield f"/{move.name}: {move.title}{stop}{why}"


def tell_questions(move: SeenMove) -> Iterator[str]:
    """A move with its questions, each by its name on a line."""
    yield from tell_moves([move])
    if move.help:
        yield move.help
    yield from (f"  {tell_field(field)}" for field in move.fields)


def tell_party(view: View) -> Iterator[str]:
    """Everybody in play, in a line each."""
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
    """A track with its name, unless its words have it."""
    named = track.label.casefold() in track.words.casefold()
    return track.words if named or not track.words else f"{track.label} {track.words}"


def tell_people(view: View, here: Iterable[str]) -> Iterator[str]:
    """The people at the table, with those who are here."""
    present = set(here)
    for seat in view.table.seats.values():
        if seat.state == "seated":
            yield f"{seat.name}, {seat.role}{', here' if seat.name in present else ''}"
        elif seat.state == "waiting":
            yield f'{seat.name} asks to come in: /do decide-seat of="{seat.name}" verdict=approve'


def tell_fight(fight: FightView | None) -> Iterator[str]:
    """The order of a fight; a star stands before who acts."""
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
    """A sheet as it is summed up."""
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
    """A sheet as it is built: every question, what is left to spend, and what is to mend."""
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
    """The sentence of a refusal, unless its problems say the same, and the problems."""
    problems = refused.problems if isinstance(refused, Refusal) else ()
    if str(refused) != " ".join(one.sentence for one in problems):
        yield str(refused)
    yield from tell_problems(problems)


def tell_problems(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems of a form, each with its place."""
    for one in problems:
        place = f"{one.where}: " if one.where else ""
        yield f"{'!' if one.refuses else '-'} {place}{one.sentence}"


def tell_rules(rules: Iterable[Rule]) -> Iterator[str]:
    """Rules, each with its id."""
    for one in rules:
        yield f"{one.title} ({one.id}): {one.text}"


def tell_scene(view: View) -> Iterator[str]:
    """Notes, handouts, clocks, tables and limits of the table."""
    yield from (f"Notes ({which}): {text}" for which, text in view.notes.items() if text)
    yield from (f"Handout: {one.title}. {one.text}" for one in view.handouts)
    scene = view.scene
    yield from (f"{one.title}: {one.filled} of {one.of}" for one in scene.clocks)
    if scene.oracles:
        yield f"Tables to roll on: {listed(one.title for one in scene.oracles)}."
    yield from (f"{one.kind.capitalize()}: {one.text}" for one in scene.limits)
    if scene.paused:
        yield "The X-card lies on the table."
