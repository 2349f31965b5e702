"""The Lantern Coast: a ready campaign in which a woman, a ship and a faith are played."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Entity, Example, Json, Table
from kitchentable.rulesets.objects.options import OPTIONS
from kitchentable.rulesets.objects.sheet import SHEET

_TABLE = Table(options={option.key: option.field.default for option in OPTIONS})

_NOTES = """The lamps along the coast go out one after the other, from the north. The harbour town \
blames the keeper's house on the point, the keeper's house blames nobody and hums. The Heron is \
the only ship that still sails at night."""


def _made(
    ident: str,
    name: str,
    kind: str,
    owner: str,
    concept: str,
    story: str,
    *,
    basic: dict[str, int] | None = None,
    talents: tuple[tuple[str, int, str], ...] = (),
    signs: tuple[str, ...] = (),
    opened: bool = True,
    **more: Any,
) -> Entity:
    blank = SHEET.blank(_TABLE, kind)
    sheet: dict[str, Json] = {
        **blank,
        "concept": concept,
        "story": story,
        "basic": {**blank["basic"], **(basic or {})},
        "talents": [
            {"name": words, "level": level, "object": leads} for words, level, leads in talents
        ],
        "signs": [{"text": text} for text in signs],
        **more,
    }
    bare = Entity(ident, name, kind, owner, sheet, {}, stage="draft", line=concept, open=opened)
    return Entity(
        ident, name, kind, owner, sheet, SHEET.start(_TABLE, bare), open=opened, line=concept
    )


def example() -> Example:
    """A captain, her ship with captain and crew for talents, a faith, a house, a rival."""
    mara = _made(
        "mara",
        "Mara Vell",
        "person",
        "Mara",
        "Captain who never asks what is in the crates",
        "Born on a deck, in a storm, to a mother who kept the wheel. She inherited the Heron and "
        "its debts. Last night a man in grey paid both.",
        basic={
            "agile": 4,
            "dangerous": 2,
            "disciplined": 3,
            "handy": 3,
            "influential": 4,
            "witty": 5,
            "tough": 3,
        },
        talents=(
            ("captain of small fast ships", 5, ""),
            ("reader of other people's letters", 3, ""),
            ("swimmer", 0, ""),
        ),
        signs=("A coat too good for her boots", "Always stands where the wind is"),
        goal="To owe nobody anything.",
        objectives=[
            {"text": "Find out who paid her debts", "done": False},
            {"text": "Keep the Heron afloat until spring", "done": False},
        ],
    )
    heron = _made(
        "heron",
        "The Patient Heron",
        "vehicle",
        "Jonas",
        "Small fast ship, older than her papers",
        "Built for a war that was over before she was launched. She has been a smuggler, a "
        "hospital and for one summer a theatre. She knows the coast better than its maps.",
        basic={"fast": 4, "sturdy": 2, "far-ranging": 3},
        talents=(
            ("steered by Captain Vell", 5, "mara"),
            ("worked by a crew that has seen worse", 3, "crew"),
            ("hard to see at dusk", 4, ""),
        ),
        signs=("Eaten by time, beautifully mended", "One lamp, red"),
        status=5,
        causes=[{"text": "scraped the Teeth: planks sprung on the left side"}],
    )
    flame = _made(
        "flame",
        "The Quiet Flame",
        "idea",
        "Lene",
        "A faith of lamplighters",
        "It began with one widow and one lamp. Now every window on the coast has a candle, and "
        "those who light them talk to each other in the dark. It has no temple. It has matches.",
        talents=(
            ("comforting to the frightened", 5, ""),
            ("spread by gossip", 4, ""),
            ("feared by the harbour guard", 2, ""),
        ),
        signs=("A candle in a window", "A thumb black with soot"),
        sentient=True,
        goal="That nobody is alone in the dark.",
    )
    crew = _made(
        "crew",
        "The Heron's crew",
        "group",
        GM,
        "Nine sailors and a cook",
        "They were hired for a week, four years ago. They grumble about it daily.",
        talents=(("sailing in any weather", 4, ""), ("brawling", 3, ""), ("discreet", 1, "")),
        signs=("Nine identical red caps",),
    )
    house = _made(
        "house",
        "The keeper's house",
        "place",
        GM,
        "Haunted house on the point",
        "The keeper went up to the lamp and did not come down. The house waits for him. It has "
        "begun to practise on visitors.",
        talents=(("patient", 6, ""), ("good at voices", 4, ""), ("made of dry wood", 4, "")),
        signs=("It hums", "The windows are cleaner inside than out"),
        opened=False,
        sentient=True,
        goal="To have somebody come down the stairs.",
    )
    objects = (mara, crew, heron, flame, house)
    return Example("The Lantern Coast", ("Mara", "Jonas", "Lene"), objects, _NOTES)
