"""Several people at one task: everybody throws, one die counts, beside the best rank."""

from __future__ import annotations

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Choice,
    Entity,
    Field,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts, outcomes
from kitchentable.rulesets.toaster.actions.contests import opponents
from kitchentable.rulesets.toaster.actions.falling import fallen
from kitchentable.rulesets.toaster.actions.fields import on_field, on_name, what_field
from kitchentable.rulesets.toaster.actions.gmfields import gm_fields
from kitchentable.rulesets.toaster.actions.reckoning import (
    PLAIN_NAMES,
    Reckoning,
    is_kept,
    of_the_gm,
    own_parts,
    rank_part,
    rolled_on,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.together import Together, band, together
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import extended

HELP, NO_EFFECT, TOO_MANY = "help", "none", "too-many"


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    others = tuple(one for one in opponents(table, actor) if lens.numbers_known(one))
    whose = Field(
        "helpers",
        "Who works with you?",
        "many",
        lens.choose(others),
        low=1,
        needs_yes=True,
        help=_limits(table),
        rule="toaster.3.collab-max-helpers",
    )
    effect = Field(
        "effect",
        "Does it help?",
        "choice",
        (
            Choice(HELP, "Yes: the best die counts"),
            Choice(NO_EFFECT, "No: the best of them tries alone"),
            Choice(TOO_MANY, "Too many cooks: the worst die counts"),
        ),
        default=HELP,
        set_by=GM,
        rule="toaster.3.collab-gm",
    )
    return (
        what_field(),
        on_field(table, entity),
        whose,
        effect,
        *_limit_fields(table),
        *gm_fields(table, answers),
    )


def _limits(table: Table) -> str:
    """Who is of any use, and how many: as the table has set it."""
    least, gap = (setting(table.options, key) for key in ("collab_min_rank", "collab_max_gap"))
    most = setting(table.options, "collab_max_helpers")
    found = [
        f"a rank of {least} at least" if least is not None else "",
        f"no more than {gap} below the best" if gap is not None else "",
        f"{most} people at most" if most is not None else "",
    ]
    words = lens.listed(one for one in found if one)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _limit_fields(table: Table) -> tuple[Field, ...]:
    """The same limits for this task alone (toaster.3.collab-min-rank, toaster.3.collab-gap)."""
    return tuple(
        Field(
            key,
            label,
            "number",
            default=setting(table.options, f"collab_{key}"),
            required=False,
            set_by=GM,
            low=low,
            high=99,
            rule=rule,
        )
        for key, label, low, rule in (
            ("min_rank", "Least rank to be of help", 0, "toaster.3.collab-min-rank"),
            ("max_gap", "At most so many below the best", 0, "toaster.3.collab-gap"),
            ("max_helpers", "At most so many people", 1, "toaster.3.collab-max-helpers"),
        )
    )


def _all(table: Table, actor: Actor, answers: Answers) -> list[Entity]:
    picked = answers.get("helpers")
    ids = [actor.entity, *(str(one) for one in picked)] if isinstance(picked, list) else []
    return [table.entities[one] for one in dict.fromkeys(ids) if one in table.entities]


def working(table: Table, people: list[Entity], answers: Answers) -> list[Entity]:
    """Those whose dice are thrown, the one with the best rank first.

    Left out is who has too low a rank, or lies too far below the best
    (toaster.3.collab-min-rank, toaster.3.collab-gap).
    """
    ranked = sorted(people, key=lambda one: -_rank(table, one, answers))
    if answers.get("effect") == NO_EFFECT:
        return ranked[:1]
    best = _rank(table, ranked[0], answers)
    least, gap = answers.get("min_rank"), answers.get("max_gap")
    return [
        one
        for one in ranked
        if one is ranked[0]
        or (
            (least is None or _rank(table, one, answers) >= whole(least))
            and (gap is None or best - _rank(table, one, answers) <= whole(gap))
        )
    ]


def _rank(table: Table, entity: Entity, answers: Answers) -> int:
    return rank_part(table, entity, answers, PLAIN_NAMES).value


def _reckon(table: Table, actor: Actor, best: Entity, answers: Answers) -> Reckoning:
    """Rank, harm and modifiers of the best of them, and nobody else's (A-67)."""
    open_parts, kept = of_the_gm(table, actor, answers)
    return Reckoning((*own_parts(table, best, answers), *open_parts), kept)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    people = _all(table, actor, answers)
    missing = any(
        is_kept(actor, PLAIN_NAMES, key) and key not in answers
        for key in ("difficulty", "circumstances", "modifiers")
    )
    if missing or len(people) < 2 or not all(map(lens.numbers_known, people)):
        return None
    hands = working(table, people, answers)
    ext = extended(table.options)
    return Question(
        together,
        (
            tuple(one.name for one in hands),
            _reckon(table, actor, hands[0], answers).modifier,
            ext,
            answers.get("effect") == TOO_MANY,
            outcomes.varies(table),
        ),
        outcomes.bands(table, ext),
        band,
        tuple(one.name for one in hands if lens.is_closed(one) or one.hidden),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    people = _all(table, actor, answers)
    problems = [
        Problem("helpers", "toaster.4.mortal-last-act", unable)
        for one in people
        if (unable := harm.can_act(table, one)) is not None
    ]
    if len(people) < 2:
        problems.append(Problem("helpers", "toaster.3.collab-gm", "Say who works with them."))
    most = answers.get("max_helpers")
    if most is not None and len(people) > whole(most):
        sentence = f"There is room for {whole(most)} at this, not for {len(people)}."
        problems.append(Problem("helpers", "toaster.3.collab-max-helpers", sentence))
    return tuple(problems)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Together) -> Result:
    people = _all(table, actor, answers)
    hands = working(table, people, answers)
    best = hands[0]
    throw = facts.thrown(
        best,
        on_name(table, answers),
        str(rolled_on(answers)),
        best.name,
        _with_die(_reckon(table, actor, best, answers), outcome.die),
        outcome.outcome,
    )
    left_out = [one.name for one in people if one not in hands]
    words = [str(answers["what"])] if answers.get("what") else []
    how = "The worst die counts" if answers.get("effect") == TOO_MANY else "The best die counts"
    if len(hands) > 1:
        words.append(f"{how}: {lens.listed(one.name for one in hands)} throw.")
    if left_out:
        words.append(f"Of no help: {lens.listed(left_out)}.")
    about = {
        "what": " ".join(words),
        "quality": False,
        "told_after": setting(table.options, "difficulty_shown") == "after",
        "gm_only": lens.card_audience(*people) == GM,
    }
    notes = [note for one in hands[1:] for note in facts.noted(one, str(rolled_on(answers)))]
    result = fallen(table, actor, best, throw, about, may_throw_again=False)
    return Result(result.card, (*result.changes, *notes), result.asks, result.closes)


def _with_die(reckoning: Reckoning, die: int) -> Reckoning:
    return Reckoning((*reckoning.open, Part("the die that counts", die)), reckoning.kept)


def _when(table: Table, actor: Actor) -> str | None:
    if not setting(table.options, "collaboration"):
        return "This table does not play with the rule for working together."
    entity = lens.whom(table, actor.entity)
    unable = harm.can_act(table, entity) if entity is not None else None
    if unable is not None:
        return unable
    return None if opponents(table, actor) else "Nobody is there to work with."


TOGETHER = Move(
    "together",
    "Work together",
    "Several at one task: everybody throws, one die is added to the best rank.",
    (
        "toaster.3.collab-gm",
        "toaster.3.collab-best",
        "toaster.3.collab-too-many-cooks",
        "toaster.3.collab-extended",
    ),
    _consequences,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
)
