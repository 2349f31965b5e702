"""The verbs of playthroughs, each with its command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import msgspec

from kitchentable.app.keys import new_id
from kitchentable.app.scene_lines import SCENE, SceneLine, scene_command
from kitchentable.app.server import Server
from kitchentable.campaign import commands as do
from kitchentable.campaign.scene import scene_for
from kitchentable.dice.errors import BadInput


class BadScript(BadInput):
    """A playthrough cannot be played; the sentence names the line."""

    code = "playthrough/bad-line"


@dataclass(slots=True)
class Stage:
    """The state of a running playthrough: server, campaign and seats."""

    server: Server
    game: str
    campaign: str = ""
    seats: dict[str, str] = field(default_factory=dict)

    def seat(self, who: str) -> str:
        """The seat of a person by name. Errors: BadScript."""
        if who not in self.seats:
            raise BadScript(f"Nobody called {who} sits at this table yet.")
        return self.seats[who]

    def entity(self, words: str) -> str:
        """The id of an entity by id or name. Errors: BadScript."""
        entities = self.server.tables.campaign(self.campaign).table.entities
        found = [one.id for one in entities.values() if words in {one.id, one.name}]
        if not found:
            raise BadScript(f"Nobody called {words} is at this table.")
        return found[-1]

    def newest(self, what: str, move: str = "") -> str:
        """The id of the newest open proposal or ask (of a move). Errors: BadScript."""
        tree = self.server.tables.campaign(self.campaign).tree[what]
        found = [key for key, one in tree.items() if not move or one["move"] == move]
        if not found:
            about = f" for {move}" if move else ""
            hint = " A roll goes: propose, GM> settle, throw." if what == "proposals" else ""
            raise BadScript(f"Among the {what}, nothing waits{about}.{hint}")
        return str(found[-1])


Words = Sequence[str]
#: Makes a command of the words after its verb.
Maker = Callable[[Stage, Words], do.Command]


def command(stage: Stage, who: str, words: Words) -> do.Command:
    """The command of a line, sent from the person's seat. Errors: BadScript."""
    verb, *rest = words
    if verb not in VERBS:
        raise BadScript(f"There is no verb {verb}. Use one of: {', '.join(VERBS)}.")
    try:
        made = VERBS[verb](stage, rest)
    except IndexError:
        raise BadScript(f"Words are missing after {verb}.") from None
    return msgspec.structs.replace(made, id=new_id(), seat=stage.seat(who))


def named(words: Words) -> dict[str, Any]:
    """Words of the form name=value as answers; JSON lists and objects are parsed."""
    answers: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadScript(f"{word!r} is not written as name=value.")
        answers[name] = json.loads(value) if value[:1] in {"[", "{"} else value
    return answers


def meant(stage: Stage, value: Any) -> Any:
    """Answers with the names of entities replaced by their ids. Errors: BadScript.

    Names are written as `who=@"Captain Serk"`, also in lists and records, and after a dot in a name
    (`"karma.@Mara Vell=1"`).
    """
    match value:
        case str():
            return stage.entity(value[1:]) if value[:1] == "@" else value
        case list():
            return [meant(stage, one) for one in value]
        case dict():
            return {
                ".".join(meant(stage, part) for part in name.split(".")): meant(stage, one)
                for name, one in value.items()
            }
    return value


def _taken(answers: dict[str, Any], name: str) -> tuple[str, ...]:
    """Remove and split a list of words in the answers: `hidden=a,b`, `faces=9,kick`."""
    value = str(answers.pop(name, ""))
    return tuple(part for part in value.split(",") if part)


def _tick(answers: dict[str, Any], name: str) -> bool | None:
    """Whether an answer is yes; None without one."""
    return answers[name] == "yes" if name in answers else None


def _seat(stage: Stage, words: Words) -> do.Command:
    new = stage.seats[words[0]] = new_id()
    role = words[1] if words[1:] else "player"
    return do.AskForSeat(id="", new_seat=new, name=words[0], role=role, approved=True)


def _entity(stage: Stage, words: Words) -> do.Command:
    answers = meant(stage, named(words[2:]))
    sheet = answers.get("sheet")
    return do.MakeEntity(
        id="",
        kind=words[0],
        name=words[1],
        sheet=sheet,
        hidden=_tick(answers, "hidden") or False,
        open=_tick(answers, "open"),
        line=str(answers.get("line", "")),
    )


def _acted(stage: Stage, words: Words) -> dict[str, Any]:
    """`MOVE [for NAME] name=value ...` as the fields of a command.

    The answers `hidden`, `secret` and `faces` are about the roll itself.
    """
    move, rest = words[0], words[1:]
    entity = ""
    if rest and rest[0] == "for":
        entity, rest = stage.entity(rest[1]), rest[2:]
    answers = meant(stage, named(rest))
    return {
        "move": move,
        "entity": entity,
        "hidden": _taken(answers, "hidden"),
        "audience": "gm" if _taken(answers, "secret") else "all",
        "faces": _taken(answers, "faces") or None,
        "answers": answers,
    }


def _propose(stage: Stage, words: Words) -> do.Command:
    acted = _acted(stage, words)
    yes = acted["answers"].pop("any_yes", "") == "yes"
    return do.Propose(id="", any_yes=yes, **acted)


