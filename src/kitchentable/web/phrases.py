"""Filters of the templates: chances, times, numbers, paths into a sheet.

Pure functions, registered in the templates by the names in `FILTERS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeVar

from kitchentable.campaign.read_models import SeenProposal
from kitchentable.dice.chance import in_percent
from kitchentable.rules.values import Choice, Problem

T = TypeVar("T")

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
#: Dice that have a picture of their own; every other die is drawn as a token.
PICTURED = {2: "coin", 3: "d6", 4: "d4", 6: "d6", 8: "d8", 10: "d10", 12: "d12", 20: "d20"}


def percent(chance: Fraction) -> str:
    r"""A chance in percent: whole numbers, with decimals only near 0 and 100.

    >>> percent(Fraction(11, 12)), percent(Fraction(1, 300)), percent(Fraction(1))
    ('92\xa0%', '0.3\xa0%', '100\xa0%')
    >>> percent(Fraction(999, 1000)), percent(Fraction(1, 10**6)), percent(Fraction(0))
    ('99.9\xa0%', 'under 0.1\xa0%', '0\xa0%')
    """
    return in_percent(chance).replace(" %", f"{NBSP}%")


def width(chance: Fraction) -> str:
    """The chance as a length out of 100, for a bar.

    >>> width(Fraction(1, 3))
    '33.33'
    """
    return f"{float(chance * 100):.2f}"


def exact(chance: Fraction, *, longest: int = 14) -> str:
    """The chance as a fraction, or as a decimal where the fraction is too long to read.

    >>> exact(Fraction(11, 12)), exact(Fraction(1, 3**40))
    ('11/12', '8.225263e-20')
    """
    text = str(chance)
    return text if len(text) <= longest else f"{float(chance):.7g}"


def signed(number: int) -> str:
    r"""A summand with its sign, and with a typographic minus.

    >>> signed(3), signed(-2)
    ('+\xa03', '−\xa02')
    """
    return f"{'+' if number >= 0 else MINUS}{NBSP}{abs(number)}"


def spoken(number: int) -> str:
    """A summand in words.

    >>> spoken(3), spoken(-2)
    ('plus 3', 'minus 2')
    """
    return f"{'plus' if number >= 0 else 'minus'} {abs(number)}"


def clock(time: str) -> str:
    """The time of day of a moment, in the zone it is written in; the page's script makes it local.

    >>> clock("2026-11-22T20:41:03Z"), clock("soon")
    ('20:41', 'soon')
    """
    moment = _moment(time)
    return f"{moment.hour:02}:{moment.minute:02}" if moment else time


def day(time: str) -> str:
    """The date of a moment.

    >>> day("2026-11-02T20:41:03+00:00")
    '2 November 2026'
    """
    moment = _moment(time)
    return f"{moment.day} {moment:%B %Y}" if moment else time


def anchor(name: str) -> str:
    """A field's dotted name as a part of an id.

    >>> anchor("perks.0.text")
    'perks-0-text'
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name)


def at(values: Mapping[str, Any], path: str, default: Any = None) -> Any:
    """The value at a dotted path, given flat ("traits.aim": 3) or nested; else the default.

    >>> at({"traits": {"aim": 3}}, "traits.aim"), at({"traits.aim": "x"}, "traits.aim"), at({}, "a")
    (3, 'x', None)
    """
    if path in values:
        return values[path]
    here: Any = values
    for step in path.split("."):
        if not isinstance(here, Mapping) or step not in here:
            return default
        here = here[step]
    return here


def beside(problems: Iterable[Problem], name: str) -> list[Problem]:
    """The problems that belong beside one field, those of its rows included.

    >>> aim = Problem("traits.aim", "toast.3.1-max9", "Aim starts at 9 at most.")
    >>> beside([aim], "traits.aim") == [aim], beside([aim], "traits.ai")
    (True, [])
    """
    return [p for p in problems or () if p.where == name or p.where.startswith(f"{name}.")]


def group_by(values: Iterable[T], attribute: str) -> dict[str, list[T]]:
    """Values under each value of an attribute, in their order.

    >>> options = [Choice("2", "Two", "even"), Choice("3", "Three", "odd"), Choice("4", "", "even")]
    >>> {hint: [one.value for one in group] for hint, group in group_by(options, "hint").items()}
    {'even': ['2', '4'], 'odd': ['3']}
    """
    groups: dict[str, list[T]] = {}
    for value in values:
        groups.setdefault(getattr(value, attribute), []).append(value)
    return groups


#: This many steps of a long list are offered at once.
_LIKELY = 5


