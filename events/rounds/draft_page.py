"""The page of a draft of players or teams: what the draw costs, and the forms that change it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flask import render_template
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from wtforms.fields import SelectChoice

from events.lists.queries import before_lock, lists_of_players
from events.rounds.draft import leaders_at, leading
from events.rounds.draft_lines import draft_rows, not_drawn
from events.rounds.drawing import count_of_draw
from events.rounds.forms import GameForm, SwapForm, SwapTeamsForm
from events.rounds.inputs import redraw_of
from events.rounds.outcome import best_costs, costs_now, locked_in, steps_by_hand
from events.rounds.queries import why_not_drawn
from events.store.journal import rows_added
from events.store.rounds import RoundView, ends_of, request_drawn
from events.store.scenarios import scenarios_of
from events.store.team_queries import names_of, teams_of
from events.store.verdicts import forces_of, terms_of
from events.tournament.pairing.explain import (
    Cost,
    Judged,
    certificate_in_words,
    compared,
    differ_in_tables,
    differences,
    judged,
    verdict,
)
from events.tournament.pairing.request import BY_METHOD, Request
from events.tournament.pairing.seats import Certificate
from events.visitors.access import lists_locked
from events.visitors.event_loading import loaded_in, players_in, view_in, warnings_of
from events.web.request import db, local, now
from languages.dates import dated
from languages.message import worded
from languages.words import apart, gettext, listed, ngettext
from models.event import Event, Round
from models.play import Game, Player
from models.team import TeamMatch
from validators.names import alphabetical


@dataclass(frozen=True)
class Costs:
    """The cost of a round compared with another draw's, in words."""

    rows: tuple[Cost, ...]
    judged: Judged
    of_tables: bool
    """Whether only tables or scenarios make a difference."""
    verdict: str
    differences: str
    """The differences, without saying which draw is better."""
    certificate: str = ""
    """Whether a better draw exists; "" once the round was changed manually."""
    method: str = ""
    words: str = ""
    """How it was drawn."""


def leader_table_notes(view: RoundView, names: Mapping[int, str]) -> str:
    """Why leaders are not at the first tables, each reason once; "" if they are."""
    request, games = request_drawn(view.round), view.games
    by_hand = (view.round.outcome or {}).get("hand_changed")
    seats = {seat.id: seat for seat in request.seats}
    usable = request.room.tables or tuple(range(1, len(games) + 1))
    at = {game.table_number: game for game in games if game.b_id is not None}
    texts = list[str]()
    for game, table in leading(request, games)[1]:
        couple = [seats[str(number)] for number in (game.a_id, game.b_id)]
        again = [names[int(seat.id)] for seat in couple if table in seat.tables]
        others = (
            [seat for number in (at[table].a_id, at[table].b_id) if (seat := seats.get(str(number)))]
            if table in at
            else []
        )
        why = gettext("seated by hand") if by_hand else gettext("so that fewer players have a table again")
        if not request.room.top_first:
            why = gettext("this event draws its tables by lot")
        elif any(seat.fixed_table == game.table_number for seat in couple):
            why = gettext("at a player’s fixed table")
        elif any(seat.fixed_table == table for seat in others):
            why = gettext("table %(table)s is another player’s fixed table", table=table)
        elif game.table_number in usable and again:
            why = ngettext(
                "%(names)s played at table %(table)s before",
                "%(names)s played at table %(table)s before",
                len(again),
                names=listed(again),
                table=table,
            )
        texts.append(why)
    return apart(dict.fromkeys(texts))


def draft_costs(view: RoundView) -> Costs:
    """The cost of a drawn round compared with the best draw."""
    request, outcome = request_drawn(view.round), view.round.outcome or {}
    costs = compare_costs(request, costs_now(view.round), best_costs(view.round))
    stored = Certificate(**outcome["certificate"])
    certificate = certificate_in_words(stored)
    if outcome.get("hand_changed") or request.format.kind != "swiss":
        certificate = ""
    elif request.rules.locked:
        certificate = gettext("The best draw is the one without locks.")
    method = gettext(stored.by)
    return replace(costs, certificate=certificate, method=method, words=_drawn_by(request, method))


def _drawn_by(request: Request, method: str) -> str:
    """How a round was drawn, in plain words; ``method`` is the program's, of a format with a fixed plan."""
    seed, rules = request.seed, request.rules
    if request.format.kind != "swiss":
        return gettext("Drawn by %(method)s, draw number %(seed)s.", method=method, seed=seed)
    if request.round == 1:
        return gettext("By lot, with draw number %(seed)s.", seed=seed)
    if rules.off or rules.banned:
        return gettext("By this event’s own pairing rules, then by lot with draw number %(seed)s.", seed=seed)
    return gettext(
        "By points: rematches are avoided, pairs are as equal as possible, and equal players meet %(how)s. "
        "Draw number %(seed)s.",
        how=gettext(BY_METHOD[rules.method]),
        seed=seed,
    )


def compare_costs(request: Request, here: Mapping[str, int], there: Mapping[str, int], other: str = "") -> Costs:
    """Compare the costs of two draws; ``other`` is the second draw's name, if it is not the best draw."""
    rows = compared(here, there, request.rules, vary=request.room.vary)
    return Costs(
        rows, judged(rows), differ_in_tables(rows), verdict(rows, other or gettext("the best draw")), differences(rows)
    )


ByHand = SwapForm | GameForm
Pairing = Game | TeamMatch


