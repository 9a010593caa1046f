"""From the rows of an event to the pure standings and the seats of the next draw."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlmodel import Session

from events.brackets import bracket_of
from events.list_points import Bonus, counts_lists, list_points
from events.outcomes import result_of
from events.pairing.final_places import final_places
from events.pairing.knockout import places
from events.pairing.results import Entrant, Result, Scheme
from events.pairing.standings import Row
from events.pairing.standings import standings as rank
from events.public_rounds import public_round_views
from events.reading import (
    RoundView,
    completed_rounds,
    players_of,
    seals_of,
    terms_of,
)
from events.rulings import Ruled, bonus_words, disqualified, ruled
from events.soft_rules import Counts, soft_rules
from events.soft_scores import NOTHING, soft_scores
from models.event import Event, RoundKind
from models.play import Player, PlayerState

NO_BONUSES: Mapping[int, Bonus] = {}
ELSEWHERE = "does not count as a tie-break in this event"


def played(event: Event, views: Sequence[RoundView], after: int) -> list[Result]:
    """Every decided game of the rounds up to ``after``, as the standings count it: none of a knockout."""
    results: list[Result] = []
    for view in views[:after]:
        if view.round.kind == RoundKind.KNOCKOUT:
            continue
        for game in view.games:
            found = result_of(event, view.round.number, view.scenario_at(game), game)
            if found is not None:
                results.append(found)
    return results


def entrants(
    event: Event,
    players: Sequence[Player],
    bonuses: Mapping[int, Bonus] = NO_BONUSES,
    last: int | None = None,
) -> list[Entrant]:
    """The players as the standings after round ``last`` see them.

    The draw looks at no bonus but what rulings move, so the rest may be left out for it.
    """
    found = []
    rules, scores, rulings, out = (
        soft_rules(event),
        soft_scores(event, players),
        ruled(event, last),
        disqualified(event),
    )
    for player in players:
        bonus = bonuses.get(player.id, Bonus(0, "bonus"))
        painting, sports = scores.painting.get(player.id, NOTHING), scores.sports.get(player.id, NOTHING)
        given = rulings.get(player.id, Ruled())
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
                painting=painting.value if rules.painting_counts == Counts.TIE_BREAK else 0,
                painting_how=painting.how if rules.painting_counts == Counts.TIE_BREAK else ELSEWHERE,
                sportsmanship=sports.value if rules.sports_counts == Counts.TIE_BREAK else 0,
                sportsmanship_how=sports.how if rules.sports_counts == Counts.TIE_BREAK else ELSEWHERE,
                conduct=given.points if rules.rulings_count == Counts.TIE_BREAK else 0,
                vp_ruled=given.vp if rules.rulings_count == Counts.POINTS else 0,
                moves=given.moves,
                disqualified=player.id in out,
            )
        )
    return found


def bonuses_of(s: Session, event: Event, players: Sequence[Player], last: int | None = None) -> dict[int, Bonus]:
    """What each player earns off the table by the standings after round ``last``: by painting, the list, soft scores
    and rulings, as far as they count in tournament points.
    """
    terms = terms_of(s, event)
    seals = seals_of(s, event) if counts_lists(event, terms) else {}
    rules, scores, rulings = soft_rules(event), soft_scores(event, players), ruled(event, last)
    found = {}
    for player in players:
        painted = Bonus(event.painting_points if player.painted else 0, "painted")
        of_list = list_points(event, player, seals.get(player.id, ()), terms)
        earned = [painted, of_list]
        if rules.painting_counts == Counts.POINTS:
            earned.append(Bonus(scores.painting.get(player.id, NOTHING).whole, "painting"))
        if rules.sports_counts == Counts.POINTS:
            earned.append(Bonus(scores.sports.get(player.id, NOTHING).whole, "sportsmanship"))
        if rules.rulings_count == Counts.POINTS:
            given = rulings.get(player.id, Ruled()).points
            earned.append(Bonus(given, bonus_words(given)))
        told = [one for one in earned if one.points]
        why = told[0].why if len(told) == 1 else f"bonus ({', '.join(f'{one.points} {one.why}' for one in told)})"
        found[player.id] = Bonus(sum(one.points for one in earned), why)
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
        conceded_vp=event.conceded_vp.value,
        not_played=event.not_played.value,
    )


def standings(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings after a round; without one, after the last complete round. Only complete rounds count.

    With a knockout among them its places come first.
    """
    return standings_over(s, event, public_round_views(s, event), after)


def standings_over(
    s: Session,
    event: Event,
    views: Sequence[RoundView],
    after: int | None = None,
    players: Sequence[Player] | None = None,
) -> list[Row]:
    """The same from rounds, and where given players, that were read already, the first round's first."""
    complete = completed_rounds(views)
    last = complete if after is None else min(after, complete)
    rows = ranked(s, event, played(event, views, last), last, players)
    bracket = bracket_of(event, views[:last])
    return final_places(rows, places(bracket)) if bracket else rows


def _was_entered(player: Player, number: int) -> bool:
    gone_before = player.state == PlayerState.DROPPED and player.dropped_after == 0
    return player.state != PlayerState.WAITING and player.entered_round <= number and not gone_before


def ranked(
    s: Session, event: Event, results: Sequence[Result], last: int, players: Sequence[Player] | None = None
) -> list[Row]:
    """The standings that these results, of the rounds up to ``last``, make; a knockout has no part in them.

    Whoever has a result stands in them, also where it is a bye of before they came; else who was entered by then.
    """
    met = {id_ for result in results for id_ in (result.a, result.b)}
    everybody = players_of(s, event) if players is None else players
    field = [p for p in everybody if str(p.id) in met or _was_entered(p, max(last, 1))]
    listed = entrants(event, field, bonuses_of(s, event, field, last), last)
    return [*_ranked(tuple(results), tuple(listed), scheme_of(event))]


@lru_cache(maxsize=30)
def _ranked(results: tuple[Result, ...], listed: tuple[Entrant, ...], scheme: Scheme) -> list[Row]:
    """The standings of complete rounds, calculated once: most pages ask for the same ones again."""
    return rank(results, listed, scheme)
