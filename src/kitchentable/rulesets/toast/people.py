"""Everybody at a table of Toast: levels, perks, wounds; and what they bring to a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Choice, Part, Side, Track, kit, quoted, whole
from kitchentable.rules.kit import (
    Being,
    Fact,
    Form,
    Input,
    Row,
    Ruleset,
    Unknown,
    on_sheet,
    pick,
    state,
    text,
)
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Announced
from kitchentable.rulesets.toast.options import (
    BOOK,
    NO_TRAIT,
    NONE,
    Options,
    Trait,
    capacity_key,
    find_trait,
    traits,
)

IMPORTANCE = BOOK.by_key("importance")
PC = "pc"
AWAKE, UNCONSCIOUS, DEAD = "awake", "unconscious", "dead"
#: Down, and nobody has said yet whether they live (toast.7.3-npc-deadly).
FALLEN = "down"
CONDITIONS = BOOK.by_key("condition")
#: Above this many wounds the GM is asked to be sparing (toast.7.4-monster-caution).
MANY_WOUNDS = 4
#: Perks a character can start with (toast.4-perk-creation).
PERKS_AT_FIRST = 5


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
    verdicts: Fact[Row] = state({}, "perks")
    perk_rows: Fact[list[Any]] = on_sheet([], "perks")
    gear: Fact[list[Any]] = on_sheet([])

    @property
    def importance(self) -> str:
        """The class assigned last, or the one they were made with (toast.7.4-importance-story).

        A player's character keeps its own, whatever stands on the sheet.
        """
        said = self.entity.sheet.get("importance") or self.entity.kind
        return said if self.entity.kind != PC and said in IMPORTANCE else PC

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
        row: Any = CONDITIONS.get(self.condition, CONDITIONS[AWAKE])
        if not self.is_known and self.wounds and not row["words"]:
            return "wounded", "bad"
        return row["words"], row["tone"]

    @property
    def track(self) -> Track:
        """Wounds as boxes."""
        taken, most = self.wounds, self.capacity
        return Track("Wounds", taken, most, f"{taken}/{most} wounds")

    @property
    def is_known(self) -> bool:
        """Whether the levels are there; a player's table has none of a closed foe."""
        return self.entity.sheet.get("traits") is not None

    @property
    def levels(self) -> Mapping[str, Any]:
        """The levels by the key of their trait; none where they are not known."""
        found: Mapping[str, Any] = self.entity.sheet.get("traits") or {}
        return found

    def level(self, trait: Trait) -> int:
        """The level of a trait; 0 for none. Errors: Unknown, for a closed foe's."""
        if not self.is_known:
            raise Unknown(f"{self.name}'s numbers are the GM's.")
        return whole(self.levels.get(trait.key))

    @property
    def former(self) -> Mapping[str, int]:
        """The levels that are kept aside since their traits were struck out.

        An unfinished sheet has nothing of play yet, and keeps them on itself.
        """
        built: Any = self.entity.sheet.get("former") or {}
        played: Any = self.entity.state.get("former") or {}
        return {**built, **played}

    def aside(self, key: str) -> tuple[str, ...]:
        """Where on somebody a level is kept aside, or is to be."""
        part = "state" if self.stage == "play" else "sheet"
        for known, facts in (("state", self.entity.state), ("sheet", self.entity.sheet)):
            if key in (facts.get("former") or {}):
                part = known
                break
        return (part, "former", key)

    @property
    def perks(self) -> tuple[Perk, ...]:
        """Every perk on the sheet, possessions that are perks among them."""
        new = {"verdict": "proposed" if self.is_players and self.stage != "play" else "accepted"}
        rows = [(one.get("text") or "", one.get("covers") or "", False) for one in self.perk_rows]
        things = [one for one in self.gear if one.get("perk")]
        rows += [(one.get("item") or "", one.get("note") or "", True) for one in things]
        return tuple(
            Perk(
                text, covers, said.get("verdict", "proposed"), said.get("word", ""), of_gear=of_gear
            )
            for text, covers, of_gear in rows
            for said in (self.verdicts.get(text) or new,)
        )

    def usable_perks(self) -> tuple[Perk, ...]:
        """Those that may be called on, powers of magic no less (toast.10-magic-perks)."""
        return tuple(perk for perk in self.perks if perk.verdict == "accepted")

    @property
    def used(self) -> dict[str, int]:
        """How often each trait was used with a perk this session (toast.8.2-note)."""
        every: Any = self.table.session.notes.get("uses") or {}
        return dict(every.get(self.id) or {})


