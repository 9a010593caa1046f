"""The sections of an event's settings: which settings each holds, and their present values in a sentence. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import JSON, Boolean, Enum, Integer

from events.play.rulings import Painting, Sports, soft_rules, soft_rules_from
from events.play.setting_words import label_of
from events.setup.field_forms import COLUMNS
from events.tournament.circuit import circuit_in
from events.tournament.clock import rules_from
from events.tournament.pairing.seats import METHODS, rules_of_event
from events.tournament.season import season_in
from events.tournament.tie_breaks import TIE_BREAKS
from languages.dates import dated
from languages.words import capital
from models.event import Event
from models.facts import OfEvent
from models.settings import (
    AboutEvent,
    AboutLists,
    AboutPoints,
    AboutRegistration,
    AboutReports,
    AboutRounds,
    AvoidClubs,
    BoardsMatched,
    EventFormat,
    EventSettings,
    ListsShown,
    PlaySettings,
    ReportDetail,
)
from validators import SYSTEMS
from validators.names import counted
from validators.restrictions import from_document


@dataclass(frozen=True)
class Rows:
    """What the sentences say of rows that are no columns of the event."""

    kept_apart: int = 0
    """Pairs of players."""
    picture: bool = False
    """Whether the event's page has a picture of its own."""
    colour: str = ""


@dataclass(frozen=True)
class Section:
    """One entry of the list of settings."""

    id: str
    """The end of its address, and the name of its template."""
    title: str
    columns: tuple[str, ...]
    said: Callable[[Event, Rows], str]
    """Its present values; "" if the event does not use it."""
    endpoint: str = "settings.change_section"
    """Its page; of another room if that works with more than settings."""
    anchor: str | None = None


def _event(event: Event, rows: Rows) -> str:
    days = [_day(event.starts_on)]
    if event.ends_on != event.starts_on:
        days.append(_day(event.ends_on))
    return _joined(" to ".join(days), event.starts_at, event.place, "box for other sites" if event.embedded else "")


def _look(event: Event, rows: Rows) -> str:
    return _joined("Your picture" if rows.picture else "Picture drawn from the name", rows.colour or "no colour set")


def _registration(event: Event, rows: Rows) -> str:
    return _joined(
        f"Opens {_moment(event, event.registration_opens)}" if event.registration_opens else "",
        f"closes {_moment(event, event.registration_closes)}" if event.registration_closes else "",
        counted(event.places, "place") if event.places is not None else "no player limit",
        "waiting list" if event.waiting_list else "no waiting list",
        "you approve each" if event.approval else "",
        f"fee {event.fee}" if event.fee else "",
        "link to pay" if event.pay_link else "",
        f"own check-in from {_moment(event, event.check_in_from)}" if event.check_in_from else "",
        f"to {_moment(event, event.check_in_until)}" if event.check_in_from and event.check_in_until else "",
        "mail addresses asked" if event.mail_asked else "",
    )


def _questions(event: Event, rows: Rows) -> str:
    asked = [str(one["label"]) for one in event.questions or ()]
    return f"{len(asked)}: {', '.join(asked)}" if asked else ""


def _lists(event: Event, rows: Rows) -> str:
    shown = {
        ListsShown.AT_LOCK: "then open to everyone",
        ListsShown.AT_TIME: f"shown {_moment(event, event.lists_shown_from)}",
        ListsShown.AFTER_EVENT: "shown after the event",
        ListsShown.ON_PRESS: "shown when you say so",
    }
    due = _moment(event, event.list_deadline) if event.list_deadline else "with round 1"
    return _joined(f"Up to {event.size} {SYSTEMS[event.system].unit}", f"due {due}", shown[event.lists_shown])


def _restrictions(event: Event, rows: Rows) -> str:
    rules, words = from_document(event.restrictions), SYSTEMS[event.system].words
    limits = len(rules.most_copies) + (rules.same_model is not None)
    return _joined(
        f"{len(rules.banned)} banned" if rules.banned else "",
        counted(limits, "limit on copies", "limits on copies") if limits else "",
        counted(len(rules.factions), words.faction, words.factions) if rules.factions else "",
        f"one {words.faction} a player" if rules.faction_locked else "",
        f"roster of {rules.roster_size}" if rules.roster_size else "",
        "painted only" if rules.painted else "",
        "points for lists" if rules.on_time_points or rules.error_free_points or rules.late_points else "",
    )


def _rounds(event: Event, rows: Rows) -> str:
    season, pool = season_in(event.season), len(event.scenario_pool)
    length = f"{event.round_minutes} min" if season is None else counted(season.days, "day")
    drawn = f"scenarios from a pool of {pool}" if pool else "scenarios chosen by you"
    return f"{counted(event.rounds, 'round')} of {length}, {drawn}"