def near(choices: Sequence[Choice], now: object) -> Sequence[Choice]:
    """The likely ones of a long list: those around the one that is set, else those with a name.

    >>> ladder = [Choice(str(n), f"{n} {word}".strip()) for n, word in enumerate(("", "Hard", ""))]
    >>> [one.value for one in near(ladder, "2")], [one.value for one in near(ladder, None)]
    (['0', '1', '2'], ['1'])
    """
    at = next((at for at, one in enumerate(choices) if one.value == now), None)
    if at is None:
        named = [one for one in choices if any(map(str.isalpha, one.label))]
        return (named or choices)[:_LIKELY]
    first = max(0, min(at - _LIKELY // 2, len(choices) - _LIKELY))
    return choices[first : first + _LIKELY]


def count(number: int, one: str, many: str = "") -> str:
    r"""A number with its noun, which stay on one line.

    >>> count(1, "wound"), count(3, "wound"), count(2, "die", "dice")
    ('1\xa0wound', '3\xa0wounds', '2\xa0dice')
    """
    return f"{number}{NBSP}{one if number == 1 else many or one + 's'}"


def picture(die: str, sides: int) -> str:
    """The name of the drawing of a die.

    >>> picture("d10+", 12), picture("dF", 3), picture("d100", 100), picture("d7", 7)
    ('d12', 'd6', 'd100', 'token')
    """
    return "d100" if sides == 100 else PICTURED.get(sides, "token")


def face_mark(face: str, die: str) -> str:
    """The drawing for a named face, or "" for a face that is written.

    >>> face_mark("kick", "d10+"), face_mark("-1", "dF"), face_mark("7", "d10+")
    ('kick', 'minus', '')
    """
    if die.casefold() == "df":
        return {"1": "plus", "-1": "minus"}.get(face, "blank")
    return face.casefold() if face.casefold() in {"kick", "flub"} else ""


def _moment(time: str) -> datetime | None:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def _are_kin(one: str, other: str) -> bool:
    """Whether two words have the same stem: "succeeds" and "success", "fails" and "failure"."""
    pairs = zip(one, other, strict=False)
    stem = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return stem >= 3 and 2 * stem >= max(len(one), len(other))


def beyond(sentence: str, outcome: str) -> str:
    """The part of a card's sentence that does not repeat its outcome.

    >>> beyond("A critical failure! Worse than was feared.", "critical failure")
    'Worse than was feared.'
    >>> beyond("A marginal success: it is done.", "marginal"), beyond("Hurts them.", "hurts them")
    ('It is done.', '')
    >>> beyond("Down the stairs he goes.", "down"), beyond("Succeeds.", "")
    ('Down the stairs he goes.', 'Succeeds.')
    >>> beyond("Hit. One wound: 1 of 4.", "hit")
    'One wound: 1 of 4.'
    >>> beyond("Succeeds.", "success"), beyond("Fails: it is dark.", "failure")
    ('', 'It is dark.')
    """
    lead, *after = re.split("[.!:]", sentence, maxsplit=1)
    words = lead.casefold().removeprefix("a ").split()
    wanted, rest = outcome.casefold().split(), "".join(after).strip()
    same = words == wanted or bool(rest and words[:-1] == wanted)
    if len(words) == len(wanted) == 1:
        same = same or _are_kin(words[0], wanted[0])
    return rest[:1].upper() + rest[1:] if wanted and same else sentence


def unanswered(talk: SeenProposal, but: str = "") -> bool:
    """Whether a question of a roll, another than `but`, has neither an answer nor a default.

    >>> from dataclasses import replace
    >>> from kitchentable.rules.values import Field
    >>> asked = SeenProposal("r1", "task", "Task", "", "Mara", (), (), mine=(Field("n", "Number"),))
    >>> unanswered(asked), unanswered(replace(asked, answers={"n": 11})), unanswered(asked, "n")
    (True, False, False)
    """
    return any(
        field.required
        and field.name != but
        and field.kind not in {"tick", "rows", "many"}
        and talk.answers.get(field.name, field.default) in (None, "")
        for field in talk.mine
    )


FILTERS: Mapping[str, Callable[..., Any]] = {
    "percent": percent,
    "width": width,
    "exact": exact,
    "signed": signed,
    "spoken": spoken,
    "clock": clock,
    "day": day,
    "anchor": anchor,
    "at": at,
    "beside": beside,
    "beyond": beyond,
    "group_by": group_by,
    "near": near,
    "count_of": count,
    "unanswered": unanswered,
}
