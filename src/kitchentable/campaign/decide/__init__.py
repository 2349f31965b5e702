"""Command handling: turns a campaign, a command and dice into events, or raises an error.

    events = decide(campaign, game, command, now="2026-11-21T19:30:00Z")

`decide` is a pure function: the same campaign, command, dice and time give the same events. A
command may be decided without dice. If it needs some, `DiceNeeded` is raised, and the caller
decides the command again with a `DiceSource` for the next throw of the session. `decide` changes
nothing: `evolve` applies the events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import (
    chat,
    entities,
    fights,
    foundation,
    game_update,
    history,
    moves,
    options,
    pictures,
    proposals,
    scene,
    seats,
    sessions,
    sheets,
)
from kitchentable.campaign.decide.bounds import check_size
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.dice_source import NO_DICE, DiceSource
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import admit
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.throws import Solver, solve
from kitchentable.rules.game import Game
from kitchentable.rules.table import Seat
from kitchentable.rules.values import LONGEST_NAME

DECIDERS: Mapping[type[c.Command], Callable[[Context, Any], Event]] = MappingProxyType(
    {
        c.SetOptions: options.set_options,
        c.UpdateGame: game_update.update_game,
        c.SetSettings: options.set_settings,
        c.AskForSeat: seats.ask_for_seat,
        c.DecideSeat: seats.decide_seat,
        c.RenameSeat: seats.rename_seat,
        c.SetRole: seats.set_role,
        c.HandOver: seats.hand_over,
        c.BeginSession: sessions.begin_session,
        c.Contribute: sessions.contribute,
        c.CloseSession: sessions.close_session,
        c.EndSession: sessions.end_session,
        c.MakeEntity: entities.make_entity,
        c.SaveSheet: sheets.save_sheet,
        c.SubmitSheet: sheets.submit_sheet,
        c.DecideSheet: sheets.decide_sheet,
        c.ChangeEntity: entities.change_entity,
        c.Propose: proposals.propose,
        c.Settle: proposals.settle,
        c.Decline: proposals.decline,
        c.Withdraw: proposals.withdraw,
        c.Throw: proposals.throw,
        c.MakeMove: moves.make_move,
        c.SkipAsk: moves.skip_ask,
        c.Say: chat.say,
        c.RollNotation: chat.roll_notation,
        c.SetNote: chat.set_note,
        c.SetPortrait: pictures.set_portrait,
        c.SaveHandout: pictures.save_handout,
        c.ShowHandout: pictures.show_handout,
        c.KeepQuick: moves.keep_quick,
        c.Reveal: history.reveal,
        c.Override: entities.override,
        c.Alter: history.alter,
        c.Undo: history.undo,
        c.SetClock: scene.set_clock,
        c.SetOracle: scene.set_oracle,
        c.RollOracle: scene.roll_oracle,
        c.SetMarks: scene.set_marks,
        c.ReorderFight: scene.reorder_fight,
        c.BeginFight: fights.begin_fight,
        c.SetLimit: scene.set_limit,
        c.PlayXCard: scene.play_x_card,
    }
)


def decide(
    campaign: Campaign | None,
    game: Game,
    command: c.Command,
    hand: DiceSource = NO_DICE,
    now: str = "",
    before: Game | None = None,
    solver: Solver = solve,
) -> tuple[Event, ...]:
    """Return the events of a command on this campaign.

    `before` is the old version of the game if the command updates the game. `solver` computes the
    odds stored with the dice. If they cannot be computed, the dice are thrown all the same, and the
    event records why it has no odds.

    Errors: BadInput and its subclasses (NotAllowed, CannotBe, BadAnswers, RuleRefuses, unreadable
    notation, typed-in faces that do not fit), with a sentence for the sender; DiceNeeded;
    OddsNeeded if the solver needs more time.
    """
    if isinstance(command, c.OpenCampaign):
        if campaign is not None:
            raise CannotBe("This campaign has already been opened.", code="table/open-already")
        return (foundation.open_campaign(game, command, now),)
    if campaign is None:
        raise CannotBe("There is no such campaign.", code="table/not-open")
    check_size(command)
    if isinstance(command, c.AskForSeat) and not command.seat:
        me = Seat(command.new_seat, command.name.strip()[:LONGEST_NAME], "newcomer", "waiting")
    else:
        me = admit(campaign, command)
    context = Context(campaign, game, command, hand, now, me, before, solver)
    return (DECIDERS[type(command)](context, command),)
