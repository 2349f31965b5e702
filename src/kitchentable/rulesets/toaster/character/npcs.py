"""The GM's people and creatures: brought into play in a moment, from a preset or blank."""

from __future__ import annotations

from collections.abc import Iterator

from kitchentable.rules import GM, Entity, Table, whole
from kitchentable.rules.kit import Form, number, pick, text, tick
from kitchentable.rulesets.toaster.book import TABLES, Facts, Row
from kitchentable.rulesets.toaster.character.attributes import attribute_name, attributes
from kitchentable.rulesets.toaster.character.lines import (
    CREATURE,
    NPC,
    UNNAMED,
    armour_line,
    blank,
    skill_line,
    trait_line,
    weapon_line,
)
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.people import At, Here, toaster
from kitchentable.rulesets.toaster.tables import row, rows

_BLANK = "blank"
_KEYS = tuple(one["key"] for one in TABLES["attributes"])


def preset_sheet(table: Table, key: str) -> Facts:
    """The sheet of a preset; an average person without skills for none of them."""
    built = row(table, "presets", key) or {"attributes": [4] * len(_KEYS), "kind": NPC}
    ranks = dict(zip(_KEYS, built["attributes"], strict=True))
    size = whole(built.get("size"))
    return blank(table, built["kind"]) | {
        "attributes": {one["key"]: ranks.get(one["key"], 4) for one in attributes(table)},
        "skills": [
            skill_line(f"s{place}", key, int(base))
            for place, words in enumerate(built.get("skills", ()), 1)
            for key, _, base in (words.rpartition(" "),)
        ],
        "traits": [trait_line("t1", "Physical Size", "size", size)] if size else [],
        "weapons": [
            weapon_line(f"w{n}", **(one if isinstance(one, dict) else {"like": one}))
            for n, one in enumerate(built.get("weapons", ()), 1)
        ],
        "armour": [armour_line(f"a{n}", one) for n, one in enumerate(built.get("armour", ()), 1)],
        "shield": str(built.get("shield") or ""),
        "hide": whole(built.get("hide")),
    }


# ---------------------------------------------------------------- somebody new


def preset(at: Here) -> Row:
    """The preset that was picked; {} for nobody's."""
    return row(at.table, "presets", BringForm.preset.given(at)) or {}


def presets(at: Here) -> Iterator[tuple[str, str, str]]:
    """Everybody's presets, with attributes and skills in a line."""
    yield _BLANK, "Nobody: an average person without skills", ""
    for one in rows(at.table, "presets"):
        ranks = zip(_KEYS, one["attributes"], strict=True)
        told = ", ".join(f"{attribute_name(at.table, key)} {rank}" for key, rank in ranks)
        best = [skill_name(at.table, words.rpartition(" ")[0]) for words in one["skills"]]
        yield one["key"], str(one["name"]), f"{told}; {', '.join(best)}"


class BringForm(Form):
    name = text()
    preset = pick(choices=presets)
    count = number()
    named = tick(default=lambda at: preset(at).get("kind") != UNNAMED)
    line = text(default=lambda at: str(preset(at).get("line") or ""))
    hidden = tick()
    open = tick(default=lambda at: at.options.npc_open)


@toaster.move("npc", form=BringForm)
def bring(at: At[BringForm]) -> None:
    form = at.form
    sheet = preset_sheet(at.table, form.preset) | {"named": form.named}
    kind = CREATURE if sheet["supernatural"] else NPC if form.named else UNNAMED
    state: Facts = {"stun": 0, "wounds": [], "condition": "awake", "xp": 0, "used": []}
    for index in range(1, form.count + 1):
        name = form.name if form.count == 1 else f"{form.name} {index}"
        one = Entity("", name, kind, GM, sheet, state, "play", form.hidden, form.open, form.line)
        at.create(one, index)
    found = preset(at)
    if found:
        at.say(f"Built like: {found['name']}.", GM)
    at.tell(
        form.name if form.count == 1 else f"{form.name}, {form.count} of them",
        "" if form.named else "Nobody has heard their names.",
        rules=() if form.named else ("toaster.4.unnamed-out",),
        audience=GM if form.hidden else "",
    )
