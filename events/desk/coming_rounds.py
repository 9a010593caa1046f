"""The next step for a round that is not published yet. Pure: facts in, a step out."""

from collections.abc import Iterator

from events.desk.event_facts import Blocker, Button, EventFacts, NextStep, RoundFacts
from languages.words import N_, apart, gettext, in_sentence, labelled, listed, ngettext

NAMED = 5
"""Groups that a question names."""
NAMED_AT_ONCE = 2
"""The most groups that a blocker names; more are shown on demand."""


def coming_step(facts: EventFacts, round_facts: RoundFacts) -> NextStep:
    if round_facts.state == "drawn":
        return _drawn(facts, round_facts)
    if facts.absentees:
        return _drop_or_keep(facts, round_facts)
    step = _to_draw(facts, round_facts)
    return _approve(facts, step) if facts.to_approve and round_facts.number == 1 else step


def _approve(facts: EventFacts, after: NextStep) -> NextStep:
    """The step while sign-ups wait for approval, before the step ``after`` it."""
    waits = ngettext("%(num)s sign-up waits", "%(num)s sign-ups wait", facts.to_approve)
    approve = Button(gettext("Approve sign-ups"), "players.players", {"show": "approval"}, fills=True)
    return NextStep(gettext("%(waits)s for approval.", waits=waits), approve, after.act, after.blockers)


def _drop_or_keep(facts: EventFacts, round_facts: RoundFacts) -> NextStep:
    """The question before the draw of a round, one for each player who did not come to the round before."""
    absent, *others = facts.absentees
    more = (
        " " + ngettext("%(num)s more player to decide on.", "%(num)s more players to decide on.", len(others))
        if others
        else ""
    )
    text = gettext(
        "%(absent)s did not come to round %(number)s. Drop them, or keep them for %(name)s?%(more)s",
        absent=absent.name,
        number=round_facts.number - 1,
        name=in_sentence(round_title(round_facts)),
        more=more,
    )

    def answer(label: str, verb: str) -> Button:
        return Button(label, "players.act_on_player", {"player_id": absent.id, "verb": verb}, post=True)

    return NextStep(
        text,
        answer(gettext("Drop %(absent)s", absent=absent.name), "drop"),
        answer(gettext("Keep %(absent)s", absent=absent.name), "keep"),
    )


def _teams(facts: EventFacts) -> list[Blocker]:
    parts = [
        gettext("%(player)s in no team", player=ngettext("%(num)s player", "%(num)s players", facts.alone))
        if facts.alone
        else "",
        gettext("not full: %(not_full)s", not_full=", ".join(facts.not_full)) if facts.not_full else "",
    ]
    text = apart(part for part in parts if part)
    return (
        [
            Blocker(
                gettext("Teams: %(text)s.", text=text),
                Button(gettext("Complete the teams"), "teams.manage", fills=True),
            )
        ]
        if text
        else []
    )


def _drawn(facts: EventFacts, round_facts: RoundFacts) -> NextStep:
    args: dict[str, int | str] = {"number": round_facts.number}
    if round_facts.stale:
        lost = ngettext(
            "Your change by hand cannot be brought back then.",
            "Your %(num)s changes by hand cannot be brought back then.",
            round_facts.by_hand,
        )
        lost = lost if round_facts.by_hand else ""
        again = Button(
            gettext("Draw round %(number)s again", number=round_facts.number),
            "rounds.draw_round",
            args | {"over": round_facts.seed},
            True,
            lost,
        )
        text = gettext("%(name)s is drawn. %(stale)s", name=round_title(round_facts), stale=round_facts.stale)
        if round_facts.why_not:
            return NextStep(
                f"{text} {round_facts.why_not}",
                page_of(round_facts, gettext("See round %(number)s", number=round_facts.number)),
            )
        return NextStep(text, again, page_of(round_facts, gettext("See the draft")), tuple(_teams(facts)))
    question = " ".join(filter(None, (round_facts.question, open_steps(facts))))
    publish = Button(
        gettext("Publish round %(number)s", number=round_facts.number), "rounds.publish", args, True, question
    )
    how_many = ngettext("%(num)s game", "%(num)s games", round_facts.games)
    if round_facts.byes:
        how_many = listed([how_many, ngettext("%(num)s bye", "%(num)s byes", round_facts.byes)])
    effect = _effect(facts, round_facts)
    drawn = gettext(
        "%(name)s is drawn: %(games)s. %(effect)s", name=round_title(round_facts), games=how_many, effect=effect
    )
    teams = _teams(facts)
    if round_facts.number == 1 and facts.absent:
        text = gettext(
            "%(player)s not checked in, so not drawn.",
            player=ngettext("%(num)s registered player", "%(num)s registered players", facts.absent),
        )
        teams = [*teams, Blocker(text, Button(gettext("See the players"), "check_in.check_in_queue"))]
    days = (
        [Blocker(round_facts.doubts, Button(gettext("See the settings"), "settings.overview"))]
        if round_facts.doubts
        else []
    )
    lists = [Blocker(words, Button(gettext("See the lists"), "lists_desk.review_lists")) for words in round_facts.notes]
    return NextStep(
        drawn, publish, page_of(round_facts, gettext("See the draft")), (*teams, *days, *lists, *groups_behind(facts))
    )


