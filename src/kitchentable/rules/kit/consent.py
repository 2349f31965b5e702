"""Consent: a change that happens only if a certain person agrees.

The card is made by `at.ask`, its question is a `decision` on the form, and a guard limits who may
answer; the move's function has the consequences. If only the GM decides, `advised` stores the
others' votes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.rules.kit.at import Guard
from kitchentable.rules.kit.forms import Input, pick, text
from kitchentable.rules.values import Json, Row

YES_NO = (("yes", "Yes"), ("no", "No"))


def decision(
    question: str,
    answers: Iterable[tuple[str, str]] = YES_NO,
    *,
    advice: str = "",
    advice_rule: str = "",
    rule: str = "",
    **parts: Any,
) -> Input[str]:
    """The question of a consent; the first answer is the default.

    With `advice` the GM decides: the others are asked the question `advice`, and the GM sees their
    votes.
    """
    answers = tuple(answers)
    known = {"default": answers[0][0], "rule": rule}
    if not advice:
        return pick(question, answers, **{**known, **parts})
    return pick(
        lambda at: question if at.is_gm else advice,
        answers,
        **{
            **known,
            "help": _tell_votes,
            "rule": lambda at: rule if at.is_gm else advice_rule,
            **parts,
        },
    )


def _tell_votes(at: Any) -> str:
    """The votes next to the GM's question."""
    if not at.is_gm:
        return ""
    return f"The others: {votes(at)}." if votes(at) else "Nobody else is asked."


def votes(at: Any) -> str:
    """The votes of the players who were asked, in words: "Ben: yes, Cleo: not yet"."""
    if at.asked is None:
        return ""
    said = at.asked.votes
    seats = [one for one in at.asked.to if one in at.table.seats]
    return ", ".join(f"{at.seat(one)}: {said.get(one, 'not yet')}" for one in seats)


def advised(at: Any, answer: str, title: str) -> bool:
    """Whether the answer was only a vote; a vote is stored and shown, and the card stays open."""
    said = "agrees" if answer == "yes" else "does not agree"
    return not at.is_gm and _keep_vote(at, title, f"{said}.", answer)


def story(**parts: Any) -> Input[str]:
    """The question for the story of a roll: the GM answers it and sees the players' suggestions."""
    return text(
        lambda at: "What happens" if at.is_gm else "What might happen",
        story=True,
        help=_suggestions,
        **parts,
    )


def _suggestions(at: Any) -> str:
    votes: Row = at.asked.votes if at.asked and at.is_gm else {}
    heard = "; ".join(f"{at.seat(seat)}: {said['text']}" for seat, said in votes.items())
    return f"Suggested: {heard}" if heard else ""


def suggested(at: Any, title: str, words: str) -> bool:
    """Whether the story was only suggested; then it is stored and shown, the card stays open."""
    return not at.is_gm and _keep_vote(at, title, f"suggests: {words}", {"text": words})


def _keep_vote(at: Any, title: str, said: str, vote: Json) -> bool:
    """Store a player's vote on the open card, and show it."""
    at.tell(title, f"{at.seat()} {said}", of=())
    at.keep_open(votes={**at.asked.votes, at.actor.seat: vote})
    return True


def only_owner(sentence: str) -> Guard:
    """A guard for an answer that only the owner may give; `{}` in the sentence is the entity."""
    return lambda at: None if at.actor.seat == at.me.owner else sentence.format(at.me.name)
