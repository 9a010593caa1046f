"""Functions and values that every template may use."""

from datetime import datetime
from typing import Any

from flask import g, request

from events.accounts.browser import offers_passkeys
from events.charts.drawing import ordinal
from events.charts.picture import event_picture, portrait
from events.desk.due import to_standings
from events.desk.navigation import navigation
from events.journal.kinds import sign_of
from events.journal.setting_words import entries_words, kind_words
from events.journal.wording import who_did
from events.messages.notices_views import can_mail_lost_link, can_notify
from events.messages.text import NOTICES, subject_of
from events.public.charts import portrait_of
from events.public.offline_views import kept_addresses, may_store, offline_for
from events.public.privacy_views import privacy_notice
from events.public.ratings_page import has_ratings
from events.registration import check_in
from events.registration.payments import WAYS, way_words
from events.rounds.endings import why_won
from events.setup.sections_page import PAGES as SETTINGS_PAGES
from events.setup.sections_page import settings_list
from events.standings.raffle import coming_seed
from events.standings.soft_scores import marks_open, vote_open
from events.standings.titles import ranked_words
from events.store.editions import edition_of, system_of, systems_of
from events.store.journal import entry_words
from events.store.ledger import due_back, has_paid, is_due_back, is_settled, kept, owes, pay_address, still_due
from events.store.outcomes import ending_by_name, ending_words, missing
from events.store.players import entry_state, has_check_in, is_held, unanswered, waiting_list
from events.store.roles import fields_a_part, role_of
from events.store.rounds import (
    decided_words,
    each_table_draws,
    ends_of,
    first_stage,
    knockout_title,
    never_played,
    no_opponent,
    rounds_follow,
    through_words,
)
from events.store.rulings import ruling_text
from events.store.scenarios import vp_limits
from events.store.scoring import in_shares, knows_vp, vp_word
from events.store.verdicts import list_size
from events.store.visitor import WORDS, Visitor, actor_words
from events.tournament.clock import in_utc
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.words import bye_reason, sentences
from events.tournament.points_table import preview, ranges
from events.tournament.ranking import unplayed_words
from events.visitors import access
from events.visitors.loading import clock_facts_of, may_follow, may_open, visitor, visitor_mark
from events.visitors.staff_routes import STAFF_QUESTIONS
from events.web.answers import paper_asked, paper_of
from events.web.error_pages import server_warning
from events.web.parsing import series_slug
from events.web.request import (
    db,
    local,
    now,
    outside_url,
    printed_address,
    qr,
    with_figures,
    without_indents,
)
from languages.dates import dated
from languages.money import sum_words
from models.event import Event
from validators.kit.builder import key_of
from validators.measures import measured
from validators.report_detail import OUTCOMES
from validators.strict_json import sha256_of


def template_context() -> dict[str, Any]:
    """What every page shows, loaded before its template renders: no template queries the database."""
    who, event = visitor(), g.get("event")
    return {
        "signed_in": who.account.name if who.account else None,
        "visitor": who,
        "runs_club": access.may_run_club(who),
        "now_text": "" if g.get("for_cache") else dated(now(), "%-d %b %Y, %H:%M UTC"),
        **(NO_EVENT if event is None else _of_event(who, event)),
    }


def _of_event(who: Visitor, event: Event) -> dict[str, Any]:
    """What every page of an event shows."""
    return {
        "event": event,
        "me": who.player_in(event),
        "sees_desk": access.may_see_desk(who, event),
        "system": system_of(event),
        "edition": edition_of(event),
        "mark_text": visitor_mark(event).text,
        "announcements": [said for said in clock_facts_of(event).said if said.until is None or said.until > now()],
        "nav": None if g.get("without_tabs") else navigation(event),
        "settings_list": settings_list(event) if request.endpoint in SETTINGS_PAGES else None,
        "failed_parts": [*g.get("failed_parts", ())],  # after everything that can fail
    }


NO_EVENT = {"event": None, "me": None, "sees_desk": False, "system": None, "edition": None, "nav": None}

