"""Creation: six steps in order, problems that refuse a sheet, and warnings."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.objects.builder import STEPS, sentences
from kitchentable.rulesets.objects.thing import TALENT_WORDS, Talent
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import STORY, draft, evening, save, sheet, thing, told

rule = pytest.mark.rule


def steps(one, ident):
    """The keys of the parts that the builder shows."""
    return [part.key for part in one.game.sheet.sections(one.table, one.entity(ident))]


@rule("objects.1-any-object", "objects.2-pc-object")
def test_a_person_a_ship_and_a_religion_have_the_same_sheet_and_the_same_roll():
    one = evening()
    made = [
        thing(one, "ana", "person", "Vell", {"captain of small ships": 4}),
        thing(one, "ben", "vehicle", "The Heron", {"captain of small ships": 4}),
        thing(one, "gm", "idea", "The Flame", {"captain of small ships": 4}),
    ]
    keys = {tuple(one.entity(ident).sheet) for ident in made}
    assert len(keys) == 1
    assert len({tuple(steps(one, ident)[-3:]) for ident in made}) == 1
    owners = [one.entity(ident).owner for ident in made]
    assert owners == ["ana", "ben", "gm"]
    for ident, seat in zip(made, ("ana", "ben", GM), strict=True):
        answers = {"stakes": "Does it hold?", "talent": "captain of small ships"}
        card = one.roll(seat, "test", ident, (3, 5), **answers)
        assert card["outcome"] == "marginal"
    assert {kind.made_by for kind in one.game.sheet.kinds(one.table)} == {"player"}


@rule("objects.2-order")
def test_the_steps_open_one_after_the_other():
    one = evening()
    vell = draft(one)
    assert [step.key for step in STEPS] == [
        "concept",
        "story",
        "talents",
        "signs",
        "status",
        "goals",
    ]
    assert steps(one, vell) == ["concept"]
    with pytest.raises(BadAnswers, match="There is no field called 'story'"):
        save(one, vell, story="Too early.")
    assert one.entity(vell).sheet["story"] == ""
    save(one, vell, concept="Captain")
    assert steps(one, vell) == ["concept", "story"]
    save(one, vell, story=STORY)
    assert steps(one, vell) == ["concept", "story", "basic", "talents"]
    save(one, vell, basic__agile=3)
    assert steps(one, vell)[-1] == "signs"
    save(one, vell, done__signs=True)
    assert steps(one, vell)[-2:] == ["status", "goals"]
    save(one, vell, concept="Captain of a ferry")
    assert one.entity(vell).sheet["concept"] == "Captain of a ferry"


@rule("objects.2-order")
def test_a_step_that_is_neither_filled_nor_waved_through_holds_the_sheet_back():
    one = evening()
    vell = draft(one)
    save(one, vell, concept="Captain")
    save(one, vell, story=STORY)
    with pytest.raises(BadAnswers, match="Step 3, Talents, is open"):
        one.do("ana", c.SubmitSheet, entity=vell)
    save(one, vell, done__talents=True)
    with pytest.raises(BadAnswers, match="Step 4, Signs, is open"):
        one.do("ana", c.SubmitSheet, entity=vell)
    save(one, vell, signs=[{"text": "Always wet"}])
    with pytest.raises(BadAnswers, match="Step 6, Goal and objectives, is open"):
        one.do("ana", c.SubmitSheet, entity=vell)
    save(one, vell, goal="To be dry")
    one.do("ana", c.SubmitSheet, entity=vell)
    assert one.entity(vell).stage == "submitted"


def test_a_table_may_open_all_steps_at_once():
    one = evening(steps_in_order=False)
    assert steps(one, draft(one))[-1] == "goals"


@rule("objects.2.1-concept")
def test_a_concept_is_required():
    one = evening()
    vell = draft(one)
    assert "objects.2.1-concept" in told(one, vell, refuses=True)
    save(one, vell, concept="Captain")
    assert "objects.2.1-concept" not in told(one, vell, refuses=True)


@rule("objects.2.2-story")
def test_an_empty_story_is_refused_a_short_one_warned_about_and_none_too_long():
    one = evening()
    vell = draft(one)
    save(one, vell, concept="Captain")
    assert "objects.2.2-story" in told(one, vell, refuses=True)
    save(one, vell, story="Born at sea.")
    assert "objects.2.2-story" in told(one, vell, refuses=False)
    save(one, vell, story=STORY * 800)
    assert "objects.2.2-story" not in told(one, vell, refuses=False)
    assert len(one.entity(vell).sheet["story"]) > 30_000
    assert sentences("Wet... cold! Tired? Yes") == 4


def test_how_short_a_story_may_be_is_the_tables():
    one = evening(story_sentences=5)
    vell = draft(one)
    save(one, vell, concept="Captain")
    save(one, vell, story=STORY)
    assert "objects.2.2-story" in told(one, vell, refuses=False)


@rule("objects.2.2-story-discuss")
def test_the_gm_says_what_suits_and_looks_at_every_sheet():
    one = evening(suitable="People of the coast.")
    vell = draft(one)
    concept = one.game.sheet.sections(one.table, one.entity(vell))[0]
    assert "People of the coast." in concept.help
    thinking = {"concept": "Captain", "story": STORY, "done.talents": True}
    for name, value in thinking.items():
        one.do("ana", c.SaveSheet, entity=vell, raw={name: value})
    save(one, vell, done__signs=True)
    save(one, vell, done__goals=True)
    one.do("ana", c.SubmitSheet, entity=vell)
    assert one.ask("agree").to == ("gm",)
    assert "objects.2.2-story-discuss" in one.ask("agree").rules
    one.do(GM, c.DecideSheet, entity=vell, accept=False, reason="Why the sea?")
    assert one.entity(vell).stage == "draft"


# ---------------------------------------------------------------- talents


@rule("objects.2.3-talent")
def test_a_talent_has_a_whole_level_from_0_to_6():
    one = evening()
    good = sheet(one, "thing", {"cuts": 4})
    one.do(GM, c.MakeEntity, kind="thing", name="Blade", sheet=good)
    for wrong in (7, -1, 2.5, "high", True, None):
        bad = {**good, "talents": [{"name": "cuts", "level": wrong, "object": ""}]}
        with pytest.raises(BadAnswers, match="a whole level from 0 to 6"):
            one.do(GM, c.MakeEntity, kind="thing", name="Blade", sheet=bad)
    for rows in ([{"name": "", "level": 3}], [{"name": "cuts", "level": 3}] * 2, None):
        with pytest.raises(BadAnswers):
            one.do(GM, c.MakeEntity, kind="thing", name="B", sheet={**good, "talents": rows})


def test_the_form_refuses_such_levels_too():
    one = evening(steps_in_order=False)
    vell = draft(one)
    for wrong in ("7", "-1", "2.5"):
        rows = [{"name": "cuts", "level": wrong}]
        with pytest.raises(BadAnswers):
            save(one, vell, talents=rows)


SCALE = {
    0: ("Not at all", "objects.2.3-scale-0"),
    1: ("Not very", "objects.2.3-scale-1"),
    2: ("Somewhat", "objects.2.3-scale-2"),
    3: ("Moderately", "objects.2.3-scale-3"),
    4: ("Fairly", "objects.2.3-scale-4"),
    5: ("Very", "objects.2.3-scale-5"),
    6: ("Extremely", "objects.2.3-scale-6"),
}


@pytest.mark.parametrize(
    "level", [pytest.param(level, marks=rule(row)) for level, (_, row) in SCALE.items()]
)
def test_every_level_has_its_word(level):
    word, rule_id = SCALE[level]
    one = evening()
    vell = thing(one, "ana", "person", talents={"agile": level, "handy with ropes": level})
    numbers = one.game.sheet.summary(one.table, one.entity(vell)).numbers
    shown = {number.key: (number.label, number.value) for number in numbers}
    assert shown["handy with ropes"] == (f"{word} handy with ropes", level)
    assert shown["Agile"] == (f"{word} agile", level)
    assert TALENT_WORDS[level] == word
    assert one.game.rulebook[rule_id].title == f"{level}: {word}"
    assert Talent("wet", level).phrase == f"{word} wet ({level})"


@rule("objects.2.3-no-budget")
def test_nothing_is_counted():
    one = evening(steps_in_order=False)
    parts = one.game.sheet.sections(one.table, one.entity(draft(one)))
    assert [part.budget for part in parts] == [None] * len(parts)


@rule(
    "objects.2.3-bt-agile",
    "objects.2.3-bt-dangerous",
    "objects.2.3-bt-disciplined",
    "objects.2.3-bt-handy",
    "objects.2.3-bt-influential",
    "objects.2.3-bt-witty",
    "objects.2.3-bt-tough",
)
def test_people_have_the_seven_proposed_talents_each_with_its_hint():
    one = evening(steps_in_order=False)
    vell = draft(one)
    (basic,) = (p for p in one.game.sheet.sections(one.table, one.entity(vell)) if p.key == "basic")
    names = [field.label for field in basic.fields]
    assert names == ["Agile", "Dangerous", "Disciplined", "Handy", "Influential", "Witty", "Tough"]
    assert all(field.help for field in basic.fields)
    assert [field.rule for field in basic.fields] == [
        f"objects.2.3-bt-{name.casefold()}" for name in names
    ]


@rule("objects.2.3-basic-talents")
def test_every_object_of_a_type_has_its_basic_talents():
    rows = [
        {"type": "person", "talent": "Agile", "hint": ""},
        {"type": "Aeroplane", "talent": "Flight range", "hint": "In miles."},
    ]
    kinds = [{"name": "Person", "sentient": True}, {"name": "Aeroplane"}]
    one = evening(basic_talents=rows, types=kinds)
    assert [kind.key for kind in one.game.sheet.kinds(one.table)] == ["person", "aeroplane"]
    first, second = draft(one, "aeroplane"), draft(one, "aeroplane", name="Two")
    assert one.entity(first).sheet["basic"] == one.entity(second).sheet["basic"]
    assert one.entity(first).sheet["basic"] == {"flight-range": 0}
    assert one.entity(draft(one, "person")).sheet["basic"] == {"agile": 0}


@rule("objects.2.3-basic-talents")
def test_basic_talents_are_locked_once_play_has_begun():
    one = evening()
    vell = thing(one, "ana", talents={"agile": 3, "sails": 2})
    one.do(GM, c.DecideSheet, entity=vell, accept=False, reason="The talents once more, please.")
    save(one, vell, basic__agile=6, talents=[{"name": "sails", "level": 4}])
    assert one.entity(vell).sheet["basic"]["agile"] == 3
    assert one.entity(vell).sheet["talents"][0]["level"] == 4
    one.do("ana", c.SubmitSheet, entity=vell)
    one.do(GM, c.DecideSheet, entity=vell, accept=True)
    path = ("entities", vell, "sheet", "basic", "agile")
    one.do(GM, c.Override, path=path, now=5, reason="The fairy's gift.")
    assert one.entity(vell).sheet["basic"]["agile"] == 5
    assert one.last.reason == "The fairy's gift."


def test_a_table_may_leave_basic_talents_open():
    one = evening(basics_locked=False)
    vell = thing(one, "ana", talents={"agile": 3})
    one.do(GM, c.DecideSheet, entity=vell, accept=False, reason="Once more.")
    save(one, vell, basic__agile=6)
    assert one.entity(vell).sheet["basic"]["agile"] == 6


@rule("objects.2.3-split-optional")
def test_one_plain_list_does_as_well():
    one = evening(use_split=False, steps_in_order=False)
    vell = draft(one)
    assert "basic" not in steps(one, vell)
    assert one.entity(vell).sheet["basic"] == {}
    (talents,) = (
        p for p in one.game.sheet.sections(one.table, one.entity(vell)) if p.key == "talents"
    )
    assert talents.fields[0].label == "Talents"
    ready = thing(one, "ben", talents={"sails": 3})
    assert one.game.sheet.summary(one.table, one.entity(ready)).numbers[0].key == "sails"


@rule("objects.2.3-many-sixes")
def test_many_sixes_are_warned_about_and_never_refused():
    one = evening()
    god = thing(one, "ana", talents={"agile": 6, "knows everything": 6})
    assert told(one, god, refuses=True) == set()
    assert "objects.2.3-many-sixes" in told(one, god, refuses=False)
    hero = thing(one, "ben", talents={"agile": 6, "sails": 5})
    assert "objects.2.3-many-sixes" not in told(one, hero, refuses=False)
    one.do(GM, c.SetOptions, options={"many_sixes": 3})
    assert "objects.2.3-many-sixes" not in told(one, god, refuses=False)


@rule("objects.2.3-zero-handicap")
def test_a_talent_at_0_is_a_handicap():
    one = evening()
    vell = thing(one, "ana", talents={"swimmer": 0})
    (swims,) = (
        n for n in one.game.sheet.summary(one.table, one.entity(vell)).numbers if n.key == "swimmer"
    )
    assert (swims.label, swims.value, swims.marked) == ("Not at all swimmer", 0, "a handicap")


def test_long_sentences_are_talents_too():
    one = evening()
    words = "has stood at the rail in every storm since she was four, " * 5
    vell = thing(one, "ana", talents={words.strip(", "): 4})
    from_table = one.game.sheet.summary(one.table, one.entity(vell)).numbers[7]
    assert len(from_table.key) > 200
    told_ = {"stakes": "Another storm", "talent": from_table.key}
    assert one.roll("ana", "test", vell, (3, 5), **told_)["outcome"] == "marginal"


@rule("objects.2.4-signs")
def test_signs_are_a_list():
    one = evening()
    signs = [{"text": "Eaten by time"}, {"text": "One red lamp"}]
    ship = thing(one, "ana", "vehicle", signs=signs)
    tags = one.game.sheet.summary(one.table, one.entity(ship)).tags
    assert [tag.text for tag in tags] == ["Eaten by time", "One red lamp"]
    parts = one.game.sheet.sections(one.table, one.entity(ship))
    (step,) = (part for part in parts if part.key == "signs")
    assert [(field.kind, field.rule) for field in step.fields] == [("rows", "objects.2.4-signs")]
