"""Awards: set them up, calculate or name winners, present them one by one, publish them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from sqlmodel import Session, col, select

from events.standings.queries import standings_of
from events.standings.soft_scores import NOTHING, SoftScores, soft_scores, votes
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.players import player_of
from events.store.scoring import adjustments_of, knows_vp, play_rules, vp_word
from events.store.team_queries import seat_id
from events.tournament.award_rules import Contender, Wanted, award_winners
from events.tournament.ranking import Row
from events.tournament.soft_rules import Counts, Sports
from events.tournament.standings import Standings
from events.tournament.tournament import Ruled, ruled
from languages.message import Text, message
from languages.words import (
    LABELLED,
    N_,
    first_offered,
    gettext,
    in_every_language,
    language,
    listed,
    ngettext,
    pointed,
    speaking,
)
from models.award import Award, AwardKind, AwardPick
from models.event import Event
from models.play import Player, PlayerState


@dataclass(frozen=True)
class Decided:
    """One award with its winners, as shown on pages and paper."""

    award: Award
    faction: str
    winners: tuple[Player, ...]
    figure: str
    """The winning figure in words; "" if there is none."""
    level: tuple[Player, ...] = ()
    """Players with the winning figure but a lower rank."""
    picks: tuple[AwardPick, ...] = ()
    """The manually named winners."""

    @property
    def title(self) -> Text:
        """The award's name, with the faction for an award per faction."""
        return message(LABELLED, label=self.award.name, text=self.faction) if self.faction else self.award.name

    @property
    def key(self) -> str:
        """The award's key in forms and addresses."""
        return f"{self.award.id}-{self.faction}" if self.faction else str(self.award.id)

    @property
    def shared(self) -> bool:
        """Whether several players share the award, who are no team."""
        return len(self.winners) > 1 and not self.picks and self.award.kind != AwardKind.TEAM

    @property
    def names(self) -> str:
        return listed([player.name for player in self.winners]) if self.winners else ""


def decided(
    s: Session, event: Event, now: Sequence[Decided] | None = None, players: Sequence[Player] | None = None
) -> list[Decided]:
    """All awards in the event's order: as they were published, before that by the current standings.

    ``now`` are those by the current standings, and ``players`` all players, if they are loaded.
    """
    everybody = event.players if players is None else players
    now = calculated(s, event, players=everybody) if now is None else now
    if event.awards_published is None:
        return [*now]
    present = {(prize.award.name, prize.faction): prize for prize in now}
    people, decisions = {player.id: player for player in everybody}, []
    for name, kind, place, faction, ids in event.awards_published["awards"]:
        prize, winners = present.get((name, faction)), tuple(people[id_] for id_ in ids if id_ in people)
        if prize is None or prize.winners != winners:
            removed = Award(id=0, event_id=event.id, name=name, kind=AwardKind(kind), place=place, position=0)
            prize = Decided(prize.award if prize else removed, faction, winners, "")
        decisions.append(prize)
    return decisions


def rows_of(table: Standings) -> tuple[Sequence[Row], Sequence[Row]]:
    """The rows of players and of teams by which awards are calculated; none before the first complete round."""
    return table.of_players() if table.t.counted else [], table.of_teams() if table.t.rules.teams else ()


def calculated(
    s: Session,
    event: Event,
    rows: Sequence[Row] | None = None,
    teams: Sequence[Row] = (),
    players: Sequence[Player] | None = None,
) -> list[Decided]:
    """All awards in the event's order, by the current standings, or by these ``rows`` of players and of ``teams``.

    ``players`` are all players, if loaded.
    """
    if not event.awards:
        return []
    if rows is None:
        rows, teams = rows_of(standings_of(event))
    people = {player.id: player for player in (event.players if players is None else players)}
    named = select(AwardPick).join(Award).where(Award.event_id == event.id).order_by(col(AwardPick.id))
    picks, rules = s.exec(named).all(), event.soft_rules
    field = contenders(event, rows, list(people.values()), teams)
    figures = {contender.id: contender for contender in field}
    wanted = [
        Wanted(
            award.id,
            award.kind.value,
            award.place,
            tuple((pick.faction, str(pick.player_id)) for pick in picks if pick.award_id == award.id),
        )
        for award in event.awards
    ]
    awards = {award.id: award for award in event.awards}
    results = award_winners(wanted, field, least=rules.faction_least, one_each=rules.one_each)
    return [
        Decided(
            awards[won.award],
            won.faction,
            tuple(people[int(id_)] for id_ in won.winners),
            figure_of(event, awards[won.award], figures.get(won.winners[0])) if won.winners and not won.by_hand else "",
            tuple(people[int(id_)] for id_ in won.level),
            tuple(p for p in picks if won.by_hand and p.award_id == won.award and p.faction == won.faction),
        )
        for won in results
    ]


