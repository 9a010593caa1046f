"""The sections of an event's settings: which settings each holds, and their present values in a sentence. Pure."""

from collections.abc import Mapping

from events.journal.setting_words import CHOICES, VALUES, label_of
from events.setup.section import Rows, Section, join_clauses, said_day, said_moment
from events.store.editions import system_of
from events.store.rounds import first_stage
from events.store.scoring import tie_breaks_in
from events.tournament.pairing.seats import METHODS, rules_of_event
from languages.words import N_, gettext, in_order, in_sentence, labelled, ngettext
from models.event import Event
from models.facts import OfEvent
from models.settings import (
    AboutEvent,
    AboutLists,
    AboutPoints,
    AboutPrivacy,
    AboutRegistration,
    AboutRepeats,
    AboutReports,
    AboutRounds,
    BoardsMatched,
    EventFormat,
    ListsShown,
    Repeats,
    SignUpBy,
)


def _choice(name: str, value: str) -> str:
    """A setting that is a choice, in a sentence: "keep club mates apart: in round 1"."""
    words = {**CHOICES, **VALUES}[name][value]
    return labelled(in_sentence(gettext(label_of(name))), in_sentence(gettext(words)))


def _event(event: Event, rows: Rows) -> str:
    days = [said_day(event.starts_on)]
    if event.ends_on != event.starts_on:
        days.append(said_day(event.ends_on))
    return join_clauses(
        gettext("%(start)s to %(end)s", start=days[0], end=days[1]) if len(days) > 1 else days[0],
        event.starts_at,
        event.place,
    )


def _registration(event: Event, rows: Rows) -> str:
    return join_clauses(
        gettext("Opens %(moment)s", moment=said_moment(event, event.registration_opens))
        if event.registration_opens
        else "",
        gettext("closes %(moment)s", moment=said_moment(event, event.registration_closes))
        if event.registration_closes
        else "",
        gettext("everybody may sign up from %(moment)s", moment=said_moment(event, event.everybody_from))
        if event.sign_up_by == SignUpBy.MEMBERS_FIRST
        else in_sentence(gettext(CHOICES["sign_up_by"][event.sign_up_by]))
        if event.sign_up_by != SignUpBy.EVERYBODY
        else "",
        ngettext("%(num)s place", "%(num)s places", event.places)
        if event.places is not None
        else gettext("no player limit"),
        gettext("waiting list") if event.waiting_list else gettext("no waiting list"),
        gettext("you approve each") if event.approval else "",
        gettext("fee %(fee)s", fee=event.fee) if event.fee else "",
        gettext("link to pay") if event.pay_link else "",
        gettext("own check-in from %(moment)s", moment=said_moment(event, event.check_in_from))
        if event.check_in_from
        else "",
        gettext("to %(moment)s", moment=said_moment(event, event.check_in_until))
        if event.check_in_from and event.check_in_until
        else "",
        gettext("mail addresses asked") if event.mail_asked else "",
    )


def _questions(event: Event, rows: Rows) -> str:
    asked = [str(question["label"]) for question in event.questions or ()]
    return f"{len(asked)}: {', '.join(asked)}" if asked else ""


def _repeat(event: Event, rows: Rows) -> str:
    return "" if event.repeats == Repeats.NEVER else gettext(CHOICES["repeats"][event.repeats])


def _privacy(event: Event, rows: Rows) -> str:
    months = event.delete_after
    return join_clauses(
        gettext("Own notice") if event.privacy_notice else "",
        ngettext("players’ data deleted after %(num)s month", "players’ data deleted after %(num)s months", months)
        if months
        else "",
    )


def _lists(event: Event, rows: Rows) -> str:
    at_time = gettext("shown %(moment)s", moment=said_moment(event, event.lists_shown_from))
    due = said_moment(event, event.list_deadline) if event.list_deadline else gettext("with round 1")
    return join_clauses(
        gettext("Up to %(size)s %(unit)s", size=event.size, unit=system_of(event).unit),
        gettext("due %(due)s", due=due),
        at_time if event.lists_shown == ListsShown.AT_TIME else _choice("lists_shown", event.lists_shown),
    )


def _restrictions(event: Event, rows: Rows) -> str:
    rules, words = event.restrictions, system_of(event).words
    limits = len(rules.most_copies) + (rules.same_model is not None)
    return join_clauses(
        gettext("%(n)s banned", n=len(rules.banned)) if rules.banned else "",
        ngettext("%(num)s limit on copies", "%(num)s limits on copies", limits) if limits else "",
        f"{len(rules.factions)} {words.faction if len(rules.factions) == 1 else words.factions}"
        if rules.factions
        else "",
        gettext("one %(faction)s a player", faction=words.faction) if rules.faction_locked else "",
        gettext("roster of %(roster_size)s", roster_size=rules.roster_size) if rules.roster_size else "",
        gettext("painted only") if rules.painted else "",
        gettext("points for lists") if rules.on_time_points or rules.error_free_points or rules.late_points else "",
    )


