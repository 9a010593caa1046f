"""What painting and sportsmanship come to for each player: from the staff's marks, the players' votes, or by hand.

Votes and marks of players count, and are read by anybody, only once their collecting is closed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlmodel import Session, select

from events.pairing.figures import decimal
from events.reading import RoundView
from events.soft_rules import SoftRules, Sports, soft_rules
from models.award import PaintingMark, PaintingVote, SportsMark
from models.endings import Ending
from models.event import Event, RoundState
from models.play import GameState, Player


@dataclass(frozen=True)
class Score:
    """A figure and how it was made; ``how`` is "" for one that the organiser set."""

    value: int | Fraction = 0
    how: str = ""

    @property
    def whole(self) -> int:
        """The figure in whole tournament points, rounded half up."""
        return int((self.value + Fraction(1, 2)) // 1)

    @property
    def shown(self) -> str:
        """The figure as pages show it."""
        return str(self.value) if self.value.denominator == 1 else decimal(Fraction(self.value))


NOTHING = Score()


@dataclass(frozen=True)
class SoftScores:
    """Everybody's figures, by player id; whoever has none is not in it."""

    painting: Mapping[int, Score] = field(default_factory=dict)
    sports: Mapping[int, Score] = field(default_factory=dict)


def vote_open(event: Event) -> bool:
    """Players may vote for the best painted now."""
    return event.painting_vote_opened_at is not None and event.painting_vote_closed_at is None


def marks_open(event: Event) -> bool:
    """Players may mark their opponents now."""
    return soft_rules(event).sports != Sports.OFF and event.sports_closed_at is None


def games_to_mark(views: Sequence[RoundView], player: Player) -> list[tuple[int, int]]:
    """The player's games of which a result is in: the round and the opponent of each. Only who played is marked."""
    return [
        (view.round.number, other)
        for view in views
        for game in view.games
        if player.id in (game.a_id, game.b_id) and game.state != GameState.OPEN
        if game.absent is None and game.ending != Ending.NOT_PLAYED
        if view.round.state == RoundState.PUBLISHED
        if (other := game.b_id if game.a_id == player.id else game.a_id) is not None
    ]


def has_voted(s: Session, player: Player) -> bool:
    """Whether the player has voted for the best painted."""
    return s.exec(select(PaintingVote.id).where(PaintingVote.voter_id == player.id)).first() is not None


def is_judged(s: Session, player: Player) -> bool:
    """Whether somebody of the staff has judged the player's painting."""
    return s.exec(select(PaintingMark.id).where(PaintingMark.player_id == player.id)).first() is not None


def votes(event: Event) -> dict[int, int]:
    """The votes for each player, once the vote is closed; before that nobody has any."""
    counted = defaultdict[int, int](int)
    if soft_rules(event).by_vote and event.painting_vote_closed_at is not None:
        for vote in event.painting_votes:
            counted[vote.for_id] += 1
    return dict(counted)


def soft_scores(event: Event, players: Sequence[Player]) -> SoftScores:
    """The figures of these players of the event."""
    rules = soft_rules(event)
    painting, sports = judged(event, rules), marked(event, rules)
    for player in players:
        if player.painting_by_hand or not (rules.by_list or rules.by_vote):
            painting[player.id] = Score(player.painting)
        if player.sportsmanship_by_hand or rules.sports == Sports.OFF:
            sports[player.id] = Score(player.sportsmanship)
    return SoftScores(painting, sports)


def judged(event: Event, rules: SoftRules) -> dict[int, Score]:
    """Painting as the check list gives it, or where there is none, as the votes do."""
    if rules.by_list:
        return {mark.player_id: list_score(mark, rules) for mark in event.painting_marks}
    return {id_: Score(n, f"{n} vote{'' if n == 1 else 's'} for the best painted") for id_, n in votes(event).items()}


def list_score(mark: PaintingMark, rules: SoftRules) -> Score:
    """The points of the items that were ticked; one that is not on the list any more counts nothing."""
    had = [item for item in rules.items if item.id in mark.items]
    total = sum(item.points for item in had)
    terms = " + ".join(f"{item.points} ({item.text})" for item in had)
    return Score(total, f"{terms or 'nothing ticked'} = {total}")


def marked(event: Event, rules: SoftRules) -> dict[int, Score]:
    """Sportsmanship as the opponents gave it, once no more marks are taken."""
    if rules.sports == Sports.OFF or event.sports_closed_at is None:
        return {}
    given = defaultdict[int, list[SportsMark]](list)
    for mark in event.sports_marks:
        given[mark.about_id].append(mark)
    return {id_: sports_score([mark.mark for mark in marks], rules.sports) for id_, marks in given.items()}


def sports_score(marks: Sequence[int], way: Sports) -> Score:
    """What these marks of one player come to.

    Marks from 1 to 5 are averaged, so that a bye costs nobody anything; thumbs and favourites are counted.
    """
    total, n = sum(marks), len(marks)
    if way == Sports.SCALE:
        mean = Fraction(total, n) if n else Fraction()
        return Score(mean, f"mean of {n} mark{'' if n == 1 else 's'} of opponents = {decimal(mean)}")
    if way == Sports.THUMBS:
        return Score(total, f"{total} of {n} opponent{'' if n == 1 else 's'} gave a thumb up")
    return Score(total, f"favourite opponent of {total}")