def final_rows(event: Event) -> list[Row]:
    """The current standings; empty before the first complete round, when lots alone would rank players."""
    table = standings_of(event)
    return table.of_players() if table.t.counted else []


def contenders(
    event: Event, rows: Sequence[Row], players: Sequence[Player], teams: Sequence[Row] = ()
) -> list[Contender]:
    """All players in the standings, with the figures used for awards; ``teams`` are the teams' rows."""
    scores, counted, given = soft_scores(event, players), votes(event), ruled(play_rules(event), adjustments_of(event))
    people = {player.id: player for player in players}
    stays = {row.id for row in rows if not row.disqualified and people[int(row.id)].state != PlayerState.DROPPED}
    team_of = {str(player.id): seat_id(player.team_id) for player in players if player.team_id}
    staying = {team_of[id_] for id_ in stays & team_of.keys()}
    here = [row for row in teams if row.id in staying]
    teams_by_id = {row.id: (row.name, 1 + sum(other.rank < row.rank for other in here)) for row in here}
    return [
        Contender(
            row.id,
            row.rank,
            people[int(row.id)].faction,
            row.vp,
            overall(event, row, scores, given),
            Fraction(scores.painting.get(int(row.id), NOTHING).value),
            counted.get(int(row.id), 0),
            Fraction(scores.sports.get(int(row.id), NOTHING).value),
            team=teams_by_id.get(team_of.get(row.id, ""), ("", None)),
            how=row.how.get("place", ""),
            stays=row.id in stays,
        )
        for row in rows
    ]


def overall(event: Event, row: Row, scores: SoftScores, given: Mapping[str, Ruled]) -> Fraction:
    """The overall score: tournament points, and the soft scores that count only there."""
    rules, id_ = event.soft_rules, int(row.id)
    terms: list[int | Fraction] = [row.points]
    if rules.painting_counts == Counts.OVERALL:
        terms.append(scores.painting.get(id_, NOTHING).value)
    if rules.sports_counts == Counts.OVERALL:
        terms.append(scores.sports.get(id_, NOTHING).value)
    if rules.rulings_count == Counts.OVERALL:
        terms.append(given.get(row.id, Ruled()).points)
    return Fraction(sum(terms))


def figure_of(event: Event, award: Award, contender: Contender | None) -> str:
    """The winning figure of an award in words; opponents' marks and ranks are never shown."""
    if contender is None:
        return ""
    shown = {
        AwardKind.PLACE: str(contender.how),
        AwardKind.TEAM: contender.team[0],
        AwardKind.OVERALL: gettext("%(n)s in all", n=_shown(contender.overall)),
        AwardKind.PAINTED: gettext("%(n)s for painting", n=_shown(contender.painting)),
        AwardKind.PAINTED_VOTE: ngettext("%(num)s vote", "%(num)s votes", contender.votes),
        AwardKind.MOST_VP: f"{contender.vp} {vp_word(event)}",
    }
    return shown.get(award.kind, "")


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else pointed(f"{float(value):.2f}")


def changed_winners(before: Sequence[Decided], after: Sequence[Decided]) -> tuple[str, ...]:
    """The awards whose winners differ, a sentence each: "Champion: Bo instead of Ada"."""
    were = {(prize.award.id, prize.faction): prize for prize in before}
    changes = []
    for prize in after:
        was = were.pop((prize.award.id, prize.faction), None)
        if was is None or was.winners != prize.winners:
            changes.append(_instead(prize.title, prize.names, was.names if was and was.winners else ""))
    return (
        *changes,
        *(_instead(prize.title, "", prize.names) for prize in were.values() if prize.winners),
    )


def _instead(title: Text, names: str, before: str) -> str:
    text, nobody = N_("%(title)s: %(names)s instead of %(before)s"), gettext("nobody")
    return gettext(text, title=title, names=names or nobody, before=before or nobody)