# For templates and their macros; imported macros see these but not the context. All are functions of their arguments,
# of the visitor and of the time; none queries the database.
WORDING: dict[str, Any] = {
    "bye_reason": bye_reason,
    "ending_by_name": ending_by_name,
    "ending_words": ending_words,
    "ends_of": ends_of,
    "entries_words": entries_words,
    "entry_state": entry_state,
    "has_check_in": has_check_in,
    "hour_now": lambda event: local(now(), event, "%H:%M"),
    "in_shares": in_shares,
    "is_held": is_held,
    "no_opponent": no_opponent,
    "kind_words": kind_words,
    "decided_words": decided_words,
    "knockout_title": knockout_title,
    "through_words": through_words,
    "knows_vp": lambda event=None: knows_vp(event or g.event),
    "list_size": list_size,
    "local": local,
    "measured": lambda scenario, system: measured(scenario, system.rulers),
    "missing": lambda game: missing(game, game.absent),
    "never_played": lambda event: never_played(event, now()),
    "registration_window": lambda event: access.registration_window(event, now()),
    "needs_code": lambda event: access.needs_code(event, now()),
    "notes_in": notes_in,
    "notice_texts": tuple(NOTICES.values()),
    "outside_url": outside_url,
    "ordinal": ordinal,
    "has_paid": has_paid,
    "kept": kept,
    "due_back": due_back,
    "is_due_back": is_due_back,
    "is_settled": is_settled,
    "owes": owes,
    "pay_address": pay_address,
    "still_due": still_due,
    "pay_ways": WAYS,
    "sum_words": sum_words,
    "way_words": way_words,
    "paper_asked": paper_asked,
    "paper_of": paper_of,
    "each_table_draws": each_table_draws,
    "event_picture": event_picture,
    "first_stage": first_stage,
    "rounds_follow": rounds_follow,
    "place_in_queue": lambda players, player: waiting_list(players).index(player) + 1,
    "points_preview": preview,
    "points_ranges": ranges,
    "portrait": portrait_of,
    "portrait_named": lambda name: portrait(name, None),
    "printed_address": printed_address,
    "privacy_notice": privacy_notice,
    "qr": qr,
    "role_of": role_of,
    "role_words": WORDS,
    "rulings_words": ruling_text,
    "series_slug": series_slug,
    "sentences": sentences,
    "server_time": lambda: now().isoformat(),
    "server_warning": server_warning,
    "subject_of": subject_of,
    "outcomes": OUTCOMES,
    "systems": lambda: systems_of(db()),
    "to_standings": to_standings,
    "raffle_hash": lambda event, entry: sha256_of(coming_seed(event, entry)),
    "ranked_words": ranked_words,
    "unanswered": unanswered,
    "unplayed_words": unplayed_words,
    "vp_limits": vp_limits,
    "made_as": lambda event: "campaign" if event.campaign else "season" if event.season else "event",
    "utc_time": lambda iso, zone: in_utc(datetime.fromisoformat(iso), zone),
    "vp_word": vp_word,
    "actor_words": actor_words,
    "entry_words": entry_words,
    "sign_of": sign_of,
    "who_did": who_did,
    "why_won": why_won,
    "with_figures": with_figures,
    "without_indents": without_indents,
    "key_of": key_of,
}
PERMISSIONS: dict[str, Any] = {
    "can_mail_lost_link": can_mail_lost_link,
    "offers_passkeys": offers_passkeys,
    "can_notify": can_notify,
    "has_ratings": has_ratings,
    "fields_a_part": fields_a_part,
    "marks_open": marks_open,
    "may_answer": lambda player: access.may_answer(visitor(), g.event, player, now()),
    "may_check_in_self": lambda player: access.may_check_in_self(visitor(), player, g.event, now()),
    "may_copy": may_store,
    "kept_addresses": kept_addresses,
    "may_do": lambda cure: cure.asks is None or cure.asks(visitor(), g.event),
    "may_follow": may_follow,
    "may_open": may_open,
    "may_run_club": access.may_run_club,
    "may_see_event": lambda event: access.may_see_event(visitor(), event),
    "offline_for": offline_for,
    "paint_first": check_in.paint_first,
    "vote_open": vote_open,
    **STAFF_QUESTIONS,
}
TEMPLATE_GLOBALS = WORDING | PERMISSIONS
