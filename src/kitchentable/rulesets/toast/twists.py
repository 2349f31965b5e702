"""Flubs and kicks, and their stories."""

from __future__ import annotations

from kitchentable.rules import EVERYONE, GM, listed
from kitchentable.rules.kit import Form, given, pick, story, suggested
from kitchentable.rulesets.toast.mechanics import Announced, Special
from kitchentable.rulesets.toast.options import BOOK
from kitchentable.rulesets.toast.people import At, Here, Person, toast

#: The occasions by key: title, question, rules, whether the mood is good.
OCCASIONS = BOOK.by_key("occasion")


def tell_twist(at: Here, occasion: str, *who: Person) -> None:
    """Ask for a story: players suggest, the GM tells it or skips it."""
    row = OCCASIONS[occasion]
    names = listed([one.name for one in who])
    hidden = [one for one in who if one.hidden]
    at.ask(
        twist,
        GM if hidden else (GM, "players"),
        f"{names}: {row['name']}",
        row["question"].format(name=names),
        of=(hidden or who)[0],
        rules=(*row["rules"], "toast.5-splashy"),
        occasion=occasion,
        name=names,
        about=at.number,
        round=(at.table.fight or {}).get("round", 0),
    )


def of_a_pair(first: Announced, second: Announced) -> str:
    """The occasion of two simultaneous throws, or "" for two plain numbers.

    >>> flub, kick = Special.FLUB, Special.KICK
    >>> of_a_pair(kick, flub), of_a_pair(flub, flub), of_a_pair(9, kick), of_a_pair(9, 8)
    ('spectacle', 'two-flubs', 'kick', '')
    """
    specials = [one for one in (first, second) if isinstance(one, Special)]
    if len(specials) == 2:
        return f"two-{specials[0]}s" if specials[0] is specials[1] else "spectacle"
    return specials[0].value if specials else ""


def twist_of_a_pair(
    at: Here, sides: tuple[Person, Person], thrown: tuple[Announced, Announced]
) -> None:
    """Ask for the story of a contest or an attack, with one card for two specials."""
    occasion = of_a_pair(*thrown)
    if occasion in {"flub", "kick"}:
        tell_twist(at, occasion, sides[isinstance(thrown[0], int)])
    elif occasion:
        tell_twist(at, occasion, *sides)


class TwistForm(Form):
    occasion = given("flub")
    name = given("")
    about = given(0)
    round = given(0)
    text = story(rule=lambda at: OCCASIONS[at.form.occasion]["rules"][0])
    mood = pick(
        when=lambda at: at.is_gm and (not at.form.occasion.startswith("initiative-")),
        default=lambda at: OCCASIONS[at.form.occasion]["mood"],
        rule=lambda at: f"toast.5-{('kick' if 'kick' in at.form.occasion else 'flub')}-colour",
    )


@toast.answer("twist")
def twist(at: At[TwistForm]) -> None:
    form, ask = at.form, at.answered
    row = OCCASIONS[form.occasion]
    title = f"{form.name}: {row['name']}"
    if suggested(at, title, form.text):
        return
    if form.occasion.startswith("initiative-"):
        if at.table.fight is not None:  # a lost or quick turn gets a note in the round
            at.write(("fight", "notes", str(form.round), ask.entity), form.text)
    else:
        at.say(f"Mood: {form.mood}. The result stands as it fell.")
    outcome = form.occasion.removeprefix("initiative-").partition("-")[0]
    about = at.find(ask.entity)
    at.tell(
        title,
        form.text,
        outcome,
        "splendid",
        row["rules"],
        of=[about] if about else (),
        about=form.about,
        audience=EVERYONE,
    )
