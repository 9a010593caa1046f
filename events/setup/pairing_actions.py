"""Store sections of the settings: format, draw, tables, tie-breaks, soft scores, teams."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from events.journal.setting_words import NONE, changes_text
from events.setup.actions import check_pool
from events.setup.freezes import refuse_frozen
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.scenarios import MIXED, mixed_scales
from events.store.scoring import tie_breaks_of
from events.store.team_queries import is_team_event
from events.tournament.figures import VP_SHARE
from events.tournament.pairing.seats import Rules, event_document, rules_of_event
from events.tournament.ranking import chosen
from events.tournament.soft_rules import SoftRules
from events.tournament.team_ranking import MOST_BOARDS
from languages.message import Text, message
from languages.words import N_, gettext, ngettext
from models.event import Event, RoundState
from models.play import PlayerState
from models.settings import MOST_TABLES, AvoidClubs, BoardsMatched, EventFormat
from models.team import Team


def set_draw_rules(act: Act, rules: Rules, avoid_clubs: AvoidClubs) -> None:
    """Store how rounds are drawn. An existing draw stays and is shown as outdated. Raises Refused."""
    before = event_document(rules_of_event(act.event.draw_rules)) | {"avoid_clubs": act.event.avoid_clubs.value}
    after = event_document(rules) | {"avoid_clubs": avoid_clubs.value}
    if note_change(act, N_("Changed how rounds are drawn: %(settings)s"), before, after):
        act.event.draw_rules, act.event.avoid_clubs = event_document(rules), avoid_clubs


def change_section(act: Act, text: str, wanted: Mapping[str, Any]) -> None:
    """Store columns of the event as one change; ``text`` is its line in the journal. Raises Refused."""
    before = {name: getattr(act.event, name) for name in wanted}
    if note_change(act, text, before, wanted):
        for name, value in wanted.items():
            setattr(act.event, name, value)


def set_room(act: Act, **wanted: Any) -> None:
    """Store the tables, and whether each table draws its own scenario. Raises Refused."""
    event = act.event
    tables, out = wanted.get("tables", event.tables), wanted.get("tables_out", event.tables_out) or []
    if tables is not None and (beyond := [table for table in out if table > tables]):
        why = gettext("There is no table %(table)s: the event has %(n)s.", table=beyond[0], n=tables)
        raise Refused(why, "tables_out")
    if not set(range(1, (tables or MOST_TABLES) + 1)) - set(out):
        raise Refused(gettext("Leave at least one table in order."), "tables_out")
    per_table = wanted.get("scenario_per_table", event.scenario_per_table)
    if per_table and is_team_event(event):
        raise Refused(gettext("In a team event all tables of a round play one scenario."), "scenario_per_table")
    if per_table != event.scenario_per_table:
        _check_scenarios(event, per_table=per_table)
    if not out and not event.tables_out:
        wanted.pop("tables_out", None)  # none is stored in two ways
    change_section(act, N_("Changed the tables: %(settings)s"), wanted)


def _check_scenarios(event: Event, *, per_table: bool) -> None:
    rounds = event.schedule
    chosen = [round_.scenario for round_ in rounds if round_.scenario is not None]
    to_draw = sum(round_.state == RoundState.PLANNED and round_.scenario is None for round_ in rounds)
    if per_table and to_draw and not event.scenario_pool:
        raise Refused(
            gettext("The tables draw their scenarios from the pool. Add a scenario to the pool first."),
            "scenario_per_table",
        )
    if per_table and mixed_scales(system_of(event), tie_breaks_of(event), event.scenario_pool):
        raise Refused(gettext(MIXED), "scenario_per_table")
    if not per_table:
        try:
            check_pool(to_draw, event.scenario_pool, chosen)
        except Refused as refused:
            raise Refused(refused.message, "scenario_per_table") from refused


def set_tie_breaks(act: Act, tie_breaks: Sequence[str], *, sure: bool = False) -> None:
    """Store the tie-breaks in their order. Raises Refused, once a round is published also unless ``sure``."""
    try:
        chosen(tie_breaks)
    except ValueError as error:
        raise Refused(gettext("Choose each tie-break once, of those that are offered."), "tie_breaks") from error
    if {"vp", VP_SHARE} <= set(tie_breaks):
        raise Refused(gettext("VP and VP share count the same: choose one of them."), "tie_breaks")
    if act.event.scenario_per_table and mixed_scales(system_of(act.event), tie_breaks, act.event.scenario_pool):
        raise Refused(gettext(MIXED), "tie_breaks")
    before, after = {"tie_breaks": list(act.event.tie_breaks)}, {"tie_breaks": list(tie_breaks)}
    number = sum(round_.state == RoundState.PUBLISHED for round_ in act.event.schedule)
    if number and before != after and not sure:
        raise Refused(
            gettext(
                "Round %(number)s is published, and players know how they are ranked. Tick this box if the tie-breaks "
                "of the whole event change.",
                number=number,
            ),
            "sure",
        )
    late = N_("Changed the tie-breaks after round %(after_round)s")
    if note_change(act, late if number else N_("Changed the tie-breaks"), before, after, after_round=number):
        act.event.tie_breaks = list(tie_breaks)


def note_change(
    act: Act,
    text: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, Text] = NONE,
    **details: Any,
) -> bool:
    """Note the changed values in the journal; returns whether there are any. Raises Refused for frozen ones.

    ``text`` may have the figures ``settings``, which names them by ``labels`` or their usual ones, and those of
    ``details``, which are stored too.
    """
    refuse_frozen(act, before, after)
    changed = {key: (before[key], after[key]) for key in after if before[key] != after[key]}
    if changed:
        sentence = message(text, settings=changes_text(changed, labels), **details)
        note(act, "change-pairing", sentence, changed=changed, **details)
    return bool(changed)


def set_format(act: Act, **wanted: Any) -> None:
    """Store the format. Raises Refused for changes that would contradict a drawn round."""
    event = act.event
    form, cut = wanted.get("format", event.format), wanted.get("cut", event.cut)
    if cut is not None and form == EventFormat.KNOCKOUT:
        raise Refused(gettext("A knockout from the start has no cut: leave it empty."), "cut")
    if event.team_size > 1 and (form != EventFormat.SWISS or cut is not None):
        raise Refused(gettext("Teams are paired by Swiss, without a cut."), "format")
    change_section(act, N_("Changed the format: %(settings)s"), wanted)


def set_soft_rules(act: Act, rules: SoftRules) -> None:
    """Store how painting, sportsmanship and penalties count, in all rounds including past ones. Raises Refused."""
    before = act.event.soft_rules
    if rules.sports != before.sports and act.event.sports_marks:
        raise Refused(
            gettext("Players have marked opponents already. The kind of marks can no longer change."), "sports"
        )
    text = N_("Changed soft scores and penalties: %(settings)s")
    if note_change(act, text, asdict(before), asdict(rules)):
        act.event.soft_rules = rules


def set_teams(act: Act, team_size: int, boards: BoardsMatched, doubles: bool) -> None:
    """Store the size of teams (1: none), how boards are matched, and doubles. Raises Refused, as after a draw."""
    s, event = act.s, act.event
    if not 1 <= team_size <= MOST_BOARDS:
        raise Refused(
            ngettext("A team has 2 to %(num)s player.", "A team has 2 to %(num)s players.", MOST_BOARDS), "team_size"
        )
    if team_size > 1 and event.season is not None:
        raise Refused(gettext("A season is for individual players: end it first."), "team_size")
    if team_size > 1 and (event.format != EventFormat.SWISS or event.cut is not None):
        raise Refused(gettext("Teams are paired by Swiss, without a cut: change the format first."), "team_size")
    everybody = event.players
    if team_size > 1 and (sitting := [player.name for player in everybody if player.asked_byes]):
        raise Refused(
            gettext(
                "%(names)s asked for a bye, which teams cannot. Undo that on the player’s page first.",
                names=", ".join(sitting),
            ),
            "team_size",
        )
    sizes = Counter(player.team_id for player in everybody if player.state != PlayerState.DROPPED)
    large = [s.get_one(Team, id_).name for id_ in sorted(filter(None, sizes)) if sizes[id_] > team_size > 1]
    if large:
        raise Refused(
            gettext(
                "%(teams)s: too many players for teams of %(n)s. Move players to another team first.",
                teams=", ".join(large),
                n=team_size,
            ),
            "team_size",
        )
    wanted = {"team_size": team_size, "boards": boards, "doubles": doubles}
    change_section(act, N_("Changed how teams are played: %(settings)s"), wanted)
