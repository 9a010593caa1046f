"""Painting and sportsmanship: judged by staff, voted and marked by players, and scored once voting is closed."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlmodel import Session, select

from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.play.players import placed, player_of
from events.play.rulings import Counts, Painting, SoftRules, Sports, disqualified, soft_rules
from events.play.scoring import tie_breaks_of
from events.play.tournaments import tournament_of
from events.tournament.figures import decimal
from events.tournament.tournament import Tournament
from languages.message import Text, counted_message, joined, message
from languages.words import gettext, noted
from models.award import AwardKind, PaintingMark, PaintingVote, SportsMark
from models.endings import Ending
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
        """The figure as pages show it."""
        return str(self.value if self.value.denominator == 1 else decimal(Fraction(self.value)))


NOTHING = Score()


@dataclass(frozen=True)
class SoftScores:
    """The figures by player id; players without a figure are left out."""

    painting: Mapping[int, Score] = field(default_factory=dict)
    sports: Mapping[int, Score] = field(default_factory=dict)


def vote_open(event: Event) -> bool:
    """Whether players may vote for the best painted force now."""
    return event.painting_vote_opened_at is not None and event.painting_vote_closed_at is None


def marks_open(event: Event) -> bool:
    """Whether players may mark their opponents now."""
    return soft_rules(event).sports != Sports.OFF and event.sports_closed_at is None


def games_to_mark(t: Tournament, player: Player) -> list[tuple[int, int]]:
    """The round and opponent of each reported game of the player, without unplayed games."""
    own = str(player.id)
    return [
        (board.round, int(other))
        for a_round in t.published
        for board in a_round.boards
        if own in (board.a, board.b) and board.reported and board.absent is None
        if board.how.how != Ending.NOT_PLAYED and (other := board.b if board.a == own else board.a) is not None
    ]


def under_vote(event: Event) -> set[AwardKind]:
    """The awards whose winner is not known before staff close a vote or the marks."""
    painted = {AwardKind.PAINTED, AwardKind.PAINTED_VOTE} if vote_open(event) else set()
    return painted | ({AwardKind.SPORT} if marks_open(event) else set())


def has_voted(s: Session, player: Player) -> bool:
    """Whether the player has voted for the best painted."""
    return _vote_of(s, player) is not None


def _vote_of(s: Session, voter: Player) -> PaintingVote | None:
    return s.exec(select(PaintingVote).where(PaintingVote.voter_id == voter.id)).first()


def is_judged(s: Session, player: Player) -> bool:
    """Whether the player's painting has been judged."""
    return s.exec(select(PaintingMark.id).where(PaintingMark.player_id == player.id)).first() is not None


def unjudged(event: Event, players: Sequence[Player]) -> list[Player]:
    """The players with a place, in their order, whose painting is still to be judged by the checklist."""
    judged = {mark.player_id for mark in event.painting_marks}
    return [player for player in placed(players) if player.id not in judged]


def votes(event: Event) -> dict[int, int]:
    """The number of votes for each player; empty until the vote is closed."""
    counted = defaultdict[int, int](int)
    if soft_rules(event).by_vote and event.painting_vote_closed_at is not None:
        for vote in event.painting_votes:
            counted[vote.for_id] += 1
    return dict(counted)


def figures_used(event: Event) -> set[str]:
    """The soft scores that this event uses: "painting", "sportsmanship"."""
    rules, kinds = soft_rules(event), {award.kind for award in event.awards}
    used = {"painting", "sportsmanship"} & set(tie_breaks_of(event))
    if rules.painting != Painting.OFF or rules.painting_counts == Counts.POINTS or AwardKind.PAINTED in kinds:
        used.add("painting")
    if rules.sports != Sports.OFF or rules.sports_counts == Counts.POINTS or AwardKind.SPORT in kinds:
        used.add("sportsmanship")
    if AwardKind.OVERALL in kinds:
        counted = (("painting", rules.painting_counts), ("sportsmanship", rules.sports_counts))
        used |= {one for one, counts in counted if counts == Counts.OVERALL}
    return used


def soft_scores(event: Event, players: Sequence[Player]) -> SoftScores:
    """The figures of these players of the event."""
    rules = soft_rules(event)
    painting, sports = painting_scores(event, rules), marked(event, rules)
    for player in players:
        if player.painting_by_hand or not (rules.by_list or rules.by_vote):
            painting[player.id] = Score(player.painting)
        if player.sportsmanship_by_hand or rules.sports == Sports.OFF:
            sports[player.id] = Score(player.sportsmanship)
    return SoftScores(painting, sports)


