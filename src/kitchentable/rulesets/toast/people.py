"""The characters of Toast: levels, perks, wounds, and their parts in rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Choice, Part, Side, Track, kit, plural, quoted, whole
from kitchentable.rules.kit import (
    Being,
    Fact,
    Form,
    Input,
    Problems,
    Values,
    on_sheet,
    pick,
    state,
    text,
)
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.verdicts import Verdicts
from kitchentable.rules.values import record
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Announced, shown
from kitchentable.rulesets.toast.options import (
    BOOK,
    NO_TRAIT,
    NONE,
    Options,
    Trait,
    capacity_key,
    problem,
)

IMPORTANCE = BOOK.by_key("importance")
PC = "pc"
AWAKE, UNCONSCIOUS, DEAD = "awake", "unconscious", "dead"
#: Down, without a decision about life or death (toast.7.3-npc-deadly).
FALLEN = "down"
CONDITIONS = BOOK.by_key("condition")
#: The GM gets a warning above this number of wounds (toast.7.4-monster-caution).
MANY_WOUNDS = 4
#: The number of perks of a starting character (toast.4-perk-creation).
PERKS_AT_FIRST = 5
#: The GM's verdict on each perk (toast.4-perk-gm-final).
VERDICTS = Verdicts("perks", "accepted")


@record
class Perk:
    """A perk on a sheet: words, scope and the GM's verdict.

    `of_gear` marks a possession that is also a perk.
    """

    text: str
    covers: str = ""
    verdict: str = "accepted"
    word: str = ""
    of_gear: bool = False


class Person(Being):
    """A player's or the GM's character."""

    at: AnyAt | None
    wounds = state(0)
    condition = state(AWAKE)
    grant = state(0)
    perk_gained = state(0)
    perk_rows: Fact[list[Any]] = on_sheet([], "perks")
    gear: Fact[list[Any]] = on_sheet([])

    @property
    def options(self) -> Options:
        """The options of the table."""
        return Options(self.table.options)

    @property
    def importance(self) -> str:
        """The class assigned last, at first from the sheet (toast.7.4-importance-story).

        Players' characters keep their own class, whatever the sheet says.
        """
        said = self.sheet.get("importance") or self.entity.kind
        return said if self.entity.kind != PC and said in IMPORTANCE else PC

    @property
    def is_pc(self) -> bool:
        """Whether the rules of wounds and death for players' characters apply."""
        return self.importance == PC

    @property
    def is_hero(self) -> bool:
        """Whether a player plays this character and so can advance it (toast.8.2-players-only)."""
        return self.is_pc and self.is_players

    @property
    def is_dead(self) -> bool:
        """Whether the character is dead."""
        return self.condition == DEAD

    @property
    def is_awake(self) -> bool:
        """Whether the character can act."""
        return self.condition == AWAKE

    @property
    def capacity(self) -> int:
        """The number of wounds that brings the character down.

        toast.7.3-capacity, toast.7.4-monster.
        """
        return self.capacity_by(self.table.options)

    def capacity_by(self, options: Values) -> int:
        """The number of wounds that brings the character down, under these options."""
        own = self.sheet.get("capacity")
        return int(own or Options(options)[capacity_key(self.importance)])

    @property
    def status(self) -> tuple[str, str]:
        """The condition in words, with a tone."""
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
        """Whether the levels are visible; a player's table has none of a closed foe."""
        return self.sheet.get("traits") is not None

    @property
    def levels(self) -> Mapping[str, Any]:
        """The levels by trait key; empty if hidden."""
        found: Mapping[str, Any] = self.sheet.get("traits") or {}
        return found

    def level(self, trait: Trait) -> int:
        """The level of a trait, or 0. Errors: Unknown for a closed foe."""
        self.check_known()
        return whole(self.levels.get(trait.key))

    @property
    def former(self) -> Mapping[str, int]:
        """The stored levels of removed traits.

        Unfinished sheets have no state in play, so they store these levels themselves.
        """
        built: Any = self.sheet.get("former") or {}
        played: Any = self.entity.state.get("former") or {}
        return {**built, **played}

    def aside(self, key: str) -> tuple[str, ...]:
        """The path of a removed trait's stored level."""
        part = "state" if self.stage == "play" else "sheet"
        for known, facts in (("state", self.entity.state), ("sheet", self.sheet)):
            if key in (facts.get("former") or {}):
                part = known
                break
        return (part, "former", key)

    @property
    def perks(self) -> tuple[Perk, ...]:
        """All perks on the sheet, including possessions that are perks."""
        rows = [(one.get("text") or "", one.get("covers") or "", False) for one in self.perk_rows]
        things = [one for one in self.gear if one.get("perk")]
        rows += [(one.get("item") or "", one.get("note") or "", True) for one in things]
        return tuple(
            Perk(text, covers, **VERDICTS.said(self, text), of_gear=of_gear)
            for text, covers, of_gear in rows
        )

    def usable_perks(self) -> tuple[Perk, ...]:
        """The perks that may be used, including powers of magic (toast.10-magic-perks)."""
        return tuple(perk for perk in self.perks if perk.verdict == "accepted")

    @property
    def noted(self) -> dict[str, int]:
        """The number of uses of each trait in this session, including removed traits."""
        every: Any = self.table.session.notes.get("uses") or {}
        return dict(every.get(self.id) or {})

    @property
    def used(self) -> dict[str, int]:
        """The number of uses of each trait on the list (toast.8.2-note, toast.3-same-list)."""
        keys = {one.key for one in self.options.traits}
        return {key: times for key, times in self.noted.items() if key in keys}