def _clock(event: Event, rows: Rows) -> str:
    rules = rules_from(event.clock_rules)
    calls = f"calls at {', '.join(map(str, rules.calls))} min left" if rules.calls else "no calls"
    last = f"no new game round in the last {rules.last_game_round} min" if rules.last_game_round else ""
    return _joined(f"{rules.break_minutes} min between rounds", calls, last)


def _format(event: Event, rows: Rows) -> str:
    words = {
        EventFormat.SWISS: "Swiss",
        EventFormat.ROUND_ROBIN: f"Round robin, {'once' if event.legs == 1 else 'twice'} each",
        EventFormat.KNOCKOUT: "Knockout",
    }
    return _joined(
        words[event.format],
        f"then a knockout of the top {event.cut}" if event.cut else "",
        "third place played" if event.third_place else "",
        "player meeting" if event.player_meeting else "",
    )


def _draw(event: Event, rows: Rows) -> str:
    rules = rules_of_event(event.draw_rules)
    apart = {
        AvoidClubs.FIRST_ROUND: "club mates apart in round 1",
        AvoidClubs.ALWAYS: "club mates apart in every round",
        AvoidClubs.NEVER: "club mates may meet",
    }
    altered = len(rules.off) + len(rules.banned)
    order = counted(altered, "line of the order changed", "lines of the order changed") if altered else ""
    return _joined(f"{METHODS[rules.method].partition(':')[0]} among equal points", apart[event.avoid_clubs], order)


def _apart(event: Event, rows: Rows) -> str:
    return counted(rows.kept_apart, "pair") if rows.kept_apart else ""


def _tables(event: Event, rows: Rows) -> str:
    return _joined(
        counted(event.tables, "table") if event.tables else "As many as there are games",
        f"{len(event.tables_out)} out of use" if event.tables_out else "",
        "top pairs first" if event.top_tables else "seats by lot",
        "" if event.tables_vary else "tables may repeat",
        "a scenario for each table" if event.scenario_per_table else "",
    )


def _teams(event: Event, rows: Rows) -> str:
    boards = {BoardsMatched.ORDER: "boards in their own order", BoardsMatched.CHOICE: "boards by the captains’ choice"}
    teams = _joined(f"Teams of {event.team_size}", boards[event.boards]) if event.team_size > 1 else ""
    return _joined(teams, "doubles" if event.doubles else "")


def _season(event: Event, rows: Rows) -> str:
    season = season_in(event.season)
    if season is None:
        return ""
    kinds = {"rounds": "Rounds", "ladder": f"Ladder, {season.above} places up", "challenge": "Challenges"}
    return _joined(
        f"{kinds[season.kind]} of {counted(season.days, 'day')}",
        f"best {counted(season.best, 'result')}" if season.best else "",
        "a campaign" if event.campaign is not None else "",
    )


def _reports(event: Event, rows: Rows) -> str:
    words = {
        ReportDetail.FULL: "All figures of the scenario",
        ReportDetail.TOTALS: "Both totals of VP",
        ReportDetail.OUTCOME: "Win, draw or loss, without VP",
    }
    return _joined(
        words[event.report_detail],
        "points by VP difference" if event.points_table else "no points table",
        "paper results checked by the same person" if event.second_pass_alone else "",
    )


def _points(event: Event, rows: Rows) -> str:
    painted = f"{event.painting_points} for paint" if event.painting_points else ""
    return _joined(f"{event.points_win} for a win, {event.points_draw} a draw, {event.points_loss} a loss", painted)


def _tie_breaks(event: Event, rows: Rows) -> str:
    return ", then ".join(TIE_BREAKS[one].label if one in TIE_BREAKS else one for one in event.tie_breaks) or "None"


def _counting(event: Event, rows: Rows) -> str:
    return _joined(
        f"A bye asked for is a {event.asked_bye.value}",
        f"a bye scores {event.bye_vp} VP" if event.bye_vp is not None else "",
        f"{event.late_points} for each round missed by arriving late" if event.late_points else "",
        f"at most {event.vp_cap} VP difference a game" if event.vp_cap else "",
    )


def _soft(event: Event, rows: Rows) -> str:
    rules = soft_rules(event)
    painting = {
        Painting.OFF: "Painting not judged",
        Painting.LIST: "Painting by checklist",
        Painting.VOTE: "Painting by vote",
        Painting.BOTH: "Painting by checklist and vote",
    }
    sports = {
        Sports.OFF: "opponents not marked",
        Sports.FAVOURITE: "favourite opponent",
        Sports.THUMBS: "thumbs for opponents",
        Sports.SCALE: "opponents marked 1 to 5",
    }
    held = "last standings wait for the awards" if rules.hold else ""
    return _joined(painting[rules.painting], sports[rules.sports], held)


