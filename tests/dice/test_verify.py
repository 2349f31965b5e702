"""The audit of a session: matches, mismatches, and claims without proof."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import load, roll
from kitchentable.dice.errors import BadInput
from kitchentable.dice.mechanic import mechanic
from kitchentable.dice.stream import Contribution, SessionStream, commit
from kitchentable.dice.verify import BadRecord, verify_session

SEED = bytes(range(32))
WORDS = [
    {"who": "Ada", "words": "tea and rain", "from_throw": 1, "event": 2},
    {"who": "Ben", "words": "late train", "from_throw": 3, "event": 8},
]


@mechanic
def attack(dice, bonus: int) -> int:
    """A d20, exploding damage, and a weighted table."""
    total = dice.die(20) + bonus + dice.total(3, 6, keep_highest=2)
    return total + dice.draw({1: 5, 2: 9})


@pytest.fixture
def record():
    """Four throws of a session as an export writes them; Ben joins before the third."""
    stream = SessionStream(
        SEED, tuple(Contribution(one["who"], one["words"], one["from_throw"]) for one in WORDS)
    )
    rolls = []
    for number, event in zip((1, 2, 3, 4), (4, 6, 9, 11), strict=True):
        trace = roll(attack, number, source=stream.throw(number)).trace
        rolls.append({"throw": number, "typed": False, "trace": trace.to_data(), "event": event})
    return {
        "campaign": "harvest",
        "session": 7,
        "commitment": commit(SEED, "harvest", 7),
        "commitment_event": 1,
        "seed": SEED.hex(),
        "contributions": [dict(one) for one in WORDS],
        "rolls": rolls,
        "last_throw": 4,
    }


def found(record):
    return {(one.code, one.weight, one.throw) for one in verify_session(record).findings}


def sentences(record):
    return [one.sentence for one in verify_session(record).findings]


def test_an_honest_session_is_fair_to_the_last_die(record):
    report = verify_session(record)
    assert (report.verdict, report.rolls, report.dice_checked) == ("fair", 4, 20)
    assert report.findings == ()
    assert str(report) == "Fair: all 20 dice of the stream match the seed."


def test_a_record_survives_json_and_fields_of_later_versions(record):
    later = json.loads(json.dumps(record | {"weather": "rain"}))
    later["rolls"][0]["mood"] = "grim"
    later["rolls"][0]["trace"][0]["colour"] = "red"
    assert verify_session(later).verdict == "fair"


def test_a_sealed_session_says_so(record):
    report = verify_session(record | {"seed": None})
    assert (report.verdict, report.dice_checked, report.findings) == ("sealed", 0, ())


def test_a_face_that_was_changed_is_named(record):
    die = record["rolls"][2]["trace"][1]
    promised = die["physical"]
    die["physical"] = promised % 6 + 1
    report = verify_session(record)
    assert report.verdict == "broken"
    assert [one.sentence for one in report.findings] == [
        (
            f"Throw 3: die 2, a d6, shows face {promised % 6 + 1} in the journal, but "
            f"the stream threw face {promised}."
        )
    ]


def test_every_changed_face_is_reported(record):
    for number in (0, 3):
        for die in record["rolls"][number]["trace"]:
            die["physical"] = die["physical"] % die["sides"] + 1
    report = verify_session(record)
    assert [one.throw for one in report.faults] == [1] * 5 + [4] * 5


@given(at=st.integers(0, 3), die=st.integers(0, 4), turn=st.integers(1, 1000))
def test_no_change_of_a_face_goes_unseen(at, die, turn):
    stream = SessionStream(SEED)
    rolls = [
        {"throw": k, "trace": roll(attack, 0, source=stream.throw(k)).trace.to_data()}
        for k in (1, 2, 3, 4)
    ]
    one = rolls[at]["trace"][die]
    fair = one["physical"]
    one["physical"] = (fair - 1 + turn) % one["sides"] + 1
    record = {
        "campaign": "c",
        "session": 1,
        "commitment": commit(SEED, "c", 1),
        "seed": SEED.hex(),
        "contributions": [],
        "rolls": rolls,
    }
    assert (verify_session(record).verdict == "fair") == (one["physical"] == fair)


def test_another_seed_than_the_promised_one_is_a_fault_and_its_dice_do_not_fit(record):
    report = verify_session(record | {"seed": bytes(32).hex()})
    assert report.findings[0].sentence == (
        "The seed does not match the commitment made before the session."
    )
    assert {one.code for one in report.faults} == {"wrong-seed", "wrong-face"}


@pytest.mark.parametrize("change", [{"campaign": "winter"}, {"session": 8}])
def test_a_promise_of_another_session_does_not_count(record, change):
    assert found(record | change) == {("wrong-seed", "fault", None)}


def test_words_that_were_changed_show_in_the_dice_from_their_throw_on(record):
    record["contributions"][1]["words"] = "later train"
    assert {throw for _, _, throw in found(record)} == {3, 4}


def test_a_number_used_twice_is_a_fault(record):
    record["rolls"].append(record["rolls"][1] | {"event": 12})
    assert ("reused-throw", "fault", 2) in found(record)
    assert "Throw 2 belongs to 2 commands." in sentences(record)


def test_numbers_left_out_are_faults_even_at_the_end(record):
    del record["rolls"][1]
    record["last_throw"] = 7
    assert found(record) == {("skipped-throw", "fault", 2), ("skipped-throw", "fault", 5)}
    assert sentences(record) == [
        "Throw 2 is missing: the journal does not show its dice.",
        "Throws 5 to 7 are missing: the journal does not show their dice.",
    ]


def test_while_a_session_lasts_a_gap_is_open_and_not_yet_a_fault(record):
    del record["rolls"][1]
    report = verify_session(record | {"seed": None})
    assert report.verdict == "sealed"
    assert [one.sentence for one in report.findings] == [
        "Throw 2 is not in the journal yet. Any gap left when the session ends is a fault."
    ]


def test_a_sealed_session_can_contradict_itself_all_the_same(record):
    record["rolls"].append(record["rolls"][1] | {"event": 12})
    assert verify_session(record | {"seed": None}).verdict == "broken"


def test_a_gap_of_any_size_is_found_at_once(record):
    record["rolls"][3]["throw"] = 10**15
    assert ("skipped-throw", "fault", 4) in found(record)


def test_a_number_set_aside_is_named_with_its_reason_and_breaks_nothing(record):
    del record["rolls"][3]
    record["unused"] = [{"throw": 4, "reason": "the fight had ended"}]
    report = verify_session(record)
    assert report.verdict == "fair"
    assert sentences(record) == [
        "Throw 4 was set aside, and its dice do not count: the fight had ended."
    ]


def test_a_number_set_aside_and_used_is_a_fault(record):
    record["unused"] = [{"throw": 4, "reason": "hm"}]
    assert ("reused-throw", "fault", 4) in found(record)


def test_typed_in_dice_are_reported_and_not_held_against_the_stream(record):
    typed = load(attack, 0, faces=[20, 6, 6, 6, 14]).trace.to_data()
    record["rolls"][1] |= {"typed": True, "trace": typed}
    record["rolls"].append({"throw": None, "typed": True, "trace": typed})
    report = verify_session(record)
    assert (report.verdict, report.dice_checked, report.dice_typed) == ("fair", 15, 10)
    assert sentences(record) == [
        "A roll without a throw number was typed in from real dice, so it cannot be checked.",
        "Throw 2 was typed in from real dice, so it cannot be checked.",
    ]


def test_a_hidden_roll_is_named_and_its_number_still_counts(record):
    record["rolls"][1]["trace"] = None
    report = verify_session(record)
    assert (report.verdict, report.dice_checked) == ("fair", 15)
    assert sentences(record) == ["Throw 2 is hidden from this journal and was not checked."]


def test_words_that_came_after_the_throws_they_claim_are_a_fault(record):
    record["contributions"][1]["event"] = 10
    assert found(record) == {("late-words", "fault", 3)}
    assert sentences(record) == [
        "The words of Ben count from throw 3 on, but were added after throw 3."
    ]


def test_words_known_before_the_promise_are_a_fault(record):
    record["commitment_event"] = 3
    assert found(record) == {("early-words", "fault", None)}


def test_a_throw_that_stands_late_in_the_journal_is_named(record):
    record["rolls"][1]["event"] = 10
    assert found(record) == {("late-throw", "notice", 2)}


def test_dice_that_only_the_host_had_a_hand_in_are_named(record):
    plain = SessionStream(SEED)
    for one in record["rolls"]:
        one["trace"] = roll(attack, 0, source=plain.throw(one["throw"])).trace.to_data()
    record["contributions"] = []
    report = verify_session(record)
    assert report.verdict == "fair"
    assert sentences(record) == [
        (
            "4 of 4 rolls were thrown before anyone added words, so "
            "the host could know their dice in advance."
        )
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": "xyz"}, "seed must be 64 hexadecimal digits"),
        ({"commitment": None}, "commitment must be text"),
        ({"campaign": 3}, "campaign must be text"),
        ({"campaign": "\ud800"}, "half a character"),
        ({"session": "7"}, "session must be a whole number"),
        ({"session": True}, "session must be a whole number"),
        ({"rolls": {}}, "rolls must be a list"),
        ({"rolls": [3]}, "rolls must be a list"),
        ({"rolls": [{"throw": None, "typed": False}]}, r"rolls\[0\].throw is missing"),
        ({"rolls": [{"throw": 0}]}, r"rolls\[0\].throw must be a whole number of at least 1"),
        ({"rolls": [{"throw": 1, "typed": "no"}]}, r"rolls\[0\].typed must be true or false"),
        ({"rolls": [{"throw": 1, "trace": "d6"}]}, r"rolls\[0\].trace must be a list"),
        ({"rolls": [{"throw": 1, "trace": [{}]}]}, r"rolls\[0\].trace cannot be read"),
        ({"contributions": [{"who": "Ada"}]}, r"contributions\[0\].from_throw is missing"),
        ({"contributions": list(reversed(WORDS))}, "in rising order of from_throw"),
        ({"unused": [{}]}, r"unused\[0\].throw is missing"),
    ],
)
def test_a_record_that_cannot_be_read_names_the_field(record, change, says):
    with pytest.raises(BadRecord, match=says) as refused:
        verify_session(record | change)
    assert isinstance(refused.value, BadInput)
    assert refused.value.code == "dice/bad-record"


def test_a_die_without_sides_cannot_be_read(record):
    record["rolls"][0]["trace"][0]["sides"] = 0
    with pytest.raises(BadRecord, match=r"rolls\[0\].trace has an impossible die with 0 sides"):
        verify_session(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)
FIELDS = ("campaign", "session", "commitment", "seed", "contributions", "rolls", "unused")


@pytest.mark.slow
@given(name=st.sampled_from(FIELDS), value=JSON)
def test_no_record_at_all_brings_the_audit_down(name, value):
    record = {
        "campaign": "c",
        "session": 1,
        "commitment": commit(SEED, "c", 1),
        "seed": SEED.hex(),
        "contributions": [],
        "rolls": [],
    }
    try:
        verdict = verify_session(record | {name: value}).verdict
    except BadRecord as refused:
        verdict = str(refused)
    assert verdict in {"fair", "broken", "sealed"} or name in verdict
