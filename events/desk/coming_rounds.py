"""What is due for a round that is not published yet. Pure: facts in, a list out, the next step first."""

from collections.abc import Iterator

from events.desk.event_facts import Button, Due, EventFacts, RoundFacts
from languages.words import N_, apart, gettext, in_sentence, labelled, listed, ngettext

NAMED = 5
"""Groups that a question names."""
NAMED_AT_ONCE = 2
"""The most groups that a blocker names; more are shown on demand."""


def coming_step(facts: EventFacts, round_facts: RoundFacts) -> list[Due]:
    if round_facts.state == "drawn":
        return _drawn(facts, round_facts)
    if facts.absentees:
        return _drop_or_keep(facts, round_facts)
    step, *others = _to_draw(facts, round_facts)
    if not facts.to_approve or round_facts.number > 1:
        return [step, *others]
    waits = ngettext("%(num)s sign-up waits", "%(num)s sign-ups wait", facts.to_approve)
    approve = Button(gettext("Approve sign-ups"), "players.players", {"show": "approval"}, fills=True)
    return [Due(gettext("%(waits)s for approval.", waits=waits), approve, step.act), *others]


def _drop_or_keep(facts: EventFacts, round_facts: RoundFacts) -> list[Due]:
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

    drop = answer(gettext("Drop %(absent)s", absent=absent.name), "drop")
    return [Due(text, drop, answer(gettext("Keep %(absent)s", absent=absent.name), "keep"))]


def _teams(facts: EventFacts) -> Iterator[Due]:
    parts = []
    if facts.alone:
        parts.append(gettext("%(player)s in no team", player=_players(facts.alone)))
    if facts.not_full:
        parts.append(gettext("not full: %(not_full)s", not_full=", ".join(facts.not_full)))
    if parts:
        complete = Button(gettext("Complete the teams"), "teams.manage", fills=True)
        yield Due(gettext("Teams: %(text)s.", text=apart(parts)), complete)


def _players(number: int) -> str:
    return ngettext("%(num)s player", "%(num)s players", number)


def _registered(number: int) -> str:
    return ngettext("%(num)s registered player", "%(num)s registered players", number)


def _drawn(facts: EventFacts, round_facts: RoundFacts) -> list[Due]:
    args: dict[str, int | str] = {"number": round_facts.number}
    if round_facts.stale:
        text = gettext("%(name)s is drawn. %(stale)s", name=round_title(round_facts), stale=round_facts.stale)
        if round_facts.why_not:
            see = page_of(round_facts, gettext("See round %(number)s", number=round_facts.number))
            return [Due(f"{text} {round_facts.why_not}", see)]
        lost = ngettext(
            "Your change by hand cannot be brought back then.",
            "Your %(num)s changes by hand cannot be brought back then.",
            round_facts.by_hand,
        )
        label, over = gettext("Draw round %(number)s again", number=round_facts.number), {"over": round_facts.seed}
        again = Button(label, "rounds.draw_round", args | over, True, lost if round_facts.by_hand else "")
        return [Due(text, again, page_of(round_facts, gettext("See the draft"))), *_teams(facts)]
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
    steps = [Due(drawn, publish, page_of(round_facts, gettext("See the draft"))), *_teams(facts)]
    if round_facts.number == 1 and facts.absent:
        text = gettext("%(player)s not checked in, so not drawn.", player=_registered(facts.absent))
        steps.append(Due(text, Button(gettext("See the players"), "check_in.check_in_queue")))
    if round_facts.doubts:
        steps.append(Due(round_facts.doubts, Button(gettext("See the settings"), "settings.overview")))
    return [*steps, *_notes(round_facts), *groups_behind(facts)]


def _notes(round_facts: RoundFacts) -> list[Due]:
    see = Button(gettext("See the lists"), "lists_desk.review_lists")
    return [Due(words, see) for words in round_facts.notes]


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