def painting_scores(event: Event, rules: SoftRules) -> dict[int, Score]:
    """Painting scores from the checklist, or from the votes if there is none."""
    if rules.by_list:
        return {mark.player_id: list_score(mark, rules) for mark in event.painting_marks}
    return {
        id_: Score(n, counted_message("%(num)s vote for the best painted", "%(num)s votes for the best painted", n))
        for id_, n in votes(event).items()
    }


def list_score(mark: PaintingMark, rules: SoftRules) -> Score:
    """The points of the ticked items. Items removed from the checklist score nothing."""
    had = [item for item in rules.items if item.id in mark.items]
    total = sum(item.points for item in had)
    terms = joined((joined((item.points, message(item.text)), "()") for item in had), " + ")
    return Score(total, joined((terms if had else message("nothing ticked"), total), " = "))


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
        said = counted_message(
            "mean of %(num)s mark of opponents = %(mean)s",
            "mean of %(num)s marks of opponents = %(mean)s",
            n,
            mean=decimal(mean),
        )
        return Score(mean, said)
    if way == Sports.THUMBS:
        said = counted_message(
            "%(total)s of %(num)s opponent gave a thumb up",
            "%(total)s of %(num)s opponents gave a thumb up",
            n,
            total=total,
        )
        return Score(total, said)
    return Score(total, message("favourite opponent of %(n)s", n=total))


FINAL = noted("The event is closed and its standings are final. Open it again at the desk to change this.")
LATE = noted("The staff has closed the marks.")


def judge_painting(act: Act, player: Player, items: Collection[str]) -> PaintingMark:
    """Store the ticked items of the checklist, replacing earlier ones. Raises Refused."""
    rules = soft_rules(act.event)
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL))
    if not rules.by_list:
        raise Refused(gettext("This event has no checklist for painting."))
    chosen = [item.id for item in rules.items if item.id in items]
    mark = act.s.exec(select(PaintingMark).where(PaintingMark.player_id == player.id)).first()
    before = mark.items if mark else None
    if mark is None:
        mark = PaintingMark(event_id=act.event.id, player_id=player.id, items=chosen, by=act.actor, at=act.now)
        act.s.add(mark)
    elif mark.items == chosen:
        return mark
    mark.items, mark.by, mark.at = chosen, act.actor, act.now
    note(
        act,
        "judge-painting",
        counted_message(
            "Judged the painting of %(name)s: %(num)s point",
            "Judged the painting of %(name)s: %(num)s points",
            list_score(mark, rules).whole,
            name=player.name,
        ),
        player=player.id,
        before=before,
        after=chosen,
    )
    return mark


def open_vote(act: Act) -> None:
    """Open the vote for the best painted force; earlier votes are kept. Raises Refused."""
    if not soft_rules(act.event).by_vote:
        raise Refused(gettext("In this event players do not vote for the best painted."))
    _check_open(act.event)
    if vote_open(act.event):
        return
    again = message("Opened the painting vote again, after it was counted")
    said = again if act.event.painting_vote_opened_at is not None else message("Opened the painting vote")
    act.event.painting_vote_opened_at, act.event.painting_vote_closed_at = act.now, None
    note(act, "open-vote", said)


def close_vote(act: Act) -> None:
    """Close the vote, which shows the counts; does nothing if it is closed."""
    if vote_open(act.event):
        act.event.painting_vote_closed_at = act.now
        votes = len(act.event.painting_votes)
        said = counted_message(
            "Closed the painting vote: %(num)s vote", "Closed the painting vote: %(num)s votes", votes
        )
        note(act, "close-vote", said)


def candidates(event: Event, players: Collection[Player]) -> list[Player]:
    """The players who can receive votes: those checked in."""
    out = disqualified(event)
    return [p for p in players if p.state == PlayerState.CHECKED_IN and p.id not in out]


