"""NPCs: created from a preset or blank, with an importance that can change."""

from __future__ import annotations

from kitchentable.rules import GM, plural
from kitchentable.rules.kit import (
    Form,
    Problems,
    Row,
    bring_in,
    maybe_number,
    number,
    pick,
    text,
    tick,
)
from kitchentable.rulesets.toast.attacks import refit
from kitchentable.rulesets.toast.options import BOOK, capacity_key
from kitchentable.rulesets.toast.people import (
    AWAKE,
    IMPORTANCE,
    MANY_WOUNDS,
    At,
    Here,
    classes,
    many_wounds,
    toast,
)

PRESETS = BOOK.by_key("preset")
BLANK: Row = {"levels": {}, "perks": []}


def preset(at: Here) -> Row:
    found: Row = PRESETS.get(str(at.answers.get("preset")), {})
    return found


class RankForm(Form):
    importance = pick(choices=lambda at: classes(at.options), default=lambda at: at.me.importance)
    capacity = maybe_number(
        default=lambda at: at.me.sheet.get("capacity"),
        help=f"Left empty, the importance decides. Go easy above {MANY_WOUNDS}.",
    )

    def problems(self) -> Problems:
        yield from many_wounds(self.capacity)


@toast.move(
    "importance",
    when=lambda at: (
        "The importance of players' characters is high, and stays so." if at.me.is_pc else None
    ),
)
def importance(at: At[RankForm]) -> None:
    me, rank, own = at.me, at.form.importance, at.form.capacity
    wounds, before = own or at.options[capacity_key(rank)], me.capacity
    me.write("sheet", "importance", now=rank)
    me.write("sheet", "capacity", now=own)
    down, more = refit(at, me, before, wounds)
    said = f"Goes down at {plural(wounds, 'wound')}, not at {before}. {down}".rstrip()
    rules = ("toast.7.4-importance-story", *(("toast.7.4-monster",) if own else ()), *more)
    at.tell(f"{me.name}: {IMPORTANCE[rank]['name'].lower()}", said, rules=rules)


class NpcForm(RankForm):
    name = text()
    preset = pick(
        choices=[
            ("blank", "Nobody: every level at 0"),
            *((key, one["name"], one["note"]) for key, one in PRESETS.items()),
        ]
    )
    importance = RankForm.importance.having(default=lambda at: preset(at).get("importance"))
    capacity = RankForm.capacity.having(default=lambda at: preset(at).get("wounds"))
    count = number()
    line = text()
    hidden = tick()
    open = tick(default=lambda at: at.options.npc_numbers == "open")


@toast.move("npc")
def npc(at: At[NpcForm]) -> None:
    """Create NPCs with a preset's levels and perks; the table's own traits start at 0."""
    form, rank, built = at.form, at.form.importance, preset(at) or BLANK
    sheet: Row = {
        "traits": {one.key: built["levels"].get(one.key, 0) for one in at.options.traits},
        "perks": [{"text": words, "covers": ""} for words in built["perks"]],
        "gear": [],
        "about": "",
        "importance": rank,
        "capacity": form.capacity,
    }
    state: Row = {"wounds": 0, "condition": AWAKE, "perks": {}}
    at.say(f"Custom wounds: {form.capacity}." if form.capacity else "", GM)
    said = f"Importance: {IMPORTANCE[rank]['name'].lower()}."
    bring_in(at, rank, sheet, state, said, ("toast.7.4-importance-story",))
