"""Consent: something is put before people and happens only if the right one says yes.

The card is an `at.ask`, its question a `decision` on the form, the one who may answer a guard; the
function of the move is what follows. Where all but the GM only advise, `advised` keeps the votes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.rules.kit.at import Guard
from kitchentable.rules.kit.forms import Input, Row, pick, text

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
    """The question of a consent. With `advice` the GM decides, and all others are asked that.

    The GM then sees the votes beside the question. The first answer is the default.
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
            "help": _heard,
            "rule": lambda at: rule if at.is_gm else advice_rule,
            **parts,
        },
    )


def _heard(at: Any) -> str:
    """The votes beside the GM's question."""
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


def advised(
    at: Any, answer: str, title: str, words: tuple[str, str] = ("agrees", "does not agree")
) -> bool:
    """Whether somebody only advised: the vote is kept, a card tells of it, and the card waits on.

    `words` say what a "yes" and what any other answer means.
    """
    if at.is_gm:
        return False
    at.tell(title, f"{at.seat()} {words[answer != 'yes']}.", of=())
    at.keep_open(votes={**at.asked.votes, at.actor.seat: answer})
    return True


def story(**parts: Any) -> Input[str]:
    """The question for the story of a roll: the GM tells it, with what players suggest in view."""
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
    """Whether somebody only suggested a story: that is kept and told, and the card waits on."""
    if at.is_gm:
        return False
    at.tell(title, f"{at.seat()} suggests: {words}", of=())
    at.keep_open(votes={**at.asked.votes, at.actor.seat: {"text": words}})
    return True


def only_owner(sentence: str) -> Guard:
    """Guards an answer that is the owner's alone; `{}` in the sentence is the name."""
    return lambda at: None if at.actor.seat == at.me.owner else sentence.format(at.me.name)
