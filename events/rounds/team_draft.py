"""Manual changes to the draft of a round of teams: swaps, locks, undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.play.players import players_of
from events.play.rounds import request_drawn
from events.play.team_queries import matches_of, names_of, seat_id, team_pairs, teams_of
from events.rounds.draft import lock_words
from events.rounds.drawing import drawn_or_refused
from events.rounds.outcome import best_costs, costs_now, is_locked, keep_costs, keep_step, pop_step, with_lock
from events.rounds.team_boards import lay_boards
from events.tournament.pairing.notes import note_rows, notes_in
from events.tournament.pairing.request import evaluate
from events.tournament.pairing.words import sentences
from languages.stated import stated, worded
from languages.words import apart, gettext, listed
from models.event import Round
from models.play import Game
from models.team import TeamMatch


@dataclass(frozen=True)
class TeamSeating:
    """The teams and the block of tables of a match; a bye has neither opponent nor tables."""

    a: int
    b: int | None
    block: int | None

    @property
    def seats(self) -> tuple[str, str | None]:
        """Both teams by their ids in the draw."""
        return seat_id(self.a), None if self.b is None else seat_id(self.b)


def swap_teams(act: Act, number: int, one: int, other: int) -> dict[int, str]:
    """Exchange two teams of a draft, the bye included. Returns warnings by the first team of their match.

    The boards of both matches are set again, with new sheet codes. Raises Refused.
    """
    s, event = act.s, act.event
    the_round = drawn_or_refused(s, event, number)
    before = _team_seatings(s, the_round)
    where = {team: seating for seating in before for team in (seating.a, seating.b) if team is not None}
    if one == other or one not in where or other not in where:
        raise Refused(gettext("Choose two different teams of this round."))
    if where[one] is where[other]:
        raise Refused(gettext("These two play each other: there is nothing to swap."))
    names = names_of(teams_of(s, event))
    for seating in (where[one], where[other]):
        if is_locked(the_round, *seating.seats):
            if seating.b is None:
                raise Refused(gettext("%(name)s is locked: unlock first.", name=_both(seating, names)))
            raise Refused(gettext("%(names)s are locked: unlock first.", names=_both(seating, names)))
    places = {one: other, other: one}
    wanted = [replace(m, a=places.get(m.a, m.a), b=places.get(m.b or 0, m.b)) for m in before]
    what = stated(
        "Swapped %(name)s and %(other)s in round %(number)s", name=names[one], other=names[other], number=number
    )
    keep_step(the_round, what, "matches", before)
    _settle(act, the_round, wanted)
    odd = {
        seating.a: apart(sentences(notes_in(match.notes), event.team_size))
        for seating, match in zip(_team_seatings(s, the_round), matches_of(s, the_round), strict=True)
        if seating not in before and match.notes
    }
    note(
        act,
        "swap-teams",
        what,
        teams=[one, other],
        engine=best_costs(the_round),
        costs=costs_now(the_round),
        warnings=[*odd.values()],
    )
    return odd


def lock_match(act: Act, number: int, team: int, *, locked: bool) -> None:
    """Lock the match, or the bye, of this team, so that a new draw keeps it; or unlock it. Raises Refused."""
    the_round = drawn_or_refused(act.s, act.event, number)
    seatings = _team_seatings(act.s, the_round)
    seating = next((one for one in seatings if team in (one.a, one.b)), None)
    if seating is None:
        raise Refused(gettext("This team is no longer in the draft."))
    if is_locked(the_round, *seating.seats) == locked:
        return
    whom = _both(seating, names_of(teams_of(act.s, act.event)))
    what = lock_words(whom, number, bye=seating.b is None, locked=locked)
    keep_step(the_round, what, "matches", seatings, with_lock(the_round, *seating.seats, locked=locked))
    _settle(act, the_round, seatings)
    note(act, "lock" if locked else "unlock", what, teams=[seating.a, seating.b])


def undo_match_change(act: Act, number: int) -> str:
    """Undo the last manual change. Returns its description. Raises Refused."""
    the_round = drawn_or_refused(act.s, act.event, number)
    last = pop_step(the_round)
    _settle(act, the_round, [TeamSeating(**one) for one in last["matches"]])
    note(act, "undo-step", stated("Undid: %(step)s", step=last["what"]), costs=costs_now(the_round))
    return worded(last["what"])


def team_seating(match: TeamMatch) -> TeamSeating:
    """The seating of a match."""
    return TeamSeating(match.a_id, match.b_id, match.block)


def _team_seatings(s: Session, the_round: Round) -> list[TeamSeating]:
    return [team_seating(match) for match in matches_of(s, the_round)]


def _both(seating: TeamSeating, names: Mapping[int, str]) -> str:
    return listed([names[team] for team in (seating.a, seating.b) if team is not None])


def _settle(act: Act, the_round: Round, wanted: Sequence[TeamSeating]) -> None:
    """Change the matches to ``wanted``, with their boards and notes, and store the costs."""
    s, there = act.s, {team_seating(match): match for match in matches_of(act.s, the_round)}
    gone = [match for seating, match in there.items() if seating not in wanted]
    for game in s.exec(select(Game).where(col(Game.match_id).in_([match.id for match in gone]))):
        s.delete(game)
    s.flush()  # delete the games before their matches
    for match in gone:
        s.delete(match)
    s.flush()  # delete the old matches before adding new ones of the same teams
    for one in wanted:
        if one not in there:
            s.add(TeamMatch(round_id=the_round.id, a_id=one.a, b_id=one.b, block=one.block, notes=[]))
    s.flush()  # assigns the new matches' ids for their games
    matches = matches_of(s, the_round)
    lay_boards(act, the_round, matches, players_of(s, act.event))
    _evaluate(the_round, matches)


def _evaluate(the_round: Round, matches: Sequence[TeamMatch]) -> None:
    """Update the notes on all matches, and store the costs of the draft."""
    outcome = the_round.outcome or {}
    pairs, bye = team_pairs(matches)
    drawn = {frozenset(pair): table for pair, table in zip(outcome["pairs"], outcome["tables"], strict=True)}
    as_drawn = bye == outcome["bye"] and drawn == {frozenset((pair.a, pair.b)): pair.table for pair in pairs}
    evaluation = evaluate(request_drawn(the_round), pairs, bye, proven=as_drawn and outcome["certificate"]["proven"])
    notes = {pair.a: pair.notes for pair in evaluation.pairs}
    if bye is not None:
        notes[bye] = evaluation.bye_notes
    for match in matches:
        match.notes = note_rows(notes.get(seat_id(match.a_id), ()))
    keep_costs(the_round, evaluation, as_drawn=as_drawn)
