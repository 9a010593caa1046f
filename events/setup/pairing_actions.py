"""Store sections of the settings: format, draw, tables, tie-breaks, soft scores, teams."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session

from events.play.act import Act
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.journal import note
from events.play.players import players_of
from events.play.rounds import rounds_of
from events.play.rulings import SoftRules, soft_rules, soft_rules_document
from events.play.scenarios import MIXED, mixed_scales
from events.play.scoring import tie_breaks_of
from events.play.setting_words import NONE, changes_stated
from events.play.team_queries import is_team_event
from events.play.tournaments import tournament_of
from events.setup.actions import check_pool
from events.tournament.figures import VP_SHARE
from events.tournament.pairing.seats import Rules, event_document, rules_of_event
from events.tournament.ranking import chosen
from events.tournament.team_ranking import MOST_BOARDS
from events.web.parsing import MOST_TABLES
from languages.stated import Stated, stated
from languages.words import gettext, ngettext, noted
from models.event import Event, EventState, RoundState
from models.play import PlayerState
from models.settings import AvoidClubs, BoardsMatched, EventFormat
from models.team import Team


@dataclass(frozen=True)
class RoomSettings:
    """The number of tables, and whether each table draws its own scenario."""

    tables: int | None = None
    """None: one for each game."""
    tables_out: tuple[int, ...] = ()
    """The numbers of unusable tables."""
    top_tables: bool = True
    tables_vary: bool = True
    scenario_per_table: bool = False


FINAL = noted("The event is closed and its standings are final. Open it again at the desk to change this.")


def set_draw_rules(act: Act, rules: Rules, avoid_clubs: AvoidClubs) -> None:
    """Store how rounds are drawn. An existing draw stays and is shown as outdated. Raises Refused."""
    before = event_document(rules_of_event(act.event.draw_rules)) | {"avoid_clubs": act.event.avoid_clubs.value}
    after = event_document(rules) | {"avoid_clubs": avoid_clubs.value}
    if note_change(act, noted("Changed how rounds are drawn: %(settings)s"), before, after):
        act.event.draw_rules, act.event.avoid_clubs = event_document(rules), avoid_clubs


def set_room(act: Act, room: RoomSettings) -> None:
    """Store the tables, and whether each table draws its own scenario. Raises Refused."""
    s, event = act.s, act.event
    if room.tables is not None and (beyond := [table for table in room.tables_out if table > room.tables]):
        why = gettext("There is no table %(table)s: the event has %(n)s.", table=beyond[0], n=room.tables)
        raise Refused(why, "tables_out")
    left = set(range(1, (room.tables or MOST_TABLES) + 1)) - set(room.tables_out)
    if not left:
        raise Refused(gettext("Leave at least one table in order."), "tables_out")
    if room.scenario_per_table and is_team_event(event):
        raise Refused(gettext("In a team event all tables of a round play one scenario."), "scenario_per_table")
    if room.scenario_per_table != event.scenario_per_table:
        _check_scenarios(s, event, per_table=room.scenario_per_table)
    before, after = asdict(room_settings(event)), asdict(room)
    if note_change(act, noted("Changed the tables: %(settings)s"), before, after):
        event.tables, event.tables_out = room.tables, list(room.tables_out)
        event.top_tables, event.tables_vary = room.top_tables, room.tables_vary
        event.scenario_per_table = room.scenario_per_table


def room_settings(event: Event) -> RoomSettings:
    """The event's current tables and scenarios."""
    return RoomSettings(
        event.tables, tuple(event.tables_out or ()), event.top_tables, event.tables_vary, event.scenario_per_table
    )


def _check_scenarios(s: Session, event: Event, *, per_table: bool) -> None:
    rounds = rounds_of(s, event)
    chosen = [one.scenario for one in rounds if one.scenario is not None]
    to_draw = sum(one.state == RoundState.PLANNED and one.scenario is None for one in rounds)
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


def set_counting(act: Act, wanted: Mapping[str, Any]) -> None:
    """Store how rounds without a game count, by column, in all rounds including past ones. Raises Refused."""
    before = {name: getattr(act.event, name) for name in wanted}
    if note_change(act, noted("Changed what rounds without a game count for: %(settings)s"), before, wanted):
        for name, value in wanted.items():
            setattr(act.event, name, value)


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
    number = sum(one.state == RoundState.PUBLISHED for one in rounds_of(act.s, act.event))
    if number and before != after and not sure:
        raise Refused(
            gettext(
                "Round %(number)s is published, and players know how they are ranked. Tick this box if the tie-breaks "
                "of the whole event change.",
                number=number,
            ),
            "sure",
        )
    late = noted("Changed the tie-breaks after round %(after_round)s")
    if note_change(act, late if number else noted("Changed the tie-breaks"), before, after, after_round=number):
        act.event.tie_breaks = list(tie_breaks)


