"""From the rows of an event to the pure standings and the seats of the next draw."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from events.brackets import bracket_of
from events.list_points import Bonus, list_points
from events.pairing.final_places import final_places
from events.pairing.knockout import places
from events.pairing.results import Entrant, Result, Scheme
from events.pairing.standings import Row
from events.pairing.standings import standings as rank
from events.reading import RoundView, completed_rounds, players_of, round_views, seals_of, system_of, terms_of
from models.event import Event, RoundKind
from models.play import GameState, Player, PlayerState

NO_BONUSES: Mapping[int, Bonus] = {}


def played(event: Event, views: Sequence[RoundView], after: int) -> list[Result]:
    """Every decided game of the rounds up to ``after``, as the standings count it: none of a knockout."""
    system = system_of(event)
    results: list[Result] = []
    for view in views[:after]:
        if view.round.kind == RoundKind.KNOCKOUT:
            continue
        for game in view.games:
            if game.b_id is None:
                results.append(Result(view.round.number, str(game.a_id), None, asked=game.asked))
            elif game.absent is not None:
                results.append(Result(view.round.number, str(game.a_id), str(game.b_id), absent=game.absent.value))
            elif (
                game.state == GameState.CONFIRMED and game.answers is not None and (scenario := view.scenario_at(game))
            ):
                score = system.score(scenario, game.answers)
                results.append(
                    Result(
                        view.round.number,
                        str(game.a_id),
                        str(game.b_id),
                        score.a,
                        score.b,
                        table=game.table_number,
                        won=score.decided,
                        scenario=scenario.id,
                    )
                )
    return results


def entrants(event: Event, players: Sequence[Player], bonuses: Mapping[int, Bonus] = NO_BONUSES) -> list[Entrant]:
    """The players as the standings see them. The draw looks at no bonus, so it may be left out for it."""
    found = []
    for player in players:
        bonus = bonuses.get(player.id, Bonus(0, "bonus"))
        found.append(
            Entrant(
                id=str(player.id),
                name=player.name,
                club=player.club,
                bonus=bonus.points,
                bonus_for=bonus.why,
                dropped_after=player.dropped_after,
                entered_round=player.entered_round,
                ringer=player.ringer,
                painting=player.painting,
                sportsmanship=player.sportsmanship,
            )
        )
    return found


def bonuses_of(s: Session, event: Event, players: Sequence[Player]) -> dict[int, Bonus]:
    """What painting and the list earn each player, by id."""
    terms, seals = terms_of(s, event), seals_of(s, event)
    found = {}
    for player in players:
        painted = Bonus(event.painting_points if player.painted else 0, "painted")
        of_list = list_points(event, player, seals.get(player.id, ()), terms)
        told = [one for one in (painted, of_list) if one.points]
        why = told[0].why if len(told) == 1 else f"bonus ({', '.join(f'{one.points} {one.why}' for one in told)})"
        found[player.id] = Bonus(painted.points + of_list.points, why)
    return found


def scheme_of(event: Event) -> Scheme:
    """How this event counts."""
    return Scheme(
        win=event.points_win,
        draw=event.points_draw,
        loss=event.points_loss,
        tie_breaks=tuple(event.tie_breaks),
        bye_vp=event.bye_vp,
        seed=event.seed,
        asked_bye=event.asked_bye.value,
        late_points=event.late_points,
        vp_cap=event.vp_cap,
    )


def standings(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings after a round; without one, after the last complete round. Only complete rounds count.

    With a knockout among them its places come first.
    """
    views = round_views(s, event)
    complete = completed_rounds(views)
    last = complete if after is None else min(after, complete)
    rows = ranked(s, event, played(event, views, last), last)
    bracket = bracket_of(event, views[:last])
    return final_places(rows, places(bracket)) if bracket else rows


def ranked(s: Session, event: Event, results: Sequence[Result], last: int) -> list[Row]:
    """The standings that these results, of the rounds up to ``last``, make; a knockout has no part in them."""
    field = [p for p in players_of(s, event) if p.state != PlayerState.WAITING and p.entered_round <= max(last, 1)]
    gone_before = [p.id for p in field if p.state == PlayerState.DROPPED and p.dropped_after == 0]
    field = [p for p in field if p.id not in gone_before]
    return rank(results, entrants(event, field, bonuses_of(s, event, field)), scheme_of(event))
