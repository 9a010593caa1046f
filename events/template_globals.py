"""Functions and values that every template may use."""

from datetime import datetime
from typing import Any

from flask import g

from events.accounts import access
from events.accounts.loading import (
    clock_facts_of,
    mark,
    may_follow,
    may_open,
    rounds_of,
    views_of,
    visitor,
    warnings_of,
)
from events.accounts.staff_routes import STAFF_QUESTIONS
from events.desk.views import mail_steps, next_of
from events.hall.player_views import may_copy, offline_for
from events.journal.wording import who_did
from events.lists.queries import plays_without
from events.messages.player_views import can_mail_lost_link, can_notify
from events.messages.text import NOTICES, subject_of
from events.messages.views import inbox, messages_to_all
from events.play.clock_queries import clock_of, published_meeting
from events.play.editions import edition_of, system_of
from events.play.outcomes import ending_by_name, ending_words, missing
from events.play.roles import fields_a_part, role_of
from events.play.rounds import ends_of, first_open_round, format_pages, stage_of
from events.play.rulings import soft_rules, words_of
from events.play.team_queries import team_name
from events.play.verdicts import list_size
from events.play.visitor import WORDS
from events.registration import actions as registration_actions
from events.results.calls import open_calls
from events.rounds.views import absence_of, conceded_words, ending_of, latest_round, lost_by_card, why_won
from events.standings.scale import in_shares, knows_vp, vp_word
from events.standings.soft_scores import has_voted, is_judged, marks_open, vote_open
from events.tournament.clock import in_utc
from events.tournament.points_table import preview, ranges
from events.web.error_pages import server_warning
from events.web.parsing import series_slug
from events.web.request import db, local, network_help, now, outside_url, printed_address, qr, with_figures
from validators import SYSTEMS
from validators.measures import measured


def template_context() -> dict[str, Any]:
    """The context of every template."""
    who = visitor()
    event = g.get("event")
    return {
        "signed_in": who.account.name if who.account else None,
        "visitor": who,
        "me": who.player_in(event) if event is not None else None,
        "event": event,
        "system": system_of(event) if event is not None else None,
        "edition": edition_of(db(), event) if event is not None else None,
        "sees_desk": event is not None and access.may_see_desk(who, event),
        "runs_club": access.may_run_club(who),
        "now_text": now().strftime("%Y-%m-%d %H:%M UTC"),
    }


# For templates and their macros; imported macros see these but not the context.
TEMPLATE_GLOBALS: dict[str, Any] = {
    "outside_url": outside_url,
    "may_check_in_self": lambda player: access.may_check_in_self(visitor(), player, g.event, now()),
    "network_help": network_help,
    "round_in_play": lambda: g.get("event") is not None and any(one.state == "playing" for one in views_of(g.event)),
    "printed_address": printed_address,
    "qr": qr,
    "ending_by_name": ending_by_name,
    "ending_of": ending_of,
    "conceded_words": conceded_words,
    "why_won": why_won,
    "ending_words": ending_words,
    "measured": lambda scenario, system: measured(scenario, system.rulers),
    "local": local,
    "utc_time": lambda iso, zone: in_utc(datetime.fromisoformat(iso), zone),
    "systems": SYSTEMS,
    "paint_first": registration_actions.paint_first,
    "with_figures": with_figures,
    "list_size": list_size,
    "fields_a_part": fields_a_part,
    "role_of": role_of,
    "team_name": lambda player: team_name(db(), player),
    "round_clock": lambda event, view: clock_of(event, view, rounds_of(event), now()),
    "announced": lambda event: [one for one in clock_facts_of(event).said if one.until is None or one.until > now()],
    "event_mark": lambda event: mark(event).text,
    "server_time": lambda: now().isoformat(),
    "hour_now": lambda event: local(now(), event, "%H:%M"),
    "latest_round": latest_round,
    "stage_of": stage_of,
    "meeting_shown": lambda event: published_meeting(db(), event) is not None,
    "absence": absence_of,
    "missing": lambda game: missing(game, game.absent),
    "card_loss": lost_by_card,
    "rulings_words": words_of,
    "vote_open": vote_open,
    "has_voted": lambda player: has_voted(db(), player),
    "is_judged": lambda player: is_judged(db(), player),
    "marks_open": marks_open,
    "soft_rules": soft_rules,
    "knows_vp": lambda event=None: knows_vp(event or g.event),
    "in_shares": in_shares,
    "vp_word": vp_word,
    "plays_without": plays_without,
    "points_ranges": ranges,
    "points_preview": preview,
    "judge_calls": lambda event: open_calls(db(), event) if access.may_see_rounds(visitor(), event) else (),
    "inbox": inbox,
    "messages_to_all": messages_to_all,
    "mail_steps": mail_steps,
    "next_of": next_of,
    "own_entry": lambda event: visitor().player_in(event),
    "can_mail_lost_link": can_mail_lost_link,
    "can_notify": can_notify,
    "notice_texts": tuple(NOTICES.values()),
    "subject_of": subject_of,
    "may_follow": may_follow,
    "may_run_club": access.may_run_club,
    "series_slug": series_slug,
    "may_answer": lambda player: access.may_answer(visitor(), g.event, player, now()),
    "may_see_event": lambda event: access.may_see_event(visitor(), event),
    "role_words": WORDS,
    **STAFF_QUESTIONS,
    "ends_of": ends_of,
    "may_open": may_open,
    "may_do": lambda cure: cure.asks is None or cure.asks(visitor(), g.event),
    "name_warnings": lambda player: warnings_of(g.event).get(player.id, ()),
    "who_did": who_did,
    "round_to_manage": lambda event: first_open_round(views_of(event)),
    "offline_for": offline_for,
    "may_copy": may_copy,
    "server_warning": server_warning,
    "format_pages": lambda event: format_pages(event, rounds_of(event)),
}
