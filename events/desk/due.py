"""What is due in an event, the next step first, and its stages from registration to the end. Pure: facts in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from events.desk.coming_rounds import coming_step, groups_behind, not_checked_in, open_steps, page_of, round_title
from events.desk.event_facts import Button, Due, EventFacts, OpenGame, RoundFacts
from events.standings.published_awards import PUBLISHES
from events.store.rounds import decided_words
from languages.words import N_, capital, gettext, lazy_gettext, ngettext
from models.event import Event

GIVE_AWARDS = Button(lazy_gettext("Give the awards"), "standings.manage_awards")
USUAL_AWARDS = Button(lazy_gettext("Add the usual awards"), "standings.act_on_awards", {"verb": "usual"}, post=True)
PUBLISH_AWARDS = Button(
    lazy_gettext("Publish the awards"), "standings.act_on_awards", {"verb": "publish"}, True, lazy_gettext(PUBLISHES)
)
PUBLISH_AGAIN = replace(PUBLISH_AWARDS, label=lazy_gettext("Publish the awards again"))
SOFT = "soft.overview"
AWARDS_NEXT = {
    "": (N_("Its awards are not published."), GIVE_AWARDS),
    "some": (N_("The prize-giving in the hall has begun."), GIVE_AWARDS),
    "all": (N_("The hall has shown every award. Their page is not public yet."), PUBLISH_AWARDS),
}
"""Of unpublished awards: what is public, and the next act, by how many the hall has shown."""


def due(facts: EventFacts) -> list[Due]:
    if facts.cancelled:
        again = Button(gettext("Undo the cancellation"), "event_life.take_place", post=True)
        return [Due(gettext("The %(kind)s is cancelled. Its pages tell the players.", kind=facts.noun), again)]
    coming = next((round_ for round_ in facts.rounds if round_.state in ("planned", "drawn")), None)
    if facts.never_played:
        return _never_played(facts, coming)
    if facts.state == "draft":
        return _draft(facts, coming if facts.starts_unopened else None)
    if facts.state == "finished":
        return [_over(facts)]
    playing = [round_ for round_ in facts.rounds if round_.state == "playing"]
    steps = _before_the_end(facts, playing, coming)
    if coming is None and (facts.ended if facts.season else True):
        steps += _soft_left(facts, over=not playing)
    if facts.awards_corrected:
        text = gettext("The published awards and final standings are no longer those of the results.")
        corrected = Due(text, PUBLISH_AGAIN)
        return [corrected, *steps[1:]] if steps[0].act.endpoint == "setup.finish" else [*steps, corrected]
    return steps


def _over(facts: EventFacts) -> Due:
    effect = gettext("The event is in progress again, so that you can correct a result.")
    reopen = Button(gettext("Open the event again"), "setup.reopen", post=True, confirm=effect)
    if facts.awards_wait:
        words, act = AWARDS_NEXT[facts.awards_shown]
        return Due(gettext("The %(kind)s is over. %(words)s", kind=facts.noun, words=gettext(words)), act, reopen)
    final = Button(gettext("See the final standings"), to_standings(facts))
    return Due(gettext("The %(kind)s is over.", kind=facts.noun), final, reopen)


def _never_played(facts: EventFacts, coming: RoundFacts | None) -> list[Due]:
    """What is due in an event whose last day is over; it can still be played."""
    move = Button(gettext("Move it"), "settings.change_section", {"section": "event"}, fills=True)
    if facts.state == "draft":
        delete = Button(gettext("Delete it"), "event_life.delete", fills=True)
        return [Due(gettext("The last day is over. It was never played: delete it, or move it."), move, delete)]
    cancel = Button(gettext("Cancel it"), "event_life.cancel", fills=True)
    text = gettext("The last day is over. It was never played: cancel it, or move it.")
    return [Due(text, move, cancel), *(coming_step(facts, coming) if coming else ())]


def _soft_left(facts: EventFacts, *, over: bool) -> Iterator[Due]:
    """What is left of votes and marks in the last round; ``over``: after it, when they should be counted."""
    if facts.vote == "unopened":
        yield Due(gettext("The vote for the best painted is not open."), Button(gettext("Open the vote"), SOFT))
    if over and facts.vote == "open":
        yield Due(gettext("The vote for the best painted is not counted."), Button(gettext("Count the vote"), SOFT))
    if over and facts.marks_open:
        yield Due(gettext("Marks for opponents are not counted."), Button(gettext("Count the marks"), SOFT))


def _before_the_end(facts: EventFacts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> list[Due]:
    """What is due in an event that is neither a draft nor over."""
    if facts.by_challenge and facts.state == "in_progress" and not any(round_.stage for round_ in facts.rounds):
        step, *others = _in_season(facts, playing, None)
        if playing:
            return [step, *others]
        if facts.ended:
            text = gettext("The last day has passed, and no challenge is open.")
            return [replace(_end(facts)[0], text=text), *others]
        see = Button(gettext("See the season"), "leagues.season_page")
        return [Due(gettext("No challenge is open."), see, _close(facts)), *others]
    if playing and facts.season and not playing[0].stage:
        return _in_season(facts, playing, coming)
    if playing:  # of the oldest round, then the other ones, and the next if it need not wait
        others = [replace(_playing(round_)[0], other=None) for round_ in playing[1:]]
        if coming is not None and not coming.why_not:
            text = gettext("%(name)s does not depend on these results.", name=round_title(coming))
            others.append(Due(text, coming_step(facts, coming)[0].act))
        return [*_playing(playing[0]), *others]
    if coming is None:
        return _end(facts)
    step, *others = coming_step(facts, coming)
    if facts.state == "in_progress" and coming.why_not and step.other is None:  # too few are left to go on
        step = replace(step, other=_close(facts))
    return [step, *others]


def _draft(facts: EventFacts, first: RoundFacts | None) -> list[Due]:
    opening = Button(gettext("Open registration"), "setup.open_registration", post=True)
    waits: list[Due] = []
    if facts.unlimited:
        text = gettext(
            "This %(kind)s has no limit of places: once registration is open, anyone on the "
            "Internet can fill it with sign-ups. Set the number of places, or approve sign-ups.",
            kind=facts.noun,
        )
        places = Button(gettext("Set the places"), "settings.change_section", {"section": "registration"})
        waits = [Due(text, places)]
    if first is not None:
        unseen = gettext("Only organisers see this %(kind)s until registration opens or it starts.", kind=facts.noun)
        return [*coming_step(facts, first), Due(unseen, opening), *waits]
    if facts.absent and not facts.before_the_day:
        waits.insert(0, not_checked_in(facts))
    text = gettext("Only organisers see this %(kind)s until registration opens.", kind=facts.noun)
    return [Due(text, opening, Button(gettext("Check the settings"), "settings.overview")), *waits]


def _results(round_facts: RoundFacts, label: str, show: str = "") -> Button:
    args: dict[str, int | str] = {"number": round_facts.number}
    return Button(label, "results_desk.results_page", args | ({"show": show} if show else {}))


def _decide(round_facts: RoundFacts, games: Sequence[OpenGame], show: str) -> Button:
    """The page of the one game to decide or confirm, or the list of them."""
    disputed, many = show == "disputed", len(games)
    if many == 1:
        table = games[0].table
        label = gettext("Decide table %(n)s", n=table) if disputed else gettext("Confirm table %(n)s", n=table)
        if table is None:  # a season's game
            label = gettext("Decide the dispute") if disputed else gettext("Confirm the result")
        return Button(label, "results_desk.decide", {"game_id": games[0].id})
    label = (
        ngettext("Decide %(num)s dispute", "Decide %(num)s disputes", many)
        if disputed
        else ngettext("Confirm %(num)s result", "Confirm %(num)s results", many)
    )
    return _results(round_facts, label, show)


def _from_paper(round_facts: RoundFacts) -> Button:
    return Button(gettext("Enter from paper"), "sheet.enter_sheet", {"number": round_facts.number})


def _playing(round_facts: RoundFacts) -> list[Due]:
    number, name = round_facts.number, round_title(round_facts)
    waits, results, paper = [], _results(round_facts, gettext("See the results")), _from_paper(round_facts)
    if round_facts.choosing:
        match = ngettext("%(num)s match", "%(num)s matches", round_facts.choosing)
        text = gettext("The captains of %(match)s are still choosing their boards.", match=match)
        waits.append(Due(text, page_of(round_facts, gettext("See the matches"))))
    if round_facts.left:
        words = gettext("open, and a player there has left")
        waits.append(Due(_open_games(round_facts.left, words), results))
    untouched = not (round_facts.decided or round_facts.disputed or round_facts.reported or round_facts.tied)
    if round_facts.clock == "waiting" and untouched:
        start = Button(gettext("Start the clock"), "clock.press", {"round_number": number, "verb": "start"}, post=True)
        text = gettext("%(name)s is published. Start the clock when the players are at their tables.", name=name)
        return [Due(text, start, paper), *waits]
    through = Button(gettext("Choose who wins"), "rounds.manage_round", {"number": number, "_anchor": "tied"})
    disputed, one_side = (
        _decide(round_facts, games, show)
        for games, show in ((round_facts.disputed, "disputed"), (round_facts.reported, "one-side"))
    )
    asks = (
        (round_facts.disputed, gettext("disputed"), disputed),
        (round_facts.tied, gettext("without a winner, and a knockout needs one"), through),
        (round_facts.reported, gettext("reported, but not confirmed"), one_side),
    )
    issues = [Due(_open_games(games, words), act) for games, words, act in asks if games]
    still = round_facts.games - round_facts.decided - len(round_facts.disputed) - len(round_facts.reported)
    how_far = decided_words(round_facts.decided, round_facts.games)
    text = gettext("%(name)s: %(decided)s.", name=name, decided=how_far)
    if round_facts.disputed or round_facts.tied or (round_facts.reported and still <= 0):
        return [*_urgent(text, issues, paper), *waits]
    return [Due(text, results, paper), *issues, *waits]


def _urgent(text: str, issues: Sequence[Due], other: Button | None) -> list[Due]:
    """The issues, of which the first is the next step, after ``text``."""
    return [replace(issues[0], text=f"{text} {issues[0].text}", other=other), *issues[1:]]


def _in_season(facts: EventFacts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> list[Due]:
    """The open games of all rounds of a season; disputes first, overdue games next."""
    games, decided = (sum(getattr(round_, name) for round_ in facts.rounds) for name in ("games", "decided"))
    open_games = Button(gettext("See the open games"), "leagues.manage_season")
    issues = []
    for words, name in ((gettext("disputed"), "disputed"), (gettext("reported, but not confirmed"), "reported")):
        for round_facts in playing:
            if waits := getattr(round_facts, name):
                many = ngettext("%(num)s game", "%(num)s games", len(waits))
                act = _decide(round_facts, waits, "disputed" if name == "disputed" else "one-side")
                text = N_("%(games)s %(words)s.") if facts.by_challenge else N_("%(name)s: %(games)s %(words)s.")
                issues.append(Due(gettext(text, name=round_title(round_facts), games=many, words=words), act))
    if facts.overdue:
        late = ngettext("%(num)s game is overdue.", "%(num)s games are overdue.", facts.overdue)
        issues.append(Due(late, open_games))
    issues += groups_behind(facts)
    if coming is not None and not coming.why_not:
        text = gettext("%(name)s is not published yet.", name=round_title(coming))
        issues.append(Due(text, coming_step(facts, coming)[0].act))
    how_far = decided_words(decided, games, in_season=True)
    text = gettext("The %(kind)s is being played: %(decided)s.", kind=facts.noun, decided=how_far)
    current = [round_facts for round_facts in playing if round_facts.number == facts.opened] or playing[:1]
    paper = _from_paper(current[0]) if current else None
    if issues and any(round_facts.disputed for round_facts in playing):
        return _urgent(text, issues, paper)
    return [Due(text, open_games, paper), *issues]


def _left(facts: EventFacts) -> Iterator[Due]:
    if facts.left_leader is not None:
        id_, name = facts.left_leader
        text = gettext(
            "%(name)s leads and has left: awards go to those who stayed. Bring %(name)s back if that is wrong.",
            name=name,
        )
        yield Due(text, Button(gettext("See %(name)s", name=name), "players.player_details", {"player_id": id_}))


def _open_games(games: Sequence[OpenGame], words: str) -> str:
    if games[0].table is None:  # a season's game
        many = ngettext("%(num)s game", "%(num)s games", len(games))
        return gettext("%(games)s %(words)s.", games=many, words=words)
    numbers = ", ".join(str(game.table) for game in games[:6])
    named = numbers + " " + gettext("and more") if len(games) > 6 else numbers
    are = N_("Table %(named)s is") if len(games) == 1 else N_("Tables %(named)s are")
    return gettext("%(tables)s %(words)s.", tables=gettext(are, named=named), words=words)


CLOSES = N_(
    "Everybody can read the final standings, and no player can change or report anything more. Votes, marks and "
    "announcements end."
)
"""What closing an event does."""


def _close(facts: EventFacts) -> Button:
    unfinished = ""
    if steps := open_steps(facts):
        kind = facts.noun
        unfinished = gettext("%(steps)s None can be taken once the %(kind)s is closed.", steps=steps, kind=kind) + " "
    effect = gettext("%(closes)s You can open the %(kind)s again.", closes=gettext(CLOSES), kind=facts.noun)
    return Button(gettext("Close the %(kind)s", kind=facts.noun), "setup.finish", {}, True, unfinished + effect)


def _end(facts: EventFacts) -> list[Due]:
    close, waits = _close(facts), (*groups_behind(facts), *_left(facts))
    if facts.cut is not None:
        text = gettext("All rounds are complete: check who is in the cut to the top %(cut)s.", cut=facts.cut)
        return [Due(text, Button(gettext("Cut to the top %(cut)s", cut=facts.cut), "field.cut"), close), *waits]
    if facts.awards_wait:
        words, act = AWARDS_NEXT[facts.awards_shown]
        if not facts.awards_shown:
            words = N_("Give the awards, then close: closing shows the podium.")
        return [Due(gettext("All rounds are complete. %(words)s", words=gettext(words)), act, close), *waits]
    if facts.awards_given:
        return [Due(gettext("All rounds are complete. Closing shows the podium."), close), *waits]
    text = gettext("All rounds are complete. Give awards, or close without awards: closing shows the podium.")
    return [Due(text, USUAL_AWARDS, close), *waits]


Progress = Literal["done", "now", "coming"]


@dataclass(frozen=True)
class Stage:
    label: str
    state: Progress
    endpoint: str
    args: Mapping[str, int | str] = field(default_factory=dict)


def stages(facts: EventFacts) -> list[Stage]:
    """The stages of the event; at most one is current."""
    over, going = facts.state == "finished", facts.state == "in_progress"
    drafted = facts.state in ("draft", "registration") and any(round_.state == "drawn" for round_ in facts.rounds)
    begun = going or over or drafted
    check_in = facts.starts_unopened or (facts.state == "registration" and facts.is_attended and not facts.season)
    missing = facts.no_list if (begun or facts.lists_locked) and not over else 0
    ready = facts.lists_locked or (facts.here + facts.absent > 0 and not facts.no_list and not facts.illegal)
    current = _current(facts) if going or drafted else 0
    registration: Progress = "now" if not (begun or check_in) else "coming" if facts.signing_up else "done"
    lists = ngettext("Lists: %(num)s missing", "Lists: %(num)s missing", missing) if missing else gettext("Lists")
    listed: Progress = "done" if (begun or ready) and not missing else "coming"
    middle: Progress = "done" if begun else "now" if check_in else "coming"
    strip = [
        Stage(gettext("Registration"), registration, "players.players"),
        Stage(lists, listed, "lists_desk.review_lists"),
    ]
    if facts.by_challenge:
        is_now = any(round_.number == current and not round_.stage for round_ in facts.rounds)
        strip.append(Stage(gettext("Challenges"), "now" if is_now else middle, "leagues.manage_season"))
    elif not facts.season:
        strip.append(Stage(gettext("Check-in"), middle, "check_in.check_in_queue"))
    for round_ in facts.rounds:
        if round_.stage or not facts.by_challenge:
            state: Progress = "done" if round_.state == "complete" else "coming"
            state = "now" if round_.number == current else state
            args = {"number": round_.number}
            strip.append(Stage(_stage_label(round_, current), state, "rounds.manage_round", args))
    end: Progress = "done" if over else "now" if going and not current else "coming"
    return [*strip, Stage(gettext("End"), end, to_standings(facts))]


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


def to_standings(facts: EventFacts | Event) -> str:
    return "standings.team_standings_page" if facts.team_size > 1 else "standings.standings_page"
