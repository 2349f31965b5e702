"""Attributes are added, split and struck out in mid-campaign: the GM is asked, nothing is lost."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.views import view_for
from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM
from tests.rulesets.toaster.people import evening, foe, hero, line, person, sheet, trait

rule = pytest.mark.rule
SPLIT = rule("toaster.2.option-split-attributes")


def table(**options):
    """Ana's character with Aura 3 and Seduction 5, and somebody hidden with Aura 7."""
    one = evening(other_attributes=True, style="heroic", **options)
    ana = hero(one, "ana", sheet((4, 5, 4, 3), {"seduction": 5, "persuasion": 5}))
    shade = foe(one, sheet((4, 4, 4, 7)), name="Shade", hidden=True, open=False)
    return one, ana, shade


def add(one, name, like="aura"):
    return one.move(GM, "edit_table", table="attributes", row="new", name=name, as_row=like)


def strike(one, key):
    return one.move(GM, "edit_table", table="attributes", row=key, column="gone")


def say(one, ask="refit", seat=GM, **answers):
    named = {name.replace("__", "."): value for name, value in answers.items()}
    return one.do(seat, c.MakeMove, move="refit", ask=ask, answers=named)


def ranks(one, who):
    return one.entity(who).sheet["attributes"]


def fields(one, seat=GM):
    asks = view_for(one.campaign, game, seat).asks
    return {field.name: field for ask in asks for field in ask.fields}


def refused(one, who):
    return [p.sentence for p in game.sheet.check(one.table, one.entity(who), "play") if p.refuses]


@rule("toaster.2.option-extra-attributes", "toaster.2.extra-attributes-points")
def test_an_attribute_that_is_added_begins_where_the_gm_says():
    one, ana, shade = table()
    add(one, "Attunement")
    assert "attunement" not in ranks(one, ana)
    usual = fields(one)["attributes.new.attunement"]
    # A heroic character gets 24 points for four attributes, so 6 for one more; others are average.
    assert usual.default == "usual"
    assert usual.choices[0].label == "where each usually begins: 6 and 4"
    said = say(one)
    assert (ranks(one, ana)["attunement"], ranks(one, shade)["attunement"]) == (6, 4)
    assert "Ana: Attunement begins at 6." in repr(entry_for(one.campaign, said, "ana"))
    assert "Shade" not in repr(entry_for(one.campaign, said, "ana"))
    one.do(GM, c.Undo, number=said.number)
    assert "attunement" not in ranks(one, ana)
    assert len(one.asks("refit")) == 1


@SPLIT
def test_one_that_is_split_off_begins_at_as_much_as_the_other():
    one, ana, shade = table()
    add(one, "Charisma")
    say(one, attributes__new__charisma="as.aura")
    assert (ranks(one, ana)["charisma"], ranks(one, shade)["charisma"]) == (3, 7)
    one.move(
        GM, "edit_table", table="skills", row="seduction", column="attributes", value="charisma"
    )
    assert person(one.entity(ana), one.table).rank("seduction") == 4


@SPLIT
def test_each_player_says_where_their_own_begins_and_knows_of_nobody_hidden():
    one, ana, shade = table()
    add(one, "Charisma")
    say(one, attributes__new__charisma="owner")
    assert set(fields(one, "ana")) == {"attributes.new.charisma", "attributes.start.charisma"}
    assert fields(one, "ben") == {}
    assert all(shade not in repr(view_for(one.campaign, game, seat)) for seat in ("ana", "ben"))
    say(
        one,
        f"refit-own-{ana}",
        "ana",
        attributes__new__charisma="set",
        attributes__start__charisma=8,
    )
    assert ranks(one, ana)["charisma"] == 8
    say(one, f"refit-{shade}", attributes__new__charisma="as.aura")
    assert ranks(one, shade)["charisma"] == 7
    assert one.asks() == []


