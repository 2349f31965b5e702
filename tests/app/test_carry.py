"""Carrying characters over: chances kept, points kept to, and the order of traits with them."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from kitchentable.app.carry import Wishes, carry, carry_at_once
from kitchentable.app.carry_sides import CannotCarry, Side, side_of
from kitchentable.app.characters import (
    CharacterFile,
    NoCharacter,
    file_of,
    read_character,
    write_character,
)
from kitchentable.rules import registry
from kitchentable.rules.folders import read_folder
from kitchentable.rules.game import Game

FOLDERS = {
    "tin_saints": "karma",
    "saltwick": "playbooks",
    "ember": "number",
    "white_pass": "pushing",
}


def game(name: str) -> Game:
    """An installed game, or one of the examples in files."""
    return read_folder(Path("examples") / FOLDERS[name]) if name in FOLDERS else registry.load(name)


def side(name: str, **options) -> Side:
    """A game by the book, with its first kind of players' characters."""
    found = game(name)
    one = Side(found, found.defaults() | options, "")
    kinds = found.sheet.kinds(one.table)
    return replace(one, kind=next(kind.key for kind in kinds if kind.made_by == "player"))


def toast(options=(), **levels: int) -> CharacterFile:
    """A character of Toast with these levels."""
    here = side("toast", **dict(options))
    sheet = here.draft().sheet
    one = here.draft({**sheet, "traits": {**sheet["traits"], **levels}, "about": "Tall."})
    return file_of(here.game, here.table, replace(one, name="Ida", line="Ferryhand"))


def carried(told: CharacterFile, to: Side, wishes: Wishes | None = None):
    return carry_at_once(carry(told, side_of(told, game), to, wishes or Wishes()))


def test_each_trait_gets_the_level_with_the_nearest_chance():
    found = carried(toast(strength=6, health=4, willpower=9, aim=3), side("lucky_stars"))
    told = {m.spot.label: (m.trait.key, m.before, m.level, m.after) for m in found.matches}
    assert {label: one[:3] for label, one in told.items()} == {
        "Strength": ("strength", Fraction(7, 12), 5),
        "Fort": ("health", Fraction(5, 12), 3),
        "Will": ("willpower", Fraction(5, 6), 7),
    }
    lab = game("lucky_stars")
    check = lab.rolls["task"]
    for _, before, level, after in told.values():
        chances = [
            sum(
                chance
                for word, chance in check.solve(
                    check.arguments(lab.defaults(), stat=stat, target=12)
                ).items()
                if "failure" not in check.sums_up(word)
            )
            for stat in range(-5, 11)
        ]
        assert after == chances[level + 5]
        assert abs(after - before) == min(abs(one - before) for one in chances)
    assert found.answers["about"] == "Tall."
    assert found.rolls[1] == "Decision roll, Target: 12 Challenging task"
    assert ("aim", Fraction(1, 3)) in [(trait.key, chance) for trait, chance in found.left]


def test_points_that_do_not_suffice_keep_the_order_and_are_told():
    strong = dict.fromkeys(("strength", "dexterity", "knowing", "social"), 9) | {"strength": 7}
    found = carried(toast(**strong), side("toaster"))
    told = {m.spot.label: m for m in found.matches}
    names = ("Physique", "Coordination", "Intellect", "Aura")
    assert sum(told[name].level for name in names) == 20
    assert told["Physique"].level <= min(told[name].level for name in names[1:])
    assert all(told[name].level < told[name].wanted for name in names)
    assert "Lowered because there are not enough points: Physique" in found.notes[0]
    # Each loses about as much as the others.
    lost = [told[name].difference for name in names]
    assert max(lost) - min(lost) <= Fraction(1, 5)


def test_a_trait_without_a_place_keeps_its_name_where_a_sheet_lists_any():
    found = carried(toast(aesthetics=9), side("objects"))
    row = next(row for row in found.answers["talents"] if row["name"] == "Aesthetics")
    assert row["level"] == 4
    assert found.answers["concept"] == "Ferryhand"
    wished = Wishes({"basic.handy": "aesthetics", "talents:aim": ""}, {"basic.handy": 99})
    found = carried(toast(aesthetics=9), side("objects"), wished)
    assert found.answers["basic.handy"] == 6
    names = [row["name"] for row in found.answers["talents"]]
    assert {"Aim", "Aesthetics"}.isdisjoint(names)


def test_options_of_a_table_go_with_the_character():
    rows = [{"id": "magic", "name": "Magic", "purpose": "", "magic": True}]
    told = read_character(write_character(toast({"traits": rows, "medium": 6}, magic=5)))
    [match] = [one for one in carried(told, side("objects")).matches if one.trait]
    assert (match.trait.label, match.before) == ("Magic", Fraction(11, 12))
    assert b"options" not in write_character(toast(aim=3))
    with pytest.raises(NoCharacter, match="are not valid"):
        side_of(replace_options(told, {"medium": "x"}), game)
    with pytest.raises(NoCharacter, match="kind of character"):
        side_of(replace_options(told, {}, kind="dragon"), game)


def replace_options(told: CharacterFile, options, kind="pc") -> CharacterFile:
    return CharacterFile(
        told.form, told.game, told.version, kind, told.name, told.answers, "", options
    )


def test_a_character_of_too_many_traits_is_refused(monkeypatch):
    monkeypatch.setattr("kitchentable.app.carry.MOST_TRAITS", 12)
    with pytest.raises(CannotCarry, match="Ida has 13 traits, but at most 12"):
        carried(toast(aim=3), side("objects"))


def test_words_are_carried_whole_or_left_behind_by_name():
    here = side("toast")
    perks = [{"name": f"Perk {place}", "covers": "c" * 300} for place in range(3)]
    for length, left in ((7_000, ""), (7_990, "Perks")):
        told = here.draft({**here.draft().sheet, "about": "a" * length, "perks": perks})
        found = carried(file_of(here.game, here.table, replace(told, name="Ida")), side("toaster"))
        assert found.sheet["about"].startswith("a" * length)
        assert ("Perk 2" in found.sheet["about"]) is not bool(left)
        behind = [note for note in found.notes if note.startswith("Left out")]
        room = "Left out because the new sheet has no place for it: "
        assert behind == ([f"{room}{left}."] if left else [])


def test_a_duel_is_matched_by_the_traits_that_count_in_it():
    one = toast(**dict.fromkeys(("attack", "defense", "initiative"), 9), aim=3)
    to = side("objects")
    plain = carried(one, to, Wishes(duel="compare"))
    duel = carried(one, to, Wishes(duel="match"))
    assert plain.duels[0] == duel.duels[0]
    assert abs(duel.duels[1] - duel.duels[0]) < abs(plain.duels[1] - plain.duels[0])
    level = {m.spot.label: m.level for m in duel.matches}
    assert level["Aim"] == next(m.level for m in plain.matches if m.spot.label == "Aim")


def test_every_game_carries_over_or_says_why_not():
    told = toast(aim=6, strength=4)
    for name in (
        "toaster",
        "lucky_stars",
        "tin_saints",
        "objects",
        "saltwick",
        "lanterns",
        "toast",
    ):
        to = side(name)
        found = carried(told, to)
        assert any(match.trait for match in found.matches), name
        draft = replace(to.draft(found.sheet), name="Ida", line="Ferryhand")
        told = read_character(write_character(file_of(to.game, to.table, draft)))
    for name in ("ember", "white_pass"):
        with pytest.raises(CannotCarry, match="starts a roll"):
            carried(told, side(name))