toast: Ruleset[Person, Options] = Ruleset(Person, Options, BOOK.by_key("move"), BOOK.by_key("card"))
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def present(at: Here) -> list[Person]:
    """Everybody in play who is not dead."""
    people = [at.find(one.id) for one in at.table.in_play()]
    return [one for one in people if one is not None and one.condition != DEAD]


def the_traits(at: Here) -> tuple[Trait, ...]:
    """The table's list of traits."""
    return at.for_page("traits", lambda: traits(at.table.options))


def others(at: Here) -> list[Person]:
    """Everybody else who is alive and of whom the actor knows."""
    return [one for one in at.others() if one.condition != DEAD]


def awake(at: Here) -> str | None:
    """They can act."""
    return None if at.me.is_awake else f"{at.me.name} cannot act before somebody gives first aid."


def find(at: Here, word: Any) -> Trait:
    """The trait of that key or name; no trait where the list has none such."""
    return find_trait(at.table.options, word) or NONE


def role(at: Here, part: str) -> Trait:
    """The trait that plays a part in fights here (toast.3-list-combat-roles)."""
    return at.for_page(f"role {part}", lambda: player_of(at, part) or NONE)


def player_of(at: Here, part: str) -> Trait | None:
    """The trait that plays a part: by the option, or as was said; None while nobody has."""
    answered: Any = at.table.own.get("roles") or {}
    for word in (at.options[f"role_{part}"], answered.get(part)):
        found = find_trait(at.table.options, word)
        if found or str(word or "").strip().casefold() == NO_TRAIT:
            return found or NONE
    return None


# ---------------------------------------------------------------- what a roll asks

Who = Callable[[Any], Person]
what = text("What do you do?", optional=True, longest=400)


def trait_choices(at: Here, one: Person | None = None, among: Any = None) -> tuple[Choice, ...]:
    """The table's traits, or those `among` them, with somebody's levels where they may be seen."""
    if among is None:
        return at.for_page(
            f"traits of {one.id if one else None}", lambda: _choices(one, the_traits(at))
        )
    return _choices(one, among)


def _choices(one: Person | None, among: Iterable[Trait]) -> tuple[Choice, ...]:
    levels = one.levels if one and one.is_known else None
    return tuple(
        Choice(
            trait.key,
            "No trait: level 0"
            if trait == NONE
            else trait.name
            if levels is None
            else f"{trait.name} {whole(levels.get(trait.key))}",
            trait.purpose,
        )
        for trait in among
    )


def trait_of(
    who: Who = lambda at: at.me, label: Any = "Trait", *, among: Any = lambda at: None, **parts: Any
) -> Input[Trait]:
    """Which trait a roll is made on: proposed by who makes it, confirmed by the GM."""
    known = {"first": "default" not in parts, "needs_yes": True, "rule": "toast.5-trait-gm"}
    asked = pick(label, lambda at: trait_choices(at, who(at), among(at)), **{**known, **parts})
    return asked.read_as(find)


def perk_of(who: Who = lambda at: at.me, label: Any = "Perk", **parts: Any) -> Input[str]:
    """One perk or none: its owner's choice, which the GM may turn down (toast.4-perk-once)."""
    known = {"default": "", "required": False, "needs_yes": True, "veto_only": True}
    return pick(
        label, lambda at: _perks(at, who(at)), **{"rule": "toast.5-perk-player", **known, **parts}
    )


def _perks(at: Here, one: Person) -> tuple[Choice, ...]:
    """Somebody's usable perks to pick from, and none."""
    return at.for_page(
        f"perks of {one.id}",
        lambda: (
            Choice("", "No perk"),
            *(Choice(p.text, f"{p.text}, +{PERK_BONUS}", p.covers) for p in one.usable_perks()),
        ),
    )


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
