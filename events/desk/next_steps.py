"""The one next step of an event, and the blockers. Pure: facts in, a step out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from events.desk.coming_rounds import coming_step, groups_behind, not_checked_in, open_steps, page_of, round_title
from events.desk.event_facts import Blocker, Button, EventFacts, NextStep, OpenGame, RoundFacts
from events.desk.stages import to_standings
from events.standings.published_awards import PUBLISHES
from events.store.rounds import decided_words
from languages.words import N_, gettext, lazy_gettext, ngettext

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


def next_step(facts: EventFacts) -> NextStep:
    if facts.cancelled:
        again = Button(gettext("Undo the cancellation"), "event_life.take_place", post=True)
        return NextStep(gettext("The %(kind)s is cancelled. Its pages tell the players.", kind=facts.noun), again)
    coming = next((round_ for round_ in facts.rounds if round_.state in ("planned", "drawn")), None)
    if facts.never_played:
        return _never_played(facts, coming)
    if facts.state == "draft":
        return _draft(facts, coming if facts.starts_unopened else None)
    if facts.state == "finished":
        effect = gettext("The event is in progress again, so that you can correct a result.")
        reopen = Button(gettext("Open the event again"), "setup.reopen", post=True, confirm=effect)
        if facts.awards_wait:
            words, act = AWARDS_NEXT[facts.awards_shown]
            text = gettext("The %(kind)s is over. %(words)s", kind=facts.noun, words=gettext(words))
            return NextStep(text, act, reopen)
        final = Button(gettext("See the final standings"), to_standings(facts))
        return NextStep(gettext("The %(kind)s is over.", kind=facts.noun), final, reopen)
    playing = [round_ for round_ in facts.rounds if round_.state == "playing"]
    step = _before_the_end(facts, playing, coming)
    if coming is None and (facts.ended if facts.season else True):
        step = replace(step, blockers=(*step.blockers, *_soft_left(facts, over=not playing)))
    if facts.awards_corrected:
        text = gettext("The published awards and final standings are no longer those of the results.")
        if step.act.endpoint == "setup.finish":
            return NextStep(text, PUBLISH_AGAIN, blockers=step.blockers)
        step = replace(step, blockers=(*step.blockers, Blocker(text, PUBLISH_AGAIN)))
    return step


def _never_played(facts: EventFacts, coming: RoundFacts | None) -> NextStep:
    """The step of an event whose last day is over; it can still be played."""
    move = Button(gettext("Move it"), "settings.change_section", {"section": "event"}, fills=True)
    if facts.state == "draft":
        delete = Button(gettext("Delete it"), "event_life.delete", fills=True)
        return NextStep(gettext("The last day is over. It was never played: delete it, or move it."), move, delete)
    cancel = Button(gettext("Cancel it"), "event_life.cancel", fills=True)
    text = gettext("The last day is over. It was never played: cancel it, or move it.")
    step = coming_step(facts, coming) if coming is not None else None
    return NextStep(text, move, cancel, (Blocker(step.text, step.act), *step.blockers) if step else ())


def _soft_left(facts: EventFacts, *, over: bool) -> Iterator[Blocker]:
    """What is left of votes and marks in the last round; ``over``: after it, when they should be counted."""
    if facts.vote == "unopened":
        yield Blocker(gettext("The vote for the best painted is not open."), Button(gettext("Open the vote"), SOFT))
    if over and facts.vote == "open":
        yield Blocker(gettext("The vote for the best painted is not counted."), Button(gettext("Count the vote"), SOFT))
    if over and facts.marks_open:
        yield Blocker(gettext("Marks for opponents are not counted."), Button(gettext("Count the marks"), SOFT))


def _before_the_end(facts: EventFacts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> NextStep:
    """The next step of an event that is neither a draft nor over."""
    if facts.by_challenge and facts.state == "in_progress" and not any(round_.stage for round_ in facts.rounds):
        step = _in_season(facts, playing, None)
        if playing:
            return step
        if facts.ended:
            text = gettext("The last day has passed, and no challenge is open.")
            return replace(_end(facts), text=text, blockers=step.blockers)
        see = Button(gettext("See the season"), "leagues.season_page")
        return NextStep(gettext("No challenge is open."), see, _close(facts), step.blockers)
    if playing and facts.season and not playing[0].stage:
        return _in_season(facts, playing, coming)
    if playing:
        return _with_others(_playing(playing[0]), facts, playing[1:], coming)
    if coming is None:
        return _end(facts)
    step = coming_step(facts, coming)
    if facts.state == "in_progress" and coming.why_not and step.other is None:  # too few are left to go on
        return replace(step, other=_close(facts))
    return step


def _draft(facts: EventFacts, first: RoundFacts | None) -> NextStep:
    opening = Button(gettext("Open registration"), "setup.open_registration", post=True)
    blockers: tuple[Blocker, ...] = ()
    if facts.unlimited:
        text = gettext(
            "This %(kind)s has no limit of places: once registration is open, anyone on the "
            "Internet can fill it with sign-ups. Set the number of places, or approve sign-ups.",
            kind=facts.noun,
        )
        blockers = (
            Blocker(text, Button(gettext("Set the places"), "settings.change_section", {"section": "registration"})),
        )
    if first is not None:
        unseen = gettext("Only organisers see this %(kind)s until registration opens or it starts.", kind=facts.noun)
        step = coming_step(facts, first)
        return replace(step, blockers=(*step.blockers, Blocker(unseen, opening), *blockers))
    if facts.absent and not facts.before_the_day:
        blockers = (not_checked_in(facts), *blockers)
    text = gettext("Only organisers see this %(kind)s until registration opens.", kind=facts.noun)
    return NextStep(text, opening, Button(gettext("Check the settings"), "settings.overview"), blockers)


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


def _playing(round_facts: RoundFacts) -> NextStep:
    blockers = []
    if round_facts.choosing:
        text = gettext(
            "The captains of %(match)s are still choosing their boards.",
            match=ngettext("%(num)s match", "%(num)s matches", round_facts.choosing),
        )
        blockers.append(Blocker(text, page_of(round_facts, gettext("See the matches"))))
    if round_facts.left:
        words = gettext("open, and a player there has left")
        text = gettext("%(tables)s %(words)s.", tables=_tables(round_facts.left), words=words)
        blockers.append(Blocker(text, _results(round_facts, gettext("See the results"))))
    paper = _from_paper(round_facts)
    untouched = not (round_facts.decided or round_facts.disputed or round_facts.reported or round_facts.tied)
    if round_facts.clock == "waiting" and untouched:
        start = Button(
            gettext("Start the clock"), "clock.press", {"round_number": round_facts.number, "verb": "start"}, post=True
        )
        text = gettext(
            "%(name)s is published. Start the clock when the players are at their tables.",
            name=round_title(round_facts),
        )
        return NextStep(text, start, paper, tuple(blockers))
    through = Button(
        gettext("Choose who wins"), "rounds.manage_round", {"number": round_facts.number, "_anchor": "tied"}
    )
    asks = [
        (round_facts.disputed, gettext("disputed"), _decide(round_facts, round_facts.disputed, "disputed")),
        (round_facts.tied, gettext("without a winner, and a knockout needs one"), through),
        (
            round_facts.reported,
            gettext("reported, but not confirmed"),
            _decide(round_facts, round_facts.reported, "one-side"),
        ),
    ]
    issues = [
        Blocker(gettext("%(tables)s %(words)s.", tables=_tables(games), words=words), act)
        for games, words, act in asks
        if games
    ]
    still = round_facts.games - round_facts.decided - len(round_facts.disputed) - len(round_facts.reported)
    how_far = decided_words(round_facts.decided, round_facts.games)
    text = gettext("%(name)s: %(decided)s.", name=round_title(round_facts), decided=how_far)
    urgent = round_facts.disputed or round_facts.tied or (round_facts.reported and still <= 0)
    if urgent and issues:
        return NextStep(f"{text} {issues[0].text}", issues[0].act, paper, (*issues[1:], *blockers))
    return NextStep(text, _results(round_facts, gettext("See the results")), paper, (*issues, *blockers))


def _in_season(facts: EventFacts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> NextStep:
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
                issues.append(Blocker(gettext(text, name=round_title(round_facts), games=many, words=words), act))
    if facts.overdue:
        issues.append(
            Blocker(ngettext("%(num)s game is overdue.", "%(num)s games are overdue.", facts.overdue), open_games)
        )
    issues += groups_behind(facts)
    if coming is not None and not coming.why_not:
        issues.append(
            Blocker(gettext("%(name)s is not published yet.", name=round_title(coming)), coming_step(facts, coming).act)
        )
    text = gettext(
        "The %(kind)s is being played: %(decided)s.",
        kind=facts.noun,
        decided=decided_words(decided, games, in_season=True),
    )
    current = [round_facts for round_facts in playing if round_facts.number == facts.opened] or playing[:1]
    paper = _from_paper(current[0]) if current else None
    if issues and any(round_facts.disputed for round_facts in playing):
        return NextStep(f"{text} {issues[0].text}", issues[0].act, paper, tuple(issues[1:]))
    return NextStep(text, open_games, paper, tuple(issues))


def _left(facts: EventFacts) -> Iterator[Blocker]:
    if facts.left_leader is not None:
        id_, name = facts.left_leader
        text = gettext(
            "%(name)s leads and has left: awards go to those who stayed. Bring %(name)s back if that is wrong.",
            name=name,
        )
        yield Blocker(text, Button(gettext("See %(name)s", name=name), "players.player_details", {"player_id": id_}))


def _with_others(
    step: NextStep, facts: EventFacts, playing: Sequence[RoundFacts], coming: RoundFacts | None
) -> NextStep:
    """The step of the oldest round in play, with the other rounds in play, and the next round if it need not wait."""
    others = [Blocker(other.text, other.act) for other in map(_playing, playing)]
    if coming is not None and not coming.why_not:
        others.append(
            Blocker(
                gettext("%(name)s does not depend on these results.", name=round_title(coming)),
                coming_step(facts, coming).act,
            )
        )
    return replace(step, blockers=(*step.blockers, *others))


def _tables(games: Sequence[OpenGame]) -> str:
    numbers = [str(game.table) for game in games[:6]]
    named = ", ".join(numbers) + (" " + gettext("and more") if len(games) > 6 else "")
    return (
        gettext("Table %(named)s is", named=named) if len(games) == 1 else gettext("Tables %(named)s are", named=named)
    )


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


def _end(facts: EventFacts) -> NextStep:
    close = _close(facts)
    waits = (*groups_behind(facts), *_left(facts))
    if facts.cut is None and facts.awards_wait:
        words, act = AWARDS_NEXT[facts.awards_shown]
        if not facts.awards_shown:
            words = N_("Give the awards, then close: closing shows the podium.")
        return NextStep(gettext("All rounds are complete. %(words)s", words=gettext(words)), act, close, waits)
    if facts.cut is None:
        if facts.awards_given:
            return NextStep(gettext("All rounds are complete. Closing shows the podium."), close, blockers=waits)
        text = gettext("All rounds are complete. Give awards, or close without awards: closing shows the podium.")
        return NextStep(text, USUAL_AWARDS, close, waits)
    text = gettext("All rounds are complete: check who is in the cut to the top %(cut)s.", cut=facts.cut)
    return NextStep(text, Button(gettext("Cut to the top %(cut)s", cut=facts.cut), "field.cut"), close, waits)
