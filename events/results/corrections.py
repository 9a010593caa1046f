"""The preview of a correction, or of deciding a dispute, before ``actions.report`` stores it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlmodel import Session

from events.play.brackets import bracket_of, follows_rounds, knockout_views, winner_by
from events.play.campaign import stepped
from events.play.outcomes import PLAYED_OUT, Ended, ended, result_by, score, score_of
from events.play.players import players_of
from events.play.rounds import RoundView, completed_rounds, request_drawn, round_views
from events.play.rulings import won_by_card
from events.play.team_queries import is_team_event, seat_id
from events.results.reports import latest
from events.rounds.formats import cut_of
from events.standings.awards import changed_winners, decided
from events.standings.queries import entrants, match_scheme_of, played, ranked, scheme_of
from events.standings.team_standings import matches_played, ranked_field, team_entrants
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.knockout import places
from events.tournament.pairing.request import from_document, of_the_field
from events.tournament.pairing.seats import Pair
from events.tournament.preview import Moved, Paired, RoundEffect, moved_lines, round_effect
from events.tournament.ranking import Row, final_places
from events.tournament.records import bye_worth, records, results_by_round
from events.tournament.team_ranking import team_ranking_rows, team_results
from languages.words import gettext, listed, ngettext
from models.event import Event, RoundState
from models.play import Game, GameState, Player
from validators.canonical import fingerprint
from validators.readings import differing
from validators.scenario import Answers, Score


def changed_team_lines(
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    before: Sequence[Result],
    after: Sequence[Result],
    last: int,
) -> tuple[Moved, ...]:
    """The teams whose rank, points or VP after round ``last`` differ between the players' results ``before`` and
    ``after``.
    """

    def rows(results: Sequence[Result]) -> list[Row]:
        book = records(results, entrants(event, players), scheme_of(event))
        field = ranked_field(views, players, last)
        return team_ranking_rows(
            matches_played(views, last), team_entrants(event, field, last), book, match_scheme_of(event)
        )

    return moved_lines(rows(before), rows(after))


def team_round_effect(
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    view: RoundView,
    before: Sequence[Result],
    after: Sequence[Result],
) -> RoundEffect:
    """The effect of the players' results ``after`` on a round of teams that was drawn from ``before``."""
    scheme = scheme_of(event)

    def of_teams(results: Sequence[Result]) -> list[Result]:
        book = records(results, entrants(event, players), scheme)
        return team_results(matches_played(views, view.round.number - 1), book)[0]

    pairs = tuple(Pair(seat_id(m.a_id), seat_id(m.b_id), table=m.block) for m in view.matches if m.b_id is not None)
    bye = next((seat_id(match.a_id) for match in view.matches if match.b_id is None), None)
    paired = Paired(request_drawn(view.round), pairs, bye)
    field = team_entrants(event, view.teams, view.round.number - 1)
    effect = round_effect(paired, of_teams(before), of_teams(after), field, match_scheme_of(event))
    return replace(effect, team_size=event.team_size)


@dataclass(frozen=True)
class Correction:
    """A confirmed result before and after a correction, and the effects of the change."""

    mark: str
    """Identifies this preview; the form that stores the correction sends it back."""
    was: Score | None
    """None if the game was not played."""
    now: Score | None
    was_ended: Ended
    now_ended: Ended
    lines: tuple[Moved, ...]
    """The players whose row in the standings after round ``after`` changes."""
    after: int
    counts: bool
    """Whether the standings count the result already, because the game's round is complete."""
    bye_was: int
    bye_now: int
    byes: int
    """The number of other results whose VP change with ``bye_now``: byes, and wins by no-show or concession."""
    rounds: tuple[tuple[RoundState, RoundEffect], ...]
    """The later rounds drawn from the old result, with the effect of the new one."""
    teams: tuple[Moved, ...] = ()
    """The teams whose row changes, in a team event."""
    cut: str = ""
    """The effect on a drawn, unpublished cut, in a sentence; "" if there is none."""
    awards: tuple[str, ...] = ()
    """The awards whose winner would change, a sentence each."""
    steps: tuple[str, ...] = ()
    """The players of a campaign whose steps after the game count the old result."""

    def journal_details(self) -> dict[str, Any]:
        """The correction as the journal stores it."""
        return {
            "vp": [None if one is None or not one.known else [one.a, one.b] for one in (self.was, self.now)],
            "ending": [one.how for one in (self.was_ended, self.now_ended)],
            "bye_vp": [self.bye_was, self.bye_now],
            "standings": [{"player": int(one.after.id)} | one.figures_changed() for one in self.lines],
            "cut": self.cut,
            "awards": list(self.awards),
            "rounds": [{"state": state} | asdict(effect) for state, effect in self.rounds],
            "teams": [
                [one.after.id, one.before.rank, one.after.rank, one.before.points, one.after.points]
                for one in self.teams
            ],
        }


