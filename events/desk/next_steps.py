"""The organiser's next steps, at the top of the desk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from events.messages.queries import in_trouble, waiting_since
from events.play.brackets import stage_of
from events.play.queries import RoundView, placed
from events.play.team_queries import active, is_team_event
from events.play.team_queries import playing as playing_teams
from events.rounds.actions import who_is_here, why_no_meeting
from events.rounds.drawing import is_stale
from events.rounds.knockout import why_no_cut
from events.web.request import db, local, now
from models.event import Event, EventState, RoundKind, RoundState
from models.play import Player, PlayerState


@dataclass(frozen=True)
class Step:
    """One step: a sentence, and the page or the action for it."""

    text: str
    label: str
    endpoint: str
    args: Mapping[str, int | str]
    post: bool = False
    """The button acts at once, without a page between."""
    waits: bool = False
    """Others must act first."""


def next_steps(
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    *,
    seated: bool = False,
) -> list[Step]:
    """The steps that the event needs next, the main one first.

    ``seated``: the seating of the player meeting is published.
    """
    if event.state == EventState.DRAFT:
        return _draft_steps(event)
    if event.state == EventState.FINISHED:
        return [Step("The event is over.", "Final standings", "standings.standings_page", {})]
    steps: list[Step] = []
    if is_team_event(event):
        steps += _team_steps(event, players, views)
    here = who_is_here(players)
    if not seated and not why_no_meeting(event, here, views):
        text = f"{_count(len(here), 'player')} here: seat them for the player meeting before round 1."
        steps.append(Step(text, "Player meeting", "rounds.meeting_desk", {}))
    steps += _round_steps(event, players, views)
    return steps


def _draft_steps(event: Event) -> list[Step]:
    """Settings and opening; settings first if registration would have no limit."""
    opening = Step(
        "The event is a draft that only organisers see. Check its page, then open registration.",
        "Open registration", "setup.open_registration", {}, post=True,
    )  # fmt: skip
    if event.places is None and not event.approval:
        text = (
            "This event has no limit of places: once registration is open, anyone on the Internet can fill it with "
            "sign-ups. Set the number of places, or approve sign-ups."
        )
        return [Step(text, "Settings", "setup.change_settings", {}), opening]
    return [opening, Step("Check the settings.", "Settings", "setup.change_settings", {})]


def _team_steps(event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> list[Step]:
    """Teams that are not complete for the next round, or boards that captains still choose."""
    open_ones = [view for view in views if view.round.state == RoundState.PUBLISHED and view.choosing]
    if open_ones:
        number, matches = open_ones[0].round.number, _count(open_ones[0].choosing, "match", "matches")
        text = f"Round {number}: boards of {matches} are still chosen."
        return [Step(text, f"Round {number}", "rounds.manage", {"number": number}, waits=True)]
    if not any(view.round.state == RoundState.PLANNED for view in views):
        return []
    alone = sum(player.team_id is None for player in placed(players))
    short = [one.name for one in views[0].teams if 0 < len(active(players, one)) < event.team_size]
    parts = [
        f"{_count(alone, 'player')} in no team" if alone else "",
        f"not full: {', '.join(short)}" if short else "",
    ]
    text = "; ".join(part for part in parts if part)
    return [Step(f"Teams: {text}.", "Teams", "teams.manage", {}, waits=True)] if text else []


def _round_steps(event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> list[Step]:
    here = sum(p.state == PlayerState.CHECKED_IN for p in players)
    absent = sum(p.state == PlayerState.REGISTERED for p in players)
    coming = next((v for v in views if v.round.state != RoundState.PUBLISHED), None)
    playing = next((v for v in views if v.round.state == RoundState.PUBLISHED and not v.complete), None)
    if playing is not None:
        number = playing.round.number
        return [
            Step(
                f"{_round(playing)} is being played: {_count(playing.open_games, 'game')} without a confirmed result.",
                f"Round {number}", "rounds.manage", {"number": number}, waits=True,
            ),
            Step("Type paper sheets in by table.", "Enter from paper", "sheet.enter", {"number": number}),
        ]  # fmt: skip
    if coming is None:
        close = Step("All rounds are complete.", "Close the event", "setup.finish", {}, post=True)
        if why_no_cut(event, views):
            return [close]
        text = f"All rounds are complete: check who is in the cut to the top {event.cut}."
        return [Step(text, f"Cut to the top {event.cut}", "knockout.cut", {}), replace(close, text="Or without a cut:")]
    number = coming.round.number
    manage = {"number": number}
    if coming.round.state == RoundState.PLANNED and coming.round.kind == RoundKind.KNOCKOUT and number > 1:
        return [Step(f"Draw the {stage_of(coming.round)}.", f"Round {number}", "rounds.manage", manage)]
    if coming.round.state == RoundState.DRAWN:
        text = f"{_round(coming)} is drawn: check it, then publish it."
        if is_stale(event, players, views, number):
            text = f"{_round(coming)} is drawn, but the standings or the field changed after the draw: draw it again."
        return [Step(text, f"Look at round {number}", "rounds.manage", manage)]
    if absent:
        text = f"{_count(absent, 'registered player')} not checked in; {here} here."
        check = Step(text, "Check-in", "players.players", {})
        return (
            [check, Step(f"Draw round {number}.", f"Round {number}", "rounds.manage", manage)] if here > 1 else [check]
        )
    if here < 2:
        return [
            Step("Nobody is checked in yet. Share the event's page, or add players.", "Players", "players.players", {})
        ]
    who = _count(here, "player")
    if is_team_event(event):
        who = _count(len(playing_teams(coming.teams, players)), "team")
    return [Step(f"{who} here: draw round {number}.", f"Round {number}", "rounds.manage", manage)]


def _round(view: RoundView) -> str:
    stage = stage_of(view.round)
    return f"Round {view.round.number}{f' ({stage})' if stage else ''}"


def _count(count: int, noun: str, many: str = "") -> str:
    return f"{count} {noun if count == 1 else many or f'{noun}s'}"


def mail_steps(event: Event) -> list[Step]:
    """Steps for mails that failed or are not being sent."""
    steps = []
    trouble, since = in_trouble(db(), event), waiting_since(db(), event, now())
    if trouble:
        mails = "1 mail was not sent" if trouble == 1 else f"{trouble} mails were not sent"
        steps.append(Step(f"{mails}, or may not have arrived.", "Messages", "messages.all", {}, waits=True))
    if since:
        text = f"Mails wait since {local(since, event, '%H:%M')}: they are not being sent."
        steps.append(Step(text, "Messages", "messages.all", {}, waits=True))
    return steps
