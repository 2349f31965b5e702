"""Rests, moves without dice, marks by the GM, and growth in a game in a file."""

from __future__ import annotations

from kitchentable.rules import kit
from kitchentable.rules.facts import part_of, whole
from kitchentable.rules.kit.at import AnyAt, At, needs
from kitchentable.rules.kit.forms import Form, Problems
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Result
from kitchentable.rules.table import Table
from kitchentable.rules.toml.form import Growth, Rest
from kitchentable.rules.toml.people import Body, game_of
from kitchentable.rules.toml.rollform import TRAIT
from kitchentable.rules.toml.rolls import tell_marks
from kitchentable.rules.values import GM, Choice, Problem


def rest_move(rest: Rest, rules: AnyRules) -> Declared:
    """A rest, or a move without dice: the GM's for everybody, or a player's for a character."""

    def why_not(at: AnyAt) -> str | None:
        if at.table.fight is not None and (rest.by_gm or rest.days):
            return "A fight is in progress; end it first."
        me: Body | None = None if rest.by_gm else at.find(at.actor.entity)
        return me.may_not(rest) if me is not None else None

    def act(at: AnyAt) -> None:
        people = [one for one in at.in_play() if not one.lacks_move(rest)]
        for one in people if rest.by_gm else [at.me]:
            numbers = one.numbers()
            one.pay(rest.costs, numbers)
            for scale in one.scales:
                if scale.key in rest.clears:
                    one.mark(scale, scale.begins(one.levels) - one.marks(scale))
                elif scale.key in rest.marks:
                    one.mark(scale, rest.marks[scale.key].value(numbers))
        tell_marks(at)
        said = "" if at.changes else "Nothing changes."
        if rest.days:
            at.write(("day",), at.table.day + rest.days)
            said = f"Day {at.table.day + rest.days}."
        at.tell(rest.title, said, rules=(rest.rule,), of=() if rest.by_gm else None)

    return rules.move(
        rest.key, rest.title, rest.help or rest.title,
        rules=(rest.rule,), by=(GM,) if rest.by_gm else ("player", GM), place="rest",
        when=why_not, for_entity=not rest.by_gm,
    )(act)  # fmt: skip


# ---------------------------------------------------------------- changes by the GM


class MarkForm(Form):
    """Boxes to mark on an entity's track."""

    who = kit.somebody(among=At.in_play)
    track = kit.pick(choices=lambda at: [(o.key, o.title) for o in game_of(at).scales], first=True)
    more = kit.number()
    why = kit.text()

    def problems(self) -> Problems:
        """Check that the entity has the track."""
        who: Body = self.who
        scale = who.game.scales.of(self.track)
        if scale not in who.scales:
            sentence = f"{who.name} has no track {scale.title}. Pick another."
            yield Problem("track", scale.rule, sentence)


def mark_move(rules: AnyRules) -> Declared:
    """The GM's move that marks a track."""
    return rules.move("mark", form=MarkForm, rules=(), when=needs(At.in_play, "Nobody is there."))(
        _mark
    )


def _mark(at: AnyAt) -> None:
    one = at.form.who
    scale = one.game.scales.of(at.form.track)
    one.mark(scale, at.form.more, anyway=True)
    tell_marks(at)
    why = f"{one.name}: {at.form.why}"
    at.tell(why, "By the GM's ruling.", rules=(scale.rule,), of=[one])


# ---------------------------------------------------------------- growth


def points_at_session_end(rules: AnyRules, growth: Growth, table: Table) -> Result:
    """Give points to the players' characters in play."""
    at, points = rules.at(table), growth.at_session_end
    for one in at.in_play():
        more = points.value(one.numbers()) if points is not None and one.is_players else 0
        if more > 0:
            one.write("state", "points", now=whole(one.entity.state.get("points")) + more)
            at.say(f"{one.name}: {more} to grow by.", one.card_audience)
    if at.lines:
        at.tell("Growth", rules=(growth.rule,), of=())
    return at.result()


def grow_move(growth: Growth, rules: AnyRules) -> Declared:
    """The move that spends points on a level; with a track it can be made at any time."""

    def points(one: Body) -> int:
        if growth.track:
            return one.marks(one.game.scales.of(growth.track))
        return whole(one.entity.state.get("points"))

    def cost(one: Body, key: str) -> int:
        return max(1, growth.cost.value(one.numbers() | {TRAIT: one.level(key)}))

    def levels(at: AnyAt) -> list[Choice]:
        me: Body = at.me
        return [
            Choice(one.key, f"{one.title} {me.level(one.key)}, costs {cost(me, one.key)}")
            for group in me.groups
            for one in group.traits
        ]

    def may_grow(at: AnyAt) -> str | None:
        me = at.find(at.actor.entity)
        return None if me is not None and points(me) > 0 else "There are no points for growth."

    class GrowForm(Form):
        trait = kit.pick(choices=levels, rule=growth.rule)

        def problems(self) -> Problems:
            me: Body = self.at.me
            top, has, needs = me.game.traits[self.trait][1].top, points(me), cost(me, self.trait)
            if needs > has:
                words = f"That costs {needs}; {me.name} has {has}."
                yield Problem("trait", growth.rule, words)
            if me.level(self.trait) >= top:
                yield Problem("trait", growth.rule, f"{top} is the highest level.")

    def grow(at: AnyAt) -> None:
        me, key = at.me, at.form.trait
        trait, group = me.game.traits[key]
        now, left = me.level(key) + 1, points(me) - cost(me, key)
        me.write("sheet", "traits", key, now=now)
        me.write("state", *(("tracks", growth.track) if growth.track else ("points",)), now=left)
        grown = part_of(me.entity.state, "grown")
        me.write("state", "grown", group.key, now=whole(grown.get(group.key)) + 1)
        said = f"{trait.title} goes up to {now}."
        at.tell(f"{me.name} grows", said, tone="good", rules=(growth.rule,))

    place = "growth" if growth.track else "rest"
    return rules.move("grow", form=GrowForm, rules=(growth.rule,), place=place, when=may_grow)(grow)
