"""Everybody at a table of Toast: levels, perks, wounds; and what they bring to a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Choice, Part, Side, Track, kit, quoted
from kitchentable.rules.kit import (
    Being,
    Fact,
    Form,
    Input,
    Ruleset,
    Unknown,
    on_sheet,
    pick,
    state,
    text,
)
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Announced
from kitchentable.rulesets.toast.options import (
    NO_TRAIT,
    NONE,
    Options,
    Trait,
    capacity_key,
    find_trait,
    traits,
)

IMPORTANCE: dict[str, Any] = {rank["key"]: rank for rank in TABLES["importance"]}
PC = "pc"
AWAKE, UNCONSCIOUS, DEAD = "awake", "unconscious", "dead"
#: Down, and nobody has said yet whether they live (toast.7.3-npc-deadly).
FALLEN = "down"
_STATUS = {
    UNCONSCIOUS: ("Unconscious: needs first aid", "bad"),
    FALLEN: ("Down, fate undecided", "bad"),
    DEAD: ("Dead", "bad"),
}


@dataclass(frozen=True, slots=True)
class Perk:
    """A perk on a sheet: its words, what it covers, and the GM's verdict.

    `of_gear` marks a possession that is a perk.
    """

    text: str
    covers: str = ""
    verdict: str = "accepted"
    word: str = ""
    of_gear: bool = False


class Person(Being):
    """A character or one of the GM's people."""

    wounds = state(0)
    condition = state(AWAKE)
    grant = state(0)
    perk_gained = state(0)
    perk_rows: Fact[list[Any]] = on_sheet([], "perks")
    gear: Fact[list[Any]] = on_sheet([])

    @property
    def importance(self) -> str:
        """The class assigned last, or the one they were made with (toast.7.4-importance-story)."""
        said = self.entity.sheet.get("importance") or self.entity.kind
        return said if said in IMPORTANCE else PC

    @property
    def is_pc(self) -> bool:
        """Whether this is a player's character, as far as wounds and death go."""
        return self.importance == PC

    @property
    def is_hero(self) -> bool:
        """Whether a player plays this character: those learn (toast.8.2-players-only)."""
        return self.is_pc and self.is_players

    @property
    def is_awake(self) -> bool:
        """Whether they can act at all."""
        return self.condition == AWAKE

    @property
    def capacity(self) -> int:
        """How many wounds put them down (toast.7.3-capacity, toast.7.4-monster)."""
        own = self.entity.sheet.get("capacity")
        return int(own or Options(self.table.options)[capacity_key(self.importance)])

    @property
    def status(self) -> tuple[str, str]:
        """How they are, in words and a tone."""
        return _STATUS.get(self.condition, ("", "plain"))

    @property
    def track(self) -> Track:
        """Wounds as boxes."""
        taken, most = self.wounds, self.capacity
        said = f"{taken or 'no'} wound{'s' * (taken != 1)} of {most}"
        return Track("Wounds", taken, most, said)

    @property
    def is_known(self) -> bool:
        """Whether the levels are there; a player's table has none of a closed foe."""
        return isinstance(self.entity.sheet.get("traits"), Mapping)

    def level(self, trait: Trait) -> int:
        """The level of a trait; 0 for none. Errors: Unknown, for a closed foe's."""
        if not self.is_known:
            raise Unknown
        found = self.entity.sheet["traits"].get(trait.key, 0)
        return found if isinstance(found, int) else 0

    @property
    def perks(self) -> tuple[Perk, ...]:
        """Every perk on the sheet, possessions that are perks among them."""
        said: Any = self.entity.state.get("perks") or {}
        new = {"verdict": "proposed" if self.is_players and self.stage != "play" else "accepted"}
        rows = [(one.get("text") or "", one.get("covers") or "", False) for one in self.perk_rows]
        rows += [
            (o.get("item") or "", o.get("note") or "", True) for o in self.gear if o.get("perk")
        ]

        def perk(text: str, covers: str, of_gear: bool) -> Perk:
            mine = said.get(text) or new
            return Perk(
                text, covers, mine.get("verdict", "proposed"), mine.get("word", ""), of_gear
            )

        return tuple(perk(*row) for row in rows)

    def usable_perks(self) -> tuple[Perk, ...]:
        """Those that may be called on, powers of magic no less (toast.10-magic-perks)."""
        return tuple(perk for perk in self.perks if perk.verdict == "accepted")

    @property
    def used(self) -> dict[str, int]:
        """How often each trait was used with a perk this session (toast.8.2-note)."""
        every: Any = self.table.session.notes.get("uses") or {}
        return dict(every.get(self.id) or {})