@rule("toaster.2.attributes-changeable")
@pytest.mark.parametrize("answer", ["note", "drop"])
def test_one_that_is_struck_out_stays_on_sheets_until_the_gm_has_spoken(answer):
    one, ana, _ = table()
    struck = strike(one, "coordination")
    assert ranks(one, ana)["coordination"] == 5
    said = say(one, attributes__lost__coordination=answer)
    assert "coordination" not in ranks(one, ana)
    assert refused(one, ana) == []
    notes = game.sheet.summary(one.table, one.entity(ana)).notes
    told = "Coordination was 5, before it left the list."
    assert notes == ((told,) if answer == "note" else ())
    one.do(GM, c.Undo, number=said.number)
    one.do(GM, c.Undo, number=struck.number)
    assert ranks(one, ana)["coordination"] == 5
    assert one.asks() == []


@rule("toaster.2.attributes-changeable")
def test_skills_and_traits_follow_an_attribute_to_its_new_name():
    one, ana, _ = table()
    nimble = trait("attributes", 2, of="coordination")
    lou = sheet(traits=(nimble, trait("attributes", -2, of="aura")))
    lou = hero(one, "ben", lou | {"skills": [line("ride", 6, attribute="coordination")]})
    add(one, "Grace", "coordination")
    strike(one, "coordination")
    assert fields(one)["attributes.lost.coordination"].default == "to.grace"
    say(one)
    assert ranks(one, ana)["grace"] == 5
    assert one.entity(lou).sheet["skills"][0]["attribute"] == "grace"
    assert [each["of"] for each in one.entity(lou).sheet["traits"]] == ["grace", "aura"]
    assert person(one.entity(lou), one.table).attribute("grace") == 5
    assert refused(one, ana) == refused(one, lou) == []


@rule("toaster.2.attributes-changeable")
@pytest.mark.parametrize("answer", ["note", "drop"])
def test_a_trait_whose_attribute_is_gone_lies_idle_and_refuses_no_sheet(answer):
    one, ana, _ = table()
    add(one, "Inner Fire")
    say(one)
    (fire,) = {*ranks(one, ana)} - {"physique", "coordination", "intellect", "aura"}
    burning = trait("attributes", 2, of="Inner Fire", name="Burning")
    ben = sheet(traits=(burning, trait("attributes", -2, of="aura", name="Dull")))
    ben = hero(one, "ben", ben | {"attributes": {**ben["attributes"], fire: 5}})
    assert person(one.entity(ben), one.table).attribute(fire) == 6
    strike(one, fire)
    said = say(one, **{f"attributes.lost.{fire}": answer})
    told = repr(entry_for(one.campaign, said, "ben"))
    assert "Burning changed it, and changes nothing now." in told
    assert "Dull" not in told
    assert refused(one, ben) == []
    idle = [p.sentence for p in game.sheet.check(one.table, one.entity(ben), "play")]
    assert sum("this table no longer has Inner Fire" in words for words in idle) == 1
    assert person(one.entity(ben)).trait_sum == 0
    path = ("own", "data", "attributes", fire, "gone")
    one.do(GM, c.Override, path=path, now=False, reason="It was a mistake")
    one.move(GM, "refit")
    assert refused(one, ben) == []
    assert person(one.entity(ben), one.table).attribute(fire) == ranks(one, ben)[fire] + 1
    assert "Burning" not in repr(game.sheet.check(one.table, one.entity(ben), "play"))


@rule("toaster.2.option-extra-attributes")
def test_the_rule_off_and_on_again_asks_and_brings_back():
    one, ana, _ = table()
    add(one, "Attunement")
    say(one)
    one.do(GM, c.SetOptions, options={"other_attributes": False})
    assert "Attunement" in fields(one)["attributes.lost.attunement"].label
    one.do(GM, c.SetOptions, options={"other_attributes": True})
    assert one.asks() == []
    one.do(GM, c.SetOptions, options={"other_attributes": False})
    say(one, attributes__lost__attunement="note")
    assert refused(one, ana) == []
    one.do(GM, c.SetOptions, options={"other_attributes": True})
    assert ranks(one, ana)["attunement"] == 6
    assert one.asks() == []
