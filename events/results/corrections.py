"""The preview of a correction, or of deciding a dispute, before ``actions.report`` stores it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlmodel import Session

from events.results.reports import latest
from events.rounds.formats import cut_of
from events.standings.awards import calculated, changed_winners
from events.standings.queries import figures_of_players, standings_of
from events.store.campaign import stepped
from events.store.editions import system_of
from events.store.outcomes import ended, lone_board
from events.store.rounds import RoundView, request_drawn
from events.store.team_queries import team_pairs
from events.store.tournaments import Loaded, load
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.request import of_the_field
from events.tournament.pairing.seats import Pair
from events.tournament.preview import Moved, Paired, RoundEffect, moved_lines, round_effect
from events.tournament.records import bye_worth, records, results_by_round
from events.tournament.scores import PLAYED_OUT, Ended, score
from events.tournament.standings import Standings
from languages.words import gettext, listed, ngettext
from models.event import Event, RoundState
from models.play import Game
from validators.readings import differing
from validators.scenario import Answers, Score
from validators.strict_json import fingerprint


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
        return {
            "vp": [
                None if points is None or not points.known else [points.a, points.b] for points in (self.was, self.now)
            ],
            "ending": [an_ended.how for an_ended in (self.was_ended, self.now_ended)],
            "bye_vp": [self.bye_was, self.bye_now],
            "standings": [{"player": int(line.after.id)} | line.figures_changed() for line in self.lines],
            "cut": self.cut,
            "awards": list(self.awards),
            "rounds": [{"state": state} | asdict(effect) for state, effect in self.rounds],
            "teams": [
                [team.after.id, team.before.rank, team.after.rank, team.before.points, team.after.points]
                for team in self.teams
            ],
        }


def correction(s: Session, event: Event, game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> Correction:
    """The effects of new answers and a new ending.

    The game must be confirmed without a no-show, or disputed, and the answers possible. If a decision completes the
    round, the round counts.
    """
    loaded = load(event)
    t, t_new = loaded.t, loaded.t.reported(game.id, answers, how)
    board, corrected = t.boards[game.id], t_new.boards[game.id]
    assert board.scenario is not None and corrected.result is not None  # noqa: S101 - the game is confirmed
    number, complete, scenarios = board.round, t.counted, {board.scenario.id}
    last = first = max(complete, number)
    if not board.confirmed and t.rounds[number - 1].open_games == 1:
        first = complete
    was = standings_of(event, t, loaded.players)
    now = Standings(t_new, was.extras)
    old, new, scheme = t.results(first), t_new.results(last), t.rules.scheme
    rows_old, rows_new = was.players_as_of(first) if first else [], now.players_as_of(last)
    teams = (was.teams_as_of(first), now.teams_as_of(last)) if t.rules.teams else ([], [])
    outcomes = {points.outcome if points else "" for points in (board.score, corrected.score)}
    past = stepped(s, event, game) if len(outcomes) > 1 or outcomes == {"draw"} else set()
    return Correction(
        mark=correction_mark(game, answers, how),
        was=board.score,
        now=corrected.score,
        was_ended=ended(game),
        now_ended=how,
        lines=moved_lines(rows_old, rows_new),
        after=last,
        counts=number <= complete or first < last,
        bye_was=bye_worth(results_by_round(old, scheme), scheme, scenarios),
        bye_now=bye_worth(results_by_round(new, scheme), scheme, scenarios),
        byes=_others_moved(old, new, corrected.result, t.entrants(t.players, None), scheme),
        rounds=tuple(
            (view.round.state, _effect_on(loaded, view, was, now))
            for view in loaded.views[number:]
            if (view.games or view.matches) and view.round.inputs is not None and view.stage.by_points
        ),
        teams=moved_lines(*teams),
        cut=_cut_effect(loaded, was, now),
        awards=changed_winners(
            calculated(s, event, rows_old, teams[0], loaded.players),
            calculated(s, event, rows_new, teams[1], loaded.players),
        ),
        steps=tuple(player.name for player in loaded.players if player.id in past),
    )


def _effect_on(loaded: Loaded, view: RoundView, was: Standings, now: Standings) -> RoundEffect:
    """The effect of the new result on a round that was drawn from the old one."""
    t, after = was.t, view.round.number - 1
    scheme = t.rules.match_scheme if t.rules.teams else t.rules.scheme
    field = Standings(t, figures_of_players(loaded.event, loaded.players)).entrants_to_draw(after)
    effect = round_effect(as_paired(view), t.side_results(after), now.t.side_results(after), field, scheme)
    return replace(effect, team_size=t.rules.team_size)


def _others_moved(
    before: Sequence[Result], after: Sequence[Result], corrected: Result, people: Sequence[Entrant], scheme: Scheme
) -> int:
    """The number of results apart from the ``corrected`` one that count other VP than before."""

    def counting(results: Sequence[Result]) -> dict[tuple[str, int], int]:
        book = records(results, people, replace(scheme, best=None))
        vp = {(id_, unplayed.round): unplayed.vp for id_, of in book.items() for unplayed in of.unplayed}
        return vp | {(id_, game.round): game.vp for id_, of in book.items() for game in of.games}

    was, now = counting(before), counting(after)
    moved = {key for key in was.keys() & now.keys() if was[key] != now[key]}
    return sum(
        result is not corrected and not moved.isdisjoint({(result.a, result.round), (result.b, result.round)})
        for result in after
    )


def _cut_effect(loaded: Loaded, was: Standings, now: Standings) -> str:
    event, players, first = loaded.event, loaded.players, next(iter(loaded.t.knockout), None)
    if first is None or first.state == "planned" or not loaded.t.is_cut(first.number):
        return ""
    number, names = first.number, {str(p.id): p.name for p in players}
    then, later = was.players_as_of(number - 1), now.players_as_of(number - 1)
    if first.state == "published":
        if [row.id for row in then[: event.cut]] == [row.id for row in later[: event.cut]]:
            return ""
        return gettext(
            "The cut would be another: round %(number)s is published and stays as it is, unless you take it back to a "
            "draft and draw it again.",
            number=number,
        )
    before, after = ([row.id for row in cut_of(event, players, number, rows)] for rows in (then, later))
    if before == after:
        return ""
    into, out = (sorted(names[text] for text in ids) for ids in (set(after) - set(before), set(before) - set(after)))
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
    return fingerprint([game.version, dict(answers), how.how, how.awarded, how.reason])


def as_paired(view: RoundView) -> Paired:
    """A drawn round in the engine's terms: its request and its current pairs, of teams or players."""
    drawn = request_drawn(view.round)
    if view.matches:
        return Paired(drawn, *team_pairs(view.matches))
    couples = [Pair(str(g.a_id), str(g.b_id), table=g.table_number) for g in view.games if g.b_id is not None]
    left_over = next((str(g.a_id) for g in view.games if g.b_id is None and not g.asked), None)
    return Paired(drawn, *of_the_field(drawn, couples, left_over))


def meanwhile(
    s: Session, event: Event, game: Game, context: Mapping[str, Any], entry: tuple[Answers, Ended]
) -> dict[str, Any]:
    """The result stored while a form was open, compared with the entry in the form."""
    scenario, (typed, how), stored = context["scenario"], entry, game.answers or {}
    return {
        "stored": stored,
        "typed": typed,
        "differ": differing(scenario, stored, typed) if game.answers is not None else [],
        "stands": lone_board(event, context["round"].number, scenario, game).score,
        "would": score(system_of(event), scenario, typed, how or PLAYED_OUT),
        "newest": max(latest(s, game).values(), key=lambda report: report.id, default=None),
    }