def _rounds(event: Event, rows: Rows) -> str:
    season, pool = event.season, len(event.scenario_pool)
    length = (
        gettext("%(n)s min", n=event.round_minutes)
        if season is None
        else ngettext("%(num)s day", "%(num)s days", season.days)
    )
    drawn = gettext("scenarios from a pool of %(pool)s", pool=pool) if pool else gettext("scenarios chosen by you")
    if not first_stage(event).has_rounds:
        return drawn
    return gettext(
        "%(round)s of %(length)s, %(drawn)s",
        round=ngettext("%(num)s round", "%(num)s rounds", event.rounds),
        length=length,
        drawn=drawn,
    )


def _clock(event: Event, rows: Rows) -> str:
    if first_stage(event).by_days:
        return ""
    rules = event.clock_rules
    calls = (
        gettext("calls at %(map)s min left", map=", ".join(map(str, rules.calls)))
        if rules.calls
        else gettext("no calls")
    )
    last = (
        gettext("no new game round in the last %(last_game_round)s min", last_game_round=rules.last_game_round)
        if rules.last_game_round
        else ""
    )
    return join_clauses(gettext("%(break_minutes)s min between rounds", break_minutes=rules.break_minutes), calls, last)


def _format(event: Event, rows: Rows) -> str:
    words = {
        EventFormat.SWISS: gettext("Swiss"),
        EventFormat.ROUND_ROBIN: gettext("Round robin, once each")
        if event.legs == 1
        else gettext("Round robin, twice each"),
        EventFormat.KNOCKOUT: gettext("Knockout"),
    }
    return join_clauses(
        words[event.format],
        gettext("then a knockout of the top %(cut)s", cut=event.cut) if event.cut else "",
        gettext("third place played") if event.third_place and event.cut != 2 else "",
    )


def _draw(event: Event, rows: Rows) -> str:
    if not first_stage(event).by_points:
        return ""
    rules = rules_of_event(event.draw_rules)
    altered = len(rules.off) + len(rules.banned)
    order = (
        ngettext("%(num)s line of the order changed", "%(num)s lines of the order changed", altered) if altered else ""
    )
    return join_clauses(
        gettext(
            "%(partition)s among equal points", partition=gettext(METHODS[rules.method]).partition(":")[0].rstrip()
        ),
        _choice("avoid_clubs", event.avoid_clubs),
        order,
    )


def _apart(event: Event, rows: Rows) -> str:
    return ngettext("%(num)s pair", "%(num)s pairs", rows.kept_apart) if rows.kept_apart else ""


def _tables(event: Event, rows: Rows) -> str:
    if first_stage(event).by_days:
        return gettext("a scenario for each table") if event.scenario_per_table else ""
    return join_clauses(
        ngettext("%(num)s table", "%(num)s tables", event.tables)
        if event.tables
        else gettext("As many as there are games"),
        gettext("%(tables_out)s out of use", tables_out=len(event.tables_out)) if event.tables_out else "",
        gettext("top pairs first") if event.top_tables else gettext("seats by lot"),
        "" if event.tables_vary else gettext("tables may repeat"),
        gettext("a scenario for each table") if event.scenario_per_table else "",
    )


def _teams(event: Event, rows: Rows) -> str:
    boards = {
        BoardsMatched.ORDER: gettext("boards in their own order"),
        BoardsMatched.CHOICE: gettext("boards by the captains’ choice"),
    }
    teams = (
        join_clauses(gettext("Teams of %(team_size)s", team_size=event.team_size), boards[event.boards])
        if event.team_size > 1
        else ""
    )
    return join_clauses(teams, gettext("doubles") if event.doubles else "")


def _season(event: Event, rows: Rows) -> str:
    season = event.season
    if season is None:
        return ""
    kinds = {
        "rounds": gettext("Rounds"),
        "ladder": ngettext("Ladder, %(num)s place up", "Ladder, %(num)s places up", season.above),
        "challenge": gettext("Challenges"),
    }
    days = ngettext("%(num)s day", "%(num)s days", season.days)
    length = gettext("%(kind)s of %(days)s", kind=kinds[season.kind], days=days)
    if season.by_challenge:
        length = join_clauses(kinds[season.kind], gettext("%(days)s to play", days=days))
    return join_clauses(
        length,
        ngettext("best %(num)s result", "best %(num)s results", season.best) if season.best else "",
        gettext("a campaign") if event.campaign is not None else "",
    )


def _reports(event: Event, rows: Rows) -> str:
    return join_clauses(
        gettext(CHOICES["report_detail"][event.report_detail]),
        gettext("points by VP difference") if event.points_table else gettext("no points table"),
    )


def _points(event: Event, rows: Rows) -> str:
    painted = (
        gettext("%(painting_points)s for paint", painting_points=event.painting_points) if event.painting_points else ""
    )
    return join_clauses(
        gettext(
            "%(points_win)s for a win, %(points_draw)s a draw, %(points_loss)s a loss",
            points_win=event.points_win,
            points_draw=event.points_draw,
            points_loss=event.points_loss,
        ),
        painted,
    )


