"""The runner of playthroughs: plays a script and writes the logs it gives."""

import re
from pathlib import Path

import pytest

from kitchentable.app.playthrough import play
from kitchentable.app.scriptverbs import VERBS, BadScript
from kitchentable.rules.registry import load

EVENING = """\
# An evening.
GM> open "Salt"
    GM opens Salt, a campaign of Toast.
GM> seat Mara
    GM: Mara sits down at the table as a player.
GM> seat Jonas
    GM: Jonas sits down at the table as a player.

Mara> say Quiet now.
    Mara: Quiet now.
Mara> me listens
    Mara: *listens*
Mara> whisper gm I have the key.
    Mara to the GM: I have the key.
    [Jonas] (nothing)
Mara> roll 3d6 faces=4,4,1
    Mara rolls 3d6: 9. [d6 4, d6 4, d6 1] (real dice)
GM> roll 1d20 faces=17 audience=gm
    GM rolls 1d20: 17. [d20 17] (real dice)
    [Mara, Jonas] GM threw dice behind the screen.
Mara> begin
    ! seat/not-allowed: Only the GM can do that.
GM> begin
    GM: Session 1 begins.
GM> note table The mill burns.
    GM writes in the table's notes.
GM> undo a slip of the pen
    GM takes back: GM writes in the table's notes. Why: a slip of the pen
GM> clock The tide 2/4
    GM: The tide: 2 of 4.
Mara> line Harm to animals
    Somebody: A line is drawn: Harm to animals.
Mara> veil Gore
    Somebody: A veil is drawn over this: Gore.
Mara> x
    Somebody: The X-card is on the table: pause, and leave this out. Nobody has to say why.
Mara> x off
    Somebody: The X-card is taken up. The story goes on.
Jonas> oracle yes-or-no faces=5
    Jonas: Yes or no? Yes. Jonas: Yes or no? [d6 5] Yes. (real dice)
GM> end
    GM: Session 1 ended. Its dice can be checked.
"""


def lines_of(text, mark):
    return [line for line in text.splitlines() if line.startswith(mark)]


def test_an_evening_comes_back_as_it_was_played():
    played = play("toast", EVENING)
    assert played == play("toast", played)
    assert lines_of(played, "    ") == lines_of(EVENING, "    ")
    assert played == EVENING


def test_what_is_written_wrongly_is_written_anew():
    wrong = EVENING.replace("3d6: 9", "3d6: 10").replace("    [Jonas] (nothing)\n", "")
    assert play("toast", wrong) == EVENING
    bare = "\n".join(line for line in EVENING.splitlines() if not line.startswith(" ")) + "\n"
    assert play("toast", bare) == EVENING


def test_nothing_differs_between_two_playings():
    """No clock, no entropy, no seed of the session is in what is written down."""
    script = load("toast").playthrough
    assert play("toast", script) == play("toast", script)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("what is this", "Line 2 is neither a comment nor somebody's"),
        ("GM>", "GM does nothing"),
        ("GM> dance", "There is no verb dance"),
        ("GM> whisper", "Words are missing after whisper"),
        ('GM> say "half', "Line 2 cannot be read"),
        ("Nobody> say hello", "Nobody called Nobody sits at this table"),
        ("GM> submit Nobody", "Nobody called Nobody is at this table"),
        (
            "GM> throw 3",
            "Among the proposals, nothing waits. A roll goes: propose, GM> settle, throw.",
        ),
        ("GM> answer twist", "Among the asks, nothing waits for twist"),
        ("GM> options medium", "'medium' is not written as name=value"),
        ("GM> override day nonsense why", "Line 2 cannot be read"),
    ],
)
def test_a_line_that_cannot_be_played_is_named(line, sentence):
    with pytest.raises(BadScript) as caught:
        play("toast", f'GM> open "Salt"\n{line}\n')
    assert sentence in str(caught.value)
    assert "ine 2" in str(caught.value)


def test_a_line_that_follows_from_a_refused_step_names_that_step():
    start = 'GM> open "Salt"\nGM> seat Mara\nMara> begin\n{0}Mara> end\nGM> throw 3\n'
    with pytest.raises(BadScript, match=r"^Line 5: .* Line 3 was refused before: seat/not"):
        play("toast", start.format(""))
    with pytest.raises(BadScript, match=r"^Line 6: .* Line 5 was refused before: seat/not"):
        play("toast", start.format("    ! seat/not-allowed: Meant.\n"))


def test_a_step_before_the_campaign_is_open_is_refused():
    with pytest.raises(BadScript, match="Line 1"):
        play("toast", "GM> say hello\n")


def test_every_verb_is_used_somewhere():
    """A verb that no playthrough and no test here speaks may not work at all."""
    spoken = EVENING + load("toast").playthrough + load("lanterns").playthrough
    spoken += load("lanterns").opening
    used = {line.partition("> ")[2].split(" ")[0] for line in spoken.splitlines() if "> " in line}
    others = {"options", "settings", "withdraw", "skip", "override"}
    assert set(VERBS) <= used | others
    for line, said in (
        ("GM> settings odds_shown=no", "GM sets"),
        ("GM> options medium=12", "GM sets"),
        ('GM> override day 3 "We slept long."', "day was 0 and is 3"),
    ):
        assert said in play("toast", f'GM> open "Salt"\nGM> seat Mara\n{line}\n')
    talk = 'GM> open "Salt"\nGM> seat Mara\nGM> move npc name=Serk preset=hired-hand\nGM> begin\n'
    talk += "GM> propose task for Serk trait=aim\nGM> withdraw\n"
    assert "GM takes back the roll: Task." in play("toast", talk)


def test_every_verb_is_told_of():
    page = (Path(__file__).parents[2] / "docs" / "own-game.md").read_text("utf-8")
    table = page[page.index("| verb |") : page.index("With `--odds` it also tells")]
    rows = (row.split("|")[1] for row in table.splitlines() if row.startswith("|"))
    told = set(re.findall(r"`([a-z-]+)`", " ".join(rows)))
    assert told == {*VERBS, "open", "for"}