def _circuit(event: Event, rows: Rows) -> str:
    circuit = circuit_in(event.circuit)
    if circuit is None:
        return ""
    shown = ", ".join(map(str, circuit.points[:4]))
    more = ", …" if len(circuit.points) > 4 else ""
    return _joined(shown + more, f"best {counted(circuit.best, 'event')}" if circuit.best else "")


def _life(event: Event, rows: Rows) -> str:
    listed = "Off the front page" if event.unlisted else "On the front page"
    return _joined(listed, "cancelled" if event.cancelled_at else "")


def _tokens(event: Event, rows: Rows) -> str:
    return "For bots and ranking sites that change the event"


def _webhooks(event: Event, rows: Rows) -> str:
    return "Tell Discord, or a program, what becomes public"


def _own(about: type[OfEvent], *others: str) -> tuple[str, ...]:
    return tuple(name for name in about.model_fields if name not in others)


GROUPS: Mapping[str, tuple[Section, ...]] = {
    "Event": (
        Section("event", "Name, day and place", _own(AboutEvent), _event),
        Section("look", "Picture and colour", (), _look, "look.look"),
        Section("tokens", "Tokens for programs", (), _tokens, "token.manage_tokens"),
        Section("webhooks", "Webhooks", (), _webhooks, "webhooks.all"),
        Section("life", "Front page, copy, cancel, delete", ("unlisted",), _life),
    ),
    "Players": (
        Section(
            "registration",
            "Places and sign-up",
            (*_own(AboutRegistration, "questions"), "check_in_from", "check_in_until", "mail_asked"),
            _registration,
        ),
        Section("questions", "Questions to players", ("questions",), _questions),
        Section("teams", "Teams and doubles", ("team_size", "boards", "doubles"), _teams),
        Section("lists", "Lists", _own(AboutLists), _lists),
        Section("restrictions", "Added rules", ("restrictions",), _restrictions, "restriction.change_restrictions"),
    ),
    "Rounds": (
        Section("rounds", "Rounds and scenarios", _own(AboutRounds), _rounds),
        Section("clock", "Breaks and calls of the clock", ("clock_rules",), _clock, "clock.clock_page", "times"),
        Section("format", "Format", ("format", "legs", "cut", "third_place", "player_meeting"), _format),
        Section("season", "Season", ("season", "campaign"), _season),
        Section("draw", "How a round is drawn", ("draw_rules", "avoid_clubs"), _draw),
        Section("apart", "Players kept apart", (), _apart, "field.kept_apart_page"),
        Section(
            "tables",
            "Tables",
            ("tables", "tables_out", "top_tables", "tables_vary", "scenario_per_table"),
            _tables,
        ),
    ),
    "Results": (
        Section("reports", "Reports and points table", (*_own(AboutReports), "second_pass_alone"), _reports),
        Section("points", "Points for games", _own(AboutPoints), _points),
        Section("tie-breaks", "Tie-breaks", ("tie_breaks",), _tie_breaks),
        Section(
            "counting",
            "Byes and games not played",
            ("bye_vp", "asked_bye", "conceded_vp", "not_played", "late_points", "vp_cap"),
            _counting,
        ),
        Section("soft", "Painting, sportsmanship, awards", ("soft_rules",), _soft),
        Section("circuit", "Points table of the series", ("circuit",), _circuit),
    ),
}
SECTIONS = {section.id: section for sections in GROUPS.values() for section in sections}

READ: Mapping[str, Callable[[Any], Any]] = {
    "clock_rules": rules_from,
    "draw_rules": rules_of_event,
    "restrictions": from_document,
    "soft_rules": lambda rules: soft_rules_from(rules or {}),
    "tables_out": lambda numbers: numbers or [],
    "questions": lambda questions: questions or [],
}
"""What a stored document means, for those with several forms of one meaning."""


def changed(section: Section, event: Event, usual: EventSettings) -> list[str]:
    """The labels of the section's choices, figures, ticks and documents that are not as in a new event (``usual``).

    Texts, days and hours are no choices: an event fills them in.
    """
    names = [name for name in section.columns if isinstance(COLUMNS[name].type, Boolean | Enum | Integer | JSON)]
    return [_head(name) for name in names if _worth(name, event) != _worth(name, usual)]


def _worth(name: str, settings: EventSettings) -> Any:
    value = getattr(settings, name) if hasattr(settings, name) else PlaySettings.model_fields[name].default
    return READ.get(name, lambda stored: stored)(value)


def _head(name: str) -> str:
    return capital(label_of(name))


def _joined(*parts: str) -> str:
    return capital(", ".join(filter(None, parts)))


def _day(day: date) -> str:
    return dated(day, "%a %-d %b %Y")


def _moment(event: Event, moment: datetime | None) -> str:
    return dated(moment.astimezone(ZoneInfo(event.timezone)), "%a %-d %b, %H:%M") if moment else "later"