def note_change(
    act: Act,
    text: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, Stated] = NONE,
    **details: Any,
) -> bool:
    """Note the changed values in the journal; returns whether there are any. Raises Refused once the event is over.

    ``text`` may have the figures ``settings``, which names them by ``labels`` or their usual ones, and those of
    ``details``, which are stored too.
    """
    changed = {key: (before[key], after[key]) for key in after if before[key] != after[key]}
    if changed and act.event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL))
    if changed:
        said = stated(text, settings=changes_stated(changed, labels), **details)
        note(act, "change-pairing", said, changed=changed, **details)
    return bool(changed)


FEWEST, MOST = 2, 64
"""The least and the most players of a cut."""


@dataclass(frozen=True)
class FormatSettings:
    """The format. ``cut`` is None without a knockout after the rounds. ``legs`` apply only to a round robin."""

    format: EventFormat = EventFormat.SWISS
    legs: int = 1
    cut: int | None = None
    third_place: bool = False


def format_settings(event: Event) -> FormatSettings:
    """The event's current format."""
    return FormatSettings(**{name: getattr(event, name) for name in FormatSettings.__dataclass_fields__})


def set_format(act: Act, wanted: FormatSettings) -> None:
    """Store the format. Raises Refused for changes that would contradict a drawn round."""
    before, t = format_settings(act.event), tournament_of(act.s, act.event, drafts=True)
    drawn = any(a_round.state != "planned" for a_round in t.rounds)
    if drawn and (wanted.format, wanted.legs) != (before.format, before.legs):
        raise Refused(gettext("The format cannot change once round 1 is drawn."), "format")
    if wanted.cut is not None and wanted.format == EventFormat.KNOCKOUT:
        raise Refused(gettext("A knockout from the start has no cut: leave it empty."), "cut")
    if wanted.cut is not None and not FEWEST <= wanted.cut <= MOST:
        raise Refused(
            ngettext(
                "Enter a cut of %(least)s to %(num)s player.",
                "Enter a cut of %(least)s to %(num)s players.",
                MOST,
                least=FEWEST,
            ),
            "cut",
        )
    if wanted.cut != before.cut and t.knockout and t.is_cut(t.knockout[0].number):
        raise Refused(gettext("The cut is made already. Discard the draw of its first round to change it."), "cut")
    if wanted.third_place != before.third_place and t.knockout and t.rounds[-1].state != "planned":
        raise Refused(gettext("The final is drawn: discard its draw to change this."), "third_place")
    if act.event.team_size > 1 and (wanted.format != EventFormat.SWISS or wanted.cut is not None):
        raise Refused(gettext("Teams are paired by Swiss, without a cut."), "format")
    if note_change(act, noted("Changed the format: %(settings)s"), asdict(before), asdict(wanted)):
        for name, value in asdict(wanted).items():
            setattr(act.event, name, value)


def set_soft_rules(act: Act, rules: SoftRules) -> None:
    """Store how painting, sportsmanship and penalties count, in all rounds including past ones. Raises Refused."""
    before = soft_rules(act.event)
    if rules.by_list and not rules.items:
        raise Refused(gettext("Enter at least one line for the checklist."), "item_texts")
    if rules.sports != before.sports and act.event.sports_marks:
        raise Refused(
            gettext("Players have marked opponents already. The kind of marks can no longer change."), "sports"
        )
    text = noted("Changed soft scores and penalties: %(settings)s")
    if note_change(act, text, soft_rules_document(before), soft_rules_document(rules)):
        act.event.soft_rules = soft_rules_document(rules)


def set_teams(act: Act, team_size: int, boards: BoardsMatched, doubles: bool) -> None:
    """Store the size of teams (1: no teams), how boards are matched, and doubles. Raises Refused.

    None of it can change once a round is drawn.
    """
    s, event = act.s, act.event
    before = {"team_size": event.team_size, "boards": event.boards.value, "doubles": event.doubles}
    after = {"team_size": team_size, "boards": boards.value, "doubles": doubles}
    if before != after and any(one.state != RoundState.PLANNED for one in rounds_of(s, event)):
        raise Refused(gettext("Round 1 is drawn: teams and doubles stay as they are."), "team_size")
    if not 1 <= team_size <= MOST_BOARDS:
        raise Refused(
            ngettext("A team has 2 to %(num)s player.", "A team has 2 to %(num)s players.", MOST_BOARDS), "team_size"
        )
    if team_size > 1 and event.season is not None:
        raise Refused(gettext("A season is for individual players: end it first."), "team_size")
    if team_size > 1 and (event.format != EventFormat.SWISS or event.cut is not None):
        raise Refused(gettext("Teams are paired by Swiss, without a cut: change the format first."), "team_size")
    everybody = players_of(s, event)
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
    if note_change(act, noted("Changed how teams are played: %(settings)s"), before, after):
        event.team_size, event.boards, event.doubles = team_size, boards, doubles
