"""Which question each of the staff's addresses asks: the route before it answers, the button before it shows itself."""

from collections.abc import Callable, Mapping
from typing import Any

from events import access
from events.roles import Right
from events.visitor import Visitor
from models.event import Event

Question = Callable[[Visitor, Event], bool]

STAFF_QUESTIONS: Mapping[str, Question] = {f"may_{right}": getattr(access, f"may_{right}") for right in Right}
"""Every question of the table of roles by its name, as templates ask it."""

QUESTIONS: Mapping[str, Question] = {
    "archives.file": access.may_archive,
    "archives.page": access.may_archive,
    "award_desk.change": access.may_award,
    "award_desk.manage": access.may_award,
    "award_desk.paper": access.may_award,
    "award_desk.press": access.may_award,
    "badges.sheet": access.may_check_in,
    "byes.change": access.may_change_players,
    "clock.announce": access.may_announce,
    "clock.page": access.may_run_clock,
    "clock.press": access.may_run_clock,
    "clock.take_back": access.may_announce,
    "desk.act_on_player": access.may_change_players,
    "desk.desk": access.may_see_desk,
    "desk.finish": access.may_change_settings,
    "desk.open_registration": access.may_change_settings,
    "desk.player": access.may_see_players,
    "desk.players": access.may_see_players,
    "desk.reopen": access.may_change_settings,
    "door.fee": access.may_change_settings,
    "door.page": access.may_check_in,
    "drafts.lock": access.may_pair,
    "drafts.scenario": access.may_pair,
    "drafts.swap": access.may_pair,
    "drafts.table": access.may_pair,
    "drafts.undo": access.may_pair,
    "draws.adopt": access.may_pair,
    "draws.compare": access.may_pair,
    "forces.theirs": access.may_change_lists,
    "journal.as_csv": access.may_read_journal,
    "journal.as_json_lines": access.may_read_journal,
    "journal.one": access.may_read_journal,
    "journal.page": access.may_read_journal,
    "kept_apart.manage": access.may_pair,
    "kept_apart.remove": access.may_pair,
    "knockout.cut": access.may_pair,
    "knockout.make_cut": access.may_pair,
    "knockout.send_through": access.may_decide,
    "link_mails.mail": access.may_check_in,
    "list_desk.lists": access.may_read_lists,
    "list_desk.missing": access.may_see_private_links,
    "list_desk.one": access.may_read_lists,
    "list_papers.check_in": access.may_check_in,
    "list_papers.force_copies": access.may_read_lists,
    "list_papers.list_check": access.may_read_lists,
    "list_papers.teams": access.may_see_players,
    "meeting.act": access.may_pair,
    "meeting.desk": access.may_pair,
    "messages.again": access.may_message,
    "messages.all": access.may_message,
    "messages.one": access.may_message,
    "messages.player_mail": access.may_message,
    "messages.write": access.may_message,
    "no_shows.absent": access.may_decide,
    "pairing_settings.change": access.may_change_settings,
    "prints.blanks": access.may_print,
    "prints.room": access.may_print,
    "prints.sheets": access.may_print,
    "published.exchange": access.may_pair,
    "published.unpublish": access.may_pair,
    "readiness.group": access.may_see_desk,  # and what the group itself asks: ``readiness.KINDS``
    "readiness.several": access.may_change_players,
    "readiness.undo": access.may_see_desk,  # and what the press itself asked
    "records.of_round": access.may_see_rounds,
    "restrictions.change": access.may_change_settings,
    "results_desk.confirm": access.may_enter_results,
    "results_desk.results_page": access.may_enter_results,
    "results_desk.second_pass_rule": access.may_decide,
    "game_desk.decide": access.may_enter_results,
    "round_pack.files": access.may_take_pack,
    "round_pack.paper": access.may_print,
    "rounds.discard": access.may_pair,
    "rounds.draw": access.may_pair,
    "rounds.manage": access.may_see_rounds,
    "rounds.publish": access.may_pair,
    "rulings.manage": access.may_give_penalties,
    "rulings.take_back": access.may_give_penalties,
    "rulings.take_back_of_team": access.may_give_penalties,
    "search.page": access.may_see_players,
    "seeding.change": access.may_pair,
    "selected_players.act": access.may_change_players,
    "settings.change": access.may_change_settings,
    "sideboard.again": access.may_decide,
    "sideboard.theirs": access.may_decide,
    "sheet_entry.enter": access.may_enter_results,
    "sheet_entry.verify": access.may_enter_results,
    "soft_desk.overview": access.may_judge_painting,
    "soft_desk.painting": access.may_judge_painting,
    "soft_desk.press": access.may_award,
    "staff.change_role": access.may_manage_staff,
    "staff.invitation": access.may_manage_staff,
    "staff.leave": access.may_see_desk,
    "staff.manage": access.may_manage_staff,
    "staff.remove": access.may_manage_staff,
    "staff.withdraw": access.may_manage_staff,
    "table_papers.setups": access.may_print,
    "table_papers.stands": access.may_print,
    "taking_back.last_step": access.may_undo,
    "taking_back.open_again": access.may_decide,
    "team_desk.act": access.may_change_players,
    "team_desk.team": access.may_change_players,
    "team_desk.manage": access.may_see_players,
    "team_drafts.lock": access.may_pair,
    "team_drafts.undo": access.may_pair,
    "team_rounds.close_choice": access.may_pair,
    "team_rounds.swap": access.may_pair,
    "ways_back.go": access.may_go_back,
    "ways_back.page": access.may_go_back,
}
"""By endpoint. One that is named nowhere is the owner's alone."""

VERBS: Mapping[str, Mapping[str, Question]] = {
    "desk.act_on_player": {
        "check-in": access.may_check_in,
        "check-in-painted": access.may_check_in,
        "check-in-paid": access.may_mark_paid,
        "paid": access.may_mark_paid,
        "unpaid": access.may_mark_paid,
        "undo-check-in": access.may_check_in,
        "renew-link": access.may_see_private_links,
    },
    "readiness.several": {"check-in": access.may_check_in, "paid": access.may_mark_paid},
}
"""Where one endpoint has several verbs in its address: those that ask another question than the rest."""


POSTED: Mapping[str, Question] = {
    "desk.player": access.may_change_players,
    "desk.players": access.may_change_players,
    "list_desk.lists": access.may_change_lists,
    "list_desk.one": access.may_check_lists,
    "team_desk.manage": access.may_change_players,
}
"""Where a page may be read by more people than may send its form: what sending it asks."""


def question_of(endpoint: str, args: Mapping[str, Any], method: str = "GET") -> Question:
    """The question that this address asks; ``args`` are the parts of the address."""
    by_verb = VERBS.get(endpoint, {}).get(str(args.get("verb", "")))
    posted = POSTED.get(endpoint) if method == "POST" else None
    return by_verb or posted or QUESTIONS.get(endpoint, access.may_manage_staff)
