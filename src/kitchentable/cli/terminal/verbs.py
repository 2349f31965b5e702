"""The verbs that the terminal adds to those of the chat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import kitchentable as kt
from kitchentable.app.plaintext import tell
from kitchentable.app.verbs import check_length, read_move, split_faces
from kitchentable.campaign.commands import (
    Command,
    Decline,
    MakeEntity,
    MakeMove,
    SaveSheet,
    Settle,
    SkipAsk,
    SubmitSheet,
    Throw,
    Withdraw,
)
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.read_models import SeenAsk, SeenMove, SeenProposal, View
from kitchentable.campaign.words import unquoted
from kitchentable.cli.terminal import telling
from kitchentable.cli.terminal.commands import commands, read_command, read_object, tell_command
from kitchentable.cli.terminal.session import Session
from kitchentable.client import Refusal
from kitchentable.client.table import new_id
from kitchentable.dice import show as drawing
from kitchentable.dice.errors import BadInput
from kitchentable.rules.forms import look
from kitchentable.rules.values import GM, Field

#: Dice in notation, with or without a verb such as /roll.
_DICE = re.compile(
    r"(?:/?(?:roll|r)\s+(?=\S)|(?=[\d(+{-]|d(?:[\d%]|f\b)))(?P<notation>.*)", re.IGNORECASE
)
#: Entries that `/show log` lists by default, and at most.
_SOME, _MOST = 20, 500


class BadVerb(BadInput):
    """A verb of the terminal cannot be carried out as typed."""

    code = "play/not-understood"


def run_line(session: Session, text: str) -> bool:
    """Carry out a typed line; returns False if the person leaves. Errors: those of the table."""
    line = text.strip()
    if not line:
        return True
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise BadVerb("That line is not text in UTF-8. Send it again as UTF-8.") from error
    if session.as_json and line.startswith("{"):
        session.do(read_object(line))
        return True
    word, _, rest = line.partition(" ")
    if word.casefold() in _LEAVING:
        return False
    verb = VERBS.get(word.casefold().removeprefix("/")) if word.startswith("/") else None
    if verb is not None:
        verb(session, rest.strip())
    elif word in _SHORT:
        _show(session, line.removeprefix("/"))
    else:
        _say(session, line)
    return True


_LEAVING = frozenset({"/quit", "/exit"})
#: Verbs for which "show" may be left out; no game has a move of this name.
_SHORT = frozenset({"/sheet", "/requests", "/log", "/moves"})


def _say(session: Session, line: str) -> None:
    """Send a line of the chat; the odds of a roll are printed first."""
    check_length(line)
    if line.startswith("/") and not session.as_json:
        read = session.table.read(line)
        if read.odds is not None and read.odds.odds is not None:
            session.tell("odds", read.odds, [telling.tell_odds(read.odds.odds)])
    session.tell_done(session.table.say(line))


def _show(session: Session, rest: str) -> None:
    """/show PART: requests, party, people, sheet, fight, log, rules, moves, scene"""
    what, _, words = rest.partition(" ")
    name = next((name for name in LOOKS if name.startswith(what or "requests")), "")
    if not name:
        raise BadVerb(f"/show has no part {what!r}. Its parts are: {', '.join(LOOKS)}.")
    session.tell(name, *LOOKS[name](session, words.strip()))


#: A part of the table: its data and its lines.
Look = tuple[Any, Iterable[str]]


def _requests(session: Session, _: str) -> Look:
    requests = telling.requests_of(session.table.view())
    lines = [line for at, one in enumerate(requests, 1) for line in telling.tell_request(at, one)]
    return requests, lines or ["No requests."]


def _party(session: Session, _: str) -> Look:
    view = session.table.view()
    return view.summaries, telling.tell_party(view)


def _people(session: Session, _: str) -> Look:
    view = session.table.view()
    return view.table.seats, telling.tell_people(view, session.people)


def _sheet(session: Session, words: str) -> Look:
    sheet = session.table.sheet(entity_named(session.table.view(), words))
    return sheet, telling.tell_sheet(sheet)


def _fight(session: Session, _: str) -> Look:
    fight = session.table.view().fight
    return fight, telling.tell_fight(fight)


def _log(session: Session, words: str) -> Look:
    if words and not (words.isdecimal() and len(words) < 4 and 0 < int(words) <= _MOST):
        raise BadVerb(f"/show log takes a number of entries, 1 to {_MOST}, such as /show log 50.")
    entries = session.table.entries(limit=int(words or _SOME))
    # Only the GM, who can take back any step, gets numbers.
    return entries, [f"{one.number} {tell(one)}" if one.number else tell(one) for one in entries]


def _rules(session: Session, words: str) -> Look:
    rules = session.table.rules(words)
    lines = (
        list(telling.tell_rules(rules)) if words else [f"{one.id}: {one.title}" for one in rules]
    )
    return rules, lines or [f"No rule contains all of these words: {words}."]


def _moves(session: Session, words: str) -> Look:
    moves = _moves_of(session, words)
    return moves, list(telling.tell_moves(moves)) or ["There is no move that you can start now."]


def _moves_of(session: Session, words: str = "") -> list[SeenMove]:
    """The moves for a character (default: one's own), and those for nobody. Errors: BadVerb."""
    view = session.table.view()
    mine = [entity_named(view, words)] if words or view.mine else []
    return [move for one in (*mine, "") for move in session.table.moves(one)]


def _scene(session: Session, _: str) -> Look:
    view = session.table.view()
    return view.scene, telling.tell_scene(view)


LOOKS: Mapping[str, Callable[[Session, str], Look]] = MappingProxyType(
    {
        "requests": _requests,
        "party": _party,
        "people": _people,
        "sheet": _sheet,
        "fight": _fight,
        "log": _log,
        "rules": _rules,
        "moves": _moves,
        "scene": _scene,
    }
)


def _odds(session: Session, rest: str) -> None:
    """/odds MOVE or DICE: show the odds of a move or of dice, without throwing"""
    if not rest:
        raise BadVerb("Add a move or dice, for example /odds task aim, or /odds 2d6+3.")
    check_length(rest)
    line = rest if rest.startswith("/") else f"/{rest}"
    dice = _DICE.fullmatch(rest)
    if dice is not None:
        found = kt.odds(dice["notation"], dialect=session.table.dialect or "house")
        rows = [(outcome, chance) for outcome, chance in found.items()]
        told = drawing.text(rows, found.unresolved).splitlines()
        session.tell("odds", {str(outcome): str(chance) for outcome, chance in rows}, told)
        return
    read = session.table.read(line)
    if read.odds is None:
        raise BadVerb(f"{rest!r} is not a roll. Write a move or dice, for example /odds task aim.")
    session.tell("odds", read.odds, telling.tell_move(read.odds, read.answers))


def _answer(session: Session, rest: str) -> None:
    """/answer [N] NAME=VALUE ...: answer a request; hide=NAME keeps an answer hidden (GM)"""
    request, words = _pick(session, rest, "answer")
    line = read_move("answer", words)
    answers: dict[str, Any] = dict(line.answers)
    hidden = split_faces(answers.pop("hide", "")) or ()
    proposed = isinstance(request, SeenProposal)
    fields, given = telling.questions_of(request)
    if line.words:
        unanswered = [one for one in fields if one.name not in answers]
        answers |= _in_words(unanswered, unquoted(line.words))
    answers = _with_rows(fields, given, answers)
    made: Command
    if proposed:
        made = Settle(id=new_id(), proposal=request.id, answers=answers, hidden=hidden)
    else:
        ask, faces = request.ask, line.faces
        made = MakeMove(id=new_id(), move=ask.move, answers=answers, ask=ask.id, faces=faces)
    try:
        session.do(made)
    except Refusal as refused:
        opened = {one.where for one in refused.problems} - {one.name for one in fields} - {*answers}
        if opened:
            # The answers have added questions, which must be shown.
            of, before = (request, given) if proposed else (request.ask, {})
            form = session.table.odds(of.move, of.entity, **{**before, **answers})
            asked = [one for one in form.fields if one.name in opened]
            session.tell("questions", asked, map(telling.tell_field, asked))
        raise


def _with_rows(
    fields: Iterable[Field], filled: Mapping[str, Any], answers: Mapping[str, Any]
) -> dict[str, Any]:
    """Add the other rows of answered lists, because a form needs a list whole or not at all."""
    whole = dict(answers)
    for field in fields:
        start = f"{field.name}."
        if field.kind != "rows" or not any(name.startswith(start) for name in answers):
            continue
        for at, row in enumerate(look(filled, field.name) or ()):
            for column, value in row.items():
                whole.setdefault(f"{start}{at}.{column}", value)
    return whole


def _in_words(fields: Sequence[Field], words: str) -> dict[str, str]:
    """Use words as the answer to the first question that they fit. Errors: BadVerb."""
    said = words.casefold()
    choices = [(f.name, c.value, c.label.casefold()) for f in fields for c in f.choices]
    whole = [(name, value) for name, value, label in choices if said in {value.casefold(), label}]
    ticks = [(one.name, said) for one in fields if one.kind == "tick" and said in {"yes", "no"}]
    near = [(name, value) for name, value, label in choices if label.startswith(said)]
    for found in (whole[:1], ticks, near):
        if len(found) == 1:
            return dict(found)
    # A number is more likely an old request's number than an answer in text.
    kinds = {"number"} if words.isdecimal() else {"text", "story", "number"}
    text = next((one for one in fields if one.kind in kinds), None)
    if text is None:
        asked = "; ".join(telling.tell_field(one) for one in fields) or "It has no questions."
        raise BadVerb(f"{words!r} is not an answer here. {asked}")
    return {text.name: words}


def _throw(session: Session, rest: str) -> None:
    """/throw [N] [FACES]: throw the dice of a roll, or enter real dice"""
    request, words = _pick(session, rest, "throw")
    session.do(Throw(id=new_id(), proposal=request.id, faces=split_faces(words)))


def _decline(session: Session, rest: str) -> None:
    """/decline [N] success|failure|no [NOTE]: decide without dice"""
    request, words = _pick(session, rest, "decline")
    verdict, _, note = words.partition(" ")
    if verdict not in {"success", "failure", "no"}:
        raise BadVerb("Add the outcome: /decline success, /decline failure or /decline no.")
    session.do(Decline(id=new_id(), proposal=request.id, verdict=verdict, note=unquoted(note)))


def _withdraw(session: Session, rest: str) -> None:
    """/withdraw [N]: take back your roll before the dice are thrown"""
    request = _pick_alone(session, rest, "withdraw")
    session.do(Withdraw(id=new_id(), proposal=request.id))


def _skip(session: Session, rest: str) -> None:
    """/skip [N]: put a card away"""
    request = _pick_alone(session, rest, "skip")
    session.do(SkipAsk(id=new_id(), ask=request.ask.id))


def _pick(session: Session, rest: str, verb: str) -> tuple[Any, str]:
    """Find the request of a verb, by its number or the first that fits, and the other words.

    Errors: BadVerb.
    """
    requests = telling.requests_of(session.table.view())
    word, _, words = rest.partition(" ")
    if word.isdecimal() and len(word) < 4:
        named = dict(enumerate(requests, 1)).get(int(word))
        # /skip is for cards; /throw, /decline and /withdraw are for rolls; /answer is for both.
        if named and (verb == "answer" or isinstance(named, SeenAsk) == (verb == "skip")):
            return named, words.strip()
        # After these two verbs the number may also be a face or an answer.
        if verb not in {"throw", "answer"}:
            raise BadVerb(f"There is no request {word} to {verb}. /show requests lists them.")
    for one in requests:
        if verb in telling.verbs_for(one):
            return one, rest
    raise BadVerb(f"You have no request to {verb}. /show requests lists them.")


def _pick_alone(session: Session, rest: str, verb: str) -> Any:
    """Find the request of a verb that takes only its number. Errors: BadVerb."""
    request, words = _pick(session, rest, verb)
    if words:
        raise BadVerb(f"/{verb} takes only the number of a request, for example /{verb} 1.")
    return request


def _undo(session: Session, rest: str) -> None:
    """/undo [WHY]: take back your last step"""
    mine = session.table.seat.id if session.table.seat else ""
    entries = session.table.entries(limit=100)
    # An undo is not a step here, or a GM could take back only one step in a row.
    own = [one for one in entries if one.seat == mine and not one.undone and one.kind != "undone"]
    if not own:
        raise BadVerb("You have no recent step to take back.")
    last = own[-1]
    if not last.may_undo:
        is_final = KINDS[last.kind].final or session.table.view().me.role == GM
        ask = "" if is_final else " Ask the GM to take it back."
        told = tell(last, time=False)
        raise BadVerb(f"Your last step was “{told}”, which cannot be taken back.{ask}")
    if last.number and last not in entries[-_SOME:]:
        # A GM may take back old steps, which should not happen by mistake.
        raise BadVerb(
            f"Your last step is more than {_SOME} entries old: “{tell(last)}”. To take it back "
            f"anyway: /do undo number={last.number}"
        )
    try:
        session.tell_done(session.table.take_back(last.cursor, rest))
    except Refusal as refused:
        if not refused.told.also:
            raise
        also = ",".join(map(str, refused.told.also))
        raise BadVerb(
            f"{refused} To take back all of them: /do undo number={last.number} also={also}"
        ) from refused


def _build(session: Session, rest: str) -> None:
    """/build [new] [WHO] NAME=VALUE ...: begin a character, or fill in a sheet"""
    view = session.table.view()
    line = read_move("build", rest)
    words, answers = line.words, dict(line.answers)
    first, _, called = words.partition(" ")
    if first.casefold() == "new":
        name = unquoted(called) or f"{view.me.name}'s character"
        kind = answers.pop("kind", "")
        before = view.table.entities
        session.do(MakeEntity(id=new_id(), kind=kind, name=name))
        view = session.table.view()
        new = [one for one in view.table.entities.values() if one.id not in before]
        # Others may create characters at the same moment, and names may repeat.
        words = max(new, key=lambda one: one.name == name).id
    entity = entity_named(view, words, drafts=True)
    renamed = answers.pop("name", "") or None
    about = answers.pop("line", "") or None
    if answers or renamed or about:
        now = session.table.sheet(entity)
        fields = [field for section in now.sections for field in section.fields]
        answers = _with_rows(fields, now.entity.sheet, answers)
        saved = SaveSheet(id=new_id(), entity=entity, raw=answers, name=renamed, line=about)
        session.table.do(saved)
    sheet = session.table.sheet(entity)
    session.tell("sheet", sheet, telling.tell_builder(sheet))


def _submit(session: Session, rest: str) -> None:
    """/submit [WHO]: send a finished character to the GM"""
    entity = entity_named(session.table.view(), rest, drafts=True)
    session.do(SubmitSheet(id=new_id(), entity=entity))


def _do(session: Session, rest: str) -> None:
    """/do COMMAND NAME=VALUE ...: send any command, for example /do begin-session"""
    line = read_move("do", rest)
    if not line.words or " " in line.words:
        raise BadVerb(
            "/do needs one command and its fields, for example /do begin-session, or "
            '/do decide-sheet entity="Mara Vell" accept=yes. /help do lists the commands.'
        )
    answers = dict(line.answers)
    if line.faces:
        answers["faces"] = ",".join(line.faces)
    if line.entity:
        answers["for"] = line.entity
    session.do(read_command(session.table.view(), line.words, answers))


def entity_named(view: View, words: str, *, drafts: bool = False) -> str:
    """The id of a character by name; without a name, of one's own. Errors: BadVerb."""
    known = [one for one in view.table.entities.values() if one.stage != "gone"]
    words = unquoted(words)
    if not words:
        mine = [one for one in view.mine if one.stage != "gone"]
        mine.sort(key=lambda one: (one.stage == "play") == drafts)
        if not mine:
            raise BadVerb("You have no character yet. /build new NAME begins one.")
        return mine[0].id
    said = words.casefold()
    fits = (
        [one for one in known if said in {one.id.casefold(), one.name.casefold()}]
        or [one for one in known if one.name.casefold().startswith(said)]
        or [one for one in known if said in one.name.casefold()]
    )
    if len(fits) == 1:
        return fits[0].id
    names = ", ".join(one.name for one in fits or known)
    if fits:
        raise BadVerb(f"{words!r} matches {names}. Type more of the name.")
    there = f"The names are: {names}." if names else "There are no characters yet."
    raise BadVerb(f"Nobody here is called {words!r}. {there}")


def _help(session: Session, about: str) -> None:
    """/help: list the verbs; /help WORD: explain a verb, a move or a command"""
    word = about.removeprefix("/").casefold()
    move = next((one for one in _moves_of(session) if one.name == word), None) if word else None
    if move is not None:
        session.tell("move", move, telling.tell_questions(move))
        return
    every = [*_SPOKEN, *(str(verb.__doc__) for verb in VERBS.values()), "/quit: leave"]
    lines = [line for line in every if not word or re.search(rf"/{re.escape(word)}\b", line)]
    if word == "do":
        lines.append(f"The commands: {', '.join(commands())}. /help COMMAND lists its fields.")
    if word in commands():
        lines += tell_command(word)
    if not lines:
        raise BadVerb(
            f"There is no verb, move or command {word!r} now. /help lists the verbs, /show moves "
            "the moves."
        )
    session.tell("help", lines, lines)


#: The lines of the help about the verbs of the chat.
_SPOKEN = (
    "Plain words are spoken. /w NAME: whisper; /me: act; /ooc: speak out of character",
    "/roll 2d6+3: roll for everybody; /gmroll: for you and the GM; /selfroll: for you alone",
    "/task aim: make a move; /good with rifles: roll a row of your sheet",
    "/show moves: list the moves; /help task: explain a move and its questions",
    "/dialect NAME: use another program's notation, such as roll20; /dialect table: the table's",
    "/x: pause and leave this out; /x off: go on",
    "/line WORDS: never in play; /veil WORDS: only offstage; /line off WORDS: remove a line",
    "/clock NAME 2/6: set a clock (GM); /clock NAME +1, -1 or off: change or remove a clock",
    "/oracle TABLE, QUESTION: roll on a random table; /show scene lists the tables",
)

#: The verbs of the terminal; the help is their docstrings.
VERBS: Mapping[str, Callable[[Session, str], None]] = MappingProxyType(
    {
        "show": _show,
        "odds": _odds,
        "answer": _answer,
        "throw": _throw,
        "decline": _decline,
        "withdraw": _withdraw,
        "skip": _skip,
        "undo": _undo,
        "build": _build,
        "submit": _submit,
        "do": _do,
        "help": _help,
    }
)