def correction(s: Session, event: Event, game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> Correction:
    """The effects of new answers and a new ending.

    The game must be confirmed without a no-show, or disputed, and the answers possible. If a decision completes the
    round, the round counts.
    """
    views = round_views(s, event)
    at = next(view for view in views if view.round.id == game.round_id)
    number, complete = at.round.number, completed_rounds(views)
    scenario = at.scenario_at(game)
    assert scenario is not None  # noqa: S101 - the game is confirmed
    before = played(event, views, len(views))
    corrected = result_by(event, number, scenario, game, answers, how)
    after = [
        corrected if (one.round, one.a, one.b) == (number, str(game.a_id), str(game.b_id)) else one for one in before
    ]
    if game.state != GameState.CONFIRMED and corrected not in after and not at.stage.one_wins:
        after.append(corrected)
    last = first = max(complete, number)
    if game.state != GameState.CONFIRMED and at.open_games == 1:
        first = complete
    old, new = ([one for one in results if one.round <= upto] for results, upto in ((before, first), (after, last)))
    players = players_of(s, event)
    scheme, people = scheme_of(event), entrants(event, players)

    def effect_on(view: RoundView) -> RoundEffect:
        if is_team_event(event):
            return team_round_effect(event, players, views, view, before, after)
        return round_effect(as_paired(view), before, after, people, scheme)

    lines_old = ranked(s, event, old, first, players, views[:first]) if first else []
    lines_new = ranked(s, event, new, last, players, views[:last])
    through: dict[int, int | None] = {}
    if at.stage.one_wins:
        through[game.id] = winner_by(event, number, scenario, game, answers, how)
    final_old = _with_places(event, views[:first], lines_old, {})
    final_new = _with_places(event, views[:last], lines_new, through)
    was = score_of(event, number, scenario, game)
    now = score(event, scenario, answers, how, won_by_card(event, number, game))
    outcomes = {one.outcome if one else "" for one in (was, now)}
    past = stepped(s, event, game) if len(outcomes) > 1 or outcomes == {"draw"} else set()
    return Correction(
        mark=correction_mark(game, answers, how),
        was=was,
        now=now,
        was_ended=ended(game),
        now_ended=how,
        lines=moved_lines(final_old, final_new),
        after=last,
        counts=number <= complete or first < last,
        bye_was=bye_worth(results_by_round(old, scheme), scheme, {scenario.id}),
        bye_now=bye_worth(results_by_round(new, scheme), scheme, {scenario.id}),
        byes=_others_moved(old, new, corrected, people, scheme),
        rounds=tuple(
            (view.round.state, effect_on(view))
            for view in views[number:]
            if (view.games or view.matches) and view.round.inputs is not None and view.stage.by_points
        ),
        teams=changed_team_lines(event, players, views, old, new, last) if is_team_event(event) else (),
        cut=_cut_effect(event, players, views, lines_old, lines_new),
        awards=changed_winners(decided(s, event, final_old), decided(s, event, final_new)),
        steps=tuple(player.name for player in players if player.id in past),
    )


def _others_moved(
    before: Sequence[Result], after: Sequence[Result], corrected: Result, people: Sequence[Entrant], scheme: Scheme
) -> int:
    """The number of results apart from the ``corrected`` one that count other VP than before."""

    def counting(results: Sequence[Result]) -> dict[tuple[str, int], int]:
        book = records(results, people, replace(scheme, best=None))
        vp = {(id_, one.round): one.vp for id_, of in book.items() for one in of.unplayed}
        return vp | {(id_, one.round): one.vp for id_, of in book.items() for one in of.games}

    was, now = counting(before), counting(after)
    moved = {key for key in was.keys() & now.keys() if was[key] != now[key]}
    return sum(one is not corrected and not moved.isdisjoint({(one.a, one.round), (one.b, one.round)}) for one in after)


def _with_places(
    event: Event, views: Sequence[RoundView], rows: Sequence[Row], through: Mapping[int, int | None]
) -> Sequence[Row]:
    """The rows as the standings show them, knockout players by place; ``through`` overrides who advances."""
    bracket = bracket_of(event, views, through)
    return final_places(rows, places(bracket)) if bracket else rows


def _cut_effect(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], then: Sequence[Row], now: Sequence[Row]
) -> str:
    first = next(iter(knockout_views(views)), None)
    if first is None or first.round.state != RoundState.DRAWN or not follows_rounds(first.round, views):
        return ""
    number, names = first.round.number, {str(p.id): p.name for p in players}
    before, after = ([row.id for row in cut_of(event, players, number, rows)] for rows in (then, now))
    if before == after:
        return ""
    into, out = (sorted(names[one] for one in ids) for ids in (set(after) - set(before), set(before) - set(after)))
    if not into:
        return gettext("The seeds of the cut change: round %(number)s must be drawn again.", number=number)
    return ngettext(
        "%(into)s is in the cut instead of %(out)s: round %(number)s must be drawn again.",
        "%(into)s are in the cut instead of %(out)s: round %(number)s must be drawn again.",
        len(into),
        into=listed(into),
        out=listed(out),
        number=number,
    )


def correction_mark(game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> str:
    """The mark of this correction of the stored game."""
    return fingerprint([game.version, dict(answers), how.how, how.awarded, how.reason])


def as_paired(view: RoundView) -> Paired:
    """A drawn round in the engine's terms: its request and its current pairs."""
    assert view.round.inputs is not None  # noqa: S101 - it is drawn
    request = from_document(view.round.inputs)
    couples = [Pair(str(g.a_id), str(g.b_id), table=g.table_number) for g in view.games if g.b_id is not None]
    left_over = next((str(g.a_id) for g in view.games if g.b_id is None and not g.asked), None)
    pairs, bye = of_the_field(request, couples, left_over)
    return Paired(request, pairs, bye)


def meanwhile(
    s: Session, event: Event, game: Game, context: Mapping[str, Any], entry: tuple[Answers, Ended]
) -> dict[str, Any]:
    """The result stored while a form was open, compared with the entry in the form."""
    scenario, (typed, how), stored = context["scenario"], entry, game.answers or {}
    return {
        "stored": stored,
        "typed": typed,
        "differ": differing(scenario, stored, typed) if game.answers is not None else [],
        "stands": score_of(event, context["round"].number, scenario, game),
        "would": score(event, scenario, typed, how or PLAYED_OUT),
        "newest": max(latest(s, game).values(), key=lambda report: report.id, default=None),
    }