def _to_draw(facts: EventFacts, round_facts: RoundFacts) -> list[Due]:
    number, first, why_not = round_facts.number, round_facts.number == 1, round_facts.why_not
    draw = Button(gettext("Draw round %(number)s", number=number), "rounds.draw_round", {"number": number}, post=True)
    if facts.at_once:
        effect = gettext("Every player sees the games of all rounds at once.")
        locks = "" if facts.lists_locked else gettext("All lists lock.")
        question = " ".join(filter(None, (effect, locks, round_facts.question)))
        draw = Button(gettext("Draw all rounds"), "leagues.draw_fixtures", post=True, confirm=question)
    if facts.by_challenge and not round_facts.stage:
        draw = Button(gettext("Start the season"), "leagues.start_season", post=True, confirm=round_facts.question)
        why_not = "" if facts.here > 1 else gettext("At least two players must be signed up before the season starts.")
    share = Button(gettext("Share the %(kind)s", kind=facts.noun), "desk.desk", {"_anchor": "share"})
    waits = [*_teams(facts), *groups_behind(facts), *(_before_the_first(facts, round_facts) if first else ())]
    starts = gettext("The %(kind)s starts on %(starts)s.", kind=facts.noun, starts=facts.starts)
    day = f" {starts}" if facts.before_the_day and facts.starts else ""
    if first and not facts.is_attended:
        came = gettext("No player is registered yet.")
        if facts.absent:
            came = ngettext("%(num)s player registered.", "%(num)s players registered.", facts.absent)
        return [Due(came + day, Button(gettext("Add players"), "players.players", fills=True), share), *waits]
    absent = not_checked_in(facts)
    if first and facts.absent:
        text = gettext("%(player)s not checked in; %(here)s here.", player=_registered(facts.absent), here=facts.here)
        return [Due(text, absent.act, None if why_not else draw), *waits]
    if facts.absent:
        waits.append(absent)
    if why_not:
        return [Due(why_not, Button(gettext("See the players"), "players.players")), *waits]
    teams = ngettext("%(num)s team", "%(num)s teams", facts.teams_here)
    who = teams if facts.teams_here else _players(facts.here)
    if facts.season and first:
        text = gettext("%(who)s signed up.", who=who) + day
        before_draw = facts.before_the_day and facts.signing_up
        return [Due(text, share, draw) if before_draw else Due(text, draw, share), *waits]
    titles = {other.number: round_title(other) for other in facts.rounds}
    before = titles.get(number - 1, gettext("The round before"))
    if round_facts.stage and not first:  # a knockout is drawn from the winners, not from everybody who is here
        return [Due(gettext("%(before)s is complete", before=before) + ".", draw), *waits]
    ready = gettext("%(who)s signed up", who=who) if facts.season else gettext("%(who)s here", who=who)
    done = "" if first else gettext("%(before)s is complete.", before=before) + " "
    return [Due(f"{done}{ready}.", draw), *waits]


def not_checked_in(facts: EventFacts) -> Due:
    text = gettext("%(player)s not checked in.", player=_players(facts.absent))
    return Due(text, Button(gettext("Open check-in"), "check_in.check_in_queue"))


def _before_the_first(facts: EventFacts, round_facts: RoundFacts) -> Iterator[Due]:
    see = Button(gettext("See the lists"), "lists_desk.review_lists")
    if round_facts.notes:
        yield from _notes(round_facts)
        return
    if facts.no_list:
        has = ngettext("%(num)s player has", "%(num)s players have", facts.no_list)
        yield Due(gettext("%(has)s no submitted list.", has=has), see)
    if facts.illegal:
        is_ = ngettext("%(num)s list is", "%(num)s lists are", facts.illegal)
        yield Due(gettext("%(is_)s not legal.", is_=is_), see)


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


def groups_behind(facts: EventFacts) -> Iterator[Due]:
    steps, musters = len(facts.steps_open), len(facts.not_mustered)
    for head, groups in (
        (ngettext("%(num)s group has open steps", "%(num)s groups have open steps", steps), facts.steps_open),
        (ngettext("%(num)s group has not mustered", "%(num)s groups have not mustered", musters), facts.not_mustered),
    ):
        see, names = Button(gettext("See the groups"), "desk.readiness_group", {"key": "steps"}), ", ".join(groups)
        if groups:
            many = len(groups) > NAMED_AT_ONCE
            yield Due(head, see, names=names) if many else Due(f"{labelled(head, names)}.", see)
    see = Button(gettext("See the groups"), "campaigns.campaign_page", {"_anchor": "groups"})
    for words, game in facts.forfeits:
        record = Button(gettext("Record the forfeit"), "results_desk.decide", {"game_id": game, "_anchor": "absent"})
        yield Due(words, record if game else see)
    if facts.corrected:
        named = listed(facts.corrected)
        text = gettext(
            "Steps of %(named)s count a result that was corrected later. Rule on the difference or open them again.",
            named=named,
        )
        yield Due(text, Button(gettext("See the results"), "campaigns.manage_campaign", {"_anchor": "differ"}))
    if facts.no_group:
        text = gettext("Without a group: %(names)s.", names=listed(facts.no_group))
        yield Due(text, Button(gettext("Give a group"), "campaigns.manage_campaign", {"_anchor": "no-group"}))
