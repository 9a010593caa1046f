"""Painting and sportsmanship: figures of the staff, or votes and marks of players, which count once they are closed."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlmodel import Session, select

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.players import player_of
from events.store.rulings import disqualified
from events.store.tournaments import tournament_of
from events.tournament.endings import Ending
from events.tournament.figures import decimal
from events.tournament.soft_rules import SoftRules, Sports
from events.tournament.tournament import Tournament
from languages.message import Text, counted_message, joined, message
from languages.words import N_, gettext
from models.award import AwardKind, PaintingVote, SportsMark
from models.event import Event, EventState
from models.play import Player, PlayerState


@dataclass(frozen=True)
class Score:
    """A figure and its arithmetic; ``how`` is "" for a figure that the organiser set."""

    value: int | Fraction = 0
    how: Text = ""

    @property
    def whole(self) -> int:
        """The figure rounded to whole tournament points, half up."""
        return int((self.value + Fraction(1, 2)) // 1)

    @property
    def shown(self) -> str:
        return str(self.value if self.value.denominator == 1 else decimal(Fraction(self.value)))


NOTHING = Score()


@dataclass(frozen=True)
class SoftScores:
    """The figures by player id; players without a figure are left out."""

    painting: Mapping[int, Score] = field(default_factory=dict)
    sports: Mapping[int, Score] = field(default_factory=dict)


def vote_open(event: Event) -> bool:
    return event.painting_vote_opened_at is not None and event.painting_vote_closed_at is None


def marks_open(event: Event) -> bool:
    return event.soft_rules.sports != Sports.OFF and event.sports_closed_at is None


def games_to_mark(t: Tournament, player: Player) -> list[tuple[int, int]]:
    """The round and opponent of each reported game of the player, without unplayed games."""
    me = str(player.id)
    return [
        (board.round, int(other))
        for round_ in t.published
        for board in round_.boards
        if me in (board.a, board.b) and board.reported and board.absent is None
        if board.how.how != Ending.NOT_PLAYED and (other := board.b if board.a == me else board.a) is not None
    ]


def under_vote(event: Event) -> set[AwardKind]:
    """The awards whose winner is not known before staff close a vote or the marks."""
    painted = {AwardKind.PAINTED, AwardKind.PAINTED_VOTE} if vote_open(event) else set()
    return painted | ({AwardKind.SPORT} if marks_open(event) else set())


def has_voted(s: Session, player: Player) -> bool:
    return _vote_of(s, player) is not None


def _vote_of(s: Session, voter: Player) -> PaintingVote | None:
    return s.exec(select(PaintingVote).where(PaintingVote.voter_id == voter.id)).first()


def votes(event: Event) -> dict[int, int]:
    """The number of votes for each player; empty until the vote is closed."""
    counted = defaultdict[int, int](int)
    if event.soft_rules.by_vote and event.painting_vote_closed_at is not None:
        for vote in event.painting_votes:
            counted[vote.for_id] += 1
    return dict(counted)


def soft_scores(event: Event, players: Sequence[Player]) -> SoftScores:
    rules = event.soft_rules
    painting, sports = voted(event), marked(event, rules)
    for player in players:
        if player.painting_by_hand or not rules.by_vote:
            painting[player.id] = Score(player.painting)
        if player.sportsmanship_by_hand or rules.sports == Sports.OFF:
            sports[player.id] = Score(player.sportsmanship)
    return SoftScores(painting, sports)


def voted(event: Event) -> dict[int, Score]:
    """Painting scores from the players' votes, once the vote is closed."""
    return {
        id_: Score(n, counted_message("%(num)s vote for the best painted", "%(num)s votes for the best painted", n))
        for id_, n in votes(event).items()
    }


def marked(event: Event, rules: SoftRules) -> dict[int, Score]:
    """Sportsmanship scores from the opponents' marks, once marking is closed."""
    if rules.sports == Sports.OFF or event.sports_closed_at is None:
        return {}
    given = defaultdict[int, list[SportsMark]](list)
    for mark in event.sports_marks:
        given[mark.about_id].append(mark)
    return {id_: sports_score([mark.mark for mark in marks], rules.sports) for id_, marks in given.items()}


def sports_score(marks: Sequence[int], way: Sports) -> Score:
    """One player's score from their marks.

    Marks from 1 to 5 are averaged, so that a bye costs nothing; thumbs and favourites are counted.
    """
    total, n = sum(marks), len(marks)
    if way == Sports.SCALE:
        mean = Fraction(total, n) if n else Fraction()
        sentence = counted_message(
            "mean of %(num)s mark of opponents = %(mean)s",
            "mean of %(num)s marks of opponents = %(mean)s",
            n,
            mean=decimal(mean),
        )
        return Score(mean, sentence)
    if way == Sports.THUMBS:
        sentence = counted_message(
            "%(total)s of %(num)s opponent gave a thumb up",
            "%(total)s of %(num)s opponents gave a thumb up",
            n,
            total=total,
        )
        return Score(total, sentence)
    return Score(total, message("favourite opponent of %(n)s", n=total))


FIGURES = {"painting": N_("painting figure"), "sportsmanship": N_("sportsmanship figure")}
FINAL = N_("The event is closed and its standings are final. Open it again at the desk to change this.")
LATE = N_("The staff has closed the marks.")