def vote(act: Act, voter: Player, for_id: int, *, from_paper: bool = False) -> None:
    """Store a vote for the best painted force, replacing the voter's last; ``from_paper`` if the desk types it.

    The journal omits the candidate. Raises Refused.
    """
    if not vote_open(act.event):
        raise Refused(gettext("The vote is not open."))
    chosen = player_of(act.s, act.event, for_id)
    if chosen is None or not candidates(act.event, [chosen]):
        raise Refused(gettext("Choose a player who is here."), "for_id")
    if chosen.id == voter.id:
        raise Refused(gettext("You cannot vote for your own force."), "for_id")
    row = _vote_of(act.s, voter)
    if row is None:
        act.s.add(PaintingVote(event_id=act.event.id, voter_id=voter.id, for_id=chosen.id, at=act.now))
    elif row.for_id == chosen.id:
        return
    else:
        row.for_id, row.at = chosen.id, act.now
    text = noted("%(name)s changed the vote for the best painted")
    if from_paper:
        text = noted("Entered the vote of %(name)s for the best painted from paper")
    elif row is None:
        text = noted("%(name)s voted for the best painted")
    note(act, "vote", message(text, name=voter.name), player=voter.id)


def mark_opponent(act: Act, giver: Player, number: int, mark: int, *, from_paper: bool = False) -> None:
    """Store a player's mark of an opponent, replacing the last mark for that round. Raises Refused.

    A favourite replaces any earlier favourite. The journal omits the mark. ``from_paper`` is whether the desk types it.
    """
    s, event = act.s, act.event
    way = soft_rules(event).sports
    if way == Sports.OFF or event.state == EventState.FINISHED or event.sports_closed_at is not None:
        raise Refused(gettext(LATE))
    opponent = dict(games_to_mark(tournament_of(s, event), giver)).get(number)
    if opponent is None:
        raise Refused(gettext("You have no finished game in round %(number)s.", number=number))
    if not (1 <= mark <= 5 if way == Sports.SCALE else mark == 1 if way == Sports.FAVOURITE else mark in (0, 1)):
        raise Refused(gettext("Choose one of the marks."), "mark")
    given = s.exec(select(SportsMark).where(SportsMark.giver_id == giver.id)).all()
    if any((one.round_number, one.about_id, one.mark) == (number, opponent, mark) for one in given):
        return
    row = next((one for one in given if one.round_number == number or way == Sports.FAVOURITE), None)
    if row is None:
        row = SportsMark(
            event_id=event.id, round_number=number, giver_id=giver.id, about_id=opponent, mark=mark, at=act.now
        )
        s.add(row)
    row.round_number, row.about_id, row.mark, row.at = number, opponent, mark, act.now
    by_player, by_desk = (
        noted("%(name)s marked the opponent of round %(number)s"),
        noted("Entered the mark of %(name)s for the opponent of round %(number)s from paper"),
    )
    if way == Sports.FAVOURITE:
        by_player = noted("%(name)s marked a favourite opponent")
        by_desk = noted("Entered the favourite opponent of %(name)s from paper")
    said = message(by_desk if from_paper else by_player, name=giver.name, number=number)
    note(act, "mark-opponent", said, player=giver.id)


def remove_vote(act: Act, voter: Player) -> None:
    """Remove a player's vote, which the desk typed for the wrong player. Raises Refused."""
    if not vote_open(act.event):
        raise Refused(gettext("The vote is not open."))
    row = _vote_of(act.s, voter)
    if row is not None:
        act.s.delete(row)
        text = noted("Removed the vote of %(name)s for the best painted")
        note(act, "vote", message(text, name=voter.name), player=voter.id)


def remove_mark(act: Act, giver: Player, number: int) -> None:
    """Remove a player's mark for the opponent of a round, which the desk typed for the wrong player. Raises Refused."""
    if not marks_open(act.event):
        raise Refused(gettext(LATE))
    by_giver = select(SportsMark).where(SportsMark.giver_id == giver.id)
    row = act.s.exec(by_giver.where(SportsMark.round_number == number)).first()
    if row is not None:
        act.s.delete(row)
        text = noted("Removed the mark of %(name)s for the opponent of round %(number)s")
        if soft_rules(act.event).sports == Sports.FAVOURITE:
            text = noted("Removed the favourite opponent of %(name)s")
        note(act, "mark-opponent", message(text, name=giver.name, number=number), player=giver.id)


def close_marks(act: Act) -> None:
    """Close marking, so that the marks count; does nothing if it is closed."""
    if soft_rules(act.event).sports != Sports.OFF and act.event.sports_closed_at is None:
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