STARTS = {
    "event": N_("Publishing it starts the event and shows the players their tables."),
    "season": N_("Publishing it starts the season and shows the players their games."),
    "campaign": N_("Publishing it starts the campaign and shows the players their games."),
}
STARTS_AND_LOCKS = {
    "event": N_("Publishing it starts the event, %(locks)s and shows the players their tables."),
    "season": N_("Publishing it starts the season, %(locks)s and shows the players their games."),
    "campaign": N_("Publishing it starts the campaign, %(locks)s and shows the players their games."),
}


def _effect(facts: EventFacts, round_facts: RoundFacts) -> str:
    """The effect of publishing a round."""
    if round_facts.stops:
        return gettext("Only the desk sees it. Publishing stops round %(number)s’s clock.", number=round_facts.stops)
    if round_facts.number > 1:
        return gettext("Only the desk sees it until you publish it.")
    locks = gettext("locks and shows all lists") if facts.shown_at_lock else gettext("locks all lists")
    return gettext(STARTS[facts.kind]) if facts.lists_locked else gettext(STARTS_AND_LOCKS[facts.kind], locks=locks)


def _to_draw(facts: EventFacts, round_facts: RoundFacts) -> NextStep:
    first = round_facts.number == 1
    draw, why_not = (
        Button(
            gettext("Draw round %(number)s", number=round_facts.number),
            "rounds.draw_round",
            {"number": round_facts.number},
            post=True,
        ),
        round_facts.why_not,
    )
    if facts.at_once:
        effect = gettext("Every player sees the games of all rounds at once.")
        locks = "" if facts.lists_locked else gettext("All lists lock.")
        question = " ".join(filter(None, (effect, locks, round_facts.question)))
        draw = Button(gettext("Draw all rounds"), "leagues.draw_fixtures", post=True, confirm=question)
    starts = facts.by_challenge and not round_facts.stage
    if starts:
        draw = Button(gettext("Start the season"), "leagues.start_season", post=True, confirm=round_facts.question)
        why_not = "" if facts.here > 1 else gettext("At least two players must be signed up before the season starts.")
    other = None if why_not else draw
    share = Button(gettext("Share the %(kind)s", kind=facts.noun), "desk.desk", {"_anchor": "share"})
    add = Button(gettext("Add players"), "players.players", fills=True)
    absent = not_checked_in(facts)
    blockers = [*_teams(facts), *groups_behind(facts), *(_before_the_first(facts, round_facts) if first else ())]
    if first and not facts.here and (facts.before_the_day or not facts.absent):
        came = (
            ngettext("%(num)s player registered.", "%(num)s players registered.", facts.absent)
            if facts.absent
            else gettext("No player is registered yet.")
        )
        day = (
            " " + gettext("The %(kind)s starts on %(starts)s.", kind=facts.noun, starts=facts.starts)
            if facts.before_the_day and facts.starts
            else ""
        )
        return NextStep(came + day, add, share, tuple(blockers))
    if first and facts.absent:
        text = gettext(
            "%(player)s not checked in; %(here)s here.",
            player=ngettext("%(num)s registered player", "%(num)s registered players", facts.absent),
            here=facts.here,
        )
        return NextStep(text, absent.act, other, tuple(blockers))
    if facts.absent:
        blockers.append(absent)
    if why_not:
        return NextStep(why_not, Button(gettext("See the players"), "players.players"), None, tuple(blockers))
    who = (
        ngettext("%(num)s team", "%(num)s teams", facts.teams_here)
        if facts.teams_here
        else ngettext("%(num)s player", "%(num)s players", facts.here)
    )
    if facts.season and first:
        text = gettext("%(who)s signed up.", who=who)
        if facts.before_the_day and facts.starts:
            text += " " + gettext("The %(kind)s starts on %(starts)s.", kind=facts.noun, starts=facts.starts)
        waits = facts.before_the_day and facts.signing_up
        return NextStep(text, share if waits else draw, draw if waits else share, tuple(blockers))
    before = next(
        (round_title(other) for other in facts.rounds if other.number == round_facts.number - 1),
        gettext("The round before"),
    )
    # A knockout is drawn from the winners, not from everybody who is here.
    ready = (
        gettext("%(before)s is complete", before=before)
        if round_facts.stage and not first
        else gettext("%(who)s signed up", who=who)
        if facts.season
        else gettext("%(who)s here", who=who)
    )
    done = "" if first or round_facts.stage else gettext("%(before)s is complete.", before=before) + " "
    return NextStep(f"{done}{ready}.", draw, blockers=tuple(blockers))


