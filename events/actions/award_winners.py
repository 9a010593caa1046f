"""From the rows of an event to the winners of its awards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlmodel import Session, col, select

from events.actions.standings import standings
from events.pairing.awards import Contender, Kind, Wanted, decide
from events.pairing.standings import Row
from events.reading import completed_rounds, players_of, round_views, system_of
from events.rulings import Ruled, ruled
from events.soft_rules import Counts, soft_rules
from events.soft_scores import NOTHING, SoftScores, soft_scores, votes
from models.award import Award, AwardKind, AwardPick
from models.event import Event
from models.play import Player

KINDS: Mapping[AwardKind, Kind] = {
    AwardKind.PLACE: "place",
    AwardKind.OVERALL: "overall",
    AwardKind.PAINTED: "painted",
    AwardKind.PAINTED_VOTE: "painted_vote",
    AwardKind.SPORT: "sport",
    AwardKind.MOST_VP: "most_vp",
    AwardKind.FACTION: "faction",
    AwardKind.SPOON: "spoon",
    AwardKind.OWN: "own",
}


@dataclass(frozen=True)
class Decided:
    """One award with its winners, as pages and paper show it."""

    award: Award
    faction: str
    winners: tuple[Player, ...]
    figure: str
    """What it was won with, in words; "" where nothing is to be told."""
    level: tuple[Player, ...] = ()
    """Who was level with the winners, and stands behind them in the standings."""
    picks: tuple[AwardPick, ...] = ()
    """Of winners named by hand: each naming, with its reason."""

    @property
    def title(self) -> str:
        """The award's name, with the faction where there is one for each."""
        return f"{self.award.name}: {self.faction}" if self.faction else self.award.name

    @property
    def key(self) -> str:
        """By which forms and addresses name it."""
        return f"{self.award.id}-{self.faction}" if self.faction else str(self.award.id)

    @property
    def names(self) -> str:
        """The winners in words."""
        return " and ".join(player.name for player in self.winners)


def picks_of(s: Session, event: Event) -> Sequence[AwardPick]:
    """Everybody who was named by hand, in that order."""
    query = select(AwardPick).join(Award).where(Award.event_id == event.id).order_by(col(AwardPick.id))
    return s.exec(query).all()


def decided(s: Session, event: Event, rows: Sequence[Row] | None = None) -> list[Decided]:
    """All awards in the event's order, by the standings as they are, or by these ``rows``."""
    if not event.awards:
        return []
    rows = final_rows(s, event) if rows is None else rows
    people = {player.id: player for player in players_of(s, event)}
    picks, rules = picks_of(s, event), soft_rules(event)
    field = contenders(event, rows, list(people.values()))
    figures = {one.id: one for one in field}
    wanted = [
        Wanted(
            award.id,
            KINDS[award.kind],
            award.place,
            tuple((pick.faction, str(pick.player_id)) for pick in picks if pick.award_id == award.id),
        )
        for award in event.awards
    ]
    awards = {award.id: award for award in event.awards}
    found = decide(wanted, field, least=rules.faction_least, one_each=rules.one_each)
    return [
        Decided(
            awards[won.award],
            won.faction,
            tuple(people[int(id_)] for id_ in won.winners),
            figure_of(event, awards[won.award], figures.get(won.winners[0])) if won.winners and not won.by_hand else "",
            tuple(people[int(id_)] for id_ in won.level),
            tuple(p for p in picks if won.by_hand and p.award_id == won.award and p.faction == won.faction),
        )
        for won in found
    ]


def final_rows(s: Session, event: Event) -> list[Row]:
    """The standings as they are now; nobody before a round is complete, when lots alone would rank them."""
    return standings(s, event) if completed_rounds(round_views(s, event)) else []


def contenders(event: Event, rows: Sequence[Row], players: Sequence[Player]) -> list[Contender]:
    """Everybody in the standings, with all that awards are given for."""
    scores, counted, given = soft_scores(event, players), votes(event), ruled(event)
    people = {player.id: player for player in players}
    return [
        Contender(
            row.id,
            row.rank,
            people[int(row.id)].faction,
            row.vp,
            Fraction(sum(points for points, _ in overall(event, row, scores, given))),
            Fraction(scores.painting.get(int(row.id), NOTHING).value),
            counted.get(int(row.id), 0),
            Fraction(scores.sports.get(int(row.id), NOTHING).value),
            stays=not (row.dropped or row.disqualified),
        )
        for row in rows
    ]


def overall(event: Event, row: Row, scores: SoftScores, given: Mapping[int, Ruled]) -> list[tuple[int | Fraction, str]]:
    """The overall score in its terms: tournament points, and what counts in this score alone."""
    rules, id_ = soft_rules(event), int(row.id)
    terms: list[tuple[int | Fraction, str]] = [(row.points, "tournament points")]
    if rules.painting_counts == Counts.OVERALL:
        terms.append((scores.painting.get(id_, NOTHING).value, "painting"))
    if rules.sports_counts == Counts.OVERALL:
        terms.append((scores.sports.get(id_, NOTHING).value, "sportsmanship"))
    if rules.rulings_count == Counts.OVERALL:
        terms.append((given.get(id_, Ruled()).points, "rulings"))
    return terms


def figure_of(event: Event, award: Award, one: Contender | None) -> str:
    """What an award was won with; nothing of what opponents said."""
    if one is None or award.kind in (AwardKind.SPORT, AwardKind.OWN, AwardKind.PLACE):
        return ""
    shown = {
        AwardKind.OVERALL: f"{_shown(one.overall)} in all",
        AwardKind.PAINTED: f"{_shown(one.painting)} for painting",
        AwardKind.PAINTED_VOTE: f"{one.votes} vote{'' if one.votes == 1 else 's'}",
        AwardKind.MOST_VP: f"{one.vp} VP",
        AwardKind.FACTION: f"rank {one.rank}",
        AwardKind.SPOON: f"rank {one.rank}",
    }
    return shown[award.kind]


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"


def changed_hands(before: Sequence[Decided], after: Sequence[Decided]) -> tuple[str, ...]:
    """Which awards others would win, a sentence each: "Champion: Bo instead of Ada"."""
    were = {(one.award.id, one.faction): one for one in before}
    said = []
    for one in after:
        was = were.pop((one.award.id, one.faction), None)
        if was is None or was.winners != one.winners:
            then = was.names if was and was.winners else "nobody"
            said.append(f"{one.title}: {one.names or 'nobody'} instead of {then}")
    return (*said, *(f"{one.title}: nobody instead of {one.names}" for one in were.values() if one.winners))


def prizes(found: Sequence[Decided]) -> list[Decided]:
    """The run of the prize-giving: what somebody has won, from the last award to the first."""
    return [one for one in reversed(found) if one.winners]


def faction_word(event: Event) -> str:
    """What the event's game calls a faction."""
    return system_of(event).words.faction