toast = BOOK.ruleset(Person, Options)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]


def opponents(at: Here) -> list[Person]:
    """All others who are visible to the actor and can act."""
    return [one for one in at.others() if one.is_awake]


def awake(at: Here) -> str | None:
    """Refuse a move of a character who cannot act."""
    return None if at.me.is_awake else f"{at.me.name} cannot act before somebody gives first aid."


def find(at: Here, word: Any) -> Trait:
    """The trait with this key or name; `NONE` if the list has none."""
    return at.options.traits.find(word) or NONE


def role(at: Here, part: str) -> Trait:
    """The trait for a role in fights at this table (toast.3-list-combat-roles)."""
    return at.for_page(f"role {part}", lambda: player_of(at, part) or NONE)


def player_of(at: Here, part: str) -> Trait | None:
    """The trait for a role, by option or the GM's answer; None before either."""
    answered: Any = at.table.own.get("roles") or {}
    for word in (at.options[f"role_{part}"], answered.get(part)):
        found = at.options.traits.find(word)
        if found or str(word or "").strip().casefold() == NO_TRAIT:
            return found or NONE
    return None


def classes(options: Options) -> tuple[Choice, ...]:
    """The classes of importance of NPCs, each with its wounds at this table."""
    return tuple(
        Choice(
            key,
            f"{rank['name']}, {plural(options[capacity_key(key)], 'wound')}",
            f"Importance: {rank['rank'].lower()}.",
        )
        for key, rank in IMPORTANCE.items()
        if key != PC
    )


def many_wounds(capacity: Any) -> Problems:
    """A warning about a capacity that makes fights long (toast.7.4-monster-caution)."""
    if whole(capacity) > MANY_WOUNDS:
        yield problem("many-wounds", wounds=capacity)


# ---------------------------------------------------------------- questions of a roll

Who = Callable[[Any], Person]
what = text("What do you do?", optional=True, longest=400)


def trait_choices(one: Person | None, among: Iterable[Trait]) -> tuple[Choice, ...]:
    """Traits to choose from, with the character's levels if visible."""
    levels = one.levels if one and one.is_known else None
    return tuple(
        Choice(
            trait.key,
            "No trait: level 0"
            if trait.key == NO_TRAIT
            else trait.name
            if levels is None
            else f"{trait.name} {whole(levels.get(trait.key))}",
            trait.purpose,
        )
        for trait in among
    )


def trait_of(
    who: Who = lambda at: at.me,
    label: Any = "Trait",
    *,
    among: Callable[[Any], Iterable[Trait]] = lambda at: at.options.traits,
    **parts: Any,
) -> Input[Trait]:
    """The trait of a roll: proposed by the roller, confirmed by the GM."""
    known = {"first": "default" not in parts, "needs_yes": True, "rule": "toast.5-trait-gm"}
    asked = pick(label, lambda at: trait_choices(who(at), among(at)), **{**known, **parts})
    return asked.read_as(find)


def perk_of(who: Who = lambda at: at.me, label: Any = "Perk", **parts: Any) -> Input[str]:
    """A question for one perk or none: the owner's choice, which the GM may refuse.

    toast.4-perk-once.
    """
    known = {"default": "", "required": False, "needs_yes": True, "veto_only": True}
    return pick(
        label, lambda at: _perks(who(at)), **{"rule": "toast.5-perk-player", **known, **parts}
    )


def _perks(one: Person) -> tuple[Choice, ...]:
    """The choices of a perk: none, and the usable ones."""
    usable = one.usable_perks()
    each = (Choice(perk.text, f"{perk.text}, +{PERK_BONUS}", perk.covers) for perk in usable)
    return (Choice("", "No perk"), *each)


# ---------------------------------------------------------------- contributions to a roll


@record
class Effort:
    """A character's trait in a roll, possibly with a perk."""

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
        """The sum of level and perk."""
        return self.level + (PERK_BONUS if self.perk else 0)

    def title(self, more: str = "") -> str:
        """The title of the card: "Perception, with “Good with rifles”"."""
        name = "No trait" if self.trait == NONE else self.trait.name
        return f"{name}{more}{f', with {quoted(self.perk)}' if self.perk else ''}"

    def note(self) -> None:
        """Note the trait as used, whatever the result (toast.8.2-note, toast.8.2-players-only)."""
        on_list = self.at.options.traits.find(self.trait.key) is not None
        if self.perk and on_list and self.one.is_hero and self.at.table.session.phase != "none":
            path = ("session", "notes", "uses", self.one.id, self.trait.key)
            self.at.write(path, self.one.used.get(self.trait.key, 0) + 1)

    def side(self, label: str, number: int | None, word: str = "", *first: Part) -> Side:
        """The character's side of the card, in parts if there is a number."""
        perk = (Part(f"perk: {self.perk}", PERK_BONUS),) if self.perk else ()
        parts = (*first, Part(self.trait.name, self.level), *perk)
        audience = self.one.number_audience
        return Side(
            self.one.name, label, parts if number is not None else (), number, word, audience
        )

    def fell(self, label: str, announced: Announced, *, note: bool = True) -> None:
        """Show the result: a total, a flub or a kick."""
        if note:
            self.note()
        self.at.sides.append(self.side(label, *shown(announced)))