def prizes(decisions: Sequence[Decided]) -> list[Decided]:
    """The awards for the prize-giving: those with a winner, the last one first."""
    return [prize for prize in reversed(decisions) if prize.winners]


@contextmanager
def hall_kept(act: Act) -> Iterator[None]:
    """Keep the award that the hall shows while awards change; one that gets its first winner comes next."""
    event = act.event
    before = [prize.key for prize in prizes(decided(act.s, event))]
    shown = before[: event.awards_shown]
    yield
    if not shown:
        return
    run = prizes(decided(act.s, event))
    given = {prize.award.id for prize in run if prize.key in shown}
    late = {prize.award.id for prize in run if prize.key not in before} - given
    rows = list(event.awards)
    if given and late:
        first = next(at for at, award in enumerate(rows) if award.id in given)
        rows[first:] = sorted(rows[first:], key=lambda award: award.id not in late)
        for position, award in enumerate(rows, start=1):
            award.position = position
        event.awards.sort(key=lambda award: award.position)
        run = prizes(decided(act.s, event))
    keys = [prize.key for prize in run]
    event.awards_shown = next((keys.index(key) + 1 for key in reversed(shown) if key in keys), 0)


MOST_AWARDS = 40
PLACES = {1: N_("Champion"), 2: N_("Second place"), 3: N_("Third place")}
TEAM_PLACES = {1: N_("Winning team"), 2: N_("Second team"), 3: N_("Third team")}
USUAL = {AwardKind.PLACE: PLACES, AwardKind.TEAM: TEAM_PLACES}


def off_podium(decisions: Sequence[Decided], first: Sequence[Row]) -> list[Decided]:
    """The awards with a winner, without the usual ones for the places that a podium of these rows shows."""
    on = {place: [row.id for row in first if row.rank == place] for place in PLACES}

    def is_shown(prize: Decided) -> bool:
        place, names = prize.award.place or 0, USUAL.get(prize.award.kind, {})
        if prize.picks or place not in names or str(prize.title) not in in_every_language(names[place]):
            return False  # a named winner has a reason
        ids = [str(player.id) for player in prize.winners]
        if prize.award.kind == AwardKind.TEAM:
            ids = list(dict.fromkeys(seat_id(player.team_id) for player in prize.winners if player.team_id))
        return ids == on[place]

    return [prize for prize in decisions if prize.winners and not is_shown(prize)]


def add_award(act: Act, kind: AwardKind, name: str, place: int | None) -> Award:
    """Add an award at the end. Raises Refused."""
    rows = act.event.awards
    if len(rows) >= MOST_AWARDS:
        raise Refused(
            ngettext("An event has at most %(num)s award.", "An event has at most %(num)s awards.", MOST_AWARDS)
        )
    if kind in USUAL and place is None:
        raise Refused(gettext("Choose a place."), "place")
    if kind == AwardKind.TEAM and not play_rules(act.event).teams:
        raise Refused(gettext("No teams play in this event. Choose another kind of award."), "kind")
    if kind == AwardKind.MOST_VP and not knows_vp(act.event):
        raise Refused(gettext("This event records no victory points. Choose another kind of award."), "kind")
    if any(an_award.name == name for an_award in rows):
        raise Refused(gettext("An award with this name already exists."), "name")
    award = Award(
        position=max((award.position for award in rows), default=0) + 1,
        kind=kind,
        name=name,
        place=place if kind in USUAL else None,
    )
    rows.append(award)
    act.s.flush()  # assigns the award's id
    note(act, "add-award", message("Added the award “%(award)s”", award=name), award=award.id, kind=kind, place=place)
    return award


def suggested_awards(event: Event) -> list[tuple[AwardKind, str, int | None]]:
    """The usual awards, except those of a kind or name that the event has: kind, name and place.

    The names are in the event’s language, else in the reader’s.
    """
    with speaking(first_offered(event.language, language())):
        usual = _usual(event)
    have, names = {(award.kind, award.place) for award in event.awards}, {award.name for award in event.awards}
    return [row for row in usual if (row[0], row[2]) not in have and row[1] not in names]


