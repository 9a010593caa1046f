"""The permission for each staff route; the route and its buttons check it."""

from collections.abc import Mapping
from typing import Any

from events.store.visitor import Right
from events.visitors import access
from events.visitors.access import Question

STAFF_QUESTIONS: Mapping[str, Question] = {f"may_{right}": getattr(access, f"may_{right}") for right in Right}
"""The permissions in the table of roles by name, for templates."""

QUESTIONS: Mapping[str, Question] = {
    endpoint: question
    for question, endpoints in {
        access.may_pair: """
            field.kept_apart_page field.remove_kept_apart draft.leaders_first draft.lock draft.set_game draft.swap
            draft.undo_draft_change field.change_seeding field.cut field.make_cut leagues.draw_fixtures
            leagues.start_season
            published.exchange published.unpublish
            rounds.discard rounds.draw_round rounds.publish team_rounds.close_choice
        """,
        access.may_change_settings: """
            check_in.window event_life.cancel event_life.listing event_life.next_event event_life.take_place
            restriction.change_restrictions settings.change_section settings.overview setup.finish
            setup.open_registration
            setup.reopen webhooks.call_again webhooks.end webhooks.trial webhooks.all
        """,
        access.may_decide: """
            steps.desk_change_steps steps.desk_steps field.send_through leagues.dates players.absent
            results_desk.open_again sideboard.open_choices_again
            sideboard.choice_for_player closed.open_steps_again closed.rule_on_group
        """,
        access.may_change_players: """
            field.change_byes desk.check_in_several players.act_on_player players.act_on_selected players.move
            teams.change_team teams.team join_codes.end join_codes.manage join_codes.show print.code_poster
        """,
        access.may_manage_staff: """
            event_life.delete staff.change_role staff.invitation staff.manage_staff staff.remove_staff staff.withdraw
        """,
        access.may_see_players: """
            desk.search_page export.staff_sheet force_paper.team_sheets players.player_details players.players
            teams.manage
        """,
        access.may_print: """
            print.blanks print.room print.sheets round_pack.paper round_paper.setups round_paper.stands
        """,
        access.may_see_money: "money.money_page money.payment money.sheet",
        access.may_award: """
            print.award_paper soft.act_on_soft_scores soft.overview standings.act_on_awards
            standings.change_award standings.manage_awards raffle.manage_raffle raffle.press_raffle
        """,
        access.may_see_rounds: """
            call.answer_call campaigns.manage_campaign leagues.manage_season print.record_of_round rounds.manage_round
        """,
        access.may_check_in: """
            check_in.check_in_queue check_in.scanned force_paper.check_in_sheet messages.mail_links print.badges
        """,
        access.may_see_desk: "desk.desk desk.readiness_group desk.undo_press print.poster staff.leave_staff",
        access.may_message: "messages.send_again messages.all messages.one_message messages.player_mail messages.write",
        access.may_enter_results: """
            results_desk.confirm_reported results_desk.decide results_desk.results_page
            sheet.enter_sheet
        """,
        access.may_read_journal: "journal.as_csv journal.one_write journal.journal_page",
        access.may_read_lists: "force_paper.force_copies force_paper.list_check lists_desk.review_lists lists_desk.one",
        access.may_give_penalties: "ruling.manage_rulings ruling.withdraw_ruling ruling.take_back_of_team",
        access.may_archive: "setup.archive_file setup.archive_page",
        access.may_announce: "clock.make_announcement clock.end_announcement",
        access.may_run_clock: "clock.clock_page clock.press",
        access.may_change_lists: "lists.list_for_player lists_desk.before",
        access.may_go_back: "journal.go_back journal.ways_back_page",
        access.may_see_private_links: "lists_desk.missing_lists",
        access.may_check_lists: "lists_desk.several",
        access.may_take_pack: "round_pack.files",
        access.may_erase: "erasure.erase_player",
        access.may_undo: "journal.undo_last_step",
        access.may_make_tokens: "token.end_api_token token.manage_tokens token.made_token",
    }.items()
    for endpoint in endpoints.split()
}
"""The permission by endpoint. A missing endpoint is for owners only.

Each group of ``desk.readiness_group`` also has its own permission (``readiness.KINDS``), and
``desk.undo_press`` that of the action to undo.
"""

VERBS: Mapping[str, Mapping[str, Question]] = {
    "players.act_on_player": {
        "check-in": access.may_check_in,
        "check-in-painted": access.may_check_in,
        "check-in-paid": access.may_check_in,
        "paid": access.may_mark_paid,
        "give-back": access.may_see_money,
        "undo-check-in": access.may_check_in,
        "renew-link": access.may_see_private_links,
    },
    "desk.check_in_several": {
        "check-in": access.may_check_in,
        "paid": access.may_mark_paid,
        "give-back": access.may_see_money,
    },
}
"""The verbs of an endpoint that need another permission than its other verbs."""

POSTED: Mapping[str, Question] = {
    "campaigns.manage_campaign": access.may_change_settings,
    "players.player_details": access.may_change_players,
    "players.players": access.may_change_players,
    "lists_desk.review_lists": access.may_change_lists,
    "lists_desk.one": access.may_check_lists,
    "teams.manage": access.may_change_players,
}
"""The permissions for submitting a page's form, where more people may read the page."""


def question_of(endpoint: str, args: Mapping[str, Any], method: str = "GET") -> Question:
    """The permission for an address; ``args`` are its variables."""
    by_verb = VERBS.get(endpoint, {}).get(str(args.get("verb", "")))
    posted = POSTED.get(endpoint) if method == "POST" else None
    return by_verb or posted or QUESTIONS.get(endpoint, access.may_manage_staff)
