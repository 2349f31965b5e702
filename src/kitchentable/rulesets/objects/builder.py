"""The builder: the six steps as forms, each opening when the one before it is done."""

from __future__ import annotations

from kitchentable.rules import (
    Choice,
    Entity,
    Field,
    Section,
    Table,
    choose,
)
from kitchentable.rulesets.objects.options import Basic, basics, setting, type_of
from kitchentable.rulesets.objects.steps import MAY_BE_EMPTY, STEPS, is_new, open_steps
from kitchentable.rulesets.objects.thing import (
    GOOD,
    HIGHEST,
    LOWEST,
    STATUS_WORDS,
    TALENT_WORDS,
    Talent,
    gained_talents,
    parts,
)

_RARE = {1, HIGHEST}


def sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """The steps that are open; of somebody in play all of them (objects.2-order)."""
    building = is_new(entity)
    shown = open_steps(table, entity)
    found = []
    for number, step in enumerate(STEPS, start=1):
        if step in shown:
            title = f"Step {number} of {len(STEPS)}: {STEPS[step]}" if building else STEPS[step]
            found.extend(_MAKERS[step](table, entity, title))
    return tuple(found)


def _done(entity: Entity, step: str) -> tuple[Field, ...]:
    """The tick that says that a step may stay empty."""
    if not is_new(entity) or step not in MAY_BE_EMPTY:
        return ()
    field = Field(
        f"done.{step}",
        "Nothing more here: go on",
        "tick",
        default=False,
        required=False,
        rule="objects.2-order",
    )
    return (field,)


