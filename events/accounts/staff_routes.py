"""The permission for each staff route; the route and its buttons check it."""

from collections.abc import Callable, Mapping
from typing import Any

from events.accounts import access
from events.play.visitor import Right, Visitor
from models.event import Event

Question = Callable[[Visitor, Event], bool]

STAFF_QUESTIONS: Mapping[str, Question] = {f"may_{right}": getattr(access, f"may_{right}") for right in Right}
"""The permissions in the table of roles by name, for templates."""

QUESTIONS: Mapping[str, Question] = {
    "setup.archive_file": access.may_archive,
    "setup.archive_page": access.may_archive,
    "standings.change_award": access.may_award,
    "standings.manage_awards": access.may_award,
    "print.award_paper": access.may_award,
    "standings.act_on_awards": access.may_award,
    "call.answer": access.may_see_rounds,
    "print.badges": access.may_check_in,
    "field.change_byes": access.may_change_players,
    "clock.announce": access.may_announce,
    "clock.page": access.may_run_clock,
    "clock.press": access.may_run_clock,
    "clock.take_back": access.may_announce,
    "players.act_on_player": access.may_change_players,
    "desk.desk": access.may_see_desk,
    "event_life.cancel": access.may_change_settings,
    "event_life.take_place": access.may_change_settings,
    "event_life.listing": access.may_change_settings,
    "event_life.delete": access.may_manage_staff,
    "export.staff_sheet": access.may_see_players,
    "setup.finish": access.may_change_settings,
    "setup.open_registration": access.may_change_settings,
    "players.player": access.may_see_players,
    "players.players": access.may_see_players,
    "setup.reopen": access.may_change_settings,
    "check_in.check_in_queue": access.may_check_in,
    "check_in.scanned": access.may_check_in,
    "check_in.window": access.may_change_settings,
    "draft.lock": access.may_pair,
    "draft.scenario": access.may_pair,
    "draft.swap": access.may_pair,
    "draft.table": access.may_pair,
    "draft.undo": access.may_pair,
    "rounds.adopt_draw": access.may_pair,
    "rounds.compare_draws": access.may_pair,
    "leagues.manage": access.may_see_rounds,
    "leagues.draw": access.may_pair,
    "leagues.start": access.may_pair,
    "leagues.dates": access.may_decide,
    "campaigns.manage": access.may_see_rounds,
    "campaigns.desk_steps": access.may_decide,
    "campaigns.desk_act": access.may_decide,
    "lists.theirs": access.may_change_lists,
    "journal.as_csv": access.may_read_journal,
    "journal.as_json_lines": access.may_read_journal,
    "journal.one": access.may_read_journal,
    "journal.page": access.may_read_journal,
    "field.kept_apart_page": access.may_pair,
    "field.remove_kept_apart": access.may_pair,
    "field.cut": access.may_pair,
    "field.make_cut": access.may_pair,
    "field.send_through": access.may_decide,
    "messages.mail_links": access.may_check_in,
    "lists_desk.before": access.may_change_lists,
    "lists_desk.lists": access.may_read_lists,
    "lists_desk.missing": access.may_see_private_links,
    "lists_desk.one": access.may_read_lists,
    "lists_desk.several": access.may_check_lists,
    "force_paper.check_in": access.may_check_in,
    "force_paper.force_copies": access.may_read_lists,
    "force_paper.list_check": access.may_read_lists,
    "force_paper.teams": access.may_see_players,
    "rounds.act_on_meeting": access.may_pair,
    "rounds.meeting_desk": access.may_pair,
    "look.look": access.may_change_settings,
    "messages.again": access.may_message,
    "messages.all": access.may_message,
    "messages.one": access.may_message,
    "messages.player_mail": access.may_message,
    "messages.write": access.may_message,
    "players.absent": access.may_decide,
    "pairing.change": access.may_change_settings,
    "print.blanks": access.may_print,
    "print.poster": access.may_see_desk,
    "print.room": access.may_print,
    "print.sheets": access.may_print,
    "publish.exchange": access.may_pair,
    "publish.unpublish": access.may_pair,
    "desk.readiness_group": access.may_see_desk,  # each group also has its own permission: ``readiness.KINDS``
    "desk.check_in_several": access.may_change_players,
    "desk.undo_check_in": access.may_see_desk,  # and the permission of the action to undo
    "print.record_of_round": access.may_see_rounds,
    "restriction.change": access.may_change_settings,
    "results_desk.confirm": access.may_enter_results,
    "results_desk.results_page": access.may_enter_results,
    "results_desk.second_pass_rule": access.may_decide,
    "results_desk.decide": access.may_enter_results,
    "round_pack.files": access.may_take_pack,
    "round_pack.paper": access.may_print,
    "rounds.discard": access.may_pair,
    "rounds.draw": access.may_pair,
    "rounds.manage": access.may_see_rounds,
    "rounds.publish": access.may_pair,
    "ruling.manage": access.may_give_penalties,
    "ruling.take_back": access.may_give_penalties,
    "ruling.take_back_of_team": access.may_give_penalties,
    "desk.search_page": access.may_see_players,
    "field.change_seeding": access.may_pair,
    "players.act_on_selected": access.may_change_players,
    "setup.change_settings": access.may_change_settings,
    "sideboard.again": access.may_decide,
    "sideboard.theirs": access.may_decide,
    "sheet.enter": access.may_enter_results,
    "sheet.verify": access.may_enter_results,
    "soft.overview": access.may_judge_painting,
    "soft.painting": access.may_judge_painting,
    "soft.act_on_soft_scores": access.may_award,
    "staff.change_role": access.may_manage_staff,
    "staff.invitation": access.may_manage_staff,
    "staff.leave": access.may_see_desk,
    "staff.manage": access.may_manage_staff,
    "staff.remove": access.may_manage_staff,
    "staff.withdraw": access.may_manage_staff,
    "round_paper.setups": access.may_print,
    "round_paper.stands": access.may_print,
    "journal.undo_last_step": access.may_undo,
    "results_desk.open_again": access.may_decide,
    "teams.act": access.may_change_players,
    "teams.team": access.may_change_players,
    "teams.manage": access.may_see_players,
    "team_rounds.lock": access.may_pair,
    "team_rounds.undo": access.may_pair,
    "team_rounds.close_choice": access.may_pair,
    "team_rounds.swap": access.may_pair,
    "journal.go_back": access.may_go_back,
    "journal.ways_back_page": access.may_go_back,
}
"""The permission by endpoint. A missing endpoint is for owners only."""