def not_checked_in(facts: EventFacts) -> Blocker:
    return Blocker(
        gettext("%(player)s not checked in.", player=ngettext("%(num)s player", "%(num)s players", facts.absent)),
        Button(gettext("Open check-in"), "check_in.check_in_queue"),
    )


def _before_the_first(facts: EventFacts, round_facts: RoundFacts) -> list[Blocker]:
    blockers = []
    lists = Button(gettext("See the lists"), "lists_desk.review_lists")
    if round_facts.notes:
        return [Blocker(words, lists) for words in round_facts.notes]
    if facts.no_list:
        blockers.append(
            Blocker(
                gettext(
                    "%(has)s no submitted list.",
                    has=ngettext("%(num)s player has", "%(num)s players have", facts.no_list),
                ),
                lists,
            )
        )
    if facts.illegal:
        blockers.append(
            Blocker(
                gettext("%(is_)s not legal.", is_=ngettext("%(num)s list is", "%(num)s lists are", facts.illegal)),
                lists,
            )
        )
    return blockers


def round_title(round_facts: RoundFacts) -> str:
    """The round's name, with its stage."""
    if round_facts.stage:
        return gettext("Round %(number)s (%(stage)s)", number=round_facts.number, stage=round_facts.stage)
    return gettext("Round %(number)s", number=round_facts.number)


def page_of(round_facts: RoundFacts, label: str) -> Button:
    return Button(label, "rounds.manage_round", {"number": round_facts.number})


def open_steps(facts: EventFacts) -> str:
    """The groups with open steps, in a sentence; "" for none."""
    groups = (*facts.steps_open, *facts.not_mustered)
    many = len(groups)
    named = ", ".join(groups[:NAMED])
    if many > NAMED:
        named = gettext("%(names)s and others", names=named)
    text = ngettext(
        "%(num)s group has open steps: %(names)s.", "%(num)s groups have open steps: %(names)s.", many, names=named
    )
    return text if many else ""


def groups_behind(facts: EventFacts) -> Iterator[Blocker]:
    steps, musters = len(facts.steps_open), len(facts.not_mustered)
    for head, groups in (
        (ngettext("%(num)s group has open steps", "%(num)s groups have open steps", steps), facts.steps_open),
        (ngettext("%(num)s group has not mustered", "%(num)s groups have not mustered", musters), facts.not_mustered),
    ):
        see, names = Button(gettext("See the groups"), "desk.readiness_group", {"key": "steps"}), ", ".join(groups)
        if groups:
            yield (
                Blocker(head, see, names) if len(groups) > NAMED_AT_ONCE else Blocker(f"{labelled(head, names)}.", see)
            )
    see = Button(gettext("See the groups"), "campaigns.campaign_page", {"_anchor": "groups"})
    for words, game in facts.forfeits:
        record = Button(gettext("Record the forfeit"), "results_desk.decide", {"game_id": game, "_anchor": "absent"})
        yield Blocker(words, record if game else see)
    if facts.corrected:
        named = listed(facts.corrected)
        text = gettext(
            "Steps of %(named)s count a result that was corrected later. Rule on the difference or open them again.",
            named=named,
        )
        yield Blocker(text, Button(gettext("See the results"), "campaigns.manage_campaign", {"_anchor": "differ"}))
    if facts.no_group:
        text = gettext("Without a group: %(names)s.", names=listed(facts.no_group))
        yield Blocker(text, Button(gettext("Give a group"), "campaigns.manage_campaign", {"_anchor": "no-group"}))
