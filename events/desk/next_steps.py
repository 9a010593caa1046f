"""The one next step of an event, the blockers, and the event's stages. Pure: facts in, a step out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from events.desk.event_facts import Blocker, Button, Facts, NextStep, OpenGame, RoundFacts
from validators.names import counted


@dataclass(frozen=True)
class Stage:
    """A stage of the event."""

    label: str
    state: Literal["done", "now", "coming"]
    endpoint: str
    args: Mapping[str, int | str] = field(default_factory=dict)


NAMED = 5
"""Groups that a question names."""
NAMED_AT_ONCE = 2
"""The most groups that a blocker names; more are shown on demand."""
AWARDS = Button("Awards", "standings.manage_awards")
GIVE_AWARDS = Button("Give the awards", "standings.manage_awards")
AWARDS_NEXT = {
    "": ("Its awards are not published.", GIVE_AWARDS),
    "some": (
        "The prize-giving in the hall has begun. The page of the awards is not public yet.",
        Button("Show the next award", "standings.manage_awards", {"_anchor": "run"}),
    ),
    "all": (
        "The hall has shown every award, but their page is not public yet: publish it so that everybody can read it.",
        Button("Publish the awards", "standings.manage_awards", {"_anchor": "run"}),
    ),
}
"""Of unpublished awards: what is public, and the next act, by how many the hall has shown."""


def next_step(facts: Facts) -> NextStep:
    """The one next step of the event."""
    if facts.cancelled:
        again = Button("Undo the cancellation", "event_life.take_place", post=True)
        return NextStep(f"The {facts.kind} is cancelled. Its pages tell the players.", again)
    if facts.state == "draft":
        return _draft(facts)
    if facts.state == "finished":
        final = Button("See the final standings", _standings(facts))
        if facts.awards_wait:
            words, act = AWARDS_NEXT[facts.awards_shown]
            return NextStep(f"The {facts.kind} is over. {words}", act, final)
        return NextStep(f"The {facts.kind} is over.", final, AWARDS)
    playing = [one for one in facts.rounds if one.state == "playing"]
    coming = next((one for one in facts.rounds if one.state in ("planned", "drawn")), None)
    if facts.by_challenge and facts.state == "in_progress" and not any(one.stage for one in facts.rounds):
        step = _in_season(facts, playing, None)
        if playing:
            return step
        close = _end(facts)
        if facts.ended:
            text = "The last day has passed, and no challenge is open."
            return replace(close, text=text, blockers=step.blockers)
        return NextStep(
            "No challenge is open.", Button("See the season", "leagues.season_page"), close.act, step.blockers
        )
    if playing and facts.season and not playing[0].stage:
        return _in_season(facts, playing, coming)
    if playing:
        return _with_others(_playing(playing[0]), facts, playing[1:], coming)
    if coming is None:
        return _end(facts)
    return _coming(facts, coming)


def _coming(facts: Facts, one: RoundFacts) -> NextStep:
    """The step for a round that is not published yet."""
    if one.state == "drawn":
        return _drawn(facts, one)
    return _drop_or_keep(facts, one) if facts.absentees else _to_draw(facts, one)


def _drop_or_keep(facts: Facts, one: RoundFacts) -> NextStep:
    """The question before the draw of a round, one for each player who did not come to the round before."""
    absent, *others = facts.absentees
    more = f" {counted(len(others), 'more player')} to decide on." if others else ""
    text = (
        f"{absent.name} did not come to round {one.number - 1}. Drop them, or keep them for {_name(one).lower()}?{more}"
    )

    def answer(label: str, verb: str) -> Button:
        return Button(label, "players.act_on_player", {"player_id": absent.id, "verb": verb}, post=True)

    return NextStep(text, answer(f"Drop {absent.name}", "drop"), answer(f"Keep {absent.name}", "keep"))


def stages(facts: Facts) -> tuple[Stage, ...]:
    """The stages of the event; at most one is current."""
    over, going = facts.state == "finished", facts.state == "in_progress"
    drafted = facts.state == "registration" and any(one.state == "drawn" for one in facts.rounds)
    begun = going or over or drafted
    check_in = facts.state == "registration" and (facts.here > 0 or (facts.absent > 0 and not facts.before_the_day))
    missing = facts.no_list if begun or facts.lists_locked else 0
    ready = facts.lists_locked or (facts.here + facts.absent > 0 and not facts.no_list and not facts.illegal)
    current = _current(facts) if going or drafted else 0
    registered = begun or check_in
    last = [Stage("End", "done" if over else "now" if going and not current else "coming", _standings(facts))]
    return (
        Stage(
            "Registration",
            "now" if not registered else "coming" if facts.signing_up else "done",
            "players.players",
        ),
        Stage(
            f"Lists: {missing} missing" if missing else "Lists",
            "done" if (begun or ready) and not missing else "coming",
            "lists_desk.review_lists",
        ),
        Stage("Check-in", "done" if begun else "now" if check_in else "coming", "check_in.check_in_queue"),
        *(
            Stage(
                _stage_label(one, current),
                _stage_state(one, current),
                "rounds.manage_round",
                {"number": one.number},
            )
            for one in facts.rounds
        ),
        *last,
    )


def _current(facts: Facts) -> int:
    """The round in play that the next step is about, in a season that of its days, or the first to come; 0 for none."""
    left = [one.number for one in facts.rounds if one.state != "complete"]
    in_play = [one.number for one in facts.rounds if one.state == "playing"]
    if facts.opened in in_play:
        return facts.opened
    if facts.by_challenge and not left and not facts.ended:
        return facts.rounds[-1].number if facts.rounds else 0  # the next challenge can come any day
    return next(iter(in_play or left), 0)


def _stage_label(one: RoundFacts, current: int) -> str:
    """The name of a round, with the number of its games that the rounds after it do not wait for."""
    label = (one.stage or f"Round {one.number}").capitalize()
    return f"{label}: {one.games - one.decided} open" if one.state == "playing" and one.number < current else label


def _stage_state(one: RoundFacts, current: int) -> Literal["done", "now", "coming"]:
    if one.number == current:
        return "now"
    return "done" if one.state == "complete" else "coming"


def _standings(facts: Facts) -> str:
    return "standings.team_standings_page" if facts.team_size > 1 else "standings.standings_page"


def _draft(facts: Facts) -> NextStep:
    opening = Button("Open registration", "setup.open_registration", post=True)
    blockers: tuple[Blocker, ...] = ()
    if facts.unlimited:
        text = (
            f"This {facts.kind} has no limit of places: once registration is open, anyone on the Internet can fill it "
            "with sign-ups. Set the number of places, or approve sign-ups."
        )
        blockers = (Blocker(text, Button("Set the places", "settings.change_section", {"section": "registration"})),)
    text = f"Only organisers see this {facts.kind} until registration opens."
    return NextStep(text, opening, Button("Check the settings", "settings.overview"), blockers)


def _name(one: RoundFacts) -> str:
    return f"Round {one.number}{f' ({one.stage})' if one.stage else ''}"


def _page(one: RoundFacts, label: str) -> Button:
    return Button(label, "rounds.manage_round", {"number": one.number})


def _results(one: RoundFacts, label: str, show: str = "") -> Button:
    args: dict[str, int | str] = {"number": one.number}
    return Button(label, "results_desk.results_page", args | ({"show": show} if show else {}))


def _decide(one: RoundFacts, games: Sequence[OpenGame], verb: str, many: str, show: str) -> Button:
    """The page of the one game, or the list of them."""
    if len(games) == 1:
        return Button(f"{verb} table {games[0].table}", "results_desk.decide", {"game_id": games[0].id})
    return _results(one, f"{verb} {len(games)} {many}", show)


def _playing(one: RoundFacts) -> NextStep:
    blockers = []
    if one.choosing:
        text = f"Boards of {counted(one.choosing, 'match', 'matches')} are still chosen."
        blockers.append(Blocker(text, _page(one, "See the matches")))
    untouched = not (one.decided or one.disputed or one.reported or one.tied)
    if one.clock == "waiting" and untouched:
        start = Button("Start the clock", "clock.press", {"round_number": one.number, "verb": "start"}, post=True)
        text = f"{_name(one)} is published. Start the clock when the players are at their tables."
        return NextStep(text, start, blockers=tuple(blockers))
    paper = Button("Enter from paper", "sheet.enter_sheet", {"number": one.number})
    through = Button("Choose who goes through", "rounds.manage_round", {"number": one.number, "_anchor": "tied"})
    asks = [
        (one.disputed, "disputed", _decide(one, one.disputed, "Decide", "disputes", "disputed")),
        (one.tied, "drawn, and a knockout needs a winner", through),
        (one.reported, "reported, but not confirmed", _decide(one, one.reported, "Confirm", "results", "one-side")),
    ]
    found = [Blocker(f"{_tables(games)} {words}.", act) for games, words, act in asks if games]
    still = one.games - one.decided - len(one.disputed) - len(one.reported)
    text = f"{_name(one)}: {one.decided} of {counted(one.games, 'table')} decided."
    urgent = one.disputed or one.tied or (one.reported and still <= 0)
    if urgent and found:
        return NextStep(f"{text} {found[0].text}", found[0].act, paper, (*found[1:], *blockers))
    return NextStep(text, _results(one, "See the results"), paper, (*found, *blockers))


def _in_season(facts: Facts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> NextStep:
    """The open games of all rounds of a season; disputes first, overdue games next."""
    games, decided = (sum(getattr(one, name) for one in facts.rounds) for name in ("games", "decided"))
    open_games = Button("See the open games", "leagues.manage_season")
    found = []
    for words, verb, many, name in (("disputed", "Decide", "disputes", "disputed"),
                                    ("reported, but not confirmed", "Confirm", "results", "reported")):  # fmt: skip
        for one in playing:
            if waits := getattr(one, name):
                act = _decide(one, waits, verb, many, "disputed" if name == "disputed" else "one-side")
                found.append(Blocker(f"{_name(one)}: {counted(len(waits), 'game')} {words}.", act))
    if facts.overdue:
        found.append(Blocker(f"{counted(facts.overdue, 'game is', 'games are')} overdue.", open_games))
    found += _behind(facts)
    if coming is not None and not coming.why_not:
        found.append(Blocker(f"{_name(coming)} is not published yet.", _coming(facts, coming).act))
    text = f"The {facts.kind} is being played: {decided} of {counted(games, 'game')} decided."
    if found and any(one.disputed for one in playing):
        return NextStep(f"{text} {found[0].text}", found[0].act, open_games, tuple(found[1:]))
    return NextStep(text, open_games, blockers=tuple(found))


def _open_steps(facts: Facts) -> str:
    """The groups with open steps, in a sentence; "" for none."""
    many = len(facts.steps_open)
    named = ", ".join(facts.steps_open[:NAMED]) + (" and others" if many > NAMED else "")
    return f"{counted(many, 'group has', 'groups have')} open steps: {named}." if many else ""


def _behind(facts: Facts) -> Iterator[Blocker]:
    if facts.steps_open:
        see, many = Button("See the groups", "desk.readiness_group", {"key": "steps"}), len(facts.steps_open)
        if many > NAMED_AT_ONCE:
            yield Blocker(f"{many} groups have open steps", see, ", ".join(facts.steps_open))
        else:
            yield Blocker(_open_steps(facts), see)
    if facts.corrected:
        named = " and ".join(facts.corrected)
        text = f"Steps of {named} count a result that was corrected later. Rule on the difference or open them again."
        yield Blocker(text, Button("See the results", "campaigns.manage_campaign", {"_anchor": "differ"}))


def _left(facts: Facts) -> Iterator[Blocker]:
    if facts.left_leader is not None:
        id_, name = facts.left_leader
        text = f"{name} leads and has left: awards go to those who stayed. Bring {name} back if that is wrong."
        yield Blocker(text, Button(f"See {name}", "players.player_details", {"player_id": id_}))


def _with_others(step: NextStep, facts: Facts, playing: Sequence[RoundFacts], coming: RoundFacts | None) -> NextStep:
    """The step of the oldest round in play, with the other rounds in play, and the next round if it need not wait."""
    others = [Blocker(other.text, other.act) for other in map(_playing, playing)]
    if coming is not None and not coming.why_not:
        others.append(Blocker(f"{_name(coming)} does not depend on these results.", _coming(facts, coming).act))
    return replace(step, blockers=(*step.blockers, *others))


def _tables(games: Sequence[OpenGame]) -> str:
    numbers = [str(game.table) for game in games[:6]]
    named = ", ".join(numbers) + (" and more" if len(games) > 6 else "")
    return f"Table {named} is" if len(games) == 1 else f"Tables {named} are"


CLOSES = (
    "Everybody can read the final standings, and no player can change or report anything more. Votes, marks and "
    "announcements end."
)
"""What closing an event does."""


def _end(facts: Facts) -> NextStep:
    open_steps = f"{_open_steps(facts)} None can be taken once the {facts.kind} is closed. " if facts.steps_open else ""
    effect = f"{CLOSES} You can open the {facts.kind} again."
    close = Button(f"Close the {facts.kind}", "setup.finish", {}, True, open_steps + effect)
    waits = (*_behind(facts), *_left(facts))
    if facts.cut is None and facts.awards_wait:
        words, act = AWARDS_NEXT[facts.awards_shown]
        if not facts.awards_shown:
            words = "Give the awards, then close: closing shows the podium in the hall."
        return NextStep(f"All rounds are complete. {words}", act, close, waits)
    if facts.cut is None:
        if facts.awards_given:
            return NextStep("All rounds are complete. Closing shows the podium in the hall.", close, AWARDS, waits)
        text = "All rounds are complete. Give awards, or close without awards: closing shows the podium in the hall."
        return NextStep(text, AWARDS, close, waits)
    text = f"All rounds are complete: check who is in the cut to the top {facts.cut}."
    return NextStep(text, Button(f"Cut to the top {facts.cut}", "field.cut"), close, waits)


def _teams(facts: Facts) -> list[Blocker]:
    parts = [
        f"{counted(facts.alone, 'player')} in no team" if facts.alone else "",
        f"not full: {', '.join(facts.not_full)}" if facts.not_full else "",
    ]
    text = "; ".join(part for part in parts if part)
    return [Blocker(f"Teams: {text}.", Button("Complete the teams", "teams.manage", fills=True))] if text else []


def _drawn(facts: Facts, one: RoundFacts) -> NextStep:
    args: dict[str, int | str] = {"number": one.number}
    if one.stale:
        changes = f"{one.by_hand} changes" if one.by_hand > 1 else "change"
        lost = f"Your {changes} by hand cannot be brought back then." if one.by_hand else ""
        again = Button(f"Draw round {one.number} again", "rounds.draw_round", args | {"over": one.seed}, True, lost)
        text = f"{_name(one)} is drawn. {one.stale}"
        if one.why_not:
            return NextStep(f"{text} {one.why_not}", _page(one, f"See round {one.number}"))
        return NextStep(text, again, _page(one, "See the draft"), tuple(_teams(facts)))
    question = " ".join(filter(None, (one.question, _open_steps(facts))))
    publish = Button(f"Publish round {one.number}", "rounds.publish", args, True, question)
    drawn = f"{_name(one)} is drawn. {_effect(facts, one)}"
    teams = _teams(facts)
    if one.number == 1 and facts.absent:
        text = f"{counted(facts.absent, 'registered player')} not checked in, so not drawn."
        teams = [*teams, Blocker(text, Button("See the players", "check_in.check_in_queue"))]
    days = [Blocker(one.question, Button("See the settings", "settings.overview"))] if one.question else []
    lists = [Blocker(words, Button("See the lists", "lists_desk.review_lists")) for words in one.notes]
    return NextStep(drawn, publish, _page(one, "See the draft"), (*teams, *days, *lists, *_behind(facts)))


def _effect(facts: Facts, one: RoundFacts) -> str:
    """The effect of publishing a round."""
    if one.number > 1:
        return "Nobody else sees it until you publish it."
    locks = "locks and shows all lists" if facts.shown_at_lock else "locks all lists"
    lists = " and" if facts.lists_locked else f", {locks} and"
    return f"Publishing it starts the {facts.kind}{lists} shows the players their tables."


def _to_draw(facts: Facts, one: RoundFacts) -> NextStep:
    first = one.number == 1
    draw, why_not = (
        Button(f"Draw round {one.number}", "rounds.draw_round", {"number": one.number}, post=True),
        one.why_not,
    )
    if facts.at_once:
        draw = Button("Draw all rounds", "leagues.draw_fixtures", post=True)
    starts = facts.by_challenge and not one.stage
    if starts:
        draw = Button("Start the season", "leagues.start_season", post=True)
        why_not = "" if facts.here > 1 else "At least two players must be checked in before the season starts."
    other = None if why_not else draw
    check_in = Button("Open check-in", "check_in.check_in_queue")
    blockers = [*_teams(facts), *_behind(facts), *(_before_the_first(facts) if first else ())]
    if first and not facts.here and (facts.before_the_day or not facts.absent):
        came = f"{counted(facts.absent, 'player')} registered." if facts.absent else "No player is registered yet."
        day = f" The {facts.kind} starts on {facts.starts}." if facts.before_the_day and facts.starts else ""
        share = Button(f"Share the {facts.kind}", "desk.desk", {"_anchor": "share"})
        return NextStep(came + day, share, Button("Add players", "players.players", fills=True), tuple(blockers))
    absent = Blocker(f"{counted(facts.absent, 'player')} not checked in.", check_in)
    if first and facts.absent:
        text = f"{counted(facts.absent, 'registered player')} not checked in; {facts.here} here."
        return NextStep(text, check_in, other, tuple(blockers))
    if facts.absent:
        blockers.append(absent)
    if first and facts.unseated:
        text = f"{counted(facts.here, 'player')} here. The player meeting comes before round 1."
        return NextStep(text, Button("Seat the players", "rounds.meeting_desk"), other, tuple(blockers))
    if why_not:
        return NextStep(why_not, Button("See the players", "players.players"), None, tuple(blockers))
    who = counted(facts.teams_here, "team") if facts.teams_here else counted(facts.here, "player")
    if starts:
        return NextStep(f"{who} here.", draw, blockers=tuple(blockers))
    before = next((_name(other) for other in facts.rounds if other.number == one.number - 1), "The round before")
    # A knockout is drawn from the winners, not from everybody who is here.
    ready = f"{before} is complete" if one.stage and not first else f"{who} here"
    done = "" if first or one.stage else f"{before} is complete. "
    return NextStep(f"{done}{ready}.", draw, blockers=tuple(blockers))


def _before_the_first(facts: Facts) -> list[Blocker]:
    found = []
    lists = Button("See the lists", "lists_desk.review_lists")
    if facts.to_approve:
        text = f"{counted(facts.to_approve, 'sign-up waits', 'sign-ups wait')} for approval."
        found.append(Blocker(text, Button("Approve sign-ups", "players.players", {"show": "waiting"}, fills=True)))
    if facts.no_list:
        found.append(Blocker(f"{counted(facts.no_list, 'player has', 'players have')} no submitted list.", lists))
    if facts.illegal:
        found.append(Blocker(f"{counted(facts.illegal, 'list is', 'lists are')} not legal.", lists))
    return found