def _usual(event: Event) -> list[tuple[AwardKind, str, int | None]]:
    rules, words = event.soft_rules, system_of(event).words
    places = [(AwardKind.PLACE, gettext(name), place) for place, name in PLACES.items()]
    if play_rules(event).teams:
        places = [(AwardKind.TEAM, gettext(name), place) for place, name in TEAM_PLACES.items()]
        places.append((AwardKind.PLACE, gettext("Best player"), 1))
    also = [
        (AwardKind.PAINTED, gettext("Best painted %(force)s", force=words.force), rules.by_vote),
        (AwardKind.SPORT, gettext("Best sport"), rules.sports != Sports.OFF),
        (AwardKind.FACTION, gettext("Best of the %(faction)s", faction=words.faction), True),
    ]
    return [
        *places,
        *((kind, name, None) for kind, name, wanted in also if wanted),
    ]


def add_usual(act: Act) -> None:
    """Add the missing usual awards. Raises Refused."""
    with hall_kept(act):
        for kind, name, place in suggested_awards(act.event):
            add_award(act, kind, name, place)


def move_award(act: Act, award: Award, step: int) -> None:
    """Move an award one place up (-1) or down (1); does nothing at either end."""
    rows = act.event.awards
    at = [an_award.id for an_award in rows].index(award.id)
    other = at + step
    if 0 <= other < len(rows):
        award.position, rows[other].position = rows[other].position, award.position
        rows.sort(key=lambda award: award.position)
        note(act, "move-award", message("Moved the award “%(award)s”", award=award.name), award=award.id, step=step)


def remove_award(act: Act, award: Award) -> None:
    """Remove an award with its named winners."""
    for pick in act.s.exec(select(AwardPick).where(AwardPick.award_id == award.id)).all():
        act.s.delete(pick)
    act.s.flush()  # delete the namings before what they refer to
    act.event.awards.remove(award)
    note(act, "remove-award", message("Removed the award “%(award)s”", award=award.name), award=award.id)


def name_winner(act: Act, award: Award, faction: str, player_id: int, reason: str) -> None:
    """Name a winner in place of the calculated one; several named players share the award. Raises Refused."""
    player = player_of(act.s, act.event, player_id)
    if player is None:
        raise Refused(gettext("Choose a player."), "player")
    if (award.kind == AwardKind.FACTION) != bool(faction):
        raise Refused(gettext("Choose a %(faction)s.", faction=system_of(act.event).words.faction), "faction")
    if faction and player.faction != faction:
        raise Refused(gettext("%(name)s does not play %(faction)s.", name=player.name, faction=faction), "player")
    rows = act.s.exec(select(AwardPick).where(AwardPick.award_id == award.id, AwardPick.faction == faction)).all()
    if any(row.player_id == player.id for row in rows):
        raise Refused(gettext("%(name)s is named already.", name=player.name), "player")
    act.s.add(
        AwardPick(award_id=award.id, faction=faction, player_id=player.id, reason=reason, by=act.actor, at=act.now)
    )
    title = f"{award.name}: {faction}" if faction else award.name
    note(
        act,
        "name-winner",
        message("Named %(name)s for “%(award)s”: %(reason)s", name=player.name, award=title, reason=reason),
        award=award.id,
        player=player.id,
        faction=faction,
    )


def unname_winner(act: Act, award: Award, pick: AwardPick) -> None:
    """Withdraw a manually named winner."""
    player = player_of(act.s, act.event, pick.player_id)
    act.s.delete(pick)
    note(
        act,
        "unname-winner",
        message("Removed %(name)s as winner of “%(award)s”", name=player.name if player else "", award=award.name),
        award=award.id,
        player=pick.player_id,
    )


def show_next(act: Act, shown: int) -> None:
    """Show the next award on the projector. ``shown`` is the number on the submitted page, so repeats do nothing."""
    if act.event.awards_shown != shown:
        return
    run = prizes(decided(act.s, act.event))
    if shown >= len(run):
        raise Refused(gettext("Every award has been given."))
    act.event.awards_shown = shown + 1
    sentence = message("Showed “%(award)s” in the hall: %(names)s", award=run[shown].title, names=run[shown].names)
    note(act, "show-award", sentence)


def show_from_start(act: Act) -> None:
    """Clear the projector to restart the prize-giving."""
    if act.event.awards_shown:
        act.event.awards_shown = 0
        note(act, "clear-awards", message("Took the awards off the projector"))