def _concept(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 1 (objects.2.1-concept), with what the GM said of power and of what suits the game."""
    suits = str(setting(table.options, "suitable") or "").strip()
    power = str(entity.state.get("power") or "")
    help_text = "What it is at heart, in a line. The GM judges who is tougher than whom."
    if suits:
        help_text += f" What suits this game: {suits}"
    if power:
        help_text += f" Its power, as the GM sees it: {power}"
    field = Field(
        "concept",
        "Concept",
        default="",
        longest=300,
        help=type_of(table.options, entity.kind).hint,
        rule="objects.2.1-concept",
    )
    return [Section("concept", title, (field,), help_text, "objects.2.1-power-level")]


def _story(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 2 (objects.2.2-story); what follows is drawn from it."""
    field = Field(
        "story",
        "Story",
        "story",
        default="",
        longest=60_000,
        help="From the beginning, or up to the breath before play begins.",
        rule="objects.2.2-story",
    )
    help_text = "A few sentences at least: enough to tell its talents from. Talk it over."
    return [Section("story", title, (field,), help_text, "objects.2.2-story-discuss")]


def _talents(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 3: basic talents as numbers, gained ones as sentences that may be other objects."""
    split = bool(setting(table.options, "use_split"))
    listed = basics(table.options, entity.kind)
    locked = bool(setting(table.options, "basics_locked"))
    scale = ", ".join(f"{number} {word.lower()}" for number, word in TALENT_WORDS.items())
    found = []
    if listed and not (locked and not is_new(entity) and entity.stage != "play"):
        fields = tuple(_basic_field(one) for one in listed)
        found.append(
            Section(
                "basic",
                f"{title}, basic",
                fields,
                f"{scale}. Usual are 2 to 5, and 4 is strong already.",
                "objects.2.3-basic-talents",
            )
        )
    rows = Field(
        "talents",
        "Talents, gained" if split else "Talents",
        "rows",
        default=[],
        required=False,
        high=100,
        rule="objects.2.3-gained-talents",
        columns=(
            Field("name", "Talent", longest=600, rule="objects.2.3-talent"),
            Field(
                "level",
                "Level",
                "number",
                default=3,
                low=LOWEST,
                high=HIGHEST,
                rule="objects.2.3-talent",
            ),
            Field(
                "object",
                "Is another object",
                "entity",
                _linkable(table, entity),
                default="",
                required=False,
                rule="objects.2.3-crew-as-talent",
            ),
        ),
    )
    notes = {f"talents.{i}": _note(one) for i, one in enumerate(gained_talents(entity))}
    found.append(
        Section(
            "talents",
            f"{title}, gained" if split and listed else title,
            (rows, *_done(entity, "talents")),
            f"Skills, gifts, whoever is aboard, in words of your own. {scale}.",
            "objects.2.3-gained-talents",
            row_notes=notes,
            in_summary=not is_new(entity),
        )
    )
    return found


def _basic_field(one: Basic) -> Field:
    return Field(
        f"basic.{one.key}",
        one.name,
        "number",
        default=0,
        low=LOWEST,
        high=HIGHEST,
        help=one.hint,
        rule=one.rule,
    )


def _linkable(table: Table, entity: Entity) -> tuple[Choice, ...]:
    """What a talent may be: any other object, and what it already is."""
    here = {one.id: one for one in table.entities.values() if one.stage != "gone"}
    here |= {one.id: one for one in parts(table, entity)}
    here.pop(entity.id, None)
    return choose(here.values())


def _note(one: Talent) -> str:
    """How a gained talent reads, and what is to be said of its level and its state."""
    words = [f"{one.phrase}."]
    if one.level == LOWEST:
        words.append("A handicap.")
    if one.level in _RARE:
        words.append("Levels 1 and 6 are rare special cases.")
    if one.verdict == "not yet":
        words.append(f"Not agreed on yet{': ' + one.word.rstrip('.') if one.word else ''}.")
    elif one.verdict == "proposed":
        words.append("Proposed; the GM has not agreed yet.")
    return " ".join(words)


def _signs(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 4 (objects.2.4-signs)."""
    rows = Field(
        "signs",
        "Signs",
        "rows",
        default=[],
        required=False,
        high=60,
        rule="objects.2.4-signs",
        columns=(Field("text", "Sign", longest=300),),
    )
    help_text = "What anybody sees who looks at it."
    return [
        Section("signs", title, (rows, *_done(entity, "signs")), help_text, "objects.2.4-signs")
    ]


def _status(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 5: how it begins, and what a status below Good comes from (objects.2.5-status-note)."""
    if not is_new(entity):
        return []
    scale = ", ".join(f"{n} {STATUS_WORDS[n].lower()}" for n in sorted(STATUS_WORDS, reverse=True))
    fields = (
        Field(
            "status",
            "Status",
            "number",
            default=GOOD,
            low=LOWEST,
            high=HIGHEST,
            help=f"{scale}.",
            rule="objects.2.5-status-range",
        ),
        Field(
            "causes",
            "What happened to it",
            "rows",
            default=[],
            required=False,
            high=30,
            rule="objects.2.5-status-note",
            columns=(Field("text", "What happened", longest=300),),
        ),
    )
    help_text = "Usually Good. If not, write down why, and what is broken."
    return [Section("status", title, fields, help_text, "objects.2.5-status-start")]


def _goals(table: Table, entity: Entity, title: str) -> list[Section]:
    """Step 6, for those who have a will (objects.2.6-goal, objects.2.6-objectives)."""
    fields = (
        Field(
            "sentient",
            "It has a will of its own",
            "tick",
            default=False,
            required=False,
            rule="objects.2.6-sentient-only",
        ),
        Field(
            "goal",
            "Goal",
            "story",
            default="",
            required=False,
            longest=2000,
            help="The one thing it lives for. The GM builds the campaign on it.",
            rule="objects.2.6-goal",
        ),
        Field(
            "objectives",
            "Objectives",
            "rows",
            default=[],
            required=False,
            high=60,
            rule="objects.2.6-objectives",
            columns=(
                Field("text", "Objective", longest=400),
                Field("done", "Reached", "tick", default=False, required=False),
            ),
        ),
        *_done(entity, "goals"),
    )
    help_text = "For whoever knows that it is there; a nation's goal is that of its people."
    return [Section("goals", title, fields, help_text, "objects.2.6-sentient-only")]


_MAKERS = {
    "concept": _concept,
    "story": _story,
    "talents": _talents,
    "signs": _signs,
    "status": _status,
    "goals": _goals,
}