def set_figures(act: Act, player: Player, painting: int | None, sportsmanship: int | None) -> None:
    """Store the staff's figures of a player, which replace votes and marks; None for those. Raises Refused."""
    after = {
        "painting": painting or 0, "painting_by_hand": painting is not None,
        "sportsmanship": sportsmanship or 0, "sportsmanship_by_hand": sportsmanship is not None,
    }  # fmt: skip
    changed = [column for column, value in after.items() if getattr(player, column) != value]
    if not changed:
        return
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL), f"{changed[0].removesuffix('_by_hand')}-{player.id}")
    for column in changed:
        setattr(player, column, after[column])
    labels = dict.fromkeys(FIGURES[column.removesuffix("_by_hand")] for column in changed)
    parts = joined([message(label) for label in labels])
    note(act, "change-player", message("Changed %(name)s: %(parts)s", name=player.name, parts=parts), player=player.id)


def open_vote(act: Act) -> None:
    """Open the vote for the best painted force; earlier votes are kept. Raises Refused."""
    if not act.event.soft_rules.by_vote:
        raise Refused(gettext("In this event players do not vote for the best painted."))
    _check_open(act.event)
    if vote_open(act.event):
        return
    again = message("Opened the painting vote again, after it was counted")
    sentence = again if act.event.painting_vote_opened_at is not None else message("Opened the painting vote")
    act.event.painting_vote_opened_at, act.event.painting_vote_closed_at = act.now, None
    note(act, "open-vote", sentence)


def close_vote(act: Act) -> None:
    """Close the vote, which shows the counts; does nothing if it is closed."""
    if vote_open(act.event):
        act.event.painting_vote_closed_at = act.now
        votes = len(act.event.painting_votes)
        sentence = counted_message(
            "Closed the painting vote: %(num)s vote", "Closed the painting vote: %(num)s votes", votes
        )
        note(act, "close-vote", sentence)


def candidates(event: Event, players: Collection[Player]) -> list[Player]:
    """The players who can receive votes: those checked in."""
    out = disqualified(event)
    return [p for p in players if p.state == PlayerState.CHECKED_IN and p.id not in out]


def vote(act: Act, voter: Player, for_id: int) -> None:
    """Replace the voter's vote for the best painted force; the journal omits the candidate. Raises Refused."""
    if not vote_open(act.event):
        raise Refused(gettext("The vote is not open."))
    chosen = player_of(act.s, act.event, for_id)
    if chosen is None or not candidates(act.event, [chosen]):
        raise Refused(gettext("Choose a player who is here."), "for_id")
    if chosen.id == voter.id:
        raise Refused(gettext("You cannot vote for your own force."), "for_id")
    row = _vote_of(act.s, voter)
    if row is None:
        act.event.painting_votes.append(PaintingVote(voter_id=voter.id, for_id=chosen.id, at=act.now))
    elif row.for_id == chosen.id:
        return
    else:
        row.for_id, row.at = chosen.id, act.now
    text = N_("%(name)s changed the vote for the best painted")
    if row is None:
        text = N_("%(name)s voted for the best painted")
    note(act, "vote", message(text, name=voter.name), player=voter.id)


def mark_opponent(act: Act, giver: Player, number: int, mark: int) -> None:
    """Store a player's mark of an opponent, replacing the last mark for that round. Raises Refused.

    A favourite replaces any earlier favourite. The journal omits the mark.
    """
    s, event = act.s, act.event
    way = event.soft_rules.sports
    if way == Sports.OFF or event.state == EventState.FINISHED or event.sports_closed_at is not None:
        raise Refused(gettext(LATE))
    opponent = dict(games_to_mark(tournament_of(event), giver)).get(number)
    if opponent is None:
        raise Refused(gettext("You have no finished game in round %(number)s.", number=number))
    if not (1 <= mark <= 5 if way == Sports.SCALE else mark == 1 if way == Sports.FAVOURITE else mark in (0, 1)):
        raise Refused(gettext("Choose one of the marks."), "mark")
    given = s.exec(select(SportsMark).where(SportsMark.giver_id == giver.id)).all()
    if any((earlier.round_number, earlier.about_id, earlier.mark) == (number, opponent, mark) for earlier in given):
        return
    row = next((earlier for earlier in given if earlier.round_number == number or way == Sports.FAVOURITE), None)
    if row is None:
        row = SportsMark(round_number=number, giver_id=giver.id, about_id=opponent, mark=mark, at=act.now)
        event.sports_marks.append(row)
    row.round_number, row.about_id, row.mark, row.at = number, opponent, mark, act.now
    text = N_("%(name)s marked the opponent of round %(number)s")
    if way == Sports.FAVOURITE:
        text = N_("%(name)s marked a favourite opponent")
    note(act, "mark-opponent", message(text, name=giver.name, number=number), player=giver.id)


def close_marks(act: Act) -> None:
    """Close marking, so that the marks count; does nothing if it is closed."""
    if act.event.soft_rules.sports != Sports.OFF and act.event.sports_closed_at is None:
        act.event.sports_closed_at = act.now
        marks = len(act.event.sports_marks)
        note(
            act,
            "close-marks",
            counted_message(
                "Closed the marks for opponents: %(num)s mark", "Closed the marks for opponents: %(num)s marks", marks
            ),
        )


def open_marks(act: Act) -> None:
    """Reopen marking. Raises Refused."""
    _check_open(act.event)
    if act.event.sports_closed_at is not None:
        act.event.sports_closed_at = None
        note(act, "open-marks", message("Opened the marks for opponents again, after they were counted"))


def close_all(act: Act) -> None:
    """Close the vote and marking with the event, so that its standings are final."""
    close_vote(act)
    close_marks(act)


def _check_open(event: Event) -> None:
    if event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL))
    if event.awards_published_at is not None:
        raise Refused(gettext("The awards are published: unpublish them first."))
