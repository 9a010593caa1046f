"""What counts in the games and standings of an event, by its settings."""

from dataclasses import replace

from events.store.editions import system_of
from events.store.rulings import counts_from, standing_rulings
from events.store.team_queries import seat_id
from events.tournament.boards import PlayRules
from events.tournament.figures import OF_VP, OTHER_FIGURES, VP_SHARE, Scheme
from events.tournament.season import Season
from events.tournament.tie_breaks import TIE_BREAKS, TieBreak
from events.tournament.tournament import Adjustment
from languages.words import gettext
from models.event import Event, EventState
from models.settings import ReportDetail
from validators.game_system import GameSystem


def scale_words(event: Event) -> str:
    """How victory points of different scenarios are counted, in a sentence; "" if they can simply be added."""
    unlike = not system_of(event).scoring.one_scale
    if not knows_vp(event):
        return ""
    if in_shares(event) and unlike:
        return gettext(
            "The scenarios of this game score on different scales: "
            "the standings count each player’s share of a game’s VP, in percent, 50 in a draw."
        )
    if in_shares(event):
        return gettext("The standings count each player’s share of a game’s VP, in percent, 50 in a draw.")
    if unlike:
        return gettext(
            "The scenarios of this game score on different scales: VP of different scenarios cannot be compared."
        )
    return ""


def knows_vp(event: Event) -> bool:
    """Whether reports include victory points; if not, no page shows them and no tie-break uses them."""
    return event.report_detail != ReportDetail.OUTCOME


def tie_breaks_in(system: GameSystem) -> dict[str, TieBreak]:
    """The tie-breaks of a game by id, those by other figures of its reports with their names."""
    named = {
        id_: replace(TIE_BREAKS[id_], label=figure.label, explanation=figure.explanation)
        for id_, figure in zip(OTHER_FIGURES, system.scoring.tie_figures, strict=False)
    }
    return {id_: named.get(id_, one) for id_, one in TIE_BREAKS.items() if id_ in named or id_ not in OTHER_FIGURES}


def ordered_by(event: Event) -> list[TieBreak]:
    """The event's tie-breaks in order, as its game names them."""
    known = tie_breaks_in(system_of(event))
    return [known[id_] for id_ in tie_breaks_of(event)]


def tie_breaks_of(event: Event) -> list[str]:
    """The event's tie-breaks in order, without those that need figures its reports do not include; none on a ladder."""
    if isinstance(event.season, Season) and event.season.kind == "ladder":  # settings also say what cannot be read
        return []
    unasked = {*OTHER_FIGURES} - tie_breaks_in(system_of(event)).keys() if knows_vp(event) else {*OF_VP, *OTHER_FIGURES}
    return [id_ for id_ in event.tie_breaks if id_ not in unasked]


def in_shares(event: Event) -> bool:
    return VP_SHARE in tie_breaks_of(event)


def vp_word(event: Event) -> str:
    return gettext("VP share") if in_shares(event) else gettext("VP")


def scheme_of(event: Event) -> Scheme:
    table, scheme = event.points_table, match_scheme_of(event)
    return replace(scheme, win=table.bye, draw=table.draw, loss=table.least, table=table) if table else scheme


def match_scheme_of(event: Event) -> Scheme:
    """The scoring scheme for matches of teams: always points for a win, a draw and a loss, even with a points table."""
    season = event.season
    return Scheme(
        win=event.points_win,
        draw=event.points_draw,
        loss=event.points_loss,
        tie_breaks=tuple(tie_breaks_of(event)),
        best=season.best if season else None,
        by_challenge=season is not None and season.by_challenge,
        bye_vp=event.bye_vp,
        seed=event.seed,
        asked_bye=event.asked_bye.value,
        late_points=event.late_points,
        vp_cap=event.vp_cap,
        conceded_vp=event.conceded_vp.value,
        not_played=event.not_played.value,
        shares=in_shares(event),
        by_scenario=not system_of(event).scoring.one_scale,
        vp_known=knows_vp(event),
        unfinished=event.state != EventState.FINISHED,
    )


def play_rules(event: Event) -> PlayRules:
    rules = event.soft_rules
    return PlayRules(
        system=system_of(event),
        scheme=scheme_of(event),
        match_scheme=match_scheme_of(event),
        team_size=event.team_size,
        season=event.season,
        third_place=event.third_place,
        cut=event.cut is not None,
        closed=event.state == EventState.FINISHED,
        rulings_count=rules.rulings_count.value,
        rulings_move=rules.move_groups,
    )


def adjustments_of(event: Event) -> tuple[Adjustment, ...]:
    players = [
        Adjustment(
            str(ruling.player_id),
            counts_from(ruling),
            ruling.points,
            ruling.vp,
            ruling.round_number,
            ruling.loses_game,
            ruling.disqualifies,
        )
        for ruling in standing_rulings(event)
    ]
    teams = [
        Adjustment(seat_id(ruling.team_id), counts_from(ruling), ruling.points, ruling.vp, ruling.round_number)
        for ruling in (event.team_rulings if event.team_size > 1 else ())
        if ruling.taken_back_at is None
    ]
    return (*players, *teams)
