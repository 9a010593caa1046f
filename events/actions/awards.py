"""Awards: set up, put in order, winners named by hand, presented one by one, published."""

from datetime import datetime

from sqlmodel import Session, select

from events.actions.award_winners import decided, prizes
from events.actions.journal import note
from events.errors import Refused
from events.reading import player_of, system_of
from events.soft_rules import Sports, soft_rules
from models.award import Award, AwardKind, AwardPick
from models.event import Event

MOST_AWARDS = 40
PLACES = {1: "Champion", 2: "Second place", 3: "Third place"}


def add_award(
    s: Session, event: Event, kind: AwardKind, name: str, place: int | None, actor: str, now: datetime
) -> Award:
    """One more award, behind those that there are. Raises Refused."""
    rows = _awards(s, event)
    if len(rows) >= MOST_AWARDS:
        raise Refused(f"An event has at most {MOST_AWARDS} awards.")
    if kind == AwardKind.PLACE and place is None:
        raise Refused("For which place?", "place")
    if any(one.name == name for one in rows):
        raise Refused("There is an award of this name already.", "name")
    award = Award(
        event_id=event.id,
        position=max((one.position for one in rows), default=0) + 1,
        kind=kind,
        name=name,
        place=place if kind == AwardKind.PLACE else None,
    )
    s.add(award)
    s.flush()  # makes the award's id
    s.expire(event, ["awards"])
    note(s, event, actor, now, "add-award", f"Added the award “{name}”", award=award.id, kind=kind, place=place)
    return award


def add_usual(s: Session, event: Event, actor: str, now: datetime) -> None:
    """The awards that most events give, as far as this one has none of their kind. Raises Refused."""
    rules, words = soft_rules(event), system_of(event).words
    usual = [(AwardKind.PLACE, name, place) for place, name in PLACES.items()]
    also = [
        (AwardKind.PAINTED, f"Best painted {words.force}", rules.by_list or rules.by_vote),
        (AwardKind.PAINTED_VOTE, "Players’ choice", rules.by_list and rules.by_vote),
        (AwardKind.SPORT, "Best sport", rules.sports != Sports.OFF),
        (AwardKind.FACTION, f"Best {words.faction}", True),
        (AwardKind.SPOON, "Wooden spoon", True),
    ]
    rows = _awards(s, event)
    have, names = {(one.kind, one.place) for one in rows}, {one.name for one in rows}
    for kind, name, place in (*usual, *((kind, name, None) for kind, name, wanted in also if wanted)):
        if (kind, place) not in have and name not in names:
            add_award(s, event, kind, name, place, actor, now)


def move_award(s: Session, event: Event, award: Award, step: int, actor: str, now: datetime) -> None:
    """Put an award one place up (-1) or down (1) in the order; at an end it stays."""
    rows = _awards(s, event)
    at = [one.id for one in rows].index(award.id)
    other = at + step
    if 0 <= other < len(rows):
        award.position, rows[other].position = rows[other].position, award.position
        s.flush()  # the order is read anew below
        s.expire(event, ["awards"])
        note(s, event, actor, now, "move-award", f"Moved the award “{award.name}”", award=award.id, step=step)


def remove_award(s: Session, event: Event, award: Award, actor: str, now: datetime) -> None:
    """Take an award away, with whoever was named for it."""
    for pick in s.exec(select(AwardPick).where(AwardPick.award_id == award.id)).all():
        s.delete(pick)
    s.flush()  # namings go before what they name
    s.delete(award)
    s.flush()  # the awards are read anew below
    s.expire(event, ["awards"])
    note(s, event, actor, now, "remove-award", f"Removed the award “{award.name}”", award=award.id)


def name_winner(
    s: Session, event: Event, award: Award, faction: str, player_id: int, reason: str, actor: str, now: datetime
) -> AwardPick:
    """Name a winner by hand, instead of whoever it would be, or beside others named. Raises Refused."""
    player = player_of(s, event, player_id)
    if player is None:
        raise Refused("Choose a player.", "player")
    if (award.kind == AwardKind.FACTION) != bool(faction):
        raise Refused("For which faction?", "faction")
    if faction and player.faction != faction:
        raise Refused(f"{player.name} does not play {faction}.", "player")
    rows = s.exec(select(AwardPick).where(AwardPick.award_id == award.id, AwardPick.faction == faction)).all()
    if any(row.player_id == player.id for row in rows):
        raise Refused(f"{player.name} is named already.", "player")
    pick = AwardPick(award_id=award.id, faction=faction, player_id=player.id, reason=reason, by=actor, at=now)
    s.add(pick)
    s.flush()  # makes the naming's id
    title = f"{award.name}: {faction}" if faction else award.name
    note(
        s, event, actor, now, "name-winner", f"Named {player.name} for “{title}”: {reason}",
        award=award.id, player=player.id, faction=faction,
    )  # fmt: skip
    return pick


def unname_winner(s: Session, event: Event, award: Award, pick: AwardPick, actor: str, now: datetime) -> None:
    """Take a naming back."""
    player = player_of(s, event, pick.player_id)
    s.delete(pick)
    note(
        s, event, actor, now, "unname-winner", f"Took back {player.name if player else ''} for “{award.name}”",
        award=award.id, player=pick.player_id,
    )  # fmt: skip


def show_next(s: Session, event: Event, shown: int, actor: str, now: datetime) -> None:
    """Put the next award on the projector; ``shown`` is how many its presser saw there, so that two presses are one."""
    if event.awards_shown != shown:
        return
    run = prizes(decided(s, event))
    if shown >= len(run):
        raise Refused("Every award has been given.")
    event.awards_shown = shown + 1
    note(s, event, actor, now, "show-award", f"Showed “{run[shown].title}” in the hall: {run[shown].names}")


def show_from_start(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Clear the projector: the prize-giving begins anew."""
    if event.awards_shown:
        event.awards_shown = 0
        note(s, event, actor, now, "clear-awards", "Took the awards off the projector")


def publish_awards(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Let everybody read the awards. Pressed twice, it stays done. Raises Refused."""
    if event.awards_published_at is not None:
        return
    if not prizes(decided(s, event)):
        raise Refused("No award has a winner yet.")
    event.awards_published_at = now
    note(s, event, actor, now, "publish-awards", "Published the awards")


def unpublish_awards(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Take the page of the awards back. Pressed twice, it stays done."""
    if event.awards_published_at is not None:
        event.awards_published_at = None
        note(s, event, actor, now, "unpublish-awards", "Took the awards back from the event's page")


def _awards(s: Session, event: Event) -> list[Award]:
    rows = s.exec(select(Award).where(Award.event_id == event.id)).all()
    return sorted(rows, key=lambda one: one.position)