def _settle(stage: Stage, words: Words) -> do.Command:
    answers = meant(stage, named(words))
    hidden = _taken(answers, "hidden")
    return do.Settle(id="", proposal=stage.newest("proposals"), answers=answers, hidden=hidden)


def _answer(stage: Stage, words: Words) -> do.Command:
    acted = _acted(stage, words)
    return do.MakeMove(id="", ask=stage.newest("asks", acted["move"]), **acted)


def _whisper(stage: Stage, words: Words) -> do.Command:
    to = "gm" if words[0] == "gm" else stage.seat(words[0])
    return do.Say(id="", text=" ".join(words[1:]), to=to)


def _roll(stage: Stage, words: Words) -> do.Command:
    answers = named(words[1:])
    return do.RollNotation(
        id="", notation=words[0], faces=_taken(answers, "faces") or None, **answers
    )


def _change(stage: Stage, words: Words) -> do.Command:
    """`change NAME hidden=no open=yes gone=yes name=... line=...`."""
    answers = named(words[1:])
    return do.ChangeEntity(
        id="",
        entity=stage.entity(words[0]),
        name=answers.get("name"),
        line=answers.get("line"),
        hidden=_tick(answers, "hidden"),
        open=_tick(answers, "open"),
        gone=_tick(answers, "gone"),
    )


def _override(stage: Stage, words: Words) -> do.Command:
    path = tuple(stage.entity(p[1:]) if p[:1] == "@" else p for p in words[0].split("/"))
    return do.Override(id="", path=path, now=json.loads(words[1]), reason=" ".join(words[2:]))


def _undo(stage: Stage, words: Words) -> do.Command:
    """`undo [BACK] reason`: the last step, or the one BACK steps before it."""
    back = int(words[0]) if words and words[0].isdecimal() else 0
    number = stage.server.tables.campaign(stage.campaign).number - back
    reason = " ".join(words[1:] if back else words)
    return do.Undo(id="", number=number, reason=reason)


def _scene(about: str) -> Maker:
    """The verb of a line about the scene, read as at the table."""

    def make(stage: Stage, words: Words) -> do.Command:
        state = stage.server.tables.campaign(stage.campaign)
        scene = scene_for(state.tree, state.table, state.table.gm)
        typed = named([word for word in words if word.startswith("faces=")])
        text = " ".join(word for word in words if not word.startswith("faces="))
        made = scene_command(SceneLine(about, text), scene, "")
        return msgspec.structs.replace(made, faces=_taken(typed, "faces")) if typed else made

    return make


def _plain(kind: type[do.Command], names: str = "", **fixed: Any) -> Maker:
    """The verb of a command with a word for each of these fields.

    A last field with dots after its name has all further words.
    """

    def make(stage: Stage, words: Words) -> do.Command:
        fields = names.removesuffix("...").split()
        if names.endswith("..."):
            last = len(fields) - 1
            words = [*words[:last], " ".join(words[last:])]
        parts: dict[str, Any] = {name: words[at] for at, name in enumerate(fields)}
        if "entity" in parts:
            parts["entity"] = stage.entity(parts["entity"])
        return kind(id="", **parts, **fixed)

    return make


#: Every verb of a playthrough.
VERBS: Mapping[str, Maker] = MappingProxyType(
    {
        "seat": _seat,
        "options": lambda stage, words: do.SetOptions(id="", options=named(words)),
        "settings": lambda stage, words: do.SetSettings(id="", settings=named(words)),
        "begin": _plain(do.BeginSession),
        "contribute": _plain(do.Contribute, "text..."),
        "close": _plain(do.CloseSession),
        "end": _plain(do.EndSession),
        "make": _entity,
        "sheet": lambda stage, words: do.SaveSheet(
            id="", entity=stage.entity(words[0]), raw=meant(stage, named(words[1:]))
        ),
        "submit": _plain(do.SubmitSheet, "entity"),
        "accept": _plain(do.DecideSheet, "entity", accept=True),
        "send-back": _plain(do.DecideSheet, "entity reason...", accept=False),
        "propose": _propose,
        "settle": _settle,
        "decline": lambda stage, words: do.Decline(
            id="",
            proposal=stage.newest("proposals"),
            verdict=words[0],
            note=" ".join(words[1:]),
        ),
        "withdraw": lambda stage, words: do.Withdraw(id="", proposal=stage.newest("proposals")),
        "throw": lambda stage, words: do.Throw(
            id="", proposal=stage.newest("proposals"), faces=tuple(words)
        ),
        "move": lambda stage, words: do.MakeMove(id="", **_acted(stage, words)),
        "answer": _answer,
        "skip": lambda stage, words: do.SkipAsk(
            id="", ask=stage.newest("asks", words[0] if words else "")
        ),
        "say": _plain(do.Say, "text..."),
        "speak": _plain(do.Say, "entity text..."),
        "me": _plain(do.Say, "text...", mode="me"),
        "whisper": _whisper,
        "roll": _roll,
        "change": _change,
        "note": _plain(do.SetNote, "which text..."),
        "override": _override,
        **{verb: _scene(about) for verb, about in SCENE.items()},
        "undo": _undo,
    }
)
