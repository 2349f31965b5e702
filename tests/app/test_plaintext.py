"""Log entries as plain text: only what the reader may know, and nothing twice."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from kitchentable.app.plaintext import tell
from kitchentable.campaign.read_models import Entry, SeenDie, SeenOdds
from kitchentable.rules.moves import Card, Line, Part, Side

BARE = Entry("c", "said", "2026-11-22T20:41:03Z", "Mara", "s2")
CARD = Card(
    "Aim",
    "Succeeds.",
    sides=(Side("Mara Vell", "roll", (Part("Aim", 7), Part("cold hands", -2)), 14),),
    lines=(Line("Against Hard, 16"),),
    rules=("toast.5-total",),
)
ODDS = SeenOdds(
    (
        ("success", "success", "good", Fraction(7, 12)),
        ("kick", "kick: with a flourish", "splendid", Fraction(1, 12)),
        ("failure", "failure", "bad", Fraction(1, 3)),
    ),
    Fraction(2, 3),
    "",
    counted=("success", "kick: with a flourish"),
)
ONE = SeenOdds(
    (("number", "a number", "good", Fraction(1)),), Fraction(1), "", counted=("a number",)
)
MOVE = replace(
    BARE,
    kind="move",
    text="Aim.",
    card=CARD,
    dice=(SeenDie("d10+", 12, "9", "roll"), SeenDie("d6", 6, "2", "luck", "dropped")),
)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (replace(BARE, text="Quiet now."), "Mara: Quiet now."),
        (replace(BARE, text="Mara is my name."), "Mara: Mara is my name."),
        (replace(BARE, text="bows", mode="me"), "Mara: *bows*"),
        (replace(BARE, text="psst", to="Jon"), "Mara to Jon: psst"),
        (BARE, "Mara"),
        (
            replace(BARE, kind="noted", text="Mara writes in the notes."),
            "Mara writes in the notes.",
        ),
        (replace(BARE, kind="seat-asked", text="Jon sits down."), "Mara: Jon sits down."),
        (replace(BARE, stub="Mara threw dice for the GM."), "Mara: Mara threw dice for the GM."),
        (
            replace(BARE, kind="rolled", stub="Mara threw dice for the GM."),
            "Mara threw dice for the GM.",
        ),
        (
            MOVE,
            (
                "Mara: Aim. Mara Vell: d10+ 9 + 7 Aim - 2 cold hands = 14. [d6 2 dropped] "
                "Succeeds. Against Hard, 16. (toast.5-total)"
            ),
        ),
        (
            replace(MOVE, odds=ODDS, typed=True, dice=()),
            (
                "Mara: Aim. Mara Vell: + 7 Aim - 2 cold hands = 14. Succeeds. Against Hard, 16. "
                "(toast.5-total) (had 67 %: success or kick) (real dice)"
            ),
        ),
        (replace(BARE, text="Acts on 9.", odds=ONE), "Mara: Acts on 9."),
        (
            replace(BARE, text="Oops.", undone="Taken back by Ida"),
            "Mara: Oops. (Taken back by Ida)",
        ),
        (replace(BARE, text="Gone.", reason="a slip"), "Mara: Gone. Why: a slip"),
        (replace(BARE, text="Back: too wide", reason="too wide"), "Mara: Back: too wide"),
    ],
)
def test_an_entry_reads_as_people_say_it(entry, text):
    assert tell(entry, time=False) == text
    assert tell(entry) == f"20:41 {text}"