def _tie_breaks(event: Event, rows: Rows) -> str:
    known = tie_breaks_in(system_of(event))
    labels = [gettext(known[id_].label) if id_ in known else id_ for id_ in event.tie_breaks]
    return in_order(labels) or gettext("None")


def _counting(event: Event, rows: Rows) -> str:
    return join_clauses(
        _choice("asked_bye", event.asked_bye) if first_stage(event).byes_score else gettext("byes score nothing"),
        gettext("a bye scores %(bye_vp)s VP", bye_vp=event.bye_vp) if event.bye_vp is not None else "",
        gettext("%(late_points)s for each round missed by arriving late", late_points=event.late_points)
        if event.late_points
        else "",
        gettext("at most %(vp_cap)s VP difference a game", vp_cap=event.vp_cap) if event.vp_cap else "",
    )


def _soft(event: Event, rows: Rows) -> str:
    rules = event.soft_rules
    held = gettext("last standings wait for the awards") if rules.hold else ""
    return join_clauses(_choice("painting", rules.painting), _choice("sports", rules.sports), held)


def _circuit(event: Event, rows: Rows) -> str:
    circuit = event.circuit
    if circuit is None:
        return ""
    shown = ", ".join(map(str, circuit.points[:4]))
    more = ", …" if len(circuit.points) > 4 else ""
    return join_clauses(
        shown + more, ngettext("best %(num)s event", "best %(num)s events", circuit.best) if circuit.best else ""
    )


def _life(event: Event, rows: Rows) -> str:
    listed = gettext("Off the front page") if event.unlisted else gettext("On the front page")
    return join_clauses(listed, gettext("cancelled") if event.cancelled_at else "")


def _tokens(event: Event, rows: Rows) -> str:
    return ngettext("%(num)s token", "%(num)s tokens", rows.tokens) if rows.tokens else ""


def _webhooks(event: Event, rows: Rows) -> str:
    return ngettext("%(num)s webhook", "%(num)s webhooks", rows.webhooks) if rows.webhooks else ""


def _own(about: type[OfEvent], *others: str) -> tuple[str, ...]:
    return tuple(name for name in about.model_fields if name not in others)


GROUPS: Mapping[str, tuple[Section, ...]] = {
    N_("Event"): (
        Section("event", N_("Name, day and place"), _own(AboutEvent), _event),
        Section("repeat", N_("Repeat the event"), _own(AboutRepeats), _repeat),
        Section("tokens", N_("Tokens for programs"), (), _tokens, "token.manage_tokens"),
        Section("webhooks", N_("Webhooks"), (), _webhooks, "webhooks.all"),
        Section("life", N_("Front page, copy, cancel, delete"), ("unlisted",), _life),
    ),
    N_("Players"): (
        Section(
            "registration",
            N_("Places and sign-up"),
            (*_own(AboutRegistration, "questions"), "check_in_from", "check_in_until", "mail_asked"),
            _registration,
        ),
        Section("questions", N_("Questions to players"), ("questions",), _questions),
        Section("privacy", N_("Privacy"), _own(AboutPrivacy), _privacy),
        Section("teams", N_("Teams and doubles"), ("team_size", "boards", "doubles"), _teams),
        Section("lists", N_("Lists"), _own(AboutLists), _lists),
        Section("restrictions", N_("Added rules"), ("restrictions",), _restrictions, "restriction.change_restrictions"),
    ),
    N_("Rounds"): (
        Section("rounds", N_("Rounds and scenarios"), _own(AboutRounds), _rounds),
        Section("clock", N_("Breaks and calls of the clock"), ("clock_rules",), _clock, "clock.clock_page", "times"),
        Section("format", N_("Format"), ("format", "legs", "cut", "third_place"), _format),
        Section("season", N_("Season"), ("season", "campaign"), _season),
        Section("draw", N_("How a round is drawn"), ("draw_rules", "avoid_clubs"), _draw),
        Section("apart", N_("Players kept apart"), (), _apart, "field.kept_apart_page"),
        Section(
            "tables",
            N_("Tables"),
            ("tables", "tables_out", "top_tables", "tables_vary", "scenario_per_table"),
            _tables,
        ),
    ),
    N_("Results"): (
        Section("reports", N_("Reports and points table"), _own(AboutReports), _reports),
        Section("points", N_("Points for games"), _own(AboutPoints), _points),
        Section("tie-breaks", N_("Tie-breaks"), ("tie_breaks",), _tie_breaks),
        Section(
            "counting",
            N_("Byes and games not played"),
            ("bye_vp", "asked_bye", "conceded_vp", "not_played", "late_points", "vp_cap"),
            _counting,
        ),
        Section("soft", N_("Painting, sportsmanship, awards"), ("soft_rules",), _soft),
        Section("circuit", N_("Points table of the series"), ("circuit",), _circuit),
    ),
}
SECTIONS = {section.id: section for sections in GROUPS.values() for section in sections}
