"""Rests, moves without dice, and growth in a game in a file."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import kit
from kitchentable.rules.facts import part_of, whole
from kitchentable.rules.kit.at import AnyAt, At, needs
from kitchentable.rules.kit.forms import Form, Problems
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Result
from kitchentable.rules.table import Table
from kitchentable.rules.toml.form import Growth, Rest, Written
from kitchentable.rules.toml.people import Body, game_of
from kitchentable.rules.toml.rollform import TRAIT
from kitchentable.rules.toml.rolls import mark_lines
from kitchentable.rules.values import GM, Choice, Problem, record


@record
class Resting:
    """A rest, or a move without dice."""

    rest: Rest

    def declare(self, rules: AnyRules) -> Declared:
        """The move: made by the GM for everybody, or by a player for their own character."""
        rest = self.rest
        return rules.move(
            rest.key, rest.title, rest.help or rest.title,
            rules=(rest.rule,), by=(GM,) if rest.by_gm else ("player", GM), place="rest",
            when=self.why_not, for_entity=not rest.by_gm,
        )(self.act)  # fmt: skip

    def why_not(self, at: AnyAt) -> str | None:
        """None, or the reason why the move cannot be made now."""
        if at.table.fight is not None and (self.rest.by_gm or self.rest.days):
            return "A fight is on; end it first."
        if self.rest.by_gm or (me := at.find(at.actor.entity)) is None:
            return None
        why_not: str | None = me.may_not(self.rest)
        return why_not

    def act(self, at: AnyAt) -> None:
        """Pay the costs, mark tracks and reset tracks."""
        rest = self.rest
        for one in at.in_play() if rest.by_gm else [at.me]:
            numbers = one.numbers()
            one.pay(rest.costs, numbers)
            for scale in one.scales:
                if scale.key in rest.clears:
                    one.mark(scale, scale.begins(one.levels) - one.marks(scale))
                elif scale.key in rest.marks:
                    one.mark(scale, rest.marks[scale.key].value(numbers))
        at.lines += mark_lines(at)
        said = "" if at.changes else "Nothing changes by it."
        if rest.days:
            at.write(("day",), at.table.day + rest.days)
            said = f"Day {at.table.day + rest.days}."
        at.tell(rest.title, said, rules=(rest.rule,), of=() if rest.by_gm else None)
        if at.fight is not None:
            at.fight.go_on()


# ---------------------------------------------------------------- changes by the GM


class MarkForm(Form):
    """Boxes to mark on somebody's track."""

    who = kit.somebody(among=At.in_play)
    track = kit.pick(choices=lambda at: [(o.key, o.title) for o in game_of(at).scales], first=True)
    more = kit.number()
    why = kit.text()

    def problems(self) -> Problems:
        """Tracks of another kind."""
        who: Body = self.who
        scale = who.game.scales.of(self.track)
        if scale not in who.scales:
            sentence = f"{who.name} has no track {scale.title}. Pick another."
            yield Problem("track", scale.rule, sentence)


def mark_move(rules: AnyRules) -> Declared:
    """The move with which the GM marks a track."""
    return rules.move("mark", form=MarkForm, rules=(), when=needs(At.in_play, "Nobody is there."))(
        _mark
    )


def _mark(at: AnyAt) -> None:
    one = at.form.who
    scale = one.game.scales.of(at.form.track)
    one.mark(scale, at.form.more, anyway=True)
    at.lines += mark_lines(at)
    why = f"{one.name}: {at.form.why}"
    at.tell(why, "By the GM's ruling.", rules=(scale.rule,), of=[one])
    if at.fight is not None:
        at.fight.go_on()


# ---------------------------------------------------------------- growth


def _growth(game: Written) -> Growth:
    found: Any = game.growth  # whoever asks has a game with growth
    growth: Growth = found
    return growth


def points_at_session_end(rules: AnyRules, table: Table) -> Result:
    """Give points to the players' characters in play."""
    at = rules.at(table)
    growth = _growth(game_of(at))
    points = growth.at_session_end
    for one in at.in_play():
        more = points.value(one.numbers()) if points is not None and one.is_players else 0
        if more > 0:
            one.write("state", "points", now=_points(one) + more)
            at.say(f"{one.name}: {more} to grow by.", one.card_audience)
    if at.lines:
        at.tell("Growth", rules=(growth.rule,), of=())
    return at.result()


def _points(one: Body) -> int:
    """The points that an entity can spend on growth."""
    track = _growth(one.game).track
    return one.marks(one.game.scales.of(track)) if track else whole(one.entity.state.get("points"))


def _cost(one: Body, key: str) -> int:
    """The cost of one more level of a trait."""
    return max(1, _growth(one.game).cost.value(one.numbers() | {TRAIT: one.level(key)}))


def _levels(at: AnyAt) -> list[Choice]:
    me: Body = at.me
    return [
        Choice(one.key, f"{one.title} {me.level(one.key)}, costs {_cost(me, one.key)}")
        for group in me.groups
        for one in group.traits
    ]


class GrowForm(Form):
    """The trait to grow in."""

    trait = kit.pick(choices=_levels, rule=lambda at: _growth(game_of(at)).rule)

    def problems(self) -> Problems:
        """Check that there are points enough, and a level above."""
        me: Body = self.at.me
        rule, group = _growth(me.game).rule, me.game.traits[self.trait][1]
        has, cost = _points(me), _cost(me, self.trait)
        if cost > has:
            yield Problem("trait", rule, f"That costs {cost}; {me.name} has {has}.")
        if me.level(self.trait) >= group.top:
            yield Problem("trait", rule, f"{group.top} is the most.")


def _may_grow(at: AnyAt) -> str | None:
    me = at.find(at.actor.entity)
    return None if me is not None and _points(me) > 0 else "There are no points to grow by."


def _grow(at: AnyAt) -> None:
    me, key = at.me, at.form.trait
    (trait, group), growth = me.game.traits[key], _growth(me.game)
    now, left = me.level(key) + 1, _points(me) - _cost(me, key)
    me.write("sheet", "traits", key, now=now)
    me.write("state", *(("tracks", growth.track) if growth.track else ("points",)), now=left)
    grown = part_of(me.entity.state, "grown")
    me.write("state", "grown", group.key, now=whole(grown.get(group.key)) + 1)
    said = f"{trait.title} goes up to {now}."
    at.tell(f"{me.name} grows", said, tone="good", rules=(growth.rule,))


def grow_move(growth: Growth, rules: AnyRules) -> Declared:
    """The move that spends points on a level; with a track it can be made at any time."""
    place = "growth" if growth.track else "rest"
    cites = (growth.rule,)
    return rules.move("grow", form=GrowForm, rules=cites, place=place, when=_may_grow)(_grow)
