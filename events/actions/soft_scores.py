"""Painting and sportsmanship: what the staff ticks, how players vote and mark, and from when it counts."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, select

from events.actions.journal import note
from events.errors import Refused
from events.reading import player_of, round_views
from events.rulings import disqualified
from events.soft_rules import Sports, soft_rules
from events.soft_scores import games_to_mark, list_score, vote_open
from models.award import PaintingMark, PaintingVote, SportsMark
from models.event import Event, EventState
from models.play import Player, PlayerState

FINAL = "The event is closed and its standings are final. Open it again at the desk to change this."
LATE = "No marks are taken any more: the staff has closed them."


def judge_painting(
    s: Session, event: Event, player: Player, items: Collection[str], actor: str, now: datetime
) -> PaintingMark:
    """Which items of the check list the player's force has; a second look takes the place of the first.

    Raises Refused.
    """
    rules = soft_rules(event)
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if not rules.by_list:
        raise Refused("This event judges painting by no check list.")
    chosen = [item.id for item in rules.items if item.id in items]
    mark = s.exec(select(PaintingMark).where(PaintingMark.player_id == player.id)).first()
    before = mark.items if mark else None
    if mark is None:
        mark = PaintingMark(event_id=event.id, player_id=player.id, items=chosen, by=actor, at=now)
        s.add(mark)
    elif mark.items == chosen:
        return mark
    mark.items, mark.by, mark.at = chosen, actor, now
    points = list_score(mark, rules).value
    note(
        s, event, actor, now, "judge-painting", f"Judged the painting of {player.name}: {points} points",
        player=player.id, before=before, after=chosen,
    )  # fmt: skip
    return mark


def open_vote(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Let players vote for the best painted; votes of before stand. Raises Refused."""
    if not soft_rules(event).by_vote:
        raise Refused("In this event players do not vote for the best painted.")
    _check_open(event)
    if vote_open(event):
        return
    again = " again, after it was counted" if event.painting_vote_opened_at is not None else ""
    event.painting_vote_opened_at, event.painting_vote_closed_at = now, None
    note(s, event, actor, now, "open-vote", f"Opened the painting vote{again}")


def close_vote(s: Session, event: Event, actor: str, now: datetime) -> None:
    """End the vote: from now on the counts are told. Pressed twice, it stays done."""
    if vote_open(event):
        event.painting_vote_closed_at = now
        note(s, event, actor, now, "close-vote", f"Closed the painting vote: {len(event.painting_votes)} votes")


def candidates(event: Event, players: Collection[Player]) -> list[Player]:
    """Whom one can vote for: everybody who is here."""
    out = disqualified(event)
    return [p for p in players if p.state == PlayerState.CHECKED_IN and p.id not in out]


def vote(s: Session, event: Event, voter: Player, for_id: int, actor: str, now: datetime) -> None:
    """One vote for the best painted, in place of the voter's last. The journal does not say for whom.

    Raises Refused.
    """
    if not vote_open(event):
        raise Refused("The vote is not open.")
    chosen = player_of(s, event, for_id)
    if chosen is None or not candidates(event, [chosen]):
        raise Refused("Choose somebody who is here.", "for_id")
    if chosen.id == voter.id:
        raise Refused("Nobody votes for the own force.", "for_id")
    row = s.exec(select(PaintingVote).where(PaintingVote.voter_id == voter.id)).first()
    if row is None:
        s.add(PaintingVote(event_id=event.id, voter_id=voter.id, for_id=chosen.id, at=now))
    elif row.for_id == chosen.id:
        return
    else:
        row.for_id, row.at = chosen.id, now
    note(
        s, event, actor, now, "vote", f"{voter.name} {'changed the vote' if row else 'voted'} for the best painted",
        player=voter.id,
    )  # fmt: skip


def mark_opponent(s: Session, event: Event, giver: Player, number: int, mark: int, actor: str, now: datetime) -> None:
    """What a player thinks of the opponent of a round, in place of what they thought before. Raises Refused.

    As a favourite, the opponent takes the place of any other. The journal does not say what was given.
    """
    way = soft_rules(event).sports
    if way == Sports.OFF or event.state == EventState.FINISHED or event.sports_closed_at is not None:
        raise Refused(LATE)
    opponent = dict(games_to_mark(round_views(s, event), giver)).get(number)
    if opponent is None:
        raise Refused(f"There is no finished game of yours in round {number}.")
    if not (1 <= mark <= 5 if way == Sports.SCALE else mark == 1 if way == Sports.FAVOURITE else mark in (0, 1)):
        raise Refused("There is no such mark.", "mark")
    given = s.exec(select(SportsMark).where(SportsMark.giver_id == giver.id)).all()
    if any((one.round_number, one.about_id, one.mark) == (number, opponent, mark) for one in given):
        return
    row = next((one for one in given if one.round_number == number or way == Sports.FAVOURITE), None)
    if row is None:
        row = SportsMark(
            event_id=event.id, round_number=number, giver_id=giver.id, about_id=opponent, mark=mark, at=now
        )
        s.add(row)
    row.round_number, row.about_id, row.mark, row.at = number, opponent, mark, now
    what = "a favourite opponent" if way == Sports.FAVOURITE else f"the opponent of round {number}"
    note(s, event, actor, now, "mark-opponent", f"{giver.name} marked {what}", player=giver.id)


def close_marks(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Take no more marks of opponents: from now on they count. Pressed twice, it stays done."""
    if soft_rules(event).sports != Sports.OFF and event.sports_closed_at is None:
        event.sports_closed_at = now
        note(s, event, actor, now, "close-marks", f"Closed the marks for opponents: {len(event.sports_marks)} marks")


def open_marks(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Take marks of opponents again. Raises Refused."""
    _check_open(event)
    if event.sports_closed_at is not None:
        event.sports_closed_at = None
        note(s, event, actor, now, "open-marks", "Opened the marks for opponents again, after they were counted")


def close_all(s: Session, event: Event, actor: str, now: datetime) -> None:
    """With the event everything that is collected for its standings closes, so that they are final."""
    close_vote(s, event, actor, now)
    close_marks(s, event, actor, now)


def _check_open(event: Event) -> None:
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if event.awards_published_at is not None:
        raise Refused("The awards are published: take that back first.")
