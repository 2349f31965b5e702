"""The end of a session: notes, advancement, petitions."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import BadAnswers, RuleRefuses
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import FLUB, KICK, evening, foe, hero
from tests.rulesets.toast.test_lists import change

rule = pytest.mark.rule


def task(one, who, trait, perk="", face=5, seat="ana"):
    return one.roll(seat, "task", who, (face,), trait=trait, perk=perk)


def noted(one, who):
    return one.table.session.notes.get("uses", {}).get(who, {})


def close(one):
    one.do(GM, c.CloseSession)


def next_session(one):
    one.do(GM, c.EndSession)
    one.do(GM, c.BeginSession)


@rule("toast.8.2-note")
def test_each_roll_with_a_perk_is_noted_whatever_the_die_shows():
    one = evening()
    mara = hero(one, "ana", "Good with rifles", aim=3)
    task(one, mara, "aim")
    assert noted(one, mara) == {}
    for face in (5, FLUB, KICK):
        task(one, mara, "aim", "Good with rifles", face)
    assert noted(one, mara) == {"aim": 3}
    marks = {n.key: n.marked for n in one.game.sheet.summary(one.table, one.entity(mara)).numbers}
    assert marks["aim"] == "noted for advancement tonight"
    assert marks["attack"] == ""


@rule("toast.8.2-note", "toast.5-perk-player")
def test_a_perk_that_the_gm_turned_down_is_not_noted():
    one = evening(settings={"gm_confirms": "each"})
    mara = hero(one, "ana", "Good with rifles")
    roll = one.propose("ana", "task", mara, trait="aim", perk="Good with rifles")
    one.do(GM, c.Settle, proposal=roll, answers={"perk": ""})
    one.do("ana", c.Throw, (5,), proposal=roll)
    assert noted(one, mara) == {}


@rule("toast.8.2-note", "toast.8.2-players-only")
def test_defence_and_contests_count_and_the_gms_people_do_not_learn():
    one = evening()
    mara = hero(one, "ana", "Heavy armour", "Silver tongue")
    serk = foe(one, "Fights dirty", attack=3)
    roll = one.propose(GM, "attack", serk, target=mara, trait="attack", perk="Fights dirty")
    one.do("ana", c.Settle, proposal=roll, answers={"defense_perk": "Heavy armour"})
    one.do(GM, c.Throw, (5, 9), proposal=roll)
    roll = one.propose("ana", "contest", mara, other=serk, trait="social", perk="Silver tongue")
    one.do("ana", c.Throw, (5, 9), proposal=roll)
    assert one.table.session.notes["uses"] == {mara: {"defense": 1, "social": 1}}
    close(one)
    assert one.why_not(GM, "advance", serk) == "Only players' characters advance."


@rule("toast.8.2-roll-each")
def test_the_gm_throws_for_whoever_could_not_stay():
    one = evening()
    mara = hero(one, "ana", "Sly", aim=4)
    task(one, mara, "aim", "Sly")
    close(one)
    one.move(GM, "advance", mara, (9,), trait="aim")
    assert one.entity(mara).sheet["traits"]["aim"] == 5
    assert one.last.seat == GM


@rule("toast.8.2-roll-each", "toast.8.2-reset")
def test_one_roll_for_each_trait_noted_and_only_one():
    one = evening()
    mara = hero(one, "ana", "Sly", aim=4, social=2)
    for _ in range(3):
        task(one, mara, "aim", "Sly")
    task(one, mara, "social", "Sly")
    assert one.why_not("ana", "advance", mara) == "Advancement comes when the session closes."
    close(one)
    assert [line["text"] for line in one.card["lines"]] == ["Ana: Aim and Social."]
    one.move("ana", "advance", mara, (5,), trait="aim")
    with pytest.raises(BadAnswers):
        one.move("ana", "advance", mara, (5,), trait="aim")
    one.move("ana", "advance", mara, (2,), trait="social")
    with pytest.raises(RuleRefuses):
        one.move("ana", "advance", mara, (5,))
    assert one.entity(mara).sheet["traits"]["aim"] == 5
    assert one.entity(mara).sheet["traits"]["social"] == 2


@rule("toast.8.2-roll-each")
def test_by_option_one_roll_for_each_use():
    one = evening(advancement_rolls="use")
    mara = hero(one, "ana", "Sly", aim=4)
    for _ in range(3):
        task(one, mara, "aim", "Sly")
    close(one)
    assert [line["text"] for line in one.card["lines"]] == ["Ana: Aim (3 times)."]
    for face in (5, 6, 6):
        one.move("ana", "advance", mara, (face,), trait="aim")
    assert one.entity(mara).sheet["traits"]["aim"] == 6
    with pytest.raises(RuleRefuses):
        one.move("ana", "advance", mara, (12,))


@rule(
    "toast.8.2-flub",
    "toast.8.2-kick",
    "toast.8.2-number",
    "toast.8.2-equal-no",
    "toast.8.2-bare-die",
    "toast.8.2-one-level",
    "toast.3.1-max9-start-only",
)
@pytest.mark.parametrize(
    ("level", "face", "after"),
    [
        (0, FLUB, 0),
        (4, KICK, 5),
        (13, KICK, 14),
        (4, 5, 5),
        (0, 1, 1),
        (0, 10, 1),
        (9, 10, 10),
        (4, 4, 4),
        (10, 10, 10),
        (9, 9, 9),
        (4, 3, 4),
    ],
)
def test_the_bare_die_against_the_level(level, face, after):
    one = evening()
    mara = hero(one, "ana", "Sly", aim=level)
    task(one, mara, "aim", "Sly")
    close(one)
    one.move("ana", "advance", mara, (face,), trait="aim")
    assert one.entity(mara).sheet["traits"]["aim"] == after
    side = one.card["sides"][0]
    assert (side["parts"], side["total"]) == ([], face if face <= 10 else None)
    assert one.card["outcome"] == ("raised" if after > level else "unchanged")


@rule("toast.8.2-number")
@pytest.mark.parametrize("level", range(14))
def test_the_chance_to_rise(level):
    one = evening()
    mara = hero(one, "ana", "Sly", aim=level)
    task(one, mara, "aim", "Sly")
    close(one)
    one.move("ana", "advance", mara, (5,), trait="aim")
    twelfths = 11 - level if level <= 10 else 1
    numerator, denominator = map(int, one.last.throw.odds["raised"])
    assert numerator * 12 == twelfths * denominator


@rule("toast.8.2-reset")
def test_what_was_not_rolled_for_is_not_saved_up():
    one = evening()
    mara = hero(one, "ana", "Sly")
    task(one, mara, "aim", "Sly")
    close(one)
    next_session(one)
    assert noted(one, mara) == {}
    close(one)
    with pytest.raises(RuleRefuses):
        one.move("ana", "advance", mara, (12,))


# ---------------------------------------------------------------- a list that changes


@rule("toast.8.2-roll-each", "toast.8.2-reset", "toast.3-same-list")
@pytest.mark.parametrize("mode", ["trait", "use"])
def test_a_used_trait_that_is_struck_out_is_not_rolled_for(mode):
    one = evening(advancement_rolls=mode)
    mara = hero(one, "ana", "Sly", health=6, aim=4)
    for trait in ("health", "aim"):
        task(one, mara, trait, "Sly")
    change(one, without=("health",))
    close(one)
    assert [line["text"] for line in one.card["lines"]] == ["Ana: Aim."]
    (field,) = one.named("advance").fields(one.table, one.actor("ana", mara), {})
    assert [choice.label for choice in field.choices] == ["Aim 4"]
    with pytest.raises(BadAnswers):
        one.move("ana", "advance", mara, (5,), trait="health")
    one.move("ana", "advance", mara, (5,), trait="aim")
    assert one.why_not("ana", "advance", mara) == "Nothing is noted, or all of it is rolled for."
    levels = one.entity(mara).sheet["traits"]
    assert (levels["aim"], "none" in levels, "health" in levels) == (5, False, False)


@rule("toast.8.2-roll-each", "toast.3-same-list")
def test_a_used_trait_that_comes_back_is_rolled_for():
    one = evening()
    mara = hero(one, "ana", "Sly", health=6)
    task(one, mara, "health", "Sly")
    change(one, without=("health",))
    change(one)
    close(one)
    one.move("ana", "advance", mara, (7,), trait="health")
    assert one.entity(mara).sheet["traits"]["health"] == 7


@rule("toast.8.2-note", "toast.8.2-roll-each")
def test_the_uses_of_a_trait_that_becomes_another_go_with_it():
    one = evening(("ana", "ben", "cai"), advancement_rolls="use")
    mara = hero(one, "ana", "Sly", health=6)
    tam, kit = hero(one, "ben", "Sly"), hero(one, "cai", "Sly", health=2)
    vigour = {"id": "vigour", "name": "Vigour", "purpose": "Endure.", "magic": False}
    change(one, vigour)
    for who, seat in ((mara, "ana"), (tam, "ben"), (kit, "cai")):
        task(one, who, "health", "Sly", seat=seat)
    task(one, mara, "vigour", "Sly")
    where = ("entities", kit, "sheet", "traits", "vigour")
    one.do(GM, c.Override, path=where, now=3, reason="for the test")
    change(one, vigour, without=("health",))
    one.answer(GM, one.ask("lost_traits"), lost__health="to.vigour")
    # Kit has a level of his own in Vigour, so his Health stays aside.
    assert noted(one, mara) == {"vigour": 2}
    assert noted(one, tam) == {"vigour": 1}
    assert noted(one, kit) == {"health": 1}
    close(one)
    for face in (7, 8):
        one.move("ana", "advance", mara, (face,), trait="vigour")
    assert one.entity(mara).sheet["traits"]["vigour"] == 8
    assert one.why_not("ana", "advance", mara) == "Nothing is noted, or all of it is rolled for."


# ---------------------------------------------------------------- petitions


def ask_for(one, who, text="Knows the salt road", seat="ana", reason="We walked it for weeks."):
    one.move(seat, "petition", who, perk=text, reason=reason)
    return one.ask("judge_petition", who)


@rule("toast.8.1-petition", "toast.8.1-sense", "toast.4-perk-more-later")
def test_a_petition_comes_as_the_session_closes_with_a_reason():
    one = evening()
    mara = hero(one, "ana", *(f"Perk {n}" for n in range(5)))
    with pytest.raises(RuleRefuses):
        ask_for(one, mara)
    close(one)
    with pytest.raises(BadAnswers):
        ask_for(one, mara, reason="")
    ask = ask_for(one, mara)
    assert (ask.text, ask.preset["perk"]) == ("We walked it for weeks.", "Knows the salt road")
    with pytest.raises(RuleRefuses):
        one.move("ana", "petition", mara, perk="And another", reason="Why not")
    one.answer(GM, ask, answer="yes")
    assert len(one.entity(mara).sheet["perks"]) == 6
    card = one.roll("ana", "task", mara, (8,), perk="Knows the salt road")
    assert card["sides"][0]["total"] == 11


@rule("toast.9-special-as-perk")
def test_a_possession_can_become_a_perk_by_petition():
    one = evening()
    mara = hero(one, "ana")
    one.move("ana", "gear", mara, take="Flying carpet", note="for two")
    close(one)
    with pytest.raises(BadAnswers):
        one.move("ana", "petition", mara, reason="It saved us twice.")
    one.move("ana", "petition", mara, possession="Flying carpet", reason="It saved us twice.")
    ask = one.ask("judge_petition")
    assert ask.preset["perk"] == "Flying carpet"
    one.answer(GM, ask, answer="yes")
    sheet = one.entity(mara).sheet
    assert sheet["gear"] == [{"item": "Flying carpet", "note": "for two", "perk": True}]
    assert sheet["perks"] == []
    assert one.roll("ana", "task", mara, (8,), perk="Flying carpet")["outcome"] == "success"


@rule("toast.9-special-as-perk", "toast.4-perk-once")
def test_one_of_two_equal_possessions_becomes_a_perk():
    one = evening()
    mara = hero(one, "ana")
    for _ in range(2):
        one.move("ana", "gear", mara, take="Rope")
    close(one)
    one.move("ana", "petition", mara, possession="Rope", reason="It held.")
    one.answer(GM, one.ask("judge_petition"), answer="yes")
    rope, other = one.entity(mara).sheet["gear"]
    assert (rope["perk"], other["perk"]) == (True, False)
    one.move("ana", "perk_covers", mara, perk="Rope", covers="Any climb")
    assert [row["note"] for row in one.entity(mara).sheet["gear"]] == ["Any climb", ""]
    one.move("ana", "drop_perk", mara, perk="Rope")
    assert one.entity(mara).sheet["gear"] == [{**rope, "perk": False, "note": "Any climb"}, other]


@rule("toast.8.1-agreement", "toast.8.1-gm-final")
@pytest.mark.parametrize("vote", ["yes", "no"])
@pytest.mark.parametrize("word", ["yes", "no"])
def test_the_others_vote_and_the_gm_decides(vote, word):
    one = evening(("ana", "ben", "cai"))
    mara = hero(one, "ana")
    close(one)
    ask = ask_for(one, mara)
    assert ask.to == ("ben", "cai", "gm")
    with pytest.raises(Exception, match="no longer waits for you"):
        one.answer("ana", ask, answer="yes")
    one.answer("ben", ask, answer=vote)
    assert one.entity(mara).sheet["perks"] == []
    ask = one.ask("judge_petition")
    actor = one.actor(GM)
    field = one.named("judge_petition").fields(
        one.table, type(actor)(GM, "gm", mara, ask.id), ask.preset
    )[0]
    assert field.help == f"The others: Ben: {vote}, Cai: not yet."
    one.answer(GM, ask, answer=word, word="So be it.")
    assert bool(one.entity(mara).sheet["perks"]) is (word == "yes")
    assert {"text": f"The others: Ben: {vote}, Cai: not yet.", "audience": "all"} in one.card[
        "lines"
    ]


@rule("toast.8.1-interval")
def test_every_other_session_at_most_and_a_refusal_costs_nothing():
    one = evening()
    mara = hero(one, "ana")
    heard = {}
    for session in range(1, 7):
        close(one)
        try:
            ask = ask_for(one, mara, f"Perk of session {session}")
            heard[session] = "granted" if session != 3 else "refused"
            one.answer(GM, ask, answer="no" if session == 3 else "yes")
        except RuleRefuses as refused:
            heard[session] = str(refused)
        next_session(one)
    assert heard == {
        1: "granted",
        2: "Ana can gain a perk again when session 3 closes.",
        3: "refused",
        4: "granted",
        5: "Ana can gain a perk again when session 6 closes.",
        6: "granted",
    }


@rule("toast.8.1-interval")
def test_the_interval_is_each_characters_own():
    one = evening()
    mara, tam = hero(one, "ana"), hero(one, "ben")
    close(one)
    one.answer(GM, ask_for(one, mara), answer="yes")
    next_session(one)
    close(one)
    with pytest.raises(RuleRefuses):
        ask_for(one, mara, "Another")
    one.answer(GM, ask_for(one, tam, seat="ben"), answer="yes")
    assert len(one.entity(tam).sheet["perks"]) == 1


@rule("toast.8.1-gm-discretion")
def test_the_gm_can_make_it_rarer_or_hear_none_tonight():
    one = evening(perk_every_sessions=3)
    mara = hero(one, "ana")
    close(one)
    one.answer(GM, ask_for(one, mara), answer="yes")
    next_session(one)
    next_session(one)
    close(one)
    with pytest.raises(RuleRefuses, match="session 4"):
        ask_for(one, mara, "Another")
    next_session(one)
    one.do(GM, c.SetOptions, options={"petitions_open": False})
    close(one)
    with pytest.raises(RuleRefuses, match="no petitions tonight"):
        ask_for(one, mara, "Another")
    with pytest.raises(BadAnswers):
        one.do(GM, c.SetOptions, options={"perk_every_sessions": 1})


@rule("toast.8.1-petition")
def test_a_petition_is_the_players():
    one = evening()
    mara = hero(one, "ana")
    close(one)
    for other in (GM, "ben"):
        with pytest.raises(NotAllowed):
            one.move(other, "petition", mara, perk="Sly", reason="Because")


@rule("toast.8.2-note")
def test_the_closing_card_does_not_say_that_no_perk_was_used_where_its_trait_is_gone():
    one = evening()
    mara = hero(one, "ana", "Good with rifles", aim=3)
    task(one, mara, "aim", "Good with rifles")
    change(one, without=("aim",))
    close(one)
    assert one.card["sentence"].startswith("The traits that your perks helped were struck")