def swap_form(event: Event, games: Sequence[Pairing], sent: MultiDict[str, str] | None = None) -> SwapForm:
    """The form with the players of these games, or the teams, filled in from the request or from ``sent``."""
    teams = any(isinstance(game, TeamMatch) for game in games)
    made = SwapTeamsForm if teams else SwapForm
    form = made() if sent is None else made(formdata=sent, meta={"csrf": False})
    names = names_of(teams_of(event)) if teams else {p.id: p.name for p in players_in(event)}
    seated: list[SelectChoice] = []
    for game in games:
        if isinstance(game, TeamMatch):
            where = gettext("block %(block)s", block=game.block) if game.block else gettext("bye")
        else:
            where = gettext("table %(table)s", table=game.table_number) if game.table_number else gettext("bye")
        seated += [
            SelectChoice(str(id_), gettext("%(names)s (%(where)s)", names=names[id_], where=where))
            for id_ in (game.a_id, game.b_id)
            if id_
        ]
    seated.sort(key=lambda choice: alphabetical(choice.label))
    first = SelectChoice("0", gettext("Choose a team") if teams else gettext("Choose a player"))
    form.one.choices = form.other.choices = [first, *seated]
    return form


def game_form(event: Event, games: Sequence[Pairing]) -> GameForm:
    """The form with these games, and all scenarios of the event's game, as choices."""
    form, names = GameForm(), {p.id: p.name for p in players_in(event)}
    scenarios = scenarios_of(event).values()
    form.scenario.choices = [
        SelectChoice("", gettext("As it is")),
        *(SelectChoice(s.id, s.name) for s in scenarios),
    ]
    form.player.choices = [
        SelectChoice("0", gettext("Choose a game")),
        *(
            SelectChoice(
                str(game.a_id),
                gettext(
                    "%(names)s and %(names2)s (table %(table_number)s)",
                    names=names[game.a_id],
                    names2=names[game.b_id],
                    table_number=game.table_number,
                ),
            )
            for game in games
            if isinstance(game, Game) and game.b_id is not None
        ),
    ]
    return form


def draft_page(event: Event, the_round: Round, refused: ByHand | None = None) -> ResponseReturnValue:
    """The page of a draft of players or teams. A ``refused`` form is shown as submitted, with its errors."""
    view = view_in(event, the_round)
    loaded = loaded_in(event)
    entered, drawn_by = loaded.players, request_drawn(the_round)
    leaders, away = leading(drawn_by, view.games)
    steps = steps_by_hand(db(), the_round)
    page = render_template(
        "rounds/draft.html",
        view=view,
        views=loaded.views,
        scenario=view.shared,
        name_warnings={} if view.matches else warnings_of(event),
        rows=draft_rows(loaded, view),
        left_out=not_drawn(loaded, view),
        costs=draft_costs(view),
        touched=rows_added(db(), next(reversed(steps), 0), "team_match" if view.matches else "game"),
        last_step=worded([*steps.values()][-1]) if steps else "",
        draw_count=count_of_draw(db(), event, the_round),
        locked=len(locked_in(the_round)),
        leaders=worded(leaders_at(leaders, away)) if away else "",
        why_away=leader_table_notes(view, {player.id: player.name for player in entered}),
        by_hand=drawn_by.format.kind == "swiss",
        seeded_after=loaded.t.knockout[0].number - 1 if drawn_by.format.kind == "knockout" else 0,
        swap=refused if isinstance(refused, SwapForm) else swap_form(event, view.matches or view.games),
        game_form=refused if isinstance(refused, GameForm) else game_form(event, view.games),
        why_not=why_not_drawn(loaded, the_round.number),
        redraw=redraw_of(loaded, the_round.number),
        question=publish_question(event, the_round.number, publish_notes(event, the_round.number, entered)),
    )
    return page, 422 if refused else 200


def publish_doubts(event: Event, number: int) -> list[str]:
    """A sentence each if round 1 is published on another day than the event's, or before the list deadline."""
    parts = []
    if number == 1 and not event.starts_on.isoformat() <= local(now(), event, "%Y-%m-%d") <= ends_of(event).isoformat():
        date = dated(event.starts_on, "%A %-d %B %Y")
        parts.append(gettext("The event’s date is %(date)s, not today.", date=date))
    if number == 1 and _locks_early(event):
        deadline = local(event.list_deadline, event)
        parts.append(gettext("The lists lock now, before their deadline (%(deadline)s).", deadline=deadline))
    return parts


def _locks_early(event: Event) -> bool:
    return event.list_deadline is not None and not lists_locked(event, now())


def publish_question(event: Event, number: int, notes: Sequence[str]) -> str:
    """The question to confirm before a round is published; "" if all is well.

    Before the deadline, and in a campaign, it also has the ``notes``: which players have no list, or one to change.
    """
    sentences = notes if number == 1 and (_locks_early(event) or event.campaign is not None) else ()
    return " ".join([*publish_doubts(event, number), *sentences])


def publish_notes(event: Event, number: int, entered: Sequence[Player]) -> list[str]:
    """Notes about the lists before a round is published, a sentence each; publishing locks all lists."""
    if number > 1:
        open_again = [player for player in entered if player.list_unlocked_at is not None]
        with_list = forces_of(event) if open_again else {}
        unlocked = sum(player.id in with_list for player in open_again)
        again = ngettext("%(num)s unlocked list is locked again.", "%(num)s unlocked lists are locked again.", unlocked)
        return [again] if unlocked else []
    terms = terms_of(event)
    lock = before_lock(lists_of_players(event, entered, forces_of(event), terms, now()), terms.least)
    none = lock.without_group if event.campaign is not None else ""
    return [*lock.warnings, none] if none else lock.warnings
