"""Consent: a change that happens only if a certain person agrees.

The card is made by `at.ask`, its question is a `decision` on the form, and a guard limits who may
answer; the move's function has the consequences. If only the GM decides, `voted` stores the others'
answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.rules.kit.at import Guard
from kitchentable.rules.kit.forms import Input, pick, text
from kitchentable.rules.values import Json, Row

YES_NO = (("yes", "Yes"), ("no", "No"))


def decision(
    question: Any, answers: Iterable[tuple[str, str]] = YES_NO, **parts: Any
) -> Input[str]:
    """The question of a consent; the first answer is the default."""
    answers = tuple(answers)
    return pick(question, answers, **{"default": answers[0][0], **parts})


def voted(at: Any, title: str, said: str, vote: Json) -> bool:
    """Whether the answer was only a vote, because the GM decides.

    Then the vote is stored and shown as what the player `said`, and the card stays open.
    """
    if not at.is_gm:
        at.tell(title, f"{at.seat()} {said}", of=())
        at.keep_open(votes={**at.asked.votes, at.actor.seat: vote})
    return not at.is_gm


def votes(at: Any) -> str:
    """The votes of the players who were asked, in words: "Ben: yes, Cleo: not yet"."""
    if at.asked is None:
        return ""
    said = at.asked.votes
    seats = [one for one in at.asked.to if one in at.table.seats]
    return ", ".join(f"{at.seat(one)}: {said.get(one, 'not yet')}" for one in seats)


def story(**parts: Any) -> Input[str]:
    """The question for the story of a roll: the GM answers it and sees the players' suggestions."""
    return text(
        lambda at: "What happens" if at.is_gm else "What might happen",
        story=True,
        help=_suggestions,
        **parts,
    )


def _suggestions(at: Any) -> str:
    suggested: Row = at.asked.votes if at.asked and at.is_gm else {}
    heard = "; ".join(f"{at.seat(seat)}: {said['text']}" for seat, said in suggested.items())
    return f"Suggested: {heard}" if heard else ""


def suggested(at: Any, title: str, words: str) -> bool:
    """Whether the story was only suggested; then it is stored and shown, the card stays open."""
    return voted(at, title, f"suggests: {words}", {"text": words})


def only_owner(sentence: str) -> Guard:
    """A guard for an answer that only the owner may give; `{}` in the sentence is the entity."""
    return lambda at: None if at.actor.seat == at.me.owner else sentence.format(at.me.name)
