"""The event's stages, from registration to its end. Pure: facts in, stages out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from events.desk.event_facts import EventFacts, RoundFacts
from languages.words import capital, gettext, ngettext
from models.event import Event


@dataclass(frozen=True)
class Stage:
    label: str
    state: Literal["done", "now", "coming"]
    endpoint: str
    args: Mapping[str, int | str] = field(default_factory=dict)


def stages(facts: EventFacts) -> tuple[Stage, ...]:
    """The stages of the event; at most one is current."""
    over, going = facts.state == "finished", facts.state == "in_progress"
    drafted = facts.state in ("draft", "registration") and any(round_.state == "drawn" for round_ in facts.rounds)
    begun = going or over or drafted
    expected = facts.here > 0 or (facts.absent > 0 and not facts.before_the_day)
    check_in = facts.starts_unopened or (facts.state == "registration" and expected and not facts.season)
    missing = facts.no_list if (begun or facts.lists_locked) and not over else 0
    ready = facts.lists_locked or (facts.here + facts.absent > 0 and not facts.no_list and not facts.illegal)
    current = _current(facts) if going or drafted else 0
    registered = begun or check_in
    last = [
        Stage(gettext("End"), "done" if over else "now" if going and not current else "coming", to_standings(facts))
    ]
    state: Literal["done", "now", "coming"] = "done" if begun else "now" if check_in else "coming"
    middle = [] if facts.season else [Stage(gettext("Check-in"), state, "check_in.check_in_queue")]
    if facts.by_challenge:
        is_now = any(round_.number == current and not round_.stage for round_ in facts.rounds)
        middle = [Stage(gettext("Challenges"), "now" if is_now else state, "leagues.manage_season")]
    return (
        Stage(
            gettext("Registration"),
            "now" if not registered else "coming" if facts.signing_up else "done",
            "players.players",
        ),
        Stage(
            ngettext("Lists: %(num)s missing", "Lists: %(num)s missing", missing) if missing else gettext("Lists"),
            "done" if (begun or ready) and not missing else "coming",
            "lists_desk.review_lists",
        ),
        *middle,
        *(
            Stage(
                _stage_label(round_, current),
                _stage_state(round_, current),
                "rounds.manage_round",
                {"number": round_.number},
            )
            for round_ in facts.rounds
            if round_.stage or not facts.by_challenge
        ),
        *last,
    )


def _current(facts: EventFacts) -> int:
    """The round in play that the next step is about, in a season that of its days, or the first to come; 0 for none."""
    left = [round_.number for round_ in facts.rounds if round_.state != "complete"]
    in_play = [round_.number for round_ in facts.rounds if round_.state == "playing"]
    if facts.opened in in_play:
        return facts.opened
    if facts.by_challenge and not left and not facts.ended:
        return facts.rounds[-1].number if facts.rounds else 0  # the next challenge can come any day
    return next(iter(in_play or left), 0)


def _stage_label(round_facts: RoundFacts, current: int) -> str:
    """The name of a round, with the number of its games that the rounds after it do not wait for."""
    label = capital(round_facts.stage or gettext("Round %(number)s", number=round_facts.number))
    return (
        gettext("%(label)s: %(games)s open", label=label, games=round_facts.games - round_facts.decided)
        if round_facts.state == "playing" and round_facts.number < current
        else label
    )


def _stage_state(round_facts: RoundFacts, current: int) -> Literal["done", "now", "coming"]:
    if round_facts.number == current:
        return "now"
    return "done" if round_facts.state == "complete" else "coming"


def to_standings(facts: EventFacts | Event) -> str:
    return "standings.team_standings_page" if facts.team_size > 1 else "standings.standings_page"