VERBS: Mapping[str, Mapping[str, Question]] = {
    "players.act_on_player": {
        "check-in": access.may_check_in,
        "check-in-painted": access.may_check_in,
        "check-in-paid": access.may_mark_paid,
        "paid": access.may_mark_paid,
        "unpaid": access.may_mark_paid,
        "undo-check-in": access.may_check_in,
        "renew-link": access.may_see_private_links,
    },
    "desk.check_in_several": {"check-in": access.may_check_in, "paid": access.may_mark_paid},
}
"""The verbs of an endpoint that need another permission than its other verbs."""

POSTED: Mapping[str, Question] = {
    "campaigns.manage": access.may_change_settings,
    "players.player": access.may_change_players,
    "players.players": access.may_change_players,
    "lists_desk.lists": access.may_change_lists,
    "lists_desk.one": access.may_check_lists,
    "teams.manage": access.may_change_players,
}
"""The permissions for submitting a page's form, where more people may read the page."""


def question_of(endpoint: str, args: Mapping[str, Any], method: str = "GET") -> Question:
    """The permission for an address; ``args`` are its variables."""
    by_verb = VERBS.get(endpoint, {}).get(str(args.get("verb", "")))
    posted = POSTED.get(endpoint) if method == "POST" else None
    return by_verb or posted or QUESTIONS.get(endpoint, access.may_manage_staff)