toast: Ruleset[Person, Options] = Ruleset(Person, Options)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def present(at: Here) -> list[Person]:
    """Everybody in play who is not dead."""
    return [
        one
        for one in map(at.find, at.table.entities)
        if one and one.stage == "play" and one.condition != DEAD
    ]


def others(at: Here) -> list[Person]:
    """Everybody else who is alive and of whom the actor knows."""
    return [one for one in at.here() if one.id != at.actor.entity and one.condition != DEAD]


def awake(at: Here) -> str | None:
    """They can act."""
    return None if at.me.is_awake else f"{at.me.name} cannot act before somebody gives first aid."


def find(at: Here, word: Any) -> Trait:
    """The trait of that key or name; no trait where the list has none such."""
    return find_trait(at.table.options, word) or NONE


def role(at: Here, part: str) -> Trait:
    """The trait that plays a part in fights here (toast.3-list-combat-roles)."""
    answered: Any = at.table.own.get("roles") or {}
    for word in (at.options[f"role_{part}"], answered.get(part)):
        found = find_trait(at.table.options, word)
        if found or str(word).strip().casefold() == NO_TRAIT:
            return found or NONE
    return NONE


# ---------------------------------------------------------------- what a roll asks

Who = Callable[[Any], Person]
what = text("What do you do?", optional=True, longest=400)


def trait_choices(at: Here, one: Person | None = None, among: Any = None) -> Iterator[Choice]:
    """The table's traits, with somebody's levels where they may be seen."""
    for trait in traits(at.table.options) if among is None else among:
        shown = f" {one.level(trait)}" if one and one.is_known and trait is not NONE else ""
        name = "No trait: level 0" if trait is NONE else trait.name
        yield Choice(trait.key, f"{name}{shown}", trait.purpose)


def trait_of(
    who: Who = lambda at: at.me, label: Any = "Trait", *, among: Any = lambda at: None, **parts: Any
) -> Input[Trait]:
    """Which trait a roll is made on: proposed by who makes it, confirmed by the GM."""
    known = {"first": "default" not in parts, "needs_yes": True, "rule": "toast.5-trait-gm"}
    asked = pick(label, lambda at: trait_choices(at, who(at), among(at)), **{**known, **parts})
    return asked.read_as(find)


def perk_of(who: Who = lambda at: at.me, label: Any = "Perk", **parts: Any) -> Input[str]:
    """One perk or none: its owner's choice, which the GM may turn down (toast.4-perk-once)."""
    return pick(
        label,
        lambda at: [("", "No perk")]
        + [(one.text, f"{one.text}, +{PERK_BONUS}", one.covers) for one in who(at).usable_perks()],
        **{
            "default": "", "required": False, "needs_yes": True, "veto_only": True,
            "rule": "toast.5-perk-player", **parts,
        },
    )  # fmt: skip


# ---------------------------------------------------------------- what somebody brings to it


@dataclass(frozen=True)
class Effort:
    """Somebody's trait and perhaps a perk in a roll."""

    at: Here
    one: Person
    trait: Trait
    perk: str = ""

    @property
    def level(self) -> int:
        """The trait's level."""
        return self.one.level(self.trait)

    @property
    def numbers(self) -> tuple[int, bool]:
        """The level, and whether a perk helps."""
        return self.level, bool(self.perk)

    @property
    def bonus(self) -> int:
        """Level and perk together."""
        return self.level + (PERK_BONUS if self.perk else 0)

    def title(self, more: str = "") -> str:
        """What the card is called: "Perception, with “Good with rifles”"."""
        return f"{self.trait.name}{more}{f', with {quoted(self.perk)}' if self.perk else ''}"

    def note(self) -> None:
        """The trait is noted, whatever the die shows (toast.8.2-note, toast.8.2-players-only)."""
        on_list = find_trait(self.at.table.options, self.trait.key) is not None
        if self.perk and on_list and self.one.is_hero and self.at.table.session.phase != "none":
            path = ("session", "notes", "uses", self.one.id, self.trait.key)
            self.at.write(path, self.one.used.get(self.trait.key, 0) + 1)

    def side(self, label: str, number: int | None, word: str = "", *first: Part) -> Side:
        """Their side of the card, in parts where there is a number."""
        perk = (Part(f"perk: {self.perk}", PERK_BONUS),) if self.perk else ()
        parts = (*first, Part(self.trait.name, self.level), *perk)
        audience = self.one.number_audience
        return Side(
            self.one.name, label, parts if number is not None else (), number, word, audience
        )

    def fell(self, label: str, announced: Announced, *, note: bool = True) -> None:
        """The die has fallen: a total, or a flub or a kick."""
        if note:
            self.note()
        number = announced if isinstance(announced, int) else None
        word = "" if isinstance(announced, int) else announced.value
        self.at.sides.append(self.side(label, number, word))
