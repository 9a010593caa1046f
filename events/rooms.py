"""The rooms with their blueprints, templates and limits of requests, lower rooms first."""

from pathlib import Path

from events.accounts import language_views as accounts_language_views
from events.accounts import second_factor_views as accounts_second_factor_views
from events.accounts import staff_views as accounts_staff_views
from events.accounts import token_views as accounts_token_views
from events.accounts import views as accounts_views
from events.api import docs_views as api_docs_views
from events.api import read_views as api_read_views
from events.api import webhooks_views as webhooks_views
from events.api import write_views as api_write_views
from events.desk import check_in_views as desk_check_in_views
from events.desk import money_views as desk_money_views
from events.desk import phones_views as desk_phones_views
from events.desk import views as desk_views
from events.journal import views as journal_views
from events.lists import desk_views as lists_desk_views
from events.lists import edition_views as lists_edition_views
from events.lists import scenario_views as lists_scenario_views
from events.lists import share_views as lists_share_views
from events.lists import sideboard_views as lists_sideboard_views
from events.lists import views as lists_views
from events.messages import account_mail_views as messages_account_mail_views
from events.messages import notices_views as messages_notices_views
from events.messages import own_messages_views as messages_own_messages_views
from events.messages import views as messages_views
from events.papers import event_pack_views as desk_event_pack_views
from events.papers import export_views as desk_export_views
from events.papers import force_paper_views as desk_force_paper_views
from events.papers import print_views as desk_print_views
from events.papers import round_pack_views as desk_round_pack_views
from events.papers import round_paper_views as desk_round_paper_views
from events.public import calendar_views as hall_calendar_views
from events.public import card_views as hall_card_views
from events.public import chat_views as hall_chat_views
from events.public import clock_views as hall_clock_views
from events.public import crawler_views as hall_crawler_views
from events.public import feed_views as hall_feed_views
from events.public import offline_views as hall_offline_views
from events.public import own_entry_views as people_own_entry_views
from events.public import own_page_views as people_own_page_views
from events.public import people_views as people_views
from events.public import player_views as hall_player_views
from events.public import privacy_views as hall_privacy_views
from events.public import projector_views as hall_projector_views
from events.public import public_views as hall_public_views
from events.public import rating_views as people_rating_views
from events.public import series_views as hall_series_views
from events.registration import erasure_views as registration_erasure_views
from events.registration import join_codes_views as registration_join_codes_views
from events.registration import passkeys_views as registration_passkeys_views
from events.registration import players_views as registration_players_views
from events.registration import ruling_views as registration_ruling_views
from events.registration import teams_views as registration_teams_views
from events.registration import views as registration_views
from events.results import call_views as results_call_views
from events.results import desk_views as results_desk_views
from events.results import sheet_views as results_sheet_views
from events.results import views as results_views
from events.rounds import draft_views as rounds_draft_views
from events.rounds import field_views as rounds_field_views
from events.rounds import published_views as rounds_published_views
from events.rounds import team_rounds_views as rounds_team_rounds_views
from events.rounds import views as rounds_views
from events.rounds.published_views import MOST_BYTES as DRAW_BYTES
from events.seasons import campaigns_views as campaigns_views
from events.seasons import closed_views as campaigns_closed_views
from events.seasons import leagues_views as leagues_views
from events.seasons import steps_views as campaigns_steps_views
from events.setup import event_life_views as setup_event_life_views
from events.setup import restriction_views as setup_restriction_views
from events.setup import settings_views as setup_settings_views
from events.setup import views as setup_views
from events.setup.archive_file import MOST_BYTES as ARCHIVE_BYTES
from events.standings import raffle_views as standings_raffle_views
from events.standings import soft_views as standings_soft_views
from events.standings import statistics_views as statistics_views
from events.standings import views as standings_views
from events.web import monitoring as web_monitoring

ROOMS = (
    "web", "accounts", "lists", "standings", "rounds", "results", "journal", "messages", "setup", "registration",
    "seasons", "public", "papers", "desk", "api",
)  # fmt: skip
"""Rooms with pages. A room imports only rooms before it."""
TEMPLATES = [Path(__file__).parent / room / "templates" for room in ROOMS]

BLUEPRINTS = (
    web_monitoring.blueprint,
    accounts_second_factor_views.blueprint,
    accounts_staff_views.blueprint,
    accounts_token_views.blueprint,
    accounts_language_views.blueprint,
    accounts_views.blueprint,
    lists_desk_views.blueprint,
    lists_edition_views.blueprint,
    lists_scenario_views.blueprint,
    lists_share_views.blueprint,
    lists_sideboard_views.blueprint,
    lists_views.blueprint,
    standings_raffle_views.blueprint,
    standings_soft_views.blueprint,
    standings_views.blueprint,
    statistics_views.blueprint,
    rounds_field_views.blueprint,
    rounds_draft_views.blueprint,
    rounds_published_views.blueprint,
    rounds_team_rounds_views.blueprint,
    rounds_views.blueprint,
    results_call_views.blueprint,
    results_desk_views.blueprint,
    results_sheet_views.blueprint,
    results_views.blueprint,
    journal_views.blueprint,
    messages_account_mail_views.blueprint,
    messages_own_messages_views.blueprint,
    messages_notices_views.blueprint,
    messages_views.blueprint,
    setup_event_life_views.blueprint,
    setup_settings_views.blueprint,
    setup_views.blueprint,
    setup_restriction_views.blueprint,
    desk_check_in_views.blueprint,
    registration_erasure_views.blueprint,
    registration_join_codes_views.blueprint,
    registration_passkeys_views.blueprint,
    registration_players_views.blueprint,
    registration_ruling_views.blueprint,
    registration_teams_views.blueprint,
    registration_views.blueprint,
    leagues_views.blueprint,
    campaigns_views.blueprint,
    campaigns_closed_views.blueprint,
    campaigns_steps_views.blueprint,
    people_own_entry_views.blueprint,
    people_own_page_views.blueprint,
    people_rating_views.blueprint,
    people_views.blueprint,
    hall_chat_views.blueprint,
    hall_clock_views.blueprint,
    hall_calendar_views.blueprint,
    hall_card_views.blueprint,
    hall_crawler_views.blueprint,
    hall_feed_views.blueprint,
    hall_offline_views.blueprint,
    hall_player_views.blueprint,
    hall_privacy_views.blueprint,
    hall_projector_views.blueprint,
    hall_public_views.blueprint,
    hall_series_views.blueprint,
    webhooks_views.blueprint,
    desk_event_pack_views.blueprint,
    desk_export_views.blueprint,
    desk_force_paper_views.blueprint,
    desk_money_views.blueprint,
    desk_phones_views.blueprint,
    desk_print_views.blueprint,
    desk_round_pack_views.blueprint,
    desk_round_paper_views.blueprint,
    desk_views.blueprint,
    api_docs_views.blueprint,
    api_read_views.blueprint,
    api_write_views.blueprint,
)

WITHOUT_FORM_TOKEN = (api_write_views.blueprint, accounts_language_views.blueprint)
"""Of the interface, whose requests have a token and no cookie; and of the language, chosen from pages that are cached
for all: that no other site's page sends it is checked by the browser's own words (``web/http.py``)."""

LARGEST_REQUESTS = {
    "setup.import_archive": ARCHIVE_BYTES + 100_000,
    "published.verify_page": DRAW_BYTES + 10_000,
}
"""The largest request in bytes of pages with another limit than MAX_CONTENT_LENGTH."""
