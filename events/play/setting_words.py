"""The settings of an event in words: the labels of their forms and the words of their choices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

LABELS = {
    "name": "Name", "place": "Place", "series": "Series", "contact": "Contact", "bring": "What to bring",
    "description": "Information for players", "starts_on": "First day", "starts_at": "Start", "ends_on": "Last day",
    "timezone": "Time zone", "places": "Player limit", "fee": "Entry fee",
    "registration_opens": "Registration opens", "registration_closes": "Registration closes",
    "waiting_list": "Keep a waiting list when all places are taken", "approval": "Approve sign-ups",
    "questions": "Questions", "size": "Size", "edition": "Edition of the force lists",
    "list_deadline": "List deadline", "lists_shown": "Show lists to everyone",
    "lists_shown_from": "Set time for showing lists", "lists_in_play": "Lists during rounds",
    "rounds": "Rounds", "round_minutes": "Minutes per round", "scenarios": "Scenarios",
    "scenario_pool": "Scenario pool", "points_win": "Win", "points_draw": "Draw", "points_loss": "Loss",
    "painting_points": "Fully painted force", "report_detail": "Players’ reports", "points_table": "Points table",
    "format": "Format", "legs": "Round robin meetings", "cut": "Cut to the top",
    "third_place": "The losers of the semi-finals play for third place",
    "player_meeting": "Player meeting: seat all players for the announcements before round 1",
    "method": "Players on equal points", "avoid_clubs": "Keep club mates apart", "off": "Levels ignored",
    "banned": "Levels as good as forbidden", "tables": "Tables", "tables_out": "Tables out of order",
    "top_tables": "Seating", "scenario_per_table": "Scenarios", "bye_vp": "Victory points of a bye",
    "asked_bye": "Bye asked for", "conceded_vp": "Opponent of a conceding player",
    "not_played": "Game not played, both players present", "late_points": "Late entry",
    "vp_cap": "Limit of the VP difference", "tie_breaks": "Tie-breaks", "painting": "Painting",
    "items": "Checklist", "painting_counts": "Painting counts", "sports": "Marks for opponents",
    "sports_counts": "Sportsmanship counts", "rulings_count": "Penalties and bonuses count",
    "ruling_groups": "Their points move players to other score groups of the draw",
    "second_yellow": "A second yellow card counts as a red card", "faction_least": "Best of a faction",
    "one_each": "One award per player: the lower one goes to the next in line",
    "hold": "Show the final standings once the awards are published", "team_size": "Pairing of",
    "boards": "Boards of a team match", "doubles": "Doubles: two players share one side and one force",
    "days": "Days for each round", "kind": "Kind of season", "above": "Ladder: most places above",
    "answer_days": "Days to answer a challenge", "best": "Best results that count", "points": "Points for places",
}  # fmt: skip
"""The label of each setting on its form."""


CHOICES = {
    "lists_shown": {
        "at_lock": "When they are locked",
        "at_time": "From a set time",
        "after_event": "After the event",
        "on_press": "When you press “Show all lists now”",
    },
    "lists_in_play": {
        "staff": "As chosen above",
        "opponents": "Opponents of the current round too",
        "everybody": "Everybody, from round 1 on",
    },
    "report_detail": {
        "full": "All figures of the scenario",
        "totals": "Both totals of VP",
        "outcome": "Win, draw or loss",
    },
    "format": {
        "swiss": "Swiss: players on equal points",
        "round_robin": "Round robin: every player meets every other",
        "knockout": "Knockout from the start",
    },
    "avoid_clubs": {"first_round": "In round 1", "always": "In every round", "never": "Never"},
    "asked_bye": {
        "win": "Win, with the VP of a bye",
        "draw": "Draw, with half the VP of a bye",
        "loss": "Loss, without VP",
    },
    "conceded_vp": {
        "bye": "Win, with at least the VP of a bye",
        "scored": "Win, with the VP scored so far",
    },
    "not_played": {"nothing": "Counts for nothing", "draw": "Draw, without VP"},
    "boards": {
        "order": "In the teams’ own order: board 1 against board 1",
        "choice": "By the captains’ secret choice, match by match",
    },
}
"""The words of each choice, by setting and stored value."""


NONE: Mapping[str, str] = MappingProxyType({})


def label_of(setting: str) -> str:
    """The label of a setting; its name in words if no form has it."""
    return LABELS.get(setting) or setting.replace("_", " ")


def changes_in_words(changed: Mapping[str, tuple[Any, Any]], labels: Mapping[str, str] = NONE) -> str:
    """Changed settings by their labels, with both values where they are numbers. ``labels`` go before the usual."""
    said = []
    for key, (old, new) in changed.items():
        words = f"“{labels.get(key) or label_of(key)}”"
        said.append(f"{words} from {old} to {new}" if type(old) is type(new) is int else words)
    return ", ".join(said)
